"""The games of Burgundy that the contract test plays: both editions, each number of players, modules in combination,
and boards of another shape."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from companion.devtools.games.burgundy.components import components
from companion.games.burgundy.modules.chateauma import LEVELS, MODIFIERS, VIRTUAL
from companion.games.burgundy.modules.chateauma.assumed_print import answers, assumed
from companion.games.burgundy.modules.chateauma.seat import FACE_DOWN
from companion.games.burgundy.plugin import BURGUNDY_EDITIONS, boards_of, burgundy, chateauma_module
from companion.games.burgundy.rules import Burgundy
from companion.games.burgundy.rules.tiles import EMPTY, GOODS, goods_label
from tests.support.contract import Case
from tests.support.islands import SETUP, with_islands
from tests.support.modules import more_modules
from tests.support.positions import COLOURS

OF_THE_BOX = tuple(burgundy().modules)


def cases() -> Iterator[Case]:
    """Yields games of both editions and each number of players, of each module, of as many modules of the box as go
    together, and on another board."""
    with more_modules() as box:
        for edition in BURGUNDY_EDITIONS:
            for people in (2, 3, 4):
                yield _case(box, edition, people, ())
        largest = [modules for modules in _allowed(box, OF_THE_BOX) if not _is_part_of_another(box, modules)]
        for modules in dict.fromkeys([*largest, *((module,) for module in box.modules)]):
            yield _with_modules(box, modules)
    islands = with_islands()
    yield Case("burgundy-islands", islands, SETUP, components, labels(islands))


def combinations_of_modules() -> Iterator[Case]:
    """Yields a game of every combination of the box's modules, and of every two modules, that go together, without
    those of :func:`cases`."""
    with more_modules() as box:
        pairs = (pair for pair in combinations(box.modules, 2) if not set(pair) <= set(OF_THE_BOX))
        for modules in (*_allowed(box, OF_THE_BOX), *(pair for pair in pairs if _go_together(box, pair))):
            if len(modules) > 1 and (
                _is_part_of_another(box, modules) or not set(modules) <= set(OF_THE_BOX)
            ):
                yield _with_modules(box, modules)


def _allowed(box: Burgundy, modules: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yields every combination of modules that go together, of one or more."""
    for count in range(1, len(modules) + 1):
        yield from (chosen for chosen in combinations(modules, count) if _go_together(box, chosen))


def _go_together(box: Burgundy, modules: Sequence[str]) -> bool:
    chosen = set(modules)
    return all(
        box.modules[name].requires <= chosen and not box.modules[name].excludes & chosen for name in modules
    )


def _is_part_of_another(box: Burgundy, modules: Sequence[str]) -> bool:
    """Whether another module of the box goes together with these."""
    return any(_go_together(box, (*modules, other)) for other in OF_THE_BOX if other not in modules)


def _with_modules(box: Burgundy, modules: tuple[str, ...]) -> Case:
    """Returns a game with these modules, for the fewest people or more."""
    rules = box.table_rules_of("special", {})
    compiled = box.ruleset(box.editions["special"], rules, [box.modules[name] for name in modules])
    automa = "chateauma" in modules
    possible = [seats - automa for seats in compiled.hooks.seat_counts(compiled.edition)]
    return _case(box, "special", possible[sum(map(len, modules)) % len(possible)], modules)


def _case(box: Burgundy, edition: str, people: int, modules: tuple[str, ...]) -> Case:
    rng = random.Random(f"{edition} {people} {modules}")
    boards = [board.name for board in boards_of(edition) if board.linkable == ("linked_castles" in modules)]
    players = [{"colour": colour, "duchy": rng.choice(boards)} for colour in COLOURS[:people]]
    named = [module for module in modules if box.modules[module].is_named]
    setup: dict[str, Any] = {"edition": edition, "players": players, "modules": named}
    if "chateauma" in modules:
        modifiers = rng.sample(MODIFIERS, 2)
        printed = answers(assumed(chateauma_module().prints[edition], "".join(modifiers), {}))
        level = rng.choice(LEVELS)
        setup["chateauma"] = {"colour": COLOURS[people], "level": level, "modifiers": modifiers, **printed}
        if rng.random() < 0.5:
            setup["chateauma"]["pieces"] = VIRTUAL
    if rng.random() < 0.5:
        for name in named:
            setup |= box.modules[name].with_assumed_print(setup, box.new(setup).played_as, rng)
    return Case(
        f"burgundy-{edition}-{people}-{'+'.join(modules) or 'base'}", box, setup, components, labels(box)
    )


def labels(box: Burgundy) -> frozenset[str]:
    """Returns the labels of everything that may be on the table."""
    return box.labels | box.looks | {EMPTY, FACE_DOWN, *map(goods_label, GOODS)}
