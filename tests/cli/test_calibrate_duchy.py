"""The command ``companion calibrate duchy``, and how well the print of empty duchies is read."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.board_kind import Spaces
from calibration.games.burgundy import BOARDS
from calibration.games.burgundy.facts import DUCHY_SPACES_BY_TYPE, load_facts
from calibration.table_file import load, parse
from companion.cli.games.burgundy.calibrate_duchy import _turn_anchors
from companion.cli.main import main
from hardware.scene import Scene
from hardware.virtual_table import VirtualTable
from hardware.virtual_table.games.burgundy import standard_layout
from tests.support.islands import SHAPE, SPACES
from vision.boards.empty_board import SURE, BoardScan, _turned_places, scan_board
from vision.boards.finding import turned
from vision.boards.identity import SAME_BOARD
from vision.boards.reading import BoardPatches
from vision.geometry import Lens, Plane, anchor_points, board_plane, hexgrid
from vision.patches import board_patches

DUCHIES = load_facts().duchies
PLAYERS = ("red", "blue", "green", "black")


def own_board() -> Spaces:
    """Returns an unknown standard board: a known one with its colours in another order."""
    colours = [colour for colour, count in DUCHY_SPACES_BY_TYPE.items() for _ in range(count)]
    order = np.random.default_rng(3).permutation(len(colours))
    return tuple((colours[i], die) for i, (_, die) in zip(order, DUCHIES["se-1"].spaces, strict=True))


@dataclass
class Photographed:
    """Boards on a virtual table, photographed empty."""

    table: dict[str, Any]
    frame: np.ndarray
    folder: Path

    def files(self) -> tuple[Path, Path]:
        """Writes the table file and the picture again, and returns their paths."""
        cv2.imwrite(str(self.folder / "boards.png"), self.frame)
        (self.folder / "table.json").write_text(json.dumps(self.table))
        return self.folder / "table.json", self.folder / "boards.png"


def photograph(boards: list[Spaces], folder: Path, seed: int = 5) -> Photographed:
    players = PLAYERS[: len(boards)]
    layout = standard_layout(players, dict(zip(players, boards, strict=True)))
    with VirtualTable(layout, seed=seed) as table:
        table.show(Scene())
        document = table.table_file()
        for board in document["boards"]:
            board.pop("duchy", None)
        return Photographed(document, table.read(), folder)


def run(*arguments: object, answers: str = "") -> Result:
    return CliRunner().invoke(main, ["calibrate", "duchy", *map(str, arguments)], input=answers)


@pytest.fixture
def shown(tmp_path: Path) -> Photographed:
    return photograph([DUCHIES["se-7"].spaces, own_board()], tmp_path)


def test_a_known_duchy_is_called_by_its_name(shown: Photographed) -> None:
    table, picture = shown.files()
    result = run(table, picture, "--player", "red")
    assert result.exit_code == 0, result.output
    assert "Red: se-7" in result.output
    assert load(table).boards[0].printed_id == "se-7" and load(table).boards[1].spaces is None


def test_an_own_board_is_saved_space_by_space(shown: Photographed) -> None:
    table, picture = shown.files()
    result = run(table, picture)
    assert result.exit_code == 0, result.output
    assert "Blue: no known duchy" in result.output
    assert load(table).boards[1].spaces == own_board()


@pytest.mark.parametrize("unsure", ["colour", "die"])
def test_uncertain_readings_are_asked_without_a_guess(
    shown: Photographed, monkeypatch: pytest.MonkeyPatch, unsure: str
) -> None:
    def doubting(board: BoardPatches) -> BoardScan:
        scan = scan_board(board)
        first = scan.spaces[0]
        doubted = (
            replace(first, type_confidence=0.3) if unsure == "colour" else replace(first, die_confidence=0.3)
        )
        return replace(scan, spaces=(doubted, *scan.spaces[1:]))

    monkeypatch.setattr("vision.boards.empty_board.scan_board", doubting)
    table, picture = shown.files()
    before = table.read_text()
    result = run(table, picture, "--player", "blue", answers="\n" * 5)
    assert result.exit_code == 1 and table.read_text() == before
    colour, die = own_board()[0]
    answer = str(die) if unsure == "die" else colour
    assert run(table, picture, "--player", "blue", answers=f"{answer}\n").exit_code == 0
    assert load(table).boards[1].spaces == own_board()


@pytest.mark.parametrize("turn", range(1, 6))
def test_anchors_that_were_given_for_another_rotation_are_turned(shown: Photographed, turn: int) -> None:
    right = shown.table["boards"][0]["anchors_mm"]
    wrong = turned(board_plane(right), -turn).to_frame(anchor_points())
    shown.table["boards"][0]["anchors_mm"] = wrong.round(2).tolist()
    table, picture = shown.files()
    result = run(table, picture, "--player", "red")
    assert f"turned by {60 * turn} degrees" in result.output
    assert np.allclose(json.loads(table.read_text())["boards"][0]["anchors_mm"], right, atol=0.05)
    assert load(table).boards[0].printed_id == "se-7"


def test_anchors_in_px_are_turned_by_the_lens(tmp_path: Path) -> None:
    camera = {"matrix": [[900, 0, 640], [0, 900, 360], [0, 0, 1]], "distortion": [-0.3, 0.05, 0, 0, 0]}
    lens = Lens(np.array(camera["matrix"], float), np.array(camera["distortion"], float))
    right = Plane(np.array([[55.0, 4, 300], [-3, 57, 250], [0, 0, 1]]), lens)
    board = {"player": "red", "anchors": turned(right, -2).to_frame(anchor_points()).tolist()}
    table = parse({"image_size": [1280, 720], "camera": camera, "boards": [board]}, "bent")
    _turn_anchors(board, 2, table.camera)
    assert np.allclose(board["anchors"], right.to_frame(anchor_points()), atol=0.1)


def test_covered_markers_leave_the_table_file_as_it_was(shown: Photographed) -> None:
    shown.frame[:] = 90
    table, picture = shown.files()
    before = table.read_text()
    result = run(table, picture)
    assert result.exit_code == 1 and "markers" in result.output
    assert table.read_text() == before


def test_spaces_of_a_board_of_another_shape_are_asked_for_by_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = standard_layout(["red"], {"red": SPACES}, shapes={"red": SHAPE})
    with VirtualTable(layout, seed=3) as table:
        shown = Photographed(table.table_file(), table.read(), tmp_path)
    shown.table["boards"][0].pop("duchy")
    monkeypatch.setattr("vision.boards.empty_board.SURE", 1.01)
    answers = "".join(f"{tile_type}\n{die}\n" for tile_type, die in SPACES)
    path, picture = shown.files()
    result = run(path, picture, answers=answers)
    assert "7 spaces read on a board of another shape" in result.output
    assert "Space A1: colour" in result.output
    (board,) = load(path).boards
    assert board.printed_id is None and board.spaces == SPACES


def test_the_print_of_a_board_of_another_shape_is_read(tmp_path: Path) -> None:
    layout = standard_layout(["red"], {"red": SPACES}, shapes={"red": SHAPE})
    with VirtualTable(layout, seed=3) as table:
        (cut,) = board_patches(table.read(), parse(table.table_file(), "virtual"))
    assert cut is not None
    scan = scan_board(replace(cut, spaces=None))
    assert scan.printed() == SPACES and scan.printed_id is None and not scan.unusual_counts()


def test_a_table_with_a_board_of_another_shape_is_not_calibrated_anew(shown: Photographed) -> None:
    shown.table["boards"][0]["shape"] = {
        "names": list(SHAPE.names),
        "centres_mm": SHAPE.centres_mm,
        "anchors": [SHAPE.names[anchor] for anchor in SHAPE.anchors],
    }
    table, picture = shown.files()
    before = table.read_text()
    result = CliRunner().invoke(
        main, ["calibrate", "table", str(table), "--camera", str(picture), "--no-page"]
    )
    assert result.exit_code == 1 and "the board of red has a 'shape' of its own" in result.output
    assert table.read_text() == before


def test_a_player_without_a_board_is_reported(shown: Photographed) -> None:
    table, picture = shown.files()
    result = run(table, picture, "--player", "pink")
    assert result.exit_code == 1 and "no board of pink; it has those of red, blue" in result.output


@pytest.mark.parametrize("first", range(0, len(DUCHIES), 4))
def test_every_known_duchy_is_read_and_recognised(first: int, tmp_path: Path) -> None:
    names = sorted(DUCHIES)[first : first + 4]
    shown = photograph([DUCHIES[name].spaces for name in names], tmp_path, seed=first)
    table = parse(shown.table, "shown")
    for name, cut in zip(names, board_patches(shown.frame, table), strict=True):
        assert cut is not None
        scan = scan_board(cut)
        assert scan.printed_id is not None and DUCHIES[scan.printed_id].spaces == DUCHIES[name].spaces
        right = [a == b for a, b in zip(scan.printed(), DUCHIES[name].spaces, strict=True)]
        assert sum(right) >= 36


def test_known_duchies_that_differ_are_distinguished_in_any_rotation() -> None:
    layouts = {duchy.spaces for duchy in DUCHIES.values()}
    colours = [np.array([colour for colour, _ in spaces]) for spaces in layouts]
    for i, one in enumerate(colours):
        for j, other in enumerate(colours):
            agree = [int((one[places] == other).sum()) for places in _turned_places()]
            assert max(agree[1:] if i == j else agree) < SAME_BOARD * len(one)


def test_a_warm_lamp_and_a_shadow_change_nothing(tmp_path: Path) -> None:
    shown = photograph([own_board(), DUCHIES["se-12"].spaces], tmp_path)
    light = np.linspace(1.0, 0.6, shown.frame.shape[1])[None, :, None] * (0.5, 0.8, 1.0)
    dim = np.clip(shown.frame * light, 0, 255).astype(np.uint8)
    own, known = (scan_board(cut) for cut in board_patches(dim, parse(shown.table, "shown")) if cut)
    assert own.printed_id is None and own.printed() == own_board()
    assert known.printed_id == "se-12"


PRINT_OF_2019 = ((570, 167), (1044, 167), (1043, 990), (570, 991))
"""px of its four anchors in the picture of duchy 1, whose castles are dark green."""


def test_a_real_print_in_other_colours_is_read(shared: Path) -> None:
    path = shared / "facts/burgundy/images/2019_crops/duchy-1-2019-enlarged.png"
    picture = cv2.imread(str(path))
    assert picture is not None
    patches, framed = board_plane(PRINT_OF_2019).patches(picture, hexgrid(), 1.0)
    scan = scan_board(BoardPatches(patches, framed, None, BOARDS))
    assert scan.printed_id == "se-1" and scan.agreeing == 37
    assert scan.printed() == DUCHIES["se-1"].spaces
    asked = [space for space in scan.spaces if min(space.type_confidence, space.die_confidence) < SURE]
    assert len(asked) <= 1  # a person confirms what is doubtful
