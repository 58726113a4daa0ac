"""Loading pictures: every file becomes a BGR frame or one clear sentence."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import pictures
from vision.pictures import MAX_BYTES, MIN_SIDE, PictureError, load_image

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


def png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_header(width: int, height: int) -> bytes:
    """A PNG that announces a size and holds no pixels."""
    ihdr = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", ihdr) + png_chunk(b"IEND", b"")


def bmp_header(width: int, height: int) -> bytes:
    return b"BM" + struct.pack("<IIIIiiHH", 54, 0, 54, 40, width, height, 1, 24) + bytes(24)


def webp_header(width: int, height: int, *, moves: bool = False) -> bytes:
    """An extended WebP that announces a size and holds no pixels."""
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<IB3x", 10, 2 * moves) + sides
    return b"RIFF" + struct.pack("<I", len(body)) + body


def moving_png() -> bytes:
    """A whole PNG with the chunk that announces two frames."""
    png = encoded(flat(), ".png")
    head = len(b"\x89PNG\r\n\x1a\n") + len(png_chunk(b"IHDR", bytes(13)))
    return png[:head] + png_chunk(b"acTL", struct.pack(">II", 2, 0)) + png[head:]


def noise() -> np.ndarray:
    """A picture that compresses badly, so that its files have a middle."""
    return np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8)


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


def test_a_few_bytes_too_many_do_not_make_a_jpeg_damaged(tmp_path: Path) -> None:
    path = tmp_path / "webcam.jpg"
    jpeg = encoded(flat(), ".jpg")
    path.write_bytes(jpeg[:-2] + bytes(5) + jpeg[-2:])
    assert load_image(path).shape == (48, 64, 3)


def with_hole(data: bytes) -> bytes:
    """The same file with zeros in its middle, as a failing card leaves them."""
    middle = len(data) // 2
    return data[:middle] + bytes(200) + data[middle + 200 :]


BROKEN = {
    "empty": (b"", "empty"),
    "text": (b"value,colour\n6,red\n", "not a picture"),
    "half_jpeg": (encoded(noise(), ".jpg")[:2500], "cut off"),
    "half_png": (encoded(noise(), ".png")[:2500], "cut off"),
    "half_webp": (encoded(noise(), ".webp")[:2500], "cut off"),
    "half_bmp": (encoded(noise(), ".bmp")[:2500], "a damaged one"),
    "hole_in_jpeg": (with_hole(encoded(noise(), ".jpg")), "the picture is damaged"),
    "hole_in_png": (with_hole(encoded(noise(), ".png")), "a damaged one"),
    "head_only": (b"\xff\xd8\xff\xe0", "not a picture"),
    "one_pixel": (encoded(flat(1, 1), ".png"), "1x1 px is too small"),
    "tiny": (encoded(flat(MIN_SIDE - 1, 400), ".png"), "too small"),
    "huge": (encoded(np.zeros((9_000, 12_000), np.uint8), ".png"), "12000x9000 px is too large"),
    "bomb": (png_header(60_000, 60_000), "too large"),
    "huge_bmp": (bmp_header(12_000, -9_000), "12000x9000 px is too large"),
    "huge_webp": (webp_header(12_000, 9_000), "12000x9000 px is too large"),
    "moving_gif": (b"GIF89a\x40\x00\x30\x00" + bytes(40), "animations are not read"),
    "moving_webp": (webp_header(64, 48, moves=True), "animations are not read"),
    "moving_png": (moving_png(), "animations are not read"),
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


def test_nothing_but_the_error_is_said_of_a_damaged_picture(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hole.jpg"
    path.write_bytes(with_hole(encoded(noise(), ".jpg")))
    with pytest.raises(PictureError):
        load_image(path)
    assert capfd.readouterr().err == ""


def test_what_others_say_after_a_picture_is_heard(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(encoded(flat(), ".jpg"))
    load_image(path)
    os.write(2, b"a warning\n")
    assert capfd.readouterr().err == "a warning\n"


@pytest.mark.parametrize("params", [(cv2.IMWRITE_WEBP_QUALITY, 80), (cv2.IMWRITE_WEBP_QUALITY, 101)])
def test_a_webp_is_measured_before_it_is_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, params: tuple[int, int]
) -> None:
    path = tmp_path / "photo.webp"
    path.write_bytes(cv2.imencode(".webp", flat(64, 48), params)[1].tobytes())
    monkeypatch.setattr(pictures, "MAX_PIXELS", 64 * 48 - 1)
    monkeypatch.setattr(pictures, "MAX_BYTES", 10_000)
    monkeypatch.setattr(cv2, "imdecode", None)
    with pytest.raises(PictureError, match="64x48 px is too large"):
        load_image(path)


@pytest.mark.parametrize(("suffix", "name"), [(".jpg", "photo.png"), (".png", "photo.jpg")])
def test_a_wrong_suffix_does_not_matter(tmp_path: Path, suffix: str, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(encoded(flat(), suffix))
    assert load_image(path).shape == (48, 64, 3)


def test_a_file_longer_than_any_picture_is_not_even_opened(tmp_path: Path) -> None:
    path = tmp_path / "video.jpg"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)  # takes no room on the disk
    with pytest.raises(PictureError, match=r"video\.jpg: 300 MB is too large"):
        load_image(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"nowhere\.jpg: no such file"):
        load_image(tmp_path / "nowhere.jpg")


def test_a_folder_is_not_a_picture(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="a folder"):
        load_image(tmp_path)
