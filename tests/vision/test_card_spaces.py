"""The county cards and the inventory of the Châteauma on the virtual table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.games.burgundy.facts import load_facts
from calibration.table_file import TableFile, parse
from hardware.scene import Scene, SceneCard
from hardware.virtual_table import VirtualTable, enrolment_frames, sample_layout
from hardware.virtual_table.games.burgundy import standard_layout, with_automa
from hardware.virtual_table.games.burgundy.layout import SAMPLE_DUCHY
from vision import table_dice
from vision.boards import card_spaces
from vision.boards.card_spaces import MARGIN, MAX_AREA, CardSpaces, find_card_spaces
from vision.expected import ExpectedCard
from vision.gallery import Gallery
from vision.geometry import Plane
from vision.reader import TableReader, enrol_places
from vision.sighting import EMPTY, FACE_DOWN, PlaceReading, Sighting
from vision.view import view_of

FOUR = SceneCard(3, ("ship", "building", "livestock", "building"), (2,))
OTHER_FOUR = SceneCard(6, ("ship", "monastery", "building", "ship"), (0,))
FIVE = SceneCard(4, ("building", "castle", "monastery", "mine", "building"))
THREE = SceneCard(1, ("mine", "livestock", "monastery"))
NEAR_PX = 8.0
"""Some 4 mm; tiles that far off their space are still read."""
NEAR_DEG = 6.0
"""Cards are up to 1.5 degrees askew; tiles turned by more than that are still recognised."""


@pytest.fixture(autouse=True)
def _no_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice have tests of their own."""
    monkeypatch.setattr(table_dice, "read_dice", lambda frame, **_: ())


LAYOUT = with_automa(standard_layout(["red"], {"red": SAMPLE_DUCHY}, spare_seats=["green"]), "green")
"""One person, and the Châteauma on the other side of the table."""


@pytest.fixture(scope="module")
def table() -> Iterator[VirtualTable]:
    with VirtualTable(LAYOUT, seed=3) as table:
        yield table


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    gallery = Gallery()
    for frame, sheet, labels in enrolment_frames(1, layout=LAYOUT):
        enrol_places(gallery, frame, parse(sheet, "enrolment"), labels)
    return gallery


def file_of(table: VirtualTable) -> TableFile:
    return parse(table.table_file(), "virtual")


def expected(card: SceneCard, *tiles: str) -> ExpectedCard:
    """Returns the expected card for *card* with *tiles* on it."""
    placed = (*tiles, *[EMPTY] * (len(card.tile_types) - len(tiles)))
    return ExpectedCard(card.number, tuple(label == EMPTY for label in placed))


class Watched:
    """A virtual table, and a reader with the card expected on the left."""

    def __init__(self, table: VirtualTable, gallery: Gallery | None = None) -> None:
        self.table, self.expected_cards = table, dict[str, ExpectedCard]()
        self.reader = TableReader(file_of(table), gallery, lambda: self.expected_cards)

    def look(
        self, card: SceneCard | None, *tiles: str, hand: str | None = None, **groups: tuple[str, ...]
    ) -> Sighting:
        """Reads the table with *card* on the left and *tiles* on it from its first space on."""
        cards = {} if card is None else {"left": card}
        places = dict(groups)
        if card is not None:
            places["card:left"] = (*tiles, *[EMPTY] * (len(card.tile_types) - len(tiles)))
        self.table.show(Scene(places, cards=cards, hand=hand))
        return self.reader.read(self.table.read())

    def table_plane(self) -> Plane:
        assert self.reader.view is not None and self.reader.view.table is not None
        return self.reader.view.table

    def held(self) -> tuple[tuple[float, float], ...]:
        return next(g.centres_mm for g in self.reader.table.places if g.name == "card:left")


def on_card(seen: Sighting) -> Mapping[str, PlaceReading]:
    return {name: seen.places[name] for name in sorted(seen.places) if name.startswith("card:left")}


def best(seen: Sighting) -> list[str]:
    assert not any(place.hidden for place in on_card(seen).values())
    return [place.best for place in on_card(seen).values()]


