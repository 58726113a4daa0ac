"""An automatic turn as people make it: what is done, what remains, what went wrong, and who decides.

In the game of these tests the Châteauma takes the bank from depot 4; it belongs on the right card, second space.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.games.burgundy.rules import GameState
from companion.journal import Journal
from companion.referee import Evidence, Verdict, explain_bot_turn
from companion.session import PROPOSAL, UNEXPLAINED, WATCHING, CommandRejectedError, TableSession
from companion.text.catalogue import LANGUAGES
from companion.text.narrator import Narrator
from companion.text.translator import Translator
from companion.text.turn_log import TurnLog
from tests.support.automa_positions import automa_turn
from tests.support.positions import RULES
from tests.support.present import present
from tests.support.sightings import SURE, sighting_of
from vision.sighting import Sighting

NBSP = "\N{NO-BREAK SPACE}"
DEPOT, HOME = "depot:4:0", "card:right:1"
"""The bank's place, and where it belongs."""
NOTHING, BANK = {"empty": SURE}, {"building/bank": SURE}
Wrong = Mapping[str, Mapping[str, float]]


def at_the_bank(**options: Any) -> GameState:
    depots = {3: ["building/watchtower"], 4: ["building/bank"]}
    return automa_turn(
        left=2, right=2, white=5, die=4, on_right=["building/church"], depots=depots, **options
    )


def after(game: GameState) -> GameState:
    done = game.copy()
    RULES.apply(done, present(RULES.automatic_turn(game)))
    return done


def verdict_of(game: GameState, sighting: Sighting) -> Verdict:
    return explain_bot_turn(RULES, game, (RULES.automatic_turn(game),), Evidence(sighting))


def mismatches(game: GameState, seen: GameState, wrong: Wrong, language: str = "en") -> list[str]:
    """Returns the mismatches when the table of *seen* is read, except for what is *wrong*."""
    translator = Translator(language, view=RULES.view(game), strict=True)
    verdict = verdict_of(game, sighting_of(RULES, seen, wrong=wrong))
    return [translator.mismatch(as_json(mismatch)) for mismatch in verdict.mismatches]


def left(game: GameState, wrong: Wrong, language: str = "en") -> list[str]:
    """Returns what remains to do while the table is as before, except for what is *wrong*."""
    translator = Translator(language, view=RULES.view(game), strict=True)
    verdict = verdict_of(game, sighting_of(RULES, game, wrong=wrong))
    assert verdict.mismatches == ()
    return [translator.mismatch(as_json(mismatch)) for mismatch in verdict.remaining]


def as_json(mismatch: Any) -> dict[str, str]:
    return {name: getattr(mismatch, name) for name in ("code", "place", "tile", "target", "instead")}


# --- slips ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "The bank is on the left card, first space; it belongs on the right card, second space."),
        (
            "fr",
            f"La banque est sur la carte de gauche, premier emplacement{NBSP}; "
            "sa place est sur la carte de droite, deuxième emplacement.",
        ),
    ],
)
def test_a_tile_on_the_wrong_card_is_reported_with_its_place(language: str, expected: str) -> None:
    game = at_the_bank()
    assert mismatches(game, after(game), {HOME: NOTHING, "card:left:0": BANK}, language) == [expected]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            "The watchtower is no longer in depot 3: put it back, and take the bank from depot 4.",
        ),
        (
            "fr",
            f"La tour de guet n’est plus au dépôt 3{NBSP}: à remettre{NBSP}; prenez la banque du dépôt 4.",
        ),
    ],
)
@pytest.mark.parametrize("pieces", ["table", "virtual"])
def test_a_wrong_tile_that_was_taken_is_to_be_put_back(pieces: str, language: str, expected: str) -> None:
    game = at_the_bank(pieces=pieces)
    assert mismatches(game, game, {"depot:3:0": NOTHING}, language) == [expected]


def test_another_tile_on_the_right_space_goes_back_to_its_depot() -> None:
    game = at_the_bank()
    wrong = {"depot:3:0": NOTHING, HOME: {"building/watchtower": SURE}}
    assert mismatches(game, game, wrong) == [
        "The watchtower is on the right card, second space; it belongs in depot 3."
    ]


def test_a_tile_too_many_gone_is_to_be_put_back() -> None:
    game = at_the_bank()
    assert mismatches(game, after(game), {"depot:3:0": NOTHING}) == [
        "The watchtower is no longer in depot 3: put it back."
    ]


def test_a_tile_from_nowhere_is_reported() -> None:
    game = at_the_bank()
    assert mismatches(game, after(game), {"card:left:0": {"mine": SURE}}) == [
        "The mine is on the left card, first space, where nothing should be."
    ]


def test_a_tile_in_place_of_another_is_reported() -> None:
    game = at_the_bank()
    assert mismatches(game, after(game), {"card:right:0": {"mine": SURE}}) == [
        "The mine is on the right card, first space, where the church should be."
    ]


