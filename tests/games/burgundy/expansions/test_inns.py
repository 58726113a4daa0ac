"""Inns (S763-773, S1242), and rulings 119 to 125."""

from __future__ import annotations

import pytest

from companion.games.burgundy.modules.inns.stack import stack_of
from companion.games.burgundy.rules import GameState
from companion.games.burgundy.rules.decisions.depots import removal, take_out, tiles_in
from companion.games.burgundy.rules.moves import BLACK_DEPOT
from companion.games.burgundy.rules.setup_validation import InvalidSetupError
from companion.games.burgundy.rules.tiles import tile
from tests.support.automa_positions import setup_with
from tests.support.module_positions import module_setup, module_turn, next_round
from tests.support.positions import (
    RULES,
    build,
    cover,
    fill_depot,
    illegal_reason,
    notations,
    own,
    play,
    store,
)

INN = tile("inn")
BUY = "buy inn 0.4"
"""The purchase of the inn beside the four spaces of the black depot of two players."""
CITY_SPACES = (25, 26, 31, 32, 36)
"""A city of five on duchy 1, two rows below the castle in the centre."""


def on_turn(*args: object, **options: object) -> GameState:
    return module_turn(["inns"], *args, **options)  # type: ignore[arg-type]


# --- N1, N2: beside the black depot -----------------------------------------------------------------------


def test_ruling_125_each_phase_lays_one_inn_on_those_left_from_before() -> None:
    """S765, ruling 125: five inns, one in each phase, and none is cleared away."""
    game, counts = on_turn(), [1]
    for _ in range(24):
        next_round(game)
        counts.append(stack_of(game).count)
    assert counts[::5] == [1, 2, 3, 4, 5]
    assert INN not in game.box
    assert game.supply[INN] == 0


def test_the_set_up_of_each_phase_names_its_inn() -> None:
    """S765."""
    game = module_setup(["inns"])
    assert {"step": "inn"} in RULES.setup_steps(game)


def test_ruling_58_an_inn_is_bought_like_a_black_tile() -> None:
    """S767: for two silver, into storage."""
    game = on_turn()
    game.player.silver = 2
    (event,) = play(game, BUY)
    assert (event.kind, event.data) == ("buy", {"tile": "inn", "depot": BLACK_DEPOT})
    assert game.player.silver == 0
    assert game.player.storage == [INN]
    assert stack_of(game).count == 0


def test_an_inn_costs_what_a_black_tile_costs() -> None:
    """S767."""
    game = on_turn()
    game.player.silver = 1
    assert illegal_reason(game, BUY) == "not_enough_silver"


def test_only_the_top_of_the_stack_is_visible() -> None:
    """With two there, buying one leaves an inn to be seen."""
    game = on_turn()
    assert RULES.visible_layout(game)["inns"] == ("inn",)
    stack_of(game).count = 2
    assert removal(game, BLACK_DEPOT, 4).label == "inn"
    stack_of(game).count = 1
    assert removal(game, BLACK_DEPOT, 4).label == "empty"


def test_what_cannot_be_bought_beside_the_black_depot_is_told_there() -> None:
    game = on_turn()
    ((move, reason),) = RULES.illegal_moves_at(game, "inns:0")
    assert (str(move), reason.code) == (BUY, "not_enough_silver")


def test_an_inn_is_written_like_any_tile_of_the_black_depot() -> None:
    game = on_turn()
    game.player.silver = 2
    move = RULES.parse_short(game, "buy black inn")
    assert (str(move), RULES.short_notation(game, move)) == (BUY, "buy black inn")


# --- N3 to N6: in a duchy ---------------------------------------------------------------------------------


def test_an_inn_goes_on_a_space_of_any_colour_with_its_number_beside_a_tile() -> None:
    """S769: the normal rules, but for the colour."""
    game = on_turn((5, 1))
    store(game, "inn")
    spaces = game.player.duchy.spaces
    beside = {space.index for space in spaces if game.player.frontier >> space.index & 1}
    placed = {int(text.split()[2]) for text in notations(game, "place inn")}
    assert placed == {index for index in beside if spaces[index].die in (5, 1)}
    assert len({spaces[index].tile_type for index in placed}) > 1


def test_ruling_58_there_is_at_most_one_inn_in_an_area() -> None:
    """S769."""
    game = on_turn((5, 3))
    build(game.player, s25="building/bank", s31="inn")
    store(game, "inn")
    assert illegal_reason(game, "place inn 32 die 5 workers 1") == "inn_in_area"
    assert all(int(text.split()[2]) not in CITY_SPACES for text in notations(game, "place inn"))


def test_an_inn_has_no_effect_when_it_is_placed() -> None:
    """S771: not even on a castle's space."""
    game = on_turn((6, 1), castle=1)
    store(game, "inn")
    events = play(game, "place inn 6 die 6")
    assert [event.kind for event in events] == ["place"]
    assert not game.pending


