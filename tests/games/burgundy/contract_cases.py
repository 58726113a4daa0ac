"""The games of Burgundy that the contract test plays: both editions, each number of players, modules in combination,
and boards of another shape."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from typing import Any

from companion.games.burgundy.assumed_print import answers, assumed
from companion.games.burgundy.modules.chateauma import LEVELS, MODIFIERS, VIRTUAL, Chateauma
from companion.games.burgundy.modules.chateauma.seat import FACE_DOWN
from companion.games.burgundy.plugin import BURGUNDY_EDITIONS, boards_of, chateauma_module
from companion.games.burgundy.rules import Burgundy, GameState
from companion.games.burgundy.rules.state import DISCARD, Player
from companion.games.burgundy.rules.tiles import EMPTY, GOODS, goods_label
from tests.support.contract import Case
from tests.support.islands import SETUP, with_islands
from tests.support.modules import more_modules
from tests.support.positions import COLOURS

MODULES = ("chateauma", "linked_castles", "hostels")


def cases() -> Iterator[Case]:
    with more_modules() as box:
        for edition in BURGUNDY_EDITIONS:
            for people in (2, 3, 4):
                yield _case(box, edition, people, ())
        for count in (1, 2, 3):
            for number, modules in enumerate(combinations(MODULES, count)):
                yield _case(
                    box, "special", 1 + number % 3 if "chateauma" in modules else 2 + number % 3, modules
                )
    islands = with_islands()
    yield Case("burgundy-islands", islands, SETUP, components, labels(islands))


def _case(box: Burgundy, edition: str, people: int, modules: tuple[str, ...]) -> Case:
    rng = random.Random(f"{edition} {people} {modules}")
    boards = [board.name for board in boards_of(edition) if board.linkable == ("linked_castles" in modules)]
    players = [{"colour": colour, "duchy": rng.choice(boards)} for colour in COLOURS[:people]]
    named = [module for module in modules if module != "chateauma"]
    setup: dict[str, Any] = {"edition": edition, "players": players, "modules": named}
    if "chateauma" in modules:
        modifiers = rng.sample(MODIFIERS, 2)
        printed = answers(assumed(chateauma_module().prints[edition], "".join(modifiers), {}))
        level = rng.choice(LEVELS)
        setup["chateauma"] = {"colour": COLOURS[people], "level": level, "modifiers": modifiers, **printed}
        if rng.random() < 0.5:
            setup["chateauma"]["pieces"] = VIRTUAL
    return Case(
        f"burgundy-{edition}-{people}-{'+'.join(modules) or 'base'}", box, setup, components, labels(box)
    )


def labels(box: Burgundy) -> frozenset[str]:
    """Returns the labels of everything that may be on the table."""
    return box.labels | {EMPTY, FACE_DOWN, *map(goods_label, GOODS)}


def components(game: GameState) -> Counter[str]:
    """Returns every tile and goods tile, wherever it is; what nobody has looked at counts as supply."""
    there: Counter[str] = Counter()
    for pile in (game.supply, game.box):
        for t, count in pile.items():
            there[t.label] += count
    on_table = chain(*game.depots, game.black, *(chain(p.spaces, p.storage) for p in game.players))
    there.update(t.label for t in on_table if t is not None)
    there.update(pending.incoming for pending in game.pending if pending.effect == DISCARD)
    for kind in GOODS:
        stacks = [
            game.goods_supply,
            *game.depot_goods,
            *(s for seat in game.seats for s in (seat.goods, seat.sold)),
        ]
        there[goods_label(kind)] += sum(stack[kind] for stack in stacks) + game.round_goods.count(kind)
    for seat in game.seats:
        if isinstance(seat, Chateauma):
            there.update(t.label for t in (*seat.stored, *seat.jokers, *chain(*seat.duchy.values())))
            there.update(
                placed.tile.label
                for card in seat.cards
                if card
                for placed in card.tiles
                if placed is not None
            )
    if "hostels" in game.module_states:
        there["hostel"] += game.module_states["hostels"].to_json()["left"]
    assert all(isinstance(seat, (Player, Chateauma)) for seat in game.seats)
    return +there
