"""Pictures of a folder, a single picture, or a video file, in order, as if a camera had just taken them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from hardware.cameras.camera import Camera, CameraAbsent, CameraEnded, CameraLost

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
VIDEOS = frozenset({".mp4", ".avi", ".mkv", ".mov", ".webm", ".mjpeg"})


class FolderCamera(Camera):
    """Extends Camera with the pictures of a folder (sorted by name), one picture, or a video file.

    ::

        with FolderCamera("evening/") as camera:
            frame = camera.read()
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self.name = f"pictures in {self._path}"
        self._frames = self._open()
        self._count = 0

    def _open(self) -> Iterator[np.ndarray]:
        path = self._path
        if not path.exists():
            raise CameraAbsent(f"there is no folder, picture or video {path}; check the path")
        if path.is_dir():
            files = sorted(f for f in path.iterdir() if f.suffix.lower() in PICTURES)
            if not files:
                raise CameraAbsent(
                    f"the folder {path} holds no pictures ({', '.join(sorted(PICTURES))}); add some"
                )
            return _pictures(files)
        if path.suffix.lower() in PICTURES:
            return _pictures([path])
        if path.suffix.lower() in VIDEOS:
            return _video(path)
        raise CameraAbsent(f"{path} is neither a folder, nor a picture, nor a video; give one of these")

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


def _pictures(files: list[Path]) -> Iterator[np.ndarray]:
    for file in files:
        frame = cv2.imread(str(file), cv2.IMREAD_COLOR)
        if frame is None:
            raise CameraLost(
                f"the picture {file} cannot be read; replace it or take it out of the folder",
                "unreadable",
                file=file.name,
            )
        yield frame


def _video(path: Path) -> Iterator[np.ndarray]:
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
