"""ONNX networks, run by OpenCV."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np


class OnnxFolder:
    """The networks in the folder *weights*, each loaded on first use."""

    def __init__(self, weights: Path) -> None:
        self._weights = weights
        self._loaded: dict[str, cv2.dnn.Net] = {}

    def run(self, name: str, **inputs: np.ndarray) -> np.ndarray:
        """Returns the output of the network *name*.onnx for *inputs*, float32 arrays by input name."""
        if name not in self._loaded:
            self._loaded[name] = cv2.dnn.readNetFromONNX(str(self._weights / f"{name}.onnx"))
        for label, blob in inputs.items():
            self._loaded[name].setInput(blob, label)
        return self._loaded[name].forward()
