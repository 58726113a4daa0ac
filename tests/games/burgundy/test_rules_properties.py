"""What holds in every game: whole games with random moves, 2 to 4 players, both editions, any duchies."""

from __future__ import annotations

import dataclasses
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.burgundy.modules.linked_castles.outpost import Outpost
from companion.games.burgundy.modules.linked_castles.recover import Recover
from companion.games.burgundy.rules import GameState, IllegalMoveError, Move
from companion.games.burgundy.rules.abilities import has
from companion.games.burgundy.rules.board import Duchy, bits
from companion.games.burgundy.rules.decisions import (
    Buy,
    Discard,
    EndTurn,
    Place,
    Sell,
    Skip,
    StartCastle,
    Take,
    TakeGoods,
    TakeWorkers,
)
from companion.games.burgundy.rules.legality import legal_moves
from companion.games.burgundy.rules.moves import BLACK_DEPOT
from companion.games.burgundy.rules.observation import VisibleChange
from companion.games.burgundy.rules.state import FILL, OVER, ROLL, SETUP, TURN, Player
from companion.games.burgundy.rules.tiles import GOODS, TYPES, Tile
from companion.games.burgundy.rules.validation import validate
from tests.support.positions import COLOURS, RULES

ROUNDS_OF_A_GAME = 25
STORAGE_SPACES = GOODS_SPACES = 3
WASTEFUL = {EndTurn: 0.05, Skip: 0.3}
"""How willingly a player makes a move that ends things while others are left, 1 being as any other."""


@st.composite
def setups(draw: st.DrawFn) -> dict[str, Any]:
    """Editions, players and their duchies, and the table rules agreed on."""
    seats = draw(st.lists(st.sampled_from(sorted(RULES.duchies)), min_size=2, max_size=4))
    players = [{"colour": colour, "duchy": duchy} for colour, duchy in zip(COLOURS, seats, strict=False)]
    rules = {
        name: draw(st.sampled_from(values))
        for name, values in RULES.table_rule_options.items()
        if draw(st.booleans())
    }
    return {"edition": draw(st.sampled_from(sorted(RULES.editions))), "players": players, "rules": rules}


seeds = st.integers(0, 2**32 - 1)


def complete_game(setup: dict[str, Any], seed: int) -> Iterator[tuple[GameState, Move]]:
    """A game's positions, each with the move that is made from it when the caller asks for the next one."""
    rng = random.Random(seed)
    game = RULES.new(setup)
    while game.stage != OVER:
        move = RULES.sample_chance(game, rng) or lively(legal_moves(game), rng)
        yield game, move
        RULES.apply(game, move)


def lively(moves: list[Move], rng: random.Random) -> Move:
    """One of *moves*; places when it can, more often than not, so that duchies fill and effects chain."""
    places = [move for move in moves if isinstance(move, Place)]
    if places and rng.random() < 0.6:
        return rng.choice(places)
    return rng.choices(moves, [WASTEFUL.get(type(move), 1.0) for move in moves])[0]


def finished_game(setup: dict[str, Any], seed: int) -> tuple[GameState, list[Move]]:
    """A game that is over, and its moves."""
    history = list(complete_game(setup, seed))
    return history[-1][0], [move for _, move in history]


def some_positions(setup: dict[str, Any], seed: int, every: int) -> Iterator[GameState]:
    """Every so manieth position of a game."""
    for number, (game, _) in enumerate(complete_game(setup, seed)):
        if number % every == seed % every:
            yield game


# --- nothing appears or disappears ------------------------------------------------------------------------


def tiles_of(game: GameState) -> Counter[str]:
    """Faces of all hexagonal tiles, wherever they are (a tile's back shows only while it is in the supply)."""
    on_table = chain(*game.depots, game.black, *(chain(p.spaces, p.storage) for p in game.players))
    faces = Counter(t.label for t in on_table if t is not None)
    faces.update(pending.incoming for pending in game.pending if pending.incoming)
    return faces + by_face(game.supply) + by_face(game.box)


def by_face(tiles: Mapping[Tile, int]) -> Counter[str]:
    faces: Counter[str] = Counter()
    for t, count in tiles.items():
        faces[t.label] += count
    return faces


def goods_of(game: GameState) -> list[int]:
    """Every goods tile by kind, wherever it is."""
    stacks = [game.goods_supply, *game.depot_goods, *(s for p in game.players for s in (p.goods, p.sold))]
    return [sum(stack[kind] for stack in stacks) + game.round_goods.count(kind) for kind in GOODS]


