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

from ..album import Album
from ..archive import Archive
from ..journal import Journal, JournalError
from ..opponents import bots_of, with_opponents
from ..owners_print import OwnersPrint
from ..proofs import Proofs
from ..secret import signing_key
from ..session import TableSession
from ..shelf import BURGUNDY_EDITIONS, burgundy
from ..table import Table
from ..words import Words
from .asking import seat_chateauma
from .errors import fail
from .options import (
    NO_CAMERA,
    app_dir,
    chateauma_options,
    language_option,
    opponents_option,
    print_option,
    table_rules_option,
    voice_option,
)
from .speaking import speaking

if TYPE_CHECKING:
    import numpy as np

    from vision.reader import TableReader
    from vision.sighting import Sighting


@click.command()
@click.option(
    "--camera",
    "camera_name",
    default=NO_CAMERA,
    show_default=True,
    help="usb:0, pi, a folder or video to play back, or none: then everything is tapped.",
)
@click.option("--table", "table_path", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--players",
    metavar="LIST",
    help="Without a table file: who plays which duchy, the first player first, as in red:se-1,blue:se-7.",
)
@click.option(
    "--gallery", type=click.Path(path_type=Path), metavar="FILE", help="What your copy's tiles look like."
)
@click.option("--edition", type=click.Choice(BURGUNDY_EDITIONS), default="special", show_default=True)
@opponents_option
@table_rules_option
@chateauma_options
@print_option
@click.option("--journal", "journal_path", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--panel", "panel_path", type=click.Path(path_type=Path), metavar="FILE", help="Pins of your panel."
)
@language_option
@voice_option
@click.option("--pin", metavar="PIN", help="Who does not know it may look on, but not play.")
@click.option("--host", default="0.0.0.0", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
def play(
    camera_name: str,
    table_path: Path | None,
    players: str | None,
    gallery: Path | None,
    edition: str,
    opponents: dict[str, str],
    table_rules: dict[str, str],
    chateauma: dict[str, Any] | None,
    print_path: Path,
    journal_path: Path | None,
    panel_path: Path | None,
    language: str,
    voice: bool,
    pin: str | None,
    host: str,
    port: int,
) -> None:
    """Play at a real table, or go on with the game that is in the journal.

    The table file names the players in turn order, with their duchies; without a camera they may be named here. The
    Châteauma plays beside one to three of them; what nobody has seen of its print is asked on the page
    before the game begins. The journal lies in today's file unless another is named.
    """
    from calibration.table_file import TableFile, load
    from hardware.cameras import open_camera
    from hardware.panel import SimulatedFinger, open_panel
    from vision.gallery import Gallery
    from vision.reader import TableReader
    from vision.settle import SettleDetector

    from ..serving import LastRead, PageServer

    try:
        table_file = load(table_path) if table_path else None
        if table_file is None and camera_name != NO_CAMERA:
            raise ValueError(
                "a camera needs a table file: make one with ./run calibrate table, and name it with --table"
            )
        setup = (
            setup_from(table_file, edition, table_rules)
            if table_file
            else setup_of(players, edition, table_rules)
        )
        if opponents:
            setup = _seated(setup, opponents)
        reader = TableReader(table_file or TableFile((1, 1)), Gallery.load(gallery) if gallery else None)
        journal = Journal(journal_path or _todays_journal())
        if chateauma and not journal.records():
            own = OwnersPrint(print_path, burgundy().chateauma_print(edition))
            setup, port = seat_chateauma(
                setup, chateauma, own, camera_name=camera_name, host=host, port=port, words=Words(language)
            )
        session = TableSession(burgundy(), journal, setup)
        if opponents not in ({}, bots_of(session.setup)):
            raise ValueError(
                f"{journal.path} holds a game with other opponents: leave --opponent out, or name a new --journal"
            )
        reader.expected = session.expected_cards
        if camera_name == NO_CAMERA:
            session.watch(dice=False, boards=False)
        last_read = LastRead()
        album = Album(f"{journal.path}.album")
        proofs = Proofs(session, reader.pictures, album)
        games = Archive(Path(journal.path).parent, session.rules)

        def note_read(frame: np.ndarray, sighting: Sighting) -> None:
            last_read.note(frame, sighting)
            proofs.note(frame, sighting)

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
                on_read=note_read,
                on_certain=partial(_learn, reader, gallery) if gallery else None,
            )
            simulated = not panel.status.startswith("buttons: OK")
            press = SimulatedFinger(panel).press if simulated else None
            server = PageServer(
                session,
                table,
                last_read,
                host=host,
                port=port,
                press=press,
                proofs=proofs,
                games=games,
                pin=pin,
                key=signing_key(app_dir() / "page.key"),
                language=language,
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
                album.close()
                games.close()
    except (JournalError, ValueError, OSError) as error:
        fail(error)


def _learn(reader: TableReader, path: Path, frame: np.ndarray, labels: Mapping[str, str]) -> None:
    """What was confirmed makes the gallery in *path* know the owner's tiles better."""
    if reader.teach(frame, labels) and reader.gallery is not None:
        reader.gallery.save(path)


def setup_of(players: str | None, edition: str, table_rules: Mapping[str, str]) -> dict[str, Any] | None:
    """The game's set-up from a list of players, ``red:se-1,blue:se-7``; None without one, to go on with a game.

    :raises ValueError: when the list is not of that form.
    """
    if players is None:
        return None
    pairs = [player.split(":") for player in players.split(",")]
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        raise ValueError(f"{players!r} does not say who plays which duchy: write it as in red:se-1,blue:se-7")
    setup: dict[str, Any] = {
        "edition": edition,
        "players": [{"colour": colour, "duchy": duchy} for colour, duchy in pairs],
    }
    return {**setup, "rules": dict(table_rules)} if table_rules else setup


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


def _seated(setup: Mapping[str, Any] | None, opponents: Mapping[str, str]) -> dict[str, Any]:
    """*setup* with the *opponents* named on the command line.

    :raises ValueError: when they are not among its players, or nobody is known to play.
    """
    if setup is None:
        raise ValueError(
            "--opponent names one of the players of --table or --players; a game that goes on knows its opponents"
        )
    return with_opponents(setup, opponents)


def _todays_journal() -> Path:
    folder = app_dir() / "games"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{date.today().isoformat()}.journal"
