"""The Raspberry Pi's camera, before a stand-in for picamera2 that meters, focuses and lags as the real one does."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from calibration.camera_settings import CameraSettings
from hardware.cameras import Adjustable, CameraAbsent, CameraBusy, CameraLost, holders, open_camera
from hardware.cameras.pi import BUFFERS, PREVIEW_SIZE, PiCamera

FOCUSED = 1.25
"""Dioptres at which the table is sharp."""
LAG = 3
"""Pictures after which a control takes effect."""
METERED: dict[str, Any] = {
    "ExposureTime": 33_000,
    "AnalogueGain": 2.0,
    "DigitalGain": 1.0,
    "ColourGains": (2.1, 1.7),
}
SETTINGS = CameraSettings("pi", 50, exposure_us=20_000, gain=3.3, colour_gains=(2.1, 1.7), focus=1.25)


class FakeRequest:
    """A picture that libcamera has taken; its buffers may be read until it is given back."""

    def __init__(self, device: FakePicamera2, number: int, metadata: dict[str, Any]) -> None:
        self.device, self.number, self.metadata = device, number, metadata
        self.released = False

    def make_array(self, name: str) -> np.ndarray:
        assert not self.released, "this buffer belongs to libcamera again"
        stream = self.device.configured[name]
        width, height = stream["size"]
        if name == "lores":
            return np.full((height * 3 // 2, width), self.number, np.uint8)
        # NOTE: picamera2 names formats by libcamera's rule: RGB888 is stored as blue, green, red.
        blue_green_red = [1, 2, 3] if stream["format"] == "RGB888" else [3, 2, 1]
        return np.full((4, 6, 3), blue_green_red, np.uint8)

    def get_metadata(self) -> dict[str, Any]:
        return self.metadata

    def release(self) -> None:
        assert not self.released
        self.released = True
        self.device.out.remove(self)


class FakePicamera2:
    """Stands for picamera2's main class."""

    cameras: ClassVar[list[dict[str, str]]] = [{"Model": "imx708"}]
    busy = False
    motor = True

    def __init__(self) -> None:
        if self.busy:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.configured: dict[str, Any] = {}
        self.closed = self.stalled = self.flushed = False
        self.out: list[FakeRequest] = []
        self.taken = 0
        self.controls: dict[str, Any] = {}
        self.pending: list[tuple[int, dict[str, Any]]] = []
        names = ["AeEnable", "AwbEnable", "ExposureTime", "ColourGains", "FrameDurationLimits"]
        lens = ["AfMode", "LensPosition"] if self.motor else []
        self.camera_controls = {
            "AnalogueGain": (1.12, 16.0, 1.0),
            **dict.fromkeys(names + lens, (0, 1, 0)),
        }

    @classmethod
    def global_camera_info(cls) -> list[dict[str, str]]:
        return cls.cameras

    def create_still_configuration(self, **configuration: Any) -> dict[str, Any]:
        return configuration

    def configure(self, configuration: dict[str, Any]) -> None:
        self.configured = configuration
        assert set(configuration["controls"]) <= set(self.camera_controls)
        self.controls = dict(configuration["controls"])

    def start(self) -> None:
        pass

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.pending.append((self.taken + LAG, controls))

    def autofocus_cycle(self, wait: float) -> bool:
        self.controls["LensPosition"] = FOCUSED
        return True

    def capture_request(self, wait: float) -> FakeRequest:
        if self.stalled:
            raise TimeoutError
        assert len(self.out) < BUFFERS, "libcamera has no buffer left"
        self.taken += 1
        for due, controls in self.pending:
            if due == self.taken:
                self.controls |= controls
        rising = min(1.0, self.taken / 12)  # the automatic finds its way
        metadata: dict[str, Any] = {**METERED, "ExposureTime": METERED["ExposureTime"] * rising}
        metadata |= {
            name: value for name, value in self.controls.items() if name in (*metadata, "LensPosition")
        }
        request = FakeRequest(self, self.taken, metadata)
        self.out.append(request)
        return request

    def cancel_all_and_flush(self) -> None:
        self.flushed = True

    def close(self) -> None:
        assert self.flushed or not self.stalled, "would wait for the picture that never comes"
        self.closed = True


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[FakePicamera2]:
    fake = type("Picamera2", (FakePicamera2,), {})
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=fake))
    return fake


def test_without_picamera2_the_message_explains_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraAbsent, match="python3-picamera2") as caught:
        PiCamera()
    assert caught.value.code == "no_picamera2"


def test_without_libcamera_the_message_names_the_closed_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "picamera2.py").write_text("import libcamera")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    monkeypatch.setitem(sys.modules, "libcamera", None)
    with pytest.raises(CameraAbsent, match=r"\.venv") as caught:
        PiCamera()
    assert caught.value.code == "no_libcamera"