@pytest.mark.parametrize("number", sorted(load_facts().county_cards))
def test_the_spaces_of_a_card_are_found_in_reading_order_with_their_rotation(
    table: VirtualTable, number: int
) -> None:
    colours = tuple(hex_.tile_type or "castle" for hex_ in load_facts().county_cards[number].hexes)
    cards = CardSpaces(file_of(table).card_areas_mm)
    card = SceneCard(number, colours)
    table.show(Scene(cards={"left": card}))
    plane = view_of(table.clean(), file_of(table)).table
    assert plane is not None
    expected_cards = {"card:left": expected(card)}
    assert cards.follow(table.read(), plane, 28.27, expected_cards) == []
    seen = plane.to_frame(np.array(cards.groups["card:left"].centres_mm))
    truth = [place["centre"] for name, place in table.truth()["places"].items() if name.startswith("card")]
    assert np.hypot(*(seen - truth).T).max() < NEAR_PX
    turn = cards.groups["card:left"].turn_deg - LAYOUT.card_areas["left"].turn_deg
    assert abs((turn + 30) % 60 - 30) < NEAR_DEG


def test_tiles_on_a_card_are_read_each_in_its_space(table: VirtualTable, gallery: Gallery) -> None:
    watched = Watched(table, gallery)
    watched.expected_cards = {"card:left": expected(FOUR)}
    watched.look(FOUR)
    seen = watched.look(FOUR, "ship", "building/bank")
    assert best(seen) == ["ship", "building/bank", EMPTY, EMPTY]


def test_a_symbol_on_a_bare_space_is_no_tile(table: VirtualTable, gallery: Gallery) -> None:
    watched = Watched(table, gallery)
    watched.expected_cards = {"card:left": expected(FOUR)}
    assert best(watched.look(FOUR)) == [EMPTY] * 4


def test_a_tile_is_seen_on_a_space_that_was_known_bare(table: VirtualTable, gallery: Gallery) -> None:
    watched = Watched(table, gallery)
    watched.expected_cards = {"card:left": expected(FOUR)}
    watched.look(FOUR)
    assert best(watched.look(FOUR, "ship", "building/bank", "livestock/cow_3"))[2] == "livestock/cow_3"


def test_a_space_that_may_be_covered_is_not_remembered_as_empty(
    table: VirtualTable, gallery: Gallery
) -> None:
    watched = Watched(table, gallery)
    watched.expected_cards = {"card:left": ExpectedCard(FOUR.number, (None,) * 4)}
    assert on_card(watched.look(FOUR, "ship"))["card:left:0"].best == "ship"


def test_a_joker_is_read_as_a_face_down_tile(table: VirtualTable, gallery: Gallery) -> None:
    watched = Watched(table, gallery)
    watched.expected_cards = {"card:left": expected(THREE)}
    watched.look(THREE)
    inventory = (EMPTY,) * 6 + (FACE_DOWN,)
    seen = watched.look(THREE, "mine", FACE_DOWN, inventory=inventory)
    assert best(seen) == ["mine", FACE_DOWN, EMPTY]
    assert [seen.places[f"inventory:{i}"].best for i in range(7)] == list(inventory)


def test_an_unknown_back_counts_as_a_tile(table: VirtualTable) -> None:
    watched = Watched(table)
    watched.expected_cards = {"card:left": expected(THREE)}
    watched.look(THREE)
    joker = on_card(watched.look(THREE, "mine", FACE_DOWN))["card:left:1"]
    assert joker.probability(EMPTY) < 0.3 and joker.probability(FACE_DOWN) > 0.05


def test_spaces_stay_where_they_were_found_when_tiles_are_placed(table: VirtualTable) -> None:
    watched = Watched(table)
    watched.expected_cards = {"card:left": expected(FIVE)}
    watched.look(FIVE)
    before = watched.held()
    watched.look(FIVE, "building/bank", "castle", "monastery/3", "mine")
    assert watched.held() == before


def test_spaces_that_a_hand_hides_are_still_there(table: VirtualTable) -> None:
    watched = Watched(table)
    watched.expected_cards = {"card:left": expected(FOUR)}
    watched.look(FOUR)
    before = watched.held()
    frame = table.read()
    under = watched.table_plane().to_frame(np.array(before[:1]))[0]
    cv2.circle(frame, np.round(under).astype(int).tolist(), 60, (131, 162, 217), -1)
    seen = watched.reader.read(frame)
    assert watched.held() == before and seen.not_found == ()
    assert on_card(seen)["card:left:0"].probability(EMPTY) < 0.9 or on_card(seen)["card:left:0"].hidden


