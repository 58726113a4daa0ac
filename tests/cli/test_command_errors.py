"""What a command says when it is mistyped, or cannot read or write what it is named: one line, and alike everywhere."""

from __future__ import annotations

import errno
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from companion.cli import terminal
from companion.cli.main import main
from companion.cli.options import CameraName
from companion.cli.outputs import OutputFile, why_not_writable
from companion.cli.terminal import print_line
from companion.games.burgundy.plugin import burgundy
from companion.journal import Journal
from companion.service.__main__ import main as service
from companion.service.file_errors import describe
from companion.service.installation import Installation
from companion.service.options import CHECK_OPTION
from companion.session import TableSession
from companion.virtual.demo import demo_setup
from tests.support.paths import CHECKOUT, GOLDEN
from tests.support.present import present

PICTURE = CHECKOUT / "docs/page.png"


def run(*words: object, stdin: str = "") -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], input=stdin)


def line_of(result: Result, code: int) -> str:
    """Returns the one line on stderr with which the command ended."""
    assert result.exit_code == code, result.output
    assert isinstance(result.exception, SystemExit)
    (line,) = result.stderr.splitlines()
    assert line.startswith("companion: ")
    return str(line)


@pytest.mark.parametrize(
    ("words", "intended"),
    [
        (["paly"], "play"),
        (["PLAY"], "play"),
        (["GAMES"], "games"),
        (["instal"], "install"),
        (["uninstal"], "uninstall"),
        (["prepar"], "prepare"),
        (["calibrate", "tabel"], "table"),
        (["read", "dices"], "dice"),
        (["games", "lst"], "list"),
        (["privacy", "shwo"], "show"),
        (["panel", "tset"], "test"),
        (["bench", "rule"], "rules"),
    ],
)
def test_a_mistyped_command_is_answered_with_the_intended_one(words: list[str], intended: str) -> None:
    assert f"did you mean '{intended}'?" in line_of(run(*words), 2)


def test_a_command_like_no_other_is_answered_with_all_there_are() -> None:
    assert "choose among delete, export, import, kinds, list" in line_of(run("games", "zzz"), 2)


@pytest.mark.parametrize(
    "words",
    [
        ["play", "--plyers", "red:se-1"],
        ["demo", "--players", "5"],
        ["calibrate", "table"],
        ["privacy", "keep-pictures", "x"],
        ["screens", "--only", "nothing"],
        ["play", "--rule", "weather=good"],
        ["play", "two\nlines"],
    ],
)
def test_every_usage_error_is_one_line_that_names_the_help(words: list[str]) -> None:
    assert line_of(run(*words), 2).endswith("--help')")


@pytest.mark.parametrize(
    "words", [["--langauge", "fr"], ["--language", "de"], ["--modifiers", "A"], ["table.json"]]
)
def test_the_options_of_play_are_checked_without_playing(words: list[str]) -> None:
    assert run("play", "--camera", "pi", CHECK_OPTION).output == ""
    assert line_of(run("play", *words, CHECK_OPTION), 2)


