"""The die face printed in the middle of every empty space: is it there, and does it show the right number?

A tile hides it, whatever the art of tile and board. Some editions print pips on a white face, some straight on
the colour; face and pips differ in size. So only what all share is searched for: dark pips in the pattern of
the space's number, upright on the board, by normalised cross-correlation. One size fits all boards of a
picture, so the size is chosen by all spaces together.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import PATCH_PX, PATCH_SPAN

NUMBERS = (1, 2, 3, 4, 5, 6)
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}
"""Pips of a face in steps of the pip distance, x right, y down, as printed on the duchies."""
PIP_DISTANCES = (0.075, 0.09, 0.105, 0.12, 0.14)
"""Sizes tried: middle pip to outer column, in hex pitches. Pictured duchies have 0.08 to 0.12."""

PITCH_PX = PATCH_PX / PATCH_SPAN
SLACK_PX = 2
"""Shift allowed each way (0.05 pitch): the measured curl of cards stays below 0.03."""
PIP_RADIUS = 0.25
"""Radius of a pip in pip distances, as the sigma of a Gaussian..."""
LENS_BLUR_PX = 1.0
"""...widened by the blur of lens and resampling."""
FACE_REACH = 1.75
"""Half side of the window compared, in pip distances: the pips and the space around them."""
SENSOR_NOISE = 1.0
"""Grey levels of noise: keeps a flat window from correlating with anything."""

SIZE_EVIDENCE_FLOOR, SIZE_EVIDENCE_SCALE = 0.6, 0.08
"""Correlation from which a space speaks for a pip distance, and how softly."""


def grey_patches(patches: np.ndarray) -> np.ndarray:
    """(n, PATCH_PX, PATCH_PX, 3) uint8 BGR -> (n, PATCH_PX, PATCH_PX) float32 grey."""
    tall = cv2.cvtColor(patches.reshape(-1, PATCH_PX, 3), cv2.COLOR_BGR2GRAY)
    return tall.reshape(patches.shape[:3]).astype(np.float32)


def windows(grey: np.ndarray, side: int, slack: int) -> np.ndarray:
    """All windows of *side* px whose centre is within *slack* px of the patch centre.

    (n, PATCH_PX, PATCH_PX) float32 -> (n, (2 slack + 1)**2, side * side) float32.
    """
    low = (PATCH_PX - side) // 2 - slack
    middle = grey[:, low : low + side + 2 * slack, low : low + side + 2 * slack]
    found = np.lib.stride_tricks.sliding_window_view(middle, (side, side), axis=(1, 2))
    return found.reshape(len(grey), -1, side * side)


def lengths(seen: np.ndarray, noise: float) -> np.ndarray:
    """Length of each window once its mean is taken away, noise added: (n, shifts, d) -> (n, shifts)."""
    mean = seen @ np.full(seen.shape[2], 1 / seen.shape[2], np.float32)
    square = np.einsum("nsd,nsd->ns", seen, seen)
    return np.sqrt(np.maximum(square - seen.shape[2] * mean**2, 0)) + noise * np.sqrt(seen.shape[2])


def pip_scores(grey: np.ndarray) -> np.ndarray:
    """Best correlation with each number's face at each size: (n, len(PIP_DISTANCES), 6) in -1..1."""
    scores = []
    for side, faces in _FACES.values():
        seen = windows(grey, side, SLACK_PX)
        scores.append((seen @ faces.T / lengths(seen, SENSOR_NOISE)[..., None]).max(axis=1))
    return np.stack(scores, axis=1)


def own_face(scores: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How well each space shows the face of its number, and by how much better than any other face.

    *scores* as of :func:`pip_scores`, *numbers* (n,) int, the printed dice. Returns two (n,) arrays.
    """
    rows = np.arange(len(numbers))
    own = scores[rows, :, numbers - 1]
    others = scores.copy()
    others[rows, :, numbers - 1] = -1
    margin = own - others.max(axis=2)
    size = _support(own, margin).argmax()
    return own[:, size], margin[:, size]


def best_faces(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The number each space seems to show, and how well it does: two (n,) arrays."""
    ranked = np.sort(scores, axis=2)
    best, margin = ranked[..., -1], ranked[..., -1] - ranked[..., -2]
    size = _support(best, margin).argmax()
    return scores[:, size].argmax(axis=1) + 1, best[:, size]


def _support(own: np.ndarray, margin: np.ndarray) -> np.ndarray:
    """How much all spaces together speak for each size: two (n, sizes) -> (sizes,)."""
    return (_soft(own - SIZE_EVIDENCE_FLOOR) + _soft(margin)).sum(axis=0)


def _soft(excess: np.ndarray) -> np.ndarray:
    return np.logaddexp(0, excess / SIZE_EVIDENCE_SCALE)


def _face(number: int, distance: float) -> np.ndarray:
    """Dark pips on light as a window of mean 0 and length 1: (side * side,) float32."""
    step = distance * PITCH_PX
    half = round(FACE_REACH * step)
    y, x = np.mgrid[-half : half + 1, -half : half + 1]
    sigma = np.hypot(PIP_RADIUS * step, LENS_BLUR_PX)
    dark = sum(np.exp(-((x - i * step) ** 2 + (y - j * step) ** 2) / (2 * sigma**2)) for i, j in PIPS[number])
    face = dark.mean() - dark
    return (face / np.linalg.norm(face)).astype(np.float32).ravel()


def _faces(distance: float) -> tuple[int, np.ndarray]:
    """Side of the window at a pip distance, and the six faces, (6, side * side)."""
    faces = np.stack([_face(number, distance) for number in NUMBERS])
    return int(np.sqrt(faces.shape[1])), faces


_FACES = {distance: _faces(distance) for distance in PIP_DISTANCES}


TEMPLATE_SIDE_PX, TEMPLATE_SLACK_PX = 18, 2
"""Window learnt from the picture itself: 0.45 pitch, a printed face with a rim of colour around it."""
TEMPLATE_NOISE = 0.02
"""As SENSOR_NOISE, for logarithms of grey: 2 %."""
LOG_OFFSET = 6
"""Grey levels added before the logarithm, so that black noise does not dominate."""
OTHER_NUMBER_WEIGHT = 0.12
"""What an empty space of another number still teaches (the face without its pips)."""


def agreement(grey: np.ndarray, numbers: np.ndarray, empty: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How well each space's middle agrees with the middles of the other spaces that seem empty.

    *empty* (n,) is the present belief, 0..1. Spaces of the same number teach each other; one never teaches
    itself. Returns the correlation with the taught face and the weight of its teachers, two (n,) arrays.
    """
    seen = windows(np.log(grey + LOG_OFFSET), TEMPLATE_SIDE_PX, TEMPLATE_SLACK_PX)
    length = lengths(seen, TEMPLATE_NOISE)
    unshifted = seen.shape[1] // 2
    middle = seen[:, unshifted] - seen[:, unshifted].mean(axis=1, keepdims=True)
    weights = np.where(numbers[:, None] == numbers, 1.0, OTHER_NUMBER_WEIGHT) * empty
    np.fill_diagonal(weights, 0)
    taught = ((weights / length[:, unshifted]) @ middle).astype(np.float32)
    taught /= np.linalg.norm(taught, axis=1, keepdims=True) + 1e-6
    return (np.matmul(seen, taught[:, :, None])[..., 0] / length).max(axis=1), weights.sum(axis=1)
