"""Time from the command to the page, when the companion is started after a power cut."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from urllib.error import URLError
from urllib.request import urlopen

from companion.service.paths import DATA_VARIABLE

PLAYERS = "red:se-1,blue:se-2"
TIMEOUT_S = 60.0


def start(times: int) -> tuple[list[float], list[str]]:
    """Starts ``companion play`` *times* times and kills it by SIGKILL; each continues the game of the one before.

    Returns the seconds from the command to the first answer of the page, and the failures.
    """
    seconds: list[float] = []
    failures: list[str] = []
    with tempfile.TemporaryDirectory(prefix="table-companion-") as folder:
        for _ in range(times):
            try:
                seconds.append(_started(folder))
            except (OSError, TimeoutError, subprocess.SubprocessError) as error:
                failures.append(f"companion play: {error}")
    return seconds, failures


def _started(folder: str) -> float:
    game = ["--players", PLAYERS, "--journal", f"{folder}/game.journal", "--host", "127.0.0.1", "--port", "0"]
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "companion", "play", *game],
        env={**os.environ, DATA_VARIABLE: folder, "PYTHONDONTWRITEBYTECODE": ""},  # as users start it
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            address = next(
                (found[0] for line in process.stdout if (found := re.findall(r"http://[\d.]+:\d+", line))),
                None,
            )
            if address is None:
                raise TimeoutError(f"ended with exit code {process.wait()}")
            _answered(f"{address}/table", began + TIMEOUT_S)
            return time.perf_counter() - began
        finally:
            process.kill()


def _answered(address: str, until: float) -> None:
    while time.perf_counter() < until:
        try:
            with urlopen(address, timeout=TIMEOUT_S):
                return
        except URLError:
            time.sleep(0.01)
    raise TimeoutError(f"no page after {TIMEOUT_S:.0f} s")
