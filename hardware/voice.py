"""The voice: short texts spoken on this machine by espeak-ng.

    with open_voice("fr") as voice:
        voice.say("Au tour de Rouge.")               # returns at once

It speaks from a thread of its own, so that nobody waits for it: neither the table nor the page.
"""

from __future__ import annotations

import queue
import shutil
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress

from .closeable import Closeable

PROGRAM = "espeak-ng"
LONGEST_S = 30.0
"""A text that is still being spoken then has hung the program: three sentences take some ten seconds."""


class VoiceUnavailableError(RuntimeError):
    """This machine cannot speak; the message says why and what to do."""


class Voice(Closeable):
    """Represents a voice that speaks one text after the other.

    A newer text replaces one that still waits: what is out of date by the time it would be heard is not said. All
    methods may be called from any thread.

    :param program: path of espeak-ng.
    :param language: one of its voices, by language code.
    :param on_failure: told in one sentence, once, when nothing could be heard.
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

    def say(self, text: str) -> None:
        """Speaks *text* once the one before it has been spoken; nothing after the voice was closed."""
        with self._lock:
            if not self._closed:
                self._put(text)

    def close(self) -> None:
        """Falls silent at once; closing twice does no harm."""
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
        """Speaks *text* to its end and returns what went wrong, if anything."""
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
            code = process.wait(LONGEST_S)
        except OSError as error:
            return f"{PROGRAM} cannot be started ({error.strerror})"
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return f"{PROGRAM} did not come to an end"
        # A negative code is the signal that ended it: it was closed, or Ctrl-C ends everything.
        return f"{PROGRAM} failed (exit code {code})" if code > 0 else ""


def open_voice(language: str, on_failure: Callable[[str], None] | None = None) -> Voice:
    """Opens this machine's voice for *language* (``en``, ``fr``).

    :raises VoiceUnavailableError: when espeak-ng is not installed.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        raise VoiceUnavailableError(
            f"nothing is said aloud, for {PROGRAM} is not installed; type 'sudo apt install {PROGRAM}'"
        )
    return Voice(program, language, on_failure)
