"""The state of a game: what is where, who owns what, and which decisions are open.

It knows no rules; see :mod:`.legality` and :mod:`.effects`.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from .board import Duchy, bits
from .edition import PHASES, Edition, MainBoard
from .setup_validation import InvalidSetupError
from .table_rules import TableRules
from .tiles import BUILDING, GOODS, MONASTERY, TYPES, Tile, tile

if TYPE_CHECKING:
    from .hooks import Hooks
    from .module import ModuleState
    from .ruleset import Ruleset

SETUP, FILL, ROLL, TURN, OVER = STAGES = ("setup", "fill", "roll", "turn", "over")
"""What the game waits for: starting castles and goods, a phase's tiles, a roll, the current player, nothing."""

DISCARD = "discard"
"""Effect of a tile that waits for a storage space."""
DICE_PER_PLAYER = 2
WHITE = "white"
"""Colour of the die that places goods; no player can have it."""


class Pending(NamedTuple):
    """A choice that an effect has opened; the last one in ``GameState.pending`` is made next."""

    effect: str
    """``castle``, the name of a building, ``ship`` or ``discard``."""
    incoming: str = ""
    """For ``discard``: label of the tile that waits for a storage space; empty if the storage has become smaller."""


class Seat(ABC):
    """What everybody who takes turns owns: people (:class:`Player`), and seats that a module adds.

    A rule that differs by seat is one of the :class:`.hooks.Hooks`, which the module overrides.
    """

    __slots__ = ("bonus_tiles", "colour", "goods", "points", "score", "silver", "sold")

    first_stage: ClassVar[str] = TURN
    """Stage of the game when its turn begins."""
    wins_ties_as: ClassVar[str] = ""
    """Why it ranks before others with as many points; empty if it does not."""
    kind: ClassVar[str] = "person"
    """``person``, or what the seats of a module are."""

    def __init__(self, colour: str) -> None:
        self.colour = colour
        self.goods = [0] * 7
        """Stored goods by kind; index 0 is not used."""
        self.sold = [0] * 7
        self.silver = 0
        self.score = 0
        """Victory points: the marker on the track."""
        self.points: dict[str, int] = {}
        """Points by source: the score sheet, which adds up to the score."""
        self.bonus_tiles: list[str] = []
        """Types of the bonus tiles won."""

    @property
    def side(self) -> Seat:
        """Whose duchy, goods, silver, workers and points it plays with: its own, unless a module lets several share
        them. Dice, turns, the marker of turn order and the key spaces belong to the seat."""
        return self

    @property
    def hidden_tiles(self) -> int:
        """Black-backed tiles that it has and nobody has looked at: they still count as supply."""
        return 0

    @property
    def empty_spaces(self) -> int:
        """Spaces of its duchy without a tile."""
        return 0

    @property
    @abstractmethod
    def plays(self) -> str:
        """The duchy it plays, or what else distinguishes it."""

    @abstractmethod
    def copy(self) -> Seat:
        """Returns an independent copy."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Returns every component as plain data."""


