"""Trade routes, rule by rule: S777-783, S1247, and rulings 130 to 134 and 182."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.games.burgundy.modules.trade_routes.forecast import value_of_waiting
from companion.games.burgundy.modules.trade_routes.routes import route_of, routes_of
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules.evaluation import evaluate
from companion.games.burgundy.rules.observation import VisibleChange
from companion.games.burgundy.rules.owner_print import AnswerError
from companion.games.burgundy.rules.setup_validation import InvalidSetupError
from companion.games.burgundy.rules.tiles import tile
from companion.players.bots import greedy_bot
from companion.players.opponents import turn_of
from companion.text.translator import Translator
from tests.support.automa_positions import (
    automa_of,
    codes,
    data_of,
    kinds,
    setup_with,
    take_turn,
)
from tests.support.modules import setup_of
from tests.support.positions import RULES, fill_depot, illegal_reason, notations, own, play, store
from tests.support.trade_positions import ELSEWHERE, on_route, on_squares, sale_of_the_chateauma

TILES = {
    "a": [[2, "take_building"], [4, "take_castle_mine_monastery"], [1, "workers_4"]],
    "b": [[6, "points_4"], [3, "silver_2"], [4, "take_building"]],
}
BONUSES = (
    "silver_2",
    "points_4",
    "workers_4",
    "take_building",
    "take_castle_mine_monastery",
    "sell_goods",
    "extra_action",
    "take_any_hex",
    "take_ship_or_livestock",
    "place_tile",
)
REPORT = "route red 2 2:take_building,4:take_castle_mine_monastery,1:workers_4"


def new_game(people: int = 2, **part: Any) -> Any:
    return RULES.new(setup_of(people=people, modules=["trade_routes"], trade_routes=part))


# --- set-up -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("people", "tiles"), [(2, 5), (3, 4), (4, 3)])
def test_r1_each_player_has_five_four_or_three_tiles_of_three_squares(people: int, tiles: int) -> None:
    """S777."""
    game = new_game(people)
    assert {colour: len(route.squares) for colour, route in routes_of(game).routes.items()} == {
        player.colour: 3 * tiles for player in game.players
    }
    (step,) = (step for step in RULES.setup_steps(game) if step["step"] == "trade_routes")
    assert (step["count"], step["players"]) == (tiles, [player.colour for player in game.players])


def test_settled_trade_order_is_a_note_for_the_group() -> None:
    """R2, S779: the rules are the same however the tiles were laid."""
    assert RULES.table_rule_options["trade_order"] == ("random", "chosen")
    game = on_route((2, "points_4"), goods={2: 1}, rules={"trade_order": "chosen"})
    play(game, "sell 2 die 2")
    assert ("trade_order", "chosen", "random") in RULES.table_rules(game)
    assert game.player.points["trade_route"] == 4


@pytest.mark.parametrize("people", [1, 2, 3])
def test_ruling_130_the_chateauma_counts_among_the_players_for_whom_tiles_are_dealt(people: int) -> None:
    """S777, S1055."""
    game = RULES.new({**setup_with(people), "modules": ["trade_routes"]})
    assert {len(route.squares) for route in routes_of(game).routes.values()} == {{1: 15, 2: 12, 3: 9}[people]}
    assert len(routes_of(game).routes) == people


def test_tiles_that_are_known_lie_where_the_set_up_says() -> None:
    squares = routes_of(new_game(tiles=TILES, rows={"blue": [None, "b"]})).routes["blue"].squares
    assert squares[:3] == ((0, ""),) * 3
    assert squares[3:6] == ((6, "points_4"), (3, "silver_2"), (4, "take_building"))
    assert squares[6:] == ((0, ""),) * 9


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ({"row": {}}, "did you mean 'rows'"),
        ({"rows": []}, "trade_routes: rows: should be a table"),
        ({"rows": {"red": "a"}}, "rows.red: should be a list"),
        ({"tiles": {"a": [[2.0, "silver_2"]] * 3}}, r"tiles.a\[0\]\[0\]: 2.0 is not a whole number"),
        ({"rows": {"green": []}}, "nobody plays 'green'"),
        ({"tiles": TILES, "rows": {"red": ["c"]}}, "no trade route tile 'c' among those in 'tiles'"),
        ({"tiles": TILES, "rows": {"red": ["a"], "blue": ["a"]}}, "'a' is in two places"),
        ({"rows": {"red": [None] * 6}}, "has 5 tiles, not 6"),
    ],
)
def test_an_impossible_set_up_is_refused(part: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidSetupError, match=why):
        new_game(**part)


@pytest.mark.parametrize(
    ("tiles", "code"),
    [
        ({"m": TILES["a"]}, "no_trade_tile"),
        ({"a": TILES["a"][:2]}, "other_trade_tile_size"),
        ({"a": [[7, "silver_2"], *TILES["a"][:2]]}, "no_trade_square"),
        ({"a": [[1, "gold"], *TILES["a"][:2]]}, "no_trade_square"),
        ({"a": TILES["a"], "b": TILES["a"]}, "trade_tile_twice"),
    ],
)
def test_tiles_that_no_box_has_are_refused(tiles: dict[str, Any], code: str) -> None:
    with pytest.raises(AnswerError) as caught:
        new_game(tiles=tiles)
    assert caught.value.code == code
    assert Translator("fr", strict=True)(f"print.refused.{code}", **caught.value.data)


# --- sales ------------------------------------------------------------------------------------------------


def test_r3_sold_goods_go_on_the_squares_one_by_one_from_the_left() -> None:
    """S781."""
    game = on_route(*[ELSEWHERE] * 4, goods={5: 3}, dice=(5, 1), covered=[2])
    play(game, "sell 5 die 5")
    assert on_squares(game) == [2, 5, 5, 5]


def test_r4_goods_of_the_number_of_their_square_bring_its_bonus() -> None:
    """S781."""
    game = on_route((5, "silver_2"), (4, "workers_4"), (5, "points_4"), goods={5: 3}, dice=(5, 1))
    play(game, "sell 5 die 5")
    red = game.player
    assert (red.silver, red.workers) == (1 + 2, 0)
    assert red.points == {"sales": 6, "trade_route": 4}
    assert not game.pending


def test_r5_goods_for_which_the_route_has_no_square_go_to_the_pile() -> None:
    """S783."""
    game = on_route(*[ELSEWHERE] * 15, goods={3: 3}, dice=(3, 1), covered=[1] * 14)
    play(game, "sell 3 die 3")
    assert on_squares(game) == [*[1] * 14, 3]
    assert (game.player.sold[1], game.player.sold[3]) == (14, 3)


def test_ruling_60_goods_pay_where_the_number_fits_and_count_as_sold() -> None:
    game = on_route((2, "points_4"), (4, "points_4"), goods={2: 2})
    play(game, "sell 2 die 2")
    assert (game.player.points["trade_route"], game.player.sold[2]) == (4, 2)


def test_r6_the_chateauma_has_no_route_and_gets_a_point_for_a_sale() -> None:
    """S1247."""
    game = sale_of_the_chateauma(goods={2: 3})
    before = automa_of(game).score
    events = take_turn(game)
    assert automa_of(game).score - before == 2 * 3 + 1
    assert automa_of(game).points["trade_route"] == 1
    assert set(routes_of(game).routes) == {"red"}
    assert data_of(events, "trade_sale")["points"] == 1 and "trade_sale" in codes(events)


def test_ruling_182_a_sale_that_finds_no_goods_brings_the_chateauma_nothing() -> None:
    """S1202, S1247."""
    game = sale_of_the_chateauma(goods={})
    before = automa_of(game).score
    events = take_turn(game)
    assert "no_benefit" in kinds(events) and "trade_sale" not in kinds(events)
    assert automa_of(game).score == before


def test_ruling_131_a_sale_pays_before_its_goods_are_on_the_route() -> None:
    """Points, silver and workers come first."""
    game = on_route((2, "points_4"), goods={2: 1})
    events = play(game, "sell 2 die 2")
    assert [event.kind for event in events] == ["sell", "trade_bonus"]


def test_ruling_131_a_bonus_is_resolved_before_the_next_goods_are_on_the_route() -> None:
    game = on_route((2, "sell_goods"), ELSEWHERE, (2, "silver_2"), goods={2: 2, 3: 1})
    play(game, "sell 2 die 2")
    assert on_squares(game) == [2] and notations(game) == ["sell 3", "skip"]
    play(game, "sell 3")
    assert on_squares(game) == [2, 3, 2]
    assert game.player.silver == 1 + 1 + 2


def test_ruling_131_goods_of_a_sale_within_a_sale_come_next() -> None:
    """Trade route with a warehouse's icon: the nested sale puts its goods on the next squares."""
    squares = [(2, "sell_goods"), (3, "workers_4"), (3, "points_4"), ELSEWHERE, (2, "silver_2")]
    game = on_route(*squares, goods={2: 3, 3: 2})
    play(game, "sell 2 die 2", "sell 3")
    assert on_squares(game) == [2, 3, 3, 2, 2]
    assert (game.player.workers, game.player.points["trade_route"], game.player.silver) == (4, 4, 4)


