"""Which language a reader is answered in."""

from __future__ import annotations

from flask import Response, request

from companion.words import LANGUAGES, texts

LANGUAGE_COOKIE = "language"
COOKIE_AGE_S = 400 * 24 * 3600
"""Browsers keep no cookie longer."""


def languages() -> dict[str, str]:
    """Code of each language -> its name in itself."""
    return {code: texts(code)["language.name"] for code in LANGUAGES}


def asked_for(otherwise: str) -> str:
    """The reader's language: asked for, chosen before, the browser's, or else *otherwise*."""
    # NOTE: not best_match(), which takes a plain "en" of lower quality before "fr-CA".
    accepted = (tag.partition("-")[0] for tag in request.accept_languages.values())
    wishes = (request.args.get("lang"), request.cookies.get(LANGUAGE_COOKIE), *accepted)
    return next((wish for wish in wishes if wish in LANGUAGES), otherwise)


def remembering(response: Response) -> Response:
    """*response*, with the language that was asked for by name kept in a cookie."""
    if request.args.get("lang") in LANGUAGES:
        response.set_cookie(
            LANGUAGE_COOKIE, request.args["lang"], COOKIE_AGE_S, samesite="Lax", httponly=True
        )
    return response
