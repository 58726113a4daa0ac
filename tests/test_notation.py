"""The notation of moves: what is written is read back, and what is not a move is refused in words."""

from __future__ import annotations

import pytest

from companion.games.burgundy.moves import (
    Buy,
    Discard,
    EndTurn,
    Fill,
    InvalidMoveError,
    Move,
    Place,
    Roll,
    Sell,
    Skip,
    StartCastle,
    StartGoods,
    Take,
    TakeGoods,
    TakeWorkers,
    parse_move,
)

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
    "discard ship": Discard("ship"),
    "skip": Skip(),
    "end": EndTurn(),
    "castle red 18": StartCastle("red", 18),
    "start-goods red 1,1,4": StartGoods("red", (1, 1, 4)),
    "roll red=1,2 blue=6,6 white=3": Roll((("red", (1, 2)), ("blue", (6, 6))), 3),
    "fill mine,- ship castle - mine ship,ship -,- 1,2,3,4,5": Fill(
        (("mine", None), ("ship",), ("castle",), (None,), ("mine",), ("ship", "ship")),
        (None, None),
        (1, 2, 3, 4, 5),
    ),
}


@pytest.mark.parametrize("text", NOTATION)
def test_a_move_is_written_and_read(text: str) -> None:
    assert str(NOTATION[text]) == text
    assert parse_move(text) == NOTATION[text]


def test_spaces_do_not_matter() -> None:
    assert parse_move("  workers   die 2 ") == TakeWorkers(2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "jump",
        "take castle",
        "take castle 6",
        "take palace 6.0",
        "take monastery/27 6.0",
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
    ],
)
def test_what_is_not_a_move_is_refused(text: str) -> None:
    with pytest.raises(InvalidMoveError, match="is not a"):
        parse_move(text)
