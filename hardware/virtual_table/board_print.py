"""The print that never moves: the table top, the boards, their empty places and the markers, on one flat canvas."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from hardware.virtual_table import sprites
from hardware.virtual_table.canvas import Frame, Sheet
from hardware.virtual_table.layout import (
    MARKER_DICTIONARY,
    Panel,
    PlaceGroup,
    Polygon,
    TableLayout,
    sheet_of_paper,
)
from hardware.virtual_table.sprites import bgr, rounded

SEAT_COLOURS: Mapping[str, str] = {
    "red": "#a8242a",
    "blue": "#23509c",
    "green": "#2f7a3a",
    "black": "#2a2a2c",
    "yellow": "#d9ac1d",
}
"""Colour of a player's board edge."""
_OTHER_SEAT = "#7a6a58"
_MODULE_PX = 20
"""Pixels of one marker cell before it is laid on the canvas."""
_PLANK_MM = 92.0
_WEAVE_MM = 1.6


def wood(shape: tuple[int, int], scale: float, rng: np.random.Generator) -> np.ndarray:
    """Planks along x: (h, w, 3) uint8."""
    height, width = shape
    plank = round(_PLANK_MM * scale)
    tone = np.zeros((height, width), np.float32)
    for top in range(0, height, plank):
        rows = min(plank, height - top)
        grain = sum(
            weight
            * cv2.resize(
                rng.normal(0, 1, (max(2, rows // thin), max(2, width // long))).astype(np.float32),
                (width, rows),
                interpolation=cv2.INTER_CUBIC,
            )
            for thin, long, weight in ((2, 160, 5.0), (7, 420, 6.0), (24, 700, 5.0))
        )
        tone[top : top + rows] = grain + rng.normal(0, 7)
        tone[top : top + 2] -= 46
        tone[top + 2 : top + 4] += 9
    return np.clip(np.array(bgr("#8b5f3a"), np.float32) + tone[..., None] * (0.75, 0.9, 1.0), 0, 255).astype(
        np.uint8
    )


def cloth(shape: tuple[int, int], scale: float, rng: np.random.Generator) -> np.ndarray:
    """A woven green table cloth: (h, w, 3) uint8."""
    height, width = shape
    thread = max(2, round(_WEAVE_MM * scale))
    y, x = np.mgrid[0:height, 0:width]
    weave = np.where(((x // thread) + (y // thread)) % 2 == 0, 3.0, -3.0).astype(np.float32)
    fuzz = rng.normal(0, 4, (height // 2 + 1, width // 2 + 1)).astype(np.float32)
    folds = cv2.resize(
        rng.normal(0, 6, (5, 8)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    tone = weave + cv2.resize(fuzz, (width, height)) + folds
    return np.clip(np.array(bgr("#2d6144"), np.float32) + tone[..., None], 0, 255).astype(np.uint8)


SURFACES: Mapping[str, Callable[[tuple[int, int], float, np.random.Generator], np.ndarray]] = {
    "wood": wood,
    "cloth": cloth,
}
"""What the table top can be made of."""


def _place_print(name: str) -> np.ndarray:
    kind, _, detail = name.partition("/")
    match kind:
        case "space":
            colour, _, die = detail.partition("/")
            return sprites.printed_space(colour, int(die))
        case "slot":
            return sprites.printed_slot(detail)
        case "round":
            return sprites.printed_round(int(detail))
        case "storage":
            return sprites.printed_storage()
        case "black":
            return sprites.printed_black_slot()
        case "goods":
            return sprites.printed_goods_square()
        case "paper":
            return sprites.paper_outline(detail)
    raise ValueError(f"no print is called {name!r}")


class Printer:
    """Lays print on the flat canvas."""

    def __init__(self, canvas: np.ndarray, frame: Frame, rng: np.random.Generator) -> None:
        self._canvas, self._frame, self._rng = canvas, frame, rng

    def _lay(self, polygon: np.ndarray, colour: str, *, shadow_mm: float = 0.0, mottle: float = 0.0) -> None:
        """Lays a piece of card: its shadow, then its colour with a soft mottle."""
        sheet = Sheet.around(self._frame, polygon, margin_mm=4 + 3 * shadow_mm)
        if shadow_mm:
            sheet.shade(polygon + shadow_mm * np.array([0.35, 0.7]), 0.55, blur_mm=shadow_mm * 0.7)
        sheet.fill(polygon, colour)
        if mottle:
            sheet.mottle(mottle, self._rng)
        sheet.patch().paint(self._canvas)

    def _frame_line(self, polygon: np.ndarray, colour: str, width_mm: float) -> None:
        px = [self._frame.fixed_point(polygon)]
        width = max(1, round(width_mm * self._frame.scale))
        cv2.polylines(self._canvas, px, True, bgr(colour), width, cv2.LINE_AA, Frame.SHIFT)

    def panel(self, panel: Panel) -> None:
        style, _, owner = panel.style.partition("/")
        where = panel.where
        width, height = where.size_mm

        def outline(inset: float, radius: float) -> np.ndarray:
            return np.array(where.outline(rounded(width - 2 * inset, height - 2 * inset, radius)))

        match style:
            case "seat":
                colour = seat_colour(owner)
                self._lay(outline(0, 5), colour, shadow_mm=2.2)
                self._lay(outline(2.6, 3.5), "#5a4632", mottle=5)
                self._frame_line(outline(4.2, 3), "#8d734f", 0.5)
            case "card":
                self._lay(outline(0, 2), "#c3b084", shadow_mm=0.8, mottle=7)
                self._frame_line(outline(1.6, 1.5), "#6b5430", 0.6)
                self._frame_line(outline(2.8, 1.2), "#8f7748", 0.4)
            case "main":
                self._lay(outline(0, 4), "#4b3a29", shadow_mm=2.2)
                self._lay(outline(3, 3), "#b7a277", mottle=9)
                self._frame_line(outline(5.5, 2.5), "#5e2a38", 1.0)
                self._frame_line(outline(7.5, 2), "#7d6640", 0.5)
            case "depot":
                self._lay(outline(0, 7), "#8a7250", mottle=5)
                self._frame_line(outline(1.4, 6), "#e0cf9f", 0.7)
            case "rounds":
                self._lay(outline(0, 4), "#7a3448", mottle=4)
                self._frame_line(outline(1.2, 3.4), "#d8c187", 0.5)
            case "black":
                self._lay(outline(0, 8), "#39322a", mottle=4)
                self._frame_line(outline(1.6, 7), "#a8904f", 0.8)
            case "tray":
                self._lay(outline(0, 5), "#2f4a3e", mottle=3)
                self._frame_line(outline(1.2, 4.2), "#b79d62", 0.6)
            case "badge":
                self.sprite(sprites.die_badge(int(panel.text)), where.centre_mm, where.turn_deg)
            case "sheet":
                self._lay(outline(0, 1), "#f1efe8", shadow_mm=0.4, mottle=2)
            case _:
                raise ValueError(f"no panel has the style {panel.style!r}")

    def sprite(self, picture: np.ndarray, centre: tuple[float, float], turn_deg: float = 0.0) -> None:
        reach = max(picture.shape[:2]) / sprites.SPRITE_SCALE / 2
        box = np.array(centre) + reach * np.array([(-1, -1), (1, 1)])
        sheet = Sheet.around(self._frame, box, margin_mm=1)
        sheet.lay(picture, sprites.SPRITE_SCALE, centre, turn_deg)
        sheet.patch().paint(self._canvas)

    def places(self, group: PlaceGroup) -> None:
        for name, centre in zip(group.prints, group.centres_mm, strict=True):
            self.sprite(_place_print(name), centre, group.turn_deg)

    def marker(self, identity: int, quad: Polygon) -> None:
        self._lay(sheet_of_paper(quad), "#f7f6f1", shadow_mm=0.5, mottle=1)
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, MARKER_DICTIONARY))
        cells = dictionary.markerSize + 2
        side = cells * _MODULE_PX
        black = cv2.aruco.generateImageMarker(dictionary, identity, side)
        picture = np.dstack([np.maximum(black, 18)] * 3 + [np.full_like(black, 255)])
        corners = np.array(quad)
        scale = side / np.linalg.norm(corners[1] - corners[0])
        sheet = Sheet.around(self._frame, corners, margin_mm=1)
        sheet.lay(picture, float(scale), tuple(corners.mean(axis=0)))
        sheet.patch().paint(self._canvas)


def print_table(layout: TableLayout, frame: Frame, surface: str, rng: np.random.Generator) -> np.ndarray:
    """The empty table: (h, w, 3) uint8 BGR flat canvas.

    Raises ValueError when *surface* is none of ``SURFACES``.
    """
    if surface not in SURFACES:
        raise ValueError(f"no table is made of {surface!r}; choose {' or '.join(SURFACES)}")
    width, height = frame.size
    canvas = SURFACES[surface]((height, width), frame.scale, rng)
    printer = Printer(canvas, frame, rng)
    for panel in layout.panels:
        printer.panel(panel)
    for group in layout.groups:
        printer.places(group)
    for identity, quad in layout.markers.items():
        printer.marker(identity, quad)
    return canvas


def seat_colour(player: str) -> str:
    """``#rrggbb`` of a player's board edge and sleeve."""
    return SEAT_COLOURS.get(player, _OTHER_SEAT)
