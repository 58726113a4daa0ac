"""Combines the tile type read on a place with its similarity to the tiles of the gallery.

The reader of types knows those of the spaces only. Tiles without such a type, and tokens on tiles, are known by their
look.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.board_kind import BoardKind, TokenKind, kind_of

from .boards.reading import FRAMED_SHARE, BoardPatches, SpaceReadings
from .candidates import Candidates
from .gallery import BARE, KINDS, RECOGNISED, Gallery, or_unlearnt, united
from .geometry import PATCH_PX
from .sighting import EMPTY, FACE_DOWN, PlaceReading

UNLIKE_LEARNT = 0.1
"""Share of known tiles that look unknown: a small figure, blur, a shadow."""
ENROLLED, UNKNOWN_DOUBT = 40, 0.15
"""Number of labels from which a gallery is taken as complete, and the doubt about a place that looks unknown even so:
something else may lie there."""
POSSIBLE = 0.003
"""Share of the probability of a tile from which its labels of a type are considered."""
EMPTY_THRESHOLD = 0.95
"""Probability from which an empty space is not compared with the gallery, except with the backs of tiles, which may
look like dark print."""
WITHOUT_TYPE = 0.02
"""Share of the probability of a tile for tiles without a type, whichever type is read."""
MIN_DOUBT = 0.01
"""Doubt about a space that always remains: the reader was trained on synthetic printings only."""
CLIPPED, GLARE_DOUBT = 250, 0.5
"""Level of the darkest channel from which a pixel is clipped by glare, and the further doubt when all are."""
WHITE_PRINT = 0.1
"""Share of a place that may be as bright without glare: the printed die."""


def gallery_places(
    patches: np.ndarray,
    framed: np.ndarray,
    shape: str,
    gallery: Gallery,
    candidates: Candidates | None = None,
) -> list[PlaceReading]:
    """Returns the readings of places of one *shape*, by the gallery only; *candidates* are all its labels by default.

    *patches* are (N, PATCH_PX, PATCH_PX, 3) uint8 BGR, *framed* (N,) the share of each that is within the frame.
    """
    candidates = candidates or Candidates.of(gallery)
    labels = gallery.classify_all(patches, [candidates.learnt_on(shape)] * len(patches))
    unlearnt = candidates.unlearnt_on(shape) if shape in KINDS else frozenset()
    return [
        PlaceReading(
            _bare_is_empty(or_unlearnt(probabilities, unlearnt)),
            bool(share < FRAMED_SHARE) or sum(probabilities.values()) < RECOGNISED,
        )
        for probabilities, share in zip(labels, framed, strict=True)
    ]


def _bare_is_empty(probabilities: Mapping[str, float]) -> dict[str, float]:
    bare = {EMPTY, *BARE.values()}
    empty = sum(p for label, p in probabilities.items() if label in bare)
    others = {label: p for label, p in probabilities.items() if label not in bare}
    return {**others, EMPTY: empty} if empty else others


@dataclass(frozen=True, slots=True)
class _TokensOnTiles:
    """Tokens of one kind that may lie on a tile."""

    kind: TokenKind
    labels: tuple[str, ...]

    def may_lie_on(self, by_type: Mapping[str, float]) -> bool:
        """Returns whether a place whose types have these probabilities may have such a tile."""
        return by_type[self.kind.tile_type] >= POSSIBLE * (1 - by_type[EMPTY])


@dataclass(frozen=True, slots=True)
class _Names:
    """What the reader of types does not know by itself, for one kind of boards."""

    learnt: frozenset[str]
    without_type: tuple[str, ...]
    tokens: tuple[_TokensOnTiles, ...]

    @classmethod
    def of(cls, candidates: Candidates, kind: BoardKind) -> _Names:
        tokens = (
            _TokensOnTiles(token, labels)
            for name, token in kind.tokens.items()
            if (labels := candidates.tokens(name))
        )
        return cls(candidates.learnt, candidates.without_type(kind), tuple(tokens))

    @property
    def is_complete(self) -> bool:
        """Returns whether so much is learnt that what looks unknown is something that is not."""
        return len(self.learnt) >= ENROLLED


def space_places(
    cut: BoardPatches,
    spaces: SpaceReadings,
    gallery: Gallery | None,
    indices: Sequence[int],
    face_down: Collection[int] = (),
    candidates: Candidates | None = None,
) -> dict[int, PlaceReading]:
    """Returns the readings of the spaces and places *indices* of *cut*, with variants and corrections from the
    *gallery* if given.

    For a tile that resembles none in the gallery, only the type is certain; its possible variants get the rest. On the
    places *face_down* it may also be the back of a tile. *candidates* are all labels of the gallery by default.
    """
    names = _Names.of(candidates or Candidates.of(gallery), cut.kind)
    empty = np.clip(spaces.empty, MIN_DOUBT, 1 - MIN_DOUBT)
    types = ((1 - MIN_DOUBT) * spaces.tile_types + MIN_DOUBT / len(cut.kind.types)) * (1 - empty)[:, None]
    by_type = {
        i: {EMPTY: float(empty[i]), **dict(zip(cut.kind.types, types[i].tolist(), strict=True))}
        for i in indices
    }
    by_type = {i: _or_without_type(p, names.without_type) for i, p in by_type.items()}
    by_type |= {i: _or_back(by_type[i]) for i in face_down}
    probabilities = {i: by_type[i] for i in indices}
    backs = set(face_down) if FACE_DOWN in names.learnt else set()
    occupied = [i for i in indices if spaces.empty[i] < EMPTY_THRESHOLD or i in backs]
    if gallery is not None and occupied:
        looks = gallery.classify_all(
            cut.patches[occupied], [_possible(by_type[i], names.learnt) for i in occupied]
        )
        similar: dict[int, Mapping[str, float]] = dict(zip(occupied, looks, strict=True))
        for tokens in names.tokens:
            similar = _with_tokens(similar, by_type, cut.patches, tokens, gallery)
        probabilities |= {i: _with_gallery(by_type[i], look, names) for i, look in similar.items()}
    sure = 1 - GLARE_DOUBT * np.maximum(0, clipped_share(cut.patches) - WHITE_PRINT)
    return {
        i: PlaceReading(
            {label: p * float(sure[i]) for label, p in probabilities[i].items()}, bool(spaces.hidden[i])
        )
        for i in indices
    }


def _or_without_type(by_type: Mapping[str, float], without_type: Collection[str]) -> dict[str, float]:
    """Returns *by_type* for a game with tiles *without_type*, of which the reader of types knows nothing."""
    if not without_type:
        return dict(by_type)
    occupied = 1 - by_type[EMPTY]
    typed = {name: p if name == EMPTY else p * (1 - WITHOUT_TYPE) for name, p in by_type.items()}
    return typed | dict.fromkeys(without_type, occupied * WITHOUT_TYPE / len(without_type))


def _with_tokens(
    similar: dict[int, Mapping[str, float]],
    by_type: Mapping[int, Mapping[str, float]],
    patches: np.ndarray,
    tokens: _TokensOnTiles,
    gallery: Gallery,
) -> dict[int, Mapping[str, float]]:
    """Adds to the tiles that each place is *similar* to those on which a token lies, known by the look of the token.

    *patches* are those of all places, (N, PATCH_PX, PATCH_PX, 3) uint8 BGR; *similar* and *by_type* have their indices.
    """
    places = [i for i in similar if tokens.may_lie_on(by_type[i])]
    cut = np.array([token_patch(patches[i], tokens.kind.width) for i in places])
    learnt = [label for label in tokens.labels if label in gallery.labels]
    unlearnt = set(tokens.labels).difference(learnt) if learnt else ()
    looks = gallery.classify_all(cut, [learnt] * len(places))
    with_tokens = {
        i: united(
            similar[i], {tokens.kind.on_tile(token): p for token, p in or_unlearnt(look, unlearnt).items()}
        )
        for i, look in zip(places, looks, strict=True)
    }
    return {**similar, **with_tokens}


def token_patch(patch: np.ndarray, width: float) -> np.ndarray:
    """Returns the token in the middle of a tile as it is cut at a place of its own: patches (PATCH_PX, PATCH_PX, 3)
    uint8 BGR; *width* is that of the token in pitches of a board."""
    edge = round(PATCH_PX * (1 - width) / 2)
    middle = patch[edge : PATCH_PX - edge, edge : PATCH_PX - edge]
    return cv2.resize(middle, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_LINEAR)


def _or_back(by_type: Mapping[str, float]) -> dict[str, float]:
    """Returns *by_type* for a place with tiles that may be face down: the doubt about the type may be a back.

    A back resembles no type: the reader was not trained on backs and is rarely certain of any type for them.
    """
    types = {name: p for name, p in by_type.items() if name != EMPTY}
    occupied = sum(types.values())
    open_ = occupied - max(types.values())
    share = occupied / (occupied + open_)
    return {EMPTY: by_type[EMPTY], FACE_DOWN: open_ * share, **{name: p * share for name, p in types.items()}}


def _with_gallery(
    by_type: Mapping[str, float], similar: Mapping[str, float], names: _Names
) -> dict[str, float]:
    """Combines the type of the space with its similarity to the gallery."""
    probabilities = _combined(by_type, similar, names)
    if sum(similar.values()) < RECOGNISED and names.is_complete:
        probabilities = {label: p * (1 - UNKNOWN_DOUBT) for label, p in probabilities.items()}
        probabilities[EMPTY] = probabilities.get(EMPTY, 0.0) + UNKNOWN_DOUBT
    return probabilities


def _each_token(tokens: _TokensOnTiles, names: _Names, unknown: float) -> dict[str, float]:
    """Returns the label of a tile with each of the *tokens*, which would otherwise count as likely as the tile.

    Those that are not learnt share the probability that such a tile looks *unknown*.
    """
    learnt = {tokens.kind.on_tile(token): 0.0 for token in tokens.labels if token in names.learnt}
    others = [tokens.kind.on_tile(token) for token in tokens.labels if token not in names.learnt]
    return learnt | (dict.fromkeys(others, unknown / len(others)) if others and names.is_complete else {})


def clipped_share(patches: np.ndarray) -> np.ndarray:
    """Returns (N,): share of each of *patches* (N, S, S, 3) that is clipped by glare."""
    blue, green, red = np.moveaxis(patches >= CLIPPED, 3, 0)  # along an axis of three numbers NumPy is slow
    shares: np.ndarray = (blue & green & red).mean(axis=(1, 2))
    return shares


def _possible(by_type: Mapping[str, float], learnt: Collection[str]) -> frozenset[str]:
    """Returns the labels of the gallery to compare: empty, or of a type that the tile may have."""
    occupied = 1 - by_type[EMPTY]
    types = {name for name, p in by_type.items() if p >= POSSIBLE * occupied}
    return frozenset(label for label in learnt if label == EMPTY or kind_of(label) in types)


def _combined(by_type: Mapping[str, float], similar: Mapping[str, float], names: _Names) -> dict[str, float]:
    """Returns the product of what the space says (empty, types) and what a gallery says (labels).

    A place that looks unknown may be what the gallery has no example of: an empty space, a back, a tile without a type,
    a tile with a token on it; or, rarely, a tile that it has.
    """
    unknown = max(0.0, 1 - sum(similar.values()))
    joint = {label: by_type[kind_of(label)] * p for label, p in similar.items()}
    unlearnt = {EMPTY, FACE_DOWN, *(names.without_type if names.is_complete else ())} - names.learnt
    for label, p in by_type.items():
        joint[label] = joint.get(label, 0.0) + p * unknown * (1.0 if label in unlearnt else UNLIKE_LEARNT)
    for tokens in names.tokens:
        if tokens.may_lie_on(by_type):
            joint = _each_token(tokens, names, by_type[tokens.kind.tile_type] * unknown) | joint
    total = sum(joint.values())
    return {label: p / total for label, p in joint.items()} if total > 0 else dict(by_type)
