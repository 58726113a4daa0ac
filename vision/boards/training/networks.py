"""The two networks that look at boards, as they are trained (PyTorch)."""

from __future__ import annotations

import torch
from torch import nn

from ...training.layers import Hourglass, conv, separable
from ..networks import ANSWERS, CELL, KNOWN, READER_FOLD

FEATURES = 96
HEADS = 4
LAYERS = 2
FAR_BELOW = -1e4
"""Logit of what is not to be looked at."""


class SpaceFinder(Hourglass):
    """Where spaces are: heat (logit), dx, dy (cells), log pitch (px), cosine and sine of six times the direction."""

    def __init__(self) -> None:
        super().__init__(3 * CELL**2, 64, outputs=6)


class SpaceReader(nn.Module):  # type: ignore[misc, unused-ignore]  # PyTorch is an extra: untyped where it is not installed
    """Folded patches (N, 48, 12, 12) and what is known of their places (N, KNOWN) to answers (N, ANSWERS).

    Every place is described by itself; then the places of one board look at each other (Vaswani et al., Attention is
    all you need, 2017): what a print or a tile looks like in this printing and this light shows in the others.
    """

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            conv(3 * READER_FOLD**2, 64, size=1),
            separable(64, 64),
            separable(64, 96, stride=2),
            separable(96, 96),
            separable(96, 96),
            separable(96, 128, stride=2),
            nn.Conv2d(128, FEATURES, 3),
            nn.Flatten(),
        )
        self.place = nn.Linear(KNOWN, FEATURES, bias=False)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = nn.LayerNorm(FEATURES)
        self.answer = nn.Linear(FEATURES, ANSWERS)

    def forward(
        self, patches: torch.Tensor, known: torch.Tensor, skipped: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Places of one board, or of several: *skipped* (boards, places) then tells which rows only fill up."""
        boards = 1 if skipped is None else len(skipped)
        places = (self.look(patches) + self.place(known)).view(boards, -1, FEATURES)
        for layer in self.layers:
            places = layer(places, skipped)
        return self.answer(self.norm(places)).flatten(0, 1)


class Layer(nn.Module):  # type: ignore[misc, unused-ignore]  # PyTorch is an extra: untyped where it is not installed
    """One round in which places (B, N, FEATURES) look at each other and think."""

    def __init__(self) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(FEATURES), nn.LayerNorm(FEATURES)
        self.query, self.key, self.value, self.out = (nn.Linear(FEATURES, FEATURES) for _ in range(4))
        self.think = nn.Sequential(
            nn.Linear(FEATURES, 2 * FEATURES), nn.ReLU(), nn.Linear(2 * FEATURES, FEATURES)
        )

    def forward(self, places: torch.Tensor, skipped: torch.Tensor | None) -> torch.Tensor:
        seen, width = self.before(places), FEATURES // HEADS
        boards, count, _ = places.shape
        split = boards, count, HEADS, width
        query, key, value = (
            part(seen).view(split).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        alike = query @ key.transpose(2, 3) * width**-0.5
        if skipped is not None:
            alike = alike.masked_fill(skipped[:, None, None], FAR_BELOW)
        told = (alike.softmax(3) @ value).transpose(1, 2).reshape(boards, count, FEATURES)
        places = places + self.out(told)
        return places + self.think(self.between(places))
