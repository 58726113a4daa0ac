"""Burgundy in words: names of its tiles and places, and how the data of its moves and events are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from calibration.board_shape import row_and_column
from companion.games.narration import Event, FieldFormatter, MoveDescription, Narration, events_of
from companion.games.text import Text, capitalised
from vision.sighting import EMPTY

from .instructions import instructions, shortened

NOTHING = "-"
"""How a move writes that there is none of something."""
OPTION_VALUES = {
    "edition": "edition.",
    "level": "level.",
    "modifiers": "option.modifiers_",
    "modules": "game_module.",
    "pieces": "option.pieces_",
}
"""Option of the setup form -> how the texts of its values begin."""
SEATS_AS_VALUES = {"automa": "game_module.chateauma"}
"""Kind of seat that excludes values of an option -> how it is named among them."""
OWNERS = {"card": "side"}
"""Group of places -> the field in which its texts name the owner, if that is neither a player nor a depot."""


# --- players and tiles ------------------------------------------------------------------------------------


def seat_name(view: Mapping[str, Any], colour: str) -> str | None:
    """Returns the text that names the Châteauma where *colour* is its seat."""
    is_automa = any(seat["colour"] == colour for seat in view.get("chateauma", ()))
    return "page.chateauma" if is_automa else None


def tile(text: Text, label: str) -> str:
    """Returns the name of a label: ``bank``, ``3 cows``, ``monastery 7``, ``goods 4``, ``nothing``."""
    return _tile(text, "tile", label)


def the_tile(text: Text, label: str) -> str:
    """Returns the same with its article: ``the bank``."""
    return _tile(text, "the_tile", label)


def _tile(text: Text, form: str, label: str) -> str:
    tile_type, _, variant = label.partition("/")
    face, _, number = variant.partition("_")
    if not variant:
        return text(f"{form}.{tile_type}")
    if variant.isdigit():
        return text(f"{form}.{tile_type}_number", number=variant)
    return text(f"{form}.{tile_type}_{face if number.isdigit() else variant}", number=number)


def tile_help(text: Text, label: str, edition: str) -> str:
    """Returns what a tile does, or what lies on it; an *edition* may have a text of its own. Empty for nothing."""
    tile_type, _, variant = label.partition("/")
    one = f"{tile_type}_{variant}"
    keys = (
        f"tile_help_{edition}.{one}",
        f"tile_help.{one}",
        f"tile_help.{variant}",
        f"tile_help.{tile_type}",
    )
    return next((text(key) for key in keys if text.has(key)), "")


def other_names(text: Text, label: str) -> str:
    """Returns what other boxes call a tile or a thing; empty where all use the same name."""
    tile_type, _, variant = label.partition("/")
    keys = (f"other_name.{tile_type}_{variant}", f"other_name.{tile_type}")
    return next((text(key) for key in keys if text.has(key)), "")


def option_value(text: Text, option: str, value: str) -> str:
    """Returns what is chosen by a value of an option; duchies have numbers."""
    if value in SEATS_AS_VALUES:
        return text(SEATS_AS_VALUES[value])
    return text(OPTION_VALUES[option] + value) if option in OPTION_VALUES else value.rpartition("-")[2]


def option_help(text: Text, option: str, value: str) -> str:
    """Returns what a module is and what it needs, in a sentence."""
    key = f"module_help.{value}"
    return text(key) if option == "modules" and text.has(key) else ""


# --- places -----------------------------------------------------------------------------------------------


def place(text: Text, name: str) -> str:
    """Returns the name of one place: ``depot 3, second space``, ``Red's duchy, row 2 space 3``."""
    group, *names = name.split(":")
    index = int(names.pop())
    if group == "duchy":
        return text("place.duchy", player=names[0], at=_space(text, index, {"player": names[0]}))
    return text(f"place.{group}", nth=index, number=index + 1, space=index, **_owner(group, names))


def place_group(text: Text, name: str) -> str:
    """Returns the name of places that belong together: ``Red's storage``, ``Depot 3``."""
    kind, _, owner = name.partition(":")
    field = "number" if owner.isdigit() else OWNERS.get(kind, "player")
    return text(f"group.{kind}", **{field: owner})


