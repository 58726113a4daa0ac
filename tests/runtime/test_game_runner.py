"""Games at one table: the players are asked, a new game is begun, and an earlier one continued."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from urllib.error import HTTPError, URLError
from urllib.request import HTTPCookieProcessor, Request, build_opener

import numpy as np
import pytest

from companion.archive import new_journal_path
from companion.journal import Journal, setup_of
from companion.runtime.game_runner import _learn_from, latest_of
from companion.runtime.learnt_tiles import LearntTiles
from tests.support.paths import CHECKOUT
from vision.reader import TableReader

FRAME = np.zeros((4, 4, 3), np.uint8)
TIMEOUT_S = 30.0


class Companion:
    """Represents a running companion, and a client of its pages."""

    def __init__(self, home: Path, *options: str, **env: str) -> None:
        """*options* are those of the command, *env* what it finds in its environment."""
        command = [sys.executable, "-u", "-m", "companion", "play", "--host", "127.0.0.1", "--port", "0"]
        command += options
        self.games = home / "table-companion" / "games"
        self.process = subprocess.Popen(
            command,
            cwd=CHECKOUT,
            env={"HOME": str(home), "XDG_CONFIG_HOME": str(home), "PATH": "/usr/bin:/bin", **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        self.startup_output: list[str] = []
        """Lines that it printed before its page was served."""
        self._open = build_opener(HTTPCookieProcessor()).open
        for _ in range(20):
            self.startup_output.append(self.process.stdout.readline())
            if found := re.findall(r"http://[\d.]+:\d+", self.startup_output[-1]):
                break
        self.address = found[0]

    def page(self, expected: str) -> str:
        """Returns the page at the companion's address once it contains *expected*."""
        until = time.monotonic() + TIMEOUT_S
        while time.monotonic() < until:
            try:
                with self._open(f"{self.address}/?lang=en", timeout=5) as answer:
                    text = answer.read().decode()
                if expected in text:
                    return str(text)
            except (URLError, OSError, HTTPException):
                pass  # nothing is served between two pages
            time.sleep(0.1)
        raise AssertionError(f"no page with {expected!r} within {TIMEOUT_S:.0f} s")

    def post(self, path: str, body: Any, header: str, token: str) -> int:
        headers = {"Content-Type": "application/json", header: token}
        request = Request(self.address + path, json.dumps(body).encode(), headers, method="POST")
        with self._open(request, timeout=10) as answer:
            return int(answer.status)

    def answer(self, path: str, body: bytes | None = None) -> str:
        """Returns the answer, even if it is an error."""
        headers = {"Content-Type": "application/json"}
        try:
            with self._open(Request(self.address + path, body, headers), timeout=10) as answer:
                return str(answer.read().decode())
        except HTTPError as error:
            return error.read().decode()

    def begin(self, *seats: dict[str, Any]) -> None:
        shown = self.page('id="seats"')
        token = shown.split('data-token="')[1].split('"')[0]
        self.post("/begin", {"edition": "special", "seats": seats}, "X-Token", token)

    def do(self, **command: Any) -> None:
        shown = self.page('id="state"')
        token = re.search(r'data-token="([^"]+)"', shown.split('id="state"')[1])
        assert token is not None
        self.post("/do", command, "X-Companion-Token", token[1])

    def end(self) -> str:
        """Ends the process, and returns its complete output."""
        self.process.terminate()
        return "".join(self.startup_output) + self.process.communicate(timeout=20)[0]


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    running = Companion(tmp_path)
    yield running
    running.end()


ANNA = {"colour": "red", "kind": "person", "duchy": "se-3", "name": "Anna"}
YVES = {"colour": "blue", "kind": "person", "duchy": "se-4", "name": "Yves"}


def test_another_game_is_begun_and_an_earlier_one_continued(companion: Companion) -> None:
    """Set up on the page, played, left for a new one with the same players, and taken up again."""
    companion.begin(YVES, ANNA)
    companion.page(">Anna</button>")
    companion.do(do="new_game")
    again = companion.page('id="seats"')
    assert re.findall(r'name="name" value="(\w+)"', again) == ["Yves", "Anna"]
    companion.begin({**ANNA, "name": "Ida"}, YVES)
    companion.page(">Ida</button>")
    companion.do(do="tap", text="start-goods red 5")
    companion.do(do="reseat")
    companion.begin(YVES, {**ANNA, "name": "Ida"})
    reseated = companion.page('id="player-setup-blue"')
    assert reseated.index('id="player-setup-blue"') < reseated.index('id="player-setup-red"')
    assert re.search(r'id="player-setup-red">.*?goods-dealt.*?aria-label="goods 5"', reseated, re.S)
    first = min(companion.games.glob("*.journal"), key=lambda path: len(path.stem))
    companion.do(do="go_on", game=first.stem)
    companion.page(">Anna</button>")
    companion.end()
    journal = Journal(first)
    setup = setup_of(journal.records())
    journal.close()
    assert setup is not None and [p["colour"] for p in setup["players"]] == ["blue", "red"]


