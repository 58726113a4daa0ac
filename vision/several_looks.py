"""Several looks at a table at rest, combined into one sighting.

The noise of the sensor differs between two frames, while light, print and angle do not: the errors of the looks are
largely the same, so that their evidence must not be multiplied. Distributions are combined by their geometric mean (the
logarithmic opinion pool of Genest & Zidek, Statistical Science 1, 1986), which is as sure as the looks are on average
and follows those that are surest.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from .sighting import DieReading, PlaceReading, Sighting

LEAST = 1e-4
"""Probability that counts for a label or value which one look excludes: it may be wrong about that."""
SAME_DIE = 0.5
"""Two dice are the same if their centres are no further apart than this share of the larger one's width."""
MOST_LIKELY_THERE = 0.5
"""Share of the looks in which a die has to be found."""


def combined(looks: Sequence[Sighting]) -> Sighting:
    """Returns one sighting for several *looks* at the same table, oldest first; there has to be one.

    What a hand or glare covers in some looks is taken from the others. What moved is as in the latest look.
    """
    latest = looks[-1]
    if len(looks) == 1:
        return latest
    names = dict.fromkeys(name for look in looks for name in look.places)
    return replace(
        latest,
        places={name: _place([look.places[name] for look in looks if name in look.places]) for name in names},
        dice=combined_dice([look.dice for look in looks]),
        ms=sum(look.ms for look in looks),
    )


def combined_dice(looks: Sequence[Sequence[DieReading]]) -> tuple[DieReading, ...]:
    """Returns the dice of several looks, oldest first: those that most looks have found, each where it was last."""
    found: list[list[DieReading]] = []
    for dice in looks:
        known = list(found)
        for die in dice:
            same = next((one for one in known if _is_same_die(one[-1], die)), None)
            if same is None:
                found.append([die])
            else:
                known.remove(same)
                same.append(die)
    return tuple(_die(readings) for readings in found if len(readings) >= MOST_LIKELY_THERE * len(looks))


def _place(looks: Sequence[PlaceReading]) -> PlaceReading:
    visible = [look for look in looks if not look.hidden]
    if len(visible) < 2:
        return (visible or looks)[-1]
    labels = dict.fromkeys(label for look in visible for label in look.probabilities)
    total = sum(sum(look.probabilities.values()) for look in visible) / len(visible)
    means = _geometric_means([[look.probability(label) for label in labels] for look in visible])
    return PlaceReading({label: total * mean for label, mean in zip(labels, means, strict=True)})


def _die(looks: Sequence[DieReading]) -> DieReading:
    """Returns one reading of a die; without a value if fewer than half of the looks could read one."""
    latest, unread = looks[-1], [look for look in looks if look.value is None]
    if len(looks) == 1 or not any(look.value or look.probabilities for look in looks):
        return latest
    colour = Counter(look.colour for look in reversed(looks)).most_common(1)[0][0]
    shown = _geometric_means([look.value_probabilities for look in looks])
    likeliest = max(range(len(shown)), key=shown.__getitem__)
    colour_known = sum(
        look.confidence / max(look.value_probabilities) for look in looks if look.colour == colour
    ) / len(looks)
    is_read = 2 * len(unread) <= len(looks)
    return DieReading(
        value=likeliest + 1 if is_read else None,
        colour=colour,
        box=latest.box,
        confidence=shown[likeliest] * min(1.0, colour_known),
        reason=None if is_read else unread[-1].reason,
        probabilities=tuple(shown),
    )


def _is_same_die(old: DieReading, new: DieReading) -> bool:
    (x, y, w, h), (ox, oy, ow, oh) = new.box, old.box
    distance = math.hypot(x + w / 2 - ox - ow / 2, y + h / 2 - oy - oh / 2)
    return distance <= SAME_DIE * max(w, h, ow, oh)


def _geometric_means(rows: Sequence[Sequence[float]]) -> list[float]:
    """Returns the geometric mean of each column, scaled to a sum of 1."""
    means = [_geometric_mean(column) for column in zip(*rows, strict=True)]
    return [mean / sum(means) for mean in means]


def _geometric_mean(values: Iterable[float]) -> float:
    logarithms = [math.log(max(value, LEAST)) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))
