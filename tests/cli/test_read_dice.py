"""The command ``companion read dice``: what it prints, and what it says when a picture cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli.main import main
from companion.cli.read_dice import describe
from vision.sighting import DieReading


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["read", "dice", *map(str, arguments)])


@pytest.fixture
def empty_table(tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), np.full((120, 160, 3), (60, 90, 40), np.uint8))
    return path


@pytest.fixture
def one_die(tmp_path: Path) -> Path:
    """Returns a red die that shows four white pips."""
    frame = np.full((160, 160, 3), (60, 90, 40), np.uint8)
    cv2.rectangle(frame, (62, 62), (108, 108), (20, 40, 20), -1)
    cv2.rectangle(frame, (56, 56), (104, 104), (25, 25, 140), -1)
    cv2.rectangle(frame, (59, 59), (101, 101), (35, 35, 190), -1)
    for x in (69, 91):
        for y in (69, 91):
            cv2.circle(frame, (x, y), 5, (240, 240, 240), -1)
    path = tmp_path / "die.png"
    cv2.imwrite(str(path), cv2.GaussianBlur(frame, (0, 0), 0.8))
    return path


def test_each_die_is_printed_below_its_picture(one_die: Path) -> None:
    result = run(one_die)
    assert result.exit_code == 0
    picture, die = result.stdout.splitlines()
    assert picture.startswith(f"{one_die}: 1 die (")
    assert die.startswith("  4 red at ")


def test_json_has_the_agreed_shape(one_die: Path) -> None:
    result = run(one_die, "--json")
    (document,) = json.loads(result.stdout)
    assert document.keys() == {"image", "ms", "dice"}
    (die,) = document["dice"]
    assert die.keys() == {"value", "colour", "box", "confidence", "probabilities"}
    assert (die["value"], die["colour"]) == (4, "red")


def test_a_die_without_a_value_is_printed_with_the_reason() -> None:
    die = DieReading(None, "blue", (1, 2, 3, 4), 0.5, "cocked")
    assert "? (cocked) blue" in list(describe(Path("a.jpg"), [die], 5.0))[1]


def test_files_and_folders_beside_pictures_are_skipped(empty_table: Path, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("about the pictures")
    (tmp_path / "folder").mkdir()
    result = run(*tmp_path.iterdir())
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].startswith(f"{empty_table}: no dice")
    assert len(result.stdout.splitlines()) == 1


def test_the_others_are_read_when_a_picture_is_missing(empty_table: Path, tmp_path: Path) -> None:
    missing = tmp_path / "missing.jpg"
    result = run(missing, empty_table, "--json")
    assert result.exit_code == 1
    assert [document["image"] for document in json.loads(result.stdout)] == [str(empty_table)]
    assert result.stderr == f"companion: {missing}: no such file; check the name and the folder.\n"


def test_a_folder_stands_for_the_pictures_in_it(empty_table: Path, one_die: Path) -> None:
    (one_die.parent / ".hidden.jpg").write_bytes(b"")
    (one_die.parent / "notes.txt").write_text("about the pictures")
    result = run(one_die.parent, "--json")
    assert result.exit_code == 0
    assert [document["image"] for document in json.loads(result.stdout)] == [str(one_die), str(empty_table)]


def test_a_folder_with_a_broken_picture_still_reads_the_others(empty_table: Path, one_die: Path) -> None:
    broken = one_die.parent / "broken.jpg"
    broken.write_text("value,colour")
    result = run(one_die.parent, "--json")
    assert result.exit_code == 1
    assert [document["image"] for document in json.loads(result.stdout)] == [str(one_die), str(empty_table)]
    assert result.stderr.startswith(f"companion: {broken}: not a picture")
    assert len(result.stderr.splitlines()) == 1


def test_a_folder_without_pictures_is_named(tmp_path: Path) -> None:
    result = run(tmp_path)
    assert result.exit_code == 2
    assert f"no picture to read in {tmp_path};" in result.stderr


def test_no_picture_at_all_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text("[]")
    for arguments in ((), (tmp_path / "labels.json",)):
        result = run(*arguments)
        assert result.exit_code == 2
        assert "no picture to read" in result.stderr


def test_labels_beside_the_pictures_give_a_line_of_accuracy(one_die: Path) -> None:
    label = {"image": one_die.name, "dice": [{"value": 4, "colour": "red", "box": [56, 56, 48, 48]}]}
    (one_die.parent / "labels.json").write_text(json.dumps([label]))
    assert run(one_die).stdout.splitlines()[-1].startswith("accuracy: 1 of 1 dice read correctly (100.0 %)")


def test_the_line_of_accuracy_stays_out_of_the_json(one_die: Path) -> None:
    (one_die.parent / "labels.json").write_text(json.dumps([{"image": one_die.name, "dice": []}]))
    result = run(one_die, "--json")
    assert json.loads(result.stdout)
    assert result.stderr.startswith("accuracy: ")


def test_each_folder_has_a_line_of_accuracy_of_its_own(one_die: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    copied = elsewhere / one_die.name
    copied.write_bytes(one_die.read_bytes())
    for folder, value in ((tmp_path, 4), (elsewhere, 5)):
        die = {"value": value, "colour": "red", "box": [56, 56, 48, 48]}
        (folder / "labels.json").write_text(json.dumps([{"image": one_die.name, "dice": [die]}]))
    lines = run(one_die, copied).stdout.splitlines()
    assert lines[-2].startswith(f"accuracy in {tmp_path}: 1 of 1 dice read correctly")
    assert lines[-1].startswith(f"accuracy in {elsewhere}: 0 of 1 dice read correctly")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("labels.json", "{"),
        ("labels.json", '{"dice": []}'),
        ("labels.json", '[{"image": "die.png", "dice": [{"value": 4, "colour": "red", "box": [1, 2]}]}]'),
        ("die.truth.json", '{"boards": []}'),
        ("die.truth.json", '{"boards": [], "px_per_mm": 3, "dice": [{"value": 4}]}'),
    ],
)
def test_a_truth_that_cannot_be_used_is_one_sentence_after_the_dice(
    one_die: Path, name: str, content: str
) -> None:
    faulty = one_die.with_name(name)
    faulty.write_text(content)
    result = run(one_die)
    assert result.exit_code == 1
    assert "  4 red at " in result.stdout
    assert result.stderr.startswith(f"companion: {faulty}: ")
    assert len(result.stderr.splitlines()) == 1


def test_a_truth_file_beside_a_picture_gives_a_line_of_accuracy(one_die: Path) -> None:
    die = {
        "value": 4,
        "colour": "red",
        "centre": [80, 80],
        "body_centre": [80, 80],
        "size_mm": 16,
        "in_frame": True,
        "visible": 1.0,
        "blown_out": 0.0,
    }
    truth = one_die.with_name("die.truth.json")
    truth.write_text(json.dumps({"px_per_mm": 3.0, "dice": [die], "boards": []}))
    assert "1 of 1 dice read correctly" in run(one_die).stdout


def test_a_table_file_restricts_the_areas(one_die: Path, tmp_path: Path) -> None:
    table = tmp_path / "table_file"
    corner = [[0, 0], [30, 0], [30, 30], [0, 30]]
    table.write_text(json.dumps({"image_size": [160, 160], "boards": [], "dice_areas": [corner]}))
    assert "no dice" in run(one_die, "--table", table).stdout


@pytest.mark.parametrize(("middle", "dice"), [(80, "no dice"), (160, "1 die")])
def test_a_die_printed_on_a_space_of_a_board_is_no_die(
    one_die: Path, tmp_path: Path, middle: int, dice: str
) -> None:
    table = tmp_path / "table_file"
    anchors = [[80 + x, middle + y] for x, y in ((-150, -259.8), (150, -259.8), (150, 259.8), (-150, 259.8))]
    board = {"player": "red", "duchy": "se-1", "anchors": anchors}
    table.write_text(json.dumps({"image_size": [160, 160], "boards": [board]}))
    assert dice in run(one_die, "--table", table).stdout


def test_a_faulty_table_file_is_named(one_die: Path, tmp_path: Path) -> None:
    table = tmp_path / "broken.json"
    table.write_text("{")
    result = run(one_die, "--table", table)
    assert result.exit_code == 1
    assert str(table) in result.stderr
    assert "Traceback" not in result.stderr