def test_settled_trade_bonus_after_sale_waits_until_all_goods_of_the_sale_are_on_the_route() -> None:
    squares = [(2, "sell_goods"), (2, "points_4"), (3, "workers_4")]
    game = on_route(*squares, goods={2: 2, 3: 1}, rules={"trade_bonus": "after_sale"})
    events = play(game, "sell 2 die 2")
    assert on_squares(game) == [2, 2]
    assert [event.kind for event in events] == ["sell", "trade_bonus"]
    events = play(game, "sell 3")
    assert [event.data.get("square") for event in events if event.kind == "trade_bonus"] == [3, 2]
    assert on_squares(game) == [2, 2, 3]


def test_what_is_still_to_go_on_the_route_is_part_of_the_state() -> None:
    game = on_route((2, "sell_goods"), ELSEWHERE, goods={2: 3, 3: 1})
    play(game, "sell 2 die 2")
    again = RULES.from_json(json.loads(json.dumps(game.to_json())))
    assert again.state_hash() == game.state_hash()
    play(again, "skip")
    assert on_squares(again) == [2, 2, 2]


def test_a_bonus_for_which_the_storage_is_full_waits_until_a_tile_is_discarded() -> None:
    """S338."""
    game = on_route((2, "take_any_hex"), ELSEWHERE, goods={2: 2})
    store(game, "mine", "ship", "castle")
    fill_depot(game, 4, "livestock/cow_3")
    play(game, "sell 2 die 2", "take livestock/cow_3 4.0")
    assert on_squares(game) == [2]
    play(game, "discard mine")
    assert on_squares(game) == [2, 2]
    assert tile("livestock/cow_3") in game.player.storage


