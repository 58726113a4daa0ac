"""The doctor: the findings of each check, their cures, and how they are shown before and during play."""

from __future__ import annotations

import ast
import errno
import json
import os
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.table_file import TableFile, parse
from companion.cli.main import main
from companion.doctor import CHECKS, FAULT, OK, QUICK, SKIPPED, WARNING, Finding, Machine, camera, examine
from companion.doctor.camera import take_shot
from companion.doctor.clock import clock
from companion.doctor.examination import Check
from companion.doctor.finding import fault, ok
from companion.doctor.health import CACHE_S, POWER_INTERVAL_S, Health
from companion.doctor.libraries import libraries, versions
from companion.doctor.machine import COMPANION, FREE, TAKEN, Shot, find_module
from companion.doctor.network import name, network, port
from companion.doctor.panel import pins
from companion.doctor.power import power
from companion.doctor.storage import MB, backup, disk, existing, games, memory
from companion.runtime.server import AppServer
from companion.text.catalogue import LANGUAGES, texts
from companion.text.translator import Translator
from hardware.cameras.camera import CameraBusy, CameraLost
from hardware.panel import NO_LGPIO, NO_PI, PINS_BUSY, PanelUnavailableError, load_config
from hardware.virtual_table import VirtualTable, sample_layout
from tests.support.paths import CHECKOUT
from tests.support.sightings import new_session
from vision.quality import edge_spread

