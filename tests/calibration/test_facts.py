"""Printed facts: checksums that the rule text gives, and errors that name file and field."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calibration.games.burgundy.facts import SHIPPED, TILE_TYPES, FactsError, load_facts

ROWS = (4, 5, 6, 7, 6, 5, 4)
Change = Callable[[Any], None]


def area_sizes(spaces: tuple[tuple[str, int], ...], colour: str) -> list[int]:
    """Returns the sizes of a colour's areas, by flooding rows of hexes that are shifted by half a hex."""
    at = {}
    index = 0
    for row, length in enumerate(ROWS):
        for column in range(length):
            at[row, 2 * column - length] = spaces[index][0]
            index += 1
    left = {place for place, here in at.items() if here == colour}
    sizes = []
    while left:
        todo, size = [left.pop()], 0
        while todo:
            row, x = todo.pop()
            size += 1
            for beside in (
                (row, x - 2),
                (row, x + 2),
                *((row + dy, x + dx) for dy in (-1, 1) for dx in (-1, 1)),
            ):
                if beside in left:
                    left.remove(beside)
                    todo.append(beside)
        sizes.append(size)
    return sorted(sizes)


@pytest.fixture
def edit(tmp_path: Path) -> Callable[[str, Change], Path]:
    """Returns a function that copies the shipped facts with one file changed."""

    def edited(name: str, change: Change) -> Path:
        folder = tmp_path / "data"
        shutil.copytree(SHIPPED, folder)
        data = json.loads((folder / name).read_text())
        change(data)
        (folder / name).write_text(json.dumps(data))
        return folder

    return edited


def test_thirty_duchies_of_the_special_edition_and_nine_of_2011_are_known_by_their_set() -> None:
    by_set: dict[str, set[str]] = {}
    for duchy in load_facts().duchies.values():
        by_set.setdefault(duchy.set, set()).add(duchy.id)
    assert by_set == {  # S87-90
        "base": {f"se-{n}" for n in range(1, 11)} | {f"2011-{n}" for n in range(1, 10)},
        "first_expansion": {f"se-{n}" for n in range(11, 19)},
        "championship": {"se-19", "se-20"},
        "special_edition": {"se-21", "se-22"},
        "border_posts": {f"se-{n}" for n in range(23, 31)},
    }


def test_duchies_11_to_18_and_20_to_22_have_one_source_and_the_other_new_ones_two() -> None:
    confidence = {n: load_facts().duchy(f"se-{n}").confidence for n in range(11, 31)}
    assert {n for n, certain in confidence.items() if certain == "one source"} == {*range(11, 19), 20, 21, 22}
    assert set(confidence.values()) == {"one source", "two sources agree"}


def test_the_largest_areas_of_the_special_edition_are_the_city_and_pasture_of_duchy_22() -> None:
    assert area_sizes(load_facts().duchy("se-22").spaces, "building") == [4, 8]
    assert area_sizes(load_facts().duchy("se-22").spaces, "livestock") == [6]
    largest = {
        duchy.id: max(max(area_sizes(duchy.spaces, colour)) for colour in TILE_TYPES)
        for duchy in load_facts().duchies.values()
    }
    assert max(largest.values()) == 8


def test_one_die_grid_serves_every_duchy() -> None:
    assert len({tuple(die for _, die in duchy.spaces) for duchy in load_facts().duchies.values()}) == 1


def test_a_box_holds_four_of_each_duchy_but_of_2011_one_of_most() -> None:
    copies = {id_: fact.copies for id_, fact in load_facts().duchies.items() if fact.copies != 4}
    assert copies == {f"2011-{number}": 1 for number in range(2, 10)}


@pytest.mark.parametrize("duchy_id", load_facts().duchies)
def test_a_duchy_has_the_spaces_of_its_kind(duchy_id: str) -> None:
    colours = Counter(colour for colour, _ in load_facts().duchy(duchy_id).spaces)
    assert colours == {"castle": 4, "mine": 3, "ship": 6, "livestock": 6, "building": 12, "monastery": 6}


def test_duchy_1_has_the_cities_of_the_printed_example() -> None:
    assert area_sizes(load_facts().duchy("se-1").spaces, "building") == [1, 3, 3, 5]


