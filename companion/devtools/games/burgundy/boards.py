"""Accuracy and speed of finding and reading boards in rendered pictures with exact ground truth.

Boards are read at their true positions, as with a calibrated table: with known print, with unknown print, and with a
gallery of the tiles if a catalogue of them is beside the pictures. Finding boards uses none of that. Times are
processor time.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from calibration.table_file import TableFile
    from vision.accuracy.boards import BoardAccuracy
    from vision.gallery import Gallery

MS_PER_S = 1e3
CATALOGUE = "catalogue"
"""Folder beside the pictures with flat sheets of the tiles."""
SAME_PLACE_MM = 8.0
"""A found board that is farther from every true one is false, or the wrong way up."""
NUDGE_MM = 5.0
MIN_VISIBLE, MAX_GLARE = 0.8, 0.3
"""A change must be noticed on a space with at least this share visible and at most this share overexposed."""
CLEAR = 0.9
"""Confidence below which a space is doubtful."""
TURN_OF = re.compile(r"(.*)_(\d+)$")


@dataclass
class ReadFigures:
    """Figures of one way to read boards."""

    accuracy: BoardAccuracy
    readings: list[tuple[float, bool]] = field(default_factory=list)
    """Confidence of each visible space, and whether it was read correctly."""
    ms: list[float] = field(default_factory=list)
    """Of each picture without depots."""
    depots_ms: list[float] = field(default_factory=list)
    """Of each picture with them."""

    def calibration(self) -> list[dict[str, float]]:
        from vision.accuracy.confidence import calibration

        return calibration(self.readings)

    @property
    def sure_wrong(self) -> int:
        from vision.accuracy.confidence import SURE

        return sum(not right for confidence, right in self.readings if confidence >= SURE)

    @property
    def doubtful(self) -> int:
        return sum(confidence < CLEAR for confidence, _ in self.readings)


@dataclass
class FindFigures:
    """Figures of boards found without markers or table file."""

    boards: int = 0
    found: int = 0
    """Near a true one and the right way up."""
    false: int = 0
    known: int = 0
    """Boards that are known duchies, of which enough is visible."""
    named: int = 0
    misnamed: int = 0
    corner_mm: list[float] = field(default_factory=list)
    """For each found board, the error of its worst space."""
    ms: list[float] = field(default_factory=list)


@dataclass
class ChangeFigures:
    """Figures of changes from picture to picture of a sequence, and after a nudge."""

    placed: int = 0
    found: int = 0
    still: int = 0
    false: int = 0
    nudged: int = 0
    noticed: int = 0
    false_nudges: int = 0


@dataclass
class LearntFigures:
    """Figures of the later pictures of sequences, by the print alone and with the looks of the spaces that were empty
    before."""

    print_alone: ReadFigures
    learnt: ReadFigures


@dataclass
class BoardFigures:
    """All figures of the boards in one folder."""

    name: str
    pictures: int
    reads: Mapping[str, ReadFigures]
    finds: FindFigures
    changes: ChangeFigures
    learnt: LearntFigures


def measure_boards(folder: Path, every: int) -> BoardFigures | None:
    """Measures on one in *every* picture of *folder* that has boards and their truth; returns `None` if none has.

    Sequences are only compared if every picture is measured.
    """
    from vision.accuracy.boards import BoardAccuracy
    from vision.accuracy.truth import labelled_tables
    from vision.games.burgundy.accuracy.tables import table_of
    from vision.pictures import load_image

    tables = list(labelled_tables(folder))[::every]
    if not tables:
        return None
    galleries = _galleries(folder / CATALOGUE)
    ways = ("print known", "print unknown", *(("with a gallery",) if galleries else ()))
    reads = {way: ReadFigures(BoardAccuracy()) for way in ways}
    finds, changes = FindFigures(), ChangeFigures()
    learnt = LearntFigures(ReadFigures(BoardAccuracy()), ReadFigures(BoardAccuracy()))
    for picture, truth in tables:
        frame = load_image(picture)
        for way, figures in reads.items():
            gallery = galleries.get(truth["edition"]) if way == "with a gallery" else None
            _read(figures, frame, truth, table_of(truth, with_duchy=way != "print unknown"), gallery)
        _find(finds, frame, truth)
        _nudge(changes, frame, truth, table_of(truth))
    if every == 1:
        for turns in _sequences(folder):
            _compare(changes, turns)
            _learn(learnt, turns)
    return BoardFigures(str(folder), len(tables), reads, finds, changes, learnt)


def _galleries(catalogue: Path) -> dict[str, Gallery]:
    """Returns edition -> gallery of its tiles."""
    import json

    from vision.accuracy.catalogue import catalogue_gallery

    listing = catalogue / "catalogue.json"
    if not listing.is_file():
        return {}
    editions = json.loads(listing.read_text(encoding="utf-8"))["editions"]
    return {edition: catalogue_gallery(catalogue, edition) for edition in editions}


def _read(
    figures: ReadFigures,
    frame: np.ndarray,
    truth: Mapping[str, Any],
    table: TableFile,
    gallery: Gallery | None,
) -> None:
    from vision.accuracy.boards import score_boards, score_tiles_beside, space_results
    from vision.games.burgundy.accuracy.tables import labels_beside
    from vision.reader import TableReader, boards_json

    reader = TableReader(table, gallery)
    reader.read_places(frame)  # the first reading loads the networks and prepares the gallery
    reader = TableReader(table, gallery)
    started = process_time()
    places = reader.read_places(frame)
    ms = (process_time() - started) * MS_PER_S
    (figures.depots_ms if truth.get("main_board") else figures.ms).append(ms)
    boards = boards_json(table, places)
    figures.accuracy.update(score_boards(truth, boards, variants=gallery is not None))
    figures.accuracy.update(score_tiles_beside(labels_beside(truth), places, variants=gallery is not None))
    figures.readings += space_results(truth, boards)


def _find(figures: FindFigures, frame: np.ndarray, truth: Mapping[str, Any]) -> None:
    import numpy as np

    from calibration.games.burgundy import BOARDS
    from vision.boards.finding import locate_boards
    from vision.boards.identity import MIN_SEEN
    from vision.geometry import hexgrid

    started = process_time()
    duchies, _ = locate_boards(frame, BOARDS)
    figures.ms.append((process_time() - started) * MS_PER_S)
    unmatched = list(duchies)
    for board in truth["boards"]:
        figures.boards += 1
        name = _known_name(board)
        visible = sum(space["visible"] > MIN_VISIBLE for space in board["hexes"])
        figures.known += name is not None and visible >= MIN_SEEN
        centres = np.array([space["centre"] for space in board["hexes"]])
        off = [
            float(np.hypot(*(duchy.plane.to_frame(hexgrid()) - centres).T).max()) / truth["px_per_mm"]
            for duchy in unmatched
        ]
        if off and min(off) < SAME_PLACE_MM:
            duchy = unmatched.pop(int(np.argmin(off)))
            figures.found += 1
            figures.corner_mm.append(min(off))
            figures.named += (
                name is not None and duchy.printed_id is not None and _same(duchy.printed_id, name)
            )
            figures.misnamed += duchy.printed_id is not None and not (name and _same(duchy.printed_id, name))
    figures.false += len(unmatched)


def _known_name(board: Mapping[str, Any]) -> str | None:
    """Returns the id of the known duchy that a board of a truth file shows; `None` if it is unknown."""
    from calibration.games.burgundy.facts import load_facts

    spaces = tuple((space["printed_colour"], space["printed_die"]) for space in board["hexes"])
    return next((duchy.id for duchy in load_facts().duchies.values() if duchy.spaces == spaces), None)


def _same(one: str, other: str) -> bool:
    """Returns whether two ids have the same print: some boards were reprinted."""
    from calibration.games.burgundy.facts import load_facts

    return load_facts().duchy(one).spaces == load_facts().duchy(other).spaces


def _nudge(figures: ChangeFigures, frame: np.ndarray, truth: Mapping[str, Any], table: TableFile) -> None:
    """Counts nudges noticed with the boards at rest, and with all of them moved by NUDGE_MM."""
    import cv2
    import numpy as np

    from vision.boards.registration import register
    from vision.view import view_of

    figures.false_nudges += len(register(frame, table, view_of(frame, table)).nudged)
    step = NUDGE_MM * truth["px_per_mm"] * np.array([0.8, 0.6])
    moved = np.array([[1, 0, step[0]], [0, 1, step[1]]])
    nudged = cv2.warpAffine(frame, moved, frame.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    figures.nudged += len(table.boards)
    figures.noticed += len(register(nudged, table, view_of(nudged, table)).nudged)


def _sequences(folder: Path) -> list[list[tuple[Path, dict[str, Any]]]]:
    """Returns the pictures of each sequence in *folder* with their truth, in order."""
    from vision.accuracy.truth import labelled_tables

    sequences: dict[str, list[tuple[Path, dict[str, Any]]]] = {}
    for picture, truth in labelled_tables(folder):
        if truth.get("sequence") and (match := TURN_OF.match(picture.stem)):
            sequences.setdefault(match[1], []).append((picture, truth))
    return list(sequences.values())


def _learn(figures: LearntFigures, turns: list[tuple[Path, dict[str, Any]]]) -> None:
    """Reads the pictures of a sequence twice from the second on: by the print alone, and by a reader that has learnt
    after each picture, as after a confirmed turn, which spaces are empty."""
    from vision.accuracy.boards import space_results
    from vision.games.burgundy.accuracy.tables import table_of
    from vision.pictures import load_image
    from vision.reader import TableReader, boards_json

    learning = TableReader(table_of(turns[0][1]))
    for turn, (picture, truth) in enumerate(turns):
        frame, table = load_image(picture), table_of(truth)
        learning.table = table
        boards = [board.place_group for board in table.boards]
        seen = learning.read(frame, boards, dice=())
        if turn:
            alone = TableReader(table).read(frame, boards, dice=())
            for one, sighting in ((figures.print_alone, alone), (figures.learnt, seen)):
                one.readings += space_results(truth, boards_json(table, sighting.places))
        learning.learn_bare(frame, _labels(truth))


def _labels(truth: Mapping[str, Any]) -> dict[str, str]:
    """Returns what lies on each visible space of the boards of *truth*, by the names of their places."""
    from vision.sighting import EMPTY

    return {
        f"duchy:{board['player']}:{i}": space["tile"]["type"] if space["tile"] else EMPTY
        for board in truth["boards"]
        for i, space in enumerate(board["hexes"])
        if space["visible"] > MIN_VISIBLE
    }


def _compare(figures: ChangeFigures, turns: list[tuple[Path, dict[str, Any]]]) -> None:
    """Counts places that changed from each picture of a sequence to the next, and whether that was noticed."""
    from vision.changes import PlaceMemory
    from vision.games.burgundy.accuracy.tables import table_of
    from vision.patches import board_patches
    from vision.pictures import load_image
    from vision.sighting import EMPTY, PlaceReading

    memory = PlaceMemory()
    before: dict[str, Any] = {}
    for picture, truth in turns:
        for board, cut in zip(
            truth["boards"], board_patches(load_image(picture), table_of(truth)), strict=True
        ):
            if cut is None:
                continue
            names = [f"duchy:{board['player']}:{i}" for i in range(len(board["hexes"]))]
            changed = memory.changed(names, cut.patches)
            readings = {}
            for name, space, other in zip(names, board["hexes"], changed, strict=True):
                seen = space["visible"] > MIN_VISIBLE and space["blown_out"] < MAX_GLARE
                readings[name] = PlaceReading({EMPTY: 1.0}, hidden=not seen)
                if not seen:
                    continue
                tile = space["tile"] and (space["tile"]["type"], space["tile"]["variant"])
                if name in before:
                    new = before[name] != tile
                    figures.placed, figures.still = figures.placed + new, figures.still + (not new)
                    figures.found += bool(new and other)
                    figures.false += bool(other and not new)
                before[name] = tile
            memory.store(names, cut.patches, readings)


def median(values: list[float]) -> float:
    return statistics.median(values) if values else float("nan")
