"""Where the spaces are on cards that lie in their areas of the table: nobody has seen their print, so it is looked for.

Spaces are found as those of duchies are, bare or covered by tiles, and stay where they were found until the card is
moved or another takes its place. What a bare space looks like is kept, for a symbol that is printed on it looks
much like a tile.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from calibration.table_file import PlaceGroup, Quad

from ..appearance import FINE_PX, small_pictures
from ..changes import have_changed
from ..expected import ExpectedCard
from ..geometry import Plane, order_in_rows, sample, within_reach
from ..patches import PlacePatches, place_patches
from .card import SPACES
from .finding import REFINING, find_places
from .lattice import FoundSpaces
from .spaces import FRAMED_SHARE

LEAST_HEAT, CLEAR_HEAT = 0.1, 0.25
"""From which something may be a space when it is known how many there are, and when it is not. Measured on drawn cards:
all but a few spaces have more than the one, and next to nothing else on a card has."""
STANDS_OUT = 2.0
"""How much likelier each space of the known number must be than what else is seen."""
ROW = 0.3
"""Pitches within which spaces are of one row: rows of a honeycomb lie 0.87 apart, spaces are found within 0.15."""
SAME_PLACE = 0.25
"""Pitches within which a space is where it was."""
PUSHED = 0.12
"""Pitches by which all spaces together must lie off for the card to have been pushed."""
SKEW = np.radians(np.add.outer([0, 30], np.arange(-8, 9, 2.0)).ravel())
"""How hexagons may lie on a card, radians: with a side or with a corner to its right, and the card askew."""
BESIDE_OUTLINE, ALONG = (0.86, 1.12), np.linspace(-0.22, 0.22, 9)
"""Pitches across, inside and outside a hexagon, between which its outline is seen, and where along its sides."""
LARGEST_AREA = 16.0
"""Pitches of an area that are looked at, three times a card's length: more than that is a slip in a table file."""
ROOM = 2.0
"""Pitches around an area that are looked at, too: a hexagon at the edge of a picture is seen less well."""
SAME_LIGHT, SAME_HUE = 0.7, 0.25
"""Difference of the logarithms of light, and of those of its channels beside each other, within which a space may still
be bare: the back of a tile, which may be as plain as a bare space, is far darker, and a hand of another colour."""


