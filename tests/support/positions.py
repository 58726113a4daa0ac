"""Positions for the tests of the rules: a game in its first turn on an empty main board, to be filled as needed."""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import MappingProxyType

from companion.games.burgundy.modules.chateauma.own_roll import OwnRoll
from companion.games.burgundy.modules.chateauma.reveal_card import RevealCard
from companion.games.burgundy.modules.chateauma.start_tiles import StartTiles
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules import Burgundy, Event, GameState, Move
from companion.games.burgundy.rules.decisions import EndTurn, Fill, Roll, StartCastle, StartGoods
from companion.games.burgundy.rules.legality import legal_moves
from companion.games.burgundy.rules.setup_validation import PLAYER_COLOURS
from companion.games.burgundy.rules.state import OVER, Player
from companion.games.burgundy.rules.tiles import Tile, tile
from companion.games.burgundy.rules.validation import validate

RULES = burgundy()
CHANCE = (StartGoods, Fill, Roll, RevealCard, StartTiles, OwnRoll)
COLOURS = PLAYER_COLOURS[:4]
USUAL: Mapping[str, str] = MappingProxyType({})
"""Every table rule as in the edition."""
CENTRE = 18
"""Space in the middle of a duchy: a castle with die 6 on duchies 1 to 3."""


def new_game(
    players: int = 2,
    edition: str = "special",
    duchy: str = "se-1",
    rules: Mapping[str, str] = USUAL,
) -> GameState:
    """Returns a game before setup, red first; everybody plays the same duchy."""
    setup = [{"colour": colour, "duchy": duchy} for colour in COLOURS[:players]]
    return RULES.new({"edition": edition, "players": setup, "rules": rules})


def set_up(
    players: int = 2,
    edition: str = "special",
    duchy: str = "se-1",
    rules: Mapping[str, str] = USUAL,
    castle: int | None = None,
) -> GameState:
    """Returns a game that waits for its first tiles: goods 1, 2 and 3 for everybody, and a castle on its
    :func:`start_space`."""
    game = new_game(players, edition, duchy, rules)
    for player in game.players:
        RULES.play(game, StartCastle(player.colour, start_space(player, castle)))
        RULES.play(game, StartGoods(player.colour, (1, 2, 3)))
    return game


def start_space(player: Player, castle: int | None) -> int:
    """Returns the space *castle*; by default the centre or, where no castle goes there, the first space for one."""
    spaces = [space.index for space in player.duchy.spaces if space.tile_type == "castle"]
    return castle if castle is not None else CENTRE if CENTRE in spaces else spaces[0]


def filled(
    players: int = 2,
    edition: str = "special",
    duchy: str = "se-1",
    rules: Mapping[str, str] = USUAL,
    castle: int | None = None,
) -> GameState:
    """Returns a game that waits for its first roll."""
    game = set_up(players, edition, duchy, rules, castle)
    RULES.play(game, dealt(game))
    return game


def dealt(game: GameState, seed: int = 0, box: Burgundy = RULES) -> Move:
    """Returns the chance event that the game waits for."""
    event = box.sample_chance(game, random.Random(seed))
    assert event is not None
    return event


def rolled(game: GameState, *dice: tuple[int, int], white: int = 1) -> Roll:
    """Returns a roll; players without given dice roll 1 and 2."""
    values = [*dice, *[(1, 2)] * (len(game.players) - len(dice))]
    return Roll(tuple((p.colour, pair) for p, pair in zip(game.players, values, strict=True)), white)


def on_turn(
    dice: tuple[int, int] = (1, 2),
    *,
    players: int = 2,
    edition: str = "special",
    duchy: str = "se-1",
    rules: Mapping[str, str] = USUAL,
    castle: int | None = None,
) -> GameState:
    """Returns red's first turn with *dice*, without tiles in the depots, goods, workers and silver."""
    game = filled(players, edition, duchy, rules, castle)
    RULES.play(game, rolled(game, dice))
    clear_board(game)
    take_all(game.player)
    return game


