"""The table's loop: from frames and pins to the session, and back to the light."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.games.burgundy.plugin import burgundy
from companion.runtime.table_loop import (
    BACK_S,
    BY_HAND_S,
    LOOK_AGAIN_S,
    PERIOD_S,
    REREAD_S,
    REST_AFTER_S,
    REST_PERIOD_S,
    TableLoop,
)
from companion.session import LOOKS, TableSession
from hardware.cameras.camera import Camera, CameraLost, Look
from hardware.cameras.supervised import MAX_RETRY_S
from hardware.panel import SimulatedFinger, open_panel
from tests.storage.test_notices import plug_in, unplug
from tests.support import tables
from tests.support.present import present
from tests.support.sightings import new_session, sighting_of
from tests.support.tables import Table, at_dice
from vision.settle import SettleDetector
from vision.sighting import EMPTY, DieReading, FrameSizeError, Sighting

RULES = burgundy()
STILL = np.full((90, 160, 3), 120, np.uint8)
HAND = STILL.copy()
HAND[20:70, 40:120] = 220


class ScriptedCamera(Camera):
    """Gives whatever frame it holds."""

    name = "scripted camera"

    def __init__(self) -> None:
        self.frame = STILL
        self.lost = False
        self.looks: Callable[[], Look] | None = None
        """What is given in place of its usual looks."""

    def look(self) -> Look:
        return super().look() if self.looks is None else self.looks()

    def read(self) -> np.ndarray:
        if self.lost:
            raise CameraLost("the scripted camera is unplugged")
        return self.frame.copy()

    def close(self) -> None:
        pass


class CountingReader:
    """Sees the table of a given state."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.frames = 0
        self.dice: Sequence[DieReading] = ()
        self.asked: list[Collection[str] | None] = []
        self.fault: Exception | None = None
        """What is raised in place of a reading."""

    def read(
        self,
        frame: np.ndarray,
        only: Collection[str] | None = None,
        dice: Sequence[DieReading] | None = None,
    ) -> Sighting:
        if self.fault is not None:
            raise self.fault
        self.frames += 1
        self.asked.append(only)
        return sighting_of(RULES, self.state, self.dice)


