"""What a camera can see of a game, and which moves and chance events explain what it sees.

Places are named as in a sighting: ``duchy:red:17``, ``storage:red:0``, ``depot:3:1``, ``depot_goods:3:0``,
``black:2``, ``round:4``. A *group* is the name without its last number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from .edition import ROUNDS
from .moves import Move
from .state import GameState, Player
from .storage import labels_by_space
from .tiles import EMPTY, GOODS, goods_label

GOODS_GROUPS = ("goods", "depot_goods")
UNORDERED = ("storage", *GOODS_GROUPS)
"""Groups in which things may be in any order."""
DEPOT_GOODS_SPOTS = len(GOODS)


def visible_layout(game: GameState) -> dict[str, tuple[str, ...]]:
    """Returns the labels of everything that is visible, by group."""
    groups: dict[str, tuple[str, ...]] = {}
    for seat in game.seats:
        groups |= game.hooks.visible_layout_of(game, seat)
    return groups | game.hooks.visible_layout_of_board(game)


def layout_of_main_board(game: GameState) -> dict[str, tuple[str, ...]]:
    """Returns the labels of everything visible on the main board, by group."""
    groups: dict[str, tuple[str, ...]] = {}
    for number, depot in enumerate(game.depots, 1):
        groups[f"depot:{number}"] = tuple(EMPTY if t is None else t.label for t in depot)
        groups[f"depot_goods:{number}"] = stacks(game.depot_goods[number - 1], DEPOT_GOODS_SPOTS)
    groups["black"] = tuple(EMPTY if t is None else t.label for t in game.black)
    used = ROUNDS - len(game.round_goods)
    groups["round"] = (EMPTY,) * used + tuple(map(goods_label, game.round_goods))
    return groups


def layout_of_player(game: GameState, player: Player) -> dict[str, tuple[str, ...]]:
    """Returns the labels of everything visible that belongs to a person, by group."""
    side = player.side.colour
    return {
        f"duchy:{side}": tuple(EMPTY if t is None else t.label for t in player.spaces),
        f"storage:{player.colour}": padded(
            sorted(labels_by_space(game, player.storage)), game.hooks.storage_spaces(game, player)
        ),
        f"goods:{side}": stacks(player.goods, game.edition.goods_spaces),
    }


def padded(labels: list[str], length: int) -> tuple[str, ...]:
    """Returns the labels, followed by empty places up to *length*."""
    return (*labels, *[EMPTY] * (length - len(labels)))


def stacks(goods: list[int], length: int) -> tuple[str, ...]:
    """Returns one label per kind: the height of a stack is not visible."""
    return padded([goods_label(kind) for kind in GOODS if goods[kind]], length)


@dataclass(frozen=True, slots=True)
class VisibleChange:
    """One visible effect that a move has for the rest of the turn."""

    place: str
    """A place, or an unordered group."""
    label: str
    """Label of what is there afterwards (``empty`` for a thing removed)."""
    removed: str = ""
    """For an unordered group: the label that is no longer in it."""


@dataclass(frozen=True, slots=True)
class ExpectedLayout:
    """Things on the table that the state does not contain yet, because chance or set-up brought them."""

    what: str
    player: str | None
    places: tuple[tuple[str, tuple[str, ...]], ...]
    """Places to read, each with the labels that are possible there."""
    moves_for: Callable[[tuple[str, ...]], Iterator[tuple[Move, ...]]]
    """Function from one label per place to every sequence of moves that leads to them."""
    remaining: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """How many of each label are in the supply, by kind of place (``depot``); a kind is missing if there are always
    enough."""
