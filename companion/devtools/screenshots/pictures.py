"""Screenshots of views: each in every language, in light and dark mode, on every screen size."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.errors import CompanionError
from companion.text.catalogue import LANGUAGES

from ..browser import chromium
from .view import View, screenplay, views_by_scenario

if TYPE_CHECKING:
    import numpy as np

SCHEMES = ("light", "dark")
TRANSITION_MS = 250
"""Time after a tap or a change of size until the layout is stable."""
TIMEOUT_MS = 30_000
ANSWER_MS = 90_000
"""For an answer that the page says takes a while."""
QUALITY = 18
"""Quality of the WebP files, 0 to 100: small text stays legible, and all files together stay under 9 MB."""
MAX_SCALE = 0.8
GAP = 8
"""px between the screenshots of a sheet."""
NARROW = 600
"""px; on wider screens only a dialog and its margin are shown."""
MARGIN = 24
"""px of the page around a dialog."""
BETWEEN = (128, 128, 128)
"""Colour of the gap, BGR."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen size, and how its screenshots are arranged."""

    width: int
    height: int
    description: str
    shown: int
    """Width of a screenshot in a sheet, px; scaled by at most MAX_SCALE."""
    columns: int
    most_screens: float
    """Maximum height of screenshots of long pages, in screens."""

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


SCREENS = (
    Screen(1280, 800, "a tablet in landscape", 640, 2, 1.4),
    Screen(800, 1280, "a tablet in portrait", 320, 4, 1.2),
    Screen(390, 844, "a phone", 234, 4, 1.5),
)
EXTRA_SCREENS = (
    Screen(1024, 768, "a small tablet in landscape", 640, 2, 1.4),
    Screen(844, 390, "a phone on its side", 422, 2, 1.0),
    Screen(1920, 1080, "a television", 640, 2, 1.4),
)
"""Only the main views are shown on these; the browser tests check all of them there, too."""


class ViewError(CompanionError, RuntimeError):
    """A view could not be reached: an element to tap was not found."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One screenshot of one view."""

    view: str
    screen: Screen
    language: str
    scheme: str
    png: bytes

    @property
    def name(self) -> str:
        return f"{self.view}-{self.screen}-{self.language}-{self.scheme}"


def screens_of(view: View) -> tuple[Screen, ...]:
    """Returns the screens on which the documentation shows *view*."""
    return (*SCREENS, *EXTRA_SCREENS) if view.name in screenplay().MAIN else SCREENS


def shots(only: Collection[str] = ()) -> Iterator[list[Shot]]:
    """Yields the screenshots of each view, or of *only* some.

    :raises companion.devtools.browser.BrowserMissingError: if there is no browser.
    :raises ViewError: if a view cannot be reached.
    """
    selected = {
        scenario: [view for view in shown if not only or view.name in only]
        for scenario, shown in views_by_scenario().items()
    }
    with chromium() as browser:
        for scenario, address in screenplay().scenarios({name for name, shown in selected.items() if shown}):
            for view in selected[scenario]:
                yield list(_shots(browser, address, view))


def _shots(browser: Any, address: str, view: View) -> Iterator[Shot]:
    context = browser.new_context(viewport={"width": SCREENS[0].width, "height": SCREENS[0].height})
    for language in LANGUAGES:
        page = context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        _open(page, f"{address}{view.path}{'&' if '?' in view.path else '?'}lang={language}", view)
        for screen in screens_of(view):
            for scheme in SCHEMES:
                page.set_viewport_size({"width": screen.width, "height": screen.height})
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                page.wait_for_timeout(TRANSITION_MS)
                yield Shot(view.name, screen, language, scheme, _picture(page, view, screen))
        page.close()
    context.close()


def _open(page: Any, address: str, view: View) -> None:
    from playwright.sync_api import TimeoutError as TooLateError

    page.goto(address)
    for tapped in view.taps:
        try:
            element = page.locator(tapped).first
            is_slow = element.get_attribute("data-wait") is not None
            element.click()
            if is_slow:
                page.locator("dialog[open] header").wait_for(timeout=ANSWER_MS)
        except TooLateError as error:
            raise ViewError(f"view {view.name}: nothing to tap at {tapped!r} on {address}") from error
        page.wait_for_timeout(TRANSITION_MS)


def _picture(page: Any, view: View, screen: Screen) -> bytes:
    dialog = page.locator("dialog[open]")
    if dialog.count() and screen.width > NARROW:
        return bytes(page.screenshot(clip=_around(dialog.bounding_box(), screen)))
    if not view.full_page:
        return bytes(page.screenshot())
    long = page.evaluate("document.documentElement.scrollHeight")
    height = round(min(max(long, screen.height), screen.most_screens * screen.height))
    # On a screen as long as the page, elements fixed to its bottom cover nothing.
    page.set_viewport_size({"width": screen.width, "height": height})
    page.wait_for_timeout(TRANSITION_MS)
    return bytes(page.screenshot())


def _around(box: dict[str, float], screen: Screen) -> dict[str, float]:
    """Returns *box* with a margin, clipped to the screen."""
    left, top = (max(0, box[at] - MARGIN) for at in ("x", "y"))
    right = min(screen.width, box["x"] + box["width"] + MARGIN)
    bottom = min(screen.height, box["y"] + box["height"] + MARGIN)
    return {"x": left, "y": top, "width": right - left, "height": bottom - top}


def sheet(pictures: list[Shot]) -> np.ndarray:
    """Returns the *pictures* of one view on one screen in a grid; (H, W, 3) uint8 BGR."""
    import cv2
    import numpy as np

    screen = pictures[0].screen
    small = []
    for shot in pictures:
        image: Any = cv2.imdecode(np.frombuffer(shot.png, np.uint8), cv2.IMREAD_COLOR)
        scale = min(MAX_SCALE, screen.shown / image.shape[1])
        small.append(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    height, width = (max(image.shape[axis] for image in small) + GAP for axis in (0, 1))
    filled = [
        cv2.copyMakeBorder(
            image, 0, height - image.shape[0], 0, width - image.shape[1], cv2.BORDER_CONSTANT, value=BETWEEN
        )
        for image in small
    ]
    rows = [filled[i : i + screen.columns] for i in range(0, len(filled), screen.columns)]
    return np.vstack([np.hstack(row) for row in rows])[:-GAP, :-GAP]


def write_sheets(pictures: list[Shot], folder: Path) -> int:
    """Writes the sheets of one view, one file for each screen shown there; returns their total size in bytes."""
    import cv2

    written = 0
    for screen in dict.fromkeys(shot.screen for shot in pictures):
        image = sheet([shot for shot in pictures if shot.screen == screen])
        data = cv2.imencode(".webp", image, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])[1].tobytes()
        (folder / file_name(pictures[0].view, screen)).write_bytes(data)
        written += len(data)
    return written


def file_name(view: str, screen: Screen) -> str:
    return f"{view}-{screen}.webp"
