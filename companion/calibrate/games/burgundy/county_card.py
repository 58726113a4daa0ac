"""Reading a county card with the camera: a first guess that a person confirms or changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from calibration.errors import CompanionError
from companion.games.burgundy.modules.chateauma import CountySpace, Print

PICTURE_SIDE = 480
"""px of the square picture of the card."""
MARGIN = 0.1
"""Shown around the card, as a share of its length."""


class CardReadingError(CompanionError, ValueError):
    """No card was read; *code* names the text ``card.CODE`` that says why, *data* holds its fields."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(code)
        self.code = code
        self.data = data


@dataclass(frozen=True, slots=True)
class SpaceGuess:
    """One space of the card."""

    tile_type: str
    """As printed on a known card, else as it was read."""
    sell_goods: bool
    read_type: str
    """As it was read."""
    certain: bool
    """Whether the tile type is certain enough not to be asked for."""


@dataclass(frozen=True, slots=True)
class CardReading:
    """A card as it was read."""

    number: int | None
    """``None`` if the card is unknown or ambiguous and has not been named."""
    known: bool
    """Whether it was recognised as that card."""
    spaces: tuple[SpaceGuess, ...]
    """In reading order."""
    picture: bytes
    """The card, as a JPEG file."""

    def candidates(self, printed: Print) -> list[int]:
        """Returns the numbers of the cards that have as many spaces."""
        return [number for number, card in printed.cards.items() if len(card.spaces) == len(self.spaces)]


def read_card(camera_name: str, printed: Print, number: int | None = None) -> CardReading:
    """Reads the empty card before the camera; *number* is the card's number if a person knows it.

    :raises CardReadingError: when the camera gives no picture, or none of a card.
    """
    from hardware.cameras import CameraError, open_camera, warm_up
    from vision.annotate import crop_jpeg
    from vision.boards.empty_board import SURE
    from vision.games.burgundy.county_card import CardError, scan_card

    try:
        with open_camera(camera_name) as camera:
            frame = warm_up(camera).read()
        scan = scan_card(frame)
    except CameraError as error:
        raise CardReadingError("no_picture", camera_error=error.code, **error.data) from error
    except CardError as error:
        raise CardReadingError(error.code, **error.data) from error
    known: Sequence[CountySpace] = ()
    if scan.number is not None and number in (None, scan.number):
        known = printed.cards[scan.number].spaces
    spaces = tuple(
        SpaceGuess(
            tile_type=known[i].tile_type or read if known else read,
            sell_goods=known[i].symbol is not None if known else i == scan.symbol,
            read_type=read,
            certain=confidence >= SURE or bool(known and known[i].tile_type),
        )
        for i, (read, confidence) in enumerate(scan.tile_types)
    )
    picture = crop_jpeg(frame, scan.box, margin=MARGIN, pixels=PICTURE_SIDE)
    return CardReading(number or scan.number, bool(known), spaces, picture)
