"""Areas of up to ten spaces, printed or enlarged by modules."""

from __future__ import annotations

import pytest

from companion.games.burgundy.rules import Burgundy, GameState
from companion.games.burgundy.rules.board import Duchy
from companion.games.burgundy.rules.tiles import tile
from companion.text.translator import Translator
from tests.support.modules import first_turn

ROW = (1, 9)
"""A castle below the middle of a row of ships."""


@pytest.fixture
def wide(box: Burgundy) -> Burgundy:
    """A box with a board that has an area of nine spaces."""
    spaces = [("castle", 6), *(("ship", 1 + number % 6) for number in range(9))]
    return Burgundy(
        box.editions, {**box.duchies, "wide": Duchy.in_rows("wide", spaces, ROW)}, box.modules.values()
    )


def completed(box: Burgundy, *modules: str) -> GameState:
    """Returns the game once nine spaces have been covered, the last one by a die."""
    game = first_turn(box, *modules, duchy="wide")
    player = game.player
    for space in range(1, 9):
        player.put(space, tile("ship"))
    last = player.duchy.spaces[9]
    player.storage, player.dice = [tile("ship")], [last.die]
    box.play(game, box.parse_move(f"place ship 9 die {last.die}"))
    return game


@pytest.mark.parametrize(("modules", "size", "points"), [((), 9, 45), (("estates",), 10, 55)])
def test_nine_spaces_bring_45_points_and_ten_55(
    wide: Burgundy, modules: tuple[str, ...], size: int, points: int
) -> None:
    game = completed(wide, *modules)
    assert game.player.points[f"area_{size}"] == points
    assert wide.score_sheet(game)["red"][f"area_{size}"] == points


def test_what_completing_it_would_bring_is_shown(wide: Burgundy) -> None:
    game = first_turn(wide, "estates", duchy="wide")
    (ships,) = (a for a in wide.view(game)["players"][0]["areas"] if a["colour"] == "ship")
    assert (ships["size"], ships["size_points"]) == (10, 55)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_its_line_of_the_score_sheet_has_a_name(language: str) -> None:
    translator = Translator(language, strict=True)
    assert "10" in translator("source.area_10") and "9" in translator("source.area_9")


def test_lines_are_in_the_order_of_the_sizes(box: Burgundy) -> None:
    lines = [source for source in box.score_sources if source.startswith("area_")]
    assert lines == [f"area_{size}" for size in range(1, 11)]
