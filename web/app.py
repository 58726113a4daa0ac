"""The tablet page, as a Flask app.

It must run in one process with several threads, as :mod:`.server` does: every browser that looks holds one for its live
stream.
"""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, jsonify, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.text.translator import Translator

from .archive import archive
from .commands import commands
from .games.burgundy import drawing
from .guard import Guard, guard
from .health import health as health_page
from .join import join
from .live import live
from .page import page
from .privacy import privacy
from .reader import TEXT_SIZES, languages, layouts, text_size
from .reading import read_safely
from .served import EXTENSION, Served, translator
from .templating import set_up_templates
from .view import keep_views

LARGEST_REQUEST = 16 * 1024
"""Bytes."""
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
    421: "foreign_name",
    429: "too_often",
    500: "server_error",
}
"""Status -> text of the page; ``bad_request`` for all others."""


def create_app(served: Served, *, guarding: Guard | None = None, key: bytes | None = None) -> Flask:
    """Returns the page about what is *served*.

    :param guarding: who may ask for what; None, the default, lets everybody do everything.
    :param key: signs what browsers keep; None, the default, is a new one, by which no browser is remembered.
    """
    app = Flask(__name__)
    read_safely(app)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_REQUEST
    guard(app, guarding or Guard(), key)
    set_up_templates(app)
    app.extensions[EXTENSION] = served
    keep_views(app)
    for blueprint in (page, archive, privacy, join, health_page, commands, live):
        app.register_blueprint(blueprint)
    app.register_error_handler(HTTPException, _say_what_is_wrong)
    app.context_processor(template_context)
    app.after_request(protect)
    return app


def template_context() -> dict[str, Any]:
    """What every template may draw with."""
    size = text_size()
    return {
        "icons": url_for("static", filename="icons.svg"),
        "draw": drawing,
        "text_size": size,
        "text_sizes": TEXT_SIZES,
        "layouts": layouts(size),
    }


def _say_what_is_wrong(error: HTTPException) -> ResponseReturnValue:
    return told(error, translator())


def told(error: HTTPException, translator: Translator) -> ResponseReturnValue:
    """Every error is a sentence in the reader's language: on a page for people who came by a link, else as data."""
    code = error.code or 500
    sentence = translator(f"page.{MESSAGES.get(code, 'bad_request')}")
    if request.accept_mimetypes.best_match(("application/json", "text/html")) == "text/html":
        shown = {"t": translator, "language": translator.language, "languages": languages()}
        return render_template("error.html", sentence=sentence, code=code, **shown), code
    return jsonify(code=error.name, error=sentence), code


def protect(response: Response) -> Response:
    """*response*, from which no script but the page's own runs, and of which browsers keep only files."""
    response.headers.update(HEADERS)
    if request.endpoint != "static":
        response.headers["Cache-Control"] = "no-store"
    return response