def test_several_animals_are_named_in_the_plural() -> None:
    game = at_the_bank()
    assert mismatches(game, after(game), {"card:left:0": {"livestock/cow_3": SURE}}) == [
        "The 3 cows are on the left card, first space, where nothing should be."
    ]


def test_a_doubtful_reading_that_nothing_else_supports_is_no_mismatch() -> None:
    game = at_the_bank()
    doubtful = {"card:left:0": {"mine": 0.96, "empty": 0.04}}
    verdict = verdict_of(game, sighting_of(RULES, after(game), wrong=doubtful))
    assert verdict.mismatches == ()
    assert verdict.explanations[0].misread == ("card:left:0",)


# --- hands that are still busy ----------------------------------------------------------------------------


@pytest.mark.parametrize("pieces", ["table", "virtual"])
def test_all_steps_remain_before_anything_is_done(pieces: str) -> None:
    (sentence,) = left(at_the_bank(pieces=pieces), {})
    assert sentence == "The bank is still in depot 4."


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "The bank is missing on the right card, second space."),
        ("fr", "La banque manque sur la carte de droite, deuxième emplacement."),
    ],
)
def test_a_tile_in_a_hand_is_no_mismatch(language: str, expected: str) -> None:
    assert left(at_the_bank(), {DEPOT: NOTHING}, language) == [expected]


def before_the_last_tile() -> GameState:
    """The 3 cows of depot 1 complete the left card, whose tiles then go to the duchy."""
    on_left = ["building/bank", "building/church", None, "monastery/1"]
    return automa_turn(left=2, right=9, on_left=on_left, depots={1: ["livestock/cow_3"]})


def test_the_last_tile_of_a_card_that_is_not_yet_cleared_is_no_mismatch() -> None:
    """It is there neither before nor after the turn."""
    assert left(before_the_last_tile(), {"depot:1:0": NOTHING, "card:left:2": {"livestock/cow_3": SURE}})


def test_a_card_that_is_half_cleared_is_no_mismatch() -> None:
    cleared = dict.fromkeys(("card:left:0", "card:left:1"), NOTHING)
    assert left(before_the_last_tile(), {"depot:1:0": NOTHING, **cleared})


def test_goods_that_are_loaded_one_by_one_are_no_mismatch() -> None:
    game = automa_turn(
        left=7,
        on_left=["building/bank", "castle", None, "livestock/cow_3"],
        depots={4: ["ship"]},
        goods={2: [1, 3]},
        own_goods={5: 1},
    )
    assert "goods/3" in " ".join(RULES.visible_layout(after(game))["goods:black"])
    sentences = left(game, {"depot:4:0": NOTHING, "card:left:4": {"ship": SURE}, "depot_goods:2:0": NOTHING})
    assert "Goods 3 is still in depot 2." in sentences


def test_remaining_steps_are_in_the_order_of_the_turn() -> None:
    game = automa_turn(
        right=None,
        depots={1: ["building/church"], 3: ["castle"], 0: ["monastery/7"]},
        silver=2,
        stored=["mine"],
    )
    assert left(game, {}) == [
        "The church is still in depot 1.",
        "The castle is still in depot 3.",
        "Monastery 7 is still in the black depot.",
    ]


# --- at the table -----------------------------------------------------------------------------------------


class Table:
    """Represents a game whose next step is the bank, and a session that observes how people go on."""

    def __init__(self, before: GameState) -> None:
        self.before = before
        self.session = TableSession(RULES, Journal(":memory:"), {"edition": "special", "players": []})
        self.look(before)

    def look(self, game: GameState, wrong: Wrong | None = None) -> None:
        self.session.observe(sighting_of(RULES, game, wrong=wrong))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    return table_at(at_the_bank(), monkeypatch)


