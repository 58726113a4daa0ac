"""White castles and monastery 29 (S757-761, S677, S1241), with rulings 57, 109, 114 to 118 and 184."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules import GameState
from companion.games.burgundy.rules.tiles import tile
from tests.support.automa_positions import automa_of, automa_turn, codes, stored, take_turn
from tests.support.module_positions import module_turn
from tests.support.modules import first_turn, more_modules, setup_of
from tests.support.positions import (
    RULES,
    build,
    fill_depot,
    finish_round,
    illegal_reason,
    notations,
    own,
    play,
    store,
)

LABEL = "building/white_castle"
ON_BOARD: Mapping[int, Sequence[str]] = {1: [LABEL]}


def on_turn(*args: Any, **options: Any) -> GameState:
    return module_turn(["white_castles"], *args, **options)


def with_white_castle(white: int = 2, *, also: Sequence[str] = (), **options: Any) -> GameState:
    """A turn in which a white castle has just been placed with a 3; the other die shows a 6."""
    game = module_turn(["white_castles", *also], (3, 6), white=white, **options)
    store(game, LABEL)
    play(game, f"place {LABEL} 25 die 3")
    return game


# --- W1: in the supply ------------------------------------------------------------------------------------


def test_w1_setting_up_says_where_the_white_castles_go() -> None:
    """S759, S110: six have a building's back, two a black one."""
    steps = RULES.setup_steps(RULES.new(setup_of(modules=["white_castles"])))
    assert {"step": "white_castles", "buildings": 6, "black": 2} in steps


def test_six_beige_and_two_black_white_castles_and_monastery_29_are_mixed_in() -> None:
    """S110, S759: beige ones are 46 then, black ones 42, yellow ones 21."""
    supply = RULES.new(setup_of(modules=["white_castles"])).supply
    assert (supply[tile(LABEL)], supply[tile(LABEL, black=True)]) == (6, 2)
    assert sum(n for t, n in supply.items() if t.type == "building" and not t.black) == 46
    assert sum(n for t, n in supply.items() if t.type == "monastery" and not t.black) == 21
    assert sum(n for t, n in supply.items() if t.black) == 42


def test_with_the_extra_tiles_there_are_44_black_ones() -> None:
    supply = RULES.new(setup_of(modules=["white_castles", "extra_tiles"])).supply
    assert sum(n for t, n in supply.items() if t.black) == 44


def test_a_game_without_them_has_no_such_tile() -> None:
    assert illegal_reason(first_turn(burgundy()), f"place {LABEL} 25 die 1") == "no_such_tile"


# --- W2: a building ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("space", "reason"), [(25, None), (24, "wrong_colour"), (17, "wrong_colour")])
def test_ruling_117_a_white_castle_lies_on_spaces_for_buildings(space: int, reason: str | None) -> None:
    """S759, S677."""
    game = on_turn()
    store(game, LABEL)
    game.player.dice = [game.player.duchy.spaces[space].die]
    assert illegal_reason(game, f"place {LABEL} {space} die {game.player.dice[0]}") == reason


def test_ruling_117_a_city_may_have_several_white_castles() -> None:
    """Settled for ruling 33: only the eight buildings are one of a kind."""
    game = with_white_castle()
    play(game, "workers")
    game.player.dice = [1]
    store(game, LABEL)
    assert illegal_reason(game, f"place {LABEL} 26 die 1") is None


def test_ruling_117_a_carpenter_and_monastery_6_take_white_castles() -> None:
    """S457, S650."""
    game = on_turn((3, 1))
    own(game.player, 6)
    game.player.workers = 2
    fill_depot(game, 4, LABEL)
    store(game, "building/carpenter")
    assert illegal_reason(game, f"buy {LABEL} 4.0") is None
    play(game, "place building/carpenter 25 die 3")
    assert f"take {LABEL} 4.0" in notations(game)


@pytest.mark.parametrize(("number", "reason"), [(9, None), (11, "not_enough_workers")])
def test_ruling_116_monastery_9_helps_to_place_a_white_castle_and_monastery_11_does_not(
    number: int, reason: str | None
) -> None:
    """S659-661: it is a building and no castle."""
    game = on_turn((2, 6))
    own(game.player, number)
    store(game, LABEL)
    assert illegal_reason(game, f"place {LABEL} 25 die 2") == reason


def test_ruling_116_a_white_castle_links_nothing_to_castles() -> None:
    """S699-701: a monastery of duchy 11 beside a white castle, away from the castle."""
    game = module_turn(["white_castles"], (2, 2), duchy="se-11", castle=6, rules={"castle_links": "on"})
    build(game.player, s1=LABEL, s0="building/church")
    store(game, "monastery/15")
    assert illegal_reason(game, "place monastery/15 4 die 2") == "not_linked"


