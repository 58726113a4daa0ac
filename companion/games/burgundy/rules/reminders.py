"""What people forget at the end of a turn, if ending it then would lose something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .abilities import DICE, FREE_STEP_WHEN_PLACING, has, workers_from_action
from .board import bits
from .decisions import Buy, Place, Skip, Take
from .decisions.depots import tiles_in
from .decisions.payment import open_effect
from .edition import PHASES, ROUNDS
from .legality import legal_moves
from .moves import BLACK_DEPOT, Move
from .placement import repeats_building
from .purchases import reason_against_purchase, types_sold
from .state import TURN, GameState, Player
from .storage import is_full
from .tiles import Tile, tile
from .validation import apply


@dataclass(frozen=True, slots=True)
class Reminder:
    """Something that would be lost: a stable code, for which every language has a sentence."""

    code: str
    data: Mapping[str, Any] = field(default_factory=dict)
    """Values for the sentence's placeholders."""


def reminders(game: GameState, moves: Sequence[Move]) -> list[Reminder]:
    """Returns what the current player would miss by ending the turn after *moves* (an end in *moves* is ignored).

    Nothing while an effect's choice is open: what is missed then is not known yet.
    """
    if game.stage != TURN:
        return []
    after, skipped = game.copy(), list[str]()
    for move in moves:
        if move.ends_turn:
            break
        if isinstance(move, Skip) and _could_be_used(after) and (declined := open_effect(after, move)):
            skipped.append(declined.effect)
        apply(after, move)
    if after.pending:
        return []
    taken = [move.tile for move in moves if isinstance(move, Take | Buy)]
    return [
        *(Reminder("effect_not_used", {"effect": effect}) for effect in skipped),
        *_unused_dice(after),
        *_purchases(after),
        *_useless(after, taken),
        *_mines(after),
        *game.hooks.reminders(after, moves),
    ]


def _could_be_used(game: GameState) -> bool:
    return any(not isinstance(move, Skip | Buy) for move in legal_moves(game))


def _unused_dice(game: GameState) -> Iterator[Reminder]:
    """Yields unused dice: they could place a tile without a worker, perhaps by a free step, or bring workers."""
    player = game.player
    free = [move for move in legal_moves(game) if isinstance(move, Place) and not move.workers]
    for die in sorted(player.dice):
        places = [move for move in free if move.die == die]
        shown = [move for move in places if player.duchy.spaces[move.space].die == die]
        if not places:
            yield Reminder("unused_die", {"die": die, "workers": workers_from_action(player.monasteries)})
            continue
        move = (shown or places)[0]
        data = {"die": die, "tile": move.tile, "space": move.space}
        if shown:
            yield Reminder("die_places", data)
        else:
            yield Reminder("free_step", {**data, "number": FREE_STEP_WHEN_PLACING.get(tile(move.tile).type)})


def _purchases(game: GameState) -> Iterator[Reminder]:
    """Yields purchases of this turn that were not made, though something useful is offered (S578, S650)."""
    edition, player = game.edition, game.player
    if is_full(game, player) or _is_last_turn_of_game(game):
        return
    numbered = [t for depot in game.depots for t in depot if t is not None and t.type in types_sold(game)]
    monastery_6 = has(player.monasteries, 6) and reason_against_purchase(game, DICE[0]) is None
    offered = [
        *tiles_in(game, BLACK_DEPOT),
        *(numbered if monastery_6 and edition.building_price_workers is None else ()),
    ]
    if reason_against_purchase(game, BLACK_DEPOT) is None and _has_use_for(game, player, offered):
        yield Reminder("purchase", {"price": edition.silver_price, "silver": player.silver})
    if edition.building_price_workers is not None and monastery_6 and _has_use_for(game, player, numbered):
        yield Reminder(
            "purchase_monastery_6", {"price": edition.building_price_workers, "workers": player.workers}
        )


def _has_use_for(game: GameState, player: Player, offered: Iterable[Tile | None]) -> bool:
    return any(t is not None and any(_spaces_for(game, player, t)) for t in offered)


def _spaces_for(game: GameState, player: Player, offered: Tile) -> Iterator[bool]:
    """Yields for each empty space of a tile's type whether the tile can ever be placed there."""
    empty = game.ruleset.spaces_for(player, offered.type) & ~player.occupied
    return (not repeats_building(player, offered, space) for space in bits(empty))


def _useless(game: GameState, taken: Sequence[str]) -> Iterator[Reminder]:
    """Yields tiles taken this turn that can never be placed: no space is left, or every city with room has them."""
    player = game.player
    for label in dict.fromkeys(taken):
        if tile(label) not in player.storage:
            continue
        spaces = list(_spaces_for(game, player, tile(label)))
        if not spaces:
            yield Reminder("no_space_left", {"tile": label, "colour": tile(label).type})
        elif not any(spaces):
            yield Reminder("building_everywhere", {"tile": label})


def _mines(game: GameState) -> Iterator[Reminder]:
    """Yields what everybody gets from mines if the phase ends with this turn or one without a choice (S405, S586)."""
    if game.round != ROUNDS - 1:
        return
    acted = game.acted | 1 << game.turn
    to_come = [seat for index, seat in enumerate(game.seats) if not acted >> index & 1]
    incomes = [(seat, *game.hooks.mine_income(game, seat)) for seat in game.sides]
    gains = [
        {"player": s.colour, "silver": silver, "workers": workers} for s, silver, workers in incomes if silver
    ]
    if not gains or any(isinstance(seat, Player) for seat in to_come):
        return
    if to_come:
        yield Reminder("mines_soon", {"player": to_come[-1].colour, "gains": gains})
    else:
        yield Reminder("mines", {"gains": gains})


def _is_last_turn_of_game(game: GameState) -> bool:
    """Returns whether it is the current player's last turn: what is bought now can never be placed."""
    return game.round == ROUNDS - 1 and game.phase_letter == PHASES[-1]
