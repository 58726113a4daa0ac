"""The drawn scenes that the dice networks learn from tell the truth about themselves."""

from __future__ import annotations

import numpy as np
import pytest

from vision.dice.training.scenes import draw_scene
from vision.dice.training.solids import PIP_LAYOUTS, DieLook, draw_die, rotation

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
