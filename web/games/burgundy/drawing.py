"""How the page draws a table of *The Castles of Burgundy*, from the view in a session's snapshot."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import hypot, sqrt
from pathlib import Path
from typing import Any

from markupsafe import Markup

from calibration.board_kind import kind_of
from calibration.board_shape import PITCH_MM
from companion.games.burgundy.modules.chateauma.seat import FACE_DOWN
from companion.games.burgundy.rules import edition, events, tiles
from companion.games.burgundy.rules.tiles import EMPTY, goods_label
from companion.session.snapshot import Snapshot

from ...game_page import Moment
from . import modules

RULES_OF = events.RULES
PHASES, ROUNDS = edition.PHASES, edition.ROUNDS
HEX = 20.0
"""Radius of a hexagon in units of the drawing; the text sizes of the style sheet fit it."""
MARGIN = 2.0
RESULT_BOARD = 330
"""Height of a board in the drawing of a result, with the player's name."""
ACROSS = sqrt(3) * HEX
"""Distance between the centres of two hexagons that touch."""
_DIRECTIONS = (
    (0, -1),
    (sqrt(3) / 2, -0.5),
    (sqrt(3) / 2, 0.5),
    (0, 1),
    (-sqrt(3) / 2, 0.5),
    (-sqrt(3) / 2, -0.5),
)
"""From the centre of a hexagon to its corners, clockwise from the top."""
CORNERS = " ".join(f"{x * HEX * 0.96:.2f},{y * HEX * 0.96:.2f}" for x, y in _DIRECTIONS)
"""Outline of a space around its centre, slightly reduced so that there is a gap between spaces."""
TYPES = frozenset((*tiles.TYPES, "goods"))
"""Types of tiles that have a name."""
GOODS = tuple(map(goods_label, range(1, 7)))
BLACK_DEPOT = 0
TERMS = ("duchy", "silver", "worker", "bonus")
"""Terms of the game other than tiles, each with an icon and a text of that name."""
EVERY_TILE = (
    *(label for label in tiles.IN_ORDER if not label.startswith(tiles.LIVESTOCK)),
    tiles.LIVESTOCK,
    "goods",
)
"""One of each group of tiles with the same effect."""
KEY_SPACES = 3
"""Spaces printed for stored tiles."""
AREAS_SHOWN = 3
"""Number of areas shown beside a duchy, the nearest to completion."""
GROUPS = {
    "take": "take",
    "place": "place",
    "castle": "place",
    "sell": "sell",
    "workers": "workers",
    "goods": "goods",
    "buy": "buy",
    "recover": "take",
    "outpost": "place",
    "discard": "discard",
    "skip": "finish",
    "end": "finish",
    "chateauma": "finish",
}
"""Word of a move -> heading under which the move is listed."""
OTHER_GROUP = "other"
"""The heading of a module's moves."""
LAST_GROUP = "finish"
"""The heading of what ends a turn, below all others."""
_ICON_FILE = (Path(__file__).parent / "static" / "icons.svg").read_text("utf-8")
ICONS = frozenset(re.findall(r'id="(\w+)"', _ICON_FILE))
"""Names of the icons that there are."""
ICON_SYMBOLS = Markup("".join(re.findall(r"<symbol.*?</symbol>", _ICON_FILE)))
"""All icons as SVG, for a drawing that stands alone."""

COUNT_ICONS = {"score": "bonus", "workers": "worker", "silver": "silver"}

Move = Mapping[str, Any]
View = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Space:
    """One hexagon to draw."""

    place: str
    x: float
    y: float
    tile_type: str
    die: int
    label: str | None
    """The tile on it, or the tile that is proposed for it (see *mark*)."""
    completing: int
    """Points for the area that a tile here would complete now; 0 if it would complete none."""
    mark: str
    """``arrives`` or ``leaves`` (proposed), ``doubt``, ``asked``, ``fresh``, or empty."""


@dataclass(frozen=True, slots=True)
class Board:
    """A duchy to draw."""

    width: float
    height: float
    spaces: tuple[Space, ...]
    completed: tuple[str, ...]
    """Outlines of the complete areas, as SVG paths."""
    bridges: tuple[tuple[float, float, float, float], ...]
    """Lines ``x1, y1, x2, y2`` between spaces that do not touch but are joined for placing."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A highlight on a place."""

    kind: str
    label: str | None = None
    """The tile that the proposal places there."""