class CardSpaces:
    """The spaces of the cards that lie in *areas* of a table (name -> where), as far as they are found."""

    def __init__(self, areas: Mapping[str, Quad]) -> None:
        self.groups: dict[str, PlaceGroup] = {}
        """By name, ``card:AREA``."""
        self._areas = {f"card:{name}": area for name, area in areas.items()}
        self._cards: dict[str, ExpectedCard | None] = {}
        """Which card was looked for last."""
        self._found: dict[str, PlaceGroup] = {}
        """Where the spaces of these cards were found last."""
        self._patches: dict[str, np.ndarray] = {}
        """Patches of the spaces when they were looked for last."""
        self._bare: dict[str, np.ndarray] = {}
        """Place -> its patch when nothing lay there."""

    def follow(
        self, frame: np.ndarray, plane: Plane, pitch_mm: float, expected: Mapping[str, ExpectedCard] | None
    ) -> list[str]:
        """Looks anew for the spaces of cards that look otherwise or are *expected* to be others, in *frame* (BGR).

        *plane* is the table's, *pitch_mm* the size of a space; *expected* is None when nobody knows which cards there
        are. Returns the names of the groups that were not found though a card should be there.
        """
        not_found = []
        for name, area in self._areas.items():
            card = None if expected is None else expected.get(name)
            self._forget_replaced(name, card)
            if expected is not None and card is None:
                continue
            if self._has_changed(frame, plane, name):
                self._search(frame, plane, pitch_mm, name, area, card)
            if name not in self.groups:
                not_found.append(name)
            elif card is not None:
                self._learn_bare(name, card)
        return not_found

    def bare(self, cut: PlacePatches) -> list[str]:
        """Names of the places among *cut* that look as they did when nothing lay there."""
        known = [i for i, name in enumerate(cut.names.tolist()) if name in self._bare]
        if not known:
            return []
        names, now = cut.names[known], cut.patches[known]
        before = np.stack([self._bare[name] for name in names.tolist()])
        alike = ~have_changed(before, now) & _same_colour(before, now)
        return list(names[alike & (cut.framed[known] >= FRAMED_SHARE)])

    def _forget_replaced(self, name: str, card: ExpectedCard | None) -> None:
        """Forgets the spaces *name* unless they are those of *card*, and what was taken for bare and is not."""
        before = self._cards.get(name)
        if (before and before.identity) != (card and card.identity):
            self.groups.pop(name, None)
            self._found.pop(name, None)
            self._bare = {place: look for place, look in self._bare.items() if _group_of(place) != name}
        elif card is not None:
            for i, bare in enumerate(card.bare):
                if bare is False:
                    self._bare.pop(f"{name}:{i}", None)
        self._cards[name] = card

    def _has_changed(self, frame: np.ndarray, plane: Plane, name: str) -> bool:
        """Returns whether the spaces *name* are not known, or any of them looks otherwise than when they were looked
        for."""
        group = self.groups.get(name)
        if group is None:
            return True
        return bool(have_changed(self._patches[name], place_patches(frame, plane, [group]).patches).any())

    def _learn_bare(self, name: str, card: ExpectedCard) -> None:
        """Keeps what the spaces *name* look like on which certainly nothing lies, from their first such look on."""
        for i, bare in enumerate(card.bare):
            if bare:
                self._bare.setdefault(f"{name}:{i}", self._patches[name][i])

    def _search(
        self,
        frame: np.ndarray,
        plane: Plane,
        pitch_mm: float,
        name: str,
        area: Quad,
        card: ExpectedCard | None,
    ) -> None:
        """Looks for the spaces *name* in *area*."""
        count = None if card is None else len(card.bare)
        found = find_card_spaces(frame, plane, area, name, pitch_mm, count, self._found.get(name))
        if found is None:
            self.groups.pop(name, None)
            return
        self.groups[name] = self._found[name] = found
        cut = place_patches(frame, plane, [found])
        self._patches[name] = cut.patches
        for place, patch, bare in zip(
            cut.names.tolist(), cut.patches, card.bare if card else (), strict=False
        ):
            if bare:
                self._bare.setdefault(place, patch)


def find_card_spaces(
    frame: np.ndarray,
    plane: Plane,
    area: Quad,
    name: str,
    pitch_mm: float,
    count: int | None,
    previous: PlaceGroup | None = None,
) -> PlaceGroup | None:
    """Returns the spaces of the card that lies in *area* of the table's *plane*, in reading order, called *name*.

    *frame* is (H, W, 3) uint8 BGR, *pitch_mm* the size of a space, *count* how many the card has, None when nobody
    knows. *previous* are those of this card that were found before: they are kept unless something speaks against them,
    for a hand may hide some. Returns None when it cannot be told where they are, or when they stand otherwise than
    *previous* do: then it is another card.
    """
    corners = np.array(area)
    across = min(float(np.ptp(corners, axis=0).max()) / pitch_mm, LARGEST_AREA) + ROOM
    seen = find_places(
        frame,
        plane,
        corners.mean(axis=0),
        pitch_mm,
        across=across,
        pitches=REFINING,
        least_heat=LEAST_HEAT,
    )
    at = plane.from_frame(seen.centres) if len(seen.heats) else np.empty((0, 2))
    outline = within_reach(corners).astype(np.float32)
    inside = np.array([cv2.pointPolygonTest(outline, point, False) >= 0 for point in at.tolist()], bool)
    seen, at = seen[inside], at[inside]
    rows = _spaces_among(seen, count)
    if previous is not None and _unmoved(at[rows], previous, pitch_mm):
        return previous
    if len(rows) not in SPACES or count not in (None, len(rows)):
        return None
    places = _as_read(at[rows], area, pitch_mm)
    upright = float(np.arctan2(*np.subtract(area[1], area[0])[::-1]))
    turn = float(np.degrees(_turn_of(frame, plane, places, pitch_mm, upright)))
    found = PlaceGroup(name, "hex", pitch_mm, tuple((float(x), float(y)) for x, y in places), turn)
    other = (
        previous is not None and count is not None and not _alike(found, previous, 2 * SAME_PLACE * pitch_mm)
    )
    return None if other else found


