"""Reading dice: drawn here with OpenCV's shapes, not with the reader's own training scenes, and on shared photos."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from tests.support.drawn_dice import (
    BLACK,
    BLACK_PIP,
    BLUE,
    IVORY,
    RED,
    THIRDS,
    WHITE_PIP,
    draw_die,
    shot,
    table,
)
from vision.accuracy.dice import DiceAccuracy, PictureTruth, TrueDie, pair, score, truth_beside
from vision.dice import read_dice
from vision.dice.colour import Body, body_of, bright_mean, name_colours
from vision.dice.evidence import NO_FACES, Faces, dice_among, proposal_scores, sifted_scores
from vision.dice.networks import CLASSES, NO_DIE, DiceNetworks, Proposals
from vision.dice.patches import FACE_IN_PATCH, cut_patches
from vision.dice.reading import (
    BETWEEN_OCTAVES,
    FIRST_LOOK,
    FIRST_PLACES,
    LARGE_TRIED,
    MORE_LOOKS,
    MORE_SIFTED,
    _Die,
    _find_dice,
    _look_until_certain,
    _may_be_dice,
)
from vision.pictures import load_image
from vision.pyramid import build_pyramid, pixel_unshuffle
from vision.sighting import DieReading


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize(("colour", "body", "pip"), [("white", IVORY, BLACK_PIP), ("red", RED, WHITE_PIP)])
def test_each_value_is_read_with_dark_and_with_light_pips(
    value: int, colour: str, body: tuple[int, int, int], pip: tuple[int, int, int]
) -> None:
    frame = table()
    draw_die(frame, value, body, pip, (240, 160))
    (die,) = read_dice(shot(frame), colours=("white", "red", "blue", "black"))
    assert (die.value, die.colour) == (value, colour)
    assert die.confidence > 0.5


@pytest.mark.parametrize("side", [18, 30, 60, 120])
def test_dice_are_read_at_any_size(side: int) -> None:
    frame = table()
    draw_die(frame, 5, BLUE, WHITE_PIP, (240, 160), side=side)
    (die,) = read_dice(shot(frame))
    assert die.value == 5
    assert side <= die.box[2] <= 1.45 * side


@pytest.mark.parametrize("turn", [0, 15, 45, 75])
def test_dice_are_read_at_any_turn(turn: int) -> None:
    frame = table()
    draw_die(frame, 6, BLACK, WHITE_PIP, (240, 160), turn=turn)
    (die,) = read_dice(shot(frame))
    assert die.value == 6


def test_dice_side_by_side_are_two() -> None:
    frame = table()
    draw_die(frame, 3, RED, WHITE_PIP, (220, 160), turn=0)
    draw_die(frame, 4, BLUE, WHITE_PIP, (266, 160), turn=0)
    assert [die.value for die in read_dice(shot(frame))] in ([3, 4], [4, 3])


def test_the_box_surrounds_the_die() -> None:
    frame = table()
    draw_die(frame, 2, IVORY, BLACK_PIP, (130, 210))
    (die,) = read_dice(shot(frame))
    x, y, width, height = die.box
    assert abs(x + width / 2 - 130) < 5
    assert abs(y + height / 2 - 210) < 5


def test_an_empty_table_has_no_dice() -> None:
    assert read_dice(shot(table())) == ()


@pytest.mark.parametrize("side", [1, 15, 16, 31, 33])
def test_a_picture_too_small_for_dice_has_none(side: int) -> None:
    assert read_dice(np.zeros((side, side, 3), np.uint8)) == ()


def test_an_area_too_small_for_dice_has_none() -> None:
    corner = [(0, 0), (12, 0), (12, 12), (0, 12)]
    assert read_dice(shot(table()), areas=[corner]) == ()


def test_the_finest_picture_is_only_used_for_small_dice() -> None:
    seen: list[int] = []

    class Watched(DiceNetworks):
        def propose(self, levels: list[np.ndarray], chosen: Iterable[int]) -> Proposals:
            seen.extend(chosen)
            return super().propose(levels, chosen)

    def levels_looked_at(side: float) -> set[int]:
        frame = table(960, 640)
        draw_die(frame, 5, IVORY, BLACK_PIP, (400, 300), side)
        seen.clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("vision.dice.reading._networks", Watched)
            assert [die.value for die in read_dice(shot(frame))] == [5]
        return set(seen)

    assert 1 not in levels_looked_at(100)
    assert 1 in levels_looked_at(20)


def test_a_die_half_as_large_as_the_others_is_not_overlooked() -> None:
    frame = table(960, 640)
    draw_die(frame, 5, IVORY, BLACK_PIP, (300, 300), 70)
    draw_die(frame, 3, IVORY, BLACK_PIP, (600, 300), 30)
    assert [die.value for die in read_dice(shot(frame))] == [5, 3]


def test_a_die_that_the_sifter_drops_is_read_if_no_other_overlaps() -> None:
    class Blind(DiceNetworks):
        def sift(
            self, levels: list[np.ndarray], centres: np.ndarray, sides: np.ndarray
        ) -> tuple[np.ndarray, ...]:
            chances, centres, sides = super().sift(levels, centres, sides)
            return np.tile(np.eye(CLASSES, dtype=np.float32)[NO_DIE], (len(chances), 1)), centres, sides

    frame = table()
    draw_die(frame, 5, IVORY, BLACK_PIP, (240, 160))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vision.dice.reading._networks", Blind)
        assert [die.value for die in read_dice(shot(frame))] == [5]


def test_the_number_of_classified_proposals_is_limited() -> None:
    sifted = []

    class Dreaming(DiceNetworks):
        def propose(self, levels: list[np.ndarray], chosen: Iterable[int]) -> Proposals:
            rng, count = np.random.default_rng(3), 900
            return Proposals(
                rng.uniform(0, 900, (count, 2)).astype(np.float32),
                rng.uniform(12, 90, count).astype(np.float32),
                rng.uniform(0.2, 0.9, count).astype(np.float32),
            )

        def sift(
            self, levels: list[np.ndarray], centres: np.ndarray, sides: np.ndarray
        ) -> tuple[np.ndarray, ...]:
            sifted.append(len(sides))
            return super().sift(levels, centres, sides)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vision.dice.reading._networks", Dreaming)
        read_dice(shot(table(960, 960)))
    between = len(BETWEEN_OCTAVES) * FIRST_PLACES
    assert sum(sifted) == LARGE_TRIED + FIRST_PLACES + MORE_SIFTED + between


def test_a_flat_picture_has_no_dice() -> None:
    assert read_dice(np.full((200, 300, 3), 128, np.uint8)) == ()


def test_a_board_of_printed_faces_has_no_dice() -> None:
    frame = table(640, 480)
    palette = [(60, 150, 60), (40, 190, 220), (150, 90, 40), (150, 150, 150), (40, 30, 120)]
    turn = np.radians(np.arange(6) * 60 + 30)
    hexagon = np.stack([np.cos(turn), np.sin(turn)], 1) * 40
    for row in range(6):
        for column in range(7):
            at = np.array([70 + 70 * column + 35 * (row % 2), 70 + 62 * row])
            colour = palette[(row * 3 + column) % 5]
            cv2.fillPoly(frame, [(at + hexagon).astype(np.int32)], colour)
            cv2.rectangle(frame, (at - 13).tolist(), (at + 13).tolist(), (215, 225, 228), -1)
            for index, mark in enumerate(THIRDS[(row + column) % 6 + 1][0]):
                if mark == "o":
                    pip = at + 8 * np.array([index % 3 - 1, index // 3 - 1])
                    cv2.circle(frame, pip.tolist(), 3, (40, 40, 40), -1)
    assert read_dice(shot(frame)) == ()


def test_only_dice_inside_the_areas_are_read() -> None:
    frame = table()
    draw_die(frame, 1, RED, WHITE_PIP, (100, 160))
    draw_die(frame, 6, RED, WHITE_PIP, (380, 160))
    left = [(40, 100), (160, 100), (160, 220), (40, 220)]
    assert [die.value for die in read_dice(shot(frame), areas=[left])] == [1]


def test_a_die_in_two_areas_is_read_once() -> None:
    frame = table()
    draw_die(frame, 4, RED, WHITE_PIP, (240, 160))
    frame_area = [(0, 0), (479, 0), (479, 319), (0, 319)]
    around = [(150, 80), (330, 80), (330, 240), (150, 240)]
    assert len(read_dice(shot(frame), areas=[frame_area, around])) == 1


def test_an_area_outside_the_frame_is_skipped() -> None:
    assert read_dice(shot(table()), areas=[[(900, 900), (990, 900), (990, 990)]]) == ()


def test_a_body_is_called_by_the_nearest_colour_in_play() -> None:
    frame = table()
    draw_die(frame, 5, (60, 110, 235), WHITE_PIP, (240, 160))
    (die,) = read_dice(shot(frame), colours=("red", "blue"))
    assert die.colour == "red"


def test_a_die_has_a_probability_of_each_value() -> None:
    frame = table()
    draw_die(frame, 5, BLUE, WHITE_PIP, (240, 160))
    (die,) = read_dice(shot(frame))
    assert len(die.probabilities) == 6
    assert sum(die.probabilities) == pytest.approx(1)
    assert min(die.probabilities) > 0
    assert max(die.probabilities) == die.probabilities[5 - 1]


def test_the_same_frame_gives_the_same_reading() -> None:
    frame = table()
    draw_die(frame, 5, RED, WHITE_PIP, (240, 160))
    assert read_dice(shot(frame)) == read_dice(shot(frame))


def test_dice_are_returned_row_by_row_even_if_rows_are_uneven() -> None:
    frame = table()
    for value, place in ((4, (100, 118)), (2, (220, 102)), (6, (340, 110)), (3, (90, 230)), (5, (330, 222))):
        draw_die(frame, value, RED, WHITE_PIP, place)
    assert [die.value for die in read_dice(shot(frame))] == [4, 2, 6, 3, 5]


# Awaited dice


def die_seen(value: int, at: float, chance: float, other: tuple[int, float] = (1, 0.0)) -> _Die:
    """Returns a die with *value* at *chance*, and another value at the other's."""
    chances = np.zeros(8)
    chances[[other[0] - 1, value - 1]] = other[1], chance
    return _Die(chances, np.array([at, 50.0]), 30.0, Body(np.full(3, 200.0), False))