@pytest.mark.parametrize(
    "words",
    [
        ["games", "list"],
        ["games", "delete", "x", "--yes"],
        ["games", "import", str(PICTURE)],
        ["privacy", "delete-everything", "--yes"],
    ],
)
def test_an_empty_name_of_a_folder_is_not_the_current_folder(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.journal").touch()
    assert "--folder is given without a value" in line_of(run(*words, "--folder", ""), 2)
    assert [path.name for path in tmp_path.iterdir()] == ["x.journal"]


@pytest.mark.parametrize(
    "words", [["replay", ""], ["games", "delete", " "], ["read", "dice", "x.png", ""], [""]]
)
def test_an_empty_argument_is_refused(words: list[str]) -> None:
    assert "an argument is empty" in line_of(run(*words), 2)


@pytest.mark.parametrize("number", ["-1", "-0.5", "-1000000"])
def test_a_number_below_zero_is_no_option(number: str) -> None:
    assert "a number below zero cannot be used here" in line_of(run("privacy", "keep-pictures", number), 2)


@pytest.mark.parametrize("words", [["show"], ["delete-pictures", "--yes"], ["delete-everything", "--yes"]])
def test_personal_data_in_a_folder_that_does_not_exist_are_not_called_deleted(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLE_COMPANION_DATA", str(tmp_path))
    (tmp_path / "settings.json").write_text("{}")
    line = line_of(run("privacy", *words, "--folder", tmp_path / "gmaes"), 1)
    assert f"there is no folder {tmp_path / 'gmaes'}" in line
    assert [path.name for path in tmp_path.iterdir()] == ["settings.json"]


@pytest.mark.parametrize("name", ["usb0", "picam", "/no/such/folder"])
def test_a_mistyped_camera_is_not_one_to_plug_in(name: str) -> None:
    assert f"no folder, picture or video {name}" in line_of(run("doctor", "--camera", name), 1)


def test_a_table_file_below_a_file_is_reported_with_the_cure() -> None:
    line = line_of(run("doctor", "--table", PICTURE / "table.json"), 1)
    assert "cannot be read (Not a directory); check its name" in line


@pytest.mark.parametrize("boards", ["", ', "boards": []'])
def test_a_table_file_without_boards_is_named_with_the_cure(
    boards: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLE_COMPANION_DATA", str(tmp_path))
    (tmp_path / "table.json").write_text(f'{{"image_size": [1280, 720]{boards}}}')
    line = line_of(run("play", "--table", tmp_path / "table.json", "--camera", "usb:0"), 1)
    assert "table.json has no boards: find them with ./run calibrate table" in line


def test_a_terminal_that_lacks_a_character_shows_another_one() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "companion", "rules", "--language", "fr"],
        cwd=CHECKOUT,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=True,
    )
    assert "l?un" in result.stdout.decode("latin-1") or "d?un" in result.stdout.decode("latin-1")


class FullDisk(io.StringIO):
    """A file to which nothing can be printed."""

    def flush(self) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_what_cannot_be_printed_ends_no_game(stream: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, stream, FullDisk())
    with pytest.raises(OSError, match="No space left"):
        click.echo("a line", err=stream == "stderr")
    print_line("a line", err=stream == "stderr")


@pytest.mark.parametrize("group", [[], ["calibrate"], ["games"]])
def test_a_group_alone_shows_its_help(group: list[str]) -> None:
    result = run(*group)
    assert result.exit_code == 2 and result.stderr.startswith("Usage: ") and "Commands:" in result.stderr


def test_ending_a_command_at_a_question_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLE_COMPANION_DATA", str(tmp_path))
    result = run("privacy", "delete-pictures", stdin="n\n")
    assert result.exit_code == 1 and result.stderr.splitlines() == ["companion: stopped"]


@pytest.mark.parametrize("words", [["install", "--usr", "x"], ["updat"], ["uninstall", "--data", "some"]])
def test_usage_errors_of_the_installation_read_alike(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        service(words)
    (line,) = capsys.readouterr().err.splitlines()
    assert ended.value.code == 2 and line.startswith("companion: ") and line.endswith("--help')")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["install", "--dry"], "no option '--dry' (see './run install --help'"),
        (["install", "--usre", "x"], "did you mean '--user'? (see './run install --help'"),
        (["update", "--bakc"], "did you mean '--back'? (see './run update --help'"),
        (["uninstall", "now"], "unexpected argument 'now' (see './run uninstall --help'"),
        (["install", "--own", "--user", "pi"], "leave it out (see './run install --help'"),
        (["uninstall", "--own", "--data", "delete"], "'./run privacy delete-everything'"),
        (["update", "--own", "--back", "v1.0"], "leave out the source and --version"),
        (["update", "--own", "--back", "--version", "v1.0"], "leave out the source and --version"),
    ],
)
def test_an_option_that_the_installation_cannot_use_is_named_with_the_cure(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        service(words)
    assert sentence in capsys.readouterr().err


def test_a_file_in_the_way_of_an_installation_is_reported_without_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".local").touch()
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(SystemExit) as ended:
        service(["uninstall", "--own"])
    line = str(ended.value.code)
    assert line.startswith(f"companion: {tmp_path}") and "Errno" not in line and "move that file" in line


