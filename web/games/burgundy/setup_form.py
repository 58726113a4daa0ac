"""The page on which a game is set up: who plays, in which order, with which duchies, and beside whom."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import Any

from flask import Flask, Response, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from companion.archive import GameRecord
from companion.archive.exports import seat_name
from companion.games.burgundy.rules import Duchy
from companion.games.burgundy.rules.modules.chateauma import LEVELS, MODIFIERS, PIECES
from companion.games.burgundy.setup_form import (
    AUTOMA,
    COLOURS,
    KINDS,
    MOST_SEATS,
    Seat,
    SeatingError,
    in_turn,
    one_more,
    seats_of,
)
from companion.service.power import PowerSwitch
from companion.session import LONGEST_NAME
from companion.text.catalogue import DEFAULT_LANGUAGE
from companion.text.translator import Translator

from ...one_page import OnePage
from . import drawing

LARGEST_REQUEST = 16 * 1024
"""Bytes; four seats are some hundred."""


def create_wizard_app(
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
    left: GameRecord | None = None,
    go_back: Callable[[], None] | None = None,
) -> Flask:
    """Returns the page on which a game is set up; when the game begins, its page has this one's address.

    :param seats: what is proposed (see :func:`companion.games.burgundy.setup_form.proposed`).
    :param begin: takes what was chosen; raises :exc:`SeatingError` when no game can begin so.
    :param duchies: the boards of each edition, the usual edition first.
    :param names: what players were called in past games, to choose from.
    :param seated: the boards that lie on the table and that the camera sees; empty where boards are chosen.
    :param pin: without it nobody may choose, where there is one; *key* signs who knows it.
    :param power: switches the machine off; None, the default, where that cannot be done from here.
    :param hosts: further names by which browsers may call this machine.
    :param left: the game that people have come from, as far as it is known.
    :param go_back: leads back to it; None, the default, when they have come from none.
    """
    page = OnePage(
        page_language,
        largest_request=LARGEST_REQUEST,
        own_path="/seating",
        pin=pin,
        key=key,
        hosts=hosts,
    )
    app = page.app
    own = (Duchy(f"own-{seat['colour']}", seat["spaces"]) for seat in seated if "spaces" in seat)
    drawn = {duchy.name: duchy for duchy in chain(*duchies.values(), own)}

    def view(edition: str, shown: Sequence[Seat], **data: Any) -> dict[str, Any]:
        return {
            "edition": edition,
            "editions": list(duchies),
            "seats": shown,
            "duchies": [duchy.name for duchy in duchies[edition]],
            "colours": COLOURS,
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

    def chosen() -> tuple[str, list[dict[str, Any]]]:
        """What the page has sent."""
        data = request.get_json()
        edition = data.get("edition") if isinstance(data, Mapping) else None
        if not isinstance(edition, str) or edition not in duchies:
            abort(400)
        try:
            return edition, seats_of(data.get("seats"), seated)
        except ValueError:
            abort(400)

    @app.get("/")
    def show() -> ResponseReturnValue:
        usual = next(iter(duchies))
        told = {"names": names, "power": power, "back_to": go_back and _way_back(left, page.translator())}
        return page.shown("wizard.html", **told, **view(usual, seats))

    @app.get("/duchy/<name>.svg")
    def duchy(name: str) -> ResponseReturnValue:
        if name not in drawn:
            abort(404)
        board = drawing.board({"colour": "", "rows": drawn[name].rows, "spaces": _spaces(drawn[name])}, {})
        return Response(render_template("duchy.svg", board=board), mimetype="image/svg+xml")

    @app.post("/seats")
    def again() -> ResponseReturnValue:
        """The seats drawn anew, after what was changed, added, taken away or moved."""
        edition, now = chosen()
        known = [board.name for board in duchies[edition]]
        if request.args.get("more") is not None and len(now) < MOST_SEATS:
            now.append(dict(_unseated(seated, now) or one_more(now, known)))
        for seat in now:
            if "duchy" in seat and seat["duchy"] not in known:
                seat["duchy"] = known[0]
        return page.part("wizard_seats.html", **view(edition, in_turn(now)))

    @app.post("/begin")
    def start() -> ResponseReturnValue:
        edition, now = chosen()
        translator = page.translator()
        try:
            begin({"edition": edition, "seats": now})
        except SeatingError as error:
            return jsonify(error=translator(f"seating.{error.code}", **error.data)), 400
        return jsonify(said=translator("seating.begins"))

    @app.post("/back")
    def back() -> ResponseReturnValue:
        if go_back is None:
            abort(404)
        go_back()
        return jsonify(said=page.translator()("leave.goes_back"))

    @app.post("/switch-off")
    def switch_off() -> ResponseReturnValue:
        if power is None:
            abort(404)
        try:
            power.switch_off()
        except OSError:
            return jsonify(error=page.translator()("reason.no_power_switch")), 503
        return jsonify(said=page.translator()("power.leaving"))

    return app


def _way_back(left: GameRecord | None, translator: Translator) -> str:
    """What the button says that leads back to the game."""
    if left is None:
        return translator("archive.to_table")
    return translator("leave.back", names=translator.join(seat_name(seat, translator) for seat in left.seats))


def _spaces(duchy: Duchy) -> list[dict[str, Any]]:
    """The spaces of an empty board, as the page draws those of a player."""
    return [
        {"row": space.row, "col": space.col, "colour": space.colour, "die": space.die, "tile": None}
        for space in duchy.spaces
    ]


def _unseated(seated: Sequence[Seat], seats: Sequence[Seat]) -> Seat | None:
    """A board on the table that nobody plays yet."""
    taken = {seat["colour"] for seat in seats}
    return next((seat for seat in seated if seat["colour"] not in taken), None)
