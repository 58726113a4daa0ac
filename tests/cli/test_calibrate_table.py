"""``companion calibrate table``: duchies found by their print alone, corrected on a page, saved in a table file."""

from __future__ import annotations

import errno
import json
import os
import threading
from copy import copy, deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.games.burgundy import BOARDS
from calibration.games.burgundy.facts import load_facts
from calibration.sheet import CARD_ID, CARD_SIDE, MARKER_BITS, WHITE, marker_cells
from calibration.table_file import BoardPlan, TableFile, load, parse
from companion.calibrate.games.burgundy import TABLE
from companion.calibrate.table import TableCalibration
from companion.calibrate.table_layout import OWN_BOARD, LayoutError, validated_layout
from companion.cli.main import main
from companion.games.burgundy.plugin import burgundy
from companion.text.catalogue import LANGUAGES
from hardware.scene import Scene
from hardware.virtual_table import VirtualTable
from hardware.virtual_table.games.burgundy import standard_layout
from tests.support.paths import CHECKOUT
from vision.accuracy.truth import labelled_tables
from vision.boards.finding import locate_boards, refined
from vision.geometry import Plane, board_plane, hexgrid
from vision.pictures import load_image
from vision.table_dice import white_in
from vision.view import TableView, view_of
from web.calibration import create_calibration_app

DUCHIES = load_facts().duchies
NAMES = {"red": "se-1", "blue": "se-7", "green": "se-3"}
RENDERED = CHECKOUT.parent / "shared" / "photos" / "rendered"
NEAR_PX = 4.0


@pytest.fixture(scope="module")
def shown() -> tuple[np.ndarray, TableFile]:
    """Returns a picture of a virtual table with three duchies, and their true positions."""
    layout = standard_layout(tuple(NAMES), {player: DUCHIES[name].spaces for player, name in NAMES.items()})
    with VirtualTable(layout, seed=5) as table:
        table.show(Scene())
        return table.read(), parse(table.table_file(), "virtual")


@pytest.fixture
def picture(shown: tuple[np.ndarray, TableFile], tmp_path: Path) -> Path:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), shown[0])
    return path


def true_planes(shown: tuple[np.ndarray, TableFile]) -> dict[str, Plane]:
    frame, table = shown
    view = view_of(frame, table)
    return {NAMES[board.player]: plane_of(view, board) for board in table.boards}


def plane_of(view: TableView, board: BoardPlan) -> Plane:
    """Returns the plane of a visible *board*."""
    plane = view.plane_of(board)
    assert plane is not None
    return plane


def table_plane(view: TableView) -> Plane:
    """Returns the plane of a visible table."""
    assert view.table is not None
    return view.table


def off(found: Plane, truth: Plane) -> float:
    """Returns the px by which the worst space of *found* is off; a board upside down is far off."""
    return float(np.hypot(*(found.to_frame(hexgrid()) - truth.to_frame(hexgrid())).T).max())


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["calibrate", "table", *map(str, words)])


def test_each_duchy_is_found_and_named_the_right_way_up(shown: tuple[np.ndarray, TableFile]) -> None:
    duchies, _ = locate_boards(shown[0], BOARDS)
    truth = true_planes(shown)
    assert {duchy.printed_id for duchy in duchies} == set(truth)
    assert max(off(duchy.plane, truth[str(duchy.printed_id)]) for duchy in duchies) < NEAR_PX


def test_a_board_that_was_placed_roughly_is_placed_by_its_spaces(shown: tuple[np.ndarray, TableFile]) -> None:
    truth = true_planes(shown)["se-1"]
    pitch = float(np.hypot(*np.diff(truth.to_frame(hexgrid()[:2]), axis=0)[0]))
    rough = Plane(truth.homography @ np.array([[1, 0.02, 0.1], [-0.02, 1, -0.12], [0, 0, 1]]), truth.lens)
    assert off(rough, truth) > 0.15 * pitch
    assert off(refined(shown[0], rough), truth) < 0.05 * pitch


