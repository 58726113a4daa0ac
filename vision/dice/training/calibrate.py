"""Calibrates the confidences of the networks: ``python -m vision.dice.training.calibrate --help``.

Prints the constants of :mod:`vision.dice.evidence`, fitted on scenes that the networks have not seen.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
import cv2
import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  (PyTorch's own habit)

from ...pyramid import build_pyramid
from ..networks import NO_DIE
from ..reading import MIN_LEVEL, detect_faces
from .examples import UNSURE, label
from .train import photographs, printed, rendered


@click.command()
@click.option("--scenes", "count", default=250, show_default=True)
@click.option("--printed", "flat", default=200, show_default=True, help="Scenes with print alone.")
@click.option("--copies", default=4, show_default=True, help="Photos taken of each scene.")
@click.option("--seed", default=7, show_default=True, help="Of the scenes; another one than the training's.")
@click.option("--processes", default=2, show_default=True, help="That render scenes at the same time.")
@click.option(
    "--cache", type=click.Path(path_type=Path), required=True, help="Folder for the rendered scenes."
)
def main(count: int, flat: int, copies: int, seed: int, processes: int, cache: Path) -> None:
    """Fits the weight of each network's answer, and prints by how much the reader's values could be more certain.

    This is not applied: on photos a network trained on synthetic scenes only is correct less often.
    """
    cv2.setNumThreads(1)
    heats, chances, truths = [], [], []
    scenes = [*rendered(seed, count, cache, processes), *printed(seed, flat)]
    for photo in photographs(scenes, copies, seed):
        faces = detect_faces(build_pyramid(photo.frame, MIN_LEVEL))
        truth, _ = label(photo, faces.centres, faces.sides)
        known = truth != UNSURE
        heats.append(faces.heats[known])
        chances.append(faces.probabilities[known])
        truths.append(truth[known])
    heat, chance, truth = (torch.from_numpy(np.concatenate(n)) for n in (heats, chances, truths))
    finder = torch.logit(heat.double(), 1e-4)
    reader = torch.logit(1 - chance[:, NO_DIE].double(), 1e-4)
    evidence = torch.stack([reader, finder, torch.ones_like(heat)], 1)
    weights = _fitted(
        torch.tensor([1.0, 1.0, 0.0]),
        lambda w: F.binary_cross_entropy_with_logits(evidence @ w, (truth != NO_DIE).double()),
    )
    dice = truth != NO_DIE
    # Guo et al., "On calibration of modern neural networks", 2017
    shown = chance[dice, 1:].double().clamp(1e-6).log()
    sharpness = _fitted(torch.tensor([1.0]), lambda k: F.cross_entropy(shown * k, truth[dice] - 1))
    click.echo(f"{len(truth)} places, {int(dice.sum())} of them dice")
    click.echo("READER_EVIDENCE, FINDER_EVIDENCE, NO_EVIDENCE = " + ", ".join(f"{w:.2f}" for w in weights))
    click.echo(f"inverse temperature of the values: {sharpness[0]:.2f}")


def _fitted(start: torch.Tensor, loss: Callable[[torch.Tensor], torch.Tensor]) -> list[float]:
    """Returns the local minimum of *loss* near *start*."""
    point = start.double().requires_grad_()
    optimiser = torch.optim.LBFGS([point], max_iter=100, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        value = loss(point)
        value.backward()
        return value

    optimiser.step(closure)
    minimum: list[float] = point.detach().tolist()
    return minimum


if __name__ == "__main__":
    main()
