"""How the page draws a table of *The Castles of Burgundy*, from the picture in a session's snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from companion.games.burgundy.rules import edition, events, tiles
from companion.session.snapshot import QuestionView, Snapshot
from companion.text.turn_log import TurnEntry

RULES_OF = events.RULES
PHASES, ROUNDS = edition.PHASES, edition.ROUNDS
EMPTY, FACE_DOWN = "empty", "face_down"
HEX = 20.0
"""Radius of a hexagon, in units of the drawing; the style sheet's text sizes suit it."""
MARGIN = 2.0
ACROSS, DOWN = sqrt(3) * HEX, 1.5 * HEX
"""From one space to the next in its row, and from row to row."""
_DIRECTIONS = (
    (0, -1),
    (sqrt(3) / 2, -0.5),
    (sqrt(3) / 2, 0.5),
    (0, 1),
    (-sqrt(3) / 2, 0.5),
    (-sqrt(3) / 2, -0.5),
)
"""From a hexagon's middle to its corners, clockwise from the top."""
CORNERS = " ".join(f"{x * HEX * 0.96:.2f},{y * HEX * 0.96:.2f}" for x, y in _DIRECTIONS)
"""A space's outline about its centre, a little smaller than its share so that spaces stay apart."""
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Where a die's pips lie about its middle, in thirds of its width."""
GOODS = tuple(f"goods/{kind}" for kind in range(1, 7))
BLACK_DEPOT = 0
TERMS = ("duchy", "silver", "worker", "bonus")
"""Things that are no tiles with an icon of that name, and words of their own."""
EVERY_TILE = (
    *(label for label in tiles.IN_ORDER if not label.startswith(tiles.LIVESTOCK)),
    tiles.LIVESTOCK,
    "goods",
)
"""Of the tiles that do the same, one."""
NEAREST_SHOWN = 3
"""Areas beside a duchy that are nearest to being complete."""
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
"""Move -> the heading under which it is offered."""

SELDOM_ADJUSTED = ("sold", "track")
"""What is counted that is put right by hand so seldom that it is folded away."""
COUNT_ICONS = {"score": "bonus", "workers": "worker", "silver": "silver", "track": "next"}

Move = Mapping[str, Any]
View = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Space:
    """One hexagon to draw."""

    place: str
    x: float
    y: float
    colour: str
    die: int
    label: str | None
    """What lies there, or comes to lie there (see *mark*)."""
    completing: int
    """Points for the area that a tile here would complete now; 0 where it would not."""
    mark: str
    """``arrives`` or ``leaves`` (proposed), ``doubt``, ``asked``, ``fresh``, or nothing."""


@dataclass(frozen=True, slots=True)
class Board:
    """A duchy to draw."""

    width: float
    height: float
    spaces: tuple[Space, ...]
    completed: tuple[str, ...]
    """Outlines of the areas that are complete, as paths."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What is special about a place now."""

    kind: str
    label: str | None = None
    """What the proposal lays there."""


NO_MARK = Mark("")


def die_asked_about(question: QuestionView, sighting: Mapping[str, Any]) -> str:
    """Where the die that a question is about lies beside the other of its colour: ``left``, ``right``, ``upper`` or
    ``lower`` as the camera sees it; ``alone`` when no other is seen."""
    assert question["box"] is not None
    colour, box = question["about"].partition(":")[0], list(question["box"])
    other = next((d["box"] for d in sighting["dice"] if d["colour"] == colour and d["box"] != box), None)
    if other is None:
        return "alone"
    across, down = box[0] - other[0], box[1] - other[1]
    if abs(across) >= abs(down):
        return "left" if across < 0 else "right"
    return "upper" if down < 0 else "lower"


def who_plays(view: Mapping[str, Any]) -> list[str]:
    """Colours of all who play, the Châteauma last."""
    return [seat["colour"] for seat in (*view["players"], *view.get("chateauma", ()))]


def marked(marks: Mapping[str, Mark], group: str) -> dict[str, Mark]:
    """The marks of a group's places, ``depot:3`` for instance."""
    return {place: mark for place, mark in marks.items() if place.rpartition(":")[0] == group}


def icon(label: str) -> str:
    """The symbol that stands for a label: the face where a tile has one, else its type."""
    tile_type, _, variant = label.partition("/")
    if tile_type == "goods":
        return f"goods_{variant}" if variant else "goods_1"
    if not variant or variant.isdigit():
        return tile_type
    return variant.partition("_")[0] if tile_type == "livestock" else variant


