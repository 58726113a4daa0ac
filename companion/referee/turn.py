"""A player's turn: every legal sequence of moves that fits what is seen."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import Any

from companion.games import capabilities
from companion.games.api import Move, Rules, VisibleChange
from companion.games.positions import position_after

from .evidence import FLOOR, Contradiction, Evidence, moved_and_misread
from .premise import BARELY_POSSIBLE, LIKELY, NO_DOUBT, Doubt, Premise
from .verdict import CLEAR, OPTIONS, REPORT, UNLIKELY, Explanation, Option, Question, Verdict, notation

PLAUSIBLE = 0.02
"""Least probability with which every place that a move changes has to look changed for the move to be tried."""
PLAUSIBLE_WHEN_NOTHING_FITS = 2 * FLOOR
"""The same in a second search, if the first explains nothing."""
NODES = 6000
"""Limit of positions in one search, so that it always ends soon."""
NODES_PARTLY_WATCHED = 600
"""The same while some groups are not watched: where so many turns look alike, nobody would be asked about them."""
WASTE = 2.5
"""Log penalty per resource wasted: what another explanation that looks the same would leave the player in addition,
with nothing less."""
SPENT = 1.4
"""Log penalty per resource that the turn would not have needed with other dice: a worker changes one die in four, in
games of the greedy bot."""
TOO_UNUSUAL = math.log(UNLIKELY) - 4 * WASTE
"""Log probability, beside the best end so far, below which nothing is looked at any more. It leaves room for four
wasted resources, which is what a bonus that nobody sees brings."""
SAME_LOOK = 6
"""Decimals of a log likelihood that have to agree for every group of two ends that look the same."""


def explain_turn(
    rules: Rules,
    state: Any,
    evidence: Evidence,
    answer: str | None = None,
    doubt: Doubt = NO_DOUBT,
    reported: Collection[str] = (),
) -> Verdict:
    """Returns every legal turn that fits what is visible, best first.

    *answer* is the notation of the turn that a player has chosen in answer to the question. *doubt* is about the roll
    that led to *state*: a turn that only fits if a die shows another value is not returned, but asked about. *reported*
    are the answers to what the game itself asks within the turn, which comes before the question about the turn.

    If whole groups of places are not watched (a table file that declares only some boards) and not redundant either,
    the turns that look the same on those that are watched are asked about; there is nothing to ask while nothing is
    seen of the turn, or too many would look so.
    """
    shown = capabilities.observable(rules).visible_layout(state)
    redundant = capabilities.partly_redundant(rules).is_redundant
    unwatched = [
        group
        for group, labels in shown.items()
        if labels and not evidence.watches(group) and not redundant(group)
    ]
    recorded = Premise(state)
    likely = [recorded] if unwatched else [recorded, *doubt.premises(LIKELY)]
    search = partial(_search, rules, evidence, reported)
    found, is_complete = search(likely, PLAUSIBLE, NODES_PARTLY_WATCHED if unwatched else NODES)
    if not unwatched and (not found or found[0].unexplained):
        possible = [recorded, *doubt.premises(BARELY_POSSIBLE)]
        wider, _ = search(possible, PLAUSIBLE_WHEN_NOTHING_FITS, NODES)
        found = max(found, wider, key=lambda es: -len(es[0].unexplained) if es else -math.inf)
    if asked := doubt.question(found):
        return Verdict(question=asked)
    found = [explanation for explanation in found if not explanation.dice]
    options = () if answer is not None else tuple(_report_options(rules, state, found, reported))
    if options and (not unwatched or _is_seen(rules, state, evidence, found[0])):
        return Verdict(tuple(found), Question("moves", REPORT, options, seen=not unwatched))
    if unwatched:
        found = _alike(rules, state, evidence, found) if is_complete else []
        if not found:
            return Verdict(notice="partly_watched", notice_data={"groups": len(unwatched)})
    if answer is not None:
        chosen = [e for e in found if notation(e.moves) == answer]
        if chosen:
            return Verdict((Explanation(chosen[0].moves, 1.0, chosen[0].unexplained),))
    question = None
    if len(found) > 1 and (unwatched or found[0].probability < CLEAR) and not found[0].unexplained:
        options = tuple(Option(notation(e.moves), e.probability) for e in found[:OPTIONS])
        question = Question("moves", "turn", options, seen=not unwatched)
    return Verdict(tuple(found), question)


def _alike(rules: Rules, state: Any, evidence: Evidence, found: Sequence[Explanation]) -> list[Explanation]:
    """Returns the explanations that differ from the best one at most in what is not watched.

    None if they cannot be asked about: nothing is seen of the turn, it does not fit, or there are too many of them.
    """
    if not found or found[0].unexplained:
        return []
    if not _is_seen(rules, state, evidence, found[0]):
        return []
    looks = [_look(rules, evidence, position_after(rules, state, explanation.moves)) for explanation in found]
    alike = [explanation for explanation, look in zip(found, looks, strict=True) if look == looks[0]]
    return alike if len(alike) <= OPTIONS else []


def _report_options(
    rules: Rules, state: Any, found: Sequence[Explanation], reported: Collection[str]
) -> list[Option]:
    """Returns the answers to what the game itself asks within the best explanation, and people have not answered yet;
    empty if there is nothing.

    One of them is everything that the explanation supposes, the others differ from it at one of the questions and leave
    those behind it open.
    """
    chance, here = capabilities.chance(rules), state.copy()
    supposed: list[Move] = []
    answers: list[list[Move]] = []
    for move in found[0].moves if found else ():
        asked = chance.unobserved_chance_moves(here)
        if move in asked and str(move) not in reported:
            answers += ([*supposed, other] for other in asked if other != move)
            supposed.append(move)
        if rules.ends_turn(move):
            break
        rules.apply(here, move)
    options = [Option(notation(moves), _support(moves, found)) for moves in (supposed, *answers) if moves]
    return sorted(options, key=lambda option: -option.probability)


def _support(reports: Collection[Move], found: Sequence[Explanation]) -> float:
    """Returns the probability of the explanations that contain all these moves."""
    return sum(each.probability for each in found if set(reports).issubset(each.moves))


def _is_seen(rules: Rules, state: Any, evidence: Evidence, explanation: Explanation) -> bool:
    """Returns whether an explanation changes anything on what is watched."""
    after = position_after(rules, state, explanation.moves)
    return _look(rules, evidence, after) != _look(rules, evidence, state)


def _look(rules: Rules, evidence: Evidence, state: Any) -> dict[str, Sequence[str]]:
    """Returns the labels of every group that is watched, in a fixed order where they have none."""
    table = capabilities.observable(rules)
    return {
        group: sorted(labels) if table.is_unordered(group) else labels
        for group, labels in table.visible_layout(state).items()
        if evidence.watches(group)
    }


def _search(
    rules: Rules,
    evidence: Evidence,
    reported: Collection[str],
    premises: Sequence[Premise],
    plausible: float,
    nodes: int,
) -> tuple[list[Explanation], bool]:
    """Searches plausible moves up to the end of the turn, the usual ones first; equal positions are visited once.

    What people have *reported* is neither doubted nor unusual.
    Returns what it has found, and whether it could look at everything that matters within its limit of *nodes*.
    """
    table = capabilities.observable(rules)
    befores = [table.visible_layout(premise.state) for premise in premises]
    fits = _Fits(rules, evidence)
    best_weight: dict[Any, float] = {}
    ends: dict[Any, _End] = {}
    best_score, most = -math.inf, evidence.greatest_log_likelihood(befores[0])
    newest = count(0, -1)  # of equally usual positions, the last one found is next
    waiting: list[tuple[float, int, int, Any, tuple[Move, ...]]] = [
        (-premise.log_probability, next(newest), index, premise.state, ())
        for index, premise in enumerate(premises)
    ]
    while waiting and len(best_weight) < nodes:
        unusual, _, index, here, moves = heappop(waiting)
        weight = -unusual
        if weight + most < best_score + TOO_UNUSUAL:
            waiting.clear()  # whatever is left is more unusual still
            break
        legal = rules.legal_moves(here)
        answered = [move for move in legal if str(move) in reported] if reported else ()
        for move in answered or legal:
            if not all(
                _plausible(evidence, befores[index], visible_change, plausible)
                for visible_change in table.visible_changes(here, move)
            ):
                continue
            now = weight if answered else weight + table.log_prior(here, move)
            if rules.ends_turn(move):
                is_seen = bool(tuple(table.visible_changes(here, move)))
                end = position_after(rules, here, (move,)) if is_seen else here
                outcome = table.end_of_turn_key(end), None if is_seen else move
                # Of several ways to the same end the usual one remains, and of these the shortest.
                known = ends.get((index, outcome))
                if known is None or known.rank < (now, -len(moves) - 1):
                    visible = table.visible_layout(end)
                    look, dice = fits.of_all(visible), premises[index].dice
                    found = _End(now, (*moves, move), end, visible, look, outcome, dice)
                    ends[index, outcome] = found
                    best_score = max(best_score, found.score)
                continue
            after = position_after(rules, here, (move,))
            key = table.transposition_key(after)
            if best_weight.get(key, -math.inf) < now:
                best_weight[key] = now
                heappush(waiting, (-now, next(newest), index, after, (*moves, move)))
    return _rank(rules, evidence, list(ends.values())), not waiting


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a turn that the search has found."""

    weight: float
    moves: tuple[Move, ...]
    state: Any
    """As people leave the table: after the last move, if that changes anything on it."""
    visible: Mapping[str, tuple[str, ...]]
    look: tuple[float, ...]
    """How well each group fits what is seen, as a log likelihood."""
    outcome: Hashable
    """Equal for ends after which everything is the same."""
    dice: Mapping[str, int]
    """Those of its :class:`.premise.Premise`."""

    @property
    def reached(self) -> Hashable:
        """Equal for ends that look the same and were reached with the same dice."""
        return self.look, *sorted(self.dice.items())

    @property
    def rank(self) -> tuple[float, int]:
        return self.weight, -len(self.moves)

    @property
    def score(self) -> float:
        return self.weight + sum(self.look)


