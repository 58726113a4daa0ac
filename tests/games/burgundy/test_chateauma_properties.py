"""What holds in every game with the Châteauma: whole games of one to three people, every level, any modifiers."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.burgundy.modules.chateauma.cards import LEVELS, MODIFIERS
from companion.games.burgundy.modules.chateauma.explanation import STEPS
from companion.games.burgundy.modules.chateauma.own_roll import OwnRoll
from companion.games.burgundy.modules.chateauma.reveal_card import RevealCard
from companion.games.burgundy.modules.chateauma.seat import OWN_TURN, STAGES
from companion.games.burgundy.modules.chateauma.turn import AutomaTurn
from companion.games.burgundy.rules import GameState, Move
from companion.games.burgundy.rules.decisions import EndTurn
from companion.games.burgundy.rules.legality import legal_moves
from companion.games.burgundy.rules.state import OVER, TURN
from companion.games.burgundy.rules.tiles import BUILDINGS, TYPES
from companion.games.burgundy.rules.validation import validate
from tests.games.burgundy.test_rules_properties import (
    by_face,
    complete_game,
    goods_of,
    lively,
    seeds,
    tiles_of,
)
from tests.support.automa_positions import AUTOMA, automa_of, setup_with
from tests.support.positions import RULES

RARE = {"black_depot_empty", "cards_gone", "card_missing", "no_bonus_tile", "buys_first"}
"""Steps of few games, or of earlier releases; test_chateauma.py and test_rulings_chateauma.py bring them about."""
ALL_CARDS = set(range(1, 10))


@st.composite
def setups(draw: st.DrawFn) -> dict[str, Any]:
    """People, level and modifiers, card 8 in both ways it may be printed, and any order of the inventory."""
    third = draw(st.sampled_from(["castle", "livestock"]))
    return setup_with(
        draw(st.integers(1, 3)),
        level=draw(st.sampled_from(LEVELS)),
        modifiers="".join(m for m in MODIFIERS if draw(st.booleans())),
        cards={"8": ["castle", "mine", third, "ship"]},
        inventory_order=draw(st.permutations(TYPES)),
    )


def faces_of(game: GameState) -> Counter[str]:
    """Returns the faces of all tiles; unseen face-down tiles are among the supply's."""
    seat = automa_of(game)
    on_cards = [there.tile for card in seat.cards if card is not None for there in card.tiles if there]
    in_duchy = [t for tiles in seat.duchy.values() for t in tiles]
    own = Counter(t.label for t in (*on_cards, *in_duchy, *seat.stored, *seat.jokers))
    return tiles_of(game) + own


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(setups(), seeds)
def test_no_tile_good_or_bonus_tile_appears_or_disappears(setup: dict[str, Any], seed: int) -> None:
    box = by_face(RULES.editions["special"].supply)
    hidden = 5 if "A" in setup["chateauma"]["modifiers"] else 0
    assert box.total() == 164
    for game, _ in complete_game(setup, seed):
        assert faces_of(game) == box
        assert game.hidden_tiles == hidden <= sum(n for t, n in game.supply.items() if t.black)
        automa = automa_of(game)
        goods = [goods_of(game)[kind - 1] + automa.goods[kind] + automa.sold[kind] for kind in range(1, 7)]
        assert goods == [7] * 6
        won = Counter(colour for seat in game.seats for colour in seat.bonus_tiles)
        assert {c: won[c] + game.bonus_tiles_left[c] for c in TYPES} == dict.fromkeys(TYPES, 2)


@settings(max_examples=12, deadline=None)
@given(setups(), seeds)
def test_each_county_card_is_in_the_deck_in_play_or_done(setup: dict[str, Any], seed: int) -> None:
    done: set[int] = set()
    for game, move in complete_game(setup, seed):
        seat = automa_of(game)
        on_table = {card.card.number for card in seat.cards if card is not None}
        assert on_table.isdisjoint(seat.deck) and done.isdisjoint(on_table | set(seat.deck))
        assert on_table | set(seat.deck) | done == ALL_CARDS
        if isinstance(move, AutomaTurn):
            after = game.copy()
            events = RULES.apply(after, move)
            done |= {event.data["card"] for event in events if event.kind == "card_done"}


@settings(max_examples=8, deadline=None)
@given(setups(), seeds)
def test_it_never_owes_anything_and_no_bonus_comes_twice(setup: dict[str, Any], seed: int) -> None:
    for game, _ in complete_game(setup, seed):
        seat = automa_of(game)
        assert min(seat.silver, *seat.goods) >= 0
        assert len(set(seat.bonus_tiles)) == len(seat.bonus_tiles)
        assert all(seat.covered(colour) <= seat.print.spaces[colour] for colour in TYPES)
        if game.stage in (OWN_TURN, TURN):
            assert all(card is None or card.empty for card in seat.cards)


@settings(max_examples=8, deadline=None)
@given(setups(), seeds)
def test_tiles_on_cards_are_of_the_spaces_type_unless_they_are_jokers(
    setup: dict[str, Any], seed: int
) -> None:
    for game, _ in complete_game(setup, seed):
        for card in filter(None, automa_of(game).cards):
            for space, there in zip(card.card.spaces, card.tiles, strict=True):
                assert there is None or there.face_down or there.tile.type == space.tile_type


