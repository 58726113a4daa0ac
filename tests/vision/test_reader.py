"""Reading whole tables, and the ``read boards`` command, on frames of the virtual table."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.table_file import TableFile, parse
from companion.cli.main import main
from hardware.scene import Scene
from hardware.virtual_table import TableLayout, VirtualTable, enrolment_frames, sample_layout
from hardware.virtual_table.games.burgundy.sprites import GOODS_LABELS, TILE_LABELS
from vision import table_dice
from vision.accuracy.boards import BoardAccuracy, score_boards
from vision.gallery import Gallery
from vision.reader import TableReader, enrol_places
from vision.sighting import EMPTY, DieReading, FrameSizeError, Sighting
from vision.view import view_of

PLAYERS = ("red", "blue")


@pytest.fixture(autouse=True)
def _no_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice have tests of their own."""
    monkeypatch.setattr(table_dice, "read_dice", lambda frame, **_: ())


@dataclass
class Shot:
    """A virtual table photographed once."""

    scene: Scene
    frame: np.ndarray
    table: TableFile
    table_json: dict[str, Any]
    truth: dict[str, Any]


def random_scene(layout: TableLayout, rng: np.random.Generator) -> Scene:
    """Returns a scene with half of all places occupied; duchies only have tiles of the right type."""
    places = {}
    for group in layout.groups:
        kinds = GOODS_LABELS if group.shape == "square" else TILE_LABELS
        filled = rng.random(len(group.centres_mm)) < 0.5
        places[group.name] = tuple(str(rng.choice(kinds)) if f else EMPTY for f in filled)
    for board in layout.boards:
        tiles = []
        for colour, _ in board.spaces:
            fitting = [label for label in TILE_LABELS if label.split("/")[0] == colour]
            tiles.append(str(rng.choice(fitting)) if rng.random() < 0.5 else EMPTY)
        places[f"duchy:{board.player}"] = tuple(tiles)
    return Scene(places=places)


def shoot(
    scene_of: Callable[[TableLayout, np.random.Generator], Scene] = random_scene,
    *,
    seed: int = 3,
    hand: str | None = None,
) -> Shot:
    layout = sample_layout(PLAYERS)
    scene = scene_of(layout, np.random.default_rng(seed))
    scene = Scene(scene.places, scene.dice, hand)
    with VirtualTable(layout, seed=seed) as table:
        table.show(scene)
        data = table.table_file()
        return Shot(scene, table.read(), parse(data, "virtual"), data, table.truth())


@pytest.fixture(scope="module")
def gallery() -> Gallery:
    """Enrolled as by an owner: from a sheet of all faces and the empty table."""
    gallery = Gallery()
    for frame, table, labels in enrolment_frames(1, layout=sample_layout(PLAYERS)):
        enrol_places(gallery, frame, parse(table, "enrolment"), labels)
    return gallery


@pytest.fixture(scope="module")
def shot() -> Shot:
    return shoot()


def truth_labels(shot: Shot) -> dict[str, str]:
    return {f"{g}:{i}": label for g, labels in shot.scene.places.items() for i, label in enumerate(labels)}


def test_every_place_of_the_table_is_read_right_down_to_the_variant(shot: Shot, gallery: Gallery) -> None:
    sighting = TableReader(shot.table, gallery).read(shot.frame)
    assert {name: place.best for name, place in sighting.places.items()} == truth_labels(shot)
    assert not any(place.hidden for place in sighting.places.values())


def test_probabilities_are_sane_and_survive_json(shot: Shot, gallery: Gallery) -> None:
    sighting = TableReader(shot.table, gallery).read(shot.frame)
    for place in sighting.places.values():
        assert 0 <= sum(place.probabilities.values()) <= 1 + 1e-6
    again = Sighting.from_json(json.loads(sighting.dumps()))
    assert again.places.keys() == sighting.places.keys()


def test_a_die_survives_json_with_and_without_probabilities() -> None:
    known = DieReading(4, "red", (1, 2, 3, 3), 0.9, probabilities=(0.02, 0.02, 0.02, 0.9, 0.02, 0.02))
    unknown = DieReading(None, "red", (1, 2, 3, 3), 0.4, "cocked")
    assert [DieReading.from_json(json.loads(json.dumps(die.to_json()))) for die in (known, unknown)] == [
        known,
        unknown,
    ]