def _rank(rules: Rules, evidence: Evidence, ends: Sequence[_End]) -> list[Explanation]:
    """Returns the ends of a turn as explanations, the most probable first.

    Ends that look the same are distinguished by what the player would have wasted with the same dice, or spent with
    others.
    """
    table = capabilities.observable(rules)
    owned: dict[Hashable, set[tuple[int, ...]]] = {}
    for end in ends:
        for alike in (end.look, end.reached):
            owned.setdefault(alike, set()).add(table.hidden_resources(end.state))

    def penalty(end: _End) -> float:
        own = table.hidden_resources(end.state)
        wasted = _wasted(own, owned[end.reached])
        return WASTE * wasted + SPENT * max(0, _wasted(own, owned[end.look]) - wasted)

    scored = _merged((end.score - penalty(end), end) for end in ends)
    if not scored:
        return []
    scored = [item for item in scored if item[0] > scored[0][0] + math.log(UNLIKELY)]
    total = sum(math.exp(item[0] - scored[0][0]) for item in scored)
    known: dict[tuple[str, Sequence[str]], list[Contradiction]] = {}
    return [
        Explanation(
            end.moves,
            math.exp(score - scored[0][0]) / total,
            *moved_and_misread(list(_contradictions(rules, evidence, end.visible, known))),
            end.dice,
        )
        for score, end in scored[: 2 * OPTIONS]
    ]


