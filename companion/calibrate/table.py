"""Calibrating a table: a layout is detected, a person corrects it, and it is written as a table file."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.text.translator import Translator

from .game_table import GameTable
from .table_layout import OWN_BOARD, DetectedTable, Layout, boards_of, manual_areas, rounded, validated_layout

if TYPE_CHECKING:
    import numpy as np

    from calibration.table_file import TableFile
    from vision.geometry import Lens
    from vision.view import TableView

OTHER_DICTIONARIES = ("DICT_APRILTAG_36h11",)
"""Markers that people may have already."""


class TableCalibration:
    """Represents the calibration of one table, from a frame to the table file.

    Raises :exc:`calibration.table_file.TableFileError` when the existing file cannot be used: a board in it with a
    shape of its own would be lost, since it is not found in pictures.
    """

    def __init__(self, path: Path, frame: np.ndarray, players: Sequence[str], game: GameTable) -> None:
        from vision.boards.finding import locate_boards
        from vision.view import view_of

        height, width = frame.shape[:2]
        self.path, self.frame = path, frame
        self.saved = threading.Event()
        self.unread_players: list[str] = []
        """Players whose boards were saved without their spaces, which are still to be read."""
        before = _table_before(path, (width, height))
        self.game = game = game.with_groups(group.name for group in before.places)
        """What may lie on the table, with the modules whose places are in the existing file."""
        view = view_of(frame, before)
        located, _ = locate_boards(frame, game.boards, view.lens)
        self._document = _retained_fields(path, before, view)
        self._own_spaces = {board.player: board.spaces for board in before.boards if not board.printed_id}
        boards = boards_of(located, players)
        for board in boards:
            board["doubtful"] &= board["player"] not in self._own_spaces
        self._detected = _detect(frame, view.lens, boards, game)
        by_hand = manual_areas(before, view, game)
        self.layout: Layout = {
            "image_size": [width, height],
            "markers": sorted(self._detected.markers),
            "boards": boards,
            "places": [*(self._detected.groups(boards) if boards else []), *by_hand["places"]],
            "goods_width": by_hand["goods_width"],
            "dice": by_hand["dice"],
            "cards": by_hand["cards"],
        }

    def summary(self, translator: Translator) -> Iterator[str]:
        """Yields lines for people about what was found."""
        from calibration.board_shape import STANDARD

        boards, places = self.layout["boards"], self.layout["places"]
        for board in boards:
            unknown = "calibrate.doubtful_board" if board["doubtful"] else "calibrate.other_board"
            printed = board["printed"] or translator(unknown)
            yield translator(
                "calibrate.board",
                player=board["player"],
                printed=printed,
                seen=board["seen"],
                spaces=len(STANDARD.names),
            )
        if places:
            groups = [
                translator(
                    "calibrate.group", group=translator.group(group["name"]), places=len(group["points"])
                )
                for group in places
            ]
            yield translator("calibrate.groups", groups=", ".join(groups))
        certain = sum(not board["doubtful"] for board in boards)
        yield translator("calibrate.found", boards=certain, markers=len(self.layout["markers"]))

    def save_as_found(self) -> list[str]:
        """Saves the layout as it was detected; an unknown board counts as one's own, a doubtful one as none.

        :raises LayoutError: when no board is left.
        """
        boards = [
            {**board, "printed": board["printed"] or OWN_BOARD}
            for board in self.layout["boards"]
            if not board["doubtful"]
        ]
        players = {board["player"] for board in boards}
        places = [
            group
            for group in self.layout["places"]
            if not self.game.groups[group["name"]].needs_board or group["name"].partition(":")[2] in players
        ]
        return self.save({**self.layout, "boards": boards, "places": places})

    def save(self, layout: Mapping[str, Any]) -> list[str]:
        """Writes the table file for *layout*; returns the players whose boards' spaces are still to be read.

        Boards, places and areas of dice and cards are taken from *layout*, as a person has corrected them; size and
        markers stay as detected.

        :raises LayoutError: when no game can begin with the layout.
        :raises CompanionError: when it is no table.
        """
        from calibration.table_file import parse
        from calibration.table_writer import write_table

        fields = self._detected.to_table_file(validated_layout(layout, self.game), self._own_spaces)
        if "white_area_mm" in fields:
            self._document.pop("white_area", None)
        document = {**self._document, **fields}
        table = parse(document, str(self.path))
        write_table(self.path, document)
        self.unread_players = [board.player for board in table.boards if board.spaces is None]
        self.saved.set()
        return self.unread_players


def _detect(
    frame: np.ndarray, lens: Lens | None, boards: Sequence[Mapping[str, Any]], game: GameTable
) -> DetectedTable:
    """Detects a table with these *boards* in *frame*, and the places beside them."""
    import numpy as np

    from vision.boards.finding import find_places
    from vision.boards.lattice import FoundSpaces

    height, width = frame.shape[:2]
    seen = DetectedTable(
        game, (width, height), lens, *_markers_in(frame), FoundSpaces.none(), _white_in(frame)
    )
    if not boards:
        return seen
    survey = seen.survey(boards)
    middle = np.concatenate(survey.anchors_mm).mean(axis=0)
    return replace(seen, spaces=find_places(frame, survey.table, middle, survey.pitch_mm))


def detected_table(frame: np.ndarray, game: GameTable) -> tuple[TableFile, int]:
    """Returns a table file of the boards found in *frame*, (H, W, 3) uint8 BGR, assigned to the players in order, and
    the number of doubtful boards, which are left out."""
    from calibration.table_file import parse
    from vision.boards.finding import locate_boards

    height, width = frame.shape[:2]
    located, _ = locate_boards(frame, game.boards)
    certain = [board for board in located if not board.is_doubtful]
    boards = [
        {
            "player": board["player"],
            **({game.boards.group: board["printed"]} if board["printed"] else {}),
            "anchors": board["anchors"],
        }
        for board in boards_of(certain, game.players)
    ]
    table = parse({"image_size": [width, height], "boards": boards}, "the boards found")
    return table, len(located) - len(certain)


def _markers_in(frame: np.ndarray) -> tuple[str, dict[int, np.ndarray]]:
    """Returns the dictionary of the markers on the table, and the corners of each, (4, 2) px."""
    from calibration.sheet import DICTIONARY, MARKER_IDS
    from vision.geometry import marker_corners

    best: tuple[str, dict[int, np.ndarray]] = (DICTIONARY, {})
    for dictionary in (DICTIONARY, *OTHER_DICTIONARIES):
        seen = marker_corners(frame, dictionary)
        markers = {marker: seen[marker] for marker in MARKER_IDS if marker in seen}
        if len(markers) > len(best[1]):
            best = dictionary, markers
    return best


def _white_in(frame: np.ndarray) -> np.ndarray | None:
    """Returns the corners of the printed card's white field, (4, 2) px; ``None`` if its marker is not seen."""
    from calibration.light import field_corners
    from calibration.sheet import CARD_ID, DICTIONARY, WHITE
    from vision.geometry import marker_corners

    card = marker_corners(frame, DICTIONARY).get(CARD_ID)
    return None if card is None else field_corners(card, WHITE)


def _table_before(path: Path, size: tuple[int, int]) -> TableFile:
    """Returns the existing table file, or an empty one."""
    from calibration.board_shape import STANDARD
    from calibration.table_file import TableFile, TableFileError, load
    from calibration.table_writer import check_size

    if not path.exists():
        return TableFile(size)
    table = load(path)
    check_size(path, table.image_size, size)
    for board in table.boards:
        if board.shape != STANDARD:
            raise TableFileError(
                f"{path}: the board of {board.player} has a 'shape' of its own, which is not found in pictures: "
                "correct the positions in this file by hand, or name another file"
            )
    return table


def _retained_fields(path: Path, table: TableFile, view: TableView) -> dict[str, Any]:
    """Returns the fields of the table file *path* that a new calibration preserves: camera and colours of dice."""
    import numpy as np

    from calibration.table_file import read_table_document

    old = read_table_document(path) if path.exists() else {}
    retained = {
        name: old[name] for name in ("camera", "camera_settings", "dice_colours", "white_area") if name in old
    }
    if table.white_area_mm and view.table:
        retained["white_area"] = rounded(view.table.to_frame(np.array(table.white_area_mm)), 1)
    return {"image_size": list(table.image_size), **retained}
