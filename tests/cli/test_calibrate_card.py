"""County cards of the Châteauma, read from a picture of one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.games.burgundy.facts import TILE_TYPES, load_facts
from companion.cli.main import main
from companion.games.burgundy.owner_print import OwnersPrint
from companion.games.burgundy.plugin import chateauma_module
from tests.support.drawn_cards import card, with_symbol
from vision.games.burgundy.county_card import CardError, known_card, scan_card


def chances(colours: list[str], sure: float = 0.9) -> np.ndarray:
    """(N, 6): each colour read with *sure*."""
    rows = np.full((len(colours), len(TILE_TYPES)), (1 - sure) / (len(TILE_TYPES) - 1))
    rows[np.arange(len(colours)), [TILE_TYPES.index(colour) for colour in colours]] = sure
    return rows


@pytest.mark.parametrize("turn", [0.0, 7.0])
@pytest.mark.parametrize("number", [4, 6])
def test_a_known_card_is_recognised_by_its_picture(number: int, turn: float) -> None:
    colours = [hex_.tile_type for hex_ in load_facts().county_cards[number].hexes if hex_.tile_type]
    assert scan_card(card(colours, turn)).number == number


def test_a_known_card_is_recognised_by_its_colours() -> None:
    assert known_card(chances(["ship", "monastery", "building", "ship"])) == 6
    assert known_card(chances(["castle", "mine", "livestock", "ship"])) == 8  # whose third space is unknown


def test_an_unknown_card_has_no_number() -> None:
    assert known_card(chances(["ship"] * 4)) is None


def test_a_card_that_could_be_several_has_no_number() -> None:
    assert known_card(np.full((4, len(TILE_TYPES)), 1 / len(TILE_TYPES))) is None


def test_a_table_without_a_card_is_refused_with_a_sentence() -> None:
    with pytest.raises(CardError, match="show"):
        scan_card(np.full((480, 640, 3), 90, np.uint8))


def output_of(picture: np.ndarray, tmp_path: Path, *options: str, typed: str = "") -> Result:
    """Runs the command with *picture*."""
    path = tmp_path / "card.png"
    cv2.imwrite(str(path), picture)
    words = ["--camera", str(path), "--print", str(tmp_path / "print.json"), *options]
    return CliRunner().invoke(main, ["calibrate", "card", *words], input=typed)


def saved_cards(
    picture: np.ndarray, tmp_path: Path, *options: str, typed: str = ""
) -> dict[str, list[dict[str, Any]]]:
    """Returns the cards that the command saves."""
    result = output_of(picture, tmp_path, *options, typed=typed)
    assert result.exit_code == 0, result.output
    cards: dict[str, list[dict[str, Any]]] = json.loads((tmp_path / "print.json").read_text())["cards"]
    return cards


def test_a_known_card_is_saved_once_as_it_is_printed_and_nothing_is_asked(tmp_path: Path) -> None:
    picture = card(["ship", "monastery", "building", "ship"])
    outputs = [output_of(picture, tmp_path).stdout for _ in range(2)]
    assert outputs == 2 * ["County card 6 is saved: blue, yellow, beige, blue.\n"]
    ((number, spaces),) = saved_cards(picture, tmp_path).items()
    assert number == "6"
    assert [(space["colour"], space["sell_goods"]) for space in spaces] == [
        ("ship", True), ("monastery", False), ("building", False), ("ship", False)]  # fmt: skip


def test_a_colour_unknown_from_print_is_taken_as_read(tmp_path: Path) -> None:
    cards = saved_cards(card(["castle", "mine", "livestock", "ship"]), tmp_path, typed="livestock\n")
    assert cards["8"][2]["colour"] == "livestock"


def test_a_game_takes_the_card_as_it_was_saved(tmp_path: Path) -> None:
    saved_cards(card(["castle", "mine", "livestock", "ship"]), tmp_path, "--yes")
    own = OwnersPrint(tmp_path / "print.json", chateauma_module().print_of("special"))
    assert [unknown.what for unknown in own.missing("")] == ["inventory_order"]


@pytest.fixture
def colours_are_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.boards.empty_board.SURE", 0.0)


@pytest.mark.usefixtures("colours_are_sure")
def test_a_card_that_is_not_recognised_is_saved_under_the_number_that_was_entered(tmp_path: Path) -> None:
    cards = saved_cards(card(["ship"] * 4), tmp_path, typed="2\n0\n")
    assert [(number, len(spaces)) for number, spaces in cards.items()] == [("2", 4)]


def test_a_card_with_another_number_is_taken_as_read(tmp_path: Path) -> None:
    cards = saved_cards(card(["ship", "monastery", "building", "ship"]), tmp_path, "--number", "9", "--yes")
    assert [space["colour"] for space in cards["9"]] == ["ship", "monastery", "building", "ship"]


@pytest.mark.parametrize(
    ("options", "typed", "expected"),
    [
        (["--yes"], "", "say which one it is with --number"),
        ([], "1\n", "'1' is not one of '2', '3', '5', '6', '8', '9'"),
        (["--number", "1", "--yes"], "", "Card 1 has 3 spaces, not 4"),
        (["--number", "17", "--yes"], "", "There is no county card 17."),
        (["--number", "17", "--yes", "--language", "fr"], "", "Il n’y a pas de carte Comté 17."),
    ],
)
def test_a_card_without_its_number_is_not_saved(
    tmp_path: Path, options: list[str], typed: str, expected: str
) -> None:
    result = output_of(card(["ship"] * 4), tmp_path, *options, typed=typed)
    assert result.exit_code == 1 and expected in result.output
    assert not (tmp_path / "print.json").exists()


def test_a_number_that_no_card_has_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    result = output_of(card(["ship"] * 4), tmp_path, "--number", "99")
    assert result.exit_code == 2 and "99 is not in the range 1<=x<=17" in result.output
    assert "colour" not in result.output


def test_a_picture_without_a_card_is_reported_in_the_readers_language(tmp_path: Path) -> None:
    bare = np.full((480, 640, 3), 90, np.uint8)
    result = output_of(bare, tmp_path, "--language", "fr")
    assert result.exit_code == 1 and "Aucune case trouvée" in result.output


@pytest.mark.parametrize("space", [0, 2])
def test_the_space_that_bears_a_symbol_is_seen(space: int) -> None:
    assert scan_card(with_symbol(card(["ship"] * 4), space)).symbol == space


def test_a_card_without_a_symbol_has_none() -> None:
    assert scan_card(card(["ship"] * 4)).symbol is None


@pytest.mark.usefixtures("colours_are_sure")
def test_the_symbol_of_an_unknown_card_is_where_its_owner_enters_it(tmp_path: Path) -> None:
    cards = saved_cards(with_symbol(card(["ship"] * 4), 2), tmp_path, typed="2\n2\n")
    assert [space["sell_goods"] for space in cards["2"]] == [False, True, False, False]


@pytest.mark.usefixtures("colours_are_sure")
@pytest.mark.parametrize("symbol", [True, False])
def test_no_symbol_of_an_unknown_card_is_saved_unnamed(tmp_path: Path, symbol: bool) -> None:
    picture = card(["ship"] * 4)
    result = output_of(with_symbol(picture, 2) if symbol else picture, tmp_path, typed="2\n" + "\n" * 5)
    assert result.exit_code == 1 and not (tmp_path / "print.json").exists()


def test_a_colour_that_is_not_read_surely_is_asked_without_a_guess(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("vision.boards.empty_board.SURE", 1.01)
    result = output_of(card(["ship"] * 4), tmp_path, typed="2\n" + "\n" * 9)
    assert result.exit_code == 1 and not (tmp_path / "print.json").exists()


def test_a_picture_that_cannot_be_read_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty.png").touch()
    result = CliRunner().invoke(main, ["calibrate", "card", "--camera", str(tmp_path / "empty.png")])
    assert result.exit_code == 1 and result.output.endswith("cannot be read: replace or remove it.\n")
    assert ".." not in result.output


def test_a_file_that_holds_something_else_is_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "print.json"
    path.write_text("notes")
    result = output_of(card(["ship", "monastery", "building", "ship"]), tmp_path, "--yes")
    assert result.exit_code == 1 and "not what a copy prints" in result.output
    assert path.read_text() == "notes"
