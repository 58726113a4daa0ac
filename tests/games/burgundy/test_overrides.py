"""Overrides: the players decide what is where, and nothing appears or disappears."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.burgundy.rules.area_progress import area_progress
from companion.games.burgundy.rules.decisions import Override, Place
from companion.games.burgundy.rules.future_supply import piles
from companion.games.burgundy.rules.state import GameState, Pending
from companion.games.burgundy.rules.tiles import tile
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.games.burgundy.test_rules_properties import by_face, goods_of, setups, some_positions, tiles_of
from tests.support.automa_positions import automa_of, automa_turn
from tests.support.positions import RULES, fill_depot, filled, on_turn, rolled, store

GAME = on_turn()


def overridden(game: GameState, text: str) -> GameState:
    """Plays an override, and returns the game."""
    RULES.play(game, RULES.parse_move(text))
    return game


def code_of(game: GameState, text: str) -> str:
    """Returns the code of the reason why an override is refused."""
    reason = RULES.validate(game, RULES.parse_move(text))
    assert reason is not None
    return reason.code


def test_a_tile_moves_from_the_storage_to_a_space_that_is_not_for_it() -> None:
    game = on_turn()
    store(game, "building/bank")
    overridden(game, "ruling storage:red=- duchy:red:0=building/bank")
    player = game.player
    assert player.storage == [] and player.spaces[0] == tile("building/bank")
    assert player.duchy.neighbours[0] & player.frontier == player.duchy.neighbours[0]


def test_a_tile_that_is_taken_away_goes_into_the_box() -> None:
    game = on_turn()
    fill_depot(game, 3, "mine")
    boxed = Counter(game.box)
    overridden(game, "ruling depot:3:0=empty")
    assert sum((Counter(game.box) - boxed).values()) == 1


def test_goods_are_counted_by_kind() -> None:
    game = overridden(on_turn(), "ruling goods:red=1,1,4 depot_goods:2=3")
    assert game.player.goods == [0, 2, 0, 0, 1, 0, 0] and game.depot_goods[1][3] == 1
    overridden(game, "ruling goods:red=-")
    assert not any(game.player.goods)


def test_workers_silver_and_points_are_set_and_the_score_sheet_adds_up() -> None:
    game = overridden(on_turn(), "ruling workers:red=4 silver:red=2 score:red=7")
    player = game.player
    assert (player.workers, player.silver, player.score) == (4, 2, 7)
    assert sum(player.points.values()) == 7


def test_silver_and_points_of_the_chateauma_are_set_too() -> None:
    game = overridden(automa_turn(), "ruling silver:black=3 score:black=9")
    assert (automa_of(game).silver, automa_of(game).score) == (3, 9)
    assert code_of(game, "ruling workers:black=1") == "ruling_unknown"


def test_a_correct_table_of_the_chateauma_needs_no_override() -> None:
    game = automa_turn(on_left=["building/bank"], own_goods={1: 2}, stored=["mine"])
    assert RULES.override(game, RULES.visible_layout(game)).changes == ()


def test_a_castle_taken_away_leaves_no_open_spaces_around_it() -> None:
    game = overridden(on_turn(), "ruling duchy:red:18=empty")
    assert game.player.occupied == game.player.frontier == 0


def test_a_mine_on_another_space_pays_nothing() -> None:
    game = overridden(on_turn(), "ruling duchy:red:0=mine")
    assert game.player.placed("mine") == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ruling duchy:pink:0=mine", "ruling_unknown"),
        ("ruling duchy:red:37=mine", "ruling_unknown"),
        ("ruling duchy:red:0=river", "ruling_unknown"),
        ("ruling storage:red=mine,mine,ship,ship", "ruling_unknown"),
        ("ruling goods:red=1,2,3,4", "ruling_unknown"),
        ("ruling depot:7:0=mine", "ruling_unknown"),
        ("ruling workers:red=many", "ruling_unknown"),
        ("ruling workers:red=1 workers:red=2", "ruling_unknown"),
        ("ruling goods:red=1,1,1,1,1,1,1,1", "ruling_none_left"),
        ("ruling duchy:red:0=monastery/1 duchy:red:1=monastery/1", "ruling_none_left"),
    ],
)
def test_what_cannot_be_on_this_table_is_refused(text: str, code: str) -> None:
    assert code_of(GAME, text) == code


@pytest.mark.parametrize(
    "text",
    [
        "ruling duchy:red:007=mine",
        "ruling duchy:red:\u0664=mine",
        "ruling depot:03:0=mine",
        "ruling depot:0:0=mine",
        "ruling goods:red=\u0661",
        "ruling workers:red=-1",
        "ruling silver:red=\u0664",
        "ruling score:red=" + "9" * 5000,
        "ruling duchy:red:" + "9" * 5000 + "=mine",
    ],
)
def test_numbers_that_are_not_written_as_in_moves_are_refused(text: str) -> None:
    assert code_of(GAME, text) == "ruling_unknown"


@pytest.mark.parametrize("counter", ["workers", "silver", "score"])
@pytest.mark.parametrize("value", ["1000", "9999999999", "9" * 400])
def test_more_than_anybody_ever_has_is_refused(counter: str, value: str) -> None:
    text = f"ruling {counter}:red={value}"
    impossible = RULES.impossible_reason(RULES.parse_move(text))
    assert impossible is not None and code_of(GAME, text) == impossible.code == "adjust_beyond"
    assert RULES.validate(GAME, RULES.parse_move(f"ruling {counter}:red=999")) is None


def test_overrides_are_not_among_the_legal_moves() -> None:
    assert not any(isinstance(move, Override) for move in RULES.legal_moves(GAME))


def test_the_override_that_shows_something_changes_only_that() -> None:
    game = on_turn()
    store(game, "building/bank")
    shown = {
        "storage:red": ("empty",) * 3,
        "duchy:red": tuple(
            "building/bank" if i == 0 else label
            for i, label in enumerate(RULES.visible_layout(game)["duchy:red"])
        ),
        "goods:red": ("goods/2", "empty", "empty"),
        "depot:1": RULES.visible_layout(game)["depot:1"],
    }
    move = RULES.override(game, shown)
    assert str(move) == "ruling storage:red=- duchy:red:0=building/bank goods:red=2"
    RULES.play(game, move)
    visible = RULES.visible_layout(game)
    assert all(visible[group] == labels for group, labels in shown.items())


def test_a_stack_of_goods_stays_as_high_as_it_was() -> None:
    game = overridden(on_turn(), "ruling goods:red=2,2")
    assert (
        str(RULES.override(game, {"goods:red": ("goods/2", "goods/5", "empty")})) == "ruling goods:red=2,2,5"
    )


# --- a tile that waits for a key space ----------------------------------------------------------------------


def waiting(*also: str) -> GameState:
    """Red has taken a bank into a full storage, and owes a discard; more effects may wait under it."""
    game = on_turn()
    store(game, "mine", "ship", "castle")
    game.pending += [Pending(effect) for effect in also]
    game.pending.append(Pending("discard", "building/bank"))
    game.box = {tile("building/bank"): 1, tile("building/market"): 1}
    return game


def stored(game: GameState) -> list[str]:
    return [t.label for t in game.player.storage]


def banks(game: GameState) -> int:
    return tiles_of(game)["building/bank"]


@pytest.mark.parametrize(
    ("storage", "now"),
    [
        ("-", ["building/bank"]),
        ("mine,ship", ["building/bank", "mine", "ship"]),
        ("building/bank,mine,ship", ["building/bank", "mine", "ship"]),
        ("building/bank", ["building/bank"]),
        ("building/bank,building/bank", ["building/bank", "building/bank"]),
        ("building/market,ship", ["building/bank", "building/market", "ship"]),
    ],
)
def test_a_waiting_tile_goes_where_it_is_named_or_to_a_free_space(storage: str, now: list[str]) -> None:
    game = waiting()
    had = banks(game)
    overridden(game, f"ruling storage:red={storage}")
    assert stored(game) == now and game.pending == [] and banks(game) == had
    assert "end" in [str(move) for move in RULES.legal_moves(game)]


def test_a_waiting_tile_keeps_waiting_if_an_override_leaves_no_space() -> None:
    game = overridden(waiting(), "ruling storage:red=mine,ship,ship")
    assert [pending.incoming for pending in game.pending] == ["building/bank"]
    assert {str(move) for move in RULES.legal_moves(game)} == {"discard mine", "discard ship"}


def test_a_waiting_tile_is_the_one_that_an_override_places_elsewhere() -> None:
    game = waiting()
    boxed = Counter(game.box)
    overridden(game, "ruling duchy:red:0=building/bank")
    assert game.pending == [] and sorted(stored(game)) == ["castle", "mine", "ship"]
    assert Counter(game.box) == boxed


def test_an_override_about_something_else_leaves_the_tile_waiting() -> None:
    game = overridden(waiting(), "ruling workers:red=2 duchy:red:0=building/market")
    assert game.pending[-1].effect == "discard" and len(RULES.legal_moves(game)) == 3


def test_another_players_storage_makes_no_room_for_it() -> None:
    game = overridden(waiting(), "ruling storage:blue=-")
    assert game.pending[-1].effect == "discard"


@pytest.mark.parametrize("effect", ["castle", "town_hall", "warehouse", "market", "ship"])
def test_what_waits_beneath_it_is_decided_next(effect: str) -> None:
    game = overridden(waiting(effect), "ruling storage:red=-")
    assert [pending.effect for pending in game.pending] == [effect] and RULES.legal_moves(game)


# --- what later phases need -------------------------------------------------------------------------------


def four() -> GameState:
    """Four players' first phase: every tile of the supply will be drawn."""
    game = filled(4)
    RULES.play(game, rolled(game))
    return game


