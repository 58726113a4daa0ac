"""Reads the dice in a frame: proposes places, reads them twice, resolves conflicts, names colours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain

import cv2
import numpy as np

from ..pyramid import build_pyramid, from_level, halve
from ..sighting import DieReading
from .colour import Body, body_of, bright_mean, in_white_light, name_colours
from .evidence import (
    CERTAIN_DIE,
    MIN_DIE,
    MIN_VALUE,
    NO_FACES,
    ONE_BODY,
    Faces,
    certain_dice,
    dice_among,
    die_probability,
    proposal_scores,
    sifted_scores,
)
from .honeycomb import in_honeycomb
from .networks import COCKED, HIDDEN, NO_DIE, NO_PROPOSALS, DiceNetworks, Proposals, non_maximum_suppression
from .patches import FACE_IN_PATCH, cut_patches

Polygon = Sequence[Sequence[float]]

MIN_LEVEL = 16
"""px; the smallest picture of the pyramid, in which a die that nearly fills the frame has a size that the finder
knows."""
MAX_WORKING_SIDE = 1600
"""px; larger frames are scaled to this, at which a die on a photographed table still has more than 15 px."""
LARGE_DIE = 64.0
"""px; side of dice beside which there is none that the finder would miss at a quarter of the frame's size: in our real
test photos sides differ by a factor of 1.8 at most, and there it finds those of a third."""
LARGE_TRIED = 4
"""Number of the likeliest large places that are examined first."""
FIRST_PLACES = 16
"""Number of other places that are examined before sizes are compared: they contain the dice of most of our real test
photos. The same number is examined at each intermediate size."""
MORE_SIFTED, MORE_PLACES = 80, 40
"""Number of those after them that are sifted, and of the likeliest of these that are read; this bounds the time on
tables full of print."""
BETWEEN_OCTAVES = (2**-0.25, 2**-0.5, 2**-0.75)
"""Intermediate sizes that the finder searches if it has missed all dice at those of the pyramid: the grid of its output
is then aligned differently. It finds three more of the 34 dice over 200 px wide in our real test photos."""
MIN_SCORE = -2.0
"""Log odds, from the finder and the sizes of dice, from which a place is examined; of 2,841 dice read in synthetic
scenes 3 are below."""
SIFTED = 0.05
"""Probability of being a die, from the sifter, from which a proposal is read."""
CERTAIN_READING, WELL_CENTRED = 0.98, 0.12
"""A face is read again, better centred, unless one answer has this probability and the face is no farther off, in sides
and in the logarithm of its own: a second reading would add nothing ..."""
HOPELESS = 0.05
"""... or unless its probability of being a die is lower than this, or it would not be reported even so."""
NEARER = 0.9
"""The second reading uses a mirrored patch and a side smaller by this factor: different inputs have less correlated
errors ..."""
FIRST_READING_WEIGHT = 0.5
"""... so that the first reading still counts, although it was less well centred."""
MIN_HOPE = 0.2
"""Where no answer is certain after both, but a die has this probability, the patch is read again:"""
MORE_READINGS = (1, False, 1.0), (3, True, 1.1)
"""after quarter turns, mirrored or not, with its side multiplied by a factor. The network answers otherwise to a turned
patch; what all readings of a die agree on is its value ..."""
LEAST_ANSWER = 3e-3
"""... so that their geometric mean counts; this is added to each probability."""
FIRST_LOOK, MORE_LOOKS = (1.0, 0), ((2**-0.5, 1), (2**0.5, 2))
"""Size and quarter turns of a picture when it is looked at first, and again while fewer dice are certain than are
awaited: every network gets other pixels, and makes other errors. In the next frame of a table at rest it makes nearly
the same ones."""
LEAST_CHANCE = 1e-3
"""Added to the probabilities of values and states, so that one look cannot rule out what the others show, nor a reading
what happens on the table."""
BOX_IN_SIDES = 1.2
"""Side of the reported box: a rotated square takes 1 to 1.41 upright, with rounded corners a little less."""
REASONS = {COCKED: "cocked", HIDDEN: "hidden"}


@dataclass(frozen=True, slots=True)
class _Die:
    """A detected die without a colour name."""

    chance: np.ndarray
    """(8,) probabilities: of the values 1 to 6, of being cocked, of being hidden."""
    centre: np.ndarray
    """(2,) px of the frame."""
    side: float
    """px of the frame."""
    body: Body

    @property
    def is_certain(self) -> bool:
        """Whether it has a value without doubt."""
        return bool(self.chance[: COCKED - 1].max() >= CERTAIN_DIE)


def read_dice(
    frame: np.ndarray,
    *,
    areas: Sequence[Polygon] | None = None,
    colours: Sequence[str] | Mapping[str, Sequence[float]] | None = None,
    white: Sequence[float] | None = None,
    awaited: Sequence[int] = (),
) -> tuple[DieReading, ...]:
    """Reads the six-sided dice in *frame*, (H, W, 3) uint8 BGR, row by row from the top left.

    *areas* are polygons in px; if given, only dice with their centre in one of them are searched, which is faster.
    *colours* are the body colours in play; if given, each die gets the nearest of them. They may be a mapping to bodies
    measured beforehand, BGR 0..255 normalised to white = 255. *white*, BGR 0..255, is the appearance of white in this
    light; when None it is estimated from the frame and the dice. *awaited* is the number of dice that must lie in each
    of the *areas*, or in the frame; where fewer are certain, it is looked at again.

    A die with an unreadable top face has value None and a reason.
    """
    dice = _dice_in(frame, areas, awaited)
    names = name_colours([die.body for die in dice], bright_mean(frame), colours, white)
    return tuple(_reading(die, name) for die, name in zip(dice, names, strict=True))


def measure_dice(
    frame: np.ndarray, *, areas: Sequence[Polygon] | None = None, white: Sequence[float] | None = None
) -> list[tuple[DieReading, tuple[int, int, int]]]:
    """Returns the dice of :func:`read_dice`, each with its body: BGR 0..255 normalised to white = 255.

    Bodies measured once can be the *colours* of later frames.
    """
    dice = _dice_in(frame, areas)
    bodies, mean = [die.body for die in dice], bright_mean(frame)
    names, measured = name_colours(bodies, mean, None, white), in_white_light(bodies, mean, white)
    return [
        (_reading(die, name), (round(float(bgr[0])), round(float(bgr[1])), round(float(bgr[2]))))
        for die, name, bgr in zip(dice, names, measured, strict=True)
    ]


def _dice_in(frame: np.ndarray, areas: Sequence[Polygon] | None, awaited: Sequence[int] = ()) -> list[_Die]:
    """Returns the dice of *frame*, row by row from the top left; raises :exc:`ValueError` for an invalid frame."""
    if frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype != np.uint8:
        raise ValueError(f"read_dice needs a (H, W, 3) uint8 BGR frame, not {frame.shape} {frame.dtype}.")
    if areas is None:
        return _in_rows(_look_until_certain(partial(_find_dice, frame), sum(awaited)))
    return _in_rows(_find_within(areas, frame, awaited))


def _look_until_certain(look: Callable[[float, int], list[_Die]], awaited: int) -> list[_Die]:
    """Returns the dice that *look* finds, given the size and the quarter turns of the picture; it looks again while
    fewer than *awaited* are certain."""
    looks = [look(*FIRST_LOOK)]
    dice = looks[0]
    for size, turns in MORE_LOOKS:
        if sum(die.is_certain for die in dice) >= awaited:
            break
        looks.append(look(size, turns))
        dice = _combine(looks, awaited)
    return dice


def _combine(looks: Sequence[list[_Die]], awaited: int) -> list[_Die]:
    """Returns the dice of the first of *looks* and, up to *awaited* in all, the likeliest of those that only others
    found."""
    same = [[die] for die in looks[0]]
    for die in chain(*looks[1:]):
        known = next((dice for dice in same if _is_duplicate(die, dice)), None)
        if known is None:
            same.append([die])
        else:
            known.append(die)
    first, others = same[: len(looks[0])], same[len(looks[0]) :]
    others.sort(key=lambda dice: -sum(die.chance.sum() for die in dice))
    return [_from_looks(dice) for dice in first + others[: max(0, awaited - len(first))]]


def _from_looks(dice: Sequence[_Die]) -> _Die:
    """Returns the die that each of *dice* is in one look.

    As it is awaited, the look that is surest that it is a die counts; its value and state are the geometric mean of
    all, in which looks that disagree leave more doubt than in the arithmetic mean.
    """
    chances = np.array([die.chance for die in dice])
    certainty = chances.sum(1)
    shown = np.exp(np.log(chances / certainty[:, None] + LEAST_CHANCE).mean(0))
    return replace(dice[0], chance=certainty.max() * shown / shown.sum())


def _in_rows(dice: Sequence[_Die]) -> list[_Die]:
    """Returns *dice* row by row from the top, each from the left; a row contains those less than half a side below its
    first."""
    rows: list[list[_Die]] = []
    for die in sorted(dice, key=lambda die: die.centre[1]):
        if rows and die.centre[1] - rows[-1][0].centre[1] < die.side / 2:
            rows[-1].append(die)
        else:
            rows.append([die])
    return [die for row in rows for die in sorted(row, key=lambda die: die.centre[0])]


def _find_within(areas: Sequence[Polygon], frame: np.ndarray, awaited: Sequence[int]) -> list[_Die]:
    found: list[_Die] = []
    for area, count in zip(areas, awaited or [0] * len(areas), strict=True):
        dice = _look_until_certain(partial(_find_inside, np.asarray(area, np.float32), frame), count)
        found += [die for die in dice if not _is_duplicate(die, found)]
    return found


def _find_inside(area: np.ndarray, frame: np.ndarray, size: float, turns: int) -> list[_Die]:
    """Returns the dice with their centre in *area*, (N, 2) px of *frame*."""
    x0, y0, x1, y1 = _window(area, frame.shape)
    if min(x1 - x0, y1 - y0) < MIN_LEVEL:
        return []
    dice = _find_dice(np.ascontiguousarray(frame[y0:y1, x0:x1]), size, turns)
    moved = [replace(die, centre=die.centre + np.array([x0, y0])) for die in dice]
    return [die for die in moved if cv2.pointPolygonTest(area, die.centre.tolist(), False) >= 0]


def _window(polygon: np.ndarray, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Returns the bounding box of *polygon* within the frame, with a margin so that dice on its border are complete."""
    (x0, y0), (x1, y1) = polygon.min(0), polygon.max(0)
    margin = max(MIN_LEVEL, 0.15 * max(x1 - x0, y1 - y0))
    return (
        max(0, int(x0 - margin)),
        max(0, int(y0 - margin)),
        min(shape[1], int(np.ceil(x1 + margin))),
        min(shape[0], int(np.ceil(y1 + margin))),
    )


