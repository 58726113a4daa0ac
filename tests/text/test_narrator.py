"""Announcements: everything once, in order, in a few sentences that a person would say."""

from __future__ import annotations

import queue
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from companion.games.burgundy.narration import NARRATION
from companion.games.registry import rules_of
from companion.games.text import MAX_SENTENCES
from companion.journal import Journal
from companion.session import ASKING, STATUSES, CommandRejectedError, TableSession
from companion.text.catalogue import LANGUAGES
from companion.text.narrator import Narrator, speak_announcements
from companion.text.sentences import sentences
from companion.text.translator import Translator
from companion.text.turn_log import LoggedMove, TurnEntry, TurnLog
from companion.text.update import AWAITED, Update, differing_fields
from tests.support.other_games import more_games
from tests.support.tables import RULES, Table, at_dice, over, unexplained, watching, with_proposal

NBSP = "\N{NO-BREAK SPACE}"


class Listener:
    """Hears what is new at a table, as one who asks again and again."""

    def __init__(self, table: Table) -> None:
        self._announcer = Narrator(table.session, TurnLog(table.session))
        self._last_number = 0

    def next_text(self, language: str = "en") -> str:
        """What is new since the last time, nothing when there is no new announcement."""
        announcement = self._announcer.latest()
        if announcement.number == self._last_number:
            return ""
        self._last_number = announcement.number
        return announcement.text(Translator(language, view=announcement.view, strict=True))


@pytest.fixture
def table() -> Table:
    return Table()


def step(*events: Mapping[str, Any], **move: Any) -> LoggedMove:
    return LoggedMove(
        {"word": events[0]["kind"], **move}, tuple({"player": None, "points": 0, **e} for e in events)
    )


def turn(player: str, *moves: Sequence[Mapping[str, Any]]) -> TurnEntry:
    """A turn of *player*, by the events of each move."""
    steps = [step(*({"player": player, **event} for event in events)) for events in moves]
    return TurnEntry(1, player, tuple(steps))


def news(*turn_entries: TurnEntry, **new: Any) -> Update:
    """An update after which Blue is to move."""
    view = {"to_move": "blue", "players": []}
    snapshot: dict[str, Any] = {
        "status": "watching",
        "view": view,
        "question": None,
        "rejection": None,
        "mismatches": [],
        "bot_turn": None,
        "opponents": {},
    }
    return Update((), turn_entries, **{"snapshot": snapshot, **NOTHING_ELSE, **new})


NOTHING_ELSE: dict[str, Any] = {
    "is_awaited_new": True,
    "is_rejection_new": False,
    "winner": None,
    "differing_fields": frozenset(),
}


def spoken(given: Update, language: str = "en") -> str:
    return " ".join(sentences(given, Translator(language, view=given.snapshot["view"], strict=True)))


def roll_with_a_face_hidden(table: Table) -> None:
    """Shows the session a roll of whose first die the top cannot be seen."""
    table.deal()
    table.dice = (replace(table.dice[0], value=None, reason="hidden"), *table.dice[1:])
    table.look()


def placed(tile: str, *more: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"kind": "place", "tile": tile, "space": 3}, *more]


def area(points: int, size: int = 3, colour: str = "ship") -> dict[str, Any]:
    return {"kind": "area", "points": points, "colour": colour, "size": size}


TAKEN = [{"kind": "take", "tile": "mine", "depot": 5}]
SOLD = [{"kind": "sell", "points": 4, "count": 2, "goods": 6, "silver": 1, "workers": 0}]


# --- in words ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Red placed the ship and completed a harbour of 3: 12 points. Blue's turn."),
        (
            "fr",
            f"Rouge place le navire et complète un secteur de navires de 3{NBSP}: 12 points. Au tour de Bleu.",
        ),
    ],
)
def test_a_move_is_announced_with_its_points_and_who_is_next(language: str, expected: str) -> None:
    turn_entry = turn("red", placed("ship", {"kind": "advance"}, area(12)))
    assert spoken(news(turn_entry), language) == expected


