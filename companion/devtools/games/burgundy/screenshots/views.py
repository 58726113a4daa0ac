"""The list of views, by the scenario that shows them (:func:`.scenarios.scenarios`)."""

from __future__ import annotations

from companion.devtools.screenshots.view import Section, View

MENU, SCORE, TILE, NAME = "[data-open='/menu']", ".score .points", "g.space.taken", ".player h2 .plain"
COUNTS = ".player .amount"
AREAS = ".nearest"
HELP, HOUSE_RULES = "[data-open='/help']", ".house-rules summary"
MAIN = frozenset(
    {
        "who-plays",
        "start",
        "watching",
        "by-hand",
        "lesson",
        "proposal",
        "watch",
        "help",
        "over",
        "result",
        "replay",
        "games",
    }
)
"""Views that are shown on every kind of screen."""

SECTIONS = (
    Section(
        "Before a game",
        {
            "first setup": (
                View("who-plays", "Who plays: the suggestion before the first game.", full_page=True),
                View(
                    "house-rules",
                    "House rules, folded away until somebody wants them.",
                    taps=(HOUSE_RULES,),
                    full_page=True,
                ),
            ),
            "next setup": (
                View(
                    "who-plays-again",
                    "Who plays, as in the last game: three people, and the Châteauma with its level.",
                    full_page=True,
                ),
            ),
            "what is printed, for a game": (
                View(
                    "print-asked",
                    "Questions about the Châteauma's print that nobody has seen, asked once before its first game.",
                    full_page=True,
                ),
            ),
            "what is printed": (
                View("print", "Everything that the owner's copy prints for the Châteauma.", full_page=True),
                View("print-card", "Correcting a county card.", taps=("[id='card:3'] .spot",)),
            ),
            "calibration": (
                View(
                    "calibration",
                    "Where the duchies and depots were found on the table; the corners can be dragged.",
                ),
            ),
        },
    ),
    Section(
        "During a game",
        {
            "laying out": (
                View("laying-out", "Waiting for castles, goods and tiles; the page says what is missing."),
            ),
            "start": (
                View("start", "A question before the first turn: which starting goods.", full_page=True),
            ),
            "layout": (
                View("layout", "All depots have been read: the layout is confirmed.", full_page=True),
            ),
            "set up by taps": (
                View(
                    "set-up-by-taps",
                    "Without a camera: a tap for each castle and each of the goods.",
                    full_page=True,
                ),
            ),
            "filled by taps": (
                View(
                    "filled-by-taps", "Without a camera: a key for each tile that is drawn.", full_page=True
                ),
            ),
            "dice in doubt": (
                View(
                    "dice-in-doubt",
                    "Dice that were read with doubt are marked; play goes on without a question.",
                ),
            ),
            "asking for a die": (
                View(
                    "asking-die",
                    "A die that the turn depends on: its picture, and the likeliest value first.",
                ),
            ),
            "watching": (
                View("watching", "A turn is being played; there is nothing to tap.", full_page=True),
                View("place", "A tile: what it does, and what may really be there.", taps=(TILE,)),
                View("die", "Correcting a die.", taps=("[data-open^='/die/']",)),
                View("score", "Where a player's points come from, each with its rule.", taps=(SCORE,)),
                View(
                    "areas",
                    "All areas: what is missing, and what completing each would bring.",
                    taps=(AREAS,),
                ),
                View("player", "A player's name.", taps=(NAME,)),
                View("adjust", "Correcting counts and turn order by hand, with the reason.", taps=(COUNTS,)),
                View("watch", "For a television or a guest's phone.", path="/watch", full_page=True),
                View("help", "Help explains the screen that is shown.", taps=(HELP,)),
                View("menu", "The menu: everything that is not needed in every turn.", taps=(MENU,)),
                View("join", "Joining with another tablet.", taps=(MENU, "dialog [data-open='/join']")),
                View(
                    "all-turns",
                    "All turns; each can be opened and corrected.",
                    taps=(MENU, "dialog [data-open='/story']"),
                ),
                View(
                    "turn",
                    "An earlier turn: the pictures it is based on, and how to correct it.",
                    taps=(MENU, "dialog [data-open='/story']", ".turn-log li:nth-child(3) button"),
                ),
                View(
                    "rules",
                    "The table rules: how this table plays where the printed rules leave it open.",
                    taps=(MENU, "dialog [data-open='/rules']"),
                ),
                View("moves", "Every legal move, to enter a turn by hand.", taps=("[data-open='/moves']",)),
                View("picture", "What the camera last read.", taps=(".camera",)),
            ),
            "asking for moves": (
                View(
                    "asking-moves",
                    "Nothing on the table shows what was done: one question, with the likeliest answers first.",
                ),
            ),
            "by hand": (View("by-hand", "Entering a turn by taps."),),
            "lesson": (
                View("lesson", "The lesson: what to do next, and the piece to touch.", full_page=True),
                View(
                    "coach",
                    "What else could be played, for devices that want to ask.",
                    path="/?coach=on",
                    taps=("button.coach",),
                ),
            ),
            "illegal": (
                View(
                    "illegal",
                    "What was seen is not legal: the rule, the places, and the ways out.",
                    full_page=True,
                ),
            ),
            "proposal": (
                View("proposal", "What the companion thinks was done, and what it brings.", full_page=True),
                View("why", "What a proposal is based on: each place before and after.", taps=(".why",)),
            ),
            "camera lost": (
                View(
                    "camera-lost",
                    "The camera is unplugged: the page says so at once, and play continues by taps.",
                ),
            ),
            "guest": (
                View(
                    "guest", "With a PIN, guests only watch; a tap says how to play along.", taps=(".guest",)
                ),
            ),
        },
    ),
    Section(
        "The Châteauma and other opponents",
        {
            "chateauma": (
                View("chateauma", "The Châteauma's turn, as a numbered list and a drawing.", full_page=True),
                View("chateauma-why", "Which rule chose each step.", taps=(".why",)),
            ),
            "mistake": (View("mistake", "A mistake in its turn is shown at once."),),
            "opponent": (
                View("opponent", "The companion plays Green; people move the pieces.", full_page=True),
            ),
        },
    ),
    Section(
        "After a game",
        {
            "over": (
                View("over", "The game is over.", full_page=True),
                View(
                    "new-game",
                    "Before a game leaves every device: which game it is, and what happens to it.",
                    taps=("[data-open='/leave/new_game']",),
                ),
                View("result", "Its result, for saving and sharing.", path="/games/now", full_page=True),
                View(
                    "costly-turns",
                    "The turns that cost most, after a game.",
                    path="/games/now",
                    taps=(".coach-section button",),
                ),
                View("replay", "The same game, step by step.", path="/games/now/replay/40", full_page=True),
                View(
                    "games",
                    "All games, the players' records, and who beat whom.",
                    path="/games",
                    full_page=True,
                ),
                View(
                    "players",
                    "Players over all evenings: results, where their points come from, and the luck of their dice.",
                    path="/players",
                    full_page=True,
                ),
                View(
                    "privacy",
                    "What is stored, for how long, and how to delete it.",
                    path="/privacy",
                    full_page=True,
                ),
                View("not-found", "A page that does not exist, and the way back.", path="/games/none"),
            ),
            "first game": (
                View(
                    "games-none", "The list before anything has been played.", path="/games", full_page=True
                ),
            ),
        },
    ),
)
