"""The sheets to print, looked at as a printer would draw them."""

from __future__ import annotations

import errno
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.sheet import CARD_ID, DICTIONARY, LENS_BOARD, MARKER_IDS, MARKER_SIDE, PAPERS, write_sheets
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator

pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed (extra test)")
DOTS_A_MM = 8.0


def printed(path: Path, page: int) -> np.ndarray:
    """(H, W) uint8 grey of a page at DOTS_A_MM."""
    document = pdfium.PdfDocument(path)
    bgr = document[page].render(scale=DOTS_A_MM * 25.4 / 72).to_numpy()
    grey: np.ndarray = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    return grey


@pytest.fixture(params=PAPERS)
def sheets(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    write_sheets(tmp_path / "sheets.pdf", request.param, Translator("en"))
    return tmp_path / "sheets.pdf"


def test_the_first_page_shows_the_four_markers_and_that_of_the_card(sheets: Path) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(printed(sheets, 0))
    assert sorted(ids.ravel().tolist()) == sorted((*MARKER_IDS, CARD_ID))
    for quad, marker in zip(corners, ids.ravel().tolist(), strict=True):
        if marker in MARKER_IDS:
            sides = np.linalg.norm(np.roll(quad[0], 1, axis=0) - quad[0], axis=1) / DOTS_A_MM
            assert sides == pytest.approx(MARKER_SIDE, abs=0.4)


def test_the_second_page_is_the_board_that_measures_a_lens(sheets: Path) -> None:
    corners, ids, _, _ = cv2.aruco.CharucoDetector(LENS_BOARD.charuco()).detectBoard(printed(sheets, 1))
    columns, rows = LENS_BOARD.squares
    assert len(ids) == (columns - 1) * (rows - 1)
    apart = np.linalg.norm(corners.reshape(-1, 2)[1] - corners.reshape(-1, 2)[0]) / DOTS_A_MM
    assert apart == pytest.approx(LENS_BOARD.square, abs=0.2)


def test_a_full_disk_leaves_the_sheets_that_were_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    (tmp_path / "sheets.pdf").write_text("of before")
    monkeypatch.setattr("calibration.atomic_file.os.fsync", full)
    with pytest.raises(OSError, match="full"):
        write_sheets(tmp_path / "sheets.pdf", "a4", Translator("en"))
    assert [path.read_text() for path in tmp_path.iterdir()] == ["of before"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", PAPERS)
def test_everything_printed_is_within_the_page(paper: str, language: str, tmp_path: Path) -> None:
    write_sheets(tmp_path / "sheets.pdf", paper, Translator(language, strict=True))
    for page in (0, 1):
        border = np.ones_like(grey := printed(tmp_path / "sheets.pdf", page), bool)
        reach = round(5 * DOTS_A_MM)
        border[reach:-reach, reach:-reach] = False
        assert (grey[border] == 255).all()
