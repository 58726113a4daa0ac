"""Files that people write, or that a card has damaged: whatever they hold, they are used or refused in one sentence."""

from __future__ import annotations

import copy
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from calibration.games.burgundy.facts import FactsError, load_facts
from calibration.table_file import TableFile, TableFileError, load, parse
from companion.archive import Archive
from companion.games.burgundy.owner_print import OwnersPrint, PrintFileError
from companion.games.burgundy.plugin import chateauma_module
from companion.storage.picture_store import EvidencePicture, PictureStore
from companion.storage.settings import Settings, SettingsError
from hardware.panel import PanelConfigError, load_config
from tests.support.paths import CHECKOUT
from tests.support.sightings import new_session
from vision.accuracy.dice import load_labels
from vision.accuracy.truth import TruthError, load_truth
from vision.geometry import hexgrid
from vision.view import view_of

SQUARE = [[0, 0], [400, 0], [400, 400], [0, 400]]
TABLE: dict[str, Any] = {
    "image_size": [640, 480],
    "camera": {"matrix": [[600, 0, 320], [0, 600, 240], [0, 0, 1]], "distortion": [-0.3, 0.1, 0, 0, 0]},
    "camera_settings": {"kind": "pi", "mains_hz": 50, "exposure_us": 20000, "colour_gains": [1.9, 1.6]},
    "plane": {"pixels": [[20, 10], [600, 20], [620, 470], [15, 460]], "mm": SQUARE},
    "boards": [
        {"player": "red", "duchy": "se-3", "anchors": [[100, 20], [240, 20], [240, 180], [100, 180]]},
        {"player": "blue", "anchors_mm": [[100, 100], [200, 100], [200, 300], [100, 300]]},
    ],
    "places": [
        {
            "name": "depot:1",
            "shape": "hex",
            "size_mm": 28.27,
            "centres_mm": [[10, 20], [40, 20]],
            "turn_deg": 30,
        }
    ],
    "dice_areas": [[[0, 0], [100, 0], [50, 80]]],
    "dice_areas_mm": {"white": SQUARE},
    "card_areas_mm": {"left": SQUARE},
    "dice_colours": {"red": [40, 30.5, 190]},
    "white_area_mm": SQUARE,
}
"""With a fixed plane, because an empty picture shows no markers."""
MARKERS = {"dictionary": "DICT_4X4_50", "corners_mm": {"0": SQUARE, "7": SQUARE}}
UNEXPECTED: list[Any] = [
    *(
        None,
        True,
        0,
        1,
        -1,
        0.5,
        1e-9,
        1e9,
        -1e9,
        1e308,
        5e-324,
        10**400,
        -(10**400),
        float("inf"),
        float("nan"),
    ),
    *("", "red", "a:b", "\x00", "red\n", "\ud800", "é" * 5000, "DICT_5X5_50", "white", "depot:1"),
    *([], {}, [[]], {"a": 1}, [1] * 2000, [[0, 0]] * 4, SQUARE, [[0, 0], [1e-9, 0], [1e-9, 1e-9], [0, 1e-9]]),
]
MAX_SENTENCE = 700


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yields the path of every value inside *value*."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, one in inside:
        yield from places_in(one, (*path, step))


