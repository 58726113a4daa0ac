"""The base game's rules, one behaviour each. S lines are the Special Edition's rule text, A lines those of 2011."""

from __future__ import annotations

import dataclasses
import pickle
import random
from collections import Counter
from typing import Any

import pytest

from companion.games.burgundy.plugin import random_setup
from companion.games.burgundy.rules import GameState, IllegalMoveError
from companion.games.burgundy.rules.decisions import Fill, Roll, StartGoods, Take
from companion.games.burgundy.rules.state import FILL, OVER, ROLL, SETUP, TURN, Player
from companion.games.burgundy.rules.tiles import BUILDINGS, tile
from companion.games.burgundy.rules.validation import validate
from tests.support.positions import (
    CENTRE,
    RULES,
    build,
    dealt,
    fill_depot,
    filled,
    finish_phase,
    finish_round,
    illegal_reason,
    new_game,
    notations,
    on_turn,
    own,
    play,
    rolled,
    set_up,
    store,
)


def code(game: GameState, event: Fill | Roll) -> str | None:
    """Code of the reason why a chance event cannot have happened."""
    reason = validate(game, event)
    return reason.code if reason else None


def complete(player: Player, tile_type: str, *, but: int) -> None:
    """Covers every space for a tile type but one."""
    for space in player.duchy.spaces:
        if space.tile_type == tile_type and space.index != but and player.spaces[space.index] is None:
            player.put(space.index, tile("livestock/pig_2" if tile_type == "livestock" else tile_type))


# --- set-up -----------------------------------------------------------------------------------------------


def test_players_start_with_as_many_workers_as_their_place_in_the_order() -> None:
    """S245."""
    assert [player.workers for player in set_up(4).players] == [1, 2, 3, 4]


def test_everybody_starts_with_one_silver_and_three_goods() -> None:
    """S241-243."""
    assert [(p.silver, sum(p.goods)) for p in set_up(3).players] == [(1, 3)] * 3


def test_equal_starting_goods_are_stacked() -> None:
    """S241."""
    game = new_game()
    play(game, "start-goods red 5,5,2")
    assert game.players[0].goods == [0, 0, 1, 0, 0, 2, 0]


def test_the_first_player_is_on_top_of_the_first_space_of_the_track() -> None:
    """S245."""
    game = set_up(4)
    assert game.track[0] == [3, 2, 1, 0] and not any(game.track[1:])
    assert game.order() == [0, 1, 2, 3]


@pytest.mark.parametrize("space", [CENTRE, 1])
def test_a_starting_castle_scores_nothing(space: int) -> None:
    """S517: not even in the centre of duchy 1, where its area has one space."""
    game = new_game()
    play(game, f"castle red {space}", "castle blue 18", "start-goods red 1,1,1", "start-goods blue 1,1,2")
    assert game.stage == FILL and [p.score for p in game.players] == [0, 0]


def test_a_starting_castle_opens_no_extra_action() -> None:
    """S249, S372: the action belongs to castles added during play."""
    assert not set_up().pending


def test_a_starting_castle_counts_among_the_spaces_of_its_colour() -> None:
    """S519: the other three castles complete the colour."""
    game = on_turn((6, 1))
    complete(game.player, "castle", but=6)
    build(game.player, s12="monastery/1")
    store(game, "castle")
    play(game, "place castle 6 die 6")
    assert game.player.bonus_tiles == ["castle"]


def test_a_colour_that_nobody_plays_has_no_place_at_the_table() -> None:
    with pytest.raises(KeyError, match="pink"):
        new_game().index("pink")


@pytest.mark.parametrize("black", [False, True])
def test_a_tile_stays_the_same_object_when_it_is_pickled(black: bool) -> None:
    """Positions are sent to other processes, where tiles are compared as such."""
    mine = tile("mine", black)
    assert pickle.loads(pickle.dumps(mine)) is mine


def test_play_begins_when_everybody_has_castle_and_goods() -> None:
    game = new_game()
    for move in ("castle red 18", "start-goods red 1,2,3", "castle blue 1"):
        play(game, move)
        assert game.stage == SETUP
    play(game, "start-goods blue 1,2,3")
    assert game.stage == FILL


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("castle red 18", "castle_already_placed"),
        ("castle blue 0", "wrong_colour"),
        ("castle blue 37", "no_such_space"),
        ("castle pink 18", "no_such_player"),
    ],
)
def test_a_starting_castle_goes_once_on_a_castle_space(move: str, reason: str) -> None:
    game = new_game()
    play(game, "castle red 18")
    assert illegal_reason(game, move) == reason


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("start-goods red 1,2,3", "goods_already_dealt"),
        ("start-goods blue 1,2,3,4", "wrong_goods_count"),
        ("start-goods blue -", "wrong_goods_count"),
        ("start-goods green 5,6,6", "wrong_goods_count"),
        ("start-goods blue 1,2,7", "goods_not_in_supply"),
        ("start-goods pink 1,2,3", "no_such_player"),
    ],
)
def test_starting_goods_are_three_of_those_left(move: str, reason: str) -> None:
    game = new_game(3)
    play(game, "start-goods red 4,4,4", "start-goods green 5")
    with pytest.raises(IllegalMoveError, match=reason):
        play(game, move)


def test_starting_goods_reported_one_by_one_equal_those_reported_at_once() -> None:
    one_by_one, at_once = new_game(), new_game()
    play(one_by_one, "start-goods red 4", "start-goods red 1", "start-goods red 4")
    play(at_once, "start-goods red 1,4,4")
    assert one_by_one.state_hash() == at_once.state_hash()


def test_a_dealer_deals_the_goods_that_are_missing() -> None:
    game = new_game()
    play(game, "start-goods red 4,1")
    dealt = RULES.sample_chance(game, random.Random(1))
    assert isinstance(dealt, StartGoods) and (dealt.player, len(dealt.goods)) == ("red", 1)


def test_there_are_seven_goods_of_a_kind() -> None:
    """S49."""
    game = new_game(3)
    play(game, "start-goods red 4,4,4", "start-goods blue 4,4,4")
    with pytest.raises(IllegalMoveError, match="goods_not_in_supply"):
        play(game, "start-goods green 4,4,1")


def own_board(spaces: int, colour: str = "mine", die: int = 6) -> dict[str, Any]:
    """A player with a board that is not in the data, its first space as given."""
    return {"colour": f"p{spaces}", "spaces": [(colour, die), *[("ship", 1)] * (spaces - 1)]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"edition": "2030"}, "no edition '2030'; the known ones are special"),
        ({"players": [{"colour": "red", "duchy": "se-99"}]}, "no duchy 'se-99'"),
        (
            {"players": [{"colour": "red", "duchy": "se-1"}]},
            "this edition is for 2, 3 or 4 players, not for 1",
        ),
        ({"players": [{"colour": "red", "duchy": "se-1"}] * 2}, "two players share a colour: red, red"),
        ({"players": [{"colour": c, "duchy": "se-1"} for c in ("red", "white")]}, "no player can be 'white'"),
        ({"players": [{"colour": c, "duchy": "se-1"} for c in ("red", "sky blue")]}, "a colour is one word"),
        ({"rules": {"weather": "good"}}, "no table rule 'weather'; there are monastery_8, "),
        ({"rules": {"tie_break": "coin"}}, "tie_break cannot be 'coin'; choose fewest_empty or most_empty"),
        ({"players": [own_board(36), own_board(37)]}, "duchy own-p36: 36 spaces given, the board has 37"),
        (
            {"players": [own_board(37, "lake"), own_board(37)]},
            r"space 0 is \('lake', 6\): not a tile type and a die",
        ),
        ({"players": [own_board(37, "mine", 7), own_board(37)]}, r"space 0 is \('mine', 7\)"),
    ],
)
def test_an_impossible_set_up_is_refused_in_words(change: dict[str, object], message: str) -> None:
    setup = {"edition": "special", "players": [{"colour": c, "duchy": "se-1"} for c in ("red", "blue")]}
    with pytest.raises(ValueError, match=message):
        RULES.new(setup | change)


@pytest.mark.parametrize(("first_expansion", "linkable"), [({}, False), ({"first_expansion": True}, True)])
def test_the_owners_board_is_of_the_first_expansion_if_the_set_up_says_so(
    first_expansion: dict[str, bool], linkable: bool
) -> None:
    """S705: the rule of linked castles is for those boards alone."""
    players = [own_board(37) | first_expansion, {"colour": "blue", "duchy": "se-1"}]
    game = RULES.new({"edition": "special", "players": players})
    assert game.players[0].duchy.linkable == linkable


