"""The table file: positions of boards, places and dice in the camera's picture or on the table plane.

World coordinates are millimetres on the table plane, x right and y *down*, as in the picture. Pixel positions refer to
the raw picture, lens distortion included.

``table.schema.json`` beside this module describes the format for editors; :func:`parse` also checks what a schema
cannot express.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeAlias

from calibration.errors import CompanionError

from .board_kind import BoardKind, Spaces, board_kinds, read_spaces
from .board_shape import STANDARD, BoardShape
from .camera_settings import CameraSettings, parse_settings
from .documents import read_json
from .fields import Field

Point: TypeAlias = tuple[float, float]
Polygon: TypeAlias = tuple[Point, ...]
Quad: TypeAlias = tuple[Point, Point, Point, Point]
Colour: TypeAlias = tuple[float, float, float]

DISTORTION_TERMS = 5
"""k1, k2, p1, p2, k3 in OpenCV's order."""
SHAPES = ("hex", "square", "shield")
"""Of pieces, and of the places on which they lie."""
MIN_PIXELS, MAX_PIXELS = 64, 20_000
"""Plausible sides of a picture: a smaller one shows no table, and no supported camera is larger."""
MAX_COORDINATE_PX = 10 * MAX_PIXELS
"""From the picture's corner, for positions outside the picture."""
MAX_COORDINATE_MM = 10_000
"""From the origin of the table plane: no table is larger."""
MAX_SIZE_MM = 1000
"""Side of a place for one piece, and of a card's area."""
MIN_TURN = 1.0
"""Twice the area, in px² or mm², of any three of four corners: below it, four points fix no plane."""
FOCAL = (0.05, 100.0)
"""Focal length in longer sides of the picture: from wider than any lens to a telescope."""
BEND = (0.1, 10.0)
"""Factors by which a lens may scale distances from its centre, anywhere in the picture."""
SHIFT = 0.5
"""Tangential distortion that a tilted lens may have, in focal lengths."""
MOST = 1000
"""Entries of any list: no table needs more."""
MAX_MARKER_ID = 1023
"""Highest id in OpenCV's predefined ArUco dictionaries."""
_MARKER_IDS = frozenset(map(str, range(MAX_MARKER_ID + 1)))
DICTIONARIES = (
    *(f"DICT_{bits}X{bits}_{count}" for bits in (4, 5, 6, 7) for count in (50, 100, 250, 1000)),
    "DICT_ARUCO_ORIGINAL",
    *(
        f"{family}{h}{distance}"
        for family, distance in (
            ("DICT_APRILTAG_16", 5),
            ("DICT_APRILTAG_25", 9),
            ("DICT_APRILTAG_36", 10),
            ("DICT_APRILTAG_36", 11),
            ("DICT_ARUCO_MIP_36", 12),
        )
        for h in "hH"
    ),
)
"""OpenCV's predefined dictionaries; some have two names."""


class TableFileError(CompanionError, ValueError):
    """An unusable table file; the message names the file, the field and the cure."""


class _NoDocumentError(CompanionError, ValueError):
    """The file is not a JSON document."""


CURE = "repair it, or name another file and create it with ./run calibrate table"
"""Appended to errors about a file that is damaged, outdated or not a table file."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Lens parameters as in OpenCV."""

    matrix: tuple[tuple[float, ...], ...]
    """3 x 3, pixels."""
    distortion: tuple[float, ...]
    """k1, k2, p1, p2, k3."""


@dataclass(frozen=True, slots=True)
class Markers:
    """Printed ArUco markers that fix the table plane."""

    dictionary: str
    """Name of OpenCV's dictionary without its prefix: ``DICT_4X4_50``."""
    corners_mm: Mapping[int, Quad]
    """Marker id -> its four corners in OpenCV's order (clockwise from the print's top left)."""


@dataclass(frozen=True, slots=True)
class FixedPlane:
    """The table plane of a camera that does not move: four points in pixels and in mm."""

    pixels: Quad
    mm: Quad


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """One player's board on the table.

    The anchors are the centres of the anchor spaces of its shape: of the standard one the first and last space of the
    top row, then the last and first space of the bottom row.
    """

    player: str
    kind: BoardKind
    printed_id: str | None = None
    """Id of a known board (``se-3``); None if it is none of them."""
    spaces: Spaces | None = None
    """Printed tile type and die of each space in the order of the shape; None if not known."""
    anchors: Quad | None = None
    """In pixels of the picture, possibly outside it."""
    anchors_mm: Quad | None = None
    """On the table plane."""
    shape: BoardShape = STANDARD

    @property
    def places(self) -> tuple[str, ...]:
        """Returns the names of its spaces as places of the table, numbered from 0: ``GROUP:red:0``..."""
        return tuple(f"{self.place_group}:{index}" for index in range(len(self.shape.names)))

    @property
    def place_group(self) -> str:
        """Returns the common part of the names of its spaces: ``GROUP:red``."""
        return f"{self.kind.group}:{self.player}"