NO_MARK = Mark("")


def sign_of(word: str) -> str:
    """Returns the icon of a module's moves of that kind; empty if they have none."""
    return next((page.signs[word] for page in modules.pages().values() if word in page.signs), "")


def of_module(name: str) -> Any:
    """Returns what a module's own templates draw with."""
    return modules.pages()[name].draw


def seats(view: View) -> list[View]:
    """Returns all seats, the Châteauma last."""
    return [*view["players"], *view.get("chateauma", ())]


def marked(marks: Mapping[str, Mark], group: str) -> dict[str, Mark]:
    """Returns the marks of the places in *group*, such as ``depot:3``."""
    return {place: mark for place, mark in marks.items() if place.rpartition(":")[0] == group}


def icon(label: str) -> str:
    """Returns the name of a label's icon: the tile's face if it has one, else its type."""
    type_, _, variant = label.partition("/")
    if type_ == "goods":
        return f"goods_{variant}" if variant else "goods_1"
    face = variant.rstrip("0123456789").rstrip("_")
    return face or type_


def number(label: str) -> str:
    """Returns the number on a tile: animals, monastery or kind of goods; empty for other tiles."""
    return "".join(filter(str.isdigit, label))


tile_type = kind_of
"""Returns the type of a tile, which is also the name of its colour."""


def board(player: Mapping[str, Any], marks: Mapping[str, Mark]) -> Board:
    """Returns the drawing of a player's duchy with its marks."""
    at = [
        (space["x_mm"] * ACROSS / PITCH_MM, space["y_mm"] * ACROSS / PITCH_MM) for space in player["spaces"]
    ]
    across, down = zip(*at, strict=True)
    left, top = min(across) - ACROSS / 2 - MARGIN, min(down) - HEX - MARGIN
    spaces = tuple(_spaces(player, [(round(x - left, 2), round(y - top, 2)) for x, y in at], marks))
    areas = player.get("areas", ())  # missing before the game
    completed = [area["spaces"] for area in areas if not area["left"]]
    return Board(
        width=max(across) + ACROSS / 2 + MARGIN - left,
        height=max(down) + HEX + MARGIN - top,
        spaces=spaces,
        completed=tuple(_outline([spaces[index] for index in area]) for area in completed),
        bridges=tuple(_bridge(spaces[one], spaces[other]) for one, other in player["bridges"]),
    )


def _bridge(one: Space, other: Space) -> tuple[float, float, float, float]:
    """Returns the line between two hexagons, without what would be seen through them."""
    across, down = other.x - one.x, other.y - one.y
    share = ACROSS / 2 / hypot(across, down)
    ends = ((one.x, one.y, share), (other.x, other.y, -share))
    first, last = ((round(x + by * across, 2), round(y + by * down, 2)) for x, y, by in ends)
    return (*first, *last)


def _outline(area: Sequence[Space]) -> str:
    """Returns the outline of an area: the edges that only one of its hexagons has."""
    edges: dict[frozenset[tuple[int, int]], str] = {}
    for space in area:
        across, down = space.x - area[0].x, space.y - area[0].y
        corners = [(x * HEX, y * HEX) for x, y in _DIRECTIONS]
        for one, other in zip(corners, [*corners[1:], corners[0]], strict=True):
            edge = frozenset(_lattice(across + x, down + y) for x, y in (one, other))
            if edges.pop(edge, None) is None:
                drawn = (space.x + one[0], space.y + one[1], space.x + other[0], space.y + other[1])
                edges[edge] = "M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*drawn)
    return "".join(edges.values())


def _lattice(across: float, down: float) -> tuple[int, int]:
    """Returns integer coordinates of a corner, which are equal for all hexagons that share it; *across* and *down* are
    measured from the centre of a hexagon of its area."""
    return round(across / (ACROSS / 2)), round(down / (HEX / 2))


# --- areas ------------------------------------------------------------------------------------------------


def points(area: Mapping[str, Any]) -> int:
    """Returns all points for completing an area now."""
    return int(area["size_points"] + area["phase_points"] + area["bonus_points"])


