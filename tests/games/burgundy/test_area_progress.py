"""How far areas are, and what is easily forgotten at the end of a turn."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from companion.games.burgundy.rules.state import GameState
from companion.games.burgundy.rules.tiles import tile
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.support.automa_positions import automa_of, new_automa_game
from tests.support.positions import (
    RULES,
    build,
    fill_depot,
    finish_round,
    last_round,
    on_turn,
    own,
    play,
    store,
)


def area_of(game: GameState, space: int) -> Mapping[str, Any]:
    """Returns red's area around a space, as in the page's data."""
    areas = RULES.view(game)["players"][0]["areas"]
    return next(area for area in areas if space in area["spaces"])


def forgotten(game: GameState, *moves: str) -> list[tuple[str, dict[str, Any]]]:
    """Codes and data of what is missed by ending the turn after *moves*."""
    return [(one.code, dict(one.data)) for one in RULES.reminders(game, [RULES.parse_move(m) for m in moves])]


def codes(game: GameState, *moves: str) -> list[str]:
    return [code for code, _ in forgotten(game, *moves)]


def test_every_space_is_in_one_area() -> None:
    for name in RULES.duchies:
        if len(RULES.duchies[name].spaces) == 37:
            areas = RULES.view(on_turn(duchy=name))["players"][0]["areas"]
            assert sorted(i for area in areas for i in area["spaces"]) == list(range(37))


def test_an_area_shows_what_is_left_and_what_is_within_reach() -> None:
    game = on_turn()
    red = game.player
    mines = next(a for a in red.duchy.areas if a.tile_type == "mine" and a.size > 1)
    first, *others = [i for i in range(37) if mines.spaces >> i & 1]
    build(red, **{f"s{first}": "mine"})
    area = area_of(game, first)
    assert area["left"] == others
    assert set(area["open"]) == {i for i in others if red.duchy.neighbours[first] >> i & 1}


@pytest.mark.parametrize("phase", range(5))
def test_the_points_shown_are_those_of_completing_the_area(phase: int) -> None:
    """Whatever the phase, and with the bonus tile where the area is the last of its type."""
    for duchy in ("se-1", "se-2", "se-3"):
        game = on_turn((6, 6), duchy=duchy)
        game.phase = phase
        red = game.player
        for tile_type in ("castle", "mine", "monastery"):
            spaces = [
                s.index for s in red.duchy.spaces if s.tile_type == tile_type and red.spaces[s.index] is None
            ]
            for space in spaces:
                area = area_of(game, space)
                if area["left"] == [space]:
                    label = f"{tile_type}/13" if tile_type == "monastery" else tile_type
                    store(game, label)
                    red.dice, red.frontier, before = [red.duchy.spaces[space].die], 1 << space, red.score
                    RULES.play(game, RULES.parse_move(f"place {label} {space} die {red.dice[0]}"))
                    game.pending.clear()
                    expected = area["size_points"] + area["phase_points"] + area["bonus_points"]
                    assert red.score - before == expected
                else:
                    build(red, **{f"s{space}": f"{tile_type}/13" if tile_type == "monastery" else tile_type})


def test_a_complete_area_brings_nothing_more() -> None:
    game = on_turn()
    space = beside_the_castle(game, "mine")
    build(game.player, **{f"s{i}": "mine" for i in area_of(game, space)["spaces"]})
    area = area_of(game, space)
    assert area["left"] == area["open"] == []
    assert (area["size_points"], area["phase_points"], area["bonus_points"]) == (0, 0, 0)


def test_the_bonus_tile_is_reported_only_for_the_last_area_and_while_there_is_one() -> None:
    game = on_turn()
    red = game.player
    first, *others = [area for area in red.duchy.areas if area.tile_type == "ship"]
    space = next(i for i in range(37) if first.spaces >> i & 1)
    assert others and area_of(game, space)["bonus_points"] == 0
    build(red, **{f"s{i}": "ship" for area in others for i in range(37) if area.spaces >> i & 1})
    assert area_of(game, space)["bonus_points"] == 5  # two play: the first bonus tile (S519)
    game.bonus_tiles_left = {**game.bonus_tiles_left, "ship": 0}
    assert area_of(game, space)["bonus_points"] == 0


def test_nothing_is_within_reach_once_the_game_is_over() -> None:
    game = last_round()
    finish_round(game)
    assert all(not area["open"] for area in RULES.view(game)["players"][0]["areas"])


# --- reminders --------------------------------------------------------------------------------------------


def test_a_turn_that_uses_everything_is_not_commented_on() -> None:
    assert forgotten(on_turn((1, 2)), "workers die 1", "workers die 2", "end") == []


def test_an_unused_die_is_reported_with_the_workers_it_would_bring() -> None:
    game = on_turn((1, 2))
    assert forgotten(game, "workers die 1", "end") == [("unused_die", {"die": 2, "workers": 2})]
    own(game.player, 14)
    assert forgotten(game, "workers die 1") == [("unused_die", {"die": 2, "workers": 4})]


def beside_the_castle(game: GameState, tile_type: str) -> int:
    """An empty space for a tile type beside red's tiles."""
    red = game.player
    return next(s.index for s in red.duchy.spaces if s.tile_type == tile_type and red.frontier >> s.index & 1)