def test_a_sale_by_a_castle_or_a_warehouse_is_a_sale_like_any() -> None:
    """Ruling 109 for the crane, too."""
    game = on_route((3, "silver_2"), goods={3: 1}, modules=["extra_tiles"])
    city = next(space for space in game.player.duchy.spaces if space.tile_type == "building")
    game.player.frontier |= 1 << city.index
    game.player.dice = [city.die, 1]
    store(game, "building/crane")
    play(game, f"place building/crane {city.index} die {city.die}", "use warehouse", "sell 3")
    assert on_squares(game) == [3] and game.player.silver == 3


# --- bonuses ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bonus", "taken"),
    [
        ("take_building", ["building/bank"]),
        ("take_castle_mine_monastery", ["castle", "mine", "monastery/3"]),
        ("take_ship_or_livestock", ["ship", "livestock/cow_3"]),
        ("take_any_hex", ["building/bank", "castle", "mine", "monastery/3", "ship", "livestock/cow_3"]),
    ],
)
def test_ruling_132_an_icon_takes_the_types_of_its_building_from_the_six_depots(
    bonus: str, taken: list[str]
) -> None:
    game = on_route((2, bonus), goods={2: 1})
    fill_depot(game, 1, "building/bank", "castle")
    fill_depot(game, 3, "mine", "monastery/3")
    fill_depot(game, 6, "ship", "livestock/cow_3")
    fill_depot(game, 0, "building/market", "mine")
    game.player.silver = 1
    play(game, "sell 2 die 2")
    assert {text.split()[1] for text in notations(game, "take")} == set(taken)
    assert "skip" in notations(game)
    before = game.player.silver, game.bought
    play(game, notations(game, "take")[0])
    assert (game.player.silver, game.bought) == before


