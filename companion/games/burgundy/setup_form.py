"""How a game is set up: edition, modules, and the seats with their duchies, or with the Châteauma."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.registry import ModuleInfo
from companion.games.setup import (
    AUTOMA,
    BOT,
    PERSON,
    SEVERAL,
    Choice,
    MalformedChoiceError,
    Option,
    PastGame,
    Seat,
    SeatKind,
    SetupForm,
    SetupFormError,
    check_combination,
    check_seats,
    check_values,
    names_of,
    usual_values,
    with_suggestions,
)

from .modules.chateauma import LEVELS, MODIFIERS, ON_TABLE, PIECES, ChateaumaModule
from .modules.chateauma.cards import PLAYS_FIRST
from .rules.setup_validation import PLAYER_COLOURS

BOT_PLAYS = "greedy"
"""Bot that plays for a seat of kind ``bot``."""
FEWEST, MOST = 2, 4
AUTOMA_OPTIONS = (
    Option("level", LEVELS, LEVELS[1]),
    Option("pieces", PIECES, ON_TABLE),
    Option("modifiers", MODIFIERS, (), kind=SEVERAL),
)
CHATEAUMA = ChateaumaModule.id
FREE_MODULES = "special"
"""Edition whose players choose what they play with; the other one comes with it."""
SEAT_OF = {CHATEAUMA: AUTOMA}
"""Module that is chosen by a seat -> the kind of that seat."""
OF_TABLE = ("black_slots",)
"""What a set-up from the table file says besides the boards."""


PLAYED_WITH = {"border_posts": ("border_posts",)}
"""Set of duchies -> modules that its boards are meant for."""


@dataclass(frozen=True)
class BurgundySetup:
    """How *The Castles of Burgundy* is set up, as :class:`companion.games.setup.GameSetup`."""

    editions: Sequence[str]
    """The usual one first."""
    duchies: Callable[[str], Mapping[str, int]]
    """Function from an edition to its duchies, and how many of each one box contains."""
    modules: Callable[[], Sequence[ModuleInfo]]
    """Function that returns the modules that are chosen by name."""
    suitable: Callable[[str, str], Sequence[str]]
    """Function from a module and an edition to the duchies on which it makes a difference."""
    sets: Callable[[str], Mapping[str, Sequence[str]]] = lambda edition: {}
    """Function from an edition to its duchies by the set that they belong to."""

    table_rules: Callable[[str, Sequence[str]], Mapping[str, Sequence[str]]] = lambda edition, modules: {}
    """Function from an edition and the modules that are played to its table rules with their values, the usual one
    first."""

    def form(
        self, options: Mapping[str, Any] | None = None, on_table: Mapping[str, Any] | None = None
    ) -> SetupForm:
        edition = {**(options or {}), **(on_table or {})}.get("edition", self.editions[0])
        if edition not in self.editions:
            raise MalformedChoiceError(f"there is no edition {edition!r}")
        duchy = self._duchy_option(edition)
        boards = _boards(on_table)
        return SetupForm(
            FEWEST,
            min(MOST, len(boards) + 1) if boards else MOST,
            PLAYER_COLOURS,
            (
                SeatKind(PERSON, (duchy,)),
                SeatKind(BOT, (duchy,)),
                SeatKind(AUTOMA, AUTOMA_OPTIONS, most=1, is_automatic=True),
            ),
            (
                Option("edition", (edition,) if boards else self.editions, edition),
                self._modules_option(),
                *self._table_rule_options(edition, options or {}),
            ),
            boards,
        )

    def _duchy_option(self, edition: str) -> Option:
        duchies, sets = tuple(self.duchies(edition)), self.sets(edition)
        known = [module.id for module in self.modules()]
        return Option(
            "duchy",
            duchies,
            duchies[0],
            is_pictured=True,
            groups=sets if len(sets) > 1 else {},
            suggests={
                duchy: {"modules": [module for module in played_with if module in known]}
                for name, played_with in PLAYED_WITH.items()
                for duchy in sets.get(name, ())
            },
        )

    def _modules_option(self) -> Option:
        modules = self.modules()
        return Option(
            "modules",
            [module.id for module in modules],
            (),
            kind=SEVERAL,
            needs={"edition": FREE_MODULES},
            requires={module.id: module.requires for module in modules},
            excludes={module.id: [SEAT_OF.get(one, one) for one in module.excludes] for module in modules},
        )

    def _table_rule_options(self, edition: str, options: Mapping[str, Any]) -> list[Option]:
        chosen = options.get("modules")
        played = chosen if edition == FREE_MODULES and isinstance(chosen, list) else ()
        modules = [module.id for module in self.modules() if module.id in played]
        return [
            Option(name, values, values[0], is_table_rule=True)
            for name, values in self.table_rules(edition, modules).items()
        ]

    def _chosen(self, edition: str, modules: Sequence[str], rules: Mapping[str, str]) -> dict[str, Any]:
        """Returns the game's options with those *rules* that the form asks."""
        chosen = {"edition": edition, "modules": modules}
        asked = self._table_rule_options(edition, chosen)
        return chosen | {option.name: rules[option.name] for option in asked if option.name in rules}

    def proposal(
        self,
        past: Iterable[PastGame] = (),
        on_table: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Choice:
        named = {**(options or {}), **(on_table or {})}
        edition = named.get("edition", self.editions[0])
        modules = list(named.get("modules", ()))
        latest = next(iter(past), None)
        seats = self._seats(edition, latest, _boards(on_table))
        choice: Choice = {
            "options": self._chosen(edition, modules, named.get("rules", {})),
            "seats": seats,
        }
        if "modules" not in named:
            form = self.form({"edition": edition}, on_table)
            for seat in seats:
                choice = with_suggestions(form, choice, seat.get("duchy", ""))
        return choice

    def _seats(
        self, edition: str, latest: PastGame | None, boards: Mapping[str, Mapping[str, Any]]
    ) -> list[dict[str, Any]]:
        """Returns the seats of the boards on the table, of the latest game, or two people.

        Each colour gets the name of the person who played it last.
        """
        names = {seat.colour: seat.name or "" for seat in latest.seats} if latest else {}
        if boards:
            return [
                {"colour": colour, "kind": PERSON, "name": names.get(colour, ""), **board}
                for colour, board in boards.items()
            ]
        duchies = list(self.duchies(edition))
        if latest is None:
            pairs = zip(PLAYER_COLOURS, duchies[:FEWEST], strict=False)
            return [{"colour": colour, "kind": PERSON, "name": "", "duchy": duchy} for colour, duchy in pairs]
        return [
            {"colour": seat.colour, "kind": AUTOMA, **usual_values(AUTOMA_OPTIONS), "level": seat.plays}
            if seat.kind == AUTOMA
            else {
                "colour": seat.colour,
                "kind": seat.kind,
                **({"name": seat.name or ""} if seat.kind == PERSON else {}),
                "duchy": seat.plays if seat.plays in duchies else duchies[0],
            }
            for seat in latest.seats
        ]

    def again(self, setup: Mapping[str, Any], on_table: Mapping[str, Any] | None = None) -> Choice:
        boards, names = _boards(on_table), setup.get("names", {})
        edition = (on_table or setup)["edition"]
        colours = [player["colour"] for player in setup["players"]]
        if boards and set(boards) != set(colours):
            colours = list(boards)
        players = {player["colour"]: player for player in setup["players"]}
        usual = {"duchy": next(iter(self.duchies(edition)))}
        seats: list[dict[str, Any]] = []
        for colour in colours:
            player = players.get(colour, {})
            kind = BOT if "bot" in player else PERSON
            name = {"name": names.get(colour, "")} if kind == PERSON else {}
            board = boards.get(colour) or {"duchy": player.get("duchy", usual["duchy"])}
            seats.append({"colour": colour, "kind": kind, **name, **board})
        if automa := setup.get("chateauma"):
            values = usual_values(AUTOMA_OPTIONS)
            chosen = {name: automa.get(name, value) for name, value in values.items()}
            seats.append({"colour": automa["colour"], "kind": AUTOMA, **chosen})
        chosen = self._chosen(edition, list(setup.get("modules", ())), setup.get("rules", {}))
        return {"options": chosen, "seats": seats}

    def _check_suitable(self, choice: Choice) -> None:
        """Checks that each module makes a difference to somebody. Raises :exc:`SetupFormError` if one does not."""
        duchies = {seat.get("duchy") for seat in choice["seats"] if seat["kind"] != AUTOMA}
        for module in choice["options"].get("modules", ()):
            suitable = self.suitable(module, choice["options"]["edition"])
            is_known = None not in duchies  # a board of one's own may be any
            if suitable and is_known and duchies.isdisjoint(suitable):
                numbers = [int(duchy.rpartition("-")[2]) for duchy in suitable]
                raise SetupFormError(
                    "no_suitable_duchy",
                    option="modules",
                    values=[module],
                    least=min(numbers),
                    most=max(numbers),
                )

    def in_turn_order(self, seats: Sequence[Seat]) -> list[Seat]:
        """Returns the seats in the order in which they play: the Châteauma last, or first by modifier C (S1082,
        S1228)."""

        def place(seat: Seat) -> int:
            return (-1 if PLAYS_FIRST in seat["modifiers"] else 1) if seat["kind"] == AUTOMA else 0

        return sorted(seats, key=place)

    def setup(self, choice: Choice, on_table: Mapping[str, Any] | None = None) -> dict[str, Any]:
        options, seats = choice["options"], choice["seats"]
        form = self.form(options, on_table)
        edition = options["edition"]
        check_seats(form, seats)
        automa = next((seat for seat in seats if seat["kind"] == AUTOMA), None)
        if automa is not None and edition != FREE_MODULES:
            raise SetupFormError("no_automa")
        _check_duchies([seat for seat in seats if "duchy" in seat], self.duchies(edition))
        check_values(form, choice)
        check_combination(form, choice)
        self._check_suitable(choice)
        setup: dict[str, Any] = {
            "edition": edition,
            "players": [_player(seat) for seat in seats if seat["kind"] != AUTOMA],
            "names": names_of(seats),
            **{key: on_table[key] for key in OF_TABLE if on_table and key in on_table},
        }
        rules = [option for option in form.options if option.is_table_rule]
        if unusual := {o.name: options[o.name] for o in rules if options.get(o.name, o.usual) != o.usual}:
            setup["rules"] = unusual
        if modules := options.get("modules"):
            setup["modules"] = list(modules)
        if automa is not None:
            setup["chateauma"] = {name: automa[name] for name in ("colour", "level", "modifiers", "pieces")}
        return setup


def _boards(on_table: Mapping[str, Any] | None) -> dict[str, dict[str, Any]]:
    """Returns the boards on the table, by the colour of their players."""
    return {
        player["colour"]: {name: player[name] for name in ("duchy", "spaces") if name in player}
        for player in (on_table or {}).get("players", ())
    }


def _check_duchies(seats: Sequence[Seat], duchies: Mapping[str, int]) -> None:
    """Checks that the duchies are there, and often enough. Raises :exc:`SetupFormError` if they are not."""
    for seat in seats:
        if seat["duchy"] not in duchies:
            raise SetupFormError("no_duchy", player=seat["colour"])
    played = [seat["duchy"] for seat in seats]
    if scarce := next((duchy for duchy in played if played.count(duchy) > duchies[duchy]), None):
        raise SetupFormError("duchy_twice", count=duchies[scarce], number=scarce.rpartition("-")[2])


def _player(seat: Seat) -> dict[str, Any]:
    player = {name: seat[name] for name in ("colour", "spaces", "duchy") if name in seat}
    return {**player, "bot": BOT_PLAYS} if seat["kind"] == BOT else player