@settings(max_examples=12, deadline=None)
@given(setups(), seeds)
def test_no_component_appears_or_disappears(setup: dict[str, Any], seed: int) -> None:
    box = by_face(RULES.editions[setup["edition"]].supply)
    assert box.total() == 164
    for game, _ in complete_game(setup, seed):
        assert tiles_of(game) == box
        assert goods_of(game) == [7] * 6
        won = Counter(colour for player in game.players for colour in player.bonus_tiles)
        assert {colour: won[colour] + game.bonus_tiles_left[colour] for colour in TYPES} == dict.fromkeys(
            TYPES, 2
        )


@settings(max_examples=12, deadline=None)
@given(setups(), seeds)
def test_nobody_has_more_than_the_board_holds_or_less_than_nothing(setup: dict[str, Any], seed: int) -> None:
    for game, _ in complete_game(setup, seed):
        for player in game.players:
            assert len(player.storage) <= STORAGE_SPACES
            assert sum(count > 0 for count in player.goods) <= GOODS_SPACES
            assert min(player.silver, player.workers, *player.goods, *player.sold) >= 0
            assert len(set(player.bonus_tiles)) == len(player.bonus_tiles)
            assert len(player.dice) <= 2 and set(player.dice) <= set(range(1, 7))
        if game.stage != SETUP:
            assert sorted(game.order()) == list(range(len(game.players)))


# --- duchies ----------------------------------------------------------------------------------------------


def spread(duchy: Duchy, start: int, over: int) -> int:
    """Spaces of *over* that are connected with *start*, within *over*."""
    while grown := duchy.around(start) & over & ~start:
        start |= grown
    return start


def assert_consistent(player: Player, castles: int) -> None:
    """Each tile on its colour, connected with one of the first *castles* of the duchy (a set of spaces), no building
    twice in a city unless monastery 1 allows it."""
    duchy = player.duchy
    placed = {i: t for i, t in enumerate(player.spaces) if t is not None}
    assert all(duchy.spaces[i].tile_type == t.type for i, t in placed.items())
    assert spread(duchy, castles, player.occupied) == player.occupied == sum(1 << i for i in placed)
    assert player.frontier == duchy.around(player.occupied) & ~player.occupied
    if not has(player.monasteries, 1):
        for city in (area for area in duchy.areas if area.tile_type == "building"):
            kinds = [placed[i].variant for i in bits(city.spaces & player.occupied)]
            assert len(kinds) == len(set(kinds))


@settings(max_examples=12, deadline=None)
@given(setups(), seeds)
def test_duchies_are_built_by_the_rules(setup: dict[str, Any], seed: int) -> None:
    roots: Counter[str] = Counter()
    for game, move in complete_game(setup, seed):
        if isinstance(move, StartCastle | Outpost):
            roots[move.player if isinstance(move, StartCastle) else game.player.colour] += 1 << move.space
        elif game.stage == TURN:
            assert_consistent(game.player, roots[game.player.colour])


LINKED = sorted(name for name, duchy in RULES.duchies.items() if duchy.linkable)


@settings(max_examples=12, deadline=None)
@given(setups(), st.sampled_from(LINKED), seeds)
def test_with_linked_castles_a_chain_of_its_colour_leads_from_every_tile_to_a_castle(
    setup: dict[str, Any], duchy: str, seed: int
) -> None:
    """S699-701, A1297-1299."""
    for player in setup["players"]:
        player["duchy"] = duchy
    setup["rules"]["castle_links"] = "on"
    game, _ = finished_game(setup, seed)
    for player in game.players:
        board = player.duchy
        castles = player.occupied & board.of_type["castle"]
        for colour in TYPES:
            tiles = player.occupied & board.of_type[colour]
            assert colour == "castle" or not tiles & ~spread(board, castles, castles | tiles)


@settings(max_examples=20, deadline=None)
@given(setups(), seeds)
def test_area_points_are_those_of_the_areas_completed_in_play(setup: dict[str, Any], seed: int) -> None:
    game, moves = finished_game(setup, seed)
    start = {move.player: 1 << move.space for move in moves if isinstance(move, StartCastle)}
    for player in game.players:
        areas = [a for a in player.duchy.areas if not a.spaces & ~player.occupied]
        scored = [a for a in areas if a.spaces != start[player.colour]]
        for size in range(1, 9):
            count = sum(area.size == size for area in scored)
            assert player.points.get(f"area_{size}", 0) == count * size * (size + 1) // 2
        assert 2 * len(scored) <= player.points.get("phase", 0) <= 10 * len(scored)