def test_the_owners_board_may_have_another_black_depot() -> None:
    setup = {"edition": "special", "players": [{"colour": c, "duchy": "se-1"} for c in ("red", "blue")]}
    for slots in (6, 8):
        assert len(RULES.new({**setup, "black_slots": slots}).black) == slots
    for impossible in (0, True, 9, 10**9, "6"):
        with pytest.raises(ValueError, match="black depot"):
            RULES.new({**setup, "black_slots": impossible})


@pytest.mark.parametrize(("players", "slots"), [(2, 4), (3, 6), (4, 8)])
def test_a_set_up_without_a_black_depot_means_what_it_meant_in_older_journals(
    players: int, slots: int
) -> None:
    seats = [{"colour": colour, "duchy": "se-1"} for colour in ("red", "blue", "green", "black")]
    assert len(RULES.new({"edition": "special", "players": seats[:players]}).black) == slots


@pytest.mark.parametrize("number", range(19, 31))
def test_duchies_of_later_sets_follow_the_rules_of_the_base_game(number: int) -> None:
    """S88-90 give them none of their own; the linked castles are for 11 to 18 (S705)."""
    duchy = RULES.duchies[f"se-{number}"]
    game = RULES.new(
        {"edition": "special", "players": [{"colour": c, "duchy": duchy.name} for c in ("red", "blue")]}
    )
    assert {player.duchy for player in game.players} == {duchy} and not duchy.linkable


def test_a_random_set_up_without_modules_is_on_duchies_of_the_base_game() -> None:
    drawn = {player["duchy"] for seed in range(40) for player in random_setup(4, seed)["players"]}
    assert drawn == {f"se-{number}" for number in range(1, 11)}


# --- a phase's tiles --------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_depot_gets_a_tile_per_player(players: int) -> None:
    """S268, S603-605."""
    assert [sum(t is not None for t in depot) for depot in filled(players).depots] == [players] * 6


def test_a_slot_takes_only_its_colour() -> None:
    """S266."""
    game = set_up()
    fill = dealt(game)
    assert isinstance(fill, Fill)
    wrong = ("mine", *fill.depots[0][1:])
    assert code(game, dataclasses.replace(fill, depots=(wrong, *fill.depots[1:]))) == "wrong_slot_colour"


def test_a_tile_that_is_not_in_the_supply_cannot_turn_up() -> None:
    """S22: every monastery is there once."""
    game = set_up(4)
    fill = dealt(game)
    assert isinstance(fill, Fill)
    again = dataclasses.replace(fill, black=("monastery/7", "monastery/7", *fill.black[2:]))
    assert code(game, again) == "tile_not_in_supply"


def test_a_monastery_with_a_yellow_back_is_not_in_the_black_depot() -> None:
    """Backs as printed: monastery 1 is drawn from the yellow tiles."""
    game = set_up()
    fill = dealt(game)
    assert isinstance(fill, Fill)
    assert (
        code(game, dataclasses.replace(fill, black=("monastery/1", *fill.black[1:]))) == "tile_not_in_supply"
    )


def test_a_slot_stays_empty_only_when_its_tiles_have_run_out() -> None:
    """S266-270: every slot is filled."""
    game = set_up()
    fill = dealt(game)
    assert isinstance(fill, Fill)
    assert code(game, dataclasses.replace(fill, black=(None, *fill.black[1:]))) == "slot_empty"
    without = (None, *fill.depots[0][1:])
    assert code(game, dataclasses.replace(fill, depots=(without, *fill.depots[1:]))) == "slot_empty"
    game.supply = {t: 0 if t.black else n for t, n in game.supply.items()}
    assert code(game, dataclasses.replace(fill, black=(None,) * len(fill.black))) is None


def supply_only(game: GameState, green: int, black: int) -> None:
    """Leaves so many cows with a green back and ships with a black one; no other green or black tiles."""
    remaining = {tile("livestock/cow_2"): green, tile("ship", True): black}
    game.supply = {
        t: remaining.get(t, 0) if t.black or t.type == "livestock" else count
        for t, count in game.supply.items()
    }


@pytest.mark.parametrize(
    ("green", "black", "reason"),
    [(1, 1, None), (2, 1, "slot_empty"), (1, 2, "slot_empty")],
    ids=["used up", "a green one left", "a black one left"],
)
def test_a_slot_stays_empty_only_when_the_last_tile_of_its_type_is_placed(
    green: int, black: int, reason: str | None
) -> None:
    """S264: one green and one black tile are placed, one green and three black slots stay empty."""
    game = set_up()
    fill = dealt(game)
    assert isinstance(fill, Fill)
    depots = [list(depot) for depot in fill.depots]
    depots[2][0], depots[5][1] = "livestock/cow_2", None
    supply_only(game, green, black)
    fill = Fill(tuple(map(tuple, depots)), ("ship", None, None, None), fill.goods)
    assert code(game, fill) == reason
    if reason is None:
        play(game, fill)
        assert game.depots[5][1] is None and game.black == [tile("ship"), None, None, None]


def test_the_goods_of_a_phase_leave_the_supply() -> None:
    """S266: of seven of a kind, red and blue hold one each of 1, 2 and 3."""
    game = set_up()
    fill = dealt(game)
    assert isinstance(fill, Fill)
    play(game, dataclasses.replace(fill, goods=(4, 4, 4, 4, 1)))
    assert game.goods_supply[1:] == [4, 5, 5, 3, 7, 7]


@pytest.mark.parametrize(
    ("short", "reason"),
    [("depots", "wrong_depot_count"), ("black", "wrong_space_count"), ("goods", "wrong_goods_count")],
)
def test_a_fill_names_every_slot_and_five_goods(short: str, reason: str) -> None:
    """S264-271."""
    game = set_up()
    fill = dealt(game)
    cut = dataclasses.replace(fill, **{short: getattr(fill, short)[:-1]})
    assert isinstance(cut, Fill) and code(game, cut) == reason


@pytest.mark.parametrize(("phase", "colour"), list(enumerate(["castle", "mine", "castle", "mine", "castle"])))
def test_depot_6_of_three_players_gets_a_mine_in_phases_b_and_d(phase: int, colour: str) -> None:
    """S268, S603."""
    game = set_up(3)
    game.phase = phase
    play(game, dealt(game))
    assert colour in [t.type for t in game.depots[5] if t]
    assert {"castle", "mine"} - {colour} != {t.type for t in game.depots[5] if t} & {"castle", "mine"}


def test_left_over_tiles_go_to_the_box_and_goods_stay() -> None:
    """S262-264."""
    game = filled()
    left = Counter(t for depot in (*game.depots, game.black) for t in depot if t)
    finish_phase(game)
    goods = [depot[:] for depot in game.depot_goods]
    assert sum(map(sum, goods)) == 5
    play(game, dealt(game, 1))
    assert Counter(game.box) == left
    assert game.depot_goods == goods


def test_four_players_use_up_the_black_tiles_and_all_coloured_ones_but_their_castles() -> None:
    """S18-23: 40 beige, 20 green, 20 blue, 20 yellow, 10 grey and 14 - 4 burgundy tiles in five phases."""
    game = set_up(4)
    while game.stage != OVER:
        play(game, dealt(game, game.phase))
        finish_phase(game)
    assert not any(game.supply.values())


def test_castles_that_nobody_took_are_counted_wherever_they_were() -> None:
    """S262, S703: two castles of five tiles, in a numbered depot and in the black one."""
    game = on_turn()
    fill_depot(game, 2, "mine", "castle")
    fill_depot(game, 3, "livestock/cow_2")
    fill_depot(game, 0, "ship", "castle")
    finish_phase(game)
    play(game, dealt(game, 1))
    assert game.set_aside == 2


# --- rounds and turn order --------------------------------------------------------------------------------


def test_the_white_die_names_the_depot_of_the_rounds_goods() -> None:
    """S281."""
    game = filled()
    first = game.round_goods[0]
    play(game, rolled(game, white=4))
    assert game.depot_goods[3][first] == 1 and sum(map(sum, game.depot_goods)) == 1