def number(label: str) -> str:
    """The number on a tile: animals, monastery or kind of goods; nothing for other tiles."""
    return "".join(filter(str.isdigit, label))


def colour(label: str) -> str:
    """Tile type, which is the tile's colour."""
    return label.partition("/")[0]


def board(player: Mapping[str, Any], marks: Mapping[str, Mark]) -> Board:
    """A player's duchy with what is marked on it."""
    rows = player["rows"]
    spaces = tuple(_spaces(player, rows, marks))
    areas = player.get("areas", ())  # none while nobody plays the duchy yet
    completed = [area["spaces"] for area in areas if not area["left"]]
    return Board(
        width=max(rows) * ACROSS + 2 * MARGIN,
        height=(len(rows) - 1) * DOWN + 2 * HEX + 2 * MARGIN,
        spaces=spaces,
        completed=tuple(_outline([spaces[index] for index in area]) for area in completed),
    )


def _outline(area: Sequence[Space]) -> str:
    """The edges of hexagons that no other hexagon of the area shares."""
    edges: dict[frozenset[tuple[int, int]], str] = {}
    for space in area:
        corners = [(space.x + x * HEX, space.y + y * HEX) for x, y in _DIRECTIONS]
        for one, other in zip(corners, [*corners[1:], corners[0]], strict=True):
            edge = frozenset({_lattice(*one), _lattice(*other)})
            if edges.pop(edge, None) is None:
                edges[edge] = "M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*one, *other)
    return "".join(edges.values())


def _lattice(x: float, y: float) -> tuple[int, int]:
    """A corner by its place in the lattice of all corners, the same for every hexagon that meets there."""
    return round((x - MARGIN) / (ACROSS / 2)), round((y - MARGIN) / (HEX / 2))


# --- areas ------------------------------------------------------------------------------------------------


def points(area: Mapping[str, Any]) -> int:
    """All that completing an area now would bring."""
    return int(area["size_points"] + area["phase_points"] + area["bonus_points"])


def nearness(area: Mapping[str, Any]) -> tuple[Any, ...]:
    """Key that sorts areas: those within reach first, then by what is left and what they bring; complete ones last."""
    return not area["left"], not area["open"], len(area["left"]), -points(area)


