"""What the camera makes of a county card: a first guess, which a person confirms or changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from calibration.errors import CompanionError
from companion.games.burgundy.rules.modules.chateauma import CountySpace, Print

PICTURE_SIDE = 480
"""px of the square picture of the card."""
AROUND = 0.1
"""Of the card's length, shown around it."""


class CardReadingError(CompanionError, ValueError):
    """No card was read; *code* and *data* tell why in every language (texts ``card``)."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(code)
        self.code = code
        self.data = data


@dataclass(frozen=True, slots=True)
class SpaceGuess:
    """One space of the card."""

    colour: str
    """As it is known to be printed; as it was read where nobody knows, or the card was not recognised."""
    sell_goods: bool
    read: str
    """Colour that was read."""
    certain: bool
    """Whether a person need not be asked about the colour."""


@dataclass(frozen=True, slots=True)
class CardReading:
    """A card as it was read."""

    number: int | None
    """None where it is none of the known cards, or could be several, and nobody has said which."""
    known: bool
    """Whether it was recognised as that card."""
    spaces: tuple[SpaceGuess, ...]
    """In reading order."""
    picture: bytes
    """The card, as a JPEG file."""

    def candidates(self, printed: Print) -> list[int]:
        """Numbers of the cards that have as many spaces."""
        return [number for number, card in printed.cards.items() if len(card.spaces) == len(self.spaces)]


def read_card(camera_name: str, printed: Print, number: int | None = None) -> CardReading:
    """Reads the empty card before the camera; *number* is given where a person knows which one it is.

    :raises CardReadingError: when the camera gives no picture, or none of a card.
    """
    from hardware.cameras import CameraError, open_camera, warm_up
    from vision.annotate import crop_jpeg
    from vision.boards.card import CardError, scan_card
    from vision.boards.scan import SURE

    try:
        with open_camera(camera_name) as camera:
            frame = warm_up(camera).read()
        scan = scan_card(frame)
    except CameraError as error:
        raise CardReadingError("no_picture", why=str(error).rstrip(".")) from error
    except CardError as error:
        raise CardReadingError(error.code, **error.data) from error
    known: Sequence[CountySpace] = ()
    if scan.number is not None and number in (None, scan.number):
        known = printed.cards[scan.number].spaces
    spaces = tuple(
        SpaceGuess(
            colour=known[i].tile_type or read if known else read,
            sell_goods=known[i].symbol is not None if known else i == scan.symbol,
            read=read,
            certain=confidence >= SURE or bool(known and known[i].tile_type),
        )
        for i, (read, confidence) in enumerate(scan.tile_types)
    )
    picture = crop_jpeg(frame, scan.box, margin=AROUND, pixels=PICTURE_SIDE)
    return CardReading(number or scan.number, bool(known), spaces, picture)
