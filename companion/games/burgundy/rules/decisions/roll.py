"""Chance at the start of a round: everybody's dice and the white die (S275-281)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..abilities import DICE
from ..decision import DiceEvent, Rng
from ..events import Event
from ..moves import Move, numbers_text, parse_number, parse_numbers, quoted
from ..phases import begin_turn
from ..reason import Reason
from ..state import DICE_PER_PLAYER, ROLL, WHITE, GameState, Seat


@dataclass(frozen=True, slots=True)
class Roll(Move):
    """Chance at the start of a round: everybody's two dice and the white die."""

    word = "roll"
    dice: tuple[tuple[str, tuple[int, int]], ...]
    """Player and values, in the players' order."""
    white: int

    def __str__(self) -> str:
        dice = " ".join(f"{player}={numbers_text(values)}" for player, values in self.dice)
        return f"roll {dice} white={self.white}"

    def shown(self) -> dict[str, list[int]]:
        return {colour: list(values) for colour, values in self.dice} | {WHITE: [self.white]}

    def with_players(self, colours: Mapping[str, str]) -> Roll:
        return replace(self, dice=tuple((colours.get(colour, colour), two) for colour, two in self.dice))


class RollEvent(DiceEvent[Roll]):
    move = Roll
    stages = (ROLL,)

    def parse(self, words: list[str]) -> Roll:
        *dice, white = words
        pairs = []
        for word in dice:
            player, values = word.split("=")
            first, second = parse_numbers(values)
            pairs.append((player, (first, second)))
        if not white.startswith("white="):
            raise ValueError(f"it ends with the white die, as in white=3, and not with {quoted(white)}")
        return Roll(tuple(pairs), parse_number(white.removeprefix("white=")))

    def validate(self, game: GameState, move: Roll) -> Reason | None:
        expected = [player.colour for player in game.players]
        if [colour for colour, _ in move.dice] != expected:
            return Reason("wrong_players", {"expected": expected})
        values = [move.white, *(v for _, dice in move.dice for v in dice)]
        if wrong := [v for v in values if v not in DICE]:
            return Reason("no_such_value", {"value": wrong[0]})
        return None

    def apply(self, game: GameState, move: Roll) -> list[Event]:
        """Gives everybody their dice and puts the round's goods into the white die's depot (S275-281)."""
        for player, (_, values) in zip(game.players, move.dice, strict=True):
            player.dice = list(values)
        goods = game.round_goods.pop(0)
        game.depot_goods[move.white - 1][goods] += 1
        game.white = move.white
        game.acted = 0
        game.turn = game.first_player
        begin_turn(game)
        events = [
            Event("round", data={"phase": game.phase_letter, "round": game.round + 1}),
            Event("goods_arrive", data={"goods": goods, "depot": move.white}),
        ]
        game.hooks.round_begins(game, events)
        return events

    def sample(self, game: GameState, seat: Seat, rng: Rng) -> Roll:
        dice = tuple((player.colour, (rng.randint(1, 6), rng.randint(1, 6))) for player in game.players)
        return Roll(dice, rng.randint(1, 6))

    def dice(self, game: GameState) -> dict[str, int]:
        return {**{player.colour: DICE_PER_PLAYER for player in game.players}, WHITE: 1}

    def of(self, game: GameState, dice: Mapping[str, Sequence[int]]) -> Roll:
        pairs = tuple((p.colour, (dice[p.colour][0], dice[p.colour][1])) for p in game.players)
        return Roll(pairs, dice[WHITE][0])
