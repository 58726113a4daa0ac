"""What only one game needs is in the folders of that game: the other files of these rooms do not mention it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.paths import CHECKOUT

ROOMS = (
    "calibration",
    "vision",
    "hardware",
    "companion/calibrate",
    "companion/doctor",
    "companion/runtime",
    "companion/session",
    "companion/text",
    "web",
)
SUFFIXES = (".py", ".json", ".toml", ".html", ".css", ".js", ".svg")
WORDS = re.compile(r"burgundy|ch[aâ]teauma|duch(y|ies)|depots?\b|monaster|county", re.IGNORECASE)
ALLOWED = {
    "calibration/table.schema.json": "table files of earlier versions have these fields and names",
}
"""Files that may mention a game, and why."""


def mentions(root: Path, room: str) -> list[str]:
    """Returns ``file:line: text`` for each mention of a game in *room* outside the games' folders."""
    files = sorted(path for path in (root / room).rglob("*") if path.suffix in SUFFIXES)
    shared = (path for path in files if not re.search(r"/games/\w+/", path.relative_to(root).as_posix()))
    return [
        f"{path.relative_to(root)}:{number}: {line.strip()}"
        for path in shared
        if path.relative_to(root).as_posix() not in ALLOWED
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if WORDS.search(line)
    ]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_mentions_no_game_outside_the_games_folders(room: str) -> None:
    assert mentions(CHECKOUT, room) == []


@pytest.mark.parametrize("line", ["from calibration.games.burgundy import BOARDS", 'GROUP = "duchy"'])
def test_a_mention_is_found(tmp_path: Path, line: str) -> None:
    (tmp_path / "vision").mkdir()
    (tmp_path / "vision/reader.py").write_text(f"{line}\n")
    assert mentions(tmp_path, "vision")


def test_a_games_own_folder_may_mention_it(tmp_path: Path) -> None:
    own = tmp_path / "vision/games/burgundy/groups.py"
    own.parent.mkdir(parents=True)
    own.write_text("# the duchies\n")
    assert mentions(tmp_path, "vision") == []