def test_without_boards_nothing_is_moved(shown: tuple[np.ndarray, TableFile]) -> None:
    truth = true_planes(shown)["se-1"]
    blank = np.full_like(shown[0], 120)
    assert np.array_equal(refined(blank, truth).homography, truth.homography)


def test_a_picture_without_boards_has_none() -> None:
    rng = np.random.default_rng(1)
    bare = np.clip(rng.normal(120, 12, (600, 900, 3)), 0, 255).astype(np.uint8)
    assert locate_boards(cv2.GaussianBlur(bare, (0, 0), 2), BOARDS)[0] == []


def test_the_saved_table_file_contains_the_boards_positions(
    shown: tuple[np.ndarray, TableFile], picture: Path, tmp_path: Path
) -> None:
    path = tmp_path / "table.json"
    result = run(path, "--camera", picture, "--no-page")
    assert result.exit_code == 0, result.output
    table = load(path)
    view = view_of(shown[0], table)
    truth = true_planes(shown)
    assert max(off(plane_of(view, board), truth[str(board.printed_id)]) for board in table.boards) < NEAR_PX
    assert table.markers is not None


def test_boards_belong_to_the_players_that_are_named(picture: Path, tmp_path: Path) -> None:
    run(tmp_path / "table.json", "--camera", picture, "--no-page", "--players", "yellow,green,red")
    boards = load(tmp_path / "table.json").boards
    assert [board.player for board in boards] == ["yellow", "green", "red"]


def test_a_colour_that_no_player_has_is_refused(picture: Path, tmp_path: Path) -> None:
    result = run(tmp_path / "table.json", "--camera", picture, "--no-page", "--players", "pink")
    assert result.exit_code == 2
    assert "'pink' is not a player's colour; choose among red, blue" in result.output


@pytest.mark.slow
def test_the_lens_that_is_known_is_saved(picture: Path, tmp_path: Path) -> None:
    camera = {"matrix": [[2000, 0, 1152], [0, 2000, 648], [0, 0, 1]], "distortion": [0, 0, 0, 0, 0]}
    path = tmp_path / "table.json"
    path.write_text(json.dumps({"image_size": [2304, 1296], "camera": camera, "dice_areas": []}))
    assert run(path, "--camera", picture, "--no-page").exit_code == 0
    lens = load(path).camera
    assert lens is not None and lens.matrix[0] == (2000, 0, 1152)


def test_a_table_file_of_another_camera_is_not_changed(picture: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps({"image_size": [640, 480]}))
    result = run(path, "--camera", picture, "--no-page")
    assert result.exit_code == 1
    assert "is for pictures of [640, 480] px but this camera gives [2304, 1296]" in result.output
    assert json.loads(path.read_text()) == {"image_size": [640, 480]}


def test_nothing_is_saved_when_nothing_is_found(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "bare.png"), np.full((480, 640, 3), 90, np.uint8))
    result = run(tmp_path / "table.json", "--camera", tmp_path / "bare.png", "--no-page")
    assert result.exit_code == 1
    assert "no duchy was found, so nothing was saved" in result.output
    assert not (tmp_path / "table.json").exists()


# --- the page -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found(shown: tuple[np.ndarray, TableFile], tmp_path_factory: pytest.TempPathFactory) -> TableCalibration:
    """Returns what is found in the picture; shared by the tests, as that takes seconds."""
    return TableCalibration(tmp_path_factory.mktemp("found") / "table.json", shown[0], TABLE.players, TABLE)


def own_copy(calibration: TableCalibration, folder: Path) -> TableCalibration:
    """Returns the same calibration, saved in another folder."""
    own = copy(calibration)
    own.path, own.saved = folder / "table.json", threading.Event()
    own.layout, own._detected, own._document = deepcopy(
        (calibration.layout, calibration._detected, calibration._document)
    )
    return own


@pytest.fixture
def calibration(found: TableCalibration, tmp_path: Path) -> TableCalibration:
    return own_copy(found, tmp_path)


