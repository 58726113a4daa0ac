"""Trains the finder and the reader: ``python -m vision.dice.training.train --help``.

Needs PyTorch and onnx, which reading dice does not. The weights shipped have seen drawn scenes alone. The reader's come
from one run of 25 minutes on two cores, with the finder that is shipped:

    python -m vision.dice.training.train --scenes 9000 --finder-epochs 0 --reader-epochs 8 --seed 11

The finder's were made by several runs, each going on from the one before (``--cache``) while the scenes were still
being improved, so a single fresh run gives other weights than these.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path

import click
import cv2
import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812  (PyTorch's own habit)

from vision.dice.networks import CELL, WEIGHTS, DiceNetworks
from vision.dice.pyramid import PATCH, build_pyramid, cut_patches, to_level
from vision.dice.reading import LEAST_LEVEL
from vision.dice.training.networks import Finder, Reader, export
from vision.dice.training.photos import photo_scenes
from vision.dice.training.scenes import Scene, draw_scene
from vision.dice.training.solids import UNKNOWN_VALUE, DrawnDie

SCENE_SIZE = 256
"""px; holds a handful of dice."""
SIDES = ((13.0, 30.0), (13.0, 30.0), (30.0, 160.0))
"""px, taken by the scenes in turn: small dice, and large ones that teach at which scale not to look."""
FINDER_LEVELS = (1, 2, 3)
FINDER_SIDES = (6.0, 17.0)
"""px at the finder's level: one octave and a little more. Dice of another size are for another level."""
SAME_SCALE, OTHER_SCALE = 0.5, 0.65
"""Difference of the logarithms of two sides up to which a patch shows the die, and from which it does not."""
NO_DIE, COCKED = 0, 7
UNSURE = -1
LEAST_CONTRAST = 30
"""Grey levels over a face, in the channel that has most; dice that show less teach only to see dice in nothing."""
STRETCH = 0.15
"""Spread of the logarithm of how far patches are drawn out."""
HARD_NEGATIVES = 10
"""Patches without a die kept from each scene, half of them those the finder liked best."""


def scenes(seed: int, count: int, cache: Path | None, processes: int) -> list[Scene]:
    """Draws *count* scenes, or loads them from *cache* when it holds them."""
    path = cache / f"scenes-{seed}-{count}.pickle" if cache else None
    if path and path.exists():
        return pickle.loads(path.read_bytes())
    with Pool(processes) as pool:
        drawn = pool.starmap(_scene, ((seed, i) for i in range(count)), chunksize=50)
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(drawn))
    return drawn


def _scene(seed: int, index: int) -> Scene:
    cv2.setNumThreads(1)
    return draw_scene(np.random.default_rng((seed, index)), SCENE_SIZE, SIDES[index % len(SIDES)])


# --- finder --------------------------------------------------------------------------------------------------


def finder_targets(scene: Scene, level: int) -> np.ndarray:
    """(5, h, w) float32: heat 0..1, dx, dy (cells), log side (px of the level), and where they hold."""
    cells = SCENE_SIZE // 2**level // CELL
    target = np.zeros((5, cells, cells), np.float32)
    for die in scene.dice:
        side = die.side / 2**level
        if not FINDER_SIDES[0] <= side <= FINDER_SIDES[1]:
            continue
        x, y = (to_level(np.array(die.centre), level) + 0.5) / CELL - 0.5
        spread = max(0.18 * side / CELL, 0.4)
        for row in range(max(0, round(y) - 1), min(cells, round(y) + 2)):
            for column in range(max(0, round(x) - 1), min(cells, round(x) + 2)):
                heat = np.exp(-((x - column) ** 2 + (y - row) ** 2) / (2 * spread**2))
                if (column, row) == (round(x), round(y)):
                    heat = 1.0
                if heat > target[0, row, column]:
                    target[:, row, column] = heat, x - column, y - row, np.log(side), 1.0
    return target