def test_ruling_132_the_icon_of_a_town_hall_places_a_stored_tile_on_any_number() -> None:
    game = on_route((2, "place_tile"), goods={2: 1})
    store(game, "ship")
    game.player.frontier |= game.player.duchy.of_type["ship"]
    play(game, "sell 2 die 2")
    rivers = [space.index for space in game.player.duchy.spaces if space.tile_type == "ship"]
    assert {*notations(game, "place")} == {f"place ship {space}" for space in rivers}


def test_ruling_132_the_die_icon_is_an_action_with_any_value() -> None:
    game = on_route((2, "extra_action"), goods={2: 1, 5: 1})
    fill_depot(game, 4, "mine")
    play(game, "sell 2 die 2")
    assert notations(game) == ["take mine 4.0", "sell 5", "workers", "skip"]


@pytest.mark.parametrize("bonus", ["take_building", "take_any_hex", "sell_goods", "place_tile"])
def test_a_bonus_without_any_choice_is_lost(bonus: str) -> None:
    """S502."""
    game = on_route((2, bonus), goods={2: 1})
    play(game, "sell 2 die 2")
    assert not game.pending


def test_ruling_133_workers_do_not_change_the_number_of_goods() -> None:
    game = on_route((2, "points_4"), goods={3: 1})
    game.player.workers = 5
    play(game, "sell 3 die 2 workers 1")
    assert game.player.points == {"sales": 2} and on_squares(game) == [3]


def test_ruling_133_a_sale_brings_what_it_brings_without_a_route() -> None:
    """With monasteries 3 and 4."""
    game = on_route(*[ELSEWHERE] * 3, goods={3: 3}, dice=(3, 1))
    own(game.player, 3, 4)
    play(game, "sell 3 die 3")
    assert (game.player.points["sales"], game.player.silver, game.player.workers) == (6, 2, 1)


def test_ruling_134_goods_on_a_route_are_sold_and_no_unsold_goods() -> None:
    game = on_route(*[ELSEWHERE] * 3, goods={3: 2}, dice=(3, 1))
    own(game.player, 15, 25)
    play(game, "sell 3 die 3")
    points = game.hooks.final_points(game, game.player)
    assert (points["monastery_15"], points["monastery_25"]) == (2, 2)
    assert not points.get("goods_left")


# --- what people report -----------------------------------------------------------------------------------


def test_a_square_that_nobody_has_reported_is_asked_about() -> None:
    game = on_route(ELSEWHERE, None, goods={3: 1}, dice=(3, 1), covered=[2])
    play(game, "sell 3 die 3")
    assert notations(game) == [*(f"square 2 3 {bonus}" for bonus in BONUSES), "square 2 -"]


def test_a_yes_teaches_number_and_bonus_and_pays() -> None:
    game = on_route(None, goods={3: 1}, dice=(3, 1))
    play(game, "sell 3 die 3", "square 1 3 points_4")
    assert route_of(game, game.player).squares[0] == (3, "points_4")
    assert game.player.points["trade_route"] == 4 and not game.pending