# --- W3, W4: an action with the white die -----------------------------------------------------------------


def test_ruling_57_a_white_castle_opens_an_action_with_the_white_dies_value() -> None:
    """S761: with a 2, the tiles of depot 2, goods 2, spaces with a 2, or workers; never a purchase."""
    game = with_white_castle(2)
    fill_depot(game, 2, "ship")
    fill_depot(game, 4, "mine")
    game.player.goods[2], game.player.goods[5] = 1, 1
    store(game, "ship", "mine")
    assert set(notations(game)) == {"take ship 2.0", "place ship 17", "sell 2", "workers", "skip"}


def test_ruling_57_workers_change_the_value_that_is_read() -> None:
    """S761; the white die itself stays, and so do one's own dice."""
    game = with_white_castle(2)
    game.player.workers = 2
    game.player.goods[4] = 1
    play(game, "sell 4 workers 2")
    assert (game.white, game.player.dice, game.player.workers) == (2, [6], 0)
    assert game.player.goods[4] == 0


def test_ruling_57_a_wrong_number_of_workers_is_refused() -> None:
    game = with_white_castle(2)
    game.player.workers = 2
    game.player.goods[3] = game.player.goods[5] = 1
    assert illegal_reason(game, "sell 3") == "wrong_payment"
    assert illegal_reason(game, "sell 5 workers 3") == "not_enough_workers"


@pytest.mark.parametrize(("monasteries", "gain"), [((), (2, 0)), ((13, 14), (4, 1))])
def test_ruling_114_taking_workers_by_a_white_castle_is_that_action(
    monasteries: tuple[int, ...], gain: tuple[int, int]
) -> None:
    """S761: "an action", so that monasteries 13 and 14 count."""
    game = with_white_castle()
    own(game.player, *monasteries)
    play(game, "workers")
    assert (game.player.workers, game.player.silver) == gain


def test_ruling_114_a_white_castle_may_place_another_which_acts_in_turn() -> None:
    """With a 2: the white castle onto space 22, beside the first castle's neighbours."""
    game = with_white_castle(1)
    store(game, LABEL)
    play(game, f"place {LABEL} 26")
    assert [pending.effect for pending in game.pending] == ["white_castle"]


def test_ruling_115_monastery_8_turns_the_value_read_by_two_for_a_worker() -> None:
    """S655."""
    game = with_white_castle(2)
    own(game.player, 8)
    game.player.workers = 1
    game.player.goods[4] = 1
    assert illegal_reason(game, "sell 4 workers 1") is None


@pytest.mark.parametrize(
    ("number", "white", "tile_in_storage", "move"),
    [
        (9, 1, "building/bank", "place building/bank 22"),
        (10, 2, "ship", "place ship 16"),
        (11, 2, "mine", "place mine 29"),
        (12, 2, "mine", "take castle 1.0"),
    ],
)
def test_ruling_115_the_free_step_that_fits_the_action_helps(
    number: int, white: int, tile_in_storage: str, move: str
) -> None:
    """S659-662: each action is one step away from the value read."""
    game = with_white_castle(white)
    build(game.player, s17="ship", s24="mine", s28="building/church")
    fill_depot(game, 1, "castle")
    store(game, tile_in_storage)
    assert illegal_reason(game, move) == "not_enough_workers"
    own(game.player, number)
    assert illegal_reason(game, move) is None


def test_ruling_116_its_action_may_be_declined() -> None:
    game = with_white_castle()
    play(game, "skip")
    assert not game.pending


def test_ruling_116_its_action_must_be_used_where_a_castles_must() -> None:
    """Table rule castle_action."""
    game = with_white_castle(rules={"castle_action": "mandatory"})
    assert illegal_reason(game, "skip") == "must_be_used"
    assert illegal_reason(game, "workers") is None


def test_ruling_118_after_the_last_round_it_reads_the_last_value_rolled() -> None:
    """S761: at a stage before the end of a phase."""
    with more_modules() as box:
        game = first_turn(box, "white_castles", "twilight")
        game.round, game.white = 4, 5
        game.players[0].storage = [tile(LABEL)]
        space = next(
            s.index
            for s in game.players[0].duchy.spaces
            if game.hooks.open_spaces(game, game.players[0], "building") >> s.index & 1
        )
        game.players[0].goods[5] = 1
        finish_round(game)
        while game.player.colour != "red":
            box.play(game, box.parse_move("rest"))
        box.play(game, box.parse_move(f"late {LABEL} {space}"))
        assert game.white == 5 and "sell 5" in map(str, box.legal_moves(game))


# --- W5: monastery 29, and the crane ----------------------------------------------------------------------