def test_goods_pile_up_in_a_depot() -> None:
    """S264, S281: nothing takes them away but a ship."""
    game = filled()
    goods = game.round_goods[:]
    for _ in range(5):
        play(game, rolled(game, white=2))
        finish_round(game)
    assert Counter(goods) == Counter({k: n for k, n in enumerate(game.depot_goods[1]) if n})


def test_the_white_die_cannot_be_used_for_an_action() -> None:
    """S281: each player has two dice."""
    game = filled(3)
    play(game, rolled(game, (1, 2), (3, 4), (5, 5), white=6))
    assert [player.dice for player in game.players] == [[1, 2], [3, 4], [5, 5]]
    assert illegal_reason(game, "workers die 6") == "no_such_die"


def test_a_roll_has_dice_of_all_players_with_values_of_a_die() -> None:
    game = filled()
    roll = rolled(game)
    assert code(game, dataclasses.replace(roll, dice=roll.dice[:1])) == "wrong_players"
    assert code(game, dataclasses.replace(roll, white=7)) == "no_such_value"
    assert code(game, rolled(game, (0, 1))) == "no_such_value"


def test_nothing_is_rolled_or_filled_in_the_middle_of_a_turn() -> None:
    game = on_turn()
    with pytest.raises(IllegalMoveError, match="wrong_stage"):
        play(game, rolled(game))
    assert illegal_reason(filled(), "end") == "wrong_stage"


def test_turns_follow_the_track_from_the_front_and_from_the_top() -> None:
    """S277, S283."""
    game = filled(4)
    game.track = [[2], [0, 3], [1], [], [], [], []]
    play(game, rolled(game))
    turns = []
    while game.stage == TURN:
        turns.append(game.turn)
        play(game, "end")
    assert turns == [1, 3, 0, 2]


def test_a_ship_moves_its_player_one_space_ahead() -> None:
    """S368."""
    game = on_turn((2, 5), players=3)
    store(game, "ship")
    play(game, "place ship 17 die 2")
    assert game.track[:2] == [[2, 1], [0]]


def test_a_marker_that_reaches_others_goes_on_top_and_is_first() -> None:
    """S368."""
    game = on_turn((2, 5), players=3)
    store(game, "ship")
    play(game, "place ship 17 die 2", "end")
    game.player.dice = [2, 5]
    store(game, "ship")
    play(game, "place ship 17 die 2")
    assert game.track[:2] == [[2], [0, 1]] and game.order() == [1, 0, 2]


def test_everybody_has_one_turn_per_round_though_the_order_changes() -> None:
    """S283-285: blue overtakes red in its turn; then green plays, and the new order counts from the next round."""
    game = on_turn(players=3)
    play(game, "end")
    game.player.dice = [2, 5]
    store(game, "ship")
    play(game, "place ship 17 die 2", "end")
    assert game.turn == 2
    play(game, "end")
    assert game.stage == ROLL and game.round == 1
    play(game, rolled(game))
    assert game.turn == 1


def test_a_ship_on_the_last_space_goes_to_the_top_of_its_stack() -> None:
    """S828, printed for team play."""
    game = on_turn((2, 5))
    game.track = [[]] * 6 + [[0, 1]]
    store(game, "ship")
    play(game, "place ship 17 die 2")
    assert game.track[6] == [1, 0]


def test_a_round_ends_with_the_last_turn_and_a_phase_with_the_fifth_round() -> None:
    """S258, S285."""
    game = filled()
    for number in range(5):
        assert (game.phase_letter, game.round, game.stage) == ("A", number, ROLL)
        play(game, rolled(game), "end", "end")
    assert (game.phase_letter, game.round, game.stage) == ("B", 0, FILL)


def test_the_white_die_shows_what_was_rolled_until_the_round_is_over() -> None:
    """S281."""
    game = filled()
    play(game, rolled(game, white=5))
    assert RULES.view(game)["white"] == 5
    play(game, "end", "end")
    assert RULES.view(game)["white"] is None


def test_between_rounds_nobody_has_acted_and_the_first_player_is_next() -> None:
    """S283: blue, first by a ship, has played last."""
    game = on_turn()
    play(game, "end")
    store(game, "ship")
    play(game, "place ship 17 die 2", "end")
    assert game.stage == ROLL and RULES.view(game)["acted"] == []
    assert game.player.colour == "blue"


def test_a_turn_begins_without_a_purchase() -> None:
    """S580, S650: the other player has used both."""
    game = with_monastery_6()
    play(game, "buy building/church 4.1", "buy building/bank 0.0", "end")
    state = game.to_json()
    assert state["bought"] is False and state["monastery_6_used"] is False


# --- dice and workers -------------------------------------------------------------------------------------


def test_each_die_is_one_action() -> None:
    """S291."""
    game = on_turn((3, 3))
    play(game, "workers die 3")
    assert game.player.dice == [3]
    play(game, "workers die 3")
    assert illegal_reason(game, "workers die 3") == "no_such_die"


def test_dice_may_be_left_unused() -> None:
    """S291: a player *can* take two actions."""
    game = on_turn((3, 3))
    play(game, "end")
    assert game.turn == 1 and game.players[0].dice == []


@pytest.mark.parametrize(("die", "depot", "workers"), [(1, 6, 1), (6, 1, 1), (2, 6, 2), (1, 4, 3), (5, 5, 0)])
def test_workers_turn_a_die_along_the_shorter_way_and_1_and_6_are_neighbours(
    die: int, depot: int, workers: int
) -> None:
    """S293."""
    game = on_turn((die, die))
    game.player.workers = 3
    fill_depot(game, depot, "mine")
    paid = f" workers {workers}" if workers else ""
    assert notations(game, "take") == [f"take mine {depot}.0 die {die}{paid}"]
    play(game, f"take mine {depot}.0 die {die}{paid}")
    assert game.player.workers == 3 - workers


def test_no_more_workers_are_spent_than_needed() -> None:
    game = on_turn((1, 2))
    game.player.workers = 3
    fill_depot(game, 2, "mine")
    assert illegal_reason(game, "take mine 2.0 die 1 workers 2") == "wrong_payment"
    assert illegal_reason(game, "take mine 2.0 die 1") == "wrong_payment"


def test_workers_just_received_can_be_spent_at_once() -> None:
    """S293: at any moment."""
    game = on_turn((1, 4))
    fill_depot(game, 6, "mine")
    play(game, "workers die 1", "take mine 6.0 die 4 workers 2")
    assert game.player.workers == 0


def test_a_die_may_be_turned_for_placing_and_selling_too() -> None:
    """S293."""
    game = on_turn((5, 3))
    red = game.player
    red.workers = 2
    red.goods[2] = 1
    store(game, "mine")
    play(game, "place mine 24 die 5 workers 1", "sell 2 die 3 workers 1")
    assert red.workers == 0 and red.sold[2] == 1 and red.spaces[24] is not None


# --- taking and storing -----------------------------------------------------------------------------------


def test_a_taken_tile_goes_into_storage_and_leaves_its_slot_empty() -> None:
    """S336."""
    game = on_turn((2, 5))
    fill_depot(game, 2, "monastery/3", "castle")
    play(game, "take castle 2.1 die 2")
    assert [t.label for t in game.player.storage] == ["castle"]
    assert game.depots[1] == [tile("monastery/3"), None]


def test_only_what_is_there_can_be_taken() -> None:
    game = on_turn((2, 5))
    fill_depot(game, 2, "castle")
    assert illegal_reason(game, "take mine 2.0 die 2") == "tile_not_there"
    assert illegal_reason(game, "take castle 2.1 die 2") == "tile_not_there"
    assert illegal_reason(game, "take castle 2.9 die 2") == "tile_not_there"
    assert illegal_reason(game, "take castle 7.0 die 2") == "no_such_depot"
    assert illegal_reason(game, "take castle 0.0 die 2") == "no_such_depot"


def with_full_storage() -> GameState:
    """Red with three stored tiles, silver for a purchase and a mine in depot 2."""
    game = on_turn((2, 2))
    store(game, "ship", "castle", "livestock/cow_2")
    fill_depot(game, 2, "mine")
    fill_depot(game, 0, "building/bank")
    game.player.silver = 2
    return game


def test_a_full_storage_owes_a_discard_to_the_box() -> None:
    """S338."""
    game = with_full_storage()
    play(game, "take mine 2.0 die 2", "discard castle")
    assert sorted(t.label for t in game.player.storage) == ["livestock/cow_2", "mine", "ship"]
    assert game.box == {tile("castle"): 1}


