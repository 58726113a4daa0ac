"""PyTorch layers shared by all networks, and their conversion to ONNX files for OpenCV and back."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn

MOMENTUM = 0.02
"""Momentum of the running batch statistics: over about fifty pictures of each kind."""


def conv(inputs: int, outputs: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False),
        nn.BatchNorm2d(outputs, momentum=MOMENTUM),
        nn.ReLU(inplace=True),
    )


def separable(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """Returns a convolution of each channel, then one across channels (Howard et al., MobileNets, 2017)."""
    return nn.Sequential(
        nn.Conv2d(inputs, inputs, 3, stride, dilation, dilation, groups=inputs, bias=False),
        nn.BatchNorm2d(inputs, momentum=MOMENTUM),
        nn.ReLU(inplace=True),
        conv(inputs, outputs, size=1),
    )


class Hourglass(nn.Module):  # type: ignore[misc, unused-ignore]  # PyTorch is an extra: untyped where it is not installed
    """Detects things: unshuffled pictures (B, *inputs*, h, w), h and w even, to (B, *outputs*, h, w), the first a
    logit.

    The surroundings of a place are processed at half of this size.
    """

    def __init__(self, inputs: int, width: int, outputs: int) -> None:
        super().__init__()
        self.near = nn.Sequential(conv(inputs, 24, size=1), separable(24, 32))
        self.around = nn.Sequential(
            separable(32, width, stride=2),
            separable(width, width),
            separable(width, width, dilation=2),
            separable(width, width, dilation=2),
            separable(width, width),
            conv(width, 32, size=1),
            nn.Upsample(scale_factor=2, mode="nearest"),
        )
        self.join = separable(32, 32)
        self.head = nn.Conv2d(32, outputs, 1)
        nn.init.constant_(self.head.bias, 0.0)
        self.head.bias.data[0] = -4.0  # targets are rare: start from "nothing anywhere"

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        near = self.near(pictures)
        return self.head(self.join(near + self.around(near)))


def any_picture(side: int, fold: int) -> dict[str, torch.Tensor]:
    """Returns a random picture of *side* px, unshuffled by *fold*, as the example input of most networks."""
    return {"input": torch.rand(1, 3 * fold**2, side // fold, side // fold)}


def export(network: nn.Module, inputs: dict[str, torch.Tensor], axes: dict[int, str], path: Path) -> None:
    """Writes *network* to an ONNX file of half-precision weights.

    *inputs* are examples by the names of its parameters; all may vary along *axes*.
    """
    network.eval()
    torch.onnx.export(
        network,
        tuple(inputs.values()),
        str(path),
        dynamo=False,  # the older exporter needs no further package and writes files OpenCV 4 and 5 read
        input_names=list(inputs),
        output_names=["output"],
        dynamic_axes=dict.fromkeys((*inputs, "output"), axes),
    )
    onnx.save(_halved(onnx.load(str(path))), str(path))


def restore(network: nn.Module, path: Path) -> None:
    """Loads the weights of an ONNX file written by :func:`export` into *network*.

    The file contains the normalisation folded into the weights; the batch statistics of *network* must therefore stay
    frozen (:func:`vision.training.learning.freeze_statistics`).
    """
    graph = onnx.load(str(path)).graph
    values = {one.name.removesuffix(".half"): numpy_helper.to_array(one) for one in graph.initializer}
    weighted = ("Conv", "Gemm", "MatMul")
    nodes = iter([one for one in graph.node if one.op_type in weighted and one.input[1] in values])
    bias = ""
    for name, module in network.named_modules():
        if isinstance(module, nn.Conv2d | nn.Linear):
            node = next(nodes)
            weight = values[node.input[1]]
            _fill(module.weight, weight.T if node.op_type == "MatMul" else weight)
            bias = node.input[2] if len(node.input) > 2 else f"{name}.bias"
            if module.bias is not None:
                _fill(module.bias, values[bias])
        elif isinstance(module, nn.BatchNorm2d):
            module.running_mean.zero_()
            module.running_var.fill_(1 - module.eps)
            module.weight.data.fill_(1.0)
            _fill(module.bias, values[bias])
        elif isinstance(module, nn.LayerNorm):
            _fill(module.weight, values[f"{name}.weight"])
            _fill(module.bias, values[f"{name}.bias"])


@torch.no_grad()  # type: ignore[untyped-decorator, unused-ignore]  # PyTorch is an extra: untyped where it is not installed
def blend(network: nn.Module, path: Path, share: float) -> None:
    """Moves *network* back by *share* towards the weights in *path*, from which its training started.

    The mean of both does better on other kinds of pictures than either (Wortsman et al., Model soups, 2022).
    """
    before = copy.deepcopy(network)
    restore(before, path)
    for now, then in zip(network.state_dict().values(), before.state_dict().values(), strict=True):
        if now.dtype.is_floating_point:
            now.lerp_(then, share)


def _fill(parameter: nn.Parameter, values: np.ndarray) -> None:
    parameter.data = torch.from_numpy(values.astype(np.float32)).view_as(parameter).clone()


def _halved(model: onnx.ModelProto) -> onnx.ModelProto:
    """Returns *model* with its weights stored as float16 and cast back to float32 on loading: half the size, same
    computation."""
    stored_weights, widened = [], []
    for weights in model.graph.initializer:
        values = numpy_helper.to_array(weights)
        if values.dtype == np.float32:
            stored = f"{weights.name}.half"
            stored_weights.append(numpy_helper.from_array(values.astype(np.float16), stored))
            widened.append(helper.make_node("Cast", [stored], [weights.name], to=TensorProto.FLOAT))
        else:
            stored_weights.append(weights)
    nodes = [*widened, *model.graph.node]
    for field, content in ((model.graph.initializer, stored_weights), (model.graph.node, nodes)):
        del field[:]
        field.extend(content)
    return model
