"""The tablet page, as a Flask app.

It must run in one process with several threads, as in :mod:`.server`: the live stream of every open page occupies one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from flask import Flask, Response, jsonify, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.archive import Archive
from companion.doctor.health import Health
from companion.privacy.picture_retention import PictureRetention
from companion.runtime.game_runner import NextGame
from companion.service.power import PowerSwitch
from companion.session import TableSession
from companion.session.evidence_pictures import EvidencePictures
from companion.storage.notices import StorageNotices
from companion.text.narrator import Narrator
from companion.text.translator import DEFAULT_LANGUAGE, Translator
from companion.text.turn_log import TurnLog

from .archive import archive
from .commands import commands
from .context import EXTENSION, Box, Buzzer, Camera, PageContext, translator
from .games.burgundy import drawing
from .guard import Guard, init_guard
from .health import health as health_page
from .join import join
from .live import live
from .page import page
from .preferences import TEXT_SIZES, languages, layouts, text_size
from .privacy import privacy
from .request_parsing import parse_requests_strictly
from .streams import StreamLimit
from .templating import set_up_templates
from .view import init_views

BUTTONS = ("confirm", "undo", "next_alternative", "help")
"""The buttons that every panel has."""
MAX_STREAMS = 10
"""Live pages at once; the server needs a few threads more than that."""
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


def create_app(
    session: TableSession,
    *,
    camera: Callable[[], Camera | None] | None = None,
    frame: Callable[[], bytes | None] | None = None,
    crop: Callable[[Box], bytes | None] | None = None,
    panel: Callable[[str, float | None], None] | None = None,
    buttons: Collection[str] = BUTTONS,
    buzzer: Buzzer | None = None,
    evidence_pictures: EvidencePictures | None = None,
    games: Archive | None = None,
    addresses: Callable[[], list[str]] | None = None,
    next_game: Callable[[NextGame], None] | None = None,
    guarding: Guard | None = None,
    key: bytes | None = None,
    light: Callable[[], str] | None = None,
    page_language: str = DEFAULT_LANGUAGE,
    storage_notices: StorageNotices | None = None,
    pictures: PictureRetention | None = None,
    power: PowerSwitch | None = None,
    health: Health | None = None,
    streams: int = MAX_STREAMS,
) -> Flask:
    """Returns the app that serves the page about *session*.

    :param camera: returns the camera's status (see :data:`.context.Camera`), None without a camera.
    :param frame: returns the JPEG that the camera read last, None before the first; None if no frames are read.
    :param crop: returns the JPEG of a part of that frame.
    :param panel: presses a button of a simulated panel for a number of seconds, None for the shortest press; None if
        the panel is real, and the page draws none.
    :param buttons: names of the simulated panel's buttons.
    :param buzzer: can be muted; None if there is none.
    :param evidence_pictures: pictures of the places that each turn has changed; None without a camera.
    :param games: past games; None if no games are stored.
    :param addresses: returns the addresses at which other browsers find the page.
    :param next_game: takes the request for the next game; None if this is the only one.
    :param guarding: who may request what; None lets everybody do everything.
    :param key: signs the session cookies; None is a new key, so that no browser is recognised.
    :param light: returns the name of the panel's light; None derives it from the session's status.
    :param page_language: for browsers that accept none of the languages.
    :param storage_notices: returns what people should know about saving the game; None if there is nothing.
    :param pictures: stored pictures, which can be deleted; None if nothing is stored after this game.
    :param power: switches the machine off; None if that is not possible.
    :param health: the results of the doctor's checks of camera, disk and so on; None if nothing is checked.
    :param streams: live pages at once; further pages poll every few seconds.
    """
    app = Flask(__name__)
    parse_requests_strictly(app)
    app.config["MAX_CONTENT_LENGTH"] = MAX_REQUEST_BYTES
    init_guard(app, guarding or Guard(), key)
    set_up_templates(app)
    turn_log = TurnLog(session)
    app.extensions[EXTENSION] = PageContext(
        session,
        turn_log,
        Narrator(session, turn_log),
        StreamLimit(streams),
        camera or (lambda: None),
        frame,
        crop or (lambda box: None),
        panel,
        buttons,
        buzzer,
        evidence_pictures,
        games,
        addresses or (lambda: []),
        next_game,
        light,
        page_language,
        storage_notices or list,
        pictures,
        power,
        health,
    )
    init_views(app)
    for blueprint in (page, archive, privacy, join, health_page, commands, live):
        app.register_blueprint(blueprint)
    app.register_error_handler(HTTPException, _handle_http_error)
    app.context_processor(template_context)
    app.after_request(add_security_headers)
    return app


def template_context() -> dict[str, Any]:
    """Returns what every template can use."""
    size = text_size()
    return {
        "icons": url_for("static", filename="icons.svg"),
        "draw": drawing,
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
    if request.endpoint != "static":
        response.headers["Cache-Control"] = "no-store"
    return response