def looked_at(awaited: int, *looks: list[_Die]) -> tuple[list[_Die], list[tuple[float, int]]]:
    """Returns the dice after *looks*, and the sizes and turns at which the picture was looked at."""
    asked: list[tuple[float, int]] = []

    def look(size: float, turns: int) -> list[_Die]:
        asked.append((size, turns))
        return looks[len(asked) - 1]

    return _look_until_certain(look, awaited), asked


def test_dice_that_are_certain_are_looked_at_once() -> None:
    dice = [die_seen(4, 100, 0.95), die_seen(2, 300, 0.97)]
    assert looked_at(2, dice) == (dice, [FIRST_LOOK])


def test_dice_that_nobody_awaits_are_looked_at_once() -> None:
    assert looked_at(0, [die_seen(4, 100, 0.6)])[1] == [FIRST_LOOK]


def test_an_awaited_die_that_one_look_misses_is_found_by_another() -> None:
    seen, missed = die_seen(4, 100, 0.95), die_seen(2, 300, 0.97)
    dice, asked = looked_at(2, [seen], [seen, missed])
    assert [int(die.chance.argmax()) + 1 for die in dice] == [4, 2]
    assert asked == [FIRST_LOOK, MORE_LOOKS[0]]


def test_what_only_a_second_look_takes_for_dice_counts_up_to_the_number_awaited() -> None:
    seen, likely, unlikely = die_seen(4, 100, 0.95), die_seen(2, 300, 0.8), die_seen(6, 500, 0.6)
    dice, _ = looked_at(2, [seen], [unlikely, likely, seen], [])
    assert [float(die.centre[0]) for die in dice] == [100, 300]


