"""The pictures on tiles and boards. All were drawn for this project; none is traced from a printed game."""

from __future__ import annotations

import math

from ...icons import INK, Icon, Shape, bar, box, oval, poly

_STONE, _STONE_DARK, _STONE_LIGHT = "#cfc8ba", "#8f887b", "#ece6d8"
_ROOF, _ROOF_DARK = "#b4442c", "#7d2c1d"
_SLATE, _WOOD, _WOOD_DARK = "#4d6076", "#9a6a3c", "#5e3d20"
_PLASTER, _GOLD, _SKY, _GLASS = "#f3e7c8", "#e8b92f", "#9fc3dd", "#3c5a78"
_LEAF, _LEAF_DARK = "#5f9440", "#3e6a2a"


def _windows(rows: tuple[float, ...], columns: tuple[float, ...], w: float, h: float) -> Icon:
    return tuple(
        box(_GLASS, x - w / 2, y - h / 2, x + w / 2, y + h / 2, False) for y in rows for x in columns
    )


def _crenels(left: float, right: float, top: float, teeth: int, colour: str) -> Icon:
    step = (right - left) / (2 * teeth - 1)
    return tuple(
        box(colour, left + 2 * i * step, top - step, left + (2 * i + 1) * step, top + 0.03)
        for i in range(teeth)
    )


