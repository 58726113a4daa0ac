"""What a game adds to the texts: names for its things, and how the data of its moves and events are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .text import Text

FieldFormatter = Callable[[Text, Any, Mapping[str, Any]], str]
"""Writes a field of a text: given the language, the field's value and all data of the text."""


Event = Mapping[str, Any]
"""An event as plain data (``Event.to_json()``)."""
MoveDescription = Mapping[str, Any]
"""A move as plain data (``Rules.describe``)."""


def events_of(bot_turn: Mapping[str, Any]) -> list[Event]:
    """Returns the events of a turn that people make for a player, from ``bot_turn`` in a session's snapshot."""
    return [event for step in bot_turn["steps"] for event in step["events"]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Narration:
    """What one game adds to the texts. What has a default is something that a game need not have."""

    # --- fields of texts ---

    formatters: Mapping[str, FieldFormatter] = field(default_factory=dict)
    """By the name of a field. Fields without one are written by :func:`format`."""
    derived_fields: frozenset[str] = frozenset()
    """Fields that are not in the data: their formatters are given ``None`` and take all from the other fields."""
    contractions: Mapping[str, str] = field(default_factory=dict)
    """Text of a name with contractions of its own -> the text that lists them, as ``language.elisions`` does."""

    name_fields: frozenset[str] = frozenset()
    """Fields besides ``player`` that are written as a player's name, so that the text before them is contracted."""

    # --- names ---

    seat_name: Callable[[Mapping[str, Any], str], str | None] = lambda view, colour: None
    """(view, colour) -> the text that names a seat where no person sits; ``None`` for a person's."""
    seat_kinds: Mapping[str, str] = field(default_factory=dict)
    """Kind of a seat where no person sits (``Rules.seats``) -> the text that names it in a list of games."""
    tile: Callable[[Text, str], str]
    """Label -> ``bank``."""
    the_tile: Callable[[Text, str], str]
    """Label -> ``the bank``."""
    tile_help: Callable[[Text, str, str], str] = lambda text, label, edition: ""
    """(label, edition) -> what the tile does; empty for nothing."""
    other_names: Callable[[Text, str], str] = lambda text, label: ""
    """Label -> what other boxes call it; empty where all use the same name."""
    option_value: Callable[[Text, str, str], str] = lambda text, option, value: text(
        f"option.{option}_{value}"
    )
    """(option of the setup form, value) -> what is chosen."""
    option_help: Callable[[Text, str, str], str] = lambda text, option, value: ""
    """(option of the setup form, value) -> what choosing it means; empty where its name says it."""
    place: Callable[[Text, str], str]
    """``market:3:1`` -> ``market 3, second space``."""
    place_group: Callable[[Text, str], str]
    """``market:3`` -> ``Market 3``."""
    amount: Callable[[Text, str, int], str]
    """(what is counted, how many) -> ``3 workers``."""
    count_name: Callable[[Text, str], str]
    """What is counted -> ``Workers``."""

    # --- sentences ---

    stage: Callable[[Text, Mapping[str, Any]], str] = lambda text, stage: text(f"stage.{stage['name']}")
    """Where the game stands, from ``stage`` in a session's snapshot, without the round."""

    setup_step: Callable[[Text, Mapping[str, Any], str], str]
    """(step, edition) -> what is set up in that step."""
    piece: Callable[[Text, Mapping[str, Any]], str]
    """What is to be moved from where to where, from ``pieces`` in a session's snapshot."""
    mismatch: Callable[[Text, Mapping[str, Any]], str]
    """What is wrong on the table, from ``mismatches`` in a session's snapshot."""
    explanation: Callable[[Text, Iterable[Mapping[str, Any]]], list[tuple[str, str]]] = lambda text, steps: []
    """Steps of an automatic player's reasoning -> a sentence for each, with its rule."""

    # --- announcements ---

    shared_kinds: Sequence[str] = ()
    """Kinds of events that come to all players at once; those of a kind share a sentence, in this order."""
    final_kind: str = ""
    """The one of them that includes all others when it is there."""
    unspoken_kinds: frozenset[str] = frozenset()
    """Kinds of events that are no action of a player: their points count, and other sentences say what happened."""
    unspoken_fields: frozenset[str] = frozenset()
    """Fields of moves that are read but not spoken, such as what somebody pays."""
    kinds_with_points: frozenset[str] = frozenset()
    """Kinds of events whose own sentence includes the points."""
    distinguishing_fields: Mapping[frozenset[str], str] = field(default_factory=dict)
    """Fields in which the turns of a question differ -> text ``spoken.asked.NAME`` that asks for them."""
    round_kind: str = ""
    """Kind of the event that begins a round; empty in a game without rounds."""
    is_notable: Callable[[Event], bool] = lambda event: True
    """Whether an event is worth telling afterwards."""
    milestones: Callable[[Text, MoveDescription, Sequence[Event]], Iterable[str]] = (
        lambda text, move, events: ()
    )
    """What a move brought about for the course of the game: a new phase, a new round."""
    spoken_question: Callable[[Text, str], str | None] = lambda text, about: None
    """What is asked about -> a question that is shorter to hear than to read; ``None`` when it is the same."""
    bot_turn: Callable[[Text, Mapping[str, Any]], list[str]] = lambda text, turn: []
    """What people move for a player whom the companion plays, in at most MAX_SENTENCES sentences."""
