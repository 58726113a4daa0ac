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
ENROLLED, STRANGE_DOUBT = 40, 0.15
"""Kinds from which a gallery knows the tiles of the game, and the doubt about what then looks like none of them: it may
be something else that lies there."""
POSSIBLE = 0.003
"""Share of the belief in a tile from which its being of a type is looked into."""
SURELY_EMPTY = 0.95
"""Of a space that is bare with this probability the gallery is not asked, but for the backs of tiles: these may look
much like dark print."""
LEAST_DOUBT = 0.01
"""Doubt about a space that never goes away: the reader has learnt from made-up printings alone."""
BURNT, GLARE_DOUBT = 250, 0.5
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
    """What lies on places of one *shape*, by the gallery alone."""
    labels = gallery.classify_all(patches, [labels_for(shape, gallery)] * len(patches))
    return [
        PlaceReading(_bare_is_empty(told), bool(share < FRAMED_SHARE) or sum(told.values()) < RECOGNISED)
        for told, share in zip(labels, framed, strict=True)
    ]


def _bare_is_empty(told: Mapping[str, float]) -> dict[str, float]:
    empty = told.get(EMPTY, 0.0) + told.get(BARE_SQUARE, 0.0)
    others = {label: p for label, p in told.items() if label not in (EMPTY, BARE_SQUARE)}
    return {**others, EMPTY: empty} if empty else others


def labels_for(shape: str, gallery: Gallery) -> frozenset[str]:
    """What the gallery knows that can lie on a place of *shape*: goods tiles are square, all others hexagons."""
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
    """What lies on the spaces and places *indices* of *cut*; the gallery, when given, tells the variants and has a say
    about the rest.

    Of a tile that looks like none the gallery knows, the type alone is told, beside the variants it may yet be. On
    the places *face_down* it may be the back of a tile, too.
    """
    empty = np.clip(spaces.empty, LEAST_DOUBT, 1 - LEAST_DOUBT)
    types = ((1 - LEAST_DOUBT) * spaces.tile_types + LEAST_DOUBT / len(TILE_TYPES)) * (1 - empty)[:, None]
    by_type = {
        i: {EMPTY: float(empty[i]), **dict(zip(TILE_TYPES, types[i].tolist(), strict=True))} for i in indices
    }
    by_type |= {i: _or_face_down(by_type[i]) for i in face_down}
    told = {i: by_type[i] for i in indices}
    backs = set(face_down) if gallery is not None and FACE_DOWN in gallery.labels else set()
    laid = [i for i in indices if spaces.empty[i] < SURELY_EMPTY or i in backs]
    if gallery is not None and laid:
        looks = gallery.classify_all(cut.patches[laid], [_possible(by_type[i], gallery) for i in laid])
        told |= {
            i: _with_looks(by_type[i], looks_like, gallery) for i, looks_like in zip(laid, looks, strict=True)
        }
    sure = 1 - GLARE_DOUBT * np.maximum(0, burnt(cut.patches) - WHITE_PRINT)
    return {
        i: PlaceReading({label: p * float(sure[i]) for label, p in told[i].items()}, bool(spaces.hidden[i]))
        for i in indices
    }


def _or_face_down(by_type: Mapping[str, float]) -> dict[str, float]:
    """*by_type* where a tile may lie face down: what its type leaves open may be the back.

    A back looks like no type: the reader, which has learnt no backs, is seldom sure of any.
    """
    types = {name: p for name, p in by_type.items() if name != EMPTY}
    laid = sum(types.values())
    open_ = laid - max(types.values())
    share = laid / (laid + open_)
    return {EMPTY: by_type[EMPTY], FACE_DOWN: open_ * share, **{name: p * share for name, p in types.items()}}


def _with_looks(
    by_type: Mapping[str, float], looks_like: Mapping[str, float], gallery: Gallery
) -> dict[str, float]:
    """What the space says and what the *gallery* says it looks like, taken together."""
    told = _combined(by_type, looks_like, gallery.labels)
    if sum(looks_like.values()) < RECOGNISED and len(gallery.labels) >= ENROLLED:
        told = {label: p * (1 - STRANGE_DOUBT) for label, p in told.items()}
        told[EMPTY] = told.get(EMPTY, 0.0) + STRANGE_DOUBT
    return told


def burnt(patches: np.ndarray) -> np.ndarray:
    """(N,) share of each of *patches* (N, S, S, 3) that glare has burnt to white."""
    shares: np.ndarray = (patches.min(axis=3) >= BURNT).mean(axis=(1, 2))
    return shares


def _possible(by_type: Mapping[str, float], gallery: Gallery) -> frozenset[str]:
    """Labels that the gallery is asked about: bare, or of a type that a tile there may have."""
    laid = 1 - by_type[EMPTY]
    types = {name for name, p in by_type.items() if p >= POSSIBLE * laid}
    return frozenset(label for label in gallery.labels if label == EMPTY or label.split("/")[0] in types)


def _combined(
    by_type: Mapping[str, float], looks_like: Mapping[str, float], known: Collection[str]
) -> dict[str, float]:
    """Product of what the space says (empty, types) and what a gallery of the labels *known* says (labels).

    What looks like nothing learnt may be a bare space or the back of a tile, where the gallery knows no print or no
    back, or, seldom, a tile.
    """
    stranger = max(0.0, 1 - sum(looks_like.values()))
    joint = {label: by_type[label.split("/")[0]] * p for label, p in looks_like.items()}
    for label, p in by_type.items():
        unlike = 1.0 if label in (EMPTY, FACE_DOWN) and label not in known else UNLIKE_LEARNT
        joint[label] = joint.get(label, 0.0) + p * stranger * unlike
    total = sum(joint.values())
    return {label: p / total for label, p in joint.items()} if total > 0 else dict(by_type)
