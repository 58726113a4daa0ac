"""The tablet page, as a Flask app.

It must run in one process with several threads, as :mod:`.server` does: every browser that looks holds one for its live
stream.
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
from companion.text.catalogue import DEFAULT_LANGUAGE
from companion.text.narrator import Narrator
from companion.text.translator import Translator
from companion.text.turn_log import TurnLog

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
from .served import EXTENSION, Box, Buzzer, Camera, Served, translator
from .streams import Streams
from .templating import set_up_templates
from .view import keep_views

BUTTONS = ("confirm", "undo", "next_alternative", "help")
"""Those that every panel has."""
MOST_STREAMS = 10
"""Live pages at once; the server needs some threads more than that."""
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
    streams: int = MOST_STREAMS,
) -> Flask:
    """Returns the page about *session*.

    :param camera: says how the camera is (see :data:`.served.Camera`); None when there is no camera.
    :param frame: returns the JPEG of what the camera last read, None before the first; None when no frames are read.
    :param crop: returns the JPEG of a part of that frame.
    :param panel: presses a button of a simulated panel for so many seconds, None as short as can be; None when the
        panel is real, then the page shows none.
    :param buttons: names of the simulated panel's buttons.
    :param buzzer: can be muted; None, the default, when there is none.
    :param proofs: pictures of what turns rest on; None when there is no camera.
    :param games: past games; None, the default, when none are kept.
    :param addresses: where other browsers find the page.
    :param next_game: takes what people want to play next; None, the default, where there is but this game.
    :param guarding: who may ask for what; None, the default, lets everybody do everything.
    :param key: signs what browsers keep; None, the default, is a new one, which no browser is remembered by.
    :param light: name of the panel's light; None, the default, goes by the session's status.
    :param page_language: for readers whose browser asks for no language that there is.
    :param power: switches the machine off; None, the default, where that cannot be done from here.
    :param health: says whether all is well with camera, disk and the like; None, the default, when nobody looks.
    :param storage_notices: warnings about how the game is stored; None, the default, when there are none.
    :param pictures: those that are kept, to be deleted; None, the default, where nothing is kept after this game.
    :param streams: live pages at once; further ones look for changes by themselves every few seconds.
    """
    app = Flask(__name__)
    read_safely(app)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_REQUEST
    guard(app, guarding or Guard(), key)
    set_up_templates(app)
    turn_log = TurnLog(session)
    app.extensions[EXTENSION] = Served(
        session,
        turn_log,
        Narrator(session, turn_log),
        Streams(streams),
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
