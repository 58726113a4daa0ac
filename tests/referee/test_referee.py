"""The referee: which turns explain what is seen. Positions are made by hand; the true turn is known."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion import referee
from companion.games.burgundy.rules import GameState
from companion.referee import Explanation, Question, Verdict, explain_turn, notation, turn
from companion.referee.evidence import Evidence
from tests.support.module_positions import module_turn
from tests.support.positions import RULES, fill_depot, on_turn, own, play, store
from tests.support.present import present
from tests.support.sightings import sighting_of
from vision.sighting import DieReading, PlaceReading, Sighting

Misread = Mapping[str, Mapping[str, float]] | None
"""Place -> probabilities by label, where a reading is wrong."""


def seen(before: GameState, *moves: str, wrong: Misread = None) -> tuple[Verdict, GameState]:
    """The verdict on the table after *moves*, and the state they truly lead to."""
    after = before.copy()
    play(after, *moves, "end")
    verdict = explain_turn(RULES, before, Evidence(sighting_of(RULES, after, wrong=wrong or {})))
    return verdict, after


def leads_to(before: GameState, explanation: Explanation, after: GameState) -> bool:
    state = before.copy()
    for move in explanation.moves:
        RULES.play(state, move)
    return state.state_hash() == after.state_hash()


def explains(before: GameState, *moves: str, wrong: Misread = None) -> None:
    """The turn is the first explanation, clear without a question."""
    verdict, after = seen(before, *moves, wrong=wrong)
    assert verdict.clear, verdict
    assert leads_to(before, verdict.explanations[0], after)


def test_a_tile_taken_and_one_placed() -> None:
    game = on_turn((3, 4))
    fill_depot(game, 3, "building/bank")
    store(game, "building/church")
    space = place_for(game, "building")
    die = game.player.duchy.spaces[space].die
    game.player.dice = [3, die]
    explains(game, "take building/bank 3.0 die 3", f"place building/church {space} die {die}")


def test_a_tile_taken_and_placed_in_the_same_turn_is_only_seen_in_the_duchy() -> None:
    game = on_turn((1, 6))
    fill_depot(game, 1, "building/bank")
    space = place_for(game, "building")
    die = game.player.duchy.spaces[space].die
    game.player.dice = [1, die]
    explains(game, "take building/bank 1.0 die 1", f"place building/bank {space} die {die}")


def place_for(game: GameState, tile_type: str) -> int:
    """Returns an open space for that type next to the centre."""
    player = game.player
    mask = player.frontier & player.duchy.of_type[tile_type]
    return mask.bit_length() - 1


def test_what_a_partly_watched_table_leaves_open_is_asked() -> None:
    """Two depots out of sight hold a mine each: where the mine that is in storage now came from is asked."""
    game = on_turn((3, 5))
    fill_depot(game, 3, "mine")
    fill_depot(game, 5, "mine")
    game.player.workers = 0
    after = game.copy()
    play(after, "take mine 5.0 die 5", "workers die 3", "end")
    evidence = Evidence(Sighting(places_without(after, "depot:")))
    question = present(explain_turn(RULES, game, evidence).question)
    assert question.likeliest is None
    answered = [
        explain_turn(RULES, game, evidence, option.value).explanations[0] for option in question.options
    ]
    assert [leads_to(game, explanation, after) for explanation in answered].count(True) == 1


def places_without(state: GameState, hidden: str | tuple[str, ...]) -> dict[str, PlaceReading]:
    return {
        place: reading
        for place, reading in sighting_of(RULES, state).places.items()
        if not place.startswith(hidden)
    }


def test_places_that_only_repeat_what_others_show_need_not_be_watched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An inn in storage came from beside the black depot, which is hidden: no less is searched than with it."""
    monkeypatch.setattr(turn, "NODES_PARTLY_WATCHED", 1)
    game = module_turn(["inns"], (3, 5))
    game.player.silver = 2
    after = game.copy()
    play(after, str(RULES.parse_short(game, "buy black inn")), "workers die 3", "workers die 5", "end")
    verdict = explain_turn(RULES, game, Evidence(Sighting(places_without(after, "inns:"))))
    assert verdict.clear and leads_to(game, verdict.explanations[0], after)


