"""Reading what the expansions put on the table: tiles without a type, tokens, tiles with a token on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest

from calibration.games.burgundy import BOARDS
from calibration.table_file import TableFile, parse
from companion.games.burgundy.rules.tiles import GOODS, LABELS, goods_label
from hardware.scene import Scene
from hardware.virtual_table import TableLayout, VirtualTable, enrolment_frames
from hardware.virtual_table.games.burgundy import sample_with_expansions
from vision import table_dice
from vision.candidates import Candidates
from vision.gallery import Gallery
from vision.reader import EXAMPLES, TableReader, enrol_places
from vision.sighting import EMPTY, PlaceReading

PLAYERS = ("red", "blue")
BASE = LABELS.union(map(goods_label, GOODS))
ADDED = {
    "inn",
    "building/crane",
    "building/white_castle",
    "livestock/geese_2",
    *(f"monastery/{number}" for number in (27, 28, 29)),
    *(f"shield/{number}" for number in range(1, 19)),
}
CLEAR = 0.9


@pytest.fixture(autouse=True)
def _no_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice have tests of their own."""
    monkeypatch.setattr(table_dice, "read_dice", lambda frame, **_: ())


@dataclass(frozen=True)
class Shot:
    """A virtual table with expansions, photographed once."""

    frame: np.ndarray
    table: TableFile
    truth: Mapping[str, str]
    """Label of each place."""
    printed: Mapping[str, str]
    """Type of each space."""

    def places(self, kind: str) -> list[str]:
        """Returns the places of that kind of groups where something lies."""
        return [
            name for name, label in self.truth.items() if name.partition(":")[0] == kind and label != EMPTY
        ]


@pytest.fixture(scope="module")
def layout() -> TableLayout:
    return sample_with_expansions(PLAYERS)


@pytest.fixture(scope="module")
def gallery(layout: TableLayout) -> Gallery:
    """Enrolled as by an owner: from a sheet of all faces and the empty table."""
    gallery = Gallery()
    for frame, table, labels in enrolment_frames(1, layout=layout):
        enrol_places(gallery, frame, parse(table, "enrolment"), labels)
    return gallery


@pytest.fixture(scope="module")
def shot(layout: TableLayout) -> Shot:
    """A table where inns lie on every colour, shields on castles and at depots, and goods on the routes."""
    rng = np.random.default_rng(4)
    art = layout.art
    of_shape = {"hex": art.tiles, "square": art.goods, "shield": art.shields}
    places = {
        group.name: tuple(
            str(rng.choice(of_shape[group.shape])) if rng.random() < 0.6 else EMPTY for _ in group.centres_mm
        )
        for group in layout.groups
    }
    printed = {}
    for board in layout.boards:
        spaces = []
        for i, (colour, _) in enumerate(board.spaces):
            fitting = [label for label in (*art.tiles, *art.covered) if label.split("/")[0] == colour]
            on_space = str(rng.choice(fitting)) if i % 4 == 1 else "inn" if i % 4 in (0, 3) else EMPTY
            spaces.append(f"castle/shield_{i % 18 + 1}" if colour == "castle" else on_space)
            printed[f"{board.group.name}:{i}"] = colour
        places[board.group.name] = tuple(spaces)
    with VirtualTable(layout, seed=4) as table:
        table.show(Scene(places=places))
        truth = {f"{group}:{i}": label for group, labels in places.items() for i, label in enumerate(labels)}
        return Shot(table.read(), parse(table.table_file(), "drawn"), truth, printed)


@pytest.fixture(scope="module")
def read(shot: Shot, gallery: Gallery) -> Mapping[str, PlaceReading]:
    return TableReader(shot.table, gallery, labels=BASE | ADDED).read_places(shot.frame)


def without(gallery: Gallery, *labels: str) -> Gallery:
    """Returns a gallery without the examples of *labels*."""
    others = Gallery()
    for patch, label in zip(gallery._patches, gallery._labels, strict=True):
        if label not in labels:
            others.add_example(patch, label)
    return others


def test_inns_are_read_on_every_colour(shot: Shot, read: Mapping[str, PlaceReading]) -> None:
    inns = [place for place in shot.places("duchy") if shot.truth[place] == "inn"]
    assert {shot.printed[place] for place in inns} >= {*BOARDS.types} - {"castle"}
    assert [read[place].best for place in inns] == ["inn"] * len(inns)