def a_game_with_a_building_to_place() -> tuple[GameState, int, int]:
    """Returns a game in which red has a bank and a die for a space that takes it, the space and the die."""
    game = on_turn()
    space = beside_the_castle(game, "building")
    die = game.player.duchy.spaces[space].die
    game.player.dice = [die]
    store(game, "building/bank")
    return game, space, die


def test_an_unused_die_is_reported_with_what_it_could_place() -> None:
    game, space, die = a_game_with_a_building_to_place()
    assert forgotten(game) == [("die_places", {"die": die, "tile": "building/bank", "space": space})]


def test_the_free_step_of_a_monastery_is_reported_if_it_would_place_something() -> None:
    game, _, _ = a_game_with_a_building_to_place()
    red = game.player
    beside = [s for s in red.duchy.spaces if s.tile_type == "building" and red.frontier >> s.index & 1]
    spaces = {space.die: space.index for space in reversed(beside)}
    die = next(d for d in range(1, 7) if d not in spaces and d % 6 + 1 in spaces)
    red.dice = [die]
    assert codes(game) == ["unused_die"]
    red.monasteries |= 1 << 9  # wherever it is
    data = {"die": die, "tile": "building/bank", "space": spaces[die % 6 + 1], "number": 9}
    assert forgotten(game) == [("free_step", data)]


def with_silver(silver: int) -> GameState:
    game = on_turn()
    game.player.dice, game.player.silver = [], silver
    fill_depot(game, 0, "mine")
    return game


def test_a_purchase_that_was_not_made_is_reported_when_it_can_be_paid() -> None:
    assert forgotten(with_silver(3)) == [("purchase", {"price": 2, "silver": 3})]
    assert forgotten(with_silver(1)) == []


def test_a_purchase_is_not_reported_once_it_is_made_or_if_it_is_useless() -> None:
    assert codes(with_silver(4), "buy mine 0.0") == []
    full = with_silver(3)
    store(full, "ship", "ship", "castle")
    assert codes(full) == []
    covered = with_silver(3)
    build(
        covered.player,
        **{f"s{s.index}": "mine" for s in covered.player.duchy.spaces if s.tile_type == "mine"},
    )
    assert codes(covered) == []
    last = with_silver(3)
    last.phase, last.round = 4, 4
    assert "purchase" not in codes(last)


def test_the_purchase_of_monastery_6_is_reported() -> None:
    game = on_turn()
    game.player.dice, game.player.workers = [], 3
    fill_depot(game, 2, "building/bank")
    assert codes(game) == []
    own(game.player, 6)
    assert forgotten(game) == [("purchase_monastery_6", {"price": 2, "workers": 3})]


def test_in_the_2011_edition_monastery_6_widens_the_one_purchase() -> None:
    game = on_turn(edition="2011")
    game.player.dice, game.player.silver = [], 2
    fill_depot(game, 2, "mine")
    assert codes(game) == []
    own(game.player, 6)
    assert codes(game) == ["purchase"]


def test_a_skipped_effect_is_reported_if_it_could_be_used() -> None:
    game, space, die = a_game_with_a_building_to_place()
    game.player.storage.clear()
    store(game, "building/market")
    fill_depot(game, 2, "ship")
    place = f"place building/market {space} die {die}"
    assert forgotten(game, place, "skip") == [("effect_not_used", {"effect": "market"})]
    assert "effect_not_used" not in codes(game, place, "take ship 2.0")


