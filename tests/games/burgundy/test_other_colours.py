"""Tiles on spaces of another colour: they cover, and nothing else; whatever shows or corrects a duchy takes them."""

from __future__ import annotations

import pytest

from companion.games.burgundy.rules import Burgundy, GameState
from companion.games.burgundy.rules.board import Area, bits
from companion.games.burgundy.rules.decisions import Place
from companion.games.burgundy.rules.tiles import tile
from tests.support.modules import first_turn, setup_of

TILE_OF_TYPE = {
    "castle": "castle",
    "mine": "mine",
    "ship": "ship",
    "livestock": "livestock/cow_3",
    "building": "building/bank",
    "monastery": "monastery/3",
}


def with_hostel(box: Burgundy) -> GameState:
    """Returns a turn with a hostel in storage and workers to place it anywhere."""
    game = first_turn(box, "hostels")
    game.player.storage = [tile("hostel")]
    game.player.workers = 20
    return game


def area_of(game: GameState, tile_type: str, size: int) -> Area:
    """Returns an empty area of this type and size."""
    player = game.player
    return next(
        area
        for area in player.duchy.areas
        if (area.tile_type, area.size) == (tile_type, size) and not area.spaces & player.occupied
    )


def covered(game: GameState, spaces: int, tile_type: str) -> None:
    """Covers these spaces with tiles of their own type."""
    for space in bits(spaces):
        game.player.put(space, tile(TILE_OF_TYPE[tile_type]))


def place(box: Burgundy, game: GameState, space: int) -> list[tuple[str, int]]:
    """Places the hostel by a die that shows the space's value; returns kind and points of the events."""
    die = game.player.duchy.spaces[space].die
    game.player.dice = [die]
    return [(event.kind, event.points) for event in box.play(game, Place("hostel", space, die))]


def beside(game: GameState, space: int) -> None:
    """Puts a tile beside a space, so that it is open."""
    neighbour = next(bits(game.player.duchy.neighbours[space] & ~game.player.occupied))
    tile_type = game.player.duchy.spaces[neighbour].tile_type
    game.player.put(neighbour, tile(TILE_OF_TYPE[tile_type]))


def last_space(game: GameState, tile_type: str, size: int) -> int:
    """Covers an area but for one space, which is returned."""
    area = area_of(game, tile_type, size)
    *others, last = bits(area.spaces)
    covered(game, sum(1 << space for space in others), tile_type)
    if not others:
        beside(game, last)
    return last


def test_it_goes_on_spaces_of_every_colour(box: Burgundy) -> None:
    game = with_hostel(box)
    player = game.player
    for space in bits(player.frontier):
        player.put(space, tile(TILE_OF_TYPE[player.duchy.spaces[space].tile_type]))
    types = {
        player.duchy.spaces[move.space].tile_type
        for move in box.legal_moves(game)
        if isinstance(move, Place) and move.tile == "hostel"
    }
    assert len(types) >= 4


@pytest.mark.parametrize(("tile_type", "size", "points"), [("mine", 1, 3), ("livestock", 3, 10)])
def test_it_completes_an_area_which_is_one_larger(
    box: Burgundy, tile_type: str, size: int, points: int
) -> None:
    game = with_hostel(box)
    if not any((a.tile_type, a.size) == (tile_type, size) for a in game.player.duchy.areas):
        size = max(a.size for a in game.player.duchy.areas if a.tile_type == tile_type)
        points = game.edition.area_points[size + 1]
    last = last_space(game, tile_type, size)
    place(box, game, last)
    assert game.player.points[f"area_{size + 1}"] == points


def test_it_completes_a_colour(box: Burgundy) -> None:
    game = with_hostel(box)
    *others, last = bits(game.player.duchy.of_type["mine"] & ~game.player.occupied)
    covered(game, sum(1 << space for space in others), "mine")
    beside(game, last)
    assert ("bonus_tile", 5) in place(box, game, last)
    assert game.player.bonus_tiles == ["mine"]