def test_one_answer_says_that_none_of_the_squares_of_a_sale_pays() -> None:
    """Nothing else is learnt: the numbers stay unknown."""
    game = on_route(None, None, ELSEWHERE, None, goods={3: 4}, dice=(3, 1))
    play(game, "sell 3 die 3")
    assert on_squares(game) == [3] and notations(game)[-1] == "square 1,2,4 -"
    play(game, "square 1,2,4 -")
    assert on_squares(game) == [3] * 4 and game.player.points == {"sales": 8}
    assert [s.is_known for s in route_of(game, game.player).squares[:4]] == [False, False, True, False]


def test_the_first_square_that_pays_says_that_those_before_it_do_not() -> None:
    game = on_route(None, None, None, goods={3: 3}, dice=(3, 1))
    play(game, "sell 3 die 3")
    assert "square 2 3 points_4" in notations(game)
    play(game, "square 2 3 points_4")
    assert on_squares(game) == [3] * 3 and game.player.points["trade_route"] == 4
    assert notations(game)[-1] == "square 3 -"


def test_squares_behind_one_that_is_known_to_pay_are_asked_about_after_its_bonus() -> None:
    """A sale within the sale may put other goods on them."""
    game = on_route(None, (3, "sell_goods"), None, None, goods={3: 3, 5: 1}, dice=(3, 1))
    play(game, "sell 3 die 3")
    assert notations(game)[-1] == "square 1 -"
    play(game, "square 1 -", "sell 5")
    assert notations(game)[0] == "square 3 5 silver_2" and notations(game)[-1] == "square 3,4 -"
    assert "square 4 3 silver_2" in notations(game)


def test_a_question_names_no_square_beyond_the_end_of_the_route() -> None:
    game = on_route(*[ELSEWHERE] * 14, None, goods={3: 3}, dice=(3, 1), covered=[1] * 14)
    play(game, "sell 3 die 3")
    assert notations(game)[-1] == "square 15 -"


def test_a_no_to_the_first_square_alone_is_still_read_from_earlier_journals() -> None:
    game = on_route(None, None, goods={3: 2}, dice=(3, 1))
    play(game, "sell 3 die 3")
    RULES.play(game, RULES.parse_move("square 1 -"))
    assert on_squares(game) == [3, 3] and notations(game)[-1] == "square 2 -"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("square 2 -", "other_square_asked"),
        ("square 1,2 -", "other_square_asked"),
        ("square 2 3 silver_2", "other_square_asked"),
        ("square 1 4 silver_2", "other_square_asked"),
        ("end", "other_choice_first"),
    ],
)
def test_only_what_is_asked_is_answered(move: str, code: str) -> None:
    game = on_route(None, goods={3: 1}, dice=(3, 1))
    play(game, "sell 3 die 3")
    assert illegal_reason(game, move) == code


def test_nothing_is_answered_that_nobody_has_asked() -> None:
    assert illegal_reason(on_route(None, goods={3: 1}), "square 1 -") == "no_effect"


def test_settled_trade_bonus_after_sale_asks_about_each_square_in_its_turn() -> None:
    game = on_route(None, None, goods={3: 2}, dice=(3, 1), rules={"trade_bonus": "after_sale"})
    play(game, "sell 3 die 3")
    assert on_squares(game) == [3, 3] and notations(game)[-1] == "square 1,2 -"
    play(game, "square 1 3 workers_4", "square 2 -")
    assert game.player.workers == 4 and not game.pending


def test_a_tile_is_named_at_any_time() -> None:
    game = new_game()
    RULES.play(game, RULES.parse_move(REPORT))
    assert [list(square) for square in routes_of(game).routes["red"].squares[3:6]] == TILES["a"]


