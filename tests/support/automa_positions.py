"""Positions for the tests of the Châteauma: its turn on an empty main board, to be furnished at will."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.games.burgundy.modules.chateauma import Chateauma
from companion.games.burgundy.modules.chateauma.own_roll import OwnRoll
from companion.games.burgundy.modules.chateauma.reveal_card import RevealCard
from companion.games.burgundy.modules.chateauma.seat import SIDES, CardInPlay, PlacedTile
from companion.games.burgundy.modules.chateauma.start_tiles import StartTiles
from companion.games.burgundy.rules import Event, GameState
from companion.games.burgundy.rules.decisions import EndTurn, StartCastle, StartGoods
from companion.games.burgundy.rules.state import ROLL, TURN
from companion.games.burgundy.rules.tiles import tile
from companion.text.translator import Translator
from tests.support.positions import COLOURS, RULES, USUAL, clear_board, dealt, rolled

AUTOMA = "black"
ORDER = ("castle", "mine", "ship", "livestock", "building", "monastery")
ANSWERS: Mapping[str, Any] = MappingProxyType(
    {
        "cards": {"8": ["castle", "mine", "livestock", "ship"]},
        "inventory_order": ORDER,
        "marks": {
            "A": {"building": [1, 2], "livestock": [1], "ship": [1], "monastery": [1]},
            "B": {"building": [3], "mine": [1], "castle": [1]},
            "D": {"building": [4], "ship": [2]},
        },
    }
)
"""What an owner might read from the print; invented, as the real print is unknown."""
NO_CARDS: Sequence[str | None] = ()
Events = list[Event]


def setup_with(
    people: int = 1,
    *,
    level: str = "intermediate",
    modifiers: str = "",
    modules: Sequence[str] = (),
    rules: Mapping[str, str] = USUAL,
    **answers: Any,
) -> dict[str, Any]:
    """Returns the setup of a game of *people* and the Châteauma, with other *modules* and by these table *rules*."""
    return {
        "edition": "special",
        "players": [{"colour": colour, "duchy": "se-1"} for colour in COLOURS[:people]],
        "modules": list(modules),
        "rules": rules,
        "chateauma": {
            "colour": AUTOMA,
            "level": level,
            "modifiers": list(modifiers),
            **ANSWERS,
            **answers,
        },
    }


def new_automa_game(people: int = 1, **options: Any) -> GameState:
    """Returns a game before set-up."""
    return RULES.new(setup_with(people, **options))


def automa_of(game: GameState) -> Chateauma:
    """Returns the Châteauma of a game."""
    seat = game.seats[game.index(AUTOMA)]
    assert isinstance(seat, Chateauma)
    return seat


def set_up_automa(people: int = 1, **options: Any) -> GameState:
    """Returns a game that waits for its first tiles: goods 1, 2 and 3 and a castle for people, cards 4 and 1."""
    game = new_automa_game(people, **options)
    for player in game.players:
        RULES.play(game, StartCastle(player.colour, 18))
        RULES.play(game, StartGoods(player.colour, (1, 2, 3)))
    RULES.play(game, RevealCard(4))
    RULES.play(game, RevealCard(1))
    if "B" in options.get("modifiers", ""):
        RULES.play(game, StartTiles(("building/bank", "mine", "castle")))
    return game


def rolled_automa(people: int = 1, *, white: int = 1, **options: Any) -> GameState:
    """Returns a game after its first roll."""
    game = set_up_automa(people, **options)
    while game.stage != ROLL:
        RULES.play(game, dealt(game))
    RULES.play(game, rolled(game, white=white))
    return game


def set_cards(game: GameState, left: int | None, right: int | None) -> None:
    """Replaces the Châteauma's cards by empty ones; if one is missing, no cards are left in the deck."""
    seat = automa_of(game)
    if None in (left, right):
        seat.deck = ()
    seat.cards = [
        None if number is None else CardInPlay(seat.print.cards[number]) for number in (left, right)
    ]


