"""The command line: what it prints, and one clear sentence when something is wrong."""

from __future__ import annotations

import errno
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli.errors import fail
from companion.cli.main import main
from companion.cli.options import MAX_SEED
from companion.journal import Journal
from companion.virtual.demo import DemoOptions, demo_setup, open_demo
from tests.support.paths import CHECKOUT
from tests.support.sightings import new_session


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def assert_exits(result: Result, code: int, *parts: object) -> None:
    """Asserts that the command ended with *code* and one sentence with all *parts*, without a traceback."""
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    for part in parts:
        assert str(part) in result.stderr
    assert "Traceback" not in result.output
    if code == 1:
        assert len(result.stderr.strip().splitlines()) == 1


def test_simulate_prints_decisions_per_second_and_mean_scores() -> None:
    result = json.loads(run("simulate", "--players", 2, "--games", 2, "--seed", 3, "--json").stdout)
    assert result["decisions"] > 100
    assert result["decisions_per_second"] > 0
    assert len(result["mean_score_by_seat"]) == 2


def test_simulate_with_the_same_seed_plays_the_same_games() -> None:
    one, two = (json.loads(run("simulate", "--games", 1, "--seed", 5, "--json").stdout) for _ in range(2))
    assert (one["decisions"], one["mean_score"]) == (two["decisions"], two["mean_score"])


@pytest.mark.parametrize("command", [("simulate",), ("demo", "--headless")])
@pytest.mark.parametrize("seed", [-1, 2**31, 99999999999999999999])
def test_a_seed_that_no_generator_takes_is_refused_by_the_name_of_its_option(
    command: tuple[str, ...], seed: int
) -> None:
    assert_exits(run(*command, "--players", 2, "--seed", seed), 2, "--seed", f"{seed} is not in the range")


def test_the_greatest_seed_begins_a_demo() -> None:
    with open_demo(DemoOptions(demo_setup(2, MAX_SEED), MAX_SEED)) as demo:
        assert demo.session.status


def test_simulate_plays_with_the_chateauma_and_prints_its_assumptions() -> None:
    words = ("simulate", "--chateauma", "hard", "--modifiers", "DA", "--games", 2, "--json")
    result = json.loads(run(*words, "--assume", "card:8=castle,mine,livestock,ship").stdout)
    assert (result["players"], result["bot"], result["seats"]) == (2, "greedy", ["red", "blue"])
    seat = result["chateauma"]
    assert (seat["colour"], seat["level"], seat["modifiers"]) == ("blue", "hard", ["A", "D"])
    assert seat["cards"] == {"8": ["castle", "mine", "livestock", "ship"]}
    assert set(seat["marks"]) == {"A", "D"} and len(seat["inventory_order"]) == 6


def test_the_chateauma_is_one_of_the_simulated_players() -> None:
    words = ("simulate", "--players", 4, "--chateauma", "easy", "--games", 1, "--json")
    result = json.loads(run(*words).stdout)
    assert result["seats"] == ["red", "blue", "green", "black"]
    assert result["chateauma"]["colour"] == "black"


def test_simulate_prints_its_assumptions_as_text_too() -> None:
    assert "Assumed about its unknown print" in run("simulate", "--chateauma", "easy", "--games", 1).stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--players", 1], "1 is not in the range 2<=x<=4"),
        (["--modifiers", "A"], "work only with --chateauma"),
        (["--chateauma", "easy", "--modifiers", "AE"], "no modifier 'E'"),
        (["--chateauma", "easy", "--assume", "die=6"], "nothing is assumed about 'die'"),
        (
            ["--chateauma", "easy", "--assume", "marks:A=castle:1"],
            "nothing needs to be assumed about marks:A",
        ),
        (["--chateauma", "easy", "--assume", "card:8=palace"], "'palace' is not a tile type"),
        (["--chateauma", "easy", "--modifiers", "D", "--assume", "marks:D=ships"], "marks are written like"),
    ],
)
def test_simulate_refuses_an_impossible_table_in_words(words: list[object], sentence: str) -> None:
    result = run("simulate", *words)
    assert result.exit_code == 2 and sentence in result.stderr