DOCTOR = CHECKOUT / "companion" / "doctor"
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def nothing(*command: str) -> str | None:
    """Finds no system tool."""
    return None


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Returns a laptop in a network, without any fault."""
    (tmp_path / "data").mkdir()
    (tmp_path / "root/proc").mkdir(parents=True)
    (tmp_path / "root/proc/meminfo").write_text("MemTotal: 2000000 kB\nMemAvailable: 1000000 kB\n")
    return Machine(
        data=tmp_path / "data",
        root=tmp_path / "root",
        environment=tmp_path,
        is_pi=lambda: False,
        run_tool=nothing,
        now=lambda: NOON,
        pins=unavailable(NO_PI),
        version=lambda package: None,
        host_name=lambda: "shelf",
        address=lambda: "192.168.1.20",
        announce=lambda port: f"http://table.local:{port}",
        listener=lambda port: FREE,
    )


def unavailable(code: str) -> Callable[[], Any]:
    def pins() -> Any:
        raise PanelUnavailableError("why not", code)

    return pins


def found(finding: Finding) -> tuple[str, str]:
    return finding.state, finding.code


# --- all checks together ----------------------------------------------------------------------------------


def test_nothing_attached_to_a_laptop_is_no_fault(machine: Machine) -> None:
    findings = list(examine(machine))
    assert [one.check for one in findings] == [check.name for check in CHECKS]
    assert {one.state for one in findings} == {OK, SKIPPED}


def test_a_failing_check_is_a_finding_and_the_others_run(machine: Machine) -> None:
    def fails(machine: Machine) -> Finding:
        raise RuntimeError("no such bus")

    first, second = examine(machine, [Check("clock", fails), Check("disk", disk)])
    assert found(first) == (FAULT, "check_failed") and second.code == "disk"
    assert "RuntimeError: no such bus" in first.sentence(Translator("en", strict=True))


def test_a_check_that_hangs_is_given_up(machine: Machine) -> None:
    release = threading.Event()

    def hangs(machine: Machine) -> Finding:
        release.wait(10)
        return ok("disk")

    first, second = examine(machine, [Check("clock", hangs, seconds=0.05), Check("disk", disk)])
    release.set()
    assert found(first) == (FAULT, "check_hung") and second.code == "disk"


def codes_in_source() -> dict[str, set[str]]:
    """Returns state -> the codes in the source of the checks."""
    codes: dict[str, set[str]] = {"ok": set(), "warning": set(), "fault": set(), "skipped": set()}
    for path in DOCTOR.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id=state), args=[ast.Constant(value=str(code)), *_]) if (
                    state in codes
                ):
                    codes[state].add(code)
    codes["fault"] |= {f"card_{trouble}" for trouble in ("dark", "bright", "colourless")}
    return codes


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_found_has_a_sentence_and_every_fault_a_cure(language: str) -> None:
    codes, known = codes_in_source(), texts(language)
    assert {code for code in set().union(*codes.values()) if f"doctor.says.{code}" not in known} == set()
    outstanding_mismatches = codes["warning"] | codes["fault"]
    assert {
        key.removeprefix("doctor.cure.") for key in known if key.startswith("doctor.cure.")
    } == outstanding_mismatches
    assert all(f"doctor.check.{check.name}" in known for check in CHECKS)


# --- power ------------------------------------------------------------------------------------------------


def with_flags(machine: Machine, flags: str) -> Machine:
    path = machine.root / "sys/devices/platform/soc/soc:firmware/get_throttled"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{flags}\n")
    return machine


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("0", (OK, "power")),
        ("50005", (FAULT, "under_voltage")),
        ("50000", (WARNING, "was_under_voltage")),
        ("e0008", (WARNING, "hot")),
        ("e0000", (WARNING, "was_hot")),
    ],
)
def test_the_firmwares_flags_are_reported(machine: Machine, flags: str, expected: tuple[str, str]) -> None:
    assert found(power(with_flags(machine, flags))) == expected


def test_the_flags_are_read_from_the_systems_tool_without_the_kernels_file(machine: Machine) -> None:
    machine.run_tool = lambda *command: (
        "throttled=0x50000" if command == ("vcgencmd", "get_throttled") else None
    )
    assert power(machine).code == "was_under_voltage"


def test_without_such_firmware_power_is_skipped(machine: Machine) -> None:
    assert found(power(machine)) == (SKIPPED, "no_throttle_flags")


# --- clock ------------------------------------------------------------------------------------------------


def synchronised(answer: str) -> Callable[..., str | None]:
    return lambda *command: answer if command[0] == "timedatectl" else None


def test_a_clock_that_the_network_sets_is_right(machine: Machine) -> None:
    assert found(clock(replace(machine, run_tool=synchronised("yes")))) == (OK, "clock_synchronised")


def test_a_clock_that_nothing_has_set_may_be_wrong(machine: Machine) -> None:
    assert found(clock(replace(machine, run_tool=synchronised("no")))) == (WARNING, "clock_unset")


def test_a_clock_with_a_battery_needs_no_network(machine: Machine) -> None:
    (machine.root / "sys/class/rtc/rtc0").mkdir(parents=True)
    assert found(clock(replace(machine, run_tool=synchronised("no")))) == (OK, "clock_own")


def test_a_clock_before_this_companion_was_made_is_wrong(machine: Machine) -> None:
    early = replace(machine, now=lambda: datetime(1970, 1, 1, tzinfo=UTC))
    assert found(clock(early)) == (FAULT, "clock_early")


def test_games_of_another_account_do_not_break_the_check_of_the_clock(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Machine, "games", denied)
    assert found(clock(machine))[0] != FAULT


def test_a_clock_before_the_latest_game_is_wrong(machine: Machine) -> None:
    path = played(machine, "later")
    later = (NOON + timedelta(days=3)).timestamp()
    os.utime(path, (later, later))
    finding = clock(machine)
    assert found(finding) == (FAULT, "clock_back") and finding.data["latest"] == "2026-12-02"


# --- stored files -----------------------------------------------------------------------------------------


def played(machine: Machine, name: str) -> Path:
    """Returns a game of two that has begun."""
    folder = machine.data / "games"
    folder.mkdir(exist_ok=True)
    session = new_session(folder / f"{name}.journal")
    session.journal.close()
    return folder / f"{name}.journal"


@pytest.mark.parametrize(
    ("free", "files", "expected"),
    [
        (900 * MB, 10_000, (OK, "disk")),
        (900 * MB, 3, (FAULT, "disk_no_files")),
        (300 * MB, 10_000, (WARNING, "disk_low")),
        (10 * MB, 10_000, (FAULT, "disk_full")),
    ],
)
def test_the_free_disk_space_is_reported(
    machine: Machine, free: int, files: int, expected: tuple[str, str]
) -> None:
    room: Any = SimpleNamespace(f_bavail=free // 1000, f_frsize=1000, f_files=20_000, f_favail=files)
    assert found(disk(replace(machine, disk_usage=lambda folder: room))) == expected


def test_an_unwritable_folder_is_reported(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("companion.doctor.storage.tempfile.NamedTemporaryFile", refuse)
    finding = disk(machine)
    assert found(finding) == (FAULT, "disk_unwritable")
    assert "cannot be written; remove its write protection" in finding.sentence(Translator("en", strict=True))
    assert "impossible d’écrire sur le disque" in finding.sentence(Translator("fr", strict=True))


def test_games_in_an_inaccessible_folder_are_not_reported_missing(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setattr(os, "geteuid", lambda: machine.data.stat().st_uid + 1)
    finding = disk(machine)
    assert found(finding) == (FAULT, "disk_of_other")
    assert f"sudo -u {machine.data.owner()} " in (finding.cure(Translator("en", strict=True)) or "")
    for check in (games, backup):
        assert found(check(machine)) == (SKIPPED, "data_closed")


def test_a_file_where_the_data_should_be_is_a_fault_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    finding = disk(Machine(data=tmp_path / "file/data"))
    assert (finding.state, finding.data["folder"]) == (FAULT, str(tmp_path / "file"))


def test_before_the_first_game_the_parent_folders_disk_is_checked(tmp_path: Path) -> None:
    assert existing(tmp_path / "not" / "yet") == tmp_path


@pytest.mark.parametrize(
    ("free_kb", "playing", "expected"),
    [
        (900_000, False, (OK, "memory")),
        (200_000, False, (WARNING, "memory_low")),
        (200_000, True, (OK, "memory")),
        (50_000, True, (FAULT, "memory_out")),
    ],
)
def test_the_available_memory_is_reported(
    machine: Machine, free_kb: int, playing: bool, expected: tuple[str, str]
) -> None:
    machine.playing = playing
    (machine.root / "proc/meminfo").write_text(f"MemTotal: 2000000 kB\nMemAvailable: {free_kb} kB\n")
    assert found(memory(machine)) == expected


def test_all_games_are_verified(machine: Machine) -> None:
    played(machine, "one")
    played(machine, "two")
    finding = games(machine)
    assert found(finding) == (OK, "games") and finding.data["count"] == 2


def test_a_game_of_which_a_byte_was_changed_is_named(machine: Machine) -> None:
    played(machine, "whole")
    path = played(machine, "torn")
    content = path.read_bytes()
    at = content.index(b'"players"') + 3
    path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    finding = games(machine)
    assert found(finding) == (FAULT, "games_damaged") and finding.data["names"] == ("torn.journal",)


def test_the_game_that_is_being_played_is_no_fault(machine: Machine) -> None:
    (machine.data / "games").mkdir()
    session = new_session(machine.data / "games" / "now.journal")
    assert games(machine).state == OK
    session.journal.close()


def test_a_missing_backup_folder_is_reported(machine: Machine) -> None:
    assert backup(machine).state == SKIPPED
    (machine.data / "settings.json").write_text(json.dumps({"backup": str(machine.data / "stick")}))
    assert found(backup(machine)) == (WARNING, "backup_gone")
    (machine.data / "stick").mkdir()
    assert backup(machine).state == OK


def test_unusable_and_quarantined_settings_are_reported(machine: Machine) -> None:
    (machine.data / "settings.json").write_text("{")
    assert found(backup(machine)) == (FAULT, "settings_unreadable")
    (machine.data / "settings.json").rename(machine.data / "settings.json.damaged")
    assert found(backup(machine)) == (WARNING, "settings_quarantined")


# --- network ----------------------------------------------------------------------------------------------


def test_without_a_network_neither_address_nor_name_is_promised(machine: Machine) -> None:
    alone = replace(machine, address=lambda: "127.0.0.1")
    assert found(network(alone)) == (WARNING, "no_network") and name(alone).state == SKIPPED


@pytest.mark.parametrize("host", ["10.1.2.3", "192.168..1", "nowhere.invalid"])
def test_an_address_of_another_machine_is_a_fault(machine: Machine, host: str) -> None:
    assert found(network(replace(machine, host=host))) == (FAULT, "other_machine")


def test_the_announced_name_is_reported_if_table_is_another_device(machine: Machine) -> None:
    finding = name(replace(machine, announce=lambda port: f"http://table-2.local:{port}"))
    assert found(finding) == (OK, "other_name") and finding.data["address"] == "http://table-2.local:8080"


def test_a_network_that_allows_no_name_leaves_the_address(machine: Machine) -> None:
    finding = name(replace(machine, announce=lambda port: None))
    assert found(finding) == (WARNING, "no_name")
    assert "http://192.168.1.20:8080" in (finding.cure(Translator("en", strict=True)) or "")


def test_the_name_of_a_companion_that_plays_is_not_withdrawn(machine: Machine) -> None:
    """Announced for a moment and withdrawn, it would be forgotten by tablets."""
    announced: list[int] = []
    playing = replace(machine, listener=lambda port: COMPANION, announce=lambda port: announced.append(port))
    assert found(name(playing)) == (SKIPPED, "name_of_companion") and announced == []


def test_a_page_that_was_asked_to_be_private_is_no_warning(machine: Machine) -> None:
    assert found(network(replace(machine, host="127.0.0.1"))) == (OK, "network_private")


@pytest.mark.parametrize(("listener", "state"), [(FREE, OK), (COMPANION, OK), (TAKEN, FAULT)])
def test_only_another_program_on_the_port_is_a_fault(machine: Machine, listener: str, state: str) -> None:
    assert port(replace(machine, listener=lambda port: listener)).state == state


def test_a_companion_on_the_port_is_distinguished_from_another_program(tmp_path: Path) -> None:
    from flask import Flask

    from tests.support.pages import create_app
    from tests.support.setup_forms import setup_form_app

    listener = Machine(tmp_path).listener
    playing = create_app(new_session(tmp_path / "j"))
    before_a_game = setup_form_app(pin="2468")
    for app, expected in ((playing, COMPANION), (before_a_game, COMPANION), (Flask("other"), TAKEN)):
        server = AppServer(app, host="127.0.0.1", port=0)
        try:
            assert listener(server.port) == expected
        finally:
            server.close()


# --- libraries --------------------------------------------------------------------------------------------


def on_raspberry_pi(machine: Machine, *, without: tuple[str, ...] = (), sees_system: bool = True) -> Machine:
    def load(module: str) -> None:
        if module in without:
            raise ImportError(f"No module named {module!r}", name=module)

    shown = "true" if sees_system else "false"
    (machine.environment / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = {shown}\n"
    )
    return replace(machine, is_pi=lambda: True, load=load)


def test_an_environment_without_the_systems_packages_is_named_with_its_cure(machine: Machine) -> None:
    finding = libraries(on_raspberry_pi(machine, without=("libcamera",), sees_system=False))
    translator = Translator("en", strict=True)
    assert found(finding) == (FAULT, "environment_closed")
    assert "cannot import libcamera" in finding.sentence(translator)
    assert "--system-site-packages" in (finding.cure(translator) or "") and str(
        machine.environment
    ) in finding.sentence(translator)


def test_a_package_of_the_system_that_is_missing_is_named(machine: Machine) -> None:
    finding = libraries(on_raspberry_pi(machine, without=("lgpio",)))
    assert found(finding) == (WARNING, "library_missing") and finding.data["package"] == "python3-lgpio"


def test_a_picamera2_broken_by_an_upgrade_is_reported(machine: Machine) -> None:
    def load(module: str) -> None:
        if module == "picamera2":
            raise ValueError("numpy.dtype size changed")

    assert found(libraries(replace(on_raspberry_pi(machine), load=load))) == (FAULT, "picamera2_broken")


def test_beside_a_game_modules_are_found_but_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "heavy_library.py").write_text("raise SystemError('it was loaded')")
    monkeypatch.syspath_prepend(tmp_path)
    find_module("heavy_library")
    with pytest.raises(ImportError, match="no_such_module"):
        find_module("no_such_module")


def test_a_version_other_than_the_tested_one_is_named(machine: Machine) -> None:
    (machine.environment / "constraints.txt").write_text("numpy==2.4.6\nFlask==3.1.3\nopencv-python<4.12\n")
    installed = {"numpy": "2.4.6", "Flask": "3.0.0", "opencv-python": "4.11.0", "picamera2": "0.3.31"}
    machine.version = installed.get
    finding = versions(machine)
    assert found(finding) == (WARNING, "versions_differ") and finding.data["others"] == (
        "Flask 3.0.0 (3.1.3)",
    )
    installed["Flask"] = "3.1.3"
    assert versions(machine).state == OK


# --- panel ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "listener", "expected"),
    [
        (NO_PI, FREE, (SKIPPED, "pins_no_pi")),
        (NO_LGPIO, FREE, (FAULT, "pins_no_lgpio")),
        (PINS_BUSY, FREE, (FAULT, "pins_busy")),
        (PINS_BUSY, COMPANION, (SKIPPED, "pins_of_companion")),
    ],
)
def test_the_reason_for_missing_pins_is_reported(
    machine: Machine, code: str, listener: str, expected: tuple[str, str]
) -> None:
    assert found(pins(replace(machine, pins=unavailable(code), listener=lambda port: listener))) == expected


def test_a_game_that_has_no_pins_names_the_other_program(machine: Machine) -> None:
    playing = replace(machine, pins=unavailable(PINS_BUSY), listener=lambda port: COMPANION, playing=True)
    assert found(pins(playing)) == (FAULT, "pins_busy")


def test_the_pins_are_named(machine: Machine) -> None:
    finding = pins(replace(machine, pins=load_config))
    assert found(finding) == (OK, "pins")
    assert "Confirm 5" in finding.sentence(Translator("en", strict=True))
    assert "Confirmer 5" in finding.sentence(Translator("fr", strict=True))


# --- camera -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def drawn() -> tuple[np.ndarray, TableFile, dict[str, Any]]:
    """Returns a picture of a table, its table file, and what it shows."""
    with VirtualTable(sample_layout(), seed=0) as table:
        return table.read(), parse(table.table_file(), "virtual"), table.truth()


Drawn = tuple[np.ndarray, TableFile, dict[str, Any]]
CAMERA_CHECKS = [check for check in CHECKS if check.look.__module__ == camera.__name__]


def seen(machine: Machine, frame: np.ndarray, table: TableFile | None, **about: Any) -> dict[str, Finding]:
    """Returns the findings of the camera checks for a picture."""
    machine = replace(machine, table=table, camera=lambda: Shot("USB camera 0", frame, **about))
    return {one.check: one for one in examine(machine, CAMERA_CHECKS)}


def test_a_good_picture_passes_every_check_of_the_camera(machine: Machine, drawn: Drawn) -> None:
    frame, table, _ = drawn
    assert {name: one.state for name, one in seen(machine, frame, table).items()} == dict.fromkeys(
        ("camera", "settings", "focus", "light", "glare", "markers", "boards"), OK
    )


@pytest.mark.parametrize(
    ("blur", "expected"), [(1.0, (OK, "focus")), (2.5, (WARNING, "soft")), (4.0, (FAULT, "blurred"))]
)
def test_a_lens_out_of_focus_is_reported(
    machine: Machine, drawn: Drawn, blur: float, expected: tuple[str, str]
) -> None:
    machine.seen = Shot("camera", cv2.GaussianBlur(drawn[0], (0, 0), blur))
    assert found(camera.focus(machine)) == expected


def test_the_blur_of_edges_is_measured_through_noise() -> None:
    rng = np.random.default_rng(1)
    squares = np.kron(rng.integers(40, 200, (20, 20)), np.ones((30, 30))).astype(np.uint8)
    for blur in (1.5, 3.0):
        noisy = cv2.GaussianBlur(squares, (0, 0), blur) + rng.normal(0, 4, squares.shape)
        assert edge_spread(np.clip(noisy, 0, 255).astype(np.uint8)) == pytest.approx(blur, abs=0.3)


@pytest.mark.parametrize("empty", [np.zeros((90, 160, 3), np.uint8), np.full((90, 160, 3), 255, np.uint8)])
def test_a_picture_of_nothing_has_no_sharp_edge(machine: Machine, empty: np.ndarray) -> None:
    machine.seen = Shot("camera", empty)
    assert camera.focus(machine).state == FAULT and camera.light(machine).state != OK


@pytest.mark.parametrize(("share", "expected"), [(0.5, (WARNING, "dim")), (0.2, (FAULT, "dark"))])
def test_too_little_light_is_reported(
    machine: Machine, drawn: Drawn, share: float, expected: tuple[str, str]
) -> None:
    machine.seen = Shot("camera", (drawn[0] * share).astype(np.uint8))
    assert found(camera.light(machine)) == expected


def test_a_flickering_lamp_is_reported(machine: Machine, drawn: Drawn) -> None:
    machine.seen = Shot("camera", drawn[0], bands=0.05)
    assert found(camera.light(machine)) == (WARNING, "flicker")


def test_places_in_which_a_lamp_mirrors_are_named(machine: Machine, drawn: Drawn) -> None:
    frame, table, truth = drawn
    spot = frame.copy()
    x, y = map(round, truth["places"]["duchy:red:20"]["centre"])
    cv2.circle(spot, (x, y), 15, (255, 255, 255), -1)
    finding = seen(machine, spot, table)["glare"]
    assert found(finding) == (WARNING, "glare")
    assert "Red's duchy (21)" in finding.sentence(Translator("en", strict=True)).replace("’", "'")


def test_markers_that_are_covered_are_named(machine: Machine, drawn: Drawn) -> None:
    frame, table, truth = drawn
    hidden = frame.copy()
    for number, state in (("0", WARNING), ("1", FAULT)):
        corners = np.array(truth["markers"][number]).round().astype(np.int32)
        cv2.fillConvexPoly(hidden, corners, (90, 90, 90))
        findings = seen(machine, hidden, table)["markers"]
        assert findings.state == state and number in findings.data["missing"]


def test_a_camera_without_its_calibration_drifts(machine: Machine, drawn: Drawn) -> None:
    machine.seen = Shot("camera", drawn[0], is_automatic=True)
    assert found(camera.settings(machine)) == (WARNING, "adjusts_itself")
    machine.seen = Shot("camera", drawn[0], drifted_settings=("exposure", "focus"))
    findings = camera.settings(machine)
    assert "its exposure and its focus" in findings.sentence(Translator("en", strict=True))


def test_without_a_table_file_the_picture_alone_is_judged(machine: Machine, drawn: Drawn) -> None:
    findings = seen(machine, drawn[0], None)
    assert findings["focus"].state == findings["light"].state == OK
    assert {found(findings[name]) for name in ("glare", "markers", "boards")} == {(SKIPPED, "no_table_file")}


def test_pictures_of_another_size_than_the_tables_are_a_fault(machine: Machine, drawn: Drawn) -> None:
    findings = seen(machine, np.zeros((480, 640, 3), np.uint8), drawn[1])
    assert findings["camera"].state == FAULT and findings["focus"].state == SKIPPED


def test_a_cameras_error_is_reported_in_its_own_sentence(machine: Machine) -> None:
    def busy() -> Shot:
        raise CameraBusy("in use", "busy_by", program="rpicam-vid", pid=812)

    machine.camera = busy
    finding = camera.camera(machine)
    assert finding.state == FAULT and "rpicam-vid" in finding.sentence(Translator("fr", strict=True))
    machine.listener = lambda port: COMPANION
    assert found(camera.camera(machine)) == (SKIPPED, "camera_of_companion")


class Stub:
    """A live camera that shows the same picture for ever."""

    name, live = "stub", True

    def __init__(self, level: int) -> None:
        self._frame = np.full((90, 160, 3), level, np.uint8)

    def look(self) -> Any:
        return SimpleNamespace(preview=self._frame, full=self._frame.copy)

    def drifted_settings(self) -> tuple[str, ...]:
        return ()

    def __enter__(self) -> Stub:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(("level", "code"), [(0, "black"), (255, "overexposed"), (100, "frozen")])
def test_a_camera_that_shows_nothing_is_reported(
    monkeypatch: pytest.MonkeyPatch, level: int, code: str
) -> None:
    moments = iter(range(100))
    monkeypatch.setattr("hardware.cameras.open_camera", lambda spec, settings: Stub(level))
    monkeypatch.setattr("companion.doctor.camera.time.monotonic", lambda: next(moments) / 4)
    with pytest.raises(CameraLost) as lost:
        take_shot("usb:0", None)
    assert lost.value.code == code


# --- the command ------------------------------------------------------------------------------------------


@pytest.fixture
def laptop(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Returns the machine that the command examines."""
    monkeypatch.setattr(
        "companion.cli.doctor.Machine",
        lambda *, camera, pins, table, host, port, data: replace(machine, camera=camera, table=table),
    )
    return machine


