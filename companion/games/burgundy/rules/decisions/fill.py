"""Chance at the start of a phase: the tiles and goods turned up (S260-271)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from ..decision import ChanceEvent, Rng
from ..edition import ROUNDS
from ..events import Event
from ..moves import BLACK_DEPOT, Move, numbers_text, parse_numbers, parse_tiles, tiles_text
from ..observation import ExpectedLayout
from ..phases import draw
from ..reason import Reason
from ..state import FILL, ROLL, GameState, Seat
from ..supply import goods_in_bag, take_from, validate_goods_drawn
from ..tiles import BLACK_BACK, CASTLE, EMPTY, GOODS, Tile, goods_kind, goods_label, tile


@dataclass(frozen=True, slots=True)
class Fill(Move):
    """Chance at the start of a phase: the tiles and goods turned up."""

    word = "fill"
    depots: tuple[tuple[str | None, ...], ...]
    """Tile per slot of depots 1 to 6; None if the supply ran out."""
    black: tuple[str | None, ...]
    goods: tuple[int, ...]

    def __str__(self) -> str:
        depots = " ".join(tiles_text(depot) for depot in self.depots)
        return f"fill {depots} {tiles_text(self.black)} {numbers_text(self.goods)}"

    def labels(self) -> Iterator[str]:
        return (label for labels in (*self.depots, self.black) for label in labels if label is not None)


class FillEvent(ChanceEvent[Fill]):
    move = Fill
    stages = (FILL,)

    def parse(self, words: list[str]) -> Fill:
        return Fill(tuple(map(parse_tiles, words[:6])), parse_tiles(words[6]), parse_numbers(words[7]))

    def validate(self, game: GameState, move: Fill) -> Reason | None:
        return _validate_slots(game, move) or _validate_drawn(game, move)

    def apply(self, game: GameState, move: Fill) -> list[Event]:
        """Puts a phase's tiles and goods on the main board; what was left there goes to the box (S262-271)."""
        left = [t for depot in (*game.depots, game.black) for t in depot if t is not None]
        game.return_to_box(*left)
        game.set_aside += sum(t.type == CASTLE for t in left)
        draw(game, *_backs(chain(*move.depots), black=False), *_backs(move.black, black=True))
        game.depots = [_turned_up(labels) for labels in move.depots]
        game.black = _turned_up(move.black)
        for kind in move.goods:
            game.goods_supply[kind] -= 1
        game.round_goods = list(move.goods)
        game.stage = ROLL
        events = [Event("phase", data={"phase": game.phase_letter})]
        game.hooks.phase_begins(game, events)
        return events

    def sample(self, game: GameState, seat: Seat, rng: Rng) -> Fill:
        black, by_type = list[Tile](), defaultdict[str, list[Tile]](list)
        for t, count in game.supply.items():
            (black if t.black else by_type[t.type]).extend([t] * count)
        depots = tuple(
            tuple(_draw_label(by_type[slot.type_in(game.phase_letter)], rng) for slot in slots)
            for slots in game.main_board.depots
        )
        black_labels = tuple(_draw_label(black, rng, game.hidden_tiles) for _ in range(len(game.black)))
        goods = goods_in_bag(game)
        return Fill(depots, black_labels, tuple(take_from(goods, rng) for _ in range(ROUNDS)))

    def expected_layouts(self, game: GameState) -> tuple[ExpectedLayout]:
        return (_layout(game),)


def _backs(labels: Iterable[str | None], *, black: bool) -> Iterator[Tile]:
    """Yields the tiles as they lie in their pile, which have their backs up."""
    return (tile(label, black) for label in labels if label is not None)


def _turned_up(labels: Iterable[str | None]) -> list[Tile | None]:
    """Returns the tiles of a depot face up; from then on their backs are unknown."""
    return [None if label is None else tile(label) for label in labels]


def _draw_label(bag: list[Tile], rng: Rng, reserved: int = 0) -> str | None:
    """Draws a tile from the bag, but not the last *reserved*, which are elsewhere, unseen."""
    return take_from(bag, rng).label if len(bag) > reserved else None