def test_what_the_first_look_takes_for_a_die_stays_reported() -> None:
    seen = [die_seen(4, 100, 0.6), die_seen(2, 300, 0.6), die_seen(5, 500, 0.6)]
    assert len(looked_at(2, seen, [], [])[0]) == 3


def test_looks_that_disagree_about_the_value_leave_it_in_doubt() -> None:
    dice, _ = looked_at(1, [die_seen(4, 100, 0.85)], [die_seen(6, 100, 0.9)], [die_seen(4, 100, 0.85)])
    assert dice[0].chance.max() < 0.8
    assert int(dice[0].chance.argmax()) + 1 == 4


def test_a_die_that_one_look_doubts_is_as_certain_as_the_look_that_is_sure_of_it() -> None:
    dice, _ = looked_at(1, [die_seen(4, 100, 0.5, other=(3, 0.1))], [die_seen(4, 100, 0.97)], [])
    assert dice[0].chance.sum() == pytest.approx(0.97)
    assert 0.5 / 0.6 < dice[0].chance[3] < 0.97


def test_each_area_is_looked_at_until_its_own_dice_are_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = table(960, 320)
    draw_die(frame, 5, IVORY, BLACK_PIP, (240, 160))
    areas = [[(x, 60), (x + 240, 60), (x + 240, 260), (x, 260)] for x in (120, 600)]
    asked: list[tuple[float, int]] = []

    def watched(picture: np.ndarray, size: float, turns: int) -> list[_Die]:
        asked.append((size, turns))
        return _find_dice(picture, size, turns)

    monkeypatch.setattr("vision.dice.reading._find_dice", watched)
    assert [die.value for die in read_dice(shot(frame), areas=areas, awaited=[1, 1])] == [5]
    assert asked == [FIRST_LOOK, FIRST_LOOK, *MORE_LOOKS]


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("size", [2**-0.5, 1.0, 2**0.5])
def test_a_look_at_another_size_and_turn_finds_a_die_at_the_same_place(size: float, turns: int) -> None:
    frame = table()
    draw_die(frame, 5, BLUE, WHITE_PIP, (130, 210))
    (die,) = _find_dice(shot(frame), size, turns)
    assert np.abs(die.centre - (130, 210)).max() < 4
    assert die.side == pytest.approx(44, rel=0.15)


