"""Texts that players read: each exists in every language, and everything that can happen has one."""

from __future__ import annotations

import ast
import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from companion.games.burgundy.modules.chateauma.explanation import STEPS
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules.scoring import SOURCES
from companion.games.burgundy.rules.tiles import ANIMALS, BUILDINGS
from companion.games.registry import default_plugin, plugin, plugins
from companion.players.bots import greedy_bot, random_bot
from companion.session import STATUSES
from companion.text.catalogue import LANGUAGES, MissingTextError, texts
from companion.text.translator import Translator
from hardware.panel import BUTTONS, LIGHTS
from tests.support.automa_positions import rolled_automa, setup_with
from tests.support.other_games import more_games
from tests.support.paths import CHECKOUT
from tests.text.test_reasons import CASES as REASONS

RULES_FOLDER = CHECKOUT / "companion" / "games" / "burgundy"
TABLE_FILES = tuple(
    path
    for pattern in ("session/*.py", "runtime/table_loop.py", "referee/*.py")
    for path in (CHECKOUT / "companion").glob(pattern)
)
MISMATCHES = ("misplaced", "replaced", "stranger", "gone", "taken_instead", "still_there", "missing")
SETUP = {
    "edition": "special",
    "players": [{"colour": c, "duchy": f"se-{i}"} for i, c in enumerate(("red", "blue", "green"), 1)],
}


def codes(files: list[Path], call: str) -> set[str]:
    """First argument of every call of *call* that is a plain text."""
    found = set()
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == call:
                arguments = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "notice")]
                found |= {
                    a.value for a in arguments if isinstance(a, ast.Constant) and isinstance(a.value, str)
                }
    return found


def constants(*excluding: str) -> set[str]:
    """Every plain text in the rules, but for those of the files that list it."""
    files = [path for path in RULES_FOLDER.rglob("*.py") if path.name not in excluding]
    return set().union(*map(constants_of, files))


