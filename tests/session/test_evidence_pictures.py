"""Evidence pictures: the places that turns change, stored beside the journal, and never too many."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.table_file import parse
from companion.journal import Entry
from companion.journal.disk_errors import BLOCKED, UNREACHABLE
from companion.service.sqlite_files import SIDECAR_SUFFIXES
from companion.session.evidence_pictures import MOST_PLACES, EvidencePictures
from companion.storage.picture_store import DAMAGED, EvidencePicture, PictureStore
from hardware.scene import Scene
from hardware.virtual_table import VirtualTable, sample_layout
from tests.support.present import present
from tests.support.sightings import sighting_of
from tests.support.tables import RULES, Table
from vision.reader import PICTURE_PX, TableReader


def frame(level: int) -> np.ndarray:
    """Returns a frame of one grey level, which identifies the pictures cut from it."""
    return np.full((4, 4, 3), level, np.uint8)


def cut(frame: np.ndarray, names: Collection[str]) -> dict[str, np.ndarray]:
    return {name: np.full((8, 8, 3), frame[0, 0, 0], np.uint8) for name in names}


def level(jpeg: bytes | None) -> int:
    return int(present(cv2.imdecode(np.frombuffer(present(jpeg), np.uint8), cv2.IMREAD_COLOR))[4, 4, 0])


class RecordedGame:
    """A game whose frames are stored as at a table; each frame is brighter than the one before."""

    def __init__(self, tmp_path: Path) -> None:
        self.table = Table(tmp_path / "game.journal", duchies=("se-1", "se-1"))
        self.evidence_pictures = EvidencePictures(self.table.session, cut, PictureStore(tmp_path / "album"))
        self.level = 0

    def look(self, **wrong: Any) -> None:
        self.table.look(**wrong)
        self.level += 20
        self.evidence_pictures.add_frame(
            frame(self.level), sighting_of(RULES, self.table.state, self.table.dice, **wrong)
        )

    @property
    def last(self) -> Entry:
        return self.table.session.entries()[-1]


@pytest.fixture
def recorded(tmp_path: Path) -> RecordedGame:
    recorded = RecordedGame(tmp_path)
    recorded.table.set_up()
    recorded.look()
    recorded.table.deal()
    recorded.look()
    recorded.table.deal()
    recorded.look()
    return recorded


def test_the_evidence_of_a_confirmed_turn_has_its_places_before_and_after(recorded: RecordedGame) -> None:
    seen_before = recorded.level
    before = RULES.visible_layout(recorded.table.state)
    recorded.table.turn()
    after = RULES.visible_layout(recorded.table.state)
    recorded.look()
    recorded.table.session.confirm()
    evidence_pictures = recorded.evidence_pictures.of_entry(recorded.last.seq)
    changed = {f"{g}:{i}" for g in after for i in range(len(after[g])) if before[g][i] != after[g][i]}
    assert {evidence_picture.place for evidence_picture in evidence_pictures} == changed
    assert {
        (level(evidence_picture.before), level(evidence_picture.after))
        for evidence_picture in evidence_pictures
    } == {(seen_before, recorded.level)}
    assert all(max(evidence_picture.read.values()) > 0.9 for evidence_picture in evidence_pictures)


def test_the_evidence_of_a_roll_is_the_frame_in_which_it_was_seen(recorded: RecordedGame) -> None:
    roll = recorded.table.session.entries()[-1]
    assert roll.by == "seen"
    assert {
        level(evidence_picture.after) for evidence_picture in recorded.evidence_pictures.of_entry(roll.seq)
    } == {recorded.level}


def test_the_evidence_outlives_the_correction_of_a_die(recorded: RecordedGame) -> None:
    def levels() -> list[set[tuple[int, int]]]:
        shown = (recorded.evidence_pictures.of_entry(entry.evidence_seq) for entry in session.entries()[-2:])
        return [{(level(present(one.before)), level(one.after)) for one in pictures} for pictures in shown]

    session = recorded.table.session
    recorded.table.turn()
    recorded.look()
    session.confirm()
    recorded.look()
    before, seqs = levels(), [entry.seq for entry in session.entries()]
    waiting = recorded.table.state.player
    session.correct_die(f"{waiting.colour}:0", waiting.dice[0] % 6 + 1)
    assert [entry.seq for entry in session.entries()] != seqs
    assert all(before) and levels() == before
    recorded.look()
    assert levels() == before


def test_the_evidence_of_a_proposal_can_be_seen_before_it_is_confirmed(recorded: RecordedGame) -> None:
    assert recorded.evidence_pictures.of_proposal() == []
    recorded.table.turn()
    recorded.look()
    assert {
        level(evidence_picture.after) for evidence_picture in recorded.evidence_pictures.of_proposal()
    } == {recorded.level}


def test_an_entry_by_hand_before_any_frame_has_no_pictures(tmp_path: Path) -> None:
    recorded = RecordedGame(tmp_path)
    recorded.table.set_up()
    assert recorded.evidence_pictures.of_entry(recorded.last.seq) == []


def test_pictures_are_there_after_a_restart(tmp_path: Path) -> None:
    picture_store = PictureStore(tmp_path / "album")
    picture_store.add(3, [EvidencePicture("depot:1:0", {"mine": 0.9}, None, b"jpeg")])
    picture_store.close()
    assert PictureStore(tmp_path / "album").for_entry(3) == [
        EvidencePicture("depot:1:0", {"mine": 0.9}, None, b"jpeg")
    ]


def test_the_oldest_pictures_make_room(tmp_path: Path) -> None:
    picture_store = PictureStore(tmp_path / "album", max_bytes=250)
    for entry in range(1, 5):
        picture_store.add(entry, [EvidencePicture("depot:1:0", {}, b"b" * 50, b"a" * 50)])
    assert [bool(picture_store.for_entry(entry)) for entry in range(1, 5)] == [False, False, True, True]


def test_a_picture_store_that_cannot_be_written_is_reported_and_stops_nothing(tmp_path: Path) -> None:
    picture_store = PictureStore(tmp_path / "missing" / "album")
    picture_store.add(1, [EvidencePicture("depot:1:0", {}, None, b"jpeg")])
    assert picture_store.for_entry(1) == []
    assert picture_store.trouble == UNREACHABLE


def test_a_file_that_is_no_picture_store_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "album").write_bytes(b"no database" * 100)
    picture_store = PictureStore(tmp_path / "album")
    picture_store.add(1, [EvidencePicture("depot:1:0", {}, None, b"jpeg")])
    assert picture_store.for_entry(1) == [] and picture_store.trouble == DAMAGED
    with pytest.raises(sqlite3.DatabaseError):
        sqlite3.connect(tmp_path / "album").execute("SELECT * FROM proof")


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
@pytest.mark.parametrize("ending", ["", *SIDECAR_SUFFIXES])
def test_what_is_no_file_in_place_of_the_pictures_stops_nothing(
    make: Callable[[Path], None], ending: str, tmp_path: Path
) -> None:
    make(tmp_path / f"album{ending}")
    picture_store = PictureStore(tmp_path / "album")
    picture_store.add(1, [EvidencePicture("depot:1:0", {}, None, b"jpeg")])
    assert picture_store.for_entry(1) == [] and picture_store.trouble == BLOCKED


def test_an_entry_has_no_more_pictures_than_a_layout_has_places(recorded: RecordedGame) -> None:
    fill = next(entry for entry in recorded.table.session.entries() if entry.moves[0].word == "fill")
    assert 10 < len(recorded.evidence_pictures.of_entry(fill.seq)) <= MOST_PLACES


def test_places_are_cut_out_of_a_real_frame_wherever_they_are() -> None:
    layout = sample_layout(("red", "blue"))
    with VirtualTable(layout, seed=2) as table:
        reader = TableReader(parse(table.table_file(), "drawn"))
        table.show(Scene(places={"depot:1": ("mine", "empty"), "duchy:red": ("castle",) * 37}))
        full = reader.pictures(table.read(), ["depot:1:0", "depot:1:1", "duchy:red:5", "nowhere:0"])
    assert set(full) == {"depot:1:0", "depot:1:1", "duchy:red:5"}
    assert {picture.shape for picture in full.values()} == {(PICTURE_PX, PICTURE_PX, 3)}
    assert np.abs(full["depot:1:0"].astype(int) - full["depot:1:1"]).mean() > 15
