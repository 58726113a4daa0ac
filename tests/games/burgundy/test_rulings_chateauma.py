"""The rulings about the Châteauma, by their numbers in docs/rulings.md, and the defaults where its rules are silent.

Every expected value is worked out from the rule text (S lines, S1040-1233).
"""

from __future__ import annotations

import pytest

from companion.games.burgundy.modules.chateauma.cards import LEVELS
from companion.games.burgundy.modules.chateauma.turn import AutomaTurn
from companion.games.burgundy.rules import GameState
from companion.games.burgundy.rules.state import OVER, ROLL, TURN
from companion.games.burgundy.rules.tiles import tile
from tests.support.automa_positions import (
    AUTOMA,
    automa_of,
    automa_turn,
    codes,
    data_of,
    kinds,
    new_automa_game,
    on_card,
    set_up_automa,
    stored,
    take_turn,
)
from tests.support.positions import RULES, dealt, play, rolled

FULL_4_BUT_CASTLE = ("building/bank", None, "monastery/1", "mine", "building/bank")
FULL_2_BUT_MONASTERY = ("building/bank", "building/church", "livestock/cow_2")


# --- 77 to 79: the set-up ---------------------------------------------------------------------------------


def test_ruling_77_it_counts_as_a_player_for_board_bonus_tiles_and_sales() -> None:
    """S1055, S1065: with two people the board for three, 6 for the first bonus tile, 3 a tile sold."""
    game = automa_turn(
        1,
        people=2,
        on_left=[None, "livestock/cow_2", "monastery/1"],
        depots={1: ["mine"]},
        duchy=["mine", "mine"],
    )
    take_turn(game)
    assert len(game.depots[0]) == 3 and automa_of(game).points["bonus_tiles"] == 6
    selling = automa_turn(2, people=2, depots={1: ["building/warehouse"]}, own_goods={1: 2})
    take_turn(selling)
    assert automa_of(selling).points["sales"] == 6


def test_ruling_77_people_sell_for_more_beside_it() -> None:
    """S565, S1055: a person and the Châteauma are two players."""
    game = set_up_automa(1)
    RULES.play(game, dealt(game))
    RULES.play(game, rolled(game, (1, 2)))
    play(game, "sell 1 die 1")
    assert game.player.score == 2


def test_ruling_78_it_starts_with_goods_of_each_kind_a_silver_and_a_castle_on_its_first_fitting_card() -> (
    None
):
    """S1066-1078: the castle brings nothing."""
    game = new_automa_game()
    events = play(game, "castle red 18", "start-goods red 1,2,3", "county 8", "county 2")
    seat = automa_of(game)
    assert (seat.goods[1:], seat.silver, seat.score) == ([1] * 6, 1, 0)
    assert on_card(game, "left") == ["castle", None, None, None] and on_card(game, "right") == [None] * 4
    assert kinds(events) == ["start_castle", "start_goods", "reveal", "reveal"]


@pytest.mark.parametrize(
    ("modifiers", "order"), [("", ["red", "blue", AUTOMA]), ("C", [AUTOMA, "red", "blue"])]
)
def test_ruling_78_it_plays_last_at_the_start_and_first_with_modifier_c(
    modifiers: str, order: list[str]
) -> None:
    """S1082, S1228."""
    game = set_up_automa(2, modifiers=modifiers)
    assert [game.seats[index].colour for index in game.order()] == order


@pytest.mark.parametrize(("white", "side"), [(1, "left"), (4, "left"), (5, "right"), (6, "right")])
def test_ruling_79_the_white_die_picks_the_card_for_the_round(white: int, side: str) -> None:
    """S1110-1113."""
    game = automa_turn(2, 9, white=white, depots={1: ["building/bank"]})
    assert data_of(take_turn(game), "card_place")["side"] == side


# --- 80 to 85: choosing, placing and the order of it all --------------------------------------------------


def test_ruling_80_one_depot_is_compared_with_all_empty_spaces_before_the_next_depot_is() -> None:
    """S1138: depot 1 has no building for the first space but a monastery for the last; depot 2 has a building."""
    game = automa_turn(2, depots={1: ["monastery/1"], 2: ["building/bank"]})
    take_turn(game)
    assert on_card(game, "left") == [None, None, None, "monastery/1"]