def test_each_check_prints_one_line(laptop: Machine) -> None:
    result = CliRunner().invoke(main, ["doctor", "--language", "fr"])
    lines = result.stdout.splitlines()
    assert result.exit_code == 0 and len(lines) == len(CHECKS)
    assert all(line.startswith(("OK", "Ignoré")) for line in lines)


def test_a_fault_ends_with_exit_code_1_and_is_there_as_json(laptop: Machine) -> None:
    with_flags(laptop, "50005")
    result = CliRunner().invoke(main, ["doctor", "--json"])
    findings = {one.pop("check"): one for one in json.loads(result.stdout)}
    assert result.exit_code == 1 and set(findings) == {check.name for check in CHECKS}
    assert findings["power"]["state"] == FAULT and "27 W" in findings["power"]["cure"]
    assert findings["disk"].keys() == {"state", "says", "cure"} and findings["disk"]["cure"] is None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(["--table", "none.json"], "no such table file"), (["--camera", "usb:x"], "usb:0")],
)
def test_invalid_options_are_rejected_in_one_sentence(words: list[str], sentence: str) -> None:
    result = CliRunner().invoke(main, ["doctor", *words])
    assert result.exit_code == 1 and sentence in result.stderr and len(result.stderr.splitlines()) == 1


# --- while people play ------------------------------------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def begun(health: Health) -> list[str]:
    """Starts *health*, and returns the lines that it prints."""
    lines: list[str] = []
    health.start(lines.append, "en")
    for thread in threading.enumerate():
        if thread.name == "doctor":
            thread.join(10)
    return lines


