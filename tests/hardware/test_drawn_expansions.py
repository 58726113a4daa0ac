"""What the expansions add to the virtual table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.games.burgundy.facts import load_facts
from calibration.table_file import parse
from hardware.scene import Scene
from hardware.virtual_table import VirtualTable, enrolment_frames, sample_layout
from hardware.virtual_table.games.burgundy import sample_with_expansions, with_expansions
from hardware.virtual_table.games.burgundy.expansions import EXPANSIONS
from hardware.virtual_table.games.burgundy.prints import printed_route_square
from hardware.virtual_table.games.burgundy.sprites import (
    EXTRA_TILES,
    INN,
    SHIELD_LABELS,
    SHIELDED_CASTLES,
    TILE_LABELS,
    WHITE_CASTLES,
    tile_face,
)
from hardware.virtual_table.sprites import SHAPES

PLAYERS = ("red", "blue", "green", "black")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_two_places_overlap_with_every_expansion(players: int) -> None:
    layout = sample_with_expansions(PLAYERS[:players])
    scale, slack = 2, 0.97
    shown: np.ndarray = np.zeros((600 * scale, 1080 * scale), np.uint8)
    areas = [np.array(polygon) for polygon in (*layout.dice_areas.values(), *layout.markers.values())]
    areas += [
        SHAPES[group.shape].outline * slack + centre for group in layout.groups for centre in group.centres_mm
    ]
    for area in areas:
        mask = cv2.fillPoly(np.zeros_like(shown), [np.round(area * scale).astype(np.int32)], 1)
        assert not np.bitwise_and(shown, mask).any()
        shown = np.bitwise_or(shown, mask)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_place_of_the_expansions_is_in_the_picture(players: int) -> None:
    with VirtualTable(sample_with_expansions(PLAYERS[:players]), seed=1) as table:
        table.show(Scene())
        height, width = table.read().shape[:2]
        centres = np.array([place["centre"] for place in table.truth()["places"].values()])
    assert (centres > 20).all() and (centres < (width - 20, height - 20)).all()


@pytest.mark.parametrize(
    ("players", "route", "shields"), [(2, 15, [1] * 6), (3, 12, [1, 2] * 3), (4, 9, [2] * 6)]
)
def test_a_table_has_the_squares_and_shields_of_its_number_of_players(
    players: int, route: int, shields: list[int]
) -> None:
    layout = sample_with_expansions(PLAYERS[:players])
    assert {len(layout.group(f"route:{player}").centres_mm) for player in PLAYERS[:players]} == {route}
    assert [len(layout.group(f"shields:{depot}").centres_mm) for depot in range(1, 7)] == shields


def test_the_squares_of_a_route_run_from_the_players_left() -> None:
    layout = sample_with_expansions(PLAYERS)
    for player in PLAYERS:
        turn = layout.seats[player].turn_deg
        across = np.diff([x for x, _ in layout.group(f"route:{player}").centres_mm])
        assert ((across if turn == 0 else -across) > 0).all()


def test_the_table_file_has_the_new_places_with_their_shapes() -> None:
    with VirtualTable(sample_with_expansions(PLAYERS[:2]), seed=1) as table:
        places = {group.name: group.shape for group in parse(table.table_file(), "drawn").places}
    assert places["inns"] == "hex" and places["shields:3"] == "shield" and places["route:red"] == "square"


def test_a_storage_has_room_for_more_tiles_only_with_shields() -> None:
    assert len(sample_with_expansions(PLAYERS[:2]).group("storage:red").centres_mm) > 3
    others = [name for name in EXPANSIONS if name != "shields"]
    assert len(sample_with_expansions(PLAYERS[:2], others).group("storage:red").centres_mm) == 3


def test_without_expansions_the_table_is_as_before() -> None:
    layout = sample_layout(PLAYERS)
    assert with_expansions(layout, [], {}, {}) is layout
    assert with_expansions(layout, ["linked_castles", "chateauma"], {}, {}) is layout


def test_three_flags_stand_at_the_edge_of_every_duchy_and_on_no_space() -> None:
    layout = sample_with_expansions(PLAYERS, ["border_posts"])
    spaces = np.array([centre for board in layout.boards for centre in board.group.centres_mm])
    flags = np.array([flag.where.centre_mm for flag in layout.marks])
    nearest = np.sort(np.hypot(*(flags[:, None] - spaces[None]).transpose(2, 0, 1)), axis=1)
    assert len(flags) == 3 * len(PLAYERS)
    assert np.allclose(nearest[:, 0], nearest[:, 1]) and (nearest[:, 0] > 18).all()


def test_every_new_face_looks_different_from_all_others() -> None:
    labels = [*TILE_LABELS, *EXTRA_TILES, *WHITE_CASTLES, INN]
    for alike in (labels, SHIELD_LABELS, SHIELDED_CASTLES):
        faces = np.array(
            [cv2.resize(tile_face(label), (40, 40), interpolation=cv2.INTER_AREA) for label in alike], float
        )
        for i, face in enumerate(faces):
            apart = np.abs(faces[i + 1 :] - face).mean(axis=(1, 2, 3))
            assert (apart > 1.5).all(), (alike[i], alike[i + 1 + int(apart.argmin())])


def test_each_bonus_of_a_trade_route_has_a_picture_of_its_own() -> None:
    bonuses = load_facts().trade_routes.bonuses
    assert len({printed_route_square("1", bonus).tobytes() for bonus in bonuses}) == len(bonuses)


def test_enrolment_shows_the_new_faces_of_the_expansions_played_only() -> None:
    def shown(*names: str) -> set[str]:
        frames = enrolment_frames(1, layout=sample_with_expansions(PLAYERS[:2], names))
        return {label for _, _, labels in frames for label in labels.values()}

    base = shown()
    assert shown("extra_tiles") - base == {*EXTRA_TILES}
    assert shown("white_castles", "inns") - base == {*WHITE_CASTLES, INN}
    assert shown("shields") - base == {*SHIELD_LABELS}


def test_a_castle_is_drawn_with_its_shield() -> None:
    with VirtualTable(sample_with_expansions(PLAYERS[:2]), seed=1, noise=0) as table:
        spaces = ["empty"] * 37
        spaces[2] = "castle"
        table.show(Scene(places={"duchy:red": tuple(spaces)}))
        bare = table.clean()
        spaces[2] = "castle/shield_7"
        table.show(Scene(places={"duchy:red": tuple(spaces)}))
        assert table.truth()["places"]["duchy:red:2"]["label"] == "castle/shield_7"
        assert (bare != table.clean()).any()
