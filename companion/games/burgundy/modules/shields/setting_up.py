"""Chance at set-up: the shields that are laid out at the depots, once for the whole game (S880-898)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...rules.abilities import DICE
from ...rules.decision import ChanceEvent, Rng
from ...rules.events import Event
from ...rules.hooks import Hooks
from ...rules.moves import Move, numbers_text, parse_numbers
from ...rules.observation import ExpectedLayout
from ...rules.phases import begin_when_set_up, draw
from ...rules.reason import Reason
from ...rules.setup_steps import Step
from ...rules.state import SETUP, GameState, Seat
from ...rules.supply import take_from
from ...rules.tiles import Tile, tile
from .state import label_of, shields

GROUP = "shields"
"""Kind of the places at the depots."""


@dataclass(frozen=True, slots=True)
class SetUpShields(Move):
    """Chance at set-up: the shields at depots 1 to 6."""

    word = "shields"
    depots: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        return " ".join(("shields", *map(numbers_text, self.depots)))

    def labels(self) -> Iterator[str]:
        return (label_of(number) for depot in self.depots for number in depot)


class SetUpShieldsEvent(ChanceEvent[SetUpShields]):
    move = SetUpShields
    stages = (SETUP,)

    def parse(self, words: list[str]) -> SetUpShields:
        return SetUpShields(tuple(map(parse_numbers, words)))

    def validate(self, game: GameState, move: SetUpShields) -> Reason | None:
        if shields(game).depots:
            return Reason("shields_lie")
        expected = _counts(game)
        if len(move.depots) != len(expected):
            return Reason("wrong_depot_count", {"expected": len(expected), "given": len(move.depots)})
        for depot, (count, numbers) in enumerate(zip(expected, move.depots, strict=True), 1):
            if len(numbers) != count:
                return Reason(
                    "wrong_shield_count", {"depot": depot, "expected": count, "given": len(numbers)}
                )
        laid, left = [number for depot in move.depots for number in depot], _in_supply(game)
        missing = next((n for n in laid if n not in left or laid.count(n) > 1), None)
        return None if missing is None else Reason("shield_not_left", {"number": missing})

    def apply(self, game: GameState, move: SetUpShields) -> list[Event]:
        """Lays them out; the others go back into the box (S896)."""
        shields(game).depots = move.depots
        for label in move.labels():
            draw(game, tile(label))
        for number in _in_supply(game):
            put_away(game, number)
        begin_when_set_up(game)
        return [Event("shields_laid", data={"numbers": [n for depot in move.depots for n in depot]})]

    def sample(self, game: GameState, seat: Seat, rng: Rng) -> SetUpShields | None:
        if shields(game).depots:
            return None
        bag = _in_supply(game)
        return SetUpShields(
            tuple(tuple(take_from(bag, rng) for _ in range(count)) for count in _counts(game))
        )

    def expected_layouts(self, game: GameState) -> Iterator[ExpectedLayout]:
        if shields(game).depots:
            return
        counts, left = _counts(game), {label_of(number): 1 for number in _in_supply(game)}
        places = [f"{GROUP}:{depot}:{i}" for depot, count in enumerate(counts, 1) for i in range(count)]

        def moves_for(labels: tuple[str, ...]) -> Iterator[tuple[Move, ...]]:
            rest = iter(int(label.rpartition("/")[2]) for label in labels)
            yield (SetUpShields(tuple(tuple(next(rest) for _ in range(count)) for count in counts)),)

        yield ExpectedLayout(
            GROUP, None, tuple((place, tuple(left)) for place in places), moves_for, {GROUP: left}
        )


def put_away(game: GameState, number: int) -> None:
    """Puts a shield of the supply back into the box."""
    draw(game, tile(label_of(number)))
    game.return_to_box(tile(label_of(number)))


def supply_of(numbers: Sequence[int]) -> dict[Tile, int]:
    """Returns one of each shield."""
    return {tile(label_of(number)): 1 for number in numbers}


def _counts(game: GameState) -> tuple[int, ...]:
    """Returns how many shields are laid out at each depot (S884-894)."""
    return shields(game).printed.laid_out[game.played_as]


def _in_supply(game: GameState) -> list[int]:
    return [number for number in shields(game).printed.shields if game.supply[tile(label_of(number))]]


class SetUpHooks(Hooks):
    """Shields lie at the depots before the first phase, and nothing refills them."""

    def is_board_set_up(self, game: GameState) -> bool:
        return bool(shields(game).depots) and super().is_board_set_up(game)

    def steps_before_game(self, game: GameState) -> Iterator[Step]:
        yield from super().steps_before_game(game)
        counts = _counts(game)
        yield {"step": "shields", "count": sum(counts)}
        for count in sorted(set(counts)):
            depots = [depot for depot in DICE if counts[depot - 1] == count]
            yield {"step": "shields_at", "count": count, "depot_numbers": depots}


def places(game: GameState) -> tuple[tuple[int | None, ...], ...]:
    """Returns what lies on each place at the depots, by depot; nothing before it is laid out."""
    return shields(game).depots or tuple((None,) * count for count in _counts(game))