class Player(Seat):
    """What one person owns."""

    __slots__ = (
        "dice",
        "duchy",
        "frontier",
        "monasteries",
        "occupied",
        "ruled",
        "spaces",
        "storage",
        "workers",
    )

    def __init__(self, colour: str, duchy: Duchy) -> None:
        super().__init__(colour)
        self.duchy = duchy
        self.spaces: list[Tile | None] = [None] * len(duchy.spaces)
        """Tile on each space of the duchy."""
        self.occupied = 0
        self.frontier = 0
        """Empty spaces next to an occupied one."""
        self.monasteries = 0
        """Monasteries whose rules apply to the player: those placed, and more by modules; bit n for number n."""
        self.storage: list[Tile] = []
        """Tiles on the key spaces, sorted by label, because their order does not matter."""
        self.workers = 0
        self.dice: list[int] = []
        """Values of the dice not used yet this round."""
        self.ruled: frozenset[str] = frozenset()
        """Areas and tile types (see :func:`.scoring.full_parts`) that are full without having scored, or have scored
        without being full, because of an override."""

    @property
    def plays(self) -> str:
        return self.duchy.name

    @property
    def empty_spaces(self) -> int:
        return (self.duchy.everything & ~self.occupied).bit_count()

    def put(self, space: int, placed: Tile) -> None:
        """Places a tile on a space."""
        self.spaces[space] = placed
        self.occupied |= 1 << space
        self.frontier = (self.frontier | self.duchy.neighbours[space]) & ~self.occupied
        if placed.type == MONASTERY:
            self.monasteries |= 1 << placed.number

    def replace(self, space: int, other: Tile | None) -> None:
        """Places another tile on a space, or none."""
        others = [(i, t) for i, t in enumerate(self.spaces) if t is not None and i != space]
        self.spaces = [None] * len(self.spaces)
        self.occupied = self.frontier = self.monasteries = 0
        for i, t in [*others, *([] if other is None else [(space, other)])]:
            self.put(i, t)

    def store(self, stored: Tile) -> None:
        """Places a tile on a key space."""
        self.storage.append(stored)
        self.storage.sort(key=_LABEL)

    def placed(self, tile_type: str) -> list[Tile]:
        """Returns the tiles of one type on the spaces for them; of a type that no space is for, wherever they are.

        What an override has put on a space for another type does not count.
        """
        here = self.duchy.of_type.get(tile_type, self.duchy.everything) & self.occupied
        return [t for i in bits(here) if (t := self.spaces[i]) is not None and t.type == tile_type]

    def has_building_in_city(self, building: str, space: int) -> bool:
        """Returns whether the city around *space* already has a *building*."""
        for i in bits(self.duchy.area_of[space].spaces & self.occupied):
            there = self.spaces[i]
            if there is not None and there.variant == building and there.type == BUILDING:
                return True
        return False

    def copy(self) -> Player:
        new = object.__new__(Player)
        new.colour, new.duchy = self.colour, self.duchy
        new.spaces, new.storage = self.spaces[:], self.storage[:]
        new.occupied, new.frontier, new.monasteries = self.occupied, self.frontier, self.monasteries
        new.goods, new.sold = self.goods[:], self.sold[:]
        new.silver, new.workers, new.score = self.silver, self.workers, self.score
        new.points, new.bonus_tiles, new.dice = self.points.copy(), self.bonus_tiles[:], self.dice[:]
        new.ruled = self.ruled
        return new

    def to_json(self) -> dict[str, Any]:
        ruled = {"ruled": sorted(self.ruled)} if self.ruled else {}  # few games have any
        return {
            "colour": self.colour,
            "duchy": self.duchy.name,
            "spaces": [_tile_to_json(t) for t in self.spaces],
            "storage": [_tile_to_json(t) for t in self.storage],
            "goods": self.goods[1:],
            "sold": self.sold[1:],
            "silver": self.silver,
            "workers": self.workers,
            "score": self.score,
            "points": dict(sorted(self.points.items())),
            "bonus_tiles": self.bonus_tiles[:],
            "dice": sorted(self.dice),
            **ruled,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], duchy: Duchy) -> Player:
        player = cls(data["colour"], duchy)
        for space, text in enumerate(data["spaces"]):
            if text is not None:
                player.put(space, _tile_from_json(text))
        player.storage = [_tile_from_json(text) for text in data["storage"]]
        player.goods, player.sold = [0, *data["goods"]], [0, *data["sold"]]
        player.silver, player.workers, player.score = data["silver"], data["workers"], data["score"]
        player.points, player.bonus_tiles = dict(data["points"]), list(data["bonus_tiles"])
        player.dice = list(data["dice"])
        player.ruled = frozenset(data.get("ruled", ()))
        return player


