"""The part that a room has for a game."""

from __future__ import annotations

from companion.games.parts import part


def test_a_room_with_a_folder_for_the_game_has_that_part() -> None:
    found = part("web", "burgundy")
    assert found is not None and found.__name__ == "web.games.burgundy"


def test_a_room_without_a_folder_for_the_game_has_none() -> None:
    assert part("web", "unheard_of") is None


def test_a_room_without_any_game_has_none() -> None:
    assert part("companion.journal", "burgundy") is None
