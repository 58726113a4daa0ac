"""Words: everything a player reads, from one text file per language (``languages/en.json``, ``languages/fr.json``).

    words = Words("fr", view=snapshot["view"])
    words("page.undo")                                     # a text by its key
    words.move(snapshot["legal"][0])                       # "Prendre la banque du dépôt 3 avec le 4"
    words.event({"kind": "livestock", "player": "red", "points": 7, "animal": "cow", "tiles": 2})

A text may hold fields. ``{tile}`` is told in words, by what the field is called (see ``_TELLERS``); ``{points:+}`` is
a number with its sign; ``{tiles:tile|tiles}`` is the first form where the language says that the number is singular,
else the second.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import groupby
from pathlib import Path
from string import Formatter
from typing import Any

from companion.games.api import Rules
from companion.journal.history import ADJUSTED
from vision.sighting import EMPTY

LANGUAGES_FOLDER = Path(__file__).with_name("languages")
DEFAULT_LANGUAGE = "en"
MAX_MISMATCHES = 2
"""Of things that are amiss, so many are named in one breath."""
NOTHING = "-"
"""How a move writes that there is none of something."""
LANGUAGES = tuple(sorted(path.stem for path in LANGUAGES_FOLDER.glob("*.json")))
"""Codes of the languages there are."""


class MissingTextError(KeyError):
    """A text file lacks a text, or what a text's fields need was not given."""


@cache
def texts(language: str) -> dict[str, str]:
    """The texts of a language by dotted key (``move.take``).

    :raises LookupError: when there is no such language.
    """
    if language not in LANGUAGES:
        raise LookupError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    return dict(_flat(json.loads((LANGUAGES_FOLDER / f"{language}.json").read_text(encoding="utf-8"))))


def _flat(tree: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, str]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


