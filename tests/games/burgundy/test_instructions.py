"""Instructions for the Châteauma's pieces: few sentences, everything that matters, in both languages."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from companion.games.burgundy.instructions import (
    Instruction,
    details,
    instructions,
    shortened,
)
from companion.games.burgundy.rules import GameState
from companion.games.text import MAX_SENTENCES, are_short_enough
from companion.players.bots import greedy_bot
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.support.automa_positions import automa_turn, setup_with
from tests.support.positions import RULES

NBSP = "\N{NO-BREAK SPACE}"
SHIP_LACKS = ["building/bank", "castle", "building/bank", "livestock/cow_3"]
"""On card 7: only the ship is missing."""
LIVESTOCK_LACKS = ["building/bank", "building/church", None, "monastery/1"]
"""On card 2."""
TALKATIVE = 16
"""Characters that a voice says in a second, in English; in French it says more."""


def events_of(game: GameState) -> list[dict[str, Any]]:
    """What happens in the turn that is due."""
    turn = RULES.automatic_turn(game)
    assert turn is not None
    return [event.to_json() for event in RULES.apply(game.copy(), turn)]


def instructed(game: GameState, language: str = "en") -> list[Instruction]:
    translator = Translator(language, view=RULES.view(game), strict=True)
    return instructions(events_of(game), translator)


def sentences_for(game: GameState, language: str = "en") -> list[str]:
    return [instruction.text for instruction in instructed(game, language)]


@cache
def turns(pieces: str) -> tuple[GameState, ...]:
    """The Châteauma's turns in whole games, each as it is about to be played."""
    return tuple(_turns(pieces))


def _turns(pieces: str) -> Iterator[GameState]:
    for people, modifiers in enumerate(("", "AD", "ABCD"), 1):
        game = RULES.new(setup_with(people, modifiers=modifiers, pieces=pieces))
        rng, bot = random.Random(people), greedy_bot(people)
        while not RULES.is_over(game):
            if RULES.automatic_turn(game):
                yield game.copy()
            RULES.apply(game, RULES.sample_chance(game, rng) or bot(RULES, game))


# --- on the table -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Put the bank from depot 4 on the left card, second space."),
        ("fr", "Mettez la banque du dépôt 4 sur la carte de gauche, deuxième emplacement."),
    ],
)
def test_a_tile_is_reported_with_its_depot_its_card_and_its_space(language: str, expected: str) -> None:
    game = automa_turn(depots={4: ["building/bank"]}, on_left=["building/church"])
    assert sentences_for(game, language) == [expected]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Take goods 1 and 3 from depot 2 and advance its marker by 1."),
        ("fr", "Prenez les marchandises 1 et 3 du dépôt 2 et avancez son marqueur de 1."),
    ],
)
def test_a_ships_goods_and_its_marker_share_a_sentence(language: str, expected: str) -> None:
    game = automa_turn(left=7, on_left=SHIP_LACKS[:3], depots={4: ["ship"]}, goods={2: [1, 3, 3]})
    assert sentences_for(game, language)[1:] == [expected]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "The left card is full: clear it into its duchy and slide the other one over."),
        (
            "fr",
            f"La carte de gauche est pleine{NBSP}: videz-la dans son duché et glissez l’autre à gauche.",
        ),
    ],
)
def test_a_completed_card_is_cleared_and_the_other_one_slides(language: str, expected: str) -> None:
    game = automa_turn(on_left=LIVESTOCK_LACKS, depots={1: ["livestock/cow_3"]})
    assert sentences_for(game, language)[1:] == [expected]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Buy monastery 7 from the black depot."),
        ("fr", "Achetez le monastère 7 du dépôt noir."),
    ],
)
def test_a_purchase_is_a_sentence_of_its_own(language: str, expected: str) -> None:
    game = automa_turn(depots={4: ["building/church"], 0: ["monastery/7"]}, silver=2)
    assert sentences_for(game, language)[1:] == [expected]


def test_a_sale_names_the_goods_sold() -> None:
    game = automa_turn(depots={4: ["building/warehouse"]}, own_goods={3: 2, 4: 1})
    assert sentences_for(game)[1:] == ["Sell all its goods 3."]


def test_a_stored_tile_is_reported_to_come_from_the_inventory() -> None:
    game = automa_turn(stored=["building/bank"])
    assert sentences_for(game) == ["Put the bank from its inventory on the left card, first space."]


def test_a_joker_is_no_tile_that_people_know() -> None:
    game = automa_turn(jokers=["monastery/7"])
    assert sentences_for(game) == ["Put a joker from its inventory on the left card, first space."]


def test_what_becomes_a_joker_is_placed_face_down() -> None:
    game = automa_turn(depots={0: ["monastery/7"]})
    assert sentences_for(game) == ["Put monastery 7 from the black depot face down among its jokers."]


