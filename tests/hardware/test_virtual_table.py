"""The virtual table renders what its truth describes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.table_file import parse
from hardware.scene import Scene, SceneDie
from hardware.virtual_table import VirtualTable, enrolment_frames, sample_layout
from hardware.virtual_table.canvas import Frame
from hardware.virtual_table.games.burgundy import standard_layout
from hardware.virtual_table.games.burgundy.layout import SAMPLE_DUCHY
from hardware.virtual_table.games.burgundy.sprites import GOODS_LABELS, TILE_LABELS, tile_face
from hardware.virtual_table.optics import Lens, Light
from hardware.virtual_table.pieces import DIE_MM, Die, Stage, draw_die
from hardware.virtual_table.sprites import hexagon, square

PLAYERS = ("red", "blue", "green", "black")
DICE = (SceneDie(3, "red", "red"), SceneDie(5, "red", "red"), SceneDie(6, "white", "white"))


@pytest.fixture(scope="module")
def table() -> VirtualTable:
    """Returns a table for four, shared by tests that show their own scene first."""
    return VirtualTable(sample_layout(PLAYERS), seed=4)


def scene(**places: dict[int, str]) -> Scene:
    """Returns a scene from ``group={index: label}``; ``__`` in a name stands for its colon."""
    layout = sample_layout(PLAYERS)
    filled = {}
    for name, labels in places.items():
        group = layout.group(name.replace("__", ":"))
        filled[group.name] = tuple(labels.get(i, "empty") for i in range(len(group.centres_mm)))
    return Scene(places=filled)


def changed_box(before: np.ndarray, after: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the lowest and highest (x, y) of the pixels that differ."""
    y, x = np.nonzero((before != after).any(axis=2))
    return np.array([x.min(), y.min()]), np.array([x.max(), y.max()])


def test_markers_are_found_at_their_true_positions(table: VirtualTable) -> None:
    table.show(Scene())
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    quads, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(table.read())
    found = {str(i): quad.reshape(4, 2) for i, quad in zip(ids.ravel(), quads, strict=True)}
    truth = table.truth()["markers"]
    assert set(truth) <= set(found)
    for identity, corners in truth.items():
        assert np.linalg.norm(found[identity] - corners, axis=1).max() < 1.5


def test_every_printed_thing_is_in_the_picture(table: VirtualTable) -> None:
    table.show(Scene())
    height, width = table.read().shape[:2]
    truth = table.truth()
    points = [place["centre"] for place in truth["places"].values()]
    points += [corner for quad in truth["markers"].values() for corner in quad]
    points += [corner for area in table.layout.dice_areas.values() for corner in table.project(area)]
    assert (np.array(points) > 10).all()
    assert (np.array(points) < (width - 10, height - 10)).all()


def test_a_millimetre_is_at_least_1_9_pixels_wide_everywhere(table: VirtualTable) -> None:
    corners = np.array([(0, 0), (1080, 0), (1080, 600), (0, 600)], float)
    for corner in corners:
        here, right, below = table.project(corner + np.array([(0, 0), (1, 0), (0, 1)]))
        assert min(np.linalg.norm(right - here), np.linalg.norm(below - here)) >= 1.9


def test_the_same_seed_gives_the_same_first_frame() -> None:
    shown = Scene(places={"storage:red": ("castle", "empty", "mine")}, dice=DICE)
    frames = []
    for seed in (8, 8, 9):
        with VirtualTable(sample_layout(), seed=seed, size=(1152, 648)) as table:
            table.show(shown)
            frames.append(table.read())
    assert np.array_equal(frames[0], frames[1])
    assert not np.array_equal(frames[0], frames[2])


def test_every_frame_has_its_own_noise(table: VirtualTable) -> None:
    first, second = table.read(), table.read()
    difference = first.astype(int) - second
    assert 2 < difference.std() < 5
    assert abs(difference.mean()) < 0.2


def test_a_new_tile_changes_pixels_only_near_its_place(table: VirtualTable) -> None:
    table.show(scene(duchy__red={4: "castle"}))
    before = table.clean()
    table.show(scene(duchy__red={4: "castle", 20: "ship"}))
    low, high = changed_box(before, table.clean())
    centre = np.array(table.truth()["places"]["duchy:red:20"]["centre"])
    assert (low < centre).all() and (centre < high).all()
    assert np.abs([low - centre, high - centre]).max() < 50


def test_a_table_changed_step_by_step_looks_as_if_drawn_at_once() -> None:
    final = scene(duchy__red={4: "castle", 5: "ship", 9: "mine"}, black={0: "monastery/7"})
    stepwise, at_once = (VirtualTable(sample_layout(PLAYERS), seed=1, noise=0) for _ in range(2))
    stepwise.show(final)
    at_once.show(final)
    stepwise.show(Scene(places=final.places, hand="red"))
    stepwise.show(Scene(places=final.places, dice=DICE))
    stepwise.show(final)
    assert np.array_equal(stepwise.read(), at_once.read())


