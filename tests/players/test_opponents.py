"""Opponents: the companion plays a colour; people move its pieces, and one press confirms its turn."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from flask import Flask

from companion.devtools.benchmarks.referee import play_game
from companion.journal import Journal
from companion.players.bots import BOTS, greedy_bot
from companion.players.errors import SetupError
from companion.players.opponents import Opponents, bots_of, turn_of, with_opponents
from companion.session import CommandRejectedError, TableSession
from companion.text.catalogue import LANGUAGES
from companion.text.narrator import Narrator
from companion.text.translator import Translator
from companion.text.turn_log import TurnLog
from companion.virtual.demo import demo_setup
from companion.virtual.misreadings import NO_MISREADINGS, TYPICAL_MISREADINGS
from tests.support.pages import create_app
from tests.support.present import present
from tests.support.sightings import sighting_of
from tests.support.tables import RULES, Table
from vision.sighting import PlaceReading, Sighting

PEOPLE = {"edition": "special", "players": [{"colour": c, "duchy": "se-1"} for c in ("red", "blue", "green")]}
MOVED = ("take", "place", "buy")
"""Moves that anybody can see on the boards."""


class Sparring(Table):
    """Red is a person, Blue is played by the companion; people make its turn, or another one."""

    def __init__(self, path: Any = ":memory:", seed: int = 3, bot: str = "greedy") -> None:
        super().__init__(path, seed=seed, bots={"blue": bot})
        self.set_up()

    @property
    def bot_turn(self) -> tuple[Any, ...]:
        return self.session.bot_turn

    def until(self, fits: Callable[[tuple[Any, ...]], bool]) -> Sparring:
        """Plays by taps until the bot chooses such a turn, then observes the table before it."""
        for _ in range(400):
            if self.state.stage == "turn" and self.state.player.colour == "blue" and fits(self.bot_turn):
                self.look()
                return self
            self.play(1)
            if self.state.stage == "over":
                break
        pytest.fail("no such turn in this game")

    def do(self, moves: Any) -> None:
        """Makes *moves* on the table, and observes it."""
        for move in moves:
            RULES.apply(self.state, move)
        self.look()

    def another_turn(self) -> list[Any]:
        """Returns a legal turn that moves other tiles than the bot's turn."""
        bot_turn = {str(move).split(" die")[0] for move in self.bot_turn}
        for seed in range(100):
            moves: list[Any] = []
            rng, here = random.Random(seed), self.state.copy()
            while not moves or not moves[-1].ends_turn:
                moves.append(rng.choice(RULES.legal_moves(here)))
                RULES.apply(here, moves[-1])
            takes = [m for m in moves if m.word == "take"]
            if len(takes) == 2 and not any(str(m).split(" die")[0] in bot_turn for m in takes):
                return moves
        pytest.fail("no such turn here")

    @property
    def in_sync(self) -> bool:
        return bool(self.session.state.state_hash() == self.state.state_hash())


def moves_tiles(bot_turn: tuple[Any, ...]) -> bool:
    return sum(move.word in MOVED for move in bot_turn) >= 2


@pytest.fixture
def sparring() -> Sparring:
    return Sparring().until(moves_tiles)


# --- scripted turns --------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_bot_turn_is_legal_to_its_end(players: int, bot: str) -> None:
    setup = demo_setup(players, players, opponents=(bot,) * (players - 1))
    opponents, rng, person = Opponents(RULES, setup), random.Random(players), greedy_bot(players)
    state: Any = RULES.new(setup)
    turns = 0
    while not RULES.is_over(state):
        state = state.copy()
        if event := RULES.sample_chance(state, rng):
            RULES.apply(state, event)
            continue
        player, bot_turn = RULES.to_move(state), opponents.turn(state)
        assert bool(bot_turn) == (player in opponents.bots)
        for move in bot_turn or [person(RULES, state)]:
            assert RULES.to_move(state) == player
            RULES.play(state, move)
        if bot_turn:
            assert [RULES.ends_turn(move) for move in bot_turn].count(True) == 1 and bot_turn[-1].ends_turn
            turns += 1
    assert turns == 25 * (players - 1)