@pytest.mark.parametrize(
    ("language", "expected"), [("en", "For Blue: end the turn."), ("fr", f"Pour Bleu{NBSP}: finir le tour.")]
)
def test_the_end_of_a_turn_is_announced_if_a_bot_only_ends_it(language: str, expected: str) -> None:
    bot_turn = {"player": "blue", "steps": [{"move": {"word": "end", "text": "end"}}]}
    snapshot = {**news().snapshot, "bot_turn": bot_turn, "opponents": {"blue": "greedy"}}
    assert spoken(news(snapshot=snapshot), language) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Red placed the bank, received 2 silver and took the mine from depot 5."),
        ("fr", "Rouge place la banque, reçoit 2 pièces d’argent et prend la mine au dépôt 5."),
    ],
)
def test_moves_without_points_share_a_sentence(language: str, expected: str) -> None:
    paid = {"kind": "silver", "silver": 2, "workers": 0}
    given = news(turn("red", placed("building/bank", paid), TAKEN), is_awaited_new=False)
    assert spoken(given, language) == expected


@pytest.mark.parametrize(
    ("points", "expected"), [(1, "placed the ship: 1 point."), (2, "placed the ship: 2 points.")]
)
def test_one_point_is_singular(points: int, expected: str) -> None:
    herd = {"kind": "livestock", "points": points, "animal": "cow", "tiles": 1}
    assert expected in spoken(news(turn("red", placed("ship", herd))))


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            "Red placed the ship and completed a harbour of 3: 12 points. "
            "Red took the mine from depot 5 and placed the mine, and 4 points more. Blue's turn.",
        ),
        (
            "fr",
            f"Rouge place le navire et complète un secteur de navires de 3{NBSP}: 12 points. "
            "Rouge prend la mine au dépôt 5 et place la mine, et 4 points de plus. Au tour de Bleu.",
        ),
    ],
)
def test_of_a_long_turn_the_points_that_do_not_fit_are_summed_up(language: str, expected: str) -> None:
    turn_entry = turn("red", placed("ship", area(12)), TAKEN, placed("mine"), SOLD)
    assert spoken(news(turn_entry), language) == expected


def test_of_a_long_turn_moves_without_points_that_do_not_fit_are_counted() -> None:
    turn_entry = turn("red", placed("ship"), TAKEN, placed("mine"), TAKEN, placed("mine"), TAKEN)
    assert "and placed the mine and" not in spoken(news(turn_entry))
    assert ", and 2 more moves. Blue's turn." in spoken(news(turn_entry))


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (
            "en",
            "Red placed the ship. "
            "Blue received a worker for those of another player, with shield 2. Blue's turn.",
        ),
        (
            "fr",
            "Rouge place le navire. "
            "Bleu reçoit un ouvrier pour ceux d’un autre joueur, avec le bouclier 2. Au tour de Bleu.",
        ),
    ],
)
def test_what_another_player_gets_by_a_move_is_said_of_that_player(language: str, expected: str) -> None:
    gained = {"kind": "worker_from_others", "player": "blue"}
    assert spoken(news(turn("red", placed("ship", gained))), language) == expected


def test_dice_left_unused_are_announced() -> None:
    end = [{"kind": "turn_end", "unused": [3]}]
    assert spoken(news(turn("red", TAKEN, end))).startswith(
        "Red took the mine from depot 5 and left a die unused."
    )


def test_what_a_player_pays_for_a_castle_is_no_gain() -> None:
    moves: list[dict[str, Any]] = [{"kind": "pay_points", "points": -5}, {"kind": "recover"}]
    assert spoken(news(turn("red", moves))).startswith(
        "Red paid 5 points and both dice and took back a castle that was set aside. "
    )


