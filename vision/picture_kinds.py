"""What kind of picture a file holds and how large it is, told from its first bytes: before anything is decoded."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

HEAD_BYTES = 4096
"""Of a file, that tell its kind."""

Size = tuple[int, int]
"""Width and height in px."""

_PNG_MAGIC, _JPEG_MAGIC, _BMP_MAGIC = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"BM"
_RIFF_MAGIC, _WEBP_MAGIC = b"RIFF", b"WEBP"
_TIFF_MAGIC = {b"II*\0": "<", b"MM\0*": ">"}
"""Magic -> order of bytes (TIFF 6.0, section 2); BigTIFF, which has another, is read by hardly anything."""
_JPEG_START_OF_SCAN, _JPEG_END, _PNG_END = b"\xff\xda", b"\xff\xd9", b"IEND"
_JPEG_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers SOF0-SOF15 without the tables among them (ITU T.81, table B.1)."""
_PNG_ANIMATION, _PNG_PIXELS = b"acTL", b"IDAT"
"""Chunks; the first one comes before the second in a PNG that moves (PNG, third edition)."""
_WEBP_MOVES = 0x02
"""Flag in the byte after the head of a VP8X chunk (RFC 9649)."""
_WEBP_SIDE = 0x3FFF
"""Mask of 14 bits."""
_BMP_CORE_HEAD = 12
"""Bytes of the older head, whose sides have two bytes."""
_TIFF_WIDTH, _TIFF_HEIGHT, _TIFF_BITS, _TIFF_SAMPLES = 256, 257, 258, 277
_TIFF_TILE_WIDTH, _TIFF_TILE_HEIGHT = 322, 323
_DNG_VERSION = 50706
"""Tags (TIFF 6.0, section 8; DNG 1.4)."""
_TIFF_NUMBERS = {1: "B", 3: "H", 4: "I"}
"""Type of a tag's value -> how it is packed."""
_MOST_TAGS = 1000

RAW_SUFFIXES = frozenset(
    {".dng", ".nef", ".nrw", ".arw", ".sr2", ".cr2", ".pef", ".srw", ".3fr", ".erf", ".kdc"}
)
"""Names of raw pictures that are TIFF files by their first bytes."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A kind of file that is known and not read."""

    name: str
    cure: str