def with_value_at(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Returns *document* with another value at *path*."""
    if not path:
        return value
    changed = copy.deepcopy(document)
    place = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return changed


def use(table: TableFile) -> None:
    """Computes the positions of everything in a picture, all of which must be finite."""
    width, height = (min(side, 640) for side in table.image_size)
    view = view_of(np.zeros((height, width, 3), np.uint8), table)
    duchies = (view.plane_of(board) for board in table.boards)
    seen = [duchy.to_frame(hexgrid()) for duchy in duchies if duchy is not None]
    if view.table is not None:
        areas = (*table.dice_areas_mm.values(), *table.card_areas_mm.values())
        seen += [view.table.to_frame(np.array(area)) for area in areas]
        seen += [view.table.to_frame(np.array(group.centres_mm)) for group in table.places]
    assert all(np.isfinite(points).all() for points in seen)


def used_or_refused(document: Any) -> None:
    try:
        table = parse(document, "table.json")
    except TableFileError as error:
        is_one_sentence(error)
    else:
        use(table)


def is_one_sentence(error: Exception) -> None:
    assert "\n" not in str(error) and len(str(error)) < MAX_SENTENCE
    str(error).encode()


VALUES = st.sampled_from(UNEXPECTED) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=4), inside, max_size=3),
    max_leaves=8,
)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from([*places_in(TABLE)]), VALUES)
@example(("image_size",), [1, 1])
@example(("image_size", 0), 10**400)
@example(("card_areas_mm", "left"), [[0, 0], [1e9, 0], [1e9, 1e9], [0, 1e9]])
@example(("camera", "distortion"), [1e6, -1e6, 1e6, 1e6, 1e6])
@example(("camera", "distortion", 0), -5.0)
@example(("camera", "matrix", 0, 0), 1e-6)
@example(("plane", "pixels"), [[0, 0], [1e-6, 0], [1e-6, 1e-6], [0, 1e-6]])
@example(("boards", 0, "anchors"), [[0, 0], [1e9, 0], [1e9, 1e9], [0, 1e9]])
def test_a_table_file_with_any_value_anywhere_is_used_or_refused(path: tuple[Any, ...], value: Any) -> None:
    used_or_refused(with_value_at(TABLE, path, value))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([*places_in(MARKERS)]), VALUES)
@example(("corners_mm",), {"9" * 5000: SQUARE})
@example(("corners_mm",), {"7": SQUARE, "07": SQUARE})
@example(("dictionary",), "DICT_9X9_50")
def test_markers_with_any_value_anywhere_are_used_or_refused(path: tuple[Any, ...], value: Any) -> None:
    document = {name: entry for name, entry in TABLE.items() if name != "plane"}
    used_or_refused({**document, "markers": with_value_at(MARKERS, path, value)})


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([*places_in(TABLE)]), st.text(min_size=1) | st.just("x" * 5000) | st.just("a\nb"))
def test_an_unknown_field_anywhere_is_named_in_one_sentence(path: tuple[Any, ...], name: str) -> None:
    place: Any = copy.deepcopy(TABLE)
    document = place
    for step in path:
        place = place[step]
    if isinstance(place, dict) and name not in place:
        place[name] = 1
    used_or_refused(document)


WRITTEN = json.dumps(TABLE)
TEXTS = [
    "[" * 100_000,
    '{"about":' * 100_000,
    '{"image_size": [' + "9" * 400 + ", 480]}",
    '{"image_size": [' + "9" * 5000 + ", 480]}",
    '{"image_size": [1e999, NaN]}',
    '{"about": "\\ud800", "image_size": [640, 480]}',
    '{"boards": [{"player": "\\ud800"}], "image_size": [640, 480]}',
    "",
    "null",
    "\x00",
]
"""What a file of JSON can be that no value is."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@st.composite
def damaged(draw: st.DrawFn, text: str) -> bytes:
    """Returns *text* with a part of it taken out, and other bytes put in there."""
    written = text.encode()
    begin = draw(st.integers(0, len(written)))
    end = draw(st.integers(begin, min(len(written), begin + 40)))
    return written[:begin] + draw(st.binary(max_size=12)) + written[end:]


def documents(text: str) -> st.SearchStrategy[bytes]:
    return st.sampled_from([one.encode() for one in TEXTS]) | damaged(text) | st.binary(max_size=40)


SLOW_FOLDER = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@SLOW_FOLDER
@given(documents(WRITTEN))
def test_a_damaged_table_file_is_used_or_refused(folder: Path, text: bytes) -> None:
    (folder / "table.json").write_bytes(text)
    try:
        table = load(folder / "table.json")
    except TableFileError as error:
        is_one_sentence(error)
    else:
        use(table)


@SLOW_FOLDER
@given(documents('{"backup": "/media/stick", "picture_days": 90}'))
def test_damaged_settings_are_used_or_refused(folder: Path, text: bytes) -> None:
    (folder / "settings.json").write_bytes(text)
    try:
        Settings.load(folder / "settings.json")
    except SettingsError as error:
        is_one_sentence(error)


@SLOW_FOLDER
@given(
    documents(
        '{"cards": {"8": [null, null, "livestock", {"colour": "mine", "sell_goods": true}]}, "inventory_order":'
        ' ["mine"], "marks": {"A": {"green": [1, 2]}}}'
    )
)
def test_a_damaged_print_file_is_used_or_rejected(folder: Path, text: bytes) -> None:
    (folder / "print.json").write_bytes(text)
    try:
        OwnersPrint(folder / "print.json", chateauma_module().print_of("special"))
    except PrintFileError as error:
        is_one_sentence(error)


PANEL = (CHECKOUT / "hardware/panel.toml").read_text(encoding="utf-8")


@SLOW_FOLDER
@given(
    st.sampled_from(
        [
            b"a = " + b"[" * 100_000,
            b"debounce_ms = 0x" + b"f" * 20_000,
            b"hold_ms = " + b"9" * 400,
            b"a = nan",
        ]
    )
    | damaged(PANEL)
)
def test_a_damaged_panel_file_is_used_or_refused(folder: Path, text: bytes) -> None:
    (folder / "panel.toml").write_bytes(text)
    try:
        load_config(folder / "panel.toml")
    except PanelConfigError as error:
        is_one_sentence(error)


def test_damaged_facts_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "main_board.json").write_text("[" * 100_000)
    with pytest.raises(FactsError, match=r"main_board\.json.*nested too deeply; repair it"):
        load_facts(tmp_path)


