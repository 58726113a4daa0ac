"""Collections stored as arrays with one row per item."""

from __future__ import annotations

from typing import Self

import numpy as np


class Rows:
    """A dataclass of arrays with corresponding rows: concatenated with ``+`` and indexed like one array."""

    __slots__: tuple[str, ...] = ()

    def __add__(self, other: Self) -> Self:
        pairs = ((getattr(self, name), getattr(other, name)) for name in self.__slots__)
        return type(self)(*map(np.concatenate, pairs))

    def __getitem__(self, rows: np.ndarray | slice) -> Self:
        return type(self)(*(getattr(self, name)[rows] for name in self.__slots__))