def test_the_bot_turn_is_the_same_after_a_restart(tmp_path: Any) -> None:
    sparring = Sparring(tmp_path / "game.journal").until(moves_tiles)
    bot_turn, start = sparring.bot_turn, sparring.session.entries()[0]
    sparring.session.journal.close()
    again = TableSession(RULES, Journal(tmp_path / "game.journal"))
    assert again.bot_turn == bot_turn and again.entries()[0] == start


def test_a_bot_turn_is_computed_once_for_many_sightings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thought: list[int] = []

    def counting(seed: int) -> Any:
        thought.append(seed)
        return greedy_bot(seed)

    monkeypatch.setitem(BOTS, "greedy", counting)
    sparring = Sparring().until(moves_tiles)
    before = len(thought)
    for _ in range(3):
        sparring.look()
        sparring.session.snapshot()
    assert len(thought) == before > 0


def test_a_bot_turn_ends_where_chance_decides() -> None:
    class Drawing:
        """Rules in which a tile is drawn after the first move of a turn."""

        def to_move(self, state: list[str]) -> str | None:
            return None if state == ["take"] else "blue"

        def legal_moves(self, state: list[str]) -> list[str]:
            return [] if state == ["take"] else ["take", "end"]

        def ends_turn(self, move: str) -> bool:
            return move == "end"

        def apply(self, state: list[str], move: str) -> list[Any]:
            state.append(move)
            return []

    rules: Any = Drawing()
    assert turn_of(rules, [], lambda rules, state: rules.legal_moves(state)[0]) == ("take",)


def test_the_choice_at_set_up_stays_while_others_choose() -> None:
    table = Table(colours=("red", "blue", "green"), bots={"blue": "greedy", "green": "random"})
    steps = present(table.session.snapshot()["bot_turn"])["steps"]
    assert [(s["move"]["word"], s["move"]["player"]) for s in steps] == [
        ("castle", "blue"),
        ("castle", "green"),
    ]
    table.session.tap("castle red 6")
    assert present(table.session.snapshot()["bot_turn"])["steps"] == steps
    table.session.tap(steps[0]["move"]["text"])
    assert present(table.session.snapshot()["bot_turn"])["steps"] == steps[1:]


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        ({"blue": "clever"}, "there is no bot 'clever' to play blue: choose from random, lively, greedy"),
        ({"black": "greedy"}, "nobody plays black: an opponent can be red or blue or green"),
        ({"blue": ["greedy"]}, r"players\[1\].bot: should be a text"),
        (dict.fromkeys(("red", "blue", "green"), "greedy"), "leave at least one player to people"),
    ],
)
def test_an_impossible_opponent_is_rejected_with_the_remedy(bots: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SetupError, match=sentence):
        with_opponents(PEOPLE, bots)


def test_the_opponents_are_in_the_journal(tmp_path: Any) -> None:
    Sparring(tmp_path / "game.journal", bot="random").session.journal.close()
    again = TableSession(RULES, Journal(tmp_path / "game.journal"))
    assert bots_of(again.setup) == again.snapshot()["opponents"] == {"blue": "random"}


# --- how it is confirmed -----------------------------------------------------------------------------------


def test_a_press_before_anything_is_done_is_rejected(sparring: Sparring) -> None:
    with pytest.raises(CommandRejectedError, match="not_done_yet"):
        sparring.session.confirm()


def test_a_second_press_confirms_a_turn_that_is_not_seen(sparring: Sparring) -> None:
    bot_turn = sparring.bot_turn
    with suppress(CommandRejectedError):
        sparring.session.confirm()
    sparring.session.confirm()
    assert sparring.session.entries()[-1].moves == bot_turn


def test_a_bot_turn_that_is_seen_done_is_confirmed_by_one_press(sparring: Sparring) -> None:
    bot_turn = sparring.bot_turn
    sparring.do(bot_turn)
    sparring.session.confirm()
    assert sparring.in_sync and sparring.session.entries()[-1].moves == bot_turn


def idle(seed: int) -> Any:
    """A bot that takes workers, which the camera does not see."""
    return lambda rules, state: min(
        rules.legal_moves(state), key=lambda move: (move.word != "workers", str(move))
    )


def wasteful(seed: int) -> Any:
    """A bot that takes tiles and pays for them with as many workers as it can."""

    def choose(rules: Any, state: Any) -> Any:
        moves = rules.legal_moves(state)
        takes = [move for move in moves if move.word == "take" and len(state.player.dice) == 2]
        return max(takes, key=lambda move: move.workers) if takes else moves[-1]

    return choose


