"""The two networks as they are trained (PyTorch), and how they become ONNX files that OpenCV runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from vision.dice.networks import CELL, CLASSES, READER_FOLD, SIFTER_FOLD
from vision.dice.pyramid import PATCH

MOMENTUM = 0.02
"""How fast the averages of a batch's statistics follow: over some fifty pictures of each kind."""


def _conv(inputs: int, outputs: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False),
        nn.BatchNorm2d(outputs, momentum=MOMENTUM),
        nn.ReLU(inplace=True),
    )


def _separable(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """A convolution of each channel, then one across channels (Howard et al., MobileNets, 2017)."""
    return nn.Sequential(
        nn.Conv2d(inputs, inputs, 3, stride, dilation, dilation, groups=inputs, bias=False),
        nn.BatchNorm2d(inputs, momentum=MOMENTUM),
        nn.ReLU(inplace=True),
        _conv(inputs, outputs, size=1),
    )


class Finder(nn.Module):
    """Where dice may be: pictures folded by CELL, (B, 48, h, w), to (B, 4, h, w) of heat (logit), dx, dy (cells), log
    side.

    h and w are even. An hourglass: what surrounds a place is judged at half of this size.
    """

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(_conv(3 * CELL**2, 24, size=1), _separable(24, 32))
        self.around = nn.Sequential(
            _separable(32, 96, stride=2),
            _separable(96, 96),
            _separable(96, 96, dilation=2),
            _separable(96, 96, dilation=2),
            _separable(96, 96),
            _conv(96, 32, size=1),
            nn.Upsample(scale_factor=2, mode="nearest"),
        )
        self.both = _separable(32, 32)
        self.head = nn.Conv2d(32, 4, 1)
        nn.init.constant_(self.head.bias, 0.0)
        self.head.bias.data[0] = -4.0  # a die is rare: start from "no die anywhere"

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        near = self.near(pictures)
        return self.head(self.both(near + self.around(near)))


class Judge(nn.Module):
    """What a patch shows: patches folded by *fold*, (B, 3 fold², h, w), to (B, CLASSES + 3): logits of the classes,
    then where the face really is: dx, dy (face sides) and the log of its side over the expected one."""

    fold: int

    def __init__(self, body: nn.Module, channels: int, cells: int, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            body, nn.Flatten(), nn.Linear(channels * cells**2, width), nn.ReLU(inplace=True)
        )
        self.head = nn.Linear(width, CLASSES + 3)

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(patches))


class Sifter(Judge):
    """Judges every proposal at a sixth of the reader's work."""

    fold = SIFTER_FOLD

    def __init__(self) -> None:
        body = nn.Sequential(
            _conv(3 * self.fold**2, 32, size=1),
            _conv(32, 32),
            _conv(32, 64, stride=2),
            _conv(64, 16, size=1),
        )
        super().__init__(body, 16, PATCH // self.fold // 2, 48)


class Reader(Judge):
    """Reads what the sifter leaves."""

    fold = READER_FOLD

    def __init__(self) -> None:
        body = nn.Sequential(
            _conv(3 * self.fold**2, 16),
            _conv(16, 24),
            _conv(24, 48, stride=2),
            _conv(48, 48),
            _conv(48, 96, stride=2),
            _conv(96, 96),
            _conv(96, 32, size=1),
        )
        super().__init__(body, 32, PATCH // self.fold // 4, 96)


def export(network: nn.Module, block: int, side: int, axes: dict[int, str], path: Path) -> None:
    """Writes *network*, which takes pictures of *side* px folded by *block*, to an ONNX file of half-precision weights.

    Its input may vary along *axes*.
    """
    network.eval()
    torch.onnx.export(
        network,
        (torch.rand(1, 3 * block**2, side // block, side // block),),
        str(path),
        dynamo=False,  # the older exporter needs no further package and writes files OpenCV 4 and 5 read
        input_names=["input"],
        output_names=["output"],
        dynamic_axes={"input": axes, "output": axes},
    )
    onnx.save(_halved(onnx.load(str(path))), str(path))


def _halved(model: onnx.ModelProto) -> onnx.ModelProto:
    """*model* with its weights stored as float16 and widened again by itself: half as large, computed as before."""
    kept, widened = [], []
    for weights in model.graph.initializer:
        values = numpy_helper.to_array(weights)
        if values.dtype == np.float32:
            stored = f"{weights.name}.half"
            kept.append(numpy_helper.from_array(values.astype(np.float16), stored))
            widened.append(helper.make_node("Cast", [stored], [weights.name], to=TensorProto.FLOAT))
        else:
            kept.append(weights)
    nodes = [*widened, *model.graph.node]
    for field, content in ((model.graph.initializer, kept), (model.graph.node, nodes)):
        del field[:]
        field.extend(content)
    return model
