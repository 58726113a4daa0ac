"""Detects the kind and the size of a picture file from its first bytes, before decoding it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

HEAD_BYTES = 4096
"""Bytes at the start of a file that identify its kind."""

Size = tuple[int, int]
"""Width and height in px."""

_PNG_MAGIC, _JPEG_MAGIC, _BMP_MAGIC = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"BM"
_RIFF_MAGIC, _WEBP_MAGIC = b"RIFF", b"WEBP"
_TIFF_MAGIC = {b"II*\0": "<", b"MM\0*": ">"}
"""Magic -> byte order (TIFF 6.0, section 2); BigTIFF has another magic, and hardly any program reads it."""
_JPEG_START_OF_SCAN, _JPEG_END, _PNG_END = b"\xff\xda", b"\xff\xd9", b"IEND"
_JPEG_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers SOF0-SOF15 without the tables among them (ITU T.81, table B.1)."""
_PNG_ANIMATION, _PNG_PIXELS = b"acTL", b"IDAT"
"""Chunks; in an animated PNG the first one precedes the second (PNG, third edition)."""
_WEBP_MOVES = 0x02
"""Animation flag in the byte after the head of a VP8X chunk (RFC 9649)."""
_WEBP_SIDE = 0x3FFF
"""Mask of 14 bits."""
_BMP_CORE_HEAD = 12
"""Bytes of the older header, with two-byte sides."""
_TIFF_WIDTH, _TIFF_HEIGHT, _TIFF_BITS, _TIFF_SAMPLES = 256, 257, 258, 277
_TIFF_TILE_WIDTH, _TIFF_TILE_HEIGHT = 322, 323
_DNG_VERSION = 50706
"""Tags (TIFF 6.0, section 8; DNG 1.4)."""
_TIFF_NUMBERS = {1: "B", 3: "H", 4: "I"}
"""Type of a tag -> struct format of its value."""
_MAX_TAGS = 1000

RAW_SUFFIXES = frozenset(
    {".dng", ".nef", ".nrw", ".arw", ".sr2", ".cr2", ".pef", ".srw", ".3fr", ".erf", ".kdc"}
)
"""Suffixes of raw pictures that start like TIFF files."""


@dataclass(frozen=True, slots=True)
class UnsupportedKind:
    """A recognised kind of file that cannot be read."""

    name: str
    cure: str