def test_a_turn_of_which_nothing_is_watched_is_entered_by_hand() -> None:
    game = on_turn((3, 5))
    fill_depot(game, 3, "mine")
    after = game.copy()
    play(after, "take mine 3.0 die 3", "workers die 5", "end")
    verdict = explain_turn(RULES, game, Evidence(Sighting(places_without(after, ("depot:", "storage:")))))
    assert (verdict.explanations, verdict.question, verdict.notice) == ((), None, "partly_watched")


def test_which_of_two_dice_was_used_follows_from_the_workers_nobody_wastes() -> None:
    """Both orders end with the same tile; one spends two workers more."""
    game = on_turn((3, 5))
    game.player.workers = 4
    fill_depot(game, 3, "ship")
    fill_depot(game, 5, "mine")
    explains(game, "take ship 3.0 die 3", "take mine 5.0 die 5")


def test_a_die_without_a_visible_effect_took_workers() -> None:
    game = on_turn((3, 5))
    fill_depot(game, 3, "ship")
    explains(game, "take ship 3.0 die 3", "workers die 5")


def test_a_purchase_is_seen_at_the_black_depot() -> None:
    game = on_turn((3, 5))
    game.player.silver = 2
    fill_depot(game, 0, "ship", "mine")
    explains(game, "buy mine 0.1", "workers die 3", "workers die 5")


def test_a_chain_of_effects_is_followed() -> None:
    """A market takes a ship from a depot that no die shows."""
    game = on_turn((6, 2))
    store(game, "building/market")
    fill_depot(game, 4, "ship")
    space = place_for(game, "building")
    die = game.player.duchy.spaces[space].die
    game.player.dice = [die, 2]
    explains(game, f"place building/market {space} die {die}", "take ship 4.0", "workers die 2")


def test_goods_loaded_by_a_ship_reveal_the_depot() -> None:
    game = on_turn((5, 2))
    store(game, "ship")
    game.depot_goods[1][4], game.depot_goods[3][4] = 1, 1
    space = place_for(game, "ship")
    die = game.player.duchy.spaces[space].die
    game.player.dice = [die, 2]
    explains(game, f"place ship {space} die {die}", "goods 4 4", "workers die 2")


def test_a_sale_is_seen_by_the_goods_that_are_gone() -> None:
    game = on_turn((5, 2))
    game.player.goods[5] = 3
    explains(game, "sell 5 die 5", "workers die 2")


def test_a_discarded_tile_is_the_one_that_is_missing_from_storage() -> None:
    game = on_turn((3, 2))
    store(game, "castle", "mine", "ship")
    fill_depot(game, 3, "building/bank")
    explains(game, "take building/bank 3.0 die 3", "discard mine", "workers die 2")


def test_monastery_13_and_workers_are_read_in_the_order_that_earns_more() -> None:
    """In which order was done cannot be seen; a player who has the choice takes the silver."""
    game = on_turn((5, 2))
    store(game, "monastery/13")
    space = place_for(game, "monastery")
    die = game.player.duchy.spaces[space].die
    game.player.dice = [die, 2]
    explains(game, f"place monastery/13 {space} die {die}", "workers die 2")


def test_turns_that_end_alike_are_one_explanation() -> None:
    """With monastery 6 a building for two workers and two workers from the die are as good as the die itself."""
    game = on_turn((3, 2))
    game.player.workers = 2
    own(game.player, 6)
    fill_depot(game, 3, "building/bank")
    verdict, _ = seen(game, "take building/bank 3.0 die 3", "workers die 2")
    assert verdict.clear
    assert notation(verdict.explanations[0].moves).count("buy") == 0