def _is_place(name: str) -> bool:
    """Whether a name is that of one place, and not of several that belong together."""
    return name.rpartition(":")[2].isdigit() and not name.startswith("depot_goods:")


def _placed(text: Text, form: str, name: str) -> str:
    """Returns a place with its preposition: ``in depot 3``, ``from the black depot``."""
    group, *names = name.split(":")
    key = f"{form}.{group}" if text.has(f"{form}.{group}") else f"{form}.other"
    return text(key, place=name, nth=int(names[-1]), **_owner(group, names[:-1]))


def _owner(group: str, names: Sequence[str]) -> dict[str, str]:
    """Returns whose a place is, as a field: a player's, a depot's or a card's; nothing if there is one of its kind."""
    return {"depot" if name.isdigit() else OWNERS.get(group, "player"): name for name in names}


def _where(text: Text, name: str | None, data: Mapping[str, Any]) -> str:
    """Returns a place, a group whose things have no order, or ``beside the boards``."""
    if name is None:
        return text("piece.beside")
    return place(text, name) if _is_place(name) else place_group(text, name)


def _space(text: Text, index: int, data: Mapping[str, Any]) -> str:
    """Returns row and place in the row, or the name of a space that is not named after them, where the player's board
    is known; else the number of the space."""
    owner = data.get("player") or text.view.get("to_move")
    board = next((p for p in text.view.get("players", ()) if p["colour"] == owner), None)
    if board is None or not 0 <= index < len(board["spaces"]):
        return text("place.space_number", number=index + 1)
    space = board["spaces"][index]
    where = row_and_column(space["name"])
    if where is None:
        return text("place.space_named", name=space["name"], number=space["die"])
    return text("place.space", row=where[0] + 1, column=where[1] + 1, number=space["die"])


def _depot(text: Text, depot: int | str, data: Mapping[str, Any]) -> str:
    return text("depot.numbered", number=depot) if int(depot) else text("depot.black")


def _depots(text: Text, depots: Sequence[int], data: Mapping[str, Any]) -> str:
    return text.join(_depot(text, depot, data) for depot in depots) if depots else text("goods.none")


# --- goods, payments, counts ------------------------------------------------------------------------------


def _goods(text: Text, goods: int | Sequence[int], data: Mapping[str, Any]) -> str:
    kinds = [goods] if isinstance(goods, int) else list(goods)
    if not kinds:
        return text("goods.none")
    return text("goods.some", count=len(kinds), numbers=text.join(map(str, kinds)))


def _payment(text: Text, _: None, data: Mapping[str, Any]) -> str:
    die, workers = data.get("die"), data.get("workers")
    if data.get("dice"):
        return text("payment.dice_workers" if workers else "payment.dice", **data)
    if die is None:
        return text("payment.effect", workers=workers) if workers else ""
    return text("payment.workers" if workers else "payment.die", **data)


def _gain(text: Text, _: None, data: Mapping[str, Any]) -> str:
    gains = [text(f"gain.{name}", number=data[name]) for name in ("silver", "workers") if data.get(name)]
    return text.join(gains or [text("gain.nothing")])


def _gains(text: Text, gains: Sequence[Mapping[str, Any]], data: Mapping[str, Any]) -> str:
    """Returns what each of several players gets from the mines."""
    return ", ".join(text("spoken.each.mines", **gain) for gain in gains)


def _load(text: Text, _: None, data: Mapping[str, Any]) -> str:
    return text("load.some" if data["kinds"] else "load.none", **data)


def _values(text: Text, values: Sequence[int], data: Mapping[str, Any]) -> str:
    return text.join(map(str, values)) if values else text("list.none")


def _dice(text: Text, dice: Sequence[Any], data: Mapping[str, Any]) -> str:
    """Returns values (``[3, 5]``), or every player's values (``[["red", [3, 5]], ...]``)."""
    if dice and not isinstance(dice[0], int):
        return ", ".join(f"{text.player(colour)} {text.join(map(str, pair))}" for colour, pair in dice)
    return _values(text, dice, data)


def amount(text: Text, what: str, count: int) -> str:
    """Returns how much somebody has: ``3 workers``."""
    counted, _, kind = what.partition(":")
    return text(f"amount.{counted}", count=count, kind=kind)


