"""Shields for page and camera: at the depots, and on castles, which they cover."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...rules.hooks import Hooks
from ...rules.state import GameState, Player, Seat
from ...rules.tiles import EMPTY
from .monasteries import COPIES
from .overriding import ON_CASTLE
from .scoring import end_points
from .setting_up import GROUP, places
from .state import held_by, label_of, look_of, shields


class ShowingHooks(Hooks):
    """What is seen of shields."""

    def visible_layout_of(self, game: GameState, seat: Seat) -> dict[str, tuple[str, ...]]:
        groups = super().visible_layout_of(game, seat)
        if there := held_by(game, seat):
            duchy = f"duchy:{seat.side.colour}"
            labels = enumerate(groups[duchy])
            groups[duchy] = tuple(look_of(there[i]) if i in there else label for i, label in labels)
        return groups

    def visible_layout_of_board(self, game: GameState) -> dict[str, tuple[str, ...]]:
        at_depots = {
            f"{GROUP}:{depot}": tuple(EMPTY if number is None else label_of(number) for number in numbers)
            for depot, numbers in enumerate(places(game), 1)
        }
        return {**super().visible_layout_of_board(game), **at_depots}

    def override_to_show(self, game: GameState, place: str, label: str) -> Iterator[tuple[str, str]]:
        """Yields the changes to a castle and to the shield on it, of which only one may have changed."""
        kind, *names = place.split(":")
        if kind != "duchy":
            yield from super().override_to_show(game, place, label)
            return
        colour, space = names
        player = game.player_of(colour)
        shown, _, number = label.partition("/shield_")
        there, shield = player.spaces[int(space)], held_by(game, player).get(int(space))
        if shown != (EMPTY if there is None else there.label):
            yield from super().override_to_show(game, place, shown)
        if number != str(shield or ""):
            yield f"{ON_CASTLE}:{colour}:{space}", label_of(int(number)) if number else EMPTY

    def view_of(self, game: GameState, seat: Seat) -> dict[str, dict[str, Any]]:
        views = super().view_of(game, seat)
        if not isinstance(seat, Player):
            return views
        spaces = {number: space for space, number in held_by(game, seat).items()}
        own = [
            {"number": number, "space": spaces[number], "points": points}
            for number, points in end_points(game, seat).items()
        ]
        copies = shields(game).copied if COPIES in spaces else None
        return {**views, "players": {**views["players"], "shields": own, "copies": copies}}

    def view_of_board(self, game: GameState) -> dict[str, Any]:
        # Place by place, so that a shield beside one that has gone keeps its own.
        at_depots = {str(depot): list(numbers) for depot, numbers in enumerate(shields(game).depots, 1)}
        return {**super().view_of_board(game), "shields": at_depots}