def test_nothing_else_is_possible_while_a_discard_is_owed() -> None:
    """S338: a space is made first."""
    game = with_full_storage()
    play(game, "take mine 2.0 die 2")
    assert notations(game) == ["discard ship", "discard castle", "discard livestock/cow_2"]
    for move in ("buy building/bank 0.0", "end", "workers die 2", "place ship 17 die 2"):
        assert illegal_reason(game, move) == "other_choice_first"
    assert illegal_reason(game, "skip") == "no_passing"


def test_the_tile_taken_is_not_the_one_discarded() -> None:
    """S338: a tile of the own storage is put back."""
    game = with_full_storage()
    play(game, "take mine 2.0 die 2")
    assert illegal_reason(game, "discard mine") == "tile_not_stored"


def test_a_purchase_into_a_full_storage_owes_a_discard_too() -> None:
    """Ruling: as with the take action (S338)."""
    game = with_full_storage()
    play(game, "buy building/bank 0.0")
    assert set(notations(game)) == {"discard ship", "discard castle", "discard livestock/cow_2"}


def test_nothing_is_discarded_without_need() -> None:
    """S338: only when no space is free."""
    game = on_turn()
    store(game, "ship")
    assert illegal_reason(game, "discard ship") == "no_effect"


# --- the black depot --------------------------------------------------------------------------------------


def at_the_black_depot(silver: int = 4) -> GameState:
    """Red with silver; a bank and a ship in the black depot."""
    game = on_turn((3, 1))
    fill_depot(game, 0, "building/bank", "ship")
    game.player.silver = silver
    return game


def test_a_black_tile_costs_two_silver() -> None:
    """S582."""
    game = at_the_black_depot(silver=3)
    play(game, "buy ship 0.1")
    assert game.player.silver == 1 and game.player.storage == [tile("ship")]
    assert game.black[:2] == [tile("building/bank"), None]


def test_one_silver_buys_nothing() -> None:
    """S582."""
    assert illegal_reason(at_the_black_depot(silver=1), "buy ship 0.1") == "not_enough_silver"


def test_only_one_tile_is_bought_in_a_turn() -> None:
    """S580."""
    game = at_the_black_depot()
    play(game, "buy ship 0.1")
    assert illegal_reason(game, "buy building/bank 0.0") == "already_bought"


def test_the_purchase_comes_back_with_the_next_turn() -> None:
    """S580: once a turn, for the round's first player as for all others."""
    game = at_the_black_depot()
    fill_depot(game, 0, "building/bank", "ship", "mine")
    play(game, "buy ship 0.1", "end")
    game.player.silver = 2
    play(game, "buy building/bank 0.0", "end", rolled(game), "buy mine 0.2")


def test_a_tile_may_be_bought_before_between_and_after_the_dice() -> None:
    """S580."""
    game = at_the_black_depot()
    for move in ("workers die 3", "workers die 1"):
        assert illegal_reason(game, "buy ship 0.1") is None
        play(game, move)
    assert not game.player.dice and illegal_reason(game, "buy ship 0.1") is None


@pytest.mark.parametrize(
    ("label", "place"),
    [("castle", "place castle 6 die 6"), ("ship", "place ship 17 die 2"), ("building/church", None)],
)
def test_a_tile_may_be_bought_during_an_effect(label: str, place: str | None) -> None:
    """S580: during an action too; ruling: at every choice but an owed discard."""
    game = on_turn((6, 2))
    game.player.dice = [6, 2, 3]
    build(game.player, s12="monastery/1")
    fill_depot(game, 0, "building/bank")
    fill_depot(game, 1, "mine")
    game.depot_goods[0][1] = 1
    game.player.silver = 2
    store(game, label)
    play(game, place or f"place {label} 25 die 3")
    waiting = game.pending[:]
    play(game, "buy building/bank 0.0")
    assert game.pending == waiting


def test_a_tile_bought_during_an_effect_into_a_full_storage_owes_a_discard_first() -> None:
    """S338, S580: then the effect goes on."""
    game = on_turn((6, 2))
    build(game.player, s12="monastery/2")
    fill_depot(game, 0, "building/bank")
    game.player.silver = 2
    store(game, "castle")
    play(game, "place castle 6 die 6")
    store(game, "mine", "livestock/cow_2", "ship")
    play(game, "buy building/bank 0.0")
    assert set(notations(game)) == {"discard mine", "discard livestock/cow_2", "discard ship"}
    play(game, "discard ship", "place building/bank 25")
    assert not game.pending


def test_a_tile_bought_during_a_castles_action_may_be_placed_by_it() -> None:
    """S372, S580."""
    game = on_turn((6, 2))
    build(game.player, s12="monastery/1")
    fill_depot(game, 0, "building/bank")
    game.player.silver = 2
    store(game, "castle")
    play(game, "place castle 6 die 6", "buy building/bank 0.0", "place building/bank 25")
    assert game.player.silver == 2


def test_a_tile_bought_for_a_town_hall_may_be_placed_by_it() -> None:
    """S493, S580: a purchase is possible while the town hall's effect is used, though storage was empty."""
    game = on_turn((3, 2))
    fill_depot(game, 0, "building/bank")
    game.player.silver = 2
    store(game, "building/town_hall")
    play(game, "place building/town_hall 25 die 3", "buy building/bank 0.0", "place building/bank 11")
    assert game.player.silver == 2


# --- placing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("place mine 29 die 1", "not_adjacent"),
        ("place mine 25 die 3", "wrong_colour"),
        ("place mine 24 die 3", "not_enough_workers"),
        ("place mine 18 die 6", "space_taken"),
        ("place mine 37 die 3", "no_such_space"),
        ("place ship 17 die 3", "tile_not_stored"),
        ("place mine 24 die 4", "no_such_die"),
        ("place mine 24", "needs_die"),
    ],
)
def test_a_tile_is_placed_by_its_number_on_its_colour_beside_another(move: str, reason: str) -> None:
    """S346."""
    game = on_turn((3, 1))
    game.player.dice = [3, 1, 6]
    store(game, "mine")
    assert illegal_reason(game, move) == reason


def test_the_first_tile_touches_the_starting_castle() -> None:
    """S348: the six spaces around the centre of duchy 1, each with the tile of its colour."""
    game = on_turn((1, 1))
    game.player.workers = 3
    for label, spaces in (("building/bank", {11, 25}), ("ship", {17, 19}), ("mine", {24}), ("castle", set())):
        game.player.storage = [tile(label)]
        assert {int(text.split()[2]) for text in notations(game, "place")} == spaces


def test_a_city_has_one_building_of_a_kind() -> None:
    """S425."""
    game = on_turn((5, 1))
    build(game.player, s25="building/bank")
    store(game, "building/bank", "building/church")
    assert illegal_reason(game, "place building/bank 31 die 5") == "building_twice"
    assert illegal_reason(game, "place building/church 31 die 5") is None


def test_another_city_may_have_the_same_building() -> None:
    """S425."""
    game = on_turn((3, 1))
    build(game.player, s25="building/bank")
    store(game, "building/bank")
    assert illegal_reason(game, "place building/bank 11 die 3") is None


@pytest.mark.parametrize("by", ["town hall", "castle"])
def test_no_effect_builds_the_same_building_twice(by: str) -> None:
    """S425: whatever places it."""
    game = on_turn((5, 6))
    build(game.player, s25="building/bank", s12="monastery/2")
    store(game, "building/bank", "building/town_hall", "castle")
    play(game, "place building/town_hall 31 die 5" if by == "town hall" else "place castle 6 die 6")
    assert illegal_reason(game, "place building/bank 26") == "building_twice"


def test_monastery_1_allows_equal_buildings_in_a_city() -> None:
    """S645."""
    game = on_turn((5, 1))
    build(game.player, s25="building/bank")
    own(game.player, 1)
    store(game, "building/bank")
    assert illegal_reason(game, "place building/bank 31 die 5") is None


def test_a_space_linked_to_a_castle_is_still_empty_adjacent_and_of_the_tiles_colour() -> None:
    """S346, S699: of seven spaces for buildings only 1 is left beside the bank; others touch what is linked too."""
    game = on_turn((4, 4), duchy="se-11", castle=6, rules={"castle_links": "on"})
    build(game.player, s2="building/bank", s3="building/church")
    game.player.workers = 3
    store(game, "building/market")
    assert notations(game, "place") == ["place building/market 1 die 4 workers 1"]


