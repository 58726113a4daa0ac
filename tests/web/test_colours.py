"""Colours with different colour vision: nothing depends on colour alone, and text on every colour is legible.

Colour vision is simulated by the matrices of G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-
based Model for Simulation of Color Vision Deficiency", IEEE Transactions on Visualization and Computer Graphics 15(6),
2009, at severity 1.0, which act on linear RGB. Contrast is that of WCAG 2.2; distance is CIE 1976 (L*, a*, b*), D65.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from jinja2 import Environment, FileSystemLoader

from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS
from companion.games.burgundy.rules.tiles import TYPES
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.support.paths import CHECKOUT

WEB = CHECKOUT / "web"
PARTS = (WEB / "static", WEB / "games" / "burgundy" / "static")
"""Folders with what the page and the game add to it."""
STYLE = "\n".join((folder / "style.css").read_text(encoding="utf-8") for folder in PARTS)
ICONS = "\n".join((folder / "icons.svg").read_text(encoding="utf-8") for folder in PARTS)


def found(pattern: str, text: str) -> str:
    """Returns the group of the first match of *pattern*, which must be in *text*."""
    match = re.search(pattern, text)
    assert match is not None, pattern
    return match[1]


VISIONS = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
    "greyscale": np.tile([0.2126, 0.7152, 0.0722], (3, 1)),
}
GRAPHICS_CONTRAST, TEXT_CONTRAST = 3.0, 4.5
"""What WCAG 2.2 requires for graphics (1.4.11) and for text (1.4.3)."""
ALIKE = 15.0
"""CIE 1976 distance below which two areas of colour are easily confused."""
FREE_OPACITY, FREE_ICON_OPACITY = (
    float(found(rf"\.free {what} \{{[^}}]*?opacity: ([\d.]+)", STYLE)) for what in ("polygon", "use")
)
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
"""Linear sRGB to CIE XYZ."""


def tokens(scheme: str) -> dict[str, str]:
    """Returns the colours of the style sheet by name, for the light or dark scheme."""
    light = "".join(re.findall(r"^:root \{(.*?)\}", STYLE, re.DOTALL | re.MULTILINE))
    dark = "".join(re.findall(r"^  :root \{(.*?)\}", STYLE, re.DOTALL | re.MULTILINE))
    declared = light + dark if scheme == "dark" else light
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", declared))


def linear(colour: str, vision: str = "usual") -> np.ndarray:
    """Returns (3,) linear RGB of a colour ``#rrggbb``, as it is seen with *vision*."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    rgb = np.array([int(digits[i : i + 2], 16) for i in (0, 2, 4)]) / 255
    return seen(np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4), vision)


def seen(rgb: np.ndarray, vision: str) -> np.ndarray:
    clipped: np.ndarray = np.clip(VISIONS[vision] @ rgb, 0, 1)
    return clipped


def over(colour: str, opacity: float, ground: np.ndarray) -> np.ndarray:
    """Returns (3,) linear RGB of a translucent colour over a ground, mixed in sRGB as in browsers."""
    mixed = opacity * encoded(linear(colour)) + (1 - opacity) * encoded(ground)
    return np.where(mixed <= 0.04045, mixed / 12.92, ((mixed + 0.055) / 1.055) ** 2.4)


def encoded(rgb: np.ndarray) -> np.ndarray:
    return np.where(rgb <= 0.0031308, 12.92 * rgb, 1.055 * rgb ** (1 / 2.4) - 0.055)


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    """Returns the contrast ratio of two linear RGB colours (WCAG 2.2)."""
    lighter, darker = sorted((float(XYZ[1] @ rgb) for rgb in (one, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def distance(one: np.ndarray, other: np.ndarray) -> float:
    """Returns the CIE 1976 distance of two linear RGB colours."""

    def lab(rgb: np.ndarray) -> np.ndarray:
        xyz = XYZ @ rgb / (XYZ @ np.ones(3))
        f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz * (29 / 6) ** 2 / 3 + 4 / 29)
        return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])

    return float(np.linalg.norm(lab(one) - lab(other)))


