"""What holds after any override or adjustment: nothing appears or disappears, and the game can be played to its end."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.burgundy.modules.chateauma import Chateauma
from companion.games.burgundy.rules import GameState, Move
from companion.games.burgundy.rules.decisions import Override
from companion.games.burgundy.rules.future_supply import goods_needed, piles, tiles_needed
from companion.games.burgundy.rules.legality import legal_moves
from companion.games.burgundy.rules.state import OVER, SETUP, TURN
from companion.games.burgundy.rules.tiles import GOODS, LABELS, TYPES
from companion.games.burgundy.rules.validation import validate
from tests.games.burgundy.test_chateauma_properties import faces_of
from tests.games.burgundy.test_chateauma_properties import setups as setups_with_the_chateauma
from tests.games.burgundy.test_rules_properties import (
    complete_game,
    goods_of,
    lively,
    seeds,
    setups,
    tiles_of,
)
from tests.support.positions import RULES

EVERY_EFFECT = {
    "castle", "ship", "discard", "market", "carpenter", "church", "warehouse", "town_hall",
}  # fmt: skip


def any_override(game: GameState, rng: random.Random) -> Override:
    """Returns an override with existing things on existing places, which fits the box only by chance."""
    at = rng.choice(game.players)
    near = [t.label for t in (*at.storage, *at.spaces, *game.black) if t is not None]
    near += ["castle", *(pending.incoming for pending in game.pending if pending.incoming)]

    def label() -> str:
        return rng.choice([rng.choice(near), rng.choice(sorted(LABELS)), "empty"])

    def several(labels: list[str], most: int) -> str:
        return ",".join(rng.choice(labels) for _ in range(rng.randint(0, most))) or "-"

    depot = rng.randint(1, 6)
    changes = {
        f"duchy:{at.colour}:{rng.randrange(37)}": label(),
        f"depot:{depot}:{rng.randrange(len(game.depots[depot - 1]))}": label(),
        f"black:{rng.randrange(len(game.black))}": label(),
        f"storage:{at.colour}": several(near, 3),
        f"goods:{at.colour}": several(list(map(str, GOODS)), 5),
        f"depot_goods:{depot}": several(list(map(str, GOODS)), 4),
        f"{rng.choice(['workers', 'silver', 'score'])}:{rng.choice(game.seats).colour}": str(
            rng.randint(0, 30)
        ),
    }
    return Override(tuple(rng.sample(list(changes.items()), rng.choice([1, 1, 2, 3]))))


def any_adjustment(game: GameState, rng: random.Random) -> Move:
    """An adjustment of what is counted, likely to be possible."""
    player = rng.choice(game.seats).colour
    counts = [count for count in RULES.counts(game) if count.player == player]
    changes = {count.what: rng.randint(-1, 3) for count in rng.sample(counts, rng.randint(1, 3))}
    return RULES.adjustment(game, player, changes, "misread")


def possible(game: GameState, rng: random.Random) -> Move | None:
    """Returns an override or an adjustment that is accepted; None if none of a few is."""
    tries = (rng.choice([any_override, any_override, any_adjustment])(game, rng) for _ in range(4))
    return next((move for move in tries if validate(game, move) is None), None)


def components(game: GameState) -> tuple[Any, ...]:
    """All that is limited: tiles, goods, bonus tiles, and the dice that nobody has used yet."""
    automas = [seat for seat in game.seats if isinstance(seat, Chateauma)]
    goods = [
        n + sum(a.goods[kind] + a.sold[kind] for a in automas) for kind, n in enumerate(goods_of(game), 1)
    ]
    won = Counter(colour for seat in game.seats for colour in seat.bonus_tiles)
    bonus = {colour: won[colour] + game.bonus_tiles_left[colour] for colour in TYPES}
    return (
        faces_of(game) if automas else tiles_of(game),
        goods,
        bonus,
        [player.dice for player in game.players],
    )


def assert_can_go_on(game: GameState, before: GameState) -> None:
    """There is a move, and the phases to come find what they need, or as much of it as there was before."""
    assert game.stage == OVER or RULES.sample_chance(game.copy(), random.Random(0)) or legal_moves(game)
    assert min(game.supply.values()) >= 0 <= min(game.box.values(), default=0)
    assert min(game.goods_supply) >= 0 and sum(game.goods_supply) >= goods_needed(game)
    left, was, needed = piles(game.supply), piles(before.supply), tiles_needed(game)
    assert all(left[pile] >= min(count, was[pile]) for pile, count in needed.items())
    assert RULES.from_json(game.to_json()).state_hash() == game.state_hash()


def played_out(game: GameState, rng: random.Random, meddles: float = 0.0) -> None:
    """Plays to the end by the rules, with overrides and adjustments in between as often as *meddles*."""
    for _ in range(5000):
        if RULES.is_over(game):
            return
        if game.stage != SETUP and rng.random() < meddles and (move := possible(game, rng)):
            RULES.play(game, move)
            continue
        RULES.play(game, RULES.sample_chance(game, rng) or lively(legal_moves(game), rng))
    raise AssertionError("the game does not end")


any_setup = st.one_of(setups(), setups_with_the_chateauma())


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(any_setup, seeds)
def test_a_game_plays_to_its_end_after_any_overrides_and_corrections(
    setup: dict[str, Any], seed: int
) -> None:
    played_out(RULES.new(setup), random.Random(seed), meddles=0.4)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(any_setup, seeds)
def test_after_any_override_or_adjustment_nothing_is_lost_and_there_is_a_move(
    setup: dict[str, Any], seed: int
) -> None:
    rng = random.Random(seed)
    for position, _ in complete_game(setup, seed):
        if position.stage in (SETUP, OVER) or rng.random() < 0.7:
            continue
        game, had = position.copy(), components(position)
        for _ in range(3):
            if move := possible(game, rng):
                RULES.play(game, move)
        assert components(game) == had
        assert_can_go_on(game, position)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_whatever_effect_waits_an_override_leaves_a_game_that_ends(seed: int) -> None:
    """Overrides in the middle of every kind of decision; after one of each, the game is played to its end."""
    rng, waits = random.Random(seed), Counter[str]()
    setup = {
        "edition": "special",
        "players": [
            {"colour": colour, "duchy": f"se-{n}"}
            for n, colour in enumerate(("red", "blue", "green", "black"), 1)
        ],
    }
    for number in range(8):
        for position, _ in complete_game(setup, 100 * seed + number):
            if position.stage != TURN or not position.pending:
                continue
            effect = position.pending[-1].effect
            for _ in range(3):
                game, move = position.copy(), any_override(position, rng)
                if validate(game, move) is not None:
                    continue
                RULES.play(game, move)
                assert components(game) == components(position)
                assert_can_go_on(game, position)
                waits[effect] += 1
                if waits[effect] == 1:
                    played_out(game, rng)
    assert set(waits) == EVERY_EFFECT
