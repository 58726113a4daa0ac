"""Modules: found by their folder, compiled for one game at a time, and without trace where they are not played."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from companion.games.burgundy import modules
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules import Burgundy, Event, GameState, Move
from companion.games.burgundy.rules.board import bits
from companion.games.burgundy.rules.decision import Decision
from companion.games.burgundy.rules.decisions import Place, Take
from companion.games.burgundy.rules.edition import Edition, MainBoard
from companion.games.burgundy.rules.hooks import Hooks
from companion.games.burgundy.rules.module import Module
from companion.games.burgundy.rules.phases import end_phase
from companion.games.burgundy.rules.reason import Reason
from companion.games.burgundy.rules.setup_validation import InvalidSetupError
from companion.games.burgundy.rules.state import Pending, Player, Seat
from companion.games.burgundy.rules.tiles import Tile, tile
from tests.support.modules import more_modules
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


def setup_of(duchy: str = "se-1", **more: Any) -> dict[str, Any]:
    players = [{"colour": colour, "duchy": duchy} for colour in ("red", "blue")]
    return {"edition": "special", "players": players, **more}


@pytest.fixture
def box() -> Iterator[Burgundy]:
    """The rules of a box with the tests' module."""
    with more_modules() as rules:
        yield rules


def played(rules: Burgundy, game: GameState, decisions: int, seed: int = 1) -> GameState:
    """Plays on at random."""
    rng = random.Random(seed)
    for _ in range(decisions):
        if not rules.is_over(game):
            rules.play(game, rules.sample_chance(game, rng) or rng.choice(rules.legal_moves(game)))
    return game


def hostel_in_storage(rules: Burgundy) -> GameState:
    """A turn with a hostel in storage, and a castle in the middle of the duchy."""
    game = played(rules, rules.new(setup_of(modules=HOSTELS)), 6)
    game.player.storage = [tile("hostel")]
    game.player.workers = 20
    return game


def test_the_box_has_the_modules_that_have_a_folder() -> None:
    assert list(burgundy().modules) == ["chateauma", "linked_castles"]


def test_a_folder_is_all_that_a_module_needs(box: Burgundy) -> None:
    assert list(box.modules) == ["chateauma", "hostels", "linked_castles", "partners"]
    game = box.new(setup_of(modules=HOSTELS))
    while not box.is_over(game):
        played(box, game, 1, seed=len(game.score_history) + game.state_hash().count("1"))
    assert len(game.score_history) == 26


@pytest.mark.parametrize("module", ["chateauma", "châteauma", "linked_castles", "castle_links", "outpost"])
def test_the_base_rules_name_no_module(module: str) -> None:
    found = [path.name for path in BASE.rglob("*.py") if module in path.read_text(encoding="utf-8").lower()]
    assert found == []


def test_a_tile_of_a_module_goes_where_its_hook_says(box: Burgundy) -> None:
    game = hostel_in_storage(box)
    types = {
        game.player.duchy.spaces[move.space].tile_type
        for move in box.legal_moves(game)
        if isinstance(move, Place) and move.tile == "hostel"
    }
    assert len(types) > 1


def test_a_hook_changes_what_an_area_scores(box: Burgundy) -> None:
    game = hostel_in_storage(box)
    player = game.player
    area = next(a for a in player.duchy.areas if a.size == 1 and not a.spaces & player.occupied)
    space = area.spaces.bit_length() - 1
    other = next(i for i in range(37) if player.duchy.neighbours[space] >> i & 1)
    player.put(other, tile("mine"))
    die = player.duchy.spaces[space].die
    player.dice = [die]
    (scored,) = [e for e in box.play(game, Place("hostel", space, die)) if e.kind == "area"]
    assert scored.data["size"] == 2
    assert player.points["area_2"] == game.edition.area_points[2]


def test_two_games_with_different_modules_do_not_touch_each_other(box: Burgundy) -> None:
    plain, other = box.new(setup_of()), box.new(setup_of(modules=HOSTELS))
    offered = set()
    for seed in range(200):
        played(box, plain, 1, seed)
        played(box, other, 1, seed)
        assert "hostel" not in map(str, box.legal_moves(plain))
        offered |= set(map(str, box.legal_moves(other)))
    assert "hostel" in offered


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


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"modules": ["inn"]}, "no module 'inn'; there are chateauma, linked_castles"),
        ({"modules": ["linked_castles"], "rules": {"castle_links": "off"}}, "contradicts"),
    ],
)
def test_a_set_up_with_wrong_modules_is_refused(more: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidSetupError, match=why):
        RULES.new(setup_of(**more))


class Lonely(Module):
    """A module that goes with no other."""

    id = "lonely"
    excludes = frozenset({"hostels"})