# --- what tiles do ----------------------------------------------------------------------------------------


def with_castle() -> GameState:
    """Red about to choose a castle's extra action, one die left."""
    game = on_turn((6, 1))
    build(game.player, s12="monastery/2")
    store(game, "castle", "mine")
    fill_depot(game, 4, "ship", "building/bank")
    game.player.goods[5] = 2
    play(game, "place castle 6 die 6")
    return game


def test_a_castle_takes_a_tile_from_any_depot() -> None:
    """S372."""
    game = with_castle()
    play(game, "take ship 4.0")
    assert tile("ship") in game.player.storage and game.player.dice == [1] and not game.pending


def test_a_castle_places_a_tile_whatever_the_number() -> None:
    """S372."""
    game = with_castle()
    play(game, "place mine 24")
    assert game.player.dice == [1] and not game.pending


def test_a_castle_sells_goods_of_any_kind() -> None:
    """S372."""
    game = with_castle()
    play(game, "sell 5")
    assert game.player.points["sales"] == 4 and game.player.dice == [1] and not game.pending


def test_a_castle_takes_workers() -> None:
    """S372-374."""
    game = with_castle()
    play(game, "workers")
    assert game.player.workers == 2 and game.player.dice == [1] and not game.pending


def test_a_castles_action_may_be_declined() -> None:
    """Ruling."""
    game = with_castle()
    play(game, "skip")
    assert not game.pending and illegal_reason(game, "skip") == "no_effect"


def test_a_castles_action_costs_no_workers() -> None:
    """S372: the die has any value."""
    game = with_castle()
    game.player.workers = 2
    assert illegal_reason(game, Take("ship", depot=4, slot=0, die=None, workers=1)) == "workers_without_die"


def test_a_castles_action_comes_before_the_next_die_and_the_end_of_the_turn() -> None:
    """S372: at once."""
    game = with_castle()
    assert illegal_reason(game, "workers die 1") == "other_choice_first"
    assert illegal_reason(game, "end") == "other_choice_first"


def test_a_castle_takes_nothing_from_the_black_depot() -> None:
    """S372: the take action knows the numbered depots only."""
    game = with_castle()
    fill_depot(game, 0, "ship")
    assert illegal_reason(game, "take ship 0.0") == "no_such_depot"


def test_town_hall_castle_and_town_hall_follow_one_another() -> None:
    """S372, S493: all effects fire, whatever placed the tile."""
    game = on_turn((3, 1))
    build(game.player, s12="monastery/2")
    store(game, "building/town_hall", "castle", "building/town_hall")
    play(game, "place building/town_hall 11 die 3", "place castle 6", "place building/town_hall 25")
    assert not game.player.storage and game.player.dice == [1]


def test_a_chain_ends_with_what_storage_still_holds() -> None:
    """S493: a town hall of the chain places one more tile."""
    game = on_turn((3, 1))
    store(game, "building/town_hall", "building/town_hall", "mine")
    play(game, "place building/town_hall 11 die 3", "place building/town_hall 25", "place mine 24")
    assert game.player.spaces[24] == tile("mine") and not game.pending


def test_a_town_hall_places_whatever_the_number_but_beside_and_by_colour() -> None:
    """S346, S493."""
    game = on_turn((3, 1))
    store(game, "building/town_hall", "mine")
    play(game, "place building/town_hall 25 die 3")
    assert illegal_reason(game, "place mine 29") == "not_adjacent"
    assert illegal_reason(game, "place mine 31") == "wrong_colour"
    assert illegal_reason(game, "workers") == "other_choice_first"
    assert set(notations(game)) == {"place mine 24", "skip"}


def test_a_town_hall_without_anything_to_place_asks_nothing() -> None:
    """S502."""
    game = on_turn((3, 1))
    store(game, "building/town_hall")
    play(game, "place building/town_hall 25 die 3")
    assert not game.pending


BUYER = {"silver": 2, "workers": 2, "monasteries": (6,), "black": "ship", "depot": "building/bank"}


@pytest.mark.parametrize(
    ("edition", "lacking", "asked"),
    [
        ("special", {}, True),
        ("special", {"silver": 1}, True),  # monastery 6 buys for workers
        ("special", {"workers": 1}, True),  # the black depot sells for silver
        ("special", {"silver": 1, "workers": 1}, False),
        ("special", {"monasteries": (), "silver": 1}, False),
        ("special", {"monasteries": (), "black": None}, False),
        ("special", {"black": None, "depot": "mine"}, False),
        ("special", {"black": None}, True),
        ("special", {"silver": 1, "depot": None}, False),
        ("special", {"rules": {"purchase": "between_actions"}}, False),
        ("2011", {}, False),
        ("2011", {"rules": {"purchase": "any_time"}}, True),
        ("2011", {"rules": {"purchase": "any_time"}, "black": None, "depot": "mine"}, True),
        ("2011", {"rules": {"purchase": "any_time"}, "black": None, "monasteries": ()}, False),
        ("2011", {"rules": {"purchase": "any_time"}, "silver": 1}, False),
    ],
)
def test_a_town_hall_with_empty_storage_asks_when_a_tile_can_be_bought_for_it(
    edition: str, lacking: dict[str, Any], asked: bool
) -> None:
    """S493, S502, S580, A757."""
    has = {**BUYER, **lacking}
    game = on_turn((3, 1), edition=edition, rules=has.get("rules", {}))
    own(game.player, *has["monasteries"])
    game.player.silver, game.player.workers = has["silver"], has["workers"]
    for depot, label in ((0, has["black"]), (2, has["depot"])):
        if label:
            fill_depot(game, depot, label)
    store(game, "building/town_hall")
    play(game, "place building/town_hall 25 die 3")
    assert bool(game.pending) == asked


def test_a_town_hall_asks_nothing_after_the_turns_purchases() -> None:
    """S580, S650: one of each a turn."""
    game = on_turn((3, 1))
    own(game.player, 6)
    game.player.silver = game.player.workers = 8
    fill_depot(game, 0, "ship")
    fill_depot(game, 2, "building/bank")
    game.bought = game.monastery_6_used = True
    store(game, "building/town_hall")
    play(game, "place building/town_hall 25 die 3")
    assert not game.pending


TAKEN = {
    "building/market": {"ship", "livestock/cow_2"},
    "building/carpenter": {"building/bank"},
    "building/church": {"mine", "monastery/3", "castle"},
}


@pytest.mark.parametrize("building", TAKEN)
def test_a_building_takes_its_tiles_from_any_numbered_depot(building: str) -> None:
    """S433-477."""
    game = on_turn((3, 1), players=3)
    fill_depot(game, 1, "ship", "building/bank", "mine")
    fill_depot(game, 6, "livestock/cow_2", "monastery/3", "castle")
    fill_depot(game, 0, *sorted(TAKEN[building])[:2])
    store(game, building)
    play(game, f"place {building} 25 die 3")
    moves = notations(game, "take")
    assert {move.split()[1] for move in moves} == TAKEN[building]
    assert not any(move.split()[2].startswith("0") for move in moves)
    play(game, moves[0])
    assert len(game.player.storage) == 1 and not game.pending


@pytest.mark.parametrize("building", TAKEN)
def test_a_building_does_not_take_other_tiles(building: str) -> None:
    """S433-477."""
    game = on_turn((3, 1), players=3)
    fill_depot(game, 1, "ship", "building/bank", "mine")
    store(game, building)
    play(game, f"place {building} 25 die 3")
    others = {"ship": 0, "building/bank": 1, "mine": 2}.items()
    for label, slot in others:
        expected = None if label in TAKEN[building] else "not_for_this_building"
        assert illegal_reason(game, f"take {label} 1.{slot}") == expected


@pytest.mark.parametrize("building", TAKEN)
def test_a_building_finds_nothing_when_only_the_black_depot_has_it(building: str) -> None:
    """S433-477, S502."""
    game = on_turn((3, 1))
    fill_depot(game, 0, *sorted(TAKEN[building])[:1])
    store(game, building)
    play(game, f"place {building} 25 die 3")
    assert not game.pending and game.player.spaces[25] is not None


