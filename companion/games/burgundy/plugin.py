"""Builds *The Castles of Burgundy* from the printed facts."""

from __future__ import annotations

from functools import cache
from typing import Any

from calibration.facts import FIRST_EXPANSION, DuchyFact, Facts, load_facts

from .rules import Burgundy
from .rules.board import Duchy
from .rules.edition import OUTPOST, Edition, MainBoard, Slot
from .rules.modules.chateauma import CountyCard, CountySpace, Print
from .rules.modules.chateauma.cards import EASY, HARD, INTERMEDIATE, SELL_GOODS
from .rules.table_rules import BETWEEN_ACTIONS, ON
from .rules.tiles import tile

BURGUNDY_EDITIONS = ("special", "2011")
BLACK_SLOTS_WHERE_UNKNOWN = max
"""Function that chooses among the counts that sources name for an unseen print; at a real table its file decides."""
_EDITION_RULES: dict[str, dict[str, Any]] = {
    "special": {},
    "2011": {
        "building_price_workers": None,
        "table_rules": {"purchase": BETWEEN_ACTIONS, "castle_links": ON},
        "castle_dice_action": OUTPOST,
        "points_tile_from": (100, 200),
    },
}
"""How an edition's rules differ from the Special Edition's (docs/editions.md)."""


@cache
def burgundy() -> Burgundy:
    """Returns the rules of the printed game, from the facts that ship with the companion."""
    facts = load_facts()
    editions = {name: _edition(facts, name) for name in BURGUNDY_EDITIONS}
    duchies = {
        id_: Duchy(id_, fact.spaces, linkable=fact.set == FIRST_EXPANSION)
        for id_, fact in facts.duchies.items()
    }
    boards = {name: [fact.id for fact in _boards(facts, name)] for name in BURGUNDY_EDITIONS}
    return Burgundy(editions, duchies, {facts.automa_board.edition: _chateauma_print(facts)}, boards)


def boards_of(edition: str) -> list[Duchy]:
    """Returns the known duchies of an edition, in the order of their numbers."""
    return [burgundy().duchies[name] for name in burgundy().boards[edition]]


def duchy_names() -> dict[str, list[str]]:
    """Returns the names of the known duchies by edition, in the order of their numbers."""
    return {edition: [duchy.name for duchy in boards_of(edition)] for edition in BURGUNDY_EDITIONS}


def copies_of(edition: str) -> dict[str, int]:
    """Returns how many of each known duchy of an edition one box contains."""
    return {fact.id: fact.copies for fact in load_facts().duchies.values() if fact.edition == edition}


def _boards(facts: Facts, edition: str) -> list[DuchyFact]:
    """Returns the known duchies of an edition, in the order of their numbers."""
    there = (fact for fact in facts.duchies.values() if fact.edition == edition)
    return sorted(there, key=lambda fact: fact.number)


def _edition(facts: Facts, name: str) -> Edition:
    supply = {tile(fact.label, fact.back == "black"): fact.count for fact in facts.tiles}
    monasteries = facts.monasteries
    first, second = ({b.tile_type: b for b in facts.bonus_tiles if b.place == place} for place in (1, 2))
    return Edition(
        name=name,
        supply=supply,
        main_boards={players: _main_board(facts, name, players) for players in (2, 3, 4)},
        area_points=facts.area_points,
        phase_points=facts.phase_points,
        bonus_points=(first["castle"].points, second["castle"].points),
        goods_per_kind=facts.goods[0].count,
        track_spaces=facts.turn_order_spaces,
        **_EDITION_RULES[name],
        points_per_building={n: m.building for n, m in monasteries.items() if n <= 26 and m.building},
        points_per_sold_kind=monasteries[15].points[name],
        points_per_bonus_tile=monasteries[26].points[name],
    )


def _main_board(facts: Facts, edition: str, players: int) -> MainBoard:
    board = facts.main_board(edition, players)
    black = board.black_slots
    return MainBoard(
        depots=tuple(
            tuple(Slot(s.tile_type, s.alternative, "".join(s.alternative_phases)) for s in depot)
            for depot in board.depots
        ),
        black_slots=BLACK_SLOTS_WHERE_UNKNOWN(board.black_candidates) if black is None else black,
    )


_POINTS_OF_LEVEL = {EASY: "easy", INTERMEDIATE: "medium", HARD: "hard"}
"""Level -> difficulty in the data of the cards."""


def _chateauma_print(facts: Facts) -> Print:
    """Returns what is printed for the Châteauma; what nobody has seen stays None."""
    board = facts.automa_board
    return Print(
        cards={
            number: CountyCard(
                number,
                tuple(
                    CountySpace(hex_.tile_type, SELL_GOODS if hex_.sells_goods else None, hex_.candidates)
                    for hex_ in card.hexes
                ),
                {level: card.points[name] for level, name in _POINTS_OF_LEVEL.items()},
            )
            for number, card in facts.county_cards.items()
        },
        spaces=board.spaces,
        marked={modifier: marks for modifier, marks in board.symbols.items() if marks is not None},
        inventory_order=board.inventory_order,
    )