def test_the_start_prints_a_line_for_each_fault_and_shows_it(machine: Machine) -> None:
    health = Health(lambda: replace(machine, now=lambda: datetime(1970, 1, 1, tzinfo=UTC)))
    (lines,) = begun(health)
    assert lines.startswith("Clock: 1970-01-01") and lines.endswith("depend on it.")
    assert [one.code for one in health.notices()] == ["clock_early"]


def test_a_start_without_faults_prints_nothing(machine: Machine) -> None:
    health = Health(lambda: machine)
    assert begun(health) == [] == health.notices()


def test_the_quick_checks_leave_devices_and_games_alone() -> None:
    assert {check.name for check in QUICK}.isdisjoint({"camera", "pins", "games", "name", "port"})


def test_a_power_supply_that_becomes_weak_is_noticed_within_a_minute(machine: Machine) -> None:
    clock = Clock()
    health = Health(lambda: with_flags(machine, flags), clock)
    flags = "0"
    assert health.notices() == []
    flags = "10001"
    clock.now = POWER_INTERVAL_S - 1
    assert health.notices() == []
    clock.now = POWER_INTERVAL_S
    assert [one.code for one in health.notices()] == ["under_voltage"]


def test_findings_are_cached_for_all_readers_of_the_page(machine: Machine) -> None:
    clock, looks = Clock(), []

    def now() -> Machine:
        looks.append(clock.now)
        return machine

    health = Health(now, clock)
    looks.clear()
    health.findings()
    health.findings()
    clock.now = CACHE_S
    health.findings()
    assert looks == [0.0, CACHE_S]


