"""Storages and depots among the spaces outside the duchies."""

from __future__ import annotations

import numpy as np

from vision.boards.lattice import FoundSpaces
from vision.games.burgundy.groups import find_groups
from vision.geometry import Plane

PITCH = 28.0
TABLE = Plane(np.array([[1.5, 0.0, 900.0], [0.0, 1.5, 500.0], [0.0, 0.0, 1.0]]))
"""From mm to px."""
DOWN = np.sqrt(3) / 2
ANCHORS = PITCH * np.array([(-1.5, -3 * DOWN), (1.5, -3 * DOWN), (1.5, 3 * DOWN), (-1.5, 3 * DOWN)])
DUCHIES = [ANCHORS + np.array([-400, 0]), np.array([400, 0]) - ANCHORS]
"""One before the player at the bottom of the picture, one before the player at its top."""
RHOMB = np.array([(0.0, 0.0), (1.0, 0.0), (0.5, DOWN), (1.5, DOWN)]) * PITCH


def seen(*groups: np.ndarray, size: float = 1.0, heat: float = 0.8) -> FoundSpaces:
    at = TABLE.to_frame(np.concatenate(groups))
    count = len(at)
    return FoundSpaces(at, np.full(count, 1.5 * PITCH * size), np.zeros(count), np.full(count, heat))


def named(*groups: np.ndarray, **how: float) -> dict[str, int]:
    found = find_groups(seen(*groups, **how), TABLE, DUCHIES, PITCH)
    return {group.name: len(group.centres) for group in found}


def row(x: float, y: float, count: int = 3) -> np.ndarray:
    return np.array([(x + i * 1.1 * PITCH, y) for i in range(count)])


def test_three_places_beside_a_duchy_are_its_storage() -> None:
    assert named(row(-430, 140), row(370, -140)) == {"storage:0": 3, "storage:1": 3}


def test_a_barely_visible_place_only_completes_a_storage() -> None:
    clear, dim = seen(row(-430, 140, 2)), seen(row(-430 + 2.2 * PITCH, 140, 1), row(0, 0), heat=0.3)
    (storage,) = (g for g in find_groups(clear + dim, TABLE, DUCHIES, PITCH) if g.name == "storage:0")
    assert np.allclose(storage.centres, row(-430, 140), atol=0.01)
    assert {g.name for g in find_groups(dim, TABLE, DUCHIES, PITCH)} == set()


def test_a_hidden_storage_has_the_orientation_of_its_players_others() -> None:
    first, second = find_groups(seen(row(-430, 140)), TABLE, DUCHIES, PITCH)
    assert (first.name, second.name) == ("storage:0", "storage:1")
    assert np.allclose(second.centres, -row(-430, 140)[::-1], atol=0.01)


def test_three_places_that_form_no_row_are_no_storage() -> None:
    assert "storage:0" not in named(RHOMB[:3] + np.array([-430, 140]))


def test_depots_are_numbered_clockwise_from_the_top() -> None:
    around = {1: (0, -150), 2: (150, -70), 3: (150, 70), 4: (0, 150), 5: (-150, 70), 6: (-150, -70)}
    black = np.concatenate([RHOMB + np.array([x, -20]) for x in (-40, -40 + 2 * PITCH)])
    groups = find_groups(seen(black, *(RHOMB + at for at in around.values())), TABLE, DUCHIES, PITCH)
    assert {group.name for group in groups} == {"black", *(f"depot:{number}" for number in around)}
    for group in groups:
        if group.name.startswith("depot"):
            middle = RHOMB.mean(axis=0) + around[int(group.name[-1])]
            assert np.allclose(group.centres.mean(axis=0), middle, atol=1)


def test_places_of_a_depot_are_returned_row_by_row() -> None:
    shuffled = RHOMB[[3, 1, 0, 2]]
    (depot,) = find_groups(seen(shuffled), TABLE, DUCHIES, PITCH)
    assert np.allclose(depot.centres, RHOMB, atol=0.01)


def test_spaces_on_cards_of_other_sizes_or_barely_visible_are_no_places() -> None:
    assert named(row(-420, 30)) == {}
    assert named(RHOMB, size=1.5) == {}
    assert named(RHOMB, heat=0.3) == {}


def test_a_tile_alone_is_no_place() -> None:
    assert named(np.array([(0.0, 0.0)])) == {}


def test_few_places_amidst_the_depots_are_the_black_depot() -> None:
    ring = [np.array([(150 * np.sin(turn), -150 * np.cos(turn))]) for turn in np.arange(6) * np.pi / 3]
    pair = np.array([(0.0, 0.0), (PITCH, 0.0)])
    assert named(pair, *(pair + at for at in ring)) == {"black": 2, **{f"depot:{n}": 2 for n in range(1, 7)}}


def test_a_row_of_seven_elsewhere_is_not_the_black_depot() -> None:
    around = [(0, -150), (150, -70), (150, 70), (0, 150), (-150, 70), (-150, -70)]
    black = np.concatenate([RHOMB + np.array([x, -20]) for x in (-40, -40 + 2 * PITCH)])[:6]
    inventory = row(-100, 300, 7)
    groups = find_groups(seen(inventory, black, *(RHOMB + at for at in around)), TABLE, DUCHIES, PITCH)
    (found,) = (group for group in groups if group.name == "black")
    assert np.allclose(np.sort(found.centres, axis=0), np.sort(black, axis=0), atol=0.01)
