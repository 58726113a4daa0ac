"""How well the things of the expansions are read: inns on every colour, new faces, shields, goods on trade routes.

The tables are drawn full of them, in several lights; the gallery was learnt from drawn pictures of every face.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from calibration.board_kind import kind_of
from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS
from companion.games.burgundy.rules.tiles import LABELS, is_goods
from companion.referee.verdict import CLEAR

from .full_table import learnt_gallery

if TYPE_CHECKING:
    from hardware.virtual_table import TableLayout
    from vision.sighting import PlaceReading

TABLES = 4
INN = "inn"
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

    tables: int
    kinds: Mapping[str, ReadingCounts]

    def calibration(self) -> list[dict[str, float]]:
        """Returns how often readings with a given confidence were right."""
        from vision.accuracy.confidence import calibration

        return calibration([one for counts in self.kinds.values() for one in counts.confidences])


def measure_expansions(seed: int = 1, tables: int = TABLES) -> ExpansionFigures:
    """Reads tables for two, three and four in turn, drawn in one light after the other, and compares what was read."""
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
        gallery, places = learnt_gallery(seed, layout), random_places(layout, rng)
        with VirtualTable(layout, seed=seed + number, light=lights[number % len(lights)]) as table:
            table.show(Scene(places=places))
            reader = TableReader(parse(table.table_file(), "the drawn table"), gallery)
            read = reader.read_places(table.read())
        for place, kind, label in things_on(layout, places):
            kinds.setdefault(kind, ReadingCounts()).add(read[place], label)
    return ExpansionFigures(tables, kinds)


def random_places(layout: TableLayout, rng: random.Random) -> dict[str, tuple[str, ...]]:
    """Returns group -> labels, those on duchies of tiles that may lie there."""
    art = layout.art
    of_shape = {"hex": art.tiles, "square": art.goods, "shield": art.shields}
    places = {
        group.name: tuple(_some(of_shape[group.shape], BESIDE, rng) for _ in group.centres_mm)
        for group in layout.groups
    }
    for board in layout.boards:
        tiles = [_fitting(layout, colour, is_new=rng.random() < NEW_SHARE) for colour, _ in board.spaces]
        places[board.group.name] = tuple(_some(among, BUILT, rng) for among in tiles)
    return places


def _some(among: Sequence[str], share: float, rng: random.Random) -> str:
    """Returns nothing or one of the labels *among*, which have that *share*."""
    from vision.sighting import EMPTY

    return rng.choice(among) if rng.random() < share else EMPTY


def _fitting(layout: TableLayout, colour: str, *, is_new: bool) -> list[str]:
    """Returns the labels of the tiles that may lie on a space of that *colour*: of expansions, or of the base game."""
    tiles = (*layout.art.tiles, *layout.art.covered)
    return [
        label
        for label in tiles
        if is_of_expansion(label) == is_new and (kind_of(label) == colour or label == INN)
    ]


def is_of_expansion(label: str) -> bool:
    """Returns whether only games with expansions have the thing with this label."""
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
            elif label == INN:
                kind = f"inn: {colours[group][i] if group in colours else where}"
            elif not is_of_expansion(label):
                kind = f"base game: {where}"
            else:
                kind = f"shields: {where}" if "shield" in label else label
            yield f"{group}:{i}", kind, label
