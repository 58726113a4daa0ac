"""The trade route tiles of the owner's copy, listed and corrected on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from companion.games.burgundy.owner_print import PrintFile

SQUARES = "2:take_building,4:take_any_hex,1:workers_4"
TILE = [[2, "take_building"], [4, "take_any_hex"], [1, "workers_4"]]


def run(path: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["calibrate", "trade_routes", "--print", str(path), *options])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "print.json"


def test_known_tiles_are_listed_with_their_bonuses(path: Path) -> None:
    PrintFile(path).save({"trade_routes": {"a": TILE}})
    assert "a: 2 taking a building, 4 taking any tile of the six depots, 1 4 workers" in run(path).output


def test_a_tile_is_saved_and_removed_again(path: Path) -> None:
    assert run(path, "--tile", f"c={SQUARES}").exit_code == 0
    assert PrintFile(path).answers == {"trade_routes": {"c": TILE}}
    assert run(path, "--remove", "c").exit_code == 0
    assert PrintFile(path).answers == {"trade_routes": {}}


def test_a_file_is_named_only_if_it_holds_answers(path: Path) -> None:
    assert run(path).output == "Nothing about your copy has been saved.\n"
    PrintFile(path).save({"trade_routes": {"a": TILE}})
    assert f"is saved in {path}" in run(path).output


@pytest.mark.parametrize(
    ("tile", "message"),
    [
        ("c=2", "write it like"),
        ("c=²:take_building,4:take_any_hex,1:workers_4", "write it like"),
        (f"c={'9' * 5000}:take_building", "write it like"),
        ("c=2:gold,4:gold,1:gold", "has 2 and “gold”: numbers are 1 to 6, bonuses silver_2, points_4"),
        ("c=9:points_4,4:points_4,1:points_4", "has 9 and “points_4”: numbers are 1 to 6"),
        ("c=2:take_building", "has three squares"),
        (f"m={SQUARES}", "none of them"),
    ],
)
def test_a_tile_that_no_copy_has_is_refused_in_a_sentence(path: Path, tile: str, message: str) -> None:
    result = run(path, "--tile", tile)
    assert result.exit_code != 0 and message in str(result.exception) + result.output
    assert not path.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--tile", f"a={SQUARES}", "--tile", "a=1:silver_2,2:silver_2,3:silver_2"), "a is named twice"),
        (("--tile", f"c={SQUARES}", "--remove", "c"), "c is named twice"),
        (("--remove", "a"), "no trade route tile a is recorded (there are c)"),
    ],
)
def test_what_contradicts_itself_or_has_no_effect_is_refused(
    path: Path, options: tuple[str, ...], message: str
) -> None:
    PrintFile(path).save({"trade_routes": {"c": TILE}})
    result = run(path, *options)
    assert result.exit_code != 0 and message in str(result.exception) + result.output
    assert PrintFile(path).answers == {"trade_routes": {"c": TILE}}
