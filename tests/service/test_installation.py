"""Installing, updating, going back and removing, in folders of the test's own; systemctl is a stand-in that fails
where the current version says so."""

from __future__ import annotations

import getpass
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.service import accounts, installation, units
from companion.service import paths as places
from companion.service.errors import RollbackFailedError, ServiceError
from companion.service.health_check import check_version
from companion.service.installation import Installation
from companion.service.paths import system_paths, user_paths
from companion.service.pre_update_backup import make_copies, restore_copies
from companion.service.releases import Releases
from companion.service.sqlite_files import SIDECAR_SUFFIXES
from tests.support.installed import RUN, committed, version_in
from tests.support.paths import CHECKOUT

SYSTEMCTL = """#!/bin/sh
echo "$*" >>{log}
case "$*" in
"restart "*) [ ! -e {program}/current/dies ] ;;
*MainPID*) echo 17 ;;
*StatusText*) echo http://table.local:8080 ;;
esac
"""
JOURNALCTL = "#!/bin/sh\necho companion: it does not like it here\n"


class Machine:
    """Represents a machine started by systemd, below *root*, on which one person plays."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.places = system_paths()
        self.output: list[str] = []
        self.installation = Installation(self.places, self.output.append, stable_s=0)
        self.checkout = root / "checkout"

    @property
    def data(self) -> Path:
        assert self.places.data is not None
        return self.places.data

    @property
    def options(self) -> Path:
        assert self.places.options is not None
        return self.places.options

    def current_folder(self) -> Path:
        assert self.installation.releases.current is not None
        return self.installation.releases.folder(self.installation.releases.current)

    def install(self, number: str = "1.0", options: list[str] | None = None, **files: str) -> None:
        version_in(self.checkout, number, **files)
        committed(self.checkout)
        self.installation.install(getpass.getuser(), options)

    def update(self, number: str, **files: str) -> None:
        version_in(self.checkout, number, **files)
        committed(self.checkout)
        self.installation.update(str(self.checkout))

    @property
    def numbers(self) -> tuple[str | None, ...]:
        """Returns the numbers of the current version and the one before."""
        releases = self.installation.releases
        return tuple(name and name.split("-")[0] for name in (releases.current, releases.previous))

    @property
    def asked(self) -> list[str]:
        """Returns the commands sent to systemctl since the last call."""
        log = self.root / "log"
        lines = log.read_text().splitlines()
        log.write_text("")
        return lines


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(places, "ROOT", tmp_path)
    monkeypatch.setattr(installation, "ROOT", tmp_path)
    monkeypatch.setattr(installation, "CHECKOUT", tmp_path / "checkout")
    monkeypatch.setattr(installation, "install_missing", lambda report: None)
    monkeypatch.setattr(installation, "check_version", lambda folder, user: None)
    monkeypatch.setenv("TABLE_COMPANION_ROOT", str(tmp_path))  # of what one version lets another do
    for folder in ("run/systemd/system", "etc/systemd/system", "proc", "bin"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "proc/cmdline").write_text("console=tty1")
    (tmp_path / "log").touch()
    machine = Machine(tmp_path)
    stubs = {
        "systemctl": SYSTEMCTL.format(log=tmp_path / "log", program=machine.places.program),
        "journalctl": JOURNALCTL,
    }
    for name, text in stubs.items():
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    return machine


def test_it_is_installed_started_and_started_at_every_boot(machine: Machine) -> None:
    machine.install()
    assert machine.numbers == ("1.0", None)
    assert machine.asked[:4] == [
        "daemon-reload",
        "enable --quiet --now table-companion-power-off.path",
        "enable --quiet table-companion.service",
        "reset-failed table-companion.service",
    ]
    unit = (machine.root / "etc/systemd/system/table-companion.service").read_text()
    assert f"User={getpass.getuser()}\n" in unit and f"WorkingDirectory={machine.data}\n" in unit
    assert machine.places.launcher.stat().st_mode & 0o111


def test_installing_again_changes_nothing(machine: Machine) -> None:
    machine.install(options=["--camera", "pi"])
    before = {path: path.lstat().st_ino for path in machine.places.program.rglob("*")}
    machine.installation.install(getpass.getuser())
    after = {path: path.lstat().st_ino for path in machine.places.program.rglob("*")}
    links = {machine.places.program / "current"}  # recreated, and the same
    assert {path for path in after if before.get(path) != after[path]} <= links
    assert machine.options.read_text() == "PLAY_OPTIONS=--camera pi\n"


def test_an_installed_version_can_be_given_other_options(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.install(options=["--camera", "pi"])
    monkeypatch.setattr(installation, "CHECKOUT", machine.current_folder())
    machine.installation.install(getpass.getuser(), ["--language", "fr", "--pin", "24 68"])
    assert machine.numbers == ("1.0", None)
    assert machine.options.read_text() == "PLAY_OPTIONS=--language fr --pin '24 68'\n"
    assert not machine.options.stat().st_mode & 0o004, "the PIN is nobody else's business"


CHOOSY = RUN.replace(
    'echo "$@" in',
    'case "$*" in *langauge*) echo companion: no such option >&2; exit 2 ;; esac\\necho "$@" in',
)
"""Makes a version that does not know the option ``--langauge``."""


def test_options_that_play_does_not_know_leave_the_service_as_it_is(machine: Machine) -> None:
    machine.install(options=["--camera", "pi"])
    assert machine.asked
    with pytest.raises(ServiceError, match=r"^no such option$"):
        machine.install("1.1", ["--langauge", "fr"], run=CHOOSY)
    assert machine.options.read_text() == "PLAY_OPTIONS=--camera pi\n"
    assert machine.numbers == ("1.0", None) and not machine.asked


@pytest.mark.parametrize("number", ["1.0", "1.1"])
def test_options_with_which_the_service_does_not_start_are_taken_back(machine: Machine, number: str) -> None:
    machine.install(options=["--camera", "pi"])
    (machine.root / "bin/systemctl").write_text(
        f'#!/bin/sh\ncase "$*" in\n*MainPID*) echo 17 ;;\n"restart "*) ! grep -q 2468 {machine.options} ;;\nesac\n'
    )
    with pytest.raises(
        ServiceError, match=r"does not like it here.*; it runs with its earlier options again"
    ):
        machine.install(number, ["--pin", "2468"])
    assert machine.options.read_text() == "PLAY_OPTIONS=--camera pi\n"
    assert machine.numbers[0] == "1.0"


def test_options_of_a_first_installation_that_does_not_start_are_not_kept(machine: Machine) -> None:
    with pytest.raises(ServiceError, match="does not like it here"):
        machine.install(options=["--pin", "2468"], dies="")
    assert not machine.options.exists()


def test_a_table_file_that_the_service_cannot_see_is_named_with_the_cure(machine: Machine) -> None:
    with pytest.raises(
        ServiceError, match=r"copy /home/pi/table\.json to .*table-companion, and name it table\.json"
    ):
        machine.install(options=["--table", "/home/pi/table.json"])


def test_an_update_keeps_the_data_and_the_version_before(machine: Machine) -> None:
    machine.install()
    (machine.data / "game.journal").write_text("a game")
    machine.update("1.1")
    assert machine.numbers == ("1.1", "1.0")
    assert (machine.data / "game.journal").read_text() == "a game"


def test_a_version_is_synced_before_it_is_linked_and_all_before_success_is_reported(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.install("1.0")
    machine.output.clear()
    synced = []

    def sync() -> None:
        archived = {path.name.split("-")[0] for path in machine.places.program.glob("versions/*.*")}
        synced.append(
            (machine.numbers[0], "1.1" in archived, any("Installed" in line for line in machine.output))
        )

    monkeypatch.setattr(os, "sync", sync)
    machine.update("1.1")
    assert synced == [("1.0", False, False), ("1.1", True, False)]


def test_an_update_without_a_source_uses_the_first_versions_source(machine: Machine) -> None:
    machine.install()
    version_in(machine.checkout, "1.1")
    committed(machine.checkout)
    machine.installation.update()
    assert machine.numbers == ("1.1", "1.0")


def test_versions_that_need_the_same_packages_share_them(machine: Machine) -> None:
    machine.install(options=None, **{"pyproject.toml": PINNED.format(1)})
    machine.update("", **{"pyproject.toml": PINNED.format(1), "notes": "new"})
    machine.update("", **{"pyproject.toml": PINNED.format(1).replace("1.0", "1.1")})
    assert len(list((machine.places.program / "environments").iterdir())) == 1
    machine.update("", **{"pyproject.toml": PINNED.format(2)})
    assert len(list((machine.places.program / "environments").iterdir())) == 2


PINNED = '[project]\nname = "table-companion"\nversion = "1.0"\ndependencies = ["flask=={}"]\n'


def test_the_newest_version_is_not_installed_again(machine: Machine) -> None:
    machine.install()
    assert machine.asked
    machine.installation.update(str(machine.checkout))
    assert machine.asked == [] and "nothing to do" in machine.output[-1]


def test_only_the_previous_version_is_retained(machine: Machine) -> None:
    machine.install()
    machine.update("1.1", **{"constraints.txt": "click==8"})
    machine.update("1.2", **{"constraints.txt": "click==9"})
    names = [path.name.split("-")[0] for path in (machine.places.program / "versions").iterdir()]
    assert sorted(names) == ["1.1", "1.2"]
    assert len(list((machine.places.program / "environments").iterdir())) == 2


def test_one_can_go_back_and_forth(machine: Machine) -> None:
    machine.install()
    machine.update("1.1")
    machine.installation.go_back()
    assert machine.numbers == ("1.0", "1.1")
    machine.installation.go_back()
    assert machine.numbers == ("1.1", "1.0")


def test_without_a_version_before_there_is_no_way_back(machine: Machine) -> None:
    machine.install()
    with pytest.raises(ServiceError, match="nothing to go back to"):
        machine.installation.go_back()


def test_an_update_that_does_not_start_is_taken_back(machine: Machine) -> None:
    machine.install()
    machine.update("1.1")
    with pytest.raises(ServiceError, match=r"1\.2-.*it does not like it here\. 1\.1-.* is still running"):
        machine.update("1.2", dies="")
    assert machine.numbers == ("1.1", "1.0")
    assert machine.asked.count("restart table-companion.service") == 4, "the one before is started again"


def test_a_failed_rollback_is_not_reported_as_running(machine: Machine) -> None:
    machine.install()
    machine.current_folder().joinpath("dies").touch()
    with pytest.raises(RollbackFailedError, match=r"1\.1-.*and 1\.0-.* does not start again"):
        machine.update("1.1", dies="")


def test_an_update_that_fails_its_trial_is_never_switched_to(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.install()

    def fails(folder: Path, user: str | None) -> None:
        raise ServiceError("this version does not start")

    monkeypatch.setattr(installation, "check_version", fails)
    assert machine.asked
    with pytest.raises(ServiceError, match=r"does not start\. 1\.0-.* is still running"):
        machine.update("1.1")
    assert machine.numbers == ("1.0", None) and machine.asked == []
    assert len(list((machine.places.program / "versions").iterdir())) == 1


def test_an_update_whose_packages_cannot_be_installed_changes_nothing(machine: Machine) -> None:
    machine.install()
    with pytest.raises(ServiceError, match="packages could not be installed"):
        machine.update("1.1", **{"no-packages": ""})
    assert machine.numbers == ("1.0", None)


def test_on_a_disk_that_forgets_nothing_is_installed(machine: Machine) -> None:
    (machine.root / "proc/cmdline").write_text("console=tty1 overlayroot=tmpfs")
    with pytest.raises(ServiceError, match="gone after a restart"):
        machine.install()
    assert not machine.places.program.exists()


def test_without_an_installation_there_is_nothing_to_update(machine: Machine) -> None:
    with pytest.raises(ServiceError, match="install it first"):
        machine.installation.update()


def test_removing_it_keeps_the_games(machine: Machine) -> None:
    machine.install()
    (machine.data / "game.journal").write_text("a game")
    machine.installation.uninstall(delete_data=False)
    assert "disable --now table-companion.service table-companion-power-off.path" in machine.asked
    assert (machine.data / "game.journal").exists() and str(machine.data) in machine.output[-1]
    left = [machine.places.program, machine.places.launcher, *(machine.root / "etc/systemd/system").iterdir()]
    assert not any(path.exists() for path in left)


def test_removing_it_with_the_games_leaves_nothing(machine: Machine) -> None:
    machine.install(options=["--pin", "2468"])
    machine.installation.uninstall(delete_data=True)
    assert not machine.data.exists() and not machine.options.parent.exists()


def test_removing_it_keeps_the_options_with_the_games(machine: Machine) -> None:
    machine.install(options=["--camera", "pi"])
    machine.installation.uninstall(delete_data=False)
    assert machine.options.exists()


def test_uninstalling_nothing_reports_that_nothing_was_installed(machine: Machine) -> None:
    machine.installation.uninstall(delete_data=False)
    assert machine.output == ["Nothing was installed here. The data of your account were left untouched."]


def test_the_rest_of_an_installation_is_removed_and_reported(machine: Machine) -> None:
    machine.install()
    machine.places.launcher.unlink()
    machine.installation.uninstall(delete_data=False)
    assert machine.output[-1].startswith("Removed.")


def test_options_that_an_earlier_version_stored_among_the_data_are_migrated(machine: Machine) -> None:
    machine.install()
    assert machine.places.legacy_options is not None
    machine.places.legacy_options.write_text("PLAY_OPTIONS=--camera pi\n")
    machine.update("1.1")
    assert machine.options.read_text() == "PLAY_OPTIONS=--camera pi\n"
    unit = (machine.root / "etc/systemd/system/table-companion.service").read_text()
    assert f"EnvironmentFile=-{machine.options}\n" in unit


def test_a_folder_that_a_broken_off_installation_left_to_root_is_not_played_in_as_root(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid():
        pytest.skip("needs root")
    machine.data.mkdir(parents=True)
    monkeypatch.delenv("SUDO_USER", raising=False)
    asked: list[str] = []
    monkeypatch.setattr(installation, "ensure_account", asked.append)
    with pytest.raises(KeyError):  # the account is not created here
        machine.installation.install()
    assert asked == [accounts.OWN_ACCOUNT]


def test_without_systemd_the_service_is_reported_as_skipped(machine: Machine) -> None:
    shutil.rmtree(machine.root / "run/systemd")
    machine.places = system_paths()
    machine.installation = Installation(machine.places, machine.output.append)
    machine.install()
    assert machine.numbers == ("1.0", None) and machine.asked == []
    machine.installation.uninstall(delete_data=False)


def test_for_one_account_it_needs_no_root_and_no_folder_of_the_machine(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(machine.root / "home"))
    version_in(machine.checkout)
    committed(machine.checkout)
    Installation(user_paths(), machine.output.append).install()
    launcher = machine.root / "home/.local/bin/table-companion"
    assert launcher.stat().st_mode & 0o111 and "TABLE_COMPANION_DATA" not in launcher.read_text()
    assert not machine.places.program.exists() and machine.asked == []


def test_the_launcher_finds_the_data_of_the_service(machine: Machine) -> None:
    machine.install(options=None, **{"run": RUN + 'echo "$TABLE_COMPANION_DATA $*"\n'})
    done = subprocess.run([machine.places.launcher, "doctor"], capture_output=True, text=True, check=True)
    assert done.stdout == f"{machine.data} doctor\n"


def test_the_own_account_is_created(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[list[str]] = []

    def run(words: list[str], **how: object) -> subprocess.CompletedProcess[str]:
        made.append(words)
        return subprocess.CompletedProcess(words, 0)

    monkeypatch.setattr(subprocess, "run", run)
    accounts.ensure_account(accounts.OWN_ACCOUNT)
    assert made[0][:2] == ["useradd", "--system"]


def test_no_account_is_created_for_a_missing_person() -> None:
    with pytest.raises(ServiceError, match="there is no account 'nobody-here'"):
        accounts.ensure_account("nobody-here")


def test_the_pages_templates_are_compiled_for_accounts_without_write_access(tmp_path: Path) -> None:
    python = f"""printf '#!/bin/sh\\nexec {sys.executable} "$@"\\n' >"$TABLE_COMPANION_VENV/bin/python"\n"""
    source = version_in(tmp_path / "source", run=RUN + python)
    shutil.copytree(CHECKOUT / "web", source / "web", ignore=shutil.ignore_patterns("__pycache__", "static"))
    releases = Releases(tmp_path / "program")
    releases.add(source, "1.0")
    compiled = {
        path.name.partition(".html.")[0] for path in releases.folder("1.0").glob("web/__pycache__/*.html.*")
    }
    assert compiled >= {path.stem for path in (CHECKOUT / "web/templates").glob("*.html")}
    own = CHECKOUT.glob("web/games/*/templates/*.html")
    assert compiled >= {f"{path.parts[-3]}-{path.stem}" for path in own}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_understands_the_units(machine: Machine) -> None:
    """Read by systemd itself, with a program at the place that they name."""
    machine.install()
    program = machine.places.program / "current/.venv/bin/python"
    program.unlink()
    program.symlink_to(sys.executable)
    folder = machine.root / "etc/systemd/system"
    checked = subprocess.run(
        ["/usr/bin/systemd-analyze", "verify", "--man=no", *(folder / unit for unit in units.UNITS)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (
        checked.returncode,
        [line for line in checked.stderr.splitlines() if "table-companion" in line],
    ) == (0, [])


def made_version(tmp_path: Path, python: str) -> Path:
    """Returns the folder of a version whose environment's Python is the script *python*."""
    tmp_path.mkdir(exist_ok=True)
    for room in ("companion", "vision", "hardware", "web", "calibration"):
        (tmp_path / room).symlink_to(CHECKOUT / room)
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/python").write_text(f"#!/bin/sh\n{python}\n")
    (tmp_path / ".venv/bin/python").chmod(0o755)
    return tmp_path