def client_of(calibration: TableCalibration) -> Any:
    app = create_calibration_app(
        b"jpeg",
        calibration.layout,
        TABLE,
        save=calibration.save,
    )
    app.testing = True
    return app.test_client()


def token_of(client: Any) -> str:
    page = client.get("/").get_data(as_text=True)
    return str(page.split('data-token="')[1].split('"')[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_complete_in_each_language(calibration: TableCalibration, language: str) -> None:
    answer = client_of(calibration).get(f"/?lang={language}")
    assert answer.status_code == 200
    assert f'<html lang="{language}">' in answer.get_data(as_text=True)


def test_a_corner_that_was_dragged_is_saved(calibration: TableCalibration) -> None:
    client, layout = client_of(calibration), json.loads(json.dumps(calibration.layout))
    layout["boards"][0]["anchors"][0][0] -= 30
    answer = client.post("/layout", json=layout, headers={"X-Token": token_of(client)})
    assert answer.status_code == 200
    assert calibration.saved.is_set()
    table = load(calibration.path)
    corner = plane_of(view_of(calibration.frame, table), table.boards[0]).to_frame(hexgrid()[:1])[0]
    assert np.allclose(corner, layout["boards"][0]["anchors"][0], atol=1.0)


@pytest.mark.parametrize(
    ("language", "full", "in_line"),
    [
        ("en", "the disk is full", "corners of a board are on one line"),
        ("fr", "le disque est plein", "des coins d’un plateau sont alignés"),
    ],
)
def test_what_cannot_be_saved_is_explained_in_the_language_of_the_page(
    calibration: TableCalibration, monkeypatch: pytest.MonkeyPatch, language: str, full: str, in_line: str
) -> None:
    def no_room(*about: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def error_of(layout: Any) -> str:
        answer = client.post(f"/layout?lang={language}", json=layout, headers={"X-Token": token})
        assert answer.status_code == 422 and not calibration.saved.is_set()
        return str(answer.get_json()["error"])

    client, layout = client_of(calibration), json.loads(json.dumps(calibration.layout))
    token = token_of(client)
    with monkeypatch.context() as on_a_full_disk:
        on_a_full_disk.setattr("calibration.atomic_file.os.fsync", no_room)
        assert full in error_of(layout)
    layout["boards"][0]["anchors"] = [[100.0 * i, 100.0 * i] for i in range(1, 5)]
    assert in_line in error_of(layout)


def test_without_markers_the_boards_are_stored_in_px(calibration: TableCalibration) -> None:
    calibration._detected.markers.clear()
    calibration.save(calibration.layout)
    table = load(calibration.path)
    assert table.markers is None
    planes = [board_plane(board.anchors) for board in table.boards if board.anchors]
    assert len(planes) == len(table.boards)
    expected = [board_plane(board["anchors"]) for board in calibration.layout["boards"]]
    assert max(off(*pair) for pair in zip(planes, expected, strict=True)) < 0.01


def test_depots_are_saved_at_their_positions_without_markers(calibration: TableCalibration) -> None:
    calibration._detected.markers.clear()
    points = [[1000.0, 600.0], [1040.0, 600.0]]
    calibration.save({**calibration.layout, "places": [{"name": "depot:1", "points": points}]})
    table = load(calibration.path)
    seen = table_plane(view_of(calibration.frame, table)).to_frame(np.array(table.places[0].centres_mm))
    assert np.allclose(seen, points, atol=0.1)


def turned_picture(frame: np.ndarray, degrees: float) -> np.ndarray:
    height, width = frame.shape[:2]
    spin = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 0.8)
    return cv2.warpAffine(frame, spin, (width, height), borderMode=cv2.BORDER_REPLICATE)


def test_depots_have_the_rotation_of_their_spaces(
    shown: tuple[np.ndarray, TableFile], tmp_path: Path
) -> None:
    markerless = TableCalibration(
        tmp_path / "table.json", turned_picture(shown[0], -20), TABLE.players, TABLE
    )
    markerless._detected.markers.clear()
    markerless.save(markerless.layout)
    turns = [group.turn_deg for group in load(markerless.path).places]
    assert len(turns) > 5
    assert np.allclose((np.array(turns) - 20 + 30) % 60 - 30, 0, atol=3)


def test_squares_have_the_rotation_of_their_row(calibration: TableCalibration) -> None:
    calibration._detected.markers.clear()
    points = [[1000.0, 600.0], [1050.0, 630.0], [1100.0, 660.0]]
    layout = {**calibration.layout, "places": [{"name": "goods:red", "points": points}], "goods_width": 0.5}
    calibration.save(layout)
    (goods,) = load(calibration.path).places
    assert goods.shape == "square"
    assert goods.size_mm == pytest.approx(14, abs=0.5)
    assert goods.turn_deg == pytest.approx(np.degrees(np.arctan2(30, 50)), abs=2)


GOODS: dict[str, Any] = {"name": "goods:red", "points": [[1000.0, 600.0], [1050.0, 630.0]]}
INVENTORY: dict[str, Any] = {"name": "inventory", "points": [[1300.0 + 60 * i, 500.0] for i in range(7)]}
DICE_AREA: dict[str, Any] = {
    "owner": "blue",
    "corners": [[100.0, 100.0], [300.0, 100.0], [300.0, 250.0], [100.0, 250.0]],
}
DICE_ANYWHERE: dict[str, Any] = {"owner": None, "corners": [[400.0, 100.0], [600.0, 100.0], [600.0, 250.0]]}
COUNTY_CARD = [[1400.0, 600.0], [1550.0, 605.0], [1545.0, 850.0], [1395.0, 845.0]]


@pytest.fixture(scope="module")
def again(
    found: TableCalibration, shown: tuple[np.ndarray, TableFile], tmp_path_factory: pytest.TempPathFactory
) -> TableCalibration:
    """Returns the next calibration of a table with all manual areas and an unknown duchy of red."""
    first = own_copy(found, tmp_path_factory.mktemp("again"))
    first.save(
        {
            **first.layout,
            "places": [GOODS, INVENTORY],
            "goods_width": 0.55,
            "dice": [DICE_AREA, DICE_ANYWHERE],
            "cards": [{"name": "right", "corners": COUNTY_CARD}],
        }
    )
    document = json.loads(first.path.read_text())
    document["boards"][0]["duchy"] = {"spaces": [list(space) for space in spaces_of_first_board(first)]}
    first.path.write_text(json.dumps(document))
    return TableCalibration(first.path, shown[0], TABLE.players, TABLE)


def spaces_of_first_board(calibration: TableCalibration) -> tuple[Any, ...]:
    return load(calibration.path).boards[0].spaces or ()


def test_manual_areas_are_restored_at_the_next_calibration(again: TableCalibration) -> None:
    (goods,) = [group for group in again.layout["places"] if group["name"] == "goods:red"]
    assert np.allclose(goods["points"], GOODS["points"], atol=0.5)
    assert again.layout["goods_width"] == pytest.approx(0.55, abs=0.01)
    assert [one["owner"] for one in again.layout["dice"]] == [None, "blue"]
    assert np.allclose(again.layout["dice"][1]["corners"], DICE_AREA["corners"], atol=0.5)


def test_the_chateaumas_places_are_there_at_the_next_calibration(again: TableCalibration) -> None:
    (inventory,) = [group for group in again.layout["places"] if group["name"] == "inventory"]
    assert np.allclose(inventory["points"], INVENTORY["points"], atol=0.5)
    (card,) = again.layout["cards"]
    assert card["name"] == "right" and np.allclose(card["corners"], COUNTY_CARD, atol=0.5)


# --- the places of expansions ---------------------------------------------------------------------------------

ROUTE: dict[str, Any] = {"name": "route:red", "points": [[300.0 + 25 * i, 900.0] for i in range(9)]}
SHIELDS: dict[str, Any] = {"name": "shields:3", "points": [[900.0, 500.0], [960.0, 500.0]]}
INNS: dict[str, Any] = {"name": "inns", "points": [[1000.0, 400.0]]}


@pytest.fixture(scope="module")
def with_expansions(found: TableCalibration, tmp_path_factory: pytest.TempPathFactory) -> TableCalibration:
    """Returns a saved calibration with places of expansions."""
    own = own_copy(found, tmp_path_factory.mktemp("expansions"))
    own.game = TABLE.with_modules(["inns", "shields", "trade_routes"])
    own._detected = replace(own._detected, game=own.game)
    own.save({**own.layout, "places": [GOODS, ROUTE, SHIELDS, INNS]})
    return own


def test_places_of_expansions_are_saved_with_their_shape_and_size(with_expansions: TableCalibration) -> None:
    places = {group.name: group for group in load(with_expansions.path).places}
    pitch = places["inns"].size_mm
    assert [places[name].shape for name in ("inns", "shields:3", "route:red")] == ["hex", "shield", "square"]
    assert places["shields:3"].size_mm == pytest.approx(pitch * BOARDS.tokens["shield"].width, abs=0.02)
    assert places["route:red"].size_mm == places["goods:red"].size_mm
    assert len(places["route:red"].centres_mm) == 9


def test_places_of_expansions_are_there_at_the_next_calibration_without_naming_them(
    with_expansions: TableCalibration, shown: tuple[np.ndarray, TableFile]
) -> None:
    again = TableCalibration(with_expansions.path, shown[0], TABLE.players, TABLE)
    points = {group["name"]: group["points"] for group in again.layout["places"]}
    for group in (ROUTE, SHIELDS, INNS):
        assert np.allclose(points[group["name"]], group["points"], atol=0.5)
    assert {"inns", "shields:6", "route:blue"} <= again.game.groups.keys()


def test_places_of_expansions_are_offered_with_these_only() -> None:
    assert not {"inns", "shields:1", "route:red"} & TABLE.groups.keys()
    assert "inns" in TABLE.with_modules(["inns"]).groups
    assert TABLE.with_groups(["depot:1"]).groups == TABLE.groups
    assert "shields:1" in TABLE.with_groups(["shields:4"]).groups


def test_a_route_of_a_player_without_a_board_is_rejected(with_expansions: TableCalibration) -> None:
    layout = {**with_expansions.layout, "places": [{**ROUTE, "name": "route:yellow"}]}
    with pytest.raises(LayoutError, match="nobodys_place"):
        validated_layout(layout, with_expansions.game)


def test_the_pieces_of_a_module_are_learnt_when_it_is_played() -> None:
    for name, module in burgundy().modules.items():
        played = TABLE.with_modules([name])
        assert {*played.tiles, *played.tokens} == {*TABLE.tiles, *module.labels}
        assert all(label.partition("/")[0] in BOARDS.tokens for label in played.tokens)


def test_a_county_cards_corners_are_saved_from_its_top_left(calibration: TableCalibration) -> None:
    turned = [*COUNTY_CARD[2:], *COUNTY_CARD[:2]]
    calibration.save({**calibration.layout, "cards": [{"name": "left", "corners": turned}]})
    table = load(calibration.path)
    seen = table_plane(view_of(calibration.frame, table)).to_frame(np.array(table.card_areas_mm["left"]))
    assert np.allclose(seen, turned, atol=0.5)


def test_two_areas_of_one_county_card_are_refused_with_a_sentence(calibration: TableCalibration) -> None:
    client = client_of(calibration)
    area = {"name": "left", "corners": COUNTY_CARD}
    layout = {**calibration.layout, "cards": [area, area]}
    answer = client.post("/layout", json=layout, headers={"X-Token": token_of(client)})
    assert answer.status_code == 400
    assert "a county card has two areas. Remove one of them" in answer.get_json()["error"]


def test_a_county_cards_corners_that_cross_are_refused_with_a_sentence(calibration: TableCalibration) -> None:
    client = client_of(calibration)
    layout = {**calibration.layout, "cards": [{"name": "left", "corners": COUNTY_CARD[::-1]}]}
    answer = client.post("/layout", json=layout, headers={"X-Token": token_of(client)})
    assert answer.status_code == 422
    assert "card_areas_mm.left: should be four points in clockwise order" in answer.get_json()["error"]


def with_card(frame: np.ndarray, left: int, top: int, px: float) -> np.ndarray:
    """Returns the picture with an upright white card, *px* to the mm, its marker's top left at the given point."""
    frame, cell = frame.copy(), px * CARD_SIDE / MARKER_BITS
    edge = round(cell)
    quiet = (slice(top - edge, top + round(32 * px)), slice(left - edge, left + round(90 * px)))
    frame[quiet] = 200
    cells = np.where(marker_cells(CARD_ID), 30, 200).astype(np.uint8)
    side = round(CARD_SIDE * px)
    marker = cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST)
    frame[top : top + side, left : left + side] = marker[..., None]
    x, y, width, height = (round(length * px) for length in WHITE)
    frame[top + y : top + y + height, left + x : left + x + width] = (210, 225, 235)
    return frame


def test_the_white_card_on_the_table_is_saved_as_the_white_area(
    shown: tuple[np.ndarray, TableFile], tmp_path: Path
) -> None:
    frame = with_card(shown[0], 1000, 60, 2.5)
    calibration = TableCalibration(tmp_path / "table.json", frame, TABLE.players, TABLE)
    calibration.save(calibration.layout)
    table = load(calibration.path)
    assert white_in(frame, table, view_of(frame, table)) == (210, 225, 235)


def test_two_areas_of_one_players_dice_are_refused_with_a_sentence(calibration: TableCalibration) -> None:
    client = client_of(calibration)
    area: dict[str, Any] = {"owner": "blue", "corners": [[100, 100], [300, 100], [300, 250]]}
    layout = {**calibration.layout, "dice": [area, area]}
    answer = client.post("/layout", json=layout, headers={"X-Token": token_of(client)})
    assert answer.status_code == 400
    assert "Blue has two areas for dice. Give one of them to all dice" in answer.get_json()["error"]


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "Red: se-7, 37 of 37 spaces found."), ("fr", "Rouge : se-7, 37 cases trouvées sur 37.")],
)
def test_the_summary_is_in_the_players_language(
    found: TableCalibration,
    picture: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    expected: str,
) -> None:
    """What is found in the picture is known already: only the sentence is of interest."""
    monkeypatch.setattr("companion.calibrate.table.TableCalibration", lambda *_: own_copy(found, tmp_path))
    result = run(tmp_path / "kept.json", "--camera", picture, "--no-page", "--language", language)
    assert expected in result.output.replace("\N{NO-BREAK SPACE}", " ")


