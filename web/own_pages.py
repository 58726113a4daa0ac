"""Pages of their own: what only one player may see and do, on a phone that has joined by a code.

The shared page shows the codes. Each lets one phone in, and is used up by that; a new code also shuts out the phone
that came before. Codes and phones are not stored: after a restart of the companion, phones join again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    copy_current_request_context,
    jsonify,
    make_response,
    render_template,
    request,
    session,
)
from flask.typing import ResponseReturnValue

from companion.games.capabilities import description_for, secrets
from companion.session import OVER, CommandRejectedError, TableSession

from .commands import Fields, check_token
from .context import PageContext, language, page_context, translator
from .game_page import Moment, part_of
from .guard import current_guard
from .live import streamed
from .page import moves_sheet, place_sheet
from .preferences import languages, store_preferences
from .view import View, position_context, shown_parts, views

OWN = "own_page"
"""Key in the signed session of a phone: its player and its key."""

own = Blueprint("own", __name__, url_prefix="/me/<player>")


@own.get("")
def index(player: str) -> Response:
    """Shows the player's page; to a phone that has not joined, the form for the code."""
    _check_player(player)
    if not _is_in(player):
        return _code_form(player)
    page = render_template(
        "own.html",
        t=translator(),
        language=language(),
        languages=languages(),
        player=player,
        table=_current_view(player).html(),
    )
    return store_preferences(make_response(page))


def _code_form(player: str) -> Response:
    view = page_context().session.snapshot()["view"]
    other = _own_player()
    page = render_template(
        "own_code.html",
        t=translator(view),
        language=language(),
        languages=languages(),
        player=player,
        other=other,
    )
    return store_preferences(make_response(page, 403 if other else 200))


@own.post("/join")
def join(player: str) -> ResponseReturnValue:
    """Lets a phone in that sends the player's code."""
    _check_player(player)
    given = request.get_json(silent=True)
    code = given.get("code") if isinstance(given, Mapping) else None
    current_guard().count_guess()
    key = page_context().own_phones.join(player, code) if isinstance(code, str) else None
    if key is None:
        return jsonify(error=translator()("own_page.wrong_code")), 403
    session.permanent = True
    session[OWN] = [player, key]
    return jsonify(joined=True)


@own.get("/table")
def table(player: str) -> str:
    """Returns the view for the player, without the parts that the phone already shows."""
    _require(player)
    return _current_view(player).html(shown_parts())


@own.get("/events")
def events(player: str) -> Response:
    """Streams the view for the player, until the phone is shut out."""
    _require(player)
    is_in = copy_current_request_context(partial(_is_in, player))
    return streamed(
        copy_current_request_context(partial(_current_view, player)), is_ended=lambda: not is_in()
    )


@own.get("/moves")
def moves(player: str) -> str:
    """Shows the next steps on the way to a move of the player."""
    _require(player)
    return moves_sheet("slots/moves.html", player, f"/me/{player}/moves")


@own.get("/place/<place>")
def place(player: str, place: str) -> str:
    """Shows what the player can do at one place of the table, and why other moves are not possible."""
    _require(player)
    return place_sheet(place, viewer=player)


@own.post("/do")
def do(player: str) -> ResponseReturnValue:
    """Enters one move of the player: ``{"do": "tap", "text": "bid red 2"}``."""
    _require(player)
    given = request.get_json()
    if not isinstance(given, Mapping):
        abort(400)
    check_token(given)
    fields = Fields(given)
    fields.choice("do", ("tap",))
    table = page_context().session
    try:
        table.tap(fields.text("text"), player)
    except CommandRejectedError as rejected:
        view = table.snapshot(player)["view"]
        return jsonify(code=rejected.code, error=translator(view).reason(rejected.code, rejected.data)), 422
    return jsonify(version=table.version, status=table.status)


# --- who may see what -------------------------------------------------------------------------------------


def _check_player(player: str) -> None:
    """Aborts with 404 if the player has no page of their own."""
    if player not in page_context().session.snapshot()["own_pages"]:
        abort(404)


def _require(player: str) -> None:
    """Aborts with 403 unless the requesting phone is the player's."""
    _check_player(player)
    if not _is_in(player):
        abort(403)


def _is_in(player: str) -> bool:
    """Whether the requesting phone is the player's."""
    return _own_player() == player


def _own_player() -> str | None:
    """Returns whose page the requesting phone shows; None if it has not joined or was shut out."""
    player, key = session.get(OWN) or (None, "")
    return player if player and page_context().own_phones.admits(player, key) else None


# --- what they see ----------------------------------------------------------------------------------------


def _current_view(player: str) -> View:
    return views().current("own_state.html", partial(_template_data, player), player)


def _template_data(player: str, context: PageContext) -> dict[str, Any]:
    """Returns everything that the template of the player's page needs."""
    snapshot, modules, choices, reports, entered = context.session.read(
        lambda s: (
            s.snapshot(player),
            s.rules.modules_of(s.state),
            s.move_choices((), player),
            s.secret_reports(player),
            _entered_secrets(s, player),
        )
    )
    view, stage = snapshot["view"], snapshot["stage"]
    t = translator(view)
    part = part_of(context.session.rules.name)
    return {
        **position_context(part, Moment(view, (), t, snapshot, modules), stage, snapshot["scores"]),
        "t": t,
        "token": context.token,
        "snapshot": snapshot,
        "player": player,
        "seat": next(seat for seat in part.page.seats(view) if seat["colour"] == player),
        "is_over": snapshot["status"] == OVER,
        "choices": choices,
        "path": [],
        "steps_at": lambda steps: f"/me/{player}/moves?step={steps[0]}",
        "reports": reports,
        "secrets": entered,
        "place_address": f"/me/{player}/place",
    }


def _entered_secrets(session: TableSession, player: str) -> list[dict[str, Any]]:
    """Returns the moves of which only the player may see everything."""
    secret = secrets(session.rules)
    return [
        description_for(session.rules, move, player)
        for entry in session.entries()
        for move in entry.moves
        if secret.owner_of(move) == player
    ]
