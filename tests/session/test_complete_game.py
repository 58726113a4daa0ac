"""A complete game of two players, from the first castle to the winner, with everything that goes wrong at a table.

The first round is drawn, photographed and read as at a real table; later rounds are given to the session as sightings.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibration.games.burgundy.facts import load_facts
from calibration.table_file import BoardPlan, parse
from companion.journal import Journal
from companion.session import CommandRejectedError, TableSession
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from hardware.scene import Scene, SceneDie
from hardware.virtual_table import VirtualTable, enrolment_frames
from hardware.virtual_table.games.burgundy import standard_layout
from tests.support.present import present
from tests.support.sightings import sighting_of
from tests.support.tables import RULES, Table
from vision.gallery import Gallery
from vision.reader import TableReader, enrol_places
from vision.sighting import Sighting

pytestmark = pytest.mark.slow


Drawn = tuple[VirtualTable, TableReader]
DUCHIES = {"red": "se-1", "blue": "se-7"}
PUSHED_MM = (4.0, 3.0)


class RealGame(Table):
    """The true game, a drawn table that shows it, and a session that observes photographs of it."""

    def __init__(self, path: Path, drawn: Drawn) -> None:
        super().__init__(path, colours=tuple(DUCHIES), duchies=tuple(DUCHIES.values()), seed=11)
        self.path = path
        self.drawn, self.reader = drawn
        self.places: dict[str, list[str]] = {}
        self.throws = 0

    def roll(self) -> Any:
        """Everybody rolls; the dice come to rest in new places."""
        move = self.deal()
        self.throws += 1
        values = [(colour, value) for colour, pair in move.dice for value in pair] + [("white", move.white)]
        self.thrown = tuple(SceneDie(value, colour, colour, self.throws) for colour, value in values)
        return move

    def photograph(self, thrown: tuple[SceneDie, ...] | None = None, **moved: str) -> Sighting:
        """The camera sees the true table, except for the places in *moved*; returns the sighting."""
        self.places = {group: list(labels) for group, labels in RULES.visible_layout(self.state).items()}
        for place, label in moved.items():
            group, _, index = place.rpartition("__")
            self.places[group.replace("__", ":")][int(index)] = label
        self.drawn.show(Scene({g: tuple(labels) for g, labels in self.places.items()}, thrown or ()))
        sighting: Sighting = self.reader.read(self.drawn.read())
        self.session.observe(sighting)
        return sighting

    @property
    def in_sync(self) -> bool:
        """Whether the session knows the true game."""
        return bool(self.session.state.state_hash() == self.state.state_hash())

    def restore(self, state: Any) -> None:
        """The players put everything back to its place in *state*."""
        self.state = state.copy()


@pytest.fixture(scope="module")
def drawn() -> Iterator[Drawn]:
    """A table for two in the drawn world, and a reader that has learnt its tiles."""
    spaces = {player: load_facts().duchy(name).spaces for player, name in DUCHIES.items()}
    truth = RULES.new(
        {"edition": "special", "players": [{"colour": c, "duchy": d} for c, d in DUCHIES.items()]}
    )
    depots = {n: [slot.tile_type for slot in slots] for n, slots in enumerate(truth.main_board.depots, 1)}
    layout = standard_layout(tuple(DUCHIES), spaces, depot_slots=depots, black_slots=len(truth.black))
    gallery = Gallery()
    for frame, sheet, labels in enrolment_frames(3, layout=layout):
        enrol_places(gallery, frame, parse(sheet, "sheet"), labels)
    with VirtualTable(layout, seed=3) as table:
        yield table, TableReader(parse(table.table_file(), "table"), gallery)


def test_a_complete_game_with_everything_that_goes_wrong(tmp_path: Path, drawn: Drawn) -> None:
    game = RealGame(tmp_path / "game.journal", drawn)
    session = game.session

    # Everybody places the first castle and three goods, and somebody presses once.
    while game.state.stage == "setup":
        game._move()
    game.photograph()
    while session.status == "asking":  # equal goods are stacked, and how many of each cannot be seen
        answer_truly(game)
    session.confirm()
    assert game.in_sync

    # The depots are filled, which is recorded without a press.
    game.deal()
    game.photograph()
    assert game.in_sync

    # The dice are rolled, and recorded without a press.
    game.roll()
    game.photograph(game.thrown)
    assert game.in_sync and session.status == "watching"

    # Red plays a complete turn and presses once.
    game.turn()
    game.photograph(game.thrown)
    assert session.status == "proposal"
    session.confirm()
    assert game.in_sync

    # Blue's sleeve pushes a board by five millimetres. The reader follows it and still reads Blue's turn.
    push(game.reader, "blue")
    game.turn()
    assert game.photograph(game.thrown).nudged.keys() == {"blue"}
    session.confirm()
    assert game.in_sync

    # The second round. A tile is misread; a player taps what is really there.
    game.roll()
    game.photograph(game.thrown)
    before_red = game.state.copy()
    game.turn()
    game.dice = session.entries()[-1].dice
    place, label = tile_in(game, "depot:")
    game.look(wrong={place: {"empty": 0.999}})
    assert session.status == "unexplained"
    session.correct(place, label)
    session.confirm()
    assert game.in_sync

    # Blue places a tile on a wrong space. The companion names the rule that forbids it, in both languages.
    before_blue = game.state.copy()
    game.turn()
    place, label = tile_in(game, "depot:")
    space = wrong_space(game, label)
    game.look(wrong={place: {"empty": 0.999}, space: {label: 0.999}})
    assert session.status == "unexplained"
    for language in LANGUAGES:
        translator = Translator(language, view=session.snapshot()["view"], strict=True)
        sentences = [
            translator.breach(breach) for breach in present(session.snapshot()["proposal"])["breaches"]
        ]
        assert any(translator.the_tile(label) in sentence for sentence in sentences)
    with pytest.raises(CommandRejectedError):
        session.confirm()

    # The tile is put back, and the turn is confirmed.
    game.look()
    session.confirm()
    assert game.in_sync

    # Both turns are undone, with the pieces, and others are played.
    session.undo()
    assert session.state.state_hash() == before_blue.state_hash()
    session.undo()
    assert session.state.state_hash() == before_red.state_hash()
    game.restore(before_red)
    game.look()
    for _ in range(2):
        game.turn()
        game.look()
        session.confirm() if session.status == "proposal" else answer_truly(game)
    assert game.in_sync

    # Somebody pulls the plug; everything confirmed is still there.
    resumed = pulled_plug(game, tmp_path)
    assert resumed.state.state_hash() == game.state.state_hash()
    game.session = session = resumed

    # The rest of the game.
    while not RULES.is_over(game.state):
        if game.state.stage in ("fill", "roll"):
            game.deal()
        else:
            game.turn()
        game.look()
        for _ in range(6):
            if game.in_sync:
                break
            session.confirm() if session.status in ("proposal", "watching") else answer_truly(game)
        assert game.in_sync

    # The winner, by a score sheet that adds up.
    assert session.status == "over"
    sheet, view = RULES.score_sheet(session.state), session.snapshot()["view"]
    scores = {player["colour"]: player["score"] for player in view["players"]}
    assert {colour: sum(points.values()) for colour, points in sheet.items()} == scores
    assert scores[RULES.ranking(session.state)[0]] == max(scores.values())


def answer_truly(game: RealGame) -> None:
    """A player who knows what was done answers the open question, or confirms what is highlighted when it is right."""
    question = present(game.session.question)
    for option in question.options:
        state = game.session.state.copy()
        for text in option.value.split("; "):
            RULES.apply(state, RULES.parse_move(text))
        if agrees(state, game.state):
            game.session.answer(question.about, option.value)
            return
    raise AssertionError(question)


def agrees(state: Any, truth: Any) -> bool:
    """Whether everything that *state* knows of the players is true."""
    if state.stage != "setup":
        return bool(state.state_hash() == truth.state_hash())
    return all(
        sum(here.goods) == 0 or (here.goods == there.goods and here.spaces == there.spaces)
        for here, there in zip(state.players, truth.players, strict=True)
    )


def push(reader: TableReader, player: str) -> None:
    """Moves the board away from where the reader believes it is."""

    def moved(board: BoardPlan) -> BoardPlan:
        dx, dy = PUSHED_MM
        a, b, c, d = ((x - dx, y - dy) for x, y in present(board.anchors_mm))
        return replace(board, anchors_mm=(a, b, c, d))

    boards = tuple(moved(board) if board.player == player else board for board in reader.table.boards)
    reader.table = replace(reader.table, boards=boards)


def tile_in(game: Table, prefix: str) -> tuple[str, str]:
    """Returns a place in a group of that name, and its tile."""
    return next(
        (f"{group}:{i}", label)
        for group, labels in RULES.visible_layout(game.state).items()
        if group.startswith(prefix)
        for i, label in enumerate(labels)
        if label != "empty"
    )


def wrong_space(game: RealGame, label: str) -> str:
    """Returns an empty space of the last player, for another type of tile."""
    colour = game.session.state.player.colour
    player = next(p for p in game.state.players if p.colour == colour)
    return next(
        f"duchy:{colour}:{space.index}"
        for space in player.duchy.spaces
        if player.spaces[space.index] is None and space.tile_type != label.split("/")[0]
    )


def pulled_plug(game: RealGame, folder: Path) -> TableSession:
    """Copies the journal as it is on the disk now, and returns a session started with the copy."""
    for file in game.path.parent.glob(f"{game.path.name}*"):
        shutil.copy(file, folder / file.name.replace("game", "after"))
    return TableSession(RULES, Journal(folder / game.path.name.replace("game", "after")))


# --- small things that happen --------------------------------------------------------------------------------


@pytest.fixture
def playing(tmp_path: Path) -> Table:
    table = Table(tmp_path / "game.journal", duchies=("se-1", "se-1"))
    table.set_up()
    for _ in range(2):
        table.session.tap(str(table.deal()))
    table.look()
    return table


def test_a_tile_that_is_lifted_and_put_back_changes_nothing(playing: Table) -> None:
    entries = playing.session.entries()
    place, _ = tile_in(playing, "depot:")
    playing.look(wrong={place: {"empty": 0.998}})
    playing.look()
    assert playing.session.status == "watching" and playing.session.entries() == entries
    playing.turn()
    playing.look()
    playing.session.confirm()
    assert playing.session.state.state_hash() == playing.state.state_hash()


def test_a_die_that_is_picked_up_early_changes_nothing(playing: Table) -> None:
    entries = playing.session.entries()
    playing.turn()
    playing.dice = playing.dice[1:]
    playing.look()
    assert playing.session.entries() == entries and playing.session.status == "proposal"


def test_a_board_out_of_sight_changes_nothing_and_is_read_when_it_is_back(playing: Table) -> None:
    playing.turn()
    sighting = sighting_of(RULES, playing.state, playing.dice)
    hidden = {name: replace(place, hidden=True) for name, place in sighting.places.items() if ":red:" in name}
    entries = playing.session.entries()
    playing.session.observe(replace(sighting, places={**sighting.places, **hidden}, lost=("red",)))
    assert playing.session.entries() == entries
    playing.look()
    playing.session.confirm()
    assert playing.session.state.state_hash() == playing.state.state_hash()


def test_blurred_readings_in_a_new_light_change_nothing(playing: Table) -> None:
    entries = playing.session.entries()
    sighting = sighting_of(RULES, playing.state, playing.dice)
    dim = {
        name: replace(place, probabilities={label: 0.55 * p for label, p in place.probabilities.items()})
        for name, place in sighting.places.items()
    }
    playing.session.observe(replace(sighting, places=dim))
    assert playing.session.entries() == entries and playing.session.status == "watching"
    playing.look()
    assert playing.session.entries() == entries and playing.session.status == "watching"