def test_an_unobservable_bot_turn_is_confirmed_by_one_press(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(BOTS, "idle", idle)
    sparring = Sparring(bot="idle").until(bool)
    assert [move.word for move in sparring.bot_turn] == ["workers", "workers", "end"]
    sparring.do(sparring.bot_turn)
    sparring.session.confirm()
    assert sparring.in_sync


def test_of_turns_that_look_the_same_the_bot_turn_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The camera does not see which die was used; without a bot's turn, the cheaper way is recorded."""
    monkeypatch.setitem(BOTS, "wasteful", wasteful)
    sparring = Sparring(bot="wasteful").until(
        lambda bot_turn: bot_turn[0].word == "take" and bot_turn[0].workers > 0
    )
    sparring.do(sparring.bot_turn)
    assert sparring.session.status == "proposal"
    sparring.session.confirm()
    assert sparring.in_sync


def test_another_turn_is_recorded_only_after_an_answer(sparring: Sparring) -> None:
    entries = len(sparring.session.entries())
    moves = sparring.another_turn()
    sparring.do(moves)
    sparring.session.confirm()
    question = sparring.session.question
    assert question is not None and question.reason == "differs_from_bot_turn"
    assert len(sparring.session.entries()) == entries
    sparring.session.confirm()
    assert len(sparring.session.entries()) == entries + 1
    takes = [str(move).split(" die")[0] for move in moves if move.word == "take"]
    recorded = [str(move).split(" die")[0] for move in sparring.session.entries()[-1].moves]
    assert set(takes) <= set(recorded)


def test_one_press_records_only_the_bot_turn() -> None:
    """Whatever is on the table instead, half a turn or another one, and although a sale could not be seen."""
    sparring, rng, other = Sparring(seed=6), random.Random(6), BOTS["random"](6)
    asked = 0
    for _ in range(16):
        sparring.until(bool)
        here, entries, bot_turn = sparring.state.copy(), len(sparring.session.entries()), sparring.bot_turn
        while RULES.to_move(here) == "blue" and rng.random() < 0.8:
            RULES.apply(here, other(RULES, here))
        sighting = sighting_of(RULES, here, sparring.dice)
        hidden = {f"goods:blue:{i}": PlaceReading({}, hidden=True) for i in range(3)}
        sparring.session.observe(Sighting({**sighting.places, **hidden}, sighting.dice))
        with suppress(CommandRejectedError):
            sparring.session.confirm()
        assert [entry.moves for entry in sparring.session.entries()[entries:]] in ([], [bot_turn])
        asked += sparring.session.question is not None
        if len(sparring.session.entries()) == entries:
            sparring.look()
            sparring.do(bot_turn)
            sparring.session.confirm()
        else:
            sparring.state = sparring.session.state.copy()
        assert sparring.in_sync
        if sparring.state.stage == "over":
            break
    assert asked > 2


def test_another_turn_is_chosen_by_a_tap_and_confirmed(sparring: Sparring) -> None:
    sparring.do(sparring.another_turn())
    sparring.session.confirm()
    sparring.session.answer("turn", present(sparring.session.question).options[0].value)
    sparring.session.confirm()
    assert sparring.session.entries()[-1].player == "blue"


def test_a_corrected_mismatch_leads_to_the_bot_turn(sparring: Sparring) -> None:
    before, bot_turn = sparring.state.copy(), sparring.bot_turn
    sparring.do(sparring.another_turn())
    sparring.session.confirm()
    sparring.state = before
    sparring.do(bot_turn)
    assert sparring.session.question is None
    sparring.session.confirm()
    assert sparring.in_sync


def test_a_press_during_movement_does_not_record_a_mismatch(sparring: Sparring) -> None:
    entries = len(sparring.session.entries())
    sparring.session.confirm(settled=False)
    sparring.do(sparring.another_turn())
    assert sparring.session.status == "asking" and len(sparring.session.entries()) == entries


def test_a_press_during_movement_records_the_bot_turn(sparring: Sparring) -> None:
    sparring.session.confirm(settled=False)
    sparring.do(sparring.bot_turn)
    assert sparring.in_sync


def test_without_a_camera_one_press_confirms(sparring: Sparring) -> None:
    sparring.session.watch(dice=False, boards=False)
    bot_turn = sparring.bot_turn
    assert sparring.session.snapshot()["notice"] is None
    sparring.session.confirm()
    assert sparring.session.entries()[-1].moves == bot_turn


def test_a_bot_turn_is_confirmed_by_one_press_where_only_duchies_are_watched(sparring: Sparring) -> None:
    sparring.do(sparring.bot_turn)
    places = sighting_of(RULES, sparring.state, sparring.dice).places
    sparring.session.observe(Sighting({name: r for name, r in places.items() if name.startswith("duchy")}))
    sparring.session.confirm()
    assert sparring.in_sync


def test_any_players_button_confirms_a_bot_turn(sparring: Sparring) -> None:
    sparring.do(sparring.bot_turn)
    sparring.session.confirm(player="red")
    assert sparring.in_sync


def test_an_undone_bot_turn_is_chosen_again(sparring: Sparring) -> None:
    before, bot_turn = sparring.state.copy(), sparring.bot_turn
    sparring.do(bot_turn)
    sparring.session.confirm()
    sparring.session.undo()
    sparring.state = before
    assert sparring.in_sync and sparring.bot_turn == bot_turn


def test_another_turn_can_be_entered_by_hand(sparring: Sparring) -> None:
    moves = sparring.another_turn()
    for move in moves:
        sparring.session.tap(str(move))
    assert sparring.session.entries()[-1].moves == tuple(moves)


@pytest.mark.parametrize(
    ("players", "noise", "chateauma"), [(2, TYPICAL_MISREADINGS, None), (3, NO_MISREADINGS, "easy")]
)
def test_a_complete_game_ends_as_played(players: int, noise: Any, chateauma: str | None) -> None:
    game = play_game(players, players, noise, chateauma=chateauma, opponents=("greedy",))
    assert (game.wrong, game.differences, game.stuck) == (0, (), "")


# --- announcements -----------------------------------------------------------------------------------------


def shown(session: TableSession, language: str = "en") -> str:
    app: Flask = create_app(session)
    app.testing = True
    return app.test_client().get(f"/table?lang={language}").get_data(as_text=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_lists_the_steps_and_marks_the_places(sparring: Sparring, language: str) -> None:
    page, translator = (
        shown(sparring.session, language),
        Translator(language, view=RULES.view(sparring.state)),
    )
    for move in sparring.bot_turn[:-1]:
        assert translator.move(RULES.describe(move)) in page
    assert translator("page.opponent_turn", player="blue") in page
    marked = [move for move in sparring.bot_turn if move.word in MOVED]
    assert page.count(" arrives") + page.count(" leaves") == len(marked)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_player_panel_names_the_bot(sparring: Sparring, language: str) -> None:
    page, translator = shown(sparring.session, language), Translator(language)
    blue = page[page.index('id="player-blue"') :]
    assert translator("page.opponent", bot="greedy") in blue
    assert translator("page.opponent", bot="greedy") not in page[: page.index('id="player-blue"')]


def test_steps_that_are_seen_are_ticked_off_and_a_mismatch_is_named(sparring: Sparring) -> None:
    moves = [move for move in sparring.another_turn() if move.word == "take"]
    sparring.do([move for move in sparring.bot_turn if move.word in MOVED][:1])
    assert shown(sparring.session).count('class="seen"') == 1
    assert 'class="breach"' not in shown(sparring.session)
    here = sparring.state.copy()
    sparring.do(move for move in moves if RULES.validate(here, move) is None)
    assert 'class="breach"' in shown(sparring.session)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_voice_gives_no_coordinates_and_no_payment(language: str) -> None:
    sparring, translator = Sparring(seed=8), Translator(language, strict=True)
    while sparring.state.stage != "over":
        sparring.play(1)
        for move in sparring.bot_turn:
            sentence = translator.spoken_move(RULES.describe(move))
            assert not re.search(r"[+×()/_]|\brow\b|rangée|\b(with|avec)\b", sentence), sentence


def test_the_voice_announces_the_first_steps(sparring: Sparring) -> None:
    announcement = Narrator(sparring.session, TurnLog(sparring.session)).latest()
    sentence = announcement.text(Translator("en", view=announcement.view))
    first = Translator("en").spoken_move(RULES.describe(sparring.bot_turn[0]))
    assert sentence.startswith(f"For Blue: {first}")
