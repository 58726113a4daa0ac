"""Printed facts of the game: what is printed on its boards, tiles and cards, each fact with its source.

The facts are data (``data/*.json``); this package reads and checks them. A fact that nobody has seen in
print is the text ``"unknown"`` in the data and None here. Each fact has a confidence: ``two sources agree``, ``one
source``, ``inferred`` or ``unknown``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .boards import (
    DUCHY_SETS,
    DUCHY_SPACES,
    DUCHY_SPACES_BY_TYPE,
    DuchyFact,
    MainBoardFact,
    Slot,
    read_area_points,
    read_duchies,
    read_main_boards,
    read_phase_points,
    read_turn_order_spaces,
)
from .border_posts import BorderPostsFact, Spot, read_border_posts
from .chateauma import AutomaBoardFact, CountyCardFact, CountyHex, read_automa_board, read_county_card
from .common import (
    BASE_SET,
    BORDER_POSTS,
    CHAMPIONSHIP,
    CONFIDENCES,
    EXTRA_TILES,
    FIRST_EXPANSION,
    INNS,
    SPECIAL_EDITION,
    TILE_TYPES,
    WHITE_CASTLES,
    FactsError,
    by_number,
    open_document,
)
from .shields import ShieldFact, ShieldsFact, read_shields
from .tiles import (
    INN,
    BonusTileFact,
    GoodsFact,
    MonasteryFact,
    TileFact,
    read_bonus_tiles,
    read_expansion_tiles,
    read_goods,
    read_monastery,
    read_tiles,
)
from .trade_routes import TradeRoutesFact, TradeRouteTileFact, read_trade_routes

__all__ = [
    "BASE_SET",
    "BORDER_POSTS",
    "CHAMPIONSHIP",
    "CONFIDENCES",
    "DUCHY_SETS",
    "DUCHY_SPACES",
    "DUCHY_SPACES_BY_TYPE",
    "EXTRA_TILES",
    "FIRST_EXPANSION",
    "INN",
    "INNS",
    "SHIPPED",
    "SPECIAL_EDITION",
    "TILE_TYPES",
    "WHITE_CASTLES",
    "AutomaBoardFact",
    "BonusTileFact",
    "BorderPostsFact",
    "CountyCardFact",
    "CountyHex",
    "DuchyFact",
    "Facts",
    "FactsError",
    "GoodsFact",
    "MainBoardFact",
    "MonasteryFact",
    "ShieldFact",
    "ShieldsFact",
    "Slot",
    "Spot",
    "TileFact",
    "TradeRouteTileFact",
    "TradeRoutesFact",
    "load_facts",
]

SHIPPED = Path(__file__).parents[1] / "data"
"""The facts that come with the companion."""


@dataclass(frozen=True, slots=True)
class Facts:
    """All printed facts."""

    duchies: Mapping[str, DuchyFact]
    main_boards: Mapping[tuple[str, int], MainBoardFact]
    tiles: tuple[TileFact, ...]
    """The base game's hex tiles."""
    monasteries: Mapping[int, MonasteryFact]
    """By number, including those of expansions."""
    goods: tuple[GoodsFact, ...]
    bonus_tiles: tuple[BonusTileFact, ...]
    area_points: Mapping[int, int]
    """Size of a completed area -> points."""
    phase_points: Mapping[str, int]
    """Phase in which an area is completed -> further points."""
    turn_order_spaces: int
    """Spaces of the turn order track, including the start."""
    county_cards: Mapping[int, CountyCardFact]
    automa_board: AutomaBoardFact
    expansion_tiles: Mapping[str, tuple[TileFact, ...]]
    """Hex tiles of each expansion that has any, by its name."""
    shields: ShieldsFact
    border_posts: BorderPostsFact
    trade_routes: TradeRoutesFact

    def duchy(self, duchy_id: str) -> DuchyFact:
        """Returns the printed duchy *duchy_id*; raises :class:`FactsError` naming the known ones."""
        if duchy_id not in self.duchies:
            raise FactsError(
                f"no duchy {duchy_id!r} in the data; the known ones are {', '.join(self.duchies)}"
            )
        return self.duchies[duchy_id]

    def main_board(self, edition: str, players: int) -> MainBoardFact:
        """Returns the main board of *edition* for *players*; raises :class:`FactsError` naming the known ones."""
        if (edition, players) not in self.main_boards:
            known = ", ".join(f"{name} for {count}" for name, count in self.main_boards)
            raise FactsError(
                f"no main board {edition!r} for {players} players in the data; the known ones are {known} players"
            )
        return self.main_boards[edition, players]

    def tiles_of(self, expansion: str) -> tuple[TileFact, ...]:
        """Returns the hex tiles of *expansion*; raises :class:`FactsError` naming those that have any."""
        if expansion not in self.expansion_tiles:
            raise FactsError(
                f"no tiles of {expansion!r} in the data; the known sets are {', '.join(self.expansion_tiles)}"
            )
        return self.expansion_tiles[expansion]


def load_facts(folder: Path | None = None) -> Facts:
    """Reads and checks the facts in *folder*, by default those shipped with the companion.

    Raises :class:`FactsError` naming the file and the field that is wrong.
    """
    return _shipped() if folder is None else _read(folder)


@cache
def _shipped() -> Facts:
    return _read(SHIPPED)


def _read(folder: Path) -> Facts:
    main_board, tiles = open_document(folder, "main_board.json"), open_document(folder, "tiles.json")
    expansion_tiles = open_document(folder, "expansion_tiles.json")
    monasteries = by_number(open_document(folder, "monasteries.json")["monasteries"], read_monastery)
    return Facts(
        duchies=read_duchies(open_document(folder, "duchies.json")["duchies"]),
        main_boards=read_main_boards(main_board["boards"]),
        tiles=read_tiles(tiles["tiles"], monasteries),
        monasteries=monasteries,
        goods=read_goods(open_document(folder, "goods.json")),
        bonus_tiles=read_bonus_tiles(tiles["bonus_tiles"]),
        area_points=read_area_points(main_board["area_points"]),
        phase_points=read_phase_points(main_board["phase_points"]),
        turn_order_spaces=read_turn_order_spaces(main_board["turn_order_track"]),
        county_cards=by_number(open_document(folder, "county_cards.json")["county_cards"], read_county_card),
        automa_board=read_automa_board(open_document(folder, "chateauma.json")),
        expansion_tiles=read_expansion_tiles(expansion_tiles["sets"], monasteries),
        shields=read_shields(open_document(folder, "shields.json")),
        border_posts=read_border_posts(open_document(folder, "border_posts.json")),
        trade_routes=read_trade_routes(open_document(folder, "trade_routes.json")),
    )
