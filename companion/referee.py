"""The referee: which legal moves explain what the camera sees.

Nothing is decided here. A verdict holds the explanations, best first, each with its probability, and the one
question whose answer would tell them apart when no explanation is clear.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vision.sighting import DieReading

from .evidence import FLOOR, Contradiction, Evidence
from .game import Game, Move, Trace, Wanted

CLEAR = 0.9
"""An explanation at least this probable is proposed without a question."""
DIE_CLEAR = 0.8
"""A die read with at least this confidence is taken as read."""
UNLIKELY = 1e-3
"""Alternatives less probable than this, beside the best, are not looked at."""
PLAUSIBLE = 0.02
"""A move is followed when each place it changes looks changed with at least this probability..."""
PLAUSIBLE_WHEN_NOTHING_FITS = 2 * FLOOR
"""...or this, when otherwise the table stays unexplained."""
NODES = 6000
"""Positions looked at in one search, so that it always ends soon."""
WASTE = 2.5
"""Log weight against an explanation per thing wasted: when another that looks the same leaves the player more of
something and less of nothing."""
SAME_LOOK = 6
"""Decimals of a log likelihood; ends that agree in them for every group look the same."""
LAYOUTS = 60
"""Ways to read a layout that are compared: enough for each of its places to be doubtful in one of them."""
OPTIONS = 4


@dataclass(frozen=True, slots=True)
class Explanation:
    """Moves that lead from the confirmed position to what is seen."""

    moves: tuple[Move, ...]
    probability: float
    unexplained: tuple[str, ...] = ()
    """Places that speak against it: something seems to have been moved that these moves do not move."""
    overlooked: tuple[str, ...] = ()
    """Places that are read otherwise, most likely by mistake."""


@dataclass(frozen=True, slots=True)
class Option:
    """One possible answer."""

    value: str
    probability: float


@dataclass(frozen=True, slots=True)
class Question:
    """What one tap of a player would settle."""

    kind: str
    """``place`` (what lies there), ``die`` (what it shows), ``extra`` (which die was not rolled) or ``moves`` (what
    was done)."""
    about: str
    """A place, a die (``red:0``), a colour of dice (``red:extra``), or whose moves."""
    options: tuple[Option, ...]
    """Most probable first. Of an ``extra`` die the value is its box in the frame: ``x,y,width,height``."""
    box: tuple[int, int, int, int] | None = None
    """Where the die that is asked about lies in the frame, px."""
    reason: str = ""
    """Why a die is asked about: ``missing``, ``cocked``, ``hidden``, ``unclear`` or ``doubtful``; else empty."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the referee makes of the evidence."""

    explanations: tuple[Explanation, ...] = ()
    question: Question | None = None
    notice: str = ""
    """Code of what the table lacks when nothing can be said yet (``dice_missing``...)."""
    notice_data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def clear(self) -> bool:
        """Whether the best explanation can be proposed as it is."""
        return bool(self.explanations) and self.question is None and not self.explanations[0].unexplained


def notation(moves: Iterable[Move]) -> str:
    """Moves as one line, the form in which they are asked about and answered."""
    return "; ".join(map(str, moves))


# --- the turn of a player ---------------------------------------------------------------------------------


def explain_turn(rules: Game, state: Any, evidence: Evidence, answer: str | None = None) -> Verdict:
    """Every legal turn that fits what is visible, best first.

    *answer* is the notation of the turn that a player has chosen before, when it was asked for. Where whole groups of
    places are not watched (a table file that declares the duchies alone), a turn cannot be told, only entered.
    """
    unwatched = [group for group in rules.visible(state) if not evidence.watches(group)]
    if unwatched:
        return Verdict(notice="partly_watched", notice_data={"groups": len(unwatched)})
    found = _search(rules, state, evidence, PLAUSIBLE)
    if not found or found[0].unexplained:
        wider = _search(rules, state, evidence, PLAUSIBLE_WHEN_NOTHING_FITS)
        found = max(found, wider, key=lambda es: -len(es[0].unexplained) if es else -math.inf)
    if answer is not None:
        chosen = [e for e in found if notation(e.moves) == answer]
        if chosen:
            return Verdict((Explanation(chosen[0].moves, 1.0, chosen[0].unexplained),))
    question = None
    if len(found) > 1 and found[0].probability < CLEAR and not found[0].unexplained:
        options = tuple(Option(notation(e.moves), e.probability) for e in found[:OPTIONS])
        question = Question("moves", "turn", options)
    return Verdict(tuple(found), question)


