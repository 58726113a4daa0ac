"""The hardware page and the faceplate say what follows from the table, the cameras and the languages."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from math import atan, ceil, degrees, hypot, radians, tan

import pytest

from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from hardware.panel import BUTTONS, load_config
from hardware.virtual_table.layout import TABLE_MM
from hardware.virtual_table.pieces import DIE_MM
from hardware.virtual_table.sprites import HEX_MM
from tests.support.paths import DOCS

SVG = "{http://www.w3.org/2000/svg}"
MORE = 1.1
"""How much more than the table a camera sees."""
SEAT_MM = 292.0
"""Width of a player's board, which one side of the table has to spare with two players."""
WIDTH_PX = {"USB": 1920}
"""Of pictures by the first word of a camera's name; the Pi's are 2304 px wide."""

ROWS = re.findall(
    r"^\| ([\d, ]+) \| ([^|]+) \| ([\d.]+)° × ([\d.]+)° \| (.*) \|$", (DOCS / "hardware.md").read_text(), re.M
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[1]}")
def test_a_height_follows_from_the_table_and_the_angles(row: tuple[str, ...]) -> None:
    players, camera, across, along, rest = row
    width, height = TABLE_MM if "4" in players else (TABLE_MM[0] - SEAT_MM, TABLE_MM[1])
    wide, high = (2 * tan(radians(float(angle)) / 2) for angle in (across, along))
    above = ceil(max(width / wide, height / high) * MORE / 10) * 10
    px = WIDTH_PX.get(camera.split(",")[0], 2304) / (wide * above)
    steepest = degrees(atan(hypot(width, height) / 2 / above))
    numbers = [float(number) for number in re.findall(r"[\d.]+", rest)]
    assert numbers == [
        above / 10,
        *(round(part * above) for part in (wide, high)),
        round(px, 1),
        round(px * DIE_MM),
        round(px * HEX_MM),
        round(steepest),
    ]


def test_all_cameras_are_listed_for_two_and_four_players() -> None:
    assert len(ROWS) == 6


@pytest.fixture(scope="module")
def plate() -> ET.Element:
    return ET.parse(DOCS / "panel-faceplate.svg").getroot()


def test_the_faceplate_has_the_size_it_states(plate: ET.Element) -> None:
    assert (plate.get("width"), plate.get("height"), plate.get("viewBox")) == (
        "210mm",
        "297mm",
        "0 0 210 297",
    )
    assert all(
        (float(box.attrib["width"]), float(box.attrib["height"])) == (170, 86)
        for box in plate.iter(f"{SVG}rect")
        if box.get("rx")
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_faceplate_names_every_button_as_the_page_does(plate: ET.Element, language: str) -> None:
    written = [text.text for text in plate.iter(f"{SVG}text")]
    assert {Translator(language).button(name) for name in BUTTONS} <= set(written)


def test_the_faceplate_states_how_long_buttons_are_held(plate: ET.Element) -> None:
    written = " ".join(text.text or "" for text in plate.iter(f"{SVG}text"))
    holds = load_config().holds
    assert f"{holds['undo']:g} s: the whole turn" in written and f"{holds['help']:g} s: switch off" in written


def test_holes_are_drilled_where_the_front_shows_them(plate: ET.Element) -> None:
    front, template = plate.findall(f"{SVG}g")
    holes = [
        {
            (c.get("cx"), c.get("cy"), float(c.attrib["r"]))
            for c in group.iter(f"{SVG}circle")
            if "hole" in c.attrib["class"]
        }
        for group in (front, template)
    ]
    assert holes[0] == holes[1]
