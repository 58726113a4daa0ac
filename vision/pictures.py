"""Pictures on disk: loading one as a frame, or saying in one sentence why it cannot be one."""

from __future__ import annotations

import struct
from pathlib import Path

import cv2
import numpy as np

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
"""File names that announce a picture (lower case)."""

MIN_SIDE = 32
"""Pixels; a smaller picture holds no die or tile that anyone could read."""
MAX_PIXELS = 100_000_000
"""A little over the largest Raspberry Pi camera (64 Mpx); more would fill the memory of a small machine."""

_PNG_MAGIC, _JPEG_MAGIC = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_JPEG_START_OF_SCAN, _JPEG_END, _PNG_END = b"\xff\xda", b"\xff\xd9", b"IEND"
_JPEG_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers SOF0-SOF15 without the tables among them (ITU T.81, table B.1)."""


class PictureError(ValueError):
    """A file cannot be read as a picture; the message names the file and the cure."""


def load_image(path: str | Path) -> np.ndarray:
    """Reads the picture in *path*: (H, W, 3) uint8 BGR, turned as its EXIF orientation says.

    Grey pictures get three equal channels; transparency and bits above the eighth are dropped.
    Raises :exc:`PictureError` for a file that is missing, empty, cut off, no picture, or of absurd size.
    """
    path = Path(path)
    data = _read_bytes(path)
    if size := _declared_size(data):
        _check_size(path, *size)
    if _is_cut_off(data):
        raise PictureError(f"{path}: the picture is cut off; copy it again from where it came from.")
    try:
        frame = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        frame = None
    if frame is None:
        raise PictureError(
            f"{path}: not a picture that can be read; give a JPEG, PNG, WebP, BMP or TIFF file."
        )
    _check_size(path, frame.shape[1], frame.shape[0])
    return frame


def _read_bytes(path: Path) -> bytes:
    if path.is_dir():
        raise PictureError(f"{path}: a folder, not a picture; name the pictures in it ({path}/*).")
    try:
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


def _declared_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that a PNG or JPEG header announces, so that a huge one is refused before decoding."""
    if data.startswith(_PNG_MAGIC) and len(data) >= 24:
        return struct.unpack(">II", data[16:24])
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


def _is_cut_off(data: bytes) -> bool:
    """Whether a PNG or JPEG lacks its end marker; decoders fill the missing part with grey without a word."""
    if data.startswith(_PNG_MAGIC):
        return _PNG_END not in data
    if data.startswith(_JPEG_MAGIC):
        return data.rfind(_JPEG_END) < data.rfind(_JPEG_START_OF_SCAN)
    return False