def test_monastery_29_counts_white_castles_at_the_end() -> None:
    """S677: four points each, in the duchy."""
    game = on_turn()
    own(game.player, 29, 22)
    build(game.player, s8=LABEL, s13=LABEL, s11="building/bank")
    store(game, LABEL)
    assert game.hooks.monastery_points(game, game.player) == {"monastery_22": 4, "monastery_29": 8}


def test_ruling_117_monasteries_16_to_23_do_not_count_white_castles() -> None:
    game = on_turn()
    own(game.player, 16, 17, 18, 19)
    build(game.player, s8=LABEL)
    assert game.hooks.monastery_points(game, game.player) == {}


def test_ruling_109_a_crane_may_act_by_the_white_die() -> None:
    """S721: white castles are buildings."""
    game = module_turn(["extra_tiles", "white_castles"], (3, 6), white=4)
    game.player.goods[4] = 1
    store(game, "building/crane")
    play(game, "place building/crane 25 die 3", "use white_castle")
    assert set(notations(game)) == {"sell 4", "workers", "skip"}


def test_ruling_109_without_white_castles_a_crane_is_none() -> None:
    game = module_turn(["extra_tiles"], (3, 6))
    store(game, "building/crane")
    play(game, "place building/crane 25 die 3")
    assert illegal_reason(game, "use white_castle") == "no_such_tile"


def test_ruling_110_a_crane_counts_for_monastery_29() -> None:
    """S725."""
    game = module_turn(["extra_tiles", "white_castles"])
    own(game.player, 29)
    build(game.player, s8="building/crane")
    assert game.hooks.monastery_points(game, game.player) == {"monastery_29": 4}


def test_bots_think_more_of_a_white_castle_than_of_a_bank() -> None:
    game, other = on_turn(), on_turn()
    store(game, LABEL)
    store(other, "building/bank")
    assert RULES.evaluate(game, "red") > RULES.evaluate(other, "red")


# --- W6: the Châteauma ------------------------------------------------------------------------------------


def automa(
    depots: Mapping[int, Sequence[str | None]], inventory: Sequence[str] = (), **options: Any
) -> GameState:
    """The Châteauma's turn, in which it takes a white castle from depot 1 for its card 2."""
    return automa_turn(
        2, modules=["white_castles"], depots={**ON_BOARD, **depots}, stored=inventory, **options
    )


def test_ruling_184_its_white_castle_takes_a_type_that_it_lacks_from_the_white_die_on() -> None:
    """S1241: depot 3 has none such, depot 4 has."""
    game = automa({3: ["ship"], 4: ["ship", "mine"]}, ["ship"], white=3)
    events = take_turn(game)
    assert stored(game) == ["ship", "mine"]
    assert {"white_castle", "lacks_type"} <= set(codes(events))


def test_ruling_184_of_several_missing_types_it_takes_the_first_of_the_inventory() -> None:
    """S1241: mine before ship; in the depot the ship is further up."""
    game = automa({3: ["ship", "mine"]}, white=3)
    take_turn(game)
    assert stored(game) == ["mine"]


def test_ruling_184_of_several_tiles_it_takes_the_uppermost() -> None:
    """S1241."""
    game = automa({3: ["livestock/cow_2", "livestock/pig_4"]}, white=3)
    take_turn(game)
    assert stored(game) == ["livestock/cow_2"]


def test_ruling_184_where_it_lacks_nothing_it_takes_what_it_has_fewest_of() -> None:
    """All depots are searched; the first one that has it from the white die on."""
    game = automa({3: ["ship"], 5: ["mine"], 2: ["mine"]}, ["ship", "mine", "ship"], white=3)
    events = take_turn(game)
    assert stored(game)[-1] == "mine" and game.depots[4][0] is None and game.depots[1][0] is not None
    assert "has_fewest_of" in codes(events)


def test_ruling_184_with_nothing_on_the_board_it_gets_one_silver() -> None:
    """S1241."""
    game = automa({})
    events = take_turn(game)
    assert automa_of(game).silver == 1 and "no_tile_on_board" in codes(events)


def test_ruling_100_the_white_castle_itself_lies_on_its_card_as_a_building() -> None:
    """S1241: what is taken has no effect."""
    game = automa({3: ["building/watchtower"]}, white=3)
    take_turn(game)
    assert stored(game) == ["building/watchtower"] and not automa_of(game).points


@pytest.mark.parametrize(("rule", "taken"), [("missing", "ship"), ("fewest", "mine")])
def test_settled_automa_wants_the_first_type_it_lacks_or_the_one_it_has_fewest_of(
    rule: str, taken: str
) -> None:
    """Ruling 184: ship and mine are both missing; the ship is on its way first, the mine comes first in the order."""
    game = automa({3: ["ship"], 5: ["mine"]}, white=3, rules={"automa_wants": rule})
    take_turn(game)
    assert stored(game) == [taken]
