"""The Châteauma's own pieces on the table: its die, cards and inventory are read like everybody's pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import pytest

from calibration.table_file import load, parse
from companion.journal import Journal
from companion.runtime.table_loop import LOOK_AGAIN_S
from companion.runtime.wiring import open_table
from companion.session import LOOKS, CommandRejectedError, Snapshot, TableSession
from companion.text.catalogue import LANGUAGES
from companion.text.narrator import Narrator
from companion.text.translator import Translator
from companion.text.turn_log import TurnLog
from companion.virtual.demo import FAST_PERIOD_S, DemoOptions, demo_setup, layout_for, open_demo
from companion.virtual.simulated_players import scene_cards
from hardware.cameras import open_camera
from hardware.panel import open_panel
from hardware.scene import Scene
from hardware.virtual_table import VirtualTable, enrolment_frames
from tests.support.sightings import sighting_of
from tests.support.solo import RULES, Solo
from vision.expected import ExpectedCard
from vision.gallery import Gallery
from vision.reader import TableReader, enrol_places
from vision.sighting import DieReading

STILL = 4 + round((LOOKS - 1) * LOOK_AGAIN_S / FAST_PERIOD_S)
"""Pictures of a table at which nobody moves anything."""


@pytest.fixture
def solo() -> Solo:
    return Solo(pieces="table")


def die_at(colour: str, value: int, x: int, confidence: float = 0.99) -> DieReading:
    return DieReading(value, colour, (x, 100, 40, 40), confidence)


def with_roll_seen(solo: Solo) -> list[DieReading]:
    """Plays on to a roll of the people's dice, which is seen while the Châteauma's die has not moved."""
    roll = solo.until("roll")
    solo.look(*(die_at(colour, 6, 2000) for colour in ("red", "white")))
    values = [(colour, value) for colour, dice in RULES.dice_of(roll).items() for value in dice]
    dice = [die_at(colour, value, 100 + 60 * i) for i, (colour, value) in enumerate(values)]
    RULES.apply(solo.truth, roll)
    solo.look(*dice, die_at("blue", 3, 900))
    assert solo.in_sync
    return dice


def test_its_die_is_seen_although_all_others_have_not_moved(solo: Solo) -> None:
    others = with_roll_seen(solo)
    roll = solo.until("own-roll")
    RULES.apply(solo.truth, roll)
    solo.look(*others, die_at("blue", roll.value, 700))
    assert solo.in_sync and solo.session.entries()[-1].by == "seen"


def test_its_die_back_in_its_place_is_recognised_by_its_value(solo: Solo) -> None:
    others = with_roll_seen(solo)
    roll = solo.until("own-roll")
    shown = next(value for value in range(1, 7) if value != 3)
    solo.look(*others, die_at("blue", shown, 900))
    assert solo.session.state.seat.die == shown and roll.word == "own-roll"


def test_a_value_that_is_not_clear_is_no_new_roll(solo: Solo) -> None:
    others = with_roll_seen(solo)
    solo.until("own-roll")
    solo.look(*others, die_at("blue", 4, 900, confidence=0.6))
    assert solo.session.snapshot()["notice"] == {"code": "die_awaited", "player": "blue"}


def test_a_press_confirms_that_its_die_shows_the_same_value_again(solo: Solo) -> None:
    others = with_roll_seen(solo)
    solo.until("own-roll")
    solo.look(*others, die_at("blue", 3, 900))
    assert solo.session.status == "dice"
    solo.session.confirm()
    assert solo.session.state.seat.die == 3


def test_a_press_for_a_die_that_is_not_seen_asks_what_it_shows(solo: Solo) -> None:
    others = with_roll_seen(solo)
    solo.until("own-roll")
    solo.look(*others)
    solo.session.confirm()
    question = solo.session.question
    assert question is not None and question.about == "die:blue:0"
    solo.session.answer("die:blue:0", "5")
    assert solo.session.state.seat.die == 5


def test_a_press_while_everybodys_dice_are_awaited_takes_none(solo: Solo) -> None:
    others = with_roll_seen(solo)
    solo.until("roll")
    solo.look(*others)
    with pytest.raises(CommandRejectedError):
        solo.session.confirm()
    assert solo.session.status == "dice"


def test_its_turn_is_proposed_once_the_tile_is_on_its_card(solo: Solo) -> None:
    move = solo.until("chateauma")
    solo.look()
    assert solo.session.status == "watching"
    RULES.apply(solo.truth, move)
    solo.look()
    assert solo.session.status == "proposal"
    solo.session.confirm()
    assert solo.in_sync


def test_nothing_is_missing_where_there_is_no_card(solo: Solo) -> None:
    """The last cards have been revealed."""
    solo.until("end")
    state = solo.truth
    automa = next(seat for seat in state.seats if seat.colour == "blue")
    automa.cards[1], automa.deck = None, ()
    session = TableSession(RULES, Journal(":memory:"), solo.setup)
    session._context.history.state = state
    session.observe(sighting_of(RULES, state))
    assert session.snapshot()["notice"] is None


def test_the_reader_knows_which_cards_are_there_and_which_spaces_are_empty(solo: Solo) -> None:
    solo.until("end")
    left, right = (card for card in solo.truth.seats[1].cards)
    assert solo.session.expected_cards() == {
        f"card:{side}": ExpectedCard(card.card.number, tuple(there is None for there in card.tiles))
        for side, card in (("left", left), ("right", right))
    }


def test_in_its_own_turn_no_space_is_certainly_empty(solo: Solo) -> None:
    solo.until("chateauma")
    cards = solo.session.expected_cards()
    assert {bare for card in cards.values() for bare in card.bare} == {False, None}


def test_a_card_with_fewer_spaces_in_another_ones_place_has_changed_there(solo: Solo) -> None:
    """A completed card goes, and the other one takes its place."""
    for _ in range(25):
        move = solo.until("chateauma")
        left, right = solo.truth.seats[1].cards
        solo.tap(move)
        if left is not solo.truth.seats[1].cards[0] and len(left.tiles) > len(right.tiles):
            break
    else:
        pytest.fail("no such turn in this game")
    assert f"card:left:{len(left.tiles) - 1}" in solo.session.changed_places(solo.session.entries()[-1].seq)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_revealed_card_is_announced(solo: Solo, language: str) -> None:
    narrator = Narrator(solo.session, TurnLog(solo.session))
    card = solo.until("county")
    narrator.latest()
    solo.tap(card)
    assert str(card.card) in narrator.latest().text(Translator(language, strict=True))


def test_cards_that_stay_in_the_box_are_not_looked_for() -> None:
    setup = demo_setup(2, 1, chateauma="easy")
    assert TableSession(RULES, Journal(":memory:"), setup).expected_cards() == {}


@dataclass
class DrawnTable:
    """The table of ``Solo(pieces="table")``, drawn, and a gallery of all that may lie on it."""

    camera: VirtualTable
    gallery: Gallery


@pytest.fixture(scope="module")
def drawn() -> Iterator[DrawnTable]:
    layout, gallery = layout_for(Solo(pieces="table").setup), Gallery()
    for frame, sheet, labels in enrolment_frames(1, layout=layout):
        enrol_places(gallery, frame, parse(sheet, "enrolment"), labels)
    with VirtualTable(layout, seed=1) as camera:
        yield DrawnTable(camera, gallery)


class Filmed:
    """The session of *solo* before a camera that is a folder of pictures, with a table file and a gallery."""

    def __init__(
        self, solo: Solo, drawn: DrawnTable, folder: Path, scenes: Sequence[Mapping[str, tuple[str, ...]]]
    ) -> None:
        """*scenes* are shown on the table one after the other, each for STILL pictures."""
        pictures = folder / "pictures"
        pictures.mkdir()
        (folder / "table.json").write_text(json.dumps(drawn.camera.table_file()))
        for number in range(STILL * len(scenes)):
            if number % STILL == 0:
                cards = scene_cards(RULES, solo.truth)
                drawn.camera.show(Scene(dict(scenes[number // STILL]), cards=cards))
            cv2.imwrite(str(pictures / f"{number:02}.png"), drawn.camera.read())
        self.session, self._pictures = solo.session, pictures
        self._reader = TableReader(load(folder / "table.json"), drawn.gallery, solo.session.expected_cards)

    def watch(self) -> Iterator[str]:
        """The session's status each time a scene has come to rest; nobody presses anything meanwhile."""
        with (
            open_camera(str(self._pictures)) as camera,
            open_panel(simulate=True) as panel,
            open_table(self.session, camera, self._reader, panel, stores_pictures=False) as table,
        ):
            for number in range(len(list(self._pictures.iterdir()))):
                table.loop.step(number * FAST_PERIOD_S)
                if number % STILL == STILL - 1:
                    yield self.session.status