def test_a_picamera2_built_for_another_numpy_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "picamera2.py").write_text("raise ValueError('numpy.dtype size changed')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    with pytest.raises(CameraAbsent, match=r"numpy.dtype size changed.*\.venv") as caught:
        PiCamera()
    assert caught.value.code == "picamera2_broken"


def test_a_pi_camera_gives_blue_green_red(picamera2: type[FakePicamera2]) -> None:
    with open_camera("pi") as camera:
        assert camera.read()[0, 0].tolist() == [1, 2, 3]
    assert isinstance(camera, PiCamera) and camera._device.closed and camera._device.out == []


def test_a_library_that_swaps_red_and_blue_is_asked_for_the_other_order(
    picamera2: type[FakePicamera2],
) -> None:
    camera = PiCamera(CameraSettings("pi", 50, red_blue_swapped=True))
    assert camera._device.configured["main"]["format"] == "BGR888"


def test_motion_is_watched_on_the_grey_of_the_small_stream(picamera2: type[FakePicamera2]) -> None:
    with PiCamera() as camera:
        first, second = camera.look(), camera.look()
        width, height = PREVIEW_SIZE
        assert first.preview.shape == (height, width)
        assert (int(first.preview.max()), int(second.preview.max())) == (1, 2)


def test_a_look_can_still_be_had_in_full_while_the_next_is_taken(picamera2: type[FakePicamera2]) -> None:
    with PiCamera() as camera:
        looks = [camera.look() for _ in range(20)]
        assert looks[-2].full().shape == looks[-1].full().shape == (4, 6, 3)
        assert looks[0].full().shape == (4, 6, 3), "of the latest picture, its own being given back"
        assert len(camera._device.out) < BUFFERS - 1


def test_a_look_at_a_camera_that_was_closed_is_lost(picamera2: type[FakePicamera2]) -> None:
    camera = PiCamera()
    look = camera.look()
    camera.close()
    with pytest.raises(CameraLost, match="closed"):
        look.full()


def test_a_pi_without_a_camera_is_reported(picamera2: type[FakePicamera2]) -> None:
    picamera2.cameras = []
    with pytest.raises(CameraAbsent, match="ribbon"):
        PiCamera()


def test_a_busy_pi_camera_names_the_process(
    picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    picamera2.busy = True
    monkeypatch.setattr(holders, "holder_of", lambda pattern: holders.Holder(42, "rpicam-vid"))
    with pytest.raises(CameraBusy, match=r"held by PID 42 \(rpicam-vid\)"):
        PiCamera()


def test_a_camera_that_stalls_is_lost_and_can_be_closed(picamera2: type[FakePicamera2]) -> None:
    camera = PiCamera()
    camera.look()
    camera._device.stalled = True
    with pytest.raises(CameraLost, match="cable"):
        camera.look()
    camera.close()
    assert camera._device.closed


def test_a_locked_camera_has_the_automatic_values_with_a_flicker_free_exposure(
    picamera2: type[FakePicamera2],
) -> None:
    camera = PiCamera()
    assert isinstance(camera, Adjustable)
    settings = camera.lock(50)
    assert settings.exposure_us == 30_000
    assert settings.gain == pytest.approx(2.2)
    assert (settings.colour_gains, settings.focus) == ((2.1, 1.7), FOCUSED)
    assert (
        camera._device.controls
        | {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": 30_000,
            "AfMode": 0,
        }
        == camera._device.controls
    )
    assert camera.drifted_settings() == ()


def test_a_lens_without_a_motor_is_not_focused(picamera2: type[FakePicamera2]) -> None:
    picamera2.motor = False
    settings = PiCamera().lock(60)
    assert settings.focus is None
    assert settings.exposure_us == pytest.approx(4 * 8333.33, rel=1e-4)
    assert "LensPosition" not in PiCamera(SETTINGS)._device.configured["controls"]


def test_a_session_starts_with_the_settings_of_the_calibration(picamera2: type[FakePicamera2]) -> None:
    controls = PiCamera(SETTINGS)._device.configured["controls"]
    assert controls["ExposureTime"] == 20_000 and controls["AnalogueGain"] == 3.3
    assert controls["ColourGains"] == (2.1, 1.7) and controls["LensPosition"] == 1.25
    assert controls["FrameDurationLimits"] == (100_000, 100_000)


@pytest.mark.parametrize(
    ("control", "value", "drifted"),
    [
        ("ExposureTime", 33_000, ("exposure",)),
        ("ExposureTime", 19_990, ()),
        ("AnalogueGain", 1.0, ("exposure",)),
        ("ColourGains", (2.1, 2.2), ("white_balance",)),
        ("ColourGains", (2.12, 1.69), ()),
        ("LensPosition", 0.3, ("focus",)),
    ],
)
def test_a_drifted_setting_is_reported(
    picamera2: type[FakePicamera2], control: str, value: Any, drifted: tuple[str, ...]
) -> None:
    camera = PiCamera(SETTINGS)
    camera._device.controls[control] = value
    camera.look()
    assert camera.drifted_settings() == drifted
