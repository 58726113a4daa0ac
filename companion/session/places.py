"""Places: what should be on the table by the recorded moves, and what people have to move."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from companion.referee import LIKELIER_THAN_NOT
from vision.expected import ExpectedCard
from vision.sighting import EMPTY

from .context import SessionContext


def certain_places(context: SessionContext) -> dict[str, str]:
    """Returns what is on each place by the recorded moves, except in groups whose order is free."""
    return _places_in(context, context.state)


def is_laid_out_anew(context: SessionContext) -> bool:
    """Returns whether the table differs, where something is to be laid out, from what lay there before the last record.

    That may be what is left of the phase that has ended.
    """
    sighting, entries = context.belief.sighting, context.history.entries
    if sighting is None or not entries:
        return False
    old = _places_in(context, context.history.state_before(entries[-1].seq))
    return any(
        sighting.places[place].best != old.get(place)
        for part in context.observable.expected_layouts(context.state)
        for place, _ in part.places
        if place in sighting.places
    )


def _places_in(context: SessionContext, state: Any) -> dict[str, str]:
    return {
        f"{group}:{i}": label
        for group, labels in context.observable.visible_layout(state).items()
        if not context.observable.is_unordered(group)
        for i, label in enumerate(labels)
    }


def expected_cards(context: SessionContext) -> dict[str, ExpectedCard]:
    """Returns the cards on the table, by the group of places that their spaces are.

    Spaces are only known to be empty during a person's turn, when nobody touches the cards.
    """
    is_persons_turn = (
        context.rules.to_move(context.state) is not None
        and context.automatic.automatic_turn(context.state) is None
    )
    visible = context.observable.visible_layout(context.state)
    return {
        group: ExpectedCard(
            card.number, tuple(label == EMPTY and (is_persons_turn or None) for label in visible[group])
        )
        for group, card in context.cards.cards_on_table(context.state).items()
    }


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece whose place differs between two positions."""

    label: str
    origin: str | None
    """Its place before, or its group if that has no order; ``None`` if it comes from the supply."""
    target: str | None
    """Its place after; ``None`` if it goes to the supply."""
    done: bool
    """Whether the camera sees it done."""


def pieces_to_move(context: SessionContext, before: Any) -> list[Piece]:
    """Returns the pieces to move on a table as in the position *before*, so that it matches the recorded one."""
    was, now = _layout(context, before), _layout(context, context.state)
    removed, pieces = list((was - now).elements()), []
    for target, label in (now - was).elements():
        if label == EMPTY:
            continue
        moved = next(((origin, other) for origin, other in removed if other == label), None)
        if moved is not None:
            removed.remove(moved)
        pieces.append(_piece(context, label, moved and moved[0], target))
    return [*pieces, *(_piece(context, label, origin, None) for origin, label in removed if label != EMPTY)]


def _layout(context: SessionContext, state: Any) -> Counter[tuple[str, str]]:
    """Returns how many pieces with each label are on each place, or in each group without an order."""
    return Counter(
        (group if context.observable.is_unordered(group) else f"{group}:{i}", label)
        for group, labels in context.observable.visible_layout(state).items()
        for i, label in enumerate(labels)
    )


def _piece(context: SessionContext, label: str, origin: str | None, target: str | None) -> Piece:
    """Returns the piece, done if it is read at its target, or if that has no order, no longer at its origin."""
    evidence = context.belief.evidence()
    at_target = evidence.reading(target) if target else None
    at_origin = evidence.reading(origin) if origin else None
    done = (
        at_target.probability(label) > LIKELIER_THAN_NOT
        if at_target is not None
        else at_origin is not None and at_origin.probability(label) < 1 - LIKELIER_THAN_NOT
    )
    return Piece(label, origin, target, done)


def changed_places(context: SessionContext, seq: int | None) -> list[str]:
    """Returns the places that the entry *seq* changes; with ``None``, those that the proposal changes."""
    if seq is not None:
        entry = next((entry for entry in context.history.entries if entry.seq == seq), None)
        before, moves = (
            (context.state, ()) if entry is None else (context.history.state_before(seq), entry.moves)
        )
    else:
        before = context.state
        moves = context.explanation.moves if context.turn.verdict.explanations else ()
    was, now = (
        context.observable.visible_layout(before),
        context.observable.visible_layout(context.state_after(moves, before)),
    )
    return [
        f"{group}:{i}"
        for group, labels in was.items()
        for i, (label, after) in enumerate(zip_longest(labels, now[group]))
        if after != label
    ]