def all_constants_of(path: Path) -> list[str]:
    """Every plain text in a file, as often as it is there."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def constants_of(path: Path) -> set[str]:
    """Every plain text in a file."""
    return set(all_constants_of(path))


def notice_codes() -> set[str]:
    """Notices given by keyword or position in the referee and the session."""
    found = set()
    for path in TABLE_FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Verdict":
                notices = [*node.args[2:3], *(k.value for k in node.keywords if k.arg == "notice")]
                found |= {
                    n.value for n in notices if isinstance(n, ast.Constant) and isinstance(n.value, str)
                }
    return found


def positions(bot: Any, seed: int = 5, setup: dict[str, Any] = SETUP) -> Iterator[tuple[Any, Any, list[Any]]]:
    """Every position of a bot game with the move made in it and the events that follow."""
    rules, rng = burgundy(), random.Random(seed)
    state = rules.new(setup)
    while not rules.is_over(state):
        move = rules.sample_chance(state, rng) or bot(rules, state)
        before = state.copy()
        yield before, move, rules.apply(state, move)


@pytest.fixture(params=LANGUAGES)
def translator(request: pytest.FixtureRequest) -> Translator:
    return Translator(request.param, strict=True)


def test_english_and_french_are_there() -> None:
    assert {"en", "fr"} <= set(LANGUAGES)


@pytest.mark.parametrize("game", plugins())
def test_every_reason_of_the_rules_has_a_sentence(translator: Translator, game: str) -> None:
    found = codes(list(plugin(game).texts.parent.rglob("*.py")), "Reason")
    assert found
    assert {code for code in found if f"reason.{code}" not in texts(translator.language, game)} == set()


def test_every_reason_of_the_rules_is_read_word_for_word() -> None:
    assert codes(list(RULES_FOLDER.rglob("*.py")), "Reason") == {code for code, *_ in REASONS}


def test_every_reminder_has_a_sentence(translator: Translator) -> None:
    found = codes(list(RULES_FOLDER.rglob("*.py")), "Reminder")
    assert len(found) > 8
    assert {code for code in found if f"reminder.{code}" not in texts(translator.language)} == set()


def test_the_chateauma_is_called_by_its_name_whatever_its_colour(translator: Translator) -> None:
    translator = Translator(translator.language, view={"chateauma": [{"colour": "black"}]}, strict=True)
    assert translator.player("black") == "Châteauma" and translator.player("red") != "Châteauma"
    assert "Châteauma" in translator("status.over.title", player="black")


def test_french_contracts_its_article_before_the_chateauma() -> None:
    translator = Translator("fr", view={"chateauma": [{"colour": "black"}]}, strict=True)
    assert translator("page.turn_of", player="black") == "Tour du Châteauma"


@pytest.mark.parametrize(
    ("named", "whose"), [("red", "d’Anna"), ("blue", "de Bleu"), ("black", "du Châteauma")]
)
def test_french_contracts_before_every_field_that_names_a_player(named: str, whose: str) -> None:
    view = {"names": {"red": "Anna"}, "chateauma": [{"colour": "black"}]}
    translator = Translator("fr", view=view)
    assert f"les monastères {whose} comptent" in translator("event.copy", named=named)


def test_every_refusal_of_the_session_has_a_sentence(translator: Translator) -> None:
    found = codes(list(TABLE_FILES), "CommandRejectedError") | {
        f"nothing_to_confirm_{status}" for status in STATUSES
    }
    assert len(found) > 10
    assert {code for code in found if f"reason.{code}" not in texts(translator.language)} == set()


def test_every_notice_has_a_sentence(translator: Translator) -> None:
    found = {code for code in notice_codes() if code} | {
        f"{what}_{state}" for what in ("start", "fill") for state in ("not_seen", "hidden")
    }
    assert len(found) >= 5
    assert {code for code in found if f"notice.{code}" not in texts(translator.language)} == set()


def test_every_kind_of_event_has_a_sentence(translator: Translator) -> None:
    found = codes(list(RULES_FOLDER.rglob("*.py")), "Event")
    assert len(found) > 15
    assert {
        kind for kind in burgundy().event_lines if f"event.{kind}" not in texts(translator.language)
    } == set()
    assert found <= set(burgundy().event_lines)
    occurrences = Counter(chain.from_iterable(map(all_constants_of, RULES_FOLDER.rglob("*.py"))))
    assert {kind for kind in burgundy().event_lines if occurrences[kind] < 2} == set()  # listed, and made


def test_every_step_of_the_chateauma_has_a_sentence(translator: Translator) -> None:
    assert {code for code in STEPS if f"explanation.{code}" not in texts(translator.language)} == set()
    assert set(STEPS) <= constants("explanation.py")


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Depots 3, 4 and 5 hold nothing that fits."),
        ("fr", "Rien ne convient aux dépôts 3, 4 et 5."),
    ],
)
def test_depots_without_a_fit_that_follow_each_other_share_a_sentence(language: str, expected: str) -> None:
    steps = [{"code": "depot_without_fit", "rule": "S1138", "depot": depot} for depot in (3, 4, 5)]
    steps.append({"code": "black_depot_empty", "rule": "S1145"})
    written = Translator(language, strict=True).steps(steps)
    assert written[0] == (expected, "S1138")
    assert [rule for _, rule in written] == ["S1138", "S1145"]


def test_one_depot_without_a_fit_has_a_sentence_of_its_own() -> None:
    step = {"code": "depot_without_fit", "rule": "S1138", "depot": 3}
    assert Translator("en", strict=True).steps([step]) == [("Depot 3 holds nothing that fits.", "S1138")]


@pytest.mark.parametrize(
    "place", ["depot:4:0", "black:1", "card:left:2", "inventory:6", "goods:black:0", "duchy:red:3"]
)
@pytest.mark.parametrize("code", MISMATCHES)
def test_every_mismatch_is_written_wherever_it_is(translator: Translator, code: str, place: str) -> None:
    for label in ("building/bank", "livestock/cow_3", "goods/4", "face_down"):
        mismatch = {"code": code, "place": place, "tile": label, "target": place, "instead": label}
        written = translator.mismatch(mismatch)
        assert written.endswith(".") and translator.tile(label) in written.lower()


def test_every_mismatch_of_the_referee_has_a_text() -> None:
    found = constants_of(CHECKOUT / "companion" / "referee" / "bot_turn.py")
    assert set(MISMATCHES) == {
        key.partition(".")[2] for key in texts("en") if key.startswith("mismatch.")
    } - {"more"}
    assert set(MISMATCHES) <= found


@pytest.mark.parametrize(("language", "more"), [("en", "And 2 more."), ("fr", "Et encore 2.")])
def test_of_many_mismatches_two_are_named_and_the_rest_counted(language: str, more: str) -> None:
    mismatches = [
        {"code": "gone", "place": f"depot:{depot}:0", "tile": "mine", "target": "", "instead": ""}
        for depot in (1, 2, 3, 4)
    ]
    written = Translator(language, strict=True).mismatches(mismatches)
    assert written.endswith(more) and "3" not in written


def test_every_source_of_points_has_a_name(translator: Translator) -> None:
    assert [translator(f"source.{source}") for source in SOURCES]


def test_every_status_has_a_title_and_a_hint(translator: Translator) -> None:
    for status in STATUSES:
        assert translator(f"status.{status}.title", player="red")
        assert translator(f"status.{status}.hint")


def test_every_tile_of_the_box_has_a_name(translator: Translator) -> None:
    labels = {t.label for t in burgundy().editions["special"].supply}
    labels |= {f"building/{b}" for b in BUILDINGS} | {f"livestock/{a}_3" for a in ANIMALS}
    assert len({translator.tile(label) for label in labels}) == len(labels)
    assert all(translator.the_tile(label) for label in labels)


def test_every_tile_of_the_box_is_explained(translator: Translator) -> None:
    """Each building and monastery by a text of its own; livestock and goods by one for all."""
    labels = {tile.label for edition in burgundy().editions.values() for tile in edition.supply}
    written = {label: translator.help(label, "special") for label in {*labels, "goods/3"}}
    assert "" not in written.values()
    own = [text for label, text in written.items() if label.split("/")[0] in ("building", "monastery")]
    assert len(own) == 8 + 26 == len(set(own))


def test_a_tile_is_explained_as_its_edition_has_it(translator: Translator) -> None:
    """S650, A861; S689, A937."""
    for number in (6, 15, 26):
        label = f"monastery/{number}"
        assert translator.help(label, "2011") != translator.help(label, "special")
    assert translator.help("monastery/7", "2011") == translator.help("monastery/7", "special")


def test_nothing_is_not_explained(translator: Translator) -> None:
    assert translator.help("empty") == ""


@pytest.mark.parametrize("bot", [random_bot(3), greedy_bot(3)], ids=["random", "greedy"])
def test_every_move_and_event_of_a_game_is_written(translator: Translator, bot: Any) -> None:
    rules = burgundy()
    for state, move, events in positions(bot):
        written = Translator(translator.language, view=rules.view(state), strict=True)
        for choice in (move, *rules.legal_moves(state)):
            assert written.move(rules.describe(choice))
        for event in events:
            assert written.event(event.to_json())


@pytest.mark.parametrize("modifiers", ["", "ABCD"])
def test_every_move_event_and_step_of_a_game_with_the_chateauma_is_written(
    translator: Translator, modifiers: str
) -> None:
    rules = burgundy()
    for state, move, events in positions(greedy_bot(3), setup=setup_with(2, modifiers=modifiers)):
        written = Translator(translator.language, view=rules.view(state), strict=True)
        assert written.move(rules.describe(move))
        for event in events:
            assert written.event(event.to_json())
            steps = written.steps(event.to_json().get("steps", ()))
            assert all(sentence.endswith(".") for sentence, _ in steps)


def test_every_illegal_move_of_a_game_is_explained(translator: Translator) -> None:
    """Moves of other positions are tried: many are not legal, for many reasons."""
    rules, rng = burgundy(), random.Random(1)
    game = list(positions(random_bot(7)))
    tried, explained = [move for _, move, _ in game], set()
    for state, _, _ in game[::9]:
        written = Translator(translator.language, view=rules.view(state), strict=True)
        for move in rng.sample(tried, 30):
            if reason := rules.validate(state, move):
                sentence = written.reason(reason.code, reason.data)
                assert sentence[0].isupper() or sentence[0].isdigit()
                explained.add(reason.code)
    assert len(explained) > 8


def test_a_purchase_is_written_with_its_price_in_workers() -> None:
    move = {"word": "take", "tile": "building/bank", "depot": 3, "slot": 0, "die": 4, "workers": 1}
    assert Translator("en", strict=True).move(move) == "Take the bank from depot 3 with the 4 and 1 worker"
    assert Translator("fr", strict=True).move(move) == "Prendre la banque au dépôt 3 avec le 4 et 1 ouvrier"


@pytest.mark.parametrize(
    ("language", "tiles", "expected"),
    [
        ("en", 1, "Red: +7 for cows (1 tile)"),
        ("en", 2, "Red: +7 for cows (2 tiles)"),
        ("fr", 1, "Rouge\N{NO-BREAK SPACE}: +7 pour les vaches (1 tuile)"),
        ("fr", 2, "Rouge\N{NO-BREAK SPACE}: +7 pour les vaches (2 tuiles)"),
    ],
)
def test_the_plural_follows_the_number(language: str, tiles: int, expected: str) -> None:
    event = {"kind": "livestock", "player": "red", "points": 7, "animal": "cow", "tiles": tiles}
    assert Translator(language, strict=True).event(event) == expected


def test_zero_is_singular_in_french_and_plural_in_english() -> None:
    assert Translator("fr")("gain.workers", number=0) == "0 ouvrier"
    assert Translator("en")("gain.workers", number=0) == "0 workers"


def test_a_place_is_named_by_row_and_space_where_the_board_is_known() -> None:
    rules = burgundy()
    view = rules.view(rules.new(SETUP))
    assert Translator("en").place("duchy:red:17") == "Red's duchy, space 18"
    assert Translator("en", view=view).place("duchy:red:17").startswith("Red's duchy, row 4, space 3 (a ")
    assert Translator("en").place("depot:3:1") == "depot 3, second space"


def test_every_place_that_can_be_seen_has_a_name(translator: Translator) -> None:
    rules = burgundy()
    state = rules.new(SETUP)
    written = Translator(translator.language, view=rules.view(state), strict=True)
    places = [
        f"{group}:{i}" for group, labels in rules.visible_layout(state).items() for i in range(len(labels))
    ]
    assert len({written.place(place) for place in places}) == len(places)


def test_every_place_of_the_chateauma_has_a_name(translator: Translator) -> None:
    rules, state = burgundy(), rolled_automa()
    written = Translator(translator.language, view=rules.view(state), strict=True)
    groups = rules.visible_layout(state)
    places = [f"{group}:{i}" for group, labels in groups.items() for i in range(len(labels))]
    assert len({written.place(place) for place in places}) == len(places)
    assert len({written.group(group) for group in groups if not group.startswith(("duchy", "round"))})


def test_every_button_and_light_of_the_panel_has_a_name(translator: Translator) -> None:
    assert all(translator.button(button) for button in (*BUTTONS, "confirm:red"))
    assert all(translator(f"light.{light}") for light in LIGHTS)


def test_a_players_own_button_is_named_with_the_player() -> None:
    assert Translator("fr").button("confirm:blue") == "Confirmer, Bleu"


def test_moves_of_a_question_leave_out_the_end_of_the_turn() -> None:
    rules = burgundy()
    assert Translator("en").moves("workers die 3; end", rules) == ["Take workers with the 3"]
    assert Translator("en").moves("end", rules) == ["End the turn"]


def test_a_missing_text_shows_its_key_to_players() -> None:
    assert Translator("en")("page.nowhere") == "page.nowhere"


def test_a_missing_text_or_field_raises_where_strict() -> None:
    with pytest.raises(MissingTextError, match=r"page\.nowhere"):
        Translator("en", strict=True)("page.nowhere")
    with pytest.raises(MissingTextError, match="number"):
        Translator("en", strict=True)("goods.some")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(LookupError, match="en, fr"):
        Translator("tlh")


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", ["Red, Blue and Black, each: mines paid 1 silver", "mines paid 2 silver"]),
        ("fr", ["Rouge, Bleu et Noir, chacun\N{NO-BREAK SPACE}: {}", "{}"]),
    ],
)
def test_what_several_players_get_is_written_once(language: str, written: list[str]) -> None:
    translator = Translator(language, strict=True)
    gets = {"red": 1, "blue": 1, "green": 2, "black": 1}
    mines = [
        {"kind": "mines", "player": player, "silver": silver, "workers": 0} for player, silver in gets.items()
    ]
    expected = [
        line.format(translator.event_without_player(mines[i]))
        for line, i in zip(written, (0, 2), strict=True)
    ]
    assert [sentence for sentence, _ in translator.events(mines, own="green")] == expected


def test_what_one_player_does_twice_is_written_twice() -> None:
    sold = {"kind": "mines", "player": "red", "silver": 1, "workers": 0}
    assert len(Translator("en").events([sold, sold])) == 2


def test_a_reason_names_the_mismatches_that_it_is_about(translator: Translator) -> None:
    mismatch = {"code": "gone", "place": "depot:1:0", "tile": "mine", "target": "", "instead": ""}
    assert translator.mismatch(mismatch) in translator.reason("not_done_yet", {"mismatches": [mismatch]})


OF_GAME = re.compile(r"/games/(\w+)/")
"""What belongs to one game."""
TEXT_CALL = re.compile(
    r"""\b(?:t|text|translator|_translator)\(\s*["']([a-z_0-9]+(?:\.[a-z_0-9]+)*\.[a-z_0-9]*[a-z0-9])["']"""
)


def test_every_text_that_code_or_templates_name_is_there(translator: Translator) -> None:
    """Only keys written in full; composed keys are covered by the tests of their texts."""
    named: dict[str, set[str]] = {name: set() for name in plugins()}
    for file in (file for top in ("companion", "web") for file in (CHECKOUT / top).rglob("*.*")):
        if file.suffix in (".py", ".html", ".svg"):
            own = OF_GAME.search(file.as_posix())
            game = own[1] if own else default_plugin().id
            named[game].update(TEXT_CALL.findall(file.read_text(encoding="utf-8")))
    assert sum(map(len, named.values())) > 300
    for game, keys in named.items():
        assert sorted(keys - texts(translator.language, game).keys()) == []


@pytest.mark.parametrize(
    ("actors", "expected"),
    [
        (["red", "blue"], "Red and Blue decide at the same time"),
        (["blue"], "Blue's turn"),
        ([], "Bids are made"),
    ],
)
def test_whose_turn_it_is_names_all_who_decide_or_else_the_stage(actors: list[str], expected: str) -> None:
    with more_games():
        assert Translator("en", "matches").whose_turn({"name": "bid", "actors": actors}) == expected


@pytest.mark.parametrize(
    ("language", "about", "name"),
    [
        ("en", "die:red:1", "Red's second die"),
        ("en", "die:white:0", "the white die"),
        ("fr", "die:red:1", "le deuxième dé de Rouge"),
        ("fr", "die:white:0", "le dé blanc"),
    ],
)
def test_a_die_has_a_name_in_every_game(language: str, about: str, name: str) -> None:
    with more_games():
        t = Translator(language, "matches", strict=True)
        assert t.question({"kind": "die", "about": about, "reason": ""}) == t("question.die", about=about)
        assert name in t("question.die", about=about)


def test_a_colour_of_dice_is_written_in_the_language_in_every_game() -> None:
    with more_games():
        t = Translator("fr", "matches", strict=True)
    assert "dé de couleur blanche" in t.notice({"code": "dice_missing", "colour": "white"})
    assert "dé de couleur orange" in t.notice({"code": "dice_missing", "colour": "orange"})


@pytest.mark.parametrize(
    ("key", "data", "sentences"),
    [
        ("page.points_of", {"player": "red", "points": 1}, ["Red: 1 point.", "Rouge : 1 point."]),
        (
            "reason.wrong_goods_count",
            {"expected": 1, "given": 2},
            ["1 goods tile is needed here, not 2.", "Il faut ici 1 marchandise, pas 2."],
        ),
        (
            "command.unsaved_lost",
            {"count": 1, "file": "x"},
            ["1 entry could not be saved in x, and is lost.", "1 entrée n’a pas pu être enregistrée dans x"],
        ),
    ],
)
def test_one_thing_is_singular_in_every_language(
    key: str, data: dict[str, Any], sentences: list[str]
) -> None:
    for language, sentence in zip(("en", "fr"), sentences, strict=True):
        text = Translator(language, strict=True)(key, **data)
        assert text.replace("\N{NO-BREAK SPACE}", " ").startswith(sentence)
