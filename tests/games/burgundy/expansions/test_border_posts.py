"""Border posts (S749-755), and rulings 126 to 129. The Châteauma's are in test_border_posts_automa.py."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.burgundy.modules.border_posts.hooks import BorderPostHooks
from companion.games.burgundy.modules.border_posts.links import linked, missing, side_of
from companion.games.burgundy.modules.border_posts.state import links_of
from companion.games.burgundy.rules.decisions import StartCastle
from companion.games.burgundy.rules.setup_validation import InvalidSetupError
from tests.support.border_posts import (
    DOWN,
    FIRST_ONLY,
    LINE,
    NOT_COUNTED,
    POSTS,
    links_in,
    place_monastery,
    place_ship,
    post_turn,
)
from tests.support.islands import SETUP as ISLANDS
from tests.support.islands import with_islands
from tests.support.module_positions import module_setup
from tests.support.modules import setup_of
from tests.support.positions import RULES, USUAL, build, cover, play, store

SPOTS = ((4, 9), (8, 14), (34, 35))
LEFT_RIGHT, LEFT_BOTTOM, RIGHT_BOTTOM = (0, 1), (0, 2), (1, 2)


# --- B1 to B4 ---------------------------------------------------------------------------------------------


def test_the_bonus_tiles_lie_on_the_main_board_from_the_start() -> None:
    """S749."""
    game = module_setup(POSTS, duchy="se-23")
    assert RULES.view(game)["border_posts"] == {"tiles_left": 2}
    assert {"step": "border_tiles"} in RULES.setup_steps(RULES.new(setup_of("se-23", modules=POSTS)))


@pytest.mark.parametrize("number", range(1, 31))
def test_every_duchy_can_be_played_with_border_posts(number: int) -> None:
    """S755: they are on the player board."""
    game = RULES.new(setup_of(f"se-{number}", modules=POSTS))
    everything = game.players[0].duchy.everything
    assert linked(game.players[0].duchy, everything, SPOTS) == {LEFT_RIGHT, LEFT_BOTTOM, RIGHT_BOTTOM}


def test_ruling_59_two_linked_posts_bring_the_points_of_the_phase() -> None:
    """S751."""
    game = post_turn()
    game.phase = 3
    cover(game.player, *LINE[:-1])
    (link,) = (event for event in place_monastery(game) if event.kind == "border_link")
    assert (link.points, link.data) == (4, {"sides": ["north_west", "north_east"]})
    assert game.player.points["border_links"] == 4


@pytest.mark.parametrize(("players", "points"), [(2, (5, 2)), (3, (6, 3)), (4, (7, 4))])
def test_ruling_59_the_first_two_with_all_three_linked_get_the_tiles(
    players: int, points: tuple[int, int]
) -> None:
    """S753: 5/6/7 for the first one, 2/3/4 for the second."""
    game = post_turn(players=players)
    for turn, expected in enumerate((*points, None)):
        if turn == players:
            break
        game.turn = turn
        game.player.dice = [4, 1]
        cover(game.player, *LINE, *DOWN[:-1])
        bonus = [event.points for event in place_ship(game) if event.kind == "border_bonus"]
        assert bonus == ([] if expected is None else [expected])
        game.pending.clear()
    assert links_of(game).tiles_left == 0


def test_a_link_is_told_after_the_area_that_the_tile_completes() -> None:
    """Ruling 103: area, colour, then border posts."""
    game = post_turn()
    cover(game.player, *LINE[:-1])
    assert [event.kind for event in place_monastery(game)] == ["place", "area", "border_link"]


# --- the owner's print ------------------------------------------------------------------------------------


def test_the_posts_stand_where_they_are_printed_or_where_the_owner_says() -> None:
    assert links_of(RULES.new(setup_of(modules=POSTS))).spots == SPOTS
    places = [[3], [15], [35, 34]]
    game = RULES.new(setup_of(modules=POSTS, border_posts={"places": places}))
    assert links_of(game).spots == ((3,), (15,), (34, 35))


@pytest.mark.parametrize(
    ("places", "why"),
    [
        ([[4, 9], [8, 14]], "3 different places"),
        ([[4, 9], [9, 4], [34, 35]], "3 different places"),
        ([[4, 9], [8, 14], [18]], "no border post can touch"),
        ([[4, 9], [8, 14], [33, 35]], "no border post can touch"),
    ],
)
def test_impossible_places_are_refused(places: list[list[int]], why: str) -> None:
    with pytest.raises(InvalidSetupError, match=why):
        RULES.new(setup_of(modules=POSTS, border_posts={"places": places}))


@pytest.mark.parametrize(
    ("part", "why"),
    [
        (7, "border_posts: should be a table"),
        ({"places": 7}, "border_posts: places: should be a list"),
        ({"places": [[4.0, 9], [8, 14], [34, 35]]}, "4.0 is not a whole number"),
        ({"place": []}, "did you mean 'places'"),
    ],
)
def test_a_part_of_a_set_up_that_is_no_places_is_refused_by_name(part: object, why: str) -> None:
    with pytest.raises(InvalidSetupError, match=why):
        RULES.new(setup_of(modules=POSTS, border_posts=part))


def test_a_board_of_another_shape_has_no_border_posts() -> None:
    with pytest.raises(InvalidSetupError, match="no border posts beside"):
        with_islands().new({**ISLANDS, "modules": POSTS})


def test_each_post_is_named_by_where_it_stands() -> None:
    duchy = RULES.duchies["se-23"]
    assert [side_of(duchy, spot) for spot in SPOTS] == ["north_west", "north_east", "south"]
    assert [side_of(duchy, spot) for spot in ((15,), (21,), (1, 2), (33,))] == [
        "west",
        "east",
        "north",
        "south_west",
    ]


# --- rulings ----------------------------------------------------------------------------------------------


def test_ruling_126_each_newly_linked_pair_pays() -> None:
    """S751: the third post reached is linked with both others."""
    game = post_turn()
    cover(game.player, *LINE, *DOWN[:-1])
    assert links_in(place_ship(game)) == [10, 10]


def test_ruling_126_all_three_pairs_in_one_placement_pay_three_times() -> None:
    """Three chains from the posts meet in the centre."""
    game = post_turn((6, 1))
    cover(game.player, 4, 10, 11, 8, 13, 19, 34, 29, 24)
    store(game, "building/market")
    events = play(game, "place building/market 18 die 6")
    assert links_in(events) == [10, 10, 10]
    assert game.player.bonus_tiles == ["border"]


def test_ruling_126_a_pair_pays_once_a_game() -> None:
    """Whatever a ruling takes away in between."""
    game = post_turn()
    cover(game.player, *LINE[:-1])
    place_monastery(game)
    RULES.play(game, RULES.parse_move("ruling duchy:red:8=empty"))
    game.player.dice = [4, 1]
    assert links_in(place_monastery(game)) == []


def test_ruling_126_a_ruling_that_links_two_posts_neither_pays_nor_takes_back() -> None:
    game = post_turn()
    cover(game.player, *LINE[:-1])
    score = game.player.score
    RULES.play(game, RULES.parse_move("ruling duchy:red:8=monastery/14"))
    assert game.player.score == score
    cover(game.player, *DOWN[:-1])
    assert links_in(place_ship(game)) == [10, 10]  # the pair of the ruling stays unpaid
    RULES.play(game, RULES.parse_move("ruling duchy:red:34=empty"))
    assert game.player.points["border_links"] == 20
    assert game.player.bonus_tiles == ["border"]


@pytest.mark.parametrize(("rules", "points"), [(USUAL, [10, 10]), (FIRST_ONLY, [])])
def test_settled_border_links_pay_for_each_pair_or_for_the_first_only(
    rules: Mapping[str, str], points: list[int]
) -> None:
    game = post_turn(rules=rules)
    cover(game.player, *LINE[:-1])
    assert links_in(place_monastery(game)) == [10]
    cover(game.player, *DOWN[:-1])
    game.player.dice = [4, 1]
    events = place_ship(game)
    assert links_in(events) == points
    assert "border_bonus" in {event.kind for event in events}


def test_ruling_127_tiles_of_any_kind_link_the_starting_castle_too() -> None:
    """S751 "with hex tiles"."""
    game = post_turn()
    player = game.player
    build(player, s5="inn", s6="inn", s7="inn")
    assert missing(player.duchy, player.occupied, SPOTS, LEFT_RIGHT) == 2
    build(player, s4="ship")
    assert missing(player.duchy, player.occupied, SPOTS, LEFT_RIGHT) == 1
    assert missing(player.duchy, player.duchy.everything & ~0b11_1111_1111, SPOTS, LEFT_BOTTOM) == 1


def test_ruling_127_one_of_the_two_spaces_beside_a_post_is_enough() -> None:
    game = post_turn()
    duchy = game.player.duchy
    line = sum(1 << space for space in (9, 10, 11, 12, 13, 14))
    assert linked(duchy, line, SPOTS) == {LEFT_RIGHT}


def test_ruling_127_tiles_that_do_not_touch_are_no_chain() -> None:
    duchy = RULES.duchies["se-23"]
    covered = sum(1 << space for space in LINE if space != 6)
    assert linked(duchy, covered, SPOTS) == set()
    assert missing(duchy, covered, SPOTS, LEFT_RIGHT) == 1


def test_ruling_127_the_shortest_link_takes_five_tiles() -> None:
    duchy = RULES.duchies["se-1"]
    assert [missing(duchy, 0, SPOTS, pair) for pair in (LEFT_RIGHT, LEFT_BOTTOM, RIGHT_BOTTOM)] == [5, 5, 5]


@given(covered=st.integers(0, 2**37 - 1), space=st.integers(0, 36))
def test_a_tile_never_breaks_a_link_and_brings_posts_nearer_by_one_at_most(covered: int, space: int) -> None:
    duchy = RULES.duchies["se-1"]
    for pair in (LEFT_RIGHT, LEFT_BOTTOM, RIGHT_BOTTOM):
        before = missing(duchy, covered, SPOTS, pair)
        after = missing(duchy, covered | 1 << space, SPOTS, pair)
        assert before is not None and after is not None
        assert before - 1 <= after <= before


@given(covered=st.integers(0, 2**37 - 1))
def test_posts_are_linked_when_no_tile_is_missing_between_them(covered: int) -> None:
    duchy = RULES.duchies["se-1"]
    pairs = (LEFT_RIGHT, LEFT_BOTTOM, RIGHT_BOTTOM)
    none_missing = {pair for pair in pairs if missing(duchy, covered, SPOTS, pair) == 0}
    assert linked(duchy, covered, SPOTS) == none_missing


def test_ruling_128_the_third_player_with_all_posts_linked_gets_no_tile() -> None:
    """S753."""
    game = post_turn(players=3)
    links_of(game).tiles_left = 0
    cover(game.player, *LINE, *DOWN[:-1])
    events = place_ship(game)
    assert links_in(events) == [10, 10]
    assert "border_bonus" not in {event.kind for event in events}


def test_ruling_128_the_border_tile_is_a_bonus_tile_for_monastery_26() -> None:
    """S122, S689."""
    game = post_turn()
    build(game.player, s30="monastery/26")
    game.player.bonus_tiles = ["mine", "border"]
    assert game.hooks.monastery_points(game, game.player) == {"monastery_26": 6}


@pytest.mark.parametrize(("rules", "points"), [(USUAL, {"monastery_26": 3}), (NOT_COUNTED, {})])
def test_settled_border_tile_counts_for_monastery_26_or_does_not(
    rules: Mapping[str, str], points: dict[str, int]
) -> None:
    game = post_turn(rules=rules)
    build(game.player, s30="monastery/26")
    game.player.bonus_tiles = ["border"]
    assert game.hooks.monastery_points(game, game.player) == points


@pytest.mark.parametrize(("rules", "points"), [(USUAL, 10), (NOT_COUNTED, 5)])
def test_ruling_128_what_doubles_bonus_tiles_doubles_the_border_tile(
    monkeypatch: pytest.MonkeyPatch, rules: Mapping[str, str], points: int
) -> None:
    """S122, S918: but for the table rule."""
    monkeypatch.setattr(BorderPostHooks, "bonus_tile_points", lambda self, game, seat, printed: 2 * printed)
    game = post_turn(rules=rules)
    cover(game.player, *LINE, *DOWN[:-1])
    place_ship(game)
    assert game.player.points["border_bonus"] == points


def test_ruling_129_the_phase_is_the_one_in_progress() -> None:
    """Also for a tile that is laid after its last round: the phase has not ended."""
    game = post_turn()
    game.phase, game.round = 4, 5
    cover(game.player, *LINE[:-1])
    assert links_in(place_monastery(game)) == [2]


def test_ruling_129_a_starting_castle_that_touches_two_posts_links_them() -> None:
    """Only where the owner's board has such posts: the space 0 of duchy 23 is for a castle."""
    places = {"places": [[0, 1], [0, 4], [34, 35]]}
    game = RULES.new(setup_of("se-23", modules=POSTS, border_posts=places))
    events = RULES.play(game, StartCastle("red", 0))
    assert links_in(events) == [10]


