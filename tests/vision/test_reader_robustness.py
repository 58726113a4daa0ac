"""Any picture with any table file is read without an exception, at worst with little content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.table_file import MAX_COORDINATE_MM, MAX_COORDINATE_PX, MAX_PIXELS, TableFile, parse
from hardware.scene import Scene, SceneCard
from hardware.virtual_table import VirtualTable
from hardware.virtual_table.games.burgundy import standard_layout, with_automa
from hardware.virtual_table.games.burgundy.layout import SAMPLE_DUCHY
from vision.expected import ExpectedCard
from vision.geometry import Plane, PlaneError, find_homography, transformed
from vision.reader import TableReader
from vision.view import TableView, view_of

CARD = SceneCard(3, ("ship", "building", "livestock", "building"), (2,))
EXPECTED_CARDS = {
    "card:left": ExpectedCard(CARD.number, (True,) * 4),
    "card:right": ExpectedCard(7, (None,) * 3),
}
PAPER = (235, 240, 240)
Shown = tuple[str, np.ndarray]
"""A picture and its name."""
CORNERS = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))


@pytest.fixture(scope="module")
def document() -> Iterator[tuple[dict[str, Any], np.ndarray]]:
    """Returns the table file of a virtual table on which the Châteauma's pieces lie, and a picture of it."""
    layout = with_automa(standard_layout(["red"], {"red": SAMPLE_DUCHY}, spare_seats=["green"]), "green")
    with VirtualTable(layout, seed=3) as table:
        table.show(Scene(cards={"left": CARD}))
        yield table.table_file(), table.read()


@pytest.fixture(scope="module")
def frame(document: tuple[dict[str, Any], np.ndarray]) -> np.ndarray:
    return document[1]


@pytest.fixture(scope="module")
def marked(document: tuple[dict[str, Any], np.ndarray]) -> TableFile:
    """Returns a table file whose plane is defined by markers."""
    return parse(document[0], "marked")


@pytest.fixture(scope="module")
def fixed(marked: TableFile, document: tuple[dict[str, Any], np.ndarray]) -> TableFile:
    """Returns a table file with a fixed plane, so that the places are known in any picture."""
    return parse(with_fixed_plane(*document), "fixed")


def with_fixed_plane(document: Mapping[str, Any], frame: np.ndarray) -> dict[str, Any]:
    plane = view_of(frame, parse(document, "marked")).table
    assert plane is not None
    pixels = np.array(CORNERS) * frame.shape[1::-1]
    found = {"pixels": pixels.tolist(), "mm": plane.from_frame(pixels).tolist()}
    return {**{k: v for k, v in document.items() if k != "markers"}, "plane": found}


def covered(frame: np.ndarray, view: TableView, area: Any) -> np.ndarray:
    """*frame* with a sheet of paper over the *area*, (N, 2) mm."""
    assert view.table is not None
    corners = view.table.to_frame(np.array(area, float))
    low, high = corners.min(axis=0) - 40, corners.max(axis=0) + 40
    paper = frame.copy()
    cv2.rectangle(paper, low.astype(int).tolist(), high.astype(int).tolist(), PAPER, -1)
    return paper


@pytest.fixture(scope="module")
def shown(frame: np.ndarray, marked: TableFile) -> list[Shown]:
    """Returns what a camera above a table may show."""
    return list(_shown(frame, marked))


