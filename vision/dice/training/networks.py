"""The three networks as they are trained (PyTorch)."""

from __future__ import annotations

import torch
from torch import nn

from ...training.layers import Hourglass, conv
from ..networks import CELL, CLASSES, READER_FOLD, SIFTER_FOLD
from ..patches import PATCH


class Finder(Hourglass):
    """Locates dice: heat (logit), dx, dy (cells) and log side of every cell."""

    def __init__(self) -> None:
        super().__init__(3 * CELL**2, 96, outputs=4)


class PatchClassifier(nn.Module):  # type: ignore[misc, unused-ignore]  # PyTorch is an extra: untyped where it is not installed
    """Classifies patches unshuffled by *fold*, (B, 3 fold², h, w), to (B, CLASSES + 3).

    The output contains the logits of the classes, then the correction of the face: dx, dy (face sides) and the log of
    its side over the expected one.
    """

    fold: int

    def __init__(self, body: nn.Module, channels: int, cells: int, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            body, nn.Flatten(), nn.Linear(channels * cells**2, width), nn.ReLU(inplace=True)
        )
        self.head = nn.Linear(width, CLASSES + 3)

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(patches))


class Sifter(PatchClassifier):
    """Classifies every proposal at a sixth of the reader's cost."""

    fold = SIFTER_FOLD

    def __init__(self) -> None:
        body = nn.Sequential(
            conv(3 * self.fold**2, 32, size=1),
            conv(32, 32),
            conv(32, 64, stride=2),
            conv(64, 16, size=1),
        )
        super().__init__(body, 16, PATCH // self.fold // 2, 48)


class Reader(PatchClassifier):
    """Classifies the proposals that the sifter accepts."""

    fold = READER_FOLD

    def __init__(self) -> None:
        body = nn.Sequential(
            conv(3 * self.fold**2, 16),
            conv(16, 24),
            conv(24, 48, stride=2),
            conv(48, 48),
            conv(48, 96, stride=2),
            conv(96, 96),
            conv(96, 32, size=1),
        )
        super().__init__(body, 32, PATCH // self.fold // 4, 96)
