"""Plays virtual tables up to the moments to show, and serves their pages.

Players are called by their colours; unknown details of the print are assumed as in a demo.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

from companion.archive import Archive
from companion.calibrate.table_layout import CARD_AREAS, DICE_OWNERS, GROUPS, PLAYERS
from companion.games import capabilities
from companion.games.burgundy.modules.chateauma import LEVELS, MODIFIERS, ON_TABLE
from companion.games.burgundy.owner_print import OwnersPrint
from companion.games.burgundy.plugin import (
    BURGUNDY_EDITIONS,
    boards_of,
    burgundy,
    chateauma_module,
    duchy_names,
)
from companion.games.burgundy.setup_form import proposed_seats
from companion.journal import Journal
from companion.players.bots import BOTS, Bot
from companion.privacy.erasure import DataPaths
from companion.privacy.picture_retention import PictureRetention
from companion.runtime.server import AppServer, PageServer, PageSettings
from companion.runtime.wiring import page_of
from companion.session import PROPOSAL, UNEXPLAINED, WATCHING, Snapshot, TableSession
from companion.storage.picture_store import PictureStore
from companion.virtual.demo import (
    COLOURS,
    FAST_PERIOD_S,
    Demo,
    DemoOptions,
    demo_setup,
    layout_for,
    open_demo,
)
from hardware.cameras.faulty import Fault, FaultyCamera
from hardware.cameras.supervised import SupervisedCamera
from vision.sighting import EMPTY

HOST = "127.0.0.1"
SEED = 1
PIN = "2468"
ADDRESSES = ["http://table.local:8080", "http://192.168.1.20:8080"]
"""Addresses of the page, made up."""
ESTABLISHED = 35
"""Confirmations after which a game is well under way."""
LOOKS = 12
"""Number of frames after which a table at rest has been read."""
FIRST_GAME_AT = datetime(2026, 1, 9, 19, 30, tzinfo=UTC)
NAMES = dict(zip(COLOURS, "ABCD", strict=False))
"""Names of players in past games, so that there are records."""
BETWEEN_RECORDS_S = 18
"""Average time between records, so that past games have a realistic length."""

Scenario = tuple[str, str]
"""Its name, and the address at which it is served until the next one is requested."""
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
    from web.games.burgundy.setup_form import create_setup_form_app

    boards = {edition: boards_of(edition) for edition in BURGUNDY_EDITIONS}
    for scenario, past in (("first setup", []), ("next setup", games().records())):
        seats = proposed_seats(past, [duchy.name for duchy in boards["special"]])
        app = create_setup_form_app(seats, lambda choice: None, duchies=boards)
        yield from _served(scenario, AppServer(app, host=HOST, port=0))


def _print_form(games: PastGames, folder: Path) -> Iterator[Scenario]:
    from web.games.burgundy.print_form import create_print_form_app

    own = OwnersPrint(folder / "print.json", chateauma_module().print_of("special"))
    for scenario, modifiers, for_game in (
        ("what is printed, for a game", "", True),
        ("what is printed", "".join(MODIFIERS), False),
    ):
        app = create_print_form_app(own, modifiers, lambda: None, for_game=for_game)
        yield from _served(scenario, AppServer(app, host=HOST, port=0))


def _calibration(games: PastGames, folder: Path) -> Iterator[Scenario]:
    import cv2

    from companion.calibrate.table import TableCalibration
    from hardware.scene import Scene
    from hardware.virtual_table import VirtualTable
    from web.calibration import create_calibration_app

    setup = demo_setup(3, SEED)
    colours = ["blue", "red", "green"]  # as they sit, from the picture's top left
    with VirtualTable(layout_for(burgundy().new(setup)), seed=SEED) as camera:
        camera.show(Scene())
        calibration = TableCalibration(folder / "table.json", camera.read(), colours)
    picture = cv2.imencode(".jpg", calibration.frame)[1].tobytes()
    app = create_calibration_app(
        picture,
        calibration.layout,
        players=PLAYERS,
        duchies=duchy_names(),
        groups=GROUPS,
        dice_owners=DICE_OWNERS,
        card_areas=CARD_AREAS,
        save=calibration.save,
    )
    yield from _served("calibration", AppServer(app, host=HOST, port=0))


# --- during a game ---


class _DemoGame:
    """Represents a demo game that is played up to a moment to show."""

    def __init__(self, demo: Demo) -> None:
        self.demo = demo
        self._now = time.monotonic()
        self._playing = demo.simulated.play()

    @property
    def snapshot(self) -> Snapshot:
        return self.demo.session.snapshot()

    def look(self, times: int = LOOKS) -> None:
        """Lets the companion take *times* frames."""
        for _ in range(times):
            self._now += FAST_PERIOD_S
            self.demo.table.loop.step(self._now)

    def until(self, condition: Callable[[Snapshot], bool]) -> None:
        """Plays on until the snapshot satisfies *condition*."""
        for _ in self._playing:
            self.look(1)
            if condition(self.snapshot):
                return
        raise LookupError("the game ended before the scenario was reached: try another seed")

    def misplace(
        self, changes: Iterator[tuple[str, int, str]], condition: Callable[[Snapshot], bool]
    ) -> None:
        """Changes one place at a time until the snapshot satisfies *condition*; changes are group, index, label."""
        scene = self.demo.simulated.scene
        for group, index, label in changes:
            labels = list(scene.places[group])
            labels[index] = label
            self.demo.simulated.table.show(replace(scene, places={**scene.places, group: tuple(labels)}))
            self.look()
            if condition(self.snapshot):
                return
        raise LookupError("no wrongly placed tile led to the scenario: try another seed")

    @contextmanager
    def unplugged(self) -> Iterator[None]:
        """Returns a context in which the camera is unplugged."""
        table = self.demo.table.loop
        faulty, working = FaultyCamera(self.demo.simulated.table, live=False), table.camera  # type: ignore[arg-type]
        faulty.fault = Fault.UNPLUGGED
        with SupervisedCamera(faulty.open, faulty.name) as table.camera:
            self.look()
            yield
        table.camera = working

    def restore(self) -> None:
        """Shows the table as it was before :meth:`misplace`."""
        self.demo.simulated.table.show(self.demo.simulated.scene)
        self.look()


@contextmanager
def _demo_game(players: int, **options: Any) -> Iterator[_DemoGame]:
    with open_demo(DemoOptions(players, SEED, **options), stores_pictures=True) as demo:
        yield _DemoGame(demo)


class _HomePageServer(PageServer):
    """The page as in a home network."""

    def _addresses(self) -> list[str]:
        return ADDRESSES


def _page(game: _DemoGame, archive: Archive | None = None, pin: str | None = None) -> PageServer:
    return _HomePageServer(page_of(game.demo.table, archive=archive), PageSettings(HOST, pin=pin))


def _during_a_game(games: PastGames, folder: Path) -> Iterator[Scenario]:
    with _demo_game(4) as game:
        server, session = _page(game, games()), game.demo.session
        try:
            game.look()
            yield "laying out", server.address
            for scenario, condition in (
                ("start", lambda s: _is_question(s, "start")),
                ("layout", lambda s: _is_proposal(s) and s["view"]["stage"] == "fill"),
                ("asking for a die", lambda s: _is_question(s, "", kind="die") and s["question"]["box"]),
                ("watching", lambda s: s["confirmed"] > ESTABLISHED and _begins_round(s)),
            ):
                game.until(condition)
                yield scenario, server.address
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
        yield from _served("guest", _page(game, pin=PIN))


def _is_question(snapshot: Snapshot, about: str, kind: str = "moves") -> bool:
    question = snapshot["question"]
    return question is not None and question["kind"] == kind and question["about"].startswith(about)


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


def _misplaced_castles(game: _DemoGame, player: str) -> Iterator[tuple[str, int, str]]:
    """Yields a castle on each empty space of a player's duchy."""
    group = f"duchy:{player}"
    for index, label in enumerate(game.demo.simulated.scene.places[group]):
        if label == EMPTY:
            yield group, index, "castle"