def test_ruling_81_of_several_fitting_tiles_the_top_most_is_taken() -> None:
    """S1139."""
    game = automa_turn(2, depots={1: ["livestock/cow_4", "livestock/cow_2"]})
    take_turn(game)
    assert on_card(game, "left")[2] == "livestock/cow_4"


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"stored": ["livestock/cow_2"], "jokers": ["ship"], "depots": {0: ["mine"]}}, "card_place_stored"),
        ({"stored": ["ship"], "jokers": ["ship"], "depots": {0: ["mine"]}}, "card_place_joker"),
        ({"stored": ["ship"], "depots": {0: ["mine"]}}, "joker"),
        ({"stored": ["ship"]}, "silver"),
    ],
)
def test_ruling_82_without_a_match_the_first_of_four_ways_that_is_possible(
    changes: dict[str, object], kind: str
) -> None:
    """S1140-1145."""
    game = automa_turn(2, **changes)  # type: ignore[arg-type]
    assert kinds(take_turn(game))[0] == kind


def test_ruling_82_a_joker_fires_symbols_but_not_its_tile() -> None:
    """S1142-1143."""
    game = automa_turn(6, jokers=["building/watchtower"], own_goods={3: 1})
    take_turn(game)
    assert automa_of(game).points == {"sales": 2}


def test_ruling_82_a_new_joker_leaves_the_card_untouched() -> None:
    """S1144."""
    game = automa_turn(2, depots={0: ["building/bank"]})
    take_turn(game)
    assert on_card(game, "left") == [None] * 4 and automa_of(game).silver == 0


def test_ruling_83_bought_and_gained_tiles_are_face_up_and_typed() -> None:
    """S1098, S1157, S1192: neither is a joker."""
    game = automa_turn(
        2, silver=2, depots={1: ["building/carpenter"], 2: ["building/bank"], 0: ["building/church", "mine"]}
    )
    take_turn(game)
    assert stored(game) == ["building/bank", "mine"] and automa_of(game).jokers == []


def test_ruling_84_a_castle_takes_from_the_white_dies_depot() -> None:
    """S1153."""
    game = automa_turn(4, white=4, depots={1: ["castle", "monastery/2"], 5: ["monastery/1"]})
    take_turn(game)
    assert on_card(game, "left")[1:3] == ["castle", "monastery/1"]


def test_ruling_84_with_the_current_card_full_the_castle_serves_the_other() -> None:
    """S1153."""
    game = automa_turn(
        9, 4, white=6, on_right=FULL_4_BUT_CASTLE, depots={1: ["castle", "building/watchtower"]}
    )
    take_turn(game)
    assert on_card(game, "left")[1] == "building/watchtower"


def test_ruling_84_with_both_cards_full_the_castle_sells() -> None:
    """S1153: cards are replaced only after that (S1119-1126)."""
    game = automa_turn(
        4,
        2,
        on_left=FULL_4_BUT_CASTLE,
        on_right=(*FULL_2_BUT_MONASTERY, "monastery/2"),
        depots={1: ["castle"]},
        own_goods={6: 1},
    )
    events = kinds(take_turn(game))
    assert events.index("sell") < events.index("card_done")


def test_ruling_85_place_then_effects_then_sales_then_cards_then_bonus_tiles_then_the_purchase() -> None:
    """S1119-1126: the bank is on the symbol's card, and its silver pays the purchase."""
    game = automa_turn(
        7,
        on_left=["building/bank", "castle", None, "livestock/cow_2", "ship"],
        depots={1: ["building/bank"], 0: ["mine"]},
        own_goods={1: 1},
        duchy=["castle"] * 3,
    )
    assert kinds(take_turn(game)) == [
        "card_place",
        "silver",
        "sell",
        "card_done",
        "to_duchy",
        "card_slides",
        "bonus_tile",
        "buy",
    ]


def test_ruling_85_nested_effects_come_before_sales() -> None:
    """S1119, S1176: the castle's tile covers a symbol; the sale waits for the tile's own effect."""
    game = automa_turn(8, depots={1: ["castle", "mine"]}, own_goods={1: 1})
    assert kinds(take_turn(game)) == ["card_place", "card_place", "sell"]