def test_replay_prints_the_score_sheet_of_a_journal(tmp_path: Path) -> None:
    session = new_session(tmp_path / "game.journal")
    session.tap("castle red 6")
    session.journal.close()
    result = json.loads(run("replay", tmp_path / "game.journal", "--json").stdout)
    assert result["state"]["players"][0]["spaces"][6] == "castle"
    assert result["score_sheet"] == {"red": {}, "blue": {}}


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Returns a game in which red may place the first castle."""
    session = new_session(tmp_path / "game.journal")
    session.tap("castle blue 18")
    session.journal.close()
    return tmp_path / "game.journal"


def test_replay_draws_duchies_and_speaks_french(journal: Path) -> None:
    shown = run("replay", journal, "--draw", "--language", "fr").stdout
    assert "Bleu\nr1  " in shown and "CAST" in shown and "Points après chaque round" in shown


def test_replay_reports_a_legal_move(journal: Path) -> None:
    assert run("replay", journal, "--why", "castle red r2c3").stdout.endswith("That is possible now.\n")


@pytest.mark.parametrize(
    "text", ["ruling score:red=many", "ruling duchy:red:x=mine", "ruling foo:bar=baz", "skip x"]
)
def test_replay_explains_a_rejected_move_without_a_translation(journal: Path, text: str) -> None:
    result = run("replay", journal, "--why", text)
    assert_exits(result, 0)
    assert result.stdout.startswith(f"{text}: ") and len(result.stdout.splitlines()) == 1


def test_replay_explains_an_illegal_move(journal: Path) -> None:
    shown = run("replay", journal, "--why", "castle blue r2c3", "--language", "fr").stdout
    assert "a déjà placé son premier château" in shown


def test_replay_rejects_an_unknown_move(journal: Path) -> None:
    assert_exits(run("replay", journal, "--why", "jump"), 1, "'jump' is not a move")


def test_the_table_rules_are_listed_with_the_usual_way_marked() -> None:
    shown = run("rules", "--edition", "2011").stdout
    assert "* purchase=between_actions" in shown and "  purchase=any_time" in shown
    assert "* tie_break=fewest_empty" in shown


@pytest.mark.parametrize("rule", ["weather=good", "tie_break=coin"])
def test_a_table_rule_that_does_not_exist_is_refused(rule: str, tmp_path: Path) -> None:
    result = run("play", "--camera", "usb:0", "--table", tmp_path / "t.json", "--rule", rule)
    assert result.exit_code == 2 and rule.partition("=")[0] in result.stderr


def test_replay_of_a_missing_journal(tmp_path: Path) -> None:
    assert_exits(run("replay", tmp_path / "none.journal"), 1, "none.journal", "check the name")


def test_replay_of_a_file_that_is_no_journal(tmp_path: Path) -> None:
    file = tmp_path / "photo.jpg"
    file.write_bytes(b"\xff\xd8\xff" * 500)
    assert_exits(run("replay", file), 1, "photo.jpg", "not a journal")


def test_replay_of_a_journal_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.journal.reading.READ_S", 0.1)
    journal = Journal(tmp_path / "game.journal")
    journal.append("setup", {})
    assert_exits(run("replay", tmp_path / "game.journal"), 1, "another companion is using it")


def test_replay_of_an_empty_journal(tmp_path: Path) -> None:
    Journal(tmp_path / "game.journal").close()
    assert_exits(run("replay", tmp_path / "game.journal"), 1, "contains no game")


def play_words(
    tmp_path: Path, camera: str = str(CHECKOUT / "docs/page.png"), table: dict[str, Any] | None = None
) -> tuple[object, ...]:
    file = tmp_path / "table.json"
    anchors = [[0, 0], [90, 0], [90, 90], [0, 90]]
    boards = [{"player": c, "duchy": "se-1", "anchors": anchors} for c in ("red", "blue")]
    file.write_text(json.dumps(table or {"image_size": [640, 480], "boards": boards}))
    journal = tmp_path / "game.journal"
    return "play", "--camera", camera, "--table", file, "--journal", journal, "--host", "127.0.0.1"


@pytest.mark.parametrize("camera", ["folder:/no/such/place", "/no/such/place", "usb0"])
def test_play_without_the_camera_it_names_begins_no_game(tmp_path: Path, camera: str) -> None:
    assert_exits(run(*play_words(tmp_path, camera)), 1, camera.removeprefix("folder:"), "name a camera")
    assert not (tmp_path / "game.journal").exists()


def test_play_with_words_that_name_no_camera(tmp_path: Path) -> None:
    assert_exits(run(*play_words(tmp_path, camera="usb:front")), 1, "usb:front", "usb:0")


def test_play_with_a_wrong_field_in_the_table_file(tmp_path: Path) -> None:
    assert_exits(
        run(*play_words(tmp_path, table={"image_size": [640, 480], "bords": []})), 1, "table.json", "bords"
    )


def test_play_without_the_table_file(tmp_path: Path) -> None:
    words = ("play", "--camera", "usb:0", "--table", tmp_path / "none.json")
    assert_exits(run(*words), 1, "none.json")


@pytest.mark.parametrize(
    ("opponents", "code", "sentence"),
    [
        (["green:greedy"], 1, "nobody plays green: an opponent can be red or blue"),
        (["blue:greedy", "red:random"], 1, "leave at least one player to people"),
        (["blue:clever"], 2, "is not a bot: write it as in blue:random or blue:lively or blue:greedy"),
        (["blue:greedy", "blue:random"], 2, "blue is given twice"),
        (["Blue:greedy", "blue:Random"], 2, "blue is given twice"),
    ],
)
def test_play_with_an_impossible_opponent(
    tmp_path: Path, opponents: list[str], code: int, sentence: str
) -> None:
    named = [word for opponent in opponents for word in ("--opponent", opponent)]
    assert_exits(run(*play_words(tmp_path), *named), code, sentence)
    assert not (tmp_path / "game.journal").exists()


@pytest.mark.parametrize(
    ("rule", "options", "cure"),
    [
        ("trade_bonus=after_sale", (), "add --modules trade_routes"),
        ("trade_bonus=after_sale", ("--modules", "inns"), "add --modules trade_routes"),
        ("automa_wants=fewest", (), "add --chateauma"),
    ],
)
def test_play_with_a_table_rule_of_a_module_that_is_not_played(
    tmp_path: Path, rule: str, options: tuple[str, ...], cure: str
) -> None:
    journal = tmp_path / "game.journal"
    words = ("play", "--journal", journal, "--players", "red:se-1,blue:se-7", "--rule", rule)
    assert_exits(run(*words, *options), 1, rule.partition("=")[0], cure)
    assert not journal.exists()


def test_play_with_a_rule_that_is_named_twice(tmp_path: Path) -> None:
    named = ("--rule", "tie_break=most_empty", "--rule", "tie_break=fewest_empty")
    assert_exits(run(*play_words(tmp_path), *named), 2, "tie_break is given twice")
    assert not (tmp_path / "game.journal").exists()


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--speed", "nan"], 2, "nan is not a number"),
        (["--json"], 2, "--json works only with --headless"),
        (["--headless", "--port", "9000"], 2, "--port cannot be used with --headless"),
        (["--headless", "--speed", "2", "--voice"], 2, "--speed and --voice cannot be used with --headless"),
        (["--pieces", "table"], 2, "--pieces works only with --chateauma"),
        (["--players", "2", "--opponents", "2"], 1, "it can be 1 at most here"),
        (["--players", "2", "--chateauma", "hard", "--opponents", "1"], 1, "it can be 0 at most here"),
    ],
)
def test_an_impossible_demo_is_rejected_with_one_sentence_only(
    words: list[object], code: int, sentence: str
) -> None:
    result = run("demo", *words)
    assert_exits(result, code, sentence)
    assert len(result.stderr.strip().splitlines()) == 1


def test_play_with_an_opponent_of_an_unknown_game(tmp_path: Path) -> None:
    words = ("play", "--journal", tmp_path / "game.journal", "--opponent", "blue:greedy")
    assert_exits(run(*words), 1, "--table or --players")


def test_a_game_is_continued_with_its_own_opponents(tmp_path: Path) -> None:
    new_session(tmp_path / "game.journal").journal.close()
    assert_exits(
        run(*play_words(tmp_path), "--opponent", "blue:greedy"),
        1,
        "game.journal",
        "--opponent describes a different game",
        "leave it out",
    )


def test_demo_leaves_a_person_at_the_table() -> None:
    assert_exits(run("demo", "--headless", "--players", 2, "--opponents", 2), 1, "no person", "1 at most")


@pytest.fixture
def busy_port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_demo_on_a_port_that_is_taken(busy_port: int) -> None:
    result = run("demo", "--players", 2, "--port", busy_port)
    assert result.exit_code == 1
    assert f"port {busy_port} on 127.0.0.1 is taken" in result.stderr
    assert f"--port {busy_port + 1}" in result.stderr
    assert "Traceback" not in result.output


def test_demo_does_not_mix_its_game_into_another(tmp_path: Path) -> None:
    new_session(tmp_path / "game.journal").journal.close()
    words = ("demo", "--headless", "--players", 2, "--journal", tmp_path / "game.journal")
    assert_exits(run(*words), 1, "game.journal", "name a new file")


def test_data_of_another_account_are_reported_with_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    settings = tmp_path / "settings.json"
    with pytest.raises(SystemExit):
        fail(PermissionError(errno.EACCES, "Permission denied", str(settings)))
    assert capsys.readouterr().err == (
        f"companion: {settings} belongs to {tmp_path.owner()}: log in as {tmp_path.owner()}, "
        f"or put 'sudo -u {tmp_path.owner()}' before the command\n"
    )


def test_an_unknown_command_is_a_usage_error() -> None:
    assert_exits(run("paly"), 2, "there is no command 'paly'; did you mean 'play'?")


def test_five_players_are_a_usage_error() -> None:
    assert_exits(run("demo", "--players", 5), 2, "--players")


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        ({"players": []}, "no game that can be replayed"),
        (
            {"edition": "special", "players": [{"colour": "red", "duchy": "se-99"}]},
            "no game that can be replayed",
        ),
        ({"edition": "special", "players": 7}, "record 1: 'players' has to be a list of objects"),
        ({"edition": [], "players": []}, "record 1: 'edition' has to be a text"),
    ],
)
def test_replay_reports_a_journal_with_an_unusable_setup(
    tmp_path: Path, setup: dict[str, Any], why: str
) -> None:
    journal = Journal(tmp_path / "odd.journal")
    journal.append("setup", setup)
    journal.close()
    assert_exits(run("replay", tmp_path / "odd.journal"), 1, "odd.journal", why)
