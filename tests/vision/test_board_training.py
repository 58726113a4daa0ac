"""Synthetic printings and scenes, from which the networks that read boards learn."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.board_shape import PITCH_MM, STANDARD, BoardShape
from calibration.games.burgundy.facts import DUCHY_SPACES_BY_TYPE, TILE_TYPES
from vision.boards.networks import CELL, KNOWN, OFF_BOARD, POSITION, TYPES, encode_known
from vision.games.burgundy.training.examples import examples_of, make_examples
from vision.games.burgundy.training.printing import (
    PRINT_PX,
    any_printing,
    board_picture,
    card_size,
    tile_picture,
)
from vision.games.burgundy.training.scenes import any_scenes
from vision.games.burgundy.training.shapes import MAX_SPACES, any_shape
from vision.games.burgundy.training.tables import PLACES, UNKNOWN, any_print, any_table
from vision.games.burgundy.training.targets import HEAT, LOG_PITCH, LOSS_MASK, PICTURE, PLACED, finder_example
from vision.geometry import PATCH_PX, hexgrid

SPACES = len(STANDARD.names)


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
def test_a_made_up_board_has_as_many_spaces_of_each_colour_as_a_real_one(seed: int) -> None:
    printed = any_print(rng(seed), STANDARD)
    assert Counter(colour for colour, _ in printed) == DUCHY_SPACES_BY_TYPE
    assert all(1 <= die <= 6 for _, die in printed)


def shapes(count: int) -> list[BoardShape]:
    return [any_shape(rng(seed)) for seed in range(count)]


def test_made_up_shapes_have_spaces_of_one_size_around_their_middle() -> None:
    for shape in shapes(60):
        grid = hexgrid(shape)
        away = np.hypot(*(grid[:, None] - grid[None]).transpose(2, 0, 1)) + 9 * np.eye(len(grid))
        assert away.min() > 0.99
        assert np.allclose(grid.min(axis=0) + grid.max(axis=0), 0)


def test_made_up_shapes_are_standard_small_large_and_islands() -> None:
    made = shapes(80)
    counts = [len(shape.names) for shape in made]
    assert min(counts) < 15 and 60 < max(counts) <= MAX_SPACES
    assert 0.3 < np.mean([shape == STANDARD for shape in made]) < 0.8
    off_lattice = [shape for shape in made if (np.abs(_rows_off(shape)) > 0.05).any()]
    assert off_lattice


def _rows_off(shape: BoardShape) -> np.ndarray:
    """Returns how far each space is from the rows of the first one's honeycomb, in rows."""
    rows = (np.array(shape.centres_mm)[:, 1] - shape.centres_mm[0][1]) / (PITCH_MM * np.sqrt(3) / 2)
    off: np.ndarray = rows - np.round(rows)
    return off


def test_spaces_of_one_colour_are_printed_alike() -> None:
    printing = any_printing(rng(3))
    printing = replace(printing, spaces=replace(printing.spaces, texture=0, cover=1.0, symbol=0.0))
    card = board_picture(printing, hexgrid(), [("ship", 5)] * SPACES, rng(1))
    middle = np.array(card.shape[1::-1]) // 2
    here, there = (
        card[middle[1] - 20 : middle[1] + 20, x - 20 : x + 20] for x in (middle[0], middle[0] + PRINT_PX)
    )
    assert np.abs(here - there).mean() < 12


@pytest.mark.parametrize("seed", range(4))
def test_the_places_of_a_scene_are_consistent(seed: int) -> None:
    places = any_scenes(rng(seed), 1)[0].places
    on_board = places.on_board
    assert (np.abs(places.centres[on_board]) <= np.array(card_size(places.centres[on_board])) / 2).all()
    assert ((places.die > 0) == on_board).all()
    assert (places.space_type[on_board] != UNKNOWN).all()
    loose = places.turn > 0
    assert (places.tile[loose] != UNKNOWN).all() and (places.space_type[loose] == UNKNOWN).all()


def test_a_hand_hides_places_and_nothing_else_does() -> None:
    scenes = [scene for seed in range(12) for scene in any_scenes(rng(seed), 1)]
    hidden = np.array([scene.hidden[scene.places.on_board].mean() for scene in scenes])
    assert (hidden < 0.2).sum() >= 6
    assert hidden.max() > 0.05


def test_objects_often_lie_on_places() -> None:
    table = any_table(rng(7), objects=60)
    at = np.round(table.px(table.places.centres)).astype(int)
    anywhere = float((table.cover > 0).mean())
    assert (table.cover[at[:, 1], at[:, 0]] > 0).mean() > 1.5 * anywhere


