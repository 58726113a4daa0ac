"""Pictures of tables with a NAME.truth.json beside them: their truth, and the table file it implies."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from calibration.table_file import TableFile, parse
from vision.geometry import ANCHOR_SPACES

TRUTH_SUFFIX = ".truth.json"


class TruthError(ValueError):
    """A truth file that cannot be used; the message names the file and the cure."""


def truth_path(picture: Path) -> Path:
    """Where the truth of *picture* would lie."""
    return picture.with_name(picture.stem + TRUTH_SUFFIX)


def load_truth(picture: Path) -> dict[str, Any] | None:
    """The truth beside *picture*, or None when there is none; raises :exc:`TruthError`."""
    path = truth_path(picture)
    if not path.is_file():
        return None
    try:
        truth = json.loads(path.read_text(encoding="utf-8"))
        return {**truth, "boards": list(truth["boards"])}
    except (OSError, ValueError, TypeError, KeyError):
        raise TruthError(f"{path}: not a truth file; repair it or move it away") from None


def table_of(truth: Mapping[str, Any], *, with_duchy: bool = True) -> TableFile:
    """The table file that a truth implies: geometry and print only, never what lies there.

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
        centres = {(space["row"], space["col"]): space["centre"] for space in board["hexes"]}
        plan = {"player": board["player"], "anchors": [centres[space] for space in ANCHOR_SPACES]}
        if with_duchy:
            plan["duchy"] = {"spaces": [[s["printed_colour"], s["printed_die"]] for s in board["hexes"]]}
        boards.append(plan)
    camera = {"matrix": truth["camera"]["K"], "distortion": truth["camera"]["dist_k1k2p1p2k3"]}
    return {"image_size": [truth["width"], truth["height"]], "camera": camera, "boards": boards}


def labelled_tables(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Pictures in *folder* with their truth, those with boards only, by name."""
    for path in sorted(folder.glob(f"*{TRUTH_SUFFIX}")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        if truth["boards"]:
            yield path.with_name(truth["image"]), truth
