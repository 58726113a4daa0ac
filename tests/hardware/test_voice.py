"""The voice: spoken by espeak-ng in the game's language, and never in the way of play."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.cli.voice import speaking
from hardware import voice as voices
from hardware.voice import Voice, VoiceUnavailableError, open_voice
from tests.support.paths import CHECKOUT
from tests.support.tables import Table, with_proposal

WAIT_S = 10.0
DEMO_S = 120.0
"""Until the demo has been set up and a first turn been played, on a slow machine."""
STUB = """#!/bin/sh
printf '%s\\n' "$*" >>"$ESPEAK_LOG"
echo $$ >"$ESPEAK_LOG.pid"
while [ -e "$ESPEAK_LOG.wait" ]; do /bin/sleep 0.02; done
exit ${ESPEAK_CODE:-0}
"""


class Espeak:
    """Represents a stand-in for espeak-ng that writes down how it was called."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.gate = log.with_name(log.name + ".wait")
        """While this file is there, a text is being spoken."""

    def calls(self) -> list[str]:
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []

    def wait_for(self, count: int) -> list[str]:
        """Returns all calls, once there are so many."""
        wait_until(lambda: len(self.calls()) >= count)
        return self.calls()

    def pid(self) -> int:
        return int(self.log.with_name(self.log.name + ".pid").read_text())


def wait_until(condition: Callable[[], bool], seconds: float = WAIT_S) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def espeak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Espeak]:
    """Puts the stub on the path."""
    program = tmp_path / "bin" / "espeak-ng"
    program.parent.mkdir()
    program.write_text(STUB)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.setenv("ESPEAK_LOG", str(tmp_path / "log"))
    stub = Espeak(tmp_path / "log")
    yield stub
    stub.gate.unlink(missing_ok=True)


@pytest.fixture
def nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


def test_a_text_is_spoken_in_the_language(espeak: Espeak) -> None:
    with open_voice("fr") as voice:
        voice.speak("Au tour de Rouge.")
        assert espeak.wait_for(1) == ["-v fr -- Au tour de Rouge."]


def test_a_text_is_no_command_and_no_option(espeak: Espeak, tmp_path: Path) -> None:
    text = "-q; $(touch broken) `touch broken` 'Red\" | tee broken"
    with open_voice("en") as voice:
        voice.speak(text)
        assert espeak.wait_for(1) == [f"-v en -- {text}"]
    assert not list(tmp_path.rglob("broken"))


def test_speaking_does_not_block(espeak: Espeak) -> None:
    espeak.gate.touch()
    with open_voice("en") as voice:
        started = time.monotonic()
        for i in range(100):
            voice.speak(f"text {i}")
        assert time.monotonic() - started < 0.5


def test_a_newer_text_replaces_the_one_that_waits(espeak: Espeak) -> None:
    espeak.gate.touch()
    with open_voice("en") as voice:
        voice.speak("first")
        espeak.wait_for(1)
        voice.speak("out of date")
        voice.speak("latest")
        espeak.gate.unlink()
        assert espeak.wait_for(2) == ["-v en -- first", "-v en -- latest"]


def test_speech_ends_with_the_companion(espeak: Espeak) -> None:
    espeak.gate.touch()
    with open_voice("en") as voice:
        voice.speak("first")
        espeak.wait_for(1)
        wait_until(lambda: espeak.log.with_name("log.pid").exists())
        pid = espeak.pid()
        assert is_running(pid)
    assert not is_running(pid)


def test_a_closed_voice_is_silent(espeak: Espeak) -> None:
    voice = open_voice("en")
    voice.close()
    voice.speak("late")
    voice.close()
    assert espeak.calls() == []


def test_a_program_that_hangs_is_ended_and_the_next_text_spoken(
    espeak: Espeak, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voices, "MAX_SPEECH_S", 0.3)
    complaints: queue.Queue[str] = queue.Queue()
    espeak.gate.touch()
    with open_voice("en", complaints.put) as voice:
        voice.speak("first")
        assert "did not finish" in complaints.get(timeout=WAIT_S)
        voice.speak("second")
        assert espeak.wait_for(2)[1] == "-v en -- second"


def test_a_failing_program_is_reported_once(espeak: Espeak, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ESPEAK_CODE", "1")
    complaints: queue.Queue[str] = queue.Queue()
    with open_voice("en", complaints.put) as voice:
        for count in (1, 2):
            voice.speak("hello")
            espeak.wait_for(count)
        assert complaints.get(timeout=WAIT_S) == (
            "espeak-ng failed (exit code 1); type 'espeak-ng hello' to see why"
        )
    assert complaints.empty()


def test_a_program_that_cannot_be_started_is_reported(tmp_path: Path) -> None:
    complaints: queue.Queue[str] = queue.Queue()
    with Voice(str(tmp_path / "gone"), "en", complaints.put) as voice:
        voice.speak("hello")
        assert "cannot be started (No such file or directory)" in complaints.get(timeout=WAIT_S)


@pytest.mark.usefixtures("nothing_installed")
def test_without_espeak_the_cure_is_named() -> None:
    with pytest.raises(VoiceUnavailableError, match="type 'sudo apt install espeak-ng'"):
        open_voice("en")


# --- beside a game ----------------------------------------------------------------------------------------


def test_turns_at_the_table_are_spoken(espeak: Espeak) -> None:
    table = Table()
    with_proposal(table)
    with speaking(table.session, True, "fr"):
        assert espeak.wait_for(1) == ["-v fr -- Au tour de Bleu."]
        table.session.confirm()
        assert espeak.wait_for(2)[1].startswith("-v fr -- Bleu ")


def test_nothing_is_spoken_by_default(espeak: Espeak) -> None:
    table = Table()
    with speaking(table.session, False, "en"):
        with_proposal(table)
        table.session.confirm()
    assert espeak.calls() == []


@pytest.mark.usefixtures("nothing_installed")
def test_play_works_without_espeak(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table()
    with speaking(table.session, True, "en"):
        with_proposal(table)
        table.session.confirm()
    errors = capsys.readouterr().err
    assert errors == (
        "companion: nothing can be spoken because espeak-ng is not installed; type 'sudo apt install espeak-ng'\n"
    )


def begins_phase(call: str) -> bool:
    return "phase A" in call


def hears_ctrl_c() -> None:
    """In a new process: it can be interrupted, also where the tests run in the background of a shell."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
def test_the_demo_speaks_until_it_is_ended(espeak: Espeak) -> None:
    """The complete path: drawn, read, explained, confirmed, announced and spoken."""
    words = "demo --players 2 --seed 7 --speed 50 --port 0 --voice --language fr"
    demo = subprocess.Popen(
        [sys.executable, "-m", "companion", *words.split()],
        cwd=CHECKOUT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hears_ctrl_c,
    )
    try:
        wait_until(lambda: any(map(begins_phase, espeak.calls())) or demo.poll() is not None, DEMO_S)
        demo.send_signal(signal.SIGINT)
        _, complaints = demo.communicate(timeout=30)
    finally:
        demo.kill()
    assert espeak.calls()[0] == "-v fr -- Garnissez les dépôts."
    assert any(map(begins_phase, espeak.calls()))
    assert demo.returncode == 0 and "voice:" not in complaints and "Traceback" not in complaints
    assert not is_running(espeak.pid())