class GameState:
    """One game in progress. Changed in place by :func:`.effects.apply`; ``copy()`` is independent."""

    __slots__ = (
        "_turn",
        "acted",
        "black",
        "bonus_tiles_left",
        "bought",
        "box",
        "depot_goods",
        "depots",
        "edition",
        "goods_supply",
        "hooks",
        "module_states",
        "monastery_6_used",
        "pending",
        "phase",
        "player",
        "round",
        "round_goods",
        "rules",
        "ruleset",
        "score_history",
        "seat",
        "seats",
        "set_aside",
        "stage",
        "supply",
        "track",
        "white",
    )

    seat: Seat
    """The current seat."""
    player: Player
    """The current player. Only valid while ``stage`` is ``turn``, when the current seat is a person's."""

    def __init__(
        self,
        ruleset: Ruleset,
        seats: Sequence[Seat],
        black_slots: int | None = None,
    ) -> None:
        """Makes a new game before set-up; the first of *seats* plays first.

        *black_slots* is the number of spaces of the black depot if the owner's board differs from the data.

        :raises InvalidSetupError: if the edition has no main board for so many players, two share a colour, or a colour
            cannot be written in the notation of moves.
        """
        edition = ruleset.edition
        colours = [seat.colour for seat in seats]
        if len(seats) not in (possible := ruleset.hooks.seat_counts(edition)):
            *fewer, most = map(str, possible)
            counts = f"{', '.join(fewer)} or {most}" if fewer else most
            raise InvalidSetupError(
                f"this edition is for {counts} players, not for {len(seats)}", "other_count", count=len(seats)
            )
        if len(set(colours)) != len(colours):
            raise InvalidSetupError(f"two players share a colour: {', '.join(colours)}", "shared_colour")
        for colour in colours:
            if not colour.isidentifier() or colour == WHITE:
                raise InvalidSetupError(
                    f"no player can be {colour!r}: a colour is one word, and white is nobody's die"
                )
        self.ruleset = ruleset
        # The rules read these for every move, so they are kept at hand.
        self.edition: Edition = edition
        self.rules: TableRules = ruleset.rules
        self.hooks: Hooks = ruleset.hooks
        self.seats: list[Seat] = list(seats)
        """Everybody who takes turns, in the order of the first round."""
        self.stage = SETUP
        self.phase = 0
        self.round = 0
        self.turn = 0
        self.acted = 0
        """Seats that have had their turn this round, bit i for seat i."""
        self.depots: list[list[Tile | None]] = [[None] * len(slots) for slots in self.main_board.depots]
        self.depot_goods = [[0] * 7 for _ in range(6)]
        """Goods by kind in depots 1 to 6."""
        self.black: list[Tile | None] = [None] * (black_slots or self.main_board.black_slots)
        self.round_goods: list[int] = []
        """Goods still on the round spaces, the next one first."""
        self.white: int | None = None
        self.track: list[list[int]] = [[] for _ in range(edition.track_spaces)]
        """Seats on each space of the turn order track, bottom of the stack first."""
        self.pending: list[Pending] = []
        self.bought = False
        """Whether the purchase of the turn has been made."""
        self.monastery_6_used = False
        # Supply, box and bonus tiles rarely change: copies share them, and a change replaces them.
        self.bonus_tiles_left: Mapping[str, int] = dict.fromkeys(TYPES, 2)
        self.supply: Mapping[Tile, int] = ruleset.supply
        """Tiles not drawn yet."""
        self.box: Mapping[Tile, int] = {}
        """Tiles out of the game."""
        self.set_aside = 0
        """Castles in the box that no player had taken."""
        self.goods_supply = [0] + [edition.goods_per_kind for _ in GOODS]
        """Goods not turned up yet, by kind."""
        self.module_states: dict[str, ModuleState] = {}
        """What modules add to the position, by module; without those that add nothing."""
        self.score_history: tuple[tuple[int, ...], ...] = ()
        """Everybody's points at the end of each round, and once more after the final scoring."""

    @property
    def played_as(self) -> int:
        """For how many players everything is printed that goes by their number."""
        return self.hooks.played_as(len(self.seats))

    @property
    def main_board(self) -> MainBoard:
        return self.edition.main_boards[self.played_as]

    @property
    def players(self) -> tuple[Player, ...]:
        """The people among the seats, in the same order."""
        return tuple(seat for seat in self.seats if isinstance(seat, Player))

    @property
    def sides(self) -> tuple[Seat, ...]:
        """Whose duchies, goods and points are played with (see :attr:`Seat.side`), each once, in the order of seats."""
        return tuple(dict.fromkeys(seat.side for seat in self.seats))

    @property
    def player_sides(self) -> tuple[Player, ...]:
        """The sides that people play."""
        return tuple(side for side in self.sides if isinstance(side, Player))

    @property
    def turn(self) -> int:
        """Index of the current seat."""
        return self._turn

    @turn.setter
    def turn(self, index: int) -> None:
        self._turn = index
        # The rules read these many times for every move, so they are kept at hand, and the type is not checked again.
        self.seat = self.seats[index]
        self.player = self.seat  # type: ignore[assignment]

    @property
    def phase_letter(self) -> str:
        return PHASES[self.phase]

    def index(self, colour: str) -> int:
        """Returns the index of the seat with that colour.

        :raises KeyError: if nobody plays that colour.
        """
        for index, seat in enumerate(self.seats):
            if seat.colour == colour:
                return index
        raise KeyError(colour)

    def person(self, colour: str) -> Player | None:
        """Returns the person who plays that colour; None if no person does."""
        return next((player for player in self.players if player.colour == colour), None)

    def player_of(self, colour: str) -> Player:
        """Returns the person who plays that colour.

        :raises KeyError: if no person does.
        """
        seat = self.seats[self.index(colour)]
        if not isinstance(seat, Player):
            raise KeyError(colour)
        return seat

    @property
    def hidden_tiles(self) -> int:
        """Black-backed tiles that count as supply but cannot be drawn (see :class:`Seat`)."""
        return sum(seat.hidden_tiles for seat in self.seats)

    def order(self) -> list[int]:
        """Returns the seats in turn order: furthest along the track first, top of a stack first (S277, S283)."""
        return [index for space in reversed(self.track) for index in reversed(space)]

    @property
    def first_player(self) -> int:
        """Index of the first seat in turn order, which has the white die (S283, S368)."""
        return next(space[-1] for space in reversed(self.track) if space)

    def return_to_box(self, *discarded: Tile) -> None:
        """Puts tiles back into the box."""
        box = {**self.box}
        for t in discarded:
            box[t] = box.get(t, 0) + 1
        self.box = box

    def copy(self) -> GameState:
        new = object.__new__(GameState)
        new.ruleset, new.edition, new.rules, new.hooks = self.ruleset, self.edition, self.rules, self.hooks
        new.seats = self.hooks.copy_of(self.seats)
        new.stage, new.phase, new.round, new.turn = self.stage, self.phase, self.round, self._turn
        new.acted, new.white = self.acted, self.white
        new.depots = [depot[:] for depot in self.depots]
        new.depot_goods = [goods[:] for goods in self.depot_goods]
        new.black, new.round_goods = self.black[:], self.round_goods[:]
        new.track = [space[:] for space in self.track]
        new.pending = self.pending[:]
        new.module_states = {name: added.copy() for name, added in self.module_states.items()}
        new.bought, new.monastery_6_used = self.bought, self.monastery_6_used
        new.bonus_tiles_left, new.supply, new.box = self.bonus_tiles_left, self.supply, self.box
        new.set_aside, new.goods_supply, new.score_history = (
            self.set_aside,
            self.goods_supply[:],
            self.score_history,
        )
        return new

    def to_json(self) -> dict[str, Any]:
        """Returns every component, in an order that does not depend on how the state was reached.

        Modules that are not played leave no trace: a new one changes no state of the games without it.
        """
        named = [module.id for module in self.ruleset.modules if module.is_named_in_state]
        modules = {
            name: self.module_states[name].to_json() if name in self.module_states else {} for name in named
        }
        return {
            "edition": self.edition.name,
            "rules": self.rules.to_json(),
            "stage": self.stage,
            "phase": self.phase,
            "round": self.round,
            "turn": self.turn,
            "acted": self.acted,
            "white": self.white,
            "players": [seat.to_json() for seat in self.seats],
            "depots": [[_tile_to_json(t) for t in depot] for depot in self.depots],
            "depot_goods": [goods[1:] for goods in self.depot_goods],
            "black": [_tile_to_json(t) for t in self.black],
            "round_goods": list(self.round_goods),
            "track": [list(space) for space in self.track],
            "pending": [list(pending) for pending in self.pending],
            "bought": self.bought,
            "monastery_6_used": self.monastery_6_used,
            "bonus_tiles_left": dict(sorted(self.bonus_tiles_left.items())),
            "supply": _counts_to_json(self.supply),
            "box": _counts_to_json(self.box),
            "set_aside": self.set_aside,
            "goods_supply": self.goods_supply[1:],
            "timeline": [list(scores) for scores in self.score_history],
            **({"modules": modules} if modules else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], ruleset: Ruleset, seats: Sequence[Seat]) -> GameState:
        """Returns the game that :meth:`to_json` has written, given its rules and the seats in ``data["players"]``."""
        game = cls(ruleset, seats, len(data["black"]))
        for name in _SAME_IN_JSON:
            setattr(game, name, data[name])
        game.depots = [[None if t is None else _tile_from_json(t) for t in depot] for depot in data["depots"]]
        game.depot_goods = [[0, *goods] for goods in data["depot_goods"]]
        game.black = [None if t is None else _tile_from_json(t) for t in data["black"]]
        game.round_goods = list(data["round_goods"])
        game.track = [list(space) for space in data["track"]]
        game.pending = [Pending(*pending) for pending in data["pending"]]
        game.bonus_tiles_left = dict(data["bonus_tiles_left"])
        left = {_tile_from_json(t): n for t, n in data["supply"].items()}
        game.supply = {t: left.get(t, 0) for t in ruleset.supply}
        game.box = {_tile_from_json(t): n for t, n in data["box"].items()}
        game.goods_supply = [0, *data["goods_supply"]]
        game.score_history = tuple(tuple(scores) for scores in data["timeline"])
        for module in ruleset.modules:
            if module.id in data.get("modules", {}) and (
                state := module.state_from_json(data["modules"][module.id])
            ):
                game.module_states[module.id] = state
        for module in ruleset.modules:
            module.restore(game)
        return game

    def state_hash(self) -> str:
        """Returns the hexadecimal SHA-256 of the state; equal states have equal hashes on every machine."""
        text = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


_SAME_IN_JSON = (
    "stage",
    "phase",
    "round",
    "turn",
    "acted",
    "white",
    "bought",
    "monastery_6_used",
    "set_aside",
)
"""Attributes that are the same in JSON."""
_LABEL = attrgetter("label")
_BLACK_MARK = "*"


def _tile_to_json(t: Tile | None) -> str | None:
    return None if t is None else t.label + (_BLACK_MARK if t.black else "")


def _tile_from_json(text: str) -> Tile:
    return tile(text.removesuffix(_BLACK_MARK), text.endswith(_BLACK_MARK))


def _counts_to_json(counts: Mapping[Tile, int]) -> dict[str, int]:
    return {str(_tile_to_json(t)): n for t, n in sorted(counts.items(), key=lambda item: repr(item[0])) if n}
