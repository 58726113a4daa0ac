"""Where the owner's posts stand: asked before the first game, which proposes where they are taken to stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from calibration.fields import Field
from calibration.games.burgundy.facts import DUCHY_SPACES

from ...rules.owner_print import AnswerError, PrintKind
from ...rules.setup_validation import InvalidSetupError
from .state import MODULE

PLACES = "places"
"""Where the owner's posts stand, in the module's part of a set-up: lists of the spaces that each touches."""


class PostPlaces(PrintKind):
    """The places of the three posts, in the form of the module's part of a set-up."""

    name = MODULE

    def __init__(self, check: Callable[[Sequence[Sequence[int]]], object]) -> None:
        """*check* raises :exc:`InvalidSetupError` if no board can have posts in such places."""
        self._check = check

    def questions(self, setup: Mapping[str, Any]) -> Sequence[str]:
        is_open = MODULE in setup.get("modules", ()) and places_in(setup) is None
        return (self.name,) if is_open else ()

    def parse(self, answer: Field) -> dict[str, list[list[int]]]:
        answer.only((PLACES,))
        return {PLACES: _touched(answer[PLACES])}

    def check(self, answer: Mapping[str, Any]) -> None:
        try:
            self._check(answer[PLACES])
        except InvalidSetupError as error:
            raise AnswerError("no_post_places", str(error)) from error


def places_in(setup: Mapping[str, Any]) -> list[list[int]] | None:
    """Returns the spaces that each post touches by the module's part of a set-up; None if it does not say.

    :raises InvalidSetupError: if that part has another form.
    """
    part = Field.document(setup.get(MODULE, {}), MODULE, InvalidSetupError)
    part.only((PLACES,))
    places = part.get(PLACES)
    return None if places is None or places.value is None else _touched(places)


def _touched(places: Field) -> list[list[int]]:
    return [[space.integer(0, DUCHY_SPACES - 1) for space in place.items()] for place in places.items()]
