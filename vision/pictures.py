"""Pictures on disk: loading one as a frame, or saying in one sentence why it cannot be one."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import cv2
import numpy as np

from calibration.errors import CompanionError

from .picture_kinds import (
    GIF,
    HEAD_BYTES,
    bytes_per_pixel,
    declared_size,
    is_animated,
    is_cut_off,
    is_readable,
    refused_kind,
)

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
"""File names that announce a picture (lower case)."""

MIN_SIDE = 32
"""Pixels; a smaller picture holds no die or tile that anyone could read."""
MAX_PIXELS = 100_000_000
"""A little over the largest Raspberry Pi camera (64 Mpx); more would fill the memory of a small machine."""
MAX_SIDE = 30_000
"""Pixels; OpenCV cuts nothing out of pictures with 32,767 of them on a side."""
MOST_DECODED = 6 * MAX_PIXELS
"""Bytes: three colours of 16 bits each."""
MAX_BYTES = 3 * MAX_PIXELS
"""What the largest picture takes without any compression; a longer file is a video or an archive."""

_DAMAGE = re.compile(r"Corrupt JPEG data: (?!\d{1,2} extraneous bytes)")
"""What libjpeg says when it has made pixels up. A few bytes too many do no harm: some webcams append them."""

_NO_PICTURE = (
    "not a picture that can be read, or a damaged one; give a whole JPEG, PNG, WebP, BMP or TIFF file"
)


class PictureError(CompanionError, ValueError):
    """A file cannot be read as a picture; the message names the file and the cure."""


def load_image(path: str | Path, *, heeds_damage: bool = True) -> np.ndarray:
    """Reads the picture in *path*: (H, W, 3) uint8 BGR, turned as its EXIF orientation says.

    Grey pictures get three equal channels; transparency and bits above the eighth are dropped. What decoders tell of
    damage that they have made up for is heard on stderr alone, which no other thread should use meanwhile: without
    *heeds_damage* it is not.
    Raises :exc:`PictureError` for a file that is missing, empty, cut off, damaged, animated, no picture, of a kind that
    is not read, or of absurd size; of what is no picture no more than the beginning is read, nothing is decoded that is
    too large.
    """
    path = Path(path)
    data = _read_bytes(path)
    if is_animated(data):
        raise PictureError(f"{path}: {GIF.name}; {GIF.cure}.")
    size = declared_size(data)
    if size is not None:
        _check_size(path, *size)
        if size[0] * size[1] * bytes_per_pixel(data) > MOST_DECODED:
            raise PictureError(f"{path}: its pixels are too many and too large; save it as JPEG or PNG.")
    if is_cut_off(data):
        raise PictureError(f"{path}: the picture is cut off; copy it again from where it came from.")
    frame, complaint = (_decode if heeds_damage else _decode_quietly)(data) if size else (None, "")
    if frame is None:
        raise PictureError(f"{path}: {_NO_PICTURE}.")
    if _DAMAGE.search(complaint):
        raise PictureError(f"{path}: the picture is damaged; copy it again from where it came from.")
    _check_size(path, frame.shape[1], frame.shape[0])
    return frame


def why_not_a_picture(path: Path) -> str | None:
    """What the file at *path* is, and what to do about it, where it is of a kind that is known and not read.

    Raises :exc:`OSError` when it cannot be read.
    """
    if not path.is_file():
        return None
    with path.open("rb") as file:
        kind = refused_kind(file.read(HEAD_BYTES), path.suffix)
    return None if kind is None else f"{kind.name}; {kind.cure}"


def _read_bytes(path: Path) -> bytes:
    try:
        kept = path.stat()
        if stat.S_ISDIR(kept.st_mode):
            raise PictureError(f"{path}: a folder, not a picture; name the pictures in it ({path}/*).")
        if not stat.S_ISREG(kept.st_mode):  # which may give nothing, or data without an end
            raise PictureError(f"{path}: not a file but a device or a pipe; name a picture that was saved.")
        why = why_not_a_picture(path)
        if why is not None:
            raise PictureError(f"{path}: {why}.")
        if kept.st_size > MAX_BYTES:
            raise PictureError(
                f"{path}: {kept.st_size // 1_000_000} MB is too large for a picture; give a JPEG, PNG or WebP file."
            )
        with path.open("rb") as file:
            data = file.read(HEAD_BYTES)
            if not data:
                raise PictureError(f"{path}: the file is empty; take or copy the picture again.")
            if not is_readable(data):
                raise PictureError(f"{path}: {_NO_PICTURE}.")
            file.seek(0)
            return file.read(MAX_BYTES)
    except FileNotFoundError:
        raise PictureError(f"{path}: no such file; check the name and the folder.") from None
    except OSError as error:
        raise PictureError(f"{path}: cannot be opened ({error.strerror}); check its permissions.") from error


def _check_size(path: Path, width: int, height: int) -> None:
    if min(width, height) < MIN_SIDE:
        raise PictureError(
            f"{path}: {width}x{height} px is too small to read; each side needs at least {MIN_SIDE} px."
        )
    if width * height > MAX_PIXELS:
        raise PictureError(
            f"{path}: {width}x{height} px is too large; scale it below {MAX_PIXELS // 1_000_000} megapixels."
        )
    if max(width, height) > MAX_SIDE:
        raise PictureError(f"{path}: {width}x{height} px is too long; cut it to {MAX_SIDE} px at most.")


def _decode(data: bytes) -> tuple[np.ndarray | None, str]:
    """The frame, if one can be made of *data*, and what the decoders had to complain about."""
    with _native_stderr() as heard:
        frame, _ = _decode_quietly(data)
        heard.seek(0)
        return frame, heard.read().decode(errors="replace")


def _decode_quietly(data: bytes) -> tuple[np.ndarray | None, str]:
    """The same, whatever the decoders complain about."""
    try:
        return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), ""
    except cv2.error:
        return None, ""


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
