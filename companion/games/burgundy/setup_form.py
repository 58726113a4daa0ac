"""The form of a new game: the seats it proposes, and the set-up that results from what people choose.

A choice is plain data, as the page sends it: the edition and the seats in the order of the first round, each with its
``colour`` and ``kind``: a ``person`` or ``bot`` with a ``duchy`` (and a person's ``name``), or the ``automa`` with its
``level``, ``modifiers`` and ``pieces``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from calibration.errors import CompanionError
from companion.games.player_text import LONGEST_NAME, cleaned

from .modules.chateauma import LEVELS, MODIFIERS, ON_TABLE, PIECES
from .modules.chateauma.cards import PLAYS_FIRST
from .rules.setup_validation import PLAYER_COLOURS

PERSON, BOT, AUTOMA = KINDS = ("person", "bot", "automa")
BOT_PLAYS = "greedy"
"""Bot that plays for a seat of kind ``bot``."""
MOST_SEATS = 4
USUAL_LEVEL = LEVELS[1]

Seat = Mapping[str, Any]


class SeatFormError(CompanionError, ValueError):
    """Something else than seats was sent."""


class SetupFormError(CompanionError, ValueError):
    """A choice that no game can begin with; ``code`` and ``data`` say why in the page's words."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(f"{code} {data}" if data else code)
        self.code = code
        self.data = data


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
    def seats(self) -> Sequence[PastSeat]: ...


def proposed_seats(
    past: Iterable[PastGame], duchies: Sequence[str], seated: Sequence[Seat] = ()
) -> list[Seat]:
    """Returns the seats to propose: those of the boards on the table (*seated*), of the latest game, or two people.

    Each colour gets the name of the person who played it last.
    """
    latest = next(iter(past), None)
    names = {seat.colour: seat.name for seat in latest.seats if seat.name} if latest else {}
    if seated:
        return [
            {**seat, "kind": seat.get("kind", PERSON), "name": names.get(seat["colour"], "")}
            for seat in seated
        ]
    if latest is None:
        pairs = zip(PLAYER_COLOURS, duchies[:2], strict=False)
        return [{"colour": colour, "kind": PERSON, "duchy": duchy, "name": ""} for colour, duchy in pairs]
    return [
        {"colour": seat.colour, "kind": AUTOMA, "level": seat.plays, "modifiers": [], "pieces": ON_TABLE}
        if seat.kind == AUTOMA
        else {
            "colour": seat.colour,
            "kind": seat.kind,
            "duchy": seat.plays if seat.plays in duchies else duchies[0],
            "name": seat.name or "",
        }
        for seat in latest.seats
    ]


def additional_seat(seats: Sequence[Seat], duchies: Sequence[str]) -> Seat:
    """Returns another person's seat, with a colour and a duchy that nobody has yet."""
    taken = {seat["colour"] for seat in seats}
    played = {seat.get("duchy") for seat in seats}
    return {
        "colour": next(colour for colour in PLAYER_COLOURS if colour not in taken),
        "kind": PERSON,
        "duchy": next(duchy for duchy in duchies if duchy not in played),
        "name": "",
    }


def in_turn_order(seats: Sequence[Seat]) -> list[Seat]:
    """Returns the seats in the order in which they play: the Châteauma last, or first by modifier C (S1082, S1228)."""

    def place(seat: Seat) -> int:
        return (-1 if PLAYS_FIRST in seat["modifiers"] else 1) if seat["kind"] == AUTOMA else 0

    return sorted(seats, key=place)