def _missing_tiles(game: _DemoGame) -> Iterator[tuple[str, int, str]]:
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
        while session.state.scenario != "fill":
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


def _chateauma(games: PastGames, folder: Path) -> Iterator[Scenario]:
    with _demo_game(3, chateauma=LEVELS[1], pieces=ON_TABLE) as game:
        server = _page(game)
        try:
            game.until(lambda s: s["status"] == WATCHING and bool(s["bot_turn"]) and s["confirmed"] > 14)
            yield "chateauma", server.address
            game.misplace(_missing_tiles(game), lambda s: bool(s["mismatches"]))
            yield "mistake", server.address
        finally:
            server.close()


def _opponent(games: PastGames, folder: Path) -> Iterator[Scenario]:
    with _demo_game(3, opponents=["greedy"]) as game:
        game.until(lambda s: s["status"] == WATCHING and bool(s["bot_turn"]) and s["confirmed"] > 8)
        yield from _served("opponent", _page(game))


# --- after a game ---


def _after_a_game(games: PastGames, folder: Path) -> Iterator[Scenario]:
    from web.context import PageContext

    archive = games()
    path = archive.folder / "last.journal"
    with (
        _open(path) as journal,
        closing(PictureStore(f"{path}.album")) as picture_store,
        PictureRetention(DataPaths(archive.folder), picture_store, folder / "settings.json") as retention,
    ):
        session = _played(journal, demo_setup(4, 7), 7)
        page = PageContext(session, archive=archive, pictures=retention, next_game=lambda next_game: None)
        yield from _served("over", PageServer(page, PageSettings(HOST)))
    (folder / "none").mkdir()
    with _open(folder / "none" / "first.journal") as journal:
        session = TableSession(burgundy(), journal, demo_setup(2, SEED))
        none = Archive(folder / "none")
        yield from _served("first game", PageServer(PageContext(session, archive=none), PageSettings(HOST)))


