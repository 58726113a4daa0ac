"""The table file: valid content, and errors that name file and field."""

from __future__ import annotations

import copy
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from calibration import table_file
from calibration.games.burgundy.facts import load_facts
from calibration.table_file import TableFile, TableFileError, load, parse
from hardware.virtual_table import VirtualTable, sample_layout

SQUARE = [[0, 0], [40, 0], [40, 40], [0, 40]]
FULL: dict[str, Any] = {
    "image_size": [1536, 864],
    "camera": {"matrix": [[1182.5, 0, 768], [0, 1182.5, 432], [0, 0, 1]], "distortion": [0.04, 0, 0, 0, 0]},
    "camera_settings": {
        "kind": "pi",
        "mains_hz": 50,
        "exposure_us": 20000,
        "gain": 1.5,
        "colour_gains": [1.9, 1.6],
        "focus": 1.1,
        "red_blue_swapped": True,
    },
    "markers": {"dictionary": "DICT_4X4_50", "corners_mm": {"0": SQUARE, "7": SQUARE}},
    "boards": [
        {"player": "red", "duchy": "se-3", "anchors": [[500, 100], [700, 100], [700, 400], [500, 400]]},
        {"player": "blue", "anchors_mm": SQUARE},
    ],
    "places": [{"name": "depot:1", "shape": "hex", "size_mm": 28.27, "centres_mm": [[10, 20], [40, 20]]}],
    "dice_areas": [[[0, 0], [100, 0], [50, 80]]],
    "dice_areas_mm": {"white": SQUARE},
    "card_areas_mm": {"left": SQUARE},
    "dice_colours": {"red": [40, 30.5, 190]},
    "white_area_mm": SQUARE,
}


def changed(*path: str | int, to: Any) -> dict[str, Any]:
    """Returns the full table with one value replaced."""
    data = copy.deepcopy(FULL)
    place: Any = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return data


def without(*path: str | int) -> dict[str, Any]:
    data = copy.deepcopy(FULL)
    place: Any = data
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    return data


def test_every_field_is_read() -> None:
    table = parse(FULL, "table.json")
    assert table.image_size == (1536, 864)
    assert table.camera is not None and table.camera.matrix[0] == (1182.5, 0, 768)
    assert table.camera_settings is not None
    assert table.camera_settings.document() == FULL["camera_settings"]
    assert table.markers is not None and set(table.markers.corners_mm) == {0, 7}
    assert table.boards[1].anchors_mm == ((0, 0), (40, 0), (40, 40), (0, 40))
    assert table.places[0].centres_mm == ((10, 20), (40, 20))
    assert table.dice_areas == (((0, 0), (100, 0), (50, 80)),)
    assert table.dice_areas_mm["white"][1] == (40, 0)
    assert table.card_areas_mm == {"left": ((0, 0), (40, 0), (40, 40), (0, 40))}
    assert table.dice_colours == {"red": (40, 30.5, 190)}
    assert table.white_area_mm == ((0, 0), (40, 0), (40, 40), (0, 40))


def test_boards_and_size_alone_are_enough() -> None:
    table = parse({"image_size": [640, 480], "boards": [{"player": "red", "anchors": SQUARE}]}, "t")
    assert table.camera is None and table.boards[0].spaces is None


def test_a_duchy_id_gives_its_printed_spaces() -> None:
    board = parse(FULL, "t").boards[0]
    assert board.printed_id == "se-3" and board.spaces == load_facts().duchy("se-3").spaces


def test_a_duchy_may_be_written_out() -> None:
    spaces = [[colour, die] for colour, die in load_facts().duchy("2011-5").spaces]
    board = parse(changed("boards", 0, "duchy", to={"spaces": spaces}), "t").boards[0]
    assert board.printed_id is None and board.spaces == load_facts().duchy("2011-5").spaces


def test_anchors_may_lie_outside_the_picture() -> None:
    outside = [[-50, -80], [1900, -80], [1900, 2000], [-50, 2000]]
    assert parse(changed("boards", 0, "anchors", to=outside), "t").boards[0].anchors is not None


SHAPE: dict[str, Any] = {
    "names": ["A1", "A2", "A3", "A4"],
    "centres_mm": [[-28, 0], [0, 0], [14, 24.25], [-14, 24.25]],
    "anchors": ["A1", "A2", "A3", "A4"],
}
"""A board of four spaces."""


