"""The base of apps with a single page: access control, the user's language, and a token for every POST."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Any
from urllib.parse import quote

from flask import Response, jsonify, make_response, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.games.registry import default_plugin
from companion.network.hostnames import OwnNames
from companion.text.translator import Translator

from .app import add_security_headers, error_response, template_context
from .game_page import ENDPOINT, init_game_page
from .guard import COMMANDS, READS, Guard, Limiter, current_guard, init_guard
from .manifest import MANIFEST, manifest
from .preferences import languages, preferred_language, store_preferences
from .request_parsing import StrictApp
from .templating import set_up_templates

TOKEN_HEADER = "X-Token"
OWN_PAGE = "own_page"
OPEN_TO_GUESTS = ("show", "here", "pin", "static", ENDPOINT, "manifest", OWN_PAGE, None)
"""Endpoints for guests: the page itself, which is the PIN form for them, and what that form needs. None is a path of
another page, which is not found: by that, open pages notice that this one has taken over the address."""


class SinglePage:
    """Represents an app with one page, to which routes are added; every POST needs the page's token.

    :param page_language: for browsers that accept none of the languages.
    :param max_request: bytes.
    :param own_path: a path that only this app answers, so that browsers notice when another page has taken its address.
    :param pin: without it guests only see the PIN form; None if there is no PIN.
    :param key: signs the session cookies.
    :param hosts: further names by which browsers may reach this machine.
    :param game: the game that the page is about; None is the one that is played unless another is named.
    """

    def __init__(
        self,
        page_language: str,
        *,
        max_request: int,
        own_path: str = "/here",
        pin: str | None = None,
        key: bytes | None = None,
        hosts: Collection[str] = (),
        game: str | None = None,
    ) -> None:
        self.app = StrictApp(__name__)
        self.app.config["MAX_CONTENT_LENGTH"] = max_request
        set_up_templates(self.app)
        self._page_language = page_language
        self._game = game
        self._token = secrets.token_urlsafe(16)
        self._own_path = own_path
        init_guard(self.app, Guard(OwnNames(hosts), pin, Limiter(READS), Limiter(COMMANDS)), key)
        self.app.before_request(self._check)
        self.app.add_url_rule(own_path, "here", lambda: ("", 204))
        self.app.add_url_rule(MANIFEST, "manifest", lambda: manifest(self.translator()))
        self.app.add_url_rule("/pin", "pin", self._pin, methods=["POST"])
        self.app.add_url_rule("/me/<player>", OWN_PAGE, self._own_page)
        self.app.after_request(add_security_headers)
        self.app.register_error_handler(HTTPException, lambda error: error_response(error, self.translator()))
        self.app.context_processor(template_context)
        init_game_page(self.app, game or default_plugin().id)

    def translator(self) -> Translator:
        """Returns a translator for the user's language."""
        return Translator(preferred_language(self._page_language), self._game, strict=self.app.testing)

    def render(self, template: str, about: str | None = None, **data: Any) -> Response:
        """Returns the page itself, or the PIN form for guests; *about* names another game that it is about."""
        if current_guard().is_guest():
            template = "pin.html"
        page = self.render_part(
            template, about, languages=languages(), token=self._token, own_path=self._own_path, **data
        )
        return store_preferences(make_response(page))

    def render_part(self, template: str, about: str | None = None, **data: Any) -> str:
        """Returns a part of the page in the user's language; *about* names another game that it is about."""
        translator = self.translator().of_game(about) if about else self.translator()
        return render_template(template, t=translator, language=translator.language, **data)

    def _check(self) -> ResponseReturnValue | None:
        if request.method == "POST" and request.headers.get(TOKEN_HEADER) != self._token:
            return jsonify(error=self.translator()("page.forbidden")), 403
        if request.endpoint not in OPEN_TO_GUESTS and current_guard().is_guest():
            return jsonify(error=self.translator()("pin.needed")), 403
        return None

    def _own_page(self, player: str) -> str:
        """Shows a phone that there is no game for it now; it comes back by itself."""
        return self.render_part(
            "own_wait.html", languages=languages(), own_path=self._own_path, path=f"/me/{quote(player)}"
        )

    def _pin(self) -> ResponseReturnValue:
        if not current_guard().admit(request.get_json(silent=True)):
            return jsonify(error=self.translator()("page.wrong_pin")), 403
        return jsonify(member=True)