@dataclass(frozen=True, slots=True)
class PlaceGroup:
    """Places of one shape outside the boards, such as those of a market, or of a player."""

    name: str
    """Given by the game, with the player's name after a colon if they are a player's."""
    shape: str
    """One of :data:`SHAPES`."""
    size_mm: float
    """Distance between opposite sides; the width of a shield."""
    centres_mm: Polygon
    turn_deg: float = 0.0
    """Clockwise rotation of each place; an unrotated hexagon has vertical sides on the left and right."""


@dataclass(frozen=True, slots=True)
class TableFile:
    """Positions of everything on the table."""

    image_size: tuple[int, int]
    """Width and height of the picture to which pixel positions refer."""
    camera: Camera | None = None
    camera_settings: CameraSettings | None = None
    """Fixed settings of the camera."""
    markers: Markers | None = None
    plane: FixedPlane | None = None
    """Used instead of markers."""
    boards: tuple[BoardPlan, ...] = ()
    places: tuple[PlaceGroup, ...] = ()
    dice_areas: tuple[Polygon, ...] = ()
    """In pixels."""
    dice_areas_mm: Mapping[str, Polygon] = field(default_factory=dict)
    """Player, or ``white``, -> area on the table plane."""
    card_areas_mm: Mapping[str, Quad] = field(default_factory=dict)
    """Name -> area on the table plane for a card with spaces for tiles; its first side is the card's top. The camera
    detects the spaces: they are the place group ``card:NAME``."""
    dice_colours: Mapping[str, Colour] = field(default_factory=dict)
    """Measured body colours of the dice: name -> BGR 0..255, normalised to white = 255."""
    white_area: Polygon | None = None
    """In pixels: a white area by which the light is measured."""
    white_area_mm: Polygon | None = None
    """The same on the table plane."""


def load(path: str | Path) -> TableFile:
    """Reads the table file at *path*.

    Raises :class:`TableFileError` when it cannot be read or a field is wrong.
    """
    path = Path(path)
    document = read_table_document(path)
    try:
        return parse(document, str(path))
    except TableFileError as error:
        raise TableFileError(f"{error}; {CURE}") from error


def read_table_document(path: Path) -> Any:
    """Returns the JSON content of the table file at *path*.

    Raises :class:`TableFileError` when the file cannot be read.
    """
    try:
        return read_json(path, _NoDocumentError)
    except _NoDocumentError as error:
        raise TableFileError(f"{error}; {CURE}") from error
    except FileNotFoundError:
        raise TableFileError(
            f"{path}: there is no such table file; create one with ./run calibrate"
        ) from None
    except OSError as error:
        raise TableFileError(
            f"{path}: the table file cannot be read ({error.strerror}); check its name and its permissions"
        ) from error


def load_camera_settings(path: str | Path) -> CameraSettings | None:
    """Returns the camera settings in the table file at *path*; None if there is no file, or it has none.

    Raises :class:`TableFileError` when the file cannot be used.
    """
    return load(path).camera_settings if Path(path).exists() else None


def parse(data: Mapping[str, Any], source: str) -> TableFile:
    """Returns the table described by *data*; *source* names the file in errors.

    Raises :class:`TableFileError` when a field is wrong.
    """
    top = Field.document(data, source, TableFileError)
    top.only(("about", "$schema", *(known.name for known in fields(TableFile))))
    width, height = (side.integer(MIN_PIXELS, MAX_PIXELS) for side in top["image_size"].items(2))
    camera, settings = top.get("camera"), top.get("camera_settings")
    markers, plane = top.get("markers"), top.get("plane")
    if markers and plane:
        plane.fail("the markers already define the table plane; remove one of the two")
    white, white_mm = top.get("white_area"), top.get("white_area_mm")
    if white and white_mm:
        white_mm.fail("the white area is also given in pixels; remove one of the two")
    table = TableFile(
        image_size=(width, height),
        camera=_camera(camera, width, height) if camera else None,
        camera_settings=parse_settings(settings) if settings else None,
        markers=_markers(markers) if markers else None,
        plane=_plane(plane) if plane else None,
        boards=tuple(_board(board) for board in _optional_items(top, "boards")),
        places=tuple(_place_group(group) for group in _optional_items(top, "places")),
        dice_areas=tuple(_polygon(area, MAX_COORDINATE_PX) for area in _optional_items(top, "dice_areas")),
        dice_areas_mm=_areas_by_name(top.get("dice_areas_mm")),
        card_areas_mm=_card_areas(top.get("card_areas_mm")),
        dice_colours=_colours(top.get("dice_colours")),
        white_area=_polygon(white, MAX_COORDINATE_PX) if white else None,
        white_area_mm=_polygon(white_mm, MAX_COORDINATE_MM) if white_mm else None,
    )
    _check_names(top, table)
    _check_plane(top, table)
    return table