def shaped(duchy: Any = None, **changes: Any) -> dict[str, Any]:
    """Returns the full table with a board of four spaces."""
    board = {"player": "red", "anchors": FULL["boards"][0]["anchors"], "shape": {**SHAPE, **changes}}
    return changed("boards", 0, to=board if duchy is None else {**board, "duchy": duchy})


WRONG: list[tuple[Any, str]] = [
    (shaped(names=["A1", "A2", "A2", "A4"]), "t.json: boards[0].shape.names[2]: 'A2' should be one word"),
    (shaped(names=["A1", "A 2", "A3", "A4"]), "t.json: boards[0].shape.names[1]: 'A 2' should be one word"),
    (shaped(centres_mm=SQUARE[:3]), "t.json: boards[0].shape.centres_mm: should have 4 entries, has 3"),
    (shaped(anchors=["A1", "A2", "A3", "B1"]), "t.json: boards[0].shape.anchors[3]: 'B1' is not known"),
    (shaped(anchors=["A4", "A3", "A2", "A1"]), "t.json: boards[0].shape.anchors: should be four points in"),
    (shaped(rows=[1, 2]), "t.json: boards[0].shape.rows: unknown field"),
    (shaped("se-3"), "t.json: boards[0].duchy: se-3 has the standard shape; remove 'shape'"),
    (
        shaped({"spaces": [["mine", 1]] * 37}),
        "t.json: boards[0].duchy.spaces: should have 4 entries, has 37",
    ),
    ([], "t.json: should be a table of named fields"),
    (None, "t.json: should be a table of named fields, not null"),
    (True, "t.json: should be a table of named fields, not true"),
    ({}, "t.json: the field 'image_size' is missing"),
    (changed("image_size", to=[1536]), "t.json: image_size: should have 2 entries, has 1"),
    (changed("image_size", 0, to="wide"), "t.json: image_size[0]: 'wide' is not a whole number"),
    (changed("dice_aera", to=[]), "t.json: dice_aera: unknown field; did you mean 'dice_areas'?"),
    (changed("camera", "matrix", 1, to=[0, 1]), "t.json: camera.matrix[1]: should have 3 entries"),
    (
        changed("camera", "distortion", 0, to=float("nan")),
        "t.json: camera.distortion[0]: should be",
    ),
    (
        changed("camera_settings", "kind", to="webcam"),
        "t.json: camera_settings.kind: 'webcam' is not known; choose one of pi, usb",
    ),
    (
        changed("camera_settings", "mains_hz", to=55),
        "t.json: camera_settings.mains_hz: should be 50 or 60, not 55",
    ),
    (changed("camera_settings", "gain", to=-1), "t.json: camera_settings.gain: should be from 0"),
    (changed("camera_settings", "gains", to=1), "t.json: camera_settings.gains: unknown field"),
    (
        changed("camera_settings", "colour_gains", to=[1]),
        "t.json: camera_settings.colour_gains: should have 2 entries",
    ),
    (without("camera_settings", "mains_hz"), "t.json: camera_settings: the field 'mains_hz' is missing"),
    (changed("camera", "matrix", 0, 0, to=0), "t.json: camera.matrix: should be [[fx"),
    (changed("boards", 0, "duchy", to="se-99"), "t.json: boards[0].duchy: no duchy 'se-99'"),
    (
        changed("boards", 0, "duchy", to={"spaces": [["castle", 6]]}),
        "t.json: boards[0].duchy.spaces:",
    ),
    (changed("boards", 1, "player", to="red"), "t.json: boards[1].player: 'red' occurs twice"),
    (changed("boards", 1, "player", to="a:b"), "t.json: boards[1].player: 'a:b' should have no colon"),
    (without("boards", 1, "anchors_mm"), "t.json: boards[1]: should have either 'anchors'"),
    (
        changed("boards", 0, "anchors", to=SQUARE[::-1]),
        "t.json: boards[0].anchors: should be four",
    ),
    (
        changed("boards", 0, "anchors", to=[[1, 1]] * 4),
        "t.json: boards[0].anchors: should be four",
    ),
    (changed("places", 0, "shape", to="round"), "t.json: places[0].shape: 'round' is not known"),
    (changed("places", 0, "size_mm", to=0), "t.json: places[0].size_mm: should be more than 0"),
    (changed("dice_areas", 0, to=[[0, 0], [1, 1]]), "t.json: dice_areas[0]: should have at least 3"),
    (
        changed("card_areas_mm", "left", to=SQUARE[::-1]),
        "t.json: card_areas_mm.left: should be four points in clockwise order",
    ),
    (changed("card_areas_mm", "left", to=SQUARE[:3]), "t.json: card_areas_mm.left: should have 4 entries"),
    (
        {"image_size": [640, 480], "card_areas_mm": {"left": SQUARE}},
        "t.json: card_areas_mm is in mm, which needs 'markers'",
    ),
    (changed("dice_colours", to={"red": [40, 30]}), "t.json: dice_colours.red: should have 3 entries"),
    (changed("dice_colours", to={"red": [40, 30, 300]}), "t.json: dice_colours.red[2]: should be from 0"),
    (changed("white_area", to=SQUARE), "t.json: white_area_mm: the white area is also given in pixels"),
    (changed("markers", "corners_mm", to={"x": SQUARE}), "t.json: markers.corners_mm.x: a marker id is"),
    (without("markers"), "t.json: places is in mm, which needs 'markers'"),
]


