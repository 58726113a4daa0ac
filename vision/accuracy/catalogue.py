"""Builds a gallery from a flat sheet of all tile faces, as an owner's enrolment would, to measure recognition.

    python -m vision.accuracy.catalogue FOLDER EDITION OUT.npz

FOLDER contains ``catalogue.json`` (per edition: sheet, faces with type, variant and cell) and the sheets.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from ..gallery import Gallery
from ..geometry import HEX_UP, PATCH_PX, PATCH_SPAN
from ..pictures import load_image

TILE_TO_PITCH = 0.95
"""Width of a tile on a board, in pitches of the printed spaces: tiles do not cover the printed lines."""


def catalogue_gallery(folder: Path, edition: str) -> Gallery:
    """Returns a gallery of every face of *edition* at the scale of a tile on a board."""
    catalogue = json.loads((folder / "catalogue.json").read_text(encoding="utf-8"))
    entry, cell_px = catalogue["editions"][edition], catalogue["tile_px"]
    sheet = load_image(folder / entry["sheet"])
    tile_px = cell_px / (2 * HEX_UP)
    scale = tile_px * PATCH_SPAN / TILE_TO_PITCH / PATCH_PX
    gallery = Gallery()
    for face in entry["faces"]:
        middle = (np.array(face["cell"]) + 0.5) * cell_px - 0.5
        label = face["type"] if face["variant"] is None else f"{face['type']}/{face['variant']}"
        gallery.add_example(_cut(sheet, middle, scale), label)
    return gallery


def _cut(sheet: np.ndarray, middle: np.ndarray, scale: float) -> np.ndarray:
    """Returns a patch of PATCH_PX around *middle* (px), *scale* sheet px per patch px."""
    side = round(PATCH_PX * scale)
    low = np.round(middle - (side - 1) / 2).astype(int)
    padded = cv2.copyMakeBorder(sheet, side, side, side, side, cv2.BORDER_REPLICATE)
    x, y = low + side
    return cv2.resize(padded[y : y + side, x : x + side], (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("edition")
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    catalogue_gallery(options.folder, options.edition).save(options.out)


if __name__ == "__main__":
    main()
