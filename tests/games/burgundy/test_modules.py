"""Modules: found by their folder, compiled for one game at a time, and without trace where they are not played."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import pytest

from companion.games.burgundy import modules
from companion.games.burgundy.modules.chateauma import choosing
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules import Burgundy, Event, GameState
from companion.games.burgundy.rules.board import bits
from companion.games.burgundy.rules.hooks import Hooks
from companion.games.burgundy.rules.module import Module
from companion.games.burgundy.rules.setup_validation import InvalidSetupError
from companion.games.burgundy.rules.state import Player
from companion.games.burgundy.rules.tiles import Tile, tile
from tests.support.automa_positions import setup_with
from tests.support.modules import FOLDER, first_turn, played, setup_of
from tests.support.positions import RULES, on_turn

BASE = Path(modules.__file__).parents[1] / "rules"
HOSTELS = ["hostels"]
TILE_OF_TYPE = {
    "castle": "castle",
    "mine": "mine",
    "ship": "ship",
    "livestock": "livestock/cow_3",
    "building": "building/bank",
    "monastery": "monastery/3",
}


def test_the_box_has_the_modules_that_have_a_folder() -> None:
    folders = sorted(path.parent.name for path in Path(modules.__file__).parent.glob("*/__init__.py"))
    assert sorted(burgundy().modules) == folders


def test_a_folder_is_all_that_a_module_needs(box: Burgundy) -> None:
    folders = [path.parent.name for path in FOLDER.glob("*/__init__.py")]
    assert sorted(box.modules) == sorted([*burgundy().modules, *folders])
    game = box.new(setup_of(modules=HOSTELS))
    while not box.is_over(game):
        played(box, game, 1, seed=len(game.score_history) + game.state_hash().count("1"))
    assert len(game.score_history) == 26


@pytest.mark.parametrize(
    "word",
    [
        "ch[aâ]teauma",
        "automa",
        "county",
        "castle_links",
        "outpost",
        "crane",
        "geese",
        "white.castles?",
        "inns?",
        "border.posts?",
        "trade.routes?",
        "shields?",
        *burgundy().modules,
    ],
)
def test_the_base_rules_name_no_module(word: str) -> None:
    named = re.compile(rf"\b{word}\b", re.IGNORECASE)
    found = [path.name for path in BASE.rglob("*.py") if named.search(path.read_text(encoding="utf-8"))]
    assert found == []


def test_two_games_with_different_modules_do_not_touch_each_other(box: Burgundy) -> None:
    plain, other = box.new(setup_of()), box.new(setup_of(modules=HOSTELS))
    offered = set()
    for seed in range(200):
        played(box, plain, 1, seed)
        played(box, other, 1, seed)
        assert "hostel" not in map(str, box.legal_moves(plain))
        offered |= set(map(str, box.legal_moves(other)))
    assert "hostel" in offered


def test_games_with_different_modules_are_played_at_once(box: Burgundy) -> None:
    """Each thread's games go as they do alone."""
    chosen = [(), ("hostels",), ("cargo", "fairs"), ("tithes", "twilight")]

    def ending(modules: Sequence[str]) -> str:
        return played(box, box.new(setup_of(modules=list(modules))), 400).state_hash()

    alone = list(map(ending, chosen))
    with ThreadPoolExecutor(len(chosen)) as pool:
        assert list(pool.map(ending, chosen)) == alone
    assert len(set(alone)) == len(chosen)


def test_equal_games_share_their_compiled_rules() -> None:
    assert RULES.new(setup_of()).ruleset is RULES.new(setup_of("se-2")).ruleset


def test_a_module_that_is_not_played_changes_no_hash(box: Burgundy) -> None:
    for _ in range(20):
        assert (
            played(RULES, RULES.new(setup_of()), _).state_hash()
            == played(box, box.new(setup_of()), _).state_hash()
        )


def test_the_state_of_a_module_is_stored_with_the_game(box: Burgundy) -> None:
    game = played(box, box.new(setup_of(modules=HOSTELS)), 100)
    stored = json.loads(json.dumps(game.to_json()))
    assert stored["modules"] == {"hostels": game.module_states["hostels"].to_json()}
    again = box.from_json(stored)
    assert again.state_hash() == game.state_hash()
    assert box.legal_moves(again) == box.legal_moves(game)


def test_a_copy_has_its_own_state_of_a_module(box: Burgundy) -> None:
    game = box.new(setup_of(modules=HOSTELS))
    before = game.state_hash()
    copy = game.copy()
    copy.module_states["hostels"].left = 0  # type: ignore[attr-defined]  # of this module
    assert game.state_hash() == before != copy.state_hash()


def test_positions_that_differ_in_the_state_of_a_module_have_different_keys(box: Burgundy) -> None:
    game = first_turn(box, "hostels")
    other = game.copy()
    other.module_states["hostels"].left = 1  # type: ignore[attr-defined]  # of this module
    assert box.transposition_key(game) != box.transposition_key(other)
    assert box.end_of_turn_key(game) != box.end_of_turn_key(other)


