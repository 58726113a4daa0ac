"""Identifies a USB camera independently of its device number, which a loose cable or another plugging order changes.

Uses the kernel's description of the device (sysfs, ``/sys/class/video4linux``) and the names that udev gives it
(``/dev/v4l/by-id``, ``/dev/v4l/by-path``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .camera import CameraAbsent

DEVICES = Path("/dev")
DESCRIBED = Path("/sys/class/video4linux")
STABLE_NAMES = "v4l/by-id", "v4l/by-path"
"""Folders in DEVICES with stable names: of the device, and of the port that it is plugged into."""
VIDEO = re.compile(r"video([0-9]+)")
NUMBER = re.compile(r"[0-9]{1,3}")
"""ASCII, and no longer than the device numbers of Linux."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What identifies a USB camera when its number changes."""

    socket: str
    """USB port in sysfs: ``1-1.2``."""
    model: tuple[str, str, str]
    """Vendor, product and serial number; the last may be empty."""
    node: str
    """Index of its device file: the first gives pictures, the others metadata."""


def identity_of(number: int) -> Identity | None:
    """Returns the identity of the camera with this *number*; None if there is none, or it is not on USB."""
    described = DESCRIBED / f"video{number}"
    try:
        device = (described / "device").resolve(strict=True).parent
        vendor, product = (_read(device / name) for name in ("idVendor", "idProduct"))
        return Identity(device.name, (vendor, product, _serial(device)), _read(described / "index"))
    except OSError:
        return None


def number_of(identity: Identity) -> int | None:
    """Returns the current number of the camera with this *identity*; None if it is not connected.

    A camera is recognised by its serial number on any port, otherwise by its model on the same port.
    """
    now = {number: found for number in numbers() if (found := identity_of(number)) is not None}
    same = [number for number, found in now.items() if found == identity]
    if not same and identity.model[2]:
        there = [
            n for n, found in now.items() if (found.model, found.node) == (identity.model, identity.node)
        ]
        same = there if len(there) == 1 else []  # many cameras of one maker share a serial number
    return same[0] if same else None


def numbers() -> list[int]:
    """Returns the numbers of all video devices, in order."""
    try:
        found = (VIDEO.fullmatch(path.name) for path in DESCRIBED.iterdir())
        return sorted(int(match[1]) for match in found if match)
    except OSError:
        return []


def is_number(word: str) -> bool:
    """Returns whether *word* is a camera number."""
    return NUMBER.fullmatch(word) is not None


def number_at(path: Path) -> int | None:
    """Returns the number of the device file *path*, a udev name or ``/dev/video0``; None if there is none."""
    try:
        match = VIDEO.fullmatch(path.resolve(strict=True).name)
    except (OSError, RuntimeError):  # missing, or a circular link
        return None
    return int(match[1]) if match else None


def stable_name(number: int) -> str | None:
    """Returns the udev name of the camera with this *number* (``/dev/v4l/by-id/...``), which does not change; None if
    there is none."""
    return next((str(path) for path in _stable_names() if number_at(path) == number), None)


def _stable_names() -> Iterator[Path]:
    for folder in STABLE_NAMES:
        try:
            yield from sorted((DEVICES / folder).iterdir())
        except OSError:
            continue  # udev has created none


class UsbName:
    """Identifies one USB camera by *word*, and once it has been opened, by its identity.

    *word* is its number or a path: a udev name, or ``/dev/video0``.
    """

    def __init__(self, word: str) -> None:
        self._word = word
        self._identity: Identity | None = None
        self.name = f"USB camera {word}"

    def number(self) -> int:
        """Returns its current number; raises CameraAbsent if it is not connected."""
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
        """Records the identity of the camera that was opened with this *number*, to recognise it under any other."""
        self._identity = identity_of(number) or self._identity

    def absent(self) -> CameraAbsent:
        """Returns the error that it is not connected, listing the cameras that are."""
        there = [
            f"usb:{stable_name(number) or number}"
            for number in numbers()
            if (found := identity_of(number)) is not None and found.node == "0"
        ]
        if there:
            named = f", or name one that is there: {', '.join(there)}"
        elif DESCRIBED.is_dir():
            named = ""
        elif is_number(self._word):  # without sysfs, there may be devices all the same
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
