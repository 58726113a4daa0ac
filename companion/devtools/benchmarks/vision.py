"""How well and how fast dice and boards are read in labelled pictures, dice beside a simple reader on the same ones.

Both readers see each frame one after the other, OpenCV on one thread. Their times are processor time: what a frame
takes on an idle core, which other work on the machine lengthens but little. What a picture shows is known from the
labels or the truth file beside it (see ``vision.accuracy.dice``).
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from calibration.errors import CompanionError
from companion.games.parts import part
from companion.games.registry import plugins

if TYPE_CHECKING:
    from vision.accuracy.dice import DiceAccuracy, PictureTruth
    from vision.sighting import DieReading

    from .columns import Row

Read: TypeAlias = Callable[..., "tuple[DieReading, ...]"]
"""A reader of dice: takes a frame and, by the name ``areas``, polygons or None."""

DEFAULT_SETS = ("photos/dice", "photos/rendered")
"""Folders of the shared test pictures."""
EVERY = 5
"""With so many pictures, one is enough for a first look."""
THREADS = 1
MS_PER_S = 1e3
SLOW = 0.95
"""The percentile of the times that is reported beside the median."""


class NothingToMeasureError(CompanionError, LookupError):
    """No picture with a truth was given; the message says where it was looked for."""


@dataclass
class ReaderFigures:
    """What one reader made of a set."""

    accuracy: DiceAccuracy
    ms: list[float] = field(default_factory=list)
    """Milliseconds of processor time that each frame took."""

    @property
    def median_ms(self) -> float:
        return statistics.median(self.ms)

    @property
    def slow_ms(self) -> float:
        """Returns the 95th percentile: the time that 95 % of the frames did not exceed."""
        return sorted(self.ms)[math.ceil(SLOW * len(self.ms)) - 1]


@dataclass
class SetFigures:
    """Both readers on one set of pictures."""

    name: str
    areas: bool
    """Whether dice were looked for in a declared area only."""
    ours: ReaderFigures
    blobs: ReaderFigures
    sizes: dict[tuple[int, int], list[float]] = field(default_factory=lambda: defaultdict(list))
    """Width and height of frames -> our milliseconds on each of them."""

    @property
    def pictures(self) -> int:
        return len(self.ours.ms)


class TableFigures(Protocol):
    """What was measured on tables of one game (``companion.devtools.games.GAME.tables``)."""

    def to_json(self) -> dict[str, Any]: ...

    def to_text(self) -> Iterator[tuple[str, list[Row]]]:
        """Yields titles and rows."""
        ...


@dataclass(frozen=True)
class VisionFigures:
    """All that ``companion bench vision`` measures."""

    opencv: str
    sets: tuple[SetFigures, ...]
    tables: tuple[TableFigures, ...]
    """Those of each game that is watched by a camera."""
    failures: tuple[str, ...]
    """One sentence for each picture that could not be read."""


def measure(paths: Sequence[Path] = (), *, every: int = 1) -> VisionFigures:
    """Measures on *paths*, pictures or folders of them, one in *every* only; without any, on the shared ones and on a
    drawn table.

    :raises NothingToMeasureError: when no picture is given and the shared ones are not there, or no picture has a
        truth beside it.
    :raises vision.accuracy.truth.TruthError: when a truth cannot be used.
    """
    import cv2

    sets: list[SetFigures] = []
    failures: list[str] = []
    folders = paths or default_folders()
    with one_thread():
        for folder, truths in labelled_sets(folders, every).items():
            sets += measure_set(str(folder), truths, failures)
        tables = _measure_tables([path for path in folders if path.is_dir()], every, drawn=not paths)
    return VisionFigures(cv2.__version__, tuple(sets), tables, tuple(failures))


def _measure_tables(folders: Sequence[Path], every: int, *, drawn: bool) -> tuple[TableFigures, ...]:
    found = (part("companion.devtools", f"{game}.tables") for game in plugins())
    return tuple(module.measure_tables(folders, every, drawn=drawn) for module in found if module is not None)


@contextmanager
def one_thread() -> Iterator[None]:
    """Keeps OpenCV to one thread, for figures that do not depend on the number of cores."""
    import cv2

    usual = cv2.getNumThreads()
    cv2.setNumThreads(THREADS)
    try:
        yield
    finally:
        cv2.setNumThreads(usual)


def default_folders() -> list[Path]:
    from vision.accuracy.shared import SharedFolderError, shared_folder

    try:
        return [shared_folder() / name for name in DEFAULT_SETS]
    except SharedFolderError as error:
        raise NothingToMeasureError(f"{error}, or name pictures with labels beside them") from None


def labelled_sets(paths: Iterable[Path], every: int) -> dict[Path, dict[Path, PictureTruth]]:
    """Returns folder -> picture -> its truth, for one in *every* picture in or among *paths* that has a truth."""
    from vision.accuracy.dice import truth_beside
    from vision.pictures import PICTURE_SUFFIXES

    sets: dict[Path, dict[Path, PictureTruth]] = defaultdict(dict)
    paths = list(paths)
    for path in paths:
        pictures = sorted(path.iterdir()) if path.is_dir() else [path]
        known = truth_beside(p for p in pictures if p.suffix.lower() in PICTURE_SUFFIXES)
        for picture, truth in known.items():
            sets[picture.parent][picture] = truth
    if not sets:
        where = ", ".join(map(str, paths))
        raise NothingToMeasureError(
            f"no picture with a truth in {where}; name pictures with a labels.json or NAME.truth.json beside them"
        )
    return {folder: dict(list(truths.items())[::every]) for folder, truths in sets.items()}


def measure_set(name: str, truths: Mapping[Path, PictureTruth], failures: list[str]) -> list[SetFigures]:
    """Measures both readers on a folder's pictures: on the full picture and, if the truth is exact, in a dice area.

    Pictures that cannot be read are added to *failures*.
    """
    from vision.accuracy.truth import truth_path
    from vision.pictures import PictureError, load_image

    anywhere, in_area = new_set(name, areas=False), new_set(name, areas=True)
    for picture, truth in truths.items():
        try:
            frame = load_image(picture)
        except PictureError as error:
            failures.append(str(error))
            continue
        compare(anywhere, frame, truth, None)
        if truth_path(picture).is_file() and (area := truth.dice_area()):
            compare(in_area, frame, truth, [area])
    return [figures for figures in (anywhere, in_area) if figures.pictures]


def new_set(name: str, *, areas: bool) -> SetFigures:
    from vision.accuracy.dice import DiceAccuracy

    return SetFigures(name, areas, ReaderFigures(DiceAccuracy()), ReaderFigures(DiceAccuracy()))


def compare(figures: SetFigures, frame: Any, truth: PictureTruth, areas: Any) -> None:
    """Lets both readers read *frame*, (H, W, 3) uint8 BGR, and adds up what they made of it."""
    from vision.dice import read_dice

    from .blobs import read_blobs

    if not figures.pictures:
        read_dice(frame, areas=areas)  # the networks are loaded at the first reading
    height, width = frame.shape[:2]
    figures.sizes[width, height].append(_add(figures.ours, read_dice, frame, truth, areas))
    _add(figures.blobs, read_blobs, frame, truth, areas)


def _add(figures: ReaderFigures, read: Read, frame: Any, truth: PictureTruth, areas: Any) -> float:
    started = process_time()
    dice = read(frame, areas=areas)
    figures.ms.append((process_time() - started) * MS_PER_S)
    figures.accuracy.add(truth, dice)
    return figures.ms[-1]
