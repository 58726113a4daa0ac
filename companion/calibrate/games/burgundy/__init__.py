"""The table of *The Castles of Burgundy*; county_card reads the cards of the Châteauma."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from calibration.games.burgundy import BOARDS
from companion.calibrate.game_table import GameTable, ModuleTable, PlaceKind
from companion.games.burgundy.plugin import burgundy, duchy_names
from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS
from companion.games.burgundy.rules.tiles import GOODS, IN_ORDER, goods_label

if TYPE_CHECKING:
    import numpy as np

    from vision.boards.groups import FoundGroup
    from vision.boards.lattice import FoundSpaces
    from vision.geometry import Plane

_STORAGE = PlaceKind("hex", 3, is_found=True, needs_board=True)
_DEPOT = PlaceKind("hex", 4, is_found=True)
_GOODS, _DEPOT_GOODS = PlaceKind("square", 3), PlaceKind("square", 6)
_ROUTE = PlaceKind("square", 9, needs_board=True)
_SHIELDS = PlaceKind("shield", 1, width=BOARDS.tokens["shield"].width)
_MODULE_GROUPS = {
    "inns": {"inns": PlaceKind("hex", 1)},
    "shields": {f"shields:{number}": _SHIELDS for number in range(1, 7)},
    "trade_routes": {f"route:{player}": _ROUTE for player in PLAYER_COLOURS},
}
"""Places that modules add to the table."""


def _find_groups(
    spaces: FoundSpaces, table: Plane, anchors_mm: Sequence[np.ndarray], pitch_mm: float
) -> list[FoundGroup]:
    from vision.games.burgundy.groups import find_groups

    return find_groups(spaces, table, anchors_mm, pitch_mm)


def _module_tables() -> dict[str, ModuleTable]:
    """Returns what each module of the box adds to the table."""
    pieces = {
        name: tuple(sorted(module.labels, key=_in_order)) for name, module in burgundy().modules.items()
    }
    return {
        name: ModuleTable(_MODULE_GROUPS.get(name, {}), pieces.get(name, ()))
        for name in sorted({*pieces, *_MODULE_GROUPS})
    }


def _in_order(label: str) -> tuple[str, int, str]:
    """Returns what sorts labels by kind and number."""
    kind, _, variant = label.partition("/")
    return kind, int(variant) if variant.isdigit() else 0, variant


TABLE = GameTable(
    boards=BOARDS,
    players=PLAYER_COLOURS,
    groups={
        **{f"storage:{player}": _STORAGE for player in PLAYER_COLOURS},
        **{f"depot:{number}": _DEPOT for number in range(1, 7)},
        "black": _DEPOT,
        **{f"goods:{player}": _GOODS for player in PLAYER_COLOURS},
        **{f"depot_goods:{number}": _DEPOT_GOODS for number in range(1, 7)},
        "round": PlaceKind("square", 5),
        "inventory": PlaceKind("hex", 7),
    },
    goods_width=0.71,
    dice_owners=(*PLAYER_COLOURS, "white"),
    card_areas=("left", "right"),
    tiles=tuple(IN_ORDER),
    goods=tuple(map(goods_label, GOODS)),
    modules=_module_tables(),
    board_names=duchy_names,
    find_groups=_find_groups,
)