def _past_games(folder: Path) -> Archive:
    """Returns an archive with three past games; the Châteauma played in the last one."""
    folder.mkdir()
    setups = (demo_setup(2, 2), demo_setup(3, 3), demo_setup(4, 4, chateauma=LEVELS[1]))
    for week, setup in enumerate(setups):
        with _open(folder / f"{week}.journal", FIRST_GAME_AT + timedelta(days=7 * week)) as journal:
            _played(journal, {**setup, "names": NAMES}, week)
    return Archive(folder)


@contextmanager
def _open(path: Path, began: datetime = FIRST_GAME_AT + timedelta(days=28)) -> Iterator[Journal]:
    """Returns a context with a journal whose clock simulates a game's duration."""
    rng, at = random.Random(str(path.name)), began

    def clock() -> datetime:
        nonlocal at
        at += timedelta(seconds=rng.uniform(0.5, 1.5) * BETWEEN_RECORDS_S)
        return at

    journal = Journal(path, clock)
    try:
        yield journal
    finally:
        journal.close()


def _played(journal: Journal, setup: Mapping[str, Any], seed: int) -> TableSession:
    """Plays a complete game between bots, entered by taps."""
    rules, rng, bot = burgundy(), random.Random(seed), BOTS["greedy"](seed)
    session = TableSession(rules, journal, setup)
    state: Any = rules.new(setup)
    while not rules.is_over(state):
        move = _next_move(state, rng, bot)
        rules.apply(state, move)
        session.tap(str(move))
    return session


def _next_move(state: Any, rng: random.Random, bot: Bot) -> Any:
    """Returns the next move: a chance event, unless it must be read from the table first, or one of the *bot*."""
    rules = burgundy()
    move = capabilities.chance(rules).sample_chance(state, rng)
    if move in capabilities.chance(rules).unobserved_chance_moves(state) and capabilities.observable(
        rules
    ).expected_layouts(state):
        move = None
    return move or bot(rules, state)


def _served(scenario: str, server: AppServer) -> Iterator[Scenario]:
    try:
        yield scenario, server.address
    finally:
        server.close()


PARTS: dict[frozenset[str], Callable[[PastGames, Path], Iterator[Scenario]]] = {
    frozenset({"first setup", "next setup"}): _setup_form,
    frozenset({"what is printed, for a game", "what is printed"}): _print_form,
    frozenset({"calibration"}): _calibration,
    frozenset(
        {
            "laying out",
            "start",
            "layout",
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
    frozenset({"chateauma", "mistake"}): _chateauma,
    frozenset({"opponent"}): _opponent,
    frozenset({"over", "first game"}): _after_a_game,
}
"""Names of scenarios -> what plays to them; games and files are written into the folder."""
