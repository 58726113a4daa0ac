"""County cards of the Châteauma, read from a picture of one."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.facts import COLOURS
from companion.commands.calibrate_card import calibrate_card
from vision.boards.card import CardError, known_card, printed_colours, scan_card

PRINTS = {
    "castle": (60, 40, 120),
    "mine": (140, 138, 135),
    "ship": (170, 120, 60),
    "livestock": (80, 160, 110),
    "building": (140, 175, 205),
    "monastery": (75, 200, 230),
}
"""BGR."""
PITCH = 50.0


def card(colours: list[str], turn: float = 0.0) -> np.ndarray:
    """A card drawn with its spaces below each other."""
    frame = np.empty((640, 480, 3), np.float32)
    frame[:] = (70, 95, 120)
    frame += np.random.default_rng(1).normal(0, 3, frame.shape)
    cv2.rectangle(frame, (150, 60), (330, 60 + 65 * len(colours) + 60), (190, 215, 225), -1)
    for i, colour in enumerate(colours):
        middle = np.array([240.0, 120.0 + 1.3 * i * PITCH])
        angles = np.arange(6) * np.pi / 3 + np.pi / 6
        for size, shade in ((1.0, 0.6), (0.92, 1.0)):
            corners = middle + size * PITCH / np.sqrt(3) * np.stack([np.cos(angles), np.sin(angles)], 1)
            fill = np.multiply(PRINTS[colour], shade).tolist()
            cv2.fillPoly(frame, [np.round(corners * 16).astype(np.int32)], fill, 8, 4)
    spin = cv2.getRotationMatrix2D((240, 320), turn, 1)
    frame = cv2.warpAffine(frame, spin, (480, 640), borderMode=cv2.BORDER_REPLICATE)
    return np.clip(cv2.GaussianBlur(frame, None, 0.8), 0, 255).astype(np.uint8)


def chances(colours: list[str], sure: float = 0.9) -> np.ndarray:
    """(N, 6): each colour read with *sure*."""
    rows = np.full((len(colours), len(COLOURS)), (1 - sure) / (len(COLOURS) - 1))
    rows[np.arange(len(colours)), [COLOURS.index(colour) for colour in colours]] = sure
    return rows


@pytest.mark.parametrize("turn", [0.0, 7.0])
@pytest.mark.parametrize("number", [4, 6])
def test_a_known_card_is_told_by_its_picture(number: int, turn: float) -> None:
    colours = printed_colours(number)
    assert scan_card(card([colour for colour in colours if colour], turn)).number == number


def test_a_known_card_is_told_by_its_colours() -> None:
    assert known_card(chances(["ship", "monastery", "building", "ship"])) == 6
    assert (
        known_card(chances(["castle", "mine", "livestock", "ship"])) == 8
    )  # whose third space nobody has seen


def test_a_card_that_is_none_of_the_known_ones_has_no_number() -> None:
    assert known_card(chances(["ship"] * 4)) is None


def test_a_card_that_could_be_several_has_no_number() -> None:
    assert known_card(np.full((4, len(COLOURS)), 1 / len(COLOURS))) is None


def test_a_table_without_a_card_is_refused_with_a_sentence() -> None:
    with pytest.raises(CardError, match="show"):
        scan_card(np.full((480, 640, 3), 90, np.uint8))


def test_a_card_is_kept_once(tmp_path: Path) -> None:
    picture, kept = tmp_path / "card.png", tmp_path / "cards.json"
    cv2.imwrite(str(picture), card(["ship", "monastery", "building", "ship"]))
    for _ in range(2):
        result = CliRunner().invoke(
            calibrate_card, [str(kept), "--camera", str(picture)], input="\n" * len(COLOURS) + "3\n"
        )
        assert result.exit_code == 0, result.output
    assert "County card 6 is kept" in result.output
    (entry,) = json.loads(kept.read_text())["cards"]
    assert (entry["card"], entry["goods"]) == (6, 3)


def test_a_file_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    picture, kept = tmp_path / "card.png", tmp_path / "cards.json"
    cv2.imwrite(str(picture), card(["ship", "monastery", "building", "ship"]))
    kept.write_text("notes")
    result = CliRunner().invoke(calibrate_card, [str(kept), "--camera", str(picture), "--yes"])
    assert result.exit_code == 1 and "not a file of county cards" in result.output
    assert kept.read_text() == "notes"