def count_name(text: Text, what: str) -> str:
    """Returns what is counted: ``Workers``, ``Goods 4``."""
    counted, _, kind = what.partition(":")
    return text(f"counts.{counted}", kind=kind)


def _differences(text: Text, differences: Sequence[tuple[str, int]], data: Mapping[str, Any]) -> str:
    """Returns by how much counts become more or less."""
    return text.join(_difference(text, what, by) for what, by in differences)


def _difference(text: Text, what: str, by: int) -> str:
    counted, _, kind = what.partition(":")
    return text(f"difference.{counted if by else 'on_top'}", by=by, kind=kind)


def _changes(text: Text, changes: Sequence[Sequence[str]], data: Mapping[str, Any]) -> str:
    """Returns what an override puts where, and how much it gives whom."""
    return ", ".join(_change(text, what, value) for what, value in changes)


def _change(text: Text, what: str, value: str) -> str:
    kind, _, owner = what.partition(":")
    if text.has(f"change.{kind}"):
        return text(f"change.{kind}", player=owner, value=int(value))
    where = _where(text, what, {})
    if value in (EMPTY, NOTHING):
        return text("change.empty" if _is_place(what) else "change.nothing", where=where)
    labels = value.split(",")
    text_of_labels = (
        _goods(text, [int(kind) for kind in labels], {})
        if labels[0].isdigit()
        else text.join(the_tile(text, label) for label in labels)
    )
    return text("change.things", where=where, labels=text_of_labels)


# --- sentences --------------------------------------------------------------------------------------------


def setup_step(text: Text, step: Mapping[str, Any], edition: str) -> str:
    """Returns what is set up in one step; an *edition* may have a text of its own."""
    keys = (f"setup_{edition}.{step['step']}", f"setup.{step['step']}")
    return text(next((key for key in keys if text.has(key)), keys[-1]), **step)


def piece(text: Text, moved: Mapping[str, Any]) -> str:
    """Returns what is to be moved from where to where."""
    places = {"origin_place": moved["origin"], "target_place": moved["target"]}
    return capitalised(text("piece.moved", tile=moved["label"], **places))


def mismatch(text: Text, found: Mapping[str, Any]) -> str:
    """Returns what is wrong on the table; a tile of several animals counts as many."""
    animals = found["tile"].rpartition("_")[2]
    more = {
        "count": int(animals) if animals.isdigit() else 1,
        "location": found["place"],
        "correct_location": found["target"],
        "origin": found["target"],
    }
    return capitalised(text(f"mismatch.{found['code']}", **found, **more))


def _explanation_step(text: Text, step: Mapping[str, Any]) -> str:
    return capitalised(text(f"explanation.{step['code']}", **step))


