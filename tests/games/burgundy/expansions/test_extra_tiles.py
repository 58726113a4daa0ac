"""The four extra tiles (S707-735, S1238-1240), with rulings 47, 48, 55, 56 and 107 to 113."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.burgundy.modules.extra_tiles.geese import LABEL as GEESE
from companion.games.burgundy.modules.extra_tiles.hire import Hire
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules import Event, GameState
from companion.games.burgundy.rules.decisions import Roll
from companion.games.burgundy.rules.state import DISCARD, FILL, OVER, ROLL, TURN, Pending
from companion.games.burgundy.rules.tiles import ANIMALS, BUILDINGS, tile
from companion.players.bots import lively_bot
from companion.text.translator import Translator
from tests.support.automa_positions import automa_of, automa_turn, codes, kinds, rolled_automa, take_turn
from tests.support.module_positions import module_setup, module_turn
from tests.support.modules import first_turn, more_modules, setup_of
from tests.support.positions import (
    RULES,
    build,
    dealt,
    fill_depot,
    finish_phase,
    finish_round,
    illegal_reason,
    notations,
    own,
    play,
    store,
)
from tests.support.shields import hold, shield_turn

PASTURE = (0, 4, 5, 9, 10)
"""Of duchy 1, with dice 6, 2, 1, 5 and 4."""
CITY = (25, 26, 31, 32, 36)
"""Of duchy 1, with dice 3, 1, 5, 6 and 3; its first space touches the castle in the centre."""
ALL_BUT_THE_CRANE = {f"use {building}" for building in BUILDINGS}


def on_turn(*args: Any, **options: Any) -> GameState:
    return module_turn(["extra_tiles"], *args, **options)


def with_crane(**options: Any) -> GameState:
    """A turn in which the crane has just been placed in a city of duchy 1."""
    game = on_turn((3, 1), **options)
    store(game, "building/crane")
    play(game, "place building/crane 25 die 3")
    return game


def livestock(events: list[Event]) -> Event:
    """The one event of placed livestock."""
    (event,) = (event for event in events if event.kind == "livestock")
    return event


def at_the_end(game: GameState) -> dict[str, int]:
    """Returns red's points of monasteries if the game ended now."""
    return game.hooks.monastery_points(game, game.players[0])


# --- X1: in the supply ------------------------------------------------------------------------------------


def test_x1_setting_up_says_where_the_extra_tiles_go() -> None:
    """S709."""
    assert {"step": "extra_tiles"} in RULES.setup_steps(RULES.new(setup_of(modules=["extra_tiles"])))


def test_monasteries_are_in_the_yellow_supply_and_crane_and_geese_in_the_black_one() -> None:
    """S709-719, S729: four tiles more; yellow ones are 22 then, black ones 42."""
    supply = RULES.new(setup_of(modules=["extra_tiles"])).supply
    assert sum(n for t, n in supply.items() if t.type == "monastery" and not t.black) == 22
    assert sum(n for t, n in supply.items() if t.black) == 42
    more = {t: n for t, n in supply.items() if t not in RULES.editions["special"].supply}
    assert more == {
        tile("monastery/27"): 1,
        tile("monastery/28"): 1,
        tile("building/crane", black=True): 1,
        tile(GEESE, black=True): 1,
    }


def test_a_game_without_them_knows_neither_tiles_nor_moves() -> None:
    game = first_turn(burgundy())
    assert [illegal_reason(game, move) for move in ("hire", "use bank", "place building/crane 25 die 1")] == [
        "module_not_in_play",
        "module_not_in_play",
        "no_such_tile",
    ]


# --- X2: monastery 27 -------------------------------------------------------------------------------------


def test_ruling_55_monastery_27_lifts_its_marker_when_it_is_placed() -> None:
    """S713: to the top of its stack, and with it comes the white die; the round goes on."""
    game = on_turn((1, 2), players=3)
    game.track[0] = [0, 2, 1]
    store(game, "monastery/27")
    events = play(game, "place monastery/27 12 die 1")
    assert game.track[0] == [2, 1, 0]
    assert [(event.kind, event.player) for event in events[1:]] == [("on_top", "red"), ("white_die", "red")]


