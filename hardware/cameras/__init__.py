"""Cameras: every source of frames behind one small protocol.

camera (the protocol and the errors), usb, usb_devices and pi (real cameras), folder (pictures and videos), absent (no
camera), faulty (fails on command), supervised (reopens a camera that fails), health (black, frozen or overexposed
pictures), holders (which program uses a camera).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from .camera import (
    Adjustable,
    Camera,
    CameraAbsent,
    CameraBusy,
    CameraEnded,
    CameraError,
    CameraLost,
    Look,
    UnknownCamera,
)
from .supervised import SupervisedCamera
from .usb_devices import UsbName, is_number, stable_name

if TYPE_CHECKING:
    from calibration.camera_settings import CameraSettings

__all__ = [
    "DEVICES",
    "Adjustable",
    "Camera",
    "CameraAbsent",
    "CameraBusy",
    "CameraEnded",
    "CameraError",
    "CameraLost",
    "Look",
    "SupervisedCamera",
    "UnknownCamera",
    "is_automatic",
    "kind_of",
    "open_camera",
    "open_supervised_camera",
    "stable_spec",
    "warm_up",
]

DEVICES = ("pi", "usb")
"""Kinds that can be unplugged: they are opened as soon as they are available, and read in the background."""

_DEVICE_FILE = re.compile(r"/dev/(video[0-9]|v4l/)")

WARM_UP_LOOKS = 12
"""Pictures in which a camera finds its exposure."""


def kind_of(spec: str) -> str:
    """Returns the kind of camera that *spec* names: ``virtual``, ``none``, ``usb``, ``pi`` or ``folder``, in any case.

    Raises UnknownCamera when it names none.
    """
    kind, detail = _parts(spec)
    if kind == "usb" and not (is_number(detail) or detail.startswith("/")):
        raise UnknownCamera(
            f"{spec!r} does not name a USB camera; write its number, as in usb:0, or the name of its file, as in "
            "usb:/dev/v4l/by-id/NAME"
        )
    if kind == "folder" and not detail:
        raise UnknownCamera("no camera is named; write virtual, usb:0, pi or folder:PATH")
    if kind == "folder" and _DEVICE_FILE.match(detail):
        raise UnknownCamera(f"{detail} is the file of a device; write usb:{detail}")
    return kind


def open_camera(spec: str, settings: CameraSettings | None = None) -> Camera:
    """Opens the camera *spec*.

    ``none`` (manual entry only), ``virtual`` (a drawn table), ``usb:0`` (a USB camera by number),
    ``usb:/dev/v4l/by-id/NAME`` (by a stable name), ``pi`` (the Raspberry Pi camera), ``folder:PATH`` or just a path (a
    folder of pictures, or a video). *settings* fix the camera; those of another kind of camera are ignored.

    Raises UnknownCamera, CameraAbsent or CameraBusy, each with the cure.
    """
    kind = kind_of(spec)
    return _OPENERS[kind](spec, _own(settings, kind))


def stable_spec(spec: str) -> str | None:
    """Returns a spec with a stable name for the USB camera that *spec* names by its number; None if there is no such
    name."""
    kind, detail = _parts(spec)
    name = stable_name(int(detail)) if kind == "usb" and is_number(detail) else None
    return None if name is None else f"usb:{name}"


def is_automatic(spec: str, settings: CameraSettings | None) -> bool:
    """Returns whether *settings* leave the device *spec* in automatic mode, so that its colours may drift."""
    kind = kind_of(spec)
    return kind in DEVICES and _own(settings, kind) is None


def warm_up(camera: Camera) -> Camera:
    """Returns *camera* after a live one has had time to adjust and has no old picture in its queue."""
    for _ in range(WARM_UP_LOOKS if camera.live else 0):
        camera.look()
    return camera


def open_supervised_camera(
    spec: str, settings: CameraSettings | None, clock: Callable[[], float]
) -> SupervisedCamera:
    """Returns the camera *spec*, supervised by *clock* (seconds).

    A device may be absent or busy for now; anything else must exist: raises UnknownCamera or CameraAbsent. A USB camera
    that has been opened once is recognised under any new number.
    """
    kind = kind_of(spec)
    if kind in DEVICES:
        watched = SupervisedCamera(_opener(spec, kind, settings), f"camera {spec}")
        watched.run_in_background(clock)
        return watched
    camera = open_camera(spec)
    return SupervisedCamera(None if kind == "none" else lambda: camera, camera.name)


def _opener(spec: str, kind: str, settings: CameraSettings | None) -> Callable[[], Camera]:
    """Returns a function that opens the device *spec*, as often as needed."""
    if kind == "usb":
        from .usb import UsbCamera

        return partial(UsbCamera, _usb_name(spec), _own(settings, kind))
    return partial(open_camera, spec, settings)


def _own(settings: CameraSettings | None, kind: str) -> CameraSettings | None:
    """Returns *settings* if they belong to this kind of camera, else None."""
    return settings if settings is not None and settings.kind == kind else None


def _parts(spec: str) -> tuple[str, str]:
    """Returns the kind of camera and the rest of *spec*; without a known kind it is the path of a folder."""
    first, _, detail = spec.partition(":")
    kind = first.lower()
    if kind in ("usb", "folder") or (kind in ("virtual", "none", "pi") and not detail):
        return kind, detail
    return "folder", spec


def _virtual(spec: str, settings: CameraSettings | None) -> Camera:
    from ..virtual_table import VirtualTable, sample_layout

    return VirtualTable(sample_layout(), seed=0)


def _none(spec: str, settings: CameraSettings | None) -> Camera:
    from .absent import NoCamera

    return NoCamera()


def _usb(spec: str, settings: CameraSettings | None) -> Camera:
    from .usb import UsbCamera

    return UsbCamera(_usb_name(spec), settings)


def _usb_name(spec: str) -> UsbName:
    return UsbName(_parts(spec)[1])


def _pi(spec: str, settings: CameraSettings | None) -> Camera:
    from .pi import PiCamera

    return PiCamera(settings)


def _folder(spec: str, settings: CameraSettings | None) -> Camera:
    from .folder import FolderCamera

    return FolderCamera(_parts(spec)[1])


_OPENERS: dict[str, Callable[[str, CameraSettings | None], Camera]] = {
    "virtual": _virtual,
    "none": _none,
    "usb": _usb,
    "pi": _pi,
    "folder": _folder,
}
