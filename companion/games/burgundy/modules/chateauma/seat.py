"""The Châteauma's state: its cards, inventory, duchy and die. It knows no rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from ...rules.state import GameState, Seat
from ...rules.tiles import LIVESTOCK, TYPES, Tile, tile
from .cards import CountyCard, Print

OWN_DIE, CARD_SYMBOLS, OWN_TURN, NEXT_CARD = STAGES = ("own_die", "card_symbols", "own_turn", "next_card")
"""What the game waits for in its turn: its die, what is printed on a card that it completes, the turn itself, the card
that takes a completed one's place."""
LEFT, RIGHT = SIDES = ("left", "right")
"""Its two cards: under the white die's 1 to 4, and under 5 and 6 (S1112)."""
VIRTUAL, ON_TABLE = PIECES = ("virtual", "table")
"""Where its cards, inventory and duchy are: only in the companion's memory, or also on the table."""
FACE_DOWN = "face_down"
"""Label of a tile whose face is hidden."""


class PlacedTile(NamedTuple):
    """A tile on a county card."""

    tile: Tile
    face_down: bool = False
    """Whether it was placed as a joker."""

    @property
    def face(self) -> Tile | None:
        """The tile; None if it is face down."""
        return None if self.face_down else self.tile


class CardInPlay:
    """Represents a card under its board, and the tiles on it."""

    __slots__ = ("card", "tiles")

    def __init__(self, card: CountyCard) -> None:
        self.card = card
        self.tiles: list[PlacedTile | None] = [None] * len(card.spaces)

    @property
    def empty(self) -> list[int]:
        """Indices of the empty spaces in reading order."""
        return [i for i, there in enumerate(self.tiles) if there is None]

    def copy(self) -> CardInPlay:
        new = CardInPlay(self.card)
        new.tiles = self.tiles[:]
        return new