def _optional_items(top: Field, name: str) -> list[Field]:
    found = top.get(name)
    return found.items(at_most=MOST) if found else []


def _camera(field: Field, width: int, height: int) -> Camera:
    """Returns the lens parameters, which must be plausible for a picture of *width* x *height* px."""
    field.only(("matrix", "distortion"))
    (fx, skew, cx), (s, fy, cy), last = matrix = tuple(row.numbers(3) for row in field["matrix"].items(3))
    if fx <= 0 or fy <= 0 or (skew, s, *last) != (0, 0, 0, 0, 1):
        field["matrix"].fail("should be [[fx, 0, cx], [0, fy, cy], [0, 0, 1]] with fx and fy above 0")
    least, most = (factor * max(width, height) for factor in FOCAL)
    if not (least <= min(fx, fy) and max(fx, fy) <= most):
        field["matrix"].fail(f"fx and fy should be from {least:g} to {most:g} for pictures of this size")
    if not (-width <= cx <= 2 * width and -height <= cy <= 2 * height):
        field["matrix"].fail("cx and cy should be near the middle of the picture")
    distortion = field["distortion"].numbers(DISTORTION_TERMS)
    radius = math.hypot(max(cx, width - cx) / fx, max(cy, height - cy) / fy)
    if _bends_too_much(distortion, radius):
        field["distortion"].fail("no lens distorts that much; measure it with ./run calibrate camera")
    return Camera(matrix, distortion)


def _bends_too_much(distortion: tuple[float, ...], radius: float) -> bool:
    """Returns whether the distortion is implausible within *radius*, in focal lengths from the centre."""
    k1, k2, p1, p2, k3 = distortion
    for part in (0.25, 0.5, 0.75, 1.0):
        square = (part * radius) ** 2
        stretch = 1 + square * (k1 + square * (k2 + square * k3))
        if not BEND[0] <= stretch <= BEND[1] or 3 * square * max(abs(p1), abs(p2)) > SHIFT:
            return True
    return False


def _markers(field: Field) -> Markers:
    field.only(("dictionary", "corners_mm"))
    corners: dict[int, Quad] = {}
    for name, quad in field["corners_mm"].entries():
        if name not in _MARKER_IDS:
            quad.fail(f"a marker id is a whole number from 0 to {MAX_MARKER_ID}")
        corners[int(name)] = _quad(quad, MAX_COORDINATE_MM)
    if not corners:
        field["corners_mm"].fail("should name at least one marker")
    return Markers(field["dictionary"].text(DICTIONARIES), corners)


def _plane(field: Field) -> FixedPlane:
    field.only(("pixels", "mm"))
    return FixedPlane(_quad(field["pixels"], MAX_COORDINATE_PX), _quad(field["mm"], MAX_COORDINATE_MM))


def _board(field: Field) -> BoardPlan:
    kinds = board_kinds()
    field.only(("player", *(kind.group for kind in kinds), "anchors", "anchors_mm", "shape"))
    given = [name for name in ("anchors", "anchors_mm") if field.get(name)]
    if len(given) != 1:
        field.fail("should have either 'anchors' (pixels) or 'anchors_mm' (table plane)")
    quad = _quad(field[given[0]], MAX_COORDINATE_PX if given == ["anchors"] else MAX_COORDINATE_MM)
    kind = next((kind for kind in kinds if field.get(kind.group)), kinds[0])  # nothing else tells the game
    printed = field.get(kind.group)
    own = field.get("shape")
    shape = _shape(own) if own else STANDARD
    printed_id, spaces = _print(printed, kind, shape) if printed else (None, None)
    return BoardPlan(
        player=_name(field["player"], kind),
        kind=kind,
        printed_id=printed_id,
        spaces=spaces,
        anchors=quad if given == ["anchors"] else None,
        anchors_mm=quad if given == ["anchors_mm"] else None,
        shape=shape,
    )


def _shape(field: Field) -> BoardShape:
    """Returns the shape of a board that is not printed in the usual rows."""
    field.only(("names", "centres_mm", "anchors"))
    names: list[str] = []
    for entry in field["names"].items(at_least=4, at_most=MOST):
        names.append(entry.text())
        if len(names[-1].split()) != 1 or names[-1] in names[:-1]:
            entry.fail(f"{names[-1]!r} should be one word that no other space is called")
    centres = tuple(_point(point, MAX_SIZE_MM) for point in field["centres_mm"].items(len(names)))
    a, b, c, d = (names.index(anchor.text(names)) for anchor in field["anchors"].items(4))
    _check_corners(field["anchors"], (centres[a], centres[b], centres[c], centres[d]))
    return BoardShape.at(names, centres, (a, b, c, d))