def test_a_card_that_is_pushed_is_followed(table: VirtualTable, gallery: Gallery) -> None:
    watched = Watched(table, gallery)
    watched.expected_cards = {"card:left": expected(FOUR)}
    watched.look(FOUR)
    area = LAYOUT.card_areas["left"]
    x, y = area.centre_mm
    elsewhere = replace(area, centre_mm=(x + 4.0, y - 3.0))
    pushed = replace(LAYOUT, card_areas={**LAYOUT.card_areas, "left": elsewhere})
    with VirtualTable(pushed, seed=3) as watched.table:
        assert best(watched.look(FOUR, "ship")) == ["ship", EMPTY, EMPTY, EMPTY]
        seen = watched.table_plane().to_frame(np.array(watched.held()))
        truth = [place["centre"] for name, place in watched.table.truth()["places"].items() if "card" in name]
    assert np.hypot(*(seen - truth).T).max() < NEAR_PX


def test_another_card_is_searched_again(table: VirtualTable, gallery: Gallery) -> None:
    watched = Watched(table, gallery)
    watched.expected_cards = {"card:left": expected(FOUR)}
    watched.look(FOUR)
    watched.expected_cards = {"card:left": expected(FIVE, "building/bank")}
    assert best(watched.look(FIVE, "building/bank")) == ["building/bank", *[EMPTY] * 4]


def test_a_card_of_as_many_spaces_has_a_symbol_of_its_own(table: VirtualTable, gallery: Gallery) -> None:
    watched = Watched(table, gallery)
    watched.expected_cards = {"card:left": expected(FOUR)}
    watched.look(FOUR)
    watched.expected_cards = {"card:left": expected(OTHER_FOUR)}
    assert best(watched.look(OTHER_FOUR)) == [EMPTY] * 4


def test_a_card_that_was_replaced_too_early_is_not_read(table: VirtualTable) -> None:
    watched = Watched(table)
    watched.expected_cards = {"card:left": expected(FIVE)}
    watched.look(FIVE)
    seen = watched.look(THREE)
    assert seen.not_found == ("card:left",)
    assert on_card(seen) == {"card:left:0": PlaceReading({EMPTY: 0.0}, hidden=True)}


def test_a_card_with_another_number_of_spaces_than_expected_is_not_read(table: VirtualTable) -> None:
    watched = Watched(table)
    watched.expected_cards = {"card:left": expected(FIVE)}
    seen = watched.look(THREE)
    assert seen.not_found == ("card:left",)
    assert [(name, place.hidden) for name, place in on_card(seen).items()] == [("card:left:0", True)]


def test_no_card_is_searched_where_none_is_expected(table: VirtualTable) -> None:
    seen = Watched(table).look(FOUR)
    assert seen.not_found == ()
    assert [(name, place.hidden) for name, place in on_card(seen).items()] == [("card:left:0", True)]


def test_without_expected_cards_any_card_is_read(table: VirtualTable) -> None:
    table.show(Scene(cards={"left": FIVE}))
    seen = TableReader(file_of(table)).read(table.read())
    assert len(on_card(seen)) == 5


def test_a_table_without_card_areas_has_no_such_places() -> None:
    with VirtualTable(sample_layout(), seed=1) as plain:
        plain.show(Scene())
        seen = TableReader(file_of(plain), None, dict).read(plain.read())
    assert not [name for name in seen.places if name.startswith("card")]


def test_unchanged_cards_are_not_searched_again(table: VirtualTable, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(table)
    watched.expected_cards = {"card:left": expected(FOUR)}
    watched.look(FOUR)
    monkeypatch.delattr("vision.boards.card_spaces.find_card_spaces")
    assert len(on_card(watched.reader.read(table.read()))) == 4


def test_a_scene_with_a_card_where_there_is_no_area_is_refused(table: VirtualTable) -> None:
    with pytest.raises(ValueError, match="no card area is called 'middle'; this table has left, right"):
        table.show(Scene(cards={"middle": FOUR}))


def test_a_wide_area_is_searched_around_its_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    class LookedAt(Exception):  # noqa: N818 # not an error: the result does not matter
        pass

    def find_places(*_: object, across: float, **__: object) -> None:
        raise LookedAt(across)

    monkeypatch.setattr(card_spaces, "find_places", find_places)
    area = ((0.0, 0.0), (1000.0, 0.0), (1000.0, 1000.0), (0.0, 1000.0))
    with pytest.raises(LookedAt) as looked:
        find_card_spaces(np.zeros((8, 8, 3), np.uint8), None, area, "left", 0.5, None)  # type: ignore[arg-type]
    assert looked.value.args == (MAX_AREA + MARGIN,)
