"""``companion play``: a game at a real table."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import click

from ..archive import Archive, journal_for
from ..erasing import Belongings, ErasingError, erase_everything
from ..journal import JournalError
from ..journal.recovery import open_journal, set_aside
from ..keeping import Notice, mending
from ..night import NO_CAMERA, Night, latest_of
from ..opponents import bots_of, with_opponents
from ..secret import signing_key, table_pin
from ..service.watchdog import watchdog
from ..session import TableSession
from ..settings import Settings
from ..shelf import BURGUNDY_EDITIONS, burgundy
from ..words import Words
from .asking import Asker, with_chateauma
from .ending import ending_cleanly
from .errors import fail
from .options import (
    DATA,
    app_dir,
    belongings_of,
    chateauma_options,
    key_path,
    language_option,
    opponents_option,
    print_option,
    settings_path,
    table_rules_option,
    voice_option,
)
from .speaking import speaking

NOWHERE = "none"


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
    "--backup",
    metavar="FOLDER",
    help="Keep every game there once more, on a USB stick say; remembered for later games. none: nowhere.",
)
@click.option(
    "--panel", "panel_path", type=click.Path(path_type=Path), metavar="FILE", help="Pins of your panel."
)
@language_option
@voice_option
@click.option(
    "--ask/--no-ask",
    default=False,
    help="Choose on the page who plays, before a new game; usual when nobody is named.",
)
@click.option(
    "--pin",
    metavar="PIN",
    envvar="TABLE_COMPANION_PIN",
    show_envvar=True,
    help="Who does not know it may look on, but not play. Other accounts of this machine see what is typed here.",
)
@click.option(
    "--pin-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The same, read from the first line of FILE.",
)
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
    backup: str | None,
    panel_path: Path | None,
    language: str,
    voice: bool,
    ask: bool,
    pin: str | None,
    pin_file: Path | None,
    host: str,
    port: int,
) -> None:
    """Play at a real table, or go on with the game that is in the journal.

    Who plays is chosen on the page, unless the table file or you name the players, in turn order, with their duchies.
    The Châteauma plays beside one to three of them; what nobody has seen of its print is asked on the page before the
    game begins. Without --journal, today's latest game goes on. The page begins a new game, too.
    """
    from calibration.table_file import load

    try:
        table_file = load(table_path) if table_path else None
        if table_file is None and camera_name != NO_CAMERA:
            raise ValueError(
                "a camera needs a table file: make one with ./run calibrate table, and name it with --table"
            )
        on_table = setup_from(table_file, edition, table_rules) if table_file else None
        setup = on_table or setup_of(players, edition, table_rules)
        if opponents:
            setup = _seated(setup, opponents)
        folder = journal_path.parent if journal_path else app_dir() / "games"
        belongings = belongings_of(folder, print_path, _backup(backup))
        night = Night(
            data=app_dir(),
            camera_name=camera_name,
            table_file=table_file,
            gallery=gallery,
            panel=panel_path,
            pin=table_pin(pin, pin_file),
            key=_key(),
            language=language,
            host=host,
            port=port,
            say=click.echo,
            remark=partial(click.echo, err=True),
            voice=lambda session: speaking(session, voice, language),
            belongings=belongings,
            settings=settings_path(),
            watchdog=watchdog(),
        )
        folder.mkdir(parents=True, exist_ok=True)
        today = date.today().isoformat()
        path = journal_path or latest_of(folder, today, time.time()) or journal_for(folder, today)
        games = Archive(folder, burgundy())
        asker = Asker(games, print_path, night, Words(language))
        asked = ask or (setup is None and chateauma is None)
        before: TableSession | None = None
        at_start: list[Notice] = []
        with closing(games), closing(night.watchdog), closing(night.name), ending_cleanly():
            while True:
                journal, mended = open_journal(path, night.belongings.backups)
                with closing(journal):
                    if not journal.records():
                        if asked:
                            setup = asker.seats(on_table, edition, table_rules)
                        elif chateauma:
                            setup = with_chateauma(setup, chateauma)
                        setup = asker.with_print(setup)
                    at_start += mending(mended, set_aside(burgundy(), journal))
                    session = TableSession(burgundy(), journal, setup)
                    if opponents not in ({}, bots_of(session.setup)):
                        raise ValueError(
                            f"{journal.path} holds a game with other opponents: leave --opponent out, "
                            "or name a new --journal"
                        )
                    if before is not None:
                        session.take_over(before)
                    wish = night.play(session, games, at_start)
                if wish is None:
                    break
                at_start = []
                if wish.erases:
                    at_start = _erased(night.belongings, games)
                    night.key = _key()
                    night.belongings = belongings_of(folder, print_path, _backup(backup))
                left = None if wish.erases else path
                path = journal_for(folder, today) if wish.game is None else games.path(wish.game)
                opponents, chateauma, asked, setup = {}, None, wish.game is not None, None
                before = session if wish.reseats else None
                if not asked:
                    setup = asker.seats(on_table, edition, table_rules, left)
                    if setup is None and left is not None:
                        path, before = left, None
    except (JournalError, ValueError, OSError) as error:
        fail(error)


def _key() -> bytes:
    """What signs the page's cookies, from the companion's own folder.

    :raises ValueError: when it is not there and cannot be made, as nothing else could be kept either.
    """
    try:
        return signing_key(key_path())
    except OSError as error:
        raise ValueError(
            f"nothing can be kept in {app_dir()} ({error.strerror}): make it writable, "
            f"or name another folder by the environment variable {DATA}"
        ) from error


def _erased(belongings: Belongings, games: Archive) -> list[Notice]:
    """Deletes everything; tells people if something is left."""
    try:
        erase_everything(belongings, games)
    except ErasingError as error:
        return [Notice("not_erased", {"files": str(error)})]
    return []


def _backup(chosen: str | None) -> Path | None:
    """The folder for copies: the one *chosen* now, which is remembered, or else the one remembered.

    :raises ValueError: when there is no such folder, or the settings cannot be read.
    """
    path = settings_path()
    settings = Settings.load(path)
    if chosen is not None:
        folder = None if chosen == NOWHERE else Path(chosen).absolute()
        if folder is not None and not folder.is_dir():
            raise ValueError(f"there is no folder {folder} for backups: plug in the stick, or make it")
        settings = settings.remembering(path, backup=None if folder is None else str(folder))
    return Path(settings.backup) if settings.backup else None


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
                f"the table file does not say which duchy {board.player} plays: choose its number on the page of "
                "./run calibrate table, or let its spaces be read by ./run calibrate duchy"
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