def clear_board(game: GameState) -> None:
    """Takes every tile and all goods off the depots; what modules sell beside them stays."""
    game.depots = [[None] * len(depot) for depot in game.depots]
    game.black = [None] * len(game.black)
    game.depot_goods = [[0] * 7 for _ in game.depot_goods]


def take_all(player: Player) -> None:
    """Takes a player's goods, workers and silver away."""
    player.goods, player.workers, player.silver = [0] * 7, 0, 0


def store(game: GameState, *labels: str) -> None:
    """Puts coloured tiles into the current player's storage."""
    game.player.storage.extend(map(tile, labels))


def build(player: Player, **spaces: str) -> None:
    """Places tiles on spaces without any effect: ``build(player, s0="livestock/cow_3")``."""
    for space, label in spaces.items():
        player.put(int(space[1:]), tile(label))


def cover(player: Player, *spaces: int) -> None:
    """Covers those of the *spaces* that are empty with tiles of their types, without any effect."""
    faces = {"monastery": "monastery/13", "livestock": "livestock/cow_2", "building": "building/bank"}
    for space in spaces:
        tile_type = player.duchy.spaces[space].tile_type
        if player.spaces[space] is None:
            player.put(space, tile(faces.get(tile_type, tile_type)))


def own(player: Player, *numbers: int) -> None:
    """Gives a player monasteries, on spaces for them that are far from the centre first."""
    free = [
        s.index for s in player.duchy.spaces if s.tile_type == "monastery" and player.spaces[s.index] is None
    ]
    for number, space in zip(numbers, reversed(free), strict=False):
        player.put(space, tile(f"monastery/{number}"))


def play(game: GameState, *moves: str | Move) -> list[Event]:
    """Plays moves, given as objects or in notation, and returns their events; decisions must be in the legal moves."""
    events: list[Event] = []
    for move in moves:
        parsed = RULES.parse_move(move) if isinstance(move, str) else move
        listed = legal_moves(game)
        events += RULES.play(game, parsed)
        assert parsed in listed or isinstance(parsed, CHANCE)
    return events


def illegal_reason(game: GameState, move: str | Move) -> str | None:
    """Returns the code of the reason why a move is illegal, None if it is legal; the legal moves must agree."""
    parsed = RULES.parse_move(move) if isinstance(move, str) else move
    reason = validate(game, parsed)
    assert (parsed in legal_moves(game)) == (reason is None)
    return reason.code if reason else None


def notations(game: GameState, word: str = "") -> list[str]:
    """Returns the legal moves whose notation begins with *word*."""
    return [text for move in legal_moves(game) if (text := str(move)).startswith(word)]


def finish_round(game: GameState) -> list[Event]:
    """Ends the remaining turns of the round."""
    events: list[Event] = []
    current = game.phase, game.round
    while game.stage == "turn" and (game.phase, game.round) == current:
        events += RULES.play(game, EndTurn())
    return events


def finish_phase(game: GameState) -> list[Event]:
    """Plays on without any action until the phase is over."""
    events: list[Event] = []
    phase = game.phase
    while game.phase == phase and game.stage != OVER:
        if game.stage == "roll":
            events += RULES.play(game, rolled(game))
        events += finish_round(game)
    return events


def fill_depot(game: GameState, depot: int, *labels: str | Tile) -> None:
    """Puts tiles on the first slots of a numbered depot, or of the black depot (0)."""
    slots = game.depots[depot - 1] if depot else game.black
    for slot, label in enumerate(labels):
        slots[slot] = label if isinstance(label, Tile) else tile(label)


def last_round(edition: str = "special") -> GameState:
    """Returns red's turn in the last round of phase E, with an empty storage."""
    game = on_turn(edition=edition)
    game.phase, game.round = 4, 4
    return game


def final_sheet(game: GameState) -> dict[str, int]:
    """Ends the round and with it the game; returns red's points by source."""
    finish_round(game)
    assert game.stage == OVER
    return RULES.score_sheet(game)["red"]


def follow_rules(game: GameState) -> None:
    """Does what follows by itself in a position that was made by hand, as after a move."""
    for follow in game.ruleset.consequences:
        follow(game, [])