def test_ruling_107_monastery_27_says_nothing_where_its_marker_is_on_top_already() -> None:
    game = on_turn((1, 2), players=3)
    store(game, "monastery/27")
    assert kinds(play(game, "place monastery/27 12 die 1")) == ["place"]


def test_ruling_107_monastery_27_keeps_its_marker_on_top_of_whoever_arrives() -> None:
    """S713: also passively."""
    game = on_turn((2, 1), players=3)
    game.track = [[2, 0], [1], *game.track[2:]]
    own(game.players[1], 27)
    store(game, "ship")
    events = play(game, "place ship 17 die 2")
    assert game.track[1] == [0, 1]
    assert ("on_top", "blue") in [(event.kind, event.player) for event in events]
    assert "white_die" not in kinds(events)


def test_ruling_107_a_copied_monastery_27_lifts_no_marker() -> None:
    """S917: shield 6 excludes it."""
    game = shield_turn((2, 1), players=3, also=["extra_tiles"])
    game.track = [[2, 0], [1], *game.track[2:]]
    own(game.players[2], 27)
    hold(game, game.players[1], 6)
    RULES.play(game, RULES.parse_move("copy blue green"))
    store(game, "ship")
    play(game, "place ship 17 die 2")
    assert game.track[1] == [1, 0]


def test_ruling_107_without_monastery_27_the_last_to_arrive_is_on_top() -> None:
    game = on_turn((2, 1), players=3)
    game.track = [[2, 0], [1], *game.track[2:]]
    store(game, "ship")
    play(game, "place ship 17 die 2")
    assert game.track[1] == [1, 0]


def test_its_owners_ship_goes_on_top_like_any_other() -> None:
    game = on_turn((2, 1), players=3)
    game.track = [[2, 0], [1], *game.track[2:]]
    own(game.players[0], 27)
    store(game, "ship")
    assert "on_top" not in kinds(play(game, "place ship 17 die 2"))
    assert game.track[1] == [1, 0]


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 2))
def test_whatever_happens_the_owner_of_monastery_27_is_on_top_and_pays_what_it_has(
    seed: int, owner: int
) -> None:
    """S713, S717: in games to their end, with everything else of the module."""
    game, rng = on_turn(players=3), random.Random(seed)
    own(game.players[owner], 27, 28)
    game.hooks.stack_markers(game, 0, [])
    bot = lively_bot(seed)
    while game.stage != OVER:
        RULES.play(game, RULES.sample_chance(game, rng) or bot(RULES, game))
        assert next(space for space in game.track if owner in space)[-1] == owner
        assert min(min(player.silver, player.workers) for player in game.players) >= 0
    sheet = RULES.score_sheet(game)
    assert all(sum(sheet[player.colour].values()) == player.score for player in game.players)


# --- X3: monastery 28 -------------------------------------------------------------------------------------


def test_ruling_56_monastery_28_sells_two_workers_for_a_silver_as_often_as_one_likes() -> None:
    """S717."""
    game = on_turn()
    own(game.player, 28)
    game.player.silver = 2
    play(game, "hire", "hire")
    assert (game.player.silver, game.player.workers) == (0, 4)
    assert illegal_reason(game, "hire") == "not_enough_silver"


def test_monastery_28_is_of_no_use_before_it_lies_in_the_duchy() -> None:
    """S717."""
    game = on_turn()
    store(game, "monastery/28")
    game.player.silver = 2
    assert illegal_reason(game, "hire") == "needs_monastery_28"


def test_hired_workers_are_no_action() -> None:
    """S717, S650: monasteries 13 and 14 name the action; both dice stay."""
    game = on_turn((1, 2))
    own(game.player, 28, 13, 14)
    game.player.silver = 1
    play(game, "hire")
    assert (game.player.silver, game.player.workers, game.player.dice) == (0, 2, [1, 2])


def test_ruling_108_monastery_28_may_be_used_while_an_effect_waits() -> None:
    """S717: at any time, even while a tile waits for a key space."""
    game = on_turn()
    own(game.player, 28)
    game.player.silver = 1
    for pending in (Pending("castle"), Pending(DISCARD, "mine")):
        game.pending = [pending]
        assert illegal_reason(game, "hire") is None


