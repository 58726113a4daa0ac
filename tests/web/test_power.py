"""Switching the machine off from the table: by holding the help button, or on the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from calibration.table_file import TableFile
from companion.runtime.wiring import Table, open_table
from companion.service.power import COUNTDOWN_S, LEAVING, ON, PowerSwitch, power_switch
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from hardware.cameras.absent import NoCamera
from hardware.panel import Press, load_config, open_panel
from tests.games.burgundy.test_setup_form import SetupForm
from tests.support.present import present
from tests.support.sightings import new_session
from tests.web.test_page import page_of
from vision.reader import TableReader

MOMENT_S = 0.1


@pytest.fixture
def request_file(tmp_path: Path) -> Path:
    """Returns the file that systemd would watch."""
    return tmp_path / "power-off"


@pytest.fixture
def power(request_file: Path) -> PowerSwitch:
    return PowerSwitch(request_file)


class AtTheTable:
    """A table without a camera; the test sets the times of presses."""

    def __init__(self, table: Table) -> None:
        self.panel, self.session, self.table = table.panel, table.session, table.loop
        self.now = 0.0

    def press(self, button: str, held: bool = False) -> None:
        self.panel.presses.put(Press(button, self.now, held))
        self.wait(0)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.table.step(self.now)


@contextmanager
def sitting_at(path: Path, power: PowerSwitch | None) -> Iterator[AtTheTable]:
    session, reader = new_session(path / "j"), TableReader(TableFile((1, 1)))
    with (
        open_panel(simulate=True) as panel,
        open_table(session, NoCamera(), reader, panel, power=power) as table,
    ):
        yield AtTheTable(table)


@pytest.fixture
def at_the_table(tmp_path: Path, power: PowerSwitch) -> Iterator[AtTheTable]:
    with sitting_at(tmp_path, power) as table:
        yield table


def test_help_that_is_held_switches_off_after_a_countdown(
    at_the_table: AtTheTable, power: PowerSwitch, request_file: Path
) -> None:
    at_the_table.press("help", held=True)
    at_the_table.wait(COUNTDOWN_S - MOMENT_S)
    assert at_the_table.panel.light == "leaving" and not request_file.exists()
    at_the_table.wait(2 * MOMENT_S)
    assert power.state == LEAVING and request_file.exists()
    assert at_the_table.panel.light == "leaving"


@pytest.mark.parametrize("button", ["confirm", "undo", "next_alternative", "help"])
def test_any_press_stops_the_countdown_and_does_nothing_else(
    at_the_table: AtTheTable, power: PowerSwitch, request_file: Path, button: str
) -> None:
    at_the_table.press("help", held=True)
    version = at_the_table.session.version
    at_the_table.press(button)
    at_the_table.wait(COUNTDOWN_S + MOMENT_S)
    assert power.state == ON and not request_file.exists()
    assert at_the_table.session.version == version


def test_help_that_is_pressed_shortly_helps_as_ever(at_the_table: AtTheTable, request_file: Path) -> None:
    at_the_table.press("help")
    at_the_table.wait(COUNTDOWN_S + MOMENT_S)
    assert at_the_table.session.snapshot()["help"] and not request_file.exists()


def test_a_missing_permission_is_reported(tmp_path: Path) -> None:
    with sitting_at(tmp_path, None) as table:
        table.press("help", held=True)
        assert present(table.session.snapshot()["rejection"])["code"] == "no_power_switch"
        assert table.panel.light == "refused"


def test_the_machine_stays_on_and_reports_if_systemd_cannot_be_reached(tmp_path: Path) -> None:
    power = PowerSwitch(tmp_path / "nowhere" / "power-off")
    with sitting_at(tmp_path, power) as table:
        table.press("help", held=True)
        table.wait(COUNTDOWN_S + MOMENT_S)
        assert power.state == ON
        assert present(table.session.snapshot()["rejection"])["code"] == "no_power_switch"


def test_only_an_installation_that_provides_for_it_has_a_switch(request_file: Path) -> None:
    assert power_switch({}) is None
    switch = power_switch({"TABLE_COMPANION_POWER_OFF": str(request_file)})
    assert switch is not None
    switch.switch_off()
    assert request_file.exists()


def test_help_must_be_held_for_three_seconds_and_undo_for_less() -> None:
    assert load_config().holds == {"undo": 0.8, "help": 3.0}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_switches_off_with_a_second_tap(
    tmp_path: Path, power: PowerSwitch, request_file: Path, language: str
) -> None:
    page = page_of(new_session(tmp_path / "j"), power=power, page_language=language)
    translator = Translator(language)
    assert translator("power.switch_off") in page.text("/menu")
    assert translator("power.do") in page.text("/switch-off") and not request_file.exists()
    assert page.do("switch_off").status_code == 200
    assert request_file.exists() and translator("power.leaving") in page.text("/")


def test_without_a_power_switch_the_page_shows_none(tmp_path: Path) -> None:
    page = page_of(new_session(tmp_path / "j"))
    assert "/switch-off" not in page.text("/menu")
    assert page.client.get("/switch-off").status_code == 404
    assert page.do("switch_off").status_code == 400


# --- before a game ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_before_a_game_switches_off_with_a_second_tap(
    power: PowerSwitch, request_file: Path, language: str
) -> None:
    setup_form = SetupForm(power=power)
    shown = setup_form.client.get(f"/?lang={language}").get_data(as_text=True)
    translator = Translator(language)
    assert (
        translator("power.switch_off") in shown
        and translator("power.do") in shown
        and not request_file.exists()
    )
    answer = setup_form.post(f"/switch-off?lang={language}")
    assert answer.status_code == 200 and answer.get_json()["message"] == translator("power.leaving")
    assert power.state == LEAVING and request_file.exists()


def test_without_a_power_switch_the_page_before_a_game_shows_none() -> None:
    setup_form = SetupForm()
    assert Translator("en")("power.switch_off") not in setup_form.client.get("/?lang=en").get_data(
        as_text=True
    )
    assert setup_form.post("/switch-off").status_code == 404


def test_an_unreachable_systemd_is_reported_before_a_game(tmp_path: Path) -> None:
    power = PowerSwitch(tmp_path / "nowhere" / "power-off")
    answer = SetupForm(power=power).post("/switch-off?lang=en")
    assert answer.status_code == 503 and power.state == ON
    assert answer.get_json()["error"] == Translator("en")("reason.no_power_switch")


def test_before_a_game_a_guest_cannot_switch_off(power: PowerSwitch, request_file: Path) -> None:
    assert SetupForm(power=power, pin="2468").post("/switch-off").status_code == 403
    assert power.state == ON and not request_file.exists()
