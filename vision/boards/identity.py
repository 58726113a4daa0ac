"""Which known board is seen, and which way round: what its spaces show, in every rotation, is compared with the types
and dice of every known board.

A space shows its type by its print or by the tile on it, so that a full board is known as well as an empty one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from calibration.board_kind import BoardKind, Spaces
from calibration.board_shape import STANDARD

from .networks import FACES, TYPES, PlacePredictions

OTHER_TYPE = 0.05
"""Share of spaces that show another type than the printed one: an inn, or a misread place."""
MISREAD_FACE = 0.3
"""Share of printed faces that are misread: they are by far the smallest print."""
CLEARLY = float(np.log(1000))
"""Log odds from which one explanation is preferred to all others."""
HIDDEN_FROM = 0.5
"""Probability from which a space counts as hidden."""
SAME_BOARD, MIN_SEEN = 0.9, 10
"""Share of the visible spaces that must have the types of a known board to identify it; their minimum number."""


@dataclass(frozen=True, slots=True)
class KnownMatch:
    """The known board that agrees best with what is seen."""

    printed_id: str
    alike: int
    """Spaces that have its types."""
    share: float
    """The same as a share of the visible spaces."""
    seen: int
    """Number of visible spaces."""
    log_likelihood: float
    log_odds: float
    """Against any other known board in the same rotation."""

    def is_certain(self) -> bool:
        """Returns whether the board is that known one: so much agrees with it, and clearly less with any other."""
        return self.seen >= MIN_SEEN and self.share >= SAME_BOARD and self.log_odds >= CLEARLY


def print_indices(spaces: Spaces, kind: BoardKind) -> tuple[np.ndarray, np.ndarray]:
    """Returns tile types (S,) as indices in the types of the *kind*, and faces (S,) 1 to 6."""
    return np.array([kind.types.index(tile_type) for tile_type, _ in spaces]), np.array(
        [die for _, die in spaces]
    )


def bare_probability(seen: PlacePredictions) -> np.ndarray:
    """Returns (N,): probability that a place's print is visible."""
    bare: np.ndarray = seen.empty * (1 - seen.hidden)
    return bare


def identify_board(seen: PlacePredictions, kind: BoardKind) -> str | None:
    """Returns the id of the known board of standard shape that *seen* certainly shows; None if there is none."""
    best = best_match(seen, kind)
    return best.printed_id if best is not None and best.is_certain() else None


def best_match(seen: PlacePredictions, kind: BoardKind) -> KnownMatch | None:
    """Returns the known board that agrees best with a board of standard shape; None if the game has no known ones."""
    prints = _known_prints(kind.load_known, kind.types)
    if not prints.names:
        return None
    likelihoods = _log_likelihoods(seen, prints)
    best = int(likelihoods.argmax())
    alike = _visible_types(seen).argmax(axis=1) == prints.types[best]
    visible = seen.hidden[: len(alike)] < HIDDEN_FROM
    return KnownMatch(
        prints.names[best],
        int(alike.sum()),
        float(alike[visible].mean()) if visible.any() else 0.0,
        int(visible.sum()),
        float(likelihoods[best]),
        float(likelihoods[best] - np.delete(likelihoods, best).max(initial=-np.inf)),
    )


def clear_turn(ways: Sequence[PlacePredictions], kind: BoardKind) -> int | None:
    """Returns the index of the rotation in which a known board explains what is seen, clearly better than any known
    board does in another rotation, and than an unknown board in any; None if there is none.

    *ways* are the readings of a board of standard shape in every rotation.
    """
    prints = _known_prints(kind.load_known, kind.types)
    if not prints.names:
        return None
    known = np.array([_log_likelihoods(seen, prints).max() for seen in ways])
    turn = int(known.argmax())
    others = np.append(np.delete(known, turn), [_log_likelihood_of_unknown(seen, kind) for seen in ways])
    return turn if known[turn] - others.max() >= CLEARLY else None


@dataclass(frozen=True, slots=True)
class _KnownPrints:
    """The different prints of the known boards of a game."""

    names: tuple[str, ...]
    """(K,) id of the first board with each print: some were reprinted."""
    types: np.ndarray
    """(K, S) indices of the types of the game."""
    faces: np.ndarray
    """(K, S) 1 to 6."""


@cache
def _known_prints(load_known: Callable[[], Mapping[str, Spaces]], types: tuple[str, ...]) -> _KnownPrints:
    """Returns the prints of the boards that *load_known* returns, with these *types*."""
    names: dict[Spaces, str] = {}
    for name, spaces in load_known().items():
        names.setdefault(spaces, name)
    indices = [[types.index(tile_type) for tile_type, _ in spaces] for spaces in names]
    faces = [[die for _, die in spaces] for spaces in names]
    return _KnownPrints(tuple(names.values()), np.array(indices, int), np.array(faces, int))


def _visible_types(seen: PlacePredictions) -> np.ndarray:
    """Returns (S, TYPES): probability of each type that a space of a standard board shows, printed or as a tile."""
    count = len(STANDARD.names)
    empty = seen.empty[:count, None]
    shown: np.ndarray = empty * seen.space_types[:count] + (1 - empty) * seen.tile_types[:count]
    return shown


def _log_likelihoods(seen: PlacePredictions, prints: _KnownPrints) -> np.ndarray:
    """Returns (K,): logarithms of the likelihood of what is seen on a board with each of the known *prints*."""
    spaces = np.arange(len(STANDARD.names))
    of_types = _weighted_log(seen, _visible_types(seen))[spaces, prints.types].sum(axis=1)
    likelihoods: np.ndarray = of_types + _of_faces(seen, prints.faces)
    return likelihoods


def _log_likelihood_of_unknown(seen: PlacePredictions, kind: BoardKind) -> float:
    """Returns the same for a board with any types, as frequent as usual, and with the usual faces or any."""
    counts = np.array([kind.usual_counts.get(tile_type, 1) for tile_type in kind.types], float)
    of_types = _weighted_log(seen, _visible_types(seen) @ (counts / counts.sum())).sum()
    of_faces = _of_faces(seen, np.array([kind.usual_dice]))[0] if kind.usual_dice else 0.0
    return float(of_types + max(of_faces, 0.0))


def _weighted_log(seen: PlacePredictions, chance: np.ndarray) -> np.ndarray:
    """Returns the log likelihood of types that are seen with the probabilities *chance* (S, ...), as far as each space
    is visible."""
    visible = 1 - seen.hidden[: len(chance)]
    logs: np.ndarray = (np.log((1 - OTHER_TYPE) * chance + OTHER_TYPE / TYPES).T * visible).T
    return logs


def _of_faces(seen: PlacePredictions, faces: np.ndarray) -> np.ndarray:
    """Returns (K,): log likelihood of the printed *faces* (K, S), 1 to 6, relative to that of any faces."""
    spaces = np.arange(faces.shape[1])
    logs = np.log((1 - MISREAD_FACE) * FACES * seen.faces[: len(spaces)] + MISREAD_FACE)
    bare = bare_probability(seen)[: len(spaces)]
    likelihoods: np.ndarray = logs[spaces, faces - 1] @ bare
    return likelihoods
