"""The table file derived from the truth of a picture."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np

from calibration.board_shape import PITCH_MM, STANDARD, row_name
from calibration.table_file import TableFile, parse

from ....accuracy.truth import TruthError
from ....geometry import Lens, Plane

HALF_TABLE_MM = 200.0


def table_of(truth: Mapping[str, Any], *, with_duchy: bool = True) -> TableFile:
    """Returns the table file derived from a truth: geometry and print only, not the tiles.

    Besides the duchies it has the places whose tiles :func:`labels_beside` returns.

    Raises :exc:`TruthError` when the truth lacks what a table file needs.
    """
    try:
        return parse(_plan(truth, with_duchy), str(truth.get("image")))
    except (KeyError, TypeError) as error:
        raise TruthError(
            f"{truth.get('image')}: its truth file has no usable {error}; give --table FILE"
        ) from None


def _plan(truth: Mapping[str, Any], with_duchy: bool) -> dict[str, Any]:
    boards = []
    for board in truth["boards"]:
        plan = {"player": board["player"], "anchors": _anchors(board)}
        if with_duchy:
            plan["duchy"] = {"spaces": [[s["printed_colour"], s["printed_die"]] for s in board["hexes"]]}
        boards.append(plan)
    camera = {"matrix": truth["camera"]["K"], "distortion": truth["camera"]["dist_k1k2p1p2k3"]}
    plan = {"image_size": [truth["width"], truth["height"]], "camera": camera, "boards": boards}
    return {**plan, **_places(truth)}


def labels_beside(truth: Mapping[str, Any]) -> dict[str, str]:
    """Returns place -> tile for the storages and depots in :func:`table_of`."""
    return {
        f"{g}:{i}": label for g, tiles in _tiles_beside(truth).items() for i, (_, label) in enumerate(tiles)
    }


def _tiles_beside(truth: Mapping[str, Any]) -> dict[str, list[tuple[list[float], str]]]:
    """Returns the tiles in storages and depots by group: centre in px, and label; none when the camera pose is
    unknown."""
    if "R_world_to_cam" not in truth["camera"]:
        return {}
    tiles: dict[str, list[tuple[list[float], str]]] = defaultdict(list)
    for thing in truth.get("distractors", ()):
        if thing["kind"] == "tile" and thing.get("storage_of"):
            tiles[f"storage:{thing['storage_of']}"].append((thing["centre"], thing["face"].replace(":", "/")))
    for tile in (truth.get("main_board") or {}).get("tiles", ()):
        label = f"{tile['type']}/{tile['variant']}" if tile["variant"] else tile["type"]
        group = f"depot:{tile['depot']}" if tile["depot"] else "black"
        tiles[group].append((tile["centre"], label))
    return dict(tiles)


def _places(truth: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the table plane in mm, y towards the bottom of the picture, and the places of the tiles beside the
    duchies."""
    tiles_beside = _tiles_beside(truth)
    if not tiles_beside:
        return {}
    lens = Lens(np.array(truth["camera"]["K"], float), np.array(truth["camera"]["dist_k1k2p1p2k3"], float))
    turn, _ = cv2.Rodrigues(np.array(truth["camera"]["R_world_to_cam"], float))
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) * HALF_TABLE_MM
    world = np.column_stack([square * (1, -1), np.zeros(4)])
    pixels, _ = cv2.projectPoints(
        world, turn, np.array(truth["camera"]["t_mm"], float), lens.matrix, lens.distortion
    )
    plane = Plane.fit(square, pixels[:, 0], lens)
    yaws = {board["player"]: _direction(plane, _anchors(board)[:2]) for board in truth["boards"]}
    places = []
    for group, tiles in tiles_beside.items():
        kind, _, player = group.partition(":")
        turned = yaws[player] if kind == "storage" else _direction(plane, truth["main_board"]["corners"][:2])
        places.append(
            {
                "name": group,
                "shape": "hex",
                "size_mm": PITCH_MM,
                "centres_mm": plane.from_frame(np.array([at for at, _ in tiles])).tolist(),
                "turn_deg": turned,
            }
        )
    return {"plane": {"pixels": pixels[:, 0].tolist(), "mm": square.tolist()}, "places": places}


def _anchors(board: Mapping[str, Any]) -> list[list[float]]:
    """Returns px of the anchor spaces of a board, first those of its top row."""
    centres = {row_name(space["row"], space["col"]): space["centre"] for space in board["hexes"]}
    return [centres[STANDARD.names[anchor]] for anchor in STANDARD.anchors]


def _direction(plane: Plane, ends: list[list[float]]) -> float:
    """Returns degrees on the *plane* from the first to the second of two points in px."""
    (x, y) = np.diff(plane.from_frame(np.array(ends)), axis=0)[0]
    return float(np.degrees(np.arctan2(y, x)))