def test_this_version_comes_up(tmp_path: Path) -> None:
    check_version(made_version(tmp_path, f'exec {sys.executable} "$@"'), None)


def test_the_service_has_limits_and_comes_up_within_them(machine: Machine, tmp_path: Path) -> None:
    machine.install()
    lines = (machine.root / "etc/systemd/system/table-companion.service").read_text().splitlines()
    assert {"MemoryMax=1G", "TasksMax=256", "ProtectProc=invisible", "Environment=PYTHONSAFEPATH=1"} <= set(
        lines
    )
    (limit,) = (line.removeprefix("LimitDATA=") for line in lines if line.startswith("LimitDATA="))
    kilobytes = int(limit.removesuffix("M")) * 1024
    folder = made_version(tmp_path / "version", f'ulimit -d {kilobytes} && exec {sys.executable} "$@"')
    check_version(folder, None)


def test_a_version_under_test_loads_nothing_beside_the_data(tmp_path: Path) -> None:
    folder = made_version(tmp_path, f'echo "import sys; sys.exit(1)" >click.py; exec {sys.executable} "$@"')
    check_version(folder, None)


def test_a_version_that_ends_at_once_fails_with_its_last_output(tmp_path: Path) -> None:
    folder = made_version(tmp_path, "echo companion: the card is damaged; exit 1")
    with pytest.raises(ServiceError, match="does not start: companion: the card is damaged"):
        check_version(folder, None)


