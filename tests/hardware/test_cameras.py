"""Cameras: one protocol, and errors with the cure."""

from __future__ import annotations

import ast
import os
import re
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.camera_settings import CameraSettings
from companion.text.catalogue import common_texts
from hardware import cameras
from hardware.cameras import (
    Camera,
    CameraAbsent,
    CameraBusy,
    CameraEnded,
    CameraError,
    CameraLost,
    UnknownCamera,
    is_automatic,
    kind_of,
    open_camera,
    open_supervised_camera,
)
from hardware.cameras.supervised import MESSAGES
from tests.support.paths import CHECKOUT

SHADES = (40, 80, 120)
"""Of the folder's pictures, in the order of their names."""


def grey(level: int) -> np.ndarray:
    return np.full((36, 48, 3), level, np.uint8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, level in (("b.png", SHADES[1]), ("a.png", SHADES[0]), ("c.PNG", SHADES[2])):
        good, data = cv2.imencode(".png", grey(level))
        assert good
        (tmp_path / name).write_bytes(data.tobytes())
    (tmp_path / "notes.txt").write_text("not a picture")
    return tmp_path


@pytest.mark.parametrize("prefix", ["folder:", ""])
def test_a_folder_gives_its_pictures_in_order_and_then_ends(folder: Path, prefix: str) -> None:
    with open_camera(f"{prefix}{folder}") as camera:
        assert [camera.read()[0, 0, 0] for _ in range(3)] == list(SHADES)
        with pytest.raises(CameraEnded, match="all 3 pictures"):
            camera.read()


def test_files_that_only_look_like_pictures_are_skipped_in_a_folder(folder: Path) -> None:
    (folder / "aa.png").mkdir()
    (folder / "._b.png").write_bytes(b"kept by macOS")
    with open_camera(str(folder)) as camera:
        assert [camera.read()[0, 0, 0] for _ in range(3)] == list(SHADES)


@pytest.mark.parametrize(
    ("spec", "kind"),
    [("USB:0", "usb"), ("Pi", "pi"), ("NONE", "none"), ("Virtual", "virtual"), ("./PI", "folder")],
)
def test_capitals_name_the_same_camera(spec: str, kind: str) -> None:
    assert kind_of(spec) == kind


def test_the_case_of_a_path_is_preserved(folder: Path) -> None:
    with open_camera(f"Folder:{folder / 'c.PNG'}") as camera:
        assert camera.read()[0, 0, 0] == SHADES[2]


@pytest.mark.parametrize("spec", ["usb0", "0", "pi:0", "webcam"])
def test_the_error_for_a_mistyped_camera_explains_camera_names(spec: str) -> None:
    with pytest.raises(CameraAbsent, match=r"name a camera, as in usb:0 or pi$"):
        open_camera(spec)


def test_one_picture_is_a_camera_too(folder: Path) -> None:
    with open_camera(str(folder / "b.png")) as camera:
        assert np.array_equal(camera.read(), grey(SHADES[1]))


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
    with pytest.raises(CameraAbsent, match="contains no pictures"):
        open_camera(f"folder:{tmp_path}")


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(CameraAbsent, match="nowhere"):
        open_camera(str(tmp_path / "nowhere"))


def test_a_file_that_is_no_picture_is_refused(folder: Path) -> None:
    with pytest.raises(CameraAbsent, match=r"notes\.txt"):
        open_camera(str(folder / "notes.txt"))


def test_a_picture_of_a_kind_that_is_not_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "photo.heic"
    path.write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(500))
    with pytest.raises(CameraAbsent, match=r"photo\.heic: an iPhone photo \(HEIC\); set"):
        open_camera(str(path))


@pytest.mark.parametrize("name", ["clip.mp4", "photo", "photo.jpg"])
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with (
        pytest.raises(CameraError, match=r"neither a folder|not a file"),
        open_camera(str(tmp_path / name)) as camera,
    ):
        camera.read()