def test_ruling_85_one_sale_for_each_symbol_of_the_turn_on_either_card() -> None:
    """S1176: the castle fills card 7, its tile covers the symbol of the other card."""
    game = automa_turn(
        7,
        5,
        on_left=["building/bank", None, "building/bank", "livestock/cow_2", "ship"],
        depots={1: ["castle", "monastery/1"]},
        own_goods={1: 1, 2: 2},
    )
    assert data_of(take_turn(game), "sell")["goods"] == 2


# --- 86 to 91: what tiles bring ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("building", "silver", "points"),
    [("bank", 2, 0), ("boarding_house", 0, 2), ("watchtower", 0, 4), ("warehouse", 1, 2)],
)
def test_ruling_86_bank_boarding_house_watchtower_and_warehouse_have_fixed_gains(
    building: str, silver: int, points: int
) -> None:
    """S1155-1162: the warehouse sells one tile of goods for two players."""
    game = automa_turn(2, depots={1: [f"building/{building}"]}, own_goods={1: 1})
    take_turn(game)
    assert (automa_of(game).silver, automa_of(game).score) == (silver, points)


@pytest.mark.parametrize(
    ("building", "nearer", "farther"),
    [("church", "mine", "castle"), ("church", "monastery/1", "mine"), ("market", "livestock/cow_2", "ship")],
)
def test_ruling_87_the_type_comes_before_the_depot(building: str, nearer: str, farther: str) -> None:
    """S1157-1159."""
    game = automa_turn(2, depots={1: [f"building/{building}", nearer], 6: [farther]})
    take_turn(game)
    assert stored(game) == [farther]


def test_ruling_87_the_search_begins_at_the_white_die() -> None:
    """S1157: white 4 finds depot 5 before depot 2."""
    game = automa_turn(
        2, white=4, depots={1: ["building/carpenter"], 2: ["building/bank"], 5: ["building/church"]}
    )
    take_turn(game)
    assert stored(game) == ["building/church"]


def test_ruling_88_the_town_hall_serves_the_current_card_before_the_other() -> None:
    """S1160: two ships would fit the other card."""
    game = automa_turn(2, 6, depots={1: ["building/town_hall"]}, stored=["ship", "ship", "monastery/1"])
    take_turn(game)
    assert on_card(game, "left")[3] == "monastery/1"


def test_ruling_88_the_town_hall_places_what_it_has_most_of_with_its_effect() -> None:
    """S1160."""
    game = automa_turn(
        2, depots={1: ["building/town_hall"]}, stored=["livestock/cow_2", "livestock/pig_3", "building/bank"]
    )
    take_turn(game)
    assert on_card(game, "left")[2] == "livestock/pig_3" and automa_of(game).points == {"livestock": 3}


def test_ruling_88_the_town_hall_uses_no_jokers() -> None:
    """S1160: a joker is of no type."""
    game = automa_turn(2, depots={1: ["building/town_hall"]}, jokers=["monastery/1"])
    take_turn(game)
    assert len(automa_of(game).jokers) == 1


def test_ruling_89_both_cards_and_the_duchy_are_one_pasture_the_inventory_is_not() -> None:
    """S1164-1166: the new tile counts once."""
    game = automa_turn(
        3,
        1,
        on_right=[None, "livestock/pig_2"],
        duchy=["livestock/pig_4"],
        stored=["livestock/pig_3"],
        depots={1: ["livestock/pig_3"]},
    )
    assert data_of(take_turn(game), "livestock")["points"] == 3 + 2 + 4


def test_ruling_89_a_joker_on_a_card_is_no_animal() -> None:
    """S1142: it is face down."""
    game = automa_turn(1, on_left=["(livestock/pig_2)"], depots={1: ["livestock/pig_3"]})
    assert data_of(take_turn(game), "livestock")["points"] == 3


def test_ruling_90_the_ship_loads_more_than_three_kinds() -> None:
    """S1076: a space for each kind."""
    game = automa_turn(3, depots={1: ["ship"]}, goods={4: [1, 2, 3, 5, 6]}, own_goods={4: 1})
    take_turn(game)
    assert automa_of(game).goods[1:] == [1] * 6