@cache
def _networks() -> DiceNetworks:
    return DiceNetworks()


def _find_dice(frame: np.ndarray, size: float, turns: int) -> list[_Die]:
    """Returns the dice in *frame*, looked at *size* times as large and after so many quarter turns to the left."""
    height, width = frame.shape[:2]
    frame, scale = _to_working_size(frame)
    if size != 1:
        how = cv2.INTER_AREA if size < 1 else cv2.INTER_LINEAR
        frame, scale = cv2.resize(frame, None, fx=size, fy=size, interpolation=how), scale * size
    levels = build_pyramid(np.ascontiguousarray(np.rot90(frame, turns)), MIN_LEVEL)
    faces, values = dice_among(detect_faces(levels))
    patches = cut_patches(levels, faces.centres, faces.sides)
    return [
        _Die(
            chance,
            _turned_back(centre / scale, turns, width, height),
            float(side) / scale,
            body_of(patch, FACE_IN_PATCH),
        )
        for chance, centre, side, patch in zip(values, faces.centres, faces.sides, patches, strict=True)
    ]


def _turned_back(spot: np.ndarray, turns: int, width: int, height: int) -> np.ndarray:
    """Returns where *spot*, (2,) px, is in a picture that was turned to the left by *turns* quarters."""
    x, y = spot
    last_x, last_y = width - 1, height - 1
    return np.array([(x, y), (last_x - y, x), (last_x - x, last_y - y), (y, last_y - x)][turns])


