"""Registers the Châteauma with the base rules; importing this module is enough."""

from __future__ import annotations

from ... import chance, effects, legality, moves, observation, validation
from ...chance import Rng
from ...moves import Move
from ...state import SETUP, GameState
from . import scoring, view
from .moves import PARSERS, AutomaTurn, OwnRoll, RevealCard, StartTiles
from .seat import NEXT_CARD, OWN_DIE, OWN_TURN, automa_in_turn
from .setup import cards_to_come, start_tiles
from .turn import own_roll, reveal_card, take_turn, visible_steps
from .validation import validate_own_roll, validate_reveal, validate_start_tiles, validate_turn

REGISTERED = (view, scoring)
"""Modules that register functions for its seat when they are imported."""


def _turn(game: GameState) -> list[Move]:
    return [AutomaTurn()]


def _sample_own_die(game: GameState, rng: Rng) -> Move:
    return OwnRoll(game.seat.colour, rng.randint(1, 6))


def _sample_card(game: GameState, rng: Rng) -> Move:
    return RevealCard(rng.choice(cards_to_come(automa_in_turn(game))))


moves.PARSERS.update(PARSERS)
legality.CHOICES_AT[OWN_TURN] = _turn
chance.SAMPLED_AT.update({OWN_DIE: _sample_own_die, NEXT_CARD: _sample_card})
effects.APPLY.update(
    {RevealCard: reveal_card, StartTiles: start_tiles, OwnRoll: own_roll, AutomaTurn: take_turn}
)
validation.STAGES_OF.update(
    {RevealCard: (SETUP, NEXT_CARD), StartTiles: (SETUP,), OwnRoll: (OWN_DIE,), AutomaTurn: (OWN_TURN,)}
)
validation.VALIDATORS.update(
    {
        RevealCard: validate_reveal,
        StartTiles: validate_start_tiles,
        OwnRoll: validate_own_roll,
        AutomaTurn: validate_turn,
    }
)
observation.STEPS_OF[AutomaTurn] = visible_steps
observation.EXPECTED_ROLLS[OWN_DIE] = observation.ExpectedRoll(
    dice=lambda game: {game.seat.colour: 1},
    move=lambda game, dice: OwnRoll(game.seat.colour, dice[game.seat.colour][0]),
)