def _merged(scored: Iterable[tuple[float, _End]]) -> list[tuple[float, _End]]:
    """Returns ends with their scores, the best first. Of equal ones from different dice, that from the recorded dice
    stands for all: they make no difference."""
    alike: dict[Hashable, list[tuple[float, _End]]] = {}
    for score, end in sorted(scored, key=lambda item: -item[0]):
        alike.setdefault(end.outcome, []).append((score, end))
    merged = [
        (_log_sum([score for score, _ in ends]), next((e for _, e in ends if not e.dice), ends[0][1]))
        for ends in alike.values()
    ]
    return sorted(merged, key=lambda item: -item[0])


def _log_sum(logs: Sequence[float]) -> float:
    """Returns the logarithm of the sum of numbers, given their logarithms, the greatest first."""
    return logs[0] + math.log(sum(math.exp(log - logs[0]) for log in logs))


class _Fits:
    """Cache of log likelihoods by group and labels; most are the same at every end."""

    def __init__(self, rules: Rules, evidence: Evidence) -> None:
        self._observable, self._evidence = capabilities.observable(rules), evidence
        self._known: dict[tuple[str, Sequence[str]], float] = {}

    def of(self, group: str, labels: Sequence[str]) -> float:
        known = self._known.get((group, labels))
        if known is None:
            unordered = self._observable.is_unordered(group)
            known = round(self._evidence.log_likelihood(group, labels, unordered), SAME_LOOK)
            self._known[group, labels] = known
        return known

    def of_all(self, visible: Mapping[str, Sequence[str]]) -> tuple[float, ...]:
        """Returns the log likelihood of each group."""
        return tuple(self.of(group, labels) for group, labels in visible.items())


def _wasted(owned: tuple[int, ...], others: Iterable[tuple[int, ...]]) -> int:
    """Returns how much more another end leaves that is nowhere worse."""
    return max(
        (
            sum(other) - sum(owned)
            for other in others
            if all(theirs >= mine for theirs, mine in zip(other, owned, strict=True))
        ),
        default=0,
    )


def _plausible(
    evidence: Evidence, before: Mapping[str, Sequence[str]], visible_change: VisibleChange, least: float
) -> bool:
    """Returns whether the change may have happened: it is probable, or more so than what was there before."""
    if visible_change.removed:
        size = len(before[visible_change.place])
        return evidence.absence_probability(visible_change.place, visible_change.removed, size) >= least
    # What a move has brought may lie beneath what a later move of the turn has put on it.
    seen = evidence.presence_probability(visible_change.place, visible_change.label)
    if seen >= least:
        return True
    group, _, index = visible_change.place.rpartition(":")
    return seen > evidence.probability(visible_change.place, before[group][int(index)])


def contradictions(
    rules: Rules, evidence: Evidence, visible: Mapping[str, Sequence[str]]
) -> list[Contradiction]:
    """Returns the places whose readings contradict a table that looks as *visible*."""
    return list(_contradictions(rules, evidence, visible, {}))


def _contradictions(
    rules: Rules,
    evidence: Evidence,
    visible: Mapping[str, Sequence[str]],
    known: dict[tuple[str, Sequence[str]], list[Contradiction]],
) -> Iterator[Contradiction]:
    """Yields the places that contradict a table; *known* caches groups, mostly the same in all explanations."""
    for group, labels in visible.items():
        if (group, labels) not in known:
            known[group, labels] = evidence.contradictions(
                group, labels, capabilities.observable(rules).is_unordered(group)
            )
        yield from known[group, labels]
