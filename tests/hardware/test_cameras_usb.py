"""USB cameras, before a stand-in for OpenCV's driver that takes light in as a sensor does."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import DEVNULL, Popen

import cv2
import numpy as np
import pytest

from calibration.camera_settings import CameraSettings
from hardware.cameras import (
    Adjustable,
    CameraAbsent,
    CameraBusy,
    CameraError,
    CameraLost,
    holders,
    open_camera,
)
from hardware.cameras.usb import UsbCamera

MJPG = cv2.VideoWriter.fourcc(*"MJPG")
YUYV = cv2.VideoWriter.fourcc(*"YUYV")
SIZE = (320, 180)
"""Width and height."""


class FakeCapture:
    """Stands for OpenCV's VideoCapture on Linux."""

    def __init__(
        self,
        *,
        opened: bool = True,
        format: int = MJPG,
        light: float = 0.5,
        refused: frozenset[int] = frozenset(),
    ):
        self.opened, self.format, self.light, self.refused = opened, format, light, refused
        self.unplugged = self.released = self.garbled = False
        self.values: dict[int, float] = {
            cv2.CAP_PROP_CONVERT_RGB: 1,
            cv2.CAP_PROP_AUTO_EXPOSURE: 3,
            cv2.CAP_PROP_EXPOSURE: 312,  # reported by many drivers, whatever their automatic mode does
            cv2.CAP_PROP_GAIN: 16,
            cv2.CAP_PROP_AUTO_WB: 1,
            cv2.CAP_PROP_WB_TEMPERATURE: 3100,
            cv2.CAP_PROP_AUTOFOCUS: 1,
            cv2.CAP_PROP_FOCUS: 35,
        }
        self._rng = np.random.default_rng(3)

    def isOpened(self) -> bool:  # noqa: N802
        return self.opened

    def getBackendName(self) -> str:  # noqa: N802
        return "V4L2"

    def set(self, prop: int, value: float) -> bool:
        if prop in self.refused:
            return False
        automatic = {
            cv2.CAP_PROP_WB_TEMPERATURE: cv2.CAP_PROP_AUTO_WB,
            cv2.CAP_PROP_FOCUS: cv2.CAP_PROP_AUTOFOCUS,
        }
        if prop in automatic and self.values[automatic[prop]]:
            return False
        if prop == cv2.CAP_PROP_EXPOSURE and self.values[cv2.CAP_PROP_AUTO_EXPOSURE] != 1:
            return False
        if prop != cv2.CAP_PROP_FOURCC:
            self.values[prop] = value
        return True

    def get(self, prop: int) -> float:
        return self.format if prop == cv2.CAP_PROP_FOURCC else self.values.get(prop, -1)

    def _level(self) -> float:
        automatic = self.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
        exposure = 1.0 if automatic else self.values[cv2.CAP_PROP_EXPOSURE] / 500
        level: float = 255 * min(1.0, 0.25 * exposure * (1 if automatic else self.light / 0.5)) ** 0.5
        return level

    def grab(self) -> bool:
        return not self.unplugged

    def read(self) -> tuple[bool, np.ndarray | None]:
        if self.unplugged:
            return False, None
        noise = self._rng.normal(self._level(), 2, (SIZE[1], SIZE[0], 3))
        frame = np.clip(noise, 0, 255).astype(np.uint8)
        if self.values[cv2.CAP_PROP_CONVERT_RGB]:
            return True, frame
        jpeg = cv2.imencode(".jpg", frame)[1].reshape(1, -1)
        return True, jpeg[:, 40:] if self.garbled else jpeg

    def release(self) -> None:
        self.released = True


@pytest.fixture
def capture(monkeypatch: pytest.MonkeyPatch) -> FakeCapture:
    return usb_with(monkeypatch, FakeCapture())


def usb_with(
    monkeypatch: pytest.MonkeyPatch, capture: FakeCapture, *, plugged_in: bool = True
) -> FakeCapture:
    monkeypatch.setattr(cv2, "VideoCapture", lambda index, backend: capture)
    monkeypatch.setattr("hardware.cameras.usb.Path.exists", lambda path: plugged_in)
    monkeypatch.setattr(sys, "platform", "linux")
    return capture


def test_a_usb_camera_gives_frames_and_lets_go(capture: FakeCapture) -> None:
    with open_camera("usb:0") as camera:
        assert (camera.name, camera.live) == ("USB camera 0", True)
        frame = camera.read()
        assert frame.shape == (180, 320, 3) and 110 < frame.mean() < 140
    assert capture.released


