"""The setup form: which game is played, with which options, who plays, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from flask import Flask, Response, abort, jsonify, request
from flask.typing import ResponseReturnValue

from companion.archive import GameRecord, known_names
from companion.archive.exports import seat_name
from companion.games.player_text import LONGEST_NAME
from companion.games.registry import plugin
from companion.games.setup import (
    MalformedChoiceError,
    SetupForm,
    SetupFormError,
    additional_seat,
    excluded,
    parsed_choice,
    settled,
    with_suggestions,
)
from companion.service.power import PowerSwitch
from companion.text.catalogue import DEFAULT_LANGUAGE
from companion.text.translator import Translator

from .game_page import part_of
from .single_page import SinglePage

MAX_REQUEST_BYTES = 16 * 1024
"""A few seats have some hundreds."""

Choice = Mapping[str, Any]


def create_setup_form_app(
    games: Sequence[str],
    begin: Callable[[str, Choice], None],
    *,
    learn: Callable[[str], None] | None = None,
    proposed: Choice | None = None,
    past: Sequence[GameRecord] = (),
    on_table: Mapping[str, Any] | None = None,
    page_language: str = DEFAULT_LANGUAGE,
    pin: str | None = None,
    key: bytes | None = None,
    power: PowerSwitch | None = None,
    hosts: Collection[str] = (),
    previous: GameRecord | None = None,
    go_back: Callable[[], None] | None = None,
) -> Flask:
    """Returns the app of the setup form; when the game begins, its page takes over the address.

    :param games: the games to choose from, the proposed one first.
    :param begin: takes the game and the choice (see :mod:`companion.games.setup`); raises :exc:`.SetupFormError` if no
        game can begin with it.
    :param learn: begins the lesson of a game that has one; None offers no lesson.
    :param proposed: the choice to propose for the first game; None proposes what the game itself does.
    :param past: past games, the latest first.
    :param on_table: a set-up of the first game with the boards that the camera sees; None if there is no table file.
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
        game=games[0],
    )
    app = page.app

    def form_of(game: str, choice: Choice) -> SetupForm:
        return plugin(game).setup.form(choice["options"], on_table)

    def proposal(game: str) -> Choice:
        if proposed is not None and game == games[0]:
            return proposed
        of_game = [record for record in past if record.game == game]
        return plugin(game).setup.proposal(of_game, on_table)

    def view(game: str, choice: Choice) -> dict[str, Any]:
        """Returns what the templates need to draw a choice."""
        form = form_of(game, choice)
        choice = settled(form, choice)
        part = part_of(game)
        return {
            **part.context(),
            "games": {name: _game_name(name, page.translator()) for name in games},
            "game": game,
            "form": form,
            "options": [o for o in form.asked_options(choice["options"]) if not o.is_table_rule],
            "table_rules": [option for option in form.options if option.is_table_rule],
            "values": choice["options"],
            "excluded": {option.name: excluded(option, choice) for option in form.options},
            "seats": plugin(game).setup.in_turn_order(choice["seats"]),
            "longest": LONGEST_NAME,
            "has_lesson": learn is not None and plugin(game).lesson is not None,
        }

    def sent() -> tuple[str, dict[str, Any]]:
        """Returns the game and the choice that the page has sent; aborts with 400 if they are malformed."""
        data = request.get_json()
        game = data.get("game", games[0]) if isinstance(data, Mapping) else None
        if not isinstance(game, str) or game not in games:
            abort(400)
        try:
            return game, parsed_choice(plugin(game).setup, data, on_table)
        except MalformedChoiceError:
            abort(400)

    @app.get("/")
    def show() -> ResponseReturnValue:
        """Shows the form for the first game, or for another one (``/?game=NAME``)."""
        asked = request.args.get("game", games[0])
        game = asked if asked in games else games[0]
        back_to = go_back and _back_label(previous, page.translator())
        shown = view(game, proposal(game))
        names = known_names(list(past))
        return page.render("setup_form.html", game, names=names, power=power, back_to=back_to, **shown)

    @app.get("/<option>/<value>.svg")
    def picture(option: str, value: str) -> ResponseReturnValue:
        """Draws a value of an option, or the board on the table of a player (``seat/red.svg``)."""
        drawn = (_picture(game, option, value) for game in games)
        svg = next(filter(None, drawn), None)
        if svg is None:
            abort(404)
        return Response(svg, mimetype="image/svg+xml")

    def _picture(game: str, option: str, value: str) -> str | None:
        draw = part_of(game).page.picture
        if option != "seat":
            return draw(option, value)
        fixed = plugin(game).setup.form(None, on_table).fixed.get(value, {})
        return next(filter(None, (draw(name, board) for name, board in fixed.items())), None)

    @app.post("/seats")
    def change_seats() -> ResponseReturnValue:
        """Renders the options and seats again after a change."""
        game, given = sent()
        form = form_of(game, given)
        choice = with_suggestions(form, settled(form, given), request.args.get("chosen", ""))
        if request.args.get("more") is not None and len(choice["seats"]) < form.most:
            choice["seats"].append(additional_seat(form, choice["seats"]))
        return page.render_part("setup_form_seats.html", game, **view(game, choice))

    @app.post("/begin")
    def begin_game() -> ResponseReturnValue:
        game, choice = sent()
        t = page.translator().of_game(game)
        try:
            begin(game, choice)
        except SetupFormError as error:
            return jsonify(error=t(f"setup_form.{error.code}", **error.data)), 400
        except MalformedChoiceError:
            abort(400)
        return jsonify(message=t("setup_form.begins"))

    @app.post("/learn")
    def begin_lesson() -> ResponseReturnValue:
        data = request.get_json()
        game = data.get("game") if isinstance(data, Mapping) else None
        if learn is None or not isinstance(game, str) or game not in games or plugin(game).lesson is None:
            abort(400)
        learn(game)
        return jsonify(message=page.translator()("lesson.begins"))

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


def _game_name(game: str, translator: Translator) -> str:
    """Returns what the game is called in the user's language, else its published name."""
    of_game, key = translator.of_game(game), f"game.{game}"
    return of_game(key) if of_game.has(key) else plugin(game).display_name


def _back_label(previous: GameRecord | None, translator: Translator) -> str:
    """Returns the label of the button that leads back to the game."""
    if previous is None:
        return translator("archive.to_table")
    of_game = translator.of_game(previous.game)
    return of_game("leave.back", names=of_game.join(seat_name(seat, of_game) for seat in previous.seats))
