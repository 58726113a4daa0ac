"""What a camera is fixed to: exposures that no lamp flickers in."""

from __future__ import annotations

import pytest

from calibration.camera_settings import CameraSettings, Exposure, steady_exposure


@pytest.mark.parametrize(
    ("us", "gain", "mains", "steady"),
    [
        (20_000, 2.0, 50, Exposure(20_000, 2.0, False)),  # two flickers as it is
        (14_000, 2.0, 50, Exposure(10_000, 2.8, False)),  # shorter and stronger
        (17_000, 2.0, 50, Exposure(20_000, 1.7, False)),  # longer and weaker
        (66_000, 8.0, 50, Exposure(70_000, 66 * 8 / 70, False)),
        (250_000, 4.0, 50, Exposure(100_000, 10.0, False)),  # no longer than a picture may take
        (9_000, 1.0, 50, Exposure(10_000, 1.0, False)),  # a little brighter
        (4_000, 1.0, 50, Exposure(4_000, 1.0, True)),  # sunshine
        (3_000, 6.0, 50, Exposure(10_000, 1.8, False)),
    ],
)
def test_an_exposure_becomes_a_multiple_of_the_flicker_period_of_the_same_brightness(
    us: float, gain: float, mains: int, steady: Exposure
) -> None:
    chosen = steady_exposure(us, gain, mains)
    assert (chosen.us, chosen.flickers) == (steady.us, steady.flickers)
    assert chosen.gain == pytest.approx(steady.gain)


@pytest.mark.parametrize(("mains", "flicker_us"), [(50, 10_000), (60, 8_333.33)])
def test_a_flicker_is_half_a_period_of_the_mains(mains: int, flicker_us: float) -> None:
    assert steady_exposure(2.1 * flicker_us, 1.5, mains).us == pytest.approx(2 * flicker_us, rel=1e-5)


def test_the_least_gain_of_a_sensor_is_respected() -> None:
    assert steady_exposure(11_000, 1.05, 50, least_gain=1.12).gain == pytest.approx(1.155)
    assert steady_exposure(10_500, 1.0, 50, least_gain=1.12).gain == 1.12


def test_automatic_settings_are_not_written() -> None:
    assert CameraSettings("usb", 60, temperature_k=3200).document() == {
        "kind": "usb",
        "mains_hz": 60,
        "temperature_k": 3200,
    }