_MARKET: Icon = (
    box(_WOOD, -0.85, 0.2, 0.85, 0.8),
    box(_WOOD_DARK, -0.85, -0.2, -0.75, 0.9),
    box(_WOOD_DARK, 0.75, -0.2, 0.85, 0.9),
    oval("#d8432f", -0.5, 0.1, 0.17, 0.17),
    oval("#e39a2a", -0.15, 0.1, 0.17, 0.17),
    oval("#6fa23c", 0.2, 0.1, 0.17, 0.17),
    oval("#7c4a91", 0.52, 0.1, 0.17, 0.17),
    *(
        poly(
            colour,
            x - 0.16,
            -0.85,
            x + 0.08,
            -0.85,
            x + 0.1,
            -0.15,
            x - 0.02,
            0.0,
            x - 0.2,
            -0.15,
            outlined=True,
        )
        for x, colour in zip((-0.8, -0.48, -0.16, 0.16, 0.48, 0.8), ("#d23b2b", "#fdf6e4") * 3, strict=True)
    ),
)
_CARPENTER: Icon = (
    box(_WOOD, -0.75, -0.1, 0.75, 0.9),
    poly(_WOOD_DARK, -0.98, -0.05, 0.0, -0.9, 0.98, -0.05),
    *(bar(_WOOD_DARK, x, -0.05, x, 0.88, 0.05, False) for x in (-0.45, -0.15, 0.15, 0.45)),
    bar("#e9edf0", -0.6, 0.62, 0.62, 0.18, 0.3),
    poly("#e08a2c", 0.5, 0.02, 0.85, -0.02, 0.92, 0.35, 0.6, 0.42),
    oval(_PLASTER, 0.0, -0.42, 0.17, 0.17),
)
_CHURCH: Icon = (
    box(_STONE_LIGHT, -0.1, 0.05, 0.9, 0.9),
    poly(_SLATE, -0.2, 0.1, 0.08, -0.35, 0.72, -0.35, 1.0, 0.1),
    box(_STONE_LIGHT, -0.7, -0.3, -0.1, 0.9),
    poly(_SLATE, -0.8, -0.28, -0.4, -0.95, 0.0, -0.28),
    bar(_GOLD, -0.4, -1.0, -0.4, -0.62, 0.1),
    bar(_GOLD, -0.54, -0.86, -0.26, -0.86, 0.1),
    oval(_GLASS, -0.4, 0.02, 0.13, 0.18),
    poly(_WOOD_DARK, -0.56, 0.9, -0.56, 0.55, -0.4, 0.4, -0.24, 0.55, -0.24, 0.9),
    *(oval(_GLASS, x, 0.48, 0.1, 0.2) for x in (0.2, 0.62)),
)
_WAREHOUSE: Icon = (
    poly("#c9924e", -0.95, 0.9, -0.95, -0.1, -0.6, -0.65, 0.6, -0.65, 0.95, -0.1, 0.95, 0.9),
    poly("#7a7f3a", -1.0, -0.05, -0.62, -0.75, 0.62, -0.75, 1.0, -0.05),
    box(_WOOD_DARK, -0.48, 0.15, 0.48, 0.9),
    bar(_PLASTER, -0.45, 0.18, 0.45, 0.87, 0.09, False),
    bar(_PLASTER, 0.45, 0.18, -0.45, 0.87, 0.09, False),
    box(_PLASTER, -0.22, -0.5, 0.22, -0.18),
    *_windows((0.3,), (-0.72, 0.72), 0.2, 0.24),
)
_BOARDING_HOUSE: Icon = (
    box("#f0d9a0", -0.65, -0.45, 0.65, 0.9),
    poly("#c8502f", -0.8, -0.4, -0.4, -0.95, 0.4, -0.95, 0.8, -0.4),
    bar(_WOOD_DARK, -0.65, 0.2, 0.65, 0.2, 0.09, False),
    bar(_WOOD_DARK, -0.65, -0.38, 0.65, -0.38, 0.07, False),
    *_windows((-0.1,), (-0.4, 0.0, 0.4), 0.24, 0.3),
    *_windows((0.5,), (-0.4, 0.4), 0.24, 0.3),
    box(_WOOD_DARK, -0.15, 0.42, 0.15, 0.9),
    bar(_WOOD_DARK, 0.6, -0.05, 1.0, -0.05, 0.07),
    box(_GOLD, 0.74, -0.02, 1.04, 0.3),
)
_BANK: Icon = (
    box(_STONE_LIGHT, -0.95, 0.7, 0.95, 0.9),
    box(_STONE, -0.8, -0.2, 0.8, 0.72),
    *(box("#fbf8ef", x - 0.1, -0.2, x + 0.1, 0.7) for x in (-0.66, -0.22, 0.22, 0.66)),
    poly(_STONE_LIGHT, -1.0, -0.18, 0.0, -0.85, 1.0, -0.18),
    oval(_GOLD, 0.0, -0.42, 0.2, 0.2),
)
_TOWN_HALL: Icon = (
    box("#e7c9a0", -0.95, 0.0, 0.95, 0.9),
    box(_ROOF, -1.0, -0.2, 1.0, 0.05),
    box("#e7c9a0", -0.3, -0.6, 0.3, 0.9),
    poly(_ROOF_DARK, -0.38, -0.58, 0.0, -0.95, 0.38, -0.58),
    oval("#ffffff", 0.0, -0.3, 0.2, 0.2),
    bar(INK, 0.0, -0.3, 0.0, -0.44, 0.06, False),
    bar(INK, 0.0, -0.3, 0.1, -0.26, 0.06, False),
    *_windows((0.3,), (-0.72, -0.46, 0.46, 0.72), 0.15, 0.28),
    *_windows((0.68,), (-0.72, -0.46, 0.46, 0.72), 0.15, 0.18),
    poly(_WOOD_DARK, -0.17, 0.9, -0.17, 0.45, 0.0, 0.3, 0.17, 0.45, 0.17, 0.9),
)
_WATCHTOWER: Icon = (
    poly(_STONE, -0.36, 0.92, -0.28, -0.35, 0.28, -0.35, 0.36, 0.92),
    box(_STONE_DARK, -0.45, -0.62, 0.45, -0.3),
    *_crenels(-0.45, 0.45, -0.62, 4, _STONE_DARK),
    bar(_WOOD_DARK, 0.0, -0.62, 0.0, -1.0, 0.06),
    poly("#d23b2b", 0.03, -1.0, 0.55, -0.88, 0.03, -0.74),
    box(INK, -0.07, -0.18, 0.07, 0.12, False),
    box(INK, -0.07, 0.3, 0.07, 0.52, False),
    poly(_WOOD_DARK, -0.14, 0.92, -0.14, 0.75, 0.0, 0.66, 0.14, 0.75, 0.14, 0.92),
)
_CASTLE: Icon = (
    box(_STONE, -0.6, -0.1, 0.6, 0.85),
    *_crenels(-0.4, 0.4, -0.1, 4, _STONE),
    box(_STONE_LIGHT, -0.95, -0.35, -0.5, 0.85),
    box(_STONE_LIGHT, 0.5, -0.35, 0.95, 0.85),
    poly(_SLATE, -1.04, -0.33, -0.72, -0.9, -0.41, -0.33),
    poly(_SLATE, 0.41, -0.33, 0.72, -0.9, 1.04, -0.33),
    box(_STONE_LIGHT, -0.22, -0.55, 0.22, 0.2),
    poly(_GOLD, -0.3, -0.53, 0.0, -1.0, 0.3, -0.53),
    poly(INK, -0.22, 0.85, -0.22, 0.45, 0.0, 0.25, 0.22, 0.45, 0.22, 0.85),
    *_windows((0.05,), (-0.72, 0.72), 0.13, 0.26),
    *_windows((-0.22,), (0.0,), 0.12, 0.24),
)
_MINE: Icon = (
    poly("#6b6a68", -1.0, 0.85, -0.75, 0.0, -0.35, -0.35, -0.1, -0.85, 0.35, -0.5, 0.6, -0.05, 1.0, 0.85),
    poly("#8f8d88", -0.35, -0.35, -0.1, -0.85, 0.05, -0.4, -0.15, -0.1, outlined=False),
    poly("#191614", -0.42, 0.85, -0.42, 0.2, -0.2, -0.05, 0.2, -0.05, 0.42, 0.2, 0.42, 0.85),
    bar(_WOOD, -0.45, 0.85, -0.45, 0.05, 0.14),
    bar(_WOOD, 0.45, 0.85, 0.45, 0.05, 0.14),
    bar(_WOOD, -0.58, 0.05, 0.58, 0.05, 0.16),
    poly("#b9bdc2", -0.26, 0.62, 0.26, 0.62, 0.18, 0.85, -0.18, 0.85),
    oval("#f4f4f4", -0.08, 0.55, 0.12, 0.1),
    oval("#dfe3e6", 0.1, 0.56, 0.12, 0.1),
)
_SHIP: Icon = (
    bar(_WOOD_DARK, -0.05, 0.45, -0.05, -0.95, 0.09),
    poly("#fbf7ea", 0.02, -0.88, 0.72, 0.22, 0.02, 0.3),
    poly("#f0e2c2", -0.13, -0.7, -0.68, 0.22, -0.13, 0.3),
    poly("#d23b2b", -0.05, -1.0, 0.3, -0.9, -0.05, -0.8),
    poly(_WOOD, -0.9, 0.38, 0.95, 0.38, 0.6, 0.82, -0.6, 0.82),
    bar(_GOLD, -0.82, 0.5, 0.86, 0.5, 0.08, False),
    *(
        poly("#e8f3fb", x, 0.84, x + 0.2, 0.76, x + 0.4, 0.84, x + 0.2, 0.94, outlined=False)
        for x in (-0.95, -0.45, 0.05, 0.55)
    ),
)
_COW: Icon = (
    *(bar("#4a3020", x, 0.3, x, 0.85, 0.15) for x in (-0.6, -0.35, 0.2, 0.42)),
    bar("#4a3020", -0.85, -0.2, -0.95, 0.45, 0.09),
    oval("#7a4a28", -0.15, 0.05, 0.78, 0.47),
    oval("#f6efe2", -0.35, -0.08, 0.25, 0.2, outlined=False),
    oval("#f6efe2", 0.15, 0.2, 0.2, 0.16, outlined=False),
    poly("#f6efe2", 0.38, -0.72, 0.52, -0.48, 0.62, -0.48, outlined=True),
    poly("#f6efe2", 1.0, -0.72, 0.84, -0.48, 0.74, -0.48, outlined=True),
    oval("#7a4a28", 0.7, -0.25, 0.28, 0.33, -20),
    oval("#f3c9b5", 0.8, 0.0, 0.18, 0.13),
    oval(INK, 0.68, -0.3, 0.06, 0.06, outlined=False),
)
_PIG: Icon = (
    *(box("#d9828a", x - 0.1, 0.35, x + 0.1, 0.75) for x in (-0.5, -0.2, 0.2, 0.45)),
    bar("#d9828a", -0.82, 0.0, -1.0, -0.25, 0.09),
    oval("#f2a3a8", -0.1, 0.08, 0.78, 0.5),
    poly("#d9828a", 0.35, -0.55, 0.68, -0.4, 0.42, -0.15),
    oval("#f2a3a8", 0.62, -0.05, 0.34, 0.33),
    oval("#c9626c", 0.9, 0.03, 0.14, 0.17),
    oval(INK, 0.62, -0.14, 0.06, 0.06, outlined=False),
)
_SHEEP: Icon = (
    *(bar(INK, x, 0.3, x, 0.85, 0.13, False) for x in (-0.5, -0.25, 0.15, 0.4)),
    *(
        oval("#fdfcf7", x, y, 0.32, 0.3)
        for x, y in (
            (-0.65, 0.02),
            (-0.4, -0.25),
            (-0.05, -0.32),
            (0.28, -0.22),
            (0.4, 0.1),
            (0.1, 0.3),
            (-0.4, 0.28),
        )
    ),
    oval("#fdfcf7", -0.12, 0.0, 0.5, 0.32, outlined=False),
    oval("#3a332e", 0.72, -0.15, 0.2, 0.28, -15),
    oval("#fdfcf7", 0.6, -0.4, 0.2, 0.13),
    oval("#ffffff", 0.76, -0.2, 0.06, 0.06, outlined=False),
)
_CHICKEN: Icon = (
    bar("#e0901f", -0.15, 0.5, -0.2, 0.92, 0.1),
    bar("#e0901f", 0.15, 0.5, 0.15, 0.92, 0.1),
    poly("#8c3a17", -0.5, 0.15, -1.0, -0.55, -0.72, -0.6, -0.55, -0.75, -0.2, -0.1),
    oval("#e38b2c", -0.05, 0.18, 0.62, 0.46),
    poly("#e38b2c", 0.1, 0.1, 0.28, -0.6, 0.68, -0.5, 0.52, 0.25),
    oval("#b9601b", -0.15, 0.16, 0.32, 0.22),
    oval("#e38b2c", 0.46, -0.52, 0.25, 0.25),
    *(oval("#d21f1f", x, y, 0.12, 0.14) for x, y in ((0.3, -0.8), (0.46, -0.86), (0.62, -0.78))),
    poly("#f5cf3a", 0.66, -0.6, 0.98, -0.48, 0.66, -0.38),
    oval("#d21f1f", 0.64, -0.26, 0.09, 0.14),
    oval(INK, 0.5, -0.56, 0.06, 0.06, outlined=False),
)
_GEESE: Icon = (
    *(bar("#e0901f", x, 0.5, x - 0.05, 0.95, 0.1) for x in (-0.3, 0.05)),
    poly("#fdfcf7", -0.7, 0.1, -1.0, -0.25, -0.45, 0.0),
    oval("#fdfcf7", -0.15, 0.25, 0.62, 0.38),
    oval("#d9d4c6", -0.25, 0.22, 0.36, 0.2, 12),
    poly("#fdfcf7", 0.2, 0.15, 0.32, -0.6, 0.58, -0.6, 0.5, 0.3),
    oval("#fdfcf7", 0.46, -0.68, 0.22, 0.2),
    poly("#e88a1c", 0.62, -0.78, 0.98, -0.62, 0.62, -0.54),
    oval(INK, 0.5, -0.72, 0.05, 0.05, outlined=False),
)
_CRANE: Icon = (
    box(_STONE, -0.85, 0.55, 0.85, 0.9),
    bar(_WOOD_DARK, -0.3, 0.6, -0.3, -0.75, 0.16),
    bar(_WOOD_DARK, 0.25, 0.6, -0.25, -0.2, 0.1),
    bar(_WOOD, -0.75, -0.35, 0.95, -0.85, 0.18),
    oval(_WOOD, -0.62, 0.2, 0.36, 0.36),
    oval(_PLASTER, -0.62, 0.2, 0.2, 0.2),
    bar(INK, 0.8, -0.8, 0.8, 0.0, 0.05, False),
    box(_STONE_LIGHT, 0.55, 0.0, 1.0, 0.34),
)
_WHITE_CASTLE: Icon = (
    box("#f8f6ef", -0.75, -0.05, 0.75, 0.9),
    *_crenels(-0.75, 0.75, -0.05, 6, "#f8f6ef"),
    box("#ffffff", -0.3, -0.55, 0.3, 0.5),
    *_crenels(-0.3, 0.3, -0.55, 3, "#ffffff"),
    bar(_WOOD_DARK, 0.0, -0.62, 0.0, -1.0, 0.05),
    poly("#ffffff", 0.02, -1.0, 0.5, -0.9, 0.02, -0.78),
    poly(INK, -0.2, 0.9, -0.2, 0.55, 0.0, 0.35, 0.2, 0.55, 0.2, 0.9),
    *_windows((-0.2,), (0.0,), 0.14, 0.26),
    *_windows((0.3,), (-0.5, 0.5), 0.14, 0.28),
)
_INN: Icon = (
    box(_PLASTER, -0.8, -0.15, 0.5, 0.9),
    poly(_SLATE, -0.95, -0.1, -0.15, -0.9, 0.65, -0.1),
    bar(_WOOD_DARK, -0.8, 0.35, 0.5, 0.35, 0.09, False),
    *_windows((0.1,), (-0.5, 0.2), 0.26, 0.28),
    box(_WOOD_DARK, -0.35, 0.5, 0.05, 0.9),
    bar(_WOOD_DARK, 0.5, -0.3, 0.95, -0.3, 0.08),
    oval(_GOLD, 0.76, 0.02, 0.24, 0.28),
    oval("#8c1f3f", 0.76, 0.02, 0.11, 0.13),
)
_FLAG: Icon = (
    bar(_WOOD_DARK, -0.55, 1.0, -0.55, -1.0, 0.16),
    poly("#d9ac1d", -0.47, -0.95, 0.75, -0.55, -0.47, -0.1),
    oval(_STONE_DARK, -0.55, 0.9, 0.36, 0.16),
)
_ACTION: Icon = (
    box("#ffffff", -0.25, -0.25, 0.8, 0.8),
    *(oval(INK, x, y, 0.13, 0.13, outlined=False) for x, y in ((0.02, 0.02), (0.28, 0.28), (0.54, 0.54))),
    bar(INK, -0.6, -0.95, -0.6, -0.25, 0.2, False),
    bar(INK, -0.95, -0.6, -0.25, -0.6, 0.2, False),
)
_WORKER: Icon = (
    poly("#d9a45b", -0.45, 0.9, -0.3, -0.05, 0.3, -0.05, 0.45, 0.9),
    oval("#d9a45b", 0.0, -0.45, 0.36, 0.36),
    poly(_WOOD_DARK, -0.5, -0.5, -0.25, -0.95, 0.25, -0.95, 0.5, -0.5),
)
_COIN: Icon = (
    oval("#c9cdd2", 0, 0, 0.8, 0.8),
    oval("#eef1f3", 0, 0, 0.55, 0.55),
    poly("#8d949b", 0, -0.35, 0.3, 0, 0, 0.35, -0.3, 0),
)
_DIE: Icon = (
    box("#ffffff", -0.72, -0.72, 0.72, 0.72),
    *(oval(INK, x, y, 0.17, 0.17, outlined=False) for x, y in ((-0.4, -0.4), (0, 0), (0.4, 0.4))),
)
_GOODS: Icon = (
    box("#c58a48", -0.8, -0.55, 0.8, 0.8),
    bar(_WOOD_DARK, -0.8, 0.1, 0.8, 0.1, 0.12, False),
    bar(_WOOD_DARK, -0.78, -0.5, 0.78, 0.75, 0.12, False),
    bar(_WOOD_DARK, 0.78, -0.5, -0.78, 0.75, 0.12, False),
    poly("#dca866", -0.8, -0.55, -0.5, -0.85, 0.95, -0.85, 0.8, -0.55),
)
_STAR: Icon = (
    Shape(
        _GOLD,
        tuple(
            (
                (0.95 if i % 2 == 0 else 0.42) * math.sin(i * math.pi / 5),
                -(0.95 if i % 2 == 0 else 0.42) * math.cos(i * math.pi / 5),
            )
            for i in range(10)
        ),
    ),
)
_SHIELD: Icon = (
    poly("#ffffff", -0.7, -0.8, 0.7, -0.8, 0.7, 0.1, 0, 0.95, -0.7, 0.1),
    poly("#8c1f3f", -0.7, -0.8, 0, -0.8, 0, 0.95, -0.7, 0.1),
    poly("#e8b92f", 0, -0.2, 0.7, -0.2, 0.7, 0.1, 0, 0.95, outlined=False),
)
_PLUS_MINUS: Icon = (
    bar(INK, 0, -0.8, 0, 0.1, 0.26, False),
    bar(INK, -0.45, -0.35, 0.45, -0.35, 0.26, False),
    bar(INK, -0.45, 0.65, 0.45, 0.65, 0.26, False),
)
_KEY: Icon = (
    bar("#d8c08a", -0.1, 0, 0.95, 0, 0.16, False),
    bar("#d8c08a", 0.62, 0, 0.62, 0.34, 0.14, False),
    bar("#d8c08a", 0.86, 0, 0.86, 0.34, 0.14, False),
    oval("#d8c08a", -0.42, 0, 0.42, 0.42, outlined=False),
    oval("#4d4238", -0.42, 0, 0.22, 0.22, outlined=False),
)
_HEXAGON: Icon = (
    Shape(
        "#f3ead2",
        tuple((0.9 * math.sin(i * math.pi / 3), -0.9 * math.cos(i * math.pi / 3)) for i in range(6)),
    ),
)
_BARREL: Icon = (
    poly("#a9692f", -0.5, -0.85, 0.5, -0.85, 0.72, 0, 0.5, 0.85, -0.5, 0.85, -0.72, 0),
    bar(INK, -0.6, -0.45, 0.6, -0.45, 0.14, False),
    bar(INK, -0.6, 0.45, 0.6, 0.45, 0.14, False),
)
_CLOTH: Icon = (
    poly("#f6e7ef", -0.85, -0.5, 0.55, -0.5, 0.55, 0.6, -0.85, 0.6),
    *(bar("#c2366f", x, -0.5, x, 0.6, 0.14, False) for x in (-0.6, -0.2, 0.2)),
    oval("#f6e7ef", 0.6, 0.05, 0.25, 0.56),
    oval("#c2366f", 0.6, 0.05, 0.1, 0.26),
)
_WHEAT: Icon = (
    bar("#8a6a14", 0, 0.95, 0, -0.6, 0.1, False),
    *(oval("#f2cf4a", 0.26 * side, y, 0.24, 0.13, 50 * -side) for side in (-1, 1) for y in (-0.6, -0.2, 0.2)),
    oval("#f2cf4a", 0, -0.78, 0.13, 0.22),
)
_GRAPES: Icon = (
    bar(_WOOD_DARK, 0, -0.5, 0.1, -0.95, 0.13, False),
    poly(_LEAF, 0.05, -0.75, 0.7, -0.9, 0.5, -0.45),
    *(
        oval("#5d2f86", x, y, 0.24, 0.24)
        for x, y in ((-0.48, -0.3), (0, -0.35), (0.48, -0.3), (-0.25, 0.08), (0.25, 0.08), (0, 0.48))
    ),
)
_FISH: Icon = (
    poly("#dfe9ee", 0.45, 0.0, 0.95, -0.5, 0.95, 0.5),
    oval("#dfe9ee", -0.15, 0, 0.75, 0.42),
    bar("#7f98a5", -0.1, -0.36, -0.1, 0.36, 0.08, False),
    bar("#7f98a5", 0.2, -0.32, 0.2, 0.32, 0.08, False),
    oval(INK, -0.55, -0.1, 0.1, 0.1, outlined=False),
)
_CHEESE: Icon = (
    poly("#f6d35b", -0.85, 0.55, -0.85, -0.05, 0.9, -0.55, 0.9, 0.55),
    poly("#fbe9a0", -0.85, -0.05, 0.9, -0.55, 0.3, -0.75),
    oval("#c9931f", -0.35, 0.22, 0.17, 0.15, outlined=False),
    oval("#c9931f", 0.35, 0.05, 0.2, 0.17, outlined=False),
    oval("#c9931f", 0.15, 0.38, 0.1, 0.09, outlined=False),
)

