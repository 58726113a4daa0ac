"""Enrolment pictures: every tile face photographed once, as an owner does before the first game.

The tiles lie on a sheet with the four markers; the empty places are those of the empty table. The gallery of a reader
is built from these frames only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vision.sighting import EMPTY

from ..scene import Scene
from .art import Art
from .layout import TABLE_MM, Panel, PlaceGroup, Placement, TableLayout, corner_markers
from .optics import Light
from .samples import sample_layout
from .sprites import SHAPES
from .table import FRAME_SIZE, SENSOR_NOISE, VirtualTable

EnrolmentFrame = tuple[np.ndarray, dict[str, Any], dict[str, str]]
"""Frame, its table file, and the label of every place."""

COPIES = 3
"""Number of copies of each face, at different positions and angles."""
_FACES = {"faces": "hex", "goods_faces": "square", "shield_faces": "shield"}
"""Groups of places on the sheet, and the shape of their pieces."""
_TURNED_SHARE = 0.5
_PITCH_MM = 46.0
_EDGE_MM = 28.0
_CORNER_MM = 90.0
"""Spots closer than this to both edges of a corner are reserved for its marker."""


class TileSheet:
    """A sheet of tile faces: the label of each spot, and the table layout that contains them.

    *order* determines the spot of each face.
    """

    def __init__(self, labels: Sequence[str], order: np.random.Generator, art: Art) -> None:
        spots = order.permutation(_spots())
        if len(labels) > len(spots):
            raise ValueError(
                f"a sheet has room for {len(spots)} faces, not {len(labels)}; use several sheets"
            )
        faces = {
            group: shown
            for group, shape in _FACES.items()
            if (shown := tuple(label for label in labels if art.shape(label) is SHAPES[shape]))
        }
        self.scene = Scene(places=faces)
        ends = np.cumsum([len(shown) for shown in faces.values()])
        taken = dict(zip(faces, np.split(spots[: len(labels)], ends[:-1]), strict=True))
        middle = (TABLE_MM[0] / 2, TABLE_MM[1] / 2)
        self.layout = TableLayout(
            size_mm=TABLE_MM,
            markers=corner_markers(TABLE_MM),
            panels=(Panel("sheet", Placement(middle, TABLE_MM)),),
            boards=(),
            groups=tuple(
                PlaceGroup(
                    group,
                    _FACES[group],
                    SHAPES[_FACES[group]].place_mm,
                    tuple((float(x), float(y)) for x, y in taken[group]),
                    (f"paper/{_FACES[group]}",) * len(taken[group]),
                )
                for group in faces
            ),
            dice_areas={},
            seats={},
            art=art,
        )


def _spots() -> np.ndarray:
    """Returns (N, 2) mm: centres of the spots of the sheet, clear of the markers."""
    width, height = TABLE_MM
    grid = np.stack(
        np.meshgrid(
            np.arange(_EDGE_MM, width - _EDGE_MM, _PITCH_MM),
            np.arange(_EDGE_MM, height - _EDGE_MM, _PITCH_MM),
        ),
        axis=-1,
    ).reshape(-1, 2)
    to_edge = np.minimum(grid, np.array(TABLE_MM) - grid)
    centres: np.ndarray = grid[(to_edge >= _CORNER_MM).any(axis=1)]
    return centres


def _labels(scene: Scene) -> dict[str, str]:
    return {f"{name}:{i}": label for name, labels in scene.places.items() for i, label in enumerate(labels)}


def enrolment_frames(
    seed: int,
    *,
    layout: TableLayout | None = None,
    size: tuple[int, int] = FRAME_SIZE,
    light: Light | None = None,
    noise: float = SENSOR_NOISE,
    surface: str = "wood",
) -> list[EnrolmentFrame]:
    """Returns the pictures that an owner takes: one sheet with every face ``COPIES`` times, and the empty table.

    *layout* is the table whose empty places are enrolled, by default a sample table for four. If it has card areas, the
    sheet also contains backs of tiles, which may lie there face down.
    """
    layout = layout or sample_layout(("red", "blue", "green", "black"))
    art = layout.art
    backs = (art.back,) if layout.card_areas else ()
    faces = (*art.tiles, *art.goods, *backs, *art.shields) * COPIES
    sheet = TileSheet(faces, np.random.default_rng(seed), art)
    empty = Scene(places={group.name: (EMPTY,) * len(group.centres_mm) for group in layout.groups})
    frames = []
    for where, scene in ((sheet.layout, sheet.scene), (layout, empty)):
        with VirtualTable(
            where, seed=seed, size=size, light=light, noise=noise, surface=surface, turned=_TURNED_SHARE
        ) as table:
            table.show(scene)
            frames.append((table.read(), table.table_file(), _labels(scene)))
    return frames