def test_ruling_108_monastery_28_may_be_used_in_the_turns_of_others() -> None:
    """S717: by name; who is in turn needs none."""
    game = on_turn()
    blue = game.players[1]
    own(blue, 28)
    blue.silver = 1
    assert RULES.out_of_turn_moves(game) == [Hire("blue")]
    assert RULES.validate(game, Hire("blue")) is None
    events = RULES.play(game, Hire("blue"))
    assert (blue.silver, blue.workers) == (0, 4) and game.seat is game.players[0]
    assert [(event.kind, event.player) for event in events] == [("hire", "blue")]
    assert RULES.out_of_turn_moves(game) == []


@pytest.mark.parametrize("name", ["red", "green"])
def test_ruling_108_a_name_is_for_others_of_the_game(name: str) -> None:
    game = on_turn()
    own(game.player, 28)
    game.player.silver = 1
    assert illegal_reason(game, f"hire {name}") == "hire_who"


@pytest.mark.parametrize("stage", [FILL, ROLL])
def test_ruling_108_monastery_28_may_be_used_between_the_rounds(stage: str) -> None:
    game = on_turn()
    own(game.players[0], 28)
    game.players[0].silver = 1
    (finish_phase if stage == FILL else finish_round)(game)
    assert game.stage == stage
    before = game.players[0].workers
    reason = RULES.validate(game, Hire())
    assert reason is not None and reason.code == "hire_who"
    assert RULES.out_of_turn_moves(game) == [Hire("red")]
    RULES.play(game, Hire("red"))
    assert game.players[0].workers == before + 2 and game.stage == stage


def test_ruling_108_monastery_28_may_be_used_at_the_end_of_a_phase() -> None:
    """By whoever decides there without a name, by others with it."""
    with more_modules() as box:
        game = first_turn(box, "extra_tiles", "twilight")
        for player in game.players:
            own(player, 28)
            player.silver = 1
        game.round = 4
        finish_round(game)
        assert game.stage == "twilight"
        assert Hire() in box.legal_moves(game)
        assert box.out_of_turn_moves(game) == [Hire("blue" if game.player.colour == "red" else "red")]
        colour = game.player.colour
        box.play(game, Hire())
        assert game.player.colour == colour and game.player.workers == 2


def test_ruling_108_monastery_28_may_be_used_in_the_chateaumas_turn() -> None:
    game = rolled_automa(2, modules=["extra_tiles"])
    own(game.players[0], 28)
    while game.stage == TURN:
        play(game, "end")
    assert game.stage == "own_die"
    assert RULES.out_of_turn_moves(game) == [Hire("red")]
    assert RULES.validate(game, Hire("red")) is None


def test_nobody_hires_before_the_first_phase_or_after_the_last() -> None:
    game = module_setup(["extra_tiles"])
    own(game.players[0], 28)
    game.players[0].silver = 1
    game.stage = OVER
    reason = RULES.validate(game, Hire("red"))
    assert reason is not None and reason.code == "wrong_stage"
    assert RULES.out_of_turn_moves(game) == []


def test_a_bot_that_has_workers_hires_no_more_for_their_own_sake() -> None:
    """Two workers more bring less than the silver that they cost."""
    game = on_turn()
    own(game.player, 28)
    game.player.silver, game.player.workers = 3, 4
    before = RULES.evaluate(game, "red")
    play(game, "hire")
    assert RULES.evaluate(game, "red") < before


# --- X4, X5: the crane ------------------------------------------------------------------------------------


def test_ruling_48_the_crane_has_the_effect_of_any_building_owned_or_not() -> None:
    """S721-723: those of the eight whose effect does something now."""
    game = with_crane()
    assert set(notations(game, "use")) == {"use bank", "use boarding_house", "use watchtower"}
    fill_depot(game, 2, "ship", "building/bank")
    fill_depot(game, 3, "mine")
    game.player.goods[1] = 1
    store(game, "mine")
    assert set(notations(game, "use")) == ALL_BUT_THE_CRANE


@pytest.mark.parametrize(
    ("building", "gain"), [("bank", (2, 0, 0)), ("boarding_house", (0, 4, 0)), ("watchtower", (0, 0, 4))]
)
def test_ruling_109_the_crane_pays_like_the_building_it_is_used_as(
    building: str, gain: tuple[int, int, int]
) -> None:
    game = with_crane()
    player = game.player
    before = player.score
    play(game, f"use {building}")
    assert (player.silver, player.workers, player.score - before) == gain
    assert not game.pending