@pytest.mark.parametrize(("white", "depot"), [(3, 4), (4, 4), (5, 2)])
def test_ruling_90_in_a_tie_the_ship_loads_the_first_depot_from_the_white_die_on(
    white: int, depot: int
) -> None:
    """S1168."""
    game = automa_turn(3, 3, white=white, depots={1: ["ship"]}, goods={2: [1], 4: [2]})
    assert data_of(take_turn(game), "load")["depots"] == [depot]


def test_ruling_90_its_marker_goes_on_top_of_those_it_meets_and_may_bring_the_white_die() -> None:
    """S368, S1168."""
    game = automa_turn(3, people=2, depots={1: ["ship"]})
    game.track[0].remove(0)
    game.track[1] = [0]
    events = take_turn(game)
    assert game.track[1] == [0, 2] and kinds(events)[-1] == "white_die"


def test_ruling_91_monasteries_do_nothing_and_equal_buildings_are_fine() -> None:
    """S1088-1089: monastery 5 would load two depots, 3 would pay two silver."""
    game = automa_turn(
        3,
        on_left=[None, "building/bank", None, "building/bank"],
        depots={1: ["ship"]},
        goods={2: [1], 3: [2, 2]},
        duchy=["monastery/5"],
    )
    take_turn(game)
    assert automa_of(game).goods[1:3] == [0, 2]


# --- 92 to 97: cards, bonus tiles, purchase, sale, points -------------------------------------------------


def test_ruling_92_jokers_go_to_their_real_colour_and_the_overflow_lies_on_top() -> None:
    """S1182."""
    game = automa_turn(
        2,
        on_left=["(mine)", "building/bank", "livestock/cow_2"],
        depots={1: ["monastery/1"]},
        duchy=["mine"] * 3,
    )
    take_turn(game)
    assert len(automa_of(game).duchy["mine"]) == 4 and len(automa_of(game).duchy["building"]) == 1


def test_ruling_92_the_right_card_slides_and_the_next_one_comes_to_the_right() -> None:
    """S1184."""
    game = automa_turn(2, 9, on_left=FULL_2_BUT_MONASTERY, depots={1: ["monastery/1"]})
    take_turn(game)
    play(game, "county 3")
    assert [card and card.card.number for card in automa_of(game).cards] == [9, 3]


def test_ruling_93_a_full_colour_brings_its_tile_only_when_a_card_is_completed() -> None:
    """S1188: tiles on an open card do not count."""
    game = automa_turn(1, on_left=["mine"], depots={1: ["livestock/cow_2"]}, duchy=["mine"] * 2)
    take_turn(game)
    assert automa_of(game).bonus_tiles == []


def test_ruling_94_it_buys_a_type_it_lacks_and_only_one_tile() -> None:
    """S1192-1194: jokers are of no type."""
    game = automa_turn(
        2,
        silver=4,
        jokers=["castle"],
        stored=["mine"],
        depots={1: ["monastery/1"], 0: ["mine", "ship", "castle"]},
    )
    take_turn(game)
    assert stored(game) == ["mine", "castle"] and automa_of(game).silver == 2


def test_ruling_95_it_sells_the_most_numerous_kind_the_lowest_in_a_tie_for_one_silver() -> None:
    """S1200."""
    game = automa_turn(2, depots={1: ["building/warehouse"]}, own_goods={3: 2, 4: 2, 5: 1})
    sold = data_of(take_turn(game), "sell")
    assert (sold["goods"], sold["silver"], sold["points"]) == (3, 1, 4)


def test_ruling_96_face_up_mines_pay_jokers_do_not() -> None:
    """S1128."""
    game = automa_turn(4, 1, on_right=["(mine)"], on_left=[None] * 3 + ["mine"], duchy=["mine"])
    game.round = 4
    assert data_of(take_turn(game), "mines")["silver"] == 2


