"""Reads a county card of the Châteauma: its colours from top to bottom, its goods symbol, and its number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.errors import CompanionError
from calibration.games.burgundy import BOARDS
from calibration.games.burgundy.facts import TILE_TYPES, CountyHex, load_facts

from ...boards.card_spaces import SPACES
from ...boards.groups import touching
from ...boards.lattice import FoundSpaces
from ...boards.networks import OFF_BOARD, encode_known, shipped_finder, shipped_reader
from ...geometry import PATCH_PX, Plane

MIN_HEAT = 0.5
SAME_SIZE = 1.5
"""Factor within which the spaces of one card have the same size."""
APART = 1.6
"""Maximum distance of neighbouring spaces of a card, in pitches."""
TURNS = 6
MIN_PROBABILITY = 0.02
STANDS_OUT = 1.8
"""Factor by which the contrast of a space with a symbol exceeds that of the others."""
MIDDLE = slice(PATCH_PX // 4, PATCH_PX * 3 // 4)
FLAT = 4.0
"""Contrast in grey levels that noise alone causes."""
FITTING, CLEARLY = 0.2, 20.0
"""Mean probability of the types of a known card from which it may be that card, and the factor by which it must be more
likely than any other."""


class CardError(CompanionError, ValueError):
    """No card can be read; the message says what is seen and what to do, *code* and *data* identify it in every
    language."""

    def __init__(self, code: str, sentence: str, **data: Any) -> None:
        super().__init__(sentence)
        self.code = code
        self.data = data


@dataclass(frozen=True, slots=True)
class CardScan:
    """A county card as it was read."""

    number: int | None
    """Number of the most likely known card; None if it matches none, or several."""
    tile_types: tuple[tuple[str, float], ...]
    """Tile type of each space from top to bottom, and its probability."""
    symbol: int | None
    """Index of the space with something that no other has, probably the goods symbol; None if there is none."""
    box: tuple[int, int, int, int]
    """x, y, width and height of its spaces in px of the frame."""


def scan_card(frame: np.ndarray) -> CardScan:
    """Reads the empty county card in *frame*, (H, W, 3) uint8 BGR; raises :exc:`CardError`."""
    spaces = _column(shipped_finder().find_spaces(frame))
    plane, places = _upright(spaces)
    patches, _ = plane.patches(frame, places, 1.0)
    unknown = np.full(len(places), -1)
    seen = shipped_reader(BOARDS.game).read_places(
        patches, encode_known(np.tile(OFF_BOARD, (len(places), 1)), unknown, unknown)
    )
    tile_types = tuple((TILE_TYPES[int(row.argmax())], float(row.max())) for row in seen.space_types)
    return CardScan(known_card(seen.space_types), tile_types, _symbol_space(patches), _box(spaces))


def _box(spaces: FoundSpaces) -> tuple[int, int, int, int]:
    """Returns x, y, width and height of the area of the spaces, px."""
    reach = float(np.median(spaces.pitches)) / 2
    low, high = spaces.centres.min(axis=0) - reach, spaces.centres.max(axis=0) + reach
    x, y, right, bottom = (round(float(edge)) for edge in (*low, *high))
    return x, y, right - x, bottom - y


def _symbol_space(patches: np.ndarray) -> int | None:
    """Returns the row of *patches* (N, PATCH_PX, PATCH_PX, 3) with far more contrast than the others; None if there
    is none."""
    contrast = patches[:, MIDDLE, MIDDLE].mean(axis=3).std(axis=(1, 2))
    others, most = np.split(np.sort(contrast), [-1])
    return int(contrast.argmax()) if most[0] > STANDS_OUT * max(FLAT, np.median(others)) else None


def _column(found: FoundSpaces) -> FoundSpaces:
    """Returns the spaces of the card among all that were found, from the top."""
    found = found[found.heats >= MIN_HEAT]
    if not len(found.heats):
        raise CardError("no_spaces", "no spaces were found: show the card from above, in even light")
    likeliest = found.pitches[int(found.heats.argmax())]
    found = found[np.abs(np.log(found.pitches / likeliest)) < np.log(SAME_SIZE)]
    groups = touching(found.centres, APART * float(np.median(found.pitches)))
    cards = [group for group in groups if len(group) in SPACES]
    if len(cards) != 1:
        seen = ", ".join(str(len(group)) for group in groups)
        raise CardError(
            "no_card_alone",
            f"groups of {seen} spaces were found where one of {SPACES[0]} to {SPACES[-1]} should be: "
            "show one empty card alone",
            groups=seen,
            least=SPACES[0],
            most=SPACES[-1],
        )
    card = found[cards[0]]
    return card[np.argsort(card.centres[:, 1])]


def _upright(spaces: FoundSpaces) -> tuple[Plane, np.ndarray]:
    """Returns a plane in pitches with the most upright direction of the spaces, and their positions in it."""
    turn = np.pi / TURNS
    angle = float(np.median((spaces.turns + turn) % (2 * turn) - turn))
    pitch, middle = float(np.median(spaces.pitches)), spaces.centres.mean(axis=0)
    c, s = pitch * np.cos(angle), pitch * np.sin(angle)
    plane = Plane(np.array([[c, -s, middle[0]], [s, c, middle[1]], [0, 0, 1]]))
    return plane, plane.from_frame(spaces.centres)


def known_card(space_types: np.ndarray) -> int | None:
    """Returns the number of the known card that *space_types* (N, 6) clearly indicate: probabilities of each space from
    the top.

    A space with unknown print may have any of its candidate types.
    """
    log_likelihoods = {
        card.number: sum(
            float(np.log(np.maximum(row[_possible(hex_)].mean(), MIN_PROBABILITY)))
            for hex_, row in zip(card.hexes, space_types, strict=True)
        )
        for card in load_facts().county_cards.values()
        if len(card.hexes) == len(space_types)
    }
    ranked = sorted(log_likelihoods, key=log_likelihoods.__getitem__, reverse=True)
    if not ranked or log_likelihoods[ranked[0]] < len(space_types) * np.log(FITTING):
        return None
    clear = len(ranked) == 1 or log_likelihoods[ranked[0]] - log_likelihoods[ranked[1]] >= np.log(CLEARLY)
    return ranked[0] if clear else None


def _possible(hex_: CountyHex) -> list[int]:
    names = [hex_.tile_type] if hex_.tile_type is not None else hex_.candidates or TILE_TYPES
    return [TILE_TYPES.index(name) for name in names]
