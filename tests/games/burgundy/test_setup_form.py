"""Who sits at the table: what is proposed, what is chosen on the page, and the set-up that comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.archive import Archive, GameRecord
from companion.games.burgundy.plugin import PLUGIN, burgundy
from companion.games.burgundy.rules.table_rules import OPTIONS
from companion.games.burgundy.setup_form import BurgundySetup
from companion.games.registry import ModuleInfo
from companion.games.setup import SetupFormError, additional_seat, parsed_choice
from companion.players.errors import SetupError
from companion.players.setup import check_new_setup
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from companion.virtual.demo import demo_setup
from tests.archive.test_archive import play
from tests.support.pages import create_app
from tests.support.setup_forms import ANNA, AUTOMA, YVES, choice_of, setup_form_app
from tests.support.sightings import new_session
from web.guard import Guard
from web.single_page import TOKEN_HEADER

RULES = burgundy()
SETUP = PLUGIN.setup


def chosen(*seats: Any, edition: str = "special", **options: Any) -> dict[str, Any]:
    return SETUP.setup(choice_of(*seats, edition=edition, **options))


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> GameRecord:
    folder: Path = tmp_path_factory.mktemp("games")
    play(folder / "one.journal", 1, players=3, names={"red": "Anna", "blue": "Yves"}, chateauma="hard")
    record = Archive(folder).game("one").record
    assert record is not None
    return record


# --- what is proposed -------------------------------------------------------------------------------------


def test_the_first_game_is_proposed_for_two() -> None:
    seats = SETUP.proposal()["seats"]
    assert [(seat["colour"], seat["duchy"]) for seat in seats] == [("red", "se-1"), ("blue", "se-2")]


def test_the_players_of_the_last_game_are_proposed_again(record: GameRecord) -> None:
    seats = SETUP.proposal([record])["seats"]
    assert [(seat["kind"], seat.get("name")) for seat in seats] == [
        ("person", "Anna"),
        ("person", "Yves"),
        ("automa", None),
    ]
    assert (
        seats[2]["level"] == "hard"
        and seats[0]["duchy"] == demo_setup(3, 1, chateauma="hard")["players"][0]["duchy"]
    )


def test_boards_on_the_table_come_before_what_was_played_last(record: GameRecord) -> None:
    seated = [{"colour": "green", "duchy": "se-4"}, {"colour": "red", "duchy": "se-5"}]
    seats = SETUP.proposal([record], {"players": seated})["seats"]
    assert [(seat["colour"], seat["duchy"], seat["name"]) for seat in seats] == [
        ("green", "se-4", ""),
        ("red", "se-5", "Anna"),
    ]


def test_a_duchy_of_another_edition_is_not_proposed(record: GameRecord) -> None:
    proposal = SETUP.proposal([record], options={"edition": "2011"})
    assert proposal["options"]["edition"] == "2011" and proposal["seats"][0]["duchy"] == "2011-1"


def test_one_more_player_has_a_colour_and_a_duchy_of_its_own() -> None:
    more = additional_seat(SETUP.form(), [ANNA, YVES])
    assert (more["colour"], more["duchy"]) == ("green", "se-3")


def test_the_same_game_again_has_the_same_seats_and_options() -> None:
    bot = {"colour": "green", "kind": "bot", "duchy": "se-3"}
    choice = choice_of(YVES, ANNA, bot, AUTOMA, modules=["shields"], castle_action="mandatory")
    setup = SETUP.setup(choice)
    assert SETUP.again(setup) == choice and SETUP.setup(SETUP.again(setup)) == setup


def test_the_same_game_again_leaves_boards_on_the_table_where_they_are() -> None:
    setup = chosen(YVES, ANNA)
    boards = [{"colour": "red", "duchy": "se-5"}, {"colour": "blue", "duchy": "se-6"}]
    seats = SETUP.again(setup, {"edition": "special", "players": boards})["seats"]
    assert [(seat["name"], seat["duchy"]) for seat in seats] == [("Yves", "se-6"), ("Anna", "se-5")]


def test_the_same_game_again_takes_the_players_of_other_boards_on_the_table() -> None:
    boards = [{"colour": "red", "duchy": "se-5"}, {"colour": "green", "duchy": "se-6"}]
    seats = SETUP.again(chosen(YVES, ANNA), {"edition": "special", "players": boards})["seats"]
    assert [(seat["colour"], seat["name"]) for seat in seats] == [("red", "Anna"), ("green", "")]


# --- what is chosen ---------------------------------------------------------------------------------------


def test_a_choice_becomes_a_set_up_that_the_rules_take() -> None:
    bot = {"colour": "green", "kind": "bot", "duchy": "se-3"}
    setup = chosen(ANNA, bot, AUTOMA)
    assert setup["players"] == [
        {"colour": "red", "duchy": "se-1"},
        {"colour": "green", "duchy": "se-3", "bot": "greedy"},
    ]
    assert setup["names"] == {"red": "Anna"}
    assert setup["chateauma"] == {"colour": "black", "level": "hard", "modifiers": ["A"], "pieces": "virtual"}
    assert RULES.new(
        {**setup, "chateauma": demo_setup(2, 1, chateauma="hard")["chateauma"] | {"colour": "black"}}
    )


def test_the_order_is_that_of_the_seats() -> None:
    assert [player["colour"] for player in chosen(YVES, ANNA)["players"]] == ["blue", "red"]


@pytest.mark.parametrize(("modifiers", "place"), [(["A"], 2), (["A", "C"], 0)])
def test_the_chateauma_is_shown_where_it_plays(modifiers: list[str], place: int) -> None:
    seats = SETUP.in_turn_order([ANNA, {**AUTOMA, "modifiers": modifiers}, YVES])
    assert [seat["kind"] for seat in seats].index("automa") == place
    assert [seat["name"] for seat in seats if "name" in seat] == ["Anna", "Yves"]


@pytest.mark.parametrize(
    ("seats", "code"),
    [
        ([ANNA], "seats"),
        ([{**AUTOMA}, {**YVES, "kind": "bot"}], "nobody"),
        ([ANNA, AUTOMA, {**AUTOMA, "colour": "green"}], "too_many_automa"),
        ([ANNA, {**YVES, "colour": "red"}], "same_colour"),
        ([ANNA, {**YVES, "name": " Anna "}], "same_name"),
        ([ANNA, {**YVES, "name": "anna"}], "same_name"),
        ([ANNA, {**YVES, "name": "y" * 21}], "long_name"),
        ([ANNA, {**YVES, "duchy": "2011-1"}], "no_duchy"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_cannot_be_is_refused_with_a_sentence(seats: list[Any], code: str, language: str) -> None:
    with pytest.raises(SetupFormError) as rejected:
        chosen(*seats)
    assert rejected.value.code == code
    assert Translator(language, strict=True)(f"setup_form.{code}", **rejected.value.data)


def test_a_duchy_is_played_by_as_many_as_the_box_holds_of_it() -> None:
    """Four of each in the Special Edition, where beginners all take the same (S239); in 2011 one of most (A50)."""
    assert chosen(ANNA, {**YVES, "duchy": "se-1"})["players"][1]["duchy"] == "se-1"
    with pytest.raises(SetupFormError) as rejected:
        chosen({**ANNA, "duchy": "2011-2"}, {**YVES, "duchy": "2011-2"}, edition="2011")
    assert (rejected.value.code, rejected.value.data) == ("duchy_twice", {"count": 1, "number": "2"})
    for language in LANGUAGES:
        assert Translator(language, strict=True)("setup_form.duchy_twice", **rejected.value.data)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (
            "en",
            "No duchy here is made for this: linked castles. Choose one of 11 to 18, or leave it out.",
        ),
        (
            "fr",
            "Aucun de ces duchés n’est prévu pour ceci\N{NO-BREAK SPACE}: châteaux reliés. Choisissez-en un de 11 "
            "à 18, ou jouez sans.",
        ),
    ],
)
def test_linked_castles_need_a_duchy_that_they_are_made_for(language: str, sentence: str) -> None:
    """S705: the rule applies to duchies 11 to 18 only, so one of them is enough."""
    assert chosen(ANNA, {**YVES, "duchy": "se-11"}, modules=["linked_castles"])["modules"]
    with pytest.raises(SetupFormError) as rejected:
        chosen(ANNA, YVES, modules=["linked_castles"])
    code, data = rejected.value.code, rejected.value.data
    assert Translator(language, "burgundy", strict=True)(f"setup_form.{code}", **data) == sentence


def test_linked_castles_go_with_a_board_of_ones_own() -> None:
    """Its print may have been drawn for them; nobody says so on the page."""
    on_table = {
        "players": [{"colour": "red", "duchy": "se-1"}, {"colour": "blue", "spaces": [["castle", 6]] * 37}]
    }
    choice = parsed_choice(SETUP, choice_of(ANNA, YVES, modules=["linked_castles"]), on_table)
    assert SETUP.setup(choice, on_table)["modules"] == ["linked_castles"]


def test_the_chateauma_plays_in_its_own_edition_only() -> None:
    with pytest.raises(SetupFormError) as rejected:
        chosen({**ANNA, "duchy": "2011-1"}, AUTOMA, edition="2011")
    assert rejected.value.code == "no_automa"


@pytest.mark.parametrize(
    "seats",
    [
        None,
        {},
        [1],
        [ANNA] * 5,
        [{"colour": "pink", "kind": "person", "duchy": "se-1"}],
        [{"colour": "red", "kind": "king"}],
        [{**ANNA, "name": 3}],
        [{**AUTOMA, "modifiers": ["E"]}],
        [{**AUTOMA, "modifiers": [["A"]]}],
        [ANNA, {**AUTOMA, "level": "cruel"}],
    ],
)
def test_what_are_no_seats_is_an_error(seats: Any) -> None:
    with pytest.raises(ValueError):
        SETUP.setup(parsed_choice(SETUP, {"seats": seats}))


def test_a_board_on_the_table_cannot_be_exchanged_on_the_page() -> None:
    spaces = [["castle", 6]] * 37
    on_table = {"players": [{"colour": "red", "duchy": "se-4"}, {"colour": "blue", "spaces": spaces}]}
    red, blue = parsed_choice(SETUP, {"seats": [ANNA, YVES]}, on_table)["seats"]
    assert red["duchy"] == "se-4" and blue["spaces"] == spaces and "duchy" not in blue


def asked_in(edition: str) -> list[str]:
    """Returns the names of the options that are asked for an edition."""
    chosen = {"edition": edition}
    return [option.name for option in SETUP.form(chosen).asked_options(chosen)]


def test_modules_are_chosen_where_they_do_not_come_with_the_edition() -> None:
    assert chosen(ANNA, YVES, modules=["shields"])["modules"] == ["shields"]
    assert "modules" not in chosen(ANNA, YVES, modules=[])
    asked = {edition: asked_in(edition) for edition in ("special", "2011")}
    assert asked == {"special": ["edition", "modules", *OPTIONS], "2011": ["edition", *OPTIONS]}


def test_only_unusual_house_rules_become_part_of_a_set_up() -> None:
    assert "rules" not in chosen(ANNA, YVES, castle_action="optional")
    assert chosen(ANNA, YVES, castle_action="mandatory")["rules"] == {"castle_action": "mandatory"}


def test_the_house_rules_of_an_expansion_are_asked_with_it() -> None:
    def asked(*modules: str) -> set[str]:
        form = SETUP.form({"edition": "special", "modules": list(modules)})
        return {option.name for option in form.options if option.is_table_rule} - set(OPTIONS)

    assert asked() == set() and asked("trade_routes") == {"trade_bonus", "trade_order"}


def test_the_usual_house_rules_are_those_of_the_edition() -> None:
    usual = {o.name: o.usual for o in SETUP.form({"edition": "2011"}).options if o.is_table_rule}
    assert usual == {name: RULES.table_rules_of("2011", {}).to_json()[name] for name in OPTIONS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_house_rule_is_explained_in_a_sentence(language: str) -> None:
    modules = [module.id for module in PLUGIN.modules() if module.is_named]
    t = Translator(language, "burgundy", strict=True)
    form = SETUP.form({"edition": "special", "modules": modules})
    for rule in (option for option in form.options if option.is_table_rule):
        assert t(f"table_rule_help.{rule.name}").endswith(".")
        assert all(t(f"table_rule.{rule.name}_value.{value}") for value in rule.values)


def test_the_page_folds_the_house_rules_away_and_counts_the_unusual_ones() -> None:
    client = setup_form_app([ANNA, YVES]).test_client()
    assert "as usual" in client.get("/?lang=en").get_data(as_text=True)
    token = client.get("/").get_data(as_text=True).split('data-token="')[1].split('"')[0]
    drawn = client.post(
        "/seats?lang=en",
        json=choice_of(ANNA, YVES, castle_action="mandatory"),
        headers={TOKEN_HEADER: token},
    ).get_data(as_text=True)
    assert "1 not as usual" in drawn and "<details" in drawn and "<details open" not in drawn


def test_modules_of_the_special_edition_are_refused_in_the_2011_one() -> None:
    choice = choice_of({**ANNA, "duchy": "2011-1"}, {**YVES, "duchy": "2011-2"}, edition="2011")
    choice["options"]["modules"] = ["shields"]
    with pytest.raises(SetupError, match="edition '2011' has no module shields; leave it out"):
        check_new_setup(burgundy(), SETUP.setup(choice))


def with_modules(*modules: ModuleInfo) -> BurgundySetup:
    return BurgundySetup(
        ("special",),
        lambda edition: {"a": 4, "b": 4},
        lambda: modules,
        lambda module, edition: ["a", "b"],
        lambda edition: SETS,
    )


SETS = {"base": ["a"], "border_posts": ["b"]}


def test_duchies_are_grouped_by_their_set_and_suggest_what_they_are_meant_for() -> None:
    (duchy,) = with_modules(ModuleInfo("border_posts")).form().kind("person").options
    assert duchy.groups == SETS and duchy.suggests == {"b": {"modules": ["border_posts"]}}
    (duchy,) = with_modules().form().kind("person").options
    assert duchy.suggests == {"b": {"modules": []}}


def test_boards_on_the_table_suggest_what_they_are_meant_for_unless_modules_are_named() -> None:
    game = with_modules(ModuleInfo("border_posts"), ModuleInfo("hostels"))
    on_table = {"players": [{"colour": "red", "duchy": "a"}, {"colour": "blue", "duchy": "b"}]}
    assert game.proposal((), on_table)["options"]["modules"] == ["border_posts"]
    named = game.proposal((), on_table, {"modules": ["hostels"]})
    assert named["options"]["modules"] == ["hostels"]


def test_a_module_that_is_not_played_with_the_chateauma_is_refused_with_it() -> None:
    game = with_modules(ModuleInfo("hostels", excludes=["chateauma"]))
    seats = [{**ANNA, "duchy": "a"}, AUTOMA]
    choice = {"options": {"edition": "special", "modules": ["hostels"]}, "seats": seats}
    with pytest.raises(SetupFormError) as refused:
        game.setup(choice)
    assert refused.value.data == {"option": "modules", "values": ["hostels", "automa"]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_module_says_what_it_is(language: str) -> None:
    text = Translator(language, "burgundy", strict=True)
    (modules,) = (option for option in SETUP.form().options if option.name == "modules")
    assert all(text.option_help("modules", module) for module in modules.values)
    assert text.option_help("edition", "special") == ""


# --- the page ---------------------------------------------------------------------------------------------


class SetupForm:
    def __init__(self, seats: Any = (ANNA, YVES), **options: Any) -> None:
        self.begun: list[Any] = []
        self.app = setup_form_app(seats, self._begin, **options)
        self.app.testing = True
        self.client: FlaskClient = self.app.test_client()
        shown = self.client.get("/").get_data(as_text=True)
        self.token = shown.split('data-token="')[1].split('"')[0]

    def _begin(self, game: str, choice: Any) -> None:
        self.begun.append(SETUP.setup(choice))

    def post(self, path: str, *seats: Any, edition: str = "special") -> Any:
        choice = choice_of(*seats, edition=edition)
        return self.client.post(path, json=choice, headers={TOKEN_HEADER: self.token})


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_exists_in_every_language(language: str) -> None:
    """A missing text would raise."""
    shown = SetupForm(seats=(ANNA, YVES, AUTOMA)).client.get(f"/?lang={language}").get_data(as_text=True)
    assert 'value="Anna"' in shown and shown.count('class="seat"') == 3


def test_a_game_begins_with_the_chosen_options() -> None:
    setup_form = SetupForm()
    assert setup_form.post("/begin", YVES, ANNA).status_code == 200
    assert [player["colour"] for player in setup_form.begun[0]["players"]] == ["blue", "red"]


def test_an_impossible_setup_is_rejected_and_can_be_corrected() -> None:
    setup_form = SetupForm()
    rejected = setup_form.post("/begin", ANNA, {**YVES, "colour": "red"})
    assert rejected.status_code == 400 and "Red" in rejected.json["error"]
    assert setup_form.begun == []
    assert setup_form.post("/begin", ANNA, YVES).status_code == 200


def test_one_more_player_is_drawn_and_no_more_than_four() -> None:
    setup_form = SetupForm()
    three = setup_form.post("/seats?more=1", ANNA, YVES).get_data(as_text=True)
    assert three.count('class="seat"') == 3
    four = setup_form.post("/seats?more=1", ANNA, YVES, {**ANNA, "colour": "green"}, AUTOMA).get_data(
        as_text=True
    )
    assert four.count('class="seat"') == 4


def test_another_edition_has_its_own_duchies() -> None:
    shown = SetupForm().post("/seats", ANNA, YVES, edition="2011").get_data(as_text=True)
    assert "/duchy/2011-1.svg" in shown and "/duchy/se-1.svg" not in shown


def test_a_duchy_is_drawn_with_its_37_spaces() -> None:
    view = SetupForm().client.get("/duchy/se-1.svg")
    assert view.mimetype == "image/svg+xml" and view.get_data(as_text=True).count("<polygon") == 37
    assert SetupForm().client.get("/duchy/se-99.svg").status_code == 404


def test_without_the_pages_token_nothing_begins() -> None:
    setup_form = SetupForm()
    answer = setup_form.client.post("/begin", json=choice_of(ANNA, YVES))
    assert answer.status_code == 403 and setup_form.begun == []


@pytest.mark.parametrize(
    "body", [None, [], choice_of(edition="x"), choice_of({"colour": 1}), {"game": "chess"}]
)
def test_garbled_choices_end_in_an_error_of_the_request(body: Any) -> None:
    setup_form = SetupForm()
    for path in ("/begin", "/seats"):
        answer = setup_form.client.post(path, json=body, headers={TOKEN_HEADER: setup_form.token})
        assert 400 <= answer.status_code < 500


def test_a_player_seen_on_the_table_keeps_colour_and_duchy() -> None:
    seated = [{"colour": "red", "duchy": "se-1"}, {"colour": "blue", "duchy": "se-2"}]
    setup_form = SetupForm(on_table={"players": seated})
    shown = setup_form.client.get("/").get_data(as_text=True)
    assert '<select name="duchy"' not in shown and '<select name="colour"' not in shown


def test_the_chateauma_can_join_players_seen_on_the_table() -> None:
    seated = [{"colour": "red", "duchy": "se-1"}]
    setup_form = SetupForm(seats=(ANNA,), on_table={"players": seated})
    more = setup_form.post("/seats?more=1", ANNA).get_data(as_text=True)
    assert more.count('class="seat"') == 2 and 'value="automa"' in more


# --- with a PIN -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_does_not_know_the_pin_sees_that_a_game_is_being_set_up_and_no_names(language: str) -> None:
    shown = SetupForm(pin="2468").client.get(f"/?lang={language}").get_data(as_text=True)
    assert Translator(language)("pin.title") in shown and "Anna" not in shown


def test_who_does_not_know_the_pin_begins_nothing() -> None:
    setup_form = SetupForm(pin="2468")
    for path in ("/seats", "/begin"):
        assert setup_form.post(path, ANNA, YVES).status_code == 403
    assert setup_form.client.get("/duchy/se-1.svg").status_code == 403 and setup_form.begun == []


def test_the_pin_entered_at_the_setup_is_valid_for_the_game_too() -> None:
    setup_form = SetupForm(pin="2468", key=b"k" * 32)
    headers = {TOKEN_HEADER: setup_form.token}
    assert setup_form.client.post("/pin", json={"pin": "1111"}, headers=headers).status_code == 403
    assert setup_form.client.post("/pin", json={"pin": "2468"}, headers=headers).status_code == 200
    assert "Anna" in setup_form.client.get("/").get_data(as_text=True)
    assert setup_form.post("/begin", ANNA, YVES).status_code == 200
    game = create_app(new_session(":memory:"), guarding=Guard(pin="2468"), key=b"k" * 32).test_client()
    cookie = setup_form.client.get_cookie("session")
    assert cookie is not None
    game.set_cookie("session", cookie.value)
    assert Translator("en")("page.looking_on") not in game.get("/?lang=en").get_data(as_text=True)


def test_a_browser_that_waits_sees_when_the_game_begins() -> None:
    """The path of the page before it is not one of the game's."""
    setup_form = SetupForm(pin="2468")
    path = setup_form.client.get("/").get_data(as_text=True).split('data-own-path="')[1].split('"')[0]
    assert setup_form.client.get(path).status_code == 204
    assert create_app(new_session(":memory:")).test_client().get(path).status_code == 404
