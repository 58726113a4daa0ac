"""The contract that session, referee, journal and page rely on: every game, and every combination of modules.

Games with each module, and with as many as go together, are examined at length, one thing a test; those with any other
combination in one test each.
"""

from __future__ import annotations

import json
from collections.abc import Hashable

import pytest

from companion.games import capabilities
from companion.games.api import Move, Rules, State
from tests.games.burgundy import contract_cases as burgundy
from tests.games.others import contract_cases as others
from tests.support.contract import Case, decisions, positions, replayed

CASES = [*burgundy.cases(), *others.cases()]
COMBINATIONS = [*burgundy.combinations_of_modules()]
SEEDS = (1, 2)
EVERY = 7
"""Of so many positions, one is examined where that takes long."""
EVERY_OF_COMBINATIONS = 31

each_case = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
each_seed = pytest.mark.parametrize("seed", SEEDS)


PLACES_OF_NO_TABLE = (
    "",
    ":",
    "0",
    "nowhere",
    "nowhere:0",
    "depot:9:9",
    "depot:1:-1",
    "duchy:red:99",
    "duchy:red:x",
    "black:",
)


@each_case
def test_nothing_can_be_wanted_at_a_place_that_the_table_does_not_have(case: Case) -> None:
    for number, (state, _) in enumerate(positions(case, 16)):
        if number % EVERY == 0:
            for place in PLACES_OF_NO_TABLE:
                assert list(case.rules.illegal_moves_at(state, place)) == []


@each_case
def test_the_rules_have_everything_that_every_game_has(case: Case) -> None:
    methods = [name for name, value in vars(Rules).items() if callable(value) and not name.startswith("_")]
    assert len(methods) > 20
    assert [name for name in (*methods, *Rules.__annotations__) if not hasattr(case.rules, name)] == []


@each_case
@each_seed
def test_a_random_game_ends_and_replays_from_its_notation_to_the_same_hash(case: Case, seed: int) -> None:
    texts, last = [], ""
    for state, move in positions(case, seed):
        texts.append(str(move))
        assert case.rules.parse_move(texts[-1]) == move
        final = state  # changed in place: the last one is the end of the game
    last = final.state_hash()
    assert replayed(case, texts).state_hash() == last
    assert set(case.rules.ranking(final)) == {seat["colour"] for seat in case.rules.seats(case.setup)}


@each_case
def test_the_legal_moves_are_those_that_validation_passes(case: Case) -> None:
    for number, (state, move) in enumerate(positions(case, 3)):
        assert case.rules.validate(state, move) is None
        if number % EVERY == 0:
            _check_legal_moves(case, state)


@each_case
def test_a_move_has_a_short_notation_and_a_description_that_are_read_back(case: Case) -> None:
    for number, (state, _) in enumerate(positions(case, 4)):
        if number % EVERY == 0:
            _check_notation(case, state)


@each_case
def test_a_position_is_stored_as_json_without_loss(case: Case) -> None:
    for number, (state, _) in enumerate(positions(case, 5)):
        if number % EVERY == 0:
            _check_json(case, state)


@each_case
def test_a_copy_is_independent(case: Case) -> None:
    for state, move in positions(case, 6):
        before, copy = state.state_hash(), state.copy()
        case.rules.apply(copy, move)
        assert state.state_hash() == before


@each_case
def test_no_component_appears_or_disappears(case: Case) -> None:
    box = case.components(case.rules.new(case.setup))
    for state, _ in positions(case, 7):
        assert case.components(state) == box


@each_case
def test_points_by_source_add_up_to_the_score(case: Case) -> None:
    for state, _ in positions(case, 8):
        final = state
    history, sheet = case.rules.score_history(final), case.rules.score_sheet(final)
    assert all(history.values()), "score_history has to end with the final score"
    assert {player: sum(points.values()) for player, points in sheet.items()} == {
        player: scores[-1] for player, scores in history.items()
    }
    assert set().union(*sheet.values()) <= set(case.rules.score_sources)


