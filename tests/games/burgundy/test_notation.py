"""The notation of moves: what is written is read back, and what is not a move is refused in words."""

from __future__ import annotations

import re

import pytest

from companion.games.burgundy.modules.chateauma.own_roll import OwnRoll
from companion.games.burgundy.modules.chateauma.reveal_card import RevealCard
from companion.games.burgundy.modules.chateauma.start_tiles import StartTiles
from companion.games.burgundy.modules.chateauma.turn import AutomaTurn
from companion.games.burgundy.modules.linked_castles.outpost import Outpost
from companion.games.burgundy.modules.linked_castles.recover import Recover
from companion.games.burgundy.rules import GameState
from companion.games.burgundy.rules.decisions import (
    Buy,
    Discard,
    EndTurn,
    Fill,
    Place,
    Roll,
    Sell,
    Skip,
    StartCastle,
    StartGoods,
    Take,
    TakeGoods,
    TakeWorkers,
)
from companion.games.burgundy.rules.legality import legal_moves
from companion.games.burgundy.rules.moves import InvalidMoveError, Move
from companion.games.burgundy.rules.notation import short_notation
from companion.games.burgundy.rules.state import Pending
from companion.games.burgundy.rules.tiles import tile
from companion.games.burgundy.rules.validation import validate
from tests.support.positions import RULES, fill_depot, new_game, on_turn, store

NOTATION: dict[str, Move] = {
    "take monastery/12 3.1 die 4 workers 1": Take("monastery/12", 3, 1, 4, 1),
    "take castle 6.0": Take("castle", 6, 0),
    "place livestock/cow_4 10 die 4": Place("livestock/cow_4", 10, 4),
    "sell 5 die 6 workers 1": Sell(5, 6, 1),
    "workers": TakeWorkers(),
    "workers die 2": TakeWorkers(2),
    "goods 1,6 2,3": TakeGoods((1, 6), (2, 3)),
    "goods - -": TakeGoods((), ()),
    "buy building/town_hall 0.2": Buy("building/town_hall", 0, 2),
    "recover": Recover(),
    "outpost 4": Outpost(4),
    "discard ship": Discard("ship"),
    "skip": Skip(),
    "end": EndTurn(),
    "castle red 18": StartCastle("red", 18),
    "start-goods red 1,1,4": StartGoods("red", (1, 1, 4)),
    "roll red=1,2 blue=6,6 white=3": Roll((("red", (1, 2)), ("blue", (6, 6))), 3),
    "county 7": RevealCard(7),
    "start-tiles building/bank,mine,castle": StartTiles(("building/bank", "mine", "castle")),
    "own-roll black=4": OwnRoll("black", 4),
    "chateauma": AutomaTurn(),
    "fill mine,- ship castle - mine ship,ship -,- 1,2,3,4,5": Fill(
        (("mine", None), ("ship",), ("castle",), (None,), ("mine",), ("ship", "ship")),
        (None, None),
        (1, 2, 3, 4, 5),
    ),
}


@pytest.mark.parametrize("text", NOTATION)
def test_a_move_is_written_and_read(text: str) -> None:
    assert str(NOTATION[text]) == text
    assert RULES.parse_move(text) == NOTATION[text]


def test_spaces_do_not_matter() -> None:
    assert RULES.parse_move("  workers   die 2 ") == TakeWorkers(2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "jump",
        "take castle",
        "take castle 6",
        "take palace 6.0",
        "take monastery/30 6.0",
        "take castle 6.0 die",
        "take castle 6.0 die 4 workers 0",
        "place livestock/cow_5 10",
        "place castle ten",
        "sell",
        "workers die 2 workers 1",
        "end now",
        "castle red 18 19",
        "fill mine",
        "roll red=1 white=3",
        "roll red=1,2",
        "start-goods red 1,,2",
        "county",
        "county seven",
        "own-roll 4",
        "own-roll black=four",
        "start-tiles palace",
        "chateauma now",
    ],
)
def test_text_that_is_no_move_is_rejected(text: str) -> None:
    with pytest.raises(InvalidMoveError, match=r"is (no|not a) "):
        RULES.parse_move(text)


WRITTEN = (*NOTATION, "adjust red score+1 because misread", "ruling duchy:red:0=mine score:red=9")
ABSURD = ("9" * 400, "9" * 5000, "\u0664", "\u00b2", "007", "1e3")
"""More digits than any move has, or than Python reads; digits of other scripts; what is not written as moves are."""


@pytest.mark.parametrize(
    "absurd", ABSURD, ids=["400 digits", "5000 digits", "Arabic", "superscript", "zeros", "e"]
)
@pytest.mark.parametrize("text", WRITTEN)
def test_an_absurd_number_is_rejected_with_a_sentence_in_any_position(text: str, absurd: str) -> None:
    game = on_turn()
    for number in re.finditer(r"(?<!cow_)[0-9]+", text):
        written = text[: number.start()] + absurd + text[number.end() :]
        try:
            assert (
                validate(game, RULES.parse_move(written)) is not None
            )  # an override is parsed against a position
        except InvalidMoveError as error:
            assert re.search("is (no|not a) ", str(error)) and len(str(error)) < 300


