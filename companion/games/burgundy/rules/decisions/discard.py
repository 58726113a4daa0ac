"""Put a stored tile back into the box to make room (S338)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..decision import Decision
from ..events import Event
from ..moves import Move, parse_tile
from ..notation import word_of
from ..reason import Reason
from ..state import GameState, Pending
from ..storage import discardable, receive, remove
from ..tiles import Tile, tile
from .payment import MOST_MOVES_CACHED, effect_missing, open_effect, use_effect


@dataclass(frozen=True, slots=True)
class Discard(Move):
    """Put a stored tile back into the box to make room."""

    word = "discard"
    tile: str

    def __str__(self) -> str:
        return f"discard {self.tile}"

    def labels(self) -> tuple[str]:
        return (self.tile,)


class DiscardDecision(Decision[Discard]):
    move = Discard

    def parse(self, words: list[str]) -> Discard:
        return Discard(parse_tile(words[0]))

    def short(self, game: GameState, move: Discard) -> str:
        return f"discard {word_of(move.tile)}"

    def parse_short(self, game: GameState, words: list[str]) -> Discard:
        (word,) = words
        return Discard(game.ruleset.label_of_word[word])

    def by_effect(self, game: GameState, pending: Pending) -> Iterator[Discard]:
        for stored in discardable(game, _incoming(pending)):
            yield _discard(stored.label)

    def validate(self, game: GameState, move: Discard) -> Reason | None:
        pending = open_effect(game, move)
        if pending is None:
            return effect_missing(game, move.word, could_use_die=False)
        if all(t.label != move.tile for t in game.player.storage):
            return Reason("tile_not_stored", {"tile": move.tile})
        if all(t.label != move.tile for t in discardable(game, _incoming(pending))):
            return Reason("discard_not_needed", {"tile": move.tile})
        return None

    def apply(self, game: GameState, move: Discard) -> list[Event]:
        incoming = _incoming(use_effect(game, move))
        game.return_to_box(remove(game.player, move.tile))
        if incoming:
            receive(game, incoming)
        return [Event("discard", game.player.colour, data={"tile": move.tile})]


_discard = lru_cache(maxsize=MOST_MOVES_CACHED)(Discard)


def _incoming(pending: Pending) -> Tile | None:
    return tile(pending.incoming) if pending.incoming else None
