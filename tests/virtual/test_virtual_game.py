"""What a game provides to be played at a virtual table: set-ups, a drawn table, and what may lie where."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.games import capabilities
from companion.games.registry import rules_of
from companion.players.bots import decisions, random_bot
from companion.players.errors import SetupError
from companion.virtual.demo import demo_setup, labels_for, layout_for
from companion.virtual.virtual_game import NoVirtualTableError, virtual_game
from hardware.virtual_table.games.burgundy.expansions import EXPANSIONS
from tests.support.other_games import more_games
from vision.sighting import EMPTY


def test_the_same_seed_sets_up_the_same_game_and_another_one_another() -> None:
    assert demo_setup(4, 1) == demo_setup(4, 1) != demo_setup(4, 2)


def test_the_companion_plays_the_last_of_the_people() -> None:
    setup = demo_setup(4, 1, chateauma="easy", opponents=["greedy"])
    assert [player.get("bot") for player in setup["players"]] == [None, None, "greedy"]
    assert setup["chateauma"]["colour"] not in {player["colour"] for player in setup["players"]}


def test_somebody_is_left_at_the_table() -> None:
    with pytest.raises(SetupError, match="it can be 1 at most here"):
        demo_setup(2, 1, opponents=["greedy", "greedy"])


def test_a_game_all_of_whose_print_is_known_assumes_nothing() -> None:
    assert virtual_game("burgundy").assumptions(demo_setup(2, 1)) == ""


@pytest.mark.parametrize(
    ("options", "unknown"),
    [({"chateauma": "easy"}, "inventory"), ({"modules": ["trade_routes"]}, "trade route tiles")],
)
def test_what_is_assumed_about_unknown_print_is_said(options: dict[str, Any], unknown: str) -> None:
    (sentence,) = virtual_game("burgundy").assumptions(demo_setup(2, 1, **options)).splitlines()
    assert sentence.startswith("assumed about the unknown print") and unknown in sentence


@pytest.mark.parametrize("pieces", ["virtual", "table"])
def test_the_drawn_table_has_a_place_for_everything_that_lies_on_it(pieces: str) -> None:
    setup = demo_setup(3, 1, chateauma="easy", pieces=pieces)
    rules, layout = rules_of(setup), layout_for(setup)
    drawn = {group.name for group in layout.groups}
    drawn |= {f"duchy:{board.player}" for board in layout.boards}
    drawn |= {f"card:{area}" for area in layout.card_areas}
    assert capabilities.observable(rules).visible_layout(rules.new(setup)).keys() <= drawn


@pytest.mark.parametrize("modules", [(name,) for name in EXPANSIONS] + [EXPANSIONS])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_table_with_expansions_has_a_place_for_everything_that_lies_on_it(
    modules: tuple[str, ...], players: int
) -> None:
    setup = demo_setup(players, 1, modules=modules)
    rules, layout = rules_of(setup), layout_for(setup)
    drawn = {group.name: len(group.centres_mm) for group in layout.groups}
    visible = capabilities.observable(rules).visible_layout(rules.new(setup))
    assert all(drawn.get(group, 0) >= len(labels) for group, labels in visible.items())
    assert layout.art.faces.issuperset(capabilities.observable(rules).visible_labels(rules.new(setup)))


@pytest.mark.parametrize("modules", [(), EXPANSIONS])
def test_whatever_lies_at_a_place_in_a_game_may_be_read_there(modules: tuple[str, ...]) -> None:
    setup, labels_at = demo_setup(3, 1, modules=modules), labels_for(demo_setup(3, 1, modules=modules))
    rules = rules_of(setup)
    state = rules.new(setup)
    seen: dict[str, set[str]] = {}
    for _ in decisions(rules, state, random_bot(1), random.Random(1)):
        for group, labels in capabilities.observable(rules).visible_layout(state).items():
            seen.setdefault(f"{group}:0", set()).update(labels)
    assert {place for place, labels in seen.items() if not labels - {EMPTY} <= set(labels_at(place))} == set()


def test_a_game_without_a_virtual_table_names_what_can_be_done_instead() -> None:
    with more_games(), pytest.raises(NoVirtualTableError, match="simulate --game matches"):
        virtual_game("matches")