def test_it_is_no_tile_of_the_colour_that_it_covers(box: Burgundy) -> None:
    game = with_hostel(box)
    last = last_space(game, "mine", min(a.size for a in game.player.duchy.areas if a.tile_type == "mine"))
    before = game.hooks.mine_income(game, game.player)
    place(box, game, last)
    assert game.hooks.mine_income(game, game.player) == before
    assert tile("hostel") not in game.player.placed("mine") and game.player.placed("hostel") == [
        tile("hostel")
    ]


def test_another_tile_has_a_reason_why_it_does_not_go_there(box: Burgundy) -> None:
    game = with_hostel(box)
    space = last_space(game, "mine", min(a.size for a in game.player.duchy.areas if a.tile_type == "mine"))
    game.player.storage, die = [tile("ship")], game.player.duchy.spaces[space].die
    game.player.dice = [die]
    reason = box.validate(game, Place("ship", space, die))
    assert reason is not None and reason.code == "wrong_colour"


def placed(box: Burgundy) -> tuple[GameState, int]:
    """Returns a game with a hostel on a space for a mine, and the space."""
    game = with_hostel(box)
    space = last_space(game, "mine", min(a.size for a in game.player.duchy.areas if a.tile_type == "mine"))
    place(box, game, space)
    return game, space


def test_a_camera_sees_it_where_it_lies(box: Burgundy) -> None:
    game, space = placed(box)
    assert box.visible_layout(game)["duchy:red"][space] == "hostel"


def test_a_camera_and_the_page_see_what_is_for_sale_beside_the_main_board(box: Burgundy) -> None:
    game = first_turn(box, "hostels")
    game.player.silver = 2
    assert box.visible_layout(game)["hostels"] == ("hostel",)
    assert box.view(game)["hostels"] == {"left": 5, "for_sale": True}
    move = box.parse_move("hostel")
    assert [change.place for change in box.visible_changes(game, move)] == ["hostels:0"]
    box.play(game, move)
    assert box.visible_layout(game)["hostels"] == ("empty",)
    assert "hostels" not in box.visible_layout(first_turn(box)) | box.view(first_turn(box))


def test_the_page_and_the_terminal_show_it(box: Burgundy) -> None:
    game, space = placed(box)
    drawn = box.view(game)["players"][0]["spaces"][space]
    assert (drawn["tile"], drawn["colour"]) == ("hostel", "mine")
    assert "HOST" in box.text_board(game, "red")


def test_the_progress_of_its_area_counts_it(box: Burgundy) -> None:
    game = with_hostel(box)
    area = max((a for a in game.player.duchy.areas if a.tile_type == "building"), key=lambda a: a.size)
    space = next(bits(area.spaces))
    beside(game, space)
    place(box, game, space)
    shown = next(a for a in box.view(game)["players"][0]["areas"] if space in a["spaces"])
    assert space not in shown["left"] and shown["size"] == area.size + 1


def test_a_ruling_puts_it_there_and_takes_it_away(box: Burgundy) -> None:
    game, space = placed(box)
    shown = list(box.visible_layout(game)["duchy:red"])
    shown[space] = "empty"
    box.play(game, box.override(game, {"duchy:red": shown}))
    assert game.player.spaces[space] is None and game.box[tile("hostel")] == 1
    shown[space] = "hostel"
    box.play(game, box.override(game, {"duchy:red": shown}))
    assert game.player.spaces[space] == tile("hostel") and not game.box.get(tile("hostel"))


def test_a_position_with_it_is_written_and_read(box: Burgundy) -> None:
    game, _ = placed(box)
    assert box.from_json(game.to_json()).state_hash() == game.state_hash()


def test_linked_castles_link_it_by_the_colour_of_its_space(box: Burgundy) -> None:
    game = box.new(setup_of("se-15", modules=["hostels", "linked_castles"]))
    player = game.players[0]
    player.put(4, tile("castle"))
    open_ = game.hooks.open_spaces(game, player, "hostel")
    assert open_ == player.frontier & player.duchy.around(player.occupied)
    player.put(next(bits(open_)), tile("hostel"))
    further = game.hooks.open_spaces(game, player, "hostel")
    of_type = player.duchy.of_type
    for space in bits(further):
        there = of_type[player.duchy.spaces[space].tile_type] | of_type["castle"]
        assert player.duchy.neighbours[space] & there & player.occupied
