"""Plays virtual tables up to the moments to show, and serves their pages.

Players are called by their colours; unknown details of the print are assumed as in a demo.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from datetime import timedelta
from functools import cache, partial
from pathlib import Path

from companion.archive import Archive
from companion.calibrate.games.burgundy import TABLE
from companion.devtools.screenshots.staging import (
    FIRST_GAME_AT,
    HOST,
    SEED,
    DemoGame,
    demo_game,
    page,
    played,
    served,
    timed_journal,
)
from companion.devtools.screenshots.view import Scenario
from companion.games import capabilities
from companion.games.burgundy.modules.chateauma import LEVELS, MODIFIERS, ON_TABLE
from companion.games.burgundy.owner_print import OwnersPrint
from companion.games.burgundy.plugin import (
    PLUGIN,
    burgundy,
    chateauma_module,
)
from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS
from companion.journal import Journal
from companion.privacy.erasure import DataPaths
from companion.privacy.picture_retention import PictureRetention
from companion.runtime.server import AppServer, PageServer, PageSettings
from companion.session import PROPOSAL, UNEXPLAINED, WATCHING, Snapshot, TableSession
from companion.session.lesson_guide import DO, LessonGuide
from companion.storage.picture_store import PictureStore
from companion.virtual.demo import demo_setup, layout_for
from companion.virtual.misreadings import MisreadingRates
from vision.sighting import EMPTY

PIN = "2468"
ESTABLISHED = 35
"""Confirmations after which a game is well under way."""
NAMES = dict(zip(PLAYER_COLOURS, "ABCD", strict=False))
"""Names of players in past games, so that there are records."""
PastGames = Callable[[], Archive]
"""Returns an archive of past games, which are played when it is first asked for."""


def scenarios(names: Collection[str]) -> Iterator[Scenario]:
    """Yields the scenarios *names*, and others that are passed on the way to them."""
    with tempfile.TemporaryDirectory(prefix="table-companion-") as name:
        folder = Path(name)
        games = cache(partial(_past_games, folder / "games"))
        for part, play in PARTS.items():
            if not part.isdisjoint(names):
                yield from play(games, folder)


# --- before a game ---


def _setup_form(games: PastGames, folder: Path) -> Iterator[Scenario]:
    from web.setup_form import create_setup_form_app

    for scenario, past in (("first setup", []), ("next setup", games().records())):
        app = create_setup_form_app([PLUGIN.id], lambda game, choice: None, past=past)
        yield from served(scenario, AppServer(app, host=HOST, port=0))


def _print_form(games: PastGames, folder: Path) -> Iterator[Scenario]:
    from web.games.burgundy.print_form import create_print_form_app

    own = OwnersPrint(folder / "print.json", chateauma_module().print_of("special"))
    for scenario, modifiers, for_game in (
        ("what is printed, for a game", "", True),
        ("what is printed", "".join(MODIFIERS), False),
    ):
        app = create_print_form_app(own, modifiers, lambda: None, for_game=for_game)
        yield from served(scenario, AppServer(app, host=HOST, port=0))


def _calibration(games: PastGames, folder: Path) -> Iterator[Scenario]:
    import cv2

    from companion.calibrate.table import TableCalibration
    from hardware.scene import Scene
    from hardware.virtual_table import VirtualTable
    from web.calibration import create_calibration_app

    colours = ["blue", "red", "green"]  # as they sit, from the picture's top left
    with VirtualTable(layout_for(demo_setup(3, SEED)), seed=SEED) as camera:
        camera.show(Scene())
        calibration = TableCalibration(folder / "table.json", camera.read(), colours, TABLE)
    picture = cv2.imencode(".jpg", calibration.frame)[1].tobytes()
    app = create_calibration_app(
        picture,
        calibration.layout,
        TABLE,
        save=calibration.save,
    )
    yield from served("calibration", AppServer(app, host=HOST, port=0))


# --- during a game ---


def _during_a_game(games: PastGames, folder: Path) -> Iterator[Scenario]:
    with demo_game(4) as game:
        server, session = page(game, games()), game.demo.session
        try:
            game.look()
            yield "laying out", server.address
            for scenario, condition in (
                ("start", _asks_what_was_dealt),
                ("layout", lambda s: _is_proposal(s) and s["view"]["stage"] == "fill"),
            ):
                game.until(condition)
                yield scenario, server.address
            with game.misreading(MisreadingRates(unread=1.0)):
                game.until(lambda s: s["status"] == WATCHING and any(die["doubtful"] for die in s["dice"]))
                yield "dice in doubt", server.address
                game.until(_asks_about_a_die_that_was_seen)
                yield "asking for a die", server.address
            game.until(lambda s: s["confirmed"] > ESTABLISHED and _begins_round(s))
            yield "watching", server.address
            player = session.snapshot()["view"]["to_move"]
            session.tap(session.legal_moves()[0]["text"])
            yield "by hand", server.address
            session.undo(everything=True)
            game.misplace(_misplaced_castles(game, player), lambda s: _is_illegal(s))
            yield "illegal", server.address
            game.restore()
            game.until(lambda s: _is_proposal(s) and _proposed_points(s) >= 8)
            yield "proposal", server.address
            with game.unplugged():
                yield "camera lost", server.address
            game.until(lambda s: s["status"] == WATCHING)
            session.confirm()  # before any move was made
            yield "asking for moves", server.address
        finally:
            server.close()
        yield from served("guest", page(game, pin=PIN))


def _asks_what_was_dealt(snapshot: Snapshot) -> bool:
    question = snapshot["question"]
    return question is not None and question["about"].startswith("start")


def _asks_about_a_die_that_was_seen(snapshot: Snapshot) -> bool:
    question = snapshot["question"]
    return question is not None and question["kind"] == "die" and question["box"] is not None


def _begins_round(snapshot: Snapshot) -> bool:
    """Returns whether a round has just been rolled and no turn played."""
    return snapshot["status"] == WATCHING and all(len(p["dice"]) == 2 for p in snapshot["view"]["players"])


def _is_proposal(snapshot: Snapshot) -> bool:
    return snapshot["status"] == PROPOSAL


def _proposed_points(snapshot: Snapshot) -> int:
    proposal = snapshot["proposal"]
    return 0 if proposal is None else sum(event.get("points", 0) for event in proposal["events"])


def _is_illegal(snapshot: Snapshot) -> bool:
    proposal = snapshot["proposal"]
    return snapshot["status"] == UNEXPLAINED and proposal is not None and bool(proposal["breaches"])


def _misplaced_castles(game: DemoGame, player: str) -> Iterator[tuple[str, int, str]]:
    """Yields a castle on each empty space of a player's duchy."""
    group = f"duchy:{player}"
    for index, label in enumerate(game.demo.simulated.scene.places[group]):
        if label == EMPTY:
            yield group, index, "castle"