def nearest(player: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The areas that are nearest to being complete."""
    return sorted((area for area in player["areas"] if area["open"]), key=nearness)[:NEAREST_SHOWN]


def _completing(player: Mapping[str, Any]) -> dict[int, int]:
    """Space -> points for the area that a tile there would complete."""
    return {
        area["open"][0]: points(area)
        for area in player.get("areas", ())
        if area["open"] and len(area["left"]) == 1
    }


def _spaces(player: Mapping[str, Any], rows: Sequence[int], marks: Mapping[str, Mark]) -> Iterator[Space]:
    completing = _completing(player)
    for index, space in enumerate(player["spaces"]):
        row, col = space["row"], space["col"]
        place = f"duchy:{player['colour']}:{index}"
        mark = marks.get(place, NO_MARK)
        yield Space(
            place=place,
            x=round(MARGIN + (col + 0.5 + (max(rows) - rows[row]) / 2) * ACROSS, 2),
            y=round(MARGIN + HEX + row * DOWN, 2),
            colour=space["colour"],
            die=space["die"],
            label=space["tile"] or mark.label,
            completing=completing.get(index, 0),
            mark=mark.kind,
        )


TOLD_BY_MOVE = ("take", "buy", "discard", "place", "load", "start_castle")
"""Events that the move itself has told."""


def brought(events: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """What a move has brought about besides what it says itself."""
    return [event for event in events if event["kind"] not in TOLD_BY_MOVE]


# --- what is special about places -------------------------------------------------------------------------


def marks(snapshot: Snapshot, latest: Iterable[Mapping[str, Any]]) -> dict[str, Mark]:
    """Marks by place: what the latest events laid, what is planned, proposed, doubted and asked about."""
    found = {
        f"duchy:{event['player']}:{event['space']}": Mark("fresh")
        for event in latest
        if event["kind"] in ("place", "start_castle")
    }
    if bot_turn := snapshot["bot_turn"]:
        for step in bot_turn["steps"]:
            found |= _changes(step["move"], bot_turn["player"])
    if proposal := snapshot["proposal"]:
        for move in proposal["moves"]:
            found |= _changes(move, proposal["player"])
        found |= dict.fromkeys((*proposal["overlooked"], *proposal["unexplained"]), Mark("doubt"))
    if (question := snapshot["question"]) and question["kind"] == "place":
        found[question["about"]] = Mark("asked")
    return found


def _changes(move: Move, player: str | None) -> dict[str, Mark]:
    """The places that a proposed move changes."""
    match move["word"]:
        case "place":
            return {f"duchy:{player}:{move['space']}": Mark("arrives", move["tile"])}
        case "castle":
            return {f"duchy:{move['player']}:{move['space']}": Mark("arrives", "castle")}
        case "take" | "buy":
            return {_slot(move): Mark("leaves")}
        case "fill":
            return dict(_laid_out(move))
    return {}


def _slot(move: Move) -> str:
    return (
        f"depot:{move['depot']}:{move['slot']}" if move["depot"] != BLACK_DEPOT else f"black:{move['slot']}"
    )


def _laid_out(move: Move) -> Iterator[tuple[str, Mark]]:
    for depot, labels in enumerate(move["depots"], 1):
        yield from ((f"depot:{depot}:{i}", Mark("arrives", label)) for i, label in enumerate(labels) if label)
    yield from ((f"black:{i}", Mark("arrives", label)) for i, label in enumerate(move["black"]) if label)
    yield from ((f"round:{i}", Mark("arrives", f"goods/{kind}")) for i, kind in enumerate(move["goods"]))


# --- what a tap on a place offers -------------------------------------------------------------------------


def labels_for(place: str, before: str, view: View) -> list[str]:
    """What may lie on *place* after a legal turn, where *before* lay; likely ones first."""
    group, *rest = place.split(":")
    if group in ("goods", "depot_goods", "round"):
        return _unique([before, EMPTY, *GOODS])
    if group in ("depot", "black"):
        return _unique([before, EMPTY])
    if group in ("card", "inventory"):
        return _unique([before, EMPTY, FACE_DOWN, *_offered(view)])
    player = next(p for p in view["players"] if p["colour"] == rest[0])
    within_reach = [*player["storage"], *_offered(view)]
    if group == "storage":
        return _unique([before, EMPTY, *within_reach])
    awaited = player["spaces"][int(rest[1])]["colour"]
    if before != EMPTY:
        return [before]
    return _unique([EMPTY, *(label for label in within_reach if colour(label) == awaited)])


def by_round(turn_entries: Iterable[TurnEntry]) -> list[tuple[Mapping[str, Any] | None, list[TurnEntry]]]:
    """The event that begins each round, and what was confirmed in it; None for what comes before the first one."""
    rounds: list[tuple[Mapping[str, Any] | None, list[TurnEntry]]] = [(None, [])]
    for turn_entry in turn_entries:
        if begun := next((event for event in turn_entry.events if event["kind"] == "round"), None):
            rounds.append((begun, []))
        rounds[-1][1].append(turn_entry)
    return rounds


def _offered(view: View) -> list[str]:
    """What lies in the depots."""
    lying = [label for depot in view["depots"] for label in depot["tiles"]] + list(view["black"])
    return [label for label in lying if label]


def in_order(labels: Iterable[str]) -> list[str]:
    """Labels as people look for them: by type, then by what stands on the tile."""
    return sorted(labels, key=(EMPTY, *GOODS, *tiles.IN_ORDER).index)


def _unique(labels: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(labels))


def moves_at(place: str, view: View, legal: Iterable[Move]) -> list[Move]:
    """The legal moves that concern *place*, cheapest first."""
    here = [move for move in legal if place in _concerned(move, view)]
    return sorted(here, key=lambda move: move.get("workers", 0))


def _concerned(move: Move, view: View) -> tuple[str, ...]:
    player = move.get("player") or view["to_move"]
    if move["word"] in ("place", "castle", "outpost"):
        return (f"duchy:{player}:{move['space']}",)
    return (_slot(move),) if move["word"] in ("take", "buy") else ()


def unused_dice(view: View) -> list[int]:
    """Values that the player in turn has not used yet."""
    return [die for p in view["players"] if p["colour"] == view["to_move"] for die in p["dice"]]


def grouped(legal: Iterable[Move]) -> dict[str, list[Move]]:
    """Legal moves under their headings, cheapest first."""
    found: dict[str, list[Move]] = {}
    for move in sorted(legal, key=lambda move: move.get("workers", 0)):
        found.setdefault(GROUPS[move["word"]], []).append(move)
    return {heading: found[heading] for heading in dict.fromkeys(GROUPS.values()) if heading in found}