def test_the_mines_of_all_players_share_a_sentence() -> None:
    mines: list[dict[str, Any]] = [
        {"kind": "mines", "player": p, "silver": s, "workers": w}
        for p, s, w in (("red", 2, 1), ("blue", 1, 0))
    ]
    end = [{"kind": "turn_end", "unused": []}, *mines]
    assert "The mines pay Red 2 silver and 1 worker, Blue 1 silver. " in spoken(news(turn("red", TAKEN, end)))


def test_the_start_of_all_players_shares_a_sentence() -> None:
    dealt = [step({"kind": "start_goods", "player": p, "goods": [1, 2, 4]}) for p in ("red", "blue")]
    castles = [step({"kind": "start_castle", "player": p, "space": 3}) for p in ("red", "blue")]
    turn_entry = TurnEntry(1, None, (*castles, *dealt))
    assert spoken(news(turn_entry, is_awaited_new=False)) == (
        "Dealt at the start: Red goods 1, 2 and 4, Blue goods 1, 2 and 4."
    )


@pytest.mark.parametrize(
    ("fields", "language", "expected"),
    [
        ({"workers"}, "en", "Question: how many workers did Blue spend?"),
        ({"workers"}, "fr", f"Question{NBSP}: combien d’ouvriers a dépensés Bleu{NBSP}?"),
        ({"die"}, "en", "Question: which die did Blue use?"),
        ({"kinds"}, "en", "Question: which goods did Blue load?"),
        (set(), "en", "Question: what did Blue do?"),
        (set(), "fr", f"Question{NBSP}: qu’a fait Bleu{NBSP}?"),
    ],
)
def test_a_question_about_a_turn_asks_for_what_would_answer_it(
    fields: set[str], language: str, expected: str
) -> None:
    question = {"kind": "moves", "about": "turn", "options": [], "reason": ""}
    snapshot = {**news().snapshot, "status": "asking", "question": question}
    assert spoken(news(snapshot=snapshot, differing_fields=frozenset(fields)), language) == expected


def test_starting_goods_that_are_asked_about_are_those_of_a_player() -> None:
    options = [{"value": "start-goods red 1,2,3"}, {"value": "start-goods red 1,2,4"}]
    question = {"kind": "moves", "about": "start:red", "options": options, "reason": ""}
    snapshot = {**news().snapshot, "status": "asking", "question": question}
    asked = spoken(news(snapshot=snapshot, differing_fields=differing_fields(RULES, question)))
    assert asked == "Question: which goods was Red dealt?"


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "What is here: shields of depot 5, first place?"),
        ("fr", f"Qu’y a-t-il ici{NBSP}: boucliers du dépôt 5, premier emplacement{NBSP}?"),
    ],
)
def test_a_question_about_one_shield_of_a_layout_names_its_place(language: str, asked: str) -> None:
    question = {"kind": "place", "about": "shields:5:0", "options": [], "reason": ""}
    assert Translator(language, "burgundy", strict=True).question(question) == asked


def test_a_space_that_is_asked_about_is_announced_without_coordinates() -> None:
    question = {"kind": "place", "about": "duchy:red:7", "options": []}
    snapshot = {**news().snapshot, "status": "asking", "question": question}
    assert spoken(news(snapshot=snapshot)) == "Question: what is on the marked space of Red's duchy?"


@pytest.mark.parametrize(
    ("turns", "field"),
    [
        (("take mine 5.0 die 3 workers 1; end", "take mine 5.0 die 3 workers 2; end"), "workers"),
        (("take mine 5.0 die 5; end", "take mine 5.0 die 4 workers 1; end"), "die"),
        (("goods 3 1,2; end", "goods 4 1,3; end"), "kinds"),
        (("take mine 5.0 die 5; end", "end"), ""),
        (("take mine 5.0 die 5; end", "take ship 5.1 die 5; end"), ""),
    ],
)
def test_what_distinguishes_turns_is_found(turns: tuple[str, ...], field: str) -> None:
    options = [{"value": text} for text in turns]
    fields = differing_fields(RULES, {"about": "turn", "options": options, "reason": ""})
    assert NARRATION.distinguishing_fields.get(fields, "") == field


