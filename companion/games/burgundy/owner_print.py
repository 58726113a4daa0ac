"""What the owner's copy prints, where copies differ or nobody has seen one: asked once, and stored in one file.

    own = PrintFile(path)
    own.save({"cards": {"8": [None, None, "livestock", None]}})
    setup = own.complete(setup)             # with what the game needs, in the form of its set-up
    own.learn(state)                        # what people have reported in a game
    OwnersPrint(path, chateauma_module().print_of("special")).missing("AD", questions_before(setup))

The file contains only the owner's answers. There is one kind of answers about the main board
(:mod:`.black_depot`); which others there are, modules say (:attr:`.module.Module.print_kinds`).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from calibration.documents import read_json
from calibration.errors import CompanionError, Problem
from calibration.fields import Field
from calibration.table_writer import write_table

from .modules.chateauma import AnswerError, Print, Unknown
from .plugin import black_depot, burgundy
from .rules import GameState
from .rules.owner_print import PrintKind


class AnswerFormError(CompanionError, ValueError):
    """Something else than answers, in a file or sent by a page."""


class PrintFileError(CompanionError, ValueError):
    """The file *path* cannot be used; the message names it and the cure."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path}: {what}")
        self.problem = Problem("print_file", {"file": str(path)}, burgundy().name)


def print_kinds() -> dict[str, PrintKind]:
    """Returns the kinds of answers that the main board and the modules of the box ask for, by name."""
    of_modules = (kind for module in burgundy().modules.values() for kind in module.print_kinds)
    return {kind.name: kind for kind in (black_depot(), *of_modules)}


def questions_before(setup: Mapping[str, Any]) -> list[str]:
    """Returns what the owner must have answered before a game with *setup*, apart from what is printed for the
    Châteauma: names of kinds, or ``KIND:KEY`` for a part of an answer."""
    return [question for kind in print_kinds().values() for question in kind.questions(setup)]


class PrintFile:
    """Represents the owner's answers in the file *path*, which need not exist yet.

    Safe to use from several threads.

    :raises PrintFileError: if the file contains something else, or what no copy can print.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self.answers: Mapping[str, Any] = self._read()
        """Answers by kind."""

    def save(self, answers: Any) -> None:
        """Adds *answers* to those in the file; they are on the disk when this returns.

        :raises AnswerError: if they cannot be what a copy prints.
        :raises AnswerFormError: if they are not answers at all.
        :raises OSError: if the file cannot be written.
        """
        new = _parsed(answers, "the answer")
        with self._lock:
            self._add(self._read(), new)

    def learn(self, game: GameState) -> None:
        """Adds what people have reported in a game.

        :raises PrintFileError: if the file has become unusable.
        :raises OSError: if it cannot be written.
        """
        with self._lock:
            before = self._read()
            taught = {
                kind.name: answer
                for module in game.ruleset.modules
                for kind in module.print_kinds
                if (answer := kind.taught_by(game, before.get(kind.name))) is not None
            }
            if taught:
                self._add(before, taught)

    def complete(self, setup: Mapping[str, Any]) -> dict[str, Any]:
        """Returns *setup* with what its game needs of the answers."""
        for module in burgundy().modules.values():
            setup = module.with_print(setup, self.answers)
        return dict(black_depot().with_print(setup, self.answers))

    def _add(self, before: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        kinds = print_kinds()
        merged = {name: kinds[name].merged(before.get(name), answer) for name, answer in new.items()}
        for name, answer in merged.items():
            kinds[name].check(answer)
        everything = {**before, **merged}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_table(self.path, everything)
        self.answers = everything

    def _read(self) -> dict[str, Any]:
        if not self.path.exists():
            return {}
        try:
            answers = _parsed(read_json(self.path, AnswerFormError), str(self.path))
            for name, kind in print_kinds().items():
                if name in answers:
                    kind.check(answers[name])
        except AnswerError as error:
            raise PrintFileError(
                self.path, f"{error}; correct it there, or remove it to be asked again"
            ) from error
        except CompanionError as error:
            raise PrintFileError(
                self.path, f"not what a copy prints ({error}); repair it, or name another file with --print"
            ) from error
        return answers


class OwnersPrint(PrintFile):
    """Represents one owner's copy with what is *known* in print for the Châteauma, completed by the answers."""

    def __init__(self, path: Path, known: Print) -> None:
        self.known = known
        """What is known without the owner's answers."""
        super().__init__(path)

    @property
    def print(self) -> Print:
        """What the copy prints, as far as it is known."""
        return self.known.with_answers(self.answers)

    def missing(self, modifiers: Sequence[str] | None, questions: Sequence[str] = ()) -> list[Unknown]:
        """Returns what a game may need and nobody has answered.

        :param modifiers: those of the Châteauma; None if it does not take part.
        :param questions: what it needs besides (:func:`questions_before`).
        """
        of_automa = () if modifiers is None else self.print.unknown(modifiers)
        return [*(Unknown(question) for question in questions if not self._is_answered(question)), *of_automa]

    def _is_answered(self, question: str) -> bool:
        kind, _, key = question.partition(":")
        return kind in self.answers and (not key or key in self.answers[kind])


def _parsed(document: Any, source: str) -> dict[str, Any]:
    """Returns the answers in *document*; whether a copy can print them is checked by their kinds."""
    top = Field.document(document, source, AnswerFormError)
    kinds = print_kinds()
    top.only(kinds)
    return {name: kind.parse(field) for name, kind in kinds.items() if (field := top.get(name))}
