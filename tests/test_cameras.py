"""Cameras: one protocol, and errors that say what to do."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import cv2
import numpy as np
import pytest

from hardware.cameras import (
    Camera,
    CameraAbsent,
    CameraBusy,
    CameraEnded,
    CameraError,
    CameraLost,
    UnknownCamera,
    open_camera,
)
from hardware.cameras.pi import PiCamera
from hardware.cameras.usb import UsbCamera


def grey(level: int) -> np.ndarray:
    return np.full((8, 12, 3), level, np.uint8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, level in (("b.png", 20), ("a.png", 10), ("c.PNG", 30)):
        good, data = cv2.imencode(".png", grey(level))
        assert good
        (tmp_path / name).write_bytes(data.tobytes())
    (tmp_path / "notes.txt").write_text("not a picture")
    return tmp_path


@pytest.mark.parametrize("prefix", ["folder:", ""])
def test_a_folder_gives_its_pictures_in_order_and_says_when_it_ends(folder: Path, prefix: str) -> None:
    with open_camera(f"{prefix}{folder}") as camera:
        assert [camera.read()[0, 0, 0] for _ in range(3)] == [10, 20, 30]
        with pytest.raises(CameraEnded, match="all 3 pictures"):
            camera.read()


def test_one_picture_is_a_camera_too(folder: Path) -> None:
    with open_camera(str(folder / "b.png")) as camera:
        assert np.array_equal(camera.read(), grey(20))


def test_a_video_gives_its_frames_in_order(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for level in (40, 120, 200):
        writer.write(np.full((48, 64, 3), level, np.uint8))
    writer.release()
    with open_camera(str(path)) as camera:
        assert [round(camera.read().mean() / 40) for _ in range(3)] == [1, 3, 5]
        with pytest.raises(CameraEnded):
            camera.read()


def test_an_empty_folder_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(CameraAbsent, match="holds no pictures"):
        open_camera(f"folder:{tmp_path}")


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(CameraAbsent, match="nowhere"):
        open_camera(str(tmp_path / "nowhere"))


def test_a_file_that_is_no_picture_is_refused(folder: Path) -> None:
    with pytest.raises(CameraAbsent, match=r"notes\.txt"):
        open_camera(str(folder / "notes.txt"))


def test_a_broken_picture_is_named(folder: Path) -> None:
    (folder / "a.png").write_bytes(b"broken")
    with open_camera(str(folder)) as camera, pytest.raises(CameraLost, match=r"a\.png"):
        camera.read()


@pytest.mark.parametrize("spec", ["usb:", "usb:left", "folder:", ""])
def test_a_camera_that_is_not_named_properly_is_refused(spec: str) -> None:
    with pytest.raises(UnknownCamera, match="usb:0"):
        open_camera(spec)


def test_the_virtual_table_is_a_camera() -> None:
    with open_camera("virtual") as camera:
        assert isinstance(camera, Camera)
        assert camera.read().shape == (1296, 2304, 3)
    with pytest.raises(CameraLost, match="closed"):
        camera.read()


class FakeCapture:
    """Stands for OpenCV's VideoCapture."""

    def __init__(self, opened: bool, frame: np.ndarray | None) -> None:
        self.opened, self.frame, self.released = opened, frame, False

    def isOpened(self) -> bool:  # noqa: N802
        return self.opened

    def set(self, prop: int, value: float) -> bool:
        return True

    def grab(self) -> bool:
        return self.frame is not None

    def read(self) -> tuple[bool, np.ndarray | None]:
        return self.frame is not None, self.frame

    def release(self) -> None:
        self.released = True


def usb_with(monkeypatch: pytest.MonkeyPatch, capture: FakeCapture, *, plugged_in: bool) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", lambda index: capture)
    monkeypatch.setattr(Path, "exists", lambda path: plugged_in)
    monkeypatch.setattr(sys, "platform", "linux")


def test_a_usb_camera_gives_frames_and_lets_go(monkeypatch: pytest.MonkeyPatch) -> None:
    capture = FakeCapture(True, grey(50))
    usb_with(monkeypatch, capture, plugged_in=True)
    with open_camera("usb:0") as camera:
        assert camera.name == "USB camera 0"
        assert np.array_equal(camera.read(), grey(50))
    assert capture.released


@pytest.mark.parametrize(("plugged_in", "error"), [(False, CameraAbsent), (True, CameraBusy)])
def test_absent_and_busy_usb_cameras_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, plugged_in: bool, error: type[CameraError]
) -> None:
    capture = FakeCapture(False, None)
    usb_with(monkeypatch, capture, plugged_in=plugged_in)
    with pytest.raises(error, match="USB camera 3"):
        UsbCamera(3)
    assert capture.released


def test_an_unplugged_usb_camera_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    usb_with(monkeypatch, FakeCapture(True, None), plugged_in=True)
    with UsbCamera(0) as camera, pytest.raises(CameraLost, match="cable"):
        camera.read()


def test_without_picamera2_the_message_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraAbsent, match="python3-picamera2"):
        PiCamera()


class FakePicamera2:
    """Stands for picamera2's main class."""

    cameras: ClassVar[list[dict[str, str]]] = [{"Model": "imx708"}]
    busy = False

    def __init__(self) -> None:
        if self.busy:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.configured: dict[str, object] = {}
        self.closed = False

    @classmethod
    def global_camera_info(cls) -> list[dict[str, str]]:
        return cls.cameras

    def create_still_configuration(self, main: dict[str, object]) -> dict[str, object]:
        return main

    def configure(self, configuration: dict[str, object]) -> None:
        self.configured = configuration

    def start(self) -> None:
        pass

    def capture_array(self) -> np.ndarray:
        # NOTE: picamera2 names formats by libcamera's rule: RGB888 lies in memory as blue, green, red.
        blue_green_red = [1, 2, 3] if self.configured["format"] == "RGB888" else [3, 2, 1]
        return np.full((4, 6, 3), blue_green_red, np.uint8)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[FakePicamera2]:
    fake = type("Picamera2", (FakePicamera2,), {})
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=fake))
    return fake


def test_a_pi_camera_gives_blue_green_red(picamera2: type[FakePicamera2]) -> None:
    with open_camera("pi") as camera:
        assert camera.read()[0, 0].tolist() == [1, 2, 3]
    assert camera._device.closed


def test_a_pi_without_a_camera_says_so(picamera2: type[FakePicamera2]) -> None:
    picamera2.cameras = []
    with pytest.raises(CameraAbsent, match="ribbon"):
        PiCamera()


def test_a_busy_pi_camera_says_so(picamera2: type[FakePicamera2]) -> None:
    picamera2.busy = True
    with pytest.raises(CameraBusy, match="in use"):
        PiCamera()


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (CameraAbsent, FileNotFoundError),
        (CameraBusy, PermissionError),
        (CameraLost, ConnectionError),
        (CameraEnded, EOFError),
        (UnknownCamera, ValueError),
    ],
)
def test_every_camera_error_is_also_the_fitting_builtin(error: type[CameraError], builtin: type) -> None:
    assert issubclass(error, CameraError) and issubclass(error, builtin)
