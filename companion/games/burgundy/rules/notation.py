"""Moves as people write them down: short, and read against a position.

    take 3 bank             with a 3, or an effect, the bank of depot 3
    take 3 bank die 5       the same, with the die that shows 5 and the workers that this needs
    place 5 bank r2c3       with a 5, the bank on the third space of row 2
    buy black castle        from the black depot; ``buy 4 bank`` with monastery 6
    sell 2, workers 6, goods 3 1,4, discard mine, skip, end

As in chess, the short form leaves out what follows from the position. ``str(move)`` is the full form, which needs no
position and is what journals store; :func:`parse_short` reads both. Where one depot holds the same tile twice, the slot
is added: ``take 3.2 mine``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .abilities import FREE_STEP_WHEN_PLACING, FREE_STEP_WHEN_TAKING, worker_costs
from .moves import (
    BLACK_DEPOT,
    Buy,
    Discard,
    InvalidMoveError,
    Move,
    Outpost,
    Place,
    Sell,
    StartCastle,
    Take,
    TakeWorkers,
    about_words,
    parse_move,
    parse_number,
    quoted,
)
from .state import GameState
from .tiles import BUILDING, LABELS, LIVESTOCK, Tile, tile

BLACK = "black"
_WORD = {label: label.removeprefix(f"{BUILDING}/").removeprefix(f"{LIVESTOCK}/") for label in LABELS}
_LABEL = {word: label for label, word in _WORD.items()} | {label: label for label in LABELS}


def short_notation(game: GameState, move: Move) -> str:
    """Returns the short notation of *move*, which must be legal in *game*."""
    write = _WRITE.get(type(move))
    return write(game, move) if write else str(move)


def parse_short(game: GameState, text: str) -> Move:
    """Returns the move written as *text*, in short or full notation. Legality is not checked.

    :raises InvalidMoveError: if it is no move.
    """
    word, *words = text.split() or [""]
    if word not in _PARSE:
        return parse_move(text)
    try:
        return _PARSE[word](game, words)
    except (ValueError, IndexError, KeyError) as not_short:
        try:
            return parse_move(text)
        except InvalidMoveError:
            raise InvalidMoveError(
                f"{quoted(text)} is not a {word!r} move here: {about_words(not_short)}"
            ) from not_short


def _die(move: Take | Place | Sell, value: int) -> str:
    """Returns the die used if its value is not the one needed."""
    return "" if move.die in (None, value) else f" die {move.die}"


def _depot(game: GameState, move: Take | Buy) -> str:
    depot = BLACK if move.depot == BLACK_DEPOT else str(move.depot)
    there = _tiles(game, move.depot)
    several = sum(t is not None and t.label == move.tile for t in there) > 1
    return f"{depot}.{move.slot + 1}" if several else depot


def _tiles(game: GameState, depot: int) -> list[Tile | None]:
    return game.black if depot == BLACK_DEPOT else game.depots[depot - 1]


def _write_place(game: GameState, move: Place) -> str:
    space = game.player.duchy.spaces[move.space]
    return f"place {space.die} {_WORD[move.tile]} {space.name}{_die(move, space.die)}"


def _write_start_castle(game: GameState, move: StartCastle) -> str:
    space = game.player_of(move.player).duchy.spaces[move.space]
    return f"castle {move.player} {space.name}"


_WRITE: dict[type, Callable[[GameState, Any], str]] = {
    Take: lambda game, m: f"take {_depot(game, m)} {_WORD[m.tile]}{_die(m, m.depot)}",
    Buy: lambda game, m: f"buy {_depot(game, m)} {_WORD[m.tile]}",
    Place: _write_place,
    Sell: lambda game, m: f"sell {m.goods}{_die(m, m.goods)}",
    TakeWorkers: lambda game, m: "workers" if m.die is None else f"workers {m.die}",
    Outpost: lambda game, m: f"outpost {game.player.duchy.spaces[m.space].name}",
    Discard: lambda game, m: f"discard {_WORD[m.tile]}",
    StartCastle: _write_start_castle,
}


def _payment(game: GameState, words: list[str], value: int, free_by: int | None) -> tuple[int | None, int]:
    """Returns the die used and the workers it needs; an open effect replaces the die."""
    if not words and game.pending:
        return None, 0
    die = value
    if words:
        name, number = words
        if name != "die":
            raise ValueError(name)
        die = parse_number(number)
    return die, worker_costs(game.rules, game.player.monasteries, free_by)[die][value]


def _parse_source(game: GameState, where: str, word: str) -> tuple[str, int, int]:
    """Returns label, depot and slot; without a slot, the first that holds the tile."""
    name, _, slot = where.partition(".")
    depot = BLACK_DEPOT if name == BLACK else parse_number(name)
    label = _LABEL[word]
    if slot:
        return label, depot, parse_number(slot) - 1
    return (
        label,
        depot,
        next((i for i, t in enumerate(_tiles(game, depot)) if t is not None and t.label == label), 0),
    )


def _parse_take(game: GameState, words: list[str]) -> Move:
    label, depot, slot = _parse_source(game, words[0], words[1])
    return Take(label, depot, slot, *_payment(game, words[2:], depot, FREE_STEP_WHEN_TAKING))


def _parse_buy(game: GameState, words: list[str]) -> Move:
    where, word = words
    return Buy(*_parse_source(game, where, word))


def _parse_place(game: GameState, words: list[str]) -> Move:
    value, label = parse_number(words[0]), _LABEL[words[1]]
    space = game.player.duchy.space(words[2])
    if value != space.die:
        raise InvalidMoveError(f"{space.name} needs a {space.die}, not a {value}")
    free_by = FREE_STEP_WHEN_PLACING[tile(label).type]
    return Place(label, space.index, *_payment(game, words[3:], value, free_by))


def _parse_sell(game: GameState, words: list[str]) -> Move:
    kind = parse_number(words[0])
    return Sell(kind, *_payment(game, words[1:], kind, None))


def _parse_workers(game: GameState, words: list[str]) -> Move:
    return TakeWorkers(*map(parse_number, words))


def _parse_outpost(game: GameState, words: list[str]) -> Move:
    (name,) = words
    return Outpost(game.player.duchy.space(name).index)


def _parse_discard(game: GameState, words: list[str]) -> Move:
    (word,) = words
    return Discard(_LABEL[word])


def _parse_start_castle(game: GameState, words: list[str]) -> Move:
    colour, name = words
    return StartCastle(colour, game.player_of(colour).duchy.space(name).index)


_PARSE: dict[str, Callable[[GameState, list[str]], Move]] = {
    Take.word: _parse_take,
    Buy.word: _parse_buy,
    Place.word: _parse_place,
    Sell.word: _parse_sell,
    TakeWorkers.word: _parse_workers,
    Outpost.word: _parse_outpost,
    Discard.word: _parse_discard,
    StartCastle.word: _parse_start_castle,
}
