"""The truth of the synthetic scenes for training the dice networks is correct."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.dice.networks import CELL, COCKED, HIDDEN, READER_FOLD
from vision.dice.patches import PATCH
from vision.dice.training.dice import (
    FACE_PX,
    FACES,
    Badge,
    DieLook,
    _pips,
    any_look,
    die_mesh,
    die_picture,
    upright,
)
from vision.dice.training.examples import finder_targets, label
from vision.dice.training.scenes import (
    UNKNOWN_VALUE,
    DrawnDie,
    Scene,
    _Die,
    _packed_places,
    _paper_of,
    _truth,
    printed_scene,
)
from vision.dice.training.world import Solid, Surface, View
from vision.pyramid import pixel_unshuffle
from vision.training.grounds import GROUNDS, FaceStyle, Relief, _count, _mottle, _printed_face, _track
from vision.training.pips import PIP_LAYOUTS

LOOK = DieLook(
    body=np.array([230.0, 230.0, 230.0]),
    swirl=None,
    pip=np.array([0.0, 0.0, 0.0]),
    accent_pip=None,
    accent_faces=(),
    pip_radius=0.1,
    pip_spacing=0.25,
    six_narrowing=1.0,
    row_narrowing=1.0,
    row_turn=0.0,
    one_radius=0.1,
    pip_depth=0.3,
    edge_radius=0.1,
    ball_radius=0.87,
    roughness=0.3,
    transmission=0.0,
    metallic=0.0,
    order=(1, 6, 2, 5, 3, 4),
)


def tile(picture: np.ndarray, face: int) -> np.ndarray:
    """Returns the part of a die's texture on *face*."""
    column, row = face % 3, 1 - face // 3
    return picture[row * FACE_PX : (row + 1) * FACE_PX, column * FACE_PX : (column + 1) * FACE_PX]


# --- dice -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", range(FACES))
def test_each_face_has_as_many_pips_as_its_value(face: int) -> None:
    picture = die_picture(LOOK, np.random.default_rng(0))
    dark = (tile(picture, face)[..., 0] < 100).astype(np.uint8)
    assert cv2.connectedComponents(dark)[0] - 1 == LOOK.order[face]


@pytest.mark.parametrize("seed", range(20))
def test_opposite_faces_add_up_to_seven(seed: int) -> None:
    order = any_look(np.random.default_rng(seed)).order
    assert [order[2 * axis] + order[2 * axis + 1] for axis in range(3)] == [7, 7, 7]
    assert sorted(order) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("value", PIP_LAYOUTS)
def test_an_upright_die_shows_its_value_on_top(value: int) -> None:
    mesh, pose = die_mesh(LOOK), upright(LOOK, value, 0.7)
    corners = mesh.points[mesh.squares] @ pose.T
    highest = np.argmax(corners[..., 2].mean(1))
    u, v = mesh.uv[highest].mean(0)
    face = int(u * 3) + 3 * int(v * 2)
    assert LOOK.order[face] == value
    assert np.allclose(pose @ pose.T, np.eye(3))
    assert np.linalg.det(pose) == pytest.approx(1)


def test_the_mesh_of_a_die_faces_outwards_and_is_rounded() -> None:
    mesh = die_mesh(replace(LOOK, pip_depth=0.0))
    a, b, c, d = (mesh.points[mesh.squares[:, i]] for i in range(4))
    outwards = (np.cross(b - a, d - a) * (a + b + c + d)).sum(1)
    assert (outwards > 0).all()
    assert np.abs(mesh.points).max() == pytest.approx(0.5)
    assert np.linalg.norm(mesh.points, axis=1).max() < 0.8  # a sharp corner is 0.87 away


def test_pips_are_hollows() -> None:
    flat, hollow = (die_mesh(replace(LOOK, pip_depth=depth)).points for depth in (0.0, 0.3))
    moved = np.linalg.norm(flat - hollow, axis=1)
    assert moved.max() == pytest.approx(0.3 * LOOK.pip_radius, rel=0.2)
    assert (moved > 0).mean() < 0.2