def test_pictures_of_a_folder_are_measured_before_they_are_decoded(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.pictures.MAX_PIXELS", 40 * 30)
    with (
        open_camera(str(folder)) as camera,
        pytest.raises(CameraLost, match=r"a\.png: 48x36 px is too large"),
    ):
        camera.read()


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


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        ("virtual", "virtual"),
        ("none", "none"),
        ("usb:2", "usb"),
        ("pi", "pi"),
        ("folder:a", "folder"),
        ("a/b", "folder"),
    ],
)
def test_the_name_of_a_camera_determines_its_kind(spec: str, kind: str) -> None:
    assert kind_of(spec) == kind


def test_a_camera_that_is_no_device_must_exist_when_it_is_opened(tmp_path: Path) -> None:
    with pytest.raises(CameraAbsent, match="nowhere"):
        open_supervised_camera(str(tmp_path / "nowhere"), None, time.monotonic)


def test_pictures_of_a_folder_are_watched_one_by_one_until_they_end(folder: Path) -> None:
    with open_supervised_camera(str(folder), None, time.monotonic) as camera:
        looks = [camera.look(now) for now in range(4)]
        seen = [None if look is None else int(look.full()[0, 0, 0]) for look in looks]
        assert (seen, camera.ended, camera.error) == ([SHADES[0], SHADES[1], SHADES[2], None], True, None)


def test_no_camera_is_known_for_none_from_the_start() -> None:
    with open_supervised_camera("none", None, time.monotonic) as camera:
        assert camera.absent and camera.look(0.0) is None


def test_a_device_that_is_absent_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(spec: str, settings: object) -> Camera:
        raise CameraAbsent("there is none")

    monkeypatch.setitem(cameras._OPENERS, "usb", absent)
    with open_supervised_camera("usb:0", None, time.monotonic) as camera:
        deadline = time.monotonic() + 2
        while camera.error is None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert isinstance(camera.error, CameraAbsent)


@pytest.mark.parametrize(("kind", "taken"), [("usb", True), ("pi", False)])
def test_a_device_is_automatic_without_settings_of_its_kind(kind: str, taken: bool) -> None:
    assert is_automatic("usb:0", CameraSettings(kind, 50)) != taken
    assert is_automatic("usb:0", None) and not is_automatic("virtual", None)


@pytest.mark.parametrize(("kind", "taken"), [("usb", True), ("pi", False)])
def test_a_camera_gets_its_own_settings_only(monkeypatch: pytest.MonkeyPatch, kind: str, taken: bool) -> None:
    given: list[object] = []
    monkeypatch.setitem(cameras._OPENERS, "usb", lambda spec, settings: given.append(settings))
    settings = CameraSettings(kind, 50)
    open_camera("usb:0", settings)
    assert given == [settings if taken else None]


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


ROOMS = CHECKOUT


def codes() -> set[str]:
    """Every code that a camera's error is given, wherever it is raised."""
    files = [
        *(ROOMS / "hardware" / "cameras").glob("*.py"),
        ROOMS / "companion" / "runtime" / "table_loop.py",
    ]
    calls = [
        node for file in files for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)
    ]
    raised = [call for call in calls if re.fullmatch("Camera[A-Z][a-z]+", getattr(call.func, "id", ""))]
    given = {
        str(argument.value)
        for call in raised
        for argument in call.args[1:2]
        if isinstance(argument, ast.Constant)
    }
    own = {
        kind.code for kind in (CameraError, CameraAbsent, CameraBusy, CameraLost, CameraEnded, UnknownCamera)
    }
    return given | own | MESSAGES.keys()


def test_the_page_has_words_for_every_code() -> None:
    assert {"lost", "busy", "busy_by", "absent", "no_ribbon", "unreadable", "size", "frozen"} <= codes()
    assert {f"camera.{code}" for code in codes()} <= common_texts("en").keys()
