"""A supervised camera detects every fault within three seconds, reports it once, and recovers."""

from __future__ import annotations

import time
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from hardware.cameras import Camera, CameraAbsent, CameraBusy, CameraError, CameraLost, Look
from hardware.cameras.absent import NoCamera
from hardware.cameras.faulty import Fault, FaultyCamera
from hardware.cameras.health import CLIPPED, DARK, DOUBT_S, FROZEN_S, PictureHealth
from hardware.cameras.supervised import FIRST_RETRY_S, MAX_RETRY_S, SILENT_S, SupervisedCamera, supervised
from tests.support.cameras import NoiseCamera

NOTICED_S = 3.0
PERIOD_S = 0.1


def error_code(camera: SupervisedCamera) -> str | None:
    return None if camera.error is None else camera.error.code


class CameraRun:
    """Represents a faulty camera that is read ten times a second, on a clock of its own."""

    def __init__(self) -> None:
        self.faulty = FaultyCamera(NoiseCamera())
        self.camera = SupervisedCamera(self.faulty.open, self.faulty.name)
        self.now = 100.0

    def passes(self, seconds: float) -> int:
        """Returns how many pictures came in that time."""
        seen = 0
        for _ in range(round(seconds / PERIOD_S)):
            self.now += PERIOD_S
            seen += self.camera.look(self.now) is not None
        return seen

    def code(self) -> str | None:
        return error_code(self.camera)


@pytest.fixture
def run() -> Iterator[CameraRun]:
    run = CameraRun()
    run.passes(1)
    yield run
    run.camera.close()


def test_a_healthy_camera_gives_every_picture_once(run: CameraRun) -> None:
    assert run.passes(2) == 20
    assert (run.camera.error, run.faulty.opened) == (None, 1)


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (Fault.UNPLUGGED, "absent"),
        (Fault.BUSY, "busy"),
        (Fault.FROZEN, "frozen"),
        (Fault.BLACK, "black"),
        (Fault.OVEREXPOSED, "overexposed"),
    ],
)
def test_a_fault_is_noticed_within_three_seconds_and_got_over(
    run: CameraRun, fault: Fault, code: str
) -> None:
    run.faulty.fault = fault
    run.passes(NOTICED_S)
    assert run.code() == code
    assert run.passes(60) == 0
    assert run.code() == code
    run.faulty.fault = None
    assert run.passes(MAX_RETRY_S + 1) > 0
    assert run.code() is None


def test_a_sleeve_before_the_lens_is_no_fault_and_gives_no_picture(run: CameraRun) -> None:
    run.faulty.fault = Fault.BLACK
    assert run.passes(DOUBT_S - 2 * PERIOD_S) == 0
    run.faulty.fault = None
    assert run.passes(1) == 10
    assert run.code() is None


def test_a_lost_camera_is_tried_ever_more_rarely_but_never_given_up() -> None:
    tried: list[float] = []
    now = 0.0

    def open_device() -> Camera:
        tried.append(now)
        raise CameraAbsent("there is none")

    camera = SupervisedCamera(open_device, "camera")
    for step in range(6000):
        now = step * PERIOD_S
        camera.look(now)
    waits = np.diff(tried)
    assert waits[0] == pytest.approx(FIRST_RETRY_S)
    assert np.all(np.diff(waits) >= -PERIOD_S)
    assert waits[-1] == pytest.approx(MAX_RETRY_S) == pytest.approx(waits.max())


def test_one_good_picture_makes_it_impatient_again(run: CameraRun) -> None:
    run.faulty.fault = Fault.UNPLUGGED
    run.passes(60)
    run.faulty.fault = None
    run.passes(MAX_RETRY_S + 1)
    run.faulty.fault = Fault.UNPLUGGED
    run.passes(PERIOD_S)
    run.faulty.fault = None
    run.passes(FIRST_RETRY_S + 3 * PERIOD_S)
    assert run.code() is None


def test_a_frozen_camera_is_restarted(run: CameraRun) -> None:
    run.faulty.fault = Fault.FROZEN
    run.passes(NOTICED_S)
    assert run.faulty.opened == 2
    run.passes(10)
    assert run.code() == "frozen"


def test_a_borrowed_camera_is_not_closed() -> None:
    class Closed(NoiseCamera):
        def close(self) -> None:
            raise AssertionError("somebody else closes it")

    with supervised(Closed()) as camera:
        assert camera.look(0.0) is not None
        assert supervised(camera) is camera


def test_pictures_that_no_sensor_gives_may_stay_alike() -> None:
    class Drawing(NoiseCamera):
        def read(self) -> np.ndarray:
            return np.full((9, 16, 3), 99, np.uint8)

    camera = supervised(Drawing())
    assert all(camera.look(step * PERIOD_S) for step in range(100))


def test_no_camera_ends_without_an_error() -> None:
    camera = supervised(NoCamera())
    assert camera.look(0.0) is None
    assert camera.absent and camera.ended and camera.error is None