def supplied(game: GameState) -> Counter[str]:
    return Counter({label: count for label, count in by_face(game.supply).items() if count})


def test_a_tile_taken_for_another_is_exchanged_with_the_supply() -> None:
    """The tile on the table was drawn, so the tile in its place in the state is still in the supply."""
    game = four()
    number, slot, was = next(
        (n, i, t)
        for n, depot in enumerate(game.depots, 1)
        for i, t in enumerate(depot)
        if t is not None and t.type == "building"
    )
    other = next(b for b in sorted(supplied(game)) if b.startswith("building") and b != was.label)
    before, left = supplied(game), piles(game.supply)
    overridden(game, f"ruling depot:{number}:{slot}={other}")
    after = supplied(game)
    assert after - before == Counter([was.label]) and before - after == Counter([other])
    assert piles(game.supply) == left and not any(game.box.values())


def test_a_tile_from_nowhere_is_refused_while_later_phases_need_all_that_are_left() -> None:
    move = RULES.parse_move("ruling duchy:red:0=mine")
    assert code_of(four(), str(move)) == "tiles_needed"
    game = four()
    game.return_to_box(tile("mine"))
    assert RULES.validate(game, move) is None


def test_goods_that_later_phases_need_cannot_be_removed() -> None:
    game = four()
    assert code_of(game, "ruling depot_goods:2=1,2,3,4,5,6") == "goods_needed"
    overridden(game, "ruling depot_goods:2=1,2,3,4,5")
    assert code_of(game, "ruling depot_goods:3=6") == "goods_needed"
    overridden(game, "ruling depot_goods:2=- depot_goods:3=6")