def test_motion_is_watched_on_an_eighth_of_the_picture(capture: FakeCapture) -> None:
    look = UsbCamera(0).look()
    assert look.preview.shape == (23, 40)
    assert look.full().mean() == pytest.approx(float(look.preview.mean()), abs=2)


def test_a_look_can_be_had_in_full_later(capture: FakeCapture) -> None:
    camera = UsbCamera(0)
    look = camera.look()
    first = look.full()
    camera.look()
    assert np.array_equal(look.full(), first)


def test_a_camera_without_jpeg_gives_full_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    usb_with(monkeypatch, FakeCapture(format=YUYV))
    look = UsbCamera(0).look()
    assert look.preview.shape == look.full().shape == (180, 320, 3)


@pytest.mark.parametrize(("plugged_in", "error"), [(False, CameraAbsent), (True, CameraBusy)])
def test_absent_and_busy_usb_cameras_are_distinguished(
    monkeypatch: pytest.MonkeyPatch, plugged_in: bool, error: type[CameraError]
) -> None:
    capture = usb_with(monkeypatch, FakeCapture(opened=False), plugged_in=plugged_in)
    with pytest.raises(error, match="USB camera 3"):
        UsbCamera(3)
    assert capture.released == plugged_in


def test_an_unplugged_usb_camera_is_lost(capture: FakeCapture) -> None:
    capture.unplugged = True
    with UsbCamera(0) as camera, pytest.raises(CameraLost, match="cable"):
        camera.read()


def test_undecodable_pictures_are_reported(capture: FakeCapture) -> None:
    capture.garbled = True
    with UsbCamera(0) as camera, pytest.raises(CameraLost, match="JPEG"):
        camera.look()


def test_a_locked_camera_stays_as_bright_with_a_flicker_free_exposure(capture: FakeCapture) -> None:
    camera = UsbCamera(0)
    assert isinstance(camera, Adjustable)
    before = camera.read().mean()
    settings = camera.lock(50)
    assert settings.exposure_us is not None and settings.exposure_us % 10_000 == 0
    assert camera.read().mean() == pytest.approx(before, rel=0.3)
    assert (settings.gain, settings.temperature_k, settings.focus) == (16, 3100, 35)
    assert camera.drifted_settings() == ()


def test_settings_that_the_driver_cannot_fix_stay_automatic(monkeypatch: pytest.MonkeyPatch) -> None:
    fixed = frozenset({cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTOFOCUS})
    capture = usb_with(monkeypatch, FakeCapture(refused=fixed))
    settings = UsbCamera(0).lock(60)
    assert settings == CameraSettings("usb", 60, temperature_k=3100)
    assert capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3


def test_a_light_that_no_flicker_fits_leaves_the_exposure_automatic(monkeypatch: pytest.MonkeyPatch) -> None:
    capture = usb_with(monkeypatch, FakeCapture(light=50))
    assert UsbCamera(0).lock(50).exposure_us is None
    assert capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3


def test_settings_of_a_calibration_are_given_to_the_driver(capture: FakeCapture) -> None:
    settings = CameraSettings("usb", 50, exposure_us=40_000, gain=20, temperature_k=2900, focus=30)
    camera = UsbCamera(0, settings)
    names = (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_GAIN, cv2.CAP_PROP_WB_TEMPERATURE, cv2.CAP_PROP_FOCUS)
    assert [capture.values[name] for name in names] == [400, 20, 2900, 30]
    assert camera.drifted_settings() == ()
    capture.values[cv2.CAP_PROP_WB_TEMPERATURE] = 5000
    assert camera.drifted_settings() == ("white_balance",)


def test_the_program_that_holds_a_camera_is_named(tmp_path: Path) -> None:
    """A real process with a real file open stands for it."""
    device = tmp_path / "video7"
    device.touch()
    with device.open() as held, Popen(["sleep", "30"], stdin=held, stdout=DEVNULL) as other:
        try:
            assert holders.holder_of(str(tmp_path / "video*")) == holders.Holder(other.pid, "sleep")
            error = holders.in_use("USB camera 7", str(device))
            assert error.code == "busy_by" and error.data == {"pid": other.pid, "program": "sleep"}
            assert f"held by PID {other.pid} (sleep)" in str(error)
        finally:
            other.terminate()
    assert holders.holder_of(str(device)) is None
    assert holders.in_use("USB camera 7", str(device)).code == "busy"


def test_without_a_list_of_processes_no_holder_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(holders, "PROCESSES", tmp_path / "proc")
    assert holders.holder_of("/dev/video*") is None