@pytest.mark.parametrize("name", ["labels.json", "die.truth.json"])
@pytest.mark.parametrize("text", TEXTS)
def test_a_damaged_truth_beside_pictures_is_refused_or_holds_nothing(
    tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(TruthError):
        load_labels(tmp_path / name) if name == "labels.json" else load_truth(tmp_path / "die.png")


def test_a_damaged_index_of_the_games_is_recreated(tmp_path: Path) -> None:
    new_session(tmp_path / "game.journal").journal.close()
    with closing(Archive(tmp_path)) as archive:
        (before,) = archive.games()
    with closing(sqlite3.connect(tmp_path / "archive.sqlite")) as index:
        index.execute("UPDATE game SET record = ?", ("[" * 100_000,))
        index.commit()
    with closing(Archive(tmp_path)) as archive:
        assert archive.games() == [before]


def test_damaged_proofs_of_a_unit_are_left_out(tmp_path: Path) -> None:
    picture_store = PictureStore(tmp_path / "album")
    picture_store.add(3, [EvidencePicture("depot:1:0", {"mine": 0.9}, None, b"jpeg")])
    picture_store.close()
    with closing(sqlite3.connect(tmp_path / "album")) as db:
        db.execute("UPDATE proof SET read = ?", ("[" * 100_000,))
        db.commit()
    with closing(PictureStore(tmp_path / "album")) as picture_store:
        assert picture_store.for_entry(3) == [] and picture_store.trouble is not None


@pytest.mark.parametrize("kind", ["pipe", "folder", "large"])
def test_a_file_that_is_no_text_is_not_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "table.json"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(4_000_000_000)
    with pytest.raises(TableFileError, match="is too large" if kind == "large" else "is not a file"):
        load(path)


def test_a_file_from_an_editor_that_marks_its_byte_order_is_read(tmp_path: Path) -> None:
    (tmp_path / "table.json").write_bytes(b"\xef\xbb\xbf" + WRITTEN.encode())
    assert load(tmp_path / "table.json") == parse(TABLE, "t")


def test_a_number_that_is_too_long_is_reported_without_advice_for_programmers(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"picture_days": ' + "9" * 5000 + "}")
    with pytest.raises(SettingsError, match="a number has too many digits"):
        Settings.load(tmp_path / "settings.json")
    (tmp_path / "panel.toml").write_text("hold_ms = " + "9" * 5000)
    with pytest.raises(PanelConfigError, match="a number has too many digits"):
        load_config(tmp_path / "panel.toml")