def test_ruling_58_an_area_with_an_inn_counts_as_one_larger() -> None:
    """S773, and its example S799: 15 points instead of 10 for four spaces."""
    game = on_turn((6, 1))
    build(game.player, s16="ship", s15="ship")
    area = game.player.duchy.area_of[16]
    assert area.size == 3
    build(game.player, s17="inn")
    assert game.hooks.area_size(game, game.player, area) == 4


def test_the_chateauma_does_not_play_with_inns() -> None:
    """S1242."""
    with pytest.raises(InvalidSetupError, match="inns cannot be played with chateauma"):
        RULES.new({**setup_with(), "modules": ["inns"]})


# --- rulings ----------------------------------------------------------------------------------------------


def test_ruling_119_an_inn_is_the_one_purchase_of_the_turn() -> None:
    """S765-767."""
    game = on_turn()
    game.player.silver = 4
    fill_depot(game, BLACK_DEPOT, "mine")
    play(game, BUY)
    assert illegal_reason(game, "buy mine 0.0") == "already_bought"


def test_ruling_119_an_inn_can_be_bought_while_an_effect_waits() -> None:
    """S580: at any moment of the turn."""
    game = on_turn((6, 1), castle=1)
    game.player.silver = 2
    store(game, "castle")
    play(game, "place castle 6 die 6")
    assert game.pending
    play(game, BUY)
    assert game.player.storage == [INN]


def test_ruling_119_a_town_hall_waits_for_an_inn_that_can_be_bought() -> None:
    """S493, S580: it may be bought and placed at once, so that the effect is not lost."""
    game = on_turn((1, 2))
    game.player.silver = 2
    build(game.player, s19="ship", s25="mine")
    store(game, "building/town_hall")
    play(game, "place building/town_hall 26 die 1", BUY, "place inn 32")
    assert game.player.spaces[32] is INN


def test_ruling_119_a_discarded_inn_leaves_the_game() -> None:
    """S338."""
    game = on_turn()
    game.player.silver = 2
    store(game, "inn", "mine", "ship")
    fill_depot(game, BLACK_DEPOT, "mine")
    play(game, "buy mine 0.0", "discard inn")
    assert game.box[INN] == 1
    assert stack_of(game).count == 1


def test_ruling_120_monasteries_9_to_11_do_not_help_to_place_an_inn() -> None:
    """S769: they name other tiles."""
    game = on_turn((6, 6), castle=1)
    own(game.player, 9, 10, 11)
    store(game, "inn")
    assert game.player.frontier >> 5 & 1  # a pasture space with a 1, beside the castle's space
    assert illegal_reason(game, "place inn 5 die 6") == "not_enough_workers"
    game.player.workers = 1
    assert illegal_reason(game, "place inn 5 die 6 workers 1") is None


def test_ruling_120_under_castle_links_an_inn_goes_by_the_colour_of_its_space() -> None:
    """S699-701: duchy 11, a castle on 6; the beige spaces 1 and 2 touch it."""
    game = module_turn(["inns"], (4, 6), duchy="se-11", castle=6, rules={"castle_links": "on"})
    store(game, "inn")
    build(game.player, s12="ship")
    assert illegal_reason(game, "place inn 2 die 4") is None
    build(game.player, s11="ship")
    assert illegal_reason(game, "place inn 18 die 6") == "not_linked"


def test_ruling_102_other_tiles_link_through_an_inn_under_castle_links() -> None:
    """S701: covered is enough."""
    game = module_turn(["inns"], (3, 6), duchy="se-11", castle=6, rules={"castle_links": "on"})
    store(game, "building/bank")
    build(game.player, s2="inn")
    assert illegal_reason(game, "place building/bank 3 die 3") is None


def test_ruling_121_each_printed_area_of_a_colour_may_have_its_inn() -> None:
    """S769."""
    game = on_turn((2, 5))
    build(game.player, s10="inn", s21="ship", s26="building/bank")
    store(game, "inn")
    assert illegal_reason(game, "place inn 27 die 2") is None


def test_ruling_122_it_does_not_matter_when_the_inn_was_laid() -> None:
    """S773: the last tile may be a ship."""
    game = on_turn((6, 1))
    build(game.player, s17="inn", s16="ship")
    store(game, "ship")
    events = play(game, "place ship 15 die 6")
    (area,) = (event for event in events if event.kind == "area")
    assert (area.data["size"], area.points) == (4, 10 + 10)


def test_ruling_122_an_area_of_one_becomes_two() -> None:
    """S773: 3 points and those of the phase."""
    game = on_turn((2, 1))
    build(game.player, s26="building/bank")
    store(game, "inn")
    events = play(game, "place inn 27 die 2")
    (area,) = (event for event in events if event.kind == "area")
    assert (area.data["size"], area.points) == (2, 3 + 10)
    assert game.player.points["area_2"] == 3