def table_at(before: GameState, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table at which a new game begins in this position."""
    monkeypatch.setattr(RULES, "new", lambda setup: before.copy())
    return Table(before)


def rejection_of(table: Table) -> CommandRejectedError:
    with pytest.raises(CommandRejectedError) as rejected:
        table.session.confirm()
    return rejected.value


def test_while_hands_are_busy_the_session_waits(table: Table) -> None:
    table.look(table.before, wrong={DEPOT: NOTHING})
    assert table.session.status == WATCHING
    table.look(after(table.before))
    assert table.session.status == PROPOSAL


def test_a_mismatch_shows_at_once_and_goes_when_it_is_corrected(table: Table) -> None:
    table.look(after(table.before), wrong={HOME: NOTHING, "card:left:0": BANK})
    assert table.session.status == UNEXPLAINED and table.session.snapshot()["mismatches"]
    table.look(after(table.before))
    assert table.session.status == PROPOSAL and not table.session.snapshot()["mismatches"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_press_too_early_is_rejected_with_the_remaining_steps(table: Table, language: str) -> None:
    rejected = rejection_of(table)
    sentence = Translator(language, strict=True).reason(rejected.code, rejected.data)
    assert sentence.startswith(
        {"en": "The bank is still in depot 4.", "fr": "La banque est encore au dépôt 4."}[language]
    )


def test_a_press_on_a_mismatch_is_rejected_with_the_mismatch(table: Table) -> None:
    table.look(after(table.before), wrong={HOME: NOTHING, "card:left:0": BANK})
    rejected = rejection_of(table)
    assert (
        Translator("en", strict=True)
        .reason(rejected.code, rejected.data)
        .startswith("The bank is on the left")
    )


@pytest.mark.parametrize("wrong", [{}, {"depot:3:0": NOTHING}], ids=["not done", "slip"])
def test_a_second_press_confirms_despite_a_mismatch(table: Table, wrong: Wrong) -> None:
    table.look(table.before, wrong=wrong)
    rejection_of(table)
    assert table.session.snapshot()["overriding"]
    table.session.confirm()
    assert table.session.state.state_hash() == after(table.before).state_hash()


def test_a_second_press_confirms_only_the_mismatches_of_the_first(table: Table) -> None:
    rejection_of(table)
    table.look(table.before, wrong={"depot:3:0": NOTHING})
    assert not table.session.snapshot()["overriding"]
    rejection_of(table)


def test_a_confirmed_misreading_does_not_affect_the_next_turn(table: Table) -> None:
    """The card's space is misread: once a press overrides it, the same reading is no evidence."""
    table.look(after(table.before), wrong={HOME: NOTHING})
    rejection_of(table)
    table.session.confirm()
    seen = table.session._context.belief.evidence()
    assert seen.reading(HOME) is None and seen.reading("card:right:0") is not None


def test_a_misread_place_can_be_corrected_by_a_tap(table: Table) -> None:
    table.look(after(table.before), wrong={HOME: NOTHING})
    assert table.session.status == WATCHING
    table.session.correct(HOME, "building/bank")
    assert table.session.status == PROPOSAL


def test_an_automatic_turn_cannot_be_overridden(table: Table) -> None:
    table.look(table.before, wrong={"depot:3:0": NOTHING})
    with pytest.raises(CommandRejectedError, match="no_override_in_automatic_turn"):
        table.session.override()


def test_one_press_is_enough_where_the_boards_are_not_read(table: Table) -> None:
    table.session.watch(boards=False)
    table.session.confirm()
    assert table.session.state.state_hash() == after(table.before).state_hash()


def test_a_press_before_the_first_sighting_has_to_be_repeated(table: Table) -> None:
    table.session = TableSession(RULES, Journal(":memory:"), {"edition": "special", "players": []})
    assert rejection_of(table).code == "not_seen_yet"
    table.session.confirm()
    assert table.session.state.state_hash() == after(table.before).state_hash()


# --- aloud ------------------------------------------------------------------------------------------------


def announced(narrator: Narrator, language: str = "en") -> str:
    announcement = narrator.latest()
    return announcement.text(Translator(language, view=announcement.view, strict=True))


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Put the bank from depot 4 on the right card, second space. Then confirm."),
        (
            "fr",
            "Mettez la banque du dépôt 4 sur la carte de droite, deuxième emplacement. Puis confirmez.",
        ),
    ],
)
def test_the_voice_announces_what_to_move(table: Table, language: str, expected: str) -> None:
    assert announced(Narrator(table.session, TurnLog(table.session)), language) == expected


def test_the_voice_names_a_mismatch_once_and_is_silent_when_it_is_corrected(table: Table) -> None:
    narrator = Narrator(table.session, TurnLog(table.session))
    first = narrator.latest().number
    table.look(table.before, wrong={"depot:3:0": NOTHING})
    assert announced(narrator).startswith("The watchtower is no longer in depot 3")
    table.look(after(table.before))
    assert narrator.latest().number == first + 1


def test_the_voice_answers_a_press_too_early(table: Table) -> None:
    narrator = Narrator(table.session, TurnLog(table.session))
    narrator.latest()
    rejection_of(table)
    assert announced(narrator).startswith("The bank is still in depot 4. If it is done")


def test_after_the_press_the_voice_does_not_repeat_the_turn(table: Table) -> None:
    narrator = Narrator(table.session, TurnLog(table.session))
    narrator.latest()
    table.look(after(table.before))
    table.session.confirm()
    assert "bank" not in announced(narrator) and "2 silver" not in announced(narrator)


def test_after_the_press_the_voice_announces_the_points(monkeypatch: pytest.MonkeyPatch) -> None:
    before = automa_turn(depots={1: ["building/watchtower"]})
    table = table_at(before, monkeypatch)
    narrator = Narrator(table.session, TurnLog(table.session))
    narrator.latest()
    table.look(after(before))
    table.session.confirm()
    assert announced(narrator).startswith("Châteauma 4 points.")
