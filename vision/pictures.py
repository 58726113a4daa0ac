"""Loads pictures from disk as frames, or says in one sentence why a file cannot be read."""

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
    unsupported_kind,
)

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
"""Suffixes of picture files (lower case)."""

MIN_SIDE = 32
"""Pixels; in a smaller picture no die or tile is recognisable."""
MAX_PIXELS = 100_000_000
"""A little more than the largest Raspberry Pi camera (64 Mpx); more would fill the memory of a small machine."""
MAX_SIDE = 30_000
"""Pixels; OpenCV cannot warp pictures with a side of 32,767 or more."""
MAX_DECODED = 6 * MAX_PIXELS
"""Bytes: three colours of 16 bits each."""
MAX_BYTES = 3 * MAX_PIXELS
"""Size of the largest picture without compression; a longer file is a video or an archive."""

_DAMAGE = re.compile(r"Corrupt JPEG data: (?!\d{1,2} extraneous bytes)")
"""Message of libjpeg when it has invented pixels. A few extraneous bytes do no harm: some webcams append them."""

_NO_PICTURE = (
    "not a picture that can be read, or a damaged one; give a complete JPEG, PNG, WebP, BMP or TIFF file"
)


class PictureError(CompanionError, ValueError):
    """A file that cannot be read as a picture; the message names the file and the cure."""


def load_image(path: str | Path, *, check_damage: bool = True) -> np.ndarray:
    """Reads the picture *path*: (H, W, 3) uint8 BGR, rotated according to its EXIF orientation.

    Grey pictures get three equal channels; transparency and bits above the eighth are dropped. Decoders report repaired
    damage on stderr only, which no other thread should use meanwhile: without *check_damage* it is not read.

    Raises :exc:`PictureError` for a file that is missing, empty, cut off, damaged, animated, not a picture, of an
    unsupported kind, or of implausible size. Only the beginning of a file that is not a picture is read, and nothing
    too large is decoded.
    """
    path = Path(path)
    data = _read_bytes(path)
    if is_animated(data):
        raise PictureError(f"{path}: {GIF.name}; {GIF.cure}.")
    size = declared_size(data)
    if size is not None:
        _check_size(path, *size)
        if size[0] * size[1] * bytes_per_pixel(data) > MAX_DECODED:
            raise PictureError(f"{path}: its pixels are too many and too large; save it as JPEG or PNG.")
    if is_cut_off(data):
        raise PictureError(f"{path}: the picture is cut off; copy it again from where it came from.")
    frame, complaint = (_decode if check_damage else _decode_quietly)(data) if size else (None, "")
    if frame is None:
        raise PictureError(f"{path}: {_NO_PICTURE}.")
    if _DAMAGE.search(complaint):
        raise PictureError(f"{path}: the picture is damaged; copy it again from where it came from.")
    _check_size(path, frame.shape[1], frame.shape[0])
    return frame


def unsupported_reason(path: Path) -> str | None:
    """Returns the kind of the file *path* and the cure, if it is a known but unsupported kind; None otherwise.

    Raises :exc:`OSError` when it cannot be read.
    """
    if not path.is_file():
        return None
    with path.open("rb") as file:
        kind = unsupported_kind(file.read(HEAD_BYTES), path.suffix)
    return None if kind is None else f"{kind.name}; {kind.cure}"


def _read_bytes(path: Path) -> bytes:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise PictureError(f"{path}: a folder, not a picture; name the pictures in it ({path}/*).")
        if not stat.S_ISREG(status.st_mode):  # a device may give nothing, or endless data
            raise PictureError(f"{path}: not a file but a device or a pipe; name a picture that was saved.")
        why = unsupported_reason(path)
        if why is not None:
            raise PictureError(f"{path}: {why}.")
        if status.st_size > MAX_BYTES:
            raise PictureError(
                f"{path}: {status.st_size // 1_000_000} MB is too large for a picture; give a JPEG, PNG or WebP file."
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
    """Returns the decoded frame, None if *data* cannot be decoded, and the messages of the decoder."""
    with _native_stderr() as stderr:
        frame, _ = _decode_quietly(data)
        stderr.seek(0)
        return frame, stderr.read().decode(errors="replace")


def _decode_quietly(data: bytes) -> tuple[np.ndarray | None, str]:
    """Returns the same without capturing the messages."""
    try:
        return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), ""
    except cv2.error:
        return None, ""


@contextmanager
def _native_stderr() -> Iterator[BinaryIO]:
    """Captures what C libraries write to stderr, the only place where libjpeg reports damage.

    What other threads write there meanwhile is captured too.
    """
    usual = os.dup(2)
    try:
        with tempfile.TemporaryFile() as stderr:
            os.dup2(stderr.fileno(), 2)
            try:
                yield stderr
            finally:
                os.dup2(usual, 2)
    finally:
        os.close(usual)
