"""Training steps shared by all networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click
import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  (PyTorch's own habit)

LEARN_STATISTICS = 0.7
"""Share of the steps in which batches are normalised by their own statistics. Those of the pyramid's levels differ: a
network that never trains with the running averages fails on an empty table."""

SLOWER = 0.2
"""Factor of the learning rate for a network that is already trained."""


def pixel_unshuffle(pictures: torch.Tensor, block: int) -> torch.Tensor:
    """Converts (B, 3, H, W) float 0..1 to the input of the networks (:func:`vision.pyramid.pixel_unshuffle`)."""
    return F.pixel_unshuffle(pictures - 0.5, block).contiguous(memory_format=torch.channels_last)


def mosaic(batch: torch.Tensor, across: int) -> torch.Tensor:
    """Converts (B, C, H, W) to (B / across², C, across H, across W): pictures side by side.

    A single scene is hardly larger than the receptive field of a finder, which would learn to rely on the border being
    near; in a whole frame it is far away.
    """
    count, channels, height, width = batch.shape
    grid = batch.reshape(count // across**2, across, across, channels, height, width)
    return grid.permute(0, 3, 1, 4, 2, 5).reshape(-1, channels, across * height, across * width)


def heat_loss(logit: torch.Tensor, heat: torch.Tensor) -> torch.Tensor:
    """Returns the penalty-reduced focal loss of each cell (Law and Deng, CornerNet, 2018); *heat* is 1 at objects."""
    chance = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    return torch.where(
        heat >= 1, -((1 - chance) ** 2) * chance.log(), -((1 - heat) ** 4) * chance**2 * (1 - chance).log()
    )


def batches(
    network: torch.nn.Module,
    count: int,
    epochs: float,
    batch_size: int,
    rate: float,
    name: str,
    *,
    restored: bool = False,
) -> Iterator[tuple[np.ndarray, Callable[[torch.Tensor], None]]]:
    """Yields (rows of a batch, function to call with its loss), with one cycle of the learning rate over all epochs.

    A *restored* network continues training with a lower rate and its existing statistics.
    """
    rate = rate * SLOWER if restored else rate
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-3)
    steps = max(int(epochs * count / batch_size), 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps)
    losses: list[float] = []

    def learn(loss: torch.Tensor) -> None:
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        losses.append(float(loss.detach()))

    network.train().to(memory_format=torch.channels_last)  # as the pictures are: twice as fast
    rows = np.empty(0, int)
    for step in range(steps):
        if step == (0 if restored else int(LEARN_STATISTICS * steps)):
            freeze_statistics(network)
        if len(rows) < batch_size:
            rows = np.random.permutation(count)
        batch, rows = rows[:batch_size], rows[batch_size:]
        yield batch, learn
        if len(losses) == max(1, steps // 20):
            click.echo(f"{name} {(step + 1) / steps:.0%}: loss {np.mean(losses):.4f}")
            losses.clear()


def freeze_statistics(network: torch.nn.Module) -> None:
    """Normalises by the running averages from now on, as in inference, instead of those of each batch."""
    for layer in network.modules():
        if isinstance(layer, torch.nn.BatchNorm2d):
            layer.eval()
