"""Capabilities: a game that has one answers itself, and for others there is a neutral answer."""

from __future__ import annotations

from typing import Any, cast

import pytest

from companion.games import capabilities
from companion.games.api import Rules
from companion.games.burgundy.plugin import burgundy


class Plain:
    """A game that can do nothing but what every game does."""

    name = "plain"


class State:
    def state_hash(self) -> str:
        return "0"


PLAIN, STATE = cast("Rules", Plain()), State()
ASKED: dict[str, tuple[Any, object]] = {
    "chance": (lambda of: of.sample_chance(STATE, None), None),
    "reports": (lambda of: list(of.unobserved_chance_moves(STATE)), []),
    "dice": (lambda of: of.expected_dice(STATE), {}),
    "layout": (lambda of: of.visible_layout(STATE), {}),
    "key": (lambda of: of.transposition_key(STATE), "0"),
    "cards": (lambda of: of.cards_on_table(STATE), {}),
    "steps": (lambda of: list(of.setup_steps(STATE)), []),
    "counts": (lambda of: list(of.counts(STATE)), []),
    "automatic": (lambda of: of.automatic_turn(STATE), None),
    "evaluation": (lambda of: of.evaluate(STATE, "red"), 0.0),
    "earlier": (lambda of: of.as_earlier_release("move"), None),
}
OF = {
    "chance": capabilities.chance,
    "reports": capabilities.chance,
    "dice": capabilities.dice,
    "layout": capabilities.observable,
    "key": capabilities.observable,
    "cards": capabilities.cards,
    "steps": capabilities.guided_setup,
    "counts": capabilities.correctable,
    "automatic": capabilities.automatic,
    "evaluation": capabilities.evaluated,
    "earlier": capabilities.migrated,
}


@pytest.mark.parametrize("what", ASKED)
def test_a_game_without_a_capability_has_a_neutral_answer(what: str) -> None:
    ask, answer = ASKED[what]
    assert ask(OF[what](PLAIN)) == answer


@pytest.mark.parametrize("what", ASKED)
def test_a_game_with_a_capability_answers_itself(what: str) -> None:
    assert OF[what](burgundy()) is burgundy()


@pytest.mark.parametrize(
    "ask",
    [
        lambda: capabilities.dice(PLAIN).roll_move(STATE, {}),
        lambda: capabilities.correctable(PLAIN).override(STATE, {}),
        lambda: capabilities.correctable(PLAIN).adjustment(STATE, "red", {}, "because"),
    ],
)
def test_what_only_the_capability_can_do_names_the_game(ask: Any) -> None:
    with pytest.raises(ValueError, match="plain"):
        ask()
