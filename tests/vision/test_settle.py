"""The settle detector: still, moving, noisy and slowly changing pictures."""

from __future__ import annotations

import numpy as np
import pytest

from vision.settle import SettleDetector

SHAPE = (360, 640, 3)
FRAME_SECONDS = 0.1


def table(seed: int = 0, noise: float = 0.0, brightness: float = 1.0) -> np.ndarray:
    """Returns a table with a bright board on it."""
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


def with_arm(frame: np.ndarray) -> np.ndarray:
    """Returns a picture with a hand at rest over the table; its arm crosses the picture's border."""
    frame = frame.copy()
    frame[190:, 300:350] = (90, 120, 200)
    return frame


def test_a_still_picture_settles_after_a_quarter_of_a_second_and_not_before() -> None:
    assert feed_still(SettleDetector(still_seconds=0.25), 100.0) == [False] * 3 + [True] * 5


def test_dice_at_rest_are_read_with_a_fifth_of_a_second_left_of_the_half_that_is_allowed() -> None:
    settled = feed_still(SettleDetector(), 0.0)
    assert settled.index(True) <= 3


def test_a_hand_that_rests_over_the_table_prevents_reading() -> None:
    detector = SettleDetector()
    feed_still(detector, 0.0)
    seen = [detector.feed(with_arm(table(seed=i)), 1.0 + i * FRAME_SECONDS) for i in range(50)]
    assert not any(look.settled for look in seen)
    assert seen[-1].hand


def test_the_table_is_read_once_the_resting_hand_has_left() -> None:
    detector = SettleDetector()
    feed_still(detector, 0.0)
    for i in range(20):
        detector.feed(with_arm(table(seed=i)), 1.0 + i * FRAME_SECONDS)
    assert feed_still(detector, 3.0)[-1]


def test_an_object_across_the_border_counts_as_table_after_a_while() -> None:
    detector = SettleDetector(hand_seconds=6.0)
    feed_still(detector, 0.0)
    seen = [detector.feed(with_arm(table(seed=i)), 1.0 + i * FRAME_SECONDS).settled for i in range(70)]
    assert seen.index(True) * FRAME_SECONDS == pytest.approx(6.0, abs=FRAME_SECONDS)


def test_a_tile_placed_inside_the_picture_is_not_a_hand() -> None:
    detector = SettleDetector()
    feed_still(detector, 0.0)
    frame = with_hand(table(), 300)
    assert [detector.feed(frame, 1.0 + i * FRAME_SECONDS).settled for i in range(5)][-1]


def test_sensor_noise_is_no_motion() -> None:
    assert feed_still(SettleDetector(), 0.0, noise=12.0)[-1]


def test_a_hand_coming_in_unsettles_the_picture() -> None:
    detector = SettleDetector()
    feed_still(detector, 0.0)
    seen = detector.feed(with_hand(table(), 300), 0.9)
    assert seen.moving and not seen.settled


def test_a_hand_too_slow_to_differ_from_frame_to_frame_is_noticed() -> None:
    detector = SettleDetector()
    frames = [with_hand(table(), 300 + i) for i in range(30)]
    moving = [detector.feed(frame, i / 30).moving for i, frame in enumerate(frames)]
    assert sum(moving) > 3
    assert not detector.feed(frames[-1], 1.0).settled


def test_the_picture_settles_once_the_hand_rests_or_leaves() -> None:
    detector = SettleDetector()
    feed_still(detector, 0.0)
    detector.feed(with_hand(table(), 300), 0.9)
    assert feed_still(detector, 1.0)[-1]


@pytest.mark.parametrize("brightness", [0.8, 1.25])
def test_a_cloud_is_no_motion(brightness: float) -> None:
    detector = SettleDetector()
    feed_still(detector, 0.0)
    assert not detector.feed(table(brightness=brightness), 0.9).moving


def test_placing_a_single_small_tile_is_motion() -> None:
    detector = SettleDetector()
    feed_still(detector, 0.0, noise=3.0)
    frame = table(seed=99, noise=3.0)
    frame[170:186, 300:316] = (40, 160, 60)
    assert detector.feed(frame, 0.9).moving


def test_few_frames_do_not_settle_however_much_time_passes() -> None:
    detector = SettleDetector(still_frames=3)
    detector.feed(table(), 0.0)
    assert not detector.feed(table(), 5.0).settled
    assert detector.feed(table(), 5.1).settled


def test_grey_frames_are_taken_too() -> None:
    detector = SettleDetector()
    assert [detector.feed(table()[..., 0], t).settled for t in (0.0, 0.2, 0.4)] == [False, False, True]