# --- bots and page ----------------------------------------------------------------------------------------


def test_a_bot_values_a_tile_on_the_way_between_two_posts() -> None:
    game = post_turn()
    cover(game.player, 4, 5)
    on_the_way, elsewhere = game.copy(), game.copy()
    cover(on_the_way.player, 6)
    cover(elsewhere.player, 30)
    assert RULES.evaluate(on_the_way, "red") > RULES.evaluate(elsewhere, "red")


def test_the_view_tells_what_is_linked_and_what_is_missing() -> None:
    game = post_turn()
    cover(game.player, *LINE, 9, 16)
    left, right, bottom = RULES.view(game)["players"][0]["border_posts"]
    assert (left["touches"], left["side"], left["linked"]) == ([4, 9], "north_west", [1])
    assert (left["missing"], left["missing_to"]) == (3, [None, None, 3])
    assert right["linked"] == [0]
    assert (bottom["linked"], bottom["missing"]) == ([], 3)


def test_a_game_with_border_posts_is_read_back_as_it_was_written() -> None:
    game = post_turn()
    cover(game.player, *LINE[:-1])
    place_monastery(game)
    again = RULES.from_json(game.to_json())
    assert again.state_hash() == game.state_hash()
    assert again.module_states["border_posts"].key() == game.module_states["border_posts"].key()
    cover(again.player, *DOWN[:-1])
    again.player.dice = [4, 1]
    assert links_in(place_ship(again)) == [10, 10]
