"""A module's tiles, moves and places on the page: it needs nothing there that is not in its own folder."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.games import capabilities
from companion.games.burgundy.rules import Burgundy
from companion.games.burgundy.rules.tiles import CASTLE, EMPTY, tile
from companion.journal import Journal
from companion.session import TableSession
from tests.support.modules import more_modules, setup_of
from tests.support.pages import create_app

MOVES, LOOKS_EVERY = 120, 9


@pytest.fixture
def box() -> Iterator[Burgundy]:
    with more_modules() as box:
        yield box


def by_hand(box: Burgundy, folder: Path, **setup: Any) -> TableSession:
    """Returns a game in which everything is entered by taps."""
    session = TableSession(box, Journal(folder / "game.journal"), setup_of(**setup))
    session.watch_nothing()
    return session


def next_move(session: TableSession, rng: random.Random) -> str:
    """Returns a move that chance or the player in turn may make now."""
    event = capabilities.chance(session.rules).sample_chance(session.state, rng)
    return str(event) if event else str(rng.choice(session.legal_moves())["text"])


@pytest.mark.parametrize("modules", [["hostels"], ["linked_castles"], ["hostels", "linked_castles"]])
def test_every_sheet_opens_throughout_a_game_with_modules(
    box: Burgundy, tmp_path: Path, modules: list[str]
) -> None:
    duchy = next(name for name in box.boards["special"] if box.duchies[name].linkable)
    session = by_hand(box, tmp_path, duchy=duchy, modules=modules)
    client, rng, words = create_app(session).test_client(), random.Random(5), set()
    for number in range(MOVES):
        words |= {move["word"] for move in session.legal_moves()}
        if number % LOOKS_EVERY == 0:
            layout = capabilities.observable(session.rules).visible_layout(session.state)
            places = [f"{group}:{i}" for group, labels in layout.items() for i in range(len(labels))]
            for path in ("/", "/moves", "/tiles", *(f"/place/{place}" for place in rng.sample(places, 12))):
                assert client.get(path).status_code == 200, path
        session.tap(next_move(session, rng))
    assert words > {"take", "place"}


def test_a_tile_for_any_colour_can_be_entered_on_any_open_space(box: Burgundy, tmp_path: Path) -> None:
    session = by_hand(box, tmp_path, modules=["hostels"])
    rng = random.Random(2)
    while session.rules.to_move(session.state) is None:
        session.tap(next_move(session, rng))
    session.state.player.storage[:] = [tile("hostel")]
    session.watch(boards=True)
    client = create_app(session).test_client()
    layout = capabilities.observable(box).visible_layout(session.state)[
        f"duchy:{session.state.player.colour}"
    ]
    assert CASTLE in layout
    for index, label in enumerate(layout):
        sheet = client.get(f"/place/duchy:{session.state.player.colour}:{index}").get_data(as_text=True)
        assert ('data-label="hostel"' in sheet) == (label == EMPTY)
