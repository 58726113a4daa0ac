"""The list of views: path, elements to tap, and a description of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class View:
    """A page or dialog."""

    name: str
    description: str
    """One sentence about it."""
    path: str = "/"
    taps: tuple[str, ...] = ()
    """CSS selectors of the elements that are tapped in turn."""
    full_page: bool = False
    """Whether the screenshot shows the page below the first screen too."""


@dataclass(frozen=True, slots=True)
class Section:
    """Views that belong together, by the scenario that shows them (:func:`.scenarios.scenarios`)."""

    title: str
    scenarios: dict[str, tuple[View, ...]]


MENU, SCORE, TILE, NAME = "[data-open='/menu']", ".score .points", "g.space.taken", ".player h2 .plain"
COUNTS = ".player .amount"
AREAS = ".nearest"

SECTIONS = (
    Section(
        "Before a game",
        {
            "first evening": (
                View("who-plays", "Who plays, as it is proposed on the first evening.", full_page=True),
            ),
            "next evening": (
                View(
                    "who-plays-again",
                    "As the last evening is remembered: three people, and the Châteauma with its level.",
                    full_page=True,
                ),
            ),
            "what is printed, for a game": (
                View(
                    "print-asked",
                    "What nobody has seen of the Châteauma's print is asked before its first game, once.",
                    full_page=True,
                ),
            ),
            "what is printed": (
                View("print", "Everything that the owner's copy prints for the Châteauma.", full_page=True),
                View("print-card", "A county card is put right.", taps=("[id='card:3'] .spot",)),
            ),
            "calibration": (
                View(
                    "calibration",
                    "Where the duchies and depots were found on the table; corners are dragged.",
                ),
            ),
        },
    ),
    Section(
        "During a game",
        {
            "laying out": (
                View("laying-out", "Castles, goods and tiles are awaited; what is missing is named."),
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
            "asking for a die": (
                View("asking-die", "A die is in doubt: its picture, and the likeliest value first."),
            ),
            "watching": (
                View("watching", "A turn is being played; nothing needs to be touched.", full_page=True),
                View("place", "A tile: what it does, what may really lie there.", taps=(TILE,)),
                View("die", "A die is put right.", taps=("[data-open^='/die/']",)),
                View("score", "Where a player's points come from, each with its rule.", taps=(SCORE,)),
                View("areas", "All areas: what is left, what completing each would bring.", taps=(AREAS,)),
                View("player", "What a player is called.", taps=(NAME,)),
                View(
                    "adjust", "Counts and turn order are put right by hand, with the reason.", taps=(COUNTS,)
                ),
                View("menu", "What is not needed in every turn.", taps=(MENU,)),
                View("join", "How another tablet joins.", taps=(MENU, "dialog [data-open='/join']")),
                View(
                    "story",
                    "All turns, each to be opened and put right.",
                    taps=(MENU, "dialog [data-open='/story']"),
                ),
                View(
                    "turn",
                    "A past turn: the pictures it rests on, and the way to put it right.",
                    taps=(MENU, "dialog [data-open='/story']", ".story li:nth-child(3) button"),
                ),
                View(
                    "rules",
                    "What is played where the print leaves it open.",
                    taps=(MENU, "dialog [data-open='/rules']"),
                ),
                View("moves", "Every legal move, to enter a turn by hand.", taps=("[data-open='/moves']",)),
                View("picture", "What the camera last read.", taps=(".camera",)),
            ),
            "asking for moves": (
                View(
                    "asking-moves",
                    "Nothing on the table tells what was done: one question, likeliest answers first.",
                ),
            ),
            "by hand": (View("by-hand", "A turn that is entered by taps."),),
            "illegal": (
                View(
                    "illegal",
                    "What was seen is not legal: which rule, which places, and the ways out.",
                    full_page=True,
                ),
            ),
            "proposal": (
                View("proposal", "What the companion believes was done, and what it brings.", full_page=True),
                View("why", "What a proposal rests on: each place before and after.", taps=(".why",)),
            ),
            "camera lost": (
                View("camera-lost", "The camera's plug is out: told at once, and play goes on by taps."),
            ),
            "guest": (
                View(
                    "guest", "With a PIN, guests look on; a tap says how they play along.", taps=(".guest",)
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
            "slip": (View("slip", "A slip of the hand in its turn is named at once."),),
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
                    "Before a game leaves every device: which one it is, and what becomes of it.",
                    taps=("[data-open='/leave/new_game']",),
                ),
                View("result", "Its result, to be kept and shared.", path="/games/now", full_page=True),
                View("replay", "The same game, step by step.", path="/games/now/replay/40", full_page=True),
                View(
                    "games",
                    "All games, the players' records, and who came before whom.",
                    path="/games",
                    full_page=True,
                ),
                View(
                    "privacy",
                    "What is kept, for how long, and how it is deleted.",
                    path="/privacy",
                    full_page=True,
                ),
                View("not-found", "Something that is not there, and the way back.", path="/games/none"),
            ),
            "first game": (
                View(
                    "games-none", "The list before anything has been played.", path="/games", full_page=True
                ),
            ),
        },
    ),
)


def views_by_scenario() -> dict[str, tuple[View, ...]]:
    """The views of each stage, in the order in which they are shown."""
    return {stage: views for section in SECTIONS for stage, views in section.scenarios.items()}


def views() -> Iterator[View]:
    for shown in views_by_scenario().values():
        yield from shown