def test_tiles_with_one_destination_share_a_sentence_if_there_are_many() -> None:
    stocks = [{"kind": "stock", "player": "black", "tile": "mine", "depot": d, "slot": 0} for d in (1, 2, 3)]
    sale = {"kind": "sell", "player": "black", "goods": 4}
    sentences = [one.text for one in instructions([*stocks, sale], Translator("en", strict=True))]
    assert sentences == [
        "Put the mine from depot 1, the mine from depot 2 and the mine from depot 3 in its inventory.",
        "Sell all its goods 4.",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_pieces_to_move_there_is_one_sentence(language: str) -> None:
    game = automa_turn()
    assert sentences_for(game, language) == [Translator(language)("instruction.nothing")]
    assert instructed(game, language)[0].events == ()


# --- with its pieces in the box ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            [
                "Put the ship from depot 4 and goods 1 and 3 from depot 2 in the box.",
                "Advance its marker by 1.",
            ],
        ),
        (
            "fr",
            [
                "Mettez le navire du dépôt 4 et les marchandises 1 et 3 du dépôt 2 dans la boîte.",
                "Avancez son marqueur de 1.",
            ],
        ),
    ],
)
def test_of_a_virtual_players_turn_only_the_main_board_is_reported(
    language: str, expected: list[str]
) -> None:
    game = automa_turn(left=7, on_left=SHIP_LACKS, depots={4: ["ship"]}, goods={2: [1, 3]}, pieces="virtual")
    assert sentences_for(game, language) == expected


def test_a_virtual_players_own_pieces_are_not_mentioned() -> None:
    assert sentences_for(automa_turn(stored=["building/bank"], pieces="virtual")) == [
        "There is nothing to move."
    ]


# --- long turns -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("pieces", ["table", "virtual"])
def test_it_never_takes_more_than_three_sentences(pieces: str, language: str) -> None:
    counts = {len(sentences_for(game, language)) for game in turns(pieces)}
    assert max(counts) <= MAX_SENTENCES
    assert {1, 2} <= counts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("pieces", ["table", "virtual"])
def test_each_tile_and_good_that_leaves_the_main_board_is_named_with_its_depot(
    pieces: str, language: str
) -> None:
    for game in turns(pieces):
        translator, sentences = Translator(language, strict=True), " ".join(sentences_for(game, language))
        for event in events_of(game):
            if "slot" in event:
                assert translator("instruction.what.tile", **event) in sentences
            if event["kind"] == "load":
                assert (
                    translator("instruction.what.goods", **event, kinds=sorted(set(event["goods"])))
                    in sentences
                )


@pytest.mark.parametrize("pieces", ["table", "virtual"])
def test_everything_that_is_to_be_done_belongs_to_a_sentence_or_to_the_rest(pieces: str) -> None:
    for game in turns(pieces):
        translator = Translator("en", view=RULES.view(game), strict=True)
        each = [event for one in details(events_of(game), translator) for event in one.events]
        assert sorted(map(str, (e for i in instructed(game) for e in i.events))) == sorted(map(str, each))


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_more_to_see_only_when_something_is_left_out(language: str) -> None:
    rest = Translator(language)("instruction.rest")
    all_instructions = [one for game in turns("table") for one in instructed(game, language)]
    assert {one.text == rest for one in all_instructions} == {True, False}
    assert not any(rest in sentences_for(game, language) for game in turns("virtual"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("pieces", ["table", "virtual"])
def test_spoken_instructions_take_ten_seconds_at_most(pieces: str, language: str) -> None:
    """What is left out is said to be in the picture."""
    for game in turns(pieces):
        translator = Translator(language, view=RULES.view(game), strict=True)
        sentences = sentences_for(game, language)
        spoken = shortened(instructed(game, language), translator)
        assert are_short_enough(spoken, translator)
        assert spoken == sentences or spoken[-1] in (
            translator("instruction.rest"),
            translator("instruction.look"),
        )


def test_a_turn_whose_first_sentence_is_too_long_is_left_to_the_picture() -> None:
    translator = Translator("en", strict=True)
    assert shortened([Instruction("Take " + "a tile and " * 20, ())], translator) == [
        translator("instruction.look")
    ]


def test_sentences_are_spoken_as_long_as_there_is_time() -> None:
    translator = Translator("en", strict=True)
    short, long = Instruction("Take the bank.", ()), Instruction("Take " + "a tile and " * 20, ())
    assert shortened([short, short], translator) == [short.text, short.text]
    assert shortened([short, long, Instruction(translator("instruction.rest"), ())], translator) == [
        short.text,
        translator("instruction.rest"),
    ]


@pytest.mark.parametrize("pieces", ["table", "virtual"])
def test_nineteen_turns_of_twenty_are_spoken_in_ten_seconds(pieces: str) -> None:
    lengths = sorted(len(" ".join(sentences_for(game))) for game in turns(pieces))
    assert lengths[len(lengths) * 19 // 20] <= 10 * TALKATIVE
