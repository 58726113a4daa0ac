"""How a game is set up: what people choose before it, as plain data from which page and command line make their forms.

A *choice* is what people have chosen so far::

    {"options": {"map": "north"}, "seats": [{"colour": "red", "kind": "person", "name": "Ann", "board": "3"}]}

The seats are in the order of the first round. Each has its ``colour`` and ``kind``, a person's ``name``, and a value
for each option of its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from calibration.errors import CompanionError

from .player_text import LONGEST_NAME, cleaned

PERSON, BOT, AUTOMA = "person", "bot", "automa"
"""Kinds of seats that games share; a game may have others."""
ONE, SEVERAL = "one", "several"
"""Kinds of options: one of the values, or any number of them."""
COLOURS = ("red", "blue", "green", "black", "yellow")
"""Colours of seats that every language names (``player.red``), in the order in which they are proposed."""

Choice = Mapping[str, Any]
Seat = Mapping[str, Any]


class SetupFormError(CompanionError, ValueError):
    """A choice that no game can begin with; ``code`` and ``data`` say why in the page's words (``setup_form.CODE``)."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(f"{code} {data}" if data else code)
        self.code = code
        self.data = data


class MalformedChoiceError(CompanionError, ValueError):
    """What a page or a command has sent is no choice at all."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that people choose."""

    name: str
    """The game has a text ``option.NAME`` for it, and ``option.NAME_VALUE`` for each value."""
    values: Sequence[str]
    usual: str | Sequence[str]
    """Its value unless another is chosen; several values if it is of that kind."""
    kind: str = ONE
    is_table_rule: bool = False
    """Whether it settles what the printed rules leave open; the texts ``table_rule.NAME`` and ``table_rule_help.NAME``
    are about it."""
    is_pictured: bool = False
    """Whether the game's page draws each value."""
    needs: Mapping[str, str] = field(default_factory=dict)
    """Values of other options without which it is not asked."""
    requires: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Values without which a value cannot be chosen; the rules check it."""
    excludes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Values, or kinds of seats, with which a value cannot be chosen."""
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Where it has many values, those that belong together: texts ``option_group.OPTION_GROUP``."""
    suggests: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    """Value of a seat -> values of the game's options of kind ``several`` that go with it; they can be changed."""


@dataclass(frozen=True, slots=True)
class SeatKind:
    """Who may sit at the table. A person has a name besides."""

    name: str
    """There is a text ``setup_form.kind_NAME`` for it."""
    options: Sequence[Option] = ()
    """What is chosen for each such seat."""
    most: int | None = None
    """How many of them may play; None for as many as there are seats."""
    is_automatic: bool = False
    """Whether nobody sits there: the rules say what it does, and when; it has no board on the table."""


@dataclass(frozen=True, slots=True)
class SetupForm:
    """What people choose before a game."""

    fewest: int
    """Seats at least, and ..."""
    most: int
    """... at most."""
    colours: Sequence[str]
    """What players can be called, each once."""
    kinds: Sequence[SeatKind]
    """The first one is that of a new seat."""
    options: Sequence[Option] = ()
    """What is chosen once for the game."""
    fixed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By colour, the values of seats that are on the table already and cannot be chosen otherwise."""

    def kind(self, name: str) -> SeatKind:
        """Returns a kind of seats by its name. Raises :exc:`MalformedChoiceError` if there is none."""
        found = next((kind for kind in self.kinds if kind.name == name), None)
        if found is None:
            raise MalformedChoiceError(f"{name!r} is no kind of seat")
        return found

    def asked_options(self, chosen: Mapping[str, Any]) -> list[Option]:
        """Returns the options of the game that are asked, given those *chosen* so far."""
        return [
            option
            for option in self.options
            if all(chosen.get(name) == value for name, value in option.needs.items())
        ]


class PastSeat(Protocol):
    """Who played in an earlier game (:class:`companion.archive.record.SeatRecord`)."""

    @property
    def colour(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def plays(self) -> str: ...

    @property
    def name(self) -> str | None: ...


class PastGame(Protocol):
    """An earlier game (:class:`companion.archive.GameRecord`)."""

    @property
    def game(self) -> str: ...

    @property
    def seats(self) -> Sequence[PastSeat]: ...


class GameSetup(Protocol):
    """How one game is set up."""

    def form(
        self, options: Mapping[str, Any] | None = None, on_table: Mapping[str, Any] | None = None
    ) -> SetupForm:
        """Returns what people choose, given the game's *options* chosen so far: some decide about others.

        *on_table* is a set-up from the table file, with the boards that are on the table. Raises
        :exc:`MalformedChoiceError` if *options* have values that nobody can choose.
        """
        ...

    def proposal(
        self,
        past: Iterable[PastGame] = (),
        on_table: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Choice:
        """Returns the choice to begin with: the boards *on_table* (a set-up from the table file), else the seats of
        the latest of the *past* games of this kind, the latest first, else the fewest people who can play.

        *options* have the values that were named before.
        """
        ...

    def again(self, setup: Mapping[str, Any], on_table: Mapping[str, Any] | None = None) -> Choice:
        """Returns the choice that leads to *setup*, the set-up of an earlier game, again.

        Boards *on_table* (a set-up from the table file) stay where they are.
        """
        ...

    def in_turn_order(self, seats: Sequence[Seat]) -> Sequence[Seat]:
        """Returns the seats in the order in which they play."""
        ...

    def setup(self, choice: Choice, on_table: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Returns the game's set-up. Raises :exc:`SetupFormError` if no game can begin with this choice."""
        ...


