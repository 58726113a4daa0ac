"""What is counted for each player besides points, for people to look back on a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict

from .events import Event
from .moves import Move

WORKERS_SPENT = "workers_spent"
PLACED = "tiles_placed"
AREAS = "areas_completed"
BONUS_TILES = "bonus_tiles_taken"
SOLD = "goods_sold"
BOUGHT = "tiles_bought"
STATISTICS: tuple[str, ...] = (PLACED, AREAS, BONUS_TILES, SOLD, BOUGHT, WORKERS_SPENT)
"""In the order in which they are shown."""

STATISTIC_OF_EVENT = {
    "place": PLACED,
    "area": AREAS,
    "bonus_tile": BONUS_TILES,
    "buy": BOUGHT,
}
"""Kind of event -> statistic that it increases by one. Modules add their own."""


def statistics_of(
    player: str | None, move: Move, events: Iterable[Event], by_event: Mapping[str, str]
) -> Iterator[tuple[str, str, int]]:
    """Yields what *move* of *player* with its *events* adds: whose count, of what, and how much.

    *by_event* is :data:`STATISTIC_OF_EVENT` with what modules add.
    """
    if player is not None and (spent := asdict(move).get("workers")):
        yield player, WORKERS_SPENT, spent
    for event in events:
        if event.player is None:
            continue
        if event.kind in by_event:
            yield event.player, by_event[event.kind], 1
        elif event.kind == "sell":
            yield event.player, SOLD, event.data["count"]
