"""Which of the known duchies lies there: all are told apart, empty and with many tiles on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.games.burgundy import BOARDS
from calibration.games.burgundy.facts import load_facts
from calibration.table_file import parse
from hardware.scene import Scene
from hardware.virtual_table import TableLayout, VirtualTable
from hardware.virtual_table.games.burgundy import standard_layout
from vision.boards.empty_board import scan_board
from vision.boards.identity import identify_board
from vision.boards.reading import predict_places
from vision.patches import board_patches

SPECIAL = sorted(
    (duchy for duchy in load_facts().duchies.values() if duchy.edition == "special"), key=lambda d: d.number
)
TILES = {
    "castle": "castle",
    "mine": "mine",
    "ship": "ship",
    "livestock": "livestock/pig_3",
    "building": "building/church",
    "monastery": "monastery/9",
}
PLAYERS = ("red", "blue", "green", "black")
REPRINTED = {duchy.spaces: duchy.number for duchy in SPECIAL}
"""Seven boards are the same in 2011: which edition it is cannot be seen."""


def number_of(printed_id: str | None) -> int | None:
    return None if printed_id is None else REPRINTED.get(load_facts().duchy(printed_id).spaces)


def with_tiles(layout: TableLayout, count: int, rng: np.random.Generator) -> Scene:
    """Returns a scene in which *count* spaces of each duchy have a tile of their type."""
    places = {}
    for board in layout.boards:
        covered = rng.choice(len(board.spaces), count, replace=False)
        tiles = ["empty"] * len(board.spaces)
        for space in covered.tolist():
            tiles[space] = TILES[board.spaces[space][0]]
        places[f"duchy:{board.player}"] = tuple(tiles)
    return Scene(places=places)


@pytest.mark.parametrize("tiles", [10, 20])
@pytest.mark.parametrize("first", range(0, len(SPECIAL), len(PLAYERS)))
def test_each_duchy_is_told_from_all_others_with_tiles_on_it(first: int, tiles: int) -> None:
    duchies = SPECIAL[first : first + len(PLAYERS)]
    players = PLAYERS[: len(duchies)]
    layout = standard_layout(players, {p: duchy.spaces for p, duchy in zip(players, duchies, strict=True)})
    with VirtualTable(layout, seed=first) as table:
        table.show(with_tiles(layout, tiles, np.random.default_rng(first)))
        cut = board_patches(table.read(), parse(table.table_file(), "virtual"))
    for duchy, board in zip(duchies, cut, strict=True):
        assert board is not None
        unknown = replace(board, spaces=None)
        assert number_of(identify_board(predict_places(unknown), BOARDS)) == duchy.number
        assert number_of(scan_board(unknown).printed_id) == duchy.number