class Chateauma(Seat):
    """What the Châteauma owns."""

    __slots__ = (
        "cards",
        "deck",
        "die",
        "duchy",
        "face_down",
        "jokers",
        "level",
        "modifiers",
        "print",
        "reported",
        "setup",
        "stored",
    )

    first_stage: ClassVar[str] = OWN_DIE
    wins_ties_as: ClassVar[str] = "automa"
    kind: ClassVar[str] = "automa"

    def __init__(self, setup: Mapping[str, Any], printed: Print) -> None:
        """*setup* is its part of a game's set-up, *printed* the print completed by the owner's answers."""
        super().__init__(setup["colour"])
        self.setup = setup
        self.level: str = setup["level"]
        self.modifiers: tuple[str, ...] = tuple(setup["modifiers"])
        self.print = printed
        self.cards: list[CardInPlay | None] = [None, None]
        """Left and right."""
        self.deck: tuple[int, ...] = tuple(sorted(printed.cards))
        """Numbers of the cards not revealed yet; nobody knows their order."""
        self.die: int | None = None
        self.stored: list[Tile] = []
        """Typed tiles of the inventory in the order in which they came."""
        self.jokers: list[Tile] = []
        """Face-down tiles of the inventory in the order in which they came."""
        self.duchy: dict[str, list[Tile]] = {tile_type: [] for tile_type in TYPES}
        """Face-up tiles of its duchy by type, in the order in which they came; surplus ones are stacked on others."""
        self.face_down: dict[str, int] = dict.fromkeys(TYPES, 0)
        """Tiles placed face down in its duchy at set-up, which nobody has looked at."""
        self.reported: Mapping[int, Mapping[str, bool]] = {}
        """By card, whether it has a symbol in its corner, as far as that was reported in this game. Replaced, not
        changed."""

    @property
    def plays(self) -> str:
        return self.level

    @property
    def virtual(self) -> bool:
        """Whether its pieces stay in the box, so that only the main board is used."""
        return self.setup.get("pieces") == VIRTUAL

    @property
    def hidden_tiles(self) -> int:
        return sum(self.face_down.values())

    def has_symbol(self, card: int, name: str) -> bool | None:
        """Returns whether a card has a symbol in its corner; None if nobody has said so."""
        known = {**self.print.symbols.get(card, {}), **self.reported.get(card, {})}
        return known.get(name)

    def report_symbols(self, card: int, symbols: Mapping[str, bool]) -> None:
        """Remembers which symbols a card has in its corner, and which it has not."""
        self.reported = {**self.reported, card: {**self.reported.get(card, {}), **symbols}}

    def covered(self, tile_type: str) -> int:
        """Returns how many spaces for a tile type are covered in its duchy."""
        return min(self.print.spaces[tile_type], self.face_down[tile_type] + len(self.duchy[tile_type]))

    def in_play(self) -> Iterator[Tile]:
        """Yields the face-up tiles on its cards and in its duchy, which are those that count."""
        for card in filter(None, self.cards):
            yield from (t for there in card.tiles if there is not None and (t := there.face) is not None)
        for tiles in self.duchy.values():
            yield from tiles

    def placed(self, tile_type: str) -> list[Tile]:
        """Returns the tiles in play of one type."""
        return [t for t in self.in_play() if t.type == tile_type]

    def herd(self, animal: str | None) -> list[Tile]:
        """Returns the tiles in play with one animal."""
        return [t for t in self.placed(LIVESTOCK) if t.animal == animal]

    def take_stored(self, tile_type: str) -> Tile | None:
        """Removes and returns the top tile of a type's stack in the inventory; None if there is none."""
        for index in reversed(range(len(self.stored))):
            if self.stored[index].type == tile_type:
                return self.stored.pop(index)
        return None

    def copy(self) -> Chateauma:
        new = Chateauma(self.setup, self.print)
        new.goods, new.sold = self.goods[:], self.sold[:]
        new.silver, new.score = self.silver, self.score
        new.points, new.bonus_tiles = self.points.copy(), self.bonus_tiles[:]
        new.cards = [card and card.copy() for card in self.cards]
        new.deck, new.die = self.deck, self.die
        new.stored, new.jokers = self.stored[:], self.jokers[:]
        new.duchy = {tile_type: tiles[:] for tile_type, tiles in self.duchy.items()}
        new.face_down, new.reported = self.face_down.copy(), self.reported
        return new

    def to_json(self) -> dict[str, Any]:
        reported = {
            str(card): dict(sorted(symbols.items())) for card, symbols in sorted(self.reported.items())
        }
        return {
            "colour": self.colour,
            "chateauma": dict(self.setup),
            "goods": self.goods[1:],
            "sold": self.sold[1:],
            "silver": self.silver,
            "score": self.score,
            "points": dict(sorted(self.points.items())),
            "bonus_tiles": self.bonus_tiles[:],
            "cards": [card and _card_to_json(card) for card in self.cards],
            "deck": list(self.deck),
            "die": self.die,
            "stored": [t.label for t in self.stored],
            "jokers": [t.label for t in self.jokers],
            "duchy": {tile_type: [t.label for t in tiles] for tile_type, tiles in self.duchy.items()},
            "face_down": dict(self.face_down),
            **({"symbols": reported} if reported else {}),  # few games have any
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], printed: Print) -> Chateauma:
        seat = cls(data["chateauma"], printed)
        seat.goods, seat.sold = [0, *data["goods"]], [0, *data["sold"]]
        seat.silver, seat.score = data["silver"], data["score"]
        seat.points, seat.bonus_tiles = dict(data["points"]), list(data["bonus_tiles"])
        seat.cards = [card and _card_from_json(card, printed) for card in data["cards"]]
        seat.deck, seat.die = tuple(data["deck"]), data["die"]
        seat.stored, seat.jokers = list(map(tile, data["stored"])), list(map(tile, data["jokers"]))
        seat.duchy = {tile_type: list(map(tile, labels)) for tile_type, labels in data["duchy"].items()}
        seat.face_down = dict(data["face_down"])
        seat.reported = {int(card): symbols for card, symbols in data.get("symbols", {}).items()}
        return seat


def _card_to_json(card: CardInPlay) -> dict[str, Any]:
    return {
        "number": card.card.number,
        "tiles": [there and there.tile.label for there in card.tiles],
        "face_down": [i for i, there in enumerate(card.tiles) if there is not None and there.face_down],
    }


def _card_from_json(data: Mapping[str, Any], printed: Print) -> CardInPlay:
    card = CardInPlay(printed.cards[data["number"]])
    card.tiles = [
        label and PlacedTile(tile(label), i in data["face_down"]) for i, label in enumerate(data["tiles"])
    ]
    return card


def automa(game: GameState) -> Chateauma:
    """Returns the Châteauma of a game in which it plays."""
    return next(seat for seat in game.seats if isinstance(seat, Chateauma))


def automa_in_turn(game: GameState) -> Chateauma:
    """Returns the Châteauma, whose turn it is."""
    seat = game.seat
    assert isinstance(seat, Chateauma)
    return seat
