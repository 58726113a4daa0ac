"""Speech output: short texts spoken by espeak-ng on this machine.

    with open_voice("fr") as voice:
        voice.speak("Au tour de Rouge.")             # returns at once

A thread of its own speaks, so that neither the table loop nor the page waits.
"""

from __future__ import annotations

import queue
import shutil
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress

from calibration.errors import CompanionError

from .closeable import Closeable

PROGRAM = "espeak-ng"
MAX_SPEECH_S = 30.0
"""Timeout of one text: three sentences take about ten seconds, so espeak-ng has hung."""


class VoiceUnavailableError(CompanionError, RuntimeError):
    """This machine cannot speak; the message gives the reason and the cure."""


class Voice(Closeable):
    """Speaks one text after the other.

    A new text replaces one that is still waiting, because the older one is out of date. All methods are thread-safe.

    :param program: path of espeak-ng.
    :param language: language code of an espeak-ng voice.
    :param on_failure: called once, with one sentence, when a text could not be spoken.
    """

    def __init__(self, program: str, language: str, on_failure: Callable[[str], None] | None = None) -> None:
        self._command = (program, "-v", language, "--")
        self._on_failure = on_failure
        self._lock = threading.Lock()
        self._waiting: queue.Queue[str | None] = queue.Queue(maxsize=1)
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._speak_all, name="voice", daemon=True)
        self._thread.start()

    def speak(self, text: str) -> None:
        """Speaks *text* after the current one; does nothing once the voice is closed."""
        with self._lock:
            if not self._closed:
                self._put(text)

    def close(self) -> None:
        """Stops speaking at once; may be called more than once."""
        with self._lock:
            self._closed = True
            self._put(None)
            if self._process is not None:
                self._process.kill()
        self._thread.join()

    def _put(self, text: str | None) -> None:
        with suppress(queue.Empty):
            self._waiting.get_nowait()
        self._waiting.put_nowait(text)

    def _speak_all(self) -> None:
        while (text := self._waiting.get()) is not None:
            failure = self._speak(text)
            if failure and self._on_failure is not None:
                self._on_failure(f"{failure}; type '{PROGRAM} hello' to see why")
                self._on_failure = None

    def _speak(self, text: str) -> str:
        """Speaks *text* and returns an error message, empty on success."""
        try:
            with self._lock:
                if self._closed:
                    return ""
                process = self._process = subprocess.Popen(
                    (*self._command, text),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            code = process.wait(MAX_SPEECH_S)
        except OSError as error:
            return f"{PROGRAM} cannot be started ({error.strerror})"
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return f"{PROGRAM} did not finish"
        # A negative code is the signal that ended it: the voice was closed, or Ctrl-C was pressed.
        return f"{PROGRAM} failed (exit code {code})" if code > 0 else ""


def open_voice(language: str, on_failure: Callable[[str], None] | None = None) -> Voice:
    """Opens the voice for *language* (``en``, ``fr``).

    :raises VoiceUnavailableError: when espeak-ng is not installed.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        raise VoiceUnavailableError(
            f"nothing can be spoken because {PROGRAM} is not installed; type 'sudo apt install {PROGRAM}'"
        )
    return Voice(program, language, on_failure)