def test_resting_dice_are_read_alike_under_the_noise_of_a_hundred_frames() -> None:
    still = table()
    for i, (value, body, pip) in enumerate(
        [(3, RED, WHITE_PIP), (6, IVORY, BLACK_PIP), (5, BLUE, WHITE_PIP)]
    ):
        draw_die(still, value, body, pip, (100 + 130 * i, 160))
    noise = np.random.default_rng(1)
    answers = {
        tuple((die.value, die.colour) for die in read_dice(shot(still + noise.normal(0, 4, still.shape))))
        for _ in range(100)
    }
    assert answers == {((3, "red"), (6, "white"), (5, "blue"))}


def test_a_mirrored_reading_undoes_a_mirrored_picture() -> None:
    frame = table()
    draw_die(frame, 2, RED, WHITE_PIP, (200, 160))
    frame = shot(frame)
    networks = DiceNetworks()
    centre, side = np.array([[206, 157]], np.float32), np.array([40], np.float32)
    plain = networks.read(build_pyramid(frame, 24), centre, side)
    flipped = np.ascontiguousarray(frame[:, ::-1])
    mirrored = networks.read(
        build_pyramid(flipped, 24),
        np.array([[frame.shape[1] - 1, 0]], np.float32) + centre * (-1, 1),
        side,
        mirrored=True,
    )
    assert np.allclose(mirrored[0], plain[0], atol=0.02)
    assert mirrored[1][0, 0] == pytest.approx(frame.shape[1] - 1 - plain[1][0, 0], abs=0.3)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_reading_finds_the_die_at_the_same_place(turns: int) -> None:
    frame = table()
    draw_die(frame, 2, RED, WHITE_PIP, (200, 160))
    levels, networks = build_pyramid(shot(frame), 24), DiceNetworks()
    place = np.array([[206, 157]], np.float32), np.array([40], np.float32)
    for mirrored in (False, True):
        probabilities, centres, _ = networks.read(levels, *place, turns=turns, mirrored=mirrored)
        assert probabilities[0].argmax() == 2
        assert np.abs(centres[0] - (200, 160)).max() < 3


