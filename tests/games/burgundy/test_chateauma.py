"""The Châteauma's rules, one behaviour each, by the lines of the rule text (S1040-1233).

Where the text can be read in several ways, tests/games/burgundy/test_rulings_chateauma.py holds how it is played.
"""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.burgundy.modules.chateauma import UnknownPrintError
from companion.games.burgundy.modules.chateauma.cards import LEVELS, MODIFIERS
from companion.games.burgundy.modules.chateauma.own_roll import OwnRoll
from companion.games.burgundy.modules.chateauma.reveal_card import RevealCard
from companion.games.burgundy.modules.chateauma.seat import NEXT_CARD, OWN_DIE, OWN_TURN
from companion.games.burgundy.modules.chateauma.start_tiles import StartTiles
from companion.games.burgundy.modules.chateauma.turn import AutomaTurn
from companion.games.burgundy.rules import GameState, IllegalMoveError
from companion.games.burgundy.rules.decisions import EndTurn, Fill, Roll
from companion.games.burgundy.rules.state import FILL, OVER, ROLL, SETUP, TURN
from companion.games.burgundy.rules.tiles import TYPES, tile
from companion.games.burgundy.rules.validation import validate
from tests.support.automa_positions import (
    ANSWERS,
    AUTOMA,
    automa_of,
    automa_turn,
    card_number,
    codes,
    cover,
    data_of,
    kinds,
    new_automa_game,
    on_card,
    rolled_automa,
    set_cards,
    set_up_automa,
    setup_with,
    stored,
    take_turn,
)
from tests.support.positions import (
    COLOURS,
    RULES,
    dealt,
    fill_depot,
    filled,
    illegal_reason,
    new_game,
    play,
    rolled,
)

# --- set-up (S1061-1082) ----------------------------------------------------------------------------------


@pytest.mark.parametrize("people", [1, 2, 3])
def test_the_main_board_is_the_one_for_people_and_chateauma_together(people: int) -> None:
    """S1055, S1065."""
    game = new_automa_game(people)
    assert [len(depot) for depot in game.depots] == [people + 1] * 6


def test_a_solo_game_requires_the_chateauma() -> None:
    """S1055."""
    setup = setup_with(1)
    RULES.new(setup)
    del setup["chateauma"]
    with pytest.raises(ValueError, match="not for 1"):
        RULES.new(setup)


def test_four_people_leave_no_seat_for_the_chateauma() -> None:
    """S1055: it joins one, two or three people."""
    with pytest.raises(ValueError, match="not for 5"):
        new_automa_game(4, colour="pink")


def test_one_of_each_kind_of_goods_is_its_own_before_people_draw_theirs() -> None:
    """S1066, S1076."""
    game = new_automa_game()
    assert automa_of(game).goods[1:] == [1] * 6
    assert game.goods_supply[1:] == [6] * 6


def test_it_has_a_colour_of_its_own_and_a_single_die() -> None:
    """S1067."""
    game = rolled_automa(2)
    while game.stage == TURN:
        RULES.play(game, EndTurn())
    assert RULES.expected_dice(game) == {AUTOMA: 1}
    with pytest.raises(ValueError, match="share a colour"):
        new_automa_game(1, colour=COLOURS[0])


def test_it_has_no_player_board() -> None:
    """S1067."""
    assert [player.colour for player in new_automa_game(2).players] == ["red", "blue"]


@pytest.mark.parametrize("level", LEVELS)
def test_the_level_can_be_chosen(level: str) -> None:
    """S1072."""
    assert automa_of(new_automa_game(level=level)).level == level


def test_a_first_game_is_intermediate_without_modifiers() -> None:
    """S1072, S1233."""
    setup = setup_with()
    setup["chateauma"] = {"colour": AUTOMA, **ANSWERS}
    seat = automa_of(RULES.new(setup))
    assert (seat.level, seat.modifiers) == ("intermediate", ())


@pytest.mark.parametrize("card", range(1, 10))
def test_the_first_card_has_a_space_for_a_castle(card: int) -> None:
    """S1073: cards are turned up until one has; 4, 7 and 8 do."""
    reason = validate(new_automa_game(), RevealCard(card))
    assert (reason and reason.code) == (None if card in (4, 7, 8) else "card_without_castle")


def test_cards_turned_up_in_vain_come_again() -> None:
    """S1074: the second card is any of the other eight."""
    game = new_automa_game()
    RULES.play(game, RevealCard(7))
    assert [c for c in range(1, 11) if validate(game, RevealCard(c)) is None] == [1, 2, 3, 4, 5, 6, 8, 9]


def test_the_first_card_is_on_the_left_and_the_second_on_the_right() -> None:
    """S1073-1074."""
    game = set_up_automa()
    assert [card and card.card.number for card in automa_of(game).cards] == [4, 1]


@pytest.mark.parametrize(("card", "space"), [(4, 1), (7, 1), (8, 0)])
def test_the_first_card_begins_with_a_castle_that_brings_nothing(card: int, space: int) -> None:
    """S1075."""
    game = new_automa_game()
    castles = game.supply[tile("castle")]
    events = RULES.play(game, RevealCard(card))
    assert (
        on_card(game, "left")[space] == "castle"
        and on_card(game, "left").count(None) == len(on_card(game, "left")) - 1
    )
    assert game.supply[tile("castle")] == castles - 1
    assert kinds(events) == ["reveal"]


def test_no_castle_is_placed_on_the_second_card() -> None:
    """S1075: the castle belongs to the card under 1 to 4."""
    game = new_automa_game()
    play(game, "county 4", "county 7")
    assert on_card(game, "right") == [None] * 5


def test_it_starts_with_one_silver() -> None:
    """S1077."""
    assert automa_of(set_up_automa()).silver == 1


def test_it_has_no_workers() -> None:
    """S1078, S1086."""
    assert not hasattr(automa_of(set_up_automa()), "workers")


def test_people_are_set_up_as_ever() -> None:
    """S1080."""
    assert [(p.workers, p.silver, sum(p.goods)) for p in set_up_automa(3).players] == [
        (1, 1, 3),
        (2, 1, 3),
        (3, 1, 3),
    ]


def test_play_begins_when_its_cards_are_on_the_table_too() -> None:
    game = new_automa_game()
    play(game, "castle red 18", "start-goods red 1,2,3", "county 4")
    assert game.stage == SETUP
    play(game, "county 1")
    assert game.stage == FILL


def test_the_chateauma_plays_last_in_the_first_round() -> None:
    """S1082."""
    game = set_up_automa(3)
    assert [game.seats[i].colour for i in game.order()] == ["red", "blue", "green", AUTOMA]


# --- its own print ----------------------------------------------------------------------------------------


def test_unknown_print_is_requested() -> None:
    setup = setup_with()
    setup["chateauma"] = {"colour": AUTOMA}
    with pytest.raises(UnknownPrintError, match="card:8") as caught:
        RULES.new(setup)
    assert [(u.what, u.candidates) for u in caught.value.unknown] == [
        ("card:8", ("castle", "livestock")),
        ("inventory_order", TYPES),
    ]


