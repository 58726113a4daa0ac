"""The printed facts of *The Castles of Burgundy*, and the kind of boards that its table files name."""

from calibration.board_kind import BoardKind, TokenKind

from .facts import TILE_TYPES, load_facts

BOARDS = BoardKind(
    game="burgundy",
    group="duchy",
    types=TILE_TYPES,
    face_down=("card", "inventory"),
    load_known=lambda: {name: duchy.spaces for name, duchy in load_facts().duchies.items()},
    tokens={"shield": TokenKind("castle", 0.78)},
)