@settings(max_examples=12, deadline=None)
@given(setups(), seeds)
def test_the_marker_is_the_sum_of_the_sheet_and_of_all_that_is_reported(
    setup: dict[str, Any], seed: int
) -> None:
    rng, game = random.Random(seed), RULES.new(setup)
    sums: Counter[str] = Counter()
    while game.stage != OVER:
        for event in RULES.play(game, RULES.sample_chance(game, rng) or lively(legal_moves(game), rng)):
            assert RULES.event_lines[event.kind].startswith("S")
            assert all(step["code"] in STEPS for step in event.data.get("steps", ()))
            sums[str(event.player)] += event.points
    sheet = RULES.score_sheet(game)
    for seat in game.seats:
        assert seat.score == sum(sheet[seat.colour].values()) == sums[seat.colour]
        assert sum(seat.points.values()) == seat.score


@settings(max_examples=6, deadline=None)
@given(setups(), seeds)
def test_everybody_has_one_turn_in_each_of_25_rounds(setup: dict[str, Any], seed: int) -> None:
    turns = Counter(
        (game.phase, game.round, game.seat.colour)
        for game, move in complete_game(setup, seed)
        if isinstance(move, EndTurn | AutomaTurn)
    )
    assert len(turns) == 25 * (len(setup["players"]) + 1) and set(turns.values()) == {1}


@settings(max_examples=6, deadline=None)
@given(setups(), seeds)
def test_its_turn_is_one_legal_move_and_nothing_else_is(setup: dict[str, Any], seed: int) -> None:
    for game, move in complete_game(setup, seed):
        if game.stage == OWN_TURN:
            assert legal_moves(game) == [move] == [AutomaTurn()] and RULES.to_move(game) == AUTOMA
        elif game.stage in STAGES:
            assert legal_moves(game) == [] and RULES.to_move(game) is None
            assert isinstance(move, OwnRoll | RevealCard)
        else:
            reason = validate(game, AutomaTurn())
            assert reason is not None and reason.code == "wrong_stage"


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(setups(), seeds)
def test_a_copied_state_and_one_read_from_json_continue_alike(setup: dict[str, Any], seed: int) -> None:
    twin: GameState | None = None
    for number, (game, move) in enumerate(complete_game(setup, seed)):
        if number % 10 == seed % 10:
            twin = RULES.from_json(json.loads(json.dumps(game.to_json()))).copy()
        if twin is not None:
            assert twin.to_json() == game.to_json() and twin.state_hash() == game.state_hash()
            assert RULES.sample_chance(twin, random.Random(seed)) == RULES.sample_chance(
                game, random.Random(seed)
            )
            assert RULES.view(twin)["chateauma"] == RULES.view(game)["chateauma"]
            RULES.play(twin, move)


@settings(max_examples=6, deadline=None)
@given(setups(), seeds)
def test_a_copy_lives_a_life_of_its_own(setup: dict[str, Any], seed: int) -> None:
    rng = random.Random(seed)
    for number, (game, _) in enumerate(complete_game(setup, seed)):
        if number % 40 != seed % 40:
            continue
        before, twin = game.state_hash(), game.copy()
        while twin.stage != OVER:
            RULES.apply(twin, RULES.sample_chance(twin, rng) or lively(legal_moves(twin), rng))
        assert game.state_hash() == before


@settings(max_examples=8, deadline=None)
@given(setups(), seeds)
def test_the_notation_of_a_game_replays_to_the_same_state(setup: dict[str, Any], seed: int) -> None:
    moves: list[Move] = []
    for game, move in complete_game(setup, seed):  # noqa: B007
        moves.append(move)
    notation = [str(move) for move in moves]
    assert [RULES.parse_move(text) for text in notation] == moves
    replayed = RULES.new(setup)
    for text in notation:
        RULES.play(replayed, RULES.parse_move(text))
    assert replayed.state_hash() == game.state_hash()


@settings(max_examples=6, deadline=None)
@given(setups(), seeds)
def test_what_can_be_seen_can_be_named(setup: dict[str, Any], seed: int) -> None:
    for game, _ in complete_game(setup, seed):
        groups = RULES.visible_layout(game)
        assert all(label for labels in groups.values() for label in labels)
        assert len(groups["inventory"]) == 7 and len(groups[f"goods:{AUTOMA}"]) == 6


@pytest.mark.slow
def test_every_step_and_building_comes_up_in_play() -> None:
    """A step that no game ever shows would never have been read by anybody."""
    seen: set[str] = set()
    placed: set[str] = set()
    for seed in range(48):
        modifiers = "".join(m for m in MODIFIERS if seed >> MODIFIERS.index(m) & 1)
        for game, move in complete_game(setup_with(1 + seed % 3, modifiers=modifiers), seed):
            if isinstance(move, AutomaTurn):
                for event in RULES.apply(game.copy(), move):
                    seen |= {step["code"] for step in event.data.get("steps", ())}
                    placed.add(str(event.data.get("tile")))
    assert {f"building/{building}" for building in BUILDINGS} <= placed
    assert set(STEPS) - seen <= RARE
