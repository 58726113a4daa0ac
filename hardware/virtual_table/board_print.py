"""Draws the static print on one flat canvas: the table top, the boards, their empty places and the markers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from . import sprites
from .art import SEAT, Art, Layer
from .canvas import Frame, Sheet
from .layout import MARKER_DICTIONARY, Panel, PlaceGroup, Polygon, TableLayout, sheet_of_paper
from .sprites import bgr, rounded

_MODULE_PX = 20
"""Pixels of one marker cell before it is drawn on the canvas."""
_PLANK_MM = 92.0
_WEAVE_MM = 1.6
_SHADOW, _SHADOW_WAY = 0.55, (0.35, 0.7)
"""Share of light lost beside a board, and direction of its shadow in thicknesses."""


def wood(shape: tuple[int, int], scale: float, rng: np.random.Generator) -> np.ndarray:
    """Returns planks along x: (h, w, 3) uint8."""
    height, width = (n // 2 + 1 for n in shape)
    plank = round(_PLANK_MM * scale / 2)
    tone = np.zeros((height, width), np.float32)
    for top in range(0, height, plank):
        rows = min(plank, height - top)
        tone[top : top + rows] = rng.normal(0, 7) + sum(
            weight * _soft_noise((rows, width), (thin, long), rng)
            for thin, long, weight in ((1, 90, 5.0), (3, 210, 6.0), (12, 350, 5.0))
        )
        tone[top : top + 1] -= 46
        tone[top + 1 : top + 2] += 9
    full = cv2.resize(tone, shape[::-1], interpolation=cv2.INTER_LINEAR)
    return _tinted("#8b5f3a", full, (0.75, 0.9, 1.0))


def _soft_noise(shape: tuple[int, int], cell: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """Returns (h, w) float32: smooth noise of standard deviation about 1, with cells of the given height and width."""
    height, width = shape
    cells = (max(2, height // cell[0]), max(2, width // cell[1]))
    return cv2.resize(rng.standard_normal(cells, np.float32), (width, height), interpolation=cv2.INTER_CUBIC)


def _tinted(colour: str, tone: np.ndarray, tint: tuple[float, float, float] = (1, 1, 1)) -> np.ndarray:
    """Returns (h, w, 3) uint8: a colour made lighter and darker by *tone* (h, w)."""
    channels = [
        cv2.convertScaleAbs(np.maximum(tone * t + c, 0)) for c, t in zip(bgr(colour), tint, strict=True)
    ]
    return cv2.merge(channels)


def cloth(shape: tuple[int, int], scale: float, rng: np.random.Generator) -> np.ndarray:
    """Returns a woven green table cloth: (h, w, 3) uint8."""
    height, width = shape
    thread = max(2, round(_WEAVE_MM * scale))
    y, x = np.ogrid[0:height, 0:width]
    weave = np.where(((x // thread) + (y // thread)) % 2 == 0, 3, -3).astype(np.float32)
    return _tinted(
        "#2d6144", weave + 4 * _soft_noise(shape, (2, 2), rng) + 6 * _soft_noise(shape, (400, 400), rng)
    )


SURFACES: Mapping[str, Callable[[tuple[int, int], float, np.random.Generator], np.ndarray]] = {
    "wood": wood,
    "cloth": cloth,
}
"""Materials of the table top."""


PANELS: Mapping[str, tuple[Layer, ...]] = {"sheet": (Layer(0, 1, "#f1efe8", thick_mm=0.4, mottle=2),)}
"""Panels of every game: the sheet of paper on which tiles are shown."""
PLACES: Mapping[str, Callable[..., np.ndarray]] = {"paper": sprites.paper_outline}
"""Places of every game: those on that sheet."""


class Printer:
    """Draws print on the flat canvas."""

    def __init__(self, canvas: np.ndarray, frame: Frame, rng: np.random.Generator, art: Art) -> None:
        self._canvas, self._frame, self._rng = canvas, frame, rng
        self._art = art
        self._panels = {**PANELS, **art.panels}
        self._places = {**PLACES, **art.places}

    def _draw_piece(
        self, polygon: np.ndarray, colour: str, *, thick_mm: float = 0.0, mottle: float = 0.0
    ) -> None:
        """Draws a piece of card: its shadow, then its colour with uneven ink."""
        scale, origin = self._frame.scale, self._frame.origin_mm
        low = np.floor((polygon.min(axis=0) - origin - 4 * thick_mm) * scale).astype(int)
        high = np.ceil((polygon.max(axis=0) - origin + 4 * thick_mm) * scale).astype(int) + 1
        left, top = np.maximum(low, 0)
        part = self._canvas[top : high[1], left : high[0]]

        def mask(points: np.ndarray) -> np.ndarray:
            cover = np.zeros(part.shape[:2], np.uint8)
            corners = self._frame.fixed_point(points, (left, top))
            return cv2.fillPoly(cover, [corners], 255, cv2.LINE_AA, Frame.SHIFT)

        if thick_mm:
            cast = mask(polygon + thick_mm * np.array(_SHADOW_WAY))
            soft = cv2.GaussianBlur(cast, (0, 0), thick_mm * 0.7 * scale)
            through = cv2.convertScaleAbs(soft, alpha=-_SHADOW, beta=255)
            cv2.multiply(part, cv2.merge([through] * 3), dst=part, scale=1 / 255)
        corners = self._frame.fixed_point(polygon, (left, top))
        cv2.fillPoly(part, [corners], bgr(colour), cv2.LINE_AA, Frame.SHIFT)
        if mottle:
            shape = part.shape[:2]
            tone = _soft_noise(shape, (45, 60), self._rng) + 0.6 * _soft_noise(shape, (8, 10), self._rng)
            ink = cv2.merge([tone * mottle] * 3)
            cv2.add(part, ink, dst=part, mask=mask(polygon), dtype=cv2.CV_8U)

    def _line(self, polygon: np.ndarray, colour: str, width_mm: float) -> None:
        px = [self._frame.fixed_point(polygon)]
        width = max(1, round(width_mm * self._frame.scale))
        cv2.polylines(self._canvas, px, True, bgr(colour), width, cv2.LINE_AA, Frame.SHIFT)

    def panel(self, panel: Panel) -> None:
        style, _, detail = panel.style.partition("/")
        where = panel.where
        if style in self._art.pictures:
            self.sprite(
                self._art.pictures[style](detail), where.centre_mm, where.turn_deg, width_mm=where.size_mm[0]
            )
            return
        for layer in self._panels[style]:
            width, height = np.array(where.size_mm) - 2 * layer.inset_mm
            outline = np.array(where.outline(rounded(width, height, layer.radius_mm)))
            colour = self._art.seat_colour(detail) if layer.colour == SEAT else layer.colour
            if layer.width_mm:
                self._line(outline, colour, layer.width_mm)
            else:
                self._draw_piece(outline, colour, thick_mm=layer.thick_mm, mottle=layer.mottle)

    def sprite(
        self,
        picture: np.ndarray,
        centre: tuple[float, float],
        turn_deg: float = 0.0,
        width_mm: float | None = None,
    ) -> None:
        """Prints a sprite, at its own size or *width_mm* wide."""
        grow = width_mm * sprites.SPRITE_SCALE / picture.shape[1] if width_mm else 1.0
        reach = grow * max(picture.shape[:2]) / sprites.SPRITE_SCALE / 2
        box = np.array(centre) + reach * np.array([(-1, -1), (1, 1)])
        sheet = Sheet.around(self._frame, box, margin_mm=1)
        sheet.paste(picture, sprites.SPRITE_SCALE, centre, turn_deg, grow)
        sheet.patch().paint(self._canvas)

    def places(self, group: PlaceGroup) -> None:
        for name, centre in zip(group.prints, group.centres_mm, strict=True):
            kind, *details = name.split("/")
            self.sprite(self._places[kind](*details), centre, group.turn_deg)

    def land(self, group: PlaceGroup) -> None:
        """Draws the land around the spaces of a board."""
        for flat, colour in self._art.land:
            for centre in group.centres_mm:
                corners = self._frame.fixed_point(sprites.hexagon(flat) + centre)
                cv2.fillConvexPoly(self._canvas, corners, bgr(colour), cv2.LINE_AA, Frame.SHIFT)

    def marker(self, identity: int, quad: Polygon) -> None:
        self._draw_piece(sheet_of_paper(quad), "#f7f6f1", thick_mm=0.5, mottle=1)
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY))
        cells = dictionary.markerSize + 2
        side = cells * _MODULE_PX
        black = cv2.aruco.generateImageMarker(dictionary, identity, side)
        picture = np.dstack([np.maximum(black, 18)] * 3 + [np.full_like(black, 255)])
        corners = np.array(quad)
        scale = side / np.linalg.norm(corners[1] - corners[0])
        sheet = Sheet.around(self._frame, corners, margin_mm=1)
        sheet.paste(picture, float(scale), tuple(corners.mean(axis=0)))
        sheet.patch().paint(self._canvas)


def print_table(layout: TableLayout, frame: Frame, surface: str, rng: np.random.Generator) -> np.ndarray:
    """Returns the empty table: (h, w, 3) uint8 BGR flat canvas.

    Raises ValueError when *surface* is not in ``SURFACES``.
    """
    if surface not in SURFACES:
        raise ValueError(f"no table surface {surface!r}; choose {' or '.join(SURFACES)}")
    width, height = frame.size
    canvas = SURFACES[surface]((height, width), frame.scale, rng)
    printer = Printer(canvas, frame, rng, layout.art)
    for panel in layout.panels:
        printer.panel(panel)
    for board in layout.boards:
        printer.land(board.group)
    for mark in layout.marks:
        printer.panel(mark)
    for group in layout.groups:
        printer.places(group)
    for identity, quad in layout.markers.items():
        printer.marker(identity, quad)
    return canvas
