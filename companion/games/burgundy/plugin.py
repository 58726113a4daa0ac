"""Builds *The Castles of Burgundy* from the printed facts."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from calibration.games.burgundy.facts import BASE_SET, FIRST_EXPANSION, DuchyFact, Facts, load_facts
from companion.games.registry import GamePlugin, ModuleInfo

from . import modules
from .black_depot import BlackDepot
from .lesson import BURGUNDY_LESSON
from .modules.chateauma import ChateaumaModule
from .narration import NARRATION
from .rules import Burgundy
from .rules.board import Duchy
from .rules.edition import Edition, MainBoard, Slot
from .rules.module import Module
from .rules.setup_validation import PLAYER_COLOURS
from .rules.table_rules import BETWEEN_ACTIONS, OPTIONS
from .rules.tiles import supply_of
from .setup_form import BurgundySetup

BURGUNDY_EDITIONS = ("special", "2011")
_EDITION_RULES: dict[str, dict[str, Any]] = {
    "special": {},
    "2011": {
        "building_price_workers": None,
        "table_rules": {"purchase": BETWEEN_ACTIONS},
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
        id_: Duchy.in_rows(id_, fact.spaces, linkable=fact.set == FIRST_EXPANSION)
        for id_, fact in facts.duchies.items()
    }
    boards = {name: [fact.id for fact in _boards(facts, name)] for name in BURGUNDY_EDITIONS}
    return Burgundy(editions, duchies, modules.find(facts), boards)


def chateauma_module() -> ChateaumaModule:
    """Returns the Châteauma of the printed game."""
    module = burgundy().modules[ChateaumaModule.id]
    assert isinstance(module, ChateaumaModule)
    return module


@cache
def black_depot() -> BlackDepot:
    """Returns what is asked about the black depot of the owner's main board."""
    return BlackDepot(burgundy().editions)


def boards_of(edition: str) -> list[Duchy]:
    """Returns the known duchies of an edition, in the order of their numbers."""
    return [burgundy().duchies[name] for name in burgundy().boards[edition]]


def duchy_names() -> dict[str, list[str]]:
    """Returns the names of the known duchies by edition, in the order of their numbers."""
    return {edition: [duchy.name for duchy in boards_of(edition)] for edition in BURGUNDY_EDITIONS}


def copies_of(edition: str) -> dict[str, int]:
    """Returns how many of each known duchy of an edition one box contains."""
    return {fact.id: fact.copies for fact in load_facts().duchies.values() if fact.edition == edition}


def sets_of(edition: str) -> dict[str, list[str]]:
    """Returns the names of the known duchies of an edition by the set that they belong to."""
    sets: dict[str, list[str]] = {}
    for fact in _boards(load_facts(), edition):
        sets.setdefault(fact.set, []).append(fact.id)
    return sets


def random_setup(
    players: int, seed: int, modules: Sequence[str] = (), edition: str = "special"
) -> dict[str, Any]:
    """Returns a set-up in which everybody has another duchy, on which the *modules* make a difference.

    Without modules, these are duchies of the base game.
    """
    chosen = [burgundy().modules[name] for name in modules]
    suitable = [duchy.name for duchy in boards_of(edition) if _is_suitable(duchy, chosen)]
    duchies = random.Random(seed).sample(suitable, players)
    seats = zip(PLAYER_COLOURS, duchies, strict=False)
    return {"edition": edition, "players": [{"colour": colour, "duchy": duchy} for colour, duchy in seats]}


def _is_suitable(duchy: Duchy, modules: Sequence[Module]) -> bool:
    if not modules:
        return load_facts().duchy(duchy.name).set == BASE_SET
    return all(module.suits(duchy) for module in modules)


def with_assumed_print(setup: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Returns a set-up with what a simulated game with its modules assumes about print that nobody has seen."""
    named = setup.get("modules", ())
    for name in named:
        players = burgundy().new(setup).played_as
        setup = burgundy().modules[name].with_assumed_print(setup, players, random.Random(seed))
    return dict(setup)


def print_assumptions(setup: Mapping[str, Any]) -> list[str]:
    """Returns sentences about what :func:`with_assumed_print` makes up for a set-up."""
    modules = (burgundy().modules[name] for name in setup.get("modules", ()))
    return [module.assumption for module in modules if module.assumption]


def _boards(facts: Facts, edition: str) -> list[DuchyFact]:
    """Returns the known duchies of an edition, in the order of their numbers."""
    there = (fact for fact in facts.duchies.values() if fact.edition == edition)
    return sorted(there, key=lambda fact: fact.number)


def _edition(facts: Facts, name: str) -> Edition:
    monasteries = facts.monasteries
    first, second = ({b.tile_type: b for b in facts.bonus_tiles if b.place == place} for place in (1, 2))
    return Edition(
        name=name,
        supply=supply_of(facts.tiles),
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
    return MainBoard(
        depots=tuple(
            tuple(Slot(s.tile_type, s.alternative, "".join(s.alternative_phases)) for s in depot)
            for depot in board.depots
        ),
        black_slots=board.likeliest_black_slots,  # a real table's file or its owner decides
        black_candidates=board.black_candidates,
    )


def _modules() -> list[ModuleInfo]:
    return [
        ModuleInfo(
            module.id,
            sorted(module.requires),
            sorted(module.excludes),
            module.is_named,
            sorted(module.editions or ()),
        )
        for module in burgundy().modules.values()
    ]


def _named_modules() -> list[ModuleInfo]:
    return [module for module in _modules() if module.is_named]


def _table_rules(edition: str, played: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Returns the table rules of the base game and of the modules that are *played*, the usual value of each first."""
    game = burgundy()
    modules = [game.modules[name] for name in played]
    names = [
        *OPTIONS,
        *(name for module in modules if not module.switched_on_by for name in module.table_rules),
    ]
    usual = game.table_rules_of(edition, {}).to_json()
    values = {name: game.table_rule_options[name] for name in names}
    first = {name: usual.get(name, of_rule[0]) for name, of_rule in values.items()}
    return {
        name: (first[name], *(v for v in of_rule if v != first[name])) for name, of_rule in values.items()
    }


def _module_texts() -> tuple[Path, ...]:
    return _texts_in(tuple(modules.__path__))


@cache  # every page asks for them
def _texts_in(folders: tuple[str, ...]) -> tuple[Path, ...]:
    files = chain(*(Path(folder).glob("*/texts/**/*.json") for folder in folders))
    return tuple(sorted({file.parent for file in files}))


PLUGIN = GamePlugin(
    Burgundy.name,
    burgundy,
    Path(__file__).with_name("texts"),
    NARRATION,
    title="The Castles of Burgundy",
    boardgamegeek={"special": 363622, "2011": 84876},
    modules=_modules,
    module_texts=_module_texts,
    random_setup=random_setup,
    setup=BurgundySetup(
        BURGUNDY_EDITIONS,
        copies_of,
        _named_modules,
        lambda module, edition: burgundy().suitable_duchies(module, edition),
        sets_of,
        _table_rules,
    ),
    lesson=BURGUNDY_LESSON,
    is_default=True,
)
"""What the registry finds."""
