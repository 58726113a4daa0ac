"""The gallery distinguishes tiles in any rotation and light, and rejects unknown ones."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path
from typing import BinaryIO

import cv2
import numpy as np
import pytest

from vision.accuracy.boards import VISIBLE
from vision.accuracy.catalogue import catalogue_gallery
from vision.accuracy.truth import load_truth
from vision.gallery import VERSION, Gallery, GalleryError
from vision.games.burgundy.accuracy.tables import table_of
from vision.geometry import PATCH_PX
from vision.patches import board_patches
from vision.pictures import load_image

NAMES = ("building/bank", "building/church", "livestock/cow_3", "monastery/7", "monastery/17")
PICTURES = ("dev_board_10", "dev_board_04", "dev_board_05", "dev_board_06")
"""One picture of each printing in the shared set."""


def face(seed: int) -> np.ndarray:
    """Returns a tile with a few coloured shapes."""
    rng = np.random.default_rng(seed)
    patch = np.full((PATCH_PX, PATCH_PX, 3), (150, 200, 220), np.uint8)
    for _ in range(6):
        centre = rng.uniform(0.25, 0.75, 2) * PATCH_PX
        cv2.circle(
            patch, centre.astype(int).tolist(), int(rng.integers(2, 7)), rng.integers(0, 255, 3).tolist(), -1
        )
    return patch


def turned(patch: np.ndarray, degrees: float, shift: tuple[float, float] = (0, 0)) -> np.ndarray:
    matrix = cv2.getRotationMatrix2D(((PATCH_PX - 1) / 2,) * 2, degrees, 1)
    matrix[:, 2] = matrix[:, 2] + np.array(shift)
    return cv2.warpAffine(patch, matrix, (PATCH_PX, PATCH_PX), borderMode=cv2.BORDER_REPLICATE)


def best(probabilities: dict[str, float]) -> str:
    return max(probabilities, key=probabilities.__getitem__)


@pytest.fixture
def gallery() -> Gallery:
    gallery = Gallery()
    for seed, name in enumerate(NAMES):
        gallery.add_example(face(seed), name)
    return gallery


@pytest.mark.parametrize("degrees", [0, 60, 120, 180, 240, 300, 65, -4])
def test_a_tile_is_known_whichever_corner_points_up(gallery: Gallery, degrees: float) -> None:
    for seed, name in enumerate(NAMES):
        chances = gallery.classify(turned(face(seed), degrees))
        assert best(chances) == name and chances[name] > 0.9


def test_a_tile_a_little_off_centre_is_recognised(gallery: Gallery) -> None:
    assert best(gallery.classify(turned(face(3), 120, shift=(3, -2)))) == NAMES[3]


@pytest.mark.parametrize("light", [(0.4, 0.4, 0.4), (1.1, 1.0, 0.9)])
def test_a_tile_is_known_under_another_lamp(gallery: Gallery, light: tuple[float, float, float]) -> None:
    dimmed = np.clip(face(2) * np.array(light), 0, 255).astype(np.uint8)
    assert best(gallery.classify(dimmed)) == NAMES[2]


def test_probabilities_sum_to_at_most_one_and_come_best_first(gallery: Gallery) -> None:
    chances = gallery.classify(face(1))
    assert 0.99 < sum(chances.values()) <= 1 + 1e-6
    assert list(chances.values()) == sorted(chances.values(), reverse=True)


def test_only_labels_asked_for_are_answered(gallery: Gallery) -> None:
    chances = gallery.classify(face(0), among={"monastery/7", "monastery/17"})
    assert chances.keys() <= {"monastery/7", "monastery/17"}


def test_an_unknown_tile_gets_a_low_probability(gallery: Gallery) -> None:
    assert sum(gallery.classify(face(77)).values()) < 0.5


def test_a_flat_place_is_no_tile(gallery: Gallery) -> None:
    gallery.add_example(np.full((PATCH_PX, PATCH_PX, 3), 120, np.uint8), "empty")
    flat = np.full((PATCH_PX, PATCH_PX, 3), 90, np.uint8) + np.random.default_rng(1).integers(
        0, 3, (PATCH_PX, PATCH_PX, 3), np.uint8
    )
    assert best(gallery.classify(flat)) == "empty"


def test_goods_are_matched_at_right_angles_and_print_upright() -> None:
    gallery = Gallery()
    gallery.add_example(face(5), "goods/2")
    gallery.add_example(face(6), "empty")
    assert gallery.classify(turned(face(5), 90))["goods/2"] > 0.9
    assert sum(gallery.classify(turned(face(6), 90)).values()) < 0.5


def test_an_empty_gallery_knows_nothing() -> None:
    assert Gallery().classify(face(0)) == {}


def test_a_saved_gallery_answers_as_before(gallery: Gallery, tmp_path: Path) -> None:
    gallery.save(tmp_path / "mine.npz")
    again = Gallery.load(tmp_path / "mine.npz")
    assert again.labels == gallery.labels
    assert again.classify(face(4)) == pytest.approx(gallery.classify(face(4)))


@pytest.mark.parametrize("content", [None, b"no archive"])
def test_a_file_that_is_no_gallery_is_named_with_the_cure(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "gallery.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(GalleryError, match=r"gallery\.npz: .*\./run calibrate"):
        Gallery.load(path)


def test_a_patch_of_another_size_is_refused(gallery: Gallery) -> None:
    with pytest.raises(ValueError, match="cut it with"):
        gallery.add_example(np.zeros((10, 10, 3), np.uint8), "mine")


def test_catalogue_faces_are_found_on_rendered_tables(shared: Path) -> None:
    """Enrolled from flat sheets, nearly all tiles are recognised by type and variant on tables under lamps."""
    right = asked = 0
    rendered = shared / "photos" / "rendered"
    for name in PICTURES:
        picture = rendered / f"{name}.jpg"
        truth = load_truth(picture)
        assert truth is not None
        gallery = catalogue_gallery(rendered / "catalogue", truth["edition"])
        cut = board_patches(load_image(picture), table_of(truth))
        for board, patches in zip(truth["boards"], cut, strict=True):
            assert patches is not None
            readings = gallery.classify_all(patches.patches, [gallery.labels] * 37)
            for space, labels in zip(board["hexes"], readings, strict=True):
                tile = space["tile"]
                if tile is None or space["visible"] < VISIBLE:
                    continue
                label = tile["type"] if tile["variant"] is None else f"{tile['type']}/{tile['variant']}"
                asked += 1
                right += best(labels) == label
    assert asked > 80
    assert right / asked >= 0.98


def damaged(intact: bytes) -> dict[str, bytes]:
    """Files that are no gallery any more."""
    names = io.BytesIO()
    np.savez_compressed(names, version=VERSION, patches=np.zeros((1, 4, 4, 3), np.uint8), labels=["castle"])
    array = io.BytesIO()
    np.save(array, np.zeros(3))
    return {
        "empty": b"",
        "cut off": intact[: len(intact) // 2],
        "its end is lost": intact[:-30],
        "a hole": intact[:200] + bytes(200) + intact[400:],
        "no archive": array.getvalue(),
        "of another size": names.getvalue(),
        "noise": np.random.default_rng(1).bytes(5000),
    }


@pytest.mark.parametrize("how", damaged(b""))
def test_a_damaged_file_is_refused_in_one_sentence(gallery: Gallery, tmp_path: Path, how: str) -> None:
    path = tmp_path / "gallery.npz"
    gallery.save(path)
    path.write_bytes(damaged(path.read_bytes())[how])
    with pytest.raises(GalleryError, match=r"gallery\.npz: .*; learn a new one with ./run calibrate$"):
        Gallery.load(path)


def test_a_path_that_is_no_file_is_rejected_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.npz")
    for path in (tmp_path, tmp_path / "pipe.npz", "/dev/zero"):
        with pytest.raises(GalleryError, match="not a gallery file"):
            Gallery.load(path)


def test_an_archive_that_would_fill_the_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.gallery.MAX_BYTES", 1000)
    with open(tmp_path / "large.npz", "wb") as file:
        np.savez_compressed(file, version=VERSION, patches=np.zeros((9, 999), np.uint8), labels=["castle"])
    with pytest.raises(GalleryError, match="not a gallery file"):
        Gallery.load(tmp_path / "large.npz")


def test_a_full_disk_leaves_the_old_gallery_and_nothing_else(
    gallery: Gallery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "gallery.npz"
    gallery.save(path)
    gallery.add_example(face(9), "castle")
    with monkeypatch.context() as full, pytest.raises(OSError, match="No space"):
        full.setattr("numpy.savez_compressed", half_written)
        gallery.save(path)
    assert list(tmp_path.iterdir()) == [path] and len(Gallery.load(path)) == len(NAMES)


def half_written(file: BinaryIO, **arrays: object) -> None:
    file.write(b"PK half of it")
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
