"""Trains the finder, the sifter and the reader: ``python -m vision.dice.training.train --help``.

Needs the extra ``train`` (PyTorch, onnx, Blender's module), which reading dice does not. The networks see synthetic
scenes only, no photos.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import click
import cv2
import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  (PyTorch's own habit)

from ...pyramid import build_pyramid, padded
from ...training.layers import any_picture, blend, export, restore
from ...training.learning import batches, heat_loss, mosaic, pixel_unshuffle
from ..networks import CELL, CLASSES, MULTIPLE, NO_DIE, WEIGHTS, DiceNetworks
from ..patches import FACE_IN_PATCH, PATCH
from .examples import finder_targets, reader_patches
from .networks import Finder, PatchClassifier, Reader, Sifter
from .scenes import Rendered, Scene, printed_scene, render_scene

SCENE_SIZE = 224
"""px; enough for a handful of dice."""
SIDES = ((9.0, 16.0), (9.5, 26.0), (14.0, 40.0), (20.0, 60.0), (40.0, 170.0))
"""px, used in turn: small dice, and large ones that teach the finder which scales to ignore."""
CHUNK = 25
"""Scenes per file of the cache, and photos per batch of cut patches."""
FINDER_LEVELS = (1, 2, 3)
MOSAIC = 4
"""Scenes along a side of the pictures that the finder learns from."""
STRETCH = 0.12
"""Standard deviation of the log of the stretching of patches."""
CONTRASTS = 0.6, 1.1
"""Contrast of a picture by that of its scene: pale dice on pale paper under a lamp have little."""
WITH_GLARE = 0.15
"""Share of the patches with the reflection of a lamp ..."""
BRIGHTEST = 0.7
"""... and how far the strongest one moves a colour towards white: what is below can still be seen."""


def rendered(seed: int, count: int, cache: Path, processes: int) -> list[Rendered]:
    """Returns *count* rendered scenes; those in *cache* from an earlier run are reused."""
    cache.mkdir(parents=True, exist_ok=True)
    chunks = [(seed, first, cache / f"{seed}-{first // CHUNK:04}.pickle") for first in range(0, count, CHUNK)]
    with get_context("spawn").Pool(processes) as pool:  # Blender does not survive a fork
        pool.starmap(_render_chunk, [c for c in chunks if not c[2].exists()], chunksize=1)
    return [scene for *_, path in chunks for scene in pickle.loads(path.read_bytes())][:count]


def _render_chunk(seed: int, first: int, path: Path) -> None:
    cv2.setNumThreads(1)
    made = [
        render_scene(np.random.default_rng((seed, i)), SCENE_SIZE, SIDES[i % len(SIDES)])
        for i in range(first, first + CHUNK)
    ]
    path.with_suffix(".part").write_bytes(pickle.dumps(made))
    path.with_suffix(".part").rename(path)


def printed(seed: int, count: int) -> list[Rendered]:
    """Returns *count* scenes without any dice."""
    return [
        printed_scene(np.random.default_rng((seed, 1, i)), SCENE_SIZE, SIDES[i % len(SIDES)])
        for i in range(count)
    ]


def photographs(scenes: list[Rendered], copies: int, seed: int) -> Iterator[Scene]:
    """Yields each scene photographed *copies* times, each time by another camera."""
    for copy in range(copies):
        for i, scene in enumerate(scenes):
            yield scene.photograph(np.random.default_rng((seed, copy, i)))


# --- finder --------------------------------------------------------------------------------------------------


def finder_loss(output: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Returns the heat's loss, and L1 on place and size near dice."""
    heat = target[:, 0]
    loss = heat_loss(output[:, 0], heat)
    place = (output[:, 1:] - target[:, 1:4]).abs().sum(1) * target[:, 4] * heat
    return ((loss * target[:, 5]).sum() + 0.5 * place.sum()) / len(output) / MOSAIC**2


