"""A duchy drawn in text."""

from __future__ import annotations

from companion.games.burgundy.rules.text_board import draw
from tests.support.positions import CENTRE, build, new_game


def test_empty_spaces_show_colour_and_die_in_rows_that_are_centred() -> None:
    assert draw(new_game().players[0]).splitlines() == [
        "r1           l6    c5    c4    y3",
        "r2        l2    l1    c6    y5    b4",
        "r3     l5    l4    b3    y1    b2    b3",
        "r4  s6    s1    s2    c6    s5    s4    s1",
        "r5     b2    b5    m4    b3    b1    l2",
        "r6        b6    m1    y2    b5    b6",
        "r7           m3    y4    y1    b3",
    ]


def test_tiles_show_four_capital_letters() -> None:
    player = new_game().players[0]
    build(
        player, **{f"s{CENTRE}": "castle"}, s0="livestock/cow_3", s3="monastery/12", s8="building/town_hall"
    )
    lines = draw(player).splitlines()
    assert lines[0].split() == ["r1", "COW3", "c5", "c4", "MO12"]
    assert lines[1].split()[-1] == "TOWN"
    assert lines[3].split()[4] == "CAST"
