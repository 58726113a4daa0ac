"""``companion calibrate tiles``: the owner's tiles are learnt a few at a time, and distinguished afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.games.burgundy.facts import load_facts
from calibration.table_file import TableFile, parse
from companion.calibrate.tiles import (
    BATCH,
    EXAMPLES_PER_KIND,
    TileCountError,
    TileEnrolment,
)
from companion.cli.calibrate_tiles import instructions
from companion.cli.main import main
from companion.games.burgundy.rules.tiles import IN_ORDER
from companion.text.translator import Translator
from hardware.scene import Scene
from hardware.virtual_table import TableLayout, VirtualTable
from hardware.virtual_table.games.burgundy import sample_with_expansions, standard_layout
from hardware.virtual_table.layout import PlaceGroup
from hardware.virtual_table.sprites import HEX_MM
from tests.support.other_games import more_games
from vision.gallery import BARE, Gallery
from vision.reader import TableReader

GOODS = tuple(f"goods/{kind}" for kind in range(1, 7))
EVERYTHING = (*IN_ORDER, *GOODS)
SPOTS = tuple((800.0 + 60 * (i % 4), 380.0 + 60 * (i // 4)) for i in range(BATCH))
"""Beside the boards, mm."""


class Tables:
    """Virtual tables on which tiles are laid beside the boards: one for each number of them, as printing takes long."""

    def __init__(self, layout: TableLayout) -> None:
        self._layout = layout
        self._tables: dict[int, VirtualTable] = {}
        self.document = self._with_loose(0).table_file()
        self.plan = parse(self.document, "t")

    def _with_loose(self, count: int) -> VirtualTable:
        if count not in self._tables:
            loose = PlaceGroup("loose", "hex", HEX_MM, SPOTS[:count], ("paper/hex",) * count)
            groups = (*self._layout.groups, *([loose] if count else []))
            self._tables[count] = VirtualTable(replace(self._layout, groups=groups), seed=5)
        return self._tables[count]

    def frame(self, labels: tuple[str, ...] = (), goods: tuple[str, ...] = ()) -> np.ndarray:
        """Returns a picture of the table with *labels* beside the boards, and *goods* on Red's squares."""
        table = self._with_loose(len(labels))
        places = {"loose": labels} if labels else {}
        table.show(Scene(places=places | ({"goods:red": goods} if goods else {})))
        return table.read()

    def picture(self, labels: tuple[str, ...], path: Path) -> Path:
        cv2.imwrite(str(path), self.frame(labels))
        return path

    def file(self, folder: Path) -> Path:
        path = folder / "table.json"
        path.write_text(json.dumps(self.document))
        return path

    def close(self) -> None:
        for table in self._tables.values():
            table.close()


@pytest.fixture(scope="module")
def table() -> Iterator[Tables]:
    duchies = load_facts().duchies
    tables = Tables(
        standard_layout(("red", "blue"), {"red": duchies["se-1"].spaces, "blue": duchies["se-7"].spaces})
    )
    yield tables
    tables.close()


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["calibrate", "tiles", *map(str, words)])