def test_nothing_of_the_expansions_is_read_wrong_without_a_doubt(
    shot: Shot, read: Mapping[str, PlaceReading]
) -> None:
    wrong = {
        place: (label, read[place].best)
        for place, label in shot.truth.items()
        if not read[place].hidden
        and read[place].best != label
        and read[place].probability(read[place].best) >= CLEAR
    }
    assert not wrong


def test_at_most_one_place_in_thirty_is_doubtful(shot: Shot, read: Mapping[str, PlaceReading]) -> None:
    doubtful = [
        place
        for place, label in shot.truth.items()
        if read[place].hidden or read[place].probability(label) < CLEAR
    ]
    assert len(doubtful) <= len(shot.truth) / 30, doubtful


def test_a_shield_is_known_on_a_castle_by_its_look_at_a_depot(
    shot: Shot, gallery: Gallery, read: Mapping[str, PlaceReading]
) -> None:
    covered = [place for place in shot.places("duchy") if "/shield" in shot.truth[place]]
    assert not any("castle/" in label for label in gallery.labels)
    assert len(covered) == 8
    assert sum(read[place].best == shot.truth[place] for place in covered) >= 7


def test_a_bare_castle_contradicts_every_shield_on_it(
    layout: TableLayout, shot: Shot, gallery: Gallery
) -> None:
    castles = [i for i, (colour, _) in enumerate(layout.boards[0].spaces) if colour == "castle"]
    spaces = tuple("castle" if i in castles else EMPTY for i in range(37))
    with VirtualTable(layout, seed=5) as table:
        table.show(Scene(places={"duchy:red": spaces}))
        read = TableReader(shot.table, gallery, labels=BASE | ADDED).read_places(table.read())
    for i in castles:
        reading = read[f"duchy:red:{i}"]
        assert reading.probability("castle") > CLEAR
        assert max(reading.probability(f"castle/shield_{number}") for number in range(1, 19)) < 0.01


def test_what_a_game_does_not_have_is_not_read(shot: Shot, gallery: Gallery) -> None:
    base = TableReader(shot.table, gallery, labels=BASE).read_places(shot.frame)
    assert not {label for reading in base.values() for label in reading.probabilities} & ADDED
    assert not any("castle/" in label for reading in base.values() for label in reading.probabilities)


def test_a_base_game_is_read_alike_with_a_gallery_that_knows_the_expansions(
    layout: TableLayout, shot: Shot, gallery: Gallery
) -> None:
    spaces = tuple(
        colour if colour in ("castle", "mine", "ship") else "monastery/7" if colour == "monastery" else EMPTY
        for colour, _ in layout.boards[0].spaces
    )
    with VirtualTable(layout, seed=6) as table:
        table.show(Scene(places={"duchy:red": spaces, "depot_goods:2": ("goods/4", *[EMPTY] * 5)}))
        frame = table.read()
    large = TableReader(shot.table, gallery, labels=BASE).read_places(frame)
    small = TableReader(shot.table, without(gallery, *ADDED)).read_places(frame)
    for place, reading in small.items():
        assert large[place].probabilities == pytest.approx(reading.probabilities, abs=1e-6)
        assert large[place].hidden == reading.hidden


def test_shields_at_depots_are_read_by_their_look(shot: Shot, read: Mapping[str, PlaceReading]) -> None:
    at_depots = shot.places("shields")
    assert at_depots
    assert [read[place].best for place in at_depots] == [shot.truth[place] for place in at_depots]


def test_goods_on_a_route_are_told_from_its_print(shot: Shot, read: Mapping[str, PlaceReading]) -> None:
    squares = [place for place in shot.truth if place.startswith("route:")]
    assert len(squares) == 30
    assert [read[place].best for place in squares] == [shot.truth[place] for place in squares]


# Faces that nobody has shown


def test_an_unlearnt_inn_is_doubtful_and_learnt_once_it_is_certain(shot: Shot, gallery: Gallery) -> None:
    inns = [place for place in shot.places("duchy") if shot.truth[place] == "inn"]
    reader = TableReader(shot.table, without(gallery, "inn"), labels=BASE | ADDED)
    before = reader.read(shot.frame).places
    assert all(before[place].probability(before[place].best) < CLEAR for place in inns)
    assert all(before[place].probability("inn") > 0.05 for place in inns)
    assert reader.add_examples(shot.frame, {inns[0]: "inn"}) == 1
    after = reader.read(shot.frame).places
    assert sum(after[place].best == "inn" for place in inns) >= len(inns) - 1


