"""Where boards, depots, places and trays lie on the virtual table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from calibration.board_shape import STANDARD, BoardShape

from ...layout import (
    MARKER_MARGIN_MM,
    MARKER_MM,
    TABLE_MM,
    Board,
    Panel,
    PlaceGroup,
    Placement,
    Point,
    Space,
    TableLayout,
    corner_markers,
    spaces_around,
)
from ...sprites import GOODS_MM, HEX_MM
from .art import ART

GOODS_KINDS = 6
ROUNDS = 5
_SEAT_MM = (292.0, 204.0)
"""A player's board."""
_GAP_MM = 4.0
_CARD_MM = (212.0, 194.0)
DUCHY_MIDDLE_MM = (6 + _CARD_MM[0] / 2, _SEAT_MM[1] / 2)
"""Middle of the duchy on a player's board."""
MAIN = Placement((TABLE_MM[0] / 2, TABLE_MM[1] / 2), (480.0, 540.0))
"""The main board."""
DEPOT_MIDDLES_MM: Mapping[int, Point] = {
    1: (240, 78),
    2: (398, 190),
    3: (398, 350),
    4: (240, 462),
    5: (82, 350),
    6: (82, 190),
}
"""Middles of the depots on the main board: a ring around the black depot, as on the real board."""
_SLOT_PITCH_MM = 30.0
_SQUARE_PITCH_MM = 22.5

_ORNAMENTS: Mapping[str, tuple[float, float, float]] = {
    "castle": (240, 179, 34),
    "vineyard": (240, 361, 36),
    "forest": (80, 468, 48),
    "compass": (400, 470, 44),
}
"""Pictures printed on free parts of the main board: centre and half size, mm from its top left corner."""

DEFAULT_DEPOT_SLOTS: Mapping[int, tuple[tuple[str, int], ...]] = {
    1: (("monastery", 3), ("building", 2), ("ship", 2), ("livestock", 4)),
    2: (("monastery", 2), ("building", 3), ("castle", 2), ("building", 4)),
    3: (("livestock", 2), ("ship", 3), ("building", 2), ("monastery", 4)),
    4: (("mine", 4), ("ship", 2), ("building", 2), ("livestock", 3)),
    5: (("building", 3), ("mine", 2), ("building", 4), ("monastery", 2)),
    6: (("castle", 3), ("building", 2), ("ship", 4), ("livestock", 2)),
}
"""Tile type of each depot slot and the number of players from which it is used (2011 board, see the facts)."""
BLACK_SLOTS = {1: 4, 2: 4, 3: 6, 4: 8}
"""Slots of the black depot by number of players; a single player plays against a virtual one, as with two."""


def _seats(players: Sequence[str]) -> dict[str, Placement]:
    """Returns the boards clockwise from the bottom left; those at the top are upside down."""
    (width, height), (w, h) = TABLE_MM, _SEAT_MM
    from_edge = MARKER_MM + 2 * MARKER_MARGIN_MM + _GAP_MM
    left, right, top, bottom = w / 2, width - w / 2, from_edge + h / 2, height - from_edge - h / 2
    spots = {
        "bottom left": Placement((left, bottom), _SEAT_MM),
        "top left": Placement((left, top), _SEAT_MM, 180),
        "top right": Placement((right, top), _SEAT_MM, 180),
        "bottom right": Placement((right, bottom), _SEAT_MM),
    }
    taken = {
        1: ("bottom left",),
        2: ("bottom left", "top right"),
        3: ("bottom left", "top left", "bottom right"),
        4: tuple(spots),
    }
    return {player: spots[spot] for player, spot in zip(players, taken[len(players)], strict=True)}


def _player_groups(
    player: str, seat: Placement, spaces: Sequence[Space], shape: BoardShape
) -> list[PlaceGroup]:
    def group(
        name: str, shape: str, size: float, spots: Iterable[Point], prints: Iterable[str]
    ) -> PlaceGroup:
        return PlaceGroup(
            f"{name}:{player}", shape, size, tuple(seat.at(*s) for s in spots), tuple(prints), seat.turn_deg
        )

    column = [24 + 34 * i for i in range(3)]
    return [
        group(
            "duchy",
            "hex",
            HEX_MM,
            spaces_around(DUCHY_MIDDLE_MM, shape),
            (f"space/{tile_type}/{die}" for tile_type, die in spaces),
        ),
        group("storage", "hex", HEX_MM, ((240, y) for y in column), ["storage"] * 3),
        group("goods", "square", GOODS_MM, ((271, y) for y in column), ["goods"] * 3),
    ]