def test_nothing_is_reported_while_an_effect_waits() -> None:
    game, space, die = a_game_with_a_building_to_place()
    game.player.storage.clear()
    store(game, "building/market")
    fill_depot(game, 2, "ship")
    game.player.dice = [die, die]
    assert forgotten(game, f"place building/market {space} die {die}") == []


def test_a_building_that_every_town_has_is_reported() -> None:
    game = on_turn((1, 2))
    red = game.player
    fill_depot(game, 1, "building/bank")
    towns = [a for a in red.duchy.areas if a.tile_type == "building"]
    for town in towns:
        build(red, **{f"s{next(i for i in range(37) if town.spaces >> i & 1)}": "building/bank"})
    taken = "take building/bank 1.0 die 1"
    assert ("building_everywhere", {"tile": "building/bank"}) in forgotten(game, taken, "workers die 2")
    own(red, 1)
    assert "building_everywhere" not in codes(game, taken, "workers die 2")


def test_a_tile_that_no_space_is_left_for_is_reported() -> None:
    game = on_turn((1, 2))
    fill_depot(game, 1, "mine")
    build(game.player, **{f"s{s.index}": "mine" for s in game.player.duchy.spaces if s.tile_type == "mine"})
    reminders = forgotten(game, "take mine 1.0 die 1", "workers die 2")
    assert reminders == [("no_space_left", {"tile": "mine", "colour": "mine"})]


def test_what_the_mines_pay_is_reported_with_the_last_turn_of_a_phase() -> None:
    game = on_turn()
    game.player.dice, game.round = [], 4
    build(game.player, **{f"s{s.index}": "mine" for s in game.player.duchy.spaces if s.tile_type == "mine"})
    mines = len(game.player.placed("mine"))
    own(game.player, 2)
    assert codes(game) == []  # blue has not played yet
    game.acted = 0b10
    assert forgotten(game) == [("mines", {"gains": [{"player": "red", "silver": mines, "workers": mines}]})]
    silver = game.player.silver
    play(game, "end")
    assert game.seats[0].silver == silver + mines


def test_the_end_of_the_phase_is_reported_once_however_many_have_mines() -> None:
    game = on_turn(players=4)
    game.player.dice, game.round, game.acted = [], 4, 0b1110
    for player in game.players:
        build(
            player, s0="mine", **{f"s{s.index}": "mine" for s in player.duchy.spaces if s.tile_type == "mine"}
        )
    ((code, data),) = forgotten(game)
    assert code == "mines" and [gain["player"] for gain in data["gains"]] == ["red", "blue", "green", "black"]
    for language in LANGUAGES:
        sentence = Translator(language, strict=True).reminder({"code": code, **data})
        assert sentence.count("phase") == 1 and sentence.count(", ") == 3


def with_the_chateauma(*, has_turn_left: bool) -> GameState:
    """Red's last turn of a phase, with a mine of the Châteauma's."""
    game = new_automa_game(level="easy")
    rng = random.Random(1)
    while game.stage != "turn":
        RULES.play(game, RULES.sample_chance(game, rng) or RULES.legal_moves(game)[0])
    automa_of(game).duchy["mine"].append(tile("mine"))
    game.player.dice, game.round, game.acted = [], 4, 0 if has_turn_left else 1 << game.index("black")
    return game


def test_the_mines_of_the_chateauma_are_reported_too() -> None:
    game = with_the_chateauma(has_turn_left=False)
    assert forgotten(game) == [("mines", {"gains": [{"player": "black", "silver": 1, "workers": 0}]})]


def test_a_phase_that_ends_with_the_chateaumas_turn_is_reported_before_it() -> None:
    """Nobody would be reminded in that turn, which has no choice."""
    game = with_the_chateauma(has_turn_left=True)
    build(game.player, **{f"s{s.index}": "mine" for s in game.player.duchy.spaces if s.tile_type == "mine"})
    ((code, data),) = [one for one in forgotten(game) if one[0].startswith("mines")]
    assert (code, data["player"]) == ("mines_soon", "black")
    assert [gain["player"] for gain in data["gains"]] == ["red", "black"]
    for language in LANGUAGES:
        translator = Translator(language, view={"chateauma": [{"colour": "black"}]}, strict=True)
        assert translator.reminder({"code": code, **data}).count("Châteauma") == 2


def test_nothing_is_reported_outside_a_persons_turn() -> None:
    game = on_turn()
    finish_round(game)
    assert game.stage == "roll" and RULES.reminders(game, []) == []
