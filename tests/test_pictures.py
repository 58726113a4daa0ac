"""Loading pictures: every file becomes a BGR frame or one clear sentence."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.pictures import MIN_SIDE, PictureError, load_image

BLUE_GREEN_RED = (200, 40, 10)


def flat(width: int = 64, height: int = 48) -> np.ndarray:
    return np.full((height, width, 3), BLUE_GREEN_RED, np.uint8)


def encoded(frame: np.ndarray, suffix: str) -> bytes:
    return cv2.imencode(suffix, frame)[1].tobytes()


def with_exif_orientation(jpeg: bytes, orientation: int) -> bytes:
    """The same JPEG with an EXIF block that holds only the orientation tag."""
    tiff = b"II*\0" + struct.pack("<IHHHII", 8, 1, 0x0112, 3, 1, orientation) + b"\0\0\0\0"
    block = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]


def png_header(width: int, height: int) -> bytes:
    """A PNG that announces a size and holds no pixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    ihdr = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", ihdr) + chunk(b"IEND", b"")


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".bmp", ".webp", ".tiff"])
def test_a_picture_becomes_a_bgr_frame(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"photo{suffix}"
    path.write_bytes(encoded(flat(), suffix))
    frame = load_image(path)
    assert frame.shape == (48, 64, 3)
    assert frame.dtype == np.uint8
    assert np.abs(frame.mean(axis=(0, 1)) - BLUE_GREEN_RED).max() < 6


def test_the_exif_orientation_is_respected(tmp_path: Path) -> None:
    path = tmp_path / "upright.jpg"
    path.write_bytes(with_exif_orientation(encoded(flat(64, 48), ".jpg"), orientation=6))
    assert load_image(path).shape == (64, 48, 3)


def test_a_grey_picture_gets_three_equal_channels(tmp_path: Path) -> None:
    path = tmp_path / "grey.png"
    path.write_bytes(encoded(np.full((40, 40), 90, np.uint8), ".png"))
    frame = load_image(path)
    assert frame.shape == (40, 40, 3)
    assert (frame == 90).all()


def test_transparency_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "cutout.png"
    path.write_bytes(encoded(np.dstack([flat(), np.full((48, 64), 128, np.uint8)]), ".png"))
    assert (load_image(path) == BLUE_GREEN_RED).all()


def test_sixteen_bit_pictures_are_scaled_to_eight(tmp_path: Path) -> None:
    path = tmp_path / "deep.png"
    path.write_bytes(encoded(np.full((40, 40, 3), 0x8000, np.uint16), ".png"))
    assert (load_image(path) == 0x80).all()


def test_pixels_after_a_jpeg_do_not_make_it_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "trailer.jpg"
    path.write_bytes(encoded(flat(), ".jpg") + b"appended by a phone")
    assert load_image(path).shape == (48, 64, 3)


BROKEN = {
    "empty": (b"", "empty"),
    "text": (b"value,colour\n6,red\n", "not a picture"),
    "half_jpeg": (
        encoded(np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8), ".jpg")[:2500],
        "cut off",
    ),
    "half_png": (
        encoded(np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8), ".png")[:2500],
        "cut off",
    ),
    "head_only": (b"\xff\xd8\xff\xe0", "not a picture"),
    "tiny": (encoded(flat(MIN_SIDE - 1, 400), ".png"), "too small"),
    "bomb": (png_header(60_000, 60_000), "too large"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_file_that_cannot_be_read_names_itself_and_the_fault(tmp_path: Path, case: str) -> None:
    data, fault = BROKEN[case]
    path = tmp_path / f"{case}.jpg"
    path.write_bytes(data)
    with pytest.raises(PictureError, match=fault) as caught:
        load_image(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"nowhere\.jpg: no such file"):
        load_image(tmp_path / "nowhere.jpg")


def test_a_folder_is_not_a_picture(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="a folder"):
        load_image(tmp_path)