def test_ruling_109_a_choice_of_the_building_follows() -> None:
    """S469-477: a church takes a mine, a monastery or a castle of the six depots, and no ship."""
    game = with_crane()
    fill_depot(game, 3, "castle", "ship")
    play(game, "use church")
    assert notations(game, "take") == ["take castle 3.0"]
    play(game, "take castle 3.0")
    assert tile("castle") in game.player.storage and not game.pending


def test_ruling_109_the_crane_used_as_a_warehouse_sells_as_one() -> None:
    """S481, monasteries 3 and 4."""
    game = with_crane()
    own(game.player, 3, 4)
    game.player.goods[5] = 2
    before = game.player.score
    play(game, "use warehouse", "sell 5")
    assert (game.player.score - before, game.player.silver, game.player.workers) == (4, 2, 1)


def test_ruling_109_the_cranes_effect_may_be_declined() -> None:
    """S721: "can"."""
    game = with_crane()
    play(game, "skip")
    assert not game.pending


@pytest.mark.parametrize("building", ["market", "crane", "warehouse"])
def test_ruling_109_the_crane_is_not_used_as_what_would_do_nothing_nor_as_itself(building: str) -> None:
    assert illegal_reason(with_crane(), f"use {building}") == "building_does_nothing"


def test_the_crane_is_used_when_it_is_placed_and_not_later() -> None:
    """S721: "immediately"."""
    game = with_crane()
    assert illegal_reason(game, "end") == "other_choice_first"
    play(game, "use bank")
    assert illegal_reason(game, "use bank") == "no_effect"


def test_ruling_113_a_crane_is_a_building_for_the_die_and_the_city_has_its_own_rule() -> None:
    """Monastery 9 helps to place it; a crane is none of the eight buildings (settled for ruling 33)."""
    game = on_turn((2, 4))
    own(game.player, 9)
    build(game.player, s25="building/bank")
    store(game, "building/crane", "building/crane")
    play(game, "place building/crane 26 die 2", "skip")
    assert illegal_reason(game, "place building/crane 31 die 4") is None


@pytest.mark.parametrize("number", range(16, 24))
def test_ruling_110_at_the_end_the_crane_counts_for_a_monastery_that_counts_buildings(number: int) -> None:
    """S725-727, whatever it was used as."""
    game = with_crane()
    play(game, "use bank")
    own(game.player, number)
    assert at_the_end(game) == {f"monastery_{number}": 4}


@pytest.mark.parametrize("numbers", [(16, 20), (16, 23), (20, 23)])
def test_ruling_110_of_two_monasteries_the_crane_counts_for_one(numbers: tuple[int, int]) -> None:
    """S725: "a building"."""
    game = with_crane()
    own(game.player, *numbers)
    assert sum(at_the_end(game).values()) == 4


def test_ruling_110_without_such_a_monastery_or_in_storage_the_crane_counts_for_none() -> None:
    game = with_crane()
    own(game.player, 15, 24)
    assert at_the_end(game) == {}
    other = on_turn()
    own(other.player, 16)
    store(other, "building/crane")
    assert at_the_end(other) == {}


# --- X6, X7, X8: the geese --------------------------------------------------------------------------------


def test_ruling_47_geese_score_with_one_other_kind_of_animal_in_their_pasture() -> None:
    """S731-733: with 2 cows and 3 cows."""
    game = on_turn((5, 1))
    build(game.player, s4="livestock/cow_2", s5="livestock/cow_3")
    store(game, GEESE)
    assert livestock(play(game, f"place {GEESE} 9 die 5")).points == 7


def test_ruling_111_of_several_kinds_the_one_that_brings_most_scores() -> None:
    """S731: one other kind."""
    game = on_turn((5, 1))
    build(game.player, s0="livestock/pig_2", s4="livestock/cow_3", s5="livestock/pig_2")
    store(game, GEESE)
    event = livestock(play(game, f"place {GEESE} 9 die 5"))
    assert (event.points, event.data["tiles"]) == (6, 3)


def test_ruling_112_livestock_that_joins_geese_scores_them_too() -> None:
    """S731-733: four pigs beside the geese."""
    game = on_turn((4, 1))
    build(game.player, s4="livestock/cow_2", s5="livestock/cow_3", s9=GEESE)
    store(game, "livestock/pig_4")
    assert livestock(play(game, "place livestock/pig_4 10 die 4")).points == 6


