"""Checks of a new game's set-up beyond what the rules of play need: pieces and boards of one box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from calibration.errors import CompanionError, Problem
from calibration.fields import Field

GAME = "burgundy"
"""Name of the game, which has the texts."""
PLAYER_COLOURS = ("red", "blue", "green", "black", "yellow")
"""Colours of the players' pieces."""


class InvalidSetupError(CompanionError, ValueError):
    """No game can begin with this set-up; the message names what is wrong and what can be chosen instead."""

    def __init__(self, message: str, code: str | None = None, **data: Any) -> None:
        """*code* and *data* say the same in every language (``problem.CODE``); None for what no page can choose."""
        super().__init__(message)
        if code is not None:
            self.problem = Problem(code, data, GAME)


def check(setup: Mapping[str, Any], boards: Mapping[str, Sequence[str]]) -> None:
    """Checks that the players' colours and duchies belong to the box; *boards* are each edition's duchies.

    :raises InvalidSetupError: if one does not.
    """
    for player in setup["players"]:
        check_colour(player["colour"])
        if "spaces" not in player and setup["edition"] in boards:
            _check_duchy(player["colour"], player["duchy"], setup["edition"], boards)


def check_form(setup: Mapping[str, Any]) -> None:
    """Checks that what every set-up has is of the right kind, so that a wrong value is named.

    :raises InvalidSetupError: if something is missing or of another kind.
    """
    top = Field.document(setup, "the set-up", InvalidSetupError)
    top["edition"].text()
    for player in top["players"].items():
        player["colour"].text()
        if spaces := player.get("spaces"):
            spaces.items()
        else:
            player["duchy"].text()
    for module in modules.items() if (modules := top.get("modules")) else ():
        module.text()
    for _, value in rules.entries() if (rules := top.get("rules")) else ():
        value.text()


def check_colour(colour: str) -> None:
    """Checks that a colour is one of the players' pieces. Raises :exc:`InvalidSetupError` if it is not."""
    if colour not in PLAYER_COLOURS:
        raise InvalidSetupError(
            f"nobody has {colour!r} pieces: choose {', '.join(PLAYER_COLOURS[:-1])} or {PLAYER_COLOURS[-1]}",
            "no_pieces",
            colour=colour,
        )


def _check_duchy(colour: str, duchy: str, edition: str, boards: Mapping[str, Sequence[str]]) -> None:
    known = boards[edition]
    if duchy in known:
        return
    here = f"the {edition} edition has {known[0]} to {known[-1]}"
    other = next((name for name, there in boards.items() if duchy in there), None)
    if other is None:
        raise InvalidSetupError(
            f"there is no duchy {duchy!r} for {colour}: {here}", "no_duchy", player=colour, duchy=duchy
        )
    raise InvalidSetupError(
        f"{colour}'s duchy {duchy} belongs to the {other} edition: choose that edition, or another duchy; {here}",
        "duchy_of_other_edition",
        player=colour,
        duchy=duchy,
    )
