"""Plugs the Châteauma into the base rules: importing this module is all it takes."""

from __future__ import annotations

from ... import chance, effects, legality, moves
from ... import observation as sight
from ... import validation as objections
from ...chance import Luck
from ...moves import Move
from ...state import SETUP, Game
from . import scoring
from . import view as picture
from .moves import PARSERS, AutomaTurn, OwnRoll, RevealCard, StartTiles
from .seat import NEXT_CARD, OWN_DIE, OWN_TURN, automa_in_turn
from .setup import cards_to_come, start_tiles
from .turn import course, own_roll, reveal_card, take_turn
from .validation import why_not_own_roll, why_not_reveal, why_not_start_tiles, why_not_turn

REGISTERED = (picture, scoring)
"""Modules whose functions are registered for its seat by their import."""


def _turn(game: Game) -> list[Move]:
    return [AutomaTurn()]


def _deal_own_die(game: Game, luck: Luck) -> Move:
    return OwnRoll(game.seat.colour, luck.randint(1, 6))


def _deal_card(game: Game, luck: Luck) -> Move:
    return RevealCard(luck.choice(cards_to_come(automa_in_turn(game))))


moves.PARSERS.update(PARSERS)
legality.CHOICES_AT[OWN_TURN] = _turn
chance.DEALT_AT.update({OWN_DIE: _deal_own_die, NEXT_CARD: _deal_card})
effects.APPLY.update(
    {RevealCard: reveal_card, StartTiles: start_tiles, OwnRoll: own_roll, AutomaTurn: take_turn}
)
objections.STAGES_OF.update(
    {RevealCard: (SETUP, NEXT_CARD), StartTiles: (SETUP,), OwnRoll: (OWN_DIE,), AutomaTurn: (OWN_TURN,)}
)
objections.WHY_NOT.update(
    {
        RevealCard: why_not_reveal,
        StartTiles: why_not_start_tiles,
        OwnRoll: why_not_own_roll,
        AutomaTurn: why_not_turn,
    }
)
sight.COURSE_OF[AutomaTurn] = course
sight.THROWS[OWN_DIE] = sight.Throw(
    wanted=lambda game: {game.seat.colour: 1},
    move=lambda game, dice: OwnRoll(game.seat.colour, dice[game.seat.colour][0]),
)
