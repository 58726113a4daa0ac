"""The table on which a game is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.burgundy.modules.chateauma import Chateauma
from companion.games.burgundy.rules import observation, view

if TYPE_CHECKING:
    from hardware.virtual_table import TableLayout


def table(state: Any) -> TableLayout:
    """Returns the layout of a table with the duchies, the main board, what the modules add to them, and the Châteauma's
    things, if they are on it."""
    from hardware.virtual_table.games.burgundy import standard_layout, with_automa, with_expansions

    on_table = [seat for seat in state.seats if isinstance(seat, Chateauma) and not seat.virtual]
    layout = standard_layout(
        [player.colour for player in state.players],
        {p.colour: [(s.tile_type, s.die) for s in p.duchy.spaces] for p in state.players},
        depot_slots={
            number: [slot.tile_type for slot in slots]
            for number, slots in enumerate(state.main_board.depots, 1)
        },
        black_slots=len(state.black),
        spare_seats=[seat.colour for seat in on_table],
    )
    for seat in on_table:
        layout = with_automa(layout, seat.colour)
    places = {group: len(labels) for group, labels in observation.visible_layout(state).items()}
    names = [module.id for module in state.ruleset.modules]
    return with_expansions(layout, names, places, view.draw(state))