def _to_working_size(frame: np.ndarray) -> tuple[np.ndarray, float]:
    """Returns *frame* no larger than MAX_WORKING_SIDE, and its scale."""
    side = max(frame.shape[:2])
    scale = min(1.0, MAX_WORKING_SIDE / side)
    while max(frame.shape[:2]) >= 2 * MAX_WORKING_SIDE:
        frame = halve(frame)
    if scale < 1:  # by less than half: averaging areas is several times slower and no better
        size = [round(n * MAX_WORKING_SIDE / max(frame.shape[:2])) for n in frame.shape[1::-1]]
        frame = cv2.resize(frame, size, interpolation=cv2.INTER_LINEAR)
    return frame, scale


def detect_faces(levels: list[np.ndarray]) -> Faces:
    """Returns possible faces of dice in a pyramid of (H, W, 3) uint8 BGR pictures.

    The largest picture takes most of the time. It is only needed for small dice, and there are none beside a large one.
    The likeliest places are read first; they determine which of the others have the size of dice. If none is certainly
    a die, those that the sifter rejected are read too; if there is still none, the finder searches intermediate sizes.
    What is printed on the spaces of a board is left out.
    """
    networks = _networks()
    found = networks.propose(levels, range(2, len(levels)))
    rows = non_maximum_suppression(found)
    large = rows[found.sides[rows] >= LARGE_DIE][:LARGE_TRIED]
    faces, left_out = _read_likely(levels, found[large], NO_FACES)
    if not certain_dice(faces).any():
        found += networks.propose(levels, range(1, min(2, len(levels))))
        rows = non_maximum_suppression(found)
    rest = found[rows[~np.isin(rows, large)]]
    first, others = rest[:FIRST_PLACES], rest[FIRST_PLACES:]
    faces, unlikely = _read_likely(levels, first, faces)
    if not certain_dice(faces).any():
        faces = _read(levels, left_out + unlikely, faces)
    faces, unread = _read_best(levels, others, faces)
    faces = faces[~_printed(faces, unlikely + unread)]
    for shrink in BETWEEN_OCTAVES:
        if certain_dice(faces).any():
            break
        between = _propose_between(levels, shrink)
        faces, _ = _read_likely(levels, between[non_maximum_suppression(between)[:FIRST_PLACES]], faces)
    return faces


