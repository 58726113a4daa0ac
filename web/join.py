"""Joining from another tablet or phone: the address as a QR code, the PIN, and the web app manifest."""

from __future__ import annotations

import segno
from flask import Blueprint, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from .context import page_context, translator
from .guard import current_guard
from .manifest import MANIFEST, manifest

join = Blueprint("join", __name__)


@join.get("/join")
def how() -> str:
    """Shows the page's addresses, and how to keep a tablet's screen on."""
    addresses = page_context().addresses()
    return render_template(
        "join.html",
        t=translator(),
        addresses=addresses,
        code=Markup(
            segno.make(addresses[0], error="m").svg_inline(omitsize=True, dark="#2e2419", light="#fff")
        )
        if addresses
        else None,
        guest=current_guard().is_guest(),
    )


@join.post("/pin")
def pin() -> ResponseReturnValue:
    """Makes a guest with the right PIN a member."""
    if not current_guard().admit(request.get_json(silent=True)):
        return jsonify(error=translator()("page.wrong_pin")), 403
    return jsonify(member=True)


@join.get(MANIFEST)
def as_app() -> Response:
    """Returns what browsers need to install the page as an app."""
    return manifest(translator())
