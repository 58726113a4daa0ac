"""Loading pictures: every file becomes a BGR frame or one clear sentence."""

from __future__ import annotations

import os
import socket
import struct
import tracemalloc
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import pictures
from vision.picture_kinds import (
    bytes_per_pixel,
    declared_size,
    is_animated,
    is_cut_off,
    is_readable,
    unsupported_kind,
)
from vision.pictures import MAX_BYTES, MAX_SIDE, MIN_SIDE, PictureError, load_image

BLUE_GREEN_RED = (200, 40, 10)


def flat(width: int = 64, height: int = 48) -> np.ndarray:
    return np.full((height, width, 3), BLUE_GREEN_RED, np.uint8)


def encoded(frame: np.ndarray, suffix: str) -> bytes:
    return cv2.imencode(suffix, frame)[1].tobytes()


def with_exif_orientation(jpeg: bytes, orientation: int) -> bytes:
    """Returns the same JPEG with an EXIF block that contains only the orientation tag."""
    tiff = b"II*\0" + struct.pack("<IHHHII", 8, 1, 0x0112, 3, 1, orientation) + b"\0\0\0\0"
    block = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]


def png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png_header(width: int, height: int) -> bytes:
    """Returns a PNG that announces a size and holds no pixels."""
    ihdr = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", ihdr) + png_chunk(b"IEND", b"")


def bmp_header(width: int, height: int) -> bytes:
    return b"BM" + struct.pack("<IIIIiiHH", 54, 0, 54, 40, width, height, 1, 24) + bytes(24)


def webp_header(width: int, height: int, *, moves: bool = False) -> bytes:
    """Returns an extended WebP that announces a size and holds no pixels."""
    sides = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<IB3x", 10, 2 * moves) + sides
    return b"RIFF" + struct.pack("<I", len(body)) + body


def moving_png() -> bytes:
    """Returns a complete PNG with the chunk that declares two frames."""
    png = encoded(flat(), ".png")
    head = len(b"\x89PNG\r\n\x1a\n") + len(png_chunk(b"IHDR", bytes(13)))
    return png[:head] + png_chunk(b"acTL", struct.pack(">II", 2, 0)) + png[head:]


def noise() -> np.ndarray:
    """Returns a picture that compresses badly, so that its files have a middle."""
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
    """Returns the same file with zeros in its middle, as a failing card leaves them."""
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


def test_a_damaged_picture_only_produces_the_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hole.jpg"
    path.write_bytes(with_hole(encoded(noise(), ".jpg")))
    with pytest.raises(PictureError):
        load_image(path)
    assert capfd.readouterr().err == ""


