"""The bootstrap ``./run``, against stand-ins for Python, apt and sudo that write down how they were called."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.support.paths import CHECKOUT

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHON = f"""#!/bin/sh
case "$*" in
*tomllib*) exec {sys.executable} "$@" ;;
esac
echo "python $*" >>"$LOG"
case "$*" in
*version_info?\\<*|*"version_info < "*) exit ${{OLD:-0}} ;;
*ensurepip*) [ -e "$STATE/venv-module" ] ;;
*%d.%d*) echo python3.11-venv ;;
*numpy*) exit 1 ;;
*calcsize*) exit ${{BITS_32:-0}} ;;
*find_spec*) exit ${{NO_PICAMERA2:-0}} ;;
*cv2*) exit ${{NO_X:-0}} ;;
"-m venv "*) for last; do :; done; mkdir -p "$last/bin"; cp "$0" "$last/bin/python" ;;
"-m pip "*) exit ${{PIP:-0}} ;;
"-m pytest "*)
    echo "$PYTEST_XDIST_AUTO_NUM_WORKERS workers; bytecode is ${{PYTHONDONTWRITEBYTECODE-written}}" ;;
"-m companion "*) echo started ;;
*companion.service*) echo "$PYTHONPATH" ;;
esac
"""
STUBS = {
    "id": '#!/bin/sh\necho "${UID_IS:-1000}"\n',
    "sudo": '#!/bin/sh\n[ -n "${MAY_SUDO-}" ] || exit 1\nshift\nexec "$@"\n',
    "sync": '#!/bin/sh\nls "$STATE/checkout/.venv" | sed "s/^/sync with /" >>"$LOG"\n',
    "apt-get": '#!/bin/sh\necho "apt-get $*" >>"$LOG"\n[ "$1" = update ] || touch "$STATE/venv-module"\n',
} | dict.fromkeys(("python3", "python3.11", "python3.12", "python3.13"), PYTHON)

LINT = ["python -m ruff check .", "python -m ruff format --check .", "python -m mypy"]
"""The calls that come before the tests."""

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Returns a folder with a checkout and stand-ins, where Python has its venv module."""
    for name in ("run", "pyproject.toml", "constraints.txt", "hashes.txt"):
        (tmp_path / "checkout").mkdir(exist_ok=True)
        shutil.copy(CHECKOUT / name, tmp_path / "checkout" / name)
    for name, text in STUBS.items():
        stub = tmp_path / "bin" / name
        stub.parent.mkdir(exist_ok=True)
        stub.write_text(text)
        stub.chmod(0o755)
    (tmp_path / "venv-module").touch()
    return tmp_path