def test_pips_of_some_faces_can_have_another_colour() -> None:
    look = replace(LOOK, accent_pip=np.array([0.0, 0.0, 200.0]), accent_faces=(4,))
    picture = die_picture(look, np.random.default_rng(0))
    for value, red in ((4, True), (6, False)):
        face = tile(picture, look.order.index(value))
        assert ((face[..., 2] > 150) & (face[..., 0] < 60)).any() == red


@pytest.mark.parametrize(("line", "pips_are_dark"), [(0.0, False), (0.05, True)])
def test_pips_contrast_with_the_disc_or_ring_printed_around_them(line: float, pips_are_dark: bool) -> None:
    picture = die_picture(replace(LOOK, badge=Badge(0.44, line)), np.random.default_rng(0))
    face = tile(picture, LOOK.order.index(5))[..., 0]
    inside = face[FACE_PX // 2 - 30 : FACE_PX // 2 + 30, FACE_PX // 2 - 30 : FACE_PX // 2 + 30]
    pips = ((inside < 100) if pips_are_dark else (inside > 130)).astype(np.uint8)
    assert cv2.connectedComponents(pips)[0] - 1 == 5


def test_a_word_is_printed_on_the_one_alone() -> None:
    plain, worded = (
        die_picture(replace(LOOK, word=word), np.random.default_rng(0)) for word in ("", "ABCDEF")
    )
    changed = [
        LOOK.order[face] for face in range(FACES) if (tile(plain, face) != tile(worded, face)).mean() > 0.01
    ]
    assert changed == [1]


@pytest.mark.parametrize("value", PIP_LAYOUTS)
def test_pips_lie_apart_on_their_face(value: int) -> None:
    for seed in range(100):
        pips = _pips(any_look(np.random.default_rng(seed)), value)
        spots, radius = np.array([spot for spot, _ in pips]), pips[0][1]
        apart = np.linalg.norm(spots[:, None] - spots[None], axis=-1) + 9 * np.eye(value)
        assert len(spots) == value
        assert apart.min() > 2 * radius
        assert np.abs(spots).max() + radius < 0.5


def test_pips_lie_inside_what_is_printed_around_them() -> None:
    looks = [look for seed in range(100) if (look := any_look(np.random.default_rng(seed))).badge is not None]
    for look in looks:
        assert look.badge is not None
        reach = max(float(np.hypot(*spot)) + radius for spot, radius in _pips(look, 6))
        assert reach <= look.badge.radius


@pytest.mark.parametrize("value", (2, 3))
def test_the_pips_of_a_row_can_be_set_close_and_along_a_side(value: int) -> None:
    close = replace(LOOK, row_narrowing=0.5, row_turn=np.pi / 4)
    (x, y), *_ = (spot for spot, _ in _pips(close, value))
    (far, _), *_ = _pips(LOOK, value)
    assert min(abs(x), abs(y)) == pytest.approx(0, abs=1e-9)
    assert np.hypot(x, y) < np.hypot(*far)


# --- truth ----------------------------------------------------------------------------------------------------

VIEW = View(np.array([0.0, 0.0, 20.0]), 0.0, 30.0, 200)


def die_on_table(value: int, x: float = 0.0) -> _Die:
    surface = Surface(LOOK.body)
    return _Die(
        Solid(die_mesh(LOOK), surface, upright(LOOK, value, 0.3), np.array([x, 0.0, 0.5])), value, 1.0, False
    )


def test_the_camera_sees_the_middle_of_the_table_in_the_middle_of_the_picture() -> None:
    (middle,), (scale,) = VIEW.project(np.zeros(3))
    assert np.allclose(middle, 99.5)
    assert scale == pytest.approx(30.0)


def test_the_truth_describes_the_top_face() -> None:
    die = die_on_table(3)
    drawn = _truth(die, VIEW, die.face_points(), 1.0)
    assert drawn.value == 3
    assert drawn.side == pytest.approx(30 * 20 / 19)  # one nearer to the camera than the table
    assert np.allclose(drawn.centre, 99.5)


@pytest.mark.parametrize(
    ("share", "value", "hidden"), [(1.0, 3, False), (0.5, 3, True), (0.1, UNKNOWN_VALUE, False)]
)
def test_the_visible_share_of_a_face_determines_its_label(share: float, value: int, hidden: bool) -> None:
    die = die_on_table(3)
    drawn = _truth(die, VIEW, die.face_points(), share)
    assert (drawn.value, drawn.hidden) == (value, hidden)


def test_a_die_half_outside_the_picture_is_hidden() -> None:
    die = die_on_table(3, x=100 / 30)
    assert _truth(die, VIEW, die.face_points(), 1.0).hidden


@pytest.mark.parametrize("seed", range(10))
def test_packed_dice_lie_in_rows_without_overlap(seed: int) -> None:
    places = _packed_places(np.random.default_rng(seed), 9.0)
    spots = np.array([spot for spot, _ in places])
    apart = np.linalg.norm(spots[:, None] - spots, axis=-1) + 9 * np.eye(len(spots))
    assert apart.min() > 1
    assert apart.min(1).max() < 3


@pytest.mark.parametrize("seed", range(5))
def test_a_printed_scene_has_print_and_no_dice(seed: int) -> None:
    scene = printed_scene(np.random.default_rng(seed), 64, (13, 29))
    assert scene.dice == ()
    assert scene.radiance.shape == (64, 64, 3)
    assert np.isfinite(scene.radiance).all()
    assert 0 <= scene.radiance.min() < scene.radiance.max()


@pytest.mark.parametrize("value", PIP_LAYOUTS)
def test_a_face_painted_as_a_solid_die_keeps_its_pips(value: int) -> None:
    relief = Relief(np.eye(2), np.array([0.05, 0.1]), shade=0.5, shadow=2.0, light=0.5)
    style = FaceStyle(None, 1.3, np.zeros(3), 0.28, 0.1, rounded=True, relief=relief)
    canvas = np.full((120, 120, 3), 150, np.float32)
    _printed_face(canvas, np.array([60.0, 60.0]), 60.0, 0.3, value, style)
    assert cv2.connectedComponents((canvas[..., 0] < 20).astype(np.uint8))[0] - 1 == value
    assert canvas.max() > 150 * 1.3 > canvas[0].max()


def test_a_hollow_pip_is_lit_on_one_side() -> None:
    style = FaceStyle(np.full(3, 100.0), 1.0, np.zeros(3), 0.28, 0.1, rounded=False, relief=None, hollow=1.0)
    canvas = np.full((120, 120, 3), 150, np.float32)
    _printed_face(canvas, np.array([60.0, 60.0]), 60.0, 0.0, 1, style)
    assert canvas[60, 56, 0] == 0
    assert canvas[60, 64, 0] == 255


def test_a_painted_space_is_darker_in_its_middle_and_nothing_around_it_changes() -> None:
    canvas = np.full((80, 80, 3), 100, np.float32)
    corners = np.array([(20.0, 20.0), (60.0, 20.0), (60.0, 60.0), (20.0, 60.0)])
    _mottle(canvas, corners, np.full((80, 80), 5, np.float32), darker=0.3)
    assert canvas[40, 40, 0] < 80 < canvas[22, 22, 0]
    assert (canvas[:15] == 100).all()


def test_a_scoring_track_is_printed_in_more_than_one_colour() -> None:
    canvas = np.full((200, 200, 3), 7, np.float32)
    _track(np.random.default_rng(2), canvas, 30.0)
    assert len(np.unique(canvas[(canvas != 7).any(2)], axis=0)) > 2


def test_a_number_is_printed_about_its_place() -> None:
    canvas = np.full((80, 80, 3), 200, np.float32)
    _count(canvas, np.array([40.0, 30.0]), 30.0, "28", np.zeros(3))
    rows, columns = np.nonzero(canvas[..., 0] == 0)
    assert (columns.min() + columns.max()) / 2 == pytest.approx(40, abs=3)
    assert (rows.min() + rows.max()) / 2 == pytest.approx(30, abs=3)


@pytest.mark.parametrize(("body", "on_paper"), [(230.0, True), (40.0, False)])
def test_pale_dice_may_lie_on_paper_of_their_colour(body: float, on_paper: bool) -> None:
    die = replace(
        die_on_table(3), solid=Solid(die_mesh(LOOK), Surface(np.full(3, body)), np.eye(3), np.zeros(3))
    )
    papers = [_paper_of(np.random.default_rng(seed), [die]) for seed in range(20)]
    assert any(paper is not None for paper in papers) == on_paper


# --- target outputs of the networks ---------------------------------------------------------------------------


def scene(*dice: DrawnDie) -> Scene:
    frame = np.full((160, 160, 3), 60, np.uint8)
    for die in dice:
        x, y = (round(c) for c in die.centre)
        frame[y - 3 : y + 3, x - 3 : x + 3] = 255
    return Scene(frame, dice)


def test_the_finders_target_is_the_dies_position_at_its_level() -> None:
    target = finder_targets(scene(DrawnDie((80.0, 48.0), 20.0, 3)), level=1)
    row, column = np.unravel_index(np.argmax(target[0]), target[0].shape)
    x, y = (
        (column + target[1, row, column] + 0.5) * CELL - 0.5,
        (row + target[2, row, column] + 0.5) * CELL - 0.5,
    )
    assert ((x + 0.5) * 2 - 0.5, (y + 0.5) * 2 - 0.5) == pytest.approx((80.0, 48.0), abs=0.01)
    assert np.exp(target[3, row, column]) == pytest.approx(10.0)


def test_a_die_of_another_level_is_not_to_be_found() -> None:
    assert finder_targets(scene(DrawnDie((80.0, 80.0), 90.0, 3)), level=1)[0].max() == 0


@pytest.mark.parametrize(
    "die", [DrawnDie((80.0, 80.0), 20.0, UNKNOWN_VALUE), DrawnDie((80.0, 80.0), 32.1, 4)]
)
def test_a_die_of_unknown_value_or_of_a_size_between_levels_may_be_found_or_not(die: DrawnDie) -> None:
    target = finder_targets(scene(die), level=1)
    assert target[0].max() == 0
    assert target[5, 10, 10] == 0
    assert target[5, 2, 2] == 1


@pytest.mark.parametrize(
    ("die", "expected"),
    [
        (DrawnDie((80.0, 80.0), 20.0, 5), 5),
        (DrawnDie((80.0, 80.0), 20.0, 5, cocked=True), COCKED),
        (DrawnDie((80.0, 80.0), 20.0, 5, hidden=True), HIDDEN),
    ],
)
def test_a_patch_around_a_die_is_labelled_by_what_is_recognisable(die: DrawnDie, expected: int) -> None:
    labels, offsets = label(scene(die), np.array([[78.0, 80.0], [20.0, 20.0]]), np.array([20.0, 20.0]))
    assert labels.tolist() == [expected, 0]
    assert offsets[0].tolist() == pytest.approx([0.1, 0.0, 0.0])


# --- pictures -------------------------------------------------------------------------------------------------


def test_white_dice_on_a_black_table_are_often_not_clipped() -> None:
    from vision.training.camera import photograph_of

    radiance = np.full((96, 96, 3), 0.004, np.float32)
    radiance[30:66, 30:66] = 0.5
    photos = [photograph_of(np.random.default_rng(seed), radiance, 25.0) for seed in range(60)]
    burnt = np.array([(photo[34:62, 34:62] > 250).all(2).mean() > 0.5 for photo in photos])
    assert 0.1 < burnt.mean() < 0.7


@pytest.mark.parametrize("ground", GROUNDS)
def test_a_photo_of_a_table_is_exposed_to_show_it(
    ground: Callable[[np.random.Generator, int], np.ndarray],
) -> None:
    from vision.training.camera import photograph_of

    rng = np.random.default_rng(1)
    radiance = (np.clip(ground(rng, 96), 1, 255) / 255) ** 2.2 * 0.01  # a dim lamp
    photo = photograph_of(rng, radiance.astype(np.float32), 25.0)
    assert photo.shape == (96, 96, 3)
    assert 20 < photo.mean() < 235


def test_the_same_seed_renders_the_same_scene() -> None:
    pytest.importorskip("bpy", reason="Blender's Python module is not installed (extra train)")
    from vision.dice.training.scenes import render_scene

    first, second = (render_scene(np.random.default_rng(4), 64, (13, 29)) for _ in range(2))
    assert (first.radiance == second.radiance).all()
    assert first.dice == second.dice


def test_glare_only_lightens_patches() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra train)")
    from vision.dice.training.train import _glaring

    patches = torch.rand(200, 3, PATCH, PATCH)
    glaring = _glaring(patches)
    assert (glaring >= patches).all()
    assert glaring.max() <= 1
    assert 0.05 < ((glaring - patches).amax((1, 2, 3)) > 0.02).float().mean() < 0.3


