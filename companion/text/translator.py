"""Everything a player reads and hears, in one language.

    translator = Translator("fr", view=snapshot["view"])
    translator("page.undo")                                # a text by its key
    translator.move(session.legal_moves()[0])              # "Prendre 2 allumettes au tas 3"
    translator.event({"kind": "take", "player": "red", "points": 2, "count": 2, "what": "3"})

A text may hold fields. ``{player}`` is written by the formatter of that name, the game's own (:class:`.Narration`) or
one of ``FORMATTERS``; ``{points:+}`` is a number with its sign; ``{tiles:tile|tiles}`` is the first form where the
language says that the number is singular, else the second.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from string import Formatter
from typing import Any

from calibration.errors import Problem
from companion.games.api import Rules
from companion.games.narration import FieldFormatter
from companion.games.registry import default_plugin, plugin
from companion.games.text import Text, capitalised
from companion.journal import OUT_OF_TURN
from companion.journal.history import ADJUSTED
from vision.sighting import EMPTY

from .catalogue import DEFAULT_LANGUAGE, MissingTextError, texts

LANGUAGE_OF_ERRORS = "en"
"""The language of the messages of all errors."""
MAX_MISMATCHES = 2
"""Mismatches that are named at a time."""


class Translator:
    """Represents one language, and the game and the table that the texts are about.

    :param game: the game's name; None, the default, is the game that is played unless another is named.
    :param view: the position as in a session's snapshot; None, the default, names spaces by their number alone.
    :param strict: whether a missing text raises :class:`MissingTextError`; when False, the default, its key is shown.
    """

    def __init__(
        self,
        language: str = DEFAULT_LANGUAGE,
        game: str | None = None,
        *,
        view: Mapping[str, Any] | None = None,
        strict: bool = False,
    ) -> None:
        self.language = language
        self.view = view or {}
        self.narration = (default_plugin() if game is None else plugin(game)).narration
        self.strict = strict
        self._texts = texts(language, game)
        self._singular = frozenset(map(int, self._texts["language.singular_numbers"].split()))
        self._formatter = _FieldsFormatter(self)

    def __call__(self, key: str, /, **data: Any) -> str:
        """Returns the text *key* with its fields filled in from *data*."""
        try:
            return self._formatter.vformat(self._texts[key], (), data)
        except KeyError as error:
            if self.strict:
                raise MissingTextError(f"{self.language}: text {key!r} lacks {error}") from error
            return key

    def of_game(self, game: str | None, view: Mapping[str, Any] | None = None) -> Translator:
        """Returns a translator into the same language for another game or table."""
        return Translator(self.language, game, view=view, strict=self.strict)

    def has(self, key: str) -> bool:
        """Whether the language has a text *key*."""
        return key in self._texts

    # --- names ---

    def player(self, name: str) -> str:
        """Returns the player's name, else ``Red`` or that of an automa; a name that is no colour is left as it is."""
        if called := self.view.get("names", {}).get(name):
            return str(called)
        if seat_name := self.narration.seat_name(self.view, name):
            return self(seat_name)
        key = f"player.{name}"
        return self(key) if key in self._texts else name

    def tile(self, label: str) -> str:
        """Returns the name of a label: ``bank``, ``3 cows``, ``nothing``."""
        return self.narration.tile(self, label)

    def the_tile(self, label: str) -> str:
        """Returns the same with its article: ``the bank``."""
        return self.narration.the_tile(self, label)

    def help(self, label: str, edition: str = "") -> str:
        """Returns what a tile does; an *edition* may have a text of its own. Empty for nothing."""
        return self.narration.tile_help(self, label, edition)

    def other_names(self, label: str) -> str:
        """Returns what other boxes call a tile or a thing; empty where all use the same name."""
        return self.narration.other_names(self, label)

    def setup_step(self, step: Mapping[str, Any], edition: str = "") -> str:
        """Returns what is set up in one step; an *edition* may have a text of its own."""
        return self.narration.setup_step(self, step, edition)

    def option_value(self, option: str, value: str) -> str:
        """Returns what is chosen by a value of an option of the setup form."""
        return self.narration.option_value(self, option, value)

    def option_help(self, option: str, value: str) -> str:
        """Returns what choosing a value of an option means; empty where its name says it."""
        return self.narration.option_help(self, option, value)

    def place(self, place: str) -> str:
        """Returns the name of a place: ``market 3, second space``, ``Red's board, space 3``."""
        return self.narration.place(self, place)

    def die(self, colour: str, index: int) -> str:
        """Returns the name of a die, counted from 0: ``Red's second die``, ``the white die``."""
        shared = f"die.{colour}"
        return (
            self(shared, nth=index) if self.has(shared) else self("die.of_player", player=colour, nth=index)
        )

    def about(self, about: str) -> str:
        """Returns what a question is about: a die (``die:red:0``), a place, or what has a text ``about.NAME``."""
        subject, _, which = about.partition(":")
        if subject == "die":
            colour, _, index = which.partition(":")
            return self.die(colour, int(index))
        text, is_place = f"about.{subject}", which.rpartition(":")[2].isdigit()
        return self(text) if self.has(text) and not is_place else self.place(about)

    def group(self, group: str) -> str:
        """Returns the name of places that belong together: ``Red's hand``, ``Market 3``."""
        return self.narration.place_group(self, group)

    def button(self, name: str) -> str:
        """Returns the name of a button: ``Confirm``, or ``Confirm, Red`` for a player's own."""
        action, _, player = name.partition(":")
        return (
            self("panel.of_player", button=self.button(action), player=player)
            if player
            else self(f"panel.{action}")
        )

    def join(self, parts: Iterable[str]) -> str:
        """Returns ``a``, ``a and b``, or ``a, b and c``."""
        *first, last = parts
        return f"{', '.join(first)} {self('list.and')} {last}" if first else last

    def date(self, iso: str) -> str:
        """Returns a moment in local time: ``29 November 2026, 20:15``."""
        at = datetime.fromisoformat(iso).astimezone()
        month = self("language.months").split()[at.month - 1]
        return self("language.date", day=at.day, month=month, year=at.year, time=f"{at:%H:%M}")

    def decimal(self, number: float, places: int = 1) -> str:
        """Returns a number with so many decimal *places*."""
        written = f"{number:.{places}f}".replace("-", "\N{MINUS SIGN}")
        return written.replace(".", self("language.decimal"))

    # --- sentences ---

    def stage(self, stage: Mapping[str, Any]) -> str:
        """Returns where the game stands, from ``stage`` in a session's snapshot, without the round."""
        return self.narration.stage(self, stage)

    def whose_turn(self, stage: Mapping[str, Any]) -> str:
        """Returns whose turn it is, from ``stage`` in a session's snapshot; where the game stands if it is nobody's."""
        actors = stage["actors"]
        if not actors:
            return self.stage(stage)
        if len(actors) > 1:
            return self("status.watching.several", players=actors)
        return self("status.watching.title", player=actors[0])

    def move(self, description: Mapping[str, Any]) -> str:
        """Returns what a move does, from its description in a session's snapshot."""
        return self(f"move.{description['word']}", **description).strip()

    def spoken_move(self, description: Mapping[str, Any]) -> str:
        """Returns the same as part of a spoken sentence: without payment and coordinates."""
        key = f"spoken.move.{description['word']}"
        unspoken = dict.fromkeys(self.narration.unspoken_fields)
        text = self(
            key if key in self._texts else f"move.{description['word']}", **{**description, **unspoken}
        )
        return text[:1].lower() + text[1:].strip()

    def moves(self, notation: str, rules: Rules) -> list[str]:
        """Returns a sentence for each move of a notation; the end of the turn only if there is no other move."""
        moves = [rules.parse_move(text) for text in notation.split("; ")]
        shown = [move for move in moves if not rules.ends_turn(move)] or moves
        return [self.move(rules.describe(move)) for move in shown]

    def event(self, event: Mapping[str, Any]) -> str:
        """Returns who and what: ``Red: +7 for cows (2 tiles)``."""
        text = self.event_without_player(event)
        if not event["player"]:
            return capitalised(text)
        return self("event_of_player", player=event["player"], event=text)

    def events(
        self, events: Iterable[Mapping[str, Any]], own: str | None = None
    ) -> list[tuple[str, Mapping[str, Any]]]:
        """Returns a sentence for each event, with the event; equal events of several players share one.

        :param own: the player whose turn it is, who is not named.
        """
        return [(self._shared_event(equal, own), equal[0]) for equal in _groups_of_equal(events)]

    def _shared_event(self, equal: Sequence[Mapping[str, Any]], own: str | None) -> str:
        first = equal[0]
        if len(equal) > 1:
            players = [event["player"] for event in equal]
            return self("event_of_players", players=players, event=self.event_without_player(first))
        return self.event_without_player(first) if own and first["player"] == own else self.event(first)

    def steps(self, steps: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
        """Returns why an automatic player does what it does, from ``steps`` in an event: sentences with their rules."""
        return self.narration.explanation(self, steps)

    def amount(self, count: Mapping[str, Any]) -> str:
        """Returns how much somebody has: ``3 pebbles``, from ``counts`` in a session's snapshot."""
        return self.narration.amount(self, count["what"], count["value"])

    def amounts(self, counts: Iterable[Mapping[str, Any]]) -> str:
        """Returns several amounts: ``3 pebbles and 1 coin``."""
        return self.join(map(self.amount, counts))

    def count_name(self, what: str) -> str:
        """Returns what is counted: ``Pebbles``, ``Coins``."""
        return self.narration.count_name(self, what)

    def piece(self, piece: Mapping[str, Any]) -> str:
        """Returns what is to be moved from where to where, from ``pieces`` in a session's snapshot."""
        return self.narration.piece(self, piece)

    def act(self, act: Mapping[str, Any]) -> str:
        """Returns what can be undone or redone: ``Red's turn``, from ``can_undo`` in a snapshot."""
        player, first = act["player"], act["moves"][0]
        if act["by"] == ADJUSTED:
            return self("page.act_adjusted", player=first["player"])
        if act["by"] == OUT_OF_TURN:
            return self("page.act_out_of_turn", player=player, move=first["word"])
        text = self("page.undo_turn", player=player) if player else self(f"doing.{first['word']}")
        return self("page.act_amended", turn=text) if act["amends"] else text

    def mismatch(self, mismatch: Mapping[str, Any]) -> str:
        """Returns what is wrong in a scripted turn, from ``mismatches`` in a session's snapshot."""
        return self.narration.mismatch(self, mismatch)

    def mismatches(self, mismatches: Sequence[Mapping[str, Any]]) -> str:
        """Returns the first few mismatches, and how many more there are."""
        sentences = [self.mismatch(mismatch) for mismatch in mismatches[:MAX_MISMATCHES]]
        if more := len(mismatches) - len(sentences):
            sentences.append(self("mismatch.more", count=more))
        return " ".join(sentences)

    def event_without_player(self, event: Mapping[str, Any]) -> str:
        """Returns what happened, without the player."""
        return self(f"event.{event['kind']}", **event)

    def spoken_event(self, event: Mapping[str, Any]) -> str:
        """Returns what happened, to be heard: without player, signs and coordinates."""
        key = f"spoken.event.{event['kind']}"
        return self(key, **event) if key in self._texts else self.event_without_player(event)

    def reason(self, code: str, data: Mapping[str, Any]) -> str:
        """Returns why something cannot be done, for the codes of the rules and of the session."""
        return capitalised(self(f"reason.{code}", **data))

    def problem(self, problem: Problem) -> str:
        """Returns what is wrong, as part of a sentence."""
        if problem.message and self.language == LANGUAGE_OF_ERRORS:
            return problem.message
        text = self if problem.game is None else self.of_game(problem.game, self.view)
        return text(f"problem.{problem.code}", **problem.data)

    def reminder(self, reminder: Mapping[str, Any]) -> str:
        """Returns what would be missed by ending the turn now, from ``reminders`` in a session's snapshot."""
        return self(f"reminder.{reminder['code']}", **reminder)

    def notice(self, notice: Mapping[str, Any]) -> str:
        """Returns what is missing on the table, from ``notice`` in a session's snapshot."""
        return self(f"notice.{notice['code']}", **notice)

    def breach(self, breach: Mapping[str, Any]) -> str:
        """Returns what is seen and which rule it violates, from a proposal's ``breaches``."""
        kind, no_rule = _BREACHES[breach["read"] != EMPTY, breach["expected"] != EMPTY]
        reason = breach["reason"]
        why = self(f"breach.{no_rule}") if reason is None else self.reason(reason["code"], reason)
        return capitalised(self(f"breach.{kind}", place=breach["place"], tile=breach["read"], why=why))

    def question(self, question: Mapping[str, Any]) -> str:
        """Returns the question, from ``question`` in a session's snapshot."""
        subject, _, owner = question["about"].partition(":")
        if question["kind"] == "moves":
            asked = question["reason"] or subject
            return self(f"question.{asked}", player=owner or self.view.get("to_move"))
        return self(f"question.{question['kind']}", colour=owner, **question)

    def question_reason(self, question: Mapping[str, Any]) -> str:
        """Returns why it is asked; empty if there is no special reason."""
        return self(f"question_reason.{question['reason']}") if question["reason"] else ""

    # --- fields ---

    def elided(self, before: str, name: str) -> str:
        """Returns the text before a name as the language contracts it: ``plateau d’`` Anna, ``plateau de`` Marc."""
        contractions = self.narration.contractions.items()
        own_pairs = next((pairs for key, pairs in contractions if name == self._texts[key]), None)
        if own_pairs is None and not _VOWEL.match(name):
            return before
        pairs = self._texts[own_pairs or "language.elisions"].split()
        for long, _, short in (pair.partition("=") for pair in pairs):
            if before.endswith(f" {long} ") or before == f"{long} ":
                return before[: -len(long) - 1] + short + " " * (own_pairs is not None)
        return before

    def is_singular(self, count: int) -> bool:
        """Whether the language uses the singular for *count* things."""
        return abs(count) in self._singular


_VOWEL = re.compile("[aeiouàâäéèêëîïôöùûüœæ]|y[^aeiouéè]", re.IGNORECASE)
"""How a name begins before which French elides."""


def _groups_of_equal(events: Iterable[Mapping[str, Any]]) -> Iterable[list[Mapping[str, Any]]]:
    """Yields consecutive events of one kind, grouped when they are equal but for the player."""
    for _, run in groupby(events, key=lambda event: event["kind"]):
        groups: list[list[Mapping[str, Any]]] = []
        for event in run:
            for group in groups:
                others = {other["player"] for other in group}
                if (
                    event["player"]
                    and event["player"] not in others
                    and {**group[0], "player": event["player"]} == event
                ):
                    group.append(event)
                    break
            else:
                groups.append([event])
        yield from groups


class _FieldsFormatter(Formatter):
    """Fills the fields of one language's texts."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self._formatters = {
            **FORMATTERS,
            "about": lambda text, value, data: translator.about(value),
            "mismatches": lambda text, value, data: translator.mismatches(value),
            "problem": lambda text, value, data: translator.problem(value),
            **translator.narration.formatters,
        }
        self._name_fields = {"player"} | translator.narration.name_fields
        self._derived_fields = translator.narration.derived_fields | set(_DERIVED_FIELDS)

    def vformat(self, format_string: str, args: Any, kwargs: Mapping[str, Any]) -> str:
        parts: list[str] = []
        for literal, name, spec, _ in self.parse(format_string):
            parts.append(literal)
            if name is None:
                continue
            value = self.format_field(self.get_field(name, args, kwargs)[0], spec or "")
            if name in self._name_fields:
                parts[-1] = self._translator.elided(literal, value)
            parts.append(value)
        return "".join(parts)

    def get_field(self, field_name: str, args: Any, kwargs: Mapping[str, Any]) -> tuple[Any, str]:
        if field_name not in kwargs and field_name not in self._derived_fields:
            raise KeyError(field_name)
        return (field_name, kwargs.get(field_name), kwargs), field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        name, datum, data = value
        if "|" in format_spec:
            forms = format_spec.split("|")
            count = datum if isinstance(datum, int) else len(datum)
            return forms[not self._translator.is_singular(count)]
        if not format_spec and name in self._formatters:
            return self._formatters[name](self._translator, datum, data)
        return format(datum, format_spec)


_BREACHES = {
    (True, False): ("came", "nothing_brings"),
    (False, True): ("went", "nothing_takes"),
    (True, True): ("changed", "nothing_changes"),
}
"""(whether something was read, whether something was expected) -> texts."""


def _keyed(prefix: str) -> FieldFormatter:
    """Returns the formatter of a field whose values have a text each."""
    return lambda text, value, data: text(f"{prefix}.{value}")


def _colour(text: Text, value: str, data: Mapping[str, Any]) -> str:
    key = f"colour.{value}"
    return text(key) if text.has(key) else value


def _count_or_players(text: Text, value: int | Sequence[str], data: Mapping[str, Any]) -> str:
    return str(value) if isinstance(value, int) else text.join(map(text.player, value))


def _remaining(text: Text, value: Sequence[Any], data: Mapping[str, Any]) -> str:
    """Returns the files that could not be deleted, each with the reason."""
    return ", ".join(text(f"remaining.{one.cause}", file=one.path) for one in value)


def _grounds(text: Text, _: None, data: Mapping[str, Any]) -> str:
    """Returns a reason that people gave: one of the usual ones, or their own words."""
    usual = f"adjust_reason.{data['reason']}"
    return text(usual) if text.has(usual) else text("quoted", text=data["reason"])


FORMATTERS: dict[str, FieldFormatter] = {
    "bot": _keyed("bot"),
    "camera_error": lambda text, value, data: text(f"camera.{value}", **data),
    "colour": _colour,
    "expected": _count_or_players,
    "first": lambda text, value, data: text("nth.0" if value else "nth.1"),
    "given": _count_or_players,
    "grounds": _grounds,
    "move": _keyed("doing"),
    "nth": _keyed("nth"),
    "player": lambda text, value, data: text.player(value),
    "players": lambda text, value, data: text.join(map(text.player, value)),
    "remaining": _remaining,
    "trouble": _keyed("trouble"),
    "values": lambda text, value, data: text.join(text.option_value(data["option"], one) for one in value),
}
"""Formatters of the fields that every game has, by their names."""

_DERIVED_FIELDS = ("grounds",)
"""Fields that are not in the data but written from it."""