class Bench:
    """A table with a panel on which red and blue have confirm buttons of their own."""

    def __init__(self, path: Path, session: TableSession, truth: Any) -> None:
        self.session = session
        self.truth = truth
        self.camera = ScriptedCamera()
        self.reader = CountingReader(self.truth)
        panel_file = path / "panel.toml"
        panel_file.write_text("hold_ms = 500\n[buttons.players]\nred = 23\nblue = 24\n")
        self.panel = open_panel(panel_file, simulate=True)
        self.finger = SimulatedFinger(self.panel)
        self.table = TableLoop(self.session, self.camera, self.reader, SettleDetector(), self.panel)
        self.now = 0.0

    @property
    def error(self) -> Any:
        """Returns the camera's error on the page."""
        return self._status["error"]

    @property
    def back(self) -> Any:
        """Returns whether the page shows that the camera is back."""
        return self._status["back"]

    @property
    def _status(self) -> dict[str, Any]:
        status = self.table.status(self.now)
        assert status is not None
        return status

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / PERIOD_S)):
            self.now += PERIOD_S
            self.table.step(self.now)

    def press(self, button: str, held: bool = False) -> None:
        self.finger.press(button, 1.2 * self.panel.config.holds[button] if held else None)
        deadline = time.monotonic() + 2
        while self.panel.presses.empty() and time.monotonic() < deadline:
            time.sleep(0.005)
        self.table.step(self.now)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Returns a bench whose setup is on the table and not confirmed."""
    session = new_session(tmp_path / "game.journal")
    truth = RULES.new(session.setup)
    for text in ("castle red 6", "start-goods red 1,2,3", "castle blue 6", "start-goods blue 4,5,6"):
        RULES.play(truth, RULES.parse_move(text))
    bench = Bench(tmp_path, session, truth)
    yield bench
    bench.panel.close()


@pytest.fixture
def after_a_turn(tmp_path: Path) -> Iterator[Bench]:
    """Returns a bench on which a turn has been played and not confirmed."""
    table = tables.Table()
    tables.watching(table)
    table.turn()
    bench = Bench(tmp_path, table.session, table.state)
    yield bench
    bench.panel.close()


def players(session: TableSession) -> tuple[str, str]:
    """Returns the player to move, and the other one."""
    to_move = RULES.to_move(session.state)
    assert to_move is not None
    return to_move, "blue" if to_move == "red" else "red"


def tap_two_moves(session: TableSession) -> None:
    for _ in range(2):
        session.tap(next(move["text"] for move in session.legal_moves() if move["word"] != "end"))
    assert len(session.snapshot()["draft"]) == 2


def test_a_frame_is_read_once_when_the_table_has_come_to_rest(bench: Bench) -> None:
    bench.wait(3)
    assert bench.reader.frames == 1


def test_while_a_roll_is_awaited_the_dice_are_read_before_the_rest(bench: Bench) -> None:
    calls = []
    session: Any = SimpleNamespace(
        awaits_roll=True,
        status="dice",
        looks_again=False,
        observe=lambda *_: calls.append("all"),
        observe_roll=lambda *_: calls.append("dice"),
    )
    bench.table.session = session
    bench.wait(1)
    assert bench.reader.asked == [(), None]
    assert calls == ["dice", "all"]


def test_a_roll_that_is_not_complete_is_looked_at_several_times_before_anything_is_asked(
    bench: Bench,
) -> None:
    table = Table()
    at_dice(table)
    table.deal()
    bench.table.session, bench.reader.state, bench.reader.dice = table.session, table.state, table.dice[1:]
    bench.wait(1 + (LOOKS - 2) * LOOK_AGAIN_S)
    assert table.session.question is None
    bench.wait(LOOK_AGAIN_S)
    assert present(table.session.question).about == "die:red:1"


def test_nothing_is_read_while_a_hand_moves_over_the_table(bench: Bench) -> None:
    for i in range(20):
        bench.camera.frame = HAND if i % 2 else STILL
        bench.wait(PERIOD_S)
    assert bench.reader.frames == 0


def test_the_table_is_read_again_after_a_hand_was_there(bench: Bench) -> None:
    bench.wait(1)
    bench.camera.frame = HAND
    bench.wait(PERIOD_S)
    bench.camera.frame = STILL
    bench.wait(1)
    assert bench.reader.frames == 2


def test_tiles_become_certain_once_when_they_are_confirmed(bench: Bench) -> None:
    calls = []
    bench.table._on_certain = lambda frame, labels: calls.append(labels)
    bench.wait(1)
    assert calls == []
    bench.press("confirm")
    castles = {place for place, label in calls[0].items() if label == "castle"}
    assert castles == {"duchy:red:6", "duchy:blue:6"}
    bench.wait(1)
    assert len(calls) == 1


def test_a_layout_that_was_only_seen_becomes_certain_with_the_next_confirmation(bench: Bench) -> None:
    learnt: dict[str, str] = {}
    rng = random.Random(1)
    bench.table._on_certain = lambda frame, labels: learnt.update(labels)
    bench.wait(1)
    bench.press("confirm")
    RULES.apply(bench.truth, present(RULES.sample_chance(bench.truth, rng)))
    bench.camera.frame = HAND
    bench.wait(PERIOD_S)
    bench.camera.frame = STILL
    bench.wait(1 + (LOOKS - 1) * LOOK_AGAIN_S)
    assert bench.session.entries()[-1].by == "seen"
    assert {label for place, label in learnt.items() if place.startswith("depot")} == {EMPTY}
    bench.session.tap(str(RULES.sample_chance(bench.truth, rng)))
    bench.wait(PERIOD_S)
    assert EMPTY not in {label for place, label in learnt.items() if place.startswith("depot")}


def test_a_press_at_the_pin_confirms_the_proposal(bench: Bench) -> None:
    bench.wait(1)
    assert (bench.session.status, bench.panel.light) == ("proposal", "proposal")
    bench.press("confirm")
    assert bench.session.state.state_hash() == bench.truth.state_hash()
    assert bench.panel.light == "accepted"


def test_the_light_shows_the_sessions_state_again_after_answering(bench: Bench) -> None:
    bench.wait(1)
    bench.press("confirm")
    bench.wait(1)
    assert bench.panel.light == "watching"


def test_a_press_that_cannot_be_followed_is_refused_by_the_light(bench: Bench) -> None:
    bench.press("undo")
    assert bench.panel.light == "refused"
    assert bench.session.snapshot()["rejection"] == {"code": "nothing_to_undo"}


def test_a_short_undo_takes_back_one_tap(after_a_turn: Bench) -> None:
    tap_two_moves(after_a_turn.session)
    after_a_turn.press("undo")
    assert len(after_a_turn.session.snapshot()["draft"]) == 1


def test_a_held_undo_takes_back_all_taps_of_the_turn_and_no_more(after_a_turn: Bench) -> None:
    before = after_a_turn.session.entries()
    tap_two_moves(after_a_turn.session)
    after_a_turn.press("undo", held=True)
    assert after_a_turn.session.snapshot()["draft"] == []
    assert after_a_turn.session.entries() == before
    assert after_a_turn.panel.light == "accepted"


def test_a_held_undo_without_taps_takes_back_the_turn_before(after_a_turn: Bench) -> None:
    before = after_a_turn.session.entries()
    after_a_turn.press("undo", held=True)
    assert after_a_turn.session.entries() == before[: len(after_a_turn.session.entries())] != before


def test_a_held_undo_is_refused_when_nothing_was_confirmed(bench: Bench) -> None:
    bench.press("undo", held=True)
    assert bench.panel.light == "refused"


def test_a_player_confirms_the_own_turn(after_a_turn: Bench) -> None:
    turns = len(after_a_turn.session.entries())
    to_move, _ = players(after_a_turn.session)
    after_a_turn.wait(1)
    after_a_turn.press(f"confirm:{to_move}")
    assert len(after_a_turn.session.entries()) == turns + 1
    assert after_a_turn.panel.light == "accepted"


def test_another_players_turn_is_not_confirmed_and_the_reason_shown(after_a_turn: Bench) -> None:
    before = after_a_turn.session.entries()
    to_move, other = players(after_a_turn.session)
    after_a_turn.wait(1)
    version = after_a_turn.session.version
    after_a_turn.press(f"confirm:{other}")
    assert after_a_turn.session.entries() == before
    assert after_a_turn.panel.light == "refused"
    assert after_a_turn.session.snapshot()["rejection"] == {"code": "not_your_turn", "player": to_move}
    assert after_a_turn.session.version > version


def test_a_refusal_is_forgotten_with_the_next_press(after_a_turn: Bench) -> None:
    _, other = players(after_a_turn.session)
    after_a_turn.press(f"confirm:{other}")
    after_a_turn.press("help")
    assert after_a_turn.session.snapshot()["rejection"] is None


def test_any_button_confirms_outside_a_players_turn(bench: Bench) -> None:
    bench.wait(1)
    bench.press("confirm:blue")
    assert bench.session.state.state_hash() == bench.truth.state_hash()


def test_a_press_while_the_table_moves_counts_once_it_rests(bench: Bench) -> None:
    bench.camera.frame = HAND
    bench.wait(PERIOD_S)
    bench.press("confirm")
    assert bench.session.entries() == []
    bench.camera.frame = STILL
    bench.wait(1)
    assert bench.session.state.state_hash() == bench.truth.state_hash()


def test_a_lost_camera_is_reported_and_found_again(bench: Bench) -> None:
    bench.camera.lost = True
    bench.wait(PERIOD_S)
    assert bench.error == {"code": "lost"}
    bench.camera.lost = False
    bench.wait(MAX_RETRY_S / 2)
    assert bench.error is None
    assert bench.back
    bench.wait(BACK_S)
    assert not bench.back


def test_a_table_at_rest_is_read_less_often_until_something_moves(bench: Bench) -> None:
    bench.wait(REST_AFTER_S)
    assert bench.table.camera.period == PERIOD_S
    bench.wait(1)
    assert bench.table.camera.period == REST_PERIOD_S
    bench.camera.frame = HAND
    bench.wait(PERIOD_S)
    assert bench.table.camera.period == PERIOD_S


def test_a_loss_and_its_end_are_each_reported_once(bench: Bench) -> None:
    calls = []
    bench.table._on_loss = lambda error: calls.append(error and error.code)
    bench.camera.lost = True
    bench.wait(2)
    bench.camera.lost = False
    bench.wait(MAX_RETRY_S / 2)
    assert calls == ["lost", None]


def test_what_happened_while_the_camera_was_lost_is_read_when_it_is_back(bench: Bench) -> None:
    bench.wait(1)
    bench.camera.lost = True
    bench.wait(PERIOD_S)
    bench.camera.lost = False
    bench.wait(2)
    assert bench.reader.frames == 2


def test_pictures_of_another_size_are_reported_and_not_read(bench: Bench) -> None:
    bench.reader.fault = FrameSizeError("the picture is 640 x 480")
    bench.wait(1)
    assert bench.error == {"code": "size"}
    assert bench.panel.light == "error"
    bench.reader.fault = None
    bench.camera.frame = HAND
    bench.wait(PERIOD_S)
    bench.camera.frame = STILL
    bench.wait(1)
    assert bench.error is None


def test_a_garbled_picture_is_skipped(bench: Bench) -> None:
    def garbled() -> np.ndarray:
        raise CameraLost("the picture is garbled")

    bench.camera.looks = lambda: Look(STILL, garbled)
    bench.wait(1)
    assert (bench.reader.frames, bench.error) == (0, None)
    bench.camera.looks = None
    bench.wait(PERIOD_S)
    assert bench.reader.frames == 1


def test_motion_is_watched_on_the_preview_and_the_full_picture_is_made_once(bench: Bench) -> None:
    made = []

    def full() -> np.ndarray:
        made.append(bench.now)
        return STILL

    bench.camera.looks = lambda: Look(STILL[::2, ::2, 0].copy(), full)
    bench.wait(3)
    assert len(made) == 1


def test_a_lost_camera_shows_by_the_light_and_sounds_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    beeps: list[str] = []
    monkeypatch.setattr(bench.panel, "beep", beeps.append)
    bench.camera.lost = True
    bench.wait(2)
    assert (bench.panel.light, beeps) == ("error", ["error"])
    bench.camera.lost = False
    bench.wait(MAX_RETRY_S / 2)
    assert bench.panel.light == "proposal"


def test_a_press_that_leaves_a_question_open_is_answered_as_a_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, beeps = tables.Table(), list[str]()
    tables.watching(table)
    bench = Bench(tmp_path, table.session, table.state)
    monkeypatch.setattr(bench.panel, "beep", beeps.append)
    bench.wait(1)
    bench.press("confirm")
    assert bench.session.status == "asking"
    assert (bench.panel.light, beeps) == ("question", ["question"])
    bench.panel.close()


def test_taps_work_while_the_camera_is_lost(bench: Bench) -> None:
    bench.camera.lost = True
    bench.wait(PERIOD_S)
    bench.session.tap("castle red 6")
    assert len(bench.session.entries()) == 1


def test_a_button_confirms_what_was_seen_while_the_camera_is_lost(bench: Bench) -> None:
    bench.wait(1)
    bench.camera.lost = True
    bench.wait(PERIOD_S)
    bench.press("confirm")
    assert bench.session.state.state_hash() == bench.truth.state_hash()


def test_what_a_lost_camera_does_not_see_is_asked_for_until_it_is_back(bench: Bench) -> None:
    bench.camera.lost = True
    bench.wait(BY_HAND_S)
    assert bench.session.watched == {"dice", "boards"}
    bench.wait(1)
    assert bench.session.watched == set()
    bench.camera.lost = False
    bench.wait(MAX_RETRY_S + 1)
    assert bench.session.watched == {"dice", "boards"}
    assert bench.session.status == "proposal"


def test_what_people_had_switched_off_stays_off_when_the_camera_is_back(bench: Bench) -> None:
    bench.session.watch(dice=False)
    bench.camera.lost = True
    bench.wait(BY_HAND_S + 1)
    bench.camera.lost = False
    bench.wait(MAX_RETRY_S + 1)
    assert bench.session.watched == {"boards"}


def test_what_was_clear_when_the_camera_was_lost_can_still_be_confirmed(bench: Bench) -> None:
    bench.wait(1)
    bench.camera.lost = True
    bench.wait(BY_HAND_S + 5)
    assert bench.session.status == "proposal"
    bench.press("confirm")
    assert bench.session.state.state_hash() == bench.truth.state_hash()
    bench.wait(1)
    assert bench.session.watched == set()


def test_presses_are_answered_at_once_while_the_camera_is_lost(bench: Bench) -> None:
    bench.wait(1)
    bench.camera.lost = True
    bench.wait(PERIOD_S)
    bench.press("undo")
    assert bench.panel.light == "refused"


UNREADABLE = AttributeError("'NoneType' object has no attribute 'reshape'")


def test_an_unreadable_picture_is_reported_until_one_can_be_read(bench: Bench) -> None:
    bench.reader.fault = UNREADABLE
    bench.wait(1)
    assert bench.error == {"code": "unread"}
    bench.session.tap("castle red 6")
    assert len(bench.session.entries()) == 1
    bench.reader.fault = None
    bench.camera.frame = HAND
    bench.wait(PERIOD_S)
    bench.camera.frame = STILL
    bench.wait(1)
    assert bench.error is None
    assert bench.reader.frames == 1


def test_a_table_at_rest_is_read_again_until_that_succeeds(bench: Bench) -> None:
    bench.reader.fault = UNREADABLE
    bench.wait(1)
    bench.reader.fault = None
    bench.wait(REREAD_S + 1)
    assert bench.error is None
    frames = bench.reader.frames
    bench.wait(REREAD_S + 1)
    assert bench.reader.frames == frames


def test_an_error_in_reading_is_logged_once_with_its_traceback(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    bench.reader.fault = UNREADABLE
    bench.wait(3 * REREAD_S)
    assert len(caplog.records) == 1
    assert "AttributeError" in caplog.text and "in read" in caplog.text
    bench.reader.fault = None
    bench.wait(REREAD_S + 1)
    bench.reader.fault = UNREADABLE
    bench.camera.frame = HAND
    bench.wait(PERIOD_S)
    bench.camera.frame = STILL
    bench.wait(1)
    assert len(caplog.records) == 2


@pytest.mark.parametrize("where", ["the session", "who keeps pictures", "who learns tiles", "the preview"])
def test_no_fault_on_the_way_of_a_picture_ends_the_loop(
    bench: Bench, where: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(where)

    if where == "the session":
        monkeypatch.setattr(bench.session, "observe", broken)
    elif where == "who keeps pictures":
        bench.table._on_read = broken
    elif where == "who learns tiles":
        bench.table._on_certain = broken
    else:
        monkeypatch.setattr(bench.table.settle, "feed", broken)
    bench.wait(1)
    if where == "who learns tiles":
        bench.press("confirm")
    assert bench.error == {"code": "unread"}
    assert where in caplog.text


def test_an_unrecorded_sighting_is_retried_and_not_reported_as_a_bad_picture(
    tmp_path: Path,
) -> None:
    (tmp_path / "card").mkdir()
    table = tables.Table(tmp_path / "card" / "game.journal")
    tables.watching(table)
    table.turn()
    table.look()
    entries = len(table.session.entries())
    table.turn()  # the next player did not wait for a confirmation
    bench = Bench(tmp_path, table.session, table.state)
    bench.reader.dice = table.dice
    unplug(table.session.journal)
    bench.wait(1)
    assert bench.table.error is None and len(table.session.entries()) == entries
    plug_in(table.session.journal)
    bench.wait(REREAD_S + 1)
    bench.panel.close()
    assert len(table.session.entries()) == entries + 1