# --- at a table -------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("colours", [("red", "blue"), ("red", "blue", "green", "black")])
def test_a_complete_game_is_announced_in_short_sentences_without_signs(
    language: str, colours: tuple[str, ...]
) -> None:
    table = Table(colours=colours)
    listener = Listener(table)
    announcements = [listener.next_text(language)]
    table.set_up()
    while table.state.stage != "over":
        for move in [table.deal()] if table.state.stage in ("fill", "roll") else table.turn():
            table.session.tap(str(move))
        announcements.append(listener.next_text(language))
    assert all(announcements)
    assert all(len(re.findall(r"[.?!](?: |$)", text)) <= MAX_SENTENCES for text in announcements)
    assert [text for text in announcements if re.search(r"[+×()/_]|\brow\b|rangée", text)] == []


def test_the_first_look_announces_only_what_is_awaited(table: Table) -> None:
    watching(table)
    assert Listener(table).next_text() == "Blue's turn."


def test_nothing_new_is_not_announced_again(table: Table) -> None:
    watching(table)
    listener = Listener(table)
    listener.next_text()
    table.look()
    assert listener.next_text() == ""


def test_a_turn_and_the_roll_after_it_are_both_announced(table: Table) -> None:
    table.set_up().play(1)
    listener = Listener(table)
    listener.next_text()
    table.play(1)
    text = listener.next_text()
    assert text.startswith("Blue ")
    assert re.search(
        r"Phase A, round 2: Red \d and \d, Blue \d and \d, white \d, goods \d to depot \d\. Red's turn\.$",
        text,
    )


def test_the_points_of_many_unannounced_turns_are_summed_up(table: Table) -> None:
    table.set_up().play(0)
    listener = Listener(table)
    listener.next_text()
    table.play(12)
    scores = {p.colour: p.score for p in table.session.state.players}
    assert listener.next_text().startswith(
        f"Before that: Red {scores['red']} points, Blue {scores['blue']} points. "
    )


def test_what_is_awaited_can_be_announced_in_every_status() -> None:
    assert set(AWAITED) | {ASKING} == set(STATUSES)


def test_a_proposal_is_not_announced(table: Table) -> None:
    watching(table)
    listener = Listener(table)
    listener.next_text()
    table.turn()
    table.look()
    assert table.session.status == "proposal"
    assert listener.next_text() == ""


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "Phase A begins. Roll the dice."), ("fr", "La phase A commence. Lancez les dés.")],
)
def test_a_phase_begins(table: Table, language: str, expected: str) -> None:
    table.set_up()
    listener = Listener(table)
    listener.next_text()
    table.session.tap(str(table.deal()))
    assert listener.next_text(language) == expected


@pytest.mark.parametrize(
    ("language", "expected"), [("en", "Blue's turn is taken back."), ("fr", "Le tour de Bleu est annulé.")]
)
def test_undo_announces_whose_turn_is_undone(table: Table, language: str, expected: str) -> None:
    with_proposal(table)
    table.session.confirm()
    listener = Listener(table)
    listener.next_text()
    table.session.undo()
    assert listener.next_text(language) == expected


def test_a_turn_that_is_undone_and_confirmed_again_is_announced_again(table: Table) -> None:
    with_proposal(table)
    listener = Listener(table)
    listener.next_text()
    table.session.confirm()
    text = listener.next_text()
    table.session.undo()
    listener.next_text()
    table.session.confirm()
    assert listener.next_text() == text


def test_undo_announces_that_a_set_up_step_is_undone(table: Table) -> None:
    at_dice(table)
    listener = Listener(table)
    listener.next_text()
    table.session.undo()
    assert listener.next_text() == "Taken back: laying out tiles."