@dataclass(frozen=True)
class SimpleSetup:
    """The set-up of a game in which people sit down and choose options, which become parts of the set-up."""

    fewest: int = 2
    most: int = 4
    options: Sequence[Option] = ()
    colours: Sequence[str] = COLOURS

    def form(
        self, options: Mapping[str, Any] | None = None, on_table: Mapping[str, Any] | None = None
    ) -> SetupForm:
        return SetupForm(self.fewest, self.most, self.colours, (SeatKind(PERSON),), self.options)

    def proposal(
        self,
        past: Iterable[PastGame] = (),
        on_table: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Choice:
        latest = next(iter(past), None)
        names = {seat.colour: seat.name or "" for seat in latest.seats} if latest else {}
        colours = [*names] or self.colours[: self.fewest]
        seats = [{"colour": colour, "kind": PERSON, "name": names.get(colour, "")} for colour in colours]
        usual = usual_values(self.options)
        return {"options": {name: (options or {}).get(name, usual[name]) for name in usual}, "seats": seats}

    def again(self, setup: Mapping[str, Any], on_table: Mapping[str, Any] | None = None) -> Choice:
        usual, names = usual_values(self.options), setup.get("names", {})
        colours = [player["colour"] for player in setup["players"]]
        return {
            "options": {name: setup.get(name, value) for name, value in usual.items()},
            "seats": [
                {"colour": colour, "kind": PERSON, "name": names.get(colour, "")} for colour in colours
            ],
        }

    def in_turn_order(self, seats: Sequence[Seat]) -> Sequence[Seat]:
        return seats

    def setup(self, choice: Choice, on_table: Mapping[str, Any] | None = None) -> dict[str, Any]:
        check_seats(self.form(), choice["seats"])
        players = [{"colour": seat["colour"]} for seat in choice["seats"]]
        return {**choice["options"], "players": players, "names": names_of(choice["seats"])}


# --- what is chosen, by the form --------------------------------------------------------------------------


def usual_values(options: Iterable[Option]) -> dict[str, Any]:
    """Returns the usual value of each option."""
    return {o.name: o.usual if o.kind == ONE else list(o.usual) for o in options}


def player_name(seat: Seat) -> str:
    """Returns a person's name; empty for others."""
    return cleaned(seat.get("name", "")) if seat["kind"] == PERSON else ""


def names_of(seats: Iterable[Seat]) -> dict[str, str]:
    """Returns the names of the people who have one, by colour."""
    return {seat["colour"]: name for seat in seats if (name := player_name(seat))}


def parsed_choice(game: GameSetup, data: Any, on_table: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Returns the choice that a page has sent, with nothing but what the form asks.

    A value that its option no longer has, since another option has changed, stays as it is (see :func:`settled`).

    :raises MalformedChoiceError: if *data* is no choice.
    """
    if not isinstance(data, Mapping):
        raise MalformedChoiceError("no choice")
    given, seats = data.get("options", {}), data.get("seats")
    if not isinstance(given, Mapping) or not isinstance(seats, list):
        raise MalformedChoiceError("no options or no seats")
    form = game.form(given, on_table)
    options = {option.name: _value(option, given) for option in form.asked_options(given)}
    if len(seats) > form.most or not all(isinstance(seat, Mapping) for seat in seats):
        raise MalformedChoiceError("no seats")
    return {"options": options, "seats": [_seat(form, seat) for seat in seats]}


def _seat(form: SetupForm, data: Mapping[str, Any]) -> dict[str, Any]:
    kind = form.kind(_text(data, "kind"))
    colour = _text(data, "colour")
    if colour not in form.colours:
        raise MalformedChoiceError(f"{colour!r} is no colour")
    values = {option.name: _value(option, data) for option in kind.options}
    name = {"name": _text(data, "name")} if kind.name == PERSON else {}
    if not kind.is_automatic and colour in form.fixed:
        values = dict(form.fixed[colour])
    return {"colour": colour, "kind": kind.name, **name, **values}


def _value(option: Option, data: Mapping[str, Any]) -> Any:
    value = data.get(option.name, option.usual)
    if option.kind == ONE:
        return _text({option.name: value}, option.name)
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise MalformedChoiceError(f"{option.name} are no values")
    if not all(one in option.values for one in value):
        raise MalformedChoiceError(f"{option.name} has no such values")
    return [one for one in option.values if one in value]


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name, "")
    if not isinstance(value, str):
        raise MalformedChoiceError(f"{name} is no text")
    return value


def settled(form: SetupForm, choice: Choice) -> dict[str, Any]:
    """Returns a choice in which values that the form does not have are replaced by usual ones."""
    options = {o.name: _settled(o, choice["options"]) for o in form.asked_options(choice["options"])}
    seats = [
        {**seat, **{o.name: _settled(o, seat) for o in form.kind(seat["kind"]).options if o.name in seat}}
        for seat in choice["seats"]
    ]
    return {"options": options, "seats": seats}


def _settled(option: Option, values: Mapping[str, Any]) -> Any:
    value = values.get(option.name, option.usual)
    return option.usual if option.kind == ONE and value not in option.values else value


def with_suggestions(form: SetupForm, choice: Choice, value: str) -> dict[str, Any]:
    """Returns a choice with what a seat's *value*, which has just been chosen, suggests for the game."""
    options = dict(choice["options"])
    for kind in form.kinds:
        for option in kind.options:
            for name, values in option.suggests.get(value, {}).items():
                if name in options:
                    options[name] = [*options[name], *(one for one in values if one not in options[name])]
    return {**choice, "options": options}


def excluded(option: Option, choice: Choice) -> dict[str, list[str]]:
    """Returns the values that cannot be chosen now, each with what is in its way."""
    present = [*choice["options"].get(option.name, ()), *(seat["kind"] for seat in choice["seats"])]
    found = {
        value: [one for one in option.excludes.get(value, ()) if one in present] for value in option.values
    }
    return {value: against for value, against in found.items() if against}


def check_combination(form: SetupForm, choice: Choice) -> None:
    """Checks that what is chosen goes together. Raises :exc:`SetupFormError` if it does not."""
    for option in form.asked_options(choice["options"]):
        chosen = choice["options"].get(option.name, ())
        for value, against in excluded(option, choice).items():
            if value in chosen:
                raise SetupFormError("not_together", option=option.name, values=[value, *against])
        for value in chosen if option.kind == SEVERAL else ():
            if missing := [one for one in option.requires.get(value, ()) if one not in chosen]:
                raise SetupFormError("only_together", option=option.name, values=[value, *missing])


def additional_seat(form: SetupForm, seats: Sequence[Seat]) -> dict[str, Any]:
    """Returns one more seat: a board on the table without a player, else one with a colour, and values of pictured
    options, that nobody has yet."""
    taken = {seat["colour"] for seat in seats}
    kind = form.kinds[0]
    colour = next((c for c in (*form.fixed, *form.colours) if c not in taken), form.colours[0])
    fixed = form.fixed.get(colour)
    values = usual_values(kind.options) | {
        option.name: next(
            (value for value in option.values if value not in {seat.get(option.name) for seat in seats}),
            option.usual,
        )
        for option in kind.options
        if option.is_pictured
    }
    name = {"name": ""} if kind.name == PERSON else {}
    return {"colour": colour, "kind": kind.name, **name, **(values if fixed is None else fixed)}


def check_seats(form: SetupForm, seats: Sequence[Seat]) -> None:
    """Checks the seats of a choice. Raises :exc:`SetupFormError` if no game can begin with them."""
    kinds = [seat["kind"] for seat in seats]
    names = [name for seat in seats if (name := player_name(seat))]
    if not form.fewest <= len(seats) <= form.most:
        raise SetupFormError("seats", fewest=form.fewest, most=form.most)
    if PERSON not in kinds and any(kind.name == PERSON for kind in form.kinds):
        raise SetupFormError("nobody")
    for kind in form.kinds:
        if kind.most is not None and kinds.count(kind.name) > kind.most:
            raise SetupFormError(f"too_many_{kind.name}", most=kind.most)
    if twice := duplicate([seat["colour"] for seat in seats]):
        raise SetupFormError("same_colour", player=twice)
    if twice := duplicate(names, str.casefold):  # nobody hears the difference
        raise SetupFormError("same_name", name=twice)
    if long := next((name for name in names if len(name) > LONGEST_NAME), None):
        raise SetupFormError("long_name", name=long, most=LONGEST_NAME)


def check_values(form: SetupForm, choice: Choice) -> None:
    """Checks that every value of a choice is one of its option's. Raises :exc:`MalformedChoiceError` if one is not."""
    asked = [(option, choice["options"]) for option in form.asked_options(choice["options"])]
    asked += [(option, seat) for seat in choice["seats"] for option in form.kind(seat["kind"]).options]
    for option, values in asked:
        if option.kind == ONE and option.name in values and values[option.name] not in option.values:
            raise MalformedChoiceError(f"{option.name} cannot be {values[option.name]!r}")


def duplicate(values: Sequence[str], key: Callable[[str], str] = str) -> str | None:
    """Returns a value whose *key* is there more than once; None if there is none."""
    keys = list(map(key, values))
    return next((value for value in values if keys.count(key(value)) > 1), None)
