"""``companion bench vision``: dice read in labelled pictures, beside blobs that are put together."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from companion.devtools.benchmarks.blobs import groups, read_blobs
from companion.devtools.benchmarks.vision import ReaderFigures, labelled_sets, one_thread
from vision.accuracy.dice import DiceAccuracy, PictureTruth, TrueDie
from vision.accuracy.shared import SHARED_VARIABLE
from vision.sighting import DieReading

FELT, RED, WHITE_PIP = (60, 90, 40), (35, 35, 190), (240, 240, 240)
IVORY, BLACK_PIP = (215, 225, 230), (25, 25, 25)
FOUR, SIX = [(-1, -1), (1, -1), (-1, 1), (1, 1)], [(x, y) for x in (-1, 1) for y in (-1, 0, 1)]
"""Where pips are, in steps from the middle of the face."""


def table() -> np.ndarray:
    return np.full((160, 240, 3), FELT, np.uint8)


def draw_die(
    frame: np.ndarray,
    at: tuple[int, int],
    pips: Sequence[tuple[int, int]] = FOUR,
    body: tuple[int, int, int] = RED,
    pip: tuple[int, int, int] = WHITE_PIP,
) -> None:
    """Draws a die of 48 px with its darker rim."""
    x, y = at
    cv2.rectangle(frame, (x - 24, y - 24), (x + 24, y + 24), tuple(c * 3 // 4 for c in body), -1)
    cv2.rectangle(frame, (x - 21, y - 21), (x + 21, y + 21), body, -1)
    for dx, dy in pips:
        cv2.circle(frame, (x + 12 * dx, y + 12 * dy), 4, pip, -1, cv2.LINE_AA)


def save(path: Path, frame: np.ndarray) -> None:
    cv2.imwrite(str(path), cv2.GaussianBlur(frame, (0, 0), 0.8))


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Returns a folder of five labelled photos: a red four each but on the last, which is empty."""
    folder = tmp_path / "photos"
    folder.mkdir()
    labels: list[dict[str, Any]] = []
    for number in range(5):
        frame, dice = table(), []
        if number < 4:
            draw_die(frame, (100 + 10 * number, 80))
            dice = [{"value": 4, "colour": "red", "box": [76 + 10 * number, 56, 48, 48]}]
        save(folder / f"{number}.png", frame)
        labels.append({"image": f"{number}.png", "dice": dice})
    (folder / "labels.json").write_text(json.dumps(labels))
    return folder


@pytest.fixture
def rendered(tmp_path: Path) -> Path:
    """Returns a folder with one picture and its complete truth: a red four on the left."""
    folder = tmp_path / "rendered"
    folder.mkdir()
    frame = table()
    draw_die(frame, (60, 80))
    save(folder / "tray.png", frame)
    die = {"value": 4, "colour": "red", "centre": [60, 80], "body_centre": [60, 80], "size_mm": 16}
    truth = {"px_per_mm": 3.0, "boards": [], "dice": [die | {"in_frame": True}]}
    (folder / "tray.truth.json").write_text(json.dumps(truth))
    return folder


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["bench", "vision", *map(str, words)])


def sets(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)["sets"]
    return found


def test_both_readers_are_counted_on_the_same_pictures(photos: Path) -> None:
    (one,) = sets(run(photos, "--json"))
    assert (one["set"], one["dice_areas"], one["pictures"]) == (str(photos), False, 5)
    for reader in ("companion", "blobs"):
        counts = one[reader]
        assert (counts["dice"], counts["found"], counts["answered"], counts["right"]) == (4, 4, 4, 4)
        assert (counts["pictures"], counts["exact"], counts["false"]) == (4, 4, 0)
        assert (counts["empty_pictures"], counts["empty_clean"]) == (1, 1)
        assert 0 < counts["ms_median"] <= counts["ms_95th"]
    assert one["companion"]["by_colour"] == {"red": {"dice": 4, "found": 4, "right": 4, "colour_right": 4}}
    assert sum(line["readings"] for line in one["companion"]["calibration"]) == 4


def test_pictures_with_exact_truth_are_read_with_a_dice_area_too(rendered: Path) -> None:
    anywhere, in_area = sets(run(rendered, "--json"))
    assert (anywhere["dice_areas"], in_area["dice_areas"]) == (False, True)
    assert in_area["companion"]["right"] == in_area["blobs"]["right"] == 1


def test_each_folder_is_a_set(photos: Path, rendered: Path) -> None:
    result = run(photos / "0.png", photos / "4.png", rendered, "--json")
    assert [(one["set"], one["pictures"]) for one in sets(result)] == [
        (str(photos), 2),
        (str(rendered), 1),
        (str(rendered), 1),
    ]


def test_short_reads_every_fifth_picture(photos: Path) -> None:
    (one,) = sets(run(photos, "--short", "--json"))
    assert one["pictures"] == 1


def test_the_tables_stand_beside_each_other_in_print(photos: Path) -> None:
    lines = run(photos).stdout.splitlines()
    head = next(line for line in lines if line.split() == ["companion", "blobs", "target"])
    right = next(line for line in lines if "values correct" in line and "%" in line)
    assert right.count("4 of 4 (100.0 %)") == 2
    end = head.index("blobs") + len("blobs")
    assert right[end - 1] == ")"
    for title in (str(photos), "milliseconds by frame size", "by body colour", "meaning of the confidence"):
        assert title in lines


