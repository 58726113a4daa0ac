"""County cards of the Châteauma, read from a picture of one."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.facts import COLOURS, load_facts
from companion.commands.calibrate_card import calibrate_card
from vision.boards.card import CardError, known_card, scan_card

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
    colours = [hex_.colour for hex_ in load_facts().county_cards[number].hexes]
    assert scan_card(card(colours, turn)).number == number


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


def kept_of(picture: np.ndarray, tmp_path: Path, typed: str = "", times: int = 1) -> tuple[str, list[dict]]:
    """What the command says about *picture*, and the cards that it keeps."""
    path, kept = tmp_path / "card.png", tmp_path / "cards.json"
    cv2.imwrite(str(path), picture)
    for _ in range(times):
        result = CliRunner().invoke(calibrate_card, [str(kept), "--camera", str(path)], input=typed)
        assert result.exit_code == 0, result.output
    return result.output, json.loads(kept.read_text())["cards"]


def test_a_known_card_is_kept_once_as_it_is_printed_and_nothing_is_asked(tmp_path: Path) -> None:
    told, (entry,) = kept_of(card(["ship", "monastery", "building", "ship"]), tmp_path, times=2)
    assert told == "County card 6 is kept: blue, yellow, beige, blue.\n"
    assert entry["card"] == 6
    assert [(hex_["colour"], hex_["sell_goods"]) for hex_ in entry["hexes"]] == [
        ("ship", True), ("monastery", False), ("building", False), ("ship", False)]  # fmt: skip


def test_a_colour_that_nobody_has_seen_in_print_is_the_one_that_is_read(tmp_path: Path) -> None:
    _, (entry,) = kept_of(card(["castle", "mine", "livestock", "ship"]), tmp_path, "livestock\n")
    assert (entry["card"], entry["hexes"][2]["colour"]) == (8, "livestock")


def with_symbol(frame: np.ndarray, space: int) -> np.ndarray:
    """The card with a pale square in a dark frame on one *space*."""
    x, y = 240, round(120 + 1.3 * space * PITCH)
    for reach, shade in ((10, 30), (6, 230)):
        cv2.rectangle(frame, (x - reach, y - reach), (x + reach, y + reach), (shade,) * 3, -1)
    return frame


@pytest.mark.parametrize("space", [0, 2])
def test_the_space_that_bears_a_symbol_is_seen(space: int) -> None:
    assert scan_card(with_symbol(card(["ship"] * 4), space)).symbol == space


def test_a_card_without_a_symbol_has_none() -> None:
    assert scan_card(card(["ship"] * 4)).symbol is None


def test_of_an_unknown_card_the_symbol_seen_is_proposed(tmp_path: Path) -> None:
    _, (entry,) = kept_of(with_symbol(card(["ship"] * 4), 2), tmp_path, "\n" * 5)
    assert entry["card"] is None
    assert [hex_["sell_goods"] for hex_ in entry["hexes"]] == [False, False, True, False]


def test_a_file_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    picture, kept = tmp_path / "card.png", tmp_path / "cards.json"
    cv2.imwrite(str(picture), card(["ship", "monastery", "building", "ship"]))
    kept.write_text("notes")
    result = CliRunner().invoke(calibrate_card, [str(kept), "--camera", str(picture), "--yes"])
    assert result.exit_code == 1 and "not a file of county cards" in result.output
    assert kept.read_text() == "notes"