def test_stderr_is_restored_after_a_picture(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
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


def boxes(major: bytes, *others: bytes) -> bytes:
    """Returns the first bytes of a file made of boxes (ISO/IEC 14496-12)."""
    brands = major + bytes(4) + b"".join(others)
    return (
        struct.pack(">I", 8 + len(brands)) + b"ftyp" + brands + struct.pack(">I", 400) + b"meta" + bytes(400)
    )


def tiff(tags: dict[int, int], order: str = "<", magic: int = 42) -> bytes:
    """Returns a TIFF with these *tags* and no pixels."""
    entries = b"".join(struct.pack(f"{order}HHII", tag, 4, 1, value) for tag, value in sorted(tags.items()))
    head = struct.pack(f"{order}HI", magic, 8)
    return {"<": b"II", ">": b"MM"}[order] + head + struct.pack(f"{order}H", len(tags)) + entries + bytes(600)


def sized(width: int, height: int, more: dict[int, int] | None = None) -> dict[int, int]:
    """Returns the tags of a grey picture in one strip."""
    usual = {256: width, 257: height, 258: 8, 259: 1, 262: 1, 273: 200, 278: height, 279: 400}
    return {**usual, **(more or {})}


NAMED = {
    "an iphone's heic": (boxes(b"heic", b"mif1", b"heic"), "photo.heic", "an iPhone photo.*Most Compatible"),
    "heic called jpg": (boxes(b"mif1", b"mif1", b"heic"), "photo.jpg", "an iPhone photo.*JPEG"),
    "heif of some coding": (boxes(b"mif1", b"miaf"), "photo.heif", "an iPhone photo"),
    "524 bytes of a heic": (boxes(b"heic")[:524], "photo.heic", "an iPhone photo"),
    "avif": (boxes(b"avif", b"mif1"), "photo.avif", "an AVIF picture; save it as JPEG"),
    "avif by a later brand": (boxes(b"mif1", b"miaf", b"avif"), "photo.avif", "an AVIF picture"),
    "jp2": (b"\0\0\0\x0cjP  \r\n\x87\n" + boxes(b"jp2 "), "photo.jp2", "a JPEG 2000 picture"),
    "jpeg xl": (b"\xff\x0a" + bytes(90), "photo.jxl", "a JPEG XL picture"),
    "mp4": (boxes(b"isom", b"avc1"), "clip.mp4", "a video; save one picture"),
    "mov": (boxes(b"qt  "), "clip.mov", "a video"),
    "old mov": (struct.pack(">I", 8) + b"moov" + bytes(90), "clip.mov", "a video"),
    "avi": (b"RIFF\0\1\0\0AVI LIST" + bytes(90), "clip.avi", "a video"),
    "webm": (b"\x1aE\xdf\xa3" + bytes(90), "clip.webm", "a video"),
    "gif": (b"GIF89a" + bytes(90), "moving.gif", "a GIF file"),
    "pdf": (b"%PDF-1.7\n" + bytes(90), "scan.pdf", "a PDF; save the page"),
    "dng": (tiff({256: 160, 257: 120, 50706: 1}), "raw.tif", "raw picture"),
    "nef": (tiff({256: 160, 257: 120}), "raw.NEF", "raw picture"),
    "cr2": (b"II*\0\x10\0\0\0CR\x02\0" + bytes(90), "raw.cr2", "raw picture"),
    "cr3": (boxes(b"crx ", b"isom"), "raw.cr3", "raw picture"),
    "raf": (b"FUJIFILMCCD-RAW 0201" + bytes(90), "raw.raf", "raw picture"),
    "zip": (b"PK\x03\x04" + bytes(90), "photos.zip", r"an archive \(ZIP\); unpack"),
    "photoshop": (b"8BPS\0\1" + bytes(90), "table.psd", "a Photoshop file"),
    "web page": (b"<!DOCTYPE html><html>", "photo.jpg", "a web page"),
    "bigtiff": (tiff({}, magic=43), "large.tif", "BigTIFF"),
}


@pytest.mark.parametrize("kind", NAMED)
def test_a_kind_that_is_not_read_is_named_with_its_cure(tmp_path: Path, kind: str) -> None:
    data, name, message = NAMED[kind]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(PictureError, match=message) as caught:
        load_image(tmp_path / name)
    assert str(caught.value).startswith(f"{tmp_path / name}: ") and "\n" not in str(caught.value)


TOO_LARGE = {
    "tiff": tiff(sized(40_000, 40_000)),
    "tiff of the other order": tiff(sized(40_000, 40_000), ">"),
    "tiff in huge tiles": tiff(sized(64, 64, {322: 1 << 20, 323: 1 << 20})),
    "tiff of huge samples": tiff(sized(9_000, 9_000, {277: 60_000})),
    "tiff with its width twice": tiff(sized(40_000, 9_000))
    .replace(struct.pack("<HHII", 257, 4, 1, 9_000), struct.pack("<HHII", 256, 4, 1, 64), 1)
    .replace(struct.pack("<HHII", 258, 4, 1, 8), struct.pack("<HHII", 257, 4, 1, 9_000), 1),
    "jpeg whose marker is filled up": encoded(flat(), ".jpg").replace(
        b"\xff\xc0\x00\x11\x08" + struct.pack(">HH", 48, 64), b"\xff" * 9 + b"\xc0\x00\x11\x08" + b"\xff" * 4
    ),
    "bmp of the old kind": b"BM" + struct.pack("<IIIIHHHH", 26, 0, 26, 12, 60_000, 60_000, 1, 24) + bytes(90),
    "long": png_header(MAX_SIDE + 1, 40),
}


@pytest.mark.parametrize("kind", TOO_LARGE)
def test_nothing_is_decoded_that_announces_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    path = tmp_path / "photo"
    path.write_bytes(TOO_LARGE[kind])
    monkeypatch.setattr(cv2, "imdecode", None)
    with pytest.raises(PictureError, match=r"too large|too long|too many"):
        load_image(path)


UNMEASURED = {
    "tiff without a size": tiff({258: 8}),
    "tiff that ends in its head": b"II*\0\x08\0",
    "tiff whose tags lie nowhere": b"II*\0\xff\xff\xff\x7f" + bytes(90),
    "png that ends in its head": b"\x89PNG\r\n\x1a\n" + b"IEND",
    "jpeg without a frame": b"\xff\xd8\xff\xe0\x00\x04\0\0\xff\xda\xff\xd9",
    "webp of a strange chunk": b"RIFF\x16\0\0\0WEBPVP9 " + bytes(14),
    "farbfeld": b"farbfeld" + struct.pack(">II", 64, 64) + bytes(64 * 64 * 8),
    "ppm": b"P6\n64 64\n255\n" + bytes(64 * 64 * 3),
    "sun raster": b"\x59\xa6\x6a\x95" + bytes(90),
    "hdr": b"#?RADIANCE\n" + bytes(90),
}


@pytest.mark.parametrize("kind", UNMEASURED)
def test_nothing_is_decoded_whose_size_is_not_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    path = tmp_path / "photo"
    path.write_bytes(UNMEASURED[kind])
    monkeypatch.setattr(cv2, "imdecode", None)
    with pytest.raises(PictureError, match="not a picture that can be read, or a damaged one"):
        load_image(path)


@pytest.mark.parametrize("suffix", [".tiff", ".bmp", ".jpg", ".png", ".webp"])
def test_every_kind_that_is_read_is_measured_as_it_is(suffix: str) -> None:
    assert declared_size(encoded(flat(70, 50), suffix)) == (70, 50)


@pytest.mark.parametrize("kind", ["pipe", "device", "socket"])
def test_a_path_that_is_no_file_is_rejected_without_waiting(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "photo.jpg"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(path))
    with pytest.raises(PictureError, match="not a file but a device or a pipe"):
        load_image(path)


def test_only_the_beginning_of_other_files_is_read(tmp_path: Path) -> None:
    path = tmp_path / "noise.jpg"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES)
    tracemalloc.start()
    with pytest.raises(PictureError, match="not a picture"):
        load_image(path)
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


def test_no_first_bytes_at_all_are_a_trouble() -> None:
    rng = np.random.default_rng(4)
    starts = [data for data, _, _ in NAMED.values()] + [*TOO_LARGE.values(), *UNMEASURED.values()]
    for start in starts:
        for length in range(0, 60, 7):
            data = start[:length] + rng.bytes(int(rng.integers(0, 40)))
            unsupported_kind(data, ".dng"), is_readable(data), is_animated(data), is_cut_off(data)
            declared_size(data), bytes_per_pixel(data)
