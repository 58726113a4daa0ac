"""Accuracy of dice readings against labelled photos or rendered pictures with exact truth.

A labels file lists photos: ``[{"image", "dice": [{"value", "colour", "box"}], "ignore": [box, ...]}]``. A truth file
``NAME.truth.json`` belongs to a rendered picture ``NAME.jpg``. Readings and dice are matched one to one, nearest first,
by position only, not by value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from calibration.documents import read_json

from ..sighting import DieReading
from .confidence import SURE, calibration
from .truth import TruthError, load_truth, truth_path

LABELS_NAME = "labels.json"

BOX_GROWTH = 0.10
"""Labelled boxes are rough: a reading matches within this share of the box around it."""
MIN_VISIBLE = 0.5
MAX_BLOWN_OUT = 0.45
"""Dice that are less visible, or clipped more, are not scored, as they are unreadable."""
MIN_REACH = 8.0
"""px; a reading this near to a rendered die matches, however small the die is."""
REACH_IN_SIDES = 0.75
AREA_MARGIN = 4.0
"""Reaches from the outermost rendered dice to the edge of their area: three sides."""

SHADES: Mapping[str, frozenset[str]] = {
    "white": frozenset({"ivory", "grey"}),
    "ivory": frozenset({"white", "yellow"}),
    "yellow": frozenset({"orange"}),
    "orange": frozenset({"yellow"}),
    "lime": frozenset({"green", "yellow"}),
    "pink": frozenset({"red"}),
    "brown": frozenset({"orange", "ivory", "yellow"}),
    "purple": frozenset({"black"}),
}
"""Other names that people use for the same labelled colour."""

Point = tuple[float, float]
Area = tuple[Point, Point, Point, Point]


@dataclass(frozen=True, slots=True)
class TrueDie:
    """A die known to be in a picture, and where a reading of it may lie."""

    value: int
    colour: str
    centres: tuple[Point, ...]
    """px; the nearest of them counts."""
    box: tuple[float, float, float, float] | None
    """x, y, width, height: a reading matches inside it (grown) ..."""
    reach: float
    """... or, without a box, within this many px of a centre; with one, the unit of nearness."""
    scored: bool = True

    def nearness(self, point: Point) -> float | None:
        """Returns the distance of *point*, smaller is nearer; None if it is not a reading of this die."""
        distance = min(math.dist(point, centre) for centre in self.centres)
        inside = distance <= self.reach if self.box is None else in_box(point, self.box)
        return distance / self.reach if inside else None


@dataclass(frozen=True, slots=True)
class PictureTruth:
    """The true dice in one picture."""

    dice: tuple[TrueDie, ...]
    ignore: tuple[tuple[float, float, float, float], ...] = ()
    """Boxes in which a reading is neither correct nor wrong."""

    def dice_area(self) -> Area | None:
        """Returns an upright rectangle around all dice, as an owner could have declared it: corners in px; None without
        dice.

        The truth files do not contain dice areas, so this one is derived from the dice, with a margin.
        """
        if not self.dice:
            return None
        margin = AREA_MARGIN * max(die.reach for die in self.dice)
        xs, ys = zip(*(centre for die in self.dice for centre in die.centres), strict=True)
        left, right, top, bottom = min(xs) - margin, max(xs) + margin, min(ys) - margin, max(ys) + margin
        return (left, top), (right, top), (right, bottom), (left, bottom)


@dataclass(slots=True)
class DiceAccuracy:
    """Counts over pictures."""

    pictures: int = 0
    """Pictures with scored dice."""
    exact: int = 0
    """Those without any wrong position or value."""
    empty_pictures: int = 0
    empty_clean: int = 0
    dice: int = 0
    found: int = 0
    false: int = 0
    answered: int = 0
    """Found and read with a value."""
    right: int = 0
    colour_right: int = 0
    by_colour: dict[str, list[int]] = field(default_factory=dict)
    """Labelled colour -> the counts named in COLOUR_COUNTS."""
    readings: list[tuple[float, bool]] = field(default_factory=list)
    """Confidence of every scored reading with a value, and whether it is correct."""

    COUNTS: ClassVar[tuple[str, ...]] = (
        "pictures", "exact", "empty_pictures", "empty_clean", "dice", "found", "false", "answered", "right",
        "colour_right",
    )  # fmt: skip
    COLOUR_COUNTS: ClassVar[tuple[str, ...]] = ("dice", "found", "right", "colour_right")

    def add(self, truth: PictureTruth, readings: Sequence[DieReading]) -> None:
        pairs = pair(truth.dice, readings)
        wrong = len(self._add_strays(truth, readings, set(pairs.values())))
        scored = [i for i, die in enumerate(truth.dice) if die.scored]
        for i in scored:
            wrong += not self._add_die(truth.dice[i], readings[pairs[i]] if i in pairs else None)
        if scored:
            self.pictures += 1
            self.exact += wrong == 0
        elif not truth.dice:
            self.empty_pictures += 1
            self.empty_clean += wrong == 0

    def _add_strays(
        self, truth: PictureTruth, readings: Sequence[DieReading], paired: set[int]
    ) -> list[DieReading]:
        strays = [
            reading
            for j, reading in enumerate(readings)
            if j not in paired and not any(in_box(middle(reading), box) for box in truth.ignore)
        ]
        self.false += len(strays)
        self.readings += [(stray.confidence, False) for stray in strays if stray.value is not None]
        return strays

    def _add_die(self, die: TrueDie, reading: DieReading | None) -> bool:
        row = self.by_colour.setdefault(die.colour, [0, 0, 0, 0])
        self.dice += 1
        row[0] += 1
        if reading is None:
            return False
        right = reading.value == die.value
        same_colour = reading.colour == die.colour or reading.colour in SHADES.get(die.colour, ())
        self.found += 1
        self.answered += reading.value is not None
        self.right += right
        self.colour_right += same_colour
        row[1] += 1
        row[2] += right
        row[3] += same_colour
        if reading.value is not None:
            self.readings.append((reading.confidence, right))
        return right

    @property
    def precision(self) -> float:
        return self.found / max(1, self.found + self.false)

    @property
    def read_right(self) -> float:
        return self.right / max(1, self.dice)

    @property
    def sure_wrong(self) -> int:
        """Readings with confidence SURE or more that were false or had another value."""
        return sum(not right for confidence, right in self.readings if confidence >= SURE)

    def calibration(self) -> list[dict[str, float]]:
        """Returns the calibration of its confidences (:func:`vision.accuracy.confidence.calibration`)."""
        return calibration(self.readings)

    def sentence(self) -> str:
        """Returns a summary line for people."""
        share = 100 / max(1, self.dice)
        line = (
            f"{self.right} of {self.dice} dice read correctly ({self.right * share:.1f} %), {self.found} found, "
            f"{self.false} false (precision {100 * self.precision:.1f} %), "
            f"{self.exact} of {self.pictures} pictures exact, "
            f"colour correct for {self.colour_right} of {self.found}"
        )
        if self.empty_pictures:
            line += f", {self.empty_clean} of {self.empty_pictures} pictures without dice free of false dice"
        return line

    def to_json(self) -> dict[str, Any]:
        counts = {name: getattr(self, name) for name in self.COUNTS}
        colours = {
            colour: dict(zip(self.COLOUR_COUNTS, row, strict=True)) for colour, row in self.by_colour.items()
        }
        return {
            **counts,
            "sure_wrong": self.sure_wrong,
            "by_colour": colours,
            "calibration": self.calibration(),
        }


def score(truth: Mapping[Path, PictureTruth], readings: Mapping[Path, Sequence[DieReading]]) -> DiceAccuracy:
    """Returns the accuracy over every picture that has both a truth and readings."""
    accuracy = DiceAccuracy()
    for name, picture in truth.items():
        if name in readings:
            accuracy.add(picture, readings[name])
    return accuracy


def truth_beside(pictures: Iterable[Path]) -> dict[Path, PictureTruth]:
    """Returns the truth of each of *pictures* that has a labels file or a truth file of its own.

    Raises :exc:`TruthError` for a file that cannot be used.
    """
    found: dict[Path, PictureTruth] = {}
    labels: dict[Path, dict[str, PictureTruth]] = {}
    for picture in pictures:
        if (rendered := load_truth(picture)) is not None:
            try:
                found[picture] = rendered_truth(rendered)
            except (KeyError, TypeError):
                raise TruthError(
                    f"{truth_path(picture)}: does not describe all of its dice; repair it or move it away"
                ) from None
            continue
        folder = picture.parent
        if folder not in labels:
            common = folder / LABELS_NAME
            labels[folder] = load_labels(common) if common.exists() else {}
        if picture.name in labels[folder]:
            found[picture] = labels[folder][picture.name]
    return found


def load_labels(path: Path) -> dict[str, PictureTruth]:
    """Returns picture name -> truth, from a labels file; raises :exc:`TruthError`."""
    try:
        return {
            entry["image"]: PictureTruth(
                tuple(_labelled(die) for die in entry["dice"]), tuple(map(tuple, entry.get("ignore", ())))
            )
            for entry in read_json(path, TruthError)
        }
    except (OSError, ValueError, TypeError, KeyError):
        raise TruthError(f"{path}: not a file of dice labels; repair it or move it away") from None


def rendered_truth(data: Mapping[str, Any]) -> PictureTruth:
    """Returns the truth of a rendered picture from the content of its truth file."""
    return PictureTruth(tuple(_rendered(die, data["px_per_mm"]) for die in data["dice"]))


def _labelled(die: Mapping[str, Any]) -> TrueDie:
    x, y, width, height = die["box"]
    centre = x + width / 2, y + height / 2
    return TrueDie(die["value"], die["colour"], (centre,), (x, y, width, height), max(width, height))


def _rendered(die: Mapping[str, Any], px_per_mm: float) -> TrueDie:
    return TrueDie(
        value=die["value"],
        colour=die["colour"],
        centres=(tuple(die["centre"]), tuple(die["body_centre"])),
        box=None,
        reach=max(MIN_REACH, REACH_IN_SIDES * die["size_mm"] * px_per_mm),
        scored=(
            die["in_frame"]
            and die.get("visible", 1) >= MIN_VISIBLE
            and die.get("blown_out", 0) <= MAX_BLOWN_OUT
        ),
    )


def pair(dice: Sequence[TrueDie], readings: Sequence[DieReading]) -> dict[int, int]:
    """Returns index of a die -> index of its reading: nearest pair first, one to one."""
    near = sorted(
        (nearness, i, j)
        for i, die in enumerate(dice)
        for j, reading in enumerate(readings)
        if (nearness := die.nearness(middle(reading))) is not None
    )
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in near:
        if i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
    return pairs


def middle(reading: DieReading) -> Point:
    x, y, width, height = reading.box
    return x + width / 2, y + height / 2


def in_box(point: Point, box: Sequence[float]) -> bool:
    """Returns whether *point* is inside *box* extended by BOX_GROWTH of its size."""
    x, y, width, height = box
    return x - BOX_GROWTH * width <= point[0] <= x + width * (
        1 + BOX_GROWTH
    ) and y - BOX_GROWTH * height <= point[1] <= y + height * (1 + BOX_GROWTH)
