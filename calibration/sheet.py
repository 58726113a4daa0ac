"""Printable sheets: table markers, a white card, and the ChArUco board for the lens.

Lengths are millimetres on the paper, from its top left corner, x right and y down.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np

from .atomic_file import atomic_write

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height."""
MARGIN = 12.0
"""Home printers cannot print closer to the edge."""

DICTIONARY = "DICT_4X4_50"
MARKER_BITS = 6
"""Cells along a marker, including its black border."""
MARKER_IDS = (0, 1, 2, 3)
MARKER_SIDE = 42.0
"""From one metre above, a camera of 2304 px sees about 60 px."""
QUIET = MARKER_SIDE / MARKER_BITS
"""White margin around a marker, one cell wide, which detection needs."""

CARD_ID = 4
"""Marker id of the white card."""
CARD_SIDE = 30.0
"""Side of that marker."""
WHITE = (40.0, 0.0, 40.0, 30.0)
"""The white field: left, top, width and height, from the top left of the card's marker."""
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, width and height, from the top left of the card's marker."""


@dataclass(frozen=True, slots=True)
class Swatch:
    """A printed field of one colour."""

    box: Box
    colour: tuple[float, float, float]
    """Red, green and blue, each 0 to 1."""


SWATCHES = {
    "grey": Swatch((84.0, 0.0, 14.0, 14.0), (0.5, 0.5, 0.5)),
    "black": Swatch((100.0, 0.0, 14.0, 14.0), (0.0, 0.0, 0.0)),
    "red": Swatch((84.0, 16.0, 14.0, 14.0), (0.85, 0.1, 0.1)),
    "blue": Swatch((100.0, 16.0, 14.0, 14.0), (0.1, 0.2, 0.8)),
}
"""Fields beside the white one. Grey and black show people whether the print is faint; red shows whether the camera
swaps red and blue, as some library versions do; blue is for people to compare."""
MM = 72 / 25.4
"""Points of a PDF in a millimetre."""
RULER = 100.0
"""Length of the line with which people check that the printer did not scale the page."""


@dataclass(frozen=True, slots=True)
class LensBoard:
    """The ChArUco board for ``companion calibrate camera``."""

    squares: tuple[int, int] = (7, 9)
    square: float = 27.0
    marker: float = 21.0
    """Seven cells, where a square has nine: both lie on one grid, so the print is exact."""
    dictionary: str = "DICT_5X5_50"
    """Not the table's dictionary, so that the two are never confused."""

    def charuco(self) -> cv2.aruco.CharucoBoard:
        return cv2.aruco.CharucoBoard(
            self.squares,
            self.square,
            self.marker,
            cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, self.dictionary)),
        )


LENS_BOARD = LensBoard()
CELLS_A_SQUARE = 9


def marker_cells(marker: int, dictionary: str = DICTIONARY) -> np.ndarray:
    """Returns (n, n) bool: the black cells of a marker with its border."""
    printed = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    cells: np.ndarray = cv2.aruco.generateImageMarker(printed, marker, MARKER_BITS) == 0
    return cells


def lens_board_cells(board: LensBoard = LENS_BOARD) -> np.ndarray:
    """Returns (h, w) bool: the black cells of the board."""
    width, height = (CELLS_A_SQUARE * count for count in board.squares)
    return board.charuco().generateImage((width, height), marginSize=0, borderBits=1) < 128


def write_sheets(path: Path, paper: str, words: Callable[..., str]) -> None:
    """Writes both sheets to the PDF file *path*; *words* returns the text for a key (``sheet.*``).

    Raises :class:`OSError` when the file cannot be written.
    """
    from reportlab.pdfgen.canvas import Canvas

    width, height = PAPERS[paper]
    with atomic_write(path) as file:
        canvas = Canvas(file, pagesize=(width * MM, height * MM), pageCompression=1)
        canvas.setTitle(words("sheet.title"))
        for draw in (_markers_page, _lens_page):
            page = _Page(canvas, width, height)
            draw(page, words)
            canvas.showPage()
        canvas.save()