def _spaces_among(seen: FoundSpaces, count: int | None) -> np.ndarray:
    """Rows of what is likely a space: as many as the card has, if they stand out from all else."""
    likeliest = np.argsort(-seen.heats)
    if count is not None and len(likeliest) >= count > 0:
        others = seen.heats[likeliest[count:]].max(initial=0.0)
        if seen.heats[likeliest[count - 1]] > STANDS_OUT * others:
            return likeliest[:count]
    return likeliest[seen.heats[likeliest] >= CLEAR_HEAT]


def _unmoved(at: np.ndarray, previous: PlaceGroup, pitch_mm: float) -> bool:
    """Returns whether all points *at* (N, 2), however few, are places of *previous*, and do not tell that the card was
    pushed."""
    off = at[:, None] - np.array(previous.centres_mm)[None]
    away = np.hypot(*off.transpose(2, 0, 1))
    if (away.min(axis=1) >= SAME_PLACE * pitch_mm).any():
        return False
    complete = len(at) == len(previous.centres_mm)
    push = off[np.arange(len(at)), away.argmin(axis=1)].mean(axis=0) if complete else np.zeros(2)
    return bool(np.hypot(*push) < PUSHED * pitch_mm)


def _alike(one: PlaceGroup, other: PlaceGroup, reach: float) -> bool:
    """Returns whether the places of two groups stand alike, wherever the groups are."""
    apart = [
        np.hypot(*(centres[:, None] - centres[None]).transpose(2, 0, 1))
        for centres in (np.array(one.centres_mm), np.array(other.centres_mm))
    ]
    return len(apart[0]) == len(apart[1]) and bool((np.abs(apart[0] - apart[1]) < reach).all())


def _as_read(at: np.ndarray, area: Quad, pitch_mm: float) -> np.ndarray:
    """Returns the places *at* (N, 2) mm in the order in which they are read from the area's first side."""
    x, y = np.subtract(area[1], area[0]) / np.hypot(*np.subtract(area[1], area[0]))
    ordered: np.ndarray = at[order_in_rows(at @ np.array([(x, -y), (y, x)]), ROW * pitch_mm)]
    return ordered


def _turn_of(frame: np.ndarray, plane: Plane, centres: np.ndarray, pitch_mm: float, upright: float) -> float:
    """Radians by which the hexagons around *centres* (N, 2) mm are turned.

    So they are if what is inside their outlines is most unlike what is outside, and each is alike all around.
    They lie with a side or with a corner to the right of the card, which lies about *upright* (radians). The finder
    tells turns by where neighbours are, which on a card may stand otherwise than in a lattice.
    """
    turns = upright + SKEW
    sides = np.arange(6) * np.pi / 3
    out = np.stack([np.cos(sides), np.sin(sides)], axis=1)[:, None]
    along = np.stack([-np.sin(sides), np.cos(sides)], axis=1)[:, None] * ALONG[None, :, None]
    rims = np.stack([(out * reach / 2 + along).reshape(-1, 2) for reach in BESIDE_OUTLINE])
    c, s = np.cos(turns), np.sin(turns)
    turned = rims @ np.array([(c, s), (-s, c)]).transpose(2, 0, 1)[:, None]
    points = centres[:, None, None, None] + pitch_mm * turned
    where = plane.to_frame(points.reshape(-1, 2)).reshape(-1, rims.shape[1], 2).astype(np.float32)
    seen = sample(frame, where).astype(float)
    inner, outer = seen.reshape(*points.shape[:-1], -1).transpose(2, 0, 1, 3, 4)
    uneven = sum(np.abs(rim - rim.mean(axis=2, keepdims=True)) for rim in (inner, outer))
    return float(turns[(np.abs(inner - outer) - uneven).mean(axis=(0, 2, 3)).argmax()])


def _same_colour(before: np.ndarray, now: np.ndarray) -> np.ndarray:
    """Returns (N,) bool: places whose colour is much the same in the patches *before* and *now*, (N, S, S, 3) each."""
    change = np.subtract(*(small_pictures(patches, FINE_PX).mean(axis=(1, 2)) for patches in (now, before)))
    light = change.mean(axis=1, keepdims=True)
    same: np.ndarray = (np.abs(light[:, 0]) < SAME_LIGHT) & (np.abs(change - light) < SAME_HUE).all(axis=1)
    return same


def _group_of(place: str) -> str:
    return place.rpartition(":")[0]