def test_a_corrected_roll_is_announced_again_and_nothing_is_undone(table: Table) -> None:
    table.set_up().play(0)
    listener = Listener(table)
    listener.next_text()
    table.session.correct_die("blue:1", 6)
    text = listener.next_text()
    assert "and 6, white" in text and "Taken back" not in text


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Question: what does Red's first die show?"),
        ("fr", f"Question{NBSP}: que montre le premier dé de Rouge{NBSP}?"),
    ],
)
def test_a_question_is_asked(table: Table, language: str, expected: str) -> None:
    at_dice(table)
    listener = Listener(table)
    listener.next_text()
    roll_with_a_face_hidden(table)
    assert listener.next_text(language) == expected


def test_a_question_is_asked_once_though_the_reading_wavers(table: Table) -> None:
    watching(table)
    listener = Listener(table)
    listener.next_text()
    table.session.confirm()
    assert listener.next_text() == "Question: what did Blue do?"
    table.look()
    assert table.session.status == "asking"
    assert listener.next_text() == ""


def test_what_fits_no_turn_is_announced(table: Table) -> None:
    unexplained(table)
    assert Listener(table).next_text() == "What is on the table fits no legal turn."


def test_a_rejection_is_announced(table: Table) -> None:
    at_dice(table)
    listener = Listener(table)
    listener.next_text()
    with pytest.raises(CommandRejectedError):
        table.session.confirm()
    assert listener.next_text() == "Nothing to confirm yet: roll the dice first."


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_end_announces_the_final_scoring_and_the_winner(table: Table, language: str) -> None:
    listener = Listener(table)
    listener.next_text()
    over(table)
    winner = RULES.ranking(table.session.state)[0]
    score = next(p.score for p in table.session.state.players if p.colour == winner)
    translator = Translator(language)
    text = listener.next_text(language)
    assert text.endswith(translator("spoken.over", player=winner, points=score))
    assert translator("spoken.all.final", amounts="") in text


def test_points_tiles_of_the_final_scoring_are_not_the_last_players_doing() -> None:
    final: list[dict[str, Any]] = [{"kind": "final", "player": "blue", "points": 9, "source": "silver_left"}]
    tile: list[dict[str, Any]] = [{"kind": "points_tile", "player": "blue", "shows": 100}]
    end: list[dict[str, Any]] = [{"kind": "turn_end", "unused": []}, *final, *tile]
    assert spoken(news(turn("red", TAKEN, end))) == (
        "Red took the mine from depot 5. Final scoring: Blue 9 points. Blue's turn."
    )


# --- aloud ------------------------------------------------------------------------------------------------


def test_all_that_is_new_is_spoken(table: Table) -> None:
    with_proposal(table)
    announcements: queue.Queue[str] = queue.Queue()
    narrator = Narrator(table.session, TurnLog(table.session))
    with speak_announcements(table.session, narrator, "fr", announcements.put):
        assert announcements.get(timeout=5) == "Au tour de Bleu."
        table.session.confirm()
        assert announcements.get(timeout=5).startswith("Bleu ")
        table.session.undo()
        assert announcements.get(timeout=5) == "Le tour de Bleu est annulé."
    table.session.confirm()
    assert announcements.empty()


def test_announcements_end_without_waiting_for_the_next_change(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.text.narrator.LOOK_S", 60.0)
    with_proposal(table)
    announcements: queue.Queue[str] = queue.Queue()
    narrator = Narrator(table.session, TurnLog(table.session))
    started = time.monotonic()
    with speak_announcements(table.session, narrator, "en", announcements.put):
        announcements.get(timeout=5)
    assert time.monotonic() - started < 30


def test_a_decision_that_several_make_at_once_is_announced_once_and_without_their_secrets() -> None:
    setup = {"game": "matches", "players": [{"colour": "red"}, {"colour": "blue"}], "told": []}
    with more_games():
        session = TableSession(rules_of(setup), Journal(":memory:"), setup)
        narrator = Narrator(session, TurnLog(session))
        announced = [narrator.latest().text(Translator("en", "matches"))]
        session.tap("bid red 3", "red")
        announced.append(narrator.latest().text(Translator("en", "matches")))
    assert announced[0] == "Red and Blue decide at the same time."
    assert announced[1].endswith("Blue's turn.") and "3" not in announced[1]