def test_every_tile_of_the_game_is_asked_for_equally_often(
    table: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enrolment = TileEnrolment(EVERYTHING, tmp_path / "g.npz", table.plan)
    asked: list[str] = []
    counts = enrolment.gallery.counts()
    monkeypatch.setattr(enrolment.gallery, "counts", lambda: counts)  # only the order is of interest
    while batch := enrolment.next_batch():
        assert len(batch) <= BATCH
        assert len({label.startswith("goods/") for label in batch}) == 1
        asked += batch
        counts.update(batch)
    assert {label: asked.count(label) for label in EVERYTHING} == dict.fromkeys(EVERYTHING, EXAMPLES_PER_KIND)


def test_tiles_placed_in_rows_are_learnt_in_that_order(table: Tables, tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    table.picture((), pictures / "0.png")
    table.picture(IN_ORDER[:BATCH], pictures / "1.png")
    gallery = tmp_path / "gallery.npz"
    result = run(table.file(tmp_path), gallery, "--camera", pictures, "--yes")
    assert result.exit_code == 0, result.output
    assert f"Learnt {BATCH} of {EXAMPLES_PER_KIND * len(EVERYTHING)}" in result.output
    learnt = Gallery.load(gallery).counts()
    assert learnt == dict.fromkeys(IN_ORDER[:BATCH], 1) | {BARE["square"]: learnt[BARE["square"]]}


def test_enrolment_continues_where_it_was_stopped(table: Tables, tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    table.picture((), pictures / "0.png")
    gallery, file = tmp_path / "gallery.npz", table.file(tmp_path)
    for batch in (IN_ORDER[:BATCH], IN_ORDER[BATCH : 2 * BATCH]):
        table.picture(batch, pictures / "1.png")
        assert run(file, gallery, "--camera", pictures, "--yes").exit_code == 0
    assert set(Gallery.load(gallery).counts()) == {*IN_ORDER[: 2 * BATCH], BARE["square"]}


def test_a_missing_tile_is_reported_and_nothing_is_learnt(table: Tables, tmp_path: Path) -> None:
    enrolment = TileEnrolment(IN_ORDER, tmp_path / "gallery.npz", table.plan)
    enrolment.observe_empty_table(table.frame())
    batch = enrolment.next_batch()
    frame = table.frame(batch[:-1])
    with pytest.raises(TileCountError, match="7 tiles were found instead of 8"):
        enrolment.find_tiles(frame, batch)
    assert set(enrolment.gallery.labels) == {BARE["square"]}


def test_a_tile_of_another_type_is_asked_about(table: Tables, tmp_path: Path) -> None:
    enrolment = TileEnrolment(IN_ORDER, tmp_path / "gallery.npz", table.plan)
    enrolment.observe_empty_table(table.frame())
    batch = enrolment.next_batch()
    placed = (batch[2], *batch[1:])
    frame = table.frame(placed)
    assert batch[0].split("/")[0] != batch[2].split("/")[0]
    assert enrolment.find_tiles(frame, batch).doubts == (0,)


def bare_table(table: Tables, tmp_path: Path) -> TileEnrolment:
    """Goods alone are to be learnt, and the table has been looked at."""
    enrolment = TileEnrolment(GOODS, tmp_path / "gallery.npz", table.plan)
    enrolment.observe_empty_table(table.frame())
    return enrolment


def test_goods_are_learnt_on_their_squares_and_distinguished_from_empty_ones(
    table: Tables, tmp_path: Path
) -> None:
    enrolment = bare_table(table, tmp_path)
    assert enrolment.places_for(GOODS[:3]) == ("goods:red:0", "goods:red:1", "goods:red:2")
    for batch in (GOODS[:3], GOODS[3:]):
        frame = table.frame(goods=batch)
        enrolment.learn(enrolment.find_tiles(frame, batch), batch)
    frame = table.frame(goods=("goods/5", "goods/2", "empty"))
    places = TableReader(table.plan, enrolment.gallery).read_places(frame)
    assert [places[f"goods:red:{i}"].best for i in range(3)] == ["goods/5", "goods/2", "empty"]
    assert {places[f"goods:blue:{i}"].best for i in range(3)} == {"empty"}


def test_a_square_that_stays_empty_is_reported_and_nothing_learnt(table: Tables, tmp_path: Path) -> None:
    enrolment = bare_table(table, tmp_path)
    frame = table.frame(goods=(*GOODS[:2], "empty"))
    with pytest.raises(TileCountError) as raised:
        enrolment.find_tiles(frame, GOODS[:3])
    assert (raised.value.seen, raised.value.expected, raised.value.kind) == (2, 3, "goods")
    assert enrolment.gallery.labels == {BARE["square"]}


SHIELDS = tuple(f"shield/{number}" for number in range(1, 19))


@pytest.fixture(scope="module")
def with_shields() -> Iterator[tuple[VirtualTable, TableFile]]:
    with VirtualTable(sample_with_expansions(("red", "blue"), ["shields"]), seed=5) as table:
        yield table, parse(table.table_file(), "drawn")


def test_shields_are_learnt_at_their_places_and_known_on_castles(
    with_shields: tuple[VirtualTable, TableFile], tmp_path: Path
) -> None:
    table, plan = with_shields
    enrolment = TileEnrolment(SHIELDS, tmp_path / "gallery.npz", plan)
    enrolment.observe_empty_table(table.read())
    for batch in (SHIELDS[:6], SHIELDS[6:12], SHIELDS[12:]):
        assert enrolment.next_batch() == batch
        assert enrolment.places_for(batch) == tuple(f"shields:{depot}:0" for depot in range(1, 7))
        table.show(Scene(places={f"shields:{depot}": (label,) for depot, label in enumerate(batch, 1)}))
        enrolment.learn(enrolment.find_tiles(table.read(), batch), batch)
    castle = next(i for i, (colour, _) in enumerate(table.layout.boards[0].spaces) if colour == "castle")
    duchy = tuple("castle/shield_7" if i == castle else "empty" for i in range(37))
    table.show(Scene(places={"shields:2": ("shield/15",), "duchy:red": duchy}))
    places = TableReader(plan, enrolment.gallery).read_places(table.read())
    assert places["shields:2:0"].best == "shield/15" and places["shields:1:0"].best == "empty"
    assert places[f"duchy:red:{castle}"].best == "castle/shield_7"


def test_a_missing_shield_is_reported_by_its_kind(
    with_shields: tuple[VirtualTable, TableFile], tmp_path: Path
) -> None:
    table, plan = with_shields
    table.show(Scene())
    enrolment = TileEnrolment(SHIELDS, tmp_path / "gallery.npz", plan)
    enrolment.observe_empty_table(table.read())
    table.show(Scene(places={"shields:1": ("shield/1",)}))
    with pytest.raises(TileCountError) as raised:
        enrolment.find_tiles(table.read(), SHIELDS[:2])
    assert (raised.value.seen, raised.value.expected, raised.value.kind) == (1, 2, "shield")


def test_without_places_for_them_shields_are_not_asked_for(table: Tables, tmp_path: Path) -> None:
    assert TileEnrolment((*IN_ORDER, *SHIELDS), tmp_path / "g.npz", table.plan).labels == IN_ORDER


def test_shields_are_asked_for_with_a_sentence_of_their_own(
    with_shields: tuple[VirtualTable, TableFile], tmp_path: Path
) -> None:
    _, plan = with_shields
    enrolment = TileEnrolment(SHIELDS, tmp_path / "gallery.npz", plan)
    lines = list(instructions(enrolment, SHIELDS[:6], Translator("en")))
    assert lines[1] == ("Learnt 0 of 54. Put one shield on each of these places, and nothing else:")


def test_without_squares_in_the_table_file_goods_are_not_asked_for(table: Tables, tmp_path: Path) -> None:
    plan = replace(table.plan, places=())
    assert TileEnrolment(EVERYTHING, tmp_path / "g.npz", plan).labels == IN_ORDER


def test_a_file_that_is_no_gallery_is_not_changed(table: Tables, tmp_path: Path) -> None:
    gallery = tmp_path / "gallery.npz"
    gallery.write_text("notes")
    result = run(table.file(tmp_path), gallery, "--camera", tmp_path, "--yes")
    assert result.exit_code == 1
    assert "not a gallery file" in result.output
    assert gallery.read_text() == "notes"


@pytest.mark.parametrize("command", ["table", "tiles"])
def test_a_game_without_a_camera_has_nothing_to_calibrate(command: str, tmp_path: Path) -> None:
    files = [str(tmp_path / name) for name in ("table.json", "tiles.npz")][: 1 if command == "table" else 2]
    (tmp_path / "table.json").write_text('{"image_size": [640, 480]}')
    with more_games():
        result = CliRunner().invoke(
            main, ["calibrate", command, *files, "--camera", "virtual", "--game", "matches"]
        )
    assert result.exit_code == 1 and "played without a camera" in result.output