@settings(max_examples=15, deadline=None)
@given(setups(), st.integers(0, 10**6))
def test_nothing_appears_or_disappears_by_an_override(setup: Any, seed: int) -> None:
    rng = random.Random(seed)
    for position in some_positions(setup, seed, 29):
        game = position.copy()
        if RULES.is_over(game) or game.stage == "setup":
            continue
        visible = RULES.visible_layout(game)
        shown = {
            group: tuple(
                rng.choice(visible[rng.choice(groups)]) if rng.random() < 0.3 else label
                for label in visible[group]
            )
            for groups in (
                [g for g in visible if "goods" not in g and g != "round"],
                [g for g in visible if "goods" in g],
            )
            for group in rng.sample(groups, 3)
        }
        tiles, goods = tiles_of(game), goods_of(game)
        move = RULES.override(game, shown)
        if RULES.validate(game, move) is None:
            RULES.play(game, move)
            assert (tiles_of(game), goods_of(game)) == (tiles, goods)
            assert RULES.from_json(game.to_json()).state_hash() == game.state_hash()


ALONE = ("building/market", 11)
"""A tile, and a space that is an area of its own."""


def all_of(game: GameState, tile_type: str) -> list[int]:
    """The spaces for a tile type in red's duchy."""
    return [space.index for space in game.player.duchy.spaces if space.tile_type == tile_type]


def place(game: GameState, label: str, space: int) -> tuple[int, list[str]]:
    """Red places a tile on a space with any die; returns the points and kinds of events."""
    store(game, label)
    game.player.dice, score = [6], game.player.score
    events = RULES.apply(game, Place(label, space, 6))
    return game.player.score - score, [event.kind for event in events]