@pytest.mark.parametrize("label", ["building/crane", "livestock/geese_2", "building/white_castle"])
def test_an_unlearnt_face_is_doubtful_and_learnt_once_it_is_certain(
    shot: Shot, gallery: Gallery, label: str, layout: TableLayout
) -> None:
    space = next(i for i, (colour, _) in enumerate(layout.boards[0].spaces) if colour == label.split("/")[0])
    place, spaces = f"duchy:red:{space}", tuple(label if i == space else EMPTY for i in range(37))
    with VirtualTable(layout, seed=7) as table:
        table.show(Scene(places={"duchy:red": spaces}))
        frame = table.read()
    reader = TableReader(shot.table, without(gallery, label), labels=BASE | ADDED)
    before = reader.read(frame).places[place]
    assert before.probability(before.best) < CLEAR
    assert reader.add_examples(frame, {place: label}) == 1
    assert reader.read(frame).places[place].best == label


def test_an_unlearnt_shield_on_a_castle_is_learnt_as_a_token(shot: Shot, gallery: Gallery) -> None:
    place = next(place for place in shot.places("duchy") if "/shield" in shot.truth[place])
    label = shot.truth[place]
    token = f"shield/{label.removeprefix('castle/shield_')}"
    reader = TableReader(shot.table, without(gallery, token), labels=BASE | ADDED)
    before = reader.read(shot.frame).places[place]
    assert before.probability(label) > 0.05 and before.probability("castle") < CLEAR
    assert reader.add_examples(shot.frame, {place: label}) == 1
    assert reader.gallery is not None and reader.gallery.counts()[token] == 1
    assert reader.read(shot.frame).places[place].best == label


def test_shields_at_depots_are_hidden_as_long_as_none_is_learnt(shot: Shot, gallery: Gallery) -> None:
    none = without(gallery, *(f"shield/{number}" for number in range(1, 19)))
    read = TableReader(shot.table, none, labels=BASE | ADDED).read_places(shot.frame)
    assert all(read[place].hidden for place in shot.places("shields"))


def test_an_unlearnt_shield_at_a_depot_is_doubtful_and_learnt_once_it_is_certain(
    shot: Shot, gallery: Gallery
) -> None:
    place = shot.places("shields")[0]
    label = shot.truth[place]
    reader = TableReader(shot.table, without(gallery, label), labels=BASE | ADDED)
    before = reader.read(shot.frame).places[place]
    assert before.hidden or before.probability(before.best) < CLEAR
    assert reader.add_examples(shot.frame, {place: label}) == 1
    assert reader.read(shot.frame).places[place].best == label


def test_no_more_examples_of_a_shield_are_learnt_than_of_any_tile(shot: Shot, gallery: Gallery) -> None:
    place = shot.places("shields")[0]
    label = shot.truth[place]
    reader = TableReader(shot.table, without(gallery, label), labels=BASE | ADDED)
    added = []
    for _ in range(EXAMPLES + 2):
        reader.read(shot.frame)
        added.append(reader.add_examples(shot.frame, {place: label}))
    assert sum(added) == EXAMPLES and added[-1] == 0


def test_tiles_without_a_type_are_those_of_no_colour_shape_or_token() -> None:
    game = Candidates.of(None, BASE | ADDED)
    assert game.without_type(BOARDS) == ("inn",)
    assert len(game.tokens("shield")) == 18
    assert Candidates.of(None, BASE).without_type(BOARDS) == ()


def test_a_shield_laid_in_place_of_another_is_noticed(
    layout: TableLayout, shot: Shot, gallery: Gallery
) -> None:
    castle = next(i for i, (colour, _) in enumerate(layout.boards[0].spaces) if colour == "castle")
    reader = TableReader(shot.table, gallery, labels=BASE | ADDED)
    with VirtualTable(layout, seed=8) as table:
        for number in (16, 6, 5, 12, 8):
            spaces = tuple(f"castle/shield_{number}" if i == castle else EMPTY for i in range(37))
            table.show(Scene(places={"duchy:red": spaces}))
            assert reader.read(table.read()).places[f"duchy:red:{castle}"].best == f"castle/shield_{number}"