@pytest.mark.parametrize("building", [*TAKEN, "building/town_hall", "building/warehouse"])
def test_the_choice_of_a_building_may_be_declined(building: str) -> None:
    """S423-493: the player *can* use it."""
    game = on_turn((3, 1), players=3)
    fill_depot(game, 1, "ship", "building/bank", "mine")
    game.player.goods[1] = 1
    store(game, building, "mine")
    play(game, f"place {building} 25 die 3", "skip")
    assert not game.pending


def test_a_warehouse_sells_one_kind_without_a_die() -> None:
    """S481: exactly like the sell action."""
    game = on_turn((3, 1))
    game.player.goods = [0, 0, 3, 1, 0, 0, 0]
    store(game, "building/warehouse")
    play(game, "place building/warehouse 25 die 3")
    assert notations(game) == ["sell 2", "sell 3", "skip"]
    play(game, "sell 2")
    assert (game.player.silver, game.player.points["sales"], game.player.goods[2]) == (1, 6, 0)


def test_a_warehouse_without_goods_asks_nothing() -> None:
    """S502."""
    game = on_turn((3, 1))
    store(game, "building/warehouse")
    play(game, "place building/warehouse 25 die 3")
    assert not game.pending


def test_a_boarding_house_brings_four_workers() -> None:
    """S485."""
    game = on_turn((3, 1))
    store(game, "building/boarding_house")
    play(game, "place building/boarding_house 25 die 3")
    assert game.player.workers == 4


def test_a_bank_brings_two_silver() -> None:
    """S489."""
    game = on_turn((3, 1))
    store(game, "building/bank")
    play(game, "place building/bank 25 die 3")
    assert game.player.silver == 2


def test_a_buildings_income_is_added() -> None:
    """S485-489."""
    game = on_turn((3, 2))
    game.player.workers, game.player.silver = 5, 3
    store(game, "building/boarding_house", "building/bank")
    play(game, "place building/boarding_house 25 die 3", "place building/bank 26 die 2 workers 1")
    assert (game.player.workers, game.player.silver) == (5 + 4 - 1, 3 + 2)


def test_sales_add_up() -> None:
    """S563-566, monastery 4."""
    game = on_turn((2, 2))
    own(game.player, 4)
    game.player.workers = 1
    game.player.goods[2] = 3
    play(game, "sell 2 die 2")
    game.player.goods[2] = 1
    play(game, "sell 2 die 2")
    assert (game.player.sold[2], game.player.workers, game.player.silver) == (4, 3, 2)


def test_a_watchtower_brings_four_points() -> None:
    """S497."""
    game = on_turn((3, 1))
    store(game, "building/watchtower")
    play(game, "place building/watchtower 25 die 3")
    assert game.player.points == {"watchtowers": 4}


def test_a_mine_brings_nothing_at_once() -> None:
    """S405."""
    game = on_turn((4, 1))
    store(game, "mine")
    play(game, "place mine 24 die 4")
    assert game.player.silver == 0 and game.player.score == 0 and not game.pending


def test_livestock_brings_as_many_points_as_animals() -> None:
    """S409."""
    game = on_turn((4, 1))
    build(game.player, s17="ship")
    store(game, "livestock/chicken_3")
    play(game, "place livestock/chicken_3 10 die 4")
    assert game.player.points == {"livestock": 3}


def test_livestock_in_another_pasture_does_not_score_again() -> None:
    """S415: duchy 1 has pastures of five and of one."""
    game = on_turn((4, 1))
    build(game.player, s17="ship", s27="livestock/cow_4")
    store(game, "livestock/cow_2")
    play(game, "place livestock/cow_2 10 die 4")
    assert game.player.points["livestock"] == 2


def test_animals_of_another_kind_do_not_score_again() -> None:
    """S411."""
    game = on_turn((4, 1))
    build(game.player, s17="ship", s9="livestock/pig_4")
    store(game, "livestock/cow_2")
    play(game, "place livestock/cow_2 10 die 4")
    assert game.player.points["livestock"] == 2


def test_livestock_need_not_touch_to_score_together() -> None:
    """S413: 0 and 10 are apart in one pasture."""
    game = on_turn((4, 1))
    build(game.player, s17="ship", s0="livestock/cow_4")
    store(game, "livestock/cow_2")
    play(game, "place livestock/cow_2 10 die 4")
    assert game.player.points["livestock"] == 6


# --- ships' goods -----------------------------------------------------------------------------------------


def with_ship(goods: dict[int, list[int]], stored: list[int]) -> GameState:
    """Red that has just placed a ship, *goods* in the depots and *stored* kinds in the goods storage."""
    game = on_turn((2, 1))
    for depot, kinds in goods.items():
        for kind in kinds:
            game.depot_goods[depot - 1][kind] += 1
    for kind in stored:
        game.player.goods[kind] += 1
    store(game, "ship")
    play(game, "place ship 17 die 2")
    return game


def test_a_ship_takes_all_goods_of_any_one_depot() -> None:
    """S358-362: not only of the die's depot."""
    game = with_ship({2: [1], 5: [3, 3, 6]}, stored=[])
    assert set(notations(game, "goods")) == {"goods 2 1", "goods 5 3,6", "goods - -"}
    play(game, "goods 5 3,6")
    assert game.player.goods == [0, 0, 0, 2, 0, 0, 1] and not any(game.depot_goods[4])


def test_the_player_chooses_which_kinds_find_a_space() -> None:
    """S364-366."""
    game = with_ship({5: [1, 2, 3, 4]}, stored=[1])
    assert set(notations(game, "goods 5")) == {"goods 5 1,2,3", "goods 5 1,2,4", "goods 5 1,3,4"}


def test_goods_without_a_space_stay_in_their_depot() -> None:
    """S364."""
    game = with_ship({5: [1, 2, 2]}, stored=[1, 3, 4])
    play(game, "goods 5 1")
    assert game.player.goods == [0, 2, 0, 1, 1, 0, 0] and game.depot_goods[4][2] == 2


def test_a_ship_that_finds_goods_for_it_everywhere_has_to_load_some() -> None:
    """S358: every depot has goods that fit."""
    game = with_ship({depot: [depot] for depot in range(1, 7)}, stored=[])
    assert notations(game) == [f"goods {depot} {depot}" for depot in range(1, 7)]


def test_a_ship_that_can_load_nothing_still_sails() -> None:
    """S364, S368."""
    game = with_ship({5: [5]}, stored=[1, 2, 3])
    assert notations(game, "goods") == ["goods - -"]
    play(game, "goods - -")
    assert game.track[1] == [0] and game.depot_goods[4][5] == 1


def test_a_ship_asks_nothing_when_no_depot_has_goods() -> None:
    """S358: nothing to choose; the marker moves all the same."""
    game = with_ship({}, stored=[])
    assert not game.pending and game.track[1] == [0]


def test_a_ships_goods_cannot_be_sold_by_the_die_before_they_are_loaded() -> None:
    """S358: both happen at once."""
    game = with_ship({2: [1]}, stored=[1])
    assert illegal_reason(game, "sell 1 die 1") == "other_choice_first"


# --- selling and workers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_goods_bring_points_per_tile_by_the_number_of_players(players: int) -> None:
    """S563-566."""
    game = on_turn((4, 1), players=players)
    game.player.goods[4] = 3
    play(game, "sell 4 die 4")
    assert game.player.points == {"sales": 3 * players}


@pytest.mark.parametrize("count", [1, 5])
def test_a_sale_brings_one_silver_whatever_its_size(count: int) -> None:
    """S565."""
    game = on_turn((4, 1))
    game.player.goods[4] = count
    play(game, "sell 4 die 4")
    assert game.player.silver == 1


def test_a_sale_takes_all_goods_of_a_kind_and_leaves_the_others() -> None:
    """S568."""
    game = on_turn((4, 1))
    game.player.goods = [0, 0, 2, 0, 3, 0, 0]
    play(game, "sell 4 die 4")
    assert game.player.goods == [0, 0, 2, 0, 0, 0, 0] and game.player.sold == [0, 0, 0, 0, 3, 0, 0]


def test_only_stored_goods_are_sold() -> None:
    assert illegal_reason(on_turn((4, 1)), "sell 4 die 4") == "no_such_goods"
    assert illegal_reason(on_turn((4, 1)), "sell 7 die 4") == "no_such_goods"


@pytest.mark.parametrize("die", range(1, 7))
def test_any_die_brings_two_workers(die: int) -> None:
    """S574."""
    game = on_turn((die, die))
    play(game, f"workers die {die}")
    assert game.player.workers == 2