def test_ending_the_installation_by_ctrl_c_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Installation, "install", interrupted)
    with pytest.raises(SystemExit) as ended:
        service(["install", "--own"])
    assert str(ended.value.code).startswith("companion: stopped")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["simulate", "--games", "1e3"], "'1e3' is no whole number"),
        (["simulate", "--players", "two"], "'two' is no whole number"),
        (["demo", "--speed", "fast"], "'fast' is no number"),
    ],
)
def test_what_is_no_number_is_called_so(words: list[str], sentence: str) -> None:
    line = line_of(run(*words), 2)
    assert sentence in line and "valid" not in line.replace("invalid value", "")


def outputs() -> Iterator[tuple[tuple[str, ...], tuple[object, ...]]]:
    """Yields the words of each command with an output, up to its name, and those after it."""
    camera = ("--camera", str(PICTURE))
    yield ("calibrate", "sheet", "--out"), ()
    for what in ("camera", "light", "table", "dice", "duchy"):
        yield ("calibrate", what), (PICTURE,) if what in ("dice", "duchy") else camera
    yield ("calibrate", "tiles", "table.json"), camera
    yield ("calibrate", "card", "--print"), camera
    yield ("calibrate", "chateauma", "--print"), ()
    yield ("demo", "--headless", "--players", "2", "--journal"), ()
    yield ("screens", "--out"), ()
    yield ("screens", "--shots"), ()
    yield ("games", "export"), ()


@pytest.mark.parametrize(
    ("before", "after", "where"),
    [
        pytest.param(before, after, where, id=f"{' '.join(before)}, {where}")
        for before, after in outputs()
        for where in ("no folder", "under a file")
        if (before[-1], where)
        != ("--print", "no folder")  # the companion's own, which it makes with its folders
    ],
)
def test_an_unwritable_output_is_reported_before_any_work(
    before: tuple[str, ...],
    after: tuple[object, ...],
    where: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TABLE_COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    folder = tmp_path / ("file" if where == "under a file" else "none")
    result = run(*before, folder / "deeper/x", *after)
    assert result.exit_code in (1, 2) and "Errno" not in result.output and "Traceback" not in result.output
    (line,) = result.stderr.splitlines()
    assert line.startswith("companion: ") and str(folder) in line
    assert not (folder / "deeper").exists()


def test_all_outputs_of_all_commands_are_checked() -> None:
    """Every file parameter is an input that must exist, an output that is checked, or listed here."""
    inputs = {"images", "image", "pictures", "file"}
    others = {
        "play": {"table_path", "gallery", "journal_path", "panel_path", "pin_file", "print_path"},
        "calibrate card": {"print_path"},
        "calibrate chateauma": {"print_path"},
        "calibrate tiles": {"table_path"},
        "calibrate trade_routes": {"print_path"},
        "doctor": {"table_path", "panel_path"},
        "panel test": {"panel_path"},
        "read boards": {"table_path", "gallery_path"},
        "read dice": {"table_path"},
    } | {f"privacy {name}": {"folder", "print_path"} for name in _names("privacy")}
    others |= {f"games {name}": {"folder", "print_path"} for name in _names("games")}
    unknown = [
        (command, option.name)
        for command, option in _options(main, ())
        if isinstance(option.type, click.Path)
        and not isinstance(option.type, OutputFile)
        and option.name not in inputs | others.get(command, set())
    ]
    assert unknown == []


def _names(group: str) -> list[str]:
    found = main.get_command(click.Context(main), group)
    assert isinstance(found, click.Group)
    return list(found.list_commands(click.Context(main)))


def _options(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, click.Parameter]]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from _options(found, (*path, name))
    else:
        for option in command.params:
            yield " ".join(path), option


def optional_words() -> Iterator[tuple[str, str]]:
    """Yields each command with each of its options that take a value."""
    for command, parameter in _options(main, ()):
        if isinstance(parameter, click.Option) and not parameter.is_flag:
            yield command, parameter.opts[0]


