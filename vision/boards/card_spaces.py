"""Finds the spaces of cards in their areas of the table: their print is unknown, so it is detected.

Spaces are found as on boards, empty or covered by tiles, and stay where they were found until the card is moved or
replaced. The appearance of an empty space is remembered, because a symbol printed on it resembles a tile.
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
from .finding import REFINING, find_places
from .lattice import FoundSpaces
from .reading import FRAMED_SHARE

SPACES = range(3, 6)
"""Number of spaces of a card."""
MIN_HEAT, CLEAR_HEAT = 0.1, 0.25
"""Heat from which something may be a space, when their number is known and when it is not. Measured on drawn cards: all
but a few spaces exceed the first, and hardly anything else on a card does."""
STANDS_OUT = 2.0
"""Factor by which each space of the known number must be more likely than anything else."""
ROW = 0.3
"""Pitches within which spaces are in one row: rows of a honeycomb are 0.87 apart, spaces are located within 0.15."""
SAME_PLACE = 0.25
"""Pitches within which a space has not moved."""
PUSHED = 0.12
"""Mean offset of all spaces, in pitches, from which the card has been pushed."""
SKEW = np.radians(np.add.outer([0, 30], np.arange(-8, 9, 2.0)).ravel())
"""Possible rotations of the hexagons on a card, radians: with a side or a corner to the right, and the card askew."""
BESIDE_OUTLINE, ALONG = (0.86, 1.12), np.linspace(-0.22, 0.22, 9)
"""Pitches across, inside and outside a hexagon, between which its outline is visible, and positions along its sides."""
MAX_AREA = 16.0
"""Pitches of an area that are searched, three times the length of a card: more is an error in the table file."""
MARGIN = 2.0
"""Pitches around an area that are searched too: a hexagon at the edge of a picture is detected less well."""
SAME_LIGHT, SAME_HUE = 0.7, 0.25
"""Differences of log brightness, and of its channels relative to each other, within which a space may still be empty:
the back of a tile, which may be as plain as an empty space, is far darker, and a hand has another colour."""


class CardSpaces:
    """The spaces of the cards in *areas* of a table (name -> area), as far as they are found."""

    def __init__(self, areas: Mapping[str, Quad]) -> None:
        self.groups: dict[str, PlaceGroup] = {}
        """By name, ``card:AREA``."""
        self._areas = {f"card:{name}": area for name, area in areas.items()}
        self._cards: dict[str, ExpectedCard | None] = {}
        """The card that was last searched for."""
        self._found: dict[str, PlaceGroup] = {}
        """Latest positions of the spaces of these cards."""
        self._patches: dict[str, np.ndarray] = {}
        """Patches of the spaces when they were found."""
        self._bare: dict[str, np.ndarray] = {}
        """Place -> its patch when it was empty."""

    def follow(
        self, frame: np.ndarray, plane: Plane, pitch_mm: float, expected: Mapping[str, ExpectedCard] | None
    ) -> list[str]:
        """Searches *frame* (BGR) for the spaces of cards that have changed, or that *expected* has replaced.

        *plane* is that of the table, *pitch_mm* the size of a space; *expected* is None if the cards are not known.
        Returns the names of the groups that were not found though a card should be there.
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
        """Returns the names of the places among *cut* that look as they did when they were empty."""
        known = [i for i, name in enumerate(cut.names.tolist()) if name in self._bare]
        if not known:
            return []
        names, now = cut.names[known], cut.patches[known]
        before = np.stack([self._bare[name] for name in names.tolist()])
        alike = ~have_changed(before, now) & _same_colour(before, now)
        return list(names[alike & (cut.framed[known] >= FRAMED_SHARE)])

    def _forget_replaced(self, name: str, card: ExpectedCard | None) -> None:
        """Forgets the spaces *name* of another card than *card*, and places that turned out not to be empty."""
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
        """Returns whether the spaces *name* are unknown, or any of them has changed since they were found."""
        group = self.groups.get(name)
        if group is None:
            return True
        return bool(have_changed(self._patches[name], place_patches(frame, plane, [group]).patches).any())

    def _learn_bare(self, name: str, card: ExpectedCard) -> None:
        """Stores the first appearance of the spaces *name* that are certainly empty."""
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
        """Searches *area* for the spaces *name*."""
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
    """Returns the spaces of the card in *area* of the table's *plane*, in reading order, as the group *name*.

    *frame* is (H, W, 3) uint8 BGR, *pitch_mm* the size of a space, *count* the number of spaces, None if not known.
    *previous* are the spaces of this card found before: they are returned as long as nothing contradicts them, because
    a hand may hide some. None if the spaces cannot be located, or are arranged differently from *previous*: then it
    is another card.
    """
    corners = np.array(area)
    across = min(float(np.ptp(corners, axis=0).max()) / pitch_mm, MAX_AREA) + MARGIN
    seen = find_places(
        frame,
        plane,
        corners.mean(axis=0),
        pitch_mm,
        across=across,
        pitches=REFINING,
        least_heat=MIN_HEAT,
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
    """Returns the rows of likely spaces: as many as the card has, if they stand out from everything else."""
    likeliest = np.argsort(-seen.heats)
    if count is not None and len(likeliest) >= count > 0:
        others = seen.heats[likeliest[count:]].max(initial=0.0)
        if seen.heats[likeliest[count - 1]] > STANDS_OUT * others:
            return likeliest[:count]
    return likeliest[seen.heats[likeliest] >= CLEAR_HEAT]


def _unmoved(at: np.ndarray, previous: PlaceGroup, pitch_mm: float) -> bool:
    """Returns whether all points *at* (N, 2), however few, are places of *previous* and show no common offset."""
    off = at[:, None] - np.array(previous.centres_mm)[None]
    away = np.hypot(*off.transpose(2, 0, 1))
    if (away.min(axis=1) >= SAME_PLACE * pitch_mm).any():
        return False
    complete = len(at) == len(previous.centres_mm)
    push = off[np.arange(len(at)), away.argmin(axis=1)].mean(axis=0) if complete else np.zeros(2)
    return bool(np.hypot(*push) < PUSHED * pitch_mm)


def _alike(one: PlaceGroup, other: PlaceGroup, reach: float) -> bool:
    """Returns whether the places of two groups have the same arrangement, wherever the groups are."""
    apart = [
        np.hypot(*(centres[:, None] - centres[None]).transpose(2, 0, 1))
        for centres in (np.array(one.centres_mm), np.array(other.centres_mm))
    ]
    return len(apart[0]) == len(apart[1]) and bool((np.abs(apart[0] - apart[1]) < reach).all())


def _as_read(at: np.ndarray, area: Quad, pitch_mm: float) -> np.ndarray:
    """Returns the places *at* (N, 2) mm in reading order, with the area's first side at the top."""
    x, y = np.subtract(area[1], area[0]) / np.hypot(*np.subtract(area[1], area[0]))
    ordered: np.ndarray = at[order_in_rows(at @ np.array([(x, -y), (y, x)]), ROW * pitch_mm)]
    return ordered


def _turn_of(frame: np.ndarray, plane: Plane, centres: np.ndarray, pitch_mm: float, upright: float) -> float:
    """Returns the rotation of the hexagons around *centres* (N, 2) mm, radians.

    The best rotation has the greatest contrast between inside and outside the outlines, and the most uniform rims. A
    side or a corner points to the right of the card, which is rotated by about *upright* (radians). The finder derives
    rotations from neighbours, which on a card may be arranged differently from a lattice.
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
    """Returns (N,) bool: places with about the same colour in the patches *before* and *now*, (N, S, S, 3) each."""
    change = np.subtract(*(small_pictures(patches, FINE_PX).mean(axis=(1, 2)) for patches in (now, before)))
    light = change.mean(axis=1, keepdims=True)
    same: np.ndarray = (np.abs(light[:, 0]) < SAME_LIGHT) & (np.abs(change - light) < SAME_HUE).all(axis=1)
    return same


def _group_of(place: str) -> str:
    return place.rpartition(":")[0]
