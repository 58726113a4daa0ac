"""A line chart of the players' scores over a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

WIDTH, HEIGHT = 640.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 36.0, 56.0, 30.0, 22.0
"""Margins for the numbers at the sides and for the signs of the sections."""
STEPS = (10, 20, 25, 50)
"""Points between two lines of the grid, times a power of ten."""
MAX_GRID_LINES = 6
"""Lines of the grid above the zero line."""
LABEL_GAP = 16.0
"""Minimum distance between the scores at the ends of the lines."""


@dataclass(frozen=True, slots=True)
class Line:
    """The score of one player over the game."""

    colour: str
    points: str
    """Value of the ``points`` attribute of an SVG polyline."""
    end: tuple[float, float]
    label_y: float
    """Height of its score, which does not overlap the others."""
    score: int


@dataclass(frozen=True, slots=True)
class Chart:
    """The elements to draw, on WIDTH by HEIGHT."""

    lines: tuple[Line, ...]
    grid: tuple[tuple[float, int], ...]
    """Height and points of each horizontal line."""
    sections: tuple[tuple[float, float, str], ...]
    """Left side, middle and sign of each section of the game."""


def chart(timeline: Mapping[str, Sequence[int]], sections: Sequence[str], rounds: int) -> Chart:
    """Returns the chart of *timeline*: each player's score after each round, and after the final scoring if any.

    The game has *sections*, named by their signs, of so many *rounds* each. All lines start at zero.
    """
    rounds_in_all = max(1, len(sections) * rounds)
    steps = max(rounds_in_all, *(len(scores) for scores in timeline.values()))
    top = max(1, *(score for scores in timeline.values() for score in scores), 1)

    def x(step: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * step / steps, 1)

    def y(score: float) -> float:
        # The quotient comes first: a score of hundreds of digits times a float would overflow.
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (score / top), 1)

    step = next(s for s in _steps() if top <= s * MAX_GRID_LINES)
    ends = {colour: (x(len(scores)), y(scores[-1] if scores else 0)) for colour, scores in timeline.items()}
    labels = dict(_without_overlap({colour: end[1] for colour, end in ends.items()}))
    return Chart(
        lines=tuple(
            Line(
                colour,
                " ".join(f"{x(i)},{y(score)}" for i, score in enumerate((0, *scores))),
                ends[colour],
                labels[colour],
                scores[-1] if scores else 0,
            )
            for colour, scores in timeline.items()
        ),
        grid=tuple((y(points), points) for points in range(0, top + 1, step)),
        sections=tuple((x(i * rounds), x((i + 0.5) * rounds), sign) for i, sign in enumerate(sections)),
    )


def _steps() -> Iterator[int]:
    """Yields ever larger steps between two lines of the grid."""
    return (step * 10**power for power in count() for step in STEPS)


def _without_overlap(heights: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """Yields the heights, moved up if too near to the one below, and all within the chart."""
    lowest = HEIGHT - BOTTOM
    for colour, height in sorted(heights.items(), key=lambda item: -item[1]):
        lowest = min(lowest, height)
        yield colour, round(lowest, 1)
        lowest -= LABEL_GAP