@pytest.fixture
def page(machine: Machine, tmp_path: Path) -> Any:
    """Returns the page of a game on a machine whose power supply is weak."""
    from tests.support.pages import create_app

    with_flags(machine, "50005")
    app = create_app(new_session(tmp_path / "game.journal"), health=Health(lambda: machine))
    app.testing = True
    return app.test_client()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_every_finding_the_worst_first(page: Any, language: str) -> None:
    translator = Translator(language, strict=True)
    shown = page.get(f"/health?lang={language}").get_data(as_text=True)
    places = [
        shown.index(f"<b>{translator(f'doctor.check.{check}')}</b>") for check in ("power", "disk", "glare")
    ]
    assert places == sorted(places)
    assert str(fault("under_voltage").cure(translator)) in shown
    assert all(f"<b>{translator(f'doctor.check.{check.name}')}</b>" in shown for check in CHECKS)


def test_the_page_gives_its_findings_as_data(page: Any) -> None:
    assert {one["check"] for one in page.get("/health.json").json} == {check.name for check in CHECKS}


def test_a_weak_power_supply_is_shown_beside_the_game(page: Any) -> None:
    shown = page.get("/?lang=en").get_data(as_text=True)
    assert "The power supply is too weak" in shown and 'href="/health"' in page.get("/menu").get_data(
        as_text=True
    )


def test_without_a_doctor_there_is_no_such_page(tmp_path: Path) -> None:
    from tests.support.pages import create_app

    client = create_app(new_session(tmp_path / "game.journal")).test_client()
    assert client.get("/health").status_code == 404
    assert 'href="/health"' not in client.get("/menu").get_data(as_text=True)
