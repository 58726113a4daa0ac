"""What the owner's copy prints for the Châteauma: asked once, and stored in one file.

    own = OwnersPrint(path, chateauma_module().print_of("special"))
    own.missing("AD")                       # what a game with these modifiers needs and nobody has answered
    own.save({"cards": {"8": [None, None, "livestock", None]}})
    setup["chateauma"] |= own.answers       # cards, inventory_order and marks, in the form of the set-up

The file contains only the owner's answers. A space of a card that is null there is as it was known.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from calibration.documents import read_json
from calibration.errors import CompanionError
from calibration.fields import Field
from calibration.table_writer import write_table

from .modules.chateauma import AnswerError, Print, Unknown

KINDS = ("cards", "inventory_order", "marks")
"""Kinds of answers; each is an option of the Châteauma's set-up."""
MOST_SPACES = 37
"""Limit of spaces for one tile type, on any duchy."""


class AnswerFormError(CompanionError, ValueError):
    """Something else than answers, in a file or sent by a page."""


class PrintFileError(CompanionError, ValueError):
    """The file cannot be used; the message names it and the cure."""


class OwnersPrint:
    """Represents one owner's copy: what is known in print, completed by the answers in the file *path*.

    The file need not exist yet. Safe to use from several threads.

    :raises PrintFileError: if the file contains something else, or what no copy can print.
    """

    def __init__(self, path: Path, known: Print) -> None:
        self.path = path
        self.known = known
        """What is known without the owner's answers."""
        self._lock = threading.Lock()
        self.answers: Mapping[str, Any] = self._read()

    @property
    def print(self) -> Print:
        """What the copy prints, as far as it is known."""
        return self.known.with_answers(self.answers)

    def missing(self, modifiers: Sequence[str]) -> list[Unknown]:
        """Returns what a game with these modifiers may need and nobody has answered."""
        return list(self.print.unknown(modifiers))

    def save(self, answers: Any) -> None:
        """Adds *answers* to those in the file; they are on the disk when this returns.

        :raises AnswerError: if they cannot be what a copy prints.
        :raises AnswerFormError: if they are not answers at all.
        :raises OSError: if the file cannot be written.
        """
        new = _parsed(answers, "the answer", AnswerFormError)
        with self._lock:
            merged = _merged(self._read(), new)
            self.known.with_answers(merged)
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_table(self.path, merged)
            self.answers = merged

    def _read(self) -> dict[str, Any]:
        if not self.path.exists():
            return {}
        try:
            document = read_json(self.path, AnswerFormError)
            answers = _parsed(document, str(self.path), AnswerFormError)
            self.known.with_answers(answers)
        except AnswerError as error:
            raise PrintFileError(
                f"{self.path}: {error}; correct it there, or remove it to be asked again"
            ) from error
        except CompanionError as error:
            raise PrintFileError(
                f"{self.path}: not what a copy prints ({error}); repair it, or name another file with --print"
            ) from error
        return answers


def _parsed(document: Any, source: str, error: type[ValueError]) -> dict[str, Any]:
    """Returns the answers in *document*; whether a copy can print them is checked by the rules."""
    top = Field.document(document, source, error)
    top.only(KINDS)
    answers: dict[str, Any] = {}
    if cards := top.get("cards"):
        answers["cards"] = {number: [_space(s) for s in card.items()] for number, card in cards.entries()}
    if order := top.get("inventory_order"):
        answers["inventory_order"] = [tile_type.text() for tile_type in order.items()]
    if marks := top.get("marks"):
        answers["marks"] = {
            modifier: {
                tile_type: [space.integer(1, MOST_SPACES) for space in spaces.items()]
                for tile_type, spaces in types.entries()
            }
            for modifier, types in marks.entries()
        }
    return answers


def _space(field: Field) -> str | dict[str, Any] | None:
    if field.value is None:
        return None
    if isinstance(field.value, str):
        return field.text()
    field.only(("colour", "sell_goods"))
    return {"colour": field["colour"].text(), "sell_goods": field["sell_goods"].flag()}


def _merged(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the *old* answers updated by the *new* ones, space by space of a card and modifier by modifier."""
    merged = {**old, **new}
    if "cards" in new:
        before = old.get("cards", {})
        cards = {n: _updated(before.get(n, ()), spaces) for n, spaces in new["cards"].items()}
        merged["cards"] = before | cards
    if "marks" in new:
        merged["marks"] = old.get("marks", {}) | new["marks"]
    return merged


def _updated(old: Sequence[Any], new: Sequence[Any]) -> list[Any]:
    """Returns the spaces of a card: the *new* answer if there is one."""
    if len(old) != len(new):
        return list(new)
    return [before if now is None else now for before, now in zip(old, new, strict=True)]