def _print(field: Field, kind: BoardKind, shape: BoardShape) -> tuple[str | None, Spaces]:
    """Returns the id of a known board, if it is one, and its printed spaces."""
    if isinstance(field.value, Mapping):
        field.only(("spaces",))
        return None, read_spaces(field["spaces"], kind.types, len(shape.names))
    name, known = field.text(), kind.known
    if shape != STANDARD:
        field.fail(f"{name} has the standard shape; remove 'shape', or give the 'spaces' of this board")
    if name not in known:
        field.fail(f"no {kind.group} {name!r} in the data; the known ones are {', '.join(known)}")
    return name, known[name]


def _place_group(field: Field) -> PlaceGroup:
    field.only(("name", "shape", "size_mm", "centres_mm", "turn_deg"))
    turn = field.get("turn_deg")
    return PlaceGroup(
        name=field["name"].text(),
        shape=field["shape"].text(SHAPES),
        size_mm=field["size_mm"].number(above=0, high=MAX_SIZE_MM),
        centres_mm=tuple(
            _point(point, MAX_COORDINATE_MM) for point in field["centres_mm"].items(at_least=1, at_most=MOST)
        ),
        turn_deg=turn.number(low=-360, high=360) if turn else 0.0,
    )


def _areas_by_name(areas: Field | None) -> dict[str, Polygon]:
    return {name: _polygon(area, MAX_COORDINATE_MM) for name, area in areas.entries()} if areas else {}


def _card_areas(areas: Field | None) -> dict[str, Quad]:
    return {name: _card_area(area) for name, area in areas.entries()} if areas else {}


def _card_area(field: Field) -> Quad:
    area = _quad(field, MAX_COORDINATE_MM)
    if max(max(along) - min(along) for along in zip(*area, strict=True)) > MAX_SIZE_MM:
        field.fail(f"should be at most {MAX_SIZE_MM} mm long and wide, for one card")
    return area


def _colours(colours: Field | None) -> dict[str, Colour]:
    return {name: _colour(colour) for name, colour in colours.entries()} if colours else {}


def _colour(field: Field) -> Colour:
    blue, green, red = (channel.number(low=0, high=255) for channel in field.items(3))
    return blue, green, red


def _name(field: Field, kind: BoardKind) -> str:
    """Returns a player's name, which becomes part of place names."""
    name = field.text()
    if ":" in name:
        field.fail(f"{name!r} should have no colon, which place names use as in {kind.group}:red")
    return name


def _point(field: Field, farthest: float) -> Point:
    x, y = field.numbers(2, low=-farthest, high=farthest)
    return x, y


def _polygon(field: Field, farthest: float) -> Polygon:
    return tuple(_point(point, farthest) for point in field.items(at_least=3, at_most=MOST))


def _quad(field: Field, farthest: float) -> Quad:
    """Returns four corners of a convex quadrilateral in clockwise order."""
    a, b, c, d = (_point(point, farthest) for point in field.items(4))
    _check_corners(field, (a, b, c, d))
    return a, b, c, d


def _check_corners(field: Field, corners: Quad) -> None:
    """Raises the error for corners that are no convex quadrilateral in clockwise order."""
    a, b, c, d = corners
    turn = min(_turn(*three) for three in ((a, b, c), (b, c, d), (c, d, a), (d, a, b)))
    if turn <= 0:
        field.fail("should be four points in clockwise order: top left, top right, bottom right, bottom left")
    if turn < MIN_TURN:
        field.fail("should be four points that lie farther apart, and no three of them in one line")


def _turn(a: Point, b: Point, c: Point) -> float:
    """Returns the cross product of ab and bc: positive for a clockwise turn where y points down."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _check_names(top: Field, table: TableFile) -> None:
    """Raises the error for two boards of one player, or two place groups of one name: both are looked up by name."""
    for owner, key, names in (
        ("boards", "player", [board.player for board in table.boards]),
        ("places", "name", [group.name for group in table.places]),
    ):
        for index, name in enumerate(names):
            if name in names[:index]:
                top[owner].items()[index][key].fail(f"{name!r} occurs twice")


def _check_plane(top: Field, table: TableFile) -> None:
    """Raises the error for positions in mm when neither markers nor a plane define the table plane."""
    if table.markers or table.plane:
        return
    needing = ["places"] if table.places else []
    needing += [name for name in ("dice_areas_mm", "card_areas_mm", "white_area_mm") if getattr(table, name)]
    needing += [f"boards[{i}].anchors_mm" for i, board in enumerate(table.boards) if board.anchors_mm]
    if needing:
        top.fail(f"{needing[0]} is in mm, which needs 'markers' or 'plane'; add one or give pixels")
