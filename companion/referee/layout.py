"""What chance has put on the table: the set-up, and a phase's tiles."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games import capabilities
from companion.games.api import ExpectedLayout, Move, Rules
from vision.sighting import EMPTY

from .evidence import LIKELIER_THAN_NOT, Evidence
from .verdict import CLEAR, OPTIONS, UNLIKELY, Explanation, Option, Question, Verdict, notation

NODES = 6000
"""Limit of combinations that are tried, so that the search always ends soon."""
LAYOUTS = 60
"""Limit of layouts that are compared: enough for every place to be doubtful in one of them."""
ANSWERED, SEEN, DOUBTED, ONLY, OPEN = ("answered", "seen", "doubted", "only", "open")


@dataclass(frozen=True, slots=True)
class PlaceStatus:
    """How well one place of a layout is known."""

    place: str
    label: str | None
    """Label there; None if unknown."""
    known: str
    """``answered`` by people, ``seen`` clearly, ``doubted`` (seen, not clearly), ``only`` (the one possible label, not
    watched) or ``open``."""


def place_statuses(evidence: Evidence, part: ExpectedLayout) -> list[PlaceStatus]:
    """Returns how well each place of *part* is known, in its order."""
    return [PlaceStatus(place, *_known(evidence, place, labels)) for place, labels in part.places]


def choices(evidence: Evidence, part: ExpectedLayout, place: str) -> tuple[str, ...]:
    """Returns the labels possible on *place*, without those that people have used up elsewhere."""
    kind = _kind(place)
    answered = Counter(
        label for other, label in evidence.labels.items() if other != place and _kind(other) == kind
    )
    left = part.remaining.get(kind, {})
    labels = dict(part.places)[place]
    return tuple(label for label in labels if label not in left or answered[label] < left[label])


def _kind(place: str) -> str:
    return place.partition(":")[0]


def _too_many(evidence: Evidence, part: ExpectedLayout) -> str | None:
    """Returns the latest answered place whose label is used up elsewhere; None if there is none."""
    places = dict(part.places)
    answered = [place for place in reversed(list(evidence.labels)) if place in places]
    return next((p for p in answered if evidence.labels[p] not in choices(evidence, part, p)), None)


def _known(evidence: Evidence, place: str, labels: Sequence[str]) -> tuple[str | None, str]:
    if place in evidence.labels:
        return evidence.labels[place], ANSWERED
    if evidence.reading(place) is None:
        return (labels[0], ONLY) if len(labels) == 1 and not _is_watched(evidence, place) else (None, OPEN)
    if _is_bare(evidence, place, labels):
        return None, OPEN
    share, label = _ranked(evidence, place, labels)[0]
    return label, SEEN if share >= CLEAR else DOUBTED


def _is_bare(evidence: Evidence, place: str, labels: Sequence[str]) -> bool:
    """Returns whether a place that must not be empty is read as empty."""
    reading = evidence.reading(place)
    return reading is not None and EMPTY not in labels and reading.probability(EMPTY) > LIKELIER_THAN_NOT


def _is_watched(evidence: Evidence, place: str) -> bool:
    return evidence.watches(place.rpartition(":")[0])


def explain_layout(
    rules: Rules, state: Any, evidence: Evidence, answers: Mapping[str, str] | None = None
) -> Verdict:
    """Returns what was set up before the game or at the start of a phase.

    *answers* holds the notations that players have chosen, by what was asked (``start:red``).
    """
    moves: tuple[Move, ...] = ()
    probability = 1.0
    now = state.copy()
    for part in capabilities.observable(rules).expected_layouts(state):
        about = ":".join(filter(None, (part.what, part.player)))
        unread = [place for place, labels in part.places if len(labels) > 1 and not evidence.reading(place)]
        if unread:
            data = {"player": part.player, "places": len(unread), "place": unread[0]}
            return Verdict(notice=f"{part.what}_hidden", notice_data=data)
        if bare := [place for place, labels in part.places if _is_bare(evidence, place, labels)]:
            data = {"player": part.player, "places": len(bare), "place": bare[0]}
            return Verdict(notice=f"{part.what}_unfinished", notice_data=data)
        if place := _too_many(evidence, part):
            data = {"player": part.player, "tile": evidence.labels[place], "place": place}
            return Verdict(notice=f"{part.what}_too_many", notice_data=data)
        candidates = _layouts(rules, now, evidence, part)
        if not candidates:
            data = {"player": part.player, "place": part.places[0][0]}
            return Verdict(notice=f"{part.what}_not_seen", notice_data=data)
        if answers and about in answers:
            candidates = [c for c in candidates if notation(c[1]) == answers[about]] or candidates
        if question := _layout_question(about, candidates):
            return Verdict(question=question)
        probability *= candidates[0][0] / sum(c[0] for c in candidates)
        moves += candidates[0][1]
        for move in candidates[0][1]:
            rules.apply(now, move)
    return Verdict((Explanation(moves, probability),))


_Layout = tuple[float, tuple[Move, ...], Mapping[str, str]]
"""Weight, moves, and label by place."""


def _layouts(rules: Rules, state: Any, evidence: Evidence, part: ExpectedLayout) -> list[_Layout]:
    """Returns the legal readings of one part of the layout, best first."""
    names = [place for place, _ in part.places]
    found: list[_Layout] = []
    for weight, labels in _combinations(evidence, part.places):
        if found and weight < found[0][0] * UNLIKELY:
            break
        for moves in part.moves_for(labels):
            if _is_legal(rules, state, moves):
                found.append((weight, moves, dict(zip(names, labels, strict=True))))
        if len(found) >= LAYOUTS:
            break
    return found


def _combinations(
    evidence: Evidence, places: Sequence[tuple[str, Sequence[str]]]
) -> Iterator[tuple[float, tuple[str, ...]]]:
    """Yields labels for all places, the most probable combination first.

    Best-first search: each step takes the next best label at one place.
    """
    ranked = [_ranked(evidence, place, labels) for place, labels in places]
    start = (0,) * len(ranked)
    heap = [(-math.prod(r[0][0] for r in ranked), start)]
    seen = {start}
    for _ in range(NODES):
        if not heap:
            return
        cost, ranks = heapq.heappop(heap)
        yield -cost, tuple(r[i][1] for r, i in zip(ranked, ranks, strict=True))
        for place, i in enumerate(ranks):
            worse = (*ranks[:place], i + 1, *ranks[place + 1 :])
            if i + 1 < len(ranked[place]) and worse not in seen:
                seen.add(worse)
                heapq.heappush(heap, (cost * ranked[place][i + 1][0] / ranked[place][i][0], worse))


def _ranked(evidence: Evidence, place: str, labels: Sequence[str]) -> list[tuple[float, str]]:
    """Returns the likely labels of a place with their share of the probability."""
    weights = sorted(((evidence.probability(place, label), label) for label in labels), reverse=True)
    total = sum(weight for weight, _ in weights)
    return [(weight / total, label) for weight, label in weights if weight >= weights[0][0] * UNLIKELY]


def _is_legal(rules: Rules, state: Any, moves: Sequence[Move]) -> bool:
    after = state.copy()
    for move in moves:
        if rules.validate(after, move) is not None:
            return False
        rules.apply(after, move)
    return True


def _layout_question(about: str, candidates: Sequence[_Layout]) -> Question | None:
    """Asks for the least certain place; if all places are clear, for what is not visible of the moves.

    Many places that are each a little doubtful are no reason to ask: the person who confirms sees them all.
    """
    total = sum(c[0] for c in candidates)
    by_place: dict[str, dict[str, float]] = {}
    for weight, _, labels in candidates:
        for place, label in labels.items():
            shares = by_place.setdefault(place, {})
            shares[label] = shares.get(label, 0.0) + weight / total
    place = min(by_place, key=lambda p: max(by_place[p].values()))
    if max(by_place[place].values()) < CLEAR:
        ranked = sorted(by_place[place].items(), key=lambda item: -item[1])
        return Question("place", place, tuple(Option(*item) for item in ranked[:OPTIONS]))
    alike = [c for c in candidates if c[2] == candidates[0][2]]
    total = sum(c[0] for c in alike)
    if alike[0][0] / total < CLEAR:
        options = tuple(Option(notation(m), w / total) for w, m, _ in alike[:OPTIONS])
        return Question("moves", about, options, seen=False)
    return None
