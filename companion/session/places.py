"""Places: what lies on the table by what is confirmed, for those who look at it."""

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
    """Place -> what lies there by the moves confirmed so far; places whose order is free are left out."""
    return {
        f"{group}:{i}": label
        for group, labels in context.rules.visible_layout(context.state).items()
        if not context.rules.is_unordered(group)
        for i, label in enumerate(labels)
    }


def expected_cards(context: SessionContext) -> dict[str, ExpectedCard]:
    """The cards that lie on the table, by the group of places that their spaces are.

    What is bare is only sure in the turn of a person: nobody touches the cards then.
    """
    at_rest = (
        context.rules.to_move(context.state) is not None
        and context.rules.automatic_turn(context.state) is None
    )
    visible = context.rules.visible_layout(context.state)
    return {
        group: ExpectedCard(
            card.number, tuple(label == EMPTY and (at_rest or None) for label in visible[group])
        )
        for group, card in context.rules.cards_on_table(context.state).items()
    }


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that lies otherwise in one position than in another."""

    label: str
    origin: str | None
    """The place where it lay, or the group if things have no order there; None when it comes from beside the boards."""
    target: str | None
    """Where it lies instead; None when it goes beside the boards."""
    done: bool
    """Whether it is seen to lie as it should."""


def pieces_to_move(context: SessionContext, before: Any) -> list[Piece]:
    """What has to be moved on a table that looks as the position *before* did, so that it looks as it should now."""
    was, now = _layout(context, before), _layout(context, context.state)
    gone, pieces = list((was - now).elements()), []
    for target, label in (now - was).elements():
        if label == EMPTY:
            continue
        left = next(((origin, other) for origin, other in gone if other == label), None)
        if left is not None:
            gone.remove(left)
        pieces.append(_piece(context, label, left and left[0], target))
    return [*pieces, *(_piece(context, label, origin, None) for origin, label in gone if label != EMPTY)]


def _layout(context: SessionContext, state: Any) -> Counter[tuple[str, str]]:
    """Where there is how much of what."""
    return Counter(
        (group if context.rules.is_unordered(group) else f"{group}:{i}", label)
        for group, labels in context.rules.visible_layout(state).items()
        for i, label in enumerate(labels)
    )


def _piece(context: SessionContext, label: str, origin: str | None, target: str | None) -> Piece:
    """It is seen done where it is read at its target, or no longer at its origin when the target has no order."""
    evidence = context.belief.evidence()
    there = evidence.reading(target) if target else None
    left = evidence.reading(origin) if origin else None
    done = (
        there.probability(label) > LIKELIER_THAN_NOT
        if there is not None
        else left is not None and left.probability(label) < 1 - LIKELIER_THAN_NOT
    )
    return Piece(label, origin, target, done)


def changed_places(context: SessionContext, seq: int | None) -> list[str]:
    """Places that look otherwise after the unit *seq* than before it; with None, by what is proposed now."""
    if seq is not None:
        entry = next((entry for entry in context.history.entries if entry.seq == seq), None)
        before, moves = (
            (context.state, ()) if entry is None else (context.history.state_before(seq), entry.moves)
        )
    else:
        before = context.state
        moves = context.explanation.moves if context.turn.verdict.explanations else ()
    was, now = (
        context.rules.visible_layout(before),
        context.rules.visible_layout(context.state_after(moves, before)),
    )
    return [
        f"{group}:{i}"
        for group, labels in was.items()
        for i, (label, after) in enumerate(zip_longest(labels, now[group]))
        if after != label
    ]