def test_a_tile_that_stays_does_not_move(table: VirtualTable) -> None:
    table.show(scene(storage__blue={1: "building/bank"}))
    before = table.truth()["places"]["storage:blue:1"]
    table.show(scene(storage__blue={0: "mine", 1: "building/bank"}))
    assert table.truth()["places"]["storage:blue:1"] == before


def test_tiles_lie_within_1_5_mm_of_their_place(table: VirtualTable) -> None:
    table.show(scene(duchy__green=dict.fromkeys(range(37), "castle")))
    truth = table.truth()["places"]
    mismatches = [
        np.linalg.norm(
            np.mean(truth[f"duchy:green:{i}"]["outline"], axis=0) - truth[f"duchy:green:{i}"]["centre"]
        )
        for i in range(37)
    ]
    assert max(mismatches) < 1.5 * 2.2
    assert np.std(mismatches) > 0.2


def test_a_die_that_stays_does_not_move_when_another_is_taken(table: VirtualTable) -> None:
    table.show(Scene(dice=DICE))
    before = {die["value"]: die["centre"] for die in table.truth()["dice"]}
    table.show(Scene(dice=DICE[1:]))
    assert {die["value"]: die["centre"] for die in table.truth()["dice"]} == {5: before[5], 6: before[6]}


def test_dice_in_one_area_do_not_touch(table: VirtualTable) -> None:
    for value in range(1, 7):
        table.show(Scene(dice=(SceneDie(value, "red", "red"), SceneDie(7 - value, "red", "red"))))
        one, other = (np.array(die["centre"]) for die in table.truth()["dice"])
        assert np.linalg.norm(one - other) > DIE_MM * np.sqrt(2) * 1.9


@pytest.mark.parametrize("value", range(1, 7))
def test_a_top_face_shows_as_many_pips_as_its_value(table: VirtualTable, value: int) -> None:
    table.show(Scene(dice=(SceneDie(value, "red", "red"),)))
    (die,) = table.truth()["dice"]
    upright = np.array([(0, 0), (120, 0), (120, 120), (0, 120)], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(die["quad"], np.float32), upright)
    face = cv2.warpPerspective(table.clean(), matrix, (120, 120))[8:-8, 8:-8]
    pips, _ = cv2.connectedComponents((face[..., 1] > 120).astype(np.uint8))
    assert pips - 1 == value


@pytest.mark.parametrize("area", ["blue", "black"])
@pytest.mark.parametrize("colour", ["white", "red", "blue", "green", "black", "yellow"])
def test_a_top_face_is_lighter_than_the_sides_of_the_same_die(area: str, colour: str) -> None:
    """In the trays nearest to the lamp and farthest from it, where the sides that the camera sees face the lamp."""
    layout = sample_layout(PLAYERS)
    centre = np.mean(layout.dice_areas[area], axis=0)
    left, top = (float(c) - 40 for c in centre)
    lens, frame = Lens(layout.size_mm, (2304, 1296)), Frame((left, top), (320, 320), 4.0)
    die = Die(4, colour, (float(centre[0]), float(centre[1])), 20.0)
    canvas = np.zeros((320, 320, 3), np.uint8)
    draw_die(Stage(frame, lens, Light()), die).paint(canvas)

    def outward(turn_deg: float) -> np.ndarray:
        angle = np.radians(die.turn_deg + turn_deg)
        return np.array([np.cos(angle), np.sin(angle)])

    def level(spot_mm: np.ndarray, height_mm: float) -> int:
        (x, y) = frame.px(lens.onto_table(centre + spot_mm, height_mm))[0].round().astype(int)
        return int(canvas[y, x].sum(dtype=int))

    beside_pips, half = 6.6, DIE_MM / 2
    to_camera = [turn for turn in (0, 90, 180, 270) if outward(turn) @ (lens.eye_mm[:2] - centre) > half]
    sides = [level(half * outward(turn) + beside_pips * outward(turn + 90), half) for turn in to_camera]
    assert level(beside_pips * outward(0), DIE_MM) > 1.1 * max(sides)


@pytest.mark.parametrize("value", range(1, 7))
def test_faces_of_a_die_are_six_and_opposite_ones_sum_to_seven(value: int) -> None:
    sides = Die(value, "red", (0, 0), 0).sides
    assert {*sides, value, 7 - value} == set(range(1, 7))
    assert sides[0] + sides[2] == sides[1] + sides[3] == 7


def test_all_dice_have_the_same_hand() -> None:
    """Seen from any top face, 1, 2 and 3 run the same way about their common corner."""
    east, south = np.array([1, 0, 0]), np.array([0, 1, 0])
    hands = set()
    for value in range(1, 7):
        sides = Die(value, "red", (0, 0), 0).sides
        normals = dict(zip(sides, (east, south, -east, -south), strict=True))
        normals |= {value: np.array([0, 0, 1]), 7 - value: np.array([0, 0, -1])}
        hands.add(round(np.linalg.det(np.array([normals[1], normals[2], normals[3]]))))
    assert len(hands) == 1


def test_a_hand_hides_places_of_its_owner_and_goes_away(table: VirtualTable) -> None:
    table.show(Scene())
    before = table.clean()
    table.show(Scene(hand="black"))
    truth = table.truth()
    hidden = {name for name, place in truth["places"].items() if place["hidden"]}
    assert truth["hand"] == "black"
    assert hidden and all(name.split(":")[1] == "black" for name in hidden)
    table.show(Scene())
    assert np.array_equal(table.clean(), before)


