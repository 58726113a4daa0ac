"""What a reader has chosen by a link (``?lang=fr``, ``?text=150``) and the browser keeps: language, size of text."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from flask import Response, request

from companion.text.catalogue import LANGUAGES, texts

COOKIE_AGE_S = 400 * 24 * 3600
"""Browsers keep no cookie longer."""
TEXT_SIZES = (100, 125, 150, 175, 200)
"""Per cent of the browser's own size of text."""
LAYOUTS = {
    "wide.css": ({"min-width": 1000, "min-height": 680},),
    "middle.css": ({"min-width": 700, "max-width": 999.9}, {"min-width": 1000, "max-height": 679.9}),
    "narrow.css": ({"max-width": 699.9},),
}
"""Style sheet -> the screens that it is for, in px at the usual size of text."""


@dataclass(frozen=True)
class Choice:
    """Something that a link chooses and a cookie keeps."""

    field: str
    cookie: str
    values: Collection[str]

    def made(self) -> str | None:
        """What is asked for now, or was chosen before; None without either."""
        next_games = (request.args.get(self.field), request.cookies.get(self.cookie))
        return next((next_game for next_game in next_games if next_game in self.values), None)

    def keep(self, response: Response) -> None:
        """Keeps what is asked for now in a cookie of *response*."""
        if (next_game := request.args.get(self.field)) in self.values:
            response.set_cookie(self.cookie, next_game, COOKIE_AGE_S, samesite="Lax", httponly=True)


LANGUAGE = Choice("lang", "language", LANGUAGES)
TEXT_SIZE = Choice("text", "text_size", tuple(map(str, TEXT_SIZES)))


def languages() -> dict[str, str]:
    """Code of each language -> its name in itself."""
    return {code: texts(code)["language.name"] for code in LANGUAGES}


def asked_for(otherwise: str) -> str:
    """The reader's language: asked for, chosen before, the browser's, or else *otherwise*."""
    # NOTE: not best_match(), which takes a plain "en" of lower quality before "fr-CA".
    accepted = (tag.partition("-")[0] for tag in request.accept_languages.values())
    return LANGUAGE.made() or next((tag for tag in accepted if tag in LANGUAGES), otherwise)


def text_size() -> int:
    """The reader's size of text, of TEXT_SIZES."""
    return int(TEXT_SIZE.made() or TEXT_SIZES[0])


def layouts(size: int) -> dict[str, str]:
    """Style sheet -> media query: larger text needs a larger screen for the same layout."""
    return {
        sheet: ", ".join(
            " and ".join(f"({what}: {px * size / 100:g}px)" for what, px in screen.items())
            for screen in screens
        )
        for sheet, screens in LAYOUTS.items()
    }


def remembering(response: Response) -> Response:
    """*response*, with what was asked for by name kept in cookies."""
    for choice in (LANGUAGE, TEXT_SIZE):
        choice.keep(response)
    return response