def test_spaces_may_be_painted_and_their_faces_faint() -> None:
    styles = [any_printing(rng(seed)).spaces for seed in range(40)]
    assert 0.2 < np.mean([style.paint > 0 for style in styles]) < 0.6
    assert 0.1 < np.mean([style.faint > 0 for style in styles]) < 0.5


def space_of(paint: float = 0.0, faint: float = 0.0) -> np.ndarray:
    """Returns the middle space of a card in a printing without other texture: (56, 48, 3) float32."""
    printing = any_printing(rng(3))
    style = replace(printing.spaces, texture=0.0, cover=1.0, symbol=0.0, rim=0.0, paint=paint, faint=faint)
    printing = replace(printing, spaces=style)
    card = board_picture(printing, hexgrid(), [("ship", 5)] * SPACES, rng(1))
    y, x = np.array(card.shape[:2]) // 2
    space: np.ndarray = card[y - 28 : y + 28, x - 24 : x + 24]
    return space


def test_paint_makes_a_space_uneven() -> None:
    ground = np.s_[:6, 16:32]
    assert space_of(paint=20.0)[ground].std(axis=(0, 1)).max() > space_of()[ground].std(axis=(0, 1)).max() + 3


def test_a_faint_face_stands_out_less() -> None:
    strong, faint = (space_of(faint=by).std(axis=(0, 1)).mean() for by in (0.0, 0.6))
    assert faint < 0.6 * strong


def test_what_lies_on_a_hidden_place_counts_a_little() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra train)")
    from vision.boards.networks import ANSWERS
    from vision.games.burgundy.training.train import reader_losses

    made = examples_of(any_scenes(rng(5), 1), rng(6))
    answer = torch.zeros(int(made.there[0].sum()), ANSWERS)
    answer[:, 0] = 9.0  # everything is bare
    losses = []
    for hidden in (False, True):
        made.hidden[0, 0], made.tile[0, 0] = hidden, 1
        losses.append(float(reader_losses(answer, made, np.array([0]))["empty"]))
    made.tile[0, 0] = UNKNOWN
    right = float(reader_losses(answer, made, np.array([0]))["empty"])
    assert right < losses[1] < losses[0]


def test_the_same_seed_makes_the_same_examples() -> None:
    (one, found), (other, found_again) = make_examples(4, 0, 1, 1), make_examples(4, 0, 1, 1)
    assert np.array_equal(one.patches, other.patches)
    assert np.array_equal(found.pictures, found_again.pictures)


def test_examples_of_a_scene_have_a_patch_for_each_place_and_rows_that_only_fill_up() -> None:
    scenes = any_scenes(rng(5), 2)
    made = examples_of(scenes, rng(6))
    assert made.patches.shape == (2, PLACES, PATCH_PX, PATCH_PX, 3)
    places = scenes[0].places
    count = len(places.tile)
    assert made.there[:, :count].all() and not made.there[:, count:].any()
    assert (np.isfinite(made.position[:, :count, 0]) == places.on_board).all()
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
    known = encode_known(np.array([(1.0, 0.0), OFF_BOARD]), np.array([2, -1]), np.array([6, -1]))
    assert known.shape == (2, KNOWN) and (known[:, POSITION:].sum(axis=1) == 2).all()
    assert known[0, POSITION + 1 + TILE_TYPES.index("ship")] == known[0, POSITION + 1 + TYPES + 6] == 1
    assert known[1, 0] == known[1, POSITION] == known[1, POSITION + 1 + TYPES] == 1
    assert known[0, 0] == 0 and not known[1, 1:POSITION].any()


def test_positions_that_differ_by_a_space_are_told_apart_anywhere_on_a_large_board() -> None:
    places = np.array([(x, y) for x in np.arange(-6, 7) for y in np.arange(-6, 7)], float)
    nothing = np.full(len(places), -1)
    known = encode_known(places, nothing, nothing)
    away = np.linalg.norm(known[:, None] - known[None], axis=2) + 9 * np.eye(len(known))
    assert away.min() > 1.0


def test_opencv_runs_the_reader_like_torch_for_any_number_of_places(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra train)")
    from vision.games.burgundy.training.networks import SpaceReader
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
    from vision.games.burgundy.training.networks import SpaceReader

    reader, side = SpaceReader().eval(), PATCH_PX // CELL
    patches, known = torch.rand(PLACES, 48, side, side) - 0.5, torch.rand(PLACES, KNOWN)
    skipped = torch.zeros(1, PLACES, dtype=torch.bool)
    skipped[0, SPACES:] = True
    with torch.no_grad():
        alone = reader(patches[:SPACES], known[:SPACES])
        filled = reader(patches[:SPACES], known[:SPACES], skipped)
    assert torch.allclose(alone, filled, atol=1e-4)
