"""The two networks as they are trained (PyTorch), and how they become ONNX files that OpenCV runs."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from vision.dice.pyramid import PATCH


def _conv(inputs: int, outputs: int, stride: int = 1, dilation: int = 1, size: int = 3) -> nn.Sequential:
    pad = dilation * (size // 2)
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, pad, dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Finder(nn.Module):
    """Where dice may be: (B, 3, H, W) BGR 0..1 to (B, 4, H/4, W/4) of heat (logit), dx, dy (cells), log side."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 8, stride=2),
            _conv(8, 16, stride=2),
            _conv(16, 16),
            _conv(16, 24),
            _conv(24, 24, dilation=2),  # sees 78 px of the full picture: a die and what it lies on
        )
        self.head = nn.Conv2d(24, 4, 1)
        nn.init.constant_(self.head.bias, 0.0)
        self.head.bias.data[0] = -4.0  # a die is rare: start from "no die anywhere"

    def forward(self, frames: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(frames - 0.5))


class Reader(nn.Module):
    """What a patch shows: (B, 3, PATCH, PATCH) BGR 0..1 to (B, 11): 8 logits (no die, 1-6, cocked), then where
    the face really is: dx, dy (face sides) and the log of its side over the expected one."""

    def __init__(self) -> None:
        super().__init__()
        cells = (PATCH // 8) ** 2
        self.body = nn.Sequential(
            _conv(3, 12, stride=2, size=5),
            _conv(12, 24),
            _conv(24, 32, stride=2),
            _conv(32, 48),
            nn.MaxPool2d(2),
            _conv(48, 64),
            _conv(64, 24, size=1),
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(24 * cells, 64),
            nn.ReLU(inplace=True),
        )
        self.head = nn.Linear(64, 11)

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(patches - 0.5))


def export(network: nn.Module, example: torch.Tensor, axes: dict[int, str], path: Path) -> None:
    """Writes *network* to an ONNX file whose input may vary along *axes*."""
    network.eval()
    torch.onnx.export(
        network,
        (example,),
        str(path),
        dynamo=False,  # the older exporter needs no further package and writes files OpenCV 4 and 5 read
        input_names=["input"],
        output_names=["output"],
        dynamic_axes={"input": axes, "output": axes},
    )
