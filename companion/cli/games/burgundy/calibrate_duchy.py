"""``companion calibrate duchy``: identifies the printed duchies on the table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calibration.board_shape import STANDARD, row_and_column
from companion.cli.errors import fail
from companion.cli.options import language_option
from companion.cli.outputs import OutputFile
from companion.cli.read_dice import load_frame, load_table
from companion.text.translator import Translator

if TYPE_CHECKING:
    from calibration.table_file import Camera, TableFile
    from vision.boards.empty_board import BoardScan
    from vision.boards.reading import BoardPatches

SIXTH = 60
"""Degrees."""
DIGITS = {"anchors": 1, "anchors_mm": 2}
"""Decimal places of anchors in px and in mm."""


@click.command("duchy")
@click.argument("table_path", type=OutputFile(), metavar="TABLE")
@click.argument("image", type=click.Path(path_type=Path), metavar="IMAGE")
@click.option("--player", help="Read only this player's board.")
@language_option
def calibrate_duchy(table_path: Path, image: Path, player: str | None, language: str) -> None:
    """Read what is printed on the empty duchies in IMAGE, and save it in the table file TABLE.

    A known board is saved by its name. For any other, you are asked about spaces that were not read reliably.
    """
    from calibration.table_file import read_table_document
    from calibration.table_writer import write_table
    from vision.boards.empty_board import scan_board

    translator, table = Translator(language), load_table(table_path)
    cut = _boards_in(table, table_path, image)
    if player is not None and player not in cut:
        fail(f"{table_path} has no board of {player}; it has those of {', '.join(cut)}")
    document = read_table_document(table_path)
    for board in document["boards"]:
        if player in (None, board["player"]):
            _update_board(board, scan_board(cut[board["player"]]), table.camera, translator)
    write_table(table_path, document)
    click.echo(translator("calibrate.kept", file=table_path))


def _boards_in(table: TableFile, table_path: Path, image: Path) -> dict[str, BoardPatches]:
    """Returns player -> board of *table* cut out of *image*; exits with one sentence if that is not possible."""
    from vision.patches import board_patches

    frame = load_frame(image, table)
    if not table.boards:
        fail(f"{table_path} names no boards; add 'boards' with each player and the anchors of the duchy")
    cut = {
        board.player: patches
        for board, patches in zip(table.boards, board_patches(frame, table), strict=True)
        if patches is not None
    }
    if len(cut) < len(table.boards):
        fail(f"{image}: too few table markers are visible to locate the boards; uncover them")
    return cut


def _update_board(
    board: dict[str, Any], scan: BoardScan, camera: Camera | None, translator: Translator
) -> None:
    """Writes *scan* into *board*, an entry of a table file; asks the user where it is not reliable."""
    player = board["player"]
    agreeing = {"player": player, "agreeing": scan.agreeing, "spaces": len(scan.spaces)}
    if scan.printed_id is not None:
        board["duchy"] = scan.printed_id
        click.echo(translator("calibrate.duchy", duchy=scan.printed_id, **agreeing))
        if scan.turn:
            _turn_anchors(board, scan.turn, camera)
            click.echo(translator("calibrate.turned", player=player, degrees=SIXTH * scan.turn))
        return
    unknown = "calibrate.no_duchy" if scan.shape == STANDARD else "calibrate.other_shape"
    click.echo(translator(unknown, **agreeing))
    board["duchy"] = {"spaces": [list(space) for space in _confirmed(scan, translator)]}
    for colour, (counted, usual) in scan.unusual_counts().items():
        message = translator("calibrate.unusual", player=player, counted=counted, colour=colour, usual=usual)
        click.echo(message)


def _turn_anchors(board: dict[str, Any], turn: int, camera: Camera | None) -> None:
    """Rotates the anchors of *board*, an entry of a table file, by *turn* sixths clockwise."""
    from vision.boards.finding import turned
    from vision.geometry import Lens, anchor_points, board_plane

    name = next(name for name in DIGITS if name in board)
    lens = Lens.of(camera) if camera is not None and name == "anchors" else None
    right = turned(board_plane(board[name], lens), turn).to_frame(anchor_points())
    board[name] = right.round(DIGITS[name]).tolist()


def _confirmed(scan: BoardScan, translator: Translator) -> list[tuple[str, int]]:
    """Returns colour and die of each space; asks for unreliable ones, without a default that Enter would accept."""
    from calibration.games.burgundy.facts import TILE_TYPES
    from vision.boards.empty_board import SURE

    spaces = []
    for space, name in zip(scan.spaces, scan.shape.names, strict=True):
        colour, die, where = space.tile_type, space.die, _where(name, translator)
        if space.type_confidence < SURE:
            question = translator("calibrate.ask_colour", where=where)
            colour = click.prompt(question, type=click.Choice(TILE_TYPES))
        if space.die_confidence < SURE:
            die = click.prompt(translator("calibrate.ask_die", where=where), type=click.IntRange(1, 6))
        spaces.append((colour, die))
    return spaces


def _where(name: str, translator: Translator) -> str:
    """Returns how people find the space of that name."""
    place = row_and_column(name)
    if place is None:
        return translator("calibrate.space", name=name)
    return translator("calibrate.row_and_column", row=place[0] + 1, column=place[1] + 1)