@each_case
def test_positions_with_equal_keys_have_the_same_moves(case: Case) -> None:
    known: dict[Hashable, list[str]] = {}
    for number, (state, _) in enumerate(positions(case, 9)):
        if number % EVERY == 0:
            moves = sorted(map(str, case.rules.legal_moves(state)))
            assert (
                known.setdefault(capabilities.observable(case.rules).transposition_key(state), moves) == moves
            )


@each_case
def test_what_changes_on_the_table_is_announced_by_the_move(case: Case) -> None:
    for state, move in positions(case, 10):
        _check_announced(case, state, move)


@pytest.mark.parametrize("case", COMBINATIONS, ids=[case.name for case in COMBINATIONS])
def test_a_game_with_modules_in_combination_keeps_the_contract(case: Case) -> None:
    texts, last = [], ""
    box = case.components(case.rules.new(case.setup))
    for number, (state, move) in enumerate(positions(case, 11)):
        texts.append(str(move))
        assert case.components(state) == box
        if number % EVERY_OF_COMBINATIONS == 0:
            _check_legal_moves(case, state)
            _check_notation(case, state)
            _check_json(case, state)
            _check_announced(case, state, move)
        final = state
    last = final.state_hash()
    assert replayed(case, texts).state_hash() == last
    assert sorted(case.rules.ranking(final)) == sorted(
        seat["colour"] for seat in case.rules.seats(case.setup)
    )


@each_case
def test_a_camera_reads_only_what_belongs_to_the_game(case: Case) -> None:
    table = capabilities.observable(case.rules)
    for number, (state, move) in enumerate(positions(case, 11)):
        if number % EVERY == 0:
            shown = table.visible_layout(state)
            assert {label for labels in shown.values() for label in labels} <= case.labels
            assert {table.part_of(group) for group in shown} <= {*table.parts}
            if case.rules.to_move(state) is not None:
                assert {change.label for change in table.visible_changes(state, move)} <= case.labels


@each_case
def test_whoever_is_to_act_has_a_legal_move_and_nobody_else(case: Case) -> None:
    for number, (state, _) in enumerate(positions(case, 12)):
        if number % EVERY == 0:
            stage, player = case.rules.stage(state), case.rules.to_move(state)
            assert bool(stage.actors) == bool(case.rules.legal_moves(state))
            assert player is None or [*stage.actors] == [player]
            assert {*stage.actors, *stage.acted} <= {*stage.order}
            assert sorted(stage.order) == sorted(seat["colour"] for seat in case.rules.seats(case.setup))


@each_case
def test_what_others_may_do_out_of_turn_is_legal_and_lets_the_turn_go_on(case: Case) -> None:
    others = capabilities.out_of_turn(case.rules)
    for number, (state, _) in enumerate(positions(case, 17)):
        if number % EVERY == 0:
            for move in others.out_of_turn_moves(state):
                after = state.copy()
                case.rules.play(after, move)
                assert move not in case.rules.legal_moves(state)
                assert not case.rules.ends_turn(move)
                assert case.rules.stage(after).actors == case.rules.stage(state).actors


@each_case
def test_the_way_to_every_legal_move_leads_over_its_choices(case: Case) -> None:
    guided = capabilities.guided(case.rules)
    for number, (state, _) in enumerate(positions(case, 13)):
        if number % EVERY == 0:
            found: list[Move] = []
            paths: list[tuple[str, ...]] = [()]
            while paths:
                path = paths.pop()
                for choice in guided.move_choices(state, path):
                    if choice.move is None:
                        paths.append((*path, choice.key))
                    else:
                        found.append(choice.move)
            assert sorted(map(str, found)) == sorted(map(str, case.rules.legal_moves(state)))


