"""The two networks for boards, as they are trained (PyTorch)."""

from __future__ import annotations

import torch
from torch import nn

from ....boards.networks import ANSWERS, CELL, KNOWN, READER_FOLD
from ....training.layers import Hourglass, conv, separable

FEATURES = 96
HEADS = 4
LAYERS = 2
FAR_BELOW = -1e4
"""Logit of a masked position."""


class SpaceFinder(Hourglass):
    """Locates spaces: heat (logit), dx, dy (cells), log pitch (px), cosine and sine of six times the direction."""

    def __init__(self) -> None:
        super().__init__(3 * CELL**2, 64, outputs=6)


class SpaceReader(nn.Module):  # type: ignore[misc, unused-ignore]  # PyTorch is an extra: untyped where it is not installed
    """Maps unshuffled patches (N, 48, 12, 12) and prior knowledge of their places (N, KNOWN) to answers (N, ANSWERS).

    Every place is encoded separately; then the places of one board attend to each other (Vaswani et al., Attention is
    all you need, 2017): the others show what print and tiles look like in this printing and light.
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
        """Reads the places of one board, or of several, one after the other: *skipped* (boards, places) then marks
        the rows that none of them has."""
        seen = self.look(patches) + self.place(known)
        places = seen[None] if skipped is None else _spread(seen, ~skipped)
        for layer in self.layers:
            places = layer(places, skipped)
        answers = self.answer(self.norm(places))
        return answers[0] if skipped is None else answers[~skipped]


def _spread(rows: torch.Tensor, there: torch.Tensor) -> torch.Tensor:
    """Returns (*there.shape, FEATURES): the *rows* (N, FEATURES) where *there* is True, zeros elsewhere."""
    spread = rows.new_zeros(*there.shape, FEATURES)
    spread[there] = rows
    return spread


class Layer(nn.Module):  # type: ignore[misc, unused-ignore]  # PyTorch is an extra: untyped where it is not installed
    """One transformer layer over places (B, N, FEATURES)."""

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
        attended = (alike.softmax(3) @ value).transpose(1, 2).reshape(boards, count, FEATURES)
        places = places + self.out(attended)
        return places + self.think(self.between(places))