def cover(game: GameState, side: str, *labels: str | None) -> None:
    """Places tiles on a card's spaces in reading order; ``(mine)`` is face down, None leaves a space empty."""
    card = automa_of(game).cards[SIDES.index(side)]
    for space, label in enumerate(labels):
        assert card is not None
        card.tiles[space] = PlacedTile(tile(label.strip("()")), label.startswith("(")) if label else None


def automa_turn(
    left: int | None = 2,
    right: int | None = 9,
    *,
    white: int = 1,
    die: int = 1,
    people: int = 1,
    on_left: Iterable[str | None] = NO_CARDS,
    on_right: Iterable[str | None] = NO_CARDS,
    stored: Iterable[str] = (),
    jokers: Iterable[str] = (),
    depots: Mapping[int, Sequence[str | None]] | None = None,
    goods: Mapping[int, Sequence[int]] | None = None,
    own_goods: Mapping[int, int] | None = None,
    duchy: Iterable[str] = (),
    silver: int = 0,
    **options: Any,
) -> GameState:
    """Returns the Châteauma's first turn after its roll, with only these things; *depots* has the black one at 0."""
    game = rolled_automa(people, white=white, **options)
    clear_board(game)
    while game.stage == TURN:
        RULES.play(game, EndTurn())
    RULES.play(game, OwnRoll(AUTOMA, die))
    set_cards(game, left, right)
    cover(game, "left", *on_left)
    cover(game, "right", *on_right)
    seat = automa_of(game)
    seat.silver = silver
    seat.stored = list(map(tile, stored))
    seat.jokers = list(map(tile, jokers))
    seat.goods = [(own_goods or {}).get(kind, 0) for kind in range(7)]
    for depot, labels in (depots or {}).items():
        slots = game.depots[depot - 1] if depot else game.black
        for slot, label in enumerate(labels):
            slots[slot] = tile(label) if label else None
    for depot, kinds in (goods or {}).items():
        for kind in kinds:
            game.depot_goods[depot - 1][kind] += 1
    for t in map(tile, duchy):
        seat.duchy[t.type].append(t)
    return game


def take_turn(game: GameState) -> Events:
    """Plays the Châteauma's turn, its only legal move; returns its events, which must have sentences."""
    (move,) = RULES.legal_moves(game)
    assert move == RULES.parse_move("chateauma")
    events = RULES.play(game, move)
    for translator in (Translator("en", strict=True), Translator("fr", strict=True)):
        for event in events:
            assert translator.event(event.to_json())
            assert all(sentence for sentence, _ in translator.steps(event.data.get("steps", ())))
    return events


def card_number(game: GameState, side: str) -> int:
    """Returns the number of a card on the table."""
    card = automa_of(game).cards[SIDES.index(side)]
    assert card is not None
    return card.card.number


def on_card(game: GameState, side: str) -> list[str | None]:
    """Returns the labels on a card, in brackets if a tile is face down."""
    card = automa_of(game).cards[SIDES.index(side)]
    assert card is not None
    return [
        there and (f"({there.tile.label})" if there.face_down else there.tile.label) for there in card.tiles
    ]


def stored(game: GameState) -> list[str]:
    """Returns the labels of the inventory's typed tiles, the latest last."""
    return [t.label for t in automa_of(game).stored]


def kinds(events: Events) -> list[str]:
    """Returns the kinds of events, in order."""
    return [event.kind for event in events]


def codes(events: Events) -> list[str]:
    """Returns the codes of all instructions for *events*."""
    return [step["code"] for event in events for step in event.data.get("steps", ())]


def data_of(events: Events, kind: str) -> dict[str, Any]:
    """The one event of a kind, as data without its steps."""
    (event,) = [e for e in events if e.kind == kind]
    return {name: value for name, value in event.to_json().items() if name != "steps"}
