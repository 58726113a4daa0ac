"""How well the things of the expansions are read: inns on every colour, new faces, shields, goods on trade routes.

The tables are drawn full of them, in several lights; the gallery was learnt from drawn pictures of every face.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS
from companion.referee.verdict import CLEAR

if TYPE_CHECKING:
    from hardware.virtual_table import TableLayout
    from vision.gallery import Gallery
    from vision.sighting import PlaceReading

TABLES = 4
BUILT, BESIDE = 0.6, 0.5
"""Shares of occupied spaces of duchies, and of occupied places beside them."""
NEW_SHARE = 0.5
"""Share of the tiles on spaces that belong to expansions."""


@dataclass
class ReadingCounts:
    """Readings of one kind of thing."""

    right: int = 0
    asked: int = 0
    """Places that a person would be asked about: read without certainty, or not at all."""
    wrong: int = 0
    confidences: list[tuple[float, bool]] = field(default_factory=list)
    """Confidence of each place that was read, and whether it is right."""

    @property
    def total(self) -> int:
        return self.right + self.asked + self.wrong

    def add(self, reading: PlaceReading, label: str) -> None:
        confidence, right = reading.probability(reading.best), reading.best == label
        if reading.hidden or confidence < CLEAR:
            self.asked += 1
        else:
            self.right += right
            self.wrong += not right
        if not reading.hidden:
            self.confidences.append((confidence, right))


@dataclass(frozen=True)
class ExpansionFigures:
    """What was read on tables with every expansion, by the kind of thing."""

    kinds: Mapping[str, ReadingCounts]


def measure_expansions(seed: int = 1, tables: int = TABLES) -> ExpansionFigures:
    from calibration.table_file import parse
    from hardware.scene import Scene
    from hardware.virtual_table import Light, VirtualTable
    from hardware.virtual_table.games.burgundy import sample_with_expansions
    from vision.reader import TableReader

    lights = (Light(), Light(warmth=(0.75, 0.95, 1.1), exposure=0.7), Light(lamp_mm=(900.0, 300.0, 700.0)))
    kinds: dict[str, ReadingCounts] = {}
    for number in range(tables):
        rng = random.Random(f"expansions {seed} {number}")
        layout = sample_with_expansions(PLAYER_COLOURS[: 2 + number % 3], seed=seed + number)
        gallery, places = learnt_gallery(layout, seed), random_places(layout, rng)
        with VirtualTable(layout, seed=seed + number, light=lights[number % len(lights)]) as table:
            table.show(Scene(places=places))
            reader = TableReader(parse(table.table_file(), "the drawn table"), gallery)
            read = reader.read_places(table.read())
        for place, kind, label in things_on(layout, places):
            kinds.setdefault(kind, ReadingCounts()).add(read[place], label)
    return ExpansionFigures(kinds)


def learnt_gallery(layout: TableLayout, seed: int) -> Gallery:
    """Returns a gallery of every face and empty place of a table, learnt from drawn pictures of them."""
    from calibration.table_file import parse
    from hardware.virtual_table import enrolment_frames
    from vision.gallery import Gallery
    from vision.reader import enrol_places

    gallery = Gallery()
    for frame, sheet, labels in enrolment_frames(seed, layout=layout):
        enrol_places(gallery, frame, parse(sheet, "the drawn sheet"), labels)
    return gallery


def random_places(layout: TableLayout, rng: random.Random) -> dict[str, tuple[str, ...]]:
    """Returns group -> labels, half of them of expansions."""
    from vision.sighting import EMPTY

    art = layout.art
    kinds = {"hex": art.tiles, "square": art.goods, "shield": art.shields}
    new = [label for label in (*art.tiles, *art.covered) if is_new(label)]

    def some(share: float, among: Callable[[], Sequence[str]]) -> str:
        return rng.choice(among()) if rng.random() < share else EMPTY

    def fitting(colour: str) -> Sequence[str]:
        added = [label for label in new if label == "inn" or label.startswith(f"{colour}/")]
        if rng.random() < NEW_SHARE:
            return added
        return [label for label in art.tiles if label.partition("/")[0] == colour and not is_new(label)]

    placed = {
        group.name: tuple(some(BESIDE, lambda g=group: kinds[g.shape]) for _ in group.centres_mm)  # type: ignore[misc]
        for group in layout.groups
    }
    return placed | {
        board.group.name: tuple(some(BUILT, lambda c=colour: fitting(c)) for colour, _ in board.spaces)  # type: ignore[misc]
        for board in layout.boards
    }


def is_new(label: str) -> bool:
    """Returns whether only games with expansions have the thing with this label."""
    from companion.games.burgundy.rules.tiles import LABELS, is_goods

    return label not in LABELS and not is_goods(label)


def things_on(layout: TableLayout, places: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str, str]]:
    """Yields the name of each place, what kind of thing is there, and its label."""
    from vision.sighting import EMPTY

    colours = {board.group.name: [colour for colour, _ in board.spaces] for board in layout.boards}
    for group, labels in places.items():
        for i, label in enumerate(labels):
            where = group.partition(":")[0]
            if label == EMPTY:
                kind = f"empty: {where}"
            elif label == "inn":
                kind = f"inn: {colours[group][i] if group in colours else 'beside'}"
            elif not is_new(label):
                kind = f"base: {where}"
            else:
                kind = label if "/shield" not in label and "shield/" not in label else f"shields: {where}"
            yield f"{group}:{i}", kind, label