# --- networks -------------------------------------------------------------------------------------------------


def test_with_frozen_statistics_a_network_trains_as_in_inference() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra train)")
    from vision.dice.training.networks import Reader
    from vision.training.learning import freeze_statistics

    reader, patches = Reader().train(), torch.rand(4, 12, 28, 28)
    assert not torch.allclose(reader(patches), reader.eval()(patches), atol=1e-3)
    freeze_statistics(reader.train())
    assert torch.allclose(reader(patches), reader.eval()(patches), atol=1e-5)


def test_half_precision_weights_answer_as_the_network_that_learnt_them(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra train)")
    from vision.dice.training.networks import Reader
    from vision.training.layers import any_picture, export

    reader, patch = Reader(), np.random.default_rng(0).integers(0, 256, (1, PATCH, PATCH, 3), np.uint8)
    export(reader, any_picture(PATCH, READER_FOLD), {0: "patches"}, tmp_path / "reader.onnx")
    assert (tmp_path / "reader.onnx").stat().st_size < 2.2 * sum(p.numel() for p in reader.parameters())
    network = cv2.dnn.readNetFromONNX(str(tmp_path / "reader.onnx"))
    network.setInput(pixel_unshuffle(patch, READER_FOLD))
    with torch.no_grad():
        expected = reader(torch.from_numpy(pixel_unshuffle(patch, READER_FOLD))).numpy()
    assert np.allclose(network.forward(), expected, atol=0.01)