def _validate_slots(game: GameState, move: Fill) -> Reason | None:
    """Checks that the move fills exactly the slots of the main board with tiles of their types."""
    board = game.main_board
    if len(move.depots) != len(board.depots):
        return Reason("wrong_depot_count", {"expected": len(board.depots), "given": len(move.depots)})
    for number, (labels, slots) in enumerate(zip(move.depots, board.depots, strict=True), 1):
        if len(labels) != len(slots):
            return _wrong_space_count(number, len(slots), len(labels))
        for label, slot in zip(labels, slots, strict=True):
            tile_type = slot.type_in(game.phase_letter)
            if label is not None and tile(label).type != tile_type:
                return Reason("wrong_slot_colour", {"tile": label, "depot": number, "colour": tile_type})
    if len(move.black) != len(game.black):
        return _wrong_space_count(BLACK_DEPOT, len(game.black), len(move.black))
    if len(move.goods) != ROUNDS:
        return Reason("wrong_goods_count", {"expected": ROUNDS, "given": len(move.goods)})
    return None


def _wrong_space_count(depot: int, expected: int, given: int) -> Reason:
    return Reason("wrong_space_count", {"depot": depot, "expected": expected, "given": given})


def _validate_drawn(game: GameState, move: Fill) -> Reason | None:
    """Checks that the supply has what was drawn."""
    drawn = Counter(tile(label) for depot in move.depots for label in depot if label is not None)
    drawn += Counter(tile(label, True) for label in move.black if label is not None)
    for t, count in drawn.items():
        left = game.supply.get(t, 0)
        if count > left:
            colour = BLACK_BACK if t.black else t.type
            data = {"tile": t.label, "colour": colour, "given": count, "left": left}
            return Reason("tile_not_in_supply", data)
    return _validate_unfilled(game, move, drawn) or validate_goods_drawn(game, move.goods)


def _validate_unfilled(game: GameState, move: Fill, drawn: Counter[Tile]) -> Reason | None:
    """Checks that a slot stays empty only if its supply has run out."""
    for number, (labels, slots) in enumerate(zip(move.depots, game.main_board.depots, strict=True), 1):
        for label, slot in zip(labels, slots, strict=True):
            tile_type = slot.type_in(game.phase_letter)
            left = sum(n - drawn[t] for t, n in game.supply.items() if not t.black and t.type == tile_type)
            if label is None and left > 0:
                return Reason("slot_empty", {"depot": number, "colour": tile_type})
    left = sum(n - drawn[t] for t, n in game.supply.items() if t.black) - game.hidden_tiles
    if None in move.black and left > 0:
        return Reason("slot_empty", {"depot": BLACK_DEPOT, "colour": BLACK_BACK})
    return None


def _layout(game: GameState) -> ExpectedLayout:
    """Returns the tiles and goods that a phase begins with."""
    slot_types = {
        (number, i): slot.type_in(game.phase_letter)
        for number, depot in enumerate(game.main_board.depots, 1)
        for i, slot in enumerate(depot)
    }
    counts = Counter(slot_types.values())
    supply = {t: n for t, n in game.supply.items() if n}
    possible = {
        tile_type: _possible({t: n for t, n in supply.items() if not t.black and t.type == tile_type}, slots)
        for tile_type, slots in counts.items()
    }
    places = [(f"depot:{number}:{i}", possible[tile_type]) for (number, i), tile_type in slot_types.items()]
    black = _possible({t: n for t, n in supply.items() if t.black}, len(game.black) + game.hidden_tiles)
    places += [(f"black:{i}", black) for i in range(len(game.black))]
    goods = {goods_label(kind): game.goods_supply[kind] for kind in GOODS if game.goods_supply[kind]}
    places += [(f"round:{i}", tuple(goods)) for i in range(ROUNDS)]

    def moves_for(labels: tuple[str, ...]) -> Iterator[tuple[Move, ...]]:
        rest = iter(None if label == EMPTY else label for label in labels)
        depots = tuple(tuple(next(rest) for _ in depot) for depot in game.main_board.depots)
        black_labels = tuple(next(rest) for _ in range(len(game.black)))
        yield (Fill(depots, black_labels, tuple(goods_kind(str(label)) for label in rest)),)

    by_back = {
        kind: {t.label: n for t, n in supply.items() if t.black == (kind == "black")}
        for kind in ("depot", "black")
    }
    return ExpectedLayout("fill", None, tuple(places), moves_for, {**by_back, "round": goods})


def _possible(supply: Mapping[Tile, int], slots: int) -> tuple[str, ...]:
    """Returns the labels possible on slots that are filled from a supply; some stay empty if it is too small."""
    labels = tuple(sorted({t.label for t in supply}))
    return labels if sum(supply.values()) >= slots else (EMPTY, *labels)
