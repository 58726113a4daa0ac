"""Checks whether records from elsewhere are a game, by opening them as play does and writing all texts as pages do.

Records that pass can be played on, listed and shown; others would crash the companion later, or keep it from starting.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from calibration.documents import explained
from calibration.errors import CompanionError
from companion.games import capabilities
from companion.games.api import Rules
from companion.games.player_text import LONGEST_NAME, cleaned
from companion.games.registry import UnknownGameError, rules_of
from companion.journal import DRAWN, FIELDS, OUT_OF_TURN, SEEN, Entry, Journal, Record, entry_of
from companion.journal.history import ADJUSTED
from companion.session import PERSON, TableSession
from companion.text.translator import Translator
from companion.text.turn_log import TurnLog

from .record import record_of

CONFIRMED_BY = ("confirm", SEEN, "tap", "ruling", "assumed", ADJUSTED, OUT_OF_TURN, DRAWN)
"""How an entry can be confirmed (docs/journal.md)."""
MOST_IN_ENTRY = 100
"""Moves, dice, or answers to choose among, in one entry; a companion writes far fewer. Each page shows them all."""
ADJUSTMENT = "adjust"
"""Word of the move that corrects counts by hand."""


class InvalidGameError(CompanionError, ValueError):
    """Records that no companion writes, or that cannot be played; the message names the first wrong one."""


def validate(records: Sequence[Record]) -> None:
    """Checks that *records* are a complete game, by doing in memory what play and pages do.

    :raises InvalidGameError: when anything fails.
    :raises UnknownGameError: when it is of a game, or of rules, that this companion does not have.
    """
    try:
        rules = rules_of(records[0].body)
        _check_form(rules, records)
        record_of(rules, records)
        with closing(_opened(records)) as journal:
            session = TableSession(rules, journal)
            _write_all_texts(session)
            while session.snapshot()["can_redo"] is not None:
                session.redo()
    except UnknownGameError:
        raise
    except Exception as error:  # records written by hand may raise anything
        raise InvalidGameError(explained(error)) from error


def _opened(records: Sequence[Record]) -> Journal:
    """Returns a journal in memory that holds *records*."""
    journal = Journal(":memory:")
    journal.append_all([(record.kind, record.body) for record in records])
    return journal


def _check_form(rules: Rules, records: Sequence[Record]) -> None:
    """Checks that each record has the form in which a companion writes it.

    :raises InvalidGameError: when one has not; missing fields raise lookup and type errors.
    """
    _require(bool(records) and records[0].kind == "setup", "the first record is not a set-up")
    seats = rules.seats(records[0].body)
    people = [seat["colour"] for seat in seats if seat["kind"] == PERSON]
    texts = Translator(game=rules.name)
    _require(
        all(texts.has(f"player.{seat['colour']}") for seat in seats), "a colour is not one of the game's"
    )
    for record in records:
        number = f"record {record.seq}"
        _require(FIELDS[record.kind] <= record.body.keys(), f"{number} lacks fields of its kind")
        _require(record.kind != "setup" or record.seq == 1, f"{number} is another set-up")
        for name in ("units", "again"):
            entries = record.body.get(name, [])
            _require(all(type(entry) is int for entry in entries), f"{number} names no entries")
        _check_names(record.body.get("names", {}), people, number)
        if record.kind == "moves":
            _check_entry(rules, entry_of(rules, record), [seat["colour"] for seat in seats], number)


def _check_names(names: dict[str, str], people: Sequence[str], number: str) -> None:
    for colour, name in names.items():
        _require(colour in people, f"{number} names a player who is not a person")
        _require(isinstance(name, str) and len(cleaned(name)) <= LONGEST_NAME, f"{number} contains no name")


def _check_entry(rules: Rules, entry: Entry, colours: Sequence[str], number: str) -> None:
    """Checks the fields of an entry that are shown to people; the rules check its moves."""
    adjusting = all(rules.describe(move)["word"] == ADJUSTMENT for move in entry.moves)
    _require(entry.by in CONFIRMED_BY and bool(entry.moves), f"{number} was not confirmed in any known way")
    counts = map(len, (entry.moves, entry.options, entry.dice))
    _require(max(counts) <= MOST_IN_ENTRY, f"{number} contains more than any turn does")
    _require(
        not any(map(capabilities.migrated(rules).impossible_reason, entry.moves)),
        f"{number} has higher counts than any game",
    )
    _require(entry.by != ADJUSTED or adjusting, f"{number} corrects something that is not counted")
    _require(entry.player is None or entry.player in colours, f"{number} belongs to no player")
    _require(isinstance(entry.state_hash, str), f"{number} has no hash")
    _require(
        type(entry.probability) in (int, float) and 0 <= entry.probability <= 1,
        f"{number} has no probability",
    )
    for option in entry.options:
        Translator(game=rules.name).moves(option, rules)
    for die in entry.dice:
        numbers = (*die.box, die.confidence, die.value or 0, *die.probabilities)
        _require(all(type(number) in (int, float) for number in numbers), f"{number} has no dice")
        _require(isinstance(die.colour, str), f"{number} has no dice")


def _write_all_texts(session: TableSession) -> None:
    """Writes the text of every move and event, as the pages about a past game do."""
    translator = Translator(game=session.rules.name, view=session.snapshot()["view"], strict=True)
    for turn_entry in TurnLog(session).turn_entries():
        for step in turn_entry.steps:
            translator.move(step.move)
            for event in step.events:
                translator.event(event)


def _require(is_valid: bool, wrong: str) -> None:
    if not is_valid:
        raise InvalidGameError(wrong)
