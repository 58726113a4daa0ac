"""How the page draws setup and layouts: what goes where, what is known of it, and what can be entered by a tap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games import capabilities
from companion.games.burgundy.rules import BOARDS
from companion.games.burgundy.rules.decisions import StartGoods
from companion.games.burgundy.rules.tiles import CASTLE, EMPTY, goods_label
from companion.referee import DOUBTED, OPEN, PlaceStatus
from companion.session import DRAFTING, Snapshot, TableSession
from companion.session.snapshot import MoveView
from companion.text.translator import Translator

from . import drawing, modules
from .drawing import GOODS, Board, Mark

NOT_KNOWN = (OPEN, DOUBTED)
PLACED_AFTER = ("depot", "black", "round")
"""Groups of places that are filled for a phase, in this order."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place of the main board that is filled."""

    place: str
    tile_type: str
    """Type of the tiles that go there, or ``goods``; empty for any type."""
    label: str | None
    known: str
    """As in :class:`companion.referee.PlaceStatus`."""


@dataclass(frozen=True, slots=True)
class Tray:
    """A group of slots: a depot, the black depot, the round spaces, or what a module lays beside them."""

    group: str
    """Of the places."""
    name: str
    """Kind of the group."""
    number: int
    """Number of the depot; 0 for other trays."""
    slots: tuple[Slot, ...]
    done: bool


@dataclass(frozen=True, slots=True)
class PlayerSetup:
    """What one person gets before the game."""

    player: str
    step: Mapping[str, Any]
    """The setup step of the player: duchy, silver and workers."""
    board: Board
    castles: Mapping[str, Mapping[str, Any]]
    """Place -> move that places the first castle there; empty once it is placed."""
    goods: tuple[str, ...]
    """Labels of the known goods."""
    kinds: Mapping[str, str]
    """Label -> notation of the goods that can be entered next; empty when all are known."""
    done: bool


@dataclass(frozen=True, slots=True)
class SetupView:
    """A setup or layout to draw."""

    steps: Sequence[Mapping[str, Any]]
    player_setups: tuple[PlayerSetup, ...]
    trays: tuple[Tray, ...]
    asked: str | None
    """The place to enter next, if the camera does not see it."""
    choices: Sequence[str]
    """Possible labels of that place, sorted for people."""
    remaining: int
    """Number of places of the main board that are not known yet."""
    by_hand: bool
    """Whether people enter everything by taps."""
    is_first: bool
    """Whether no round has been played."""
    phase: str

    @property
    def shows_players(self) -> bool:
        """Whether it is drawn what players begin with, and not what is laid on the main board or beside it."""
        return bool(self.player_setups) and not (self.by_hand and self.asked)

    @property
    def stage(self) -> str:
        """Returns what is set up: what players begin with, the first phase, or a later one."""
        return "start" if self.shows_players else "first" if self.is_first else "later"

    def title(self, t: Translator) -> str:
        """Returns the heading of the card."""
        return t("setup.title_setup" if self.player_setups else "setup.title_fill", phase=self.phase)

    @property
    def instructions(self) -> list[Mapping[str, Any]]:
        """Returns the steps to describe; what every player gets is described once."""
        people = [step for step in self.steps if step["step"] == "player"]
        return [step for step in self.steps if step not in people[1:]]


def setup_view(session: TableSession, snapshot: Snapshot) -> SetupView | None:
    """Returns the setup or layout that the game waits for; None if it waits for nothing of the kind.

    None also while an earlier entry is entered again: then the table is shown as it was, with what was possible.
    """
    steps = capabilities.guided_setup(session.rules).setup_steps(session.state)
    if not steps or session.status == DRAFTING:
        return None
    by_hand = BOARDS not in session.watched
    parts = session.layout_progress()
    known = {status.place: status for _, places in parts for status in places}
    main_board = [place for place in known if place.partition(":")[0] in _laid_out()]
    open_ = [place for place in main_board if known[place].known in NOT_KNOWN]
    notice = snapshot["notice"] or {}
    hidden = notice.get("code", "").endswith("_hidden")
    asked = next(iter(open_), None) if by_hand else notice["place"] if hidden else None
    if asked not in main_board:
        asked = None
    return SetupView(
        steps=steps,
        player_setups=tuple(
            _player_setup(
                step, player, known, snapshot, session.legal_moves(), _kinds(session, player["colour"])
            )
            for step in steps
            for player in snapshot["view"]["players"]
            if step["step"] == "player" and step["player"] == player["colour"]
        ),
        trays=tuple(_trays(main_board, known, snapshot["view"])),
        asked=asked,
        choices=drawing.in_order(session.choices(asked)) if asked else (),
        remaining=len(open_),
        by_hand=by_hand,
        is_first=not snapshot["view"]["timeline"],
        phase=snapshot["view"]["phase"],
    )


