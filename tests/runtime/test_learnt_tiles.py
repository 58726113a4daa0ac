"""What is learnt of tiles in play: no disk and no damaged file ends a game for it."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from calibration.table_writer import write_table
from companion.runtime.learnt_tiles import LearntTiles, gallery_of
from companion.storage.notices import storage_notices
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.support.tables import Table
from vision.gallery import Gallery, NoGalleryError
from vision.geometry import PATCH_PX
from vision.reader import TableReader

PATCH = np.zeros((PATCH_PX, PATCH_PX, 3), np.uint8)
FRAME = np.zeros((90, 160, 3), np.uint8)


def learning(gallery: Gallery) -> TableReader:
    """Returns a reader that learns one more patch of each label."""

    def add_examples(frame: np.ndarray, labels: dict[str, str]) -> int:
        for label in labels.values():
            gallery.add_example(PATCH, label)
        return len(labels)

    return cast(TableReader, SimpleNamespace(gallery=gallery, add_examples=add_examples))


class Disk:
    """A disk that can be full: what is written to it is only half there."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full = False
        fsync = os.fsync

        def full(handle: int) -> None:
            if self.is_full:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            fsync(handle)

        monkeypatch.setattr(os, "fsync", full)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    gallery = Gallery()
    gallery.add_example(PATCH, "mine")
    gallery.save(tmp_path / "tiles.npz")
    return tmp_path / "tiles.npz"


def test_a_full_disk_is_reported_once_and_the_gallery_saved_once_possible(
    path: Path, disk: Disk, tmp_path: Path
) -> None:
    remarks: list[str] = []
    tiles = LearntTiles(learning(Gallery.load(path)), path, remarks.append)
    table = Table(tmp_path / "game.journal")
    notices = storage_notices(table.session.journal, [], tiles=tiles)
    disk.is_full = True
    tiles.learn(FRAME, {"depot:1:0": "castle"})
    tiles.learn(FRAME, {"depot:1:1": "ship"})
    assert [one.code for one in notices()] == ["no_gallery"] and len(remarks) == 1
    assert str(path) in remarks[0] and "No space left" in remarks[0]
    assert Gallery.load(path).labels == {"mine"}
    disk.is_full = False
    tiles.learn(FRAME, {})
    assert notices() == [] and Gallery.load(path).labels == {"mine", "castle", "ship"}


def test_an_unsaved_gallery_is_saved_again_at_the_end(path: Path, disk: Disk) -> None:
    with LearntTiles(learning(Gallery.load(path)), path, lambda remarks: None) as tiles:
        disk.is_full = True
        tiles.learn(FRAME, {"depot:1:0": "castle"})
        disk.is_full = False
    assert Gallery.load(path).labels == {"mine", "castle"}


def test_nothing_is_written_while_nothing_is_learnt(path: Path) -> None:
    before = path.stat().st_mtime_ns
    with LearntTiles(learning(Gallery.load(path)), path, lambda remarks: None) as tiles:
        tiles.learn(FRAME, {})
    assert path.stat().st_mtime_ns == before


def test_a_missing_folder_is_reported_like_a_full_disk(path: Path) -> None:
    tiles = LearntTiles(learning(Gallery.load(path)), path.parent / "stick" / path.name, lambda remarks: None)
    tiles.learn(FRAME, {"depot:1:0": "castle"})
    assert tiles.error is not None


def test_with_a_damaged_gallery_a_game_is_played_without_and_the_file_stays_unchanged(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])
    before, remarks = path.read_bytes(), list[str]()
    assert gallery_of(path, remarks.append) == (None, True)
    assert path.read_bytes() == before
    assert len(remarks) == 1 and str(path) in remarks[0] and "./run calibrate" in remarks[0]


def test_a_gallery_that_is_not_there_is_a_slip_and_refused(tmp_path: Path) -> None:
    with pytest.raises(NoGalleryError, match="no such gallery"):
        gallery_of(tmp_path / "tilse.npz", lambda remarks: None)


def test_without_a_gallery_there_is_nothing_to_say() -> None:
    assert gallery_of(None, lambda remarks: None) == (None, False)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", ["no_gallery", "gallery_unusable"])
def test_the_notice_is_translated_and_names_the_file(language: str, code: str) -> None:
    assert "tiles.npz" in Translator(language, strict=True)(f"storage_notices.{code}", file="/data/tiles.npz")


def test_a_full_disk_leaves_the_old_table_file_and_nothing_else(disk: Disk, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    write_table(path, {"image_size": [1, 1]})
    before = path.read_bytes()
    disk.is_full = True
    with pytest.raises(OSError, match="No space"):
        write_table(path, {"image_size": [2, 2]})
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