def _shown(frame: np.ndarray, table: TableFile) -> Iterator[Shown]:
    rng, view = np.random.default_rng(7), view_of(frame, table)
    yield "the table", frame
    for name, colour in {"black": 0, "white": 255, "grey": 128, "red": (10, 20, 200)}.items():
        yield name, np.full_like(frame, np.array(colour, np.uint8))
    yield "noise", rng.integers(0, 256, frame.shape, np.uint8)
    yield "smooth noise", cv2.GaussianBlur(rng.integers(0, 256, frame.shape, np.uint8), (0, 0), 9)
    for blur in (2, 5, 15, 60):
        yield f"blurred by {blur} px", cv2.GaussianBlur(frame, (0, 0), blur)
    yield "dark", frame // 12
    yield "moved by a pixel", np.roll(frame, 1, axis=1)
    yield "upside down", frame[::-1, ::-1].copy()
    yield "mirrored", frame[:, ::-1].copy()
    height, width = frame.shape[:2]
    for y in (0, height // 2):
        for x in (0, width // 2):
            part = frame.copy()
            part[y : y + height // 2, x : x + width // 2] = PAPER
            yield f"a quarter covered from {x}, {y}", part
    for name, area in (*table.card_areas_mm.items(), *table.dice_areas_mm.items()):
        yield f"paper over {name}", covered(frame, view, area)
    for group in table.places:
        yield f"paper over {group.name}", covered(frame, view, group.centres_mm)
    for board in table.boards:
        duchy = view.plane_of(board)
        assert duchy is not None and view.table is not None
        span = view.table.from_frame(duchy.to_frame(np.array([(-3, -3), (3, 3)])))
        yield f"paper over {board.player}'s duchy", covered(frame, view, span)


def test_every_picture_is_read_with_markers(shown: list[Shown], marked: TableFile) -> None:
    watching = TableReader(marked, expected=lambda: EXPECTED_CARDS)
    for name, picture in shown:
        assert reads(watching, name, picture)


def test_every_picture_is_read_with_a_fixed_plane(shown: list[Shown], fixed: TableFile) -> None:
    for name, picture in shown:
        assert reads(TableReader(fixed, expected=lambda: EXPECTED_CARDS), name, picture)


def reads(reader: TableReader, name: str, picture: np.ndarray) -> bool:
    """Returns whether *picture*, called *name*, is read with all spaces of the board."""
    try:
        seen = reader.read(picture.copy())
    except Exception as error:
        error.add_note(f"the picture: {name}")
        raise
    return {f"duchy:red:{i}" for i in range(37)} <= seen.places.keys()


@pytest.mark.parametrize("size", [(64, 64), (64, 90), (90, 64), (MAX_PIXELS, 64)])
def test_a_table_file_for_pictures_of_any_size_is_read_by(size: tuple[int, int]) -> None:
    table = parse({"image_size": [*size], "boards": [board_at(20.0)], "dice_areas": [square(5)]}, "small")
    assert TableReader(table).read(np.full((size[1], size[0], 3), 90, np.uint8)).dice == ()


def board_at(x: float) -> dict[str, Any]:
    return {"player": "red", "anchors": [[x, x], [x + 9, x], [x + 9, x + 9], [x, x + 9]]}


def square(reach: float, at: float = 0.0) -> list[list[float]]:
    return [[at + x * reach, at + y * reach] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


WILD: dict[str, dict[str, Any]] = {
    "a lens of hardly any length": {
        "camera": {"matrix": [[240, 0, 9], [0, 240, 9], [0, 0, 1]], "distortion": [0] * 5}
    },
    "a lens that looks past the picture": {
        "camera": {"matrix": [[9e4, 0, 1900], [0, 9e4, 1900], [0, 0, 1]], "distortion": [0] * 5}
    },
    "cards as far off as can be": {
        "card_areas_mm": {"left": square(500), "right": square(9, MAX_COORDINATE_MM - 9)}
    },
    "cards as small as dust": {"card_areas_mm": {"left": square(1)}},
    "areas of dice as large as can be": {
        "dice_areas_mm": {"red": square(MAX_COORDINATE_MM), "white": square(1, -MAX_COORDINATE_MM + 1)},
        "dice_areas": [square(MAX_COORDINATE_PX)],
    },
    "white far beyond the picture": {"white_area": square(9, MAX_COORDINATE_PX - 9)},
    "places of no size": {
        "places": [{"name": "black", "shape": "hex", "size_mm": 1e-300, "centres_mm": [[0, 0]]}]
    },
    "large places far beyond the picture": {
        "places": [
            {
                "name": "black",
                "shape": "hex",
                "size_mm": 1000,
                "centres_mm": [[MAX_COORDINATE_MM, -MAX_COORDINATE_MM]],
            }
        ]
    },
    "more places than a picture has rows": {
        "places": [
            {"name": "black", "shape": "hex", "size_mm": 9, "centres_mm": [[i, 0] for i in range(900)]}
        ]
    },
    "a board as large as can be": {"boards": [{"player": "red", "anchors_mm": square(MAX_COORDINATE_MM)}]},
    "a board that is nearly a point": {"boards": [{"player": "red", "anchors_mm": square(1)}]},
    "a board far beyond the picture": {
        "boards": [{"player": "red", "anchors": square(5, MAX_COORDINATE_PX - 5)}]
    },
}
"""As wild as the numbers of a table file may be: more is refused (see test_files_properties.py)."""


@pytest.mark.parametrize("name", WILD)
@pytest.mark.parametrize("kind", ["marked", "fixed"])
def test_a_table_file_of_wild_numbers_is_read_by(
    name: str, kind: str, document: tuple[dict[str, Any], np.ndarray]
) -> None:
    described, frame = document
    table = with_fixed_plane(described, frame) if kind == "fixed" else described
    reader = TableReader(parse({**table, **WILD[name]}, name), expected=lambda: EXPECTED_CARDS)
    for _ in range(2):
        assert f"duchy:red:{36}" in reader.read(frame.copy()).places


def test_no_points_are_transformed_to_none() -> None:
    plane = Plane(np.eye(3))
    assert plane.to_frame(np.empty((0, 2))).shape == plane.from_frame(np.empty((0, 2))).shape == (0, 2)
    assert transformed(np.empty((0, 2)), np.eye(3)).shape == (0, 2)


def test_no_places_are_cut_out_as_no_patches() -> None:
    patches, framed = Plane(np.eye(3)).patches(np.zeros((40, 40, 3), np.uint8), np.empty((0, 2)), 5.0)
    assert patches.shape[0] == len(framed) == 0


@pytest.mark.parametrize(
    "points",
    [
        np.empty((0, 2)),
        np.eye(2),
        np.zeros((6, 2)),
        np.column_stack([np.arange(6.0), np.arange(6.0)]),
        np.full((6, 2), np.nan),
        np.full((6, 2), 1e300),
    ],
    ids=["none", "two", "one spot", "a line", "nowhere", "far off"],
)
def test_points_that_span_no_plane_have_no_homography(points: np.ndarray) -> None:
    seen = np.array([(0, 0), (9, 0), (9, 9), (0, 9), (4, 4), (3, 5)], float)[: len(points)]
    assert find_homography(points, seen) is None
    assert find_homography(seen, points, cv2.RANSAC, 0.1) is None
    with pytest.raises(PlaneError):
        Plane.fit(points, seen)