class _Page:
    """A page of a PDF, in millimetres from its top left corner."""

    def __init__(self, canvas: Any, width: float, height: float) -> None:
        self.canvas, self.width, self.height = canvas, width, height

    def cells(self, black: np.ndarray, left: float, top: float, cell: float) -> None:
        """Fills the *black* cells in one path: separate rectangles would show seams."""
        path = self.canvas.beginPath()
        for row, line in enumerate(black):
            edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(int), [0]])))
            for first, last in edges.reshape(-1, 2):
                path.rect(
                    (left + first * cell) * MM,
                    (self.height - top - (row + 1) * cell) * MM,
                    (last - first) * cell * MM,
                    cell * MM,
                )
        self.canvas.setFillGray(0)
        self.canvas.drawPath(path, stroke=0, fill=1)

    def field(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        *,
        fill: tuple[float, float, float] | None,
        dashed: bool,
    ) -> None:
        """Draws a rectangle, filled with a colour unless *fill* is None, and *dashed* where it is to be cut out."""
        self.canvas.setStrokeGray(0.6)
        self.canvas.setLineWidth(0.2 * MM)
        self.canvas.setDash(*((2 * MM, 2 * MM) if dashed else ()))
        if fill is not None:
            self.canvas.setFillColorRGB(*fill)
        box = left * MM, (self.height - top - height) * MM, width * MM, height * MM
        self.canvas.rect(*box, stroke=int(dashed or fill is None), fill=int(fill is not None))

    def text(self, left: float, top: float, text: str, size: float = 3.4) -> float:
        """Writes *text* with line breaks, *size* mm high; returns the position of the next line."""
        from reportlab.lib.utils import simpleSplit

        self.canvas.setFillGray(0.15)
        self.canvas.setFont("Helvetica", size * MM)
        for line in simpleSplit(text, "Helvetica", size * MM, (self.width - MARGIN - left) * MM):
            top += 1.35 * size
            self.canvas.drawString(left * MM, (self.height - top) * MM, line)
        return top

    def ruler(self, left: float, top: float) -> None:
        self.canvas.setStrokeGray(0)
        self.canvas.setLineWidth(0.25 * MM)
        self.canvas.setDash()
        y = (self.height - top) * MM
        self.canvas.line(left * MM, y, (left + RULER) * MM, y)
        for tick in range(0, round(RULER) + 1, 10):
            x = (left + tick) * MM
            self.canvas.line(x, y - 1.5 * MM, x, y + 1.5 * MM)


def _markers_page(page: _Page, words: Callable[..., str]) -> None:
    top = page.text(MARGIN, MARGIN, words("sheet.title"), 5.5) + 1
    top = page.text(MARGIN, top, words("sheet.markers")) + 4
    page.ruler(MARGIN, top + 3)
    page.text(MARGIN + RULER + 4, top - 0.5, words("sheet.ruler", length=round(RULER)), 3)
    top += 13
    block = MARKER_SIDE + 2 * QUIET
    gap = 8.0
    left = (page.width - 2 * block - gap) / 2
    for index, marker in enumerate(MARKER_IDS):
        x, y = left + (block + gap) * (index % 2), top + (block + gap) * (index // 2)
        page.field(x, y, block, block, fill=None, dashed=True)
        page.cells(marker_cells(marker), x + QUIET, y + QUIET, MARKER_SIDE / MARKER_BITS)
    _card(page, left, top + 2 * (block + gap), words)


def _card(page: _Page, left: float, top: float, words: Callable[..., str]) -> None:
    """Draws the white card."""
    quiet = CARD_SIDE / MARKER_BITS
    page.field(left, top, 2 * MARKER_SIDE + 4 * QUIET + 8, CARD_SIDE + 2 * quiet, fill=None, dashed=True)
    page.cells(marker_cells(CARD_ID), left + quiet, top + quiet, CARD_SIDE / MARKER_BITS)
    fields = [(WHITE, None), *((swatch.box, swatch.colour) for swatch in SWATCHES.values())]
    for (x, y, width, height), colour in fields:
        page.field(left + quiet + x, top + quiet + y, width, height, fill=colour, dashed=False)
    page.text(left, top + CARD_SIDE + 2 * quiet + 1, words("sheet.card"), 3)


def _lens_page(page: _Page, words: Callable[..., str]) -> None:
    board = LENS_BOARD
    width, height = (count * board.square for count in board.squares)
    page.cells(lens_board_cells(board), (page.width - width) / 2, MARGIN, board.square / CELLS_A_SQUARE)
    page.text((page.width - width) / 2, MARGIN + height + 1, words("sheet.lens"), 3)
