"""``companion play``: a game at a real table."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..journal import Journal, JournalError
from ..session import TableSession
from ..shelf import BURGUNDY_EDITIONS, burgundy
from ..table import Table
from .errors import fail
from .options import language_option, table_rules_option, voice_option
from .speaking import speaking

if TYPE_CHECKING:
    import numpy as np

    from vision.reader import TableReader


@click.command()
@click.option("--camera", "camera_name", required=True, help="usb:0, pi, or a folder or video to play back.")
@click.option("--table", "table_path", type=click.Path(path_type=Path), required=True, metavar="FILE")
@click.option(
    "--gallery", type=click.Path(path_type=Path), metavar="FILE", help="What your copy's tiles look like."
)
@click.option("--edition", type=click.Choice(BURGUNDY_EDITIONS), default="special", show_default=True)
@table_rules_option
@click.option("--journal", "journal_path", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--panel", "panel_path", type=click.Path(path_type=Path), metavar="FILE", help="Pins of your panel."
)
@language_option
@voice_option
@click.option("--host", default="0.0.0.0", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
def play(
    camera_name: str,
    table_path: Path,
    gallery: Path | None,
    edition: str,
    table_rules: dict[str, str],
    journal_path: Path | None,
    panel_path: Path | None,
    language: str,
    voice: bool,
    host: str,
    port: int,
) -> None:
    """Play at a real table, or go on with the game that is in the journal.

    The table file names the players in turn order, with their duchies. The journal lies in today's file unless
    another is named.
    """
    from calibration.table_file import load
    from hardware.cameras import open_camera
    from hardware.panel import SimulatedFinger, open_panel
    from vision.gallery import Gallery
    from vision.reader import TableReader
    from vision.settle import SettleDetector

    from ..serving import LastRead, PageServer

    try:
        table_file = load(table_path)
        reader = TableReader(table_file, Gallery.load(gallery) if gallery else None)
        journal = Journal(journal_path or _todays_journal())
        session = TableSession(burgundy(), journal, setup_from(table_file, edition, table_rules))
        last_read = LastRead()
        with (
            open_camera(camera_name) as camera,
            open_panel(panel_path) as panel,
            speaking(session, voice, language),
        ):
            table = Table(
                session,
                camera,
                reader,
                SettleDetector(),
                panel,
                on_read=last_read.note,
                on_certain=partial(_learn, reader, gallery) if gallery else None,
            )
            simulated = not panel.status.startswith("buttons: OK")
            press = SimulatedFinger(panel).press if simulated else None
            server = PageServer(
                session, table, last_read, host=host, port=port, press=press, language=language
            )
            click.echo(panel.status, err=True)
            click.echo(f"journal: {journal.path}", err=True)
            click.echo(f"Open {server.address}  (Ctrl-C ends the companion; the game is kept)")
            try:
                table.run(time.monotonic, threading.Event())
            except KeyboardInterrupt:
                pass
            finally:
                server.close()
                journal.close()
    except (JournalError, ValueError, OSError) as error:
        fail(error)


def _learn(reader: TableReader, path: Path, frame: np.ndarray, labels: Mapping[str, str]) -> None:
    """What was confirmed makes the gallery in *path* know the owner's tiles better."""
    if reader.teach(frame, labels) and reader.gallery is not None:
        reader.gallery.save(path)


def setup_from(table: Any, edition: str, table_rules: Mapping[str, str]) -> dict[str, Any]:
    """The game's set-up that a table file describes, with the table rules that are played another way than usual.

    :raises ValueError: when a board has no printed spaces, which the rules need.
    """
    players = []
    for board in table.boards:
        if board.spaces is None:
            raise ValueError(
                f'the table file does not say which duchy {board.player} plays: add "duchy" to that board'
            )
        known = board.duchy is not None
        players.append(
            {"colour": board.player, **({"duchy": board.duchy} if known else {"spaces": board.spaces})}
        )
    setup: dict[str, Any] = {"edition": edition, "players": players}
    if table_rules:
        setup["rules"] = dict(table_rules)
    black = next((group for group in table.places if group.name == "black"), None)
    return setup if black is None else {**setup, "black_slots": len(black.centres_mm)}


def _todays_journal() -> Path:
    folder = Path(click.get_app_dir("table-companion")) / "games"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{date.today().isoformat()}.journal"
