"""Joining from another tablet or phone: the address as a QR code, the PIN, and the web app manifest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flask import Blueprint, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from .context import page_context, translator
from .guard import current_guard
from .manifest import MANIFEST, manifest
from .qr import qr_code

join = Blueprint("join", __name__)


@join.get("/join")
def how() -> str:
    """Shows the page's addresses, and how to keep a tablet's screen on."""
    addresses = page_context().addresses()
    return render_template(
        "join.html",
        t=translator(page_context().session.snapshot()["view"]),
        addresses=addresses,
        code=qr_code(addresses[0]) if addresses else None,
        guest=current_guard().is_guest(),
        invitations=[] if current_guard().is_guest() else list(_invitations()),
    )


@dataclass(frozen=True, slots=True)
class Invitation:
    """How a player's phone joins a page of their own."""

    player: str
    code: str | None
    """None if it has joined."""
    qr: Markup | None
    """The address with the code, which stays in the browser: it is behind a ``#``."""


def _invitations() -> Iterator[Invitation]:
    context = page_context()
    for player in context.session.snapshot()["own_pages"]:
        code = context.own_phones.code(player)
        address = next(iter(context.addresses()), None)
        qr = qr_code(f"{address.rstrip('/')}/me/{player}#{code}") if address and code else None
        yield Invitation(player, code, qr)


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
