"""Printed facts of the expansions: what the rule texts say about them, line by line."""

from __future__ import annotations

from collections import Counter

import pytest

from calibration.board_shape import STANDARD
from calibration.games.burgundy.facts import FactsError, load_facts

NEXT = 1.1
"""Pitches within which two spaces touch."""


def touching() -> dict[int, set[int]]:
    """Returns the neighbours of each space of a standard duchy."""
    (x0, y0), (x1, y1) = STANDARD.centres_mm[0], STANDARD.centres_mm[1]
    pitch = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    return {
        i: {
            j
            for j, there in enumerate(STANDARD.centres_mm)
            if 0 < ((here[0] - there[0]) ** 2 + (here[1] - there[1]) ** 2) ** 0.5 < NEXT * pitch
        }
        for i, here in enumerate(STANDARD.centres_mm)
    }


def steps(start: tuple[int, ...], end: tuple[int, ...]) -> int:
    """Returns the fewest tiles that link two spots."""
    around, reached, tiles = touching(), set(start), 1
    while not reached & set(end):
        reached |= set().union(*(around[space] for space in reached))
        tiles += 1
    return tiles


# --- hex tiles ----------------------------------------------------------------------------------------------


def test_the_base_game_has_no_tiles_of_an_expansion() -> None:
    assert {tile.set for tile in load_facts().tiles} == {"base"}
    expansions = {tile.label for tiles in load_facts().expansion_tiles.values() for tile in tiles}
    assert not expansions & {tile.label for tile in load_facts().tiles}


@pytest.mark.parametrize(
    ("expansion", "tiles"),
    [
        (
            "extra_tiles",  # S106, S709-731
            {
                ("building/crane", "black"): 1,
                ("livestock/geese_2", "black"): 1,
                ("monastery/27", "coloured"): 1,
                ("monastery/28", "coloured"): 1,
            },
        ),
        (
            "white_castles",  # S110, S759
            {
                ("building/white_castle", "coloured"): 6,
                ("building/white_castle", "black"): 2,
                ("monastery/29", "coloured"): 1,
            },
        ),
        ("inns", {("inn", None): 5}),  # S114
    ],
)
def test_the_tiles_of_an_expansion_by_label_and_back(
    expansion: str, tiles: dict[tuple[str, str | None], int]
) -> None:
    there = load_facts().tiles_of(expansion)
    assert {(tile.label, tile.back): tile.count for tile in there} == tiles
    assert {tile.set for tile in there} == {expansion}
    assert {tile.confidence for tile in there} == {"two sources agree"}


def test_an_expansion_without_hex_tiles_is_named_with_those_that_have_some() -> None:
    with pytest.raises(
        FactsError, match=r"no tiles of 'vineyards' in the data; .* extra_tiles, white_castles, inns"
    ):
        load_facts().tiles_of("vineyards")


def test_with_both_sets_46_buildings_23_monasteries_and_44_black_tiles_are_in_the_supplies() -> None:
    facts = load_facts()
    counts: Counter[str] = Counter()
    for tile in (*facts.tiles, *facts.tiles_of("extra_tiles"), *facts.tiles_of("white_castles")):
        counts[tile.type if tile.back == "coloured" else "black"] += tile.count
    assert (counts["building"], counts["monastery"], counts["black"]) == (46, 23, 44)


# --- shields ------------------------------------------------------------------------------------------------


def test_eighteen_shields_are_worth_12_8_or_4_points_in_six_numbers_each() -> None:
    points = {number: shield.end_points for number, shield in load_facts().shields.shields.items()}
    assert points == {n: 12 if n <= 6 else 8 if n <= 12 else 4 for n in range(1, 19)}  # S912-929


def test_three_players_get_one_shield_at_odd_depots_and_two_at_even_ones() -> None:
    laid_out = load_facts().shields.laid_out
    assert laid_out == {2: (1,) * 6, 3: (1, 2, 1, 2, 1, 2), 4: (2,) * 6}  # S884-894
    assert max(map(sum, laid_out.values())) <= len(load_facts().shields.shields)


# --- border posts -------------------------------------------------------------------------------------------


def test_a_post_can_be_at_18_notches_and_6_corners_of_the_outline() -> None:
    around = touching()
    outline = {space for space, beside in around.items() if len(beside) < 6}
    corners = {(space,) for space, beside in around.items() if len(beside) == 3}
    notches = {(space, other) for space in outline for other in around[space] & outline if space < other}
    possible = load_facts().border_posts.possible_spots
    assert set(possible) == corners | notches and len(possible) == len(set(possible)) == 24


def test_possible_spots_go_round_the_duchy() -> None:
    possible = load_facts().border_posts.possible_spots
    assert all(
        set(one) & set(after) for one, after in zip(possible, (*possible[1:], possible[0]), strict=True)
    )


def test_posts_are_five_tiles_apart_and_only_inferred() -> None:
    posts = load_facts().border_posts
    left, right, bottom = posts.spots
    assert [steps(left, right), steps(left, bottom), steps(right, bottom)] == [5, 5, 5]
    assert posts.confidence == "inferred"


LINES = ((4, 5, 6, 7, 8), (9, 16, 23, 29, 34), (14, 20, 26, 31, 35))
"""Straight lines of five spaces between the posts."""


def test_duchy_23_alone_has_lines_of_one_colour_between_the_posts() -> None:
    spots = load_facts().border_posts.spots
    assert all(
        any(line[0] in one and line[-1] in other for one in spots for other in spots) for line in LINES
    )
    in_one_colour = {
        duchy.id: sum(len({duchy.spaces[space][0] for space in line}) == 1 for line in LINES)
        for duchy in load_facts().duchies.values()
    }
    assert {name: count for name, count in in_one_colour.items() if count} == {"se-23": 3}


def test_the_border_bonus_is_worth_what_the_bonus_tile_of_a_colour_is() -> None:
    first, second = load_facts().border_posts.bonus_points
    assert (first, second) == ({2: 5, 3: 6, 4: 7}, {2: 2, 3: 3, 4: 4})  # S753


# --- trade routes -------------------------------------------------------------------------------------------


def test_no_more_route_tiles_are_dealt_than_a_box_holds_and_all_of_them_with_three_or_four_players() -> None:
    routes = load_facts().trade_routes
    dealt = {players: players * tiles for players, tiles in routes.tiles_per_player.items()}  # S777
    assert dealt == {2: 10, 3: 12, 4: 12} and routes.tiles_in_box == 12  # S102


def test_three_route_tiles_of_each_printing_were_seen_by_one_source() -> None:
    seen = load_facts().trade_routes.seen_tiles.values()
    assert Counter(tile.edition for tile in seen) == {"2019": 3, "special": 3}
    assert {tile.confidence for tile in seen} == {"one source"}
    assert len({tile.squares for tile in seen}) == 6


def test_each_bonus_that_is_called_seen_is_on_a_tile_and_the_others_are_on_none() -> None:
    routes = load_facts().trade_routes
    on_tiles = {bonus for tile in routes.seen_tiles.values() for _, bonus in tile.squares}
    assert on_tiles == set(routes.seen_bonuses)
    assert routes.bonuses == (*routes.seen_bonuses, "take_ship_or_livestock", "place_tile")
