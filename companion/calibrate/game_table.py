"""What lies on the table of a game, and how the camera finds it.

A game has it in its package ``companion.calibrate.games.GAME``, found by name, as ``TABLE``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from calibration.board_kind import BoardKind, kind_of
from companion.games.parts import part
from companion.games.registry import UnknownGameError, plugin

if TYPE_CHECKING:
    import numpy as np

    from vision.boards.groups import FoundGroup
    from vision.boards.lattice import FoundSpaces
    from vision.geometry import Plane

    FindGroups = Callable[[FoundSpaces, Plane, Sequence[np.ndarray], float], list[FoundGroup]]


@dataclass(frozen=True, slots=True)
class PlaceKind:
    """A kind of places off the boards."""

    shape: str
    """``hex``, ``square`` or ``shield``."""
    count: int
    """Number of places of one group, usually."""
    is_found: bool = False
    """Whether the camera finds them; others are drawn by hand."""
    needs_board: bool = False
    """Whether only players with a board have them."""
    width: float | None = None
    """In pitches; None for that of hexagonal or square tiles."""


@dataclass(frozen=True, slots=True)
class ModuleTable:
    """What a module adds to the table of its game."""

    groups: Mapping[str, PlaceKind] = field(default_factory=dict)
    pieces: tuple[str, ...] = ()
    """Labels of its pieces."""


@dataclass(frozen=True)
class GameTable:
    """What lies on the table of a game."""

    boards: BoardKind
    players: tuple[str, ...]
    """Colours that a board may belong to, in the order in which they are given to boards."""
    groups: Mapping[str, PlaceKind]
    """The places off the boards by the name of their group; those of a player end with the player's colour."""
    goods_width: float
    """Approximate width of a square tile in pitches, until a person has adjusted it."""
    dice_owners: tuple[str, ...]
    """Colours of dice that may have an area of their own."""
    card_areas: tuple[str, ...]
    """Names of the areas for cards with spaces for tiles."""
    tiles: tuple[str, ...]
    """Labels of all hexagonal tiles, in the order in which they are learnt."""
    goods: tuple[str, ...]
    """Labels of all square tiles."""
    modules: Mapping[str, ModuleTable]
    """What modules add, by their ids."""
    board_names: Callable[[], Mapping[str, Sequence[str]]]
    """Returns the ids of the known boards by edition."""
    find_groups: FindGroups
    """Function that groups spaces beside boards: the spaces, the plane of the table, the anchors of each board, (4, 2)
    mm, and the pitch in mm. In the name of a group, the number of a board stands for its player."""
    tokens: tuple[str, ...] = ()
    """Labels of all pieces that may lie on tiles."""

    def with_modules(self, names: Collection[str]) -> GameTable:
        """Returns the table with what the modules *names* add to it."""
        added = [self.modules[name] for name in self.modules if name in names]
        pieces = dict.fromkeys(piece for module in added for piece in module.pieces)
        return replace(
            self,
            groups={
                **self.groups,
                **{name: kind for module in added for name, kind in module.groups.items()},
            },
            tiles=(*self.tiles, *(piece for piece in pieces if not self._is_token(piece))),
            tokens=tuple(piece for piece in pieces if self._is_token(piece)),
            modules={name: module for name, module in self.modules.items() if name not in names},
        )

    def with_groups(self, groups: Iterable[str]) -> GameTable:
        """Returns the table with the modules that have any of these *groups* of places."""
        requested = set(groups)
        return self.with_modules(
            [name for name, module in self.modules.items() if not requested.isdisjoint(module.groups)]
        )

    def _is_token(self, label: str) -> bool:
        return kind_of(label) in self.boards.tokens


def game_table(game: str) -> GameTable:
    """Returns the table of a game without modules.

    :raises UnknownGameError: if a camera cannot watch it.
    """
    found = part(__package__, game)
    if found is None:
        raise UnknownGameError(
            f"{plugin(game).display_name} is played without a camera: there is nothing to calibrate"
        )
    table: GameTable = found.TABLE
    return table
