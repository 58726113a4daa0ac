"""The picture of what people move for a player who has no hands: which tile goes where, and what else is done.

Tiles are drawn on a map: the depots in a row, the player's own board below, and an arrow from place to place. What is
no tile on its way stands under it in signs. Numbers are those of the sentences beside the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.games.burgundy.instructions import Instruction
from companion.games.burgundy.rules.tiles import goods_label

from . import drawing

WIDTH = 372.0
"""Of the drawing, in its own units, which are about pixels on a tablet."""
EDGE, GAP = 2.0, 5.0
DEPOT_HEIGHT, LIT_WIDTH = 66.0, 78.0
BLACK_DEPOT = 0
DEPOTS = (1, 2, 3, 4, 5, 6, BLACK_DEPOT)
TAKEN, TAKEN_TOGETHER = 23.0, 15.0
"""Radius of a tile that is taken from a depot, alone or with another."""
OWN_TOP, OWN_HEIGHT = 112.0, 50.0
LARGE, SMALL = 17.0, 10.0
"""Radius of the spaces on a card that is played on, and on another."""
BEND, TIP = 28.0, 6.0
"""How strongly a way is bent, and how far its tip reaches beyond its end."""
SIDES = ("left", "right")
INVENTORY, BOX = "inventory", "box"
STORE_WIDTH = 62.0
SIGN_HEIGHT, SIGN_GAP, DISC_WIDTH = 46.0, 12.0, 26.0
SIGN_WIDTHS = {
    "tile": 38.0,
    "die": 34.0,
    "icon": 36.0,
    "badge": 36.0,
    "arrow": 26.0,
    "text": 32.0,
    "card": 42.0,
}

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Spot:
    """A tile, or a place for one."""

    x: float
    y: float
    radius: float
    colour: str
    label: str | None = None
    lit: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """A depot, a card, the inventory or the box."""

    name: str
    x: float
    y: float
    width: float
    height: float
    lit: bool
    spots: tuple[Spot, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrow:
    """The way of a tile, with the number of the sentence that tells it."""

    path: str
    tip: tuple[float, float]
    disc: tuple[float, float]
    number: int


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing in a line of signs: its kind (see :data:`SIGN_WIDTHS`), and which."""

    kind: str
    what: str
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """Signs that belong together."""

    number: int
    x: float
    y: float
    signs: tuple[Sign, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """All there is to draw."""

    height: float
    numbered: bool
    depots: tuple[Area, ...] = ()
    own: tuple[Area, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    lines: tuple[Line, ...] = ()
    width: float = field(default=WIDTH, init=False)


@dataclass(frozen=True, slots=True)
class _Way:
    """A tile on its way."""

    number: int
    label: str
    origin: str
    slot: int
    target: str
    space: int


def draw(told: Sequence[Instruction], view: Mapping[str, Any]) -> Drawing | None:
    """What is told, drawn on the table as it is; None when nothing is moved."""
    numbered = [(number, event) for number, one in enumerate(told, 1) for event in one.events]
    if not numbered:
        return None
    player = numbered[0][1]["player"]
    seat = next((seat for seat in view.get("chateauma", ()) if seat["colour"] == player), None)
    ways = [_way(number, event, seat) for number, event in numbered if _is_way(event, seat)]
    top = EDGE
    depots: tuple[Area, ...] = ()
    own: tuple[Area, ...] = ()
    if ways and seat is not None:
        depots, own = tuple(_depots(ways, view)), tuple(_own(ways, seat))
        top = OWN_TOP + OWN_HEIGHT + 2 * GAP
    signs = [(number, _signs(event, seat)) for number, event in numbered if not _is_way(event, seat)]
    lines = tuple(_laid_out([(number, line) for number, line in signs if line], top))
    height = (lines[-1].y + SIGN_HEIGHT if lines else top - GAP) + EDGE
    return Drawing(
        height, len({n for n, _ in numbered}) > 1, depots, own, tuple(_arrows(ways, depots, own)), lines
    )


# --- tiles on their way -----------------------------------------------------------------------------------


def _is_way(event: Event, seat: Mapping[str, Any] | None) -> bool:
    return seat is not None and "tile" in event and ("slot" in event or not seat["virtual"])


def _way(number: int, event: Event, seat: Mapping[str, Any] | None) -> _Way:
    origin = str(event["depot"]) if "slot" in event else INVENTORY
    face_down = event["kind"] in ("joker", "card_place_joker")
    on_card = "side" in event
    target = BOX if seat is not None and seat["virtual"] else event["side"] if on_card else INVENTORY
    label = "face_down" if face_down and origin == INVENTORY else event["tile"]
    return _Way(number, label, origin, event.get("slot", 0), target, event["nth"] if on_card else 0)


def _depots(ways: Sequence[_Way], view: Mapping[str, Any]) -> Iterator[Area]:
    """The depots in a row, those wide from which something is taken."""
    lit = [number for number in DEPOTS if any(way.origin == str(number) for way in ways)]
    room = WIDTH - 2 * EDGE - GAP * (len(DEPOTS) - 1) - LIT_WIDTH * len(lit)
    others = room / max(1, len(DEPOTS) - len(lit))
    x = EDGE
    for number in DEPOTS:
        width = LIT_WIDTH if number in lit else min(others, LIT_WIDTH)
        taken = {way.slot for way in ways if way.origin == str(number)}
        tiles = view["depots"][number - 1]["tiles"] if number else view["black"]
        spots = tuple(_in_depot(tiles, taken, x)) if taken else ()
        yield Area(str(number), x, EDGE, width, DEPOT_HEIGHT, bool(taken), spots)
        x += width + GAP


def _in_depot(tiles: Sequence[str | None], taken: set[int], x: float) -> Iterator[Spot]:
    """What is taken, beside the depot's die."""
    radius = TAKEN if len(taken) == 1 else TAKEN_TOGETHER
    left = x + LIT_WIDTH - EDGE - 2 * radius * len(taken) + radius
    for place, slot in enumerate(sorted(taken)):
        label = str(tiles[slot])
        yield Spot(
            left + 2 * radius * place, EDGE + DEPOT_HEIGHT / 2, radius, drawing.colour(label), label, True
        )


def _own(ways: Sequence[_Way], seat: Mapping[str, Any]) -> Iterator[Area]:
    """Its cards and its inventory, or the box to which all goes where its pieces stay there."""
    if seat["virtual"]:
        yield Area(BOX, (WIDTH - STORE_WIDTH) / 2, OWN_TOP, STORE_WIDTH, OWN_HEIGHT, True)
        return
    stored = any(INVENTORY in (way.origin, way.target) for way in ways)
    widths = [_card_width(card, side, ways) for side, card in zip(SIDES, seat["cards"], strict=True)]
    room = WIDTH - 2 * EDGE - (3 * GAP + STORE_WIDTH if stored else GAP)
    scale = min(1.0, room / sum(widths))
    x = EDGE + max(0.0, (room - sum(widths)) / 2)
    for side, card, width in zip(SIDES, seat["cards"], widths, strict=True):
        spots = tuple(_on_card(card, side, ways, x, scale)) if card else ()
        yield Area(side, x, OWN_TOP, width * scale, OWN_HEIGHT, any(s.lit for s in spots), spots)
        x += width * scale + GAP
    if stored:
        yield Area(INVENTORY, x + GAP, OWN_TOP, STORE_WIDTH, OWN_HEIGHT, True)


def _radius(side: str, ways: Sequence[_Way]) -> float:
    return LARGE if any(way.target == side for way in ways) else SMALL


def _card_width(card: Mapping[str, Any] | None, side: str, ways: Sequence[_Way]) -> float:
    return (len(card["spaces"]) if card else 2) * 2 * _radius(side, ways) + 2 * GAP


def _on_card(
    card: Mapping[str, Any], side: str, ways: Sequence[_Way], x: float, scale: float
) -> Iterator[Spot]:
    coming = {way.space: way.label for way in ways if way.target == side}
    radius = _radius(side, ways) * scale
    for index, space in enumerate(card["spaces"]):
        lying = "face_down" if space["face_down"] else space["tile"]
        yield Spot(
            x + GAP * scale + (1 + 2 * index) * radius,
            OWN_TOP + OWN_HEIGHT / 2,
            radius,
            space["colour"],
            coming.get(index, lying),
            index in coming,
        )


def _arrows(ways: Sequence[_Way], depots: Sequence[Area], own: Sequence[Area]) -> Iterator[Arrow]:
    areas = {area.name: area for area in (*depots, *own)}
    for way in ways:
        (x1, y1), (x2, y2) = _leaves(areas[way.origin], way), _arrives(areas[way.target], way)
        # From beside the cards the way goes in an arc over them; its number stands where it does not meet others.
        over = way.origin == INVENTORY
        bend1, bend2 = (y1 - BEND, y1 - BEND) if over else (y1 + BEND, OWN_TOP - BEND)
        at = 0.75 if over else 0.3
        path = f"M{x1:.1f} {y1:.1f}C{x1:.1f} {bend1:.1f} {x2:.1f} {bend2:.1f} {x2:.1f} {y2:.1f}"
        disc = (_on_curve(at, x1, x1, x2, x2), _on_curve(at, y1, bend1, bend2, y2))
        yield Arrow(path, (x2, y2), disc, way.number)


def _on_curve(at: float, *points: float) -> float:
    """A coordinate of a cubic Bézier curve through four *points* at 0 to 1 of its course."""
    a, b, c, d = points
    rest = 1 - at
    return rest**3 * a + 3 * rest**2 * at * b + 3 * rest * at**2 * c + at**3 * d


def _leaves(area: Area, way: _Way) -> tuple[float, float]:
    """Where a way begins: below a depot's tile, or above the inventory."""
    lying = next((spot for spot in area.spots if spot.label == way.label), None)
    if area.name == INVENTORY or lying is None:
        return area.x + area.width / 3, area.y
    return lying.x, lying.y + lying.radius


def _arrives(area: Area, way: _Way) -> tuple[float, float]:
    """Where a way ends: above a space, the inventory or the box."""
    if area.name in SIDES:
        space = area.spots[way.space]
        return space.x, space.y - space.radius - TIP
    return area.x + area.width * 2 / 3, area.y - TIP


# --- what else is done ------------------------------------------------------------------------------------


def _signs(event: Event, seat: Mapping[str, Any] | None) -> list[Sign]:
    """What is done besides moving a tile, as far as people do it."""
    in_box = seat is not None and seat["virtual"]
    arrow, player = Sign("arrow", ""), Sign("badge", event["player"])
    owner = Sign("icon", BOX) if in_box else player
    match event["kind"]:
        case "load":
            depots = [Sign("die", str(depot)) for depot in event["depots"]]
            goods = [Sign("tile", goods_label(kind)) for kind in sorted(set(event["goods"]))]
            return [*depots, *goods, arrow, owner]
        case "advance":
            return [player, arrow, Sign("text", "+1")]
        case "bonus_tile":
            return [Sign("tile", event["colour"]), Sign("icon", "bonus"), arrow, owner]
        case "sell" if not in_box:
            return [Sign("tile", goods_label(event["goods"])), arrow, Sign("icon", "sold")]
        case "to_duchy" if not in_box:
            return [Sign("card", event["side"]), arrow, Sign("icon", "duchy")]
        case "card_slides" if not in_box:
            return [Sign("card", "right"), arrow, Sign("card", "left")]
    return []


def _laid_out(lines: Sequence[tuple[int, Sequence[Sign]]], top: float) -> Iterator[Line]:
    """Lines of signs one beside the other, as many as there is room for."""
    x, y = EDGE, top
    for number, signs in lines:
        width = DISC_WIDTH + sum(SIGN_WIDTHS[sign.kind] for sign in signs)
        if x > EDGE and x + width > WIDTH:
            x, y = EDGE, y + SIGN_HEIGHT
        placed, at = [], x + DISC_WIDTH
        for sign in signs:
            placed.append(Sign(sign.kind, sign.what, at + SIGN_WIDTHS[sign.kind] / 2, y + SIGN_HEIGHT / 2))
            at += SIGN_WIDTHS[sign.kind]
        yield Line(number, x, y, tuple(placed))
        x += width + SIGN_GAP
