"""Combines the tile type read on a place with its similarity to the tiles of the gallery."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from .boards.reading import FRAMED_SHARE, BoardPatches, SpaceReadings
from .gallery import BARE_SQUARE, Gallery
from .sighting import EMPTY, FACE_DOWN, PlaceReading

RECOGNISED = 0.8
"""Total probability from the gallery below which a place counts as unknown to it."""
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
MIN_DOUBT = 0.01
"""Doubt about a space that always remains: the reader was trained on synthetic printings only."""
CLIPPED, GLARE_DOUBT = 250, 0.5
"""Level of the darkest channel from which a pixel is clipped by glare, and the further doubt when all are."""
WHITE_PRINT = 0.1
"""Share of a place that may be as bright without glare: the printed die."""


def gallery_places(
    patches: np.ndarray, framed: np.ndarray, shape: str, gallery: Gallery
) -> list[PlaceReading]:
    """Returns the readings of places of one *shape*, by the gallery only."""
    labels = gallery.classify_all(patches, [labels_for(shape, gallery)] * len(patches))
    return [
        PlaceReading(
            _bare_is_empty(probabilities),
            bool(share < FRAMED_SHARE) or sum(probabilities.values()) < RECOGNISED,
        )
        for probabilities, share in zip(labels, framed, strict=True)
    ]


def _bare_is_empty(probabilities: Mapping[str, float]) -> dict[str, float]:
    empty = probabilities.get(EMPTY, 0.0) + probabilities.get(BARE_SQUARE, 0.0)
    others = {label: p for label, p in probabilities.items() if label not in (EMPTY, BARE_SQUARE)}
    return {**others, EMPTY: empty} if empty else others


def labels_for(shape: str, gallery: Gallery) -> frozenset[str]:
    """Returns the labels of the gallery for places of *shape*: goods tiles are square, all others hexagons."""
    goods = shape == "square"
    return frozenset(
        label for label in gallery.labels if label == EMPTY or label.startswith("goods/") == goods
    )


def space_places(
    cut: BoardPatches,
    spaces: SpaceReadings,
    gallery: Gallery | None,
    indices: Sequence[int],
    face_down: Collection[int] = (),
) -> dict[int, PlaceReading]:
    """Returns the readings of the spaces and places *indices* of *cut*, with variants and corrections from the
    *gallery* if given.

    For a tile that resembles none in the gallery, only the type is certain; its possible variants get the rest. On the
    places *face_down* it may also be the back of a tile.
    """
    empty = np.clip(spaces.empty, MIN_DOUBT, 1 - MIN_DOUBT)
    types = ((1 - MIN_DOUBT) * spaces.tile_types + MIN_DOUBT / len(cut.kind.types)) * (1 - empty)[:, None]
    by_type = {
        i: {EMPTY: float(empty[i]), **dict(zip(cut.kind.types, types[i].tolist(), strict=True))}
        for i in indices
    }
    by_type |= {i: _or_back(by_type[i]) for i in face_down}
    probabilities = {i: by_type[i] for i in indices}
    backs = set(face_down) if gallery is not None and FACE_DOWN in gallery.labels else set()
    occupied = [i for i in indices if spaces.empty[i] < EMPTY_THRESHOLD or i in backs]
    if gallery is not None and occupied:
        looks = gallery.classify_all(
            cut.patches[occupied], [_possible(by_type[i], gallery) for i in occupied]
        )
        probabilities |= {
            i: _with_gallery(by_type[i], similar, gallery) for i, similar in zip(occupied, looks, strict=True)
        }
    sure = 1 - GLARE_DOUBT * np.maximum(0, clipped_share(cut.patches) - WHITE_PRINT)
    return {
        i: PlaceReading(
            {label: p * float(sure[i]) for label, p in probabilities[i].items()}, bool(spaces.hidden[i])
        )
        for i in indices
    }


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
    by_type: Mapping[str, float], similar: Mapping[str, float], gallery: Gallery
) -> dict[str, float]:
    """Combines the type of the space with its similarity to the *gallery*."""
    probabilities = _combined(by_type, similar, gallery.labels)
    if sum(similar.values()) < RECOGNISED and len(gallery.labels) >= ENROLLED:
        probabilities = {label: p * (1 - UNKNOWN_DOUBT) for label, p in probabilities.items()}
        probabilities[EMPTY] = probabilities.get(EMPTY, 0.0) + UNKNOWN_DOUBT
    return probabilities


def clipped_share(patches: np.ndarray) -> np.ndarray:
    """Returns (N,): share of each of *patches* (N, S, S, 3) that is clipped by glare."""
    shares: np.ndarray = (patches.min(axis=3) >= CLIPPED).mean(axis=(1, 2))
    return shares


def _possible(by_type: Mapping[str, float], gallery: Gallery) -> frozenset[str]:
    """Returns the labels of the gallery to compare: empty, or of a type that the tile may have."""
    occupied = 1 - by_type[EMPTY]
    types = {name for name, p in by_type.items() if p >= POSSIBLE * occupied}
    return frozenset(label for label in gallery.labels if label == EMPTY or label.split("/")[0] in types)


def _combined(
    by_type: Mapping[str, float], similar: Mapping[str, float], known: Collection[str]
) -> dict[str, float]:
    """Returns the product of what the space says (empty, types) and what a gallery of the labels *known* says (labels).

    A place that looks unknown may be an empty space or a back, if the gallery has no example of it, or, rarely, a tile.
    """
    unknown = max(0.0, 1 - sum(similar.values()))
    joint = {label: by_type[label.split("/")[0]] * p for label, p in similar.items()}
    for label, p in by_type.items():
        unlike = 1.0 if label in (EMPTY, FACE_DOWN) and label not in known else UNLIKE_LEARNT
        joint[label] = joint.get(label, 0.0) + p * unknown * unlike
    total = sum(joint.values())
    return {label: p / total for label, p in joint.items()} if total > 0 else dict(by_type)