def test_a_hanging_driver_blocks_nobody_and_is_reported() -> None:
    """On the real clock, with a thread: at most as long as the driver may be silent, and a little."""
    faulty = FaultyCamera(NoiseCamera())
    with SupervisedCamera(faulty.open, "sensor") as camera:
        camera.run_in_background(time.monotonic)
        deadline = time.monotonic() + 5
        while camera.look(time.monotonic()) is None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert camera.error is None
        faulty.fault = Fault.HUNG
        hung = time.monotonic()
        slowest = 0.0
        while camera.error is None and time.monotonic() < hung + NOTICED_S:
            asked = time.monotonic()
            camera.look(asked)
            slowest = max(slowest, time.monotonic() - asked)
            time.sleep(0.02)
        assert isinstance(camera.error, CameraLost) and camera.error.code == "silent"
        assert slowest < SILENT_S / 2
        faulty.fault = None
        while camera.error and time.monotonic() < hung + 2 * NOTICED_S:
            camera.look(time.monotonic())
            time.sleep(0.02)
        assert camera.error is None


def test_closing_a_camera_that_hangs_leaves_the_device_to_its_thread() -> None:
    closed_by: list[str] = []

    class Closing(NoiseCamera):
        def close(self) -> None:
            import threading

            closed_by.append(threading.current_thread().name)

    camera = SupervisedCamera(Closing, "sensor")
    camera.run_in_background(time.monotonic)
    time.sleep(0.05)
    camera.close()
    assert closed_by == ["camera"]


def test_every_error_of_its_own_contains_the_cure(run: CameraRun) -> None:
    run.faulty.fault = Fault.BLACK
    run.passes(NOTICED_S)
    assert "lamp" in str(run.camera.error)


class Health:
    """Feeds ten previews per second."""

    def __init__(self, *, live: bool = True) -> None:
        self.health = PictureHealth(live=live)
        self.now = 0.0

    def fault(self, *previews: np.ndarray, seconds: float = NOTICED_S) -> str | None:
        fault = None
        for step in range(round(seconds / PERIOD_S)):
            self.now += PERIOD_S
            fault = self.health.assess(previews[step % len(previews)], self.now).fault
        return fault


def noisy(level: float, spread: float = 2.0, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.clip(rng.normal(level, spread, (90, 160)), 0, 255).astype(np.uint8)


def test_a_dim_room_is_not_black() -> None:
    dim = [noisy(DARK + 12, 4, seed) for seed in range(5)]
    assert Health().fault(*dim) is None


def test_a_display_in_a_dark_room_does_not_make_it_light() -> None:
    dark = noisy(6)
    dark[:6, :10] = 200
    assert Health(live=False).fault(dark) == "black"


def test_white_cards_and_a_reflection_do_not_dazzle() -> None:
    cards = [noisy(140, 4, seed) for seed in range(5)]
    for card in cards:
        card[:, :64] = 255
    assert Health().fault(*cards) is None


def test_most_of_a_picture_without_detail_is_over_exposed() -> None:
    assert Health(live=False).fault(np.full((90, 160), CLIPPED, np.uint8)) == "overexposed"


def test_one_pixel_of_noise_proves_that_a_sensor_lives() -> None:
    still = noisy(120)
    other = still.copy()
    other[40, 80] += 1
    assert Health().fault(still, other, seconds=20) is None


def test_a_picture_that_stays_alike_is_frozen_only_after_a_while() -> None:
    health = Health()
    assert health.fault(noisy(120), seconds=FROZEN_S - PERIOD_S) is None
    assert health.fault(noisy(120), seconds=3 * PERIOD_S) == "frozen"


@pytest.mark.parametrize("error", [CameraAbsent, CameraBusy, CameraLost, CameraError])
def test_every_camera_error_has_a_code_for_the_page(error: type[CameraError]) -> None:
    assert error("it is so").code in {"absent", "busy", "lost"}
    assert error("it is so", "black", since=3).data == {"since": 3}


@pytest.mark.parametrize("where", ["opening", "looking"])
@pytest.mark.parametrize("alone", [False, True])
def test_an_exception_of_a_library_is_reported_and_the_camera_retried(
    where: str, alone: bool, caplog: pytest.LogCaptureFixture
) -> None:
    device, wrong = NoiseCamera(), [True]

    def broken(*_: object) -> Look:
        if wrong:
            raise cv2.error("assertion failed in function 'imdecode_'")
        return Camera.look(device)

    device.look = broken  # type: ignore[method-assign]

    def opened() -> Camera:
        if where == "opening":
            broken()
        return device

    camera = SupervisedCamera(opened, "sensor")
    with camera:
        if alone:
            camera.run_in_background(time.monotonic)
        assert _becomes(camera, "unread")
        wrong.clear()
        assert _becomes(camera, None)
    assert len(caplog.records) == 1 and "imdecode_" in caplog.text


def _becomes(camera: SupervisedCamera, code: str | None) -> bool:
    """Whether *camera* has the error *code* within ten seconds; None for no error."""
    until = time.monotonic() + 10
    while error_code(camera) != code and time.monotonic() < until:
        camera.look(time.monotonic())
        time.sleep(0.01)
    return error_code(camera) == code