def test_turns_that_look_alike_and_matter_are_asked_for() -> None:
    """A sale whose kind the ship loads again at once looks the same as one that took workers."""
    game = on_turn((5, 2))
    game.player.goods[5] = 1
    game.depot_goods[3][5] = 1
    store(game, "ship")
    space = place_for(game, "ship")
    die = game.player.duchy.spaces[space].die
    game.player.dice = [die, 5]
    verdict, after = seen(game, f"place ship {space} die {die}", "goods 4 5", "workers die 5")
    assert verdict.question is not None
    assert verdict.question.about == "turn"
    assert 2 <= len(verdict.question.options) <= 4
    true = [e for e in verdict.explanations if leads_to(game, e, after)]
    assert notation(true[0].moves) in [o.value for o in verdict.question.options]


def test_the_answer_resolves_the_question() -> None:
    game = on_turn((3, 5))
    fill_depot(game, 3, "ship")
    verdict, _ = seen(game, "take ship 3.0 die 3", "workers die 5")
    chosen = notation(verdict.explanations[-1].moves)
    after = game.copy()
    play(after, "take ship 3.0 die 3", "workers die 5")
    answered = explain_turn(RULES, game, Evidence(sighting_of(RULES, after)), chosen)
    assert [notation(e.moves) for e in answered.explanations] == [chosen]


def test_a_place_misread_with_doubt_does_not_hide_the_turn() -> None:
    game = on_turn((3, 5))
    fill_depot(game, 3, "ship")
    explains(
        game,
        "take ship 3.0 die 3",
        "workers die 5",
        wrong={"depot:3:0": {"empty": 0.4, "ship": 0.6}},
    )


def test_what_no_legal_turn_explains_is_named() -> None:
    """Two tiles appeared in depot 3, which nobody can put there."""
    game = on_turn((3, 5))
    verdict, _ = seen(game, "workers die 3", "workers die 5", wrong={"depot:3:0": {"ship": 0.998}})
    assert not verdict.clear
    assert verdict.explanations[0].unexplained == ("depot:3:0",)


def test_a_single_place_with_another_doubtful_reading_is_misread() -> None:
    game = on_turn((3, 5))
    verdict, after = seen(game, "workers die 3", "workers die 5", wrong={"duchy:blue:7": {"mine": 0.9}})
    assert verdict.clear and leads_to(game, verdict.explanations[0], after)
    assert verdict.explanations[0].misread == ("duchy:blue:7",)


def test_what_disappeared_in_one_place_and_appeared_in_another_is_not_misread() -> None:
    """A player has placed a tile on another player's board."""
    game = on_turn((3, 5))
    store(game, "mine")
    wrong = {"duchy:blue:7": {"mine": 0.9}, "storage:red:0": {"empty": 0.9}}
    verdict, _ = seen(game, "workers die 3", "workers die 5", wrong=wrong)
    assert set(verdict.explanations[0].unexplained) == set(wrong)


def test_a_type_that_appeared_may_be_any_tile_that_disappeared() -> None:
    game = on_turn((3, 5))
    store(game, "building/bank")
    wrong = {"duchy:blue:7": {"building": 0.9}, "storage:red:0": {"empty": 0.9}}
    verdict, _ = seen(game, "workers die 3", "workers die 5", wrong=wrong)
    assert set(verdict.explanations[0].unexplained) == set(wrong)


def test_a_hidden_tile_is_not_assumed_to_be_bought_in_vain() -> None:
    """Buying a tile of the black depot and giving it up leaves the same as not buying, but less silver."""
    game = on_turn((3, 5))
    game.player.silver = 4
    for label in ("ship", "mine", "castle"):
        store(game, label)
    after = game.copy()
    play(after, "workers die 3", "workers die 5", "end")
    seen_after = sighting_of(RULES, after)
    hidden = {"black:0": PlaceReading({"empty": 0.0}, hidden=True)}
    sighting = Sighting({**seen_after.places, **hidden}, seen_after.dice)
    verdict = explain_turn(RULES, game, Evidence(sighting))
    assert verdict.clear and leads_to(game, verdict.explanations[0], after)


def test_a_change_that_is_likelier_than_what_was_there_is_followed() -> None:
    """A depot's place that is emptied and taken for another tile."""
    game = on_turn((5, 4))
    fill_depot(game, 5, "building/watchtower")
    wrong = {"depot:5:0": {"building/market": 0.6, "empty": 0.01}, "storage:red:0": {"building": 0.9}}
    verdict, after = seen(game, "take building/watchtower 5.0 die 5", "workers die 4", wrong=wrong)
    assert leads_to(game, verdict.explanations[0], after)