def _main_groups(
    depot_slots: Mapping[int, Sequence[str]], black_slots: int
) -> tuple[list[PlaceGroup], list[Panel]]:
    """Returns the places and panels of the main board."""
    groups, panels = [], []
    for depot, tile_types in depot_slots.items():
        x, y = DEPOT_MIDDLES_MM[depot]
        panels.append(Panel("depot", MAIN.part(x - 74, y - 54, 148, 108)))
        panels.append(Panel(f"badge/{depot}", MAIN.part(x - 9, y - 55, 18, 18)))
        slots = [
            (x + (i - (len(tile_types) - 1) / 2) * _SLOT_PITCH_MM, y - 10) for i in range(len(tile_types))
        ]
        squares = [(x + (i - (GOODS_KINDS - 1) / 2) * _SQUARE_PITCH_MM, y + 32) for i in range(GOODS_KINDS)]
        groups += [
            PlaceGroup(
                f"depot:{depot}",
                "hex",
                HEX_MM,
                tuple(MAIN.at(*slot) for slot in slots),
                tuple(f"slot/{tile_type}" for tile_type in tile_types),
            ),
            PlaceGroup(
                f"depot_goods:{depot}",
                "square",
                GOODS_MM,
                tuple(MAIN.at(*spot) for spot in squares),
                ("goods",) * GOODS_KINDS,
            ),
        ]
    per_row = (black_slots + 1) // 2
    black = [
        (240 + (i % per_row - (per_row - 1) / 2) * _SLOT_PITCH_MM, 252 + 36 * (i // per_row))
        for i in range(black_slots)
    ]
    panels.append(Panel("black", MAIN.part(170, 226, 140, 88)))
    groups.append(
        PlaceGroup("black", "hex", HEX_MM, tuple(MAIN.at(*s) for s in black), ("black",) * black_slots)
    )
    rounds = [(22 + 24 * i, 64) for i in range(ROUNDS)]
    panels.append(Panel("rounds", MAIN.part(8, 48, 124, 32)))
    groups.append(
        PlaceGroup(
            "round",
            "square",
            GOODS_MM,
            tuple(MAIN.at(*s) for s in rounds),
            tuple(f"round/{number}" for number in range(1, ROUNDS + 1)),
        )
    )
    return groups, panels


def standard_layout(
    players: Sequence[str],
    duchies: Mapping[str, Sequence[Space]],
    *,
    depot_slots: Mapping[int, Sequence[str]] | None = None,
    black_slots: int | None = None,
    spare_seats: Sequence[str] = (),
    shapes: Mapping[str, BoardShape] = MappingProxyType({}),
) -> TableLayout:
    """Returns the table for 1 to 4 *players* (named by the colour of their dice), in turn order from the bottom left.

    *duchies* contains the printed spaces of each player as (tile type, die) in the order of the duchy's shape, the
    standard one unless *shapes* names another for the player. *depot_slots* contains
    the printed tile types of the slots of each depot, and *black_slots* is the number of slots in the black depot; both
    default to those for the number of players. *spare_seats* are free seats after the players, for players without a
    duchy.

    Raises ValueError naming the player or depot that does not fit.
    """
    seated = [*players, *spare_seats]
    if not 1 <= len(seated) <= 4 or len(set(seated)) != len(seated):
        raise ValueError(f"a table seats 1 to 4 different players, not {', '.join(seated) or 'nobody'}")
    for player in players:
        needed, found = len(shapes.get(player, STANDARD).names), len(duchies.get(player, ()))
        if found != needed:
            raise ValueError(f"the duchy of {player} needs {needed} spaces, not {found}")
    if depot_slots is None:
        depot_slots = {
            depot: [tile_type for tile_type, least in slots if least <= max(2, len(seated))]
            for depot, slots in DEFAULT_DEPOT_SLOTS.items()
        }
    for depot, tile_types in depot_slots.items():
        if depot not in DEFAULT_DEPOT_SLOTS or len(tile_types) > 4:
            raise ValueError(
                f"depot {depot} with {len(tile_types)} slots does not fit: depots 1 to 6 hold up to 4"
            )
    if black_slots is None:
        black_slots = BLACK_SLOTS[len(seated)]
    if not 0 < black_slots <= 8:
        raise ValueError(f"the black depot holds 1 to 8 slots, not {black_slots}")

    main_groups, main_panels = _main_groups(depot_slots, black_slots)
    tray = MAIN.part(336, 22, 126, 82)
    ornaments = [
        Panel(f"ornament/{name}", MAIN.part(x - half, y - half, 2 * half, 2 * half))
        for name, (x, y, half) in _ORNAMENTS.items()
    ]
    panels = [Panel("main", MAIN), *ornaments, *main_panels, Panel("tray", tray)]
    dice_areas = {"white": tray.corners}
    boards, groups = [], []
    seats = _seats(seated)
    for player in players:
        seat = seats[player]
        dice = seat.part(222, 120, 66, 79)
        panels += [
            Panel(f"seat/{player}", seat),
            Panel("card", seat.part(6, (_SEAT_MM[1] - _CARD_MM[1]) / 2, *_CARD_MM)),
            Panel("tray", dice),
        ]
        dice_areas[player] = dice.corners
        shape = shapes.get(player, STANDARD)
        player_groups = _player_groups(player, seat, duchies[player], shape)
        boards.append(Board(player, tuple((c, d) for c, d in duchies[player]), player_groups[0], shape))
        groups += player_groups
    markers = corner_markers(TABLE_MM)
    return TableLayout(
        TABLE_MM,
        markers,
        tuple(panels),
        tuple(boards),
        (*groups, *main_groups),
        dice_areas,
        seats,
        ART,
    )


_SAMPLE_TYPES = """
    livestock livestock castle building
    livestock monastery building building castle
    mine monastery building ship building livestock
    mine building ship ship ship monastery livestock
    building building ship castle monastery livestock
    building monastery building ship mine
    castle building building monastery
"""
"""An invented duchy with the usual number of spaces of each type (not a printed one)."""
_DIE_GRID = "6543 21654 543123 6126541 254312 61256 3413"
"""The die numbers of every standard duchy (see the facts)."""
SAMPLE_DUCHY: tuple[Space, ...] = tuple(
    (tile_type, int(die))
    for tile_type, die in zip(_SAMPLE_TYPES.split(), _DIE_GRID.replace(" ", ""), strict=True)
)


def sample_layout(players: Sequence[str] = ("red", "blue")) -> TableLayout:
    """Returns a table for trying things out: every player has the same invented duchy."""
    return standard_layout(players, dict.fromkeys(players, SAMPLE_DUCHY))