def _search(rules: Game, state: Any, evidence: Evidence, plausible: float) -> list[Explanation]:
    """Follows plausible moves to the ends of the turn; equal positions are visited once."""
    before = rules.visible(state)
    best_weight: dict[Any, float] = {}
    ends: dict[Any, _End] = {}
    stack: list[tuple[Any, tuple[Move, ...], float]] = [(state, (), 0.0)]
    while stack and len(best_weight) < NODES:
        here, moves, weight = stack.pop()
        for move in rules.legal_moves(here):
            if not all(_plausible(evidence, before, trace, plausible) for trace in rules.traces(here, move)):
                continue
            now = weight + rules.log_weight(here, move)
            if rules.ends_turn(move):
                outcome = rules.outcome(here)
                # Of ways to the same outcome the usual one is told, and of these the shortest.
                if outcome not in ends or ends[outcome].rank < (now, -len(moves) - 1):
                    ends[outcome] = _End(now, (*moves, move), here)
                continue
            after = here.copy()
            rules.apply(after, move)
            key = rules.key(after)
            if best_weight.get(key, -math.inf) < now:
                best_weight[key] = now
                stack.append((after, (*moves, move), now))
    return _rank(rules, evidence, list(ends.values()))


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a turn that the search has reached."""

    weight: float
    moves: tuple[Move, ...]
    state: Any

    @property
    def rank(self) -> tuple[float, int]:
        return self.weight, -len(self.moves)


def _rank(rules: Game, evidence: Evidence, ends: Sequence[_End]) -> list[Explanation]:
    """The ends of a turn as explanations, most probable first.

    Ends that look the same, as far as anything can be seen, are told apart by what the player would have wasted.
    """
    fits = _Fits(rules, evidence)
    visible = [rules.visible(end.state) for end in ends]
    looks = [tuple(fits.of(group, labels) for group, labels in after.items()) for after in visible]
    owned: dict[Any, set[tuple[int, ...]]] = {}
    for end, look in zip(ends, looks, strict=True):
        owned.setdefault(look, set()).add(rules.unseen(end.state))
    scored = [
        (end.weight - WASTE * _wasted(rules.unseen(end.state), owned[look]) + sum(look), end.moves, after)
        for end, look, after in zip(ends, looks, visible, strict=True)
    ]
    scored.sort(key=lambda item: -item[0])
    if not scored:
        return []
    scored = [item for item in scored if item[0] > scored[0][0] + math.log(UNLIKELY)]
    total = sum(math.exp(item[0] - scored[0][0]) for item in scored)
    known: dict[tuple[str, Sequence[str]], list[Contradiction]] = {}
    return [
        Explanation(
            moves,
            math.exp(score - scored[0][0]) / total,
            *_sifted(list(_contradictions(rules, evidence, after, known))),
        )
        for score, moves, after in scored[: 2 * OPTIONS]
    ]


def _sifted(against: Sequence[Contradiction]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Places whose readings tell of something moved, and places that are most likely misread.

    Things do not come from nowhere: what is seen to come somewhere must have gone from somewhere, and the other way
    round. A single place that is read otherwise, and not surely, is a mistake of the eye.
    """
    moved = {c.place for c in against for other in against if _is_moved(c, other) or _is_moved(other, c)}
    moved |= {c.place for c in against if c.sure}
    return (
        tuple(c.place for c in against if c.place in moved),
        tuple(c.place for c in against if c.place not in moved),
    )


def _is_moved(here: Contradiction, there: Contradiction) -> bool:
    """Whether what came to one place may be what went from the other; a type alone may be any tile of it."""
    if here.place == there.place or here.came is None or there.went is None:
        return False
    return here.came == there.went or there.went.startswith(f"{here.came}/")


class _Fits:
    """Log likelihoods of what may lie on the groups of places; most are the same at every end."""

    def __init__(self, rules: Game, evidence: Evidence) -> None:
        self._rules, self._evidence = rules, evidence
        self._known: dict[tuple[str, Sequence[str]], float] = {}

    def of(self, group: str, labels: Sequence[str]) -> float:
        known = self._known.get((group, labels))
        if known is None:
            unordered = self._rules.is_unordered(group)
            known = round(self._evidence.log_likelihood(group, labels, unordered), SAME_LOOK)
            self._known[group, labels] = known
        return known


def _wasted(owned: tuple[int, ...], others: Iterable[tuple[int, ...]]) -> int:
    """How much more another outcome leaves that is nowhere worse."""
    return max(
        (
            sum(other) - sum(owned)
            for other in others
            if all(theirs >= mine for theirs, mine in zip(other, owned, strict=True))
        ),
        default=0,
    )


def _plausible(evidence: Evidence, before: Mapping[str, Sequence[str]], trace: Trace, least: float) -> bool:
    """Whether a move may have left *trace*: it looks like it, or at least more so than like what lay there before."""
    if trace.gone:
        return evidence.gone(trace.place, trace.gone, len(before[trace.place])) >= least
    seen = evidence.probability(trace.place, trace.label)
    if seen >= least:
        return True
    group, _, index = trace.place.rpartition(":")
    return seen > evidence.probability(trace.place, before[group][int(index)])


def contradictions(
    rules: Game, evidence: Evidence, visible: Mapping[str, Sequence[str]]
) -> list[Contradiction]:
    """Places whose readings speak against a table that looks as *visible*."""
    return list(_contradictions(rules, evidence, visible, {}))


def _contradictions(
    rules: Game,
    evidence: Evidence,
    visible: Mapping[str, Sequence[str]],
    known: dict[tuple[str, Sequence[str]], list[Contradiction]],
) -> Iterator[Contradiction]:
    """Places that speak against a table; *known* remembers groups, for most are the same in every explanation."""
    for group, labels in visible.items():
        if (group, labels) not in known:
            known[group, labels] = evidence.contradictions(group, labels, rules.is_unordered(group))
        yield from known[group, labels]


