"""The ways to make moves by touching pieces, each of which plays a role in a move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

from companion.session import DRAFTING, WATCHING, Snapshot, TableSession

if TYPE_CHECKING:
    from .game_page import GamePage

Move = Mapping[str, Any]
View = Mapping[str, Any]

MOST_LISTED = 6
"""With more possible moves than these, the board shows them, and no list."""
BY_HAND = ("boards_by_hand", "entered_by_hand", "partly_watched")
"""Notices of a turn that no camera sees."""


@dataclass(frozen=True, slots=True)
class Role:
    """What pieces can be touched for one part of a move; each of them does equally well."""

    pieces: frozenset[str]
    is_die: bool = False
    """Whether it only pays for the move."""
    is_implied: bool = False
    """Whether the other pieces decide about it: where something is put that can only go there."""


RolesOf = Callable[[Move, View], Sequence[Role]]
"""Returns the roles of a move, given the position before it; none if the move is made with no piece."""


@dataclass(frozen=True, slots=True)
class Way:
    """A move that can be entered, with what is entered before it."""

    move: Move
    roles: Sequence[Role]
    before: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What is entered, in notation."""
        return "; ".join((*self.before, self.move["text"]))

    @property
    def cost(self) -> int:
        """Workers that it takes."""
        return int(self.move.get("workers", 0))

    @property
    def paid_with(self) -> frozenset[str]:
        """The dice that pay for it."""
        return frozenset(piece for role in self.roles if role.is_die for piece in role.pieces)

    @property
    def outcome(self) -> tuple[Any, ...]:
        """What it does, whatever pays for it."""
        return self.move["word"], frozenset(role.pieces for role in self.roles if not role.is_die)

    def is_intended_by(self, touched: Sequence[str]) -> bool:
        """Whether each piece *touched* plays another role in it."""
        return any(
            all(piece in role.pieces for piece, role in zip(touched, roles, strict=True))
            for roles in permutations(self.roles, len(touched))
        )


@dataclass(frozen=True, slots=True)
class Lit:
    """A piece that can be touched next."""

    piece: str
    way: Way | None
    """What is then done; None if more has to be touched."""


def intended(ways: Iterable[Way], touched: Sequence[str]) -> list[Way]:
    """Returns the ways that people may mean by the pieces *touched*; those before the turn ends count first."""
    found = [way for way in ways if way.is_intended_by(touched)]
    now = [way for way in found if not way.before]
    return now or found


def decided(ways: Sequence[Way]) -> Way | None:
    """Returns the cheapest of *ways* if all come to the same but for what pays; None if there is more to choose."""
    if len({way.outcome for way in ways}) != 1:
        return None
    cheapest = min(ways, key=lambda way: way.cost)
    return cheapest if [way.cost for way in ways].count(cheapest.cost) == 1 else None


def made_by(ways: Iterable[Way], touched: Sequence[str]) -> Way | None:
    """Returns what is done when the pieces *touched* are, not all of them dice; None if more has to be touched."""
    found = intended(ways, touched)
    pays = {piece for way in found for role in way.roles if role.is_die for piece in role.pieces}
    return decided(found) if found and not pays.issuperset(touched) else None


def fewest_pieces(ways: Sequence[Way], text: str) -> tuple[str, ...]:
    """Returns the fewest pieces whose touch makes the move *text*, the last of which makes it; or none."""
    roles = next((way.roles for way in ways if way.move["text"] == text), ())
    pieces = [min(role.pieces) for role in roles]
    return next(
        (
            touched
            for count in range(1, len(pieces) + 1)
            for touched in permutations(pieces, count)
            if (way := made_by(ways, touched)) is not None and way.move["text"] == text
        ),
        (),
    )


def touched_next(ways: Sequence[Way], touched: Sequence[str]) -> list[Lit]:
    """Returns the pieces that can be touched after those *touched*, given the *ways* that these may mean."""
    left = [role for way in ways for role in way.roles if role.pieces.isdisjoint(touched)]
    implied = {piece for role in left if role.is_implied for piece in role.pieces}
    found = [
        Lit(piece, decided(intended(ways, [*touched, piece])))
        for piece in dict.fromkeys(piece for role in left for piece in sorted(role.pieces))
    ]
    return [lit for lit in found if lit.way is not None or lit.piece not in implied]


# --- turns that are entered ---


@dataclass(frozen=True, slots=True)
class TurnByHand:
    """What the page offers, besides the pieces, while a turn is entered by touching them."""

    ending: Move | None
    """What ends the turn; None if it cannot end yet."""
    loose: Sequence[Move]
    """The moves that are made with no piece and have no button of their own; empty if there are too many to list."""


def is_by_hand(snapshot: Snapshot) -> bool:
    """Whether the turn is entered on the page, so that touching a piece plays it."""
    if snapshot["bot_turn"] or not snapshot["can_enter"] or snapshot["stage"]["is_chance"]:
        return False
    notice = (snapshot["notice"] or {}).get("code")
    return snapshot["status"] == DRAFTING or (snapshot["status"] == WATCHING and notice in BY_HAND)


def turn_by_hand(session: TableSession, snapshot: Snapshot, page: GamePage) -> TurnByHand | None:
    """Returns what the page offers besides the pieces; None if no turn is entered now, or none by touching pieces."""
    if page.roles_of is None or not is_by_hand(snapshot):
        return None
    legal, view = session.legal_moves(), snapshot["view"]
    ending = next((move for move in legal if ends_turn(session, move)), None)
    loose = [
        move
        for move in legal
        if move is not ending and not page.roles_of(move, view) and not page.has_own_button(move)
    ]
    return TurnByHand(ending, loose if len(loose) <= MOST_LISTED else [])


def ends_turn(session: TableSession, move: Move) -> bool:
    return session.rules.ends_turn(session.rules.parse_move(move["text"]))