ICONS: dict[str, Icon] = {
    "action": _ACTION,
    "bank": _BANK,
    "barrel": _BARREL,
    "boarding_house": _BOARDING_HOUSE,
    "carpenter": _CARPENTER,
    "castle": _CASTLE,
    "cheese": _CHEESE,
    "chicken": _CHICKEN,
    "church": _CHURCH,
    "cloth": _CLOTH,
    "coin": _COIN,
    "cow": _COW,
    "crane": _CRANE,
    "die": _DIE,
    "fish": _FISH,
    "flag": _FLAG,
    "geese": _GEESE,
    "goods": _GOODS,
    "grapes": _GRAPES,
    "hexagon": _HEXAGON,
    "inn": _INN,
    "key": _KEY,
    "market": _MARKET,
    "mine": _MINE,
    "pig": _PIG,
    "plus_minus": _PLUS_MINUS,
    "sheep": _SHEEP,
    "shield": _SHIELD,
    "ship": _SHIP,
    "star": _STAR,
    "town_hall": _TOWN_HALL,
    "warehouse": _WAREHOUSE,
    "watchtower": _WATCHTOWER,
    "wheat": _WHEAT,
    "white_castle": _WHITE_CASTLE,
    "worker": _WORKER,
}
"""Every icon by name."""
