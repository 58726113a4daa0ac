"""An evening with two players, told from the first castle to the winner, with all that goes wrong at a table.

The first round is drawn, photographed and read as at a real table; from then on what lies there is told to the session.
"""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np
import pytest

from calibration.facts import load_facts
from calibration.table_file import parse
from companion.journal import Journal
from companion.session import CommandRejectedError, TableSession
from companion.text.translator import LANGUAGES, Translator
from hardware.scene import Scene, SceneDie
from hardware.virtual_table import VirtualTable, enrolment_frames, standard_layout
from tests.support.sightings import sighting_of
from tests.support.tables import RULES, Table
from vision.gallery import Gallery
from vision.reader import TableReader, learn_places

pytestmark = pytest.mark.slow

DUCHIES = {"red": "se-1", "blue": "se-7"}
PUSHED_MM = (4.0, 3.0)


class Evening(Table):
    """The true game, a drawn table on which it lies, and a session that sees photographs of it."""

    def __init__(self, path, drawn):
        super().__init__(path, colours=tuple(DUCHIES), duchies=tuple(DUCHIES.values()), seed=11)
        self.path = path
        self.drawn, self.reader = drawn
        self.places = {}
        self.throws = 0

    def roll(self):
        """Everybody rolls; the dice come to rest elsewhere than before."""
        move = self.deal()
        self.throws += 1
        values = [(colour, value) for colour, pair in move.dice for value in pair] + [("white", move.white)]
        self.thrown = tuple(SceneDie(value, colour, colour, self.throws) for colour, value in values)
        return move

    def photograph(self, thrown=None, **moved):
        """The camera sees the true table, with what was *moved* lying otherwise; returns what was read."""
        self.places = {group: list(labels) for group, labels in RULES.visible(self.state).items()}
        for place, label in moved.items():
            group, _, index = place.rpartition("__")
            self.places[group.replace("__", ":")][int(index)] = label
        self.drawn.show(Scene({g: tuple(labels) for g, labels in self.places.items()}, thrown or ()))
        sighting = self.reader.read(self.drawn.read())
        self.session.see(sighting)
        return sighting

    @property
    def told(self):
        """Whether the session knows the true game."""
        return self.session.state.state_hash() == self.state.state_hash()

    def lay_back(self, state):
        """The players put everything back to where it lay in *state*."""
        self.state = state.copy()


@pytest.fixture(scope="module")
def drawn():
    """A table for two in the drawn world, and a reader that has learnt its tiles."""
    spaces = {player: load_facts().duchy(name).spaces for player, name in DUCHIES.items()}
    truth = RULES.new(
        {"edition": "special", "players": [{"colour": c, "duchy": d} for c, d in DUCHIES.items()]}
    )
    depots = {n: [slot.colour for slot in slots] for n, slots in enumerate(truth.main_board.depots, 1)}
    layout = standard_layout(tuple(DUCHIES), spaces, depot_slots=depots, black_slots=len(truth.black))
    gallery = Gallery()
    for frame, sheet, labels in enrolment_frames(3, layout=layout):
        learn_places(gallery, frame, parse(sheet, "sheet"), labels)
    with VirtualTable(layout, seed=3) as table:
        yield table, TableReader(parse(table.table_file(), "table"), gallery)


def place_name(place):
    """A place as an argument of :meth:`Evening.photograph`."""
    return place.replace(":", "__")


def test_an_evening(tmp_path, drawn):
    evening = Evening(tmp_path / "evening.journal", drawn)
    session = evening.session

    # Everybody lays the first castle and three goods, and somebody presses once.
    while evening.state.stage == "setup":
        evening._move()
    evening.photograph()
    while session.status == "asking":  # equal goods are stacked, and how many of each cannot be seen
        answer_truly(evening)
    session.confirm()
    assert evening.told

    # The depots are filled; one press takes them all.
    evening.deal()
    evening.photograph()
    session.confirm()
    assert evening.told

    # The dice are thrown, and recorded without a press.
    evening.roll()
    evening.photograph(evening.thrown)
    assert evening.told and session.status == "watching"

    # Red plays a whole turn and presses once.
    evening.turn()
    evening.photograph(evening.thrown)
    assert session.status == "proposal"
    session.confirm()
    assert evening.told

    # Blue's sleeve pushes a board by five millimetres. It is followed, and Blue's turn is read all the same.
    push(evening.reader, "blue")
    evening.turn()
    assert evening.photograph(evening.thrown).nudged.keys() == {"blue"}
    session.confirm()
    assert evening.told

    # The second round. A tile is misread; whoever sees it taps what really lies there.
    evening.roll()
    evening.photograph(evening.thrown)
    before_red = evening.state.copy()
    evening.turn()
    evening.dice = session.entries()[-1].dice
    place, label = lying(evening, "depot:")
    evening.look(wrong={place: {"empty": 0.999}})
    assert session.status == "unexplained"
    session.correct(place, label)
    session.confirm()
    assert evening.told

    # Blue lays a tile where it must not go. The companion says which rule speaks against it, in both languages.
    before_blue = evening.state.copy()
    evening.turn()
    place, label = lying(evening, "depot:")
    space = wrong_space(evening, label)
    evening.look(wrong={place: {"empty": 0.999}, space: {label: 0.999}})
    assert session.status == "unexplained"
    for language in LANGUAGES:
        translator = Translator(language, view=session.snapshot()["view"], strict=True)
        told = [translator.breach(breach) for breach in session.snapshot()["proposal"]["breaches"]]
        assert any(translator.the_tile(label) in sentence for sentence in told)
    with pytest.raises(CommandRejectedError):
        session.confirm()

    # The tile is put back, and the turn is confirmed.
    evening.look()
    session.confirm()
    assert evening.told

    # On second thoughts both turns are taken back, the pieces too, and played otherwise.
    session.undo()
    assert session.state.state_hash() == before_blue.state_hash()
    session.undo()
    assert session.state.state_hash() == before_red.state_hash()
    evening.lay_back(before_red)
    evening.look()
    for _ in range(2):
        evening.turn()
        evening.look()
        session.confirm() if session.status == "proposal" else answer_truly(evening)
    assert evening.told

    # In the middle of it somebody pulls the plug; what was confirmed is there.
    resumed = pulled_plug(evening, tmp_path)
    assert resumed.state.state_hash() == evening.state.state_hash()
    evening.session = session = resumed

    # The rest of the evening.
    while not RULES.is_over(evening.state):
        if evening.state.stage in ("fill", "roll"):
            evening.deal()
        else:
            evening.turn()
        evening.look()
        for _ in range(6):
            if evening.told:
                break
            session.confirm() if session.status in ("proposal", "watching") else answer_truly(evening)
        assert evening.told

    # The winner, by a score sheet that adds up.
    assert session.status == "over"
    sheet, view = RULES.score_sheet(session.state), session.snapshot()["view"]
    scores = {player["colour"]: player["score"] for player in view["players"]}
    assert {colour: sum(points.values()) for colour, points in sheet.items()} == scores
    assert scores[RULES.ranking(session.state)[0]] == max(scores.values())


