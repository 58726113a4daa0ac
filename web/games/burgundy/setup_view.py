"""How the page draws a layout: what goes where, how far that is known, and what can be told next by one tap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.burgundy.rules.moves import StartGoods
from companion.games.burgundy.rules.tiles import CASTLE
from companion.referee import DOUBTED, OPEN, LaidOut
from companion.session import Snapshot, TableSession
from companion.session.belief import BOARDS_SEEN

from . import drawing
from .drawing import EMPTY, GOODS, Board, Mark

NOT_KNOWN = (OPEN, DOUBTED)
PLACED_AFTER = ("depot", "black", "round")
"""Groups of places that are laid out for a phase, in this order."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place on the main board where something is laid."""

    place: str
    colour: str
    """Type of the tiles that go there, or ``goods``; empty where any may."""
    label: str | None
    known: str
    """As in :class:`companion.referee.LaidOut`."""


@dataclass(frozen=True, slots=True)
class Tray:
    """Slots that lie together: a depot, the black depot, the round spaces."""

    name: str
    number: int
    """Of a depot; 0 for others."""
    slots: tuple[Slot, ...]
    done: bool


@dataclass(frozen=True, slots=True)
class Start:
    """What one person gets before the game."""

    player: str
    step: Mapping[str, Any]
    """Its step in the list: duchy, silver and workers."""
    board: Board
    castles: Mapping[str, Mapping[str, Any]]
    """Place -> the move that lays the first castle there; empty when it lies."""
    goods: tuple[str, ...]
    """Labels, as far as they are known."""
    kinds: Mapping[str, str]
    """Label -> notation of the goods that can be told next; empty when all are known."""
    done: bool


@dataclass(frozen=True, slots=True)
class Laying:
    """A layout to draw."""

    steps: Sequence[Mapping[str, Any]]
    starts: tuple[Start, ...]
    trays: tuple[Tray, ...]
    asked: str | None
    """The place that is told next, where the camera does not see it."""
    choices: Sequence[str]
    """What may lie there, as people look for it."""
    left: int
    """Places of the main board that are not known yet."""
    by_hand: bool
    """Whether people tell what lies where."""

    @property
    def told(self) -> list[Mapping[str, Any]]:
        """The steps in words: what everybody gets is said once."""
        people = [step for step in self.steps if step["step"] == "player"]
        return [step for step in self.steps if step not in people[1:]]


def laying_out(session: TableSession, snapshot: Snapshot) -> Laying | None:
    """The layout that the game waits for; None while something else is going on."""
    steps = session.rules.laying_out(session.state)
    if not steps:
        return None
    by_hand = BOARDS_SEEN not in session.watched
    parts = session.layout_progress()
    known = {here.place: here for _, places in parts for here in places}
    main_board = [place for place in known if place.partition(":")[0] in PLACED_AFTER]
    open_ = [place for place in main_board if known[place].known in NOT_KNOWN]
    notice = snapshot["notice"] or {}
    hidden = notice.get("code", "").endswith("_hidden")
    asked = next(iter(open_), None) if by_hand else notice["place"] if hidden else None
    if asked not in main_board:
        asked = None
    return Laying(
        steps=steps,
        starts=tuple(
            _start(step, player, known, snapshot, _kinds(session, player["colour"]))
            for step in steps
            for player in snapshot["view"]["players"]
            if step["step"] == "player" and step["player"] == player["colour"]
        ),
        trays=tuple(_trays(main_board, known, snapshot["view"])),
        asked=asked,
        choices=drawing.in_order(session.choices(asked)) if asked else (),
        left=len(open_),
        by_hand=by_hand,
    )


def _trays(places: Iterable[str], known: Mapping[str, LaidOut], view: Mapping[str, Any]) -> Iterable[Tray]:
    groups: dict[str, list[Slot]] = {}
    for place in places:
        group = place.rpartition(":")[0]
        slot = Slot(place, _colour(place, view), known[place].label, known[place].known)
        groups.setdefault(group, []).append(slot)
    for group, slots in groups.items():
        name, _, number = group.partition(":")
        done = not any(slot.known in NOT_KNOWN for slot in slots)
        yield Tray(name, int(number or 0), tuple(slots), done)


def _colour(place: str, view: Mapping[str, Any]) -> str:
    group, *numbers = place.split(":")
    if group == "depot":
        return str(view["depots"][int(numbers[0]) - 1]["colours"][int(numbers[1])])
    return "goods" if group == "round" else ""


def _start(
    step: Mapping[str, Any],
    player: Mapping[str, Any],
    known: Mapping[str, LaidOut],
    snapshot: Snapshot,
    kinds: Mapping[str, str],
) -> Start:
    colour = player["colour"]
    castles = {
        f"duchy:{colour}:{move['space']}": move
        for move in snapshot["legal"]
        if move["word"] == "castle" and move["player"] == colour
    }
    seen = {place: Mark("arrives", CASTLE) for place in castles if known[place].label == CASTLE}
    bot_turn = drawing.marks({**snapshot, "proposal": None, "question": None}, ())
    goods = _goods(player, known, snapshot)
    of_player = [here for place, here in known.items() if colour in place.split(":")]
    laid = (bool(seen) or not castles) and bool(goods)
    return Start(
        player=colour,
        step=step,
        board=drawing.board(player, seen or bot_turn),
        castles=castles,
        goods=goods,
        kinds=kinds,
        done=laid and not any(here.known in NOT_KNOWN for here in of_player),
    )


def _kinds(session: TableSession, player: str) -> dict[str, str]:
    """Goods that a person may still be dealt, each with its notation."""
    rules, state = session.rules, session.state
    told = {label: f"{StartGoods.word} {player} {drawing.number(label)}" for label in GOODS}
    return {label: text for label, text in told.items() if not rules.validate(state, rules.parse_move(text))}


def _goods(player: Mapping[str, Any], known: Mapping[str, LaidOut], snapshot: Snapshot) -> tuple[str, ...]:
    """The goods dealt to a person, as far as they are known."""
    dealt = [f"goods/{kind}" for kind, count in player["goods"].items() for _ in range(count)]
    proposed = [
        f"goods/{kind}"
        for move in (snapshot["proposal"] or {"moves": ()})["moves"]
        if move["word"] == StartGoods.word and move["player"] == player["colour"]
        for kind in move["goods"]
    ]
    lying = [here.label for place, here in known.items() if place.startswith(f"goods:{player['colour']}:")]
    seen = [label for label in lying if label not in (None, EMPTY)]
    return tuple([*dealt, *proposed] or filter(None, seen))