@each_case
def test_a_piece_that_is_placed_freely_has_a_size_and_nobody_elses_owner(case: Case) -> None:
    table = capabilities.freely_placed(case.rules)
    players = [seat["colour"] for seat in case.rules.seats(case.setup)]
    for state, _ in positions(case, 15):
        for piece in (piece for pieces in table.placed_pieces(state).values() for piece in pieces):
            assert min(piece.size_mm) > 0 and piece.player in (None, *players)


@each_case
def test_nobody_learns_anothers_secret(case: Case) -> None:
    """Whichever of their secrets a player has, everybody else sees the same."""
    secrets = capabilities.secrets(case.rules)
    for state, move in positions(case, 14):
        owner = secrets.owner_of(move)
        if owner is None:
            continue
        others = [other for other in decisions(case, state) if secrets.owner_of(other) == owner]
        assert len(others) > 1
        viewers = [seat["colour"] for seat in case.rules.seats(case.setup) if seat["colour"] != owner]
        for viewer in (None, *viewers):
            assert len({_what_is_seen(case, state, other, viewer) for other in others}) == 1
        assert len({_what_is_seen(case, state, other, owner) for other in others}) == len(others)


def _check_legal_moves(case: Case, state: State) -> None:
    """Checks that no legal move is listed twice or refused, and that none is explained as illegal."""
    legal = case.rules.legal_moves(state)
    assert len(set(legal)) == len(legal)
    assert [case.rules.validate(state, each) for each in legal] == [None] * len(legal)
    for place in _places(case, state):
        for illegal, _ in case.rules.illegal_moves_at(state, place):
            assert illegal not in legal


def _check_notation(case: Case, state: State) -> None:
    """Checks that every legal move is read back from its short and its full notation."""
    for move in case.rules.legal_moves(state):
        assert case.rules.parse_short(state, case.rules.short_notation(state, move)) == move
        assert case.rules.parse_short(state, str(move)) == move
        assert json.loads(json.dumps(case.rules.describe(move)))["text"] == str(move)


def _check_json(case: Case, state: State) -> None:
    """Checks that a position is the same after it has been written and read."""
    again = case.rules.from_json(json.loads(json.dumps(state.to_json())))
    assert again.state_hash() == state.state_hash()
    assert case.rules.legal_moves(again) == case.rules.legal_moves(state)
    assert case.rules.view(again).keys() == json.loads(json.dumps(case.rules.view(state))).keys()


def _check_announced(case: Case, state: State, move: Move) -> None:
    """Checks that a place that looks otherwise after a decision is among its visible changes, or in storage."""
    observable = capabilities.observable(case.rules)
    if (
        case.rules.to_move(state) is None
        or capabilities.automatic(case.rules).automatic_turn(state)
        or case.rules.ends_turn(move)
    ):
        return
    before, copy = observable.visible_layout(state), state.copy()
    announced = {change.place for change in observable.visible_changes(state, move)}
    case.rules.apply(copy, move)
    after = observable.visible_layout(copy)
    assert before.keys() == after.keys()
    for group, labels in after.items():
        if not observable.is_unordered(group):
            changed = {f"{group}:{i}" for i, label in enumerate(labels) if label != before[group][i]}
            assert changed <= announced, (str(move), changed, announced)


def _what_is_seen(case: Case, state: State, move: Move, viewer: str | None) -> str:
    """Returns all that *viewer* is shown of *move* and of the position after it, unless it is the last of its kind
    and reveals them all."""
    after = state.copy()
    case.rules.apply(after, move)
    described = capabilities.description_for(case.rules, move, viewer)
    same_stage = case.rules.stage(after).name == case.rules.stage(state).name
    return json.dumps([described, case.rules.view(after, viewer) if same_stage else None])


def _places(case: Case, state: object) -> list[str]:
    layout = capabilities.observable(case.rules).visible_layout(state)
    return [f"{group}:{i}" for group, labels in layout.items() for i in range(len(labels))]
