"""The tablet page, as a Flask app.

It must run in one process with several threads, as in :mod:`.server`: the live stream of every open page occupies one.
"""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, jsonify, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.text.translator import Translator

from . import dice
from .archive import archive
from .clock import clock
from .coach import coach
from .commands import commands
from .context import EXTENSION, PageContext, translator
from .game_page import ENDPOINT, init_game_page, part_of
from .guard import Guard, init_guard
from .health import health as health_page
from .join import join
from .live import live
from .own_pages import own
from .page import page
from .preferences import TEXT_SIZES, languages, layouts, text_size
from .privacy import privacy
from .request_parsing import StrictApp
from .templating import set_up_templates
from .touch import touch
from .view import init_views
from .watch import watch

MAX_REQUEST_BYTES = 16 * 1024
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
MESSAGES = {
    403: "forbidden",
    404: "not_found",
    413: "too_large",
    421: "unknown_host",
    429: "too_many_requests",
    500: "server_error",
}
"""HTTP status -> key of its sentence; ``bad_request`` for all others."""
PLACE_ADDRESS = "/place"
"""Where the sheets of places are, below which a template opens them; other pages have another address, or None."""


def create_app(context: PageContext, *, guarding: Guard | None = None, key: bytes | None = None) -> Flask:
    """Returns the app that serves the page about *context*.

    :param guarding: who may request what; None lets everybody do everything.
    :param key: signs the session cookies; None is a new key, so that no browser is recognised.
    """
    app = StrictApp(__name__)
    app.config["MAX_CONTENT_LENGTH"] = MAX_REQUEST_BYTES
    init_guard(app, guarding or Guard(), key)
    set_up_templates(app)
    app.extensions[EXTENSION] = context
    init_views(app)
    for blueprint in (
        page,
        touch,
        clock,
        coach,
        own,
        watch,
        archive,
        privacy,
        join,
        health_page,
        commands,
        live,
    ):
        app.register_blueprint(blueprint)
    app.register_error_handler(HTTPException, _handle_http_error)
    app.context_processor(template_context)
    game = context.session.rules.name
    init_game_page(app, game)
    if sheets := part_of(game).page.sheets:
        app.register_blueprint(sheets)
    app.after_request(add_security_headers)
    return app


def template_context() -> dict[str, Any]:
    """Returns what every template can use."""
    size = text_size()
    return {
        "icons": url_for("static", filename="icons.svg"),
        "dice": dice,
        "place_address": PLACE_ADDRESS,
        "text_size": size,
        "text_sizes": TEXT_SIZES,
        "layouts": layouts(size),
    }


def _handle_http_error(error: HTTPException) -> ResponseReturnValue:
    return error_response(error, translator())


def error_response(error: HTTPException, translator: Translator) -> ResponseReturnValue:
    """Returns a sentence about *error* in the user's language: a page for people who followed a link, else JSON."""
    code = error.code or 500
    sentence = translator(f"page.{MESSAGES.get(code, 'bad_request')}")
    if request.accept_mimetypes.best_match(("application/json", "text/html")) == "text/html":
        context = {"t": translator, "language": translator.language, "languages": languages()}
        return render_template("error.html", sentence=sentence, code=code, **context), code
    return jsonify(code=error.name, error=sentence), code


def add_security_headers(response: Response) -> Response:
    """Adds headers by which browsers run only the page's own scripts and cache only static files."""
    response.headers.update(HEADERS)
    if request.endpoint not in ("static", ENDPOINT):
        response.headers["Cache-Control"] = "no-store"
    return response