def setup_from_form(choice: Mapping[str, Any], duchies: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """Returns the game's set-up for a *choice*; *duchies* are those of each edition, and how many of each there are.

    :raises SetupFormError: if no game can begin like this.
    """
    edition, seats = choice["edition"], choice["seats"]
    if edition not in duchies:
        raise SetupFormError("no_edition")
    _check(seats, edition, duchies[edition])
    setup: dict[str, Any] = {
        "edition": edition,
        "players": [_player(seat) for seat in seats if seat["kind"] != AUTOMA],
        "names": {seat["colour"]: name for seat in seats if (name := player_name(seat))},
    }
    automa = next((seat for seat in seats if seat["kind"] == AUTOMA), None)
    if automa is not None:
        options = {name: automa[name] for name in ("colour", "level", "modifiers", "pieces")}
        setup["chateauma"] = options
    return setup


def player_name(seat: Seat) -> str:
    """Returns a person's name; empty for others."""
    return cleaned(seat.get("name", "")) if seat["kind"] == PERSON else ""


def _player(seat: Seat) -> dict[str, Any]:
    player = {"colour": seat["colour"]}
    player |= {"spaces": seat["spaces"]} if "spaces" in seat else {"duchy": seat["duchy"]}
    return {**player, "bot": BOT_PLAYS} if seat["kind"] == BOT else player


def _check(seats: Sequence[Seat], edition: str, duchies: Mapping[str, int]) -> None:
    kinds = [seat["kind"] for seat in seats]
    colours = [seat["colour"] for seat in seats]
    names = [name for seat in seats if (name := player_name(seat))]
    if not 2 <= len(seats) <= MOST_SEATS:
        raise SetupFormError("seats", most=MOST_SEATS)
    if PERSON not in kinds:
        raise SetupFormError("nobody")
    if kinds.count(AUTOMA) > 1:
        raise SetupFormError("two_automas")
    if AUTOMA in kinds and edition != "special":
        raise SetupFormError("no_automa")
    if duplicate := _duplicate(colours):
        raise SetupFormError("same_colour", player=duplicate)
    if duplicate := _duplicate(names):
        raise SetupFormError("same_name", name=duplicate)
    if long := next((name for name in names if len(name) > LONGEST_NAME), None):
        raise SetupFormError("long_name", name=long, most=LONGEST_NAME)
    for seat in seats:
        if seat["kind"] != AUTOMA and "spaces" not in seat and seat["duchy"] not in duchies:
            raise SetupFormError("no_duchy", player=seat["colour"])
    played = [seat["duchy"] for seat in seats if "duchy" in seat and seat["kind"] != AUTOMA]
    if scarce := next((duchy for duchy in played if played.count(duchy) > duchies[duchy]), None):
        raise SetupFormError("duchy_twice", count=duchies[scarce], number=scarce.rpartition("-")[2])


def _duplicate(values: Sequence[str]) -> str | None:
    return next((value for value in values if values.count(value) > 1), None)


def parse_seats(data: Any, seated: Sequence[Seat] = ()) -> list[dict[str, Any]]:
    """Returns the seats that a page has sent; boards on the table (*seated*) cannot be changed by it.

    :raises SeatFormError: if *data* are not seats.
    """
    if (
        not isinstance(data, list)
        or len(data) > MOST_SEATS
        or not all(isinstance(seat, dict) for seat in data)
    ):
        raise SeatFormError("no seats")
    boards = {seat["colour"]: seat for seat in seated}
    return [_seat(seat, boards) for seat in data]


def _seat(data: Mapping[str, Any], boards: Mapping[str, Seat]) -> dict[str, Any]:
    colour, kind = _one_of(data, "colour", PLAYER_COLOURS), _one_of(data, "kind", KINDS)
    if kind == AUTOMA:
        modifiers = data.get("modifiers") or []
        if not isinstance(modifiers, list) or not all(m in MODIFIERS for m in modifiers):
            raise SeatFormError("no modifiers")
        return {
            "colour": colour,
            "kind": kind,
            "level": _one_of({"level": USUAL_LEVEL, **data}, "level", LEVELS),
            "modifiers": sorted(set(modifiers)),
            "pieces": _one_of({"pieces": ON_TABLE, **data}, "pieces", PIECES),
        }
    board = boards.get(colour, {})
    played = (
        {"spaces": board["spaces"]}
        if "spaces" in board
        else {"duchy": board.get("duchy", _text(data, "duchy"))}
    )
    return {"colour": colour, "kind": kind, "name": _text(data, "name"), **played}


def _one_of(data: Mapping[str, Any], name: str, choices: Sequence[str]) -> str:
    if data.get(name) not in choices:
        raise SeatFormError(f"{name} is none of {', '.join(choices)}")
    return str(data[name])


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name, "")
    if not isinstance(value, str):
        raise SeatFormError(f"{name} is no text")
    return value