@pytest.mark.slow
def test_its_turn_is_seen_in_pictures_of_the_table(drawn: DrawnTable, tmp_path: Path) -> None:
    """As at a real table: a table file, a gallery, and a camera that is a folder of pictures."""
    solo = Solo(pieces="table")
    move = solo.until("chateauma")
    before = RULES.visible_layout(solo.truth)
    RULES.apply(solo.truth, move)
    statuses = list(Filmed(solo, drawn, tmp_path, [before, RULES.visible_layout(solo.truth)]).watch())
    solo.session.confirm()
    assert statuses[0] == "watching" and solo.in_sync


@dataclass
class Misplaced:
    """A turn of the Châteauma whose tile is placed on the wrong space of a card, then on the right one."""

    solo: Solo
    right: int
    """Index of the space where it belongs."""
    wrong: int
    statuses: list[str]
    """Before the turn, with the misplaced tile, and with the tile in its place."""
    snapshot: Snapshot
    """With the misplaced tile."""


@pytest.fixture(scope="module")
def misplaced(drawn: DrawnTable, tmp_path_factory: pytest.TempPathFactory) -> Misplaced:
    solo = Solo(pieces="table")
    move = solo.until("chateauma")
    before = RULES.visible_layout(solo.truth)
    RULES.apply(solo.truth, move)
    after = RULES.visible_layout(solo.truth)
    card = next(group for group in after if group.startswith("card:") and after[group] != before[group])
    spaces = range(len(after[card]))
    right = next(i for i in spaces if after[card][i] != before[card][i])
    wrong = next(i for i in spaces if after[card][i] == "empty")
    swapped = list(after[card])
    swapped[right], swapped[wrong] = swapped[wrong], swapped[right]
    scenes = [before, {**after, card: tuple(swapped)}, after]
    filmed = Filmed(solo, drawn, tmp_path_factory.mktemp("misplaced"), scenes).watch()
    statuses = [next(filmed), next(filmed)]
    snapshot = solo.session.snapshot()
    statuses.append(next(filmed))
    return Misplaced(solo, right, wrong, statuses, snapshot)