def test_a_tile_that_is_named_answers_the_question_about_its_square() -> None:
    game = on_route(*[ELSEWHERE] * 5, goods={1: 1}, covered=[3] * 5)
    play(game, "sell 1 die 1")
    RULES.play(game, RULES.parse_move(REPORT))
    assert game.player.workers == 4 and not game.pending


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (REPORT.replace("red", "green"), "no_such_player"),
        (REPORT.replace("red 2", "red 6"), "no_such_trade_tile"),
        (REPORT.replace("4:", "7:"), "no_trade_tile"),
        (REPORT.rpartition(",")[0], "no_trade_tile"),
        (REPORT.replace("red", "blue"), "trade_tile_elsewhere"),
    ],
)
def test_a_tile_that_cannot_lie_there_is_refused(move: str, code: str) -> None:
    game = new_game(tiles=TILES, rows={"red": ["a"]})
    reason = RULES.validate(game, RULES.parse_move(move))
    assert reason is not None and reason.code == code


@pytest.mark.parametrize("kind", [2, 4])
def test_a_tile_that_contradicts_what_a_sale_has_brought_is_refused(kind: int) -> None:
    """A no to a square with a 2; and a bonus for goods 4 where the tile has a 2."""
    answer = "square 1 -" if kind == 2 else "square 1 4 silver_2"
    game = on_route(None, goods={kind: 1}, dice=(kind, 1))
    play(game, f"sell {kind} die {kind}", answer)
    reason = RULES.validate(game, RULES.parse_move(REPORT.replace("red 2", "red 1")))
    assert reason is not None and (reason.code, reason.data) == (
        "square_was_other",
        {"square": 1, "goods": kind},
    )


def test_what_people_report_for_a_bot_is_no_purchase() -> None:
    game = on_route(None, goods={3: 1}, dice=(3,))
    fill_depot(game, 0, "mine")
    game.player.silver = 2
    play(game, "sell 3 die 3")
    assert notations(game, "buy")
    assert {move.word for move in RULES.unobserved_chance_moves(game)} == {"square"}


def test_a_report_follows_its_player_to_another_colour() -> None:
    assert str(RULES.with_players(RULES.parse_move(REPORT), {"red": "blue"})) == REPORT.replace("red", "blue")


def test_a_bots_turn_ends_where_people_have_to_look_and_goes_on_after_the_answer() -> None:
    game = on_route(None, goods={3: 1}, dice=(3,))
    game.player.workers = 4
    turn = turn_of(RULES, game, greedy_bot(1))
    assert str(turn[-1]) == "sell 3 die 3"
    play(game, *turn)
    assert [str(move) for move in RULES.unobserved_chance_moves(game)] == notations(game, "square")
    play(game, "square 1 -")
    assert RULES.ends_turn(turn_of(RULES, game, greedy_bot(1))[-1])


# --- what is shown, seen and overridden -------------------------------------------------------------------


def test_the_page_shows_routes_and_what_each_sale_would_cover() -> None:
    game = on_route((2, "silver_2"), (3, "points_4"), goods={2: 1, 3: 3}, covered=[2])
    red = RULES.view(game)["players"][0]
    assert red["route"][:3] == [
        {"number": 2, "bonus": "silver_2", "known": True, "goods": 2},
        {"number": 3, "bonus": "points_4", "known": True, "goods": None},
        {"number": None, "bonus": None, "known": False, "goods": None},
    ]
    assert red["route_sales"] == {
        "2": [{"square": 2, "bonus": "points_4", "pays": False}],
        "3": [
            {"square": 2, "bonus": "points_4", "pays": True},
            {"square": 3, "bonus": None, "pays": None},
            {"square": 4, "bonus": None, "pays": None},
        ],
    }


def test_the_page_offers_the_known_tiles_that_lie_nowhere_else() -> None:
    view = RULES.view(new_game(tiles=TILES, rows={"red": ["a"]}))["trade_routes"]
    assert view["tiles"] == {"b": TILES["b"]}
    assert TILES["a"] not in view["seen"] and TILES["b"] not in view["seen"] and len(view["seen"]) == 4
    assert tuple(view["bonuses"]) == BONUSES