def train_finder(network: Finder, photos: list[Scene], epochs: float, *, restored: bool) -> None:
    pyramids = [build_pyramid(photo.frame, SCENE_SIZE // 2 ** max(FINDER_LEVELS)) for photo in photos]
    examples = [
        (
            np.stack([padded(pyramid[level], MULTIPLE) for pyramid in pyramids]),
            np.stack([finder_targets(photo, level) for photo in photos]),
        )
        for level in FINDER_LEVELS
    ]
    for batch, learn in batches(
        network,
        len(photos),
        epochs,
        batch_size=2 * MOSAIC**2,
        rate=6e-3,
        name="finder",
        restored=restored,
    ):
        mirrored, upside_down, across = np.random.random(3) < 0.5
        losses = []
        for frames, targets in examples:
            pictures, target = _colours(frames[batch]), torch.from_numpy(targets[batch].copy())
            pictures, target = _flipped(pictures, target, mirrored, upside_down, across)
            losses.append(
                finder_loss(network(pixel_unshuffle(mosaic(pictures, MOSAIC), CELL)), mosaic(target, MOSAIC))
            )
        learn(torch.stack(losses).sum())


def _flipped(
    pictures: torch.Tensor, target: torch.Tensor, mirrored: bool, upside_down: bool, across: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the batch mirrored along x, along y, and with x and y exchanged, with its offsets (dx, dy)."""
    if mirrored:
        pictures, target = pictures.flip(3), target.flip(3)
        target[:, 1] *= -1
    if upside_down:
        pictures, target = pictures.flip(2), target.flip(2)
        target[:, 2] *= -1
    if across:
        pictures, target = pictures.transpose(2, 3), target.transpose(2, 3)[:, [0, 2, 1, 3, 4, 5]]
    return pictures, target


# --- sifter and reader --------------------------------------------------------------------------------------


def patches_of(photos: list[Scene], weights: Path, seed: int, processes: int) -> list[np.ndarray]:
    """Returns the training data of a classifier: patches of all *photos*, their classes, and the positions of their
    dice.

    *weights* is the folder of the finder that proposes the patches.
    """
    tasks = (
        (weights, (seed, first), photos[first : first + CHUNK]) for first in range(0, len(photos), CHUNK)
    )
    with get_context("spawn").Pool(processes) as pool:
        found = list(pool.imap(_cut_patches, tasks))
    return [np.concatenate(column) for column in zip(*found, strict=True)]


def _cut_patches(task: tuple[Path, tuple[int, int], list[Scene]]) -> list[np.ndarray]:
    weights, seed, photos = task
    cv2.setNumThreads(1)
    finder, rng = DiceNetworks(weights), np.random.default_rng(seed)
    found = [reader_patches(photo, finder, rng) for photo in photos]
    return [np.concatenate(column) for column in zip(*found, strict=True)]


def train_classifier(
    network: PatchClassifier,
    patches: np.ndarray,
    classes: np.ndarray,
    places: np.ndarray,
    epochs: float,
    *,
    restored: bool,
) -> None:
    name = type(network).__name__.lower()
    for batch, learn in batches(
        network, len(patches), epochs, batch_size=128, rate=4e-3, name=name, restored=restored
    ):
        pictures, where = _turned(patches[batch], places[batch])
        pictures, where = _stretched(_glaring(_colours(pictures)), torch.from_numpy(where))
        output = network(pixel_unshuffle(pictures, network.fold))
        truth = torch.from_numpy(classes[batch])
        read = F.cross_entropy(output[:, :CLASSES], truth, label_smoothing=0.01)
        dice = truth != NO_DIE
        placed = (output[dice, CLASSES:] - where[dice]).abs().mean() if dice.any() else 0.0
        learn(read + placed)


def _turned(patches: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the batch turned by a random quarter and perhaps mirrored, with its offsets (dx, dy)."""
    places = places.copy()
    for _ in range(np.random.randint(4)):
        patches = patches.transpose(0, 2, 1, 3)[:, ::-1]
        places[:, :2] = np.column_stack([places[:, 1], -places[:, 0]])
    if np.random.random() < 0.5:
        patches = patches[:, :, ::-1]
        places[:, 0] *= -1
    return patches, places


def _stretched(pictures: torch.Tensor, places: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns the batch drawn out along x or y by a few per cent, as by pixels that are not square, with its
    offsets."""
    stretch = torch.exp(STRETCH * torch.randn(len(pictures)))
    warp = torch.zeros(len(pictures), 2, 3)
    warp[:, 0, 0], warp[:, 1, 1] = 1 / stretch, stretch
    grid = F.affine_grid(warp, list(pictures.shape), align_corners=False)
    drawn_out = F.grid_sample(pictures, grid, padding_mode="border", align_corners=False)
    return drawn_out, places * torch.stack([stretch, 1 / stretch, torch.ones_like(stretch)], 1)


# --- both ----------------------------------------------------------------------------------------------------


def _colours(frames: np.ndarray) -> torch.Tensor:
    """Returns (B, H, W, 3) uint8 to (B, 3, H, W) float 0..1, the channels in random order and gain."""
    order = np.random.permutation(3)
    tensor = torch.from_numpy(np.ascontiguousarray(frames[..., order])).permute(0, 3, 1, 2).float() / 255
    gain = torch.empty(len(frames), 1, 1, 1).uniform_(0.8, 1.2) * torch.empty(len(frames), 3, 1, 1).uniform_(
        0.9, 1.1
    )
    mean = tensor.mean((2, 3), keepdim=True)
    contrast = torch.empty(len(frames), 1, 1, 1).uniform_(*CONTRASTS)
    return ((mean + contrast * (tensor - mean)) * gain).clamp(0, 1)


def _glaring(pictures: torch.Tensor) -> torch.Tensor:
    """Returns the batch, in some of whose patches a lamp is reflected near the middle."""
    count, size = len(pictures), pictures.shape[-1]
    along = (torch.arange(size) - (size - 1) / 2) / FACE_IN_PATCH
    centre, reach = (
        torch.empty(count, 2, 1, 1).uniform_(-0.6, 0.6),
        torch.empty(count, 2, 1, 1).uniform_(0.1, 0.5),
    )
    away = ((along - centre[:, :1]) / reach[:, :1]) ** 2 + (
        (along[:, None] - centre[:, 1:]) / reach[:, 1:]
    ) ** 2
    strength = torch.empty(count, 1, 1, 1).uniform_(0, BRIGHTEST) * (torch.rand(count, 1, 1, 1) < WITH_GLARE)
    return pictures + (1 - pictures) * strength * torch.exp(-away / 2)


def _with_start_weights(network: Finder | PatchClassifier, start: Path | None) -> Finder | PatchClassifier:
    """Returns *network*, with the weights from *start*, if given."""
    if start is not None:
        restore(network, _file_of(network, start))
    return network


def _blend_with_start(network: Finder | PatchClassifier, start: Path | None, share: float) -> None:
    """Blends *network* with its weights in *start*, which have this *share*, if it was trained from there."""
    if start is not None:
        blend(network, _file_of(network, start), share)


def _file_of(network: Finder | PatchClassifier, folder: Path) -> Path:
    return folder / f"{type(network).__name__.lower()}.onnx"


@click.command()
@click.option("--scenes", "count", default=3_000, show_default=True, help="Scenes to render.")
@click.option("--printed", "flat", default=1_500, show_default=True, help="Scenes with print alone.")
@click.option("--copies", default=5, show_default=True, help="Photos taken of each scene.")
@click.option("--finder-epochs", default=10.0, show_default=True, help="0 keeps the finder that is in --out.")
@click.option("--sifter-epochs", default=6.0, show_default=True, help="0 trains no sifter.")
@click.option("--reader-epochs", default=15.0, show_default=True, help="0 trains no reader.")
@click.option("--seed", default=5, show_default=True)
@click.option("--processes", default=2, show_default=True, help="That render or cut at the same time.")
@click.option(
    "--cache", type=click.Path(path_type=Path), required=True, help="Folder for the rendered scenes."
)
@click.option(
    "--start", type=click.Path(path_type=Path), help="Folder of weights to go on from, with other scenes."
)
@click.option("--keep", default=0.5, show_default=True, help="Share of those weights in the result.")
@click.option("--out", type=click.Path(path_type=Path), default=WEIGHTS, help="Folder for the weights.")
def main(
    count: int,
    flat: int,
    copies: int,
    finder_epochs: float,
    sifter_epochs: float,
    reader_epochs: float,
    seed: int,
    processes: int,
    cache: Path,
    start: Path | None,
    keep: float,
    out: Path,
) -> None:
    """Renders scenes, trains the finder, then the other two on what the finder finds, and writes the weights."""
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    np.random.seed(seed)
    scenes = [*rendered(seed, count, cache, processes), *printed(seed, flat)]
    photos = list(photographs(scenes, copies, seed))
    out.mkdir(parents=True, exist_ok=True)
    if finder_epochs:
        finder = _with_start_weights(Finder(), start)
        train_finder(finder, photos, finder_epochs, restored=start is not None)
        _blend_with_start(finder, start, keep)
        export(finder, any_picture(SCENE_SIZE, CELL), {2: "height", 3: "width"}, out / "finder.onnx")
    if sifter_epochs or reader_epochs:
        patches, classes, places = patches_of(photos, out, seed, processes)
        photos.clear()  # the patches need the memory
        click.echo(f"{len(patches)} patches; of each class {np.bincount(classes).tolist()}")
        for network, epochs in ((Sifter(), sifter_epochs), (Reader(), reader_epochs)):
            if epochs:
                _with_start_weights(network, start)
                train_classifier(network, patches, classes, places, epochs, restored=start is not None)
                _blend_with_start(network, start, keep)
                name = type(network).__name__.lower()
                export(network, any_picture(PATCH, network.fold), {0: "patches"}, out / f"{name}.onnx")


if __name__ == "__main__":
    main()
