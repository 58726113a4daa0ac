"""Pictures on disk: loading one as a frame, or saying in one sentence why it cannot be one."""

from __future__ import annotations

import os
import re
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import cv2
import numpy as np

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
"""File names that announce a picture (lower case)."""

MIN_SIDE = 32
"""Pixels; a smaller picture holds no die or tile that anyone could read."""
MAX_PIXELS = 100_000_000
"""A little over the largest Raspberry Pi camera (64 Mpx); more would fill the memory of a small machine."""
MAX_BYTES = 3 * MAX_PIXELS
"""What the largest picture takes without any compression; a longer file is a video or an archive."""

_PNG_MAGIC, _JPEG_MAGIC, _GIF_MAGIC, _BMP_MAGIC = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"BM"
_RIFF_MAGIC, _WEBP_MAGIC = b"RIFF", b"WEBP"
_JPEG_START_OF_SCAN, _JPEG_END, _PNG_END = b"\xff\xda", b"\xff\xd9", b"IEND"
_JPEG_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers SOF0-SOF15 without the tables among them (ITU T.81, table B.1)."""
_PNG_ANIMATION, _PNG_PIXELS = b"acTL", b"IDAT"
"""Chunks; the first one comes before the second in a PNG that moves (PNG, third edition)."""
_WEBP_MOVES = 0x02
"""Flag in the byte after the head of a VP8X chunk (RFC 9649)."""
_WEBP_SIDE = 0x3FFF
"""Mask of 14 bits."""
_DAMAGE = re.compile(r"Corrupt JPEG data: (?!\d{1,2} extraneous bytes)")
"""What libjpeg says when it has made pixels up. A few bytes too many do no harm: some webcams append them."""


class PictureError(ValueError):
    """A file cannot be read as a picture; the message names the file and the cure."""


def load_image(path: str | Path) -> np.ndarray:
    """Reads the picture in *path*: (H, W, 3) uint8 BGR, turned as its EXIF orientation says.

    Grey pictures get three equal channels; transparency and bits above the eighth are dropped.
    Raises :exc:`PictureError` for a file that is missing, empty, cut off, damaged, animated, no picture, or of
    absurd size.
    """
    path = Path(path)
    data = _read_bytes(path)
    if size := _declared_size(data):
        _check_size(path, *size)
    if _is_animated(data):
        raise PictureError(f"{path}: GIF files and animations are not read; save one picture of it as JPEG.")
    if _is_cut_off(data):
        raise PictureError(f"{path}: the picture is cut off; copy it again from where it came from.")
    frame, complaint = _decode(data)
    if frame is None:
        raise PictureError(
            f"{path}: not a picture that can be read, or a damaged one; "
            "give a whole JPEG, PNG, WebP, BMP or TIFF file."
        )
    if _DAMAGE.search(complaint):
        raise PictureError(f"{path}: the picture is damaged; copy it again from where it came from.")
    _check_size(path, frame.shape[1], frame.shape[0])
    return frame


def _read_bytes(path: Path) -> bytes:
    if path.is_dir():
        raise PictureError(f"{path}: a folder, not a picture; name the pictures in it ({path}/*).")
    try:
        if (size := path.stat().st_size) > MAX_BYTES:
            raise PictureError(
                f"{path}: {size // 1_000_000} MB is too large for a picture; give a JPEG, PNG or WebP file."
            )
        data = path.read_bytes()
    except FileNotFoundError:
        raise PictureError(f"{path}: no such file; check the name and the folder.") from None
    except OSError as error:
        raise PictureError(f"{path}: cannot be opened ({error.strerror}); check its permissions.") from error
    if not data:
        raise PictureError(f"{path}: the file is empty; take or copy the picture again.")
    return data


def _check_size(path: Path, width: int, height: int) -> None:
    if min(width, height) < MIN_SIDE:
        raise PictureError(
            f"{path}: {width}x{height} px is too small to read; each side needs at least {MIN_SIDE} px."
        )
    if width * height > MAX_PIXELS:
        raise PictureError(
            f"{path}: {width}x{height} px is too large; scale it below {MAX_PIXELS // 1_000_000} megapixels."
        )


def _decode(data: bytes) -> tuple[np.ndarray | None, str]:
    """The frame, if one can be made of *data*, and what the decoders had to complain about."""
    with _native_stderr() as heard:
        try:
            frame = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            frame = None
        heard.seek(0)
        return frame, heard.read().decode(errors="replace")


@contextmanager
def _native_stderr() -> Iterator[BinaryIO]:
    """Catches what C libraries write to stderr, the only place where libjpeg tells of damage.

    Whatever other threads write there meanwhile is caught, too.
    """
    usual = os.dup(2)
    try:
        with tempfile.TemporaryFile() as heard:
            os.dup2(heard.fileno(), 2)
            try:
                yield heard
            finally:
                os.dup2(usual, 2)
    finally:
        os.close(usual)


def _declared_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that a header announces, so that a huge picture is refused before decoding.

    None for TIFF, and for what is no picture.
    """
    if data.startswith(_PNG_MAGIC) and len(data) >= 24:
        return struct.unpack(">II", data[16:24])
    if data.startswith(_BMP_MAGIC) and len(data) >= 26:
        width, height = struct.unpack("<ii", data[18:26])
        return abs(width), abs(height)  # rows from the top down are announced by a negative height
    if _is_webp(data) and len(data) >= 30:
        return _webp_size(data)
    return _jpeg_size(data)


def _is_webp(data: bytes) -> bool:
    return data.startswith(_RIFF_MAGIC) and data[8:12] == _WEBP_MAGIC


def _webp_size(data: bytes) -> tuple[int, int] | None:
    """By the kind of the first chunk: extended, lossless or lossy (RFC 9649)."""
    match data[12:16]:
        case b"VP8X":
            return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
        case b"VP8L":
            sides = int.from_bytes(data[21:25], "little")
            return 1 + (sides & _WEBP_SIDE), 1 + (sides >> 14 & _WEBP_SIDE)
        case b"VP8 ":
            width, height = struct.unpack("<HH", data[26:30])
            return width & _WEBP_SIDE, height & _WEBP_SIDE
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    if not data.startswith(_JPEG_MAGIC):
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], struct.unpack(">H", data[at + 2 : at + 4])[0]
        if marker in _JPEG_FRAME_MARKERS:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + length
    return None


def _is_animated(data: bytes) -> bool:
    """Whether *data* moves, so that there is no telling which of its pictures is meant. Every GIF counts."""
    if _is_webp(data):
        return data[12:16] == b"VP8X" and bool(data[20:21]) and bool(data[20] & _WEBP_MOVES)
    if data.startswith(_PNG_MAGIC):
        return _PNG_ANIMATION in data.partition(_PNG_PIXELS)[0]
    return data.startswith(_GIF_MAGIC)


def _is_cut_off(data: bytes) -> bool:
    """Whether a PNG or JPEG lacks its end marker, or a WebP the bytes that it announces.

    Decoders fill the missing part of a JPEG with grey without a word.
    """
    if data.startswith(_PNG_MAGIC):
        return _PNG_END not in data
    if data.startswith(_JPEG_MAGIC):
        return data.rfind(_JPEG_END) < data.rfind(_JPEG_START_OF_SCAN)
    return _is_webp(data) and len(data) < 8 + int.from_bytes(data[4:8], "little")
