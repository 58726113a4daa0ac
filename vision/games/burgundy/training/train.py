"""Trains the space finder and the space reader: ``python -m vision.games.burgundy.training.train --help``.

Needs the extra ``train`` (PyTorch, onnx), which reading boards does not. The networks see synthetic scenes only.
"""

from __future__ import annotations

import pickle
from multiprocessing import get_context
from pathlib import Path

import click
import cv2
import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  (PyTorch's own habit)

from calibration.games.burgundy import BOARDS

from ....boards.networks import (
    CELL,
    EMPTY,
    FACE,
    FINDER_WEIGHTS,
    HIDDEN,
    KNOWN,
    READER_FOLD,
    SPACE_TYPE,
    TYPE,
    encode_known,
    reader_weights,
)
from ....geometry import PATCH_PX
from ....training.layers import any_picture, blend, export, restore
from ....training.learning import batches, heat_loss, mosaic, pixel_unshuffle
from .examples import Examples, FinderExamples, joined, make_examples
from .networks import SpaceFinder, SpaceReader
from .tables import PLACES, UNKNOWN
from .targets import HEAT, LOG_PITCH, LOSS_MASK, PICTURE, PLACED

CHUNK = 25
"""Tables per file of the cache."""
PHOTOS = 2
"""Photos of each table, in different light by different cameras."""
MOSAIC = 2
"""Pictures along a side of the training pictures of the finder, so that it does not rely on the border being near."""
GIVEN_PRINT = 0.5
"""Share of the boards whose print is given to the reader."""
NOISY = 0.2
"""Share of the batches with added noise."""
START_SHARE = 0.5
"""Share of the weights that training started from, if any, in those that it writes."""
WEIGHT = {"empty": 2.0, "type": 1.0, "colour": 0.5, "face": 0.3, "hidden": 0.3}
"""Weights of the reader's losses."""
HIDDEN_WEIGHT = 0.3
"""Weight of a hidden place in the losses of what lies there."""


def examples(seed: int, count: int, cache: Path, processes: int) -> tuple[Examples, FinderExamples]:
    """Returns the examples of *count* tables; those in *cache* from an earlier run are reused."""
    cache.mkdir(parents=True, exist_ok=True)
    chunks = [(seed, first, cache / f"{seed}-{first // CHUNK:04}.pickle") for first in range(0, count, CHUNK)]
    with get_context("spawn").Pool(processes) as pool:
        pool.starmap(_make_chunk, [c for c in chunks if not c[2].exists()], chunksize=1)
    parts = [pickle.loads(path.read_bytes()) for *_, path in chunks]
    return joined([read for read, _ in parts]), joined([found for _, found in parts])


def _make_chunk(seed: int, first: int, path: Path) -> None:
    cv2.setNumThreads(1)
    made = make_examples(seed, first, CHUNK, PHOTOS)
    path.with_suffix(".part").write_bytes(pickle.dumps(made))
    path.with_suffix(".part").rename(path)


def _brightness(rng: np.random.Generator, count: int) -> torch.Tensor:
    """Returns (count, 3) gains of the channels."""
    gain = np.exp(rng.normal(0, 0.12, (count, 3)) + rng.normal(0, 0.15, (count, 1)))
    return torch.from_numpy(gain).float()


# --- finder --------------------------------------------------------------------------------------------------


def finder_loss(answer: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Returns the loss of the heat, and L1 of everything else near spaces."""
    heat = target[:, HEAT]
    loss = heat_loss(answer[:, HEAT], heat)
    near = target[:, PLACED] * heat
    off = (answer[:, 1:] - target[:, 1:PLACED]).abs().sum(1) * near
    return (loss * target[:, LOSS_MASK]).sum() / (heat >= 1).sum().clamp(
        min=1
    ) + off.sum() / near.sum().clamp(min=1)


def train_finder(
    network: SpaceFinder, made: FinderExamples, epochs: float, rng: np.random.Generator, *, restored: bool
) -> None:
    count, size = len(made.pictures), 4 * MOSAIC**2
    for rows, learn in batches(network, count, epochs, size, 4e-3, "finder", restored=restored):
        pictures = torch.from_numpy(made.pictures[rows]).permute(0, 3, 1, 2).float() / 255
        pictures = (pictures * _brightness(rng, len(rows))[..., None, None]).clamp(0, 1)
        target = torch.from_numpy(made.targets[rows].astype(np.float32))
        for axis, offset in ((3, 1), (2, 2)):  # mirrored, a direction's sine changes its sign either way
            if rng.random() < 0.5:
                pictures, target = pictures.flip(axis), target.flip(axis)
                target[:, [offset, LOG_PITCH + 2]] *= -1
        learn(finder_loss(network(pixel_unshuffle(mosaic(pictures, MOSAIC), CELL)), mosaic(target, MOSAIC)))


# --- reader --------------------------------------------------------------------------------------------------


def train_reader(
    network: SpaceReader, made: Examples, epochs: float, rng: np.random.Generator, *, restored: bool
) -> None:
    count = len(made.patches)
    for rows, learn in batches(network, count, epochs, 16, 2e-3, "reader", restored=restored):
        there = made.there[rows]
        patches = _patches(made.patches[rows], there, rng)
        answer = network(patches, _known(made, rows, rng), torch.from_numpy(~there))
        losses = reader_losses(answer, made, rows)
        learn(torch.stack([WEIGHT[name] * loss for name, loss in losses.items()]).sum())


def _patches(patches: np.ndarray, there: np.ndarray, rng: np.random.Generator) -> torch.Tensor:
    """Converts those of the patches (B, PLACES, PATCH_PX, PATCH_PX, 3) uint8 that are *there* to reader input:
    brighter, darker, mirrored, noisier."""
    pictures = torch.from_numpy(patches[there]).float() / 255
    pictures = pictures * _brightness(rng, len(patches))[np.nonzero(there)[0], None, None]
    if rng.random() < 0.5:
        pictures = pictures.flip(2)
    if rng.random() < NOISY:
        pictures = pictures + torch.randn_like(pictures) * rng.exponential(0.025)
    return pixel_unshuffle(pictures.clamp(0, 1).permute(0, 3, 1, 2), READER_FOLD)


def _known(made: Examples, rows: np.ndarray, rng: np.random.Generator) -> torch.Tensor:
    """Returns (N, KNOWN) of the N places there: the print of some boards is given; what is printed outside the boards
    never is."""
    position, there = made.position[rows], made.there[rows]
    given = np.isfinite(position[..., 0]) & (rng.random((len(rows), 1)) < GIVEN_PRINT)
    colour, die = (np.where(given, column[rows], UNKNOWN)[there] for column in (made.space_type, made.die))
    return torch.from_numpy(encode_known(position[there], colour, die))


def reader_losses(answer: torch.Tensor, made: Examples, rows: np.ndarray) -> dict[str, torch.Tensor]:
    """Returns the loss of each kind of answer.

    On a hidden place, which may still show a little, the reader must know how much it can tell: it is asked what lies
    there, but this counts for less.
    """
    there = made.there[rows]
    colour, die, tile = (
        torch.from_numpy(column[rows][there].astype(np.int64))
        for column in (made.space_type, made.die, made.tile)
    )
    hidden = torch.from_numpy(made.hidden[rows][there])
    bare, occupied = tile < 0, tile >= 0
    coloured, faced = bare & ~hidden & (colour >= 0), bare & ~hidden & (die > 0)
    weight = torch.where(hidden, HIDDEN_WEIGHT, 1.0)
    binary = F.binary_cross_entropy_with_logits
    empty = binary(answer[:, EMPTY][:, 0], bare.float(), reduction="none")
    tile_type = F.cross_entropy(answer[occupied, TYPE], tile[occupied], reduction="none")
    return {
        "empty": (weight * empty).sum() / weight.sum(),
        "type": (weight[occupied] * tile_type).sum() / weight[occupied].sum(),
        "colour": F.cross_entropy(answer[coloured, SPACE_TYPE], colour[coloured]),
        "face": F.cross_entropy(answer[faced, FACE], die[faced] - 1),
        "hidden": binary(answer[:, HIDDEN][:, 0], hidden.float()),
    }


@click.command()
@click.option("--tables", default=6_000, show_default=True, help="Tables to draw.")
@click.option("--finder-epochs", default=10.0, show_default=True, help="0 trains no finder.")
@click.option("--reader-epochs", default=10.0, show_default=True, help="0 trains no reader.")
@click.option("--seed", default=1, show_default=True)
@click.option("--processes", default=2, show_default=True, help="That draw tables at the same time.")
@click.option("--cache", type=click.Path(path_type=Path), required=True, help="Folder for what was drawn.")
@click.option(
    "--start", type=click.Path(path_type=Path), help="Folder of weights to go on from, with other tables."
)
@click.option(
    "--reader", "name", default="reader", show_default=True, help="Its file: several make one reader."
)
@click.option(
    "--finder-out",
    type=click.Path(path_type=Path),
    default=FINDER_WEIGHTS,
    help="Folder for the finder's.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=reader_weights(BOARDS.game),
    help="Folder for the reader's.",
)
def main(
    tables: int,
    finder_epochs: float,
    reader_epochs: float,
    seed: int,
    processes: int,
    cache: Path,
    start: Path | None,
    name: str,
    finder_out: Path,
    out: Path,
) -> None:
    """Draws tables, trains both networks on them and writes the weights."""
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    np.random.seed(seed)
    read, found = examples(seed, tables, cache, processes)
    for folder in (finder_out, out):
        folder.mkdir(parents=True, exist_ok=True)
    if finder_epochs:
        finder = SpaceFinder()
        if start is not None:
            restore(finder, start / "finder.onnx")
        train_finder(finder, found, finder_epochs, rng, restored=start is not None)
        if start is not None:
            blend(finder, start / "finder.onnx", START_SHARE)
        export(finder, any_picture(PICTURE, CELL), {2: "height", 3: "width"}, finder_out / "finder.onnx")
    if reader_epochs:
        reader = SpaceReader()
        if start is not None:
            restore(reader, start / f"{name}.onnx")
        train_reader(reader, read, reader_epochs, rng, restored=start is not None)
        if start is not None:
            blend(reader, start / f"{name}.onnx", START_SHARE)
        side = PATCH_PX // READER_FOLD
        inputs = {
            "patches": torch.rand(PLACES, 3 * READER_FOLD**2, side, side),
            "known": torch.rand(PLACES, KNOWN),
        }
        export(reader, inputs, {0: "places"}, out / f"{name}.onnx")


if __name__ == "__main__":
    main()
