"""The layout that the calibration page shows and a person corrects, in px, and its conversion to a table file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from calibration.errors import CompanionError

from .game_table import GameTable

if TYPE_CHECKING:
    import numpy as np

    from calibration.table_file import TableFile
    from vision.boards.finding import LocatedBoard
    from vision.boards.lattice import FoundSpaces
    from vision.boards.survey import Survey
    from vision.geometry import Lens
    from vision.view import TableView

OWN_BOARD = "own"
"""Stands for a home-made board, whose spaces are read once."""
CORNERS = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))
"""Points of the picture, as shares of its width and height, that fix the table plane where there are no markers."""

Layout = dict[str, Any]
"""``{"image_size": [w, h], "markers": [id, ...],
"boards": [{"player", "printed": id, OWN_BOARD or None, "doubtful", "anchors", "seen"}],
"places": [{"name", "points"}], "goods_width": pitches, "dice": [{"owner": player, "white" or None, "corners"}],
"cards": [{"name", "corners"}]}``; positions in px."""


class LayoutFormError(CompanionError, ValueError):
    """Something else than a layout was sent."""


class LayoutError(CompanionError, ValueError):
    """A layout with which no game can begin; ``code`` names the text that says why, ``data`` holds its fields."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(f"{code} {data}" if data else code)
        self.code = code
        self.data = data


def validated_layout(layout: Any, table: GameTable) -> Layout:
    """Returns the fields of *layout* that a person may change, for the *table* of a game.

    :raises LayoutError: if something is missing, duplicate, or belongs to no player.
    :raises LayoutFormError: when it is no layout at all.
    """
    from calibration.fields import Field

    top = Field.document(layout, "the layout", LayoutFormError)
    boards = [
        {
            "player": board["player"].text(),
            "printed": board["printed"].text() if board["printed"].value else None,
            "anchors": [point.numbers(2) for point in board["anchors"].items(4)],
        }
        for board in top["boards"].items()
    ]
    places = [
        {
            "name": group["name"].text(table.groups),
            "points": [p.numbers(2) for p in group["points"].items(at_least=1)],
        }
        for group in top["places"].items()
    ]
    dice = [
        {
            "owner": area["owner"].text(table.dice_owners) if area["owner"].value else None,
            "corners": [point.numbers(2) for point in area["corners"].items(at_least=3)],
        }
        for area in top["dice"].items()
    ]
    cards = [
        {
            "name": area["name"].text(table.card_areas),
            "corners": [point.numbers(2) for point in area["corners"].items(4)],
        }
        for area in top["cards"].items()
    ]
    _check_boards(boards, table)
    _check_names(boards, places, dice, cards, table)
    return {
        "boards": boards,
        "places": places,
        "goods_width": top["goods_width"].number(above=0),
        "dice": dice,
        "cards": cards,
    }


def _check_boards(boards: Sequence[Mapping[str, Any]], table: GameTable) -> None:
    """Raises :exc:`LayoutError` for boards with which no game can begin."""
    if not boards:
        raise LayoutError("no_board")
    if player := _first_duplicate(board["player"] for board in boards):
        raise LayoutError("two_boards", player=player)
    for number, board in enumerate(boards, 1):
        if board["printed"] is None:
            raise LayoutError("no_print", player=board["player"], number=number)
    edition_players = {
        edition: board["player"]
        for edition, known in table.board_names().items()
        for board in boards
        if board["printed"] in known
    }
    if len(edition_players) > 1:
        raise LayoutError("two_editions", players=list(edition_players.values()))


def _check_names(
    boards: Sequence[Mapping[str, Any]],
    places: Sequence[Mapping[str, Any]],
    dice: Sequence[Mapping[str, Any]],
    cards: Sequence[Mapping[str, Any]],
    table: GameTable,
) -> None:
    """Raises :exc:`LayoutError` for duplicates, and for places that only players with a board have."""
    if name := _first_duplicate(group["name"] for group in places):
        raise LayoutError("two_groups", place_group=name)
    if owner := _first_duplicate(area["owner"] for area in dice if area["owner"]):
        raise LayoutError("white_twice" if owner == "white" else "two_dice_areas", player=owner)
    if _first_duplicate(area["name"] for area in cards):
        raise LayoutError("two_card_areas")
    players = {board["player"] for board in boards}
    for group in places:
        owner = group["name"].partition(":")[2]
        if table.groups[group["name"]].needs_board and owner not in players:
            raise LayoutError("nobodys_place", player=owner)


