"""Whether records that come from elsewhere are a game: they are opened as play opens them, and told as pages tell them.

What passes here can be played on, listed and shown; what does not would end the companion later, or keep it from
starting.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from companion.games.api import Rules
from companion.games.burgundy.rules.setup_validation import COLOURS
from companion.journal import FIELDS, SEEN, Entry, Journal, Record, entry_of
from companion.journal.history import ADJUSTED
from companion.journal.player_text import cleaned
from companion.session import LONGEST_NAME, PERSON, TableSession
from companion.text.translator import Translator
from companion.text.turn_log import TurnLog

from .record import record_of

CONFIRMED_BY = ("confirm", SEEN, "tap", "ruling", "assumed", ADJUSTED)
"""How a unit comes about (docs/journal.md)."""
ADJUSTMENT = "adjust"
"""What is done by a move that puts counts right by hand."""


class InvalidGameError(ValueError):
    """Records that no companion writes, or that cannot be played; the message names the first that is wrong."""


def validate(rules: Rules, records: Sequence[Record]) -> None:
    """Checks that *records* are a whole game, by doing with them in memory what play and pages do.

    :raises InvalidGameError: when something cannot be done.
    """
    try:
        _check_form(rules, records)
        record_of(rules, records)
        with closing(_opened(records)) as journal:
            session = TableSession(rules, journal)
            _tell(session)
            while session.snapshot()["can_redo"] is not None:
                session.redo()
    except Exception as error:  # nobody knows all that reading may raise where somebody has written by hand
        raise InvalidGameError(str(error)) from error


def _opened(records: Sequence[Record]) -> Journal:
    """A journal in memory that holds *records*."""
    journal = Journal(":memory:")
    journal.append_all([(record.kind, record.body) for record in records])
    return journal


def _check_form(rules: Rules, records: Sequence[Record]) -> None:
    """That each record has the form in which a companion writes it.

    :raises ValueError: when it has not; so do the errors of looking for what is not there.
    """
    _demand(bool(records) and records[0].kind == "setup", "the first record is no set-up")
    seats = rules.seats(records[0].body)
    people = [seat["colour"] for seat in seats if seat["kind"] == PERSON]
    _demand(all(seat["colour"] in COLOURS for seat in seats), "a colour is none of the game")
    for record in records:
        number = f"record {record.seq}"
        _demand(FIELDS[record.kind] <= record.body.keys(), f"{number} lacks what its kind holds")
        _demand(record.kind != "setup" or record.seq == 1, f"{number} is another set-up")
        for name in ("units", "again"):
            entries = record.body.get(name, [])
            _demand(all(type(entry) is int for entry in entries), f"{number} names no units")
        _check_names(record.body.get("names", {}), people, number)
        if record.kind == "moves":
            _check_unit(rules, entry_of(rules, record), [seat["colour"] for seat in seats], number)


def _check_names(names: dict[str, str], people: Sequence[str], number: str) -> None:
    for colour, name in names.items():
        _demand(colour in people, f"{number} names somebody who is no person")
        _demand(isinstance(name, str) and len(cleaned(name)) <= LONGEST_NAME, f"{number} holds no name")


def _check_unit(rules: Rules, entry: Entry, colours: Sequence[str], number: str) -> None:
    """Moves are checked by the rules; the rest is shown to people."""
    adjusting = all(rules.describe(move)["word"] == ADJUSTMENT for move in entry.moves)
    _demand(entry.by in CONFIRMED_BY and bool(entry.moves), f"{number} was not confirmed as units are")
    _demand(not any(map(rules.beyond, entry.moves)), f"{number} counts beyond what any game does")
    _demand(entry.by != ADJUSTED or adjusting, f"{number} puts right what is no count")
    _demand(entry.player is None or entry.player in colours, f"{number} is nobody's")
    _demand(isinstance(entry.state_hash, str), f"{number} has no hash")
    _demand(
        type(entry.probability) in (int, float) and 0 <= entry.probability <= 1, f"{number} is not probable"
    )
    for option in entry.options:
        Translator().moves(option, rules)
    for die in entry.dice:
        numbers = (*die.box, die.confidence, die.value or 0)
        _demand(all(type(number) in (int, float) for number in numbers), f"{number} has no dice")
        _demand(isinstance(die.colour, str), f"{number} has no dice")


def _tell(session: TableSession) -> None:
    """Tells all that stands, as the pages about a past game do."""
    translator = Translator(view=session.snapshot()["view"], strict=True)
    for turn_entry in TurnLog(session).turn_entries():
        for step in turn_entry.steps:
            translator.move(step.move)
            for event in step.events:
                translator.event(event)


def _demand(holds: bool, wrong: str) -> None:
    if not holds:
        raise ValueError(wrong)
