"""The drawn scenes that the dice networks learn from tell the truth about themselves."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.dice.training.photos import photo_scenes
from vision.dice.training.scenes import draw_scene
from vision.dice.training.solids import PIP_LAYOUTS, UNKNOWN_VALUE, DieLook, draw_die, rotation

LOOK = DieLook(
    body=np.array([230.0, 230.0, 230.0]),
    pip=np.array([0.0, 0.0, 0.0]),
    pip_radius=0.1,
    pip_spacing=0.25,
    six_narrowing=1.0,
    one_radius=0.1,
    roundness=0.1,
    side_shades=(0.8, 0.6, 0.5),
    translucency=0.0,
    gloss=0.0,
    dimple=0.0,
)


def drawn(value: int, tilt: float) -> tuple[np.ndarray, object]:
    canvas = np.full((200, 200, 3), 120, np.float32)
    die = draw_die(canvas, LOOK, value, (100, 100), 80, rotation(0.0, tilt, 0.0), np.random.default_rng(0))
    return canvas, die


@pytest.mark.parametrize("value", PIP_LAYOUTS)
def test_a_flat_die_shows_as_many_pips_as_its_value(value: int) -> None:
    canvas, _ = drawn(value, tilt=0.0)
    face = canvas[62:139, 62:139, 0]
    one_pip = np.pi * (0.1 * 80 * 12 / 11.5) ** 2
    assert (face < 60).sum() / one_pip == pytest.approx(value, rel=0.15)


@pytest.mark.parametrize(("degrees", "cocked"), [(0, False), (30, False), (44, True)])
def test_a_die_on_its_edge_is_cocked(degrees: float, cocked: bool) -> None:
    _, die = drawn(3, tilt=np.radians(degrees))
    assert die.cocked == cocked


def test_the_same_seed_draws_the_same_scene() -> None:
    first, second = (draw_scene(np.random.default_rng(4), 128, (13, 29)) for _ in range(2))
    assert (first.frame == second.frame).all()


def test_the_dice_of_a_scene_lie_in_it_at_the_size_asked_for() -> None:
    for seed in range(6):
        scene = draw_scene(np.random.default_rng(seed), 160, (13, 29))
        for die in scene.dice:
            assert min(die.centre) > 0
            assert max(die.centre) < 160
            assert 12 < die.side < 31


def test_edges_between_faces_can_be_soft() -> None:
    soft = np.full((200, 200, 3), 120, np.float32)
    look = replace(LOOK, edge_softness=0.1)
    draw_die(soft, look, 1, (100, 100), 80, rotation(0.0, 0.5, 0.0), np.random.default_rng(0))
    hard, _ = drawn(1, tilt=0.5)
    assert np.abs(np.diff(soft[..., 0], axis=0)[70:130, 95:105]).max() < (
        np.abs(np.diff(hard[..., 0], axis=0)[70:130, 95:105]).max()
    )
    assert (soft[:40] == 120).all()


def test_pips_of_some_faces_can_have_another_colour() -> None:
    canvas = np.full((200, 200, 3), 120, np.float32)
    look = replace(LOOK, odd_pip=np.array([0.0, 0.0, 200.0]), odd_faces=(4,))
    for value, red in ((4, True), (6, False)):
        draw_die(canvas, look, value, (100, 100), 80, rotation(0.0, 0.0, 0.0), np.random.default_rng(0))
        assert ((canvas[..., 2] > 150) & (canvas[..., 0] < 60)).any() == red


# --- photos ---------------------------------------------------------------------------------------------------


def labelled_photo(folder: Path) -> Path:
    """A grey photo with a white square, labelled as a die that shows 3, and a box that is to be ignored."""
    photo = np.full((300, 400, 3), 90, np.uint8)
    photo[100:150, 200:250] = 255
    cv2.imwrite(str(folder / "mine_1.png"), photo)
    label = {
        "image": "mine_1.png",
        "dice": [{"value": 3, "colour": "white", "box": [200, 100, 50, 50]}],
        "ignore": [[20, 20, 40, 40]],
    }
    (folder / "labels.json").write_text(json.dumps([label]), encoding="utf-8")
    return folder


def test_parts_of_a_photo_show_its_dice_where_they_say(tmp_path: Path) -> None:
    parts = photo_scenes(labelled_photo(tmp_path), 12, 256, np.random.default_rng(1))
    assert len(parts) == 12
    whole = [(part, die) for part in parts for die in part.dice if die.value == 3]
    assert len(whole) >= 4
    for part, die in whole:
        x, y = map(round, die.centre)
        assert part.frame[y, x].min() > 200


def test_ignored_boxes_are_dice_of_unknown_value(tmp_path: Path) -> None:
    parts = photo_scenes(labelled_photo(tmp_path), 30, 256, np.random.default_rng(1))
    assert {die.value for part in parts for die in part.dice} == {3, UNKNOWN_VALUE}


def test_photos_of_a_source_can_be_left_out(tmp_path: Path) -> None:
    assert photo_scenes(labelled_photo(tmp_path), 3, 128, np.random.default_rng(1), without=["mine_"]) == []