@pytest.mark.parametrize("count", [1, 3])
def test_a_wrong_number_of_dice_is_no_roll(count: int) -> None:
    game = on_turn()
    play(game, "end", "end")
    dice = [DieReading(3, c, (i, 0, 9, 9), 0.99) for i, c in enumerate(["blue", "blue", "white"])]
    dice += [DieReading(4, "red", (50 + i, 0, 9, 9), 0.99) for i in range(count)]
    verdict = referee.explain_roll(RULES, game, dice)
    assert not verdict.explanations
    assert verdict.notice == ("dice_missing" if count == 1 else "dice_extra")


def roll_with_a_false_die() -> tuple[GameState, list[DieReading]]:
    """A game that waits for a roll, and dice of which the second red one is a token."""
    game = on_turn()
    play(game, "end", "end")
    dice = [DieReading(3, c, (i, 0, 9, 9), 0.99) for i, c in enumerate(["blue", "blue", "white"])]
    dice += [DieReading(v, "red", (50 * v, 7, 9, 9), c) for v, c in ((4, 0.97), (2, 0.55), (6, 0.98))]
    return game, dice


def asked(verdict: Verdict) -> Question:
    """Returns the question of a verdict that has one."""
    assert verdict.question is not None
    return verdict.question


def test_of_too_many_dice_the_least_certain_is_offered_first_as_the_one_not_rolled() -> None:
    question = asked(referee.explain_roll(RULES, *roll_with_a_false_die()))
    assert (question.kind, question.about) == ("extra", "extra:red")
    assert [option.value for option in question.options] == ["100,7,9,9", "200,7,9,9", "300,7,9,9"]


def test_the_die_that_was_not_rolled_is_left_out() -> None:
    game, dice = roll_with_a_false_die()
    verdict = referee.explain_roll(RULES, game, dice, {"extra:red": "100,7,9,9"})
    assert str(verdict.explanations[0].moves[0]) == "roll red=4,6 blue=3,3 white=3"


def test_a_doubtful_die_is_asked_for_with_its_place() -> None:
    game, dice = roll_with_a_false_die()
    question = asked(referee.explain_roll(RULES, game, dice[:5]))
    assert (question.about, question.box) == ("die:red:1", (100, 7, 9, 9))


def test_a_die_that_is_not_seen_is_asked_for_without_a_place() -> None:
    game, dice = roll_with_a_false_die()
    question = asked(referee.explain_roll(RULES, game, dice[:4]))
    assert (question.about, question.box, question.reason) == ("die:red:1", None, "missing")


def test_a_cocked_die_is_asked_for() -> None:
    game = on_turn()
    play(game, "end", "end")
    colours = ["red", "red", "blue", "blue", "white"]
    dice = [DieReading(3, c, (i, 0, 9, 9), 0.99) for i, c in enumerate(colours[:-1])]
    dice.append(DieReading(None, "white", (90, 0, 9, 9), 0.5, "cocked"))
    verdict = referee.explain_roll(RULES, game, dice)
    question = asked(verdict)
    assert (question.about, question.reason) == ("die:white:0", "cocked")
    assert [o.value for o in question.options] == ["1", "2", "3", "4", "5", "6"]


def test_a_set_up_of_which_nothing_is_seen_is_reported() -> None:
    game = on_turn()
    fresh = RULES.new(
        {"edition": "special", "players": [{"colour": c, "duchy": "se-1"} for c in ("red", "blue")]}
    )
    empty = {
        f"{g}:{i}": PlaceReading({"empty": 0.999})
        for g, ls in RULES.visible_layout(game).items()
        for i in range(len(ls))
    }
    verdict = referee.explain_layout(RULES, fresh, Evidence(Sighting(empty)))
    assert (verdict.notice, verdict.notice_data) == (
        "start_not_seen",
        {"player": "red", "place": "duchy:red:1"},
    )