def test_ruling_112_geese_of_another_pasture_do_not_count() -> None:
    """S731: the same pasture; space 27 of duchy 1 is one of its own."""
    game = on_turn((4, 1))
    build(game.player, s11="building/bank", s27=GEESE)
    store(game, "livestock/pig_4")
    assert livestock(play(game, "place livestock/pig_4 10 die 4")).points == 4


def test_ruling_112_geese_are_a_further_kind_for_monastery_24() -> None:
    """S731, S745."""
    game = on_turn()
    build(game.player, s4="livestock/cow_2", s5="livestock/cow_3", s9=GEESE)
    own(game.player, 24)
    assert at_the_end(game) == {"monastery_24": 8}


def test_ruling_112_with_all_five_kinds_monastery_24_brings_20() -> None:
    game = on_turn()
    herd = dict(zip(("s0", "s4", "s5", "s10"), (f"livestock/{animal}_2" for animal in ANIMALS), strict=True))
    build(game.player, s9=GEESE, **herd)
    own(game.player, 24)
    assert at_the_end(game) == {"monastery_24": 20}


def test_ruling_113_monastery_10_helps_to_place_geese() -> None:
    """S660: they are livestock; the back matters no more."""
    game = on_turn((6, 1))
    build(game.player, s4="livestock/cow_2")
    own(game.player, 10)
    store(game, GEESE)
    assert illegal_reason(game, f"place {GEESE} 9 die 6") is None


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from([f"livestock/{a}_{n}" for a in ANIMALS for n in (2, 3, 4)]), max_size=4),
    st.booleans(),
)
def test_geese_bring_two_and_the_best_kind_whatever_lies_there(herd: list[str], monastery_7: bool) -> None:
    """S731, S745: compared with the points of each kind, added up by hand."""
    game = on_turn((4, 1))
    build(game.player, s11="building/bank", **{f"s{s}": t for s, t in zip(PASTURE, herd, strict=False)})
    own(game.player, *([7] if monastery_7 else []))
    store(game, GEESE)
    by_kind = [
        sum(tile(t).animals + monastery_7 for t in herd if tile(t).animal == animal) for animal in ANIMALS
    ]
    event = livestock(play(game, f"place {GEESE} 10 die 4"))
    assert event.points == 2 + monastery_7 + max(by_kind)


# --- what bots and people are told ------------------------------------------------------------------------


def test_a_die_that_could_place_with_hired_workers_is_reminded_of() -> None:
    """The mine's space 24 has a 4: two workers from a 2."""
    game = on_turn((2, 6))
    own(game.player, 28)
    game.player.dice = [2]
    game.player.silver = 2
    store(game, "mine")
    reminders = [r for r in RULES.reminders(game, []) if r.code == "hire_to_place"]
    assert [r.data for r in reminders] == [{"die": 2, "tile": "mine", "space": 24, "silver": 1}]


@pytest.mark.parametrize("silver", [0, 1])
def test_no_silver_or_not_enough_reminds_of_nothing(silver: int) -> None:
    """From a 1 to the 4 of space 24 it takes three workers."""
    game = on_turn((1, 6))
    own(game.player, 28)
    game.player.dice = [1]
    game.player.silver = silver
    store(game, "mine")
    assert "hire_to_place" not in [r.code for r in RULES.reminders(game, [])]


def test_bots_think_more_of_geese_with_a_herd_and_of_a_crane_than_of_a_bank() -> None:
    game, other = on_turn(), on_turn()
    for there in (game, other):
        build(there.player, s4="livestock/cow_4", s5="livestock/cow_4")
    store(game, GEESE)
    store(other, "livestock/pig_2")
    assert RULES.evaluate(game, "red") > RULES.evaluate(other, "red")
    crane, bank = on_turn(), on_turn()
    store(crane, "building/crane")
    store(bank, "building/bank")
    assert RULES.evaluate(crane, "red") > RULES.evaluate(bank, "red")


def test_bots_think_more_of_geese_in_a_pasture_with_room() -> None:
    roomy, full = on_turn(), on_turn()
    build(roomy.player, s9=GEESE)
    build(full.player, s27=GEESE)
    for game in (roomy, full):
        game.player.frontier = 0
    assert RULES.evaluate(roomy, "red") > RULES.evaluate(full, "red")


