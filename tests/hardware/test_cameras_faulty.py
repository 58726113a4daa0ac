"""The camera that fails on command behaves like a real one."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from hardware.cameras import CameraAbsent, CameraBusy, CameraLost
from hardware.cameras.faulty import Fault, FaultyCamera
from tests.support.cameras import NoiseCamera


class Sensor(NoiseCamera):
    def close(self) -> None:
        raise AssertionError("the sensor is not the opener's to close")


@pytest.fixture
def faulty() -> FaultyCamera:
    return FaultyCamera(Sensor())


def test_without_a_fault_it_is_the_camera_behind_it(faulty: FaultyCamera) -> None:
    with faulty.open() as camera:
        look = camera.look()
        assert camera.live and np.array_equal(look.preview, look.full()) and look.preview.min() >= 100
        assert not np.array_equal(look.preview, camera.read())


def test_an_unplugged_camera_stays_lost_until_it_is_opened_again(faulty: FaultyCamera) -> None:
    camera = faulty.open()
    faulty.fault = Fault.UNPLUGGED
    with pytest.raises(CameraLost):
        camera.look()
    with pytest.raises(CameraAbsent):
        faulty.open()
    faulty.fault = None
    with pytest.raises(CameraLost):
        camera.look()
    assert faulty.open().read().shape == (9, 16, 3)
    assert faulty.opened == 2


def test_a_busy_one_cannot_be_opened(faulty: FaultyCamera) -> None:
    faulty.fault = Fault.BUSY
    with pytest.raises(CameraBusy):
        faulty.open()


def test_a_frozen_one_gives_its_last_picture_again(faulty: FaultyCamera) -> None:
    camera = faulty.open()
    last = camera.read()
    faulty.fault = Fault.FROZEN
    assert np.array_equal(camera.read(), last) and np.array_equal(camera.read(), last)
    faulty.fault = None
    assert not np.array_equal(camera.read(), last)


@pytest.mark.parametrize(("fault", "level"), [(Fault.BLACK, 0), (Fault.OVEREXPOSED, 255)])
def test_a_blind_one_shows_one_level(faulty: FaultyCamera, fault: Fault, level: int) -> None:
    faulty.fault = fault
    assert np.unique(faulty.open().read()).tolist() == [level]


def test_a_hung_camera_blocks_until_it_recovers(faulty: FaultyCamera) -> None:
    camera = faulty.open()
    faulty.fault = Fault.HUNG
    answered = threading.Event()

    def ask() -> None:
        camera.look()
        answered.set()

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    assert not answered.wait(0.05)
    faulty.fault = None
    assert answered.wait(2)
    asking.join()
