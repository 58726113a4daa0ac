"""Opponents: players whose turns a bot chooses, while people move their pieces.

A set-up names the bot: ``{"colour": "blue", "bot": "greedy"}``. To the rules, opponents are players
like any other, unlike a virtual player, who has nothing to choose (``Rules.automatic_turn``).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from calibration.fields import Field
from companion.games import capabilities
from companion.games.api import Move, Rules

from .bots import BOTS, Bot
from .errors import SetupError


class Opponents:
    """Represents all opponents at one table.

    :raises SetupError: when the set-up's bots are not possible (see :func:`bots_of`).
    """

    def __init__(self, rules: Rules, setup: Mapping[str, Any]) -> None:
        self.bots = bots_of(setup)
        """Colour -> name of the bot."""
        self._rules = rules
        self._seed = rules.new(setup).state_hash()
        self._state: Any = None
        self._turn: tuple[Move, ...] = ()

    def turn(self, state: Any) -> tuple[Move, ...]:
        """Returns the turn that the companion plays for the player in turn; empty if a person decides.

        It is the same for equal positions, and computed once for each *state*, which must not change afterwards. It
        ends where chance decides something within the turn, or people have to report something.
        """
        if state is not self._state:
            self._state, self._turn = state, self._bot_turn(state)
        return self._turn

    def start(self, state: Any) -> tuple[Move, ...]:
        """Returns a random choice at set-up for every opponent that has to make one; it stays while others choose."""
        choices: dict[str | None, list[Move]] = {}
        for move in self._rules.legal_moves(state) if self._rules.to_move(state) is None else ():
            choices.setdefault(self._rules.describe(move).get("player"), []).append(move)
        return tuple(
            random.Random(f"{self._seed} {colour}").choice(choices[colour])
            for colour in self.bots
            if colour in choices
        )

    def _bot_turn(self, state: Any) -> tuple[Move, ...]:
        player = self._rules.to_move(state)
        if automatic_turn := capabilities.automatic(self._rules).automatic_turn(state):
            return (automatic_turn,)
        if player in self.bots:
            seed = int(state.state_hash(), 16)
            return turn_of(self._rules, state, BOTS[self.bots[player]](seed))
        return ()


def turn_of(rules: Rules, state: Any, bot: Bot) -> tuple[Move, ...]:
    """Returns the moves that *bot* makes up to the end of the turn, or to what chance decides or people report."""
    player, position, moves = rules.to_move(state), state.copy(), []
    chance = capabilities.chance(rules)
    while rules.to_move(position) == player and rules.legal_moves(position):
        if chance.unobserved_chance_moves(position):
            break
        moves.append(bot(rules, position))
        if rules.ends_turn(moves[-1]):
            break
        rules.apply(position, moves[-1])
    return tuple(moves)


def bots_of(setup: Mapping[str, Any]) -> dict[str, str]:
    """Returns the name of each bot by colour, in the order of the set-up.

    :raises SetupError: when there is no such bot, or none of the players is a person.
    """
    players = Field.document(setup, "the set-up", SetupError)["players"].items()
    bots = {
        player["colour"].text(): named.text()
        for player in players
        if (named := player.get("bot")) is not None
    }
    for colour, bot in bots.items():
        if bot not in BOTS:
            raise SetupError(f"there is no bot {bot!r} to play {colour}: choose from {', '.join(BOTS)}")
    if 0 < len(bots) == len(setup["players"]):
        raise SetupError("the companion cannot play everybody: leave at least one player to people")
    return bots


def with_opponents(setup: Mapping[str, Any], bots: Mapping[str, str]) -> dict[str, Any]:
    """Returns *setup* with the bots of *bots*, names by colour.

    :raises SetupError: when nobody plays one of the colours, or the bots are not possible (see :func:`bots_of`).
    """
    colours = [player["colour"] for player in setup["players"]]
    for colour in bots:
        if colour not in colours:
            raise SetupError(f"nobody plays {colour}: an opponent can be {' or '.join(colours)}")
    players = [
        {**player, "bot": bots[player["colour"]]} if player["colour"] in bots else player
        for player in setup["players"]
    ]
    changed = {**setup, "players": players}
    bots_of(changed)
    return changed