def _propose_between(levels: list[np.ndarray], shrink: float) -> Proposals:
    """Returns the proposals in pictures *shrink* times as large as those of *levels* that are searched first."""
    if len(levels) < 2:
        return NO_PROPOSALS
    picture = cv2.resize(levels[1], None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    smaller = build_pyramid(picture, MIN_LEVEL)
    found = _networks().propose(smaller, range(1, len(smaller)))
    centres = from_level((found.centres + 0.5) / shrink - 0.5, 1)
    return Proposals(centres, 2 / shrink * found.sides, found.heats)


def _read_best(levels: list[np.ndarray], proposals: Proposals, seen: Faces) -> tuple[Faces, Proposals]:
    """Returns *seen* extended by the proposals that are worth reading given what was seen, the likeliest first, and
    those that were sifted only."""
    likeliest = np.argsort(-proposal_scores(proposals, seen), kind="stable")[:MORE_SIFTED]
    sifted, chances = _sift(levels, proposals[likeliest])
    scores = np.where(chances >= SIFTED, sifted_scores(sifted, chances, seen), -np.inf)
    count = min(MORE_PLACES, int((scores >= MIN_SCORE).sum()))
    best, others = np.split(np.argsort(-scores, kind="stable"), [count])
    return _read(levels, sifted[best], seen), sifted[others]


def _printed(faces: Faces, others: Proposals) -> np.ndarray:
    """Returns (N,) bool: the *faces* that lie in a honeycomb, with each other and with *others* that were not read."""
    centres = np.concatenate([faces.centres, others.centres])
    sides = np.concatenate([faces.sides, others.sides])
    likely = np.flatnonzero(1 - faces.probabilities[:, NO_DIE] >= HOPELESS)
    return in_honeycomb(centres, sides, likely)[: len(faces.sides)]


def _read_likely(levels: list[np.ndarray], proposals: Proposals, seen: Faces) -> tuple[Faces, Proposals]:
    """Returns *seen* extended by the proposals that the sifter accepts, and the rejected ones, unread."""
    sifted, chances = _sift(levels, proposals)
    likely = chances >= SIFTED
    return _read(levels, sifted[likely], seen), sifted[~likely]


def _sift(levels: list[np.ndarray], proposals: Proposals) -> tuple[Proposals, np.ndarray]:
    """Returns the *proposals* better centred, and the sifter's probabilities (N,) that they are dice."""
    probabilities, centres, sides = _networks().sift(levels, proposals.centres, proposals.sides)
    return Proposals(centres, sides, proposals.heats), 1 - probabilities[:, NO_DIE]


def _read(levels: list[np.ndarray], places: Proposals, seen: Faces) -> Faces:
    """Returns the faces at the *places*, read twice where that may help, and those *seen* before."""
    networks = _networks()
    faces = Faces(places.heats, *networks.read(levels, places.centres, places.sides))
    moved = np.hypot(*(faces.centres - places.centres).T) / faces.sides
    resized = np.abs(np.log(faces.sides / places.sides))
    news = (np.maximum(moved, resized) > WELL_CENTRED) | (faces.probabilities.max(1) < CERTAIN_READING)
    again = news & _may_be_dice(faces, seen)
    second, faces.centres[again], faces.sides[again] = networks.read(
        levels, faces.centres[again], NEARER * faces.sides[again], mirrored=True
    )
    first = faces.probabilities[again]
    faces.probabilities[again] = FIRST_READING_WEIGHT * first + (1 - FIRST_READING_WEIGHT) * second
    both = faces.probabilities[again]
    doubtful = (both.max(1) < CERTAIN_DIE) & (1 - both[:, NO_DIE] >= MIN_HOPE)
    rows = np.flatnonzero(again)[doubtful]
    faces.probabilities[rows] = _read_more(levels, faces[rows], first[doubtful], second[doubtful])
    return faces + seen


def _read_more(levels: list[np.ndarray], faces: Faces, *readings: np.ndarray) -> np.ndarray:
    """Returns (N, CLASSES) probabilities of *faces*, read again, together with the earlier *readings* of this shape."""
    more = [
        _networks().read(levels, faces.centres, side * faces.sides, turns=turns, mirrored=mirrored)[0]
        for turns, mirrored, side in MORE_READINGS
    ]
    mean = np.exp(np.log(np.add([*readings, *more], LEAST_ANSWER)).mean(0))
    probabilities: np.ndarray = mean / mean.sum(1, keepdims=True)
    return probabilities


def _may_be_dice(faces: Faces, seen: Faces) -> np.ndarray:
    """Returns (N,) bool: those of *faces*, read once, that would be reported if a second reading had no doubt."""
    at_best = replace(
        faces, probabilities=FIRST_READING_WEIGHT * faces.probabilities
    )  # NO_DIE beside none in the second
    hope = 1 - faces.probabilities[:, NO_DIE] >= HOPELESS
    return hope & (die_probability(at_best, faces + seen) >= MIN_DIE)


def _reading(die: _Die, colour: str) -> DieReading:
    best = int(np.argmax(die.chance))
    unclear = "unclear" if die.chance[best] < MIN_VALUE * die.chance.sum() else None
    reason = REASONS.get(best + 1, unclear)
    side = round(BOX_IN_SIDES * die.side)
    return DieReading(
        value=best + 1 if reason is None else None,
        colour=colour,
        box=(*_corner(die), side, side),
        confidence=float(die.chance[best]),
        reason=reason,
        probabilities=_value_probabilities(die),
    )


def _value_probabilities(die: _Die) -> tuple[float, ...]:
    values = die.chance[: COCKED - 1].astype(float) + LEAST_CHANCE
    return tuple((values / values.sum()).tolist())


def _corner(die: _Die) -> tuple[int, int]:
    """Returns the upper left corner of its box, x and y in px."""
    x, y = (die.centre - BOX_IN_SIDES * die.side / 2).tolist()
    return round(x), round(y)


def _is_duplicate(die: _Die, others: Sequence[_Die]) -> bool:
    """Returns whether *others* contain the same die: two areas may overlap."""
    return any(np.hypot(*(die.centre - other.centre)) < ONE_BODY * die.side for other in others)