# --- points of areas and colours --------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "points"), list(enumerate([10, 8, 6, 4, 2])))
def test_a_completed_area_scores_by_its_size_and_the_phase(phase: int, points: int) -> None:
    """S513-515: an area of one space."""
    game = on_turn((3, 1))
    game.phase = phase
    store(game, "building/bank")
    play(game, "place building/bank 11 die 3")
    assert game.player.points == {"area_1": 1, "phase": points}


@pytest.mark.parametrize(
    ("size", "points"), [(1, 1), (2, 3), (3, 6), (4, 10), (5, 15), (6, 21), (7, 28), (8, 36)]
)
def test_areas_score_the_printed_points(size: int, points: int) -> None:
    """S513: from 1 point for one space to 36 for eight."""
    assert RULES.editions["special"].area_points[size] == points


def test_an_unfinished_area_scores_nothing() -> None:
    """S513."""
    game = on_turn((2, 5))
    store(game, "ship")
    play(game, "place ship 17 die 2")
    assert game.player.score == 0


def test_a_town_hall_completes_an_area_as_well() -> None:
    """S493, S513."""
    game = on_turn((3, 1))
    store(game, "building/town_hall", "building/bank")
    play(game, "place building/town_hall 25 die 3", "place building/bank 11")
    assert game.player.points == {"area_1": 1, "phase": 10}


@pytest.mark.parametrize(("players", "first", "second"), [(2, 5, 2), (3, 6, 3), (4, 7, 4)])
def test_the_first_two_to_cover_a_colour_get_bonus_tiles_and_a_third_nothing(
    players: int, first: int, second: int
) -> None:
    """S519, S553-555, A690."""
    game = on_turn((4, 4), players=players)
    for player in game.players:
        complete(player, "mine", but=24)
        player.dice = [4]
        player.storage = [tile("mine")]
    for _ in game.players:
        play(game, "place mine 24 die 4", "end")
    won = [player.points.get("bonus_tiles", 0) for player in game.players]
    assert won == [first, second, 0, 0][:players]
    assert game.bonus_tiles_left["mine"] == 0


def test_a_colour_needs_all_its_areas() -> None:
    """S519: duchy 1 has two rivers."""
    game = on_turn((2, 5))
    build(game.player, s15="ship", s16="ship")
    store(game, "ship")
    play(game, "place ship 17 die 2")
    assert game.player.points == {"area_3": 6, "phase": 10}


def test_sources_without_points_are_not_on_the_score_sheet() -> None:
    """In an edition where early completion brings nothing, an area counts by its size alone."""
    game = on_turn((3, 1), duchy="se-2", castle=36)
    game.edition = dataclasses.replace(game.edition, phase_points=dict.fromkeys("ABCDE", 0))
    build(game.player, s7="livestock/cow_2")
    store(game, "castle")
    play(game, "place castle 3 die 3")
    assert game.player.points == {"area_1": 1}


# --- ends of phases and the game --------------------------------------------------------------------------


def test_mines_bring_silver_at_the_end_of_every_phase() -> None:
    """S405, S586."""
    game = filled()
    red = game.players[0]
    build(red, s24="mine", s29="mine")
    for phase in range(4):
        if phase:
            play(game, dealt(game, phase))
        finish_phase(game)
        assert red.silver == 1 + 2 * (phase + 1)


def test_every_owner_of_mines_is_paid_and_keeps_the_workers_there_were() -> None:
    """S405, monastery 2: red has no mine; blue has one and the monastery; green has two."""
    game = filled(3)
    red, blue, green = game.players
    build(blue, s24="mine")
    build(green, s24="mine", s29="mine")
    own(blue, 2)
    before = [(p.silver, p.workers) for p in (red, blue, green)]
    finish_phase(game)
    assert before == [(1, 1), (1, 2), (1, 3)]
    assert [(p.silver, p.workers) for p in (red, blue, green)] == [(1, 1), (2, 3), (3, 3)]


def test_mines_pay_after_phase_e_before_the_final_scoring() -> None:
    """S586, S590."""
    game = on_turn()
    game.phase, game.round = 4, 4
    build(game.player, s24="mine", s29="mine")
    finish_round(game)
    assert game.stage == OVER and game.players[0].points == {"silver_left": 2}


def test_monastery_2_adds_a_worker_per_mine() -> None:
    """S646."""
    game = on_turn()
    game.round = 4
    build(game.player, s24="mine", s29="mine")
    own(game.player, 2)
    finish_round(game)
    assert (game.players[0].silver, game.players[0].workers) == (2, 2)


def finished(goods: int = 0, silver: int = 0, workers: int = 0) -> GameState:
    """Returns a game that has just ended, with what red has left."""
    game = on_turn()
    game.phase, game.round = 4, 4
    red = game.player
    red.goods[1], red.silver, red.workers = goods, silver, workers
    store(game, "castle", "mine")
    finish_round(game)
    return game


@pytest.mark.parametrize(
    ("left", "points"),
    [
        ({"goods": 4}, {"goods_left": 4}),
        ({"silver": 3}, {"silver_left": 3}),
        ({"workers": 5}, {"workers_left": 2}),
        ({"workers": 1}, {}),
    ],
)
def test_leftover_goods_silver_and_workers_score_at_the_end(
    left: dict[str, int], points: dict[str, int]
) -> None:
    """S592-597: goods and silver one each, workers one a pair, tiles in storage nothing."""
    assert finished(**left).players[0].points == points


def test_the_game_ends_after_the_fifth_phase() -> None:
    """S590, S628: 25 rounds."""
    game = set_up()
    rounds = 0
    while game.stage != OVER:
        if game.stage == FILL:
            play(game, dealt(game, game.phase))
        play(game, rolled(game), "end", "end")
        rounds += 1
    assert rounds == 25 and RULES.is_over(game) and not notations(game)


@pytest.mark.parametrize("number", range(16, 24))
def test_monasteries_16_to_23_score_four_points_a_building(number: int) -> None:
    """S677: one of the eight kinds each."""
    game = on_turn()
    game.phase, game.round = 4, 4
    own(game.player, number)
    spaces = (8, 11, 13, 14, 22, 23, 25, 26)
    build(game.player, **{f"s{i}": f"building/{name}" for i, name in zip(spaces, BUILDINGS, strict=True)})
    finish_round(game)
    assert game.players[0].points == {f"monastery_{number}": 4}


@pytest.mark.parametrize(("edition", "points"), [("special", 6), ("2011", 4)])
def test_monastery_26_scores_bonus_tiles(edition: str, points: int) -> None:
    """S689: three points each, in 2011 two (A937)."""
    game = on_turn(edition=edition)
    game.phase, game.round = 4, 4
    own(game.player, 26)
    game.player.bonus_tiles = ["mine", "ship"]
    finish_round(game)
    assert game.players[0].points == {"monastery_26": points}


# --- the winner -------------------------------------------------------------------------------------------


def test_most_points_win() -> None:
    """S599."""
    game = on_turn(players=3)
    for player, points in zip(game.players, (10, 30, 20), strict=True):
        player.score = points
    assert RULES.ranking(game) == ["blue", "green", "red"]


def test_fewest_empty_spaces_win_a_tie() -> None:
    """S599."""
    game = on_turn()
    build(game.players[0], s24="mine")
    assert RULES.ranking(game) == ["red", "blue"]


def test_the_player_furthest_behind_wins_a_tie_that_is_left() -> None:
    """S599: on the track, and lower in a stack."""
    game = on_turn(players=3)
    assert RULES.ranking(game) == ["green", "blue", "red"]
    game.track = [[0], [1, 2], [], [], [], [], []]
    assert RULES.ranking(game) == ["red", "blue", "green"]


def test_without_a_tie_nothing_breaks_it() -> None:
    game = on_turn()
    game.players[0].score = 1
    assert RULES.tie_break(game) is None


def test_a_tie_reports_how_many_spaces_are_empty() -> None:
    """S599."""
    game = on_turn()
    build(game.players[0], s24="mine")
    tie = {"by": "spaces", "player": "red", "players": ["blue"], "points": 0}
    empty = [player.empty_spaces for player in game.players]
    assert (
        RULES.tie_break(game) == {**tie, "count": empty[0], "next": empty[0] + 1} and empty[1] == empty[0] + 1
    )


