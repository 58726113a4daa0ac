"""The events of a move: who, what and how many points, for the page, the voice and the turn log."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.burgundy.rules import Event, GameState
from companion.games.burgundy.rules.state import Pending
from companion.games.burgundy.rules.tiles import tile
from tests.support.positions import (
    build,
    dealt,
    fill_depot,
    finish_phase,
    finish_round,
    new_game,
    on_turn,
    own,
    play,
    set_up,
    store,
)


def events_of(game: GameState, *moves: str) -> list[dict[str, object]]:
    """Returns the events of the moves as data."""
    return [event.to_json() for event in play(game, *moves)]


def event(kind: str, player: str | None = "red", points: int = 0, **data: object) -> dict[str, object]:
    return {"kind": kind, "player": player, "points": points, **data}


def test_an_event_is_plain_data() -> None:
    assert Event("sell", "red", 4, {"goods": 2}).to_json() == event("sell", points=4, goods=2)
    assert Event("phase", data={"phase": "A"}).to_json() == event("phase", None, phase="A")


def test_a_first_castle_reports_whose_and_where() -> None:
    assert events_of(new_game(), "castle blue 18") == [event("start_castle", "blue", space=18)]


def test_dealt_goods_report_whose_and_which() -> None:
    dealt_to_blue = event("start_goods", "blue", goods=[2, 2, 5])
    assert events_of(new_game(), "start-goods blue 2,2,5") == [dealt_to_blue]


def test_filling_the_depots_reports_the_phase() -> None:
    game = set_up()
    assert events_of(game, str(dealt(game))) == [event("phase", None, phase="A")]


def test_taking_reports_tile_and_depot() -> None:
    game = on_turn((3, 5))
    fill_depot(game, 3, "mine")
    assert events_of(game, "take mine 3.0 die 3") == [event("take", tile="mine", depot=3)]


@pytest.mark.parametrize("depot", [0, 4])
def test_buying_reports_tile_and_depot(depot: int) -> None:
    game = on_turn((3, 5))
    own(game.player, 6)
    game.player.silver = game.player.workers = 2
    fill_depot(game, depot, "building/bank")
    assert events_of(game, f"buy building/bank {depot}.0") == [
        event("buy", tile="building/bank", depot=depot)
    ]


def test_discarding_reports_the_tile_that_left() -> None:
    game = on_turn((3, 5))
    store(game, "ship", "ship", "castle")
    fill_depot(game, 3, "mine")
    play(game, "take mine 3.0 die 3")
    assert events_of(game, "discard castle") == [event("discard", tile="castle")]


def test_placing_reports_tile_and_space() -> None:
    game = on_turn((4, 5))
    store(game, "mine")
    build(game.player, s23="building/bank")
    assert events_of(game, "place mine 24 die 4") == [event("place", tile="mine", space=24)]


def test_livestock_reports_animal_points_and_how_many_tiles_scored() -> None:
    game = on_turn((1, 5))
    build(game.player, s4="livestock/cow_2", s6="castle")
    store(game, "livestock/cow_3")
    assert events_of(game, "place livestock/cow_3 5 die 1") == [
        event("place", tile="livestock/cow_3", space=5),
        event("livestock", points=5, animal="cow", tiles=2),
    ]


def test_a_ship_reports_its_step_and_the_white_die_when_it_changes_hands() -> None:
    game = on_turn((5, 1))
    game.turn = 1
    game.player.dice = [5]
    store(game, "ship")
    play_first = events_of(game, "place ship 19 die 5")
    assert play_first == [
        event("place", "blue", tile="ship", space=19),
        event("advance", "blue"),
        event("white_die", "blue"),
    ]


def test_a_ship_of_the_first_player_brings_no_white_die() -> None:
    game = on_turn((5, 1))
    store(game, "ship")
    assert events_of(game, "place ship 19 die 5")[1:] == [event("advance")]


def test_loading_reports_goods_one_by_one_and_depots() -> None:
    game = on_turn()
    game.depot_goods[1][3] = 2
    game.depot_goods[1][5] = 1
    game.pending.append(Pending("ship"))
    assert events_of(game, "goods 2 3,5") == [event("load", goods=[3, 3, 5], depots=[2])]


@pytest.mark.parametrize(
    ("building", "after"),
    [
        ("boarding_house", [event("workers", workers=4, silver=0)]),
        ("bank", [event("silver", silver=2)]),
        ("watchtower", [event("watchtower", points=4)]),
        ("market", []),
    ],
)
def test_a_building_reports_its_immediate_income(building: str, after: list[dict[str, object]]) -> None:
    game = on_turn((3, 5))
    store(game, f"building/{building}")
    build(game.player, s20="ship")
    label = f"building/{building}"
    assert events_of(game, f"place {label} 14 die 3") == [event("place", tile=label, space=14), *after]


def test_selling_reports_kind_count_points_and_gain() -> None:
    game = on_turn((2, 5), players=3)
    own(game.player, 3, 4)
    game.player.goods[2] = 3
    assert events_of(game, "sell 2 die 2") == [event("sell", points=9, goods=2, count=3, silver=2, workers=1)]


def test_the_workers_action_reports_its_gain() -> None:
    game = on_turn((2, 5))
    own(game.player, 13)
    assert events_of(game, "workers die 2") == [event("workers", workers=2, silver=1)]


def test_passing_reports_the_effect() -> None:
    game = on_turn((2, 5))
    game.pending.append(Pending("market"))
    assert events_of(game, "skip") == [event("skip", effect="market")]


def test_a_completed_area_reports_colour_size_and_all_its_points() -> None:
    """Three mines in phase A: 6 and 10 points (S513-515); all mines, two players, first: 5 (S519)."""
    game = on_turn((4, 5))
    build(game.player, s23="building/bank", s29="mine", s33="mine")
    store(game, "mine")
    assert events_of(game, "place mine 24 die 4")[1:] == [
        event("area", points=16, colour="mine", size=3),
        event("bonus_tile", points=5, colour="mine", first=True),
    ]


def test_the_second_bonus_tile_is_reported_as_such() -> None:
    game = on_turn((4, 5))
    build(game.player, s23="building/bank", s29="mine", s33="mine")
    game.bonus_tiles_left = {**game.bonus_tiles_left, "mine": 1}
    store(game, "mine")
    assert events_of(game, "place mine 24 die 4")[-1] == event(
        "bonus_tile", points=2, colour="mine", first=False
    )


@pytest.mark.parametrize(
    ("edition", "before", "shows"),
    [
        ("special", 97, 100),
        ("special", 96, None),
        ("2011", 96, 100),
        ("2011", 95, None),
        ("special", 196, 200),
    ],
)
def test_the_points_tile_is_reported_when_it_is_turned(edition: str, before: int, shows: int | None) -> None:
    """Passing 100 (S521), reaching it (A692), reaching 200 (both); a watchtower brings 4."""
    game = on_turn((3, 5), edition=edition, duchy="se-1")
    game.player.score = before
    store(game, "building/watchtower")
    build(game.player, s20="ship")
    turned = [e for e in events_of(game, "place building/watchtower 14 die 3") if e["kind"] == "points_tile"]
    assert turned == ([] if shows is None else [event("points_tile", shows=shows)])


def with_cow() -> tuple[GameState, str]:
    game = on_turn((1, 5))
    build(game.player, s6="castle")
    store(game, "livestock/cow_3")
    return game, "place livestock/cow_3 5 die 1"


def with_goods() -> tuple[GameState, str]:
    game = on_turn((2, 5))
    game.player.goods[2] = 3
    return game, "sell 2 die 2"


def with_last_mine() -> tuple[GameState, str]:
    game = on_turn((4, 5))
    build(game.player, s23="building/bank", s29="mine", s33="mine")
    store(game, "mine")
    return game, "place mine 24 die 4"


@pytest.mark.parametrize(
    ("position", "below"),
    [
        (with_cow, 1),
        (with_cow, 3),
        (with_goods, 1),
        (with_last_mine, 6),
        (with_last_mine, 16),
        (with_last_mine, 21),
    ],
)
def test_points_of_every_kind_turn_the_points_tile(
    position: Callable[[], tuple[GameState, str]], below: int
) -> None:
    """The last mine: 6 for the area, then 10 for the phase, then 5 for the bonus tile."""
    game, move = position()
    game.player.score = 101 - below
    assert event("points_tile", shows=100) in events_of(game, move)


def test_the_final_scoring_turns_the_points_tile() -> None:
    game = on_turn()
    game.phase = 4
    game.player.silver, game.player.score = 3, 98
    assert event("points_tile", shows=100) in [e.to_json() for e in finish_phase(game)]


def test_the_end_of_a_turn_reports_the_dice_left() -> None:
    assert events_of(on_turn((3, 5)), "workers die 5", "end")[-1] == event("turn_end", unused=[3])


def test_a_round_reports_its_number_and_where_the_goods_go() -> None:
    game = on_turn()
    finish_round(game)
    goods = game.round_goods[0]
    assert events_of(game, "roll red=1,2 blue=3,4 white=6") == [
        event("round", None, phase="A", round=2),
        event("goods_arrive", None, goods=goods, depot=6),
    ]


def test_mines_report_what_they_pay() -> None:
    game = on_turn()
    build(game.player, s24="mine", s29="mine")
    own(game.player, 2)
    assert event("mines", silver=2, workers=2) in [e.to_json() for e in finish_phase(game)]


def test_the_end_reports_each_source_of_points_and_the_winner() -> None:
    game = on_turn()
    game.phase = 4
    red, blue = game.players
    red.silver, red.workers, blue.silver, blue.workers = 3, 5, 0, 0
    red.goods, blue.goods = [0, 2, 0, 0, 0, 0, 0], [0] * 7
    last = [e.to_json() for e in finish_phase(game)][-4:]
    assert last == [
        event("final", points=2, source="goods_left"),
        event("final", points=3, source="silver_left"),
        event("final", points=2, source="workers_left"),
        event("game_over"),
    ]


def test_recovering_a_castle_reports_its_price() -> None:
    game = on_turn((3, 5), duchy="se-11", rules={"castle_links": "on"})
    game.player.score, game.set_aside = 7, 1
    game.return_to_box(tile("castle"))
    game.return_to_box(tile("castle"))
    assert events_of(game, "recover") == [event("pay_points", points=-5), event("recover")]
    assert (game.box, game.set_aside) == ({tile("castle"): 1}, 0)
    assert game.player.score == 2 and game.player.points == {"castle_action": -5}


def test_paying_points_may_turn_the_points_tile_back() -> None:
    game = on_turn((3, 5), duchy="se-11", rules={"castle_links": "on"})
    game.player.score, game.set_aside = 103, 1
    game.return_to_box(tile("castle"))
    assert event("points_tile", shows=0) in events_of(game, "recover")
