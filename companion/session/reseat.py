"""Taking over: a game that is begun anew with its seats put right keeps what was told before, as far as it fits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.games.api import Game, Move
from companion.journal import Unit
from companion.journal.history import ADJUSTED
from companion.referee import Explanation

from .context import Desk


def take_over(desk: Desk, units: Iterable[Unit], colours: Mapping[str, str]) -> None:
    """Records the *units* of another game here; *colours* are its players' colours, and what they are now.

    What does not fit is left out (a castle, on another duchy), but for turns: with the first of another player, or that
    is not possible here, it ends.

    :raises RefusedError: when the journal cannot be written.
    """
    for unit in units:
        player = None if unit.player is None else colours.get(unit.player)
        is_due = unit.by == ADJUSTED or player == desk.rules.to_move(desk.state)
        moves = _possible(desk, unit.moves, colours) if is_due else None
        if moves is not None:
            desk.commit(Explanation(tuple(moves), unit.probability), unit.by, unit.dice)
        elif unit.player is not None:
            return


def colours_now(before: Desk, now: Desk) -> dict[str, str]:
    """Which colour each player of the game *before* has now: whoever is called the same, else has the same colour."""
    was, is_ = ([seat["colour"] for seat in desk.rules.seats(desk.history.setup)] for desk in (before, now))
    called = {name: colour for colour, name in now.history.names.items()}
    found = {
        colour: called[name]
        for colour, name in before.history.names.items()
        if name in called and colour in was
    }
    for colour in was:
        if colour not in found and colour in is_ and colour not in found.values():
            found[colour] = colour
    others = (colour for colour in is_ if colour not in found.values())
    return found | dict(zip((colour for colour in was if colour not in found), others, strict=False))


def _possible(desk: Desk, moves: Sequence[Move], colours: Mapping[str, str]) -> list[Move] | None:
    """The moves as those of the players now, None when they are not possible."""
    state, here = desk.state.copy(), []
    for move in moves:
        here.append(_of_players_now(desk.rules, state, move, colours))
        if here[-1] is None or desk.rules.why_not(state, here[-1]) is not None:
            return None
        desk.rules.apply(state, here[-1])
    return here


def _of_players_now(rules: Game, state: object, move: Move, colours: Mapping[str, str]) -> Move | None:
    if dice := rules.dice_of(move):
        thrown = {colours.get(colour, colour): values for colour, values in dice.items()}
        return rules.roll(state, thrown) if thrown.keys() == rules.dice_wanted(state).keys() else None
    return rules.renamed(move, colours)