@pytest.mark.parametrize(
    ("modifiers", "asked"),
    [
        ("ABC", []),
        ("D", ["marks:D"]),
        ("AD", ["marks:A", "marks:D"]),
        ("BD", ["marks:B", "marks:D"]),
        ("ABCD", ["marks:A", "marks:B", "marks:D"]),
    ],
)
def test_where_marks_are_is_asked_only_if_it_matters(modifiers: str, asked: list[str]) -> None:
    """S1226-1229: with extra turns it matters which spaces are covered; without them only how many."""
    setup = setup_with(modifiers=modifiers)
    del setup["chateauma"]["marks"]
    try:
        RULES.new(setup)
        found = []
    except UnknownPrintError as error:
        found = [unknown.what for unknown in error.unknown]
    assert found == asked


def test_the_owners_card_counts_as_calibration_saves_it() -> None:
    hexes = [{"colour": c, "sell_goods": c == "ship"} for c in ("castle", "mine", "castle", "ship")]
    card = automa_of(new_automa_game(cards={"8": hexes})).print.cards[8]
    assert [(space.tile_type, space.symbol) for space in card.spaces] == [
        ("castle", None),
        ("mine", None),
        ("castle", None),
        ("ship", "sell_goods"),
    ]


def test_the_owners_colours_keep_the_symbols_that_are_known() -> None:
    card = automa_of(new_automa_game()).print.cards[8]
    assert [space.symbol for space in card.spaces] == [None, "sell_goods", None, None]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "medium"}, "no level 'medium'; choose easy, intermediate, hard"),
        ({"modifiers": "AE"}, "no modifier 'E'; there are A, B, C, D"),
        ({"speed": 3}, "no option 'speed'"),
        ({"cards": {"10": ["mine"]}}, "no county card 10"),
        ({"cards": {"8": ["mine"]}}, "county card 8 has 4 spaces, not 1"),
        ({"cards": {"8": ["mine"] * 5}}, "county card 8 has 4 spaces, not 5"),
        ({"cards": {"8": ["palace"] * 4}}, "county card 8: 'palace' is not a tile type"),
        ({"inventory_order": ["mine"] * 6}, "must name each of castle, mine, ship"),
        ({"marks": {"D": {"mine": [4]}}}, r"\[4\] are not mine spaces, of which there are 3"),
        ({"marks": {"D": {"ship": [1, 1]}}}, r"\[1, 1\] are not ship spaces"),
        ({"marks": {"D": {"goods": [1]}}}, r"\[1\] are not goods spaces, of which there are 0"),
        ({"marks": {"A": {"mine": [1]}}}, "marks of modifier A"),
    ],
)
def test_an_impossible_chateauma_is_refused_in_words(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        new_automa_game(**options)


def test_the_chateauma_belongs_to_the_special_edition() -> None:
    setup = setup_with() | {"edition": "2011"}
    setup["players"] = [{"colour": "red", "duchy": "2011-1"}]
    with pytest.raises(ValueError, match="no Châteauma in edition '2011'; there is one in special"):
        RULES.new(setup)


def test_without_modifiers_its_duchy_is_empty() -> None:
    """S1071: board 35."""
    seat = automa_of(set_up_automa())
    assert not any(map(seat.covered, TYPES)) and not seat.stored and not seat.jokers


def test_the_only_symbols_of_its_cards_sell_goods() -> None:
    """S1172: one each on cards 3 and 5 to 9."""
    cards = automa_of(new_automa_game()).print.cards
    symbols = {number: [s.symbol for s in card.spaces if s.symbol] for number, card in cards.items()}
    assert symbols == {n: ["sell_goods"] if n in (3, 5, 6, 7, 8, 9) else [] for n in range(1, 10)}


# --- rounds and turns (S1104-1128) ------------------------------------------------------------------------


def test_its_die_is_not_rolled_with_the_others() -> None:
    """S1110: people's dice and the white one."""
    game = set_up_automa(2)
    RULES.play(game, dealt(game))
    assert RULES.expected_dice(game) == {"red": 2, "blue": 2, "white": 1}
    roll = dealt(game)
    assert isinstance(roll, Roll) and [colour for colour, _ in roll.dice] == ["red", "blue"]


def test_a_roll_with_its_die_is_refused() -> None:
    """S1110."""
    game = set_up_automa()
    RULES.play(game, dealt(game))
    with pytest.raises(IllegalMoveError, match="wrong_players"):
        play(game, "roll red=1,2 black=3,4 white=5")


@pytest.mark.parametrize("white", range(1, 7))
def test_the_white_die_names_the_current_card(white: int) -> None:
    """S1112."""
    game = automa_turn(2, 9, white=white, depots={1: ["monastery/1"]})
    take_turn(game)
    side = "left" if white <= 4 else "right"
    assert on_card(game, side)[3] == "monastery/1"


def test_the_white_die_places_goods_as_ever() -> None:
    """S1113."""
    game = set_up_automa()
    RULES.play(game, dealt(game))
    kind = game.round_goods[0]
    RULES.play(game, rolled(game, white=5))
    assert game.depot_goods[4][kind] == 1


def test_turns_follow_the_turn_order_track() -> None:
    """S1115: its marker ahead of the others, it plays first."""
    game = set_up_automa(2)
    game.track[0].remove(2)
    game.track[1] = [2]
    RULES.play(game, dealt(game))
    RULES.play(game, rolled(game))
    assert game.stage == OWN_DIE and game.seat.colour == AUTOMA


def test_its_turn_needs_its_die_and_leaves_no_choice() -> None:
    """S1119, S1134-1136."""
    game = rolled_automa()
    play(game, "end")
    assert game.stage == OWN_DIE and RULES.legal_moves(game) == [] and RULES.to_move(game) is None
    RULES.play(game, OwnRoll(AUTOMA, 3))
    assert game.stage == OWN_TURN and RULES.legal_moves(game) == [AutomaTurn()]
    assert RULES.to_move(game) == AUTOMA and RULES.ends_turn(AutomaTurn())


def test_its_roll_can_be_made_from_the_die_that_is_seen() -> None:
    """S1136."""
    game = rolled_automa()
    play(game, "end")
    roll = RULES.roll_move(game, {AUTOMA: [4]})
    assert str(roll) == "own-roll black=4" and RULES.dice_of(roll) == {AUTOMA: [4]}


def test_a_turn_places_one_tile() -> None:
    """S1119."""
    game = automa_turn(2, depots={1: ["monastery/1", "building/bank"], 2: ["building/bank"]})
    take_turn(game)
    assert on_card(game, "left") == ["building/bank", None, None, None]


def test_people_take_their_turns_as_without_the_chateauma() -> None:
    """S1117: red, with a 1 and a 2, has the moves that it has in a game of two people."""
    beside_it, beside_blue = rolled_automa(), filled(2)
    RULES.play(beside_blue, rolled(beside_blue))
    beside_blue.depots, beside_blue.black = beside_it.depots, beside_it.black
    assert RULES.legal_moves(beside_it) == RULES.legal_moves(beside_blue)


def test_its_inventory_holds_any_number_of_tiles() -> None:
    """S1087, S1098: a storage of people has three spaces."""
    game = automa_turn(2, silver=2, stored=["mine"] * 4, depots={1: ["monastery/1"], 0: ["ship"]})
    take_turn(game)
    assert len(stored(game)) == 5


def test_after_its_turn_the_next_in_order_plays() -> None:
    """S1115."""
    game = automa_turn(modifiers="C", people=2)
    take_turn(game)
    assert (game.stage, game.seat.colour) == (TURN, "red")


def test_after_its_turn_as_the_last_one_the_round_is_over() -> None:
    game = automa_turn()
    take_turn(game)
    assert (game.stage, game.round) == (ROLL, 1)


def test_mines_face_up_in_duchy_and_on_cards_pay_at_the_end_of_a_phase() -> None:
    """S1128: not those of the inventory."""
    game = automa_turn(1, 4, on_left=["mine"], duchy=["mine", "mine"], stored=["mine"])
    game.round = 4
    events = take_turn(game)
    assert data_of(events, "mines") == {
        "kind": "mines",
        "player": AUTOMA,
        "points": 0,
        "silver": 3,
        "workers": 0,
    }


# --- choosing and placing (S1132-1145) --------------------------------------------------------------------


@pytest.mark.parametrize("die", range(1, 7))
def test_the_search_begins_at_the_depot_of_its_own_die(die: int) -> None:
    """S1136-1137."""
    game = automa_turn(2, die=die, depots={depot: ["livestock/cow_2"] for depot in range(1, 7)})
    take_turn(game)
    assert [number for number, depot in enumerate(game.depots, 1) if not any(depot)] == [die]


def test_the_first_empty_space_of_the_card_comes_first() -> None:
    """S1138: card 2 has two buildings, livestock and a monastery."""
    game = automa_turn(2, depots={1: ["monastery/1", "livestock/cow_2"]}, on_left=["building/bank"])
    take_turn(game)
    assert on_card(game, "left") == ["building/bank", None, "livestock/cow_2", None]


def test_covered_spaces_are_passed_over() -> None:
    """S1138."""
    game = automa_turn(2, depots={1: ["building/bank", "monastery/1"]}, on_left=["building/bank"] * 2)
    take_turn(game)
    assert on_card(game, "left")[2:] == [None, "monastery/1"]


@pytest.mark.parametrize(("die", "depot"), [(2, 3), (4, 6), (5, 6), (6, 6)])
def test_without_a_fit_the_search_continues_clockwise(die: int, depot: int) -> None:
    """S1138."""
    game = automa_turn(2, die=die, depots={3: ["building/bank"], 6: ["building/bank"], 2: ["mine"]})
    events = take_turn(game)
    assert data_of(events, "card_place")["depot"] == depot


def test_after_depot_six_comes_depot_one() -> None:
    """S1138."""
    game = automa_turn(2, die=5, depots={2: ["building/bank"]})
    events = take_turn(game)
    assert data_of(events, "card_place")["depot"] == 2
    assert codes(events).count("depot_without_fit") == 3


def test_a_tile_that_fits_is_placed_on_the_current_card() -> None:
    """S1139."""
    game = automa_turn(2, 9, white=6, depots={1: ["building/bank"]})
    take_turn(game)
    assert on_card(game, "right") == [None, "building/bank", None, None]
    assert game.depots[0] == [None, None]


def test_of_several_that_fit_the_top_one_is_taken() -> None:
    """S1139."""
    game = automa_turn(2, depots={1: ["building/bank", "building/watchtower"]})
    events = take_turn(game)
    assert game.depots[0] == [None, tile("building/watchtower")]
    assert "top_of_several" in codes(events)


def test_without_a_match_a_tile_of_the_inventory_is_placed_with_its_effect() -> None:
    """S1141."""
    game = automa_turn(2, stored=["mine", "building/watchtower"])
    events = take_turn(game)
    assert on_card(game, "left")[0] == "building/watchtower" and stored(game) == ["mine"]
    assert automa_of(game).points == {"watchtowers": 4} and "watchtower" in kinds(events)


def test_the_inventory_serves_the_first_empty_space_that_it_can() -> None:
    """S1141."""
    game = automa_turn(2, stored=["monastery/1", "livestock/cow_2"])
    take_turn(game)
    assert on_card(game, "left") == [None, None, "livestock/cow_2", None]


def test_a_depot_comes_before_the_inventory() -> None:
    """S1140: the inventory only when no depot has a match, however late its space comes."""
    game = automa_turn(2, die=1, depots={6: ["monastery/1"]}, stored=["building/bank"])
    take_turn(game)
    assert on_card(game, "left") == [None, None, None, "monastery/1"] and stored(game) == ["building/bank"]


def test_from_a_stack_of_the_inventory_the_top_one_is_taken() -> None:
    """S1098."""
    game = automa_turn(2, stored=["building/bank", "building/watchtower", "mine"])
    take_turn(game)
    assert on_card(game, "left")[0] == "building/watchtower" and stored(game) == ["building/bank", "mine"]


def test_a_joker_covers_the_first_empty_space_without_effect() -> None:
    """S1142-1143."""
    game = automa_turn(2, jokers=["building/watchtower"])
    events = take_turn(game)
    assert on_card(game, "left") == ["(building/watchtower)", None, None, None]
    assert not automa_of(game).jokers and not automa_of(game).points
    assert kinds(events) == ["card_place_joker"]


def test_a_joker_covers_a_space_of_any_colour() -> None:
    """S1142."""
    game = automa_turn(2, jokers=["ship"])
    take_turn(game)
    assert on_card(game, "left")[0] == "(ship)"


def test_a_joker_that_covers_a_symbol_sells() -> None:
    """S1143: the first space of card 5."""
    game = automa_turn(5, jokers=["ship"], own_goods={2: 3})
    take_turn(game)
    assert automa_of(game).points == {"sales": 6}


def test_a_typed_tile_of_the_inventory_comes_before_a_joker() -> None:
    """S1141-1142."""
    game = automa_turn(2, stored=["monastery/1"], jokers=["ship"])
    take_turn(game)
    assert on_card(game, "left") == [None, None, None, "monastery/1"] and automa_of(game).jokers


def test_without_a_joker_the_first_tile_of_the_black_depot_becomes_one() -> None:
    """S1144: in the inventory, the card stays as it is and the tile brings nothing."""
    game = automa_turn(2, depots={0: [None, "building/watchtower", "mine"]})
    events = take_turn(game)
    assert on_card(game, "left") == [None] * 4
    assert automa_of(game).jokers == [tile("building/watchtower")]
    assert game.black[:3] == [None, None, tile("mine")] and kinds(events) == ["joker"]


def test_with_an_empty_black_depot_too_it_receives_two_silver() -> None:
    """S1145."""
    game = automa_turn(2)
    events = take_turn(game)
    assert automa_of(game).silver == 2 and kinds(events) == ["silver"]


# --- what placed tiles bring (S1147-1168) -----------------------------------------------------------------


def test_a_castle_places_one_more_tile_from_the_white_dies_depot_on() -> None:
    """S1153: the search for it begins at 3, not at 1."""
    game = automa_turn(
        4, white=3, die=1, depots={1: ["castle", "monastery/2"], 4: ["monastery/1"], 2: ["monastery/3"]}
    )
    take_turn(game)
    assert on_card(game, "left") == [None, "castle", "monastery/1", None, None]


def test_a_castles_tile_goes_to_the_other_card_when_the_castle_has_filled_this_one() -> None:
    """S1153."""
    game = automa_turn(
        4,
        9,
        on_left=["building/bank", None, "monastery/1", "mine", "building/bank"],
        depots={1: ["castle", "building/bank"]},
    )
    events = take_turn(game)
    assert card_number(game, "left") == 9
    assert on_card(game, "left") == [None, "building/bank", None, None]
    assert "card_full" in codes(events)


def test_a_castles_tile_is_a_sale_when_both_cards_are_full() -> None:
    """S1153."""
    game = automa_turn(
        4,
        1,
        on_left=["building/bank", None, "monastery/1", "mine", "building/bank"],
        on_right=["mine", "livestock/cow_2", "monastery/2"],
        depots={1: ["castle", "building/bank"]},
        own_goods={5: 2},
    )
    events = take_turn(game)
    assert automa_of(game).points["sales"] == 4
    assert codes(events).count("card_completed") == 2 and "cards_full" in codes(events)


def test_equal_buildings_may_stand_on_one_card() -> None:
    """S1089, S1154."""
    game = automa_turn(2, on_left=["building/bank"], depots={1: ["building/bank"]})
    take_turn(game)
    assert on_card(game, "left")[:2] == ["building/bank"] * 2


def test_a_bank_pays_two_silver() -> None:
    """S1155."""
    game = automa_turn(2, depots={1: ["building/bank"]})
    take_turn(game)
    assert automa_of(game).silver == 2


def test_a_boarding_house_scores_two_points() -> None:
    """S1156."""
    game = automa_turn(2, depots={1: ["building/boarding_house"]})
    take_turn(game)
    assert automa_of(game).points == {"boarding_houses": 2}


def test_a_carpenter_takes_a_building_into_the_inventory_from_the_white_die_on() -> None:
    """S1157."""
    game = automa_turn(
        2, white=3, depots={1: ["building/carpenter"], 2: ["building/bank"], 4: ["mine", "building/church"]}
    )
    events = take_turn(game)
    assert stored(game) == ["building/church"] and data_of(events, "stock")["depot"] == 4


def test_a_carpenter_takes_the_top_one_of_several() -> None:
    """S1157."""
    game = automa_turn(2, depots={1: ["building/carpenter"], 2: ["building/bank", "building/church"]})
    take_turn(game)
    assert stored(game) == ["building/bank"]


def test_what_a_building_takes_into_the_inventory_has_no_effect() -> None:
    """S1157: the tile is not placed on a card."""
    game = automa_turn(2, depots={1: ["building/carpenter"], 2: ["building/watchtower"]})
    take_turn(game)
    assert not automa_of(game).points


@pytest.mark.parametrize("building", ["carpenter", "church", "market"])
def test_a_building_that_finds_nothing_brings_nothing(building: str) -> None:
    """S1157-1159."""
    game = automa_turn(2, depots={1: [f"building/{building}"]})
    events = take_turn(game)
    assert stored(game) == [] and data_of(events, "no_benefit")["effect"] == building


@pytest.mark.parametrize(
    ("on_table", "taken"),
    [
        ({2: ["monastery/1"], 3: ["mine"], 6: ["castle"]}, "castle"),
        ({2: ["monastery/1"], 3: ["mine"]}, "mine"),
        ({2: ["monastery/1"], 3: ["ship"]}, "monastery/1"),
    ],
)
def test_a_church_takes_a_castle_else_a_mine_else_a_monastery(
    on_table: dict[int, list[str]], taken: str
) -> None:
    """S1158."""
    game = automa_turn(2, depots={1: ["building/church"], **on_table})
    take_turn(game)
    assert stored(game) == [taken]


@pytest.mark.parametrize(
    ("on_table", "taken"),
    [({2: ["livestock/cow_2"], 5: ["ship"]}, "ship"), ({2: ["livestock/cow_2"]}, "livestock/cow_2")],
)
def test_a_market_takes_a_ship_else_livestock(on_table: dict[int, list[str]], taken: str) -> None:
    """S1159."""
    game = automa_turn(2, depots={1: ["building/market"], **on_table})
    take_turn(game)
    assert stored(game) == [taken]


def test_a_town_hall_places_a_tile_of_the_inventory_with_its_effect() -> None:
    """S1160."""
    game = automa_turn(2, depots={1: ["building/town_hall"]}, stored=["livestock/cow_3"])
    take_turn(game)
    assert on_card(game, "left") == ["building/town_hall", None, "livestock/cow_3", None]
    assert automa_of(game).points == {"livestock": 3}


def test_a_town_hall_places_the_type_of_which_there_are_most() -> None:
    """S1160."""
    game = automa_turn(
        2,
        depots={1: ["building/town_hall"]},
        stored=["building/bank", "monastery/1", "monastery/2", "ship", "ship", "ship"],
    )
    take_turn(game)
    assert on_card(game, "left")[3] == "monastery/2"


def test_a_town_hall_looks_at_the_other_card_when_nothing_fits_the_current_one() -> None:
    """S1160."""
    game = automa_turn(2, 6, depots={1: ["building/town_hall"]}, stored=["ship"])
    take_turn(game)
    assert on_card(game, "right") == ["ship", None, None, None]


def test_a_town_hall_with_nothing_that_fits_brings_nothing() -> None:
    """S1160."""
    game = automa_turn(2, 9, depots={1: ["building/town_hall"]}, stored=["ship"])
    events = take_turn(game)
    assert data_of(events, "no_benefit")["effect"] == "town_hall" and stored(game) == ["ship"]


def test_a_warehouse_sells() -> None:
    """S1161."""
    game = automa_turn(2, depots={1: ["building/warehouse"]}, own_goods={3: 2})
    take_turn(game)
    assert automa_of(game).points == {"sales": 4}


def test_a_watchtower_scores_four_points() -> None:
    """S1162."""
    game = automa_turn(2, depots={1: ["building/watchtower"]})
    take_turn(game)
    assert automa_of(game).points == {"watchtowers": 4}


def test_livestock_counts_equal_animals_on_its_cards_and_in_its_duchy() -> None:
    """S1164: other animals do not count, nor those of the inventory."""
    game = automa_turn(
        1,
        9,
        on_right=["livestock/cow_4"],
        duchy=["livestock/cow_2", "livestock/pig_4"],
        stored=["livestock/cow_3"],
        depots={1: ["livestock/cow_3"]},
    )
    events = take_turn(game)
    assert data_of(events, "livestock")["points"] == 3 + 4 + 2 and data_of(events, "livestock")["tiles"] == 3


def test_a_ship_loads_the_fullest_depot() -> None:
    """S1168."""
    game = automa_turn(3, depots={1: ["ship"]}, goods={2: [1], 5: [4, 4, 6], 6: [2, 3]})
    take_turn(game)
    assert automa_of(game).goods == [0, 0, 0, 0, 2, 0, 1] and not any(game.depot_goods[4])


@pytest.mark.parametrize(("white", "depot"), [(1, 2), (2, 2), (3, 5), (4, 5), (6, 2)])
def test_of_equally_full_depots_a_ship_loads_the_first_from_the_white_die_on(white: int, depot: int) -> None:
    """S1168."""
    game = automa_turn(3, 3, white=white, depots={1: ["ship"]}, goods={2: [1, 2], 5: [3, 4]})
    events = take_turn(game)
    assert data_of(events, "load")["depots"] == [depot]


def test_a_ship_moves_its_marker_on() -> None:
    """S1168."""
    game = automa_turn(3, depots={1: ["ship"]}, goods={2: [1]})
    take_turn(game)
    assert game.track[1] == [1]


def test_a_ship_moves_its_marker_on_without_goods_too() -> None:
    """S1168."""
    game = automa_turn(3, depots={1: ["ship"]})
    events = take_turn(game)
    assert game.track[1] == [1] and "no_goods_lying" in codes(events)


# --- symbols and sales (S1170-1202) -----------------------------------------------------------------------


def test_a_covered_goods_symbol_sells() -> None:
    """S1172-1176: the third space of card 3."""
    game = automa_turn(3, depots={1: ["livestock/cow_2"]}, own_goods={4: 1})
    take_turn(game)
    assert automa_of(game).points == {"livestock": 2, "sales": 2} and automa_of(game).silver == 1


def test_a_symbol_covered_in_an_earlier_turn_does_not_sell() -> None:
    """S1176: only tiles placed this turn count."""
    game = automa_turn(
        3, on_left=[None, None, "livestock/cow_2"], depots={1: ["building/bank"]}, own_goods={4: 1}
    )
    take_turn(game)
    assert "sales" not in automa_of(game).points


def test_a_sale_is_of_the_kind_of_which_there_are_most() -> None:
    """S1200."""
    game = automa_turn(2, depots={1: ["building/warehouse"]}, own_goods={1: 1, 3: 2, 6: 3})
    events = take_turn(game)
    sold = data_of(events, "sell")
    assert (sold["goods"], sold["count"], sold["silver"], sold["points"]) == (6, 3, 1, 6)
    assert automa_of(game).goods[6] == 0 and automa_of(game).sold[6] == 3


def test_of_equally_many_the_lowest_number_is_sold() -> None:
    """S1200."""
    game = automa_turn(2, depots={1: ["building/warehouse"]}, own_goods={2: 1, 5: 2, 4: 2})
    assert data_of(take_turn(game), "sell")["goods"] == 4


@pytest.mark.parametrize("people", [1, 2, 3])
def test_sold_goods_score_by_the_number_of_players(people: int) -> None:
    """S1200: 2, 3 or 4 a tile."""
    game = automa_turn(2, people=people, depots={1: ["building/warehouse"]}, own_goods={2: 2})
    take_turn(game)
    assert automa_of(game).points["sales"] == 2 * (people + 1)


def test_without_goods_a_sale_brings_nothing() -> None:
    """S1202."""
    game = automa_turn(2, depots={1: ["building/warehouse"]})
    events = take_turn(game)
    assert data_of(events, "no_benefit")["effect"] == "sale" and automa_of(game).silver == 0


# --- completed cards (S1178-1188) -------------------------------------------------------------------------

ALMOST_FULL_2 = ("building/bank", "building/church", "livestock/cow_2")
"""Card 2 but for its monastery."""


@pytest.mark.parametrize(("level", "points"), [("easy", 14), ("intermediate", 18), ("hard", 22)])
def test_a_completed_card_scores_by_the_level(level: str, points: int) -> None:
    """S1180."""
    game = automa_turn(2, level=level, on_left=ALMOST_FULL_2, depots={1: ["monastery/1"]})
    take_turn(game)
    assert automa_of(game).points == {"county_cards": points}


def test_the_tiles_of_a_completed_card_go_to_their_colours_without_effect() -> None:
    """S1182."""
    game = automa_turn(2, on_left=ALMOST_FULL_2, depots={1: ["monastery/1"]}, own_goods={1: 1})
    take_turn(game)
    seat = automa_of(game)
    assert {colour: [t.label for t in tiles] for colour, tiles in seat.duchy.items() if tiles} == {
        "building": ["building/bank", "building/church"],
        "livestock": ["livestock/cow_2"],
        "monastery": ["monastery/1"],
    }
    assert seat.silver == 0 and set(seat.points) == {"county_cards"}


def test_surplus_tiles_are_stacked_on_others_of_their_type() -> None:
    """S1182: a fourth mine."""
    game = automa_turn(
        1, on_left=["mine", "livestock/cow_2"], depots={1: ["monastery/1"]}, duchy=["mine"] * 3
    )
    events = take_turn(game)
    seat = automa_of(game)
    assert len(seat.duchy["mine"]) == 4 and seat.covered("mine") == 3
    assert "tile_stacked" in codes(events)


def test_jokers_of_a_completed_card_are_turned_over() -> None:
    """S1182: a joker goes to its own colour, not to that of the space it was on."""
    game = automa_turn(2, on_left=["(ship)", "building/bank", "livestock/cow_2"], depots={1: ["monastery/1"]})
    take_turn(game)
    assert automa_of(game).duchy["ship"] == [tile("ship")] and len(automa_of(game).duchy["building"]) == 1


def test_a_completed_left_card_makes_the_right_one_slide() -> None:
    """S1184."""
    game = automa_turn(2, 9, on_left=ALMOST_FULL_2, on_right=["livestock/pig_2"], depots={1: ["monastery/1"]})
    take_turn(game)
    assert game.stage == NEXT_CARD
    assert card_number(game, "left") == 9 and on_card(game, "left")[0] == "livestock/pig_2"
    assert automa_of(game).cards[1] is None


def test_a_completed_right_card_leaves_the_left_one_where_it_is() -> None:
    """S1184."""
    game = automa_turn(9, 2, white=5, on_right=ALMOST_FULL_2, depots={1: ["monastery/1"]})
    take_turn(game)
    assert card_number(game, "left") == 9 and automa_of(game).cards[1] is None


def test_the_next_card_fills_the_gap_and_then_the_turn_is_over() -> None:
    """S1184."""
    game = automa_turn(2, 9, on_left=ALMOST_FULL_2, depots={1: ["monastery/1"]})
    take_turn(game)
    assert RULES.legal_moves(game) == [] and RULES.to_move(game) is None
    play(game, "county 6")
    assert card_number(game, "right") == 6 and game.stage == ROLL


def test_a_discarded_card_does_not_come_again() -> None:
    """S1184."""
    game = automa_turn(
        4, 1, on_left=["building/bank", "castle", "monastery/2", "mine"], depots={1: ["building/bank"]}
    )
    take_turn(game)
    assert illegal_reason(game, RevealCard(4)) == "card_not_left"


def test_two_completed_cards_are_both_replaced() -> None:
    """S1180, S1184."""
    game = automa_turn(
        4,
        1,
        on_left=["building/bank", None, "monastery/1", "mine", "building/bank"],
        on_right=["mine", "livestock/cow_2", None],
        depots={1: ["castle", "monastery/2"]},
    )
    take_turn(game)
    assert automa_of(game).cards == [None, None]
    play(game, "county 5")
    assert game.stage == NEXT_CARD
    play(game, "county 6")
    assert [card and card.card.number for card in automa_of(game).cards] == [5, 6]


@pytest.mark.parametrize(("left", "points"), [(2, 5), (1, 2), (0, 0)])
def test_a_full_colour_brings_its_bonus_tile_if_there_is_one(left: int, points: int) -> None:
    """S1188: 5 for the first of two players, 2 for the second."""
    game = automa_turn(
        1, on_left=[None, "livestock/cow_2", "monastery/1"], depots={1: ["mine"]}, duchy=["mine"] * 2
    )
    game.bonus_tiles_left = {**game.bonus_tiles_left, "mine": left}
    take_turn(game)
    assert automa_of(game).points.get("bonus_tiles", 0) == points
    assert automa_of(game).bonus_tiles == (["mine"] if left else [])


def test_bonus_tiles_are_worth_more_with_more_players() -> None:
    """S1188: with four players 7."""
    game = automa_turn(
        1,
        people=3,
        on_left=[None, "livestock/cow_2", "monastery/1"],
        depots={1: ["mine"]},
        duchy=["mine"] * 2,
    )
    take_turn(game)
    assert automa_of(game).points["bonus_tiles"] == 7


def test_a_colour_brings_its_bonus_tile_once() -> None:
    """S1188."""
    game = automa_turn(
        1, on_left=[None, "livestock/cow_2", "monastery/1"], depots={1: ["mine"]}, duchy=["mine"] * 3
    )
    automa_of(game).bonus_tiles = ["mine"]
    take_turn(game)
    assert automa_of(game).bonus_tiles == ["mine"] and game.bonus_tiles_left["mine"] == 2


def test_it_completes_no_areas() -> None:
    """S1090."""
    game = automa_turn(2, on_left=ALMOST_FULL_2, depots={1: ["monastery/1"]})
    assert "area" not in kinds(take_turn(game))


# --- the purchase (S1190-1194) ----------------------------------------------------------------------------


def test_with_two_silver_it_buys_a_tile_for_its_inventory() -> None:
    """S1192."""
    game = automa_turn(2, silver=2, depots={1: ["monastery/1"], 0: ["ship"]})
    events = take_turn(game)
    assert stored(game) == ["ship"] and automa_of(game).silver == 0 and kinds(events)[-1] == "buy"


def test_with_one_silver_it_buys_nothing() -> None:
    """S1192."""
    game = automa_turn(2, silver=1, depots={1: ["monastery/1"], 0: ["ship"]})
    take_turn(game)
    assert stored(game) == [] and automa_of(game).silver == 1


def test_it_buys_one_tile_a_turn() -> None:
    """S1194."""
    game = automa_turn(2, silver=5, depots={1: ["monastery/1"], 0: ["ship", "mine"]})
    take_turn(game)
    assert len(stored(game)) == 1 and automa_of(game).silver == 3


def test_it_buys_the_first_type_of_its_inventory_that_it_lacks() -> None:
    """S1192: castle and mine come before ship; a castle it has."""
    game = automa_turn(
        2, silver=2, stored=["castle"], depots={1: ["monastery/1"], 0: ["ship", "castle", "mine"]}
    )
    take_turn(game)
    assert stored(game) == ["castle", "mine"]


def test_of_several_of_a_type_it_buys_the_first() -> None:
    """S1192."""
    game = automa_turn(2, silver=2, depots={1: ["monastery/9"], 0: ["monastery/1", "monastery/2"]})
    take_turn(game)
    assert stored(game) == ["monastery/1"]


def test_with_an_empty_black_depot_it_keeps_its_silver() -> None:
    """S1192."""
    game = automa_turn(2, silver=4, depots={1: ["monastery/1"]})
    take_turn(game)
    assert automa_of(game).silver == 4


# --- final scoring (S1204-1214) ---------------------------------------------------------------------------


def at_the_end(**changes: object) -> GameState:
    """The end of a game whose last turn brought nothing but two silver."""
    game = automa_turn(**changes)  # type: ignore[arg-type]
    game.phase, game.round = 4, 4
    take_turn(game)
    assert game.stage == OVER
    return game


def test_monasteries_in_its_duchy_and_on_its_cards_score_four_each() -> None:
    """S1208: not those of the inventory."""
    game = at_the_end(left=2, on_left=[None, None, None, "monastery/1"], duchy=["monastery/2"], right=None)
    assert automa_of(game).points["monasteries"] == 8


def test_a_monastery_of_the_inventory_scores_only_as_a_tile() -> None:
    """S1208, S1211."""
    game = at_the_end(left=3, right=None, stored=["monastery/2", "mine"], jokers=())
    assert "monasteries" not in automa_of(game).points and automa_of(game).points["inventory"] == 2


def test_goods_silver_and_stored_tiles_score_one_each() -> None:
    """S1209-1211."""
    game = at_the_end(left=3, right=None, own_goods={1: 2, 4: 1}, stored=["mine"], silver=1)
    assert RULES.score_sheet(game)[AUTOMA] == {"goods_left": 3, "silver_left": 3, "inventory": 1}


def test_jokers_of_the_inventory_score_one_each_too() -> None:
    """S1211."""
    game = at_the_end(left=None, right=None, stored=["mine"], jokers=["monastery/1", "ship"])
    assert RULES.score_sheet(game)[AUTOMA] == {"inventory": 3}


def test_tiles_on_its_cards_score_two_each() -> None:
    """S1212."""
    game = at_the_end(left=3, right=2, on_left=["ship"], on_right=["building/bank"])
    assert automa_of(game).points["open_cards"] == 4


def test_people_score_at_the_end_as_ever() -> None:
    """S1206: goods, silver, and half a point a worker."""
    game = automa_turn(3, None)
    game.phase, game.round = 4, 4
    red = game.players[0]
    red.goods, red.silver, red.workers = [0, 2, 0, 1, 0, 0, 0], 2, 5
    take_turn(game)
    assert RULES.score_sheet(game)["red"] == {"goods_left": 3, "silver_left": 2, "workers_left": 2}


def test_its_monasteries_do_nothing_else() -> None:
    """S1088: monastery 15 would score sold goods, 2 would pay workers."""
    game = automa_turn(1, duchy=["monastery/15", "monastery/3", "mine"])
    automa_of(game).sold[1] = 4
    game.phase, game.round = 4, 4
    take_turn(game)
    assert RULES.score_sheet(game)[AUTOMA] == {"monasteries": 8, "silver_left": 3}


@pytest.mark.parametrize(("score", "winner"), [(1, AUTOMA), (2, AUTOMA), (3, "red")])
def test_a_person_needs_more_points_to_win(score: int, winner: str) -> None:
    """S1214: two silver bring the Châteauma two points."""
    game = automa_turn(3, right=None)
    game.phase, game.round = 4, 4
    red = game.players[0]
    red.goods, red.silver, red.workers = [0] * 7, 0, 0
    red.score = score
    events = take_turn(game)
    assert data_of(events, "game_over")["player"] == winner == RULES.ranking(game)[0]
    tie = {"by": "automa", "player": AUTOMA, "players": ["red"], "points": 2}
    assert RULES.tie_break(game) == (tie if score == 2 else None)


# --- modifiers (S1216-1233) -------------------------------------------------------------------------------


def test_modifier_a_places_five_tiles_face_down() -> None:
    """S1226."""
    seat = automa_of(new_automa_game(modifiers="A"))
    assert {c: n for c, n in seat.face_down.items() if n} == {
        "building": 2,
        "livestock": 1,
        "ship": 1,
        "monastery": 1,
    }


def test_face_down_tiles_of_modifier_a_leave_fewer_tiles_to_a_bonus() -> None:
    """S1226: the fifth ship is enough."""
    game = automa_turn(
        8,
        modifiers="A",
        on_left=["castle", "mine", "livestock/cow_2"],
        depots={1: ["ship"]},
        duchy=["ship"] * 4,
    )
    take_turn(game)
    assert automa_of(game).bonus_tiles == ["ship"]


def test_nobody_knows_the_tiles_of_modifier_a() -> None:
    """S1226: they are taken from the black-backed tiles, of which only so many are left."""
    game = set_up_automa(3, modifiers="A")
    assert game.hidden_tiles == 5
    assert sum(n for t, n in game.supply.items() if t.black) == 40


def test_the_tiles_of_modifier_a_are_missing_in_the_black_depot_at_last() -> None:
    """S1226: with eight spaces and five phases, three tiles are left for phase E."""
    setup = setup_with(3, modifiers="A") | {"black_slots": 8}
    game = RULES.new(setup)
    game.stage, game.phase = FILL, 4
    reserve = 8
    supply = dict(game.supply)
    for t in [t for t in supply if t.black]:
        gone = min(supply[t], sum(n for u, n in supply.items() if u.black) - reserve)
        supply[t] -= gone
    game.supply = supply
    fill = dealt(game)
    assert isinstance(fill, Fill) and fill.black.count(None) == 5
    assert validate(game, fill) is None


def test_modifier_b_places_a_building_a_mine_and_a_castle_face_up() -> None:
    """S1227."""
    game = set_up_automa(modifiers="B")
    assert {c: [t.label for t in tiles] for c, tiles in automa_of(game).duchy.items() if tiles} == {
        "building": ["building/bank"],
        "mine": ["mine"],
        "castle": ["castle"],
    }
    assert automa_of(game).silver == 1


def test_modifier_b_waits_for_its_tiles() -> None:
    """S1227."""
    game = new_automa_game(modifiers="B")
    play(game, "castle red 18", "start-goods red 1,2,3", "county 4", "county 1")
    assert game.stage == SETUP
    play(game, "start-tiles building/market,mine,castle")
    assert game.stage == FILL


def test_modifier_b_places_tiles_that_are_left() -> None:
    """S1227."""
    game = new_automa_game(modifiers="B")
    bank = tile("building/bank")
    game.supply = {t: 0 if t is bank else n for t, n in game.supply.items()}
    assert illegal_reason(game, "start-tiles building/bank,mine,castle") == "tile_not_in_supply"
    game.supply = {t: 1 if t is bank else n for t, n in game.supply.items()}
    assert validate(game, StartTiles(("building/bank", "mine", "castle"))) is None


def test_the_mine_of_modifier_b_pays_each_phase() -> None:
    """S1227."""
    game = automa_turn(2, modifiers="B", depots={1: ["monastery/1"]})
    game.round = 4
    assert data_of(take_turn(game), "mines")["silver"] == 1


def test_with_modifier_c_the_chateauma_is_first() -> None:
    """S1228."""
    game = set_up_automa(2, modifiers="C")
    assert [game.seats[i].colour for i in game.order()] == [AUTOMA, "red", "blue"]


def test_modifier_d_gives_an_extra_turn_by_the_white_die_on_the_card_that_is_left() -> None:
    """S1229: the second ship of the duchy covers a mark; the search begins at depot 3."""
    game = automa_turn(
        8,
        9,
        white=3,
        modifiers="D",
        on_left=["castle", "mine", "livestock/cow_2"],
        depots={1: ["ship", "building/bank"], 4: ["building/watchtower"]},
        duchy=["ship"],
    )
    events = take_turn(game)
    assert on_card(game, "left") == [None, "building/watchtower", None, None]
    assert "extra_turn" in codes(events) and automa_of(game).points["watchtowers"] == 4


def test_no_extra_turn_on_a_space_without_a_mark() -> None:
    """S1229: the first ship."""
    game = automa_turn(
        8,
        9,
        modifiers="D",
        on_left=["castle", "mine", "livestock/cow_2"],
        depots={1: ["ship", "building/bank"]},
    )
    assert "extra_turn" not in codes(take_turn(game))


@pytest.mark.parametrize(
    ("modifiers", "before", "comes"),
    [
        ("D", 3, True),
        ("D", 2, False),
        ("AD", 1, True),
        ("AD", 2, False),
        ("BD", 2, True),
        ("BD", 3, False),
        ("ABD", 0, True),
        ("ABD", 1, False),
    ],
)
def test_tiles_placed_at_the_start_are_passed_over_on_the_way_to_a_mark(
    modifiers: str, before: int, comes: bool
) -> None:
    """S1182, S1226-1229: A is on building spaces 1 and 2, B on 3, the mark on 4."""
    game = automa_turn(
        3,
        9,
        modifiers=modifiers,
        on_left=["(mine)", "(mine)", "livestock/cow_2"],
        duchy=["building/church"] * before,
        depots={1: ["building/watchtower"]},
    )
    assert ("extra_turn" in codes(take_turn(game))) == comes


@pytest.mark.parametrize(("before", "comes"), [(1, False), (2, True), (3, False)])
def test_the_last_space_of_a_colour_may_bear_a_mark_and_surplus_tiles_cover_none(
    before: int, comes: bool
) -> None:
    """S1182, S1229: the third of three mines; a fourth one is stacked on another."""
    game = automa_turn(
        1,
        9,
        modifiers="D",
        marks={"D": {"mine": [3]}},
        on_left=[None, "livestock/cow_2", "monastery/1"],
        duchy=["mine"] * before,
        depots={1: ["mine"]},
    )
    assert ("extra_turn" in codes(take_turn(game))) == comes


def test_tiles_of_modifier_b_leave_other_colours_as_they_are() -> None:
    """S1227, S1229: the second ship covers the mark."""
    game = automa_turn(
        8,
        9,
        modifiers="BD",
        on_left=["castle", "mine", "livestock/cow_2"],
        duchy=["ship"],
        depots={1: ["ship"]},
    )
    assert "extra_turn" in codes(take_turn(game))


def test_without_modifier_d_marks_mean_nothing() -> None:
    """S1229."""
    game = automa_turn(
        8, 9, on_left=["castle", "mine", "livestock/cow_2"], depots={1: ["ship"]}, duchy=["ship"]
    )
    assert "extra_turn" not in codes(take_turn(game))


def test_with_both_cards_completed_an_extra_turn_is_a_sale() -> None:
    """S1229."""
    game = automa_turn(
        4,
        8,
        modifiers="D",
        on_left=["building/bank", None, "monastery/1", "mine", "building/bank"],
        on_right=["castle", "mine", "livestock/cow_2"],
        depots={1: ["castle", "ship"]},
        duchy=["ship"],
        own_goods={2: 1, 3: 2},
    )
    events = take_turn(game)
    assert codes(events).count("extra_turn") == 1 and data_of(events, "sell")["goods"] == 3
    assert "cards_gone" in codes(events)


def test_several_extra_turns_are_resolved_one_by_one() -> None:
    """S1231: two marked spaces in one card."""
    game = automa_turn(
        6,
        9,
        modifiers="D",
        marks={"D": {"ship": [1, 2]}},
        on_left=["ship", "monastery/1", "building/bank"],
        depots={1: ["ship", "building/bank"], 2: ["livestock/cow_2"]},
    )
    events = take_turn(game)
    assert codes(events).count("extra_turn") == 2
    assert on_card(game, "left") == ["livestock/cow_2", "building/bank", None, None]


def test_an_extra_turn_that_completes_the_other_card_completes_it_in_the_same_turn() -> None:
    """S1229: bonus actions come before the cards are replaced."""
    game = automa_turn(
        8,
        9,
        modifiers="D",
        on_left=["castle", "mine", "livestock/cow_2"],
        on_right=["livestock/pig_2", "building/bank", None, "monastery/1"],
        depots={1: ["ship", "building/bank"]},
        duchy=["ship"],
    )
    take_turn(game)
    assert automa_of(game).points["county_cards"] == 36 and automa_of(game).cards == [None, None]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("modifiers", ["", *MODIFIERS, "ABCD"])
def test_every_level_goes_with_every_modifier(level: str, modifiers: str) -> None:
    """S1233."""
    seat = automa_of(new_automa_game(level=level, modifiers=modifiers))
    assert (seat.level, "".join(seat.modifiers)) == (level, modifiers)


# --- reports ----------------------------------------------------------------------------------------------


def test_the_steps_of_a_turn_name_the_lines_of_the_book() -> None:
    game = automa_turn(2, 9, die=3, depots={4: ["building/bank", "building/church"]})
    (event, *_) = take_turn(game)
    assert [(step["code"], step["rule"]) for step in event.data["steps"]] == [
        ("current_card", "S1112"),
        ("starts_at_own_die", "S1136-1137"),
        ("depot_without_fit", "S1138"),
        ("depot_fits", "S1138-1139"),
        ("top_of_several", "S1139"),
    ]


@pytest.mark.parametrize(
    ("changes", "expected", "unexpected"),
    [
        ({"depots": {1: ["building/bank"]}}, "depot_fits", "top_of_several"),
        (
            {"depots": {1: ["building/town_hall"]}, "stored": ["monastery/1"]},
            "town_hall_most",
            "town_hall_tie",
        ),
        ({"left": 3, "depots": {1: ["ship"]}, "goods": {2: [1]}}, "fullest_depot", "fullest_of_several"),
        (
            {"left": 3, "depots": {1: ["ship"]}, "goods": {2: [1], 3: [1]}},
            "fullest_of_several",
            "fullest_depot",
        ),
        ({"depots": {1: ["building/warehouse"]}, "own_goods": {2: 1}}, "most_goods", "most_goods_tie"),
        (
            {"depots": {1: ["building/warehouse"]}, "own_goods": {2: 1, 3: 1}},
            "most_goods_tie",
            "most_goods",
        ),
        ({"on_left": ALMOST_FULL_2, "depots": {1: ["monastery/1"]}}, "tiles_move", "tile_stacked"),
        ({"on_left": ALMOST_FULL_2, "depots": {1: ["monastery/1"]}}, "card_slides", "joker_turned"),
    ],
)
def test_only_the_steps_that_were_taken_are_reported(
    changes: dict[str, object], expected: str, unexpected: str
) -> None:
    seen = codes(take_turn(automa_turn(**changes)))  # type: ignore[arg-type]
    assert expected in seen and unexpected not in seen


def test_a_joker_that_is_used_reports_its_space() -> None:
    game = automa_turn(2, on_left=["building/bank"], jokers=["ship"])
    (event, *_) = take_turn(game)
    assert event.data["nth"] == event.data["steps"][-1]["nth"] == 1


def test_a_sale_reports_its_income() -> None:
    game = automa_turn(2, depots={1: ["building/warehouse"]}, own_goods={2: 1})
    sold = data_of(take_turn(game), "sell")
    assert (sold["silver"], sold["workers"]) == (1, 0)


def test_the_picture_has_cards_inventory_and_duchy() -> None:
    game = automa_turn(
        2, 9, on_left=["building/bank", "(ship)"], stored=["mine", "mine"], jokers=["castle"], duchy=["ship"]
    )
    (drawn,) = RULES.view(game)["chateauma"]
    left, right = drawn["cards"]
    assert (left["number"], left["side"], left["current"], left["points"]) == (2, "left", True, 18)
    assert left["spaces"][1] == {"colour": "building", "symbol": None, "tile": "ship", "face_down": True}
    assert not right["current"] and right["spaces"][3]["symbol"] == "sell_goods"
    assert drawn["inventory"][1] == {"type": "mine", "tiles": ["mine", "mine"]}
    assert drawn["jokers"] == ["castle"] and drawn["die"] == 1
    assert drawn["duchy"][2] == {
        "colour": "ship",
        "spaces": 6,
        "covered": 1,
        "face_down": 0,
        "tiles": ["ship"],
        "extra_turns": [],
    }


def test_the_picture_of_people_is_as_ever() -> None:
    game = automa_turn(people=2, modifiers="C")
    view = RULES.view(game)
    assert [player["colour"] for player in view["players"]] == ["red", "blue"]
    assert view["order"] == [AUTOMA, "red", "blue"] and view["to_move"] == AUTOMA
    take_turn(game)
    while game.stage == TURN:
        RULES.play(game, EndTurn())
    assert RULES.view(game)["timeline"] == [[0, 0]]
    assert RULES.view(game)["chateauma"][0]["timeline"] == [0]


def test_without_the_chateauma_nothing_of_it_is_drawn() -> None:
    assert "chateauma" not in RULES.view(new_game())


def test_its_cards_inventory_and_goods_can_be_seen() -> None:
    game = automa_turn(
        1, 9, on_left=["mine", "(ship)"], stored=["mine", "building/bank"], jokers=["ship"], own_goods={2: 2}
    )
    seen = RULES.visible_layout(game)
    assert seen["card:left"] == ("mine", "face_down", "empty")
    assert seen["card:right"] == ("empty",) * 4
    assert seen["inventory"] == ("empty", "mine", "empty", "empty", "building/bank", "empty", "face_down")
    assert seen[f"goods:{AUTOMA}"] == ("goods/2", *["empty"] * 5)


def test_it_is_drawn_in_text() -> None:
    game = automa_turn(
        1, None, on_left=["mine", "(ship)"], stored=["mine"], jokers=["ship"], duchy=["castle"]
    )
    assert RULES.text_board(game, AUTOMA).splitlines() == [
        "left  1: MINE (ship) monastery",
        "right -",
        "stock mine (ship)",
        "duchy castle 1/4, mine 0/3, ship 0/6, livestock 0/6, building 0/12, monastery 0/6",
    ]


def test_a_fill_may_lack_tiles_that_modifier_b_took() -> None:
    """S1227: slots stay empty where the supply has run out, and may be read so."""
    game = RULES.new(setup_with(3, modifiers="B"))
    game.stage, game.phase = FILL, 4
    game.supply = {t: 1 if t == tile("mine") else n for t, n in game.supply.items()}
    (awaited,) = RULES.expected_layouts(game)
    labels = dict(awaited.places)
    mines = [place for place, offered in labels.items() if "mine" in offered and "ship" not in offered]
    assert len(mines) > 1 and all(labels[place] == ("empty", "mine") for place in mines)


def test_set_cards_and_cover_place_what_they_are_given() -> None:
    game = automa_turn()
    set_cards(game, 1, None)
    cover(game, "left", None, "(mine)")
    fill_depot(game, 1, "ship")
    assert on_card(game, "left") == [None, "(mine)", None] and automa_of(game).cards[1] is None