def _missing_tiles(game: DemoGame) -> Iterator[tuple[str, int, str]]:
    """Yields each tile of a depot as missing."""
    for group, labels in game.demo.simulated.scene.places.items():
        if group.startswith("depot:"):
            yield from ((group, index, EMPTY) for index, label in enumerate(labels) if label != EMPTY)


# --- players that the companion plays ---


def _by_taps(games: PastGames, folder: Path) -> Iterator[Scenario]:
    """Yields the scenarios of a game without a camera."""
    from web.context import PageContext

    session = TableSession(burgundy(), Journal(":memory:"), demo_setup(4, SEED))
    session.watch_nothing()
    rng, truth = random.Random(SEED), session.state.copy()
    server = PageServer(PageContext(session), PageSettings(HOST))
    try:
        while session.state.stage != "fill":
            move = capabilities.chance(session.rules).sample_chance(truth, rng) or rng.choice(
                session.rules.legal_moves(truth)
            )
            session.rules.apply(truth, move)
            session.tap(str(move))
            if len(session.entries()) == len(session.setup["players"]):
                yield "set up by taps", server.address
        for part, places in session.layout_progress():
            stacked = [place for place, labels in part.places if len(labels) > 1]
            for place in stacked[: len(places) // 2]:
                session.correct(place, rng.choice(session.choices(place)))
        yield "filled by taps", server.address
    finally:
        server.close()


def _lesson(games: PastGames, folder: Path) -> Iterator[Scenario]:
    """Yields the lesson at its first action."""
    from web.context import PageContext

    assert PLUGIN.lesson is not None
    session = TableSession(burgundy(), Journal(":memory:"), PLUGIN.lesson.setup)
    session.watch_nothing()
    guide = LessonGuide(session, PLUGIN.lesson)
    guide.begin()
    for _ in iter(lambda: guide.view().kind, DO):  # type: ignore[union-attr]
        guide.go_on()
    yield from served("lesson", PageServer(PageContext(session, guide=guide), PageSettings(HOST)))


def _chateauma(games: PastGames, folder: Path) -> Iterator[Scenario]:
    with demo_game(3, chateauma=LEVELS[1], pieces=ON_TABLE) as game:
        server = page(game)
        try:
            game.until(lambda s: s["status"] == WATCHING and bool(s["bot_turn"]) and s["confirmed"] > 14)
            yield "chateauma", server.address
            game.misplace(_missing_tiles(game), lambda s: bool(s["mismatches"]))
            yield "mistake", server.address
        finally:
            server.close()


def _opponent(games: PastGames, folder: Path) -> Iterator[Scenario]:
    with demo_game(3, opponents=["greedy"]) as game:
        game.until(lambda s: s["status"] == WATCHING and bool(s["bot_turn"]) and s["confirmed"] > 8)
        yield from served("opponent", page(game))


# --- after a game ---


def _after_a_game(games: PastGames, folder: Path) -> Iterator[Scenario]:
    from web.context import PageContext

    archive = games()
    path = archive.folder / "last.journal"
    with (
        timed_journal(path) as journal,
        closing(PictureStore(f"{path}.album")) as picture_store,
        PictureRetention(DataPaths(archive.folder), picture_store, folder / "settings.json") as retention,
    ):
        session = played(journal, demo_setup(4, 7), 7)
        page = PageContext(session, archive=archive, pictures=retention, next_game=lambda next_game: None)
        yield from served("over", PageServer(page, PageSettings(HOST)))
    (folder / "none").mkdir()
    with timed_journal(folder / "none" / "first.journal") as journal:
        session = TableSession(burgundy(), journal, demo_setup(2, SEED))
        none = Archive(folder / "none")
        yield from served("first game", PageServer(PageContext(session, archive=none), PageSettings(HOST)))


def _past_games(folder: Path) -> Archive:
    """Returns an archive with three past games; the Châteauma played in the last one."""
    folder.mkdir()
    setups = (demo_setup(2, 2), demo_setup(3, 3), demo_setup(4, 4, chateauma=LEVELS[1]))
    for week, setup in enumerate(setups):
        with timed_journal(folder / f"{week}.journal", FIRST_GAME_AT + timedelta(days=7 * week)) as journal:
            played(journal, {**setup, "names": NAMES}, week)
    return Archive(folder)


PARTS: dict[frozenset[str], Callable[[PastGames, Path], Iterator[Scenario]]] = {
    frozenset({"first setup", "next setup"}): _setup_form,
    frozenset({"what is printed, for a game", "what is printed"}): _print_form,
    frozenset({"calibration"}): _calibration,
    frozenset(
        {
            "laying out",
            "start",
            "layout",
            "dice in doubt",
            "asking for a die",
            "asking for moves",
            "watching",
            "by hand",
            "illegal",
            "proposal",
            "camera lost",
            "guest",
        }
    ): _during_a_game,
    frozenset({"set up by taps", "filled by taps"}): _by_taps,
    frozenset({"lesson"}): _lesson,
    frozenset({"chateauma", "mistake"}): _chateauma,
    frozenset({"opponent"}): _opponent,
    frozenset({"over", "first game"}): _after_a_game,
}
"""Names of scenarios -> what plays to them; games and files are written into the folder."""