def test_ruling_97_its_points_at_the_end() -> None:
    """S1208-1212: 2 monasteries, 3 goods, 2 silver, 3 stored tiles, 4 tiles on cards."""
    game = automa_turn(
        2,
        5,
        on_left=["building/bank", None, None, "monastery/1"],
        on_right=["(monastery/2)"],
        stored=["ship", "mine"],
        jokers=["castle"],
        duchy=["monastery/3"],
        own_goods={1: 3},
        silver=2,
    )
    # The turn uses the joker and buys nothing, as the black depot is empty.
    game.phase, game.round = 4, 4
    take_turn(game)
    assert game.stage == OVER
    assert RULES.score_sheet(game)[AUTOMA] == {
        "goods_left": 3,
        "silver_left": 2,
        "monasteries": 8,
        "inventory": 2,
        "open_cards": 8,
    }


def test_ruling_97_a_person_must_have_more_points_to_win() -> None:
    """S1214."""
    game = automa_turn(people=2)
    game.players[1].score = automa_of(game).score = 50
    assert RULES.ranking(game) == [AUTOMA, "blue", "red"]


def test_ruling_97_a_joker_still_face_down_counts_two_whatever_it_is() -> None:
    """S1208, S1212: derived."""
    game = automa_turn(2, None, on_left=["(monastery/1)"], depots={1: ["building/church"]})
    game.phase, game.round = 4, 4
    take_turn(game)
    assert "monasteries" not in automa_of(game).points and automa_of(game).points["open_cards"] == 4


# --- 98 and 99: levels and modifiers ----------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_ruling_98_points_and_modifiers_are_two_choices(level: str) -> None:
    """S1072, S1221, S1233."""
    seat = automa_of(new_automa_game(level=level, modifiers="AC"))
    assert (seat.level, seat.modifiers) == (level, ("A", "C"))


def test_ruling_99_each_of_a_and_b_lays_only_its_own_tiles() -> None:
    """S1226-1227."""
    only_a, only_b = automa_of(set_up_automa(modifiers="A")), automa_of(set_up_automa(modifiers="B"))
    assert only_a.hidden_tiles == 5 and not any(only_a.duchy.values())
    assert only_b.hidden_tiles == 0 and sum(map(len, only_b.duchy.values())) == 3


def test_ruling_99_d_moves_all_tiles_first_then_resolves_each_extra_turn_and_replaces_cards_last() -> None:
    """S1229-1231."""
    game = automa_turn(
        6,
        9,
        modifiers="D",
        marks={"D": {"ship": [1, 2]}},
        on_left=["ship", "monastery/1", "building/bank"],
        depots={1: ["ship", "building/watchtower"], 2: ["livestock/cow_2"]},
    )
    assert kinds(take_turn(game)) == [
        "card_place",
        "no_benefit",
        "advance",
        "white_die",
        "card_done",
        "to_duchy",
        "card_place",
        "watchtower",
        "card_place",
        "livestock",
        "card_slides",
    ]


# --- defaults where the text is silent --------------------------------------------------------------------


def lacks_nothing_on_offer() -> GameState:
    """A turn with two silver; of ships it has two, of what else is on offer one each."""
    return automa_turn(
        2,
        silver=2,
        stored=["ship", "mine", "ship", "livestock/cow_2"],
        depots={1: ["monastery/1"], 0: [None, "ship", "livestock/pig_3", "mine"]},
    )


def test_ruling_181_with_no_type_missing_it_buys_the_one_that_it_has_fewest_of() -> None:
    """S1192-1194; in a tie, the first in the order of the inventory: mine before livestock."""
    game = lacks_nothing_on_offer()
    events = take_turn(game)
    assert stored(game)[-1] == "mine" and "buys_fewest" in codes(events)


def test_ruling_181_jokers_count_for_no_type() -> None:
    """S1144: a joker's face is hidden, so that of castles it has none."""
    game = automa_turn(
        2,
        silver=2,
        jokers=["castle", "castle"],
        stored=["mine"],
        depots={1: ["monastery/1"], 0: ["mine", "castle"]},
        rules={"automa_wants": "fewest"},
    )
    take_turn(game)
    assert stored(game) == ["mine", "castle"]


