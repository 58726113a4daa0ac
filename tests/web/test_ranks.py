"""Ranks that are shared, and distances to the leader or the next."""

from __future__ import annotations

import pytest

from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from web.ranks import ranks


def test_the_others_are_behind_the_leader_and_the_leader_ahead_of_the_next() -> None:
    found = ranks({"red": 30, "blue": 41, "green": 22})
    assert [(s.number, s.lead) for s in found.values()] == [(2, -11), (1, 11), (3, -19)]


def test_players_with_the_same_points_share_a_rank() -> None:
    found = ranks({"red": 30, "blue": 41, "green": 30, "black": 5})
    assert [s.number for s in found.values()] == [2, 1, 2, 4]


def test_two_leaders_are_level() -> None:
    found = ranks({"red": 30, "blue": 30, "green": 5})
    assert [(s.number, s.short_lead()) for s in found.values()] == [
        (1, "="),
        (1, "="),
        (3, "\N{MINUS SIGN}25"),
    ]


def test_nobody_stands_anywhere_while_all_have_the_same() -> None:
    assert ranks({"red": 0, "blue": 0}) == {}


def test_the_final_ranking_breaks_a_tie() -> None:
    found = ranks({"red": 30, "blue": 30}, ["blue", "red"])
    assert [s.number for s in found.values()] == [2, 1]


def test_a_player_alone_is_not_ranked() -> None:
    assert ranks({"red": 30}) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rank_of_eight_players_has_a_word(language: str) -> None:
    translator = Translator(language, strict=True)
    ranked = ranks({str(n): n for n in range(8)})
    assert len({rank.ordinal(translator) for rank in ranked.values()}) == 8


@pytest.mark.parametrize(("language", "words"), [("en", "11 behind"), ("fr", "11 de retard")])
def test_a_distance_is_said_in_words(language: str, words: str) -> None:
    assert ranks({"red": 30, "blue": 41})["red"].lead_in_words(Translator(language, strict=True)) == words