class Dependent(Module):
    """A module that builds on another."""

    id = "dependent"
    requires = frozenset({"lonely"})


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["lonely", "hostels"], "lonely cannot be played with hostels"),
        (["dependent"], "dependent cannot be played without lonely"),
    ],
)
def test_modules_that_do_not_go_together_are_refused(box: Burgundy, names: list[str], why: str) -> None:
    more = Burgundy(box.editions, box.duchies, (*box.modules.values(), Lonely(), Dependent()), box.boards)
    assert more.new(setup_of(modules=["lonely", "dependent"])).ruleset.modules
    with pytest.raises(InvalidSetupError, match=why):
        more.new(setup_of(modules=names))


class AnyOrderHooks(Hooks):
    def open_effects(self, game: GameState) -> Sequence[Pending]:
        return game.pending


class AnyOrder(Module):
    """A module under which waiting effects are resolved in any order."""

    id = "any_order"
    hooks = AnyOrderHooks


def test_waiting_effects_are_resolved_in_any_order_where_a_hook_says_so() -> None:
    box = box_with(AnyOrder())
    game = played(box, box.new(setup_of(modules=["any_order"])), 6)
    game.player.goods[4] = 1
    game.pending = [Pending("warehouse"), Pending("town_hall")]
    game.player.storage = []
    sale = box.parse_move("sell 4")
    assert sale in box.legal_moves(game)
    box.play(game, sale)
    assert game.pending == [Pending("town_hall")]


def box_with(module: Module) -> Burgundy:
    return Burgundy(RULES.editions, RULES.duchies, [*RULES.modules.values(), module], RULES.boards)


class Tithe(Move):
    """End the stage that follows the fifth round."""

    word = "tithe"

    def __str__(self) -> str:
        return "tithe"


class TitheDecision(Decision[Tithe]):
    move = Tithe
    stages = ("tithes",)

    def parse(self, words: list[str]) -> Tithe:
        return Tithe(*words)

    def choices(self, game: GameState) -> tuple[Tithe]:
        return (Tithe(),)

    def validate(self, game: GameState, move: Tithe) -> Reason | None:
        return None

    def apply(self, game: GameState, move: Tithe) -> list[Event]:
        events: list[Event] = []
        end_phase(game, events, after="tithes")
        return events


class TitheHooks(Hooks):
    def stage_at_phase_end(self, game: GameState, after: str | None) -> str | None:
        return "tithes" if after is None else super().stage_at_phase_end(game, after)


class Tithes(Module):
    """A stage between the fifth round of a phase and its end."""

    id = "tithes"
    hooks = TitheHooks
    decisions = (TitheDecision(),)


def test_a_stage_of_a_module_follows_the_fifth_round_before_the_phase_ends() -> None:
    box = box_with(Tithes())
    game = box.new(setup_of(modules=["tithes"]))
    stages = 0
    while not box.is_over(game):
        if game.stage == "tithes":
            stages += 1
            assert box.legal_moves(game) == [Tithe()] and box.to_move(game) is not None
            assert game.white is not None and game.round == 5
            letter, silver = game.phase_letter, [seat.silver for seat in game.seats]
            income = [game.hooks.mine_income(seat)[0] for seat in game.seats]
            box.play(game, Tithe())
            assert [seat.silver for seat in game.seats] == [
                a + b for a, b in zip(silver, income, strict=True)
            ]
            assert game.white is None and (box.is_over(game) or game.phase_letter > letter)
        played(box, game, 1, seed=stages)
    assert stages == 5


class LedgerHooks(Hooks):
    gains: ClassVar[list[tuple[str, str, int]]] = []

    def gained(self, game: GameState, seat: Seat, what: str, amount: int, events: list[Event]) -> None:
        super().gained(game, seat, what, amount, events)
        self.gains.append((seat.colour, what, amount))


class Ledger(Module):
    """Writes every gain down."""

    id = "ledger"
    hooks = LedgerHooks


def test_points_bonus_tiles_and_sold_goods_pass_through_one_hook() -> None:
    LedgerHooks.gains.clear()
    box = box_with(Ledger())
    game = box.new(setup_of(modules=["ledger"]))
    played(box, game, 2_000)
    gained = Counter[tuple[str, str]]()
    for colour, what, amount in LedgerHooks.gains:
        gained[colour, what] += amount
    assert box.is_over(game)
    for player in game.players:
        of_player = [gained[player.colour, what] for what in ("points", "bonus_tile", "goods_sold")]
        assert of_player == [player.score, len(player.bonus_tiles), sum(player.sold)]