def test_without_a_gallery_tiles_are_read_to_types_and_goods_left_out(shot: Shot) -> None:
    sighting = TableReader(shot.table).read(shot.frame)
    goods = [group.name for group in shot.table.places if group.shape == "square"]
    truth = {name: label.split("/")[0] for name, label in truth_labels(shot).items()}
    read = {name: label for name, label in truth.items() if name.rsplit(":", 1)[0] not in goods}
    assert sighting.places.keys() == read.keys()
    wrong = {name for name, label in read.items() if sighting.places[name].best != label}
    assert len(wrong) <= 1
    assert all(max(sighting.places[name].probabilities.values()) < 0.8 for name in wrong)


def test_without_a_visible_duchy_places_are_read_by_the_gallery_only(shot: Shot, gallery: Gallery) -> None:
    alone = replace(shot.table, boards=())
    truth = {name: label for name, label in truth_labels(shot).items() if not name.startswith("duchy")}
    places = TableReader(alone, gallery).read(shot.frame).places
    assert {name: place.best for name, place in places.items()} == truth
    assert all(place.hidden for place in TableReader(alone).read(shot.frame).places.values())


def test_only_the_requested_places_are_read(shot: Shot, gallery: Gallery) -> None:
    asked = {"depot:2", "duchy:red:5", "storage:blue:1"}
    sighting = TableReader(shot.table, gallery).read(shot.frame, only=asked)
    depot = {f"depot:2:{i}" for i in range(len(shot.scene.places["depot:2"]))}
    assert sighting.places.keys() == {*depot, "duchy:red:5", "storage:blue:1"}


def test_a_nudged_camera_is_followed(shot: Shot, gallery: Gallery) -> None:
    nudge = cv2.getRotationMatrix2D((1152, 648), 0.6, 1.0) + np.array([[0, 0, 9], [0, 0, -6]])
    nudged = cv2.warpAffine(shot.frame, nudge, shot.table.image_size, borderMode=cv2.BORDER_REPLICATE)
    places = TableReader(shot.table, gallery).read(nudged).places
    wrong = [name for name, label in truth_labels(shot).items() if places[name].best != label]
    assert len(wrong) <= 1


