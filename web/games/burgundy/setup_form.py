"""The setup form: who plays, in which order, with which duchies, and against which bots."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import Any

from flask import Flask, Response, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from companion.archive import GameRecord
from companion.archive.exports import seat_name
from companion.games.burgundy.modules.chateauma import LEVELS, MODIFIERS, PIECES
from companion.games.burgundy.rules import Duchy
from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS
from companion.games.burgundy.rules.view import of_board
from companion.games.burgundy.setup_form import (
    AUTOMA,
    KINDS,
    MOST_SEATS,
    Seat,
    SeatFormError,
    SetupFormError,
    additional_seat,
    in_turn_order,
    parse_seats,
)
from companion.games.player_text import LONGEST_NAME
from companion.service.power import PowerSwitch
from companion.text.catalogue import DEFAULT_LANGUAGE
from companion.text.translator import Translator

from ...single_page import SinglePage
from . import drawing

MAX_REQUEST_BYTES = 16 * 1024
"""Four seats have a few hundred."""


def create_setup_form_app(
    seats: Sequence[Seat],
    begin: Callable[[Mapping[str, Any]], None],
    *,
    duchies: Mapping[str, Sequence[Duchy]],
    names: Sequence[str] = (),
    seated: Sequence[Seat] = (),
    page_language: str = DEFAULT_LANGUAGE,
    pin: str | None = None,
    key: bytes | None = None,
    power: PowerSwitch | None = None,
    hosts: Collection[str] = (),
    previous: GameRecord | None = None,
    go_back: Callable[[], None] | None = None,
) -> Flask:
    """Returns the app of the setup form; when the game begins, its page takes over the address.

    :param seats: the proposed seats (see :func:`companion.games.burgundy.setup_form.proposed_seats`).
    :param begin: takes the choices; raises :exc:`SetupFormError` if no game can begin with them.
    :param duchies: the boards of each edition, the default edition first.
    :param names: names of players in past games, as suggestions.
    :param seated: the boards that the camera sees on the table; empty if boards are chosen on the form.
    :param pin: needed to use the form; None if there is no PIN.
    :param key: signs the session cookies.
    :param power: switches the machine off; None if that is not possible.
    :param hosts: further names by which browsers may reach this machine.
    :param previous: the game that people have come from; None if there is none or it is unknown.
    :param go_back: returns to that game; None if people have come from none.
    """
    page = SinglePage(
        page_language,
        max_request=MAX_REQUEST_BYTES,
        own_path="/seating",
        pin=pin,
        key=key,
        hosts=hosts,
    )
    app = page.app
    own = (Duchy.in_rows(f"own-{seat['colour']}", seat["spaces"]) for seat in seated if "spaces" in seat)
    drawn = {duchy.name: duchy for duchy in chain(*duchies.values(), own)}

    def view(edition: str, shown: Sequence[Seat], **data: Any) -> dict[str, Any]:
        return {
            "edition": edition,
            "editions": list(duchies),
            "seats": shown,
            "duchies": [duchy.name for duchy in duchies[edition]],
            "colours": PLAYER_COLOURS,
            "kinds": KINDS,
            "levels": LEVELS,
            "modifiers": MODIFIERS,
            "pieces": PIECES,
            "seated": {seat["colour"] for seat in seated},
            "more": len(shown) < (len(seated) + 1 if seated else MOST_SEATS) and len(shown) < MOST_SEATS,
            "automa": AUTOMA,
            "longest": LONGEST_NAME,
            **data,
        }

    def choices() -> tuple[str, list[dict[str, Any]]]:
        """Returns the edition and seats that the form has sent; aborts with 400 if they are malformed."""
        data = request.get_json()
        edition = data.get("edition") if isinstance(data, Mapping) else None
        if not isinstance(edition, str) or edition not in duchies:
            abort(400)
        try:
            return edition, parse_seats(data.get("seats"), seated)
        except SeatFormError:
            abort(400)

    @app.get("/")
    def show() -> ResponseReturnValue:
        default = next(iter(duchies))
        back_to = go_back and _back_label(previous, page.translator())
        return page.render(
            "setup_form.html", names=names, power=power, back_to=back_to, **view(default, seats)
        )

    @app.get("/duchy/<name>.svg")
    def duchy(name: str) -> ResponseReturnValue:
        if name not in drawn:
            abort(404)
        empty = of_board(drawn[name], [None] * len(drawn[name].spaces))
        board = drawing.board({"colour": "", **empty}, {})
        return Response(render_template("burgundy/duchy.svg", board=board), mimetype="image/svg+xml")

    @app.post("/seats")
    def change_seats() -> ResponseReturnValue:
        """Renders the seats again after a change."""
        edition, now = choices()
        known = [board.name for board in duchies[edition]]
        if request.args.get("more") is not None and len(now) < MOST_SEATS:
            now.append(dict(_free_board(seated, now) or additional_seat(now, known)))
        for seat in now:
            if "duchy" in seat and seat["duchy"] not in known:
                seat["duchy"] = known[0]
        return page.render_part("setup_form_seats.html", **view(edition, in_turn_order(now)))

    @app.post("/begin")
    def begin_game() -> ResponseReturnValue:
        edition, now = choices()
        t = page.translator()
        try:
            begin({"edition": edition, "seats": now})
        except SetupFormError as error:
            return jsonify(error=t(f"setup_form.{error.code}", **error.data)), 400
        return jsonify(message=t("setup_form.begins"))

    @app.post("/back")
    def return_to_game() -> ResponseReturnValue:
        if go_back is None:
            abort(404)
        go_back()
        return jsonify(message=page.translator()("leave.goes_back"))

    @app.post("/switch-off")
    def switch_off() -> ResponseReturnValue:
        if power is None:
            abort(404)
        try:
            power.switch_off()
        except OSError:
            return jsonify(error=page.translator()("reason.no_power_switch")), 503
        return jsonify(message=page.translator()("power.leaving"))

    return app


def _back_label(previous: GameRecord | None, translator: Translator) -> str:
    """Returns the label of the button that leads back to the game."""
    if previous is None:
        return translator("archive.to_table")
    of_game = translator.of_game(previous.game)
    return of_game("leave.back", names=of_game.join(seat_name(seat, of_game) for seat in previous.seats))


def _free_board(seated: Sequence[Seat], seats: Sequence[Seat]) -> Seat | None:
    """Returns a board on the table without a player; None if there is none."""
    taken = {seat["colour"] for seat in seats}
    return next((seat for seat in seated if seat["colour"] not in taken), None)
