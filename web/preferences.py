"""Preferences that a user sets by a link (``?lang=fr``, ``?text=150``) and a cookie stores."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from flask import Response, request

from companion.text.catalogue import LANGUAGES, common_texts

COOKIE_AGE_S = 400 * 24 * 3600
"""The longest time for which browsers store a cookie."""
TEXT_SIZES = (100, 125, 150, 175, 200)
"""Per cent of the browser's own text size."""
PANELS = ("hidden", "drawn")
"""Whether the page draws the button panel of a machine that has none; hidden unless it is asked for."""
LAYOUTS: dict[str, tuple[dict[str, float], ...]] = {
    "wide.css": ({"min-width": 1000, "min-height": 680},),
    "short.css": ({"min-width": 1000, "min-height": 680, "max-height": 799.9},),
    "middle.css": (
        {"min-width": 700, "max-width": 999.9, "min-height": 480},
        {"min-width": 1000, "min-height": 480, "max-height": 679.9},
    ),
    "low.css": ({"min-width": 640, "max-height": 479.9},),
    "narrow.css": ({"max-width": 639.9}, {"max-width": 699.9, "min-height": 480}),
}
"""Style sheet -> the screens that it is for, in px at the normal text size. A short screen is also wide."""


@dataclass(frozen=True)
class Preference:
    """A preference that a link sets and a cookie stores."""

    field: str
    cookie: str
    values: Collection[str]

    def current(self) -> str | None:
        """Returns the value of this request's link or else of the cookie; None if neither is valid."""
        given = (request.args.get(self.field), request.cookies.get(self.cookie))
        return next((value for value in given if value in self.values), None)

    def store(self, response: Response) -> None:
        """Stores the value of this request's link in a cookie of *response*, if there is a valid one."""
        value = request.args.get(self.field)
        if value is not None and value in self.values:
            response.set_cookie(self.cookie, value, COOKIE_AGE_S, samesite="Lax", httponly=True)


LANGUAGE = Preference("lang", "language", LANGUAGES)
TEXT_SIZE = Preference("text", "text_size", tuple(map(str, TEXT_SIZES)))
PANEL = Preference("panel", "panel", PANELS)
CLOCK = Preference("clock", "clock", ("on", "off"))
COACH = Preference("coach", "coach", ("on", "off"))


def languages() -> dict[str, str]:
    """Returns the name of each language in that language, by its code."""
    return {code: common_texts(code)["language.name"] for code in LANGUAGES}


def preferred_language(default: str) -> str:
    """Returns the user's language: from the link, the cookie, the browser's settings, or else *default*."""
    # NOTE: not best_match(), which takes a plain "en" of lower quality before "fr-CA".
    accepted = (tag.partition("-")[0] for tag in request.accept_languages.values())
    return LANGUAGE.current() or next((tag for tag in accepted if tag in LANGUAGES), default)


def text_size() -> int:
    """Returns the user's text size, one of TEXT_SIZES."""
    return int(TEXT_SIZE.current() or TEXT_SIZES[0])


def panel_choice() -> str:
    """Returns whether the user wants the button panel drawn, one of PANELS."""
    return PANEL.current() or PANELS[0]


def shows_clock() -> bool:
    """Whether the user wants to see the turn clock."""
    return CLOCK.current() == "on"


def shows_coach() -> bool:
    """Whether the user wants to be able to ask the coach."""
    return COACH.current() == "on"


def layouts(size: int) -> dict[str, str]:
    """Returns each style sheet's media query: larger text needs a larger screen for the same layout."""
    return {
        sheet: ", ".join(
            " and ".join(f"({what}: {px * size / 100:g}px)" for what, px in screen.items())
            for screen in screens
        )
        for sheet, screens in LAYOUTS.items()
    }


def store_preferences(response: Response) -> Response:
    """Stores the preferences of this request's link in cookies of *response*, and returns it."""
    for preference in (LANGUAGE, TEXT_SIZE, PANEL, CLOCK, COACH):
        preference.store(response)
    return response
