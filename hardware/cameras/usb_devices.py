"""Which USB camera is meant, whatever number Linux gives it now: a loose cable, or another order, changes that.

Read from the kernel's own description of the device (sysfs, ``/sys/class/video4linux``), and from the names that udev
gives it (``/dev/v4l/by-id``, ``/dev/v4l/by-path``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .camera import CameraAbsent

DEVICES = Path("/dev")
DESCRIBED = Path("/sys/class/video4linux")
LASTING = "v4l/by-id", "v4l/by-path"
"""Folders of names that stay, in DEVICES: of the device, and of the socket that it is plugged into."""
VIDEO = re.compile(r"video([0-9]+)")
NUMBER = re.compile(r"[0-9]{1,3}")
"""In ASCII, and no larger than Linux gives a device file."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What stays the same of a USB camera when its number does not."""

    socket: str
    """Where it is plugged in, as sysfs names it: ``1-1.2``."""
    model: tuple[str, str, str]
    """Vendor, product and serial number, which may be empty."""
    node: str
    """Which of its device files: the first gives pictures, others tell about them."""


def identity_of(number: int) -> Identity | None:
    """The camera that has this *number* now; None when there is none, or it is on no USB port."""
    described = DESCRIBED / f"video{number}"
    try:
        device = (described / "device").resolve(strict=True).parent
        vendor, product = (_read(device / name) for name in ("idVendor", "idProduct"))
        return Identity(device.name, (vendor, product, _serial(device)), _read(described / "index"))
    except OSError:
        return None


def number_of(identity: Identity) -> int | None:
    """The number that the camera of this *identity* has now; None when it is not there.

    It is known by its serial number wherever it is plugged in, and without one by its model in the same socket.
    """
    now = {number: found for number in numbers() if (found := identity_of(number)) is not None}
    same = [number for number, found in now.items() if found == identity]
    if not same and identity.model[2]:
        there = [
            n for n, found in now.items() if (found.model, found.node) == (identity.model, identity.node)
        ]
        same = there if len(there) == 1 else []  # makers give many cameras one number
    return same[0] if same else None


def numbers() -> list[int]:
    """Of all that gives video, in order."""
    try:
        found = (VIDEO.fullmatch(path.name) for path in DESCRIBED.iterdir())
        return sorted(int(match[1]) for match in found if match)
    except OSError:
        return []


def is_number(word: str) -> bool:
    """Whether *word* is what numbers a camera."""
    return NUMBER.fullmatch(word) is not None


def number_at(path: Path) -> int | None:
    """The number of the device file that *path*, a name of udev's or ``/dev/video0``, stands for now."""
    try:
        match = VIDEO.fullmatch(path.resolve(strict=True).name)
    except (OSError, RuntimeError):  # it is not there, or leads in a circle
        return None
    return int(match[1]) if match else None


def stable_name(number: int) -> str | None:
    """What udev calls the camera with this *number* whatever number it gets: ``/dev/v4l/by-id/...``; None without."""
    return next((str(path) for path in _lasting() if number_at(path) == number), None)


def _lasting() -> Iterator[Path]:
    for folder in LASTING:
        try:
            yield from sorted((DEVICES / folder).iterdir())
        except OSError:
            continue  # udev has made none


class UsbName:
    """Represents the words that mean one USB camera, and from when it was first opened on, the camera itself.

    *word* is its number, or a path: one of udev's names, or ``/dev/video0``.
    """

    def __init__(self, word: str) -> None:
        self._word = word
        self._identity: Identity | None = None
        self.name = f"USB camera {word}"

    def number(self) -> int:
        """The number that it has now; raises CameraAbsent when it is not there."""
        if self._identity is not None:
            found = number_of(self._identity)
        elif is_number(self._word):
            return int(self._word)
        else:
            found = number_at(Path(self._word))
        if found is None:
            raise self.absent()
        return found

    def opened(self, number: int) -> None:
        """It was opened by this *number*: from now on it is followed to any other."""
        self._identity = identity_of(number) or self._identity

    def absent(self) -> CameraAbsent:
        """The error that it is not there, with what is there."""
        there = [
            f"usb:{stable_name(number) or number}"
            for number in numbers()
            if (found := identity_of(number)) is not None and found.node == "0"
        ]
        if there:
            named = f", or name one that is there: {', '.join(there)}"
        elif DESCRIBED.is_dir():
            named = ""
        elif is_number(self._word):  # where the system tells of no devices, there may be some all the same
            named = f", or try another number (usb:{0 if int(self._word) else 1})"
        else:
            named = ", or check its name"
        return CameraAbsent(f"{self.name} was not found; plug it in{named}")


def _serial(device: Path) -> str:
    try:
        return _read(device / "serial")
    except OSError:
        return ""  # many cameras have none


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").strip()