@pytest.mark.parametrize("empty", ["{}=", "{}= ", "{} ", "{}  "], ids=["equals", "spaced", "empty", "blank"])
@pytest.mark.parametrize(("command", "option"), [*optional_words()])
def test_an_option_without_a_value_is_named(command: str, option: str, empty: str) -> None:
    words = empty.format(option).split(" ", 1)
    line = line_of(run(*command.split(), *words), 2)
    assert f"{option} is given without a value: name one, or leave the option out" in line


@pytest.mark.parametrize(
    ("words", "choices"),
    [
        (["camera", "t.json"], "usb:0, pi, or a folder or video"),
        (["card"], "usb:0, pi, or a picture, folder or video"),
        (["light", "t.json"], "usb:0 or pi"),
        (["table", "t.json"], "usb:0, pi, or a picture, folder or video"),
        (["tiles", "t.json", "g.npz"], "usb:0, pi, or a folder of pictures"),
    ],
)
@pytest.mark.parametrize("none", ["none", "NONE"])
def test_what_needs_a_camera_says_which_can_be_named(words: list[str], choices: str, none: str) -> None:
    line = line_of(run("calibrate", *words, "--camera", none), 2)
    assert f"'--camera': this command needs a camera: name {choices}" in line


def test_a_video_that_cannot_be_played_is_named_in_one_line(tmp_path: Path) -> None:
    """FFmpeg would write first, where it is used first, that a moov atom was not found."""
    (tmp_path / "film.mp4").write_bytes(b"\0\0\0\x20ftypisom" + bytes(100))
    words = ["calibrate", "table", str(tmp_path / "table.json"), "--camera", str(tmp_path / "film.mp4")]
    command = [sys.executable, "-m", "companion", *words]
    answer = subprocess.run(command, capture_output=True, text=True, cwd=CHECKOUT, timeout=60)
    (line,) = answer.stderr.splitlines()
    assert "film.mp4 cannot be played" in line


def test_a_folder_is_no_file_to_write(tmp_path: Path) -> None:
    assert why_not_writable(tmp_path) == f"{tmp_path} is a folder: name a file"


