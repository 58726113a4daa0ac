"""Networks from ONNX files, run by OpenCV."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np


class OnnxFolder:
    """The networks in the folder *weights*, each loaded when it is first used."""

    def __init__(self, weights: Path) -> None:
        self._weights = weights
        self._loaded: dict[str, cv2.dnn.Net] = {}

    def run(self, name: str, **inputs: np.ndarray) -> np.ndarray:
        """The answer of the network in *name*.onnx to *inputs*, float32 arrays by the names they have in it."""
        if name not in self._loaded:
            self._loaded[name] = cv2.dnn.readNetFromONNX(str(self._weights / f"{name}.onnx"))
        for label, blob in inputs.items():
            self._loaded[name].setInput(blob, label)
        return self._loaded[name].forward()