def face(tile_type: str) -> str:
    """Returns the colour of the face of a tile."""
    return found(rf"\.tile-{tile_type} \{{.*?--face: (#[0-9a-f]+);", STYLE)


def symbol(name: str) -> str:
    """Returns the drawing of an icon."""
    return found(rf'<symbol id="{name}"[^>]*>(.*?)</symbol>', ICONS)


@pytest.fixture(params=["light", "dark"])
def colours(request: pytest.FixtureRequest) -> dict[str, str]:
    return tokens(request.param)


@pytest.fixture(params=VISIONS)
def vision(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_simulation_agrees_with_known_confusions() -> None:
    """White stays white; red and green of equal lightness are similar only to deuteranopes."""
    for vision in VISIONS:
        assert linear("#ffffff", vision) == pytest.approx(np.ones(3), abs=1e-3)
    red, green = "#c04040", "#6f7a1f"
    assert distance(linear(red), linear(green)) > 2 * distance(
        linear(red, "deuteranopia"), linear(green, "deuteranopia")
    )


def test_an_icon_stands_out_on_its_tile_for_every_eye(colours: dict[str, str], vision: str) -> None:
    faint = {
        tile: round(ratio, 2)
        for tile in TYPES
        if (ratio := contrast(linear(face(tile), vision), linear(colours[tile], vision))) < GRAPHICS_CONTRAST
    }
    assert faint == {}


def test_the_icon_of_an_empty_space_stands_out_for_every_eye(colours: dict[str, str], vision: str) -> None:
    faint: dict[str, float] = {}
    for tile in TYPES:
        ground = over(colours[tile], FREE_OPACITY, linear(colours["surface"]))
        icon = over(colours["ink"], FREE_ICON_OPACITY, ground)
        ratio = contrast(seen(icon, vision), seen(ground, vision))
        faint |= {tile: round(ratio, 2)} if ratio < GRAPHICS_CONTRAST else {}
    assert faint == {}


def test_tiles_with_similar_colours_have_different_icons(colours: dict[str, str], vision: str) -> None:
    alike = [
        (one, other)
        for one, other in combinations(TYPES, 2)
        if distance(linear(colours[one], vision), linear(colours[other], vision)) < ALIKE
    ]
    assert vision == "greyscale" or len(alike) <= 2  # the palette itself keeps most of them apart
    assert [(one, other) for one, other in alike if symbol(one) == symbol(other)] == []


def badge(colour: str, language: str) -> str:
    """Returns the drawing of a player's badge."""
    macros = Environment(loader=FileSystemLoader(WEB / "templates")).get_template("macros.html")
    slot = "slots/{}.html".format
    module: Any = macros.make_module({"t": Translator(language), "slot": slot})
    return str(module.badge_face(colour)).strip()


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_differ_in_shape_and_letter(language: str) -> None:
    drawn = [badge(colour, language) for colour in PLAYER_COLOURS]
    shapes = [found(r"(<(?:circle|rect|polygon)[^>]*>)", svg) for svg in drawn]
    letters = [found(r"<text>(.*?)</text>", svg) for svg in drawn]
    assert len(set(shapes)) == len(set(letters)) == len(PLAYER_COLOURS)
    assert all(len(letter) == 1 for letter in letters)


def test_the_letter_of_a_player_can_be_read_by_every_eye(colours: dict[str, str], vision: str) -> None:
    own = dict(re.findall(r"\.badge-(\w+) text \{ fill: (#[0-9a-f]+)", STYLE))
    faint: dict[str, float] = {}
    for colour in PLAYER_COLOURS:
        ratio = contrast(linear(own.get(colour, colours["letter"]), vision), linear(colours[colour], vision))
        faint |= {colour: round(ratio, 2)} if ratio < TEXT_CONTRAST else {}
    assert faint == {}
