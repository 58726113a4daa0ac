"""The web app manifest of all pages; other programs recognise a companion by it."""

from __future__ import annotations

from flask import Response, jsonify, url_for

from companion.text.translator import Translator

MANIFEST = "/manifest.webmanifest"


def manifest(translator: Translator) -> Response:
    """Returns what browsers need to install the page as an app (W3C, Web Application Manifest)."""
    icon = {"src": url_for("static", filename="icon.svg"), "type": "image/svg+xml", "sizes": "any"}
    about = {
        "name": translator("page.title"),
        "short_name": translator("page.app_name"),
        "start_url": "/",
        "display": "standalone",
        "background_color": "#f4ecdc",
        "theme_color": "#7d2340",
        "icons": [{**icon, "purpose": "any"}, {**icon, "purpose": "maskable"}],
    }
    answer = jsonify(about)
    answer.mimetype = "application/manifest+json"
    return answer
