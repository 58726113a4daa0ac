"""The two networks as they are trained (PyTorch), and how they become ONNX files that OpenCV runs."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from vision.dice.networks import CLASSES
from vision.dice.pyramid import PATCH


def _conv(inputs: int, outputs: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


def _separable(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """A convolution of each channel, then one across channels (Howard et al., MobileNets, 2017)."""
    return nn.Sequential(
        nn.Conv2d(inputs, inputs, 3, stride, dilation, dilation, groups=inputs, bias=False),
        nn.BatchNorm2d(inputs),
        nn.ReLU(inplace=True),
        _conv(inputs, outputs, size=1),
    )


class Finder(nn.Module):
    """Where dice may be: (B, 3, H, W) BGR 0..1 to (B, 4, H/4, W/4) of heat (logit), dx, dy (cells), log side.

    H and W are multiples of 8. An hourglass: what surrounds a place is judged at an eighth of the size.
    """

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(_conv(3, 16, stride=4, size=5), _separable(16, 32))
        self.around = nn.Sequential(
            _separable(32, 64, stride=2),
            _separable(64, 64),
            _separable(64, 64, dilation=2),
            _separable(64, 64, dilation=2),
            _separable(64, 64),
            _conv(64, 32, size=1),
            nn.Upsample(scale_factor=2, mode="nearest"),
        )
        self.both = _separable(32, 32)
        self.head = nn.Conv2d(32, 4, 1)
        nn.init.constant_(self.head.bias, 0.0)
        self.head.bias.data[0] = -4.0  # a die is rare: start from "no die anywhere"

    def forward(self, frames: torch.Tensor) -> torch.Tensor:
        near = self.near(frames - 0.5)
        return self.head(self.both(near + self.around(near)))


class Reader(nn.Module):
    """What a patch shows: (B, 3, PATCH, PATCH) BGR 0..1 to (B, CLASSES + 3): logits of the classes, then where the
    face really is: dx, dy (face sides) and the log of its side over the expected one."""

    def __init__(self) -> None:
        super().__init__()
        cells = (PATCH // 8) ** 2
        self.body = nn.Sequential(
            _conv(3, 16, stride=2, size=5),
            _conv(16, 24),
            _conv(24, 48, stride=2),
            _conv(48, 48),
            _conv(48, 80, stride=2),
            _conv(80, 80),
            _conv(80, 24, size=1),
            nn.Flatten(),
            nn.Linear(24 * cells, 64),
            nn.ReLU(inplace=True),
        )
        self.head = nn.Linear(64, CLASSES + 3)

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