@pytest.mark.parametrize(
    "text", ["place 9 ship r4c5", "take 3 bank die 5", "sell 2", "workers 6", "take 3.2 mine"]
)
@pytest.mark.parametrize("absurd", ABSURD[:3])
def test_an_absurd_number_is_refused_in_short_notation_too(text: str, absurd: str) -> None:
    with pytest.raises(InvalidMoveError, match=r"is (no|not a) ") as rejected:
        RULES.parse_short(position(), re.sub("[0-9]", absurd, text, count=1))
    assert len(str(rejected.value)) < 300


@pytest.mark.parametrize("text", WRITTEN)
@pytest.mark.parametrize("half", ["\ud800", "\udfff"])
def test_half_a_character_is_in_no_move(text: str, half: str) -> None:
    for written in (text + half, f"{text} {half}", half + text):
        with pytest.raises(InvalidMoveError, match="half a character") as rejected:
            RULES.parse_move(written)
        str(rejected.value).encode()


# --- short notation -----------------------------------------------------------------------------------------


def position() -> GameState:
    """Dice 3 and 5, three workers; a bank and a ship stored; two mines in depot 2, a bank in 3, a castle for sale."""
    game = on_turn((3, 5))
    game.player.workers, game.player.silver = 3, 2
    game.player.goods[4] = 2
    store(game, "building/bank", "ship")
    game.depots[1] = [tile("mine"), tile("mine")]
    fill_depot(game, 3, "building/bank")
    fill_depot(game, 0, "castle")
    return game


SHORT: dict[str, Move] = {
    "take 3 bank": Take("building/bank", 3, 0, 3),
    "take 3 bank die 5": Take("building/bank", 3, 0, 5, 2),
    "take 2.2 mine die 3": Take("mine", 2, 1, 3, 1),
    "place 5 ship r4c5": Place("ship", 19, 5),
    "place 5 ship r4c5 die 3": Place("ship", 19, 3, 2),
    "sell 4 die 5": Sell(4, 5, 1),
    "workers 3": TakeWorkers(3),
    "buy black castle": Buy("castle", 0, 0),
    "end": EndTurn(),
}


@pytest.mark.parametrize("text", SHORT)
def test_a_move_is_written_short_and_read_against_the_position(text: str) -> None:
    game = position()
    assert SHORT[text] in legal_moves(game)
    assert short_notation(game, SHORT[text]) == text
    assert RULES.parse_short(game, text) == SHORT[text]


def test_full_notation_is_read_too() -> None:
    assert RULES.parse_short(position(), "take mine 2.0 die 3 workers 1") == Take("mine", 2, 0, 3, 1)


def test_an_effect_that_waits_needs_no_die() -> None:
    game = position()
    game.pending.append(Pending("castle"))
    assert RULES.parse_short(game, "take 3 bank") == Take("building/bank", 3, 0)
    assert RULES.parse_short(game, "sell 4") == Sell(4)
    assert RULES.parse_short(game, "place 3 bank r3c3") == Place("building/bank", 11)


def test_a_space_is_named_by_row_and_place() -> None:
    game = new_game()
    assert short_notation(game, StartCastle("red", 18)) == "castle red r4c4"
    assert RULES.parse_short(game, "castle red r4c4") == StartCastle("red", 18)


def test_a_castle_apart_is_written_by_its_space() -> None:
    game = new_game(rules={"castle_links": "on"})
    assert short_notation(game, Outpost(1)) == "outpost r1c2"
    assert RULES.parse_short(game, "outpost r1c2") == RULES.parse_short(game, "outpost 1") == Outpost(1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("place 4 ship r4c5", "r4c5 needs a 5"),
        ("place 5 ship r9c9", "has no space 'r9c9'"),
        ("take 3 palace", "palace"),
        ("take 3 bank with 5", "with"),
        ("jump r4c5", "must begin with"),
        ("take", "a word too few"),
        ("buy black", "a word too few"),
        ("end now", "or too many"),
        ("take 3 bnk", "nothing is called 'bnk'"),
        ("discard shep", "nothing is called 'shep'"),
        ("roll", "a word too few"),
        ("roll red=1,2 blue=x", "it ends with the white die, as in white=3, and not with 'blue=x'"),
        ("take bank x.y", "is no 'take' move: 'x' is not a whole number"),
        ("take x bank", "is no 'take' move here: 'x' is not a whole number"),
        ("end now", "is no 'end' move"),
        ("adjust", "it ends with 'because' and the reason"),
        ("square x", "'x' cannot stand there"),
        ("square", "something is missing"),
        ("upkeep die 3", "'die 3' cannot stand there"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_cause(text: str, why: str) -> None:
    with pytest.raises(InvalidMoveError, match=why):
        RULES.parse_short(position(), text)


def test_an_illegal_move_can_be_read_so_that_it_can_be_explained() -> None:
    game = position()
    reason = validate(game, RULES.parse_short(game, "take 6 bank"))
    assert reason is not None and reason.code == "no_such_die"