_AS_JPEG = "save it as JPEG or PNG"
HEIC = Refused(
    "an iPhone photo (HEIC)", "set Settings > Camera > Formats > Most Compatible, or send it as JPEG"
)
AVIF = Refused("an AVIF picture", _AS_JPEG)
JPEG_2000 = Refused("a JPEG 2000 picture", _AS_JPEG)
JPEG_XL = Refused("a JPEG XL picture", _AS_JPEG)
RAW = Refused("a camera's raw picture", "have the camera save JPEG, or export it as JPEG")
GIF = Refused("a GIF file, and animations are not read", "save one picture of it as JPEG")
VIDEO = Refused("a video", "save one picture of it as JPEG")
_BRANDS = {
    **dict.fromkeys((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"), HEIC),
    **dict.fromkeys((b"avif", b"avis", b"avio"), AVIF),
    **dict.fromkeys((b"jp2 ", b"jpx ", b"jpm "), JPEG_2000),
    b"jxl ": JPEG_XL,
    b"crx ": RAW,
}
"""Of files made of boxes (ISO/IEC 14496-12, 23008-12 and others), by what they name first."""
_PICTURE_BRANDS = frozenset({b"mif1", b"mif2", b"msf1", b"miaf"})
"""Of pictures of whatever coding: HEVC, unless another brand says so."""
_REFUSED: tuple[tuple[int, bytes, Refused], ...] = (
    (0, b"GIF8", GIF),
    (0, b"%PDF", Refused("a PDF", "save the page as a JPEG or PNG picture")),
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
    (0, b"8BPS", Refused("a Photoshop file", "export it as JPEG or PNG")),
    (0, b"PK\x03\x04", Refused("an archive (ZIP)", "unpack it and name the pictures in it")),
    (0, b"II+\0", Refused("a large TIFF (BigTIFF)", _AS_JPEG)),
    (0, b"MM\0+", Refused("a large TIFF (BigTIFF)", _AS_JPEG)),
    (0, b"\x1aE\xdf\xa3", VIDEO),
    (0, b"\0\0\x01\xba", VIDEO),
    (0, b"0&\xb2u\x8ef\xcf\x11", VIDEO),
    (0, b"FLV\x01", VIDEO),
    (8, b"AVI ", VIDEO),
    *((4, box, VIDEO) for box in (b"moov", b"mdat", b"wide", b"pnot")),
    *(
        (0, start, Refused("a web page", "save the picture itself"))
        for start in (b"<!DOCTYPE", b"<!doctype", b"<html")
    ),
    (0, b"<svg", Refused("a drawing (SVG)", "export it as PNG")),
)
"""Where in a file which bytes are, and what it is then."""


def refused_kind(head: bytes, suffix: str = "") -> Refused | None:
    """What kind of file begins with *head* and has a name that ends in *suffix*, if it is known and not read."""
    for at, magic, kind in _REFUSED:
        if head.startswith(magic, at):
            return kind
    if head[4:8] == b"ftyp":
        return _by_brands(head)
    if head[:4] in _TIFF_MAGIC and (suffix.lower() in RAW_SUFFIXES or _DNG_VERSION in _tiff_tags(head)):
        return RAW
    return None


def _by_brands(head: bytes) -> Refused:
    end = min(int.from_bytes(head[:4], "big"), len(head))
    brands = [head[8:12], *(head[at : at + 4] for at in range(16, end - 3, 4))]
    known = next((_BRANDS[brand] for brand in brands if brand in _BRANDS), None)
    return known or (HEIC if _PICTURE_BRANDS & set(brands) else VIDEO)


def is_readable(head: bytes) -> bool:
    """Whether a file that begins with *head* is of a kind that is read: JPEG, PNG, WebP, BMP or TIFF."""
    return _measure_of(head) is not None


def declared_size(data: bytes) -> Size | None:
    """Width and height that a file of a kind that is read announces; None when it does not, as it is damaged.

    Of a TIFF in tiles, that of a whole number of them.
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
    return abs(width), abs(height)  # rows from the top down are announced by a negative height


def _is_webp(data: bytes) -> bool:
    return data.startswith(_RIFF_MAGIC) and data[8:12] == _WEBP_MAGIC


def _webp_size(data: bytes) -> Size | None:
    """By the kind of the first chunk: extended, lossless or lossy (RFC 9649)."""
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
        if marker == 0xFF:  # any number of them may stand before a marker (ITU T.81, B.1.1.2)
            at += 1
            continue
        if marker in _JPEG_FRAME_MARKERS:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 2 + struct.unpack_from(">H", data, at + 2)[0]
    return None


def _tiff_size(data: bytes) -> Size | None:
    """Of the first picture in it, the one that is read."""
    tags = _tiff_tags(data)
    width, height = tags.get(_TIFF_WIDTH, 0), tags.get(_TIFF_HEIGHT, 0)
    if not width or not height:
        return None
    return max(width, tags.get(_TIFF_TILE_WIDTH, 0)), max(height, tags.get(_TIFF_TILE_HEIGHT, 0))


def bytes_per_pixel(data: bytes) -> float:
    """Bytes of a pixel of a TIFF, which may be any number; at least 3, as all others have when they are decoded."""
    tags = _tiff_tags(data) if data[:4] in _TIFF_MAGIC else {}
    return max(3.0, tags.get(_TIFF_SAMPLES, 1) * tags.get(_TIFF_BITS, 8) / 8)


def _tiff_tags(data: bytes) -> dict[int, int]:
    """Tag -> its number, the first where it has several, of the first picture of a TIFF, as far as it is in *data*."""
    tags: dict[int, int] = {}
    for tag, value in _each_tiff_tag(data, _TIFF_MAGIC[data[:4]]):
        tags.setdefault(tag, value)  # of one that is there twice the first counts, as in libtiff
    return tags


def _each_tiff_tag(data: bytes, order: str) -> Iterator[tuple[int, int]]:
    try:
        (at,) = struct.unpack_from(f"{order}I", data, 4)
        (count,) = struct.unpack_from(f"{order}H", data, at)
        for entry in range(at + 2, at + 2 + 12 * min(count, _MOST_TAGS), 12):
            tag, kind, values = struct.unpack_from(f"{order}HHI", data, entry)
            packed = _TIFF_NUMBERS.get(kind)
            if packed is None:
                continue
            inside = values * struct.calcsize(packed) <= 4  # else the entry tells where they are
            where = entry + 8 if inside else struct.unpack_from(f"{order}I", data, entry + 8)[0]
            yield tag, struct.unpack_from(f"{order}{packed}", data, where)[0]
    except struct.error:
        return  # it ends before


def is_animated(data: bytes) -> bool:
    """Whether *data* moves, so that there is no telling which of its pictures is meant."""
    if _is_webp(data):
        return data[12:16] == b"VP8X" and bool(data[20:21]) and bool(data[20] & _WEBP_MOVES)
    return data.startswith(_PNG_MAGIC) and _PNG_ANIMATION in data.partition(_PNG_PIXELS)[0]


def is_cut_off(data: bytes) -> bool:
    """Whether a PNG or JPEG lacks its end marker, or a WebP the bytes that it announces.

    Decoders fill the missing part of a JPEG with grey without a word.
    """
    if data.startswith(_PNG_MAGIC):
        return _PNG_END not in data
    if data.startswith(_JPEG_MAGIC):
        return data.rfind(_JPEG_END) < data.rfind(_JPEG_START_OF_SCAN)
    return _is_webp(data) and len(data) < 8 + int.from_bytes(data[4:8], "little")