@pytest.mark.parametrize(("data", "message"), WRONG)
def test_a_wrong_field_is_named_with_its_file(data: Any, message: str) -> None:
    with pytest.raises(TableFileError) as caught:
        parse(data, "t.json")
    assert str(caught.value).startswith(message)


def test_a_file_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(FULL))
    assert load(path) == parse(FULL, str(path))


def test_the_error_for_a_missing_file_contains_the_cure(tmp_path: Path) -> None:
    with pytest.raises(TableFileError, match=r"table\.json: there is no such table file; create one with"):
        load(tmp_path / "table.json")


def test_a_broken_file_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text('{"image_size":\n [1,')
    with pytest.raises(TableFileError, match=r"table\.json: line 2 is not valid JSON"):
        load(path)


def test_a_picture_given_as_table_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(TableFileError, match="is not a text file"):
        load(path)


def test_a_board_of_another_shape_has_its_own_spaces() -> None:
    printed = [["mine", 1], ["ship", 2], ["castle", 3], ["building", 4]]
    board = parse(shaped({"spaces": printed}), "t.json").boards[0]
    assert board.shape.names == ("A1", "A2", "A3", "A4")
    assert board.shape.neighbours == ((1, 3), (0, 2, 3), (1, 3), (0, 1, 2))
    assert board.spaces == tuple(map(tuple, printed))
    assert board.places == ("duchy:red:0", "duchy:red:1", "duchy:red:2", "duchy:red:3")


# --- the schema, for editors ----------------------------------------------------------------------------------

SCHEMA = Path(table_file.__file__).with_name("table.schema.json")
NOT_FOR_A_SCHEMA = (
    "camera.distortion[0]: should be",
    "camera.matrix: should be [[fx",
    "boards[0].duchy: no duchy",
    "boards[1].player: 'red' occurs twice",
    "boards[0].anchors: should be four",
    "boards[0].shape.centres_mm: should have 4 entries",
    "boards[0].shape.anchors",
    "boards[0].duchy.spaces: should have 4 entries",
    "card_areas_mm.left: should be four",
)
"""Errors that only the parser detects: invalid numbers, unknown or repeated names, corners in the wrong order."""


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    document = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(document)
    return Draft202012Validator(document)


def test_the_schema_has_every_field(schema: Draft202012Validator) -> None:
    assert set(schema.schema["properties"]) == {"$schema", "about", *(one.name for one in fields(TableFile))}


def test_the_schema_takes_a_full_table_and_that_of_the_virtual_table(schema: Draft202012Validator) -> None:
    with VirtualTable(sample_layout(("red", "blue")), seed=1) as table:
        virtual = json.loads(json.dumps(table.table_file()))
    assert [error.message for data in (FULL, shaped(), virtual) for error in schema.iter_errors(data)] == []


@pytest.mark.parametrize(
    ("data", "message"),
    [one for one in WRONG if not one[1].removeprefix("t.json: ").startswith(NOT_FOR_A_SCHEMA)],
)
def test_the_schema_rejects_what_the_reader_rejects(
    schema: Draft202012Validator, data: Any, message: str
) -> None:
    assert not schema.is_valid(data), message


@pytest.mark.parametrize("text", ["", " ", "notes", "[]", "{}", '{"format": 1}', "\x00"])
def test_the_error_for_a_file_that_is_not_a_table_file_contains_the_cure(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(text)
    with pytest.raises(TableFileError) as raised:
        load(path)
    assert str(raised.value).startswith(f"{path}: ") and str(raised.value).endswith(
        "with ./run calibrate table"
    )
    assert (f"{path}: is empty; " in str(raised.value)) is (not text.strip())
