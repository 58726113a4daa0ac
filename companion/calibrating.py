"""Calibrating a table: what the camera found becomes a layout that a person puts right, and that a table file."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from calibration.table_file import TableFile
    from vision.boards.finding import FoundDuchy
    from vision.boards.lattice import FoundSpaces
    from vision.boards.survey import Survey
    from vision.geometry import Lens

PLAYERS = ("red", "blue", "green", "black", "yellow")
"""Colours that a board may belong to, in the order in which they are given to boards."""
OTHER_DICTIONARIES = ("DICT_APRILTAG_36h11",)
"""Markers that people have lying about already."""
Layout = dict[str, Any]
"""``{"image_size": [w, h], "markers": [id, ...], "boards": [{"player", "duchy", "anchors", "seen"}],
"places": [{"name", "points"}]}``; positions in px."""
CORNERS = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))
"""Points of the picture, by its width and height, that fix the table where no markers do."""


class TableCalibration:
    """Represents one table from the picture of it to its file.

    Raises :exc:`calibration.table_file.TableFileError` when the file that is there cannot be gone on with.
    """

    def __init__(self, path: Path, frame: np.ndarray, players: Sequence[str]) -> None:
        from calibration.table_file import parse
        from vision.boards.finding import find_duchies
        from vision.geometry import Lens

        height, width = frame.shape[:2]
        self.path, self.frame = path, frame
        self.kept = threading.Event()
        self._document = _document(path, [width, height])
        camera = parse(self._document, str(path)).camera
        self._lens: Lens | None = Lens.of(camera) if camera else None
        self._dictionary, self._markers = _markers_in(frame)
        duchies, spaces = find_duchies(frame, self._lens)
        boards = [{"duchy": None, **board} for board in _boards(duchies, players)]
        self.layout: Layout = {
            "image_size": [width, height],
            "markers": sorted(self._markers),
            "boards": boards,
            "places": self._places_among(spaces, boards) if boards else [],
        }

    def said(self) -> str:
        """Lines for people."""
        boards = [
            f"{board['player']}: {board['duchy'] or 'a duchy that is not known'}, {board['seen']} of 37 spaces found"
            for board in self.layout["boards"]
        ]
        places = ", ".join(f"{group['name']} ({len(group['points'])})" for group in self.layout["places"])
        found = f"{len(boards)} duchies, {len(self.layout['markers'])} markers found"
        return "\n".join([*boards, *([f"places: {places}"] if places else []), found])

    def save(self, layout: Mapping[str, Any]) -> None:
        """Writes the table file that *layout* describes; raises :exc:`ValueError` when it cannot be one.

        Boards and places are taken from *layout*, as a person has put them right; size and markers stay as found.
        """
        from calibration.table_file import parse
        from calibration.table_writer import write_table

        document = {**self._document, **self._described(_checked(layout))}
        parse(document, str(self.path))
        write_table(self.path, document)
        self.kept.set()

    def _survey(self, boards: Sequence[Mapping[str, Any]]) -> Survey:
        from calibration.sheet import MARKER_SIDE
        from vision.boards.survey import survey_table
        from vision.geometry import duchy_plane

        planes = [duchy_plane(board["anchors"], self._lens) for board in boards]
        return survey_table(planes, self._markers, MARKER_SIDE, self._lens)

    def _places_among(self, spaces: FoundSpaces, boards: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Storages and depots among *spaces*, in px."""
        from vision.boards.groups import find_groups

        survey = self._survey(boards)
        middles = [anchors.mean(axis=0) for anchors in survey.anchors_mm]
        groups = []
        for found in find_groups(spaces, survey.table, middles, survey.pitch_mm):
            kind, _, number = found.name.partition(":")
            name = f"{kind}:{boards[int(number)]['player']}" if kind == "storage" else found.name
            groups.append({"name": name, "points": _rounded(survey.table.to_frame(found.centres), 1)})
        return groups

    def _described(self, layout: Mapping[str, Any]) -> dict[str, Any]:
        """What a table file says about *layout*: in mm where markers show the table, else boards in px."""
        import numpy as np

        from vision.geometry import MARKERS_NEEDED

        survey, marked = self._survey(layout["boards"]), len(self._markers) >= MARKERS_NEEDED
        boards = []
        for board in layout["boards"]:
            # Where it was seen, or put by hand: cards are not quite flat and alike.
            anchors_mm = _rounded(survey.table.from_frame(np.array(board["anchors"])), 2)
            anchors = {"anchors_mm": anchors_mm} if marked else {"anchors": board["anchors"]}
            duchy = {"duchy": board["duchy"]} if board["duchy"] else {}
            boards.append({"player": board["player"], **duchy, **anchors})
        places = [
            {
                "name": group["name"],
                "shape": "hex",
                "size_mm": round(survey.pitch_mm, 2),
                "centres_mm": _rounded(survey.table.from_frame(np.array(group["points"])), 2),
            }
            for group in layout["places"]
        ]
        if marked:
            corners = {str(marker): _rounded(quad, 2) for marker, quad in survey.corners_mm.items()}
            where: dict[str, Any] = {"markers": {"dictionary": self._dictionary, "corners_mm": corners}}
        else:
            pixels = np.array(self.layout["image_size"]) * np.array(CORNERS)
            where = {
                "plane": {"pixels": _rounded(pixels, 1), "mm": _rounded(survey.table.from_frame(pixels), 2)}
            }
        return {**where, "boards": boards, "places": places}