def test_the_setup_page_leads_back_to_the_unchanged_game(companion: Companion) -> None:
    """As long as no other one has begun, nothing of another one is there."""
    companion.begin(YVES, ANNA)
    companion.page(">Anna</button>")
    companion.do(do="tap", text="start-goods red 5")
    for leaving in ("new_game", "reseat"):
        companion.do(do=leaving)
        asked = companion.page('id="back"')
        assert "Back to the game of Yves and Anna" in asked
        token = asked.split('data-token="')[1].split('"')[0]
        companion.post("/back", {}, "X-Token", token)
        again = companion.page('id="state"')
        assert re.search(r'id="player-setup-red">.*?goods-dealt.*?aria-label="goods 5"', again, re.S)
    assert len(list(companion.games.glob("*.journal"))) == 1


def test_the_questions_about_the_print_lead_back_to_the_choices_and_to_the_game(companion: Companion) -> None:
    """Chosen by mistake, the Châteauma keeps nobody from the game on the table."""
    companion.begin(YVES, ANNA)
    companion.page(">Anna</button>")
    companion.do(do="new_game")
    companion.page('id="back"')
    companion.begin(ANNA, {"colour": "green", "kind": "automa", "level": "hard", "modifiers": ["C"]})
    asked = companion.page("data-back")
    assert "Back to “Who plays?”" in asked
    companion.post("/back", {}, "X-Token", asked.split('data-token="')[1].split('"')[0])
    again = companion.page('id="seats"')
    assert re.findall(r'name="name" value="(\w+)"', again) == ["Anna"]
    assert re.search(r'<option value="hard" selected', again) and re.search(r'value="C" checked', again)
    companion.post("/back", {}, "X-Token", again.split('data-token="')[1].split('"')[0])
    companion.page(">Anna</button>")
    assert len(list(companion.games.glob("*.journal"))) == 1


def test_three_who_choose_on_the_page_are_asked_once_about_the_black_depot(companion: Companion) -> None:
    zoe = {"colour": "green", "kind": "person", "duchy": "se-5", "name": "Zoe"}
    companion.begin(ANNA, YVES, zoe)
    asked = companion.page('id="black_slots:3"')
    token = asked.split('data-token="')[1].split('"')[0]
    companion.post("/answers", {"black_slots": {"3": 5}}, "X-Token", token)
    companion.page(">Zoe</button>")
    companion.do(do="new_game")
    companion.begin(zoe, ANNA, YVES)
    companion.page(">Zoe</button>")
    companion.end()
    setups = [setup_of(Journal(path).records()) for path in companion.games.glob("*.journal")]
    assert [setup["black_slots"] for setup in setups if setup] == [5, 5]


def test_each_game_of_a_day_has_a_file_of_its_own(tmp_path: Path) -> None:
    assert latest_of(tmp_path, "2026-05-01", time.time()) is None
    for name in ("2026-05-01.journal", "2026-05-01-2.journal", "2026-05-01-3.journal"):
        path = new_journal_path(tmp_path, "2026-05-01")
        assert path.name == name
        path.touch()
    assert new_journal_path(tmp_path, "2026-05-02").name == "2026-05-02.journal"


def test_the_latest_game_is_continued(tmp_path: Path) -> None:
    now = time.time()
    for age, name in enumerate(("2026-05-01-2.journal", "2026-05-01.journal", "2026-04-30.journal")):
        path = tmp_path / name
        path.touch()
        os.utime(path, (now - 60 * age, now - 60 * age))
    found = latest_of(tmp_path, "2026-05-01", now)
    assert found is not None and found.name == "2026-05-01-2.journal"


def test_a_game_is_continued_after_midnight_but_not_a_week_later(tmp_path: Path) -> None:
    path = tmp_path / "2026-05-01.journal"
    path.touch()
    midnight = path.stat().st_mtime + 60
    assert latest_of(tmp_path, "2026-05-02", midnight) == path
    assert latest_of(tmp_path, "2026-05-08", midnight + 7 * 24 * 3600) is None


def test_empty_spaces_are_learnt_without_a_gallery_too() -> None:
    learnt: list[str] = []
    reader = cast(TableReader, SimpleNamespace(learn_bare=lambda frame, labels: learnt.append("bare")))
    tiles = cast(LearntTiles, SimpleNamespace(learn=lambda frame, labels: learnt.append("tiles")))
    _learn_from(reader, None, FRAME, {})
    _learn_from(reader, tiles, FRAME, {})
    assert learnt == ["bare", "bare", "tiles"]


def test_a_start_speaks_one_language_in_the_terminal(tmp_path: Path) -> None:
    companion = Companion(tmp_path, "--players", "red:se-1,blue:se-2", "--language", "fr")
    companion.end()
    panel, headline, saved, address = (line.strip() for line in companion.startup_output[-4:])
    assert panel.startswith("Boutons\N{NO-BREAK SPACE}: ") and "nouvelle partie" in headline
    assert saved.startswith("Enregistré dans ") and address.startswith("Ouvrez http")
