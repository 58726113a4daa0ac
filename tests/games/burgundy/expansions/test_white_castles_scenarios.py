"""Scenarios of the white castles; every number is worked out by hand from the rule text."""

from __future__ import annotations

from tests.support.automa_positions import automa_turn, stored, take_turn
from tests.support.module_positions import module_turn
from tests.support.positions import build, fill_depot, own, play, store

LABEL = "building/white_castle"


def test_e11_the_white_castle_reads_the_white_two_as_a_four_for_two_workers() -> None:
    """S761: placed with a 6 on space 28."""
    game = module_turn(["white_castles"], (6, 3), white=2)
    game.player.workers = 2
    build(game.player, s22="building/bank")
    fill_depot(game, 4, "ship")
    store(game, LABEL)
    play(game, f"place {LABEL} 28 die 6", "take ship 4.0 workers 2")
    assert game.player.workers == 0
    assert [t.label for t in game.player.storage] == ["ship"]
    assert game.white == 2 and game.player.dice == [3]


def test_e13_monastery_29_counts_two_white_castles_and_a_crane() -> None:
    """S677, S725."""
    game = module_turn(["extra_tiles", "white_castles"])
    own(game.player, 29)
    build(game.player, s8=LABEL, s11=LABEL, s25="building/crane")
    assert sum(game.hooks.monastery_points(game, game.player).values()) == 12


def test_e72_the_chateaumas_white_castle_takes_the_mine() -> None:
    """S1241: inventory building and ship; the white die shows 5."""
    game = automa_turn(
        2,
        modules=["white_castles"],
        people=3,
        white=5,
        stored=["building/bank", "ship"],
        depots={1: [LABEL], 5: ["building/church", "monastery/3", "mine"]},
    )
    take_turn(game)
    assert stored(game) == ["building/bank", "ship", "mine"]
