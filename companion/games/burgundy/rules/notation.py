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

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from .moves import WORD_COUNT, InvalidMoveError, Move, about_words, quoted
from .state import GameState
from .tiles import BUILDING, LIVESTOCK, not_a_tile

if TYPE_CHECKING:
    from .decision import Decision

BLACK = "black"


def word_of(label: str) -> str:
    """Returns how people write a tile: ``bank``, ``cow_3``, ``monastery/4``."""
    return label.removeprefix(f"{BUILDING}/").removeprefix(f"{LIVESTOCK}/")


def parse_move(decisions: Mapping[str, Decision[Any]], labels: Collection[str], text: str) -> Move:
    """Returns the move written as *text*; the inverse of ``str(move)``.

    *decisions* are those to choose from, by word; *labels* are those of all tiles.

    :raises InvalidMoveError: if *text* is not a move (legality is not checked).
    """
    if not _is_valid_unicode(text):
        raise InvalidMoveError(f"{quoted(text)} is not a move: it contains half a character")
    word, *words = text.split() or [""]
    if word not in decisions:
        raise InvalidMoveError(
            f"{quoted(text)} is not a move: it must begin with one of {', '.join(decisions)}"
        )
    try:
        move: Move = decisions[word].parse(words)
        _check_labels(move, labels)
    except (ValueError, IndexError, TypeError) as error:
        raise InvalidMoveError(f"{quoted(text)} is no {word!r} move: {about_words(error)}") from error
    if str(move) != " ".join(text.split()):
        raise InvalidMoveError(f"{quoted(text)} is no {word!r} move: it would be written {quoted(str(move))}")
    return move


def short_notation(game: GameState, move: Move) -> str:
    """Returns the short notation of *move*, which must be legal in *game*."""
    return game.ruleset.decision_of(move).short(game, move)


def parse_short(
    game: GameState, decisions: Mapping[str, Decision[Any]], labels: Collection[str], text: str
) -> Move:
    """Returns the move written as *text*, in short or full notation. Legality is not checked.

    :raises InvalidMoveError: if it is no move.
    """
    word, *words = text.split() or [""]
    decision = game.ruleset.decision_by_word.get(word)
    if decision is None:
        return parse_move(decisions, labels, text)
    try:
        short: Move | None = decision.parse_short(game, words)
    except (ValueError, LookupError, TypeError) as not_short:
        try:
            return parse_move(decisions, labels, text)
        except InvalidMoveError as not_full:
            about = about_words(not_short)
            is_about_first = bool(words) and about.startswith(quoted(words[0]))
            if is_about_first and not str(not_full).endswith(
                WORD_COUNT
            ):  # it begins as the full notation does
                raise
            raise InvalidMoveError(f"{quoted(text)} is no {word!r} move here: {about}") from not_full
    return parse_move(decisions, labels, text) if short is None else short


def _check_labels(move: Move, labels: Collection[str]) -> None:
    """Checks that there are the tiles that a move names. Raises ``ValueError`` if there is no such tile."""
    for label in move.labels():
        if label not in labels:
            raise ValueError(not_a_tile(label))


def _is_valid_unicode(text: str) -> bool:
    """Returns whether every character can be stored: JSON may contain half of one (``\\ud800``), which no file can."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