@pytest.mark.slow
def test_a_mismatch_is_recognised_in_pictures_and_can_be_corrected(misplaced: Misplaced) -> None:
    assert misplaced.statuses == ["watching", "unexplained", "proposal"]
    misplaced.solo.session.confirm()
    assert misplaced.solo.in_sync


@pytest.mark.slow
@pytest.mark.parametrize(("language", "names"), [("en", "it belongs on"), ("fr", "sa place est")])
def test_a_mismatch_names_the_right_space(misplaced: Misplaced, language: str, names: str) -> None:
    translator = Translator(language, view=misplaced.snapshot["view"], strict=True)
    (mismatch,) = misplaced.snapshot["mismatches"]
    sentence = translator.mismatch(mismatch)
    spaces = [translator(f"nth.{space}") for space in (misplaced.wrong, misplaced.right)]
    assert [part for part in (names, *spaces) if part not in sentence] == []


@pytest.mark.slow
def test_the_first_rounds_of_a_demo_go_as_they_were_played() -> None:
    """Through camera and panel; its turns, its die and a further card among them."""
    with open_demo(DemoOptions(demo_setup(2, 4, chateauma="intermediate", pieces="table"), 4)) as demo:
        now = 0.0
        for what in demo.simulated.play():
            now += FAST_PERIOD_S
            demo.table.loop.step(now)
            if what == "turn" and demo.simulated.counts.turns >= 8:
                break
        assert demo.session.state.state_hash() == demo.simulated.truth.state_hash()
        assert {str(entry.state_hash) for entry in demo.session.entries()} <= demo.simulated.true_hashes
        assert demo.simulated.counts.corrections <= 1


def test_a_bot_turn_is_compared_although_a_card_has_other_spaces_then(solo: Solo) -> None:
    solo.until("end")
    solo.look()
    belief, now = solo.session._context.belief, RULES.visible_layout(solo.truth)
    assert not belief.shows_change({**now, "card:left": ()}, {**now, "card:left": ("castle",) * 5})