def nearness(area: Mapping[str, Any]) -> tuple[Any, ...]:
    """Returns the sort key of an area: completable ones first, by missing spaces and points; completed ones last."""
    return not area["left"], not area["open"], len(area["left"]), -points(area)


def nearest(player: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Returns the areas that are nearest to completion."""
    return sorted((area for area in player["areas"] if area["open"]), key=nearness)[:AREAS_SHOWN]


def _completing(player: Mapping[str, Any]) -> dict[int, int]:
    """Returns the points for the area that a tile would complete, by space."""
    return {
        area["open"][0]: points(area)
        for area in player.get("areas", ())
        if area["open"] and len(area["left"]) == 1
    }


def _spaces(
    player: Mapping[str, Any], centres: Sequence[tuple[float, float]], marks: Mapping[str, Mark]
) -> Iterator[Space]:
    completing = _completing(player)
    seen = {
        index: label for page in modules.pages().values() for index, label in page.labels_on(player).items()
    }
    for index, (space, (x, y)) in enumerate(zip(player["spaces"], centres, strict=True)):
        place = f"duchy:{player['colour']}:{index}"
        mark = marks.get(place, NO_MARK)
        yield Space(
            place=place,
            x=x,
            y=y,
            tile_type=space["colour"],
            die=space["die"],
            label=mark.label or seen.get(index) or space["tile"],
            completing=completing.get(index, 0),
            mark=mark.kind,
        )


# --- marks on places --------------------------------------------------------------------------------------


def fresh(latest: Iterable[Mapping[str, Any]]) -> dict[str, Mark]:
    """Returns the marks of the places that the latest events have changed."""
    return {
        f"duchy:{event['player']}:{event['space']}": Mark("fresh")
        for event in latest
        if event["kind"] in ("place", "start_castle")
    }


def replayed(moment: Moment) -> dict[str, Mark]:
    """Returns the marks of the places that the latest entry of a replayed game has changed."""
    return {**dict.fromkeys(moment.changed, Mark("fresh")), **fresh(moment.events)}


def marks(snapshot: Snapshot, latest: Iterable[Mapping[str, Any]]) -> dict[str, Mark]:
    """Returns the marks by place: latest events, the automatic turn, the proposal, doubts and questions."""
    found, view = fresh(latest), snapshot["view"]
    if bot_turn := snapshot["bot_turn"]:
        for step in bot_turn["steps"]:
            found |= _changes(step["move"], bot_turn["player"], view)
    if proposal := snapshot["proposal"]:
        for move in proposal["moves"]:
            found |= _changes(move, proposal["player"], view)
        found |= dict.fromkeys((*proposal["overlooked"], *proposal["unexplained"]), Mark("doubt"))
    if (question := snapshot["question"]) and question["kind"] == "place":
        found[question["about"]] = Mark("asked")
    return found


def _changes(move: Move, player: str | None, view: View) -> dict[str, Mark]:
    """Returns marks for the places that a move changes."""
    for page in modules.pages().values():
        if changed := page.changes(move, player, view):
            return {p: Mark("leaves" if label is None else "arrives", label) for p, label in changed.items()}
    match move["word"]:
        case "place":
            return {f"duchy:{player}:{move['space']}": Mark("arrives", move["tile"])}
        case "castle":
            return {f"duchy:{move['player']}:{move['space']}": Mark("arrives", "castle")}
        case "take" | "buy":
            return {slot(move): Mark("leaves")}
        case "fill":
            return dict(_filled(move))
    return {}


def slot(move: Move) -> str:
    return (
        f"depot:{move['depot']}:{move['slot']}" if move["depot"] != BLACK_DEPOT else f"black:{move['slot']}"
    )


def _filled(move: Move) -> Iterator[tuple[str, Mark]]:
    for depot, labels in enumerate(move["depots"], 1):
        yield from ((f"depot:{depot}:{i}", Mark("arrives", label)) for i, label in enumerate(labels) if label)
    yield from ((f"black:{i}", Mark("arrives", label)) for i, label in enumerate(move["black"]) if label)
    yield from ((f"round:{i}", Mark("arrives", goods_label(kind))) for i, kind in enumerate(move["goods"]))


# --- choices for a tap on a place -------------------------------------------------------------------------


def labels_for(place: str, before: str, view: View) -> list[str]:
    """Returns the labels that *place* may have after a legal turn, likely ones first; *before* is its label now."""
    group, *rest = place.split(":")
    match group:
        case "goods" | "depot_goods" | "round":
            return _unique([before, EMPTY, *GOODS])
        case "card" | "inventory":
            return _unique([before, EMPTY, FACE_DOWN, *_offered(view)])
        case "storage":
            return _unique([before, EMPTY, *_owner(rest, view)["storage"], *_offered(view)])
        case "duchy" if before != EMPTY:
            looks = (page.looks(before, view) for page in modules.pages().values())
            return _unique([before, *chain.from_iterable(looks)])
        case "duchy":
            player = _owner(rest, view)
            colour = player["spaces"][int(rest[1])]["colour"]
            candidates = (*player["storage"], *_offered(view))
            return _unique([EMPTY, *(label for label in candidates if _fits(label, colour))])
    return _unique([before, EMPTY])


def _owner(rest: Sequence[str], view: View) -> Mapping[str, Any]:
    """Returns whose place it is of which *rest* follows the name of the group."""
    player: Mapping[str, Any] = next(p for p in view["players"] if p["colour"] == rest[0])
    return player


def _fits(label: str, colour: str) -> bool:
    """Whether a tile may be on a space of that colour: tiles of types that no space has may be on any."""
    return tile_type(label) == colour or tile_type(label) not in tiles.TYPES


def _offered(view: View) -> list[str]:
    """Returns the tiles that can be taken or bought."""
    labels = [label for depot in view["depots"] for label in depot["tiles"]] + list(view["black"])
    added = (page.offered(view) for page in modules.pages().values())
    return [label for label in (*labels, *chain.from_iterable(added)) if label]


def in_order(labels: Iterable[str]) -> list[str]:
    """Sorts labels by type, then by the face of the tile."""
    known = {label: number for number, label in enumerate((EMPTY, *GOODS, *tiles.IN_ORDER))}
    return sorted(labels, key=lambda label: (known.get(label, len(known)), *_face(label)))


def every_tile(labels: Iterable[str]) -> tuple[str, ...]:
    """Returns one of each group of tiles with the same effect, of a game with these labels of tiles.

    A castle with something on it is none of them.
    """
    added = {label for label in labels if not label.startswith(f"{tiles.CASTLE}/")} - tiles.LABELS
    return (*EVERY_TILE, *sorted(added, key=_face))


def _face(label: str) -> tuple[str, int]:
    """Returns the sort key of a label that the base game does not have: its icon, then its number."""
    return icon(label), int(number(label) or 0)


def _unique(labels: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(labels))


def moves_at(place: str, view: View, legal: Iterable[Move]) -> list[Move]:
    """Returns the legal moves that concern *place*, cheapest first."""
    moves = [move for move in legal if place in _places_of(move, view)]
    return sorted(moves, key=lambda move: move.get("workers", 0))


def _places_of(move: Move, view: View) -> Sequence[str]:
    for page in modules.pages().values():
        if places := page.places_of(move, view):
            return places
    if "space" in move:
        return (f"duchy:{move.get('player') or view['to_move']}:{move['space']}",)
    return (slot(move),) if "slot" in move else ()


def storage_places(seat: View) -> int:
    """Returns how many key spaces to draw for a player: those printed, or more where more tiles may be stored."""
    return max(KEY_SPACES, len(seat["storage"]) + max(0, int(seat["storage_free"])))


def unused_dice(view: View) -> list[int]:
    """Returns the dice that the current player has not used yet."""
    return [die for p in view["players"] if p["colour"] == view["to_move"] for die in p["dice"]]


def grouped(legal: Iterable[Move]) -> dict[str, list[Move]]:
    """Returns the legal moves by heading, cheapest first, but for those that a module's own template lists."""
    groups = {**GROUPS}
    for page in modules.pages().values():
        groups |= page.groups
    found: dict[str, list[Move]] = {}
    for move in sorted(legal, key=lambda move: move.get("workers", 0)):
        found.setdefault(groups.get(move["word"], OTHER_GROUP), []).append(move)
    headings = dict.fromkeys((*GROUPS.values(), OTHER_GROUP))
    listed = sorted((heading for heading in headings if heading in found), key=LAST_GROUP.__eq__)
    return {heading: found[heading] for heading in listed}