def test_its_moves_are_read_but_not_legal_in_a_game_without_it(box: Burgundy) -> None:
    game = played(box, box.new(setup_of()), 6)
    move = box.parse_move("hostel")
    reason = box.validate(game, move)
    assert reason is not None and reason.code == "module_not_in_play"
    assert reason.data == {"game_module": "hostels"}


def test_a_tile_of_a_module_is_none_in_a_game_without_it(box: Burgundy) -> None:
    game = played(box, box.new(setup_of()), 6)
    reason = box.validate(game, box.parse_move("place hostel 3 die 1"))
    assert reason is not None and reason.code == "no_such_tile"


def test_a_module_named_at_set_up_switches_its_table_rule_on() -> None:
    game = RULES.new(setup_of("se-11", modules=["linked_castles"]))
    assert game.rules.to_json()["castle_links"] == "on"
    assert game.state_hash() == RULES.new(setup_of("se-11", rules={"castle_links": "on"})).state_hash()


def test_a_modules_table_rule_is_part_of_a_state_only_where_it_is_not_as_usual() -> None:
    """States and journals of earlier releases know no rule that came later."""
    usual, chosen = (
        RULES.new(setup_with(rules=rules))
        for rules in ({"automa_wants": "missing"}, {"automa_wants": "fewest"})
    )
    assert "automa_wants" not in usual.to_json()["rules"]
    assert usual.state_hash() == RULES.new(setup_with()).state_hash() != chosen.state_hash()
    assert RULES.from_json(chosen.to_json()).rules.plays("automa_wants", "fewest")


def test_the_table_rules_of_a_game_are_those_of_its_modules_too() -> None:
    with_it, without = RULES.new(setup_with()), RULES.new(setup_of())
    assert ("automa_wants", "missing", "missing") in RULES.table_rules(with_it)
    assert "automa_wants" not in [name for name, _, _ in RULES.table_rules(without)]


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"modules": ["inn"]}, "no module 'inn'; there are "),
        ({"modules": ["linked_castles"], "rules": {"castle_links": "off"}}, "contradicts"),
    ],
)
def test_a_set_up_with_wrong_modules_is_refused(more: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidSetupError, match=why):
        RULES.new(setup_of(**more))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"players": 7}, "players: should be a list, not 7"),
        ({"players": ["red", "blue"]}, r"players\[0\]: should be a table"),
        ({"players": [{"colour": [], "duchy": "se-1"}]}, r"players\[0\].colour: should be a text"),
        ({"modules": 7}, "modules: should be a list, not 7"),
        ({"modules": [[]]}, r"modules\[0\]: should be a text"),
        ({"rules": []}, "rules: should be a table"),
        ({"edition": []}, "edition: should be a text"),
        ({"chateauma": 7}, "chateauma: should be a table"),
        ({"chateauma": {"colour": "black", "symbols": {"5": 7}}}, "chateauma: symbols.5: should be a table"),
        ({"chateauma": {"colour": "black", "modifiers": 7}}, "chateauma: modifiers: should be a list"),
        ({"chateauma": {"colour": "black", "inventory_order": 7}}, "chateauma: inventory_order: should be a"),
        (
            {"chateauma": {"colour": "black", "inventory_order": [7]}},
            r"inventory_order\[0\]: should be a text",
        ),
        ({"chateauma": {"colour": "black", "cards": {"8": [7]}}}, r"cards.8\[0\]: should be a table"),
        ({"chateauma": {"colour": "black", "marks": {"D": {"mine": 1}}}}, "marks.D.mine: should be a list"),
        (
            {"chateauma": {"colour": "black", "symbols": {"5": {"border": 1}}}},
            "symbols.5.border: should be tr",
        ),
    ],
)
def test_a_value_of_another_kind_in_a_set_up_is_named(more: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidSetupError, match=why):
        RULES.check_setup(setup_of(**more))


@pytest.mark.parametrize(
    "module", ["extra_tiles", "white_castles", "inns", "border_posts", "trade_routes", "shields"]
)
def test_expansions_of_the_special_edition_are_refused_in_another(module: str) -> None:
    with pytest.raises(InvalidSetupError, match=f"edition '2011' has no module {module}"):
        RULES.new(setup_of(edition="2011", modules=[module]))


@pytest.mark.parametrize(
    "asked_for",
    [{"modules": ["linked_castles"]}, {"rules": {"castle_links": "on"}}],
    ids=["named", "switched on"],
)
def test_a_new_game_does_without_a_module_that_changes_nothing_on_its_duchies(
    asked_for: dict[str, Any],
) -> None:
    """S705: linked castles are for duchies 11 to 18; an old game may have been begun on others, and goes on."""
    RULES.check_setup(setup_of("se-11", **asked_for))
    assert RULES.new(setup_of("se-1", **asked_for))
    with pytest.raises(
        InvalidSetupError, match=r"nothing on these duchies: give somebody one of se-11, .*se-18, or"
    ):
        RULES.check_setup(setup_of("se-1", **asked_for))