def test_duchies_found_of_two_editions_are_refused_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, picture: Path, found: TableCalibration, tmp_path: Path
) -> None:
    again = own_copy(found, tmp_path)
    for board, duchy in zip(again.layout["boards"], ("2011-1", "se-1"), strict=False):
        board["printed"] = duchy
    monkeypatch.setattr("companion.calibrate.table.TableCalibration", lambda *_: again)
    result = run(tmp_path / "kept.json", "--camera", picture, "--no-page")
    assert result.exit_code == 1 and "belong to different editions" in result.output
    assert not again.path.exists()


@pytest.mark.parametrize("content", ["[]", "3", '"red"'])
def test_a_file_that_is_no_table_file_is_not_changed(picture: Path, tmp_path: Path, content: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(content)
    result = run(path, "--camera", picture, "--no-page")
    assert result.exit_code == 1
    assert "table.json" in result.output
    assert path.read_text() == content


def test_a_table_without_boards_is_refused_with_a_sentence(calibration: TableCalibration) -> None:
    client = client_of(calibration)
    layout = {**calibration.layout, "boards": []}
    answer = client.post("/layout", json=layout, headers={"X-Token": token_of(client)})
    assert (answer.status_code, answer.get_json()["error"]) == (
        400,
        "a table needs at least one duchy: add one",
    )
    assert not calibration.path.exists()


def test_two_boards_of_one_player_are_refused_with_a_sentence(calibration: TableCalibration) -> None:
    client, layout = client_of(calibration), json.loads(json.dumps(calibration.layout))
    layout["boards"][1]["player"] = layout["boards"][0]["player"]
    answer = client.post("/layout", json=layout, headers={"X-Token": token_of(client)})
    assert answer.status_code == 400
    assert "Red has two boards" in answer.get_json()["error"]


def refused(calibration: TableCalibration, language: str = "en", **parts: Any) -> str:
    """Returns the error for a layout with other *parts*, of which nothing is saved."""
    client, layout = client_of(calibration), {**deepcopy(calibration.layout), **parts}
    answer = client.post(f"/layout?lang={language}", json=layout, headers={"X-Token": token_of(client)})
    assert answer.status_code == 400 and not calibration.path.exists()
    return str(answer.get_json()["error"])


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "which duchy does Blue play?"), ("fr", "quel duché joue Bleu")],
)
def test_a_duchy_without_a_name_is_asked_for_before_anything_is_saved(
    calibration: TableCalibration, language: str, expected: str
) -> None:
    boards = [
        {**board, "printed": board["player"] != "blue" and "se-1"} for board in calibration.layout["boards"]
    ]
    assert expected in refused(calibration, language, boards=boards)


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "the duchies of Blue and Red belong to"), ("fr", "les duchés de Rouge et Bleu appartiennent")],
)
def test_duchies_of_two_editions_are_refused_as_no_game_has_both(
    calibration: TableCalibration, language: str, expected: str
) -> None:
    duchies = ("2011-1", "se-1") if language == "en" else ("se-1", "2011-2")
    boards = [
        {**board, "printed": duchy}
        for board, duchy in zip(calibration.layout["boards"][:2], duchies, strict=True)
    ]
    assert expected in refused(calibration, language, boards=boards)


