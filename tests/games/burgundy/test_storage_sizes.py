"""Storage: tiles that need more than one key space."""

from __future__ import annotations

import pytest

from companion.games.burgundy.rules import Burgundy, GameState
from companion.games.burgundy.rules.decisions import Take
from companion.games.burgundy.rules.state import Pending
from companion.games.burgundy.rules.storage import free_spaces, keep_within_storage
from companion.games.burgundy.rules.tiles import tile
from tests.support.modules import first_turn
from tests.support.positions import fill_depot


def storing(box: Burgundy, *labels: str, incoming: str = "ship", **rules: str) -> GameState:
    """Returns a turn with these tiles on three key spaces, of which a ship needs two, and *incoming* in depot 1."""
    game = first_turn(box, "cargo", rules=rules)
    game.player.storage = sorted(map(tile, labels), key=lambda stored: stored.label)
    game.player.dice = [1]
    fill_depot(game, 1, incoming)
    return game


def taken(box: Burgundy, *labels: str, incoming: str = "ship") -> GameState:
    """Returns the same once *incoming* has been taken."""
    game = storing(box, *labels, incoming=incoming)
    box.play(game, Take(incoming, 1, 0, 1))
    return game


def stored(game: GameState) -> list[str]:
    return [there.label for there in game.player.storage]


def legal(box: Burgundy, game: GameState) -> set[str]:
    return set(map(str, box.legal_moves(game)))


@pytest.mark.parametrize(
    ("labels", "incoming", "fits"),
    [
        (["mine", "mine"], "mine", True),
        (["mine", "mine"], "ship", False),
        (["ship"], "mine", True),
        (["ship"], "ship", False),
        (["mine"], "ship", True),
    ],
)
def test_a_tile_is_stored_where_it_has_room(
    box: Burgundy, labels: list[str], incoming: str, fits: bool
) -> None:
    game = taken(box, *labels, incoming=incoming)
    assert bool(game.pending) is not fits
    assert len(stored(game)) == len(labels) + fits


def test_a_module_adds_a_key_space(box: Burgundy) -> None:
    game = first_turn(box, "cargo", "estates")
    game.player.storage = [tile("ship")]
    game.player.dice = [1]
    fill_depot(game, 1, "ship")
    box.play(game, Take("ship", 1, 0, 1))
    assert stored(game) == ["ship", "ship"] and box.view(game)["players"][0]["storage_free"] == 0


@pytest.mark.parametrize(
    ("labels", "incoming", "possible"),
    [
        (["castle", "mine", "mine"], "ship", {"discard castle", "discard mine"}),
        (["castle", "mine"], "ship", {"discard castle", "discard mine"}),
        (["ship", "mine"], "mine", {"discard ship", "discard mine"}),
        (["ship", "mine"], "ship", {"discard ship"}),
        (["ship"], "ship", {"discard ship"}),
    ],
)
def test_only_tiles_are_discarded_that_are_needed_to_make_room(
    box: Burgundy, labels: list[str], incoming: str, possible: set[str]
) -> None:
    assert legal(box, taken(box, *labels, incoming=incoming)) == possible


def test_a_discard_that_is_not_needed_has_a_reason(box: Burgundy) -> None:
    reason = box.validate(taken(box, "ship", "mine"), box.parse_move("discard mine"))
    assert reason is not None and reason.code == "discard_not_needed"


def test_as_many_are_discarded_as_are_needed(box: Burgundy) -> None:
    game = taken(box, "castle", "mine", "mine")
    box.play(game, box.parse_move("discard castle"))
    assert [pending.effect for pending in game.pending] == ["discard"] and "ship" not in stored(game)
    box.play(game, box.parse_move("discard mine"))
    assert game.pending == [] and stored(game) == ["mine", "ship"]


def test_one_is_discarded_though_there_is_room(box: Burgundy) -> None:
    """Overrides of earlier releases left the tile waiting."""
    game = taken(box, "castle", "mine", "mine")
    game.player.storage = [tile("mine")]
    assert legal(box, game) == {"discard mine"}
    box.play(game, box.parse_move("discard mine"))
    assert stored(game) == ["ship"]


