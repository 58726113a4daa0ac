"""The command ``companion calibrate dice``, and what the colours and the white area in a table file are good for."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.table_file import load
from companion.cli.main import main
from hardware.scene import Scene, SceneDie
from hardware.virtual_table import VirtualTable, sample_layout
from tests.support.drawn_dice import draw_die, shot, table
from vision.reader import TableReader

DICE = (SceneDie(3, "red", "red"), SceneDie(5, "red", "red"), SceneDie(6, "white", "white"))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["calibrate", "dice", *map(str, arguments)])


@pytest.fixture(scope="module")
def shown() -> VirtualTable:
    table = VirtualTable(sample_layout(("red", "blue")), seed=4)
    table.show(Scene(dice=DICE))
    return table


@pytest.fixture
def table_path(shown: VirtualTable, tmp_path: Path) -> Path:
    path = tmp_path / "table.json"
    path.write_text(json.dumps(shown.table_file()))
    return path


@pytest.fixture
def picture(shown: VirtualTable, tmp_path: Path) -> Path:
    path = tmp_path / "dice.png"
    cv2.imwrite(str(path), shown.read())
    return path


def test_dice_in_the_areas_of_their_colours_are_measured(table_path: Path, picture: Path) -> None:
    result = run(table_path, picture)
    assert result.exit_code == 0
    assert "measured on 2 dice" in result.stdout and "measured on 1 die" in result.stdout
    colours = load(table_path).dice_colours
    assert set(colours) == {"red", "white"}
    assert colours["red"][2] > 2 * max(colours["red"][:2])
    assert max(colours["white"]) < 1.25 * min(colours["white"])


def test_the_rest_of_the_table_file_stays(table_path: Path, picture: Path) -> None:
    before = json.loads(table_path.read_text())
    run(table_path, picture)
    after = json.loads(table_path.read_text())
    assert after.pop("dice_colours") and after == before


def test_each_colour_is_one_line_of_the_table_file(table_path: Path, picture: Path) -> None:
    run(table_path, picture)
    _, _, written = table_path.read_text().partition('"dice_colours": {')
    assert [line.split(":")[0].strip() for line in written.splitlines() if "[" in line] == [
        '"red"',
        '"white"',
    ]
    assert all("]" in line for line in written.splitlines() if "[" in line)


def test_names_may_be_given_in_reading_order(table_path: Path, picture: Path) -> None:
    assert run(table_path, picture, "--colours", "a,b,c").exit_code == 0
    assert set(load(table_path).dice_colours) == {"a", "b", "c"}


def test_another_number_of_names_than_dice_is_refused(table_path: Path, picture: Path) -> None:
    result = run(table_path, picture, "--colours", "red,white")
    assert result.exit_code == 1
    assert "dice.png: dice seen: 3, colours given: 2" in result.stderr
    assert not load(table_path).dice_colours


def test_a_picture_without_dice_is_named(table_path: Path, tmp_path: Path, shown: VirtualTable) -> None:
    empty = tmp_path / "empty.png"
    cv2.imwrite(str(empty), np.full_like(shown.read(), 90))
    result = run(table_path, empty)
    assert result.exit_code == 1 and "empty.png: no die is seen" in result.stderr


def test_a_broken_picture_is_named(table_path: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    result = run(table_path, broken)
    assert result.exit_code == 1 and "broken.png" in result.stderr


def test_measured_dice_are_called_by_their_own_names(table_path: Path, shown: VirtualTable) -> None:
    """Away from their areas, which would name them."""
    document = shown.table_file()
    document["dice_areas_mm"] = {f"tray {name}": area for name, area in document["dice_areas_mm"].items()}
    document["dice_colours"] = {"crimson": [40, 35, 185], "chalk": [225, 228, 230]}
    table_path.write_text(json.dumps(document))
    dice = TableReader(load(table_path)).read(shown.read()).dice
    assert sorted(die.colour for die in dice) == ["chalk", "crimson", "crimson"]


@pytest.mark.parametrize(("paper", "name"), [(120, "white"), (240, "grey")])
def test_the_white_area_shows_the_light(paper: int, name: str, tmp_path: Path) -> None:
    """A die of one and the same grey beside white paper in dim light, and in bright light."""
    frame = table(640, 480, (60, 60, 60))
    draw_die(frame, 5, (110, 110, 110), (15, 15, 15), (124, 124))
    cv2.rectangle(frame, (300, 300), (400, 400), (paper, paper, paper), -1)
    path = tmp_path / "table.json"
    document = {
        "image_size": [640, 480],
        "dice_areas": [[[60, 60], [190, 60], [190, 190], [60, 190]]],
        "dice_colours": {"grey": [125, 125, 125], "white": [230, 230, 230]},
        "white_area": [[310, 310], [390, 310], [390, 390], [310, 390]],
    }
    path.write_text(json.dumps(document))
    (die,) = TableReader(load(path)).read(shot(frame)).dice
    assert die.colour == name
