"""Extra tiles and white castles together with shields."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.burgundy.rules import GameState
from companion.games.burgundy.rules.tiles import tile
from tests.support.positions import RULES, build, illegal_reason, notations, own, play, store
from tests.support.shields import at_depots, end_phase, hold, shield_turn

GEESE = "livestock/geese_2"
WHITE_CASTLE = "building/white_castle"


def on_turn(*args: Any, **options: Any) -> GameState:
    return shield_turn(*args, also=("extra_tiles", "white_castles"), **options)


def monastery_points(game: GameState) -> dict[str, int]:
    return game.hooks.monastery_points(game, game.players[0])


def test_shield_10_doubles_a_cranes_points() -> None:
    """S921: all points of monasteries."""
    game = on_turn()
    own(game.player, 20)
    build(game.player, s25="building/crane", s8="building/market")
    hold(game, game.player, 10)
    assert monastery_points(game) == {"monastery_20": 16}


def test_a_crane_serves_a_monastery_that_shield_6_copies() -> None:
    """S917: once, though one's own monastery counts buildings too."""
    game = on_turn()
    own(game.players[1], 22)
    own(game.player, 20)
    build(game.player, s25="building/crane")
    hold(game, game.player, 6)
    play(game, "copy red blue")
    assert sum(monastery_points(game).values()) == 4


@pytest.mark.parametrize(("shields", "points"), [((1,), 9), ((), 2)])
def test_e10_geese_with_shield_1_score_with_all_pastures(shields: tuple[int, ...], points: int) -> None:
    """S731, S912."""
    game = on_turn((2, 1))
    hold(game, game.player, *shields)
    build(game.player, s26="building/bank", s4="livestock/cow_3", s5="livestock/cow_4", s21="ship")
    store(game, GEESE)
    before = game.player.score
    (event,) = (e for e in play(game, f"place {GEESE} 27 die 2") if e.kind == "livestock")
    assert event.points == points and game.player.score - before >= points


def test_hired_workers_pay_for_two_shields_with_shield_3() -> None:
    """S717, S914: one silver pays two."""
    game = on_turn()
    own(game.player, 28)
    hold(game, game.player, 3, 8)
    game.player.silver = 1
    end_phase(game)
    assert game.stage == "upkeep" and illegal_reason(game, "upkeep workers 2") == "upkeep_workers"
    play(game, "hire", "upkeep workers 2")
    assert (game.players[0].silver, game.players[0].workers) == (0, 0)


def test_ruling_108_each_hiring_of_another_player_brings_shield_2_a_worker() -> None:
    """S913: one an event, whatever the number."""
    game = on_turn()
    blue = game.players[1]
    own(game.player, 28)
    game.player.silver = 2
    hold(game, blue, 2)
    play(game, "hire", "hire")
    assert (game.player.workers, blue.workers) == (4, 2)


def test_ruling_107_a_copied_monastery_27_lifts_no_marker() -> None:
    """S917."""
    game = on_turn((2, 1), players=3)
    game.track = [[2, 0], [1], *game.track[2:]]
    own(game.players[2], 27)
    hold(game, game.players[1], 6)
    RULES.play(game, RULES.parse_move("copy blue green"))
    store(game, "ship")
    play(game, "place ship 17 die 2")
    assert game.track[1] == [1, 0]


def with_white_castle(white: int) -> GameState:
    """A turn in which a white castle is about to be placed with a 3."""
    game = on_turn((3, 6), white=white)
    store(game, WHITE_CASTLE)
    return game


def test_e14_shield_16_does_not_turn_the_white_die() -> None:
    """S659-662: it turns one's own dice."""
    game = with_white_castle(2)
    hold(game, game.player, 16)
    game.player.goods[2] = game.player.goods[5] = 1
    play(game, f"place {WHITE_CASTLE} 25 die 3")
    assert set(notations(game)) == {"sell 2", "workers", "skip"}
    assert illegal_reason(game, "any 6") == "other_choice_first"


def test_ruling_116_a_white_castle_takes_no_shield_by_shield_11_and_bears_none() -> None:
    """S759: it is no castle."""
    game = with_white_castle(2)
    hold(game, game.player, 11)
    at_depots(game, {2: [17]})
    play(game, f"place {WHITE_CASTLE} 25 die 3")
    assert notations(game, "shield") == []
    play(game, "workers")
    store(game, "castle")
    game.player.dice = [5]
    build(game.player, s5="livestock/cow_2")
    play(game, "place castle 1 die 5")
    assert {text.split()[-1] for text in notations(game, "shield")} == {"1", "18"}


def test_ruling_118_a_white_castle_laid_by_shield_14_reads_the_last_value_rolled() -> None:
    """S761, S925."""
    game = on_turn(white=4)
    hold(game, game.player, 14)
    game.depots[0][0] = tile(WHITE_CASTLE)
    game.player.goods[4] = 1
    end_phase(game)
    play(game, f"free {WHITE_CASTLE} 1.0 25")
    assert game.white == 4
    assert set(notations(game)) == {"sell 4", "workers", "skip"}