def test_duchy_1_has_its_lone_castle_in_the_centre() -> None:
    spaces = load_facts().duchy("se-1").spaces
    assert area_sizes(spaces, "castle") == [1, 3] and spaces[18] == ("castle", 6)


def test_an_unknown_duchy_lists_those_that_are_known() -> None:
    with pytest.raises(
        FactsError, match=r"no duchy 'se-99' in the data; the known ones are se-1, se-2, .*, 2011-9"
    ):
        load_facts().duchy("se-99")


@pytest.mark.parametrize("edition", ["special", "2011"])
def test_five_phases_at_four_players_use_up_all_tiles_but_the_starting_castles(edition: str) -> None:
    slots = Counter(slot.tile_type for depot in load_facts().main_board(edition, 4).depots for slot in depot)
    supply = {colour: 5 * count for colour, count in slots.items()}
    assert supply == {"building": 40, "monastery": 20, "ship": 20, "livestock": 20, "mine": 10, "castle": 10}
    coloured: Counter[str] = Counter()
    for tile in load_facts().tiles:
        coloured[tile.type] += tile.count if tile.back == "coloured" else 0
    assert coloured == supply | {"castle": 14}


@pytest.mark.parametrize("edition", ["special", "2011"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_depot_fills_as_many_slots_as_there_are_players(edition: str, players: int) -> None:
    assert [len(depot) for depot in load_facts().main_board(edition, players).depots] == [players] * 6


def test_only_three_players_get_a_mine_for_the_castle_of_depot_6_in_phases_b_and_d() -> None:
    for players, colours in (
        (3, "castle mine castle mine castle"),
        (4, "castle castle castle castle castle"),
    ):
        slot = load_facts().main_board("special", players).depots[5][0]
        assert " ".join(slot.tile_type_in(phase) for phase in "ABCDE") == colours


def test_both_editions_fill_the_same_colours() -> None:
    for players in (2, 3, 4):
        special, old = (load_facts().main_board(edition, players).depots for edition in ("special", "2011"))
        for new_depot, old_depot in zip(special, old, strict=True):
            assert sorted(slot.tile_type for slot in new_depot) == sorted(
                slot.tile_type for slot in old_depot
            )


def test_disputed_facts_are_unknown_and_not_invented() -> None:
    board = load_facts().main_board("special", 3)
    assert board.black_slots is None and board.black_confidence == "unknown"
    assert board.black_candidates == (6, 5) and board.likeliest_black_slots == 6
    assert load_facts().goods[0].colours["special"] is None
    third_hex = load_facts().county_cards[8].hexes[2]
    assert third_hex.tile_type is None and set(third_hex.candidates) == {"castle", "livestock"}


def test_the_black_depot_of_the_special_edition_was_seen_with_four_players() -> None:
    boards = {players: load_facts().main_board("special", players) for players in (2, 4)}
    assert {players: board.black_slots for players, board in boards.items()} == {2: 4, 4: 8}
    assert boards[4].black_confidence == "one source" and "photo" in boards[4].black_source[0]


def test_the_slots_that_a_photo_shows_marked_4_are_filled_with_four_players_only() -> None:
    marked = {1: "livestock", 4: "mine", 6: "ship"}
    three, four = (load_facts().main_board("special", players).depots for players in (3, 4))
    for depot, tile_type in marked.items():
        (extra,) = {slot.place for slot in four[depot - 1]} - {slot.place for slot in three[depot - 1]}
        assert [slot.tile_type for slot in four[depot - 1] if slot.place == extra] == [tile_type]


def test_the_black_depot_of_2011_is_used_up_by_four_players() -> None:
    assert [load_facts().main_board("2011", players).black_slots for players in (2, 3, 4)] == [4, 6, 8]
    assert sum(tile.count for tile in load_facts().tiles if tile.back == "black") == 5 * 8


def test_an_unknown_main_board_lists_those_that_are_known() -> None:
    with pytest.raises(
        FactsError, match="no main board '2011' for 5 players in the data; the known ones are special for 2"
    ):
        load_facts().main_board("2011", 5)


def test_there_are_164_hex_tiles() -> None:
    backs: Counter[str | None] = Counter()
    for tile in load_facts().tiles:
        backs[tile.back] += tile.count
    assert backs == {"coloured": 124, "black": 40}


def test_each_animal_is_on_seven_tiles_and_each_building_too() -> None:
    of: Counter[str] = Counter()
    for tile in load_facts().tiles:
        if tile.variant and tile.type != "monastery":
            of[tile.variant.split("_")[0] if tile.type == "livestock" else tile.variant] += tile.count
    assert len(of) == 12 and set(of.values()) == {7}


def test_tiles_are_labelled_as_sightings_label_them() -> None:
    labels = {tile.label for tile in load_facts().tiles}
    assert {"castle", "building/boarding_house", "livestock/chicken_4", "monastery/26"} <= labels


def test_black_backs_of_monasteries() -> None:
    black = {number for number, m in load_facts().monasteries.items() if m.back == "black"}
    assert black == {7, 12, 14, 15, 24, 25}


def test_monasteries_16_to_23_count_the_eight_buildings_once_each() -> None:
    counted = {load_facts().monasteries[number].building for number in range(16, 24)}
    assert counted == {tile.variant for tile in load_facts().tiles if tile.type == "building"}


def test_monastery_15_gives_less_since_2019() -> None:
    assert load_facts().monasteries[15].points == {"special": 2, "2019": 2, "2011": 3}


def test_goods_are_six_kinds_of_seven() -> None:
    assert [(goods.kind, goods.count) for goods in load_facts().goods] == [(kind, 7) for kind in range(1, 7)]


def test_bonus_tiles_are_two_of_each_colour() -> None:
    tiles = load_facts().bonus_tiles
    assert len(tiles) == 12 and len({(tile.tile_type, tile.place) for tile in tiles}) == 12
    assert {tile.place: tile.points[3] for tile in tiles} == {1: 6, 2: 3}


def test_area_points_are_triangular() -> None:
    points = load_facts().area_points
    assert [points[size] - points.get(size - 1, 0) for size in points] == list(range(1, 10))


def test_phase_points_fall_by_two() -> None:
    assert load_facts().phase_points == {"A": 10, "B": 8, "C": 6, "D": 4, "E": 2}


def test_nine_county_cards_give_points_by_their_number_of_hexes() -> None:
    cards = load_facts().county_cards
    assert list(cards) == list(range(1, 10))
    assert {(len(card.hexes), card.points["medium"]) for card in cards.values()} == {
        (3, 12),
        (4, 18),
        (5, 21),
    }


def test_only_the_third_hex_of_card_8_is_open() -> None:
    cards = load_facts().county_cards.values()
    assert [
        (card.number, i) for card in cards for i, hex_ in enumerate(card.hexes) if hex_.tile_type is None
    ] == [(8, 2)]
    assert load_facts().county_cards[8].hexes[2].candidates == ("castle", "livestock")


def test_the_chateaumas_board_has_the_spaces_of_a_duchy_and_its_unseen_print_is_unknown() -> None:
    board = load_facts().automa_board
    assert sum(board.spaces.values()) == 37 and board.edition == "special"
    assert board.symbols == {
        "A": {"building": 2, "livestock": 1, "ship": 1, "monastery": 1},
        "B": {"building": 1, "mine": 1, "castle": 1},
        "D": None,
    }
    assert board.inventory_order is None


def test_shipped_facts_are_read_once() -> None:
    assert load_facts() is load_facts()


def at(*path: str | int, to: Any) -> Change:
    """Returns a change that puts *to* at *path*."""

    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = to

    return change


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (
            "duchies.json",
            at("duchies", 3, "spaces", 12, to=["river", 3]),
            "duchies[3].spaces[12][0]: 'river' is not",
        ),
        (
            "duchies.json",
            at("duchies", 3, "spaces", 12, 1, to=7),
            "duchies[3].spaces[12][1]: 7 is not a whole",
        ),
        (
            "duchies.json",
            at("duchies", 0, "spaces", to=[]),
            "duchies[0].spaces: should have 37 entries, has 0",
        ),
        (
            "duchies.json",
            at("duchies", 0, "spaces", 0, 0, to="mine"),
            "duchies[0].spaces: should have 3 mine",
        ),
        ("duchies.json", at("duchies", 1, "id", to="se-1"), "duchies[1].id: 'se-1' occurs twice"),
        (
            "duchies.json",
            at("duchies", 0, "confidence", to="sure"),
            "duchies[0].confidence: 'sure' is not known",
        ),
        ("duchies.json", at("duchies", 0, "source", to=[]), "duchies[0].source: should have at least 1"),
        (
            "main_board.json",
            at("boards", 0, "depots", 2, 0, "from_players", to=4),
            "boards[0].depots[2]: should fill",
        ),
        (
            "main_board.json",
            at("boards", 0, "by_players", 1, "players", to=2),
            "boards[0].by_players[1].players: 2",
        ),
        (
            "main_board.json",
            at("boards", 0, "by_players", 0, "black_slots", to="?"),
            "boards[0].by_players[0].black",
        ),
        ("main_board.json", at("phase_points", "points", "F", to=1), "phase_points.points.F: unknown field"),
        (
            "main_board.json",
            at("area_points", "points", to={"2": 3}),
            "area_points.points: should go through",
        ),
        ("tiles.json", at("tiles", 1, "coloured", to=11), "tiles: should make 124 tiles with coloured back"),
        ("tiles.json", at("tiles", 4, "variants", "bank", "black", to=3), "tiles[4].black: is 16, but"),
        ("tiles.json", at("bonus_tiles", "first", "2", to=True), "bonus_tiles.first.2: true is not a whole"),
        ("monasteries.json", at("monasteries", 6, "back", to="coloured"), "tiles[5].coloured: is 20, but"),
        ("monasteries.json", at("monasteries", 6, "number", to=6), "monasteries[6].number: 6 occurs twice"),
        ("goods.json", at("goods", 2, "kind", to=2), "goods[2].kind: 2 is not a whole number from 3 to 3"),
        (
            "monasteries.json",
            at("monasteries", 26, "set", to="3rd"),
            "monasteries[26].set: '3rd' is not known",
        ),
        ("expansion_tiles.json", at("sets", 0, "total", to=5), "sets[0].total: is 5, but the tiles and"),
        (
            "expansion_tiles.json",
            at("sets", 2, "set", to="white_castles"),
            "sets[2].set: 'white_castles' occurs twice",
        ),
        (
            "expansion_tiles.json",
            at("sets", 2, "tiles", 0, "back", to="white"),
            "sets[2].tiles[0].back: 'white'",
        ),
        ("shields.json", at("shields", 17, "number", to=17), "shields[17].number: 17 occurs twice"),
        ("shields.json", at("shields", 17, to=None), "shields[17]: should be a table of named fields"),
        ("shields.json", at("laid_out", "at_depots", "3", to=[1]), "laid_out.at_depots.3: should have 6"),
        ("border_posts.json", at("spots", 0, to=[4, 10]), "spots[0]: is none of the possible spots"),
        ("border_posts.json", at("spots", 1, to=[4, 9]), "spots[1]: occurs twice"),
        ("border_posts.json", at("possible_spots", 0, to=[37]), "possible_spots[0][0]: 37 is not a whole"),
        (
            "trade_routes.json",
            at("seen_tiles", 1, "id", to="2019-a"),
            "seen_tiles[1].id: '2019-a' occurs twice",
        ),
        (
            "trade_routes.json",
            at("seen_tiles", 0, "squares", 0, to=[1, "place_tile"]),
            "seen_tiles[0].squares[0][1]: 'place_tile' is not known",
        ),
        (
            "county_cards.json",
            at("county_cards", 0, "points", to={}),
            "county_cards[0].points: the field 'easy'",
        ),
    ],
)
def test_a_wrong_fact_is_named_with_its_file(
    edit: Callable[[str, Change], Path], name: str, change: Change, message: str
) -> None:
    with pytest.raises(FactsError) as caught:
        load_facts(edit(name, change))
    named = "tiles.json" if message.startswith("tiles[5]") else name  # the tiles count the monasteries
    assert str(caught.value).startswith(f"{named}: {message}")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FactsError, match=r"main_board\.json: cannot be read in .*: No such file"):
        load_facts(tmp_path)


def test_a_broken_file_is_named(edit: Callable[[str, Change], Path]) -> None:
    folder = edit("goods.json", lambda data: None)
    (folder / "goods.json").write_text("{")
    with pytest.raises(FactsError, match=r"goods\.json: line 1 is not valid JSON"):
        load_facts(folder)