# --- points -----------------------------------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(setups(), seeds)
def test_the_score_is_the_sum_of_the_sheet_and_of_all_events(setup: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    game = RULES.new(setup)
    sums: Counter[str] = Counter()
    while game.stage != OVER:
        for event in RULES.play(game, RULES.sample_chance(game, rng) or lively(legal_moves(game), rng)):
            assert event.points >= 0 or event.kind == "pay_points"
            assert RULES.event_lines[event.kind].startswith("S")
            if event.points:
                assert event.player is not None
                sums[event.player] += event.points
        sheet = RULES.score_sheet(game)
        for player in game.players:
            assert player.score == sum(sheet[player.colour].values()) == sums[player.colour]
            assert sum(player.points.values()) == player.score >= 0


@settings(max_examples=8, deadline=None)
@given(setups(), seeds)
def test_the_timeline_has_everybodys_marker_after_each_round_and_after_the_end(
    setup: dict[str, Any], seed: int
) -> None:
    markers = {}
    for game, _ in complete_game(setup, seed):
        if game.stage in (FILL, ROLL) and (game.phase or game.round):
            markers[game.phase, game.round] = [player.score for player in game.players]
    line = RULES.score_history(game)
    assert [list(scores) for scores in zip(*line.values(), strict=True)][:-2] == list(markers.values())
    assert len(game.score_history) == ROUNDS_OF_A_GAME + 1
    assert [scores[-1] for scores in line.values()] == [player.score for player in game.players]


# --- turns ------------------------------------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(setups(), seeds)
def test_everybody_has_one_turn_in_each_of_25_rounds(setup: dict[str, Any], seed: int) -> None:
    turns = Counter(
        (game.phase, game.round, game.player.colour)
        for game, move in complete_game(setup, seed)
        if isinstance(move, EndTurn)
    )
    assert len(turns) == ROUNDS_OF_A_GAME * len(setup["players"]) and set(turns.values()) == {1}


# --- legality ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(setups(), seeds)
def test_every_listed_move_is_listed_once_is_valid_and_applies(setup: dict[str, Any], seed: int) -> None:
    for game in some_positions(setup, seed, every=5):
        moves = legal_moves(game)
        assert len(set(moves)) == len(moves)
        before = game.state_hash()
        for move in moves:
            assert validate(game, move) is None
            after = game.copy()
            RULES.play(after, move)
            assert after.state_hash() != before
        assert bool(moves) == (game.stage in (SETUP, TURN))


def any_move(game: GameState, rng: random.Random) -> Move:
    """A move made up from words that exist, legal by accident only."""
    labels = sorted({t.label for t in game.edition.supply})
    stored = [t.label for t in game.player.storage] or labels
    by_effect = bool(game.pending) != (rng.random() < 0.1)
    die = None if by_effect else rng.choice([*game.player.dice, rng.randint(0, 7)])
    workers, depot, slot = rng.choice([0, 0, 0, 1, 2, 3]), rng.randint(0, 7), rng.randint(-1, 3)
    here = game.black if depot == BLACK_DEPOT else game.depots[depot % 6]
    there = here[slot % len(here)]
    label = rng.choice([there.label if there else "castle", rng.choice(labels)])
    mine = rng.choice([*stored, rng.choice(labels)])
    space = rng.choice([rng.randint(-1, 37), *bits(game.player.frontier)])
    depots = tuple(sorted(rng.sample(range(8), rng.randint(0, 2))))
    kinds = tuple(sorted(rng.sample(range(1, 8), rng.randint(0, 3))))
    made_up: list[Move] = [
        Take(label, depot % 6 + 1, slot % len(here), die, workers),
        Take(label, depot, slot, die, workers),
        Place(mine, space, die, workers),
        Sell(rng.randint(0, 7), die, workers),
        TakeWorkers(die),
        TakeGoods(depots, kinds),
        Buy(label, depot, slot),
        Discard(mine),
        Skip(),
        EndTurn(),
        Recover(),
        Outpost(space),
        StartCastle(rng.choice(COLOURS), space),
    ]
    return rng.choice(made_up)


def mixed(move: Move, other: Move, rng: random.Random) -> Move:
    """A move with one of its fields taken from another one; the other one when they share none."""
    shared = {f.name for f in dataclasses.fields(move)} & {f.name for f in dataclasses.fields(other)}
    if not shared:
        return other
    name = rng.choice(sorted(shared))
    return dataclasses.replace(move, **{name: getattr(other, name)})


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(setups(), seeds)
def test_a_move_has_a_reason_against_it_exactly_when_it_is_not_listed(
    setup: dict[str, Any], seed: int
) -> None:
    rng = random.Random(seed)
    for game in some_positions(setup, seed, every=3):
        moves = legal_moves(game)
        if not moves:
            continue
        for _ in range(20):
            move = any_move(game, rng)
            if rng.random() < 0.5:
                move = mixed(rng.choice(moves), move, rng)
            reason = validate(game, move)
            assert (reason is None) == (move in moves), (str(move), reason)


@settings(max_examples=5, deadline=None)
@given(setups(), seeds)
def test_a_refused_move_changes_nothing(setup: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    for game in some_positions(setup, seed, every=20):
        before = game.state_hash()
        move = any_move(game, rng)
        if validate(game, move):
            with pytest.raises(IllegalMoveError):
                RULES.play(game, move)
            assert game.state_hash() == before


# --- states and notation ----------------------------------------------------------------------------------


@settings(max_examples=8, deadline=None)
@given(setups(), seeds)
def test_a_copy_lives_a_life_of_its_own(setup: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    for game in some_positions(setup, seed, every=40):
        before, twin = game.state_hash(), game.copy()
        assert twin.state_hash() == before
        while twin.stage != OVER:
            RULES.apply(twin, RULES.sample_chance(twin, rng) or lively(legal_moves(twin), rng))
        assert game.state_hash() == before


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(setups(), seeds)
def test_a_state_read_from_json_continues_alike(setup: dict[str, Any], seed: int) -> None:
    twin: GameState | None = None
    for number, (game, move) in enumerate(complete_game(setup, seed)):
        if number % 10 == seed % 10:
            twin = RULES.from_json(json.loads(json.dumps(game.to_json())))
        if twin is not None:
            assert twin.to_json() == game.to_json() and twin.state_hash() == game.state_hash()
            assert legal_moves(twin) == legal_moves(game)
            assert RULES.sample_chance(twin, random.Random(seed)) == RULES.sample_chance(
                game, random.Random(seed)
            )
            RULES.play(twin, move)


@settings(max_examples=15, deadline=None)
@given(setups(), seeds)
def test_the_notation_of_a_game_replays_to_the_same_state(setup: dict[str, Any], seed: int) -> None:
    game, moves = finished_game(setup, seed)
    notation = [str(move) for move in moves]
    assert [RULES.parse_move(text) for text in notation] == moves
    replayed = RULES.new(setup)
    for text in notation:
        RULES.play(replayed, RULES.parse_move(text))
    assert replayed.state_hash() == game.state_hash()


@settings(max_examples=5, deadline=None)
@given(setups(), seeds)
def test_every_listed_move_has_a_notation_of_its_own(setup: dict[str, Any], seed: int) -> None:
    for game in some_positions(setup, seed, every=7):
        moves = legal_moves(game)
        assert [RULES.parse_move(str(move)) for move in moves] == moves


@settings(max_examples=5, deadline=None)
@given(setups(), seeds)
def test_every_listed_move_can_be_read_from_its_short_notation(setup: dict[str, Any], seed: int) -> None:
    for game in some_positions(setup, seed, every=7):
        moves = legal_moves(game)
        written = [RULES.short_notation(game, move) for move in moves]
        assert len(set(written)) == len(written)
        assert [RULES.parse_short(game, text) for text in written] == moves
        assert [RULES.parse_short(game, str(move)) for move in moves] == moves


# --- what can be seen -------------------------------------------------------------------------------------


@settings(max_examples=5, deadline=None)
@given(setups(), seeds)
def test_every_place_of_the_table_is_visible_all_the_time(setup: dict[str, Any], seed: int) -> None:
    players = len(setup["players"])
    for game, _ in complete_game(setup, seed):
        groups = RULES.visible_layout(game)
        assert sum(map(len, groups.values())) == (
            players * (37 + STORAGE_SPACES + GOODS_SPACES)  # each player's board
            + 6 * (players + 6)  # depots: a tile per player and a spot per kind of goods
            + len(game.black)
            + 5  # round spaces
        )
        assert all(label for group in groups.values() for label in group)


def is_visible(change: VisibleChange, seen: dict[str, tuple[str, ...]]) -> bool:
    """Returns whether *change* is visible in *seen*."""
    if change.removed:
        return change.removed not in seen[change.place]
    group, _, number = change.place.rpartition(":")
    return seen[group][int(number)] == change.label


@settings(max_examples=15, deadline=None)
@given(setups(), seeds)
def test_what_moves_leave_to_be_seen_is_there_when_the_turn_ends(setup: dict[str, Any], seed: int) -> None:
    left: list[tuple[str, VisibleChange]] = []
    for game, move in complete_game(setup, seed):
        if isinstance(move, EndTurn):
            seen = RULES.visible_layout(game)
            assert [text for text, change in left if not is_visible(change, seen)] == []
            left = []
        elif game.stage == TURN:
            left += [(str(move), change) for change in RULES.visible_changes(game, move)]
