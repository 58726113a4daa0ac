"""The position as a page draws it: plain data, words of the game, nothing to compute."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from .edition import ROUNDS
from .scoring import final_points, points_tile
from .state import OVER, TURN, Game, Player
from .tiles import GOODS, Tile


def draw(game: Game) -> dict[str, Any]:
    """Everything on the table, for a reader who knows no rules."""
    order = [game.players[index].colour for index in game.order()]
    return {
        "edition": game.edition.name,
        "stage": game.stage,
        "phase": game.phase_letter,
        "round": min(game.round + 1, ROUNDS),
        "rounds": ROUNDS,
        "to_move": game.player.colour if game.stage == TURN else None,
        "order": order,
        "acted": [p.colour for i, p in enumerate(game.players) if game.acted >> i & 1],
        "white": game.white,
        "white_die": game.players[game.first_player].colour if any(game.track) else None,
        "rules": asdict(game.rules),
        "timeline": [list(scores) for scores in game.timeline],
        "players": [_player(game, player) for player in game.players],
        "depots": [
            {
                "number": number,
                "tiles": [_label(t) for t in tiles],
                "colours": [slot.colour_in(game.phase_letter) for slot in slots],
                "goods": _stacks(goods),
            }
            for number, (tiles, slots, goods) in enumerate(
                zip(game.depots, game.main_board.depots, game.depot_goods, strict=True), 1
            )
        ],
        "black": [_label(t) for t in game.black],
        "round_goods": list(game.round_goods),
        "track": [[game.players[i].colour for i in space] for space in game.track],
        "bonus_tiles": dict(game.bonus_tiles_left),
        "pending": [p.effect for p in game.pending],
    }


def _player(game: Game, player: Player) -> dict[str, Any]:
    return {
        "colour": player.colour,
        "score": player.score,
        "points_tile": points_tile(game, player),
        "at_end": player.score + (sum(final_points(game, player).values()) if game.stage != OVER else 0),
        "points": dict(player.points),
        "silver": player.silver,
        "workers": player.workers,
        "dice": list(player.dice),
        "storage": [t.label for t in player.storage],
        "goods": _stacks(player.goods),
        "sold": _stacks(player.sold),
        "bonus_tiles": list(player.bonus_tiles),
        "duchy": player.duchy.name,
        "rows": list(player.duchy.rows),
        "spaces": [
            {
                "colour": s.colour,
                "die": s.die,
                "row": s.row,
                "col": s.col,
                "tile": _label(player.spaces[s.index]),
            }
            for s in player.duchy.spaces
        ],
    }


def _label(t: Tile | None) -> str | None:
    return None if t is None else t.label


def _stacks(goods: list[int]) -> dict[str, int]:
    """Goods by kind, only those there are."""
    return {str(kind): goods[kind] for kind in GOODS if goods[kind]}