def test_linked_castles_which_come_with_the_2011_edition_are_no_choice_there() -> None:
    players = [{"colour": colour, "duchy": f"2011-{number}"} for colour, number in (("red", 1), ("blue", 2))]
    RULES.check_setup({"edition": "2011", "players": players, "rules": {"castle_links": "on"}})


class Lonely(Module):
    """A module that goes with no other."""

    id = "lonely"
    excludes = frozenset({"hostels"})
    sources: ClassVar[Mapping[str, str]] = {"windmill": "sales"}


class Dependent(Module):
    """A module that builds on another."""

    id = "dependent"
    requires = frozenset({"lonely"})


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["lonely", "hostels"], "lonely cannot be played with hostels: leave one of them out"),
        (["dependent"], "dependent cannot be played without lonely: add it, or leave dependent out"),
    ],
)
def test_modules_that_do_not_go_together_are_refused(box: Burgundy, names: list[str], why: str) -> None:
    more = Burgundy(box.editions, box.duchies, (*box.modules.values(), Lonely(), Dependent()), box.boards)
    assert more.new(setup_of(modules=["lonely", "dependent"])).ruleset.modules
    with pytest.raises(InvalidSetupError, match=why):
        more.new(setup_of(modules=names))


def box_with(module: Module) -> Burgundy:
    return Burgundy(RULES.editions, RULES.duchies, [*RULES.modules.values(), module], RULES.boards)


def test_two_modules_may_share_a_line_of_the_score_sheet(box: Burgundy) -> None:
    more = Burgundy(box.editions, box.duchies, (*box.modules.values(), Lonely()), box.boards)
    assert more.score_sources.count("windmill") == 1


def test_a_module_gives_the_chateauma_benefits_of_its_tiles(box: Burgundy) -> None:
    game = box.new({**setup_with(), "modules": ["windmills"]})
    scored = 0
    for _ in range(20):
        game = box.new({**setup_with(), "modules": ["windmills"]})
        scored += played(box, game, 600, seed=_).seats[-1].points.get("windmill", 0)
    assert scored
    assert "windmill" not in choosing.BENEFITS


class NotesHooks(Hooks):
    calls: ClassVar[list[tuple[str, object]]] = []

    def round_begins(self, game: GameState, events: list[Event]) -> None:
        super().round_begins(game, events)
        self.calls.append(("round", (game.phase_letter, game.round, game.white, events[0].kind)))

    def after_placing(
        self, game: GameState, player: Player, placed: Tile, space: int, events: list[Event]
    ) -> None:
        super().after_placing(game, player, placed, space, events)
        self.calls.append(("placed", (player.spaces[space], placed, events[0].kind)))


class Notes(Module):
    """Notes when it is called."""

    id = "notes"
    hooks = NotesHooks


def test_each_round_begins_for_modules_once_its_roll_is_known() -> None:
    NotesHooks.calls.clear()
    box = box_with(Notes())
    played(box, box.new(setup_of(modules=["notes"])), 2_000)
    rounds: list[Any] = [about for name, about in NotesHooks.calls if name == "round"]
    assert [(letter, number) for letter, number, _, _ in rounds] == [
        (letter, number) for letter in "ABCDE" for number in range(5)
    ]
    assert all(white in range(1, 7) and kind == "round" for _, _, white, kind in rounds)


def test_modules_are_called_for_every_tile_that_has_been_placed() -> None:
    NotesHooks.calls.clear()
    box = box_with(Notes())
    game = played(box, box.new(setup_of(modules=["notes"])), 2_000)
    placements: list[Any] = [about for name, about in NotesHooks.calls if name == "placed"]
    starting_castles = len(game.players)
    assert len(placements) == sum(p.occupied.bit_count() for p in game.players) - starting_castles > 0
    assert all(there is placed and kind == "place" for there, placed, kind in placements)


@pytest.mark.parametrize("label", TILE_OF_TYPE.values())
def test_bots_rate_a_stored_tile_alike_whether_castles_are_linked_or_not(label: str) -> None:
    values = []
    for value in ("off", "on"):
        game = on_turn(duchy="se-15", castle=4, rules={"castle_links": value})
        player = game.player
        for space in bits(player.duchy.neighbours[4]):  # beyond them, spaces are open that no link reaches
            player.put(space, tile(TILE_OF_TYPE[player.duchy.spaces[space].tile_type]))
        player.storage = [tile(label)]
        values.append(RULES.evaluate(game, "red"))
    assert values[0] == values[1]
