"""What root does in a folder of the service's account: an account that plays tricks there gains nothing by it.

Needs root, and an account that may do nothing, as every Linux system has one.
"""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.service.accounts import give_ownership, run_as
from companion.service.errors import ServiceError
from companion.service.installation import Installation, _launcher_environment
from companion.service.options import move_options, write_options
from companion.service.paths import InstallPaths
from companion.service.pre_update_backup import COPIES_FOLDER, make_copies
from tests.support.paths import CHECKOUT

ACCOUNT = "nobody"


def _has_account() -> bool:
    try:
        return pwd.getpwnam(ACCOUNT).pw_uid != 0
    except KeyError:
        return False


pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or not _has_account(), reason=f"needs root, and an account {ACCOUNT}"
)


@pytest.fixture
def place() -> Iterator[Path]:
    """Returns a folder of root's into which every account sees, unlike pytest's own."""
    with tempfile.TemporaryDirectory(prefix="table-companion-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def data(place: Path) -> Path:
    """Returns the account's folder, with one game."""
    folder = place / "data"
    folder.mkdir()
    (folder / "2026-11-29.journal").write_text("a game")
    give_ownership(folder, ACCOUNT)
    return folder


@pytest.fixture
def secret(place: Path) -> Path:
    """Returns a file that is root's alone."""
    path = place / "secret"
    path.write_text("PASSWORD=root's")
    path.chmod(0o600)
    return path


@pytest.fixture
def output() -> list[str]:
    """Returns the lines that the installation prints."""
    return []


@pytest.fixture
def installation(place: Path, data: Path, output: list[str]) -> Installation:
    """Returns an installation that plays as the account."""
    places = InstallPaths(
        place / "program", place / "bin/table-companion", data, None, place / "etc/play.env"
    )
    return Installation(places, output.append, stable_s=0)


def owner(path: Path) -> str:
    return pwd.getpwuid(path.lstat().st_uid).pw_name


def test_work_is_done_with_the_accounts_rights_and_no_more(secret: Path) -> None:
    assert run_as(ACCOUNT, os.geteuid) == pwd.getpwnam(ACCOUNT).pw_uid
    assert run_as(ACCOUNT, os.getgroups) == []
    with pytest.raises(PermissionError):
        run_as(ACCOUNT, secret.read_text)


def test_interrupted_work_is_reported_with_the_cure() -> None:
    with pytest.raises(ServiceError, match="the work that ran as nobody was killed: start again"):
        run_as(ACCOUNT, os._exit, 1)


def test_copies_before_an_update_do_not_follow_a_link(
    data: Path, place: Path, installation: Installation
) -> None:
    elsewhere = place / "elsewhere"
    elsewhere.mkdir()
    (data / COPIES_FOLDER).symlink_to(elsewhere)
    installation._make_copies(data)
    assert list(elsewhere.iterdir()) == []
    assert (data / COPIES_FOLDER / "2026-11-29.journal").read_text() == "a game"
    assert owner(data / COPIES_FOLDER / "2026-11-29.journal") == ACCOUNT


def test_copies_do_not_contain_files_that_only_root_may_read(
    data: Path, secret: Path, installation: Installation
) -> None:
    (data / "stolen").symlink_to(secret)
    installation._make_copies(data)
    assert [path.name for path in (data / COPIES_FOLDER).iterdir()] == ["2026-11-29.journal"]


def test_going_back_writes_nothing_through_a_link(
    data: Path, secret: Path, installation: Installation
) -> None:
    make_copies(data)
    sqlite = b"SQLite format 3\0".ljust(60, b"\0")
    (data / COPIES_FOLDER / "a.journal").write_bytes(sqlite + b"\0\0\0\1")
    (data / "games").symlink_to(secret.parent)
    (data / "a.journal").write_bytes(sqlite + b"\0\0\0\2")
    installation._restore(data)
    assert owner(data / "a.journal") == ACCOUNT and secret.read_text() == "PASSWORD=root's"


@pytest.mark.parametrize("kind", ["link", "folder link", "hard link"])
def test_giving_the_folder_gives_nothing_outside_of_it(
    data: Path, secret: Path, place: Path, kind: str
) -> None:
    if kind == "link":
        (data / "table.json").symlink_to(secret)
    elif kind == "folder link":
        (data / "games").symlink_to(place)
    else:
        os.link(secret, data / "table.json")
    left_out = give_ownership(data, ACCOUNT)
    assert owner(secret) == owner(place) == "root"
    assert left_out == ([data / "table.json"] if kind == "hard link" else [])


def test_files_whose_owner_cannot_be_changed_are_reported(
    data: Path, secret: Path, installation: Installation, output: list[str]
) -> None:
    os.link(secret, data / "table.json")
    installation._give_ownership(data, ACCOUNT)
    assert "has another name elsewhere" in output[0]


def test_roots_files_in_the_folder_are_given_to_the_account(data: Path) -> None:
    (data / "games").mkdir()
    (data / "games/2026-11-30.journal").write_text("another")
    give_ownership(data, ACCOUNT)
    assert owner(data / "games") == owner(data / "games/2026-11-30.journal") == ACCOUNT


def test_the_options_are_roots_alone_from_the_first_moment(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes = []
    replaced = Path.replace

    def replace(path: Path, to: Path) -> Path:
        modes.append(stat.S_IMODE(path.stat().st_mode))
        return replaced(path, to)

    monkeypatch.setattr(
        Path,
        "replace",
        replace,
    )
    os.umask(os.umask(0o000))
    write_options(place / "etc/play.env", ["--pin", "24 68"])
    path = place / "etc/play.env"
    assert path.read_text() == "PLAY_OPTIONS=--pin '24 68'\n"
    assert modes == [0o600] and stat.S_IMODE(path.stat().st_mode) == 0o600


def test_options_among_the_data_are_taken_over_once(data: Path, place: Path) -> None:
    (data / "play.env").write_text("PLAY_OPTIONS=--camera pi\n")
    os.chown(data / "play.env", pwd.getpwnam(ACCOUNT).pw_uid, -1)
    move_options(data / "play.env", place / "etc/play.env", ACCOUNT)
    assert (place / "etc/play.env").read_text() == "PLAY_OPTIONS=--camera pi\n"
    (data / "play.env").write_text("PLAY_OPTIONS=--camera usb:0\n")
    move_options(data / "play.env", place / "etc/play.env", ACCOUNT)
    assert (place / "etc/play.env").read_text() == "PLAY_OPTIONS=--camera pi\n"


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_options_that_are_no_file_are_not_taken_over(
    data: Path, secret: Path, place: Path, kind: str
) -> None:
    earlier = data / "play.env"
    if kind == "link":
        earlier.symlink_to(secret)
    elif kind == "pipe":
        os.mkfifo(earlier)
    else:
        earlier.mkdir()
    move_options(earlier, place / "etc/play.env", ACCOUNT)
    assert not (place / "etc/play.env").exists()


def test_removing_everything_removes_nothing_outside_of_the_folder(
    data: Path, place: Path, installation: Installation
) -> None:
    elsewhere = place / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").touch()
    (data / "games").symlink_to(elsewhere)
    (data / "deeper").mkdir()
    (data / "deeper/too").symlink_to(elsewhere)
    installation.uninstall(delete_data=True)
    assert not data.exists() and (elsewhere / "kept").exists()


def test_files_in_the_current_folder_are_not_run_by_root(data: Path, place: Path) -> None:
    for module in ("companion", "tomllib", "numpy", "pip"):
        (data / f"{module}.py").write_text(f"open({str(place / 'run')!r}, 'w')")
    for words in (["uninstall", "--data", "keep"], ["prepare"]):
        subprocess.run(
            [CHECKOUT / "run", *words],
            cwd=data,
            env={
                **os.environ,
                "TABLE_COMPANION_ROOT": str(place),
                "TABLE_COMPANION_VENV": str(_complete(place)),
            },
            check=False,
            capture_output=True,
        )
    assert not (place / "run").exists()


def _complete(place: Path) -> Path:
    """Returns an environment that needs packages which it cannot get: it asks Python for all that it does before."""
    folder = place / "environment"
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    shutil.copy(os.path.realpath(sys.executable), folder / "bin/unused")
    (folder / "bin/python").unlink(missing_ok=True)
    (folder / "bin/python").write_text(
        f'#!/bin/sh\ncase "$*" in *"-m pip"*) {sys.executable} -c "import pip"; exit 1 ;; esac\n'
        f'exec {sys.executable} "$@"\n'
    )
    (folder / "bin/python").chmod(0o755)
    (folder / "complete").write_text("earlier\n\n")
    return folder


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="needs setpriv")
def test_roots_commands_run_as_the_account(data: Path, place: Path) -> None:
    run = place / "run"
    run.write_text("#!/bin/sh\nid -un\n")
    launcher = place / "launcher"
    launcher.write_text(f"#!/bin/sh\n{_launcher_environment(data, str(run))}exec {run}\n")
    for path in (run, launcher):
        path.chmod(0o755)
    output = {
        word: subprocess.run([launcher, word], capture_output=True, text=True, check=True).stdout.strip()
        for word in ("doctor", "play", "update")
    }
    assert output == {"doctor": ACCOUNT, "play": ACCOUNT, "update": "root"}
