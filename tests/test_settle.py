"""The settle detector: still, moving, noisy and slowly changing pictures."""

from __future__ import annotations

import numpy as np
import pytest

from vision.settle import SettleDetector

SHAPE = (360, 640, 3)
FRAME_SECONDS = 0.1


def table(seed: int = 0, noise: float = 0.0, brightness: float = 1.0) -> np.ndarray:
    """A table with a bright board on it."""
    picture = np.full(SHAPE, 80.0)
    picture[100:260, 200:440] = 160
    grain = np.random.default_rng(seed).normal(0, noise, SHAPE) if noise else 0
    return np.clip(picture * brightness + grain, 0, 255).astype(np.uint8)


def with_hand(frame: np.ndarray, left: int) -> np.ndarray:
    frame = frame.copy()
    frame[150:220, left : left + 60] = (90, 120, 200)
    return frame


def feed_still(detector: SettleDetector, start: float, count: int = 8, **look: float) -> list[bool]:
    return [detector.feed(table(seed=i, **look), start + i * FRAME_SECONDS).settled for i in range(count)]


def test_a_still_picture_settles_after_half_a_second_and_not_before():
    assert feed_still(SettleDetector(), 100.0) == [False] * 5 + [True] * 3


def test_sensor_noise_is_no_motion():
    assert feed_still(SettleDetector(), 0.0, noise=12.0)[-1]


def test_a_hand_coming_in_unsettles_the_picture():
    detector = SettleDetector()
    feed_still(detector, 0.0)
    seen = detector.feed(with_hand(table(), 300), 0.9)
    assert seen.moving and not seen.settled


def test_a_hand_too_slow_to_differ_from_frame_to_frame_is_noticed():
    detector = SettleDetector()
    frames = [with_hand(table(), 300 + i) for i in range(30)]
    moving = [detector.feed(frame, i / 30).moving for i, frame in enumerate(frames)]
    assert sum(moving) > 3
    assert not detector.feed(frames[-1], 1.0).settled


def test_the_picture_settles_again_once_the_hand_rests_or_is_gone():
    detector = SettleDetector()
    feed_still(detector, 0.0)
    detector.feed(with_hand(table(), 300), 0.9)
    assert feed_still(detector, 1.0)[-1]


@pytest.mark.parametrize("brightness", [0.8, 1.25])
def test_a_cloud_is_no_motion(brightness):
    detector = SettleDetector()
    feed_still(detector, 0.0)
    assert not detector.feed(table(brightness=brightness), 0.9).moving


def test_a_single_small_tile_laid_down_is_motion():
    detector = SettleDetector()
    feed_still(detector, 0.0, noise=3.0)
    frame = table(seed=99, noise=3.0)
    frame[170:186, 300:316] = (40, 160, 60)
    assert detector.feed(frame, 0.9).moving


def test_few_frames_do_not_settle_however_much_time_passes():
    detector = SettleDetector(still_frames=3)
    detector.feed(table(), 0.0)
    assert not detector.feed(table(), 5.0).settled
    assert detector.feed(table(), 5.1).settled


def test_grey_frames_are_taken_too():
    detector = SettleDetector()
    assert [detector.feed(table()[..., 0], t).settled for t in (0.0, 0.3, 0.6)] == [False, False, True]