def test_a_pipe_is_no_file_to_write(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert (
        why_not_writable(tmp_path / "pipe") == f"{tmp_path / 'pipe'} is not a regular file: name another one"
    )


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert str(why_not_writable(tmp_path / "x.json")).startswith(f"nothing can be written to {tmp_path}: ")


@pytest.mark.parametrize(
    "words", [["games", "list"], ["privacy", "keep-pictures", "3"], ["calibrate", "chateauma"]]
)
def test_a_data_folder_that_is_a_file_is_reported_with_the_cure(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").touch()
    monkeypatch.setenv("TABLE_COMPANION_DATA", str(tmp_path / "data"))
    line = line_of(run(*words), 1)
    assert str(tmp_path / "data") in line and "Errno" not in line and "choose another" in line


@pytest.mark.parametrize("number", sorted(errno.errorcode))
def test_system_errors_are_reported_without_their_number(number: int) -> None:
    line = describe(OSError(number, os.strerror(number), "/some/file"))
    assert line.startswith("/some/file") and "Errno" not in line and "[" not in line


def test_a_system_error_without_a_file_is_reported_by_its_cause() -> None:
    assert describe(OSError(errno.ENOSPC, "No space left on device")).startswith("that disk is full")


def test_the_camera_is_opened_before_the_question_about_the_mains(tmp_path: Path) -> None:
    result = run("calibrate", "light", tmp_path / "table.json", "--camera", PICTURE)
    assert result.exit_code == 1 and "50" not in result.stdout and result.stderr.startswith("companion: ")


@pytest.mark.parametrize("written", ["none", "None", "NONE"])
def test_no_camera_is_none_however_it_is_written(written: str) -> None:
    assert CameraName().convert(written, None, None) == "none"


# --- names of files that would command the terminal ---


@pytest.fixture
def odd_names(tmp_path: Path) -> Path:
    """Returns a folder with a game and a damaged file whose names contain control and direction characters."""
    with closing(Journal(tmp_path / "good\x1b[31m\n\u202e.journal")) as journal:
        TableSession(burgundy(), journal, demo_setup(2, 1))
    (tmp_path / "bad\x07 'it\\s'.journal").write_text("no journal")
    return tmp_path


@pytest.mark.parametrize(
    "words", [["games", "list", "--all"], ["games", "export", "-"], ["games", "delete", "no\x1bne", "--yes"]]
)
def test_what_a_name_contains_does_not_command_the_terminal(words: list[str], odd_names: Path) -> None:
    result = CliRunner().invoke(main, [*words, "--folder", str(odd_names)], color=True)
    reported = result.stderr if words[1] == "export" else result.output
    assert re.search(r"\\x1b|\\x07", reported) and not re.search("[\x00-\x09\x0b-\x1f\u202e]", reported)


def test_the_command_that_deletes_an_odd_name_can_be_typed(odd_names: Path) -> None:
    shown = run("games", "list", "--all", "--folder", odd_names).stderr
    argument = present(re.search(r"games delete --folder \S+ (.*) removes it", shown)).group(1)
    typed = subprocess.run(
        ["bash", "-c", f"printf %s {argument}"], capture_output=True, text=True, check=True
    )
    assert typed.stdout == "bad\x07 'it\\s'"


@pytest.mark.parametrize(
    "words",
    [
        ["p" * 5000],
        ["play", "--players", "red:" + "1" * 5000],
        ["play", "--port", "9" * 5000],
        ["play", "--hosts", "h" * 5000],
        ["demo", "--" + "o" * 5000],
        ["games", "delete", "g" * 5000],
        ["games", "list", "--folder", "f/" * 2500],
        ["play", "--journal", "folder/" * 700 + "x.journal"],
    ],
    ids=lambda words: words[0][:5] + words[-1][:5],
)
def test_what_was_typed_is_quoted_in_part(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLE_COMPANION_DATA", str(tmp_path))
    result = run(*words)
    assert len(line_of(result, result.exit_code)) < 600 and result.exit_code in (1, 2)


def test_a_name_of_usual_length_is_quoted_in_full() -> None:
    sentence = f"'{'n' * 79}' is none; {'/folder' * 30}: there is none"
    assert terminal.shortened(sentence) == sentence


@pytest.mark.parametrize("words", [["play"], ["privacy", "delete-everything", "--yes"]])
def test_a_file_that_holds_no_print_is_not_taken_for_one(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would go when everything is deleted."""
    monkeypatch.setenv("TABLE_COMPANION_DATA", str(tmp_path / "data"))
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    assert "this is not what a copy prints" in line_of(run(*words, "--print", notes), 1)
    assert notes.read_text() == "mine"


def test_a_folder_is_no_journal_to_replay(tmp_path: Path) -> None:
    assert line_of(run("replay", tmp_path), 1).endswith("is a folder: name the journal's file")


def test_the_command_that_deletes_names_the_folder_that_was_listed(tmp_path: Path) -> None:
    (tmp_path / "odd one").mkdir()
    (tmp_path / "odd one" / "x.journal").write_bytes(b"x")
    listed = run("games", "list", "--folder", tmp_path / "odd one")
    assert f"./run games delete --folder '{tmp_path / 'odd one'}' x removes it." in listed.stderr


def test_what_is_refused_or_only_listed_leaves_nothing_in_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLE_COMPANION_DATA", str(tmp_path / "data"))
    folder = tmp_path / "stick"
    folder.mkdir()
    shutil.copy(GOLDEN / "version-1.journal", folder / "old.journal")
    assert run("games", "list", "--folder", folder).exit_code == 0
    line_of(run("games", "delete", "missing", "--folder", folder), 1)
    line_of(run("play", "--journal", folder / "new.journal", "--players", "red:se-1,red:se-2"), 1)
    assert [path.name for path in folder.iterdir()] == ["old.journal"]


def test_spaces_that_belong_to_a_language_are_shown() -> None:
    assert terminal.shown("Erreur\u00a0: 1\u202f000") == "Erreur\u00a0: 1\u202f000"