def test_a_broken_picture_is_named_and_the_others_are_measured(photos: Path) -> None:
    (photos / "1.png").write_bytes(b"")
    result = run(photos, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["sets"][0]["pictures"] == 4
    assert result.stderr.startswith(f"companion: {photos / '1.png'}: the file is empty")


@pytest.mark.slow
def test_the_shared_pictures_are_the_default(
    photos: Path, rendered: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = photos.parent / "shared"
    (shared / "photos").mkdir(parents=True)
    photos.rename(shared / "photos" / "dice")
    rendered.rename(shared / "photos" / "rendered")
    monkeypatch.setenv(SHARED_VARIABLE, str(shared))
    figures = json.loads(run("--json").stdout)
    assert [Path(one["set"]).name for one in figures["sets"]] == ["dice", "rendered", "rendered"]
    assert figures["full_table"]["right"] / figures["full_table"]["places"] > 0.98
    kinds = figures["expansions"]["kinds"]
    assert {"building/crane", "inn: ship", "shields: shields", "base game: route"} <= kinds.keys()
    assert sum(kind["wrong"] for kind in kinds.values()) == 0


def test_missing_shared_pictures_are_reported_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SHARED_VARIABLE, str(tmp_path / "nowhere"))
    result = run()
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 1
    assert str(tmp_path / "nowhere") in result.stderr and SHARED_VARIABLE in result.stderr


@pytest.mark.parametrize("labels", [None, "[]", '{"dice": 3}'])
def test_a_missing_truth_is_reported_in_one_sentence(tmp_path: Path, labels: str | None) -> None:
    save(tmp_path / "photo.png", table())
    if labels:
        (tmp_path / "labels.json").write_text(labels)
    result = run(tmp_path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 1
    assert str(tmp_path) in result.stderr


def test_opencv_gets_its_threads_back() -> None:
    before = cv2.getNumThreads()
    with one_thread():
        assert cv2.getNumThreads() == 1
    assert cv2.getNumThreads() == before


def test_the_slow_time_is_that_of_the_95th_frame_of_a_hundred() -> None:
    figures = ReaderFigures(DiceAccuracy(), [float(ms) for ms in range(100, 0, -1)])
    assert (figures.median_ms, figures.slow_ms) == (50.5, 95.0)


def test_pictures_named_twice_are_measured_once(photos: Path) -> None:
    (truths,) = labelled_sets([photos, photos / "0.png"], every=1).values()
    assert len(truths) == 5


# What the figures mean


def die_at(x: float, y: float) -> TrueDie:
    return TrueDie(4, "red", ((x, y),), None, 10.0)


def test_a_declared_dice_area_contains_all_dice_with_a_margin() -> None:
    area = PictureTruth((die_at(100, 80), die_at(200, 120))).dice_area()
    assert area == ((60, 40), (240, 40), (240, 160), (60, 160))


def test_without_dice_there_is_no_dice_area() -> None:
    assert PictureTruth(()).dice_area() is None


@pytest.mark.parametrize(
    ("reading", "wrong"),
    [
        (DieReading(4, "red", (95, 75, 10, 10), 0.99), 0),
        (DieReading(5, "red", (95, 75, 10, 10), 0.95), 1),
        (DieReading(5, "red", (95, 75, 10, 10), 0.94), 0),
        (DieReading(None, "red", (95, 75, 10, 10), 0.99, "cocked"), 0),
        (DieReading(4, "red", (195, 75, 10, 10), 0.99), 1),
    ],
    ids=["right", "wrong", "unsure", "no value", "no die there"],
)
def test_confident_errors_are_wrong_readings_at_95_percent(reading: DieReading, wrong: int) -> None:
    accuracy = DiceAccuracy()
    accuracy.add(PictureTruth((die_at(100, 80),)), [reading])
    assert accuracy.sure_wrong == wrong


# The reference


@pytest.mark.parametrize(("body", "pip"), [(RED, WHITE_PIP), (IVORY, BLACK_PIP)], ids=["light", "dark"])
def test_blobs_read_dark_and_light_pips(body: tuple[int, int, int], pip: tuple[int, int, int]) -> None:
    frame = table()
    draw_die(frame, (60, 80), FOUR, body, pip)
    draw_die(frame, (180, 80), SIX, body, pip)
    dice = sorted(read_blobs(frame), key=lambda die: die.box)
    assert [die.value for die in dice] == [4, 6]
    x, y, width, height = dice[0].box
    assert abs(x + width / 2 - 60) < 3 and abs(y + height / 2 - 80) < 3


def test_more_blobs_than_a_die_has_pips_are_none() -> None:
    frame = table()
    draw_die(frame, (90, 80), SIX)
    draw_die(frame, (138, 80), SIX)
    assert read_blobs(frame) == ()


def test_blobs_outside_the_areas_are_left_out() -> None:
    frame = table()
    draw_die(frame, (60, 80), FOUR)
    draw_die(frame, (180, 80), SIX)
    right_half = [(120, 0), (240, 0), (240, 160), (120, 160)]
    assert [die.value for die in read_blobs(frame, [right_half])] == [6]


def test_pips_are_grouped_by_relative_distance_and_likeness() -> None:
    near, far, unlike = [0, 0, 10], [60, 0, 10], [20, 0, 30]
    assert len(groups(np.array([near, [39, 0, 10]], float))) == 1
    assert len(groups(np.array([near, [41, 0, 10]], float))) == 2
    assert len(groups(np.array([near, [30, 0, 10], far], float))) == 1
    assert len(groups(np.array([near, unlike], float))) == 2
    assert groups(np.empty((0, 3))) == []