def answer_truly(evening):
    """A player who knows what was done answers the open question, or confirms what is highlighted when it is right."""
    question = evening.session.question
    for option in question.options:
        state = evening.session.state.copy()
        for text in option.value.split("; "):
            RULES.apply(state, RULES.parse_move(text))
        if agrees(state, evening.state):
            evening.session.answer(question.about, option.value)
            return
    raise AssertionError(question)


def agrees(state, truth):
    """Whether everything that *state* knows of the players is true."""
    if state.stage != "setup":
        return state.state_hash() == truth.state_hash()
    return all(
        sum(here.goods) == 0 or (here.goods == there.goods and here.spaces == there.spaces)
        for here, there in zip(state.players, truth.players, strict=True)
    )


def push(reader, player):
    """The board lies elsewhere than the reader believes."""
    boards = tuple(
        replace(board, anchors_mm=tuple(map(tuple, np.subtract(board.anchors_mm, PUSHED_MM).tolist())))
        if board.player == player
        else board
        for board in reader.table.boards
    )
    reader.table = replace(reader.table, boards=boards)


def lying(evening, prefix):
    """A tile that lies in a group of that name, and its place."""
    return next(
        (f"{group}:{i}", label)
        for group, labels in RULES.visible(evening.state).items()
        if group.startswith(prefix)
        for i, label in enumerate(labels)
        if label != "empty"
    )


def wrong_space(evening, label):
    """An empty space of the player whose turn it was, for another kind of tile."""
    colour = evening.session.state.player.colour
    player = next(p for p in evening.state.players if p.colour == colour)
    return next(
        f"duchy:{colour}:{space.index}"
        for space in player.duchy.spaces
        if player.spaces[space.index] is None and space.colour != label.split("/")[0]
    )


def pulled_plug(evening, folder):
    """The journal as the disk has it at this moment, and a companion that is started with it."""
    for file in evening.path.parent.glob(f"{evening.path.name}*"):
        shutil.copy(file, folder / file.name.replace("evening", "after"))
    return TableSession(RULES, Journal(folder / evening.path.name.replace("evening", "after")))


# --- small things that happen --------------------------------------------------------------------------------


@pytest.fixture
def playing(tmp_path):
    table = Table(tmp_path / "game.journal", duchies=("se-1", "se-1"))
    table.set_up()
    for _ in range(2):
        table.session.tap(str(table.deal()))
    table.look()
    return table


def test_a_tile_that_is_lifted_and_put_back_changes_nothing(playing):
    entries = playing.session.entries()
    place, _ = lying(playing, "depot:")
    playing.look(wrong={place: {"empty": 0.998}})
    playing.look()
    assert playing.session.status == "watching" and playing.session.entries() == entries
    playing.turn()
    playing.look()
    playing.session.confirm()
    assert playing.session.state.state_hash() == playing.state.state_hash()


def test_a_die_that_is_picked_up_early_changes_nothing(playing):
    entries = playing.session.entries()
    playing.turn()
    playing.dice = playing.dice[1:]
    playing.look()
    assert playing.session.entries() == entries and playing.session.status == "proposal"


def test_a_board_that_is_out_of_sight_says_nothing_and_is_read_when_it_is_back(playing):
    playing.turn()
    sighting = sighting_of(RULES, playing.state, playing.dice)
    hidden = {name: replace(place, hidden=True) for name, place in sighting.places.items() if ":red:" in name}
    entries = playing.session.entries()
    playing.session.see(replace(sighting, places={**sighting.places, **hidden}, lost=("red",)))
    assert playing.session.entries() == entries
    playing.look()
    playing.session.confirm()
    assert playing.session.state.state_hash() == playing.state.state_hash()


def test_a_light_that_is_switched_on_and_blurs_every_reading_moves_nothing(playing):
    entries = playing.session.entries()
    sighting = sighting_of(RULES, playing.state, playing.dice)
    dim = {
        name: replace(place, probabilities={label: 0.55 * p for label, p in place.probabilities.items()})
        for name, place in sighting.places.items()
    }
    playing.session.see(replace(sighting, places=dim))
    assert playing.session.entries() == entries and playing.session.status == "watching"
    playing.look()
    assert playing.session.entries() == entries and playing.session.status == "watching"