def test_a_picture_is_folded_square_by_square() -> None:
    pictures = np.arange(2 * 4 * 8 * 3, dtype=np.uint8).reshape(2, 4, 8, 3)
    planes = pixel_unshuffle(pictures, 4)
    assert planes.shape == (2, 48, 1, 2)
    for channel, row, column in ((0, 0, 0), (2, 1, 3), (1, 3, 2)):
        plane = planes[:, 16 * channel + 4 * row + column, 0]
        assert np.allclose(plane, pictures[:, row, column::4, channel] / 255 - 0.5)


def test_a_frame_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="uint8 BGR"):
        read_dice(np.zeros((50, 50), np.uint8))


# --- body colours: the dice are cut where they were drawn, so that finding them plays no part -----------------------

DRAWN = {
    "white": ((226, 228, 230), BLACK_PIP),
    "red": (RED, WHITE_PIP),
    "blue": (BLUE, WHITE_PIP),
    "green": ((60, 120, 40), WHITE_PIP),
    "black": (BLACK, WHITE_PIP),
    "yellow": ((45, 195, 235), BLACK_PIP),
    "orange": ((40, 120, 235), BLACK_PIP),
    "purple": ((140, 45, 120), WHITE_PIP),
}
"""Body and pips in white light."""
NEUTRAL, LAMP, SKY, DIM, GREENISH = (
    (1.0, 1.0, 1.0), (0.5, 0.75, 1.0), (1.0, 0.9, 0.8), (0.73, 0.73, 0.73), (0.8, 1.0, 0.85)
)  # fmt: skip
"""What is left of white, BGR: a lamp of 2700 K, a sky of 6500 K before a camera set to a lamp, half the light."""