def _first_duplicate(names: Iterable[str]) -> str | None:
    """Returns the first name that occurs more than once, ``None`` if there is none."""
    return next((name for name, count in Counter(names).items() if count > 1), None)


@dataclass(frozen=True, slots=True)
class DetectedTable:
    """What was detected in a frame of the table; converts a layout in px to lengths on the table."""

    game: GameTable
    image_size: tuple[int, int]
    lens: Lens | None
    dictionary: str
    markers: dict[int, np.ndarray]
    """Marker id -> its corners, (4, 2) px."""
    spaces: FoundSpaces
    """Hexagons outside the boards."""
    white: np.ndarray | None
    """(4, 2) px: the white field of the printed card; ``None`` if it is not seen."""

    def survey(self, boards: Sequence[Mapping[str, Any]]) -> Survey:
        from calibration.sheet import MARKER_SIDE
        from vision.boards.survey import survey_table
        from vision.geometry import board_plane

        planes = [board_plane(board["anchors"], self.lens) for board in boards]
        return survey_table(planes, self.markers, MARKER_SIDE, self.lens)

    def groups(self, boards: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Returns the places off the boards found among the spaces, in px."""
        survey = self.survey(boards)
        groups = []
        for found in self.game.find_groups(self.spaces, survey.table, survey.anchors_mm, survey.pitch_mm):
            kind, _, number = found.name.partition(":")
            name = found.name if found.name in self.game.groups else f"{kind}:{boards[int(number)]['player']}"
            groups.append({"name": name, "points": rounded(survey.table.to_frame(found.centres), 1)})
        return groups

    def to_table_file(self, layout: Mapping[str, Any], own_spaces: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the fields of a table file for *layout*: boards in mm where there are markers, else in px.

        *own_spaces* are the spaces of home-made boards by player, as far as they were read before.
        """
        import numpy as np

        from vision.geometry import MARKERS_NEEDED

        survey, marked = self.survey(layout["boards"]), len(self.markers) >= MARKERS_NEEDED
        boards = []
        for board in layout["boards"]:
            # As detected or placed by hand: boards are not quite flat and equal.
            anchors_mm = rounded(survey.table.from_frame(np.array(board["anchors"])), 2)
            anchors = {"anchors_mm": anchors_mm} if marked else {"anchors": board["anchors"]}
            printed = board["printed"]
            if printed == OWN_BOARD:
                spaces = own_spaces.get(board["player"])
                printed = {"spaces": spaces} if spaces else None
            boards.append(self._board(board["player"], printed, anchors))
        places = [self._place(group, layout, survey) for group in layout["places"]]
        areas = {
            a["owner"]: survey.table.from_frame(np.array(a["corners"])) for a in layout["dice"] if a["owner"]
        }
        cards = {a["name"]: survey.table.from_frame(np.array(a["corners"])) for a in layout["cards"]}
        if marked:
            corners = {str(marker): rounded(quad, 2) for marker, quad in survey.corners_mm.items()}
            where: dict[str, Any] = {"markers": {"dictionary": self.dictionary, "corners_mm": corners}}
        else:
            pixels = np.array(self.image_size) * np.array(CORNERS)
            where = {
                "plane": {"pixels": rounded(pixels, 1), "mm": rounded(survey.table.from_frame(pixels), 2)}
            }
        white = (
            {} if self.white is None else {"white_area_mm": rounded(survey.table.from_frame(self.white), 2)}
        )
        return {
            **where,
            **white,
            "boards": boards,
            "places": places,
            "dice_areas": [area["corners"] for area in layout["dice"] if not area["owner"]],
            "dice_areas_mm": {owner: rounded(area, 2) for owner, area in areas.items()},
            "card_areas_mm": {name: rounded(area, 2) for name, area in cards.items()},
        }

    def _board(self, player: str, printed: Any, anchors: Mapping[str, Any]) -> dict[str, Any]:
        return {"player": player, **({self.game.boards.group: printed} if printed else {}), **anchors}

    def _place(self, group: Mapping[str, Any], layout: Mapping[str, Any], survey: Survey) -> dict[str, Any]:
        import numpy as np

        centres = survey.table.from_frame(np.array(group["points"]))
        shape = self.game.groups[group["name"]].shape
        turn = self._hexagons_turn(centres, survey) if shape == "hex" else _squares_turn(centres, survey)
        return {
            "name": group["name"],
            "shape": shape,
            "size_mm": round(survey.pitch_mm * self._width(group["name"], layout), 2),
            "centres_mm": rounded(centres, 2),
            "turn_deg": round(float(np.degrees(turn)), 1) + 0.0,
        }

    def _width(self, name: str, layout: Mapping[str, Any]) -> float:
        """Returns the width of the places of a group in pitches."""
        kind = self.game.groups[name]
        widths = {"hex": 1.0, "square": float(layout["goods_width"])}
        return widths[kind.shape] if kind.width is None else kind.width

    def _hexagons_turn(self, centres: np.ndarray, survey: Survey) -> float:
        """Returns the rotation in radians, as that of the nearest spaces, found or on boards."""
        import numpy as np

        from vision.boards.groups import lattice_turn
        from vision.boards.lattice import FoundSpaces

        spaces = self.spaces
        for anchors in survey.anchors_mm:
            first, beside = (
                survey.table.to_frame(anchors[:1]),
                survey.table.to_frame(anchors[:1] * 2 / 3 + anchors[1:2] / 3),
            )
            ((x, y),) = beside - first
            spaces += FoundSpaces(first, np.hypot([x], [y]), np.arctan2([y], [x]), np.ones(1))
        return lattice_turn(centres, spaces, survey.table)


def _squares_turn(centres: np.ndarray, survey: Survey) -> float:
    """Returns the rotation in radians, as that of their row, or of the nearest board."""
    import numpy as np

    if len(centres) > 1:
        x, y = centres[-1] - centres[0]
    else:
        middles = np.array([anchors.mean(axis=0) for anchors in survey.anchors_mm])
        left, right = survey.anchors_mm[int(np.hypot(*(middles - centres[0]).T).argmin())][:2]
        x, y = right - left
    quarter = np.pi / 2
    return float((np.arctan2(y, x) + quarter / 2) % quarter - quarter / 2)


def boards_of(located: Sequence[LocatedBoard], players: Sequence[str]) -> list[dict[str, Any]]:
    """Returns the boards of a layout: those that were *located*, assigned to *players* in order."""
    return [
        {
            "player": player,
            "printed": board.printed_id,
            "doubtful": board.is_doubtful,
            "anchors": rounded(board.anchors(), 1),
            "seen": board.seen,
        }
        for player, board in zip(players, located, strict=False)
    ]


def manual_areas(table: TableFile, view: TableView, game: GameTable) -> Layout:
    """Returns the parts of *table* that a person has drawn, in px of *view*: places that the camera does not find, and
    areas of dice and cards."""
    import numpy as np

    from vision.boards.loose import pitch_mm
    from vision.table_dice import dice_areas

    places, cards, goods_width = [], [], game.goods_width
    drawn = [g for g in table.places if (kind := game.groups.get(g.name)) and not kind.is_found]
    squares = [group for group in drawn if group.shape == "square"]
    if view.table is not None:
        if squares and table.boards:
            goods_width = round(squares[0].size_mm / pitch_mm(table, view), 3)
        places = [
            {"name": g.name, "points": rounded(view.table.to_frame(np.array(g.centres_mm)), 1)} for g in drawn
        ]
        cards = [
            {"name": name, "corners": rounded(view.table.to_frame(np.array(area)), 1)}
            for name, area in table.card_areas_mm.items()
            if name in game.card_areas
        ]
    owned = {name: area for name, area in dice_areas(table, view).items() if name in game.dice_owners}
    areas = [(None, area) for area in table.dice_areas] + list(owned.items())
    dice = [{"owner": owner, "corners": [list(corner) for corner in area]} for owner, area in areas]
    return {"places": places, "goods_width": goods_width, "dice": dice, "cards": cards}


def rounded(points: np.ndarray, digits: int) -> list[list[float]]:
    lists: list[list[float]] = points.round(digits).tolist()
    return lists
