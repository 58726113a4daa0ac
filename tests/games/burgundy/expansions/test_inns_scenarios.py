"""Positions with inns that were computed by hand from the rule text."""

from __future__ import annotations

from companion.games.burgundy.modules.inns.stack import stack_of
from companion.games.burgundy.rules.tiles import tile
from tests.support.module_positions import module_turn, next_round
from tests.support.positions import build, fill_depot, finish_phase, illegal_reason, own, play, store

INNS = ["inns"]


def test_e15_an_inn_completes_a_city_of_eight_as_one_of_nine() -> None:
    """S773: three players, phase B; 45 + 8."""
    game = module_turn(INNS, (1, 5), players=3, duchy="se-22", castle=5)
    game.phase = 1
    build(game.player, **{f"s{space}": "building/bank" for space in (2, 3, 6, 8, 11, 14, 21)})
    store(game, "inn")
    events = play(game, "place inn 12 die 1")
    assert game.player.score == 53
    assert [event.kind for event in events] == ["place", "area"]
    assert not game.pending


def test_e17_an_inn_completes_the_mines() -> None:
    """S771-773, S519: size 4 and the first bonus tile, 21 in phase C; at its end two mines pay with monastery 2."""
    game = module_turn(INNS, (3, 1))
    game.phase = 2
    own(game.player, 2)
    build(game.player, s24="mine", s29="mine")
    store(game, "inn")
    play(game, "place inn 33 die 3")
    assert game.player.score == 10 + 6 + 5
    finish_phase(game)
    assert (game.players[0].silver, game.players[0].workers) == (2, 2)


def test_e19_a_second_inn_is_legal_only_in_another_area() -> None:
    """S769: also in one of the same colour."""
    game = module_turn(INNS, (3, 6))
    build(game.player, s31="inn", s25="building/bank", s23="building/market")
    store(game, "inn")
    assert illegal_reason(game, "place inn 32 die 6") == "inn_in_area"
    assert illegal_reason(game, "place inn 28 die 6") is None


def test_e20_monastery_9_does_not_help_to_place_an_inn() -> None:
    """S769: the city's space needs a 5 and the die shows a 6."""
    game = module_turn(INNS, (6, 1))
    own(game.player, 9)
    build(game.player, s25="building/bank")
    store(game, "inn")
    assert illegal_reason(game, "place inn 31 die 6") == "not_enough_workers"
    game.player.workers = 1
    play(game, "place inn 31 die 6 workers 1")
    assert game.player.workers == 0


def test_e21_an_inn_is_the_purchase_of_its_turn() -> None:
    """S767."""
    game = module_turn(INNS)
    game.player.silver = 4
    fill_depot(game, 0, "mine")
    play(game, "buy inn 0.4")
    assert game.player.silver == 2
    assert illegal_reason(game, "buy mine 0.0") == "already_bought"
    next_round(game)
    assert illegal_reason(game, "buy mine 0.0") is None


def test_e22_unbought_inns_lie_there_in_the_next_phase() -> None:
    """S765: two of them in phase B; the clean-up took none."""
    game = module_turn(INNS)
    for _ in range(5):
        next_round(game)
    assert game.phase_letter == "B"
    assert stack_of(game).count == 2
    assert tile("inn") not in game.box