def test_nobody_is_asked_again_for_a_roll_by_a_purchase() -> None:
    """A purchase between the rounds leaves the game waiting for the same roll."""
    game = on_turn()
    own(game.players[1], 28)
    game.players[1].silver = 1
    finish_round(game)
    RULES.play(game, Hire("blue"))
    assert isinstance(dealt(game), Roll)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            [
                "Red: used the crane as the bank",
                "Red: 2 silver received",
                "Red: hired 2 workers for 1 silver",
                "Red: put the marker on top of the stack (monastery 27)",
                "Red: is first player now and takes the white die",
            ],
        ),
        (
            "fr",
            [
                "Rouge : fait agir la grue comme la banque",
                "Rouge : reçoit 2 pièces d’argent",
                "Rouge : achète 2 ouvriers pour 1 pièce d’argent",
                "Rouge : met son marqueur au sommet de la pile (monastère 27)",
                "Rouge : devient premier joueur et prend le dé blanc",
            ],
        ),
    ],
)
def test_what_the_tiles_do_has_its_sentence(language: str, expected: list[str]) -> None:
    game = with_crane()
    own(game.player, 28)
    store(game, "monastery/27")
    game.track[0] = [0, 1]
    events = play(game, "use bank", "hire", "place monastery/27 12 die 1")
    translator = Translator(language, strict=True, view=RULES.view(game))
    sentences = [translator.event(event.to_json()) for event in events if event.kind != "place"]
    assert [sentence.replace("\N{NO-BREAK SPACE}", " ") for sentence in sentences] == expected


# --- X9: the Châteauma ------------------------------------------------------------------------------------


def automa(*args: Any, **options: Any) -> GameState:
    return automa_turn(*args, modules=["extra_tiles"], **options)


@pytest.mark.parametrize("number", [27, 28])
def test_ruling_100_monasteries_27_and_28_do_nothing_for_the_chateauma(number: int) -> None:
    """S1238: four points at the end like any other (S1208)."""
    game = automa(5, depots={1: [f"monastery/{number}"]})
    order = game.order()
    take_turn(game)
    assert game.order() == order
    assert game.hooks.final_points(game, automa_of(game))["monasteries"] == 4


def test_ruling_185_its_crane_has_the_benefit_of_a_castle() -> None:
    """S1239: one more tile, searched from the white die on."""
    game = automa(2, white=3, die=1, depots={1: ["building/crane"], 2: ["mine"], 4: ["livestock/cow_3"]})
    events = take_turn(game)
    assert automa_of(game).points == {"livestock": 3}
    assert {"crane", "starts_at_white_die"} <= set(codes(events)) and "castle" not in codes(events)


def test_ruling_185_with_both_cards_full_its_crane_sells() -> None:
    """S1153."""
    game = automa(
        2,
        None,
        on_left=[None, "building/bank", "livestock/cow_2", "monastery/1"],
        depots={1: ["building/crane"]},
        own_goods={4: 2},
    )
    assert "cards_full" in codes(take_turn(game)) and automa_of(game).points["sales"] == 4


def test_ruling_183_its_geese_count_as_the_animal_with_most_heads() -> None:
    """S1240: on cards and in the duchy; of sheep there are more tiles, of cows more heads."""
    game = automa(
        9,
        depots={1: [GEESE]},
        duchy=["livestock/cow_4", "livestock/cow_3", "livestock/sheep_2"],
        on_right=["livestock/sheep_2", None, None, "livestock/sheep_2"],
    )
    events = take_turn(game)
    assert automa_of(game).points == {"livestock": 9} and "geese_count_as" in codes(events)


def test_ruling_183_without_other_animals_its_geese_score_two() -> None:
    game = automa(9, depots={1: [GEESE]})
    events = take_turn(game)
    assert automa_of(game).points == {"livestock": 2} and "geese_count_as" not in codes(events)


def test_ruling_183_later_any_animal_scores_with_its_geese() -> None:
    """S1240."""
    game = automa(9, depots={1: ["livestock/pig_3"]}, duchy=[GEESE, "livestock/pig_2", "livestock/cow_4"])
    events = take_turn(game)
    assert automa_of(game).points == {"livestock": 7} and "geese_join" in codes(events)
