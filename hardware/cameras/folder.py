"""Pictures of a folder, a single picture or a video file, in order, as camera frames."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.pictures import PICTURE_SUFFIXES, PictureError, load_image, unsupported_reason

from .camera import Camera, CameraAbsent, CameraEnded, CameraLost

_QUIET = "-8"
"""FFmpeg's log level at which it writes nothing: whether a video can be played is said in one sentence of our own."""
VIDEOS = frozenset({".mp4", ".avi", ".mkv", ".mov", ".webm", ".mjpeg"})


class FolderCamera(Camera):
    """Reads the pictures of a folder (sorted by name), one picture, or a video file.

    ::

        with FolderCamera("pictures/") as camera:
            frame = camera.read()
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self.name = f"pictures in {self._path}"
        try:
            self._frames = self._open()
        except OSError as error:
            if isinstance(error, CameraAbsent):
                raise
            raise CameraAbsent(
                f"{self._path} cannot be opened ({error.strerror}); check its name and its permissions",
                **_at(self._path),
            ) from error
        self._count = 0

    def _open(self) -> Iterator[np.ndarray]:
        path, at_path = self._path, _at(self._path)
        if not path.exists():
            raise CameraAbsent(
                f"there is no folder, picture or video {path}; check the path, or name a camera, as in usb:0 or pi",
                **at_path,
            )
        if path.is_dir():
            files = sorted(filter(_is_picture, path.iterdir()))
            if not files:
                raise CameraAbsent(
                    f"the folder {path} contains no pictures ({', '.join(sorted(PICTURE_SUFFIXES))}); add some",
                    **at_path,
                )
            return _pictures(files)
        if path.suffix.lower() in PICTURE_SUFFIXES:
            return _pictures([path])
        if path.suffix.lower() in VIDEOS and path.is_file():
            return _video(path)
        if why := unsupported_reason(path):
            raise CameraAbsent(f"{path}: {why}", **at_path)
        raise CameraAbsent(
            f"{path} is neither a folder, nor a picture, nor a video; give one of these", **at_path
        )

    def read(self) -> np.ndarray:
        try:
            frame = next(self._frames)
        except StopIteration:
            raise CameraEnded(
                f"all {self._count} pictures of {self._path} were read; open it again to start over"
            ) from None
        self._count += 1
        return frame

    def close(self) -> None:
        self._frames = iter(())


def _at(path: Path) -> dict[str, str]:
    """Returns the code and data of the error that there are no pictures at *path*."""
    return {"code": "nothing_to_read", "file": str(path)}


def _is_picture(path: Path) -> bool:
    """Returns whether *path* is a picture file: not a folder, and not hidden like the files that macOS adds."""
    return path.suffix.lower() in PICTURE_SUFFIXES and not path.name.startswith(".") and not path.is_dir()


def _pictures(files: list[Path]) -> Iterator[np.ndarray]:
    for file in files:
        try:
            yield load_image(file, check_damage=False)  # stderr also receives the log of the game
        except PictureError as error:
            raise CameraLost(str(error), "unreadable", file=file.name) from error


def _video(path: Path) -> Iterator[np.ndarray]:
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", _QUIET)
    capture = cv2.VideoCapture(str(path))
    try:
        if not capture.isOpened():
            raise CameraLost(
                f"the video {path} cannot be played; convert it to .mp4 (H.264) or .avi (MJPEG)",
                "unreadable",
                file=path.name,
            )
        while True:
            good, frame = capture.read()
            if not good:
                return
            yield frame
    finally:
        capture.release()
