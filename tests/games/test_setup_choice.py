"""What people choose before a game of any kind: what a page sends becomes a choice, and a choice a set-up."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.setup import (
    PERSON,
    SEVERAL,
    MalformedChoiceError,
    Option,
    SeatKind,
    SetupForm,
    SimpleSetup,
    additional_seat,
    check_combination,
    check_seats,
    excluded,
    parsed_choice,
    settled,
    with_suggestions,
)
from companion.games.setup import SetupFormError as Refused
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator

GAME = SimpleSetup(
    2,
    3,
    [
        Option("length", ("short", "long"), "short"),
        Option("parts", ("events", "goals"), (), kind=SEVERAL, needs={"length": "long"}),
    ],
)
ANNA = {"colour": "red", "kind": "person", "name": "Anna"}
YVES = {"colour": "blue", "kind": "person", "name": "Yves"}


def test_without_a_past_game_the_fewest_people_are_proposed_with_usual_values() -> None:
    proposal = GAME.proposal()
    assert proposal["options"] == {"length": "short", "parts": []}
    assert [seat["colour"] for seat in proposal["seats"]] == ["red", "blue"]


def test_a_choice_becomes_a_setup_with_players_names_and_options() -> None:
    sent = {
        "options": {"length": "long", "parts": ["goals", "events"]},
        "seats": [YVES, {**ANNA, "name": ""}],
    }
    assert GAME.setup(parsed_choice(GAME, sent)) == {
        "players": [{"colour": "blue"}, {"colour": "red"}],
        "names": {"blue": "Yves"},
        "length": "long",
        "parts": ["events", "goals"],
    }


def test_an_option_is_asked_only_where_what_it_needs_is_chosen() -> None:
    sent = {"options": {"length": "short", "parts": ["goals"]}, "seats": [ANNA, YVES]}
    assert parsed_choice(GAME, sent)["options"] == {"length": "short"}


def test_the_same_game_again_keeps_seats_names_and_options() -> None:
    setup = GAME.setup({"options": {"length": "long", "parts": ["goals"]}, "seats": [YVES, ANNA]})
    again = GAME.again(setup)
    assert again["options"] == {"length": "long", "parts": ["goals"]} and again["seats"] == [YVES, ANNA]


def test_a_value_that_is_no_longer_there_becomes_the_usual_one() -> None:
    choice = {"options": {"length": "endless"}, "seats": [ANNA]}
    assert settled(GAME.form(), choice)["options"] == {"length": "short"}


@pytest.mark.parametrize(
    "sent",
    [
        None,
        [],
        {"seats": None},
        {"seats": [ANNA] * 4},
        {"seats": [{**ANNA, "colour": "pink"}]},
        {"seats": [{**ANNA, "kind": "bot"}]},
        {"seats": [{**ANNA, "name": 1}]},
        {"options": [], "seats": []},
        {"options": {"length": "long", "parts": "goals"}, "seats": []},
        {"options": {"length": "long", "parts": [["goals"]]}, "seats": []},
    ],
)
def test_what_is_no_choice_is_refused(sent: Any) -> None:
    with pytest.raises(MalformedChoiceError):
        parsed_choice(GAME, sent)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("seats", "code"),
    [
        ([ANNA], "seats"),
        ([ANNA, {**YVES, "colour": "red"}], "same_colour"),
        ([ANNA, {**YVES, "name": " Anna "}], "same_name"),
        ([ANNA, {**YVES, "name": "anna"}], "same_name"),
        ([ANNA, {**YVES, "name": "y" * 21}], "long_name"),
    ],
)
def test_seats_with_which_no_game_can_begin_are_refused_with_a_sentence(
    seats: list[Any], code: str, language: str
) -> None:
    with pytest.raises(Refused) as refused:
        check_seats(GAME.form(), seats)
    assert refused.value.code == code
    assert Translator(language, strict=True)(f"setup_form.{code}", **refused.value.data)


def test_one_more_player_gets_a_colour_that_nobody_has() -> None:
    assert additional_seat(GAME.form(), [ANNA, YVES])["colour"] == "green"


# --- what goes together ---

PARTS = Option(
    "parts",
    ("rivers", "bridges", "ghosts"),
    (),
    kind=SEVERAL,
    requires={"bridges": ["rivers"]},
    excludes={"ghosts": ["bridges", "robot"]},
)
BOARD = Option("board", ("plain", "delta"), "plain", suggests={"delta": {"parts": ["rivers"]}})
FORM = SetupForm(2, 3, ("red", "blue"), (SeatKind(PERSON, (BOARD,)), SeatKind("robot")), (PARTS,))


def with_parts(*parts: str, kind: str = PERSON) -> dict[str, Any]:
    return {"options": {"parts": list(parts)}, "seats": [ANNA, {**YVES, "kind": kind}]}


def test_a_value_of_a_seat_suggests_what_goes_with_it() -> None:
    assert with_suggestions(FORM, with_parts("ghosts"), "delta")["options"]["parts"] == ["ghosts", "rivers"]
    assert with_suggestions(FORM, with_parts("rivers"), "delta")["options"]["parts"] == ["rivers"]
    assert with_suggestions(FORM, with_parts(), "plain")["options"]["parts"] == []


def test_what_excludes_a_value_is_named() -> None:
    assert excluded(PARTS, with_parts("bridges")) == {"ghosts": ["bridges"]}
    assert excluded(PARTS, with_parts(kind="robot")) == {"ghosts": ["robot"]}
    assert excluded(PARTS, with_parts("rivers")) == {}


@pytest.mark.parametrize(
    ("choice", "code", "values"),
    [
        (with_parts("bridges"), "only_together", ["bridges", "rivers"]),
        (with_parts("ghosts", "rivers", "bridges"), "not_together", ["ghosts", "bridges"]),
        (with_parts("ghosts", kind="robot"), "not_together", ["ghosts", "robot"]),
    ],
)
def test_what_does_not_go_together_is_refused(choice: Any, code: str, values: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        check_combination(FORM, choice)
    assert (refused.value.code, refused.value.data["values"]) == (code, values)
    check_combination(FORM, with_parts("rivers", "bridges"))