def test_a_storage_without_its_players_board_is_rejected(
    calibration: TableCalibration,
) -> None:
    places = [{"name": "storage:yellow", "points": [[400, 300]]}]
    assert "there is a storage of Yellow, but no board" in refused(calibration, places=places)


def test_places_that_are_there_twice_are_refused_by_their_name(calibration: TableCalibration) -> None:
    places = [{"name": "storage:red", "points": [[x, 300]]} for x in (400, 500)]
    assert "Red's storage is there twice" in refused(calibration, places=places)


def test_a_duchy_that_is_not_known_is_saved_as_ones_own_and_reported_as_unread(
    calibration: TableCalibration,
) -> None:
    calibration.layout["boards"][0]["printed"] = None
    assert calibration.save_as_found() == ["red"]
    assert load(calibration.path).boards[0].spaces is None


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a picture of a known duchy and of a board with other types and dice than any."""
    rng = np.random.default_rng(2)
    types = rng.permutation([tile_type for tile_type, _ in DUCHIES["se-1"].spaces]).tolist()
    unknown = tuple((tile_type, int(rng.integers(1, 7))) for tile_type in types)
    layout = standard_layout(("red", "blue"), {"red": DUCHIES["se-7"].spaces, "blue": unknown})
    path = tmp_path_factory.mktemp("odd") / "odd.png"
    with VirtualTable(layout, seed=5) as table:
        table.show(Scene())
        cv2.imwrite(str(path), table.read())
    return path


@pytest.mark.parametrize(
    ("language", "question"), [("en", "not a duchy I know (is it one?)"), ("fr", "en est-ce un\u00a0?")]
)
def test_a_board_that_agrees_with_nothing_printed_is_asked_about_and_not_saved(
    odd: Path, tmp_path: Path, language: str, question: str
) -> None:
    result = run(tmp_path / "t.json", "--camera", odd, "--no-page", "--language", language)
    assert result.exit_code == 0, result.output
    assert result.output.count(question) == 1
    assert [board.printed_id for board in load(tmp_path / "t.json").boards] == ["se-7"]


def test_nothing_is_saved_when_only_a_doubtful_board_is_found(odd: Path, tmp_path: Path) -> None:
    picture = cv2.imread(str(odd))
    assert picture is not None
    (known, doubtful), _ = locate_boards(picture, BOARDS)
    if known.is_doubtful:
        known, doubtful = doubtful, known
    cv2.circle(picture, known.plane.to_frame(np.zeros((1, 2)))[0].astype(int).tolist(), 330, (90, 90, 90), -1)
    cv2.imwrite(str(tmp_path / "one.png"), picture)
    result = run(tmp_path / "t.json", "--camera", tmp_path / "one.png", "--no-page")
    assert result.exit_code == 1 and "no duchy I know was found" in result.output
    assert not (tmp_path / "t.json").exists()


def test_a_board_that_was_saved_as_ones_own_is_not_doubted_again(odd: Path, tmp_path: Path) -> None:
    frame = load_image(odd)
    first = TableCalibration(tmp_path / "t.json", frame, TABLE.players, TABLE)
    assert sorted(board["doubtful"] for board in first.layout["boards"]) == [False, True]
    first.save(
        {
            **first.layout,
            "boards": [{**b, "printed": b["printed"] or OWN_BOARD} for b in first.layout["boards"]],
        }
    )
    again = TableCalibration(tmp_path / "t.json", frame, TABLE.players, TABLE)
    assert not any(board["doubtful"] for board in again.layout["boards"])


def test_pictures_are_read_without_a_doubtful_board(odd: Path) -> None:
    result = CliRunner().invoke(main, ["read", "boards", str(odd)])
    assert result.exit_code == 0
    assert "red: se-7, 0 tiles" in result.output and "blue" not in result.output
    assert "there is a board that is not a duchy I know: is it one?" in result.output


def test_the_spaces_of_ones_own_duchy_that_were_read_are_there_at_the_next_calibration(
    again: TableCalibration, tmp_path: Path
) -> None:
    spaces = spaces_of_first_board(again)
    once_more = own_copy(again, tmp_path)
    once_more.layout["boards"][0]["printed"] = OWN_BOARD
    assert once_more.save(once_more.layout) == []
    assert load(once_more.path).boards[0].printed_id is None
    assert spaces and spaces_of_first_board(once_more) == spaces


def test_another_page_cannot_save_a_table(calibration: TableCalibration) -> None:
    answer = client_of(calibration).post("/layout", json=calibration.layout)
    assert answer.status_code == 403
    assert not calibration.path.exists()


@pytest.mark.parametrize("body", ["null", "[]", "{}", '{"boards": 3}', '{"boards": [{}], "places": []}'])
def test_an_invalid_layout_is_rejected(calibration: TableCalibration, body: str) -> None:
    client = client_of(calibration)
    headers = {"X-Token": token_of(client), "Content-Type": "application/json"}
    assert client.post("/layout", data=body, headers=headers).status_code == 400
    assert not calibration.path.exists()


# --- pictures of other printings ------------------------------------------------------------------------------


@pytest.mark.skipif(not RENDERED.is_dir(), reason="the shared pictures are not here")
def test_duchies_of_other_printings_are_found_on_any_table() -> None:
    found = boards = 0
    for path, truth in list(labelled_tables(RENDERED))[::3]:
        duchies, _ = locate_boards(load_image(path), BOARDS)
        for board in truth["boards"]:
            centres = np.array([space["centre"] for space in board["hexes"]])
            boards += 1
            found += any(
                np.hypot(*(d.plane.to_frame(np.zeros((1, 2))) - centres[18]).T)[0] < 10 * truth["px_per_mm"]
                for d in duchies
            )
    assert found >= 0.97 * boards