@pytest.fixture
def run(place: Path) -> Run:
    """Returns a function that calls ./run there with environment variables set."""

    def call(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        (place / "log").write_text("")
        environment = {
            "PATH": f"{place / 'bin'}:/usr/bin:/bin",
            "LOG": str(place / "log"),
            "STATE": str(place),
            "TABLE_COMPANION_DEVICE_MODEL": str(place / "model"),
        }
        return subprocess.run(
            [place / "checkout" / "run", *arguments],
            env=environment | variables,
            cwd=os.sep,
            capture_output=True,
            text=True,
            check=False,
        )

    return call


def calls(place: Path, start: str) -> list[str]:
    """Returns the noted calls that begin with *start*."""
    return [line for line in (place / "log").read_text().splitlines() if line.startswith(start)]


def extras(place: Path) -> list[str]:
    """Returns the optional dependencies that were asked of pip last, by their names in pyproject.toml."""
    asked = names((place / "checkout/.venv/requirements.txt").read_text().splitlines())
    assert names(PROJECT["dependencies"]) <= asked
    return [name for name, packages in PROJECT["optional-dependencies"].items() if names(packages) <= asked]


def names(requirements: list[str]) -> set[str]:
    """Returns the names of the packages in lines for pip."""
    return {Requirement(line.split(" --hash")[0]).name.lower() for line in requirements}


def test_the_first_start_makes_the_environment_and_hands_on_the_arguments(place: Path, run: Run) -> None:
    result = run("demo", "--seed", "1")
    assert (result.returncode, result.stdout) == (0, "started\n")
    assert len(calls(place, "python -m venv")) == 1 and len(calls(place, "python -m pip install")) == 1
    assert calls(place, "python -m companion") == ["python -m companion demo --seed 1"]


def test_the_environment_is_on_the_disk_before_it_counts_as_complete(place: Path, run: Run) -> None:
    run("demo")
    there = calls(place, "sync with")
    assert "sync with bin" in there and "sync with complete" not in there
    assert (place / "checkout/.venv/complete").exists()


def test_the_second_start_installs_nothing(place: Path, run: Run) -> None:
    run("demo")
    assert run("demo").stderr == ""
    assert calls(place, "python") == ["python -m companion demo"]


@pytest.mark.parametrize("file", ["pyproject.toml", "constraints.txt"])
def test_changed_requirements_are_installed_into_the_same_environment(
    place: Path, run: Run, file: str
) -> None:
    run("demo")
    with (place / "checkout" / file).open("a") as requirements:
        requirements.write("# more\n")
    run("demo")
    assert calls(place, "python -m venv") == [] and len(calls(place, "python -m pip install")) == 1


def test_a_new_version_that_needs_the_same_packages_installs_nothing(place: Path, run: Run) -> None:
    run("demo")
    project = place / "checkout/pyproject.toml"
    text = project.read_text(encoding="utf-8")
    project.write_text(re.sub(r"(?m)^version = .*$", 'version = "99.0"', text), encoding="utf-8")
    run("demo")
    assert project.read_text(encoding="utf-8") != text
    assert calls(place, "python -m pip install") == []


def test_an_installation_that_failed_is_made_again_from_the_start(place: Path, run: Run) -> None:
    failed = run("demo", PIP="1")
    assert failed.returncode == 1 and "check the network and start again" in failed.stderr
    assert run("demo").returncode == 0
    assert len(calls(place, "python -m venv")) == 1


def test_an_environment_without_its_python_is_recreated(place: Path, run: Run) -> None:
    run("demo")
    (place / "checkout/.venv/bin/python").unlink()
    assert run("demo").returncode == 0
    assert len(calls(place, "python -m venv")) == 1


def test_the_tests_bring_their_own_packages(place: Path, run: Run) -> None:
    run("demo")
    run("test", "-k", "dice")
    assert len(calls(place, "python -m pip install")) == 1
    assert extras(place) == ["test", "bench", "dev"]
    *checks, pytest_call = calls(place, "python -m")[-4:]
    assert checks == LINT
    assert pytest_call.startswith("python -m pytest") and pytest_call.endswith("-k dice")


def test_tests_run_on_one_worker_more_than_there_are_cores_and_are_compiled_once(run: Run) -> None:
    cores = os.sysconf("SC_NPROCESSORS_ONLN")
    done = run("test", PYTHONDONTWRITEBYTECODE="1")
    assert done.stdout.endswith(f"{cores + 1} workers; bytecode is written\n")


def test_who_names_a_number_of_workers_for_the_tests_gets_it(run: Run) -> None:
    assert "\n7 workers" in f"\n{run('test', PYTEST_XDIST_AUTO_NUM_WORKERS='7').stdout}"


def test_the_quick_check_looks_at_everything_and_leaves_slow_tests_out(place: Path, run: Run) -> None:
    run("check", "-k", "dice")
    assert extras(place) == ["test", "bench", "dev"]
    *checks, pytest_call = calls(place, "python -m")[-4:]
    assert checks == LINT
    assert " -m not slow and not browser -k dice tests/games " in pytest_call


def test_the_files_of_the_quick_check_exist(place: Path, run: Run) -> None:
    run("check")
    tests = calls(place, "python -m pytest")[-1].partition(" browser ")[2].split()
    assert len(tests) > 5
    assert [path for path in tests if not (CHECKOUT / path).exists()] == []


def test_the_benchmarks_bring_their_own_packages(place: Path, run: Run) -> None:
    run("bench", "rules", "--short")
    assert extras(place) == ["bench"]
    assert calls(place, "python -m companion") == ["python -m companion bench rules --short"]


def test_any_other_command_needs_no_optional_packages(place: Path, run: Run) -> None:
    run("demo")
    assert extras(place) == []


@pytest.mark.parametrize("second", ["demo", "bench", "test"])
def test_an_environment_with_additional_packages_stays_unchanged(place: Path, run: Run, second: str) -> None:
    run("test")
    run(second)
    assert calls(place, "python -m pip") == []


def test_packages_of_another_command_are_added_to_those_already_there(place: Path, run: Run) -> None:
    run("bench")
    run("test")
    assert calls(place, "python -m venv") == []
    assert extras(place) == ["test", "bench", "dev"]
    for command in ("bench", "demo", "test"):
        run(command)
        assert calls(place, "python -m pip") == []


def test_changed_requirements_are_installed_with_all_optional_packages_there(place: Path, run: Run) -> None:
    run("bench")
    with (place / "checkout/pyproject.toml").open("a") as requirements:
        requirements.write("# more\n")
    run("demo")
    assert len(calls(place, "python -m pip install")) == 1 and extras(place) == ["bench"]


@pytest.mark.parametrize("extra", ["test", "dev", "bench"])
def test_the_optional_packages_have_names_that_the_project_knows(extra: str) -> None:
    assert extra in PROJECT["optional-dependencies"]


def test_an_old_python_is_reported_with_the_cure(run: Run) -> None:
    result = run("demo", OLD="1")
    assert result.returncode == 1
    assert "Python 3.11 or later is needed and was not found" in result.stderr.splitlines()[-1]


def test_a_missing_venv_module_is_installed_by_root(place: Path, run: Run) -> None:
    (place / "venv-module").unlink()
    assert run("demo", UID_IS="0").stdout == "started\n"
    assert calls(place, "apt-get") == ["apt-get update -q", "apt-get install -y -q python3.11-venv"]


def test_a_missing_venv_module_is_installed_with_sudo_that_asks_nothing(place: Path, run: Run) -> None:
    (place / "venv-module").unlink()
    assert run("demo", MAY_SUDO="1").stdout == "started\n"
    assert len(calls(place, "apt-get install")) == 1


def test_without_the_right_to_install_the_line_to_type_is_shown(place: Path, run: Run) -> None:
    (place / "venv-module").unlink()
    result = run("demo")
    assert result.returncode == 1 and calls(place, "apt-get") == []
    assert "type 'sudo apt update && sudo apt install python3.11-venv'" in result.stderr


def test_on_a_raspberry_pi_the_environment_sees_the_system_packages(place: Path, run: Run) -> None:
    (place / "model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    run("demo")
    assert calls(place, "python -m venv --system-site-packages")


def test_anywhere_else_it_does_not(place: Path, run: Run) -> None:
    run("demo")
    assert calls(place, "python -m venv --system-site-packages") == []


def test_a_checkout_in_a_folder_with_a_space_works(place: Path, run: Run) -> None:
    (place / "checkout").rename(place / "my games")
    (place / "checkout").symlink_to(place / "my games")
    assert run("demo").stdout == "started\n"


@pytest.mark.parametrize("command", ["install", "update", "uninstall"])
def test_commands_about_the_machine_need_no_environment(place: Path, run: Run, command: str) -> None:
    assert run(command, "--own").stdout == f"{place / 'checkout'}\n"
    assert calls(place, "python -B") == [f"python -B -m companion.service {command} --own"]
    assert not (place / "checkout/.venv").exists()


def test_an_environment_elsewhere_is_made_without_starting_anything(place: Path, run: Run) -> None:
    result = run("prepare", TABLE_COMPANION_VENV=str(place / "environments/one"))
    assert (result.returncode, result.stdout) == (0, "")
    assert (place / "environments/one/complete").is_file() and not (place / "checkout/.venv").exists()


def test_a_checkout_that_was_moved_installs_nothing_again(place: Path, run: Run) -> None:
    run("demo")
    (place / "checkout").rename(place / "moved")
    (place / "checkout").symlink_to(place / "moved")
    assert run("demo").stderr == ""


def test_every_package_is_checked_against_its_hashes(place: Path, run: Run) -> None:
    run("bench")
    assert [
        line.partition(" --requirement")[0].split()[-1] for line in calls(place, "python -m pip install")
    ] == ["--require-hashes"]
    lines = (place / "checkout/.venv/requirements.txt").read_text().splitlines()
    assert len(lines) > 15 and all(" --hash=sha256:" in line for line in lines)


def test_opencv_without_windows_is_checked_too(place: Path, run: Run) -> None:
    run("demo", NO_X="1")
    assert "--require-hashes" in calls(place, "python -m pip install")[-1]
    assert names((place / "checkout/.venv/alone.txt").read_text().splitlines()) == {"opencv-python-headless"}


@pytest.mark.parametrize("where", ["32 bits", "NumPy 1"])
def test_packages_built_elsewhere_have_the_pinned_versions(place: Path, run: Run, where: str) -> None:
    if where == "NumPy 1":
        (place / "model").write_bytes(b"Raspberry Pi 4 Model B\0")
        stub = (place / "bin/python3").read_text().replace("*numpy*) exit 1", "*numpy*) exit 0")
        (place / "bin/python3").write_text(stub)
        run("demo")
    else:
        run("demo", BITS_32="1")
    assert "--require-hashes" not in calls(place, "python -m pip install")[0]
    assert PROJECT["dependencies"][0] in (place / "checkout/.venv/requirements.txt").read_text()


def test_prepare_takes_the_names_of_extras(place: Path, run: Run) -> None:
    assert run("prepare", "test").returncode == 0
    assert extras(place) == ["test"]
    assert calls(place, "python -m companion") == []


def test_an_extra_without_a_name_is_none(place: Path, run: Run) -> None:
    assert run("prepare", "test", "").returncode == 0
    assert (place / "checkout/.venv/complete").read_text().splitlines()[1] == "test"


def test_an_extra_without_hashes_is_installed_in_the_version_that_is_pinned(place: Path, run: Run) -> None:
    assert run("prepare", "mutation").returncode == 0
    assert (place / "checkout/.venv/unchecked.txt").read_text().splitlines() == PROJECT[
        "optional-dependencies"
    ]["mutation"]
    assert len(calls(place, "python -m pip install")) == 2


def test_an_extra_that_does_not_exist_is_named_and_nothing_is_made(place: Path, run: Run) -> None:
    result = run("prepare", "tset")
    assert result.returncode == 1 and not (place / "checkout/.venv").exists()
    assert result.stderr == (
        "companion: there is no extra 'tset' to prepare; choose among bench, dev, mutation, pi, test, train\n"
    )


def test_the_tests_packages_bring_the_source_that_a_test_reads(place: Path, run: Run) -> None:
    run("prepare", "test", NO_PICAMERA2="1")
    assert names((place / "checkout/.venv/alone.txt").read_text().splitlines()) == {"picamera2"}


def test_another_accounts_environment_is_reported_with_its_owner(place: Path, run: Run) -> None:
    """Runs as an account that does not own the environment and may not write there."""
    if os.geteuid():
        pytest.skip("only root can give files to another account")
    run("demo")
    environment = place / "checkout/.venv"
    os.chown(environment, 1, 1)
    with (place / "checkout/constraints.txt").open("a") as requirements:
        requirements.write("# more\n")
    result = run("demo")
    assert result.returncode == 1 and calls(place, "python") == [] and (environment / "complete").exists()
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"companion: {environment} belongs to ") and "TABLE_COMPANION_VENV" in line


def test_another_account_uses_an_environment_that_is_complete(place: Path, run: Run) -> None:
    if os.geteuid():
        pytest.skip("only root can give files to another account")
    run("demo")
    os.chown(place / "checkout/.venv", 1, 1)
    assert run("demo").stdout == "started\n"


def test_the_current_folder_is_never_on_the_path(place: Path, run: Run) -> None:
    stub = (
        (place / "bin/python3")
        .read_text()
        .replace('echo "$PYTHONPATH"', 'echo "$PYTHONSAFEPATH $PYTHONPATH"')
    )
    (place / "bin/python3").write_text(stub)
    assert run("update", PYTHONPATH=":/elsewhere").stdout == f"1 {place / 'checkout'}\n"


def test_every_message_begins_alike(place: Path, run: Run) -> None:
    assert run("demo", PIP="1").stderr.splitlines()[-1].startswith("companion: ")


def test_the_script_has_no_fault_that_shellcheck_knows() -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("needs shellcheck")
    subprocess.run(["shellcheck", CHECKOUT / "run"], check=True)