def test_a_camera_sees_the_goods_on_a_route_in_order() -> None:
    game = on_route((2, "sell_goods"), *[ELSEWHERE] * 2, goods={2: 2, 3: 1}, covered=[])
    assert RULES.visible_layout(game)["route:red"] == ("empty",) * 15
    sale = RULES.parse_move("sell 2 die 2")
    assert VisibleChange("route:red:0", "goods/2") in list(RULES.visible_changes(game, sale))
    play(game, sale)
    skipped = list(RULES.visible_changes(game, RULES.parse_move("skip")))
    assert skipped == [VisibleChange("route:red:1", "goods/2")]
    assert not RULES.is_unordered("route:red") and RULES.part_of("route:red") in RULES.parts


def test_an_override_puts_goods_on_a_route_and_takes_them_away() -> None:
    game = on_route(ELSEWHERE, ELSEWHERE, goods={}, covered=[2])
    supply = list(game.goods_supply)
    RULES.play(game, RULES.parse_move("ruling route:red:0=empty route:red:1=goods/3"))
    assert route_of(game, game.player).goods[:3] == (0, 3, 0)
    assert (game.player.sold[2], game.player.sold[3]) == (0, 1)
    assert game.goods_supply == [n + (kind == 2) - (kind == 3) for kind, n in enumerate(supply)]


@pytest.mark.parametrize(
    "change", ["route:red:15=goods/3", "route:black:0=goods/3", "route:red:0=mine", "route:red=goods/3"]
)
def test_an_override_puts_nothing_else_on_a_route(change: str) -> None:
    reason = RULES.validate(on_route(goods={}), RULES.parse_move(f"ruling {change}"))
    assert reason is not None and reason.code == "ruling_unknown"


def test_a_bot_sells_the_goods_that_bring_a_bonus() -> None:
    """Of two sales that bring the same otherwise."""
    game = on_route((3, "points_4"), goods={3: 1, 4: 1}, dice=(3, 4))
    assert str(turn_of(RULES, game, greedy_bot(1))[0]) == "sell 3 die 3"


def test_a_bot_values_bonuses_that_are_still_to_come() -> None:
    """While a bonus waits for its choice, the rest of the sale counts by what it will bring."""
    game = on_route((3, "extra_action"), (3, "points_4"), goods={3: 2}, dice=(3, 1))
    other = on_route((3, "extra_action"), (4, "points_4"), goods={3: 2}, dice=(3, 1))
    for each in (game, other):
        play(each, "sell 3 die 3")
    assert evaluate(game, 0) - evaluate(other, 0) == 4
    assert value_of_waiting(other, other.player) < 0


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_move_and_event_is_said_in_words(language: str) -> None:
    translator = Translator(language, strict=True)
    game = on_route(None, (3, "extra_action"), goods={3: 2}, dice=(3, 1))
    events = play(game, "sell 3 die 3", "square 1 3 workers_4")
    assert all(translator.event(event.to_json()) for event in events)
    for move in (REPORT, "square 7 3 take_any_hex", "square 7 -", "square 7,8 -"):
        described = RULES.describe(RULES.parse_move(move))
        assert translator.move(described) and translator.spoken_move(described)
    assert translator.place("route:red:4") and translator.group("route:red")
    assert all(translator(f"effect.{bonus}") for bonus in burgundy().modules["trade_routes"].effects)


@pytest.mark.parametrize(
    ("language", "declined"),
    [("en", "declined placing a tile"), ("fr", "n’utilise pas le placement d’une tuile")],
)
def test_a_bonus_that_is_declined_is_named_in_a_sentence(language: str, declined: str) -> None:
    assert Translator(language, strict=True)("event.skip", effect="place_tile") == declined