def test_what_an_override_has_opened_again_scores_no_second_time() -> None:
    game = on_turn()
    first, _ = place(game, *ALONE)
    assert first == 11
    overridden(game, f"ruling duchy:red:{ALONE[1]}=empty")
    assert game.player.score == 11
    assert place(game, *ALONE) == (0, ["place", "area_again"])
    assert sum(game.player.points.values()) == 11


def test_it_scores_no_second_time_though_an_override_has_filled_and_opened_it_meanwhile() -> None:
    game = on_turn()
    place(game, *ALONE)
    for label in ("empty", ALONE[0], "empty", "mine", "empty"):
        overridden(game, f"ruling duchy:red:{ALONE[1]}={label}")
    assert place(game, *ALONE)[0] == 0


def test_what_an_override_has_filled_without_points_and_opened_again_scores() -> None:
    game = on_turn()
    overridden(game, f"ruling duchy:red:{ALONE[1]}=mine")
    overridden(game, f"ruling duchy:red:{ALONE[1]}=empty")
    assert place(game, *ALONE) == (11, ["place", "area"])


def test_exchanging_a_tile_of_a_full_area_marks_nothing_as_overridden() -> None:
    game = on_turn()
    place(game, *ALONE)
    before = RULES.from_json(game.to_json())
    overridden(game, f"ruling duchy:red:{ALONE[1]}=castle")
    assert game.player.ruled == before.player.ruled == frozenset()


def test_a_bonus_tile_is_won_once_though_an_override_has_opened_its_type() -> None:
    game = on_turn()
    *others, last = all_of(game, "mine")
    for space in others:
        place(game, "mine", space)
    _, kinds = place(game, "mine", last)
    assert "bonus_tile" in kinds and game.player.bonus_tiles == ["mine"]
    left, score = dict(game.bonus_tiles_left), game.player.score
    overridden(game, f"ruling duchy:red:{last}=empty")
    assert place(game, "mine", last) == (0, ["place", "area_again"])
    assert (game.player.bonus_tiles, game.bonus_tiles_left, game.player.score) == (["mine"], left, score)


def test_the_page_promises_no_points_for_what_has_scored() -> None:
    game = on_turn()
    place(game, *ALONE)
    overridden(game, f"ruling duchy:red:{ALONE[1]}=empty")
    (area,) = (area for area in area_progress(game, game.player) if area["spaces"] == [ALONE[1]])
    assert (area["size_points"], area["phase_points"], area["bonus_points"]) == (0, 0, 0)


def test_that_it_has_scored_is_stored_with_the_position() -> None:
    game = on_turn()
    place(game, *ALONE)
    overridden(game, f"ruling duchy:red:{ALONE[1]}=empty")
    copy = RULES.from_json(game.to_json())
    assert copy.state_hash() == game.state_hash() == game.copy().state_hash()
    assert place(copy, *ALONE)[0] == 0


def test_an_override_has_a_sentence_in_every_language() -> None:
    text = (
        "ruling duchy:red:0=mine black:1=empty storage:red=ship,mine goods:red=1,1 depot_goods:3=- "
        "workers:red=1 score:red=9"
    )
    for language in LANGUAGES:
        sentence = Translator(language, strict=True).move(RULES.describe(RULES.parse_move(text)))
        assert sentence.count(", ") >= 6


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("where", ["duchy:red:0", "storage:red", "goods:red", "depot_goods:3"])
def test_nothing_may_be_written_in_either_way_wherever_it_is(where: str, language: str) -> None:
    """As ``-``, like groups, and as ``empty``, like places."""
    game, translator = on_turn(), Translator(language, strict=True)
    moves = [RULES.parse_move(f"ruling {where}={nothing}") for nothing in ("-", "empty")]
    assert [RULES.validate(game, move) for move in moves] == [None, None]
    one, other = (translator.move(RULES.describe(move)) for move in moves)
    assert one == other


def test_several_inns_are_named_where_they_lie_upon_each_other() -> None:
    move = RULES.describe(RULES.parse_move("ruling inns:0=inn,inn"))
    assert Translator("en", strict=True).move(move).endswith("black depot: the inn and the inn")


@pytest.mark.parametrize("group", ["goods:red", "depot_goods:2"])
def test_a_tile_that_is_seen_among_goods_makes_an_override_that_is_refused(group: str) -> None:
    game = on_turn()
    shown = ("building/market", *RULES.visible_layout(game)[group][1:])
    move = RULES.override(game, {group: shown})
    assert code_of(game, str(move)) == "ruling_unknown"
