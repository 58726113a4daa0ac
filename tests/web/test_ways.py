"""Which move people mean by the pieces they have touched, and what they can touch next."""

from __future__ import annotations

from web.ways import Role, Way, intended, made_by, touched_next


def way(
    text: str, *pieces: str, dice: tuple[str, ...] = (), workers: int = 0, before: tuple[str, ...] = ()
) -> Way:
    """Returns a way to make a move with *pieces*, paid for with *dice*."""
    roles = [Role(frozenset({piece})) for piece in pieces] + [Role(frozenset({die}), True) for die in dice]
    return Way({"text": text, "word": text.split()[0], "workers": workers}, roles, before)


CHEAP = way("take ship die 4", "depot:4:0", dice=("die:red:4",))
DEAR = way("take ship die 6 workers 2", "depot:4:0", dice=("die:red:6",), workers=2)
FIRST = way("place ship 3 die 6", "storage:red:0", "duchy:red:3", dice=("die:red:6",))
SECOND = way("place ship 9 die 4", "storage:red:0", "duchy:red:9", dice=("die:red:4",))
WAYS = [CHEAP, DEAR, FIRST, SECOND]


def lit(*touched: str, ways: list[Way] = WAYS) -> dict[str, str | None]:
    """Returns what can be touched next, and what that would enter."""
    found = touched_next(intended(ways, touched), touched)
    return {one.piece: None if one.way is None else one.way.text for one in found}


def test_what_only_differs_in_the_die_is_done_in_the_cheapest_way() -> None:
    assert made_by(WAYS, ["depot:4:0"]) is CHEAP


def test_another_die_is_used_if_it_is_touched_first() -> None:
    assert made_by(WAYS, ["die:red:6", "depot:4:0"]) is DEAR


def test_a_die_alone_makes_no_move() -> None:
    assert made_by([CHEAP], ["die:red:4"]) is None


def test_dice_that_cost_the_same_are_chosen_between() -> None:
    other = way("take ship die 5", "depot:4:0", dice=("die:red:5",))
    assert made_by([CHEAP, other], ["depot:4:0"]) is None
    assert lit("depot:4:0", ways=[CHEAP, other]) == {"die:red:4": CHEAP.text, "die:red:5": other.text}


def test_a_stored_tile_lights_up_its_spaces() -> None:
    assert made_by(WAYS, ["storage:red:0"]) is None
    spaces = {piece: text for piece, text in lit("storage:red:0").items() if piece.startswith("duchy")}
    assert spaces == {"duchy:red:3": FIRST.text, "duchy:red:9": SECOND.text}


def test_a_space_on_which_only_one_tile_can_lie_is_enough() -> None:
    assert made_by(WAYS, ["duchy:red:9"]) is SECOND


def test_a_die_lights_up_what_it_can_pay_for() -> None:
    assert lit("die:red:6") == {
        "depot:4:0": DEAR.text,
        "duchy:red:3": FIRST.text,
        "storage:red:0": FIRST.text,
    }


def test_moves_that_differ_in_nothing_that_can_be_touched_are_chosen_between() -> None:
    one, both = way("goods 6 2", "depot_goods:6"), way("goods 6 2,5", "depot_goods:6")
    assert made_by([one, both], ["depot_goods:6"]) is None and lit("depot_goods:6", ways=[one, both]) == {}


def test_where_a_tile_can_only_go_is_lit_once_the_tile_is_clear() -> None:
    storage = Role(frozenset({"storage:red:1", "storage:red:2"}), is_implied=True)
    takes = [
        Way(one.move, [*one.roles, storage])
        for one in (CHEAP, way("take mine die 4", "depot:5:0", dice=("die:red:4",)))
    ]
    assert set(lit("die:red:4", ways=takes)) == {"depot:4:0", "depot:5:0"}
    assert lit("depot:4:0", ways=takes)["storage:red:2"] == CHEAP.text


def test_pieces_play_different_roles() -> None:
    assert intended(WAYS, ["storage:red:0", "storage:red:0"]) == []


def test_whoever_is_next_begins_only_with_what_the_player_in_turn_cannot_do() -> None:
    after = way("take ship die 2", "depot:4:0", dice=("die:blue:2",), before=("end",))
    assert intended([CHEAP, after], ["depot:4:0"]) == [CHEAP]
    found = made_by([after], ["depot:4:0"])
    assert found is not None and found.text == "end; take ship die 2"
