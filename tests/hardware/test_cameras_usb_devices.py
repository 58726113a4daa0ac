"""Choosing a USB camera, with stubs for the kernel's description of devices and for udev's names."""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.doctor.camera import take_shot
from hardware.cameras import (
    CameraAbsent,
    SupervisedCamera,
    UnknownCamera,
    kind_of,
    open_supervised_camera,
    stable_spec,
    usb_devices,
)
from hardware.cameras.usb import UsbCamera
from hardware.cameras.usb_devices import UsbName, stable_name

LOOK_S = 0.1


class Machine:
    """Represents a Linux machine with USB sockets, into which cameras are plugged."""

    def __init__(self, folder: Path) -> None:
        self.dev, self.described = folder / "dev", folder / "sys/class/video4linux"
        self.buses = folder / "sys/devices"
        for made in (self.dev / "v4l/by-id", self.described, self.buses):
            made.mkdir(parents=True)

    def plug_in(self, number: int, socket: str = "1-1", product: str = "0825", serial: str = "A1") -> None:
        """Adds a camera, which has one device file for pictures and one more."""
        device = self.buses / socket
        (device / f"{socket}:1.0").mkdir(parents=True)
        attributes = {"idVendor": "046d", "idProduct": product, **({"serial": serial} if serial else {})}
        for name, value in attributes.items():
            (device / name).write_text(f"{value}\n")
        for node in (0, 1):
            video = self.described / f"video{number + node}"
            video.mkdir()
            (video / "index").write_text(f"{node}\n")
            (video / "device").symlink_to(device / f"{socket}:1.0")
            (self.dev / video.name).touch()
            link = self.dev / "v4l/by-id" / f"usb-{product}_{serial}-video-index{node}"
            link.unlink(missing_ok=True)
            link.symlink_to(self.dev / video.name)

    def unplug(self, number: int) -> None:
        for node in (number, number + 1):
            (self.dev / f"video{node}").unlink()
            video = self.described / f"video{node}"
            device = (video / "device").resolve().parent
            for file in video.iterdir():
                file.unlink()
            video.rmdir()
        for path in sorted(device.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        device.rmdir()

    def has(self, number: int) -> bool:
        return (self.dev / f"video{number}").exists()


class Driver:
    """Stands for OpenCV's VideoCapture of a *machine*."""

    machine: Machine

    def __init__(self, number: int, backend: int) -> None:
        self.number, self._rng = number, np.random.default_rng(number)

    def isOpened(self) -> bool:  # noqa: N802
        return self.machine.has(self.number)

    def set(self, *_: Any) -> bool:
        return True

    def get(self, _: int) -> float:
        return 0.0

    def grab(self) -> bool:
        return self.isOpened()

    def read(self) -> tuple[bool, np.ndarray | None]:
        if not self.isOpened():
            return False, None
        frame = self._rng.integers(60, 180, (9, 16, 3), np.uint8)
        frame[0, 0] = self.number
        return True, frame

    def release(self) -> None:
        pass


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(tmp_path)
    monkeypatch.setattr(usb_devices, "DEVICES", machine.dev)
    monkeypatch.setattr(usb_devices, "DESCRIBED", machine.described)
    monkeypatch.setattr(Driver, "machine", machine, raising=False)
    monkeypatch.setattr(cv2, "VideoCapture", Driver)
    monkeypatch.setattr(sys, "platform", "linux")
    exists = Path.exists

    def there(path: Path, **kwargs: Any) -> bool:
        return exists(machine.dev / path.name if path.parent == Path("/dev") else path, **kwargs)

    monkeypatch.setattr("hardware.cameras.usb.Path.exists", there)
    return machine


class CameraRun:
    """A supervised camera, read ten times per second."""

    def __init__(self, spec: str) -> None:
        name = UsbName(spec.partition(":")[2])
        self.camera, self.now = SupervisedCamera(partial(UsbCamera, name), spec), 0.0

    def seen(self, seconds: float = 10.0) -> set[int]:
        """Returns the numbers of the cameras whose pictures came."""
        numbers = set()
        for _ in range(round(seconds / LOOK_S)):
            self.now += LOOK_S
            if (look := self.camera.look(self.now)) is not None:
                numbers.add(int(look.full()[0, 0, 0]))
        return numbers


def test_a_camera_that_comes_back_under_another_number_is_followed(machine: Machine) -> None:
    machine.plug_in(0)
    run = CameraRun("usb:0")
    assert run.seen() == {0}
    machine.unplug(0)
    assert run.seen() == set()
    machine.plug_in(3)
    assert run.seen(20) == {3}


def test_it_is_known_by_its_serial_number_in_another_socket(machine: Machine) -> None:
    machine.plug_in(0)
    run = CameraRun("usb:0")
    run.seen()
    machine.unplug(0)
    machine.plug_in(2, socket="1-4")
    assert run.seen(20) == {2}


def test_without_a_serial_number_it_is_known_by_its_socket_alone(machine: Machine) -> None:
    machine.plug_in(0, serial="")
    run = CameraRun("usb:0")
    run.seen()
    machine.unplug(0)
    machine.plug_in(2, socket="1-4", serial="")
    assert run.seen() == set()
    machine.plug_in(4, socket="1-1", serial="")
    assert run.seen(20) == {4}


def test_another_camera_with_its_number_is_not_used(machine: Machine) -> None:
    machine.plug_in(0)
    run = CameraRun("usb:0")
    run.seen()
    machine.unplug(0)
    run.seen(1)
    machine.plug_in(0, socket="1-4", product="9999", serial="B2")
    assert run.seen() == set()
    machine.plug_in(2)
    assert run.seen(20) == {2}


def test_cameras_with_equal_serial_numbers_are_distinguished_by_their_ports(machine: Machine) -> None:
    machine.plug_in(0, socket="1-1")
    machine.plug_in(2, socket="1-2")
    machine.plug_in(4, socket="1-3")
    run = CameraRun("usb:0")
    run.seen()
    machine.unplug(0)
    assert run.seen() == set()
    machine.plug_in(6, socket="1-1")
    assert run.seen(20) == {6}


def test_a_camera_is_named_by_the_name_that_udev_gives_it(machine: Machine) -> None:
    machine.plug_in(4)
    run = CameraRun(f"usb:{machine.dev}/v4l/by-id/usb-0825_A1-video-index0")
    assert run.seen() == {4}
    machine.unplug(4)
    run.seen(1)
    machine.plug_in(0)
    assert run.seen(20) == {0}


def test_the_file_of_a_device_is_a_name_too(machine: Machine) -> None:
    machine.plug_in(2)
    assert CameraRun(f"usb:{machine.dev}/video2").seen() == {2}


@pytest.mark.parametrize(
    "word", ["usb:/dev/v4l/by-id/usb-X-index0", "usb:/dev/v4l/by-path/p", "usb:/dev/video1"]
)
def test_paths_name_usb_cameras(word: str) -> None:
    assert kind_of(word) == "usb"


@pytest.mark.parametrize(
    "word",
    [
        "usb:",
        "usb:one",
        "usb:-1",
        "usb:../video0",
        "usb:\N{FULLWIDTH DIGIT FOUR}",
        "usb:\N{SUPERSCRIPT TWO}",
        "usb:1_0",
        "usb:99999",
    ],
)
def test_the_error_for_an_unknown_name_contains_the_cure(word: str) -> None:
    with pytest.raises(UnknownCamera, match=r"usb:0.*/dev/v4l/by-id"):
        kind_of(word)


def test_the_error_for_a_bare_device_file_explains_how_to_name_it() -> None:
    with pytest.raises(UnknownCamera, match=r"write usb:/dev/video0$"):
        kind_of("/dev/video0")


@pytest.mark.parametrize(
    ("number", "cure"), [(0, "try another number (usb:1)"), (1, "try another number (usb:0)")]
)
def test_without_a_list_of_devices_the_cure_is_another_number(
    machine: Machine, number: int, cure: str
) -> None:
    machine.described.rmdir()
    with pytest.raises(CameraAbsent, match=re.escape(cure)):
        UsbCamera(number)


def test_no_other_number_is_a_cure_for_a_camera_that_is_named(machine: Machine) -> None:
    machine.described.rmdir()
    with pytest.raises(CameraAbsent, match=r"plug it in, or check its name$"):
        UsbCamera(UsbName("/dev/v4l/by-id/usb-X-index0"))


def test_a_missing_camera_is_reported_with_the_available_ones(machine: Machine) -> None:
    machine.plug_in(2)
    with pytest.raises(
        CameraAbsent, match=r"USB camera 7 was not found.*usb:.*by-id/usb-0825_A1-video-index0$"
    ):
        UsbCamera(7)


@pytest.mark.parametrize("link", ["nowhere", "circle", "/dev/null"])
def test_a_name_without_a_camera_is_absent(machine: Machine, link: str) -> None:
    path = machine.dev / "v4l/by-id/circle"
    path.symlink_to(link)
    with pytest.raises(CameraAbsent, match="plug it in"):
        UsbCamera(UsbName(str(path)))


def test_a_number_has_a_stable_name(machine: Machine) -> None:
    machine.plug_in(0)
    assert stable_name(0) == str(machine.dev / "v4l/by-id/usb-0825_A1-video-index0")
    assert stable_spec("usb:0") == f"usb:{stable_name(0)}"
    assert stable_spec("usb:5") is None and stable_spec("pi") is None


def test_the_doctor_reports_the_stable_name(machine: Machine) -> None:
    machine.plug_in(0)
    assert take_shot("usb:0", None).lasting == stable_spec("usb:0")


def test_the_game_follows_its_camera(machine: Machine) -> None:
    machine.plug_in(0)
    now = [0.0]
    camera = open_supervised_camera("usb:0", None, lambda: now[0])
    camera.close()
    device = camera._open_device
    assert device is not None
    with device() as opened:
        opened.read()
    machine.unplug(0)
    machine.plug_in(5)
    with device() as opened:
        assert opened.read()[0, 0, 0] == 5