def test_a_turn_of_an_earlier_release_is_replayed_with_the_first_tile_bought() -> None:
    """Where nothing was missing it took the first tile; otherwise it bought as now."""
    game = lacks_nothing_on_offer()
    RULES.play(game, AutomaTurn().as_earlier_release())
    assert stored(game)[-1] == "ship"
    lacking = automa_turn(
        2, silver=2, stored=["ship"], depots={1: ["monastery/1"], 0: ["ship", "livestock/cow_2", "mine"]}
    )
    RULES.play(lacking, AutomaTurn().as_earlier_release())
    assert stored(lacking) == ["ship", "mine"]


def test_settled_a_castle_for_which_nothing_fits_takes_the_usual_way_out() -> None:
    """S1153: with a card open there is no sale."""
    game = automa_turn(8, depots={1: ["castle"], 0: ["building/bank"]}, own_goods={1: 3})
    events = take_turn(game)
    assert kinds(events) == ["card_place", "joker"]


def test_settled_of_several_jokers_the_newest_is_used() -> None:
    game = automa_turn(2, jokers=["castle", "mine", "ship"])
    take_turn(game)
    assert on_card(game, "left")[0] == "(ship)"


def test_settled_in_a_town_halls_tie_the_first_matching_space_of_the_card_counts() -> None:
    """S1160."""
    game = automa_turn(
        2, depots={1: ["building/town_hall"]}, stored=["monastery/1", "livestock/cow_2", "ship"]
    )
    events = take_turn(game)
    assert on_card(game, "left")[2] == "livestock/cow_2" and "town_hall_tie" in codes(events)


def test_settled_with_no_cards_left_to_come_the_gap_stays_and_the_turn_ends() -> None:
    """S1184."""
    game = automa_turn(2, 9, on_left=FULL_2_BUT_MONASTERY, depots={1: ["monastery/1"]})
    automa_of(game).deck = ()
    take_turn(game)
    assert game.stage == ROLL and automa_of(game).cards[1] is None


def test_settled_a_gap_makes_it_use_the_other_card() -> None:
    game = automa_turn(2, None, white=6, depots={1: ["building/watchtower"]})
    events = take_turn(game)
    assert on_card(game, "left")[0] == "building/watchtower" and "card_missing" in codes(events)


def test_settled_without_any_card_its_turn_is_a_sale() -> None:
    game = automa_turn(None, None, depots={1: ["building/watchtower"]}, own_goods={2: 2})
    events = take_turn(game)
    assert kinds(events) == ["sell"] and "cards_gone" in codes(events)


def test_settled_with_modifier_c_people_begin_with_two_three_and_four_workers() -> None:
    """S1055."""
    assert [player.workers for player in set_up_automa(3, modifiers="C").players] == [2, 3, 4]


def test_settled_face_down_tiles_of_modifier_a_cover_a_space_and_count_for_nothing_else() -> None:
    game = automa_turn(1, modifiers="A", on_left=["mine"], depots={1: ["livestock/cow_2"]})
    seat = automa_of(game)
    assert seat.covered("livestock") == 1
    assert data_of(take_turn(game), "livestock")["points"] == 2
    assert RULES.view(game)["chateauma"][0]["at_end"] - seat.score == 4 + seat.silver


def test_settled_tiles_stacked_on_others_in_its_duchy_still_count() -> None:
    """S1128."""
    game = automa_turn(2, duchy=["mine"] * 5)
    game.round = 4
    assert data_of(take_turn(game), "mines")["silver"] == 5


def test_settled_symbols_covered_by_an_extra_turn_sell_at_once() -> None:
    """S1229: the extra turn's tile covers the symbol of card 5."""
    game = automa_turn(
        8,
        5,
        modifiers="D",
        on_left=["castle", "mine", "livestock/cow_2"],
        depots={1: ["ship", "monastery/1"]},
        duchy=["ship"],
        own_goods={1: 1},
    )
    events = kinds(take_turn(game))
    assert events.index("to_duchy") < events.index("sell") < events.index("card_slides")


def test_settled_slots_stay_empty_where_a_supply_has_run_out() -> None:
    """With modifier B at four players, in phase E."""
    game: GameState = set_up_automa(3, modifiers="B")
    used = {t: 0 if t == tile("castle") else n for t, n in game.supply.items()}
    game.supply = used
    RULES.play(game, dealt(game))
    assert sum(t is None for depot in game.depots for t in depot) > 0 and game.stage != TURN