def test_a_version_that_is_never_ready_is_ended(tmp_path: Path) -> None:
    folder = made_version(tmp_path, "exec sleep 60")
    with pytest.raises(ServiceError, match="no sign of life"):
        check_version(folder, None, timeout_s=0.3)


def journal_of(version: int, path: Path, words: str = "a game") -> None:
    """Makes an SQLite file of a *version* of its kind."""
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(
            f"PRAGMA user_version = {version}; CREATE TABLE told (words); INSERT INTO told VALUES ('{words}')"
        )


def content_of(path: Path) -> str:
    with closing(sqlite3.connect(path)) as db:
        return str(db.execute("SELECT words FROM told").fetchone()[0])


def test_going_back_brings_back_the_games_that_only_the_newer_version_reads(machine: Machine) -> None:
    machine.install()
    games = machine.data / "games"
    for name in ("old.journal", "changed.journal", "played.journal"):
        journal_of(1, games / name)
    journal_of(7, games / "archive.sqlite")
    machine.update("1.1")
    journal_of(2, games / "changed.journal", "played on")
    journal_of(2, games / "new.journal", "begun")
    journal_of(1, games / "played.journal", "played on")
    machine.installation.go_back()
    assert content_of(games / "changed.journal") == "a game"
    assert (
        content_of(games / "changed.journal.newer") == "played on"
        and content_of(games / "new.journal.newer") == "begun"
    )
    assert not (games / "new.journal").exists()
    assert content_of(games / "played.journal") == "played on", "what can be read has gone on"
    assert content_of(games / "archive.sqlite") == "a game"
    assert [line.split()[0] for line in machine.output if "renamed" in line] == [
        "changed.journal.newer",
        "new.journal.newer",
    ]


