"""Pictures for people: annotated frames and crops."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest

from companion.session.last_frame import LastFrame
from vision.annotate import CROP_SIDE, annotated_jpeg, crop_jpeg
from vision.sighting import DieReading, Sighting


def decoded(jpeg: bytes) -> np.ndarray:
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture


def frame_with_a_red_square() -> np.ndarray:
    frame = np.full((100, 160, 3), 128, np.uint8)
    frame[40:60, 100:120] = (0, 0, 255)
    return frame


def is_red(pixel: np.ndarray) -> bool:
    return bool(pixel[2] > 200 and pixel[:2].max() < 60)


def test_a_die_is_cut_out_centred_with_a_margin() -> None:
    crop = decoded(crop_jpeg(frame_with_a_red_square(), (100, 40, 20, 20)))
    assert crop.shape == (CROP_SIDE, CROP_SIDE, 3)
    middle, edge = CROP_SIDE // 2, CROP_SIDE // 8
    assert is_red(crop[middle, middle])
    assert not any(is_red(crop[y, x]) for x, y in ((edge, middle), (middle, edge), (-edge, middle)))


@pytest.mark.parametrize("box", [(150, 90, 30, 30), (0, 0, 1, 1), (500, 500, 20, 20), (10, 10, 0, 0)])
def test_a_box_across_the_border_gives_a_picture(
    box: tuple[int, int, int, int],
) -> None:
    assert decoded(crop_jpeg(frame_with_a_red_square(), box)).shape == (CROP_SIDE, CROP_SIDE, 3)


def test_the_chosen_die_is_framed_among_its_neighbours() -> None:
    crop = decoded(crop_jpeg(frame_with_a_red_square(), (100, 40, 20, 20), framed=True))
    middle, border = CROP_SIDE // 2, round(CROP_SIDE / 2 * (1 - 1 / 2.2))
    for y, x in ((border, middle), (middle, border), (-border, middle), (middle, -border)):
        blue, green, red = map(int, crop[y, x])
        assert red > green + 40 > blue + 80  # amber
    assert is_red(crop[middle, middle])


def test_dice_are_framed_green_when_sure_and_amber_when_not() -> None:
    frame = np.zeros((100, 160, 3), np.uint8)
    dice = (DieReading(3, "red", (20, 20, 30, 30), 0.99), DieReading(None, "red", (90, 20, 30, 30), 0.5))
    picture = decoded(annotated_jpeg(frame, Sighting(dice=dice)))
    assert picture[35, 20].argmax() == 1 and picture[35, 90].argmax() == 2


def test_the_last_frame_can_be_cropped() -> None:
    last = LastFrame()
    assert last.crop((0, 0, 9, 9)) is None
    last.note(frame_with_a_red_square(), Sighting())
    crop = last.crop((100, 40, 20, 20))
    assert crop is not None and is_red(decoded(crop)[CROP_SIDE // 2, CROP_SIDE // 2])


def test_a_die_read_with_doubt_is_shown_as_it_was_read() -> None:
    last, box = LastFrame(), (100, 40, 20, 20)
    last.note(frame_with_a_red_square(), Sighting(dice=(DieReading(3, "red", box, 0.5),)))
    last.note(np.zeros_like(frame_with_a_red_square()), Sighting())
    crop = last.crop(box)
    assert crop is not None and is_red(decoded(crop)[CROP_SIDE // 2, CROP_SIDE // 2])
    last.forget()
    assert last.crop(box) is None


def test_a_picture_is_drawn_once_for_all_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn_by: list[int] = []

    def draw(frame: np.ndarray, sighting: Sighting) -> bytes:
        drawn_by.append(threading.get_ident())
        return b"picture"

    monkeypatch.setattr("vision.annotate.annotated_jpeg", draw)
    last = LastFrame()
    for _ in range(2):
        last.note(frame_with_a_red_square(), Sighting())
        with ThreadPoolExecutor(4) as lookers:
            assert list(lookers.map(lambda _: last.jpeg(), range(8))) == [b"picture"] * 8
    assert len(drawn_by) == 2 and len(set(drawn_by)) == 1


def test_a_frame_that_is_forgotten_while_it_is_drawn_is_not_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    last = LastFrame()

    def draw(frame: np.ndarray, sighting: Sighting) -> bytes:
        last.forget()
        return b"picture"

    monkeypatch.setattr("vision.annotate.annotated_jpeg", draw)
    last.note(frame_with_a_red_square(), Sighting())
    assert [last.jpeg(), last.jpeg()] == [b"picture", None]


def test_a_frame_that_is_read_while_another_is_drawn_is_shown_next(monkeypatch: pytest.MonkeyPatch) -> None:
    last = LastFrame()
    old, new = frame_with_a_red_square(), frame_with_a_red_square()

    def draw(frame: np.ndarray, sighting: Sighting) -> bytes:
        if frame is old:
            last.note(new, Sighting())
        return b"old" if frame is old else b"new"

    monkeypatch.setattr("vision.annotate.annotated_jpeg", draw)
    last.note(old, Sighting())
    assert [last.jpeg(), last.jpeg()] == [b"old", b"new"]
