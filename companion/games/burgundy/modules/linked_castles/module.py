"""Linked castles as a module: what it adds to the base game and changes in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...rules.board import Duchy
from ...rules.hooks import Hooks
from ...rules.module import Module
from ...rules.reason import Reason
from ...rules.state import GameState, Player
from ...rules.table_rules import OFF, ON
from ...rules.tiles import CASTLE, Tile
from .dice_action import SOURCE
from .outpost import OutpostDecision
from .recover import RecoverDecision

TABLE_RULE = "castle_links"
"""The table rule by which it is switched on: optional (S699-705), always in 2011 (A1293)."""


class LinkedCastlesHooks(Hooks):
    """A tile must touch a castle or a tile of its own type, so that a chain of its type leads to a castle.

    Castles are exempt (S699-701, A1297-1299). The rule applies only on duchies it was printed for (S705). A tile that
    may lie on spaces of several types is linked by the type of its space.
    """

    def open_spaces(self, game: GameState, player: Player, tile_type: str) -> int:
        spaces = super().open_spaces(game, player, tile_type)
        if tile_type == CASTLE or not player.duchy.linkable:
            return spaces
        of_type, linked = player.duchy.of_type, 0
        for there in (of_type[tile_type],) if tile_type in of_type else of_type.values():
            if spaces & there:
                linked |= there & player.duchy.around((of_type[CASTLE] | there) & player.occupied)
        return spaces & linked

    def why_closed(self, game: GameState, player: Player, stored: Tile, space: int) -> Reason:
        if super().open_spaces(game, player, stored.type) >> space & 1:
            return Reason("not_linked", {"colour": player.duchy.spaces[space].tile_type})
        return super().why_closed(game, player, stored, space)


class LinkedCastles(Module):
    """Linked castles, on the duchies of the first expansion."""

    id = "linked_castles"
    hooks = LinkedCastlesHooks
    decisions = (RecoverDecision(), OutpostDecision())
    table_rules: ClassVar[Mapping[str, tuple[str, ...]]] = {TABLE_RULE: (OFF, ON)}
    switched_on_by = (TABLE_RULE, ON)
    sources: ClassVar[Mapping[str, str]] = {SOURCE: "sales"}
    events: ClassVar[Mapping[str, str]] = {"pay_points": "S703, A1312", "recover": "S703"}

    def suits(self, duchy: Duchy) -> bool:
        return duchy.linkable

    def usual_table_rules(self, edition: str) -> Mapping[str, str]:
        return {TABLE_RULE: ON} if edition == "2011" else {}