def test_places_are_hidden_while_too_few_markers_are_seen(shot: Shot, gallery: Gallery) -> None:
    covered = shot.frame.copy()
    covered[: covered.shape[0] // 2, : covered.shape[1] // 3] = 90
    covered[:, covered.shape[1] * 2 // 3 :] = 90
    table_reader = TableReader(shot.table, gallery)
    sighting = table_reader.read(covered)
    assert table_reader.view is not None and table_reader.view.table is None
    assert "uncover" in str(table_reader.view.markers)
    assert sighting.places and all(place.hidden for place in sighting.places.values())


def test_a_hand_over_places_does_not_pass_for_a_tile(gallery: Gallery) -> None:
    shot = shoot(seed=5, hand="red")
    places = TableReader(shot.table, gallery).read(shot.frame).places
    labels = truth_labels(shot)
    covered = {name for name, place in shot.truth["places"].items() if place["hidden"]}
    sure = {n: p for n, p in places.items() if not p.hidden and p.probabilities[p.best] > 0.9}
    assert covered
    assert {n: p.best for n, p in sure.items()} == {n: labels[n] for n in sure}
    assert sum(places[n].hidden for n in covered) >= len(covered) / 2
    assert sum(p.hidden for n, p in places.items() if n not in covered) <= 2  # grazed by the hand's edge


def test_a_frame_of_another_shape_is_refused_with_the_cure(shot: Shot) -> None:
    with pytest.raises(FrameSizeError, match="calibrate again"):
        TableReader(shot.table).read(np.zeros((500, 500, 3), np.uint8))


def test_a_frame_at_half_size_is_read_too(shot: Shot) -> None:
    half = cv2.resize(shot.frame, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    places = TableReader(shot.table).read(half, only=["duchy:red"]).places
    right = [place.best == truth_labels(shot)[name].split("/")[0] for name, place in places.items()]
    assert np.mean(right) >= 0.9


def test_a_die_in_the_area_of_a_colour_has_that_colour(shot: Shot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dark blue looks black under a lamp; the tray shows whose die it is."""
    area = table_dice.dice_areas(shot.table, view_of(shot.frame, shot.table))["blue"]
    x, y = np.mean(area, axis=0)
    die = DieReading(3, "black", (round(x) - 15, round(y) - 15, 30, 30), 0.9)
    monkeypatch.setattr(table_dice, "read_dice", lambda frame, **_: (die,))
    (read,) = TableReader(shot.table).read(shot.frame).dice
    assert (read.colour, read.value) == ("blue", 3)


def test_dice_are_searched_in_the_declared_areas(shot: Shot, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {}
    monkeypatch.setattr(table_dice, "read_dice", lambda frame, **options: asked.update(options) or ())
    TableReader(shot.table).read(shot.frame, only=[])
    assert len(asked["areas"]) == len(shot.table.dice_areas_mm) > 0
    assert "white" in asked["colours"]


@pytest.mark.parametrize(
    ("awaited", "expected"),
    [({}, {}), ({"blue": 2, "white": 1}, {"blue": 2, "white": 1})],
)
def test_awaited_dice_are_searched_in_the_areas_of_their_colours(
    shot: Shot, monkeypatch: pytest.MonkeyPatch, awaited: dict[str, int], expected: dict[str, int]
) -> None:
    asked = {}
    monkeypatch.setattr(table_dice, "read_dice", lambda frame, **options: asked.update(options) or ())
    TableReader(shot.table, awaited_dice=lambda: awaited).read(shot.frame, only=[])
    areas = table_dice.dice_areas(shot.table, view_of(shot.frame, shot.table))
    assert dict(zip(areas, asked["awaited"], strict=True)) == dict.fromkeys(areas, 0) | expected


def test_awaited_dice_without_areas_are_searched_in_the_whole_frame(
    shot: Shot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {}
    monkeypatch.setattr(table_dice, "read_dice", lambda frame, **options: asked.update(options) or ())
    bare = replace(shot.table, dice_areas_mm={})
    TableReader(bare, awaited_dice=lambda: {"blue": 2, "white": 1}).read(shot.frame, only=[])
    assert (asked["areas"], asked["awaited"]) == (None, [3])


def test_awaited_dice_without_areas_of_their_own_are_searched_in_the_only_tray(
    shot: Shot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {}
    monkeypatch.setattr(table_dice, "read_dice", lambda frame, **options: asked.update(options) or ())
    tray = ((10.0, 10.0), (300.0, 10.0), (300.0, 300.0), (10.0, 300.0))
    table = replace(
        shot.table, dice_areas=(tray,), dice_areas_mm={"white": shot.table.dice_areas_mm["white"]}
    )
    TableReader(table, awaited_dice=lambda: {"blue": 2, "red": 2, "white": 1}).read(shot.frame, only=[])
    assert asked["awaited"] == [4, 1]


def test_a_die_printed_on_a_bare_space_is_no_die(shot: Shot, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = next(n for n, label in truth_labels(shot).items() if n.startswith("duchy:red") and label == EMPTY)
    dice = [die_at(shot.truth["places"][bare]["centre"]), die_at((1150, 20))]
    monkeypatch.setattr(table_dice, "read_dice", lambda frame, **_: tuple(dice))
    assert TableReader(shot.table).read(shot.frame).dice == (dice[1],)


def die_at(centre: tuple[float, float]) -> DieReading:
    x, y = (round(c) - 12 for c in centre)
    return DieReading(4, "white", (x, y, 24, 24), 0.9)


# Learning in play


def test_a_certain_tile_becomes_an_example_and_is_recognised(shot: Shot) -> None:
    labels = truth_labels(shot)
    place, label = next(item for item in labels.items() if item[0].startswith("duchy") and "/" in item[1])
    reader = TableReader(shot.table, Gallery())
    assert reader.read(shot.frame).places[place].best == label.split("/")[0]
    assert reader.add_examples(shot.frame, {place: label}) == 1
    assert reader.read(shot.frame).places[place].best == label


def test_a_place_of_another_type_adds_no_example(shot: Shot) -> None:
    labels = truth_labels(shot)
    place, label = next(item for item in labels.items() if item[0].startswith("duchy") and "/" in item[1])
    other = "ship" if not label.startswith("ship") else "mine"
    reader = TableReader(shot.table, Gallery())
    reader.read(shot.frame)
    assert reader.add_examples(shot.frame, {place: other}) == 0


def test_an_empty_place_adds_no_example(shot: Shot) -> None:
    bare = next(n for n, label in truth_labels(shot).items() if n.startswith("duchy") and label == EMPTY)
    reader = TableReader(shot.table, Gallery())
    reader.read(shot.frame)
    assert reader.add_examples(shot.frame, {bare: EMPTY}) == 0


def test_an_unknown_tile_is_read_as_its_type_with_the_best_variants(shot: Shot, gallery: Gallery) -> None:
    labels = truth_labels(shot)
    place, label = next(
        item for item in labels.items() if item[0].startswith("duchy") and item[1].startswith("building/")
    )
    others = Gallery()
    for patch, known in zip(gallery._patches, gallery._labels, strict=True):
        if known != label:
            others.add_example(patch, known)
    reading = TableReader(shot.table, others).read(shot.frame).places[place]
    assert reading.best == "building"
    assert sum(name.startswith("building/") for name in reading.probabilities) >= 3


# The command


@pytest.fixture
def folder(shot: Shot, tmp_path: Path) -> Path:
    """Returns a picture, its table file, and some files that a shell glob brings along."""
    cv2.imwrite(str(tmp_path / "evening.jpg"), shot.frame)
    (tmp_path / "evening.table.json").write_text(json.dumps(shot.table_json))
    (tmp_path / "notes.md").write_text("not a picture")
    (tmp_path / "more").mkdir()
    return tmp_path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["read", "boards", *map(str, arguments)])


def test_json_has_the_documented_shape(folder: Path, shot: Shot) -> None:
    result = run(*sorted(folder.iterdir()), "--table", folder / "evening.table.json", "--json")
    (picture,) = json.loads(result.stdout)
    assert result.exit_code == 0
    assert picture.keys() == {"image", "ms", "boards", "dice"}
    assert [board["player"] for board in picture["boards"]] == list(PLAYERS)
    spaces = picture["boards"][0]["spaces"]
    assert len(spaces) == 37
    assert spaces[4].keys() == {"row", "col", "tile", "confidence", "hidden"}
    assert (spaces[4]["row"], spaces[4]["col"]) == (1, 0)
    expected = [label.split("/")[0] for label in shot.scene.places["duchy:red"]]
    assert [s["tile"]["type"] if s["tile"] else EMPTY for s in spaces] == expected


def test_a_folder_of_table_files_serves_each_picture(folder: Path) -> None:
    result = run(folder / "evening.jpg", "--table", folder)
    assert result.exit_code == 0
    assert "red: " in result.stdout and " tiles" in result.stdout


def test_a_gallery_distinguishes_variants(folder: Path, gallery: Gallery, shot: Shot) -> None:
    gallery.save(folder / "mine.npz")
    result = run(folder / "evening.jpg", "--table", folder, "--gallery", folder / "mine.npz", "--json")
    spaces = json.loads(result.stdout)[0]["boards"][1]["spaces"]
    read = ["/".join(v for v in s["tile"].values() if v) if s["tile"] else EMPTY for s in spaces]
    assert read == list(shot.scene.places["duchy:blue"])


def truth_json(shot: Shot) -> dict[str, Any]:
    """Returns the truth file of a rendered picture, for the virtual table."""
    boards = []
    plans = {board["player"]: board for board in shot.table_json["boards"]}
    for player in PLAYERS:
        hexes = []
        spaces = plans[player]["duchy"]["spaces"]
        places = [shot.truth["places"][f"duchy:{player}:{i}"] for i in range(37)]
        index = iter(range(37))
        for row, length in enumerate((4, 5, 6, 7, 6, 5, 4)):
            for col in range(length):
                i = next(index)
                kind, _, variant = places[i]["label"].partition("/")
                tile = (
                    None
                    if kind == EMPTY
                    else {"type": kind, "variant": variant or None, "rule_violation": False}
                )
                colour, die = spaces[i]
                hexes.append(
                    {
                        "row": row,
                        "col": col,
                        "centre": list(places[i]["centre"]),
                        "printed_colour": colour,
                        "printed_die": die,
                        "tile": tile,
                        "visible": 1.0,
                    }
                )
        boards.append({"player": player, "hexes": hexes})
    camera = shot.table_json["camera"]
    return {
        "image": "evening.jpg",
        "width": shot.frame.shape[1],
        "height": shot.frame.shape[0],
        "camera": {"K": camera["matrix"], "dist_k1k2p1p2k3": camera["distortion"]},
        "boards": boards,
    }


def test_a_truth_beside_the_picture_serves_as_table_file_and_gives_the_accuracy(
    folder: Path, shot: Shot
) -> None:
    (folder / "evening.truth.json").write_text(json.dumps(truth_json(shot)))
    result = run(folder / "evening.jpg")
    assert result.exit_code == 0
    assert "accuracy: occupancy 100.0 % (74/74)" in result.stdout
    as_json = run(folder / "evening.jpg", "--json")
    assert "accuracy" in as_json.stderr and "accuracy" not in as_json.stdout


def test_a_broken_picture_is_named_and_the_others_are_read(folder: Path) -> None:
    (folder / "broken.jpg").write_bytes(b"")
    result = run(folder / "broken.jpg", folder / "evening.jpg", "--table", folder / "evening.table.json")
    assert result.exit_code == 1
    assert "broken.jpg" in result.stderr and "evening.jpg" in result.stdout
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--table", "nowhere.json"], "nowhere.json"),
    ],
)
def test_a_missing_table_file_is_one_sentence_with_the_cure(
    folder: Path, options: list[str], message: str
) -> None:
    result = run(folder / "evening.jpg", *options)
    assert result.exit_code == 1
    assert message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_without_a_table_file_the_boards_are_found(folder: Path) -> None:
    result = run(folder / "evening.jpg", "--json")
    (picture,) = json.loads(result.stdout)
    assert [board["player"] for board in picture["boards"]] == list(PLAYERS)


def test_a_picture_without_boards_is_one_sentence_with_the_cure(folder: Path) -> None:
    cv2.imwrite(str(folder / "bare.png"), np.full((400, 600, 3), 120, np.uint8))
    result = run(folder / "bare.png")
    assert result.exit_code == 1
    assert "bare.png: no duchy was found in it; name a table file with --table FILE" in result.stderr


@pytest.mark.parametrize("content", ["{", "[]", '{"boards": [{}], "width": 1}'])
def test_a_broken_truth_is_one_sentence_with_the_cure(folder: Path, content: str) -> None:
    (folder / "evening.truth.json").write_text(content)
    result = run(folder / "evening.jpg")
    assert result.exit_code == 1
    assert "evening" in result.stderr and len(result.stderr.strip().splitlines()) == 1


def test_a_file_that_is_no_gallery_is_refused(folder: Path) -> None:
    result = run(folder / "evening.jpg", "--table", folder, "--gallery", folder / "notes.md")
    assert result.exit_code == 1 and "not a gallery" in result.stderr


def test_nothing_to_read_is_a_usage_error(folder: Path) -> None:
    assert run(folder / "notes.md", folder / "more").exit_code == 2
    assert run().exit_code == 2


# The score


def scored(
    want: list[dict[str, Any]], got: list[dict[str, Any] | None], *, variants: bool = False
) -> BoardAccuracy:
    hexes = [{"row": 0, "col": i, **space} for i, space in enumerate(want)]
    spaces = [{"row": 0, "col": i, "tile": tile} for i, tile in enumerate(got)]
    return score_boards(
        {"boards": [{"player": "red", "hexes": hexes}]},
        [{"player": "red", "spaces": spaces}],
        variants=variants,
    )


BANK = {"type": "building", "variant": "bank"}
CHURCH = {"type": "building", "variant": "church"}
MINE = {"type": "mine", "variant": None}


def test_occupancy_type_and_variant_are_counted_apart() -> None:
    accuracy = scored(
        [{"tile": BANK}, {"tile": MINE}, {"tile": None}, {"tile": BANK}],
        [CHURCH, BANK, MINE, None],
        variants=True,
    )
    assert (accuracy.correct["occupancy"], accuracy.total["occupancy"]) == (2, 4)
    assert (accuracy.correct["type"], accuracy.total["type"]) == (1, 3)
    assert (accuracy.correct["variant"], accuracy.total["variant"]) == (0, 2)
    assert accuracy.rate("exact boards") == 0


def test_a_wrong_variant_spoils_only_the_board_with_variants() -> None:
    accuracy = scored([{"tile": BANK}], [CHURCH], variants=True)
    assert accuracy.rate("exact boards") == 1 and accuracy.rate("exact boards with variants") == 0


def test_spaces_hardly_visible_are_not_scored() -> None:
    assert scored([{"tile": BANK, "visible": 0.4}, {"tile": None}], [None, None]).total["occupancy"] == 1


def test_a_board_not_read_is_wrong_everywhere() -> None:
    truth = {"boards": [{"player": "red", "hexes": [{"row": 0, "col": 0, "tile": None}]}]}
    assert score_boards(truth, []).rate("occupancy") == 0


def test_tiles_on_a_wrong_colour_are_counted_apart() -> None:
    accuracy = scored([{"tile": {**MINE, "rule_violation": True}}, {"tile": MINE}], [MINE, None])
    assert (accuracy.correct["off-colour type"], accuracy.total["off-colour type"]) == (1, 1)


def test_a_picture_that_is_not_read_is_named_with_its_cure(tmp_path: Path) -> None:
    photo = tmp_path / "photo.heic"
    photo.write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(500))
    result = run(photo)
    assert result.exit_code == 1 and "an iPhone photo (HEIC)" in result.output