def test_a_second_tie_is_decided_by_the_track() -> None:
    """S599."""
    tie = RULES.tie_break(on_turn(players=3))
    assert tie == {"by": "track", "player": "green", "players": ["blue", "red"], "points": 0}


# --- monasteries ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("monasteries", "silver", "workers"), [((3,), 2, 0), ((4,), 1, 1), ((3, 4), 2, 1)])
@pytest.mark.parametrize("by", ["die", "warehouse"])
def test_monasteries_3_and_4_add_to_a_sale(
    monasteries: tuple[int, ...], silver: int, workers: int, by: str
) -> None:
    """S647-648."""
    game = on_turn((3, 1))
    own(game.player, *monasteries)
    game.player.goods[3] = 2
    if by == "die":
        play(game, "sell 3 die 3")
    else:
        store(game, "building/warehouse")
        play(game, "place building/warehouse 25 die 3", "sell 3")
    assert (game.player.silver, game.player.workers) == (silver, workers)


def with_monastery_5(goods: dict[int, list[int]], stored: list[int]) -> GameState:
    """Like :func:`with_ship`, with monastery 5."""
    game = with_ship(goods, stored)
    own(game.player, 5)
    return game


def test_monastery_5_loads_two_neighbouring_depots() -> None:
    """S649: 6 and 1 are neighbours; 2 and 4 are not."""
    game = with_monastery_5({1: [1], 2: [2], 4: [4], 6: [6]}, stored=[])
    loads = set(notations(game, "goods"))
    assert {"goods 1,2 1,2", "goods 1,6 1,6", "goods 1 1"} <= loads
    assert not {load for load in loads if load.startswith(("goods 2,4", "goods 2,3"))}
    play(game, "goods 1,6 1,6")
    assert game.player.goods == [0, 1, 0, 0, 0, 0, 1]


def test_monastery_5_pools_both_depots_for_the_limit_of_three_kinds() -> None:
    """S364, S649; ruling: the player picks the kinds from both."""
    game = with_monastery_5({1: [1, 2], 2: [3, 4]}, stored=[5, 6])
    assert set(notations(game, "goods")) == {"goods 1 1", "goods 1 2", "goods 2 3", "goods 2 4", "goods - -"}
    game = with_monastery_5({1: [1, 2], 2: [3, 4]}, stored=[5])
    assert set(notations(game, "goods 1,2")) == {f"goods 1,2 {k}" for k in ("1,3", "1,4", "2,3", "2,4")}


def with_monastery_6(edition: str = "special") -> GameState:
    """Red with monastery 6, a church and a ship in depot 4, a bank in the black depot."""
    game = on_turn((3, 1), edition=edition)
    own(game.player, 6)
    fill_depot(game, 4, "ship", "building/church")
    fill_depot(game, 0, "building/bank")
    game.player.workers = game.player.silver = 4
    return game


def test_monastery_6_buys_a_building_for_two_workers_besides_the_purchase() -> None:
    """S650."""
    game = with_monastery_6()
    play(game, "buy building/church 4.1", "buy building/bank 0.0")
    assert (game.player.workers, game.player.silver) == (2, 2)


def test_monastery_6_buys_buildings_only_and_once_a_turn() -> None:
    """S650."""
    game = with_monastery_6()
    fill_depot(game, 5, "building/market")
    assert illegal_reason(game, "buy ship 4.0") == "not_for_this_building"
    play(game, "buy building/church 4.1")
    assert illegal_reason(game, "buy building/market 5.0") == "monastery_6_used"


def test_monastery_6_can_be_used_again_in_the_next_turn() -> None:
    """S650: once a turn."""
    game = with_monastery_6()
    fill_depot(game, 5, "building/market")
    play(game, "buy building/church 4.1", "end", "end", rolled(game), "buy building/market 5.0")


def test_monastery_6_needs_two_workers() -> None:
    """S650."""
    game = with_monastery_6()
    game.player.workers = 1
    assert illegal_reason(game, "buy building/church 4.1") == "not_enough_workers_to_buy"


def test_numbered_depots_sell_nothing_without_monastery_6() -> None:
    """S578."""
    game = on_turn()
    fill_depot(game, 4, "building/church")
    game.player.workers = game.player.silver = 4
    assert illegal_reason(game, "buy building/church 4.0") == "needs_monastery_6"


def test_in_2011_monastery_6_widens_the_one_purchase_to_all_depots() -> None:
    """A861."""
    game = with_monastery_6("2011")
    play(game, "buy ship 4.0")
    assert (game.player.workers, game.player.silver) == (4, 2)
    assert illegal_reason(game, "buy building/bank 0.0") == "already_bought"


@pytest.mark.parametrize(
    ("monasteries", "costs"),
    [
        ((), (0, 1, 2, 3)),
        ((12,), (0, 0, 1, 2)),
        ((8,), (0, 1, 1, 2)),
        ((8, 12), (0, 0, 1, 1)),
    ],
)
@pytest.mark.parametrize("die", [1, 3, 6])
def test_monasteries_8_and_12_make_dice_cheaper_to_turn(
    monasteries: tuple[int, ...], costs: tuple[int, ...], die: int
) -> None:
    """S655, S662: by the distance on the ring of six; ruling 17 for monastery 8 across 6 and 1."""
    game = on_turn((die, die))
    own(game.player, *monasteries)
    game.player.workers = 3
    for depot in range(1, 7):
        fill_depot(game, depot, "mine")
    for distance, cost in enumerate(costs):
        for depot in {(die + distance - 1) % 6 + 1, (die - distance - 1) % 6 + 1}:
            paid = f" workers {cost}" if cost else ""
            assert illegal_reason(game, f"take mine {depot}.0 die {die}{paid}") is None


@pytest.mark.parametrize(
    ("label", "space", "number"),
    [
        ("building/bank", 25, 9),
        ("ship", 17, 10),
        ("livestock/cow_2", 10, 10),
        ("castle", 6, 11),
        ("mine", 24, 11),
        ("monastery/3", 12, 11),
    ],
)
def test_monasteries_9_to_11_give_a_free_step_for_their_colours(label: str, space: int, number: int) -> None:
    """S659-661, 1 and 6 being neighbours."""
    for owned in (9, 10, 11, 12):
        game = on_turn()
        player = game.player
        die = player.duchy.spaces[space].die % 6 + 1
        player.dice = [die]
        own(player, owned)
        beside = next(i for i in range(37) if player.duchy.neighbours[space] >> i & 1 and i != space)
        player.put(beside, tile("castle"))
        store(game, label)
        expected = None if owned == number else "not_enough_workers"
        assert illegal_reason(game, f"place {label} {space} die {die}") == expected


def test_a_free_step_does_not_help_to_sell() -> None:
    """S659-662."""
    game = on_turn((3, 3))
    own(game.player, 9, 10, 11, 12)
    game.player.goods[4] = 1
    assert illegal_reason(game, "sell 4 die 3") == "not_enough_workers"


@pytest.mark.parametrize(
    ("monasteries", "workers", "silver"), [((13,), 2, 1), ((14,), 4, 0), ((13, 14), 4, 1)]
)
@pytest.mark.parametrize("by", ["die", "castle"])
def test_monasteries_13_and_14_add_to_the_workers_action(
    monasteries: tuple[int, ...], workers: int, silver: int, by: str
) -> None:
    """S663-667, with a castle's extra action too."""
    game = on_turn((6, 1))
    build(game.player, s11="building/bank")
    own(game.player, *monasteries)
    store(game, "castle")
    play(game, *(["workers die 1"] if by == "die" else ["place castle 6 die 6", "workers"]))
    assert (game.player.workers, game.player.silver) == (workers, silver)


def test_monasteries_13_and_14_do_not_add_to_a_boarding_house() -> None:
    """S665."""
    game = on_turn((3, 1))
    own(game.player, 13, 14)
    store(game, "building/boarding_house")
    play(game, "place building/boarding_house 25 die 3")
    assert (game.player.workers, game.player.silver) == (4, 0)


def test_a_monastery_has_its_effect_from_its_placing_on() -> None:
    """S643: once placed in a duchy; stored it has none."""
    game = on_turn((1, 3))
    store(game, "monastery/14")
    play(game, "workers die 3")
    assert game.player.workers == 2
    game.player.dice.append(3)
    play(game, "place monastery/14 12 die 1", "workers die 3")
    assert game.player.workers == 2 + 4
