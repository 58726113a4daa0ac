"""What apps of a single page share: what protects them, the reader's language, and a token for all that is sent."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Any

from flask import Flask, Response, jsonify, make_response, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.network.hostnames import OwnNames
from companion.text.translator import Translator

from .app import protect, template_context, told
from .guard import COMMANDS, READS, Guard, Limiter, guard, guarding
from .manifest import MANIFEST, manifest
from .preferences import asked_for, languages, remembering
from .request_parsing import read_safely
from .templating import set_up_templates

TOKEN_HEADER = "X-Token"
OPEN_TO_GUESTS = ("show", "here", "pin", "static", "manifest")
"""Endpoints: the page itself, which is another one for them, and what that one needs."""


class SinglePage:
    """Represents an app with one page, to which routes are added; what is posted needs the page's token.

    *page_language* is for readers whose browser asks for no language that there is, *largest_request* in bytes. Where
    there is a *pin*, who does not know it sees nothing but that something is going on here, until the address is
    another page's; *key* signs what their browsers keep. *own_path* is answered by this page alone, so that browsers
    see when the address is another's. *hosts* are further names by which browsers may call this machine.
    """

    def __init__(
        self,
        page_language: str,
        *,
        largest_request: int,
        own_path: str = "/here",
        pin: str | None = None,
        key: bytes | None = None,
        hosts: Collection[str] = (),
    ) -> None:
        self.app = Flask(__name__)
        read_safely(self.app)
        self.app.config["MAX_CONTENT_LENGTH"] = largest_request
        set_up_templates(self.app)
        self._page_language = page_language
        self._token = secrets.token_urlsafe(16)
        self._own_path = own_path
        guard(self.app, Guard(OwnNames(hosts), pin, Limiter(READS), Limiter(COMMANDS)), key)
        self.app.before_request(self._check)
        self.app.add_url_rule(own_path, "here", lambda: ("", 204))
        self.app.add_url_rule(MANIFEST, "manifest", lambda: manifest(self.translator()))
        self.app.add_url_rule("/pin", "pin", self._pin, methods=["POST"])
        self.app.after_request(protect)
        self.app.register_error_handler(HTTPException, lambda error: told(error, self.translator()))
        self.app.context_processor(template_context)

    def translator(self) -> Translator:
        """The words of the reader's language."""
        return Translator(asked_for(self._page_language), strict=self.app.testing)

    def shown(self, template: str, **data: Any) -> Response:
        """The page itself; the language that was asked for by name is remembered."""
        if guarding().is_guest():
            template = "pin.html"
        page = self.part(template, languages=languages(), token=self._token, own_path=self._own_path, **data)
        return remembering(make_response(page))

    def part(self, template: str, **data: Any) -> str:
        """A part of the page, in the reader's language."""
        translator = self.translator()
        return render_template(template, t=translator, language=translator.language, **data)

    def _check(self) -> ResponseReturnValue | None:
        if request.method == "POST" and request.headers.get(TOKEN_HEADER) != self._token:
            return jsonify(error=self.translator()("page.forbidden")), 403
        if request.endpoint not in OPEN_TO_GUESTS and guarding().is_guest():
            return jsonify(error=self.translator()("pin.needed")), 403
        return None

    def _pin(self) -> ResponseReturnValue:
        if not guarding().admit(request.get_json(silent=True)):
            return jsonify(error=self.translator()("page.wrong_pin")), 403
        return jsonify(member=True)
