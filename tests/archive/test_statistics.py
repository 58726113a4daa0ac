"""What players have done over many evenings."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.archive import Archive, GameRecord, PlayerStatistics, player_statistics
from tests.archive.test_archive import play


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[GameRecord]:
    """Two finished games, in one of which Blue has no name, and one that was left."""
    folder: Path = tmp_path_factory.mktemp("games")
    play(folder / "one.journal", 1, names={"red": "Anna", "blue": "Yves"})
    play(folder / "two.journal", 2, names={"red": "Anna"}, chateauma="hard")
    play(folder / "three.journal", 3, names={"red": "Yves", "blue": "Anna"}, moves=40)
    return Archive(folder).records()


def of(player: str, records: list[GameRecord]) -> PlayerStatistics:
    return next(one for one in player_statistics(records, "burgundy") if one.player == player)


def test_only_people_with_a_name_count_and_only_finished_games(records: list[GameRecord]) -> None:
    found = player_statistics(records, "burgundy")
    assert [(one.player, one.games) for one in found] == [("Anna", 2), ("Yves", 1)]


def test_averages_by_source_add_up_to_the_average_score(records: list[GameRecord]) -> None:
    anna = of("Anna", records)
    assert sum(anna.by_source.values()) == pytest.approx(anna.average) and anna.best >= anna.average


def test_the_luck_is_that_of_ones_own_dice(records: list[GameRecord]) -> None:
    game = next(record for record in records if record.over and "Yves" in [s.name for s in record.seats])
    colour = next(seat.colour for seat in game.seats if seat.name == "Yves")
    yves = of("Yves", records)
    assert yves.dice == sum(game.dice[colour]) == 50
    assert yves.roll == pytest.approx(game.average_roll(colour))


def test_games_of_another_kind_do_not_count(records: list[GameRecord]) -> None:
    assert player_statistics(records, "another") == []
