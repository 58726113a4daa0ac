"""Touching pieces: which move people mean by the pieces they have touched, and what they may touch next.

A move is made with pieces, each of which plays a role in it: the tile that is taken, the space on which it is placed,
the die that pays for it. Pieces are named like the place where they lie, dice ``die:COLOUR:VALUE``. Whoever touches one
sees what can be touched next and what it would bring; once everything but the die is clear, the cheapest way to pay is
taken. A game whose page names no pieces is played from its list of moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flask import Blueprint, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from companion.session import TableSession
from companion.text.translator import Translator

from .context import page_context, translator
from .game_page import part_of
from .page import shown_label
from .ways import MOST_LISTED, RolesOf, Way, ends_turn, intended, made_by, touched_next

Move = Mapping[str, Any]

MOST_PIECES = 3
"""Pieces that anybody touches for one move."""
touch = Blueprint("touch", __name__)


def ways_of(session: TableSession) -> list[Way]:
    """Returns the ways to make each move that can be entered now.

    Once no die is left, whoever is next may begin, which ends the turn.
    """
    roles_of = part_of(session.rules.name).page.roles_of
    if roles_of is None:
        return []
    here = _ways(session.legal_moves(), session.rules.view(session.shown_state), roles_of)
    ending = next((way for way in here if ends_turn(session, way.move)), None)
    if ending is None or any(way.paid_with for way in here):
        return here
    after = session.preview(ending.move["text"])
    return [*here, *_ways(after["moves"], after["view"], roles_of, (ending.move["text"],))]


def _ways(
    moves: Iterable[Move],
    view: Mapping[str, Any],
    roles_of: RolesOf,
    before: tuple[str, ...] = (),
) -> list[Way]:
    return [Way(move, roles_of(move, view), before) for move in moves]


@touch.get("/touch")
def touch_pieces() -> ResponseReturnValue:
    """Returns what is done by touching the pieces ``?piece=a&piece=b``, or what can be touched next, or why nothing."""
    touched = request.args.getlist("piece")
    if not 0 < len(touched) <= MOST_PIECES:
        abort(400)
    session = page_context().session
    answer = session.read(lambda s: _answer(s, touched, translator(s.snapshot()["view"])))
    return jsonify(answer)


def _answer(session: TableSession, touched: Sequence[str], t: Translator) -> dict[str, Any]:
    possible = ways_of(session)
    if (way := made_by(possible, touched)) is not None:
        return {"do": way.text}
    ways = intended(possible, touched)
    lit = touched_next(ways, touched)
    return {
        "lit": [
            {
                "piece": one.piece,
                "do": one.way.text if one.way else None,
                "badge": render_template("touch_badge.html", t=t, **_worth(session, one.way))
                if one.way
                else "",
            }
            for one in lit
        ],
        "card": render_template(
            "touched.html",
            t=t,
            piece=touched[0],
            ways=[] if lit or len(ways) > MOST_LISTED else sorted(ways, key=lambda way: way.cost),
            illegal_moves=[] if ways else session.illegal_moves(touched[0])[:1],
            is_possible=bool(ways),
            edition=session.snapshot()["view"].get("edition", ""),
            explained=_explained(session, touched[0], t),
            corrected_at=_dice_that_may_be_wrong(session, touched[-1]),
        ),
    }


def _explained(session: TableSession, place: str, t: Translator) -> str | None:
    """Returns the label of what lies on a place, if there is a help text about it."""
    label, edition = shown_label(session, place), session.snapshot()["view"].get("edition", "")
    return label if label and t.help(label, edition) else None


def _dice_that_may_be_wrong(session: TableSession, piece: str) -> list[str]:
    """Returns the names of the dice that are meant by ``die:COLOUR:VALUE`` and can still be corrected."""
    kind, _, die = piece.partition(":")
    return [
        one["name"]
        for one in session.snapshot()["dice"]
        if kind == "die" and f"{one['name'].partition(':')[0]}:{one['value']}" == die and one["fresh"]
    ]


def _worth(session: TableSession, way: Way) -> dict[str, int]:
    """Returns what a move brings to whoever makes it, and what it costs."""
    if way.before:
        return {"points": 0, "workers": way.cost}
    player = session.rules.to_move(session.shown_state)
    events = session.preview(way.move["text"])["events"]
    return {
        "points": sum(event["points"] for event in events if event["player"] == player),
        "workers": way.cost,
    }