class Translator:
    """Represents one language, and the table that is talked about.

    :param picture: the position as in a session's snapshot; None, the default, names spaces by their number alone.
    :param strict: whether a missing text raises :class:`MissingTextError`; when False, the default, its key is shown.
    """

    def __init__(
        self,
        language: str = DEFAULT_LANGUAGE,
        *,
        view: Mapping[str, Any] | None = None,
        strict: bool = False,
    ) -> None:
        self.language = language
        self.view = view or {}
        self.strict = strict
        self._texts = texts(language)
        self._singular = frozenset(map(int, self._texts["language.singular_numbers"].split()))
        self._formatter = _Formatter(self)

    def __call__(self, key: str, /, **data: Any) -> str:
        """The text *key* with its fields filled in from *data*."""
        try:
            return self._formatter.vformat(self._texts[key], (), data)
        except KeyError as error:
            if self.strict:
                raise MissingTextError(f"{self.language}: text {key!r} lacks {error}") from error
            return key

    # --- names ---

    def player(self, name: str) -> str:
        """What the player is called, else ``Châteauma`` or ``Red``; what is no colour of the game is told as it is."""
        if called := self.view.get("names", {}).get(name):
            return str(called)
        if any(seat["colour"] == name for seat in self.view.get("chateauma", ())):
            return self("page.chateauma")
        key = f"player.{name}"
        return self(key) if key in self._texts else name

    def tile(self, label: str) -> str:
        """What a label names: ``bank``, ``3 cows``, ``monastery 7``, ``goods 4``, ``nothing``."""
        return self._tile("tile", label)

    def the_tile(self, label: str) -> str:
        """The same with its article: ``the bank``."""
        return self._tile("the_tile", label)

    def help(self, label: str, edition: str = "") -> str:
        """What a tile does, in the words of this companion; an *edition* may have it otherwise. Empty for nothing."""
        tile_type, _, variant = label.partition("/")
        one = f"{tile_type}_{variant}"
        keys = (f"tile_help_{edition}.{one}", f"tile_help.{one}", f"tile_help.{tile_type}")
        return next((self(key) for key in keys if key in self._texts), "")

    def other_names(self, label: str) -> str:
        """What other boxes call a tile or a thing; empty where all call it the same."""
        tile_type, _, variant = label.partition("/")
        keys = (f"other_name.{tile_type}_{variant}", f"other_name.{tile_type}")
        return next((self(key) for key in keys if key in self._texts), "")

    def setup_step(self, step: Mapping[str, Any], edition: str = "") -> str:
        """What is laid out in one step; an *edition* may have it otherwise."""
        keys = (f"laying_{edition}.{step['step']}", f"laying.{step['step']}")
        return self(next((key for key in keys if key in self._texts), keys[-1]), **step)

    def place(self, place: str) -> str:
        """A place of the table: ``depot 3, second space``, ``Red's duchy, row 2 space 3``."""
        group, *names = place.split(":")
        index = int(names.pop())
        if group == "duchy":
            return self("place.duchy", player=names[0], at=self._space(index, {"player": names[0]}))
        owner = {_OWNERS.get(group, "depot"): names[0]} if names else {}
        return self(f"place.{group}", nth=index, number=index + 1, **owner)

    def group(self, group: str) -> str:
        """Places that belong together: ``Red's storage``, ``Depot 3``."""
        kind, _, owner = group.partition(":")
        named = "number" if owner.isdigit() else _OWNERS.get(kind, "player")
        return self(f"group.{kind}", **{named: owner})

    def button(self, name: str) -> str:
        """A button of the panel: ``Confirm``, or a player's own, ``Confirm, Red``."""
        action, _, player = name.partition(":")
        return (
            self("panel.of_player", button=self.button(action), player=player)
            if player
            else self(f"panel.{action}")
        )

    def join(self, parts: Iterable[str]) -> str:
        """``a``, ``a and b``, ``a, b and c``."""
        *first, last = parts
        return f"{', '.join(first)} {self('list.and')} {last}" if first else last

    def date(self, iso: str) -> str:
        """A moment as this place's clocks show it: ``29 November 2026, 20:15``."""
        at = datetime.fromisoformat(iso).astimezone()
        month = self("language.months").split()[at.month - 1]
        return self("language.date", day=at.day, month=month, year=at.year, time=f"{at:%H:%M}")

    def decimal(self, number: float) -> str:
        """A number with one decimal."""
        return f"{number:.1f}".replace(".", self("language.decimal"))

    # --- sentences ---

    def move(self, description: Mapping[str, Any]) -> str:
        """What a move does, from its description in a session's snapshot."""
        return self(f"move.{description['word']}", **description).strip()

    def spoken_move(self, description: Mapping[str, Any]) -> str:
        """The same within a sentence that is heard: without payment, and without spaces that nobody would name."""
        key = f"spoken.move.{description['word']}"
        told = self(
            key if key in self._texts else f"move.{description['word']}", **{**description, "die": None}
        )
        return told[:1].lower() + told[1:].strip()

    def moves(self, notation: str, rules: Rules) -> list[str]:
        """One sentence for each move of a notation; the end of the turn is told only when nothing else is done."""
        moves = [rules.parse_move(text) for text in notation.split("; ")]
        told = [move for move in moves if not rules.ends_turn(move)] or moves
        return [self.move(rules.describe(move)) for move in told]

    def event(self, event: Mapping[str, Any]) -> str:
        """Who and what: ``Red: +7 for cows (2 tiles)``."""
        told = self.event_without_player(event)
        return (
            self("event_of_player", player=event["player"], told=told)
            if event["player"]
            else capitalised(told)
        )

    def events(
        self, events: Iterable[Mapping[str, Any]], own: str | None = None
    ) -> list[tuple[str, Mapping[str, Any]]]:
        """A sentence for each event, with the event; what came to several players alike is told once, with the first.

        :param own: the player whose deeds these are, who is not named.
        """
        return [(self._of_all(alike, own), alike[0]) for alike in _alike(events)]

    def _of_all(self, alike: Sequence[Mapping[str, Any]], own: str | None) -> str:
        first = alike[0]
        if len(alike) > 1:
            players = [event["player"] for event in alike]
            return self("event_of_players", players=players, told=self.event_without_player(first))
        return self.event_without_player(first) if own and first["player"] == own else self.event(first)

    def step(self, step: Mapping[str, Any]) -> str:
        """Why a virtual player does what it does, from ``steps`` in an event."""
        return capitalised(self(f"trace.{step['code']}", **step))

    def steps(self, steps: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
        """Sentences for steps, each with its rule; like ones that follow each other are told together."""
        told = []
        for code, run in groupby(steps, key=lambda step: step["code"]):
            several = list(run)
            if len(several) > 1 and f"trace.{code}_several" in self._texts:
                numbers = [step["depot"] for step in several]
                several = [{**several[0], "code": f"{code}_several", "depot_numbers": numbers}]
            told += [(self.step(step), str(step["rule"])) for step in several]
        return told

    def amount(self, count: Mapping[str, Any]) -> str:
        """How much somebody has: ``3 workers``, from ``counts`` in a session's snapshot."""
        return self._amount((count["what"], count["value"]), {})

    def amounts(self, counts: Iterable[Mapping[str, Any]]) -> str:
        """The same of several: ``3 workers and 1 silver``."""
        return self.join(map(self.amount, counts))

    def count_name(self, what: str) -> str:
        """What is counted: ``Workers``, ``Goods 4``."""
        counted, _, kind = what.partition(":")
        return self(f"counts.{counted}", kind=kind)

    def piece(self, piece: Mapping[str, Any]) -> str:
        """What is to be moved from where to where, from ``pieces`` in a session's snapshot."""
        data = {"origin_place": piece["origin"], "target_place": piece["target"]}
        return capitalised(self("piece.moved", tile=piece["label"], **data))

    def act(self, act: Mapping[str, Any]) -> str:
        """What was done and can be taken back, or done again: ``Red's turn``, from ``can_undo`` in a snapshot."""
        player, first = act["player"], act["moves"][0]
        if act["by"] == ADJUSTED:
            return self("page.act_adjusted", player=first["player"])
        told = self("page.undo_turn", player=player) if player else self(f"doing.{first['word']}")
        return self("page.act_amended", told=told) if act["amends"] else told

    def mismatch(self, mismatch: Mapping[str, Any]) -> str:
        """What is amiss in a turn without a choice, from ``mismatches`` in a session's snapshot."""
        animals = mismatch["tile"].rpartition("_")[2]
        told = {"count": int(animals) if animals.isdigit() else 1, "lying": mismatch["place"]}
        belonging = {"belonging": mismatch["target"], "origin": mismatch["target"]}
        return capitalised(self(f"mismatch.{mismatch['code']}", **mismatch, **told, **belonging))

    def mismatches(self, mismatches: Sequence[Mapping[str, Any]]) -> str:
        """The first few of them, and how many more there are."""
        told = [self.mismatch(mismatch) for mismatch in mismatches[:MAX_MISMATCHES]]
        more = len(mismatches) - len(told)
        return " ".join([*told, self("mismatch.more", count=more)] if more else told)

    def event_without_player(self, event: Mapping[str, Any]) -> str:
        """What happened, without saying to whom."""
        return self(f"event.{event['kind']}", **event)

    def spoken_event(self, event: Mapping[str, Any]) -> str:
        """The same, to be heard: no signs, and no spaces that nobody would name."""
        key = f"spoken.event.{event['kind']}"
        return self(key, **event) if key in self._texts else self.event_without_player(event)

    def reason(self, code: str, data: Mapping[str, Any]) -> str:
        """Why something cannot be done, for the codes of the rules and of the session."""
        return capitalised(self(f"reason.{code}", **data))

    def reminder(self, reminder: Mapping[str, Any]) -> str:
        """What would be missed by ending the turn now, from ``reminders`` in a session's snapshot."""
        return self(f"reminder.{reminder['code']}", **reminder)

    def notice(self, notice: Mapping[str, Any]) -> str:
        """What the table lacks, from ``notice`` in a session's snapshot."""
        return self(f"notice.{notice['code']}", **notice)

    def breach(self, breach: Mapping[str, Any]) -> str:
        """What is seen and which rule speaks against it, from a proposal's ``breaches``."""
        kind, no_rule = _BREACHES[breach["read"] != EMPTY, breach["expected"] != EMPTY]
        reason = breach["reason"]
        why = self(f"breach.{no_rule}") if reason is None else self.reason(reason["code"], reason)
        return capitalised(self(f"breach.{kind}", place=breach["place"], tile=breach["read"], why=why))

    def question(self, question: Mapping[str, Any]) -> str:
        """What is asked, from ``question`` in a session's snapshot."""
        subject, _, player = question["about"].partition(":")
        if question["kind"] == "moves":
            asked = question["reason"] or subject
            return self(f"question.{asked}", player=player or self.view.get("to_move"))
        return self(f"question.{question['kind']}", colour=subject, **question)

    def question_reason(self, question: Mapping[str, Any]) -> str:
        """Why it is asked; empty when there is nothing to say."""
        return self(f"question_reason.{question['reason']}") if question["reason"] else ""

    # --- fields ---

    def _elided(self, before: str, name: str) -> str:
        """What stands before a name, as the language says it: ``duché d’`` before Anna, ``duché du`` Châteauma."""
        is_automa = name == self._texts["page.chateauma"]
        if not is_automa and not _VOWEL.match(name):
            return before
        pairs = self._texts["language.before_chateauma" if is_automa else "language.elisions"].split()
        for long, _, short in (pair.partition("=") for pair in pairs):
            if before.endswith(f" {long} ") or before == f"{long} ":
                return before[: -len(long) - 1] + short + " " * is_automa
        return before

    def _tile(self, form: str, label: str) -> str:
        tile_type, _, variant = label.partition("/")
        face, _, number = variant.partition("_")
        if not variant:
            return self(f"{form}.{tile_type}")
        if variant.isdigit():
            return self(f"{form}.{tile_type}_number", number=variant)
        return self(f"{form}.{tile_type}_{face if number.isdigit() else variant}", number=number)

    def _space(self, index: int, data: Mapping[str, Any]) -> str:
        """Row and place in the row where the player's board is known, else the number of the space."""
        owner = data.get("player") or self.view.get("to_move")
        board = next((p for p in self.view.get("players", ()) if p["colour"] == owner), None)
        if board is None or not 0 <= index < len(board["spaces"]):
            return self("place.space_number", number=index + 1)
        space = board["spaces"][index]
        return self("place.space", row=space["row"] + 1, column=space["col"] + 1, number=space["die"])

    def _goods(self, goods: int | Sequence[int], data: Mapping[str, Any]) -> str:
        kinds = [goods] if isinstance(goods, int) else list(goods)
        if not kinds:
            return self("goods.none")
        return self("goods.some", count=len(kinds), numbers=self.join(map(str, kinds)))

    def _depots(self, depots: Sequence[int], data: Mapping[str, Any]) -> str:
        return self.join(self._depot(depot, data) for depot in depots) if depots else self("goods.none")

    def _depot(self, depot: int | str, data: Mapping[str, Any]) -> str:
        return self("depot.numbered", number=depot) if int(depot) else self("depot.black")

    def _payment(self, _: None, data: Mapping[str, Any]) -> str:
        if data.get("die") is None:
            return ""
        return self("payment.workers" if data.get("workers") else "payment.die", **data)

    def _gain(self, _: None, data: Mapping[str, Any]) -> str:
        gains = [self(f"gain.{name}", number=data[name]) for name in ("silver", "workers") if data.get(name)]
        return self.join(gains or [self("gain.nothing")])

    def _gains(self, gains: Sequence[Mapping[str, Any]], data: Mapping[str, Any]) -> str:
        """What each of several players gets from the mines."""
        return ", ".join(self("spoken.each.mines", **gain) for gain in gains)

    def _load(self, _: None, data: Mapping[str, Any]) -> str:
        return self("load.some" if data["kinds"] else "load.none", **data)

    def _values(self, values: Sequence[int], data: Mapping[str, Any]) -> str:
        return self.join(map(str, values)) if values else self("list.none")

    def _dice(self, dice: Sequence[Any], data: Mapping[str, Any]) -> str:
        """Values (``[3, 5]``), or every player's values (``[["red", [3, 5]], ...]``)."""
        if dice and not isinstance(dice[0], int):
            return ", ".join(f"{self.player(colour)} {self.join(map(str, pair))}" for colour, pair in dice)
        return self._values(dice, data)

    def _changes(self, changes: Sequence[Sequence[str]], data: Mapping[str, Any]) -> str:
        """What a ruling puts where, and how much it gives whom."""
        return ", ".join(self._change(what, value) for what, value in changes)

    def _differences(self, differences: Sequence[tuple[str, int]], data: Mapping[str, Any]) -> str:
        """What is counted by how much more or less."""
        return self.join(self._difference(what, by) for what, by in differences)

    def _difference(self, what: str, by: int) -> str:
        counted, _, kind = what.partition(":")
        return self(f"difference.{counted if by else 'on_top'}", by=by, kind=kind)

    def _amount(self, amount: tuple[str, int], data: Mapping[str, Any]) -> str:
        """How much of what is counted."""
        what, count = amount
        counted, _, kind = what.partition(":")
        return self(f"amount.{counted}", count=count, kind=kind)

    def _grounds(self, _: None, data: Mapping[str, Any]) -> str:
        """A reason that people gave: one of the usual ones, or their own words."""
        usual = f"adjust_reason.{data['reason']}"
        return self(usual) if usual in self._texts else self("quoted", text=data["reason"])

    def _where(self, name: str | None, data: Mapping[str, Any]) -> str:
        """A place, a group whose things have no order, or beside the boards."""
        if name is None:
            return self("piece.beside")
        return self.place(name) if _is_place(name) else self.group(name)

    def _change(self, what: str, value: str) -> str:
        kind, _, owner = what.partition(":")
        if f"change.{kind}" in self._texts:
            return self(f"change.{kind}", player=owner, value=int(value))
        if _is_place(what):
            return self("change.empty" if value == EMPTY else "change.place", place=what, tile=value)
        if value == NOTHING:
            return self("change.nothing", group=self.group(what))
        things = value.split(",")
        goods = things[0].isdigit()
        labels = (
            self._goods([int(kind) for kind in things], {})
            if goods
            else self.join(map(self.the_tile, things))
        )
        return self("change.group", group=self.group(what), labels=labels)

    def _count_or_players(self, value: int | Sequence[str], data: Mapping[str, Any]) -> str:
        return str(value) if isinstance(value, int) else self.join(map(self.player, value))

    def _placed(self, form: str, place: str) -> str:
        """A place with its preposition: ``in depot 3``, ``from the black depot``."""
        group, *names = place.split(":")
        key = f"{form}.{group}" if f"{form}.{group}" in self._texts else f"{form}.other"
        owner = {_OWNERS.get(group, "depot"): names[0]} if len(names) > 1 else {}
        return self(key, place=place, nth=int(names[-1]), **owner)

    def _about(self, about: str, data: Mapping[str, Any]) -> str:
        """A die (``red:0``), a place, or whose moves."""
        colour, _, index = about.partition(":")
        if f"player.{colour}" in self._texts:
            return self("die.of_player", player=colour, nth=int(index))
        if colour == "white":
            return self("die.white")
        return self.place(about) if about.rpartition(":")[2].isdigit() else self(f"about.{colour}")


def _is_place(name: str) -> bool:
    """Whether a name is that of one place, and not of several that belong together."""
    return name.rpartition(":")[2].isdigit() and not name.startswith("depot_goods:")


_VOWEL = re.compile("[aeiouàâäéèêëîïôöùûüœæ]|y[^aeiouéè]", re.IGNORECASE)
"""How a name begins before which French elides."""


def capitalised(text: str) -> str:
    """*text* as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def _alike(events: Iterable[Mapping[str, Any]]) -> Iterable[list[Mapping[str, Any]]]:
    """Events of one kind that follow each other, those of different players together that say the same of each."""
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


class _Formatter(Formatter):
    """Fills the fields of one language's texts."""

    def __init__(self, translator: Translator) -> None:
        self._words = translator

    def vformat(self, format_string: str, args: Any, kwargs: Mapping[str, Any]) -> str:
        told: list[str] = []
        for literal, name, spec, _ in self.parse(format_string):
            told.append(literal)
            if name is None:
                continue
            value = self.format_field(self.get_field(name, args, kwargs)[0], spec or "")
            if name == "player":
                told[-1] = self._words._elided(literal, value)
            told.append(value)
        return "".join(told)

    def get_field(self, field_name: str, args: Any, kwargs: Mapping[str, Any]) -> tuple[Any, str]:
        if field_name not in kwargs and field_name not in _FROM_OTHERS:
            raise KeyError(field_name)
        return (field_name, kwargs.get(field_name), kwargs), field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        name, datum, data = value
        if "|" in format_spec:
            forms = format_spec.split("|")
            count = datum if isinstance(datum, int) else len(datum)
            return forms[abs(count) not in self._words._singular]
        if not format_spec and name in _TELLERS:
            return _TELLERS[name](self._words, datum, data)
        return format(datum, format_spec)


_OWNERS = {"storage": "player", "goods": "player", "card": "side"}
"""Group of places -> the field in which its texts name whose it is."""

_BREACHES = {
    (True, False): ("came", "nothing_brings"),
    (False, True): ("went", "nothing_takes"),
    (True, True): ("changed", "nothing_changes"),
}
"""Whether something was read, and whether something should lie there -> texts."""

_Teller = Callable[[Translator, Any, Mapping[str, Any]], str]


def _named(prefix: str) -> _Teller:
    """A field whose values have a text each."""
    return lambda translator, value, data: translator(f"{prefix}.{value}")


_TELLERS: dict[str, _Teller] = {
    "about": Translator._about,
    "amount": Translator._amount,
    "animal": _named("animal"),
    "cards": Translator._values,
    "changes": Translator._changes,
    "area": lambda translator, value, data: translator(f"area.{data['colour']}"),
    "bot": _named("bot"),
    "colour": _named("colour"),
    "depot": Translator._depot,
    "depots": Translator._depots,
    "dice": Translator._dice,
    "differences": Translator._differences,
    "effect": _named("effect"),
    "expected": Translator._count_or_players,
    "first": lambda translator, value, data: translator("nth.0" if value else "nth.1"),
    "gain": Translator._gain,
    "gains": Translator._gains,
    "grounds": Translator._grounds,
    "given": Translator._count_or_players,
    "goods": Translator._goods,
    "kinds": Translator._goods,
    "laid": lambda translator, value, data: translator.join(map(translator.the_tile, value)),
    "level": _named("level"),
    "load": Translator._load,
    "lying": lambda translator, value, data: translator._placed("lying", value),
    "belonging": lambda translator, value, data: translator._placed("lying", value),
    "origin_place": Translator._where,
    "target_place": Translator._where,
    "origin": lambda translator, value, data: translator._placed("origin", value),
    "move": _named("doing"),
    "nth": _named("nth"),
    "payment": Translator._payment,
    "place": lambda translator, value, data: translator.place(value),
    "place_group": lambda translator, value, data: translator.group(value),
    "rule": _named("table_rule"),
    "player": lambda translator, value, data: translator.player(value),
    "players": lambda translator, value, data: translator.join(map(translator.player, value)),
    "side": _named("side"),
    "sides": lambda translator, value, data: translator.join(translator(f"side.{side}") for side in value),
    "source": _named("source"),
    "space": Translator._space,
    "stage": _named("stage"),
    "mismatches": lambda translator, value, data: translator.mismatches(value),
    "tile": lambda translator, value, data: translator.the_tile(value),
    "instead": lambda translator, value, data: translator.the_tile(value),
    "depot_numbers": Translator._values,
    "trouble": _named("trouble"),
    "type": _named("tile"),
    "types": lambda translator, value, data: translator.join(map(translator.tile, value)),
    "unused": Translator._values,
}
"""How a field is told, by its name: given the words, its value and all data. Other fields are shown as they are."""

_FROM_OTHERS = ("area", "gain", "grounds", "load", "payment")
"""Fields that are not in the data but told from it."""
