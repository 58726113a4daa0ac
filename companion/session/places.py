"""Places: what lies on the table by what is confirmed, for those who look at it."""

from __future__ import annotations

from itertools import zip_longest

from vision.expected import ExpectedCard
from vision.sighting import EMPTY

from .desk import Desk


def certain(desk: Desk) -> dict[str, str]:
    """Place -> what lies there by the moves confirmed so far; places whose order is free are left out."""
    return {
        f"{group}:{i}": label
        for group, labels in desk.rules.visible(desk.state).items()
        if not desk.rules.is_unordered(group)
        for i, label in enumerate(labels)
    }


def cards(desk: Desk) -> dict[str, ExpectedCard]:
    """The cards that lie on the table, by the group of places that their spaces are.

    What is bare is only sure in the turn of a person: nobody touches the cards then.
    """
    at_rest = desk.rules.to_move(desk.state) is not None and desk.rules.forced(desk.state) is None
    visible = desk.rules.visible(desk.state)
    return {
        group: ExpectedCard(
            card.number, tuple(label == EMPTY and (at_rest or None) for label in visible[group])
        )
        for group, card in desk.rules.cards(desk.state).items()
    }


def changed(desk: Desk, seq: int | None) -> list[str]:
    """Places that look otherwise after the unit *seq* than before it; with None, by what is proposed now."""
    if seq is not None:
        unit = next((unit for unit in desk.history.units if unit.seq == seq), None)
        before, moves = (desk.state, ()) if unit is None else (desk.history.state_before(seq), unit.moves)
    else:
        before = desk.state
        moves = desk.turn.shown.moves if desk.turn.verdict.explanations else ()
    was, now = desk.rules.visible(before), desk.rules.visible(desk.state_after(moves, before))
    return [
        f"{group}:{i}"
        for group, labels in was.items()
        for i, (label, after) in enumerate(zip_longest(labels, now[group]))
        if after != label
    ]
