"""What lies on a place, from its type and from what the owner's own tiles look like."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from calibration.facts import TILE_TYPES

from .boards.spaces import FRAMED_SHARE, BoardPatches, SpaceReadings
from .gallery import BARE_SQUARE, Gallery
from .sighting import EMPTY, FACE_DOWN, PlaceReading

RECOGNISED = 0.8
"""What the gallery recognises with less probability looks like nothing learnt."""
UNLIKE_LEARNT = 0.1
"""Share of places that look like nothing learnt though they were: a figure of a castle, blur, a shadow."""
ENROLLED, UNKNOWN_DOUBT = 40, 0.15
"""Kinds from which a gallery knows the tiles of the game, and the doubt about what then looks like none of them: it may
be something else that lies there."""
POSSIBLE = 0.003
"""Share of the belief in a tile from which its being of a type is looked into."""
SURELY_EMPTY = 0.95
"""Of a space that is bare with this probability the gallery is not asked, but for the backs of tiles: these may look
much like dark print."""
LEAST_DOUBT = 0.01
"""Doubt about a space that never goes away: the reader has learnt from made-up printings alone."""
CLIPPED, GLARE_DOUBT = 250, 0.5
"""Level of the darkest channel from which glare has burnt a pixel, and the further doubt when all are."""
WHITE_PRINT = 0.1
"""Share of a place that may be as bright without glare: the printed die."""


FACE_DOWN_GROUPS = ("card", "inventory")
"""Groups in which tiles may lie face down."""


def may_be_face_down(place: str) -> bool:
    return place.split(":")[0] in FACE_DOWN_GROUPS


def gallery_places(
    patches: np.ndarray, framed: np.ndarray, shape: str, gallery: Gallery
) -> list[PlaceReading]:
    """Returns what lies on places of one *shape*, by the gallery alone."""
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
    """Returns what the gallery knows that can lie on a place of *shape*: goods tiles are square, all others
    hexagons."""
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
    """Returns what lies on the spaces and places *indices* of *cut*; the gallery, when given, tells the variants and
    has a say about the rest.

    Of a tile that looks like none the gallery knows, the type alone is probabilities, beside the variants it may yet be. On
    the places *face_down* it may be the back of a tile, too.
    """
    empty = np.clip(spaces.empty, LEAST_DOUBT, 1 - LEAST_DOUBT)
    types = ((1 - LEAST_DOUBT) * spaces.tile_types + LEAST_DOUBT / len(TILE_TYPES)) * (1 - empty)[:, None]
    by_type = {
        i: {EMPTY: float(empty[i]), **dict(zip(TILE_TYPES, types[i].tolist(), strict=True))} for i in indices
    }
    by_type |= {i: _or_back(by_type[i]) for i in face_down}
    probabilities = {i: by_type[i] for i in indices}
    backs = set(face_down) if gallery is not None and FACE_DOWN in gallery.labels else set()
    occupied = [i for i in indices if spaces.empty[i] < SURELY_EMPTY or i in backs]
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
    """Returns *by_type* where a tile may lie face down: what its type leaves open may be the back.

    A back looks like no type: the reader, which has learnt no backs, is seldom sure of any.
    """
    types = {name: p for name, p in by_type.items() if name != EMPTY}
    occupied = sum(types.values())
    open_ = occupied - max(types.values())
    share = occupied / (occupied + open_)
    return {EMPTY: by_type[EMPTY], FACE_DOWN: open_ * share, **{name: p * share for name, p in types.items()}}


def _with_gallery(
    by_type: Mapping[str, float], similar: Mapping[str, float], gallery: Gallery
) -> dict[str, float]:
    """Returns what the space says and what the *gallery* says it looks like, taken together."""
    probabilities = _combined(by_type, similar, gallery.labels)
    if sum(similar.values()) < RECOGNISED and len(gallery.labels) >= ENROLLED:
        probabilities = {label: p * (1 - UNKNOWN_DOUBT) for label, p in probabilities.items()}
        probabilities[EMPTY] = probabilities.get(EMPTY, 0.0) + UNKNOWN_DOUBT
    return probabilities


def clipped_share(patches: np.ndarray) -> np.ndarray:
    """Returns (N,) share of each of *patches* (N, S, S, 3) that glare has burnt to white."""
    shares: np.ndarray = (patches.min(axis=3) >= CLIPPED).mean(axis=(1, 2))
    return shares


def _possible(by_type: Mapping[str, float], gallery: Gallery) -> frozenset[str]:
    """Labels that the gallery is asked about: bare, or of a type that a tile there may have."""
    occupied = 1 - by_type[EMPTY]
    types = {name for name, p in by_type.items() if p >= POSSIBLE * occupied}
    return frozenset(label for label in gallery.labels if label == EMPTY or label.split("/")[0] in types)


def _combined(
    by_type: Mapping[str, float], similar: Mapping[str, float], known: Collection[str]
) -> dict[str, float]:
    """Product of what the space says (empty, types) and what a gallery of the labels *known* says (labels).

    What looks like nothing learnt may be a bare space or the back of a tile, where the gallery knows no print or no
    back, or, seldom, a tile.
    """
    unknown = max(0.0, 1 - sum(similar.values()))
    joint = {label: by_type[label.split("/")[0]] * p for label, p in similar.items()}
    for label, p in by_type.items():
        unlike = 1.0 if label in (EMPTY, FACE_DOWN) and label not in known else UNLIKE_LEARNT
        joint[label] = joint.get(label, 0.0) + p * unknown * unlike
    total = sum(joint.values())
    return {label: p / total for label, p in joint.items()} if total > 0 else dict(by_type)