def place(index: int) -> tuple[int, int]:
    return 60 + 110 * (index % 4), 80 + 140 * (index // 4)


def dice_shot(
    names: Sequence[str],
    light: tuple[float, float, float] = NEUTRAL,
    felt: tuple[int, int, int] = (120, 130, 135),
) -> np.ndarray:
    frame = table(colour=felt)
    for index, name in enumerate(names):
        draw_die(frame, 5, *DRAWN[name], place(index))
    return shot(frame * light)


def bodies_in(frame: np.ndarray, count: int, off: tuple[float, float] = (0, 0)) -> list[Body]:
    centres = np.add([place(index) for index in range(count)], off)
    patches = cut_patches(build_pyramid(frame, 24), centres, np.full(count, 44.0))
    return [body_of(patch, FACE_IN_PATCH) for patch in patches]


def named(frame: np.ndarray, count: int, **more: Any) -> list[str]:
    return name_colours(bodies_in(frame, count), bright_mean(frame), **more)


@pytest.mark.parametrize("felt", [(120, 130, 135), (200, 205, 210)])
@pytest.mark.parametrize("light", [NEUTRAL, LAMP, SKY, DIM, GREENISH])
def test_dice_have_their_colours_in_any_usual_light(
    light: tuple[float, float, float], felt: tuple[int, int, int]
) -> None:
    assert named(dice_shot(list(DRAWN), light, felt), len(DRAWN)) == list(DRAWN)


def test_a_white_die_reveals_the_light_if_the_table_does_not() -> None:
    names = ["white", "black", "purple", "blue"]
    assert named(dice_shot(names, LAMP, felt=(210, 130, 60)), 4) == names


def test_dice_of_one_colour_are_not_read_as_white_in_coloured_light() -> None:
    assert named(dice_shot(["yellow"] * 4), 4) == ["yellow"] * 4


def test_a_white_reference_is_believed() -> None:
    frame = dice_shot(["white"], light=(1.0, 0.55, 0.3), felt=(130, 130, 130))
    assert named(frame, 1, colours=("white", "blue"), white=(255, 140, 76)) == ["white"]
    assert named(frame, 1, colours=("white", "blue"), white=(255, 255, 255)) == ["blue"]


def test_measured_bodies_take_the_place_of_typical_ones() -> None:
    frame = dice_shot(["orange", "red"])
    assert named(frame, 2, colours=("red", "orange")) == ["orange", "red"]
    assert named(frame, 2, colours={"red": (40, 120, 235), "purple": (30, 30, 190)}) == ["red", "purple"]


def test_a_measured_body_may_have_a_name_of_its_own() -> None:
    assert named(dice_shot(["blue", "red"]), 2, colours={"mine": (170, 70, 30), "red": (30, 30, 190)}) == [
        "mine",
        "red",
    ]


def test_an_unknown_name_is_skipped() -> None:
    assert named(dice_shot(["blue"]), 1, colours=("teal", "red", "blue")) == ["blue"]


@pytest.mark.parametrize(("pip", "name"), [(BLACK_PIP, "white"), (WHITE_PIP, "grey")])
def test_pips_distinguish_a_white_die_in_shade_from_a_grey_one(pip: tuple[int, int, int], name: str) -> None:
    frame = table(colour=(130, 130, 130))
    draw_die(frame, 5, (150, 150, 150), pip, place(0))
    assert named(shot(frame), 1) == [name]


def test_no_dice_have_no_names() -> None:
    assert name_colours([], bright_mean(shot(table()))) == []


def test_light_pips_are_recognised_under_glare() -> None:
    frame = table()
    draw_die(frame, 5, (40, 40, 40), WHITE_PIP, place(0), turn=0)
    x, y = place(0)
    frame[y - 14 : y + 15, x - 14 : x + 15] += 100
    (body,) = bodies_in(np.clip(frame, 0, 235).astype(np.uint8), 1)
    assert body.light_pips


def test_shadow_beside_a_die_is_no_part_of_its_body() -> None:
    frame = table(colour=(12, 12, 12))
    draw_die(frame, 5, BLUE, WHITE_PIP, place(0), turn=0)
    (body,) = bodies_in(shot(frame), 1, off=(5, 5))
    assert np.abs(body.bgr - BLUE).max() < 12


def test_dice_in_areas_of_their_own_are_named_in_one_light() -> None:
    frame = dice_shot(["white", "red"], felt=(210, 130, 60))
    areas = [
        [(x - 45, y - 45), (x + 45, y - 45), (x + 45, y + 45), (x - 45, y + 45)]
        for x, y in (place(0), place(1))
    ]
    assert {die.colour for die in read_dice(frame, areas=areas)} == {"white", "red"}


class WildFinder:
    """A finder that takes every place for a die of no size that a die can have."""

    def setInput(self, blob: np.ndarray, name: str) -> None:  # noqa: N802  (OpenCV's name)
        self.shape = blob.shape[2] // 4, blob.shape[3] // 4

    def forward(self) -> np.ndarray:
        answer = np.zeros((1, 4, *self.shape), np.float32)
        answer[:, 0], answer[:, 3] = 5, 1e3
        return answer


def test_a_wild_answer_of_the_finder_gives_no_endless_side() -> None:
    networks = DiceNetworks()
    networks._networks._loaded["finder"] = cast(cv2.dnn.Net, WildFinder())
    proposals = networks.propose(build_pyramid(table(), 24), [1, 2])
    assert len(proposals.sides) > 0
    assert np.isfinite(proposals.sides).all()


# --- combining the network outputs -------------------------------------------------------------------------------


def faces(*seen: tuple[float, dict[int, float]], sides: Sequence[float]) -> Faces:
    """Faces far apart, each with the finder's heat and the reader's chances (the rest: no die)."""
    chances = np.zeros((len(seen), CLASSES), np.float32)
    for row, (_, shown) in zip(chances, seen, strict=True):
        for answer, chance in shown.items():
            row[answer] = chance
        row[NO_DIE] = 1 - row.sum()
    centres = np.array([(1000.0 * i, 0.0) for i in range(len(seen))], np.float32)
    return Faces(
        np.array([heat for heat, _ in seen], np.float32), chances, centres, np.array(sides, np.float32)
    )


SURE, DOUBTFUL = (0.7, {3: 0.99}), (0.4, {5: 0.5})


def test_a_doubtful_face_of_the_size_of_the_other_dice_is_more_likely_a_die() -> None:
    alike, _ = dice_among(faces(SURE, SURE, DOUBTFUL, sides=(40, 42, 41)))
    unlike, _ = dice_among(faces(SURE, SURE, DOUBTFUL, sides=(40, 42, 12)))
    assert (len(alike.sides), len(unlike.sides)) == (3, 2)


def test_doubtful_faces_of_one_size_do_not_outweigh_certain_dice() -> None:
    tiles = [(0.5, {5: 0.6})] * 3
    found, _ = dice_among(faces(SURE, SURE, *tiles, sides=(20, 21, 30, 30, 30)))
    assert found.sides.tolist() == [20, 21]


def test_a_place_of_the_size_of_certain_dice_scores_higher() -> None:
    places = Proposals(
        np.zeros((2, 2), np.float32), np.array([22, 44], np.float32), np.array([0.4, 0.4], np.float32)
    )
    alike, unlike = proposal_scores(places, faces(SURE, SURE, sides=(20, 21)))
    assert alike > unlike
    alone, beside = proposal_scores(places, faces(DOUBTFUL, sides=(20,)))
    assert alone == pytest.approx(beside, abs=0.2)


def test_a_place_that_the_sifter_takes_for_a_die_is_read_before_others() -> None:
    places = Proposals(
        np.zeros((2, 2), np.float32), np.array([22, 22], np.float32), np.array([0.5, 0.4], np.float32)
    )
    unlikely, likely = sifted_scores(places, np.array([0.1, 0.9]), NO_FACES)
    assert likely > unlikely


def test_only_possible_dice_are_classified_again() -> None:
    hopeless, doubtful = (0.4, {3: 0.02}), (0.6, {3: 0.3})
    assert _may_be_dice(faces(hopeless, doubtful, sides=(20, 20)), NO_FACES).tolist() == [False, True]
    sure = faces(*[SURE] * 5, sides=[20] * 5)
    assert _may_be_dice(faces(doubtful, doubtful, sides=(20, 60)), sure).tolist() == [True, False]


def test_sure_dice_of_different_sizes_are_all_reported() -> None:
    found, _ = dice_among(faces(SURE, SURE, SURE, sides=(40, 42, 15)))
    assert len(found.sides) == 3


def test_a_die_alone_is_judged_without_regard_to_its_size() -> None:
    chances = [dice_among(faces(SURE, sides=(side,)))[1].sum() for side in (12, 120)]
    assert chances[0] == pytest.approx(chances[1])


def test_an_unreadable_face_is_reported_only_when_certainly_a_die() -> None:
    spread = dict.fromkeys(range(1, 7), 0.11)
    found, _ = dice_among(faces((0.4, spread), sides=(40,)))
    assert len(found.sides) == 0
    found, shown = dice_among(faces((0.8, dict.fromkeys(range(1, 7), 0.165)), sides=(40,)))
    assert len(found.sides) == 1
    assert shown.max() < 0.5


def test_the_more_certain_of_two_faces_on_one_body_remains() -> None:
    seen = faces(SURE, (0.4, {2: 0.8}), sides=(40, 40))
    seen.centres[1] = seen.centres[0] + 20
    found, shown = dice_among(seen)
    assert len(found.sides) == 1
    assert shown[0].argmax() + 1 == 3


# --- accuracy ------------------------------------------------------------------------------------------------


def reading(value: int | None, x: int, y: int, *, colour: str = "red", confidence: float = 0.9) -> DieReading:
    return DieReading(value, colour, (x - 5, y - 5, 10, 10), confidence)


def true_die(value: int, x: float, y: float, *, colour: str = "red") -> TrueDie:
    return TrueDie(value, colour, ((x, y),), (x - 10, y - 10, 20, 20), 20)


def test_readings_pair_with_the_nearest_die_whatever_their_value() -> None:
    dice = [true_die(1, 100, 100), true_die(2, 118, 100)]
    assert pair(dice, [reading(1, 116, 100), reading(2, 101, 100)]) == {0: 1, 1: 0}


def test_a_second_reading_of_a_die_is_false() -> None:
    accuracy = DiceAccuracy()
    accuracy.add(PictureTruth((true_die(3, 50, 50),)), [reading(3, 50, 50), reading(3, 55, 50)])
    assert (accuracy.right, accuracy.false, accuracy.exact) == (1, 1, 0)


def test_readings_in_an_ignored_box_are_dropped() -> None:
    accuracy = DiceAccuracy()
    accuracy.add(PictureTruth((), ((0, 0, 20, 20),)), [reading(3, 10, 10)])
    assert (accuracy.false, accuracy.empty_clean) == (0, 1)


def test_a_reading_without_a_value_is_found_but_not_answered() -> None:
    accuracy = DiceAccuracy()
    accuracy.add(PictureTruth((true_die(3, 50, 50),)), [reading(None, 50, 50)])
    assert (accuracy.found, accuracy.answered, accuracy.right, accuracy.false) == (1, 0, 0, 0)


def test_an_invisible_die_is_not_scored() -> None:
    hidden = TrueDie(4, "red", ((50, 50),), None, 8, scored=False)
    accuracy = DiceAccuracy()
    accuracy.add(PictureTruth((hidden,)), [reading(5, 50, 50)])
    assert (accuracy.dice, accuracy.false, accuracy.pictures) == (0, 0, 0)


def test_calibration_compares_confidence_with_the_share_right() -> None:
    accuracy = DiceAccuracy()
    truth = PictureTruth((true_die(1, 50, 50), true_die(2, 100, 50)))
    accuracy.add(truth, [reading(1, 50, 50, confidence=0.99), reading(3, 100, 50, confidence=0.6)])
    low, high = accuracy.calibration()
    assert (low["readings"], low["right"]) == (1, 0.0)
    assert (high["readings"], high["right"]) == (1, 1.0)


def accuracy_on(folder: Path) -> DiceAccuracy:
    pictures = sorted(folder.glob("*.jpg"))
    truth = truth_beside(pictures)
    return score(truth, {picture: read_dice(load_image(picture)) for picture in truth})


@pytest.fixture(scope="module")
def real(shared: Path) -> DiceAccuracy:
    return accuracy_on(shared / "photos" / "dice")


@pytest.fixture(scope="module")
def rendered(shared: Path) -> DiceAccuracy:
    return accuracy_on(shared / "photos" / "rendered")


@pytest.mark.slow
def test_real_photos_are_read_as_well_as_before(real: DiceAccuracy) -> None:
    assert real.read_right >= 0.975
    assert real.exact >= 0.92 * real.pictures
    assert real.right >= 0.985 * real.answered
    assert real.precision >= 0.98
    assert real.colour_right >= 0.98 * real.found


@pytest.mark.slow
def test_real_tables_without_dice_stay_free_of_them(real: DiceAccuracy) -> None:
    assert real.empty_clean == real.empty_pictures


@pytest.mark.slow
def test_rendered_tables_are_read_as_well_as_before(rendered: DiceAccuracy) -> None:
    assert rendered.read_right >= 0.8
    assert rendered.precision >= 0.88
    assert rendered.colour_right >= 0.93 * rendered.found


@pytest.mark.slow
def test_high_confidence_on_real_photos_is_deserved(real: DiceAccuracy) -> None:
    sure = [right for confidence, right in real.readings if confidence >= 0.95]
    assert len(sure) >= 100
    assert sum(sure) >= 0.97 * len(sure)