def finder_loss(output: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Penalty-reduced focal loss (Law and Deng, CornerNet, 2018) on the heat, L1 on place and size near dice."""
    heat, chance = target[:, 0], torch.sigmoid(output[:, 0]).clamp(1e-5, 1 - 1e-5)
    sure = heat >= 1
    loss = torch.where(
        sure, -((1 - chance) ** 2) * chance.log(), -((1 - heat) ** 4) * chance**2 * (1 - chance).log()
    )
    place = (output[:, 1:] - target[:, 1:4]).abs().sum(1) * target[:, 4] * heat
    return (loss.sum() + 0.5 * place.sum()) / len(output)


def train_finder(network: Finder, drawn: list[Scene], epochs: int) -> None:
    pyramids = [build_pyramid(scene.frame, SCENE_SIZE // 2 ** max(FINDER_LEVELS)) for scene in drawn]
    examples = [
        (
            np.stack([pyramid[level] for pyramid in pyramids]),
            np.stack([finder_targets(scene, level) for scene in drawn]),
        )
        for level in FINDER_LEVELS
    ]
    for batch, learn in _epochs(network, len(drawn), epochs, batch_size=16, rate=4e-3, name="finder"):
        # Offsets would have to turn with the picture, so only the colours are varied.
        losses = [
            finder_loss(network(_colours(frames[batch])), torch.from_numpy(targets[batch]))
            for frames, targets in examples
        ]
        learn(torch.stack(losses).sum())


# --- reader --------------------------------------------------------------------------------------------------


def reader_patches(
    drawn: list[Scene], finder: DiceNetworks, rng: np.random.Generator
) -> tuple[np.ndarray, ...]:
    """Patches around drawn dice and around what *finder* takes for dice: patches, classes, places (N, 3)."""
    patches, classes, places = [], [], []
    for scene in drawn:
        levels = build_pyramid(scene.frame, LEAST_LEVEL)
        found = finder.propose(levels)
        guessed_centres, guessed_sides = _guesses(scene, rng)
        centres = np.concatenate([found.centres, guessed_centres])
        sides = np.concatenate([found.sides, guessed_sides])
        labels, offsets = _label(scene, centres, sides)
        wanted = labels > NO_DIE
        wanted[_some_negatives(np.nonzero(labels == NO_DIE)[0], rng)] = True
        patches.append(cut_patches(levels, centres[wanted], sides[wanted]))
        classes.append(labels[wanted])
        places.append(offsets[wanted])
    return np.concatenate(patches), np.concatenate(classes), np.concatenate(places)


def _guesses(scene: Scene, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Centres and sides about as far off as the finder's guesses, each die twice; then, once each, at a wrong scale."""
    dice = [*scene.dice, *scene.dice, *scene.dice]
    wrong = np.arange(len(dice)) >= 2 * len(scene.dice)
    centres = np.array([die.centre for die in dice], np.float32).reshape(-1, 2)
    sides = np.array([die.side for die in dice], np.float32)
    spread = np.where(wrong, 0.25, 0.1) * sides
    zoom = rng.normal(0, 0.12, len(dice)) + wrong * rng.choice([-1, 1], len(dice)) * rng.uniform(
        0.7, 1.6, len(dice)
    )
    centres = centres + rng.normal(0, 1, centres.shape) * spread[:, None]
    return centres.astype(np.float32), (sides * np.exp(zoom)).astype(np.float32)


def _some_negatives(rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Of *rows* without a die, likeliest first: the first few and some of the others."""
    best, others = np.split(rows, [HARD_NEGATIVES // 2])
    return np.concatenate([best, rng.permutation(others)[: HARD_NEGATIVES - len(best)]])


def _label(scene: Scene, centres: np.ndarray, sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Class of each patch (UNSURE: left out) and where its die is: dx, dy, log of the side ratio."""
    labels = np.full(len(centres), NO_DIE)
    offsets = np.zeros((len(centres), 3), np.float32)
    for die in scene.dice:
        away = (np.array(die.centre) - centres) / sides[:, None]
        distance = np.hypot(*away.T)
        ratio = np.log(die.side / sides)
        near = (distance < 0.4) & (np.abs(ratio) < SAME_SCALE)
        doubtful = (distance < 0.55) & (np.abs(ratio) < OTHER_SCALE) & ~near
        if die.value == UNKNOWN_VALUE:
            near, doubtful = np.zeros_like(near), distance < 0.9
        labels[doubtful & (labels == NO_DIE)] = UNSURE
        labels[near] = (COCKED if die.cocked else die.value) if _is_legible(scene.frame, die) else UNSURE
        offsets[near] = np.column_stack([away, ratio])[near]
    return labels, offsets


def _is_legible(frame: np.ndarray, die: DrawnDie) -> bool:
    """Whether the pips can be told from the body after all that the camera did."""
    reach = 0.36 * die.side
    x, y = die.centre
    face = frame[max(0, int(y - reach)) : int(y + reach) + 1, max(0, int(x - reach)) : int(x + reach) + 1]
    low, high = np.percentile(face.reshape(-1, 3), (2, 98), axis=0)
    return bool((high - low).max() >= LEAST_CONTRAST)


def train_reader(
    network: Reader, patches: np.ndarray, classes: np.ndarray, places: np.ndarray, epochs: int
) -> None:
    for batch, learn in _epochs(network, len(patches), epochs, batch_size=128, rate=3e-3, name="reader"):
        pictures, where = _turned(patches[batch], places[batch])
        pictures, where = _stretched(_colours(pictures), torch.from_numpy(where))
        output = network(pictures)
        truth = torch.from_numpy(classes[batch])
        read = F.cross_entropy(output[:, :8], truth, label_smoothing=0.01)
        dice = truth != NO_DIE
        placed = (output[dice, 8:] - where[dice]).abs().mean() if dice.any() else 0.0
        learn(read + placed)


def _turned(patches: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The batch turned by a random quarter and perhaps mirrored, with its offsets (dx, dy)."""
    places = places.copy()
    for _ in range(np.random.randint(4)):
        patches = patches.transpose(0, 2, 1, 3)[:, ::-1]
        places[:, :2] = np.column_stack([places[:, 1], -places[:, 0]])
    if np.random.random() < 0.5:
        patches = patches[:, :, ::-1]
        places[:, 0] *= -1
    return patches, places


def _stretched(pictures: torch.Tensor, places: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The batch drawn out along x or y by a few per cent, as by pixels that are not square, with its offsets."""
    stretch = torch.exp(STRETCH * torch.randn(len(pictures)))
    warp = torch.zeros(len(pictures), 2, 3)
    warp[:, 0, 0], warp[:, 1, 1] = 1 / stretch, stretch
    grid = F.affine_grid(warp, list(pictures.shape), align_corners=False)
    drawn_out = F.grid_sample(pictures, grid, padding_mode="border", align_corners=False)
    return drawn_out, places * torch.stack([stretch, 1 / stretch, torch.ones_like(stretch)], 1)


# --- both ----------------------------------------------------------------------------------------------------


def _colours(frames: np.ndarray) -> torch.Tensor:
    """(B, H, W, 3) uint8 to (B, 3, H, W) float 0..1, the channels in random order and gain."""
    order = np.random.permutation(3)
    tensor = torch.from_numpy(frames[..., order]).permute(0, 3, 1, 2).float() / 255
    gain = torch.empty(len(frames), 1, 1, 1).uniform_(0.8, 1.15)
    return (tensor * gain).clamp(0, 1)


def _epochs(
    network: torch.nn.Module, count: int, epochs: int, batch_size: int, rate: float, name: str
) -> Iterator:
    """Yields (rows of a batch, what to call with its loss), one cycle of the learning rate over all epochs."""
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-4)
    steps = epochs * (count // batch_size)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=max(steps, 1))
    losses: list[float] = []

    def learn(loss: torch.Tensor) -> None:
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        losses.append(float(loss.detach()))

    network.train().to(memory_format=torch.channels_last)  # as the pictures are: twice as fast
    for epoch in range(epochs):
        rows = np.random.permutation(count)[: count // batch_size * batch_size]
        for batch in rows.reshape(-1, batch_size):
            yield batch, learn
        click.echo(
            f"{name} epoch {epoch + 1} of {epochs}: loss {np.mean(losses[-(count // batch_size) :]):.4f}"
        )


def _resumed(network: torch.nn.Module, checkpoint: Path | None) -> torch.nn.Module:
    """*network*, with the state an earlier run left in *checkpoint*, if any."""
    if checkpoint and checkpoint.exists():
        network.load_state_dict(torch.load(checkpoint))
    return network


@click.command()
@click.option("--scenes", "count", default=5_000, show_default=True, help="Scenes to draw.")
@click.option("--finder-epochs", default=7, show_default=True)
@click.option("--reader-epochs", default=10, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--processes", default=1, show_default=True, help="That draw scenes at the same time.")
@click.option(
    "--cache",
    type=click.Path(path_type=Path),
    help="Folder that keeps the drawn scenes and the networks; a next run goes on from there.",
)
@click.option(
    "--photos",
    type=click.Path(path_type=Path),
    help="Folder of labelled photos that the reader learns from besides the drawn scenes.",
)
@click.option("--photo-copies", default=20, show_default=True, help="Parts taken of each photo.")
@click.option(
    "--without", multiple=True, help="Leave photos out whose name begins like this; may be repeated."
)
@click.option("--out", type=click.Path(path_type=Path), default=WEIGHTS, help="Folder for the weights.")
def main(
    count: int,
    finder_epochs: int,
    reader_epochs: int,
    seed: int,
    processes: int,
    cache: Path | None,
    photos: Path | None,
    photo_copies: int,
    without: tuple[str, ...],
    out: Path,
) -> None:
    """Draws scenes, trains the finder, then the reader on what the finder finds, and writes the weights."""
    cv2.setNumThreads(1)
    torch.manual_seed(seed)
    np.random.seed(seed)
    drawn = scenes(seed, count, cache, processes)
    out.mkdir(parents=True, exist_ok=True)
    if finder_epochs:
        finder = _resumed(Finder(), cache and cache / "finder.pt")
        train_finder(finder, drawn, finder_epochs)
        _keep(finder, cache and cache / "finder.pt")
        export(finder, torch.rand(1, 3, 128, 128), {2: "height", 3: "width"}, out / "finder.onnx")
    if reader_epochs:
        rng = np.random.default_rng(seed)
        parts = photo_scenes(photos, photo_copies, SCENE_SIZE, rng, without) if photos else []
        examples = reader_patches([*drawn, *parts], DiceNetworks(out), rng)
        click.echo(
            f"{len(examples[0])} patches; of each class {np.bincount(examples[1], minlength=8).tolist()}"
        )
        reader = _resumed(Reader(), cache and cache / "reader.pt")
        train_reader(reader, *examples, reader_epochs)
        _keep(reader, cache and cache / "reader.pt")
        export(reader, torch.rand(1, 3, PATCH, PATCH), {0: "patches"}, out / "reader.onnx")


def _keep(network: torch.nn.Module, checkpoint: Path | None) -> None:
    if checkpoint:
        torch.save(network.state_dict(), checkpoint)


if __name__ == "__main__":
    main()