# --- what chance has laid out -----------------------------------------------------------------------------


def explain_layout(
    rules: Game, state: Any, evidence: Evidence, answers: Mapping[str, str] | None = None
) -> Verdict:
    """What was laid out at set-up or at the start of a phase.

    *answers* holds notations that players have chosen, by what was asked (``start:red``).
    """
    moves: tuple[Move, ...] = ()
    probability = 1.0
    now = state.copy()
    for part in rules.wanted(state):
        about = ":".join(filter(None, (part.what, part.player)))
        unread = [place for place, labels in part.places if len(labels) > 1 and not evidence.reading(place)]
        if unread:
            data = {"player": part.player, "places": len(unread), "place": unread[0]}
            return Verdict(notice=f"{part.what}_hidden", notice_data=data)
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


def _layouts(rules: Game, state: Any, evidence: Evidence, part: Wanted) -> list[_Layout]:
    """Legal ways to read one part of the layout, best first."""
    names = [place for place, _ in part.places]
    found: list[_Layout] = []
    for weight, labels in _combinations(evidence, part.places):
        if found and weight < found[0][0] * UNLIKELY:
            break
        for moves in part.moves(labels):
            if _is_legal(rules, state, moves):
                found.append((weight, moves, dict(zip(names, labels, strict=True))))
        if len(found) >= LAYOUTS:
            break
    return found


def _combinations(
    evidence: Evidence, places: Sequence[tuple[str, Sequence[str]]]
) -> Iterator[tuple[float, tuple[str, ...]]]:
    """Labels for all places, most probable combination first (best-first over one step worse at one place)."""
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
    """The labels that may lie on a place with their share of probability, the likely ones only."""
    weights = sorted(((evidence.probability(place, label), label) for label in labels), reverse=True)
    total = sum(weight for weight, _ in weights)
    return [(weight / total, label) for weight, label in weights if weight >= weights[0][0] * UNLIKELY]


def _is_legal(rules: Game, state: Any, moves: Sequence[Move]) -> bool:
    trial = state.copy()
    for move in moves:
        if rules.why_not(trial, move) is not None:
            return False
        rules.apply(trial, move)
    return True


def _layout_question(about: str, candidates: Sequence[_Layout]) -> Question | None:
    """Asks for the place whose label is most open; when the places are clear, for what cannot be seen of the moves.

    Many places that are each a little doubtful are no reason to ask: whoever confirms has them all in view.
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
        return Question("moves", about, tuple(Option(notation(m), w / total) for w, m, _ in alike[:OPTIONS]))
    return None


# --- dice -------------------------------------------------------------------------------------------------


def explain_roll(
    rules: Game, state: Any, dice: Sequence[DieReading], answers: Mapping[str, str] | None = None
) -> Verdict:
    """The roll that lies on the table. *answers* holds values by die (``red:0``) that players have named."""
    answers = answers or {}
    values: dict[str, list[int]] = {}
    probability = 1.0
    for colour, count in rules.dice_wanted(state).items():
        extra = f"{colour}:extra"
        lying = [die for die in dice if die.colour == colour and _spot(die) != answers.get(extra)]
        if len(lying) > count:
            return Verdict(
                (), _extra_question(extra, lying), "dice_extra", {"colour": colour, "expected": count}
            )
        for i in range(count):
            name = f"{colour}:{i}"
            die = lying[i] if i < len(lying) else None
            if name in answers:
                values.setdefault(colour, []).append(int(answers[name]))
            elif die is None:
                return Verdict((), _die_question(name, None), "dice_missing", {"colour": colour})
            elif die.value is None or die.confidence < DIE_CLEAR:
                return Verdict(question=_die_question(name, die))
            else:
                values.setdefault(colour, []).append(die.value)
                probability *= die.confidence
    return Verdict((Explanation((rules.roll(state, values),), probability),))


def _die_question(name: str, die: DieReading | None) -> Question:
    seen = die.value if die is not None and die.value is not None else None
    confidence = die.confidence if die is not None and seen is not None else 1 / 6
    options = [Option(str(v), confidence if v == seen else (1 - confidence) / 5) for v in range(1, 7)]
    options.sort(key=lambda option: -option.probability)
    if die is None:
        return Question("die", name, tuple(options), reason="missing")
    return Question("die", name, tuple(options), die.box, die.reason or "doubtful")


def _extra_question(about: str, lying: Sequence[DieReading]) -> Question:
    """Which of the dice was not rolled, or is none: those that were read least surely come first."""
    doubt = [1 - die.confidence for die in lying]
    options = [Option(_spot(die), d / max(sum(doubt), 1e-9)) for die, d in zip(lying, doubt, strict=True)]
    return Question("extra", about, tuple(sorted(options, key=lambda o: -o.probability))[:OPTIONS])


def _spot(die: DieReading) -> str:
    return ",".join(map(str, die.box))