def test_every_face_looks_different() -> None:
    faces = {}
    for label in (*TILE_LABELS, *GOODS_LABELS):
        small = cv2.resize(tile_face(label), (40, 40), interpolation=cv2.INTER_AREA)
        faces[label] = small.astype(float)
    labels = list(faces)
    for i, label in enumerate(labels):
        for other in labels[i + 1 :]:
            assert np.abs(faces[label] - faces[other]).mean() > 1.5, (label, other)


def test_the_table_file_is_one_that_the_loader_accepts(table: VirtualTable) -> None:
    loaded = parse(table.table_file(), "virtual table")
    assert loaded.image_size == (2304, 1296)
    assert [board.player for board in loaded.boards] == list(PLAYERS)
    assert set(loaded.dice_areas_mm) == {*PLAYERS, "white"}
    places = {group.name: len(group.centres_mm) for group in loaded.places}
    assert places["depot:3"] == 4 and places["black"] == 8 and places["storage:blue"] == 3


@pytest.mark.parametrize(("count", "slots", "black"), [(2, 2, 4), (3, 3, 6), (4, 4, 8)])
def test_the_number_of_players_decides_the_slots(count: int, slots: int, black: int) -> None:
    layout = sample_layout(PLAYERS[:count])
    assert {len(layout.group(f"depot:{depot}").centres_mm) for depot in range(1, 7)} == {slots}
    assert len(layout.group("black").centres_mm) == black


def test_depot_slots_can_be_given() -> None:
    slots = dict.fromkeys(range(1, 7), ("mine", "ship"))
    duchies = dict.fromkeys(PLAYERS[:2], SAMPLE_DUCHY)
    layout = standard_layout(PLAYERS[:2], duchies, depot_slots=slots, black_slots=5)
    assert layout.group("depot:2").prints == ("slot/mine", "slot/ship")
    assert len(layout.group("black").centres_mm) == 5


def test_no_two_places_or_dice_areas_overlap() -> None:
    layout = sample_layout(PLAYERS)
    scale, slack_mm = 2, 0.8
    shown: np.ndarray = np.zeros((600 * scale, 1080 * scale), np.uint8)
    areas = [np.array(polygon) for polygon in (*layout.dice_areas.values(), *layout.markers.values())]
    for group in layout.groups:
        outline = hexagon if group.shape == "hex" else square
        areas += [outline(group.size_mm - slack_mm) + centre for centre in group.centres_mm]
    for area in areas:
        mask = cv2.fillConvexPoly(np.zeros_like(shown), np.round(area * scale).astype(np.int32), 1)
        assert not np.bitwise_and(shown, mask).any()
        shown = np.bitwise_or(shown, mask)


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (Scene(places={"depot:7": ("mine",)}), "depot:7"),
        (Scene(places={"storage:red": ("mine",) * 4}), "3 places"),
        (Scene(places={"storage:red": ("goose", "empty", "empty")}), "goose"),
        (Scene(dice=(SceneDie(1, "red", "floor"),)), "floor"),
        (Scene(hand="nobody"), "nobody"),
    ],
)
def test_a_scene_that_does_not_fit_is_refused_by_name(table: VirtualTable, shown: Scene, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        table.show(shown)


@pytest.mark.parametrize(
    ("players", "words"), [((), "1 to 4"), (("red", "red"), "different"), (PLAYERS[:2], "blue")]
)
def test_a_layout_that_cannot_be_is_refused(players: tuple[str, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        standard_layout(players, {"red": SAMPLE_DUCHY, "blue": SAMPLE_DUCHY[:-1]})


def test_one_player_has_a_table_alone_with_as_many_slots_as_two() -> None:
    """Against a virtual player whose pieces stay in the box."""
    alone, pair = (
        standard_layout(players, dict.fromkeys(players, SAMPLE_DUCHY))
        for players in (("red",), ("red", "blue"))
    )
    assert [board.player for board in alone.boards] == ["red"]
    places = {group.name: len(group.centres_mm) for group in pair.groups if not group.name.endswith(":blue")}
    assert {group.name: len(group.centres_mm) for group in alone.groups} == places


def test_enrolment_shows_every_face_and_every_empty_place() -> None:
    frames = enrolment_frames(2, layout=sample_layout())
    labels = [label for *_, places in frames for label in places.values()]
    for label in (*TILE_LABELS, *GOODS_LABELS):
        assert labels.count(label) == 3
    (_, _, empty) = frames[-1]
    assert set(empty.values()) == {"empty"}
    assert {name.split(":")[0] for name in empty} == {
        *("duchy", "storage", "goods", "depot", "depot_goods", "black", "round"),
    }
    for frame, table_file, places in frames:
        loaded = parse(table_file, "enrolment")
        assert frame.shape == (1296, 2304, 3)
        declared = {f"{group.name}:{i}" for group in loaded.places for i in range(len(group.centres_mm))}
        assert declared <= set(places)