def _checked(layout: Any) -> Layout:
    """The boards and places of *layout*; :exc:`ValueError` when they cannot be such."""
    from calibration.fields import Field

    top = Field.document(layout, "the layout", ValueError)
    boards = [
        {
            "player": board["player"].text(),
            "duchy": board["duchy"].text() if board["duchy"].value else None,
            "anchors": [point.numbers(2) for point in board["anchors"].items(4)],
        }
        for board in top["boards"].items()
    ]
    if not boards:
        raise ValueError("a table needs at least one duchy: add one")
    places = [
        {"name": group["name"].text(), "points": [p.numbers(2) for p in group["points"].items(at_least=1)]}
        for group in top["places"].items()
    ]
    return {"boards": boards, "places": places}


def _rounded(points: np.ndarray, digits: int) -> list[list[float]]:
    return points.round(digits).tolist()


def found_table(frame: np.ndarray, players: Sequence[str]) -> TableFile:
    """A table file of the duchies that are found in *frame*, (H, W, 3) uint8 BGR, given to *players* in order."""
    from calibration.table_file import parse
    from vision.boards.finding import find_duchies

    height, width = frame.shape[:2]
    duchies, _ = find_duchies(frame)
    document = {"image_size": [width, height], "boards": _boards(duchies, players)}
    for board in document["boards"]:
        del board["seen"]
    return parse(document, "the boards found")


def _boards(duchies: Sequence[FoundDuchy], players: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "player": player,
            **({"duchy": duchy.duchy} if duchy.duchy else {}),
            "anchors": _rounded(duchy.anchors(), 1),
            "seen": duchy.seen,
        }
        for player, duchy in zip(players, duchies, strict=False)
    ]


def _markers_in(frame: np.ndarray) -> tuple[str, dict[int, np.ndarray]]:
    """The dictionary whose markers lie on the table, and the corners of each, (4, 2) px."""
    from calibration.sheet import DICTIONARY, MARKER_IDS
    from vision.geometry import marker_corners

    best: tuple[str, dict[int, np.ndarray]] = (DICTIONARY, {})
    for dictionary in (DICTIONARY, *OTHER_DICTIONARIES):
        seen = marker_corners(frame, dictionary)
        markers = {marker: seen[marker] for marker in MARKER_IDS if marker in seen}
        if len(markers) > len(best[1]):
            best = dictionary, markers
    return best


def _document(path: Path, size: list[int]) -> dict[str, Any]:
    """What the table file holds that a new calibration leaves alone: the lens and the colours of the dice."""
    from calibration.table_file import TableFileError

    if not path.exists():
        return {"image_size": size}
    try:
        old = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise TableFileError(
            f"{path}: line {error.lineno} is not valid JSON; repair it or name another file"
        ) from None
    kept = {name: old[name] for name in ("image_size", "camera", "dice_colours") if name in old}
    if kept.get("image_size", size) != size:
        raise TableFileError(
            f"{path} is for pictures of {kept['image_size']} px but this camera gives {size}: "
            "name another table file, or set the camera to that size"
        )
    return {"image_size": size, **kept}