@pytest.mark.parametrize("ending", SIDECAR_SUFFIXES)
def test_sidecar_files_are_moved_with_their_file(tmp_path: Path, ending: str) -> None:
    journal_of(1, tmp_path / "game.journal")
    make_copies(tmp_path)
    journal_of(2, tmp_path / "game.journal")
    (tmp_path / f"game.journal{ending}").write_text("half written")
    assert restore_copies(tmp_path) == [tmp_path / "game.journal.newer"]
    assert (tmp_path / f"game.journal.newer{ending}").exists()
    assert not (tmp_path / f"game.journal{ending}").exists()


def test_pictures_are_not_copied(tmp_path: Path) -> None:
    journal_of(1, tmp_path / "game.journal")
    (tmp_path / "game.journal.album").write_text("large")
    make_copies(tmp_path)
    assert [path.name for path in (tmp_path / "before-update").iterdir()] == ["game.journal"]


def test_the_service_is_stopped_while_a_version_is_exchanged(machine: Machine) -> None:
    machine.install()
    assert "stop table-companion.service" not in machine.asked
    machine.update("1.1")
    asked = machine.asked
    assert asked.index("stop table-companion.service") < asked.index("restart table-companion.service")


def test_a_disk_that_is_full_leaves_the_version_before_playing(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.install()

    def full(data: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(installation, "make_copies", full)
    with pytest.raises(ServiceError, match=r": that disk is full; .*\. 1\.0-.* is still running"):
        machine.update("1.1")
    assert machine.numbers == ("1.0", None)
    assert machine.asked.count("restart table-companion.service") == 2


def test_an_update_that_is_stopped_by_ctrl_c_leaves_the_version_before_playing(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.install()

    def interrupted(data: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(installation, "make_copies", interrupted)
    with pytest.raises(ServiceError, match=r"stopped\. 1\.0-.* is still running"):
        machine.update("1.1")
    assert machine.numbers == ("1.0", None)
    assert machine.asked.count("restart table-companion.service") == 2


def test_a_version_for_which_the_disk_has_no_room_leaves_no_part_of_it(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.install()
    committed(version_in(machine.checkout, "1.1"))
    versions = machine.places.program / "versions"
    before = sorted(versions.iterdir())

    def full(folder: Path, target: Path, **_: object) -> None:
        target.mkdir()
        raise shutil.Error([(str(folder), str(target), "[Errno 28] No space left on device")])

    monkeypatch.setattr(shutil, "copytree", full)
    with pytest.raises(ServiceError, match="is that disk full") as failed:
        machine.installation.update(str(machine.checkout))
    assert "Errno" not in str(failed.value) and sorted(versions.iterdir()) == before
