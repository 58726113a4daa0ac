"""A game begun again with corrected players, with the entries of the first one as far as they are legal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.games import capabilities
from companion.games.api import Move, Rules
from companion.journal import OUT_OF_TURN, Entry
from companion.journal.history import ADJUSTED
from companion.referee import Explanation

from .context import SessionContext


def carry_over(context: SessionContext, entries: Iterable[Entry], colours: Mapping[str, str]) -> None:
    """Records the *entries* of another game here; *colours* maps its players' colours to those of this game.

    Skips what is not legal here (a place that another board does not have), but ends at the first turn that is not
    legal or is not of the player in turn.

    :raises CommandRejectedError: when the journal cannot be written.
    """
    for entry in entries:
        player = None if entry.player is None else colours.get(entry.player)
        is_due = entry.by in (ADJUSTED, OUT_OF_TURN) or player == context.rules.to_move(context.state)
        moves = _legal_here(context, entry.moves, colours) if is_due else None
        if moves is not None:
            context.commit(Explanation(tuple(moves), entry.probability), entry.by, entry.dice)
        elif entry.player is not None and entry.by != OUT_OF_TURN:
            return


def match_players(before: SessionContext, now: SessionContext) -> dict[str, str]:
    """Returns the colour now of each player of the game *before*: by name, else by colour, else in order."""
    was, is_ = (
        [seat["colour"] for seat in context.rules.seats(context.history.setup)] for context in (before, now)
    )
    by_name = {name: colour for colour, name in now.history.names.items()}
    found = {
        colour: by_name[name]
        for colour, name in before.history.names.items()
        if name in by_name and colour in was
    }
    for colour in was:
        if colour not in found and colour in is_ and colour not in found.values():
            found[colour] = colour
    others = (colour for colour in is_ if colour not in found.values())
    return found | dict(zip((colour for colour in was if colour not in found), others, strict=False))


def _legal_here(
    context: SessionContext, moves: Sequence[Move], colours: Mapping[str, str]
) -> list[Move] | None:
    """Returns the moves as those of the players now; ``None`` if they are not legal."""
    state, here = context.state.copy(), []
    for move in moves:
        here.append(_of_players_now(context.rules, state, move, colours))
        if here[-1] is None or context.rules.validate(state, here[-1]) is not None:
            return None
        context.rules.apply(state, here[-1])
    return here


def _of_players_now(rules: Rules, state: object, move: Move, colours: Mapping[str, str]) -> Move | None:
    if dice := capabilities.dice(rules).dice_of(move):
        thrown = {colours.get(colour, colour): values for colour, values in dice.items()}
        return (
            capabilities.dice(rules).roll_move(state, thrown)
            if thrown.keys() == capabilities.dice(rules).expected_dice(state).keys()
            else None
        )
    return rules.with_players(move, colours)
