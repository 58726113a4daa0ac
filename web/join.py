"""Joining the table from another tablet or phone: its address as a QR code, the PIN, and what makes the page an app."""

from __future__ import annotations

import segno
from flask import Blueprint, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from .context import page_context, translator
from .guard import guarding
from .manifest import MANIFEST, manifest

join = Blueprint("join", __name__)


@join.get("/join")
def how() -> str:
    """Where the page is found, and how a tablet stays awake."""
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
        guest=guarding().is_guest(),
    )


@join.post("/pin")
def pin() -> ResponseReturnValue:
    """Lets a guest play who knows the table's PIN."""
    if not guarding().admit(request.get_json(silent=True)):
        return jsonify(error=translator()("page.wrong_pin")), 403
    return jsonify(member=True)


@join.get(MANIFEST)
def as_app() -> Response:
    """What browsers need to install the page as an app."""
    return manifest(translator())