def _laid_out() -> list[str]:
    """Returns the kinds of groups that are filled for a phase."""
    return [*PLACED_AFTER, *(kind for page in modules.pages().values() for kind in page.laid_out)]


def _trays(
    places: Iterable[str], known: Mapping[str, PlaceStatus], view: Mapping[str, Any]
) -> Iterable[Tray]:
    groups: dict[str, list[Slot]] = {}
    for place in places:
        group = place.rpartition(":")[0]
        slot = Slot(place, _tile_type(place, view), known[place].label, known[place].known)
        groups.setdefault(group, []).append(slot)
    for group, slots in groups.items():
        name, _, number = group.partition(":")
        done = not any(slot.known in NOT_KNOWN for slot in slots)
        yield Tray(group, name, int(number or 0), tuple(slots), done)


def _tile_type(place: str, view: Mapping[str, Any]) -> str:
    group, *numbers = place.split(":")
    if group == "depot":
        return str(view["depots"][int(numbers[0]) - 1]["colours"][int(numbers[1])])
    return "goods" if group == "round" else ""


def _player_setup(
    step: Mapping[str, Any],
    player: Mapping[str, Any],
    known: Mapping[str, PlaceStatus],
    snapshot: Snapshot,
    legal: Iterable[MoveView],
    kinds: Mapping[str, str],
) -> PlayerSetup:
    colour = player["colour"]
    castles = {
        f"duchy:{colour}:{move['space']}": move
        for move in legal
        if move["word"] == "castle" and move["player"] == colour
    }
    seen = {place: Mark("arrives", CASTLE) for place in castles if known[place].label == CASTLE}
    bot_turn = drawing.marks({**snapshot, "proposal": None, "question": None}, ())
    goods = _goods(player, known, snapshot)
    of_player = [status for place, status in known.items() if colour in place.split(":")]
    complete = (bool(seen) or not castles) and bool(goods)
    return PlayerSetup(
        player=colour,
        step=step,
        board=drawing.board(player, seen or bot_turn),
        castles=castles,
        goods=goods,
        kinds=kinds,
        done=complete and not any(status.known in NOT_KNOWN for status in of_player),
    )


def _kinds(session: TableSession, player: str) -> dict[str, str]:
    """Returns the goods that a person may still be dealt, with their notation."""
    rules, state = session.rules, session.state
    moves = {label: f"{StartGoods.word} {player} {drawing.number(label)}" for label in GOODS}
    return {label: text for label, text in moves.items() if not rules.validate(state, rules.parse_move(text))}


def _goods(
    player: Mapping[str, Any], known: Mapping[str, PlaceStatus], snapshot: Snapshot
) -> tuple[str, ...]:
    """Returns the known goods that were dealt to a person."""
    dealt = [goods_label(kind) for kind, count in player["goods"].items() for _ in range(count)]
    proposed = [
        goods_label(kind)
        for move in (snapshot["proposal"] or {"moves": ()})["moves"]
        if move["word"] == StartGoods.word and move["player"] == player["colour"]
        for kind in move["goods"]
    ]
    labels = [
        status.label for place, status in known.items() if place.startswith(f"goods:{player['colour']}:")
    ]
    seen = [label for label in labels if label not in (None, EMPTY)]
    return tuple([*dealt, *proposed] or filter(None, seen))
