"""What makes the page an app, before, during and after a game; by it a companion is told from another program."""

from __future__ import annotations

from flask import Response, jsonify, url_for

from companion.text.translator import Words

MANIFEST = "/manifest.webmanifest"


def manifest(words: Words) -> Response:
    """What browsers need to install the page as an app, in the language of *words* (W3C, Web Application Manifest)."""
    icon = {"src": url_for("static", filename="icon.svg"), "type": "image/svg+xml", "sizes": "any"}
    about = {
        "name": words("page.title"),
        "short_name": words("page.app_name"),
        "start_url": "/",
        "display": "standalone",
        "background_color": "#f4ecdc",
        "theme_color": "#7d2340",
        "icons": [{**icon, "purpose": "any"}, {**icon, "purpose": "maskable"}],
    }
    answer = jsonify(about)
    answer.mimetype = "application/manifest+json"
    return answer
