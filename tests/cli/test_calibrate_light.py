"""The command ``companion calibrate light``, tried on the printed sheet before a camera that adjusts itself."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.camera_settings import CameraSettings
from calibration.light import MAX_BANDING, banding, measure_light
from calibration.sheet import CARD_ID, DICTIONARY, write_sheets
from calibration.table_file import load
from companion.cli.main import main
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from hardware import cameras
from hardware.cameras import Camera
from vision.geometry import marker_corners

pdfium = pytest.importorskip("pypdfium2", reason="pypdfium2 is not installed (extra test)")


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> np.ndarray:
    """(H, W, 3) uint8 BGR: the printed page with the card, as light as paper is."""
    path = tmp_path_factory.mktemp("sheets") / "sheets.pdf"
    write_sheets(path, "a4", Translator("en"))
    page = pdfium.PdfDocument(path)[0].render(scale=3.0 * 25.4 / 72).to_numpy()[..., :3]
    return np.ascontiguousarray(page)


class Lamp(Camera):
    """The sheet under a lamp, before a camera that can be fixed."""

    name = "sheet"
    live = True
    swaps = False
    level = 0.75
    tint = (0.8, 0.95, 1.0)
    """A warm lamp: blue, green and red."""
    fixable = True
    drifted: tuple[str, ...] = ()
    ripple = 0.0
    coloured = True

    def __init__(self, sheet: np.ndarray, settings: CameraSettings | None) -> None:
        self._sheet, self._settings = sheet, settings
        self._rng = np.random.default_rng(0)
        self._taken = 0

    def read(self) -> np.ndarray:
        self._taken += 1
        height = len(self._sheet)
        flicker = 1 + self.ripple * np.sin(np.arange(height) / 40 + 1.7 * self._taken)
        paper = self._sheet.astype(float)
        if not self.coloured:
            paper = np.repeat(paper.mean(axis=2, keepdims=True), 3, axis=2)
        lit = paper * self.level * np.array(self.tint) * flicker[:, None, None]
        frame: np.ndarray = np.clip(lit + self._rng.normal(0, 1, lit.shape), 0, 255).astype(np.uint8)
        is_corrected = self._settings is not None and self._settings.red_blue_swapped
        return frame[..., ::-1].copy() if self.swaps and not is_corrected else frame

    def lock(self, mains_hz: int) -> CameraSettings:
        swapped = self._settings is not None and self._settings.red_blue_swapped
        fixed = {"exposure_us": 20_000.0, "gain": 2.0, "colour_gains": (1.9, 1.6)} if self.fixable else {}
        return CameraSettings("pi", mains_hz, red_blue_swapped=swapped, **fixed)  # type: ignore[arg-type]

    def drifted_settings(self) -> tuple[str, ...]:
        return self.drifted

    def close(self) -> None:
        """Nothing to close."""


@pytest.fixture
def lamp(monkeypatch: pytest.MonkeyPatch, sheet: np.ndarray) -> type[Lamp]:
    kind = type("Lamp", (Lamp,), {})
    monkeypatch.setitem(cameras._OPENERS, "pi", lambda spec, settings: kind(sheet, settings))
    monkeypatch.setattr(cameras, "WARM_UP_LOOKS", 1)
    return kind


def run(path: Path, *options: str, asked: str = "") -> Result:
    return CliRunner().invoke(
        main, ["calibrate", "light", str(path), "--camera", "pi", *options], input=asked
    )


def test_the_settings_are_saved_in_a_new_table_file(lamp: type[Lamp], tmp_path: Path) -> None:
    result = run(tmp_path / "table.json", "--mains", "60")
    assert result.exit_code == 0, result.output
    assert load(tmp_path / "table.json").camera_settings == CameraSettings(
        "pi", 60, exposure_us=20_000, gain=2.0, colour_gains=(1.9, 1.6)
    )


def test_the_table_files_other_fields_are_preserved(
    lamp: type[Lamp], sheet: np.ndarray, tmp_path: Path
) -> None:
    path = tmp_path / "table.json"
    path.write_text(json.dumps({"image_size": [sheet.shape[1], sheet.shape[0]], "about": "ours"}))
    assert run(path, "--mains", "50").exit_code == 0
    assert json.loads(path.read_text())["about"] == "ours"


def test_the_mains_are_asked_for_once(lamp: type[Lamp], tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    assert "What is your mains frequency" in run(path, asked="60\n").output
    again = run(path)
    assert again.exit_code == 0 and "What is your mains frequency" not in again.output
    assert load(path).camera_settings.mains_hz == 60  # type: ignore[union-attr]


def test_no_unnamed_mains_frequency_is_saved(lamp: type[Lamp], tmp_path: Path) -> None:
    result = run(tmp_path / "table.json", asked="\n\n")
    assert result.exit_code == 1 and not (tmp_path / "table.json").exists()


@pytest.mark.parametrize(
    ("attribute", "value", "expected"),
    [
        ("level", 0.35, "too dark"),
        ("level", 1.3, "overexposed"),
        ("coloured", False, "red field"),
    ],
)
def test_nothing_is_saved_of_a_light_in_which_colours_cannot_be_distinguished(
    lamp: type[Lamp], tmp_path: Path, attribute: str, value: object, expected: str
) -> None:
    setattr(lamp, attribute, value)
    result = run(tmp_path / "table.json", "--mains", "50")
    assert result.exit_code == 1 and expected in result.output
    assert not (tmp_path / "table.json").exists()


def test_without_the_card_nothing_is_measured(
    lamp: type[Lamp], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(lamp, "read", lambda self: np.full((300, 400, 3), 200, np.uint8))
    result = run(tmp_path / "table.json", "--mains", "50")
    assert result.exit_code == 1 and "does not see the white card" in result.output


def test_red_that_comes_as_blue_is_corrected_and_saved(lamp: type[Lamp], tmp_path: Path) -> None:
    lamp.swaps = True
    result = run(tmp_path / "table.json", "--mains", "50")
    assert result.exit_code == 0 and "swaps red and blue" in result.output
    settings = load(tmp_path / "table.json").camera_settings
    assert settings is not None and settings.red_blue_swapped


def test_a_camera_that_swaps_in_spite_of_its_settings_is_refused(
    lamp: type[Lamp], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sheet: np.ndarray
) -> None:
    lamp.swaps = True
    monkeypatch.setitem(cameras._OPENERS, "pi", lambda spec, settings: lamp(sheet, None))
    result = run(tmp_path / "table.json", "--mains", "50")
    assert result.exit_code == 1 and "whatever its settings" in result.output
    assert not (tmp_path / "table.json").exists()


@pytest.mark.parametrize(
    ("attribute", "value", "expected"),
    [
        ("ripple", 0.06, "flickers"),
        ("fixable", False, "exposure cannot be fixed"),
        ("fixable", False, "white balance cannot be fixed"),
        ("drifted", ("focus",), "does not keep"),
    ],
)
def test_imperfect_light_is_reported_and_the_settings_are_saved(
    lamp: type[Lamp], tmp_path: Path, attribute: str, value: object, expected: str
) -> None:
    setattr(lamp, attribute, value)
    result = run(tmp_path / "table.json", "--mains", "50")
    assert result.exit_code == 0 and expected in result.output
    assert load(tmp_path / "table.json").camera_settings is not None


def test_pictures_of_a_folder_cannot_be_adjusted(sheet: np.ndarray, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "sheet.png"), sheet)
    result = CliRunner().invoke(
        main, ["calibrate", "light", str(tmp_path / "t.json"), "--camera", str(tmp_path), "--mains", "50"]
    )
    assert result.exit_code == 1 and "cannot be adjusted" in result.output


def test_a_steady_lamp_has_no_bands_and_a_flickering_one_has() -> None:
    rng = np.random.default_rng(1)
    rows = np.linspace(90, 150, 180)[:, None]  # the lamp stands at one side

    def frames(ripple: float) -> list[np.ndarray]:
        waves = [1 + ripple * np.sin(np.arange(180) / 9 + 2.1 * i)[:, None] for i in range(8)]
        return [
            np.clip(rows * wave + rng.normal(0, 2, (180, 320)), 0, 255).astype(np.uint8) for wave in waves
        ]

    assert banding(frames(0.0)) < MAX_BANDING / 3
    assert banding(frames(0.03)) > MAX_BANDING


def test_a_cloud_is_no_flicker() -> None:
    frames = [np.full((90, 160), level, np.uint8) for level in (120, 122, 125, 129, 134, 140, 147, 150)]
    assert banding(frames) < MAX_BANDING


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_printed_card_is_read_in_every_language(language: str, tmp_path: Path) -> None:
    write_sheets(tmp_path / "sheets.pdf", "letter", Translator(language))
    page = pdfium.PdfDocument(tmp_path / "sheets.pdf")[0].render(scale=3.0 * 25.4 / 72).to_numpy()[..., :3]
    page = np.ascontiguousarray(page)
    light = measure_light(page, marker_corners(page, DICTIONARY)[CARD_ID])
    assert light is not None
    assert light.white == pytest.approx(255, abs=1) and light.swapped is False
    swapped = measure_light(page[..., ::-1].copy(), marker_corners(page, DICTIONARY)[CARD_ID])
    assert swapped is not None and swapped.swapped is True


def test_a_card_partly_outside_the_picture_gives_no_light() -> None:
    corners = np.array([(60, 60), (60, 90), (30, 90), (30, 60)], np.float32)
    assert measure_light(np.full((90, 90, 3), 200, np.uint8), corners - 80) is None
