"""Cameras: every source of frames behind one small protocol."""

from __future__ import annotations

from hardware.cameras.camera import (
    Camera,
    CameraAbsent,
    CameraBusy,
    CameraEnded,
    CameraError,
    CameraLost,
    UnknownCamera,
)

__all__ = [
    "Camera",
    "CameraAbsent",
    "CameraBusy",
    "CameraEnded",
    "CameraError",
    "CameraLost",
    "UnknownCamera",
    "open_camera",
]


def open_camera(spec: str) -> Camera:
    """Opens the camera that *spec* names.

    ``none`` (everything is tapped), ``virtual`` (a drawn table), ``usb:0`` (a USB camera by number), ``pi`` (the
    Raspberry Pi's own), ``folder:PATH`` or just a path (pictures of a folder, or a video).

    Raises UnknownCamera, CameraAbsent or CameraBusy, each with what to do.
    """
    kind, _, detail = spec.partition(":")
    if kind == "virtual" and not detail:
        from hardware.virtual_table import VirtualTable, sample_layout

        return VirtualTable(sample_layout(), seed=0)
    if kind == "none" and not detail:
        from hardware.cameras.absent import NoCamera

        return NoCamera()
    if kind == "usb":
        from hardware.cameras.usb import UsbCamera

        if not detail.isdecimal():
            raise UnknownCamera(f"{spec!r} does not name a USB camera; write its number, as in usb:0")
        return UsbCamera(int(detail))
    if kind == "pi" and not detail:
        from hardware.cameras.pi import PiCamera

        return PiCamera()
    from hardware.cameras.folder import FolderCamera

    path = detail if kind == "folder" else spec
    if not path:
        raise UnknownCamera("no camera is named; write virtual, usb:0, pi or folder:PATH")
    return FolderCamera(path)