@pytest.mark.parametrize("name", ["Finder", "Sifter", "Reader"])
def test_a_network_restored_from_its_file_answers_as_the_file_does(name: str) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra train)")
    from vision.dice.networks import WEIGHTS
    from vision.dice.training import networks
    from vision.training.layers import restore

    network, weights = getattr(networks, name)(), WEIGHTS / f"{name.lower()}.onnx"
    restore(network, weights)
    fold = CELL if name == "Finder" else network.fold
    picture = torch.rand(1, 3 * fold**2, PATCH // fold, PATCH // fold) - 0.5
    file = cv2.dnn.readNetFromONNX(str(weights))
    file.setInput(picture.numpy())
    with torch.no_grad():
        assert np.allclose(file.forward(), network.eval()(picture).numpy(), atol=1e-4)


def test_weights_can_be_averaged_with_earlier_ones() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra train)")
    from vision.dice.networks import WEIGHTS
    from vision.dice.training.networks import Sifter
    from vision.training.layers import blend, restore

    before, after = Sifter(), Sifter()
    restore(before, WEIGHTS / "sifter.onnx")
    restore(after, WEIGHTS / "sifter.onnx")
    layer = next(module for module in after.modules() if isinstance(module, torch.nn.Linear))
    known = next(module for module in before.modules() if isinstance(module, torch.nn.Linear)).weight
    layer.weight.data += 1.0
    blend(after, WEIGHTS / "sifter.onnx", 0.5)
    assert torch.allclose(layer.weight, known + 0.5, atol=1e-5)
