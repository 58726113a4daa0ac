"""The labels that a place may be read as."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from calibration.board_kind import BoardKind, kind_of

from .gallery import BARE, KINDS, Gallery
from .sighting import EMPTY, FACE_DOWN

NO_THINGS = frozenset({EMPTY, FACE_DOWN, *BARE.values()})
"""Labels of a gallery that no game has to name."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The labels of a gallery and of a game. Where a game names what it has, nothing else is read."""

    learnt: frozenset[str] = frozenset()
    """Labels with examples."""
    named: frozenset[str] | None = None
    """Labels of everything in the game; None if that is not known."""

    @classmethod
    def of(cls, gallery: Gallery | None, named: Collection[str] | None = None) -> Candidates:
        """Returns the labels of a gallery, if there is one, and those *named* by the game, if they are known."""
        learnt = frozenset() if gallery is None else gallery.labels
        if named is None:
            return cls(learnt)
        return cls(learnt & (NO_THINGS | frozenset(named)), frozenset(named))

    @property
    def things(self) -> frozenset[str]:
        """Returns the labels of everything that may lie anywhere, learnt or not."""
        return (self.learnt if self.named is None else self.named) - NO_THINGS

    def learnt_on(self, shape: str) -> frozenset[str]:
        """Returns the labels with examples for places of this shape, bare ones included."""
        return frozenset(label for label in self.learnt if label == EMPTY or _shape_of(label) == shape)

    def unlearnt_on(self, shape: str) -> frozenset[str]:
        """Returns the labels of the game for places of this shape that have no example."""
        return frozenset(label for label in self.things - self.learnt if _shape_of(label) == shape)

    def without_type(self, kind: BoardKind) -> tuple[str, ...]:
        """Returns the labels of hexagonal tiles whose type is none of that kind's, and which may lie on any space."""
        return tuple(
            sorted(
                label
                for label in self.things
                if _shape_of(label) == "hex" and kind_of(label) not in kind.types
            )
        )

    def tokens(self, name: str) -> tuple[str, ...]:
        """Returns the labels of the tokens whose labels begin with *name*."""
        return tuple(sorted(label for label in self.things if kind_of(label) == name))


def _shape_of(label: str) -> str:
    return next((shape for shape, kind in KINDS.items() if kind == kind_of(label)), "hex")