_AS_JPEG = "save it as JPEG or PNG"
HEIC = UnsupportedKind(
    "an iPhone photo (HEIC)", "set Settings > Camera > Formats > Most Compatible, or send it as JPEG"
)
AVIF = UnsupportedKind("an AVIF picture", _AS_JPEG)
JPEG_2000 = UnsupportedKind("a JPEG 2000 picture", _AS_JPEG)
JPEG_XL = UnsupportedKind("a JPEG XL picture", _AS_JPEG)
RAW = UnsupportedKind("a camera's raw picture", "have the camera save JPEG, or export it as JPEG")
GIF = UnsupportedKind("a GIF file, and animations are not read", "save one picture of it as JPEG")
VIDEO = UnsupportedKind("a video", "save one picture of it as JPEG")
_BRANDS = {
    **dict.fromkeys((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"), HEIC),
    **dict.fromkeys((b"avif", b"avis", b"avio"), AVIF),
    **dict.fromkeys((b"jp2 ", b"jpx ", b"jpm "), JPEG_2000),
    b"jxl ": JPEG_XL,
    b"crx ": RAW,
}
"""Brands of files made of boxes (ISO/IEC 14496-12, 23008-12 and others)."""
_PICTURE_BRANDS = frozenset({b"mif1", b"mif2", b"msf1", b"miaf"})
"""Brands of pictures with any codec: HEVC, unless another brand says otherwise."""
_UNSUPPORTED: tuple[tuple[int, bytes, UnsupportedKind], ...] = (
    (0, b"GIF8", GIF),
    (0, b"%PDF", UnsupportedKind("a PDF", "save the page as a JPEG or PNG picture")),
    (0, b"\0\0\0\x0cJXL ", JPEG_XL),
    (0, b"\xff\x0a", JPEG_XL),
    (0, b"\0\0\0\x0cjP  ", JPEG_2000),
    (0, b"\xff\x4f\xff\x51", JPEG_2000),
    (0, b"FUJIFILMCCD-RAW", RAW),
    (0, b"IIRO", RAW),
    (0, b"IIRS", RAW),
    (0, b"MMOR", RAW),
    (0, b"IIU\0", RAW),
    (0, b"FOVb", RAW),
    (8, b"CR\x02", RAW),
    (0, b"8BPS", UnsupportedKind("a Photoshop file", "export it as JPEG or PNG")),
    (0, b"PK\x03\x04", UnsupportedKind("an archive (ZIP)", "unpack it and name the pictures in it")),
    (0, b"II+\0", UnsupportedKind("a large TIFF (BigTIFF)", _AS_JPEG)),
    (0, b"MM\0+", UnsupportedKind("a large TIFF (BigTIFF)", _AS_JPEG)),
    (0, b"\x1aE\xdf\xa3", VIDEO),
    (0, b"\0\0\x01\xba", VIDEO),
    (0, b"0&\xb2u\x8ef\xcf\x11", VIDEO),
    (0, b"FLV\x01", VIDEO),
    (8, b"AVI ", VIDEO),
    *((4, box, VIDEO) for box in (b"moov", b"mdat", b"wide", b"pnot")),
    *(
        (0, start, UnsupportedKind("a web page", "save the picture itself"))
        for start in (b"<!DOCTYPE", b"<!doctype", b"<html")
    ),
    (0, b"<svg", UnsupportedKind("a drawing (SVG)", "export it as PNG")),
)
"""Offset and bytes that identify each unsupported kind."""


def unsupported_kind(head: bytes, suffix: str = "") -> UnsupportedKind | None:
    """Returns the unsupported kind of a file that begins with *head* and has the *suffix*; None if it is not a known
    one."""
    for at, magic, kind in _UNSUPPORTED:
        if head.startswith(magic, at):
            return kind
    if head[4:8] == b"ftyp":
        return _by_brands(head)
    if head[:4] in _TIFF_MAGIC and (suffix.lower() in RAW_SUFFIXES or _DNG_VERSION in _tiff_tags(head)):
        return RAW
    return None


def _by_brands(head: bytes) -> UnsupportedKind:
    end = min(int.from_bytes(head[:4], "big"), len(head))
    brands = [head[8:12], *(head[at : at + 4] for at in range(16, end - 3, 4))]
    known = next((_BRANDS[brand] for brand in brands if brand in _BRANDS), None)
    return known or (HEIC if _PICTURE_BRANDS & set(brands) else VIDEO)


def is_readable(head: bytes) -> bool:
    """Returns whether a file that begins with *head* is of a supported kind: JPEG, PNG, WebP, BMP or TIFF."""
    return _measure_of(head) is not None


def declared_size(data: bytes) -> Size | None:
    """Returns the width and height in the header of a supported file; None if they are missing, because it is damaged.

    For a tiled TIFF, that of complete tiles.
    """
    measure = _measure_of(data)
    try:
        return None if measure is None else measure(data)
    except (struct.error, IndexError):  # it ends before
        return None


def _measure_of(data: bytes) -> Callable[[bytes], Size | None] | None:
    if data.startswith(_PNG_MAGIC):
        return _png_size
    if data.startswith(_JPEG_MAGIC):
        return _jpeg_size
    if _is_webp(data):
        return _webp_size
    if data.startswith(_BMP_MAGIC):
        return _bmp_size
    return _tiff_size if data[:4] in _TIFF_MAGIC else None


def _png_size(data: bytes) -> Size | None:
    width, height = struct.unpack_from(">II", data, 16)
    return width, height


def _bmp_size(data: bytes) -> Size | None:
    (head,) = struct.unpack_from("<I", data, 14)
    width, height = struct.unpack_from("<HH" if head == _BMP_CORE_HEAD else "<ii", data, 18)
    return abs(width), abs(height)  # a negative height means rows from the top down


def _is_webp(data: bytes) -> bool:
    return data.startswith(_RIFF_MAGIC) and data[8:12] == _WEBP_MAGIC


def _webp_size(data: bytes) -> Size | None:
    """Returns the size by the kind of the first chunk: extended, lossless or lossy (RFC 9649)."""
    if len(data) < 30:
        return None
    match data[12:16]:
        case b"VP8X":
            return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
        case b"VP8L":
            sides = int.from_bytes(data[21:25], "little")
            return 1 + (sides & _WEBP_SIDE), 1 + (sides >> 14 & _WEBP_SIDE)
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", data, 26)
            return width & _WEBP_SIDE, height & _WEBP_SIDE
    return None


def _jpeg_size(data: bytes) -> Size | None:
    at = 2
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # any number of fill bytes may precede a marker (ITU T.81, B.1.1.2)
            at += 1
            continue
        if marker in _JPEG_FRAME_MARKERS:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 2 + struct.unpack_from(">H", data, at + 2)[0]
    return None


def _tiff_size(data: bytes) -> Size | None:
    """Returns the size of the first picture, the one that is read."""
    tags = _tiff_tags(data)
    width, height = tags.get(_TIFF_WIDTH, 0), tags.get(_TIFF_HEIGHT, 0)
    if not width or not height:
        return None
    return max(width, tags.get(_TIFF_TILE_WIDTH, 0)), max(height, tags.get(_TIFF_TILE_HEIGHT, 0))


def bytes_per_pixel(data: bytes) -> float:
    """Returns the bytes of a decoded pixel: at least 3; a TIFF may have any number."""
    tags = _tiff_tags(data) if data[:4] in _TIFF_MAGIC else {}
    return max(3.0, tags.get(_TIFF_SAMPLES, 1) * tags.get(_TIFF_BITS, 8) / 8)


def _tiff_tags(data: bytes) -> dict[int, int]:
    """Returns tag -> its first number, for the first picture of a TIFF, as far as *data* reaches."""
    tags: dict[int, int] = {}
    for tag, value in _each_tiff_tag(data, _TIFF_MAGIC[data[:4]]):
        tags.setdefault(tag, value)  # the first of two equal tags counts, as in libtiff
    return tags


def _each_tiff_tag(data: bytes, order: str) -> Iterator[tuple[int, int]]:
    try:
        (at,) = struct.unpack_from(f"{order}I", data, 4)
        (count,) = struct.unpack_from(f"{order}H", data, at)
        for entry in range(at + 2, at + 2 + 12 * min(count, _MAX_TAGS), 12):
            tag, kind, values = struct.unpack_from(f"{order}HHI", data, entry)
            packed = _TIFF_NUMBERS.get(kind)
            if packed is None:
                continue
            inside = values * struct.calcsize(packed) <= 4  # otherwise the entry holds their offset
            where = entry + 8 if inside else struct.unpack_from(f"{order}I", data, entry + 8)[0]
            yield tag, struct.unpack_from(f"{order}{packed}", data, where)[0]
    except struct.error:
        return  # it ends before


def is_animated(data: bytes) -> bool:
    """Returns whether *data* is an animation, so that it is unclear which picture to read."""
    if _is_webp(data):
        return data[12:16] == b"VP8X" and bool(data[20:21]) and bool(data[20] & _WEBP_MOVES)
    return data.startswith(_PNG_MAGIC) and _PNG_ANIMATION in data.partition(_PNG_PIXELS)[0]


def is_cut_off(data: bytes) -> bool:
    """Returns whether a PNG or JPEG lacks its end marker, or a WebP is shorter than its header says.

    Decoders silently fill the missing part of a JPEG with grey.
    """
    if data.startswith(_PNG_MAGIC):
        return _PNG_END not in data
    if data.startswith(_JPEG_MAGIC):
        return data.rfind(_JPEG_END) < data.rfind(_JPEG_START_OF_SCAN)
    return _is_webp(data) and len(data) < 8 + int.from_bytes(data[4:8], "little")