def explanation(text: Text, steps: Iterable[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Returns sentences for steps, each with its rule; like ones that follow each other are merged."""
    sentences = []
    for code, run in groupby(steps, key=lambda step: step["code"]):
        several = list(run)
        if len(several) > 1 and text.has(f"explanation.{code}_several"):
            numbers = [step["depot"] for step in several]
            several = [{**several[0], "code": f"{code}_several", "depot_numbers": numbers}]
        sentences += [(_explanation_step(text, step), str(step["rule"])) for step in several]
    return sentences


# --- announcements ----------------------------------------------------------------------------------------


def milestones(text: Text, move: MoveDescription, events: Sequence[Event]) -> Iterator[str]:
    """Yields what to say about a new phase, and about a round with its roll."""
    by_kind = {event["kind"]: event for event in events}
    if "phase" in by_kind:
        yield text.spoken_event(by_kind["phase"])
    if "round" in by_kind:
        data = {**move, **by_kind["goods_arrive"], "announcement": text.spoken_event(by_kind["round"])}
        yield text("spoken.roll", **data)


def spoken_question(text: Text, about: str) -> str | None:
    """Returns a question about a duchy's space without row and place, which nobody can follow by ear."""
    group, *owner = about.split(":")
    return text("spoken.asked.duchy", player=owner[0]) if group == "duchy" else None


def bot_turn(text: Text, turn: Mapping[str, Any]) -> list[str]:
    """Returns what people move for a player whom the companion plays."""
    return shortened(instructions(events_of(turn), text), text)


# --- fields -----------------------------------------------------------------------------------------------


def _declined(text: Text, _: None, data: Mapping[str, Any]) -> str:
    return text("declined.one", effect=data["effect"]) if data["effect"] else text("declined.only")


def _symbols(text: Text, symbols: Sequence[str], data: Mapping[str, Any]) -> str:
    return text.join(text(f"symbol.{symbol}") for symbol in symbols or ("none",))


def _keyed(prefix: str) -> FieldFormatter:
    """Returns the formatter of a field whose values have a text each."""
    return lambda text, value, data: text(f"{prefix}.{value}")


def _with_preposition(form: str) -> FieldFormatter:
    return lambda text, value, data: _placed(text, form, value)


FORMATTERS: dict[str, FieldFormatter] = {
    "amount": lambda text, value, data: amount(text, *value),
    "animal": _keyed("animal"),
    "area": lambda text, value, data: text(f"area.{data['colour']}"),
    "cards": _values,
    "changes": _changes,
    "correct_location": _with_preposition("location"),
    "depot": _depot,
    "depot_numbers": _values,
    "depots": _depots,
    "dice": _dice,
    "differences": _differences,
    "declined": _declined,
    "effect": _keyed("effect"),
    "gain": _gain,
    "gains": _gains,
    "goods": _goods,
    "instead": lambda text, value, data: the_tile(text, value),
    "kinds": _goods,
    "laid": lambda text, value, data: text.join(the_tile(text, label) for label in value),
    "level": _keyed("level"),
    "load": _load,
    "location": _with_preposition("location"),
    "named": lambda text, value, data: text.player(value),
    "origin": _with_preposition("origin"),
    "origin_place": _where,
    "game_module": _keyed("game_module"),
    "payment": _payment,
    "place": lambda text, value, data: place(text, value),
    "place_group": lambda text, value, data: place_group(text, value),
    "progress": lambda text, value, data: text("command.progress", phase=data["phase"], round=data["round"]),
    "rule": _keyed("table_rule"),
    "side": _keyed("side"),
    "sides": lambda text, value, data: text.join(text(f"side.{side}") for side in value),
    "source": _keyed("source"),
    "space": _space,
    "squares": _values,
    "stage": _keyed("stage"),
    "symbols": _symbols,
    "target_place": _where,
    "tile": lambda text, value, data: the_tile(text, value),
    "type": _keyed("tile"),
    "types": lambda text, value, data: text.join(tile(text, label) for label in value),
    "unused": _values,
}


NARRATION = Narration(
    formatters=FORMATTERS,
    derived_fields=frozenset({"area", "declined", "gain", "load", "payment"}),
    name_fields=frozenset({"named"}),
    contractions={"page.chateauma": "language.before_chateauma"},
    seat_name=seat_name,
    seat_kinds={"automa": "page.chateauma"},
    tile=tile,
    the_tile=the_tile,
    tile_help=tile_help,
    other_names=other_names,
    option_value=option_value,
    option_help=option_help,
    place=place,
    place_group=place_group,
    amount=amount,
    count_name=count_name,
    setup_step=setup_step,
    piece=piece,
    mismatch=mismatch,
    explanation=explanation,
    shared_kinds=("start_goods", "mines", "final"),
    final_kind="final",  # what mines pay in the last phase is counted at once
    unspoken_kinds=frozenset(
        {
            "livestock",
            "watchtower",
            "advance",
            "start_castle",
            "phase",
            "round",
            "goods_arrive",
            "own_roll",
            "symbols",
            "game_over",
        }
    ),
    unspoken_fields=frozenset({"die", "workers"}),
    kinds_with_points=frozenset({"adjust"}),
    distinguishing_fields={
        frozenset({"workers"}): "workers",
        frozenset({"die"}): "die",
        frozenset({"die", "workers"}): "die",
        frozenset({"kinds"}): "kinds",
        frozenset({"depots", "kinds"}): "kinds",
        frozenset({"goods"}): "goods",
    },
    round_kind="round",
    is_notable=lambda event: event["kind"] != "turn_end" or bool(event["unused"]),
    milestones=milestones,
    spoken_question=spoken_question,
    bot_turn=bot_turn,
)
"""All that Burgundy adds to the texts."""
