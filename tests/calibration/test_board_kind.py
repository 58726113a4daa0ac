"""What is known of the boards of a game."""

from __future__ import annotations

from dataclasses import replace

from calibration.board_kind import Spaces, board_kinds
from calibration.games.burgundy import BOARDS

ONE: Spaces = (("ship", 1), ("mine", 2), ("mine", 3))
SAME_DICE: Spaces = (("mine", 1), ("ship", 2), ("ship", 3))
SAME_TYPES: Spaces = (("mine", 3), ("ship", 2), ("mine", 1))


def test_the_boards_of_a_game_are_found_in_its_folder() -> None:
    assert board_kinds() == (BOARDS,)


def test_the_dice_of_a_kind_are_those_that_all_its_boards_share() -> None:
    assert replace(BOARDS, load_known=lambda: {"a": ONE, "b": SAME_DICE}).usual_dice == (1, 2, 3)
    assert replace(BOARDS, load_known=lambda: {"a": ONE, "b": SAME_TYPES}).usual_dice == ()
    assert replace(BOARDS, load_known=dict).usual_dice == ()


def test_the_counts_of_a_kind_are_those_that_all_its_boards_share() -> None:
    shared = replace(BOARDS, load_known=lambda: {"a": ONE, "b": SAME_TYPES}).usual_counts
    assert (shared["mine"], shared["ship"], shared["castle"]) == (2, 1, 0)
    assert replace(BOARDS, load_known=lambda: {"a": ONE, "b": SAME_DICE}).usual_counts == {}
    assert replace(BOARDS, load_known=dict).usual_counts == {}