def test_ruling_123_an_inn_closes_a_mine_area_without_paying_silver() -> None:
    """S771: the mines pay, the space under the inn does not; the colour's bonus tile is won."""
    game = on_turn((3, 1))
    build(game.player, s24="mine", s29="mine")
    store(game, "inn")
    play(game, "place inn 33 die 3")
    assert game.player.bonus_tiles == ["mine"]
    assert game.hooks.mine_income(game, game.player) == (2, 0)


def test_ruling_123_an_inn_counts_for_no_monastery_that_counts_tiles() -> None:
    """S771: not as livestock, building or goods."""
    game = on_turn()
    own(game.player, 16, 24)
    build(game.player, s0="livestock/cow_3", s4="inn", s11="inn")
    assert game.hooks.monastery_points(game, game.player) == {"monastery_24": 4}


def test_ruling_123_a_covered_castle_space_is_covered_for_its_area() -> None:
    """S771: castles on 1 and 2, an inn on 6: the area of three counts as four."""
    game = on_turn((6, 1), castle=1)
    build(game.player, s2="castle")
    store(game, "inn")
    events = play(game, "place inn 6 die 6")
    assert [event.kind for event in events] == ["place", "area"]
    assert events[1].points == 10 + 10


def test_ruling_124_an_inn_is_a_tile_of_the_black_depot_for_other_effects() -> None:
    """S767: whatever takes a tile of the black depot finds it behind the depot's spaces."""
    game = on_turn()
    *depot, beside = tiles_in(game, BLACK_DEPOT)
    assert depot == game.black
    assert beside is INN
    assert take_out(game, BLACK_DEPOT, len(depot)) is INN
    assert stack_of(game).count == 0


def test_ruling_124_monastery_6_does_not_reach_an_inn() -> None:
    """S650: it names the numbered depots."""
    game = on_turn()
    own(game.player, 6)
    game.player.workers = 2
    assert notations(game, "buy") == []


def test_ruling_125_a_later_phase_needs_its_inn() -> None:
    """S765: a ruling that takes an inn out of the supply would use up one of them."""
    game = on_turn()
    assert illegal_reason(game, "ruling duchy:red:25=inn") == "tiles_needed"
    play_ruling(game, "ruling duchy:red:25=inn inns:0=empty")
    assert game.player.spaces[25] is INN
    assert stack_of(game).count == 0


def test_ruling_125_an_unbought_inn_is_worth_nothing() -> None:
    game = on_turn()
    assert game.hooks.final_points(game, game.player) == {}
    store(game, "inn")
    assert game.hooks.final_points(game, game.player) == {}


def play_ruling(game: GameState, text: str) -> None:
    RULES.play(game, RULES.parse_move(text))


# --- bots, reminders, page --------------------------------------------------------------------------------


def test_a_stored_inn_that_would_complete_an_area_is_a_reminder() -> None:
    """15 points instead of 10 for the four of the city."""
    game = on_turn((6, 3))
    build(game.player, s17="ship", s16="ship")
    store(game, "inn")
    found = {r.code: r.data for r in RULES.reminders(game, [])}
    assert found["inn_completes"] == {"space": 15, "points": 20, "usual": 16}


def test_an_inn_that_completes_nothing_is_no_reminder() -> None:
    game = on_turn((1, 1))
    build(game.player, s17="ship")
    store(game, "inn")
    assert "inn_completes" not in {r.code for r in RULES.reminders(game, [])}


def test_the_purchase_of_an_inn_is_a_reminder() -> None:
    """The black depot is empty, but there is a use for the inn beside it."""
    game = on_turn()
    game.player.silver = 2
    assert "purchase" in {r.code for r in RULES.reminders(game, [])}


def test_a_bot_would_rather_have_the_inn_for_a_larger_area() -> None:
    large, small = on_turn(), on_turn()
    for game, spaces in ((large, CITY_SPACES[:-1]), (small, (22, 23))):
        for space in spaces:
            game.player.put(space, tile("building/bank"))
    gains = []
    for game in (large, small):
        without = RULES.evaluate(game, "red")
        store(game, "inn")
        gains.append(RULES.evaluate(game, "red") - without)
    assert gains[0] > gains[1]


def test_the_view_tells_what_an_area_brings_with_an_inn() -> None:
    game = on_turn()
    build(game.player, s25="building/bank", s22="inn")
    areas = {area["spaces"][0]: area for area in RULES.view(game)["players"][0]["areas"]}
    assert (areas[25]["size_points"], areas[25]["points_with_inn"]) == (15, 21 + 10)
    assert areas[22]["points_with_inn"] is None
    assert RULES.view(game)["inns"] == {"count": 1}


def test_a_game_with_inns_is_read_back_as_it_was_written() -> None:
    game = on_turn()
    game.player.silver = 2
    play(game, BUY)
    assert RULES.from_json(game.to_json()).state_hash() == game.state_hash()


def test_a_covered_duchy_has_no_space_for_an_inn() -> None:
    game = on_turn((1, 2))
    store(game, "inn")
    cover(game.player, *range(37))
    assert notations(game, "place inn") == []