def test_workers_and_silver_pass_through_the_same_hook() -> None:
    box = box_with(Ledger())
    game = played(box, box.new(setup_of(modules=["ledger"])), 6)
    LedgerHooks.gains.clear()
    colour, die = game.player.colour, game.player.dice[0]
    game.player.monasteries = 1 << 13  # a silver with the workers
    box.play(game, box.parse_move(f"workers die {die}"))
    assert LedgerHooks.gains == [(colour, "workers", 2), (colour, "silver", 1)]


class BulkyHooks(Hooks):
    def storage_size(self, stored: Tile) -> int:
        return 2 if stored.type == "ship" else super().storage_size(stored)

    def storage_spaces(self, game: GameState, player: Player) -> int:
        return super().storage_spaces(game, player) + 1


class Bulky(Module):
    """Ships need two of four key spaces."""

    id = "bulky"
    hooks = BulkyHooks


@pytest.mark.parametrize(
    ("stored", "incoming", "fits"),
    [
        (["mine", "mine", "mine"], "mine", True),
        (["mine", "mine", "mine"], "ship", False),
        (["ship", "mine"], "mine", True),
        (["ship", "mine"], "ship", False),
        (["ship"], "ship", True),
    ],
)
def test_what_is_stored_has_the_size_and_the_space_that_hooks_say(
    stored: list[str], incoming: str, fits: bool
) -> None:
    box = box_with(Bulky())
    game = played(box, box.new(setup_of(modules=["bulky"])), 6)
    game.player.storage = [tile(label) for label in stored]
    game.depots[0] = [tile(incoming), *game.depots[0][1:]]
    game.player.dice = [1]
    box.play(game, Take(incoming, 1, 0, 1))
    assert bool(game.pending) is not fits
    assert len(game.player.storage) == len(stored) + fits


def four_partners(box: Burgundy) -> GameState:
    players = [{"colour": colour, "duchy": "se-1"} for colour in ("red", "blue", "green", "black")]
    return box.new({"edition": "special", "players": players, "modules": ["partners"]})


def test_seats_may_share_a_side_and_keep_dice_and_storage(box: Burgundy) -> None:
    game = four_partners(box)
    assert len(game.seats) == 4 and [side.colour for side in game.sides] == ["red", "blue"]
    rng, takers = random.Random(3), set()
    while not box.is_over(game):
        move: Any = box.sample_chance(game, rng) or rng.choice(box.legal_moves(game))
        if isinstance(move, Take):
            takers.add(game.seat.colour)
        before = [list(seat.storage) for seat in game.players if seat is not game.seat]
        box.play(game, move)
        if isinstance(move, (Take, Place)):
            assert [list(s.storage) for s in game.players if s is not game.seat] == before
    assert takers == {"red", "blue", "green", "black"}
    red, blue, green, black = game.players
    assert (red.score, red.goods, red.spaces) == (green.score, green.goods, green.spaces)
    assert red.score == sum(red.points.values()) and blue.score == sum(black.points.values())
    assert len(box.ranking(game)) == 4


def test_what_partners_share_is_paid_and_scored_once(box: Burgundy) -> None:
    game = four_partners(box)
    rng = random.Random(4)
    while not box.is_over(game):
        move: Any = box.sample_chance(game, rng) or rng.choice(box.legal_moves(game))
        events = box.play(game, move)
        paid = [event.player for event in events if event.kind == "mines"]
        assert len(paid) == len(set(paid)) and set(paid) <= {"red", "blue"}
    assert sum(events[i].kind == "game_over" for i in range(len(events))) == 1


def test_a_copy_of_partners_shares_one_side_of_its_own(box: Burgundy) -> None:
    game = played(box, four_partners(box), 60)
    copy = game.copy()
    assert copy.state_hash() == game.state_hash()
    copy.seats[0].side.silver += 1
    assert copy.seats[2].silver == game.seats[2].silver + 1


class AloneHooks(Hooks):
    def seat_counts(self, edition: Edition) -> Sequence[int]:
        return (1,)

    def main_board(self, edition: Edition, seats: int) -> MainBoard:
        return super().main_board(edition, 2)


class Alone(Module):
    """One player, on the side of the main board for two."""

    id = "alone"
    hooks = AloneHooks


def test_a_module_may_let_one_seat_play() -> None:
    box = box_with(Alone())
    game = box.new(
        {"edition": "special", "players": [{"colour": "red", "duchy": "se-1"}], "modules": ["alone"]}
    )
    assert box.is_over(played(box, game, 2_000)) and box.ranking(game) == ["red"]
    with pytest.raises(InvalidSetupError, match="is for 1 players, not for 2"):
        box.new(setup_of(modules=["alone"]))


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