def test_what_is_discarded_is_in_the_box(box: Burgundy) -> None:
    game = taken(box, "castle", "mine", "mine")
    before = sum(game.box.values())
    box.play(game, box.parse_move("discard castle"))
    box.play(game, box.parse_move("discard mine"))
    assert sum(game.box.values()) == before + 2


@pytest.mark.parametrize(("incoming", "is_legal"), [("mine", True), ("ship", False)])
def test_a_table_may_forbid_to_buy_what_has_no_room(box: Burgundy, incoming: str, is_legal: bool) -> None:
    game = storing(box, "castle", "mine", full_storage_purchase="forbidden")
    fill_depot(game, 0, incoming)
    game.player.silver = 2
    purchase = box.parse_move(f"buy {incoming} 0.0")
    reason = box.validate(game, purchase)
    assert (reason is None) is (purchase in box.legal_moves(game)) is is_legal
    assert is_legal or (reason is not None and reason.code == "storage_full")


@pytest.mark.parametrize(("incoming", "is_legal"), [("livestock/cow_2", True), ("ship", False)])
def test_an_effect_is_lost_for_a_tile_that_has_no_room(box: Burgundy, incoming: str, is_legal: bool) -> None:
    game = storing(box, "castle", "mine", incoming=incoming, full_storage_effect="lose")
    game.pending = [Pending("market")]
    move = Take(incoming, 1, 0)
    reason = box.validate(game, move)
    assert (reason is None) is (move in box.legal_moves(game)) is is_legal
    assert is_legal or (reason is not None and reason.code == "effect_lost")


def test_a_camera_sees_the_tile_on_each_space_that_it_covers(box: Burgundy) -> None:
    assert box.visible_layout(storing(box, "ship"))["storage:red"] == ("ship", "ship", "empty")


@pytest.mark.parametrize("seen", [("mine", "ship", "ship"), ("mine", "ship", "empty")])
def test_a_tile_seen_on_several_spaces_is_one(box: Burgundy, seen: tuple[str, ...]) -> None:
    game = storing(box)
    box.play(game, box.override(game, {"storage:red": seen}))
    assert stored(game) == ["mine", "ship"]


def test_more_than_fits_cannot_be_stored_by_a_ruling(box: Burgundy) -> None:
    game = storing(box)
    assert box.validate(game, box.parse_move("ruling storage:red=mine,ship")) is None
    reason = box.validate(game, box.parse_move("ruling storage:red=mine,mine,ship"))
    assert reason is not None and reason.code == "ruling_unknown"


@pytest.mark.parametrize(("labels", "free"), [(["ship"], 1), (["mine"], 2), ([], 3)])
def test_the_page_is_told_how_many_spaces_are_free(box: Burgundy, labels: list[str], free: int) -> None:
    (red, _) = box.view(storing(box, *labels))["players"]
    assert red["storage"] == labels and red["storage_free"] == free


@pytest.mark.parametrize(
    ("labels", "possible"),
    [
        (
            ["mine", "mine", "castle", "monastery/2"],
            {"discard mine", "discard castle", "discard monastery/2"},
        ),
        (
            ["mine", "ship", "castle", "monastery/2"],
            {f"discard {t}" for t in ("mine", "castle", "monastery/2", "ship")},
        ),
        (["ship", "ship", "ship"], {"discard ship"}),
    ],
)
def test_whoever_has_more_than_fits_discards_one_after_the_other(
    box: Burgundy, labels: list[str], possible: set[str]
) -> None:
    game = storing(box, *labels)
    keep_within_storage(game, game.player)
    assert {move for move in legal(box, game) if not move.startswith("buy")} == possible
    box.play(game, box.parse_move(min(possible)))
    keep_within_storage(game, game.player)
    assert bool(game.pending) == (free_spaces(game, game.player) < 0)


def test_whatever_makes_room_ends_the_discards(box: Burgundy) -> None:
    game = storing(box, "mine", "mine", "castle", "castle")
    keep_within_storage(game, game.player)
    box.play(game, box.parse_move("ruling storage:red=mine"))
    keep_within_storage(game, game.player)
    assert game.pending == []
