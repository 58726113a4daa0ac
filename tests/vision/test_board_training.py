"""Synthetic printings and scenes, from which the networks that read boards learn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.games.burgundy.facts import DUCHY_SPACES_BY_TYPE, TILE_TYPES
from vision.boards.networks import CELL, KNOWN, OFF_BOARD, POSITIONS, TYPES, encode_known
from vision.boards.training.examples import NOWHERE, examples_of, make_examples
from vision.boards.training.printing import PRINT_PX, any_printing, duchy_picture, tile_picture
from vision.boards.training.scenes import any_scenes
from vision.boards.training.tables import PLACES, SPACES, UNKNOWN, any_duchy
from vision.boards.training.targets import HEAT, LOG_PITCH, LOSS_MASK, PICTURE, PLACED, finder_example
from vision.geometry import PATCH_PX


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_a_tile_looks_the_same_anywhere_and_unlike_others() -> None:
    printing = any_printing(rng(1))
    bank = tile_picture(printing, "building", "1")
    again = tile_picture(replace(printing, drawn={}), "building", "1")
    assert np.array_equal(bank, again)
    assert not np.array_equal(bank, tile_picture(printing, "building", "2"))


def test_a_printing_has_a_look_of_its_own() -> None:
    one, other = (any_printing(rng(seed)).spaces for seed in (1, 2))
    assert not np.array_equal(one.fills["castle"], other.fills["castle"])


@pytest.mark.parametrize("seed", range(5))
def test_a_made_up_duchy_has_as_many_spaces_of_each_colour_as_a_real_one(seed: int) -> None:
    duchy = any_duchy(rng(seed))
    assert Counter(colour for colour, _ in duchy) == DUCHY_SPACES_BY_TYPE
    assert all(1 <= die <= 6 for _, die in duchy)


def test_spaces_of_one_colour_are_printed_alike() -> None:
    printing = any_printing(rng(3))
    printing = replace(printing, spaces=replace(printing.spaces, texture=0, cover=1.0, symbol=0.0))
    card = duchy_picture(printing, [("ship", 5)] * SPACES, rng(1))
    middle = np.array(card.shape[1::-1]) // 2
    here, there = (
        card[middle[1] - 20 : middle[1] + 20, x - 20 : x + 20] for x in (middle[0], middle[0] + PRINT_PX)
    )
    assert np.abs(here - there).mean() < 12


@pytest.mark.parametrize("seed", range(4))
def test_the_places_of_a_scene_are_consistent(seed: int) -> None:
    places = any_scenes(rng(seed), 1)[0].places
    on_board = places.position < OFF_BOARD
    assert on_board.sum() == SPACES
    assert ((places.die > 0) == on_board).all()
    assert (places.space_type[on_board] != UNKNOWN).all()
    loose = places.turn > 0
    assert (places.tile[loose] != UNKNOWN).all() and (places.space_type[loose] == UNKNOWN).all()


def test_a_hand_hides_places_and_nothing_else_does() -> None:
    scenes = [scene for seed in range(12) for scene in any_scenes(rng(seed), 1)]
    hidden = np.array([scene.hidden[:SPACES].mean() for scene in scenes])
    assert (hidden < 0.2).sum() >= 6
    assert hidden.max() > 0.05


def test_the_same_seed_makes_the_same_examples() -> None:
    (one, found), (other, found_again) = make_examples(4, 0, 1, 1), make_examples(4, 0, 1, 1)
    assert np.array_equal(one.patches, other.patches)
    assert np.array_equal(found.pictures, found_again.pictures)


def test_examples_of_a_scene_have_a_patch_for_each_place_and_rows_that_only_fill_up() -> None:
    scenes = any_scenes(rng(5), 2)
    made = examples_of(scenes, rng(6))
    assert made.patches.shape == (2, PLACES, PATCH_PX, PATCH_PX, 3)
    count = len(scenes[0].places.position)
    assert (made.position[:, :count] >= 0).all() and (made.position[:, count:] == NOWHERE).all()
    assert made.hidden[:, count:].all()


def test_the_target_of_the_finder_contains_the_visible_spaces() -> None:
    positive_cells = 0
    for seed in range(6):
        (scene,) = any_scenes(rng(seed), 1)
        picture, target = finder_example(scene, rng(seed))
        assert picture.shape == (PICTURE, PICTURE, 3)
        target = target.astype(np.float32)
        rows, columns = np.nonzero(target[HEAT] >= 1)
        positive_cells += len(rows)
        assert (target[PLACED, rows, columns] == 1).all()
        assert (np.abs(target[1:3, rows, columns]) <= 0.51).all()
        pitch = np.exp(target[LOG_PITCH, rows, columns])
        assert ((pitch > 12.5) & (pitch < 31)).all()
        assert target[LOSS_MASK].max() == 1
    assert positive_cells > 30


def test_prior_knowledge_of_a_place_has_three_parts() -> None:
    known = encode_known(np.array([0, OFF_BOARD]), np.array([2, -1]), np.array([6, -1]))
    assert known.shape == (2, KNOWN) and (known.sum(axis=1) == 3).all()
    assert known[0, 0] == known[0, POSITIONS + 1 + TILE_TYPES.index("ship")] == 1
    assert known[0, POSITIONS + 1 + TYPES + 6] == 1
    assert known[1, OFF_BOARD] == known[1, POSITIONS] == known[1, POSITIONS + 1 + TYPES] == 1


def test_opencv_runs_the_reader_like_torch_for_any_number_of_places(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra train)")
    from vision.boards.training.networks import SpaceReader
    from vision.training.layers import export

    reader, side = SpaceReader().eval(), PATCH_PX // CELL
    inputs = {"patches": torch.rand(PLACES, 48, side, side), "known": torch.rand(PLACES, KNOWN)}
    export(reader, inputs, {0: "places"}, tmp_path / "reader.onnx")
    network = cv2.dnn.readNetFromONNX(str(tmp_path / "reader.onnx"))
    for count in (5, SPACES, PLACES):
        patches, known = torch.rand(count, 48, side, side) - 0.5, torch.rand(count, KNOWN)
        network.setInput(patches.numpy(), "patches")
        network.setInput(known.numpy(), "known")
        with torch.no_grad():
            expected = reader(patches, known).numpy()
        assert np.allclose(network.forward(), expected, atol=0.02)


def test_places_that_only_fill_up_change_nothing_for_the_others() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra train)")
    from vision.boards.training.networks import SpaceReader

    reader, side = SpaceReader().eval(), PATCH_PX // CELL
    patches, known = torch.rand(PLACES, 48, side, side) - 0.5, torch.rand(PLACES, KNOWN)
    skipped = torch.zeros(1, PLACES, dtype=torch.bool)
    skipped[0, SPACES:] = True
    with torch.no_grad():
        alone = reader(patches[:SPACES], known[:SPACES])
        filled = reader(patches, known, skipped)[:SPACES]
    assert torch.allclose(alone, filled, atol=1e-4)
