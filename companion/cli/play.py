"""``companion play``: a game at a real table."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calibration.errors import CompanionError
from companion.archive import Archive
from companion.archive.folder_lock import FolderBusyError
from companion.games.player_text import is_storable
from companion.games.registry import plugin
from companion.journal import read_records
from companion.network.page_address import NetworkName
from companion.players.opponents import with_opponents
from companion.privacy.erasure import DataPaths, ErasureError, erase_everything
from companion.runtime.game_runner import NO_CAMERA, GameRunner
from companion.runtime.game_sequence import GameRequest, GameSequence
from companion.runtime.resume import RequestedGame, unfinished
from companion.runtime.server import PageSettings
from companion.runtime.setup_pages import SetupPages, check_named
from companion.service.notify import notifier
from companion.service.options import CHECK_OPTION
from companion.service.watchdog import watchdog
from companion.storage.notices import StorageNotice
from companion.storage.secrets import PIN_VARIABLE, signing_key, table_pin
from companion.storage.settings import load_or_quarantine
from companion.text.translator import Translator

from .errors import OptionError, fail
from .game_command import GameCommand, game_option, game_part, modules_option
from .options import (
    CameraName,
    DataFolderError,
    app_dir,
    data_paths_of,
    games_folder,
    hosts_option,
    is_given,
    key_path,
    language_option,
    opponents_option,
    print_option,
    settings_path,
    voice_option,
)
from .played_game import PlayedGame
from .saved_options import SavedOptions
from .signals import ending_cleanly
from .terminal import print_line
from .voice import speaking

if TYPE_CHECKING:
    from calibration.table_file import TableFile

NO_FOLDER = "none"


@click.command(cls=GameCommand)
@click.option(
    "--camera",
    "camera_name",
    type=CameraName(),
    default=NO_CAMERA,
    show_default=True,
    help="usb:0, pi, a folder or video to play back, or none to enter everything on the page.",
)
@click.option(
    "--table",
    "table_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Table file made by './run calibrate table'.",
)
@click.option(
    "--players",
    metavar="LIST",
    help="Who plays if no table file says so, the first player first, with their boards: red:BOARD,blue:BOARD.",
)
@click.option(
    "--gallery",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What your tiles look like, from './run calibrate tiles'.",
)
@opponents_option
@game_option
@modules_option
@print_option
@click.option(
    "--journal",
    "journal_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File of the game.  [default: in the data folder, named after the day]",
)
@click.option(
    "--new", is_flag=True, help="Begin another game even if today's is not finished; that one is kept."
)
@click.option(
    "--backup",
    metavar="FOLDER",
    help="Also save every game there, for instance on a USB stick; remembered until 'none' is given.",
)
@click.option(
    "--panel",
    "panel_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File with the pins of your panel.",
)
@language_option
@voice_option
@click.option(
    "--ask/--no-ask",
    default=False,
    help="Choose the players on the page before a new game; the default if no players are named.",
)
@click.option(
    "--pin",
    metavar="PIN",
    envvar=PIN_VARIABLE,
    show_envvar=True,
    help="People without it can watch but not play. Other accounts on this machine can see what is typed here.",
)
@click.option(
    "--pin-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The same, read from the first line of FILE.",
)
@click.option(
    "--host", default="0.0.0.0", show_default=True, help="127.0.0.1 opens the page to this machine only."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
@hosts_option
@click.option(CHECK_OPTION, "only_checks", is_flag=True, hidden=True)  # the installer asks
def play(*, only_checks: bool, game: str, own: Mapping[str, Any], **given: Any) -> None:
    """Play at a real table, or continue the game in the journal.

    Players are chosen on the page, unless the table file or --players names them. If a game needs to know what is
    printed in your copy, the page asks before it begins. Without --journal, today's latest game continues unless it is
    finished; --new begins another one, and so does the page.
    """
    part = game_part("play", game)
    played = PlayedGame(plugin(game)) if part is None else part.create(**own)
    options = PlayOptions(played=played, **given)
    if only_checks:
        return
    try:
        _play(options)
    except CompanionError as error:
        fail(error)


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """Represents the options of ``companion play``, as they were given."""

    camera_name: str
    table_path: Path | None
    players: str | None
    gallery: Path | None
    opponents: dict[str, str]
    played: PlayedGame
    modules: tuple[str, ...]
    print_path: Path
    journal_path: Path | None
    new: bool
    backup: str | None
    panel_path: Path | None
    language: str
    voice: bool
    ask: bool
    pin: str | None
    pin_file: Path | None
    host: str
    port: int
    hosts: tuple[str, ...]


def _play(options: PlayOptions) -> None:
    saved = SavedOptions(notifier() is not None, Translator(options.language), partial(print_line, err=True))
    available = partial(options.played.available, options.modules)
    options = replace(options, modules=saved.use("--modules", available, ()))
    named = _requested_setup(options, saved)
    devices = _device_paths(options, saved)
    folder, journal_path = _games_folder(options, saved)
    runner = _runner(options, named, devices, _data_paths(options, folder, saved), saved)
    games = Archive(folder, makes_index=journal_path is None)
    with closing(games), closing(runner.page), ending_cleanly():
        sequence = GameSequence(
            runner,
            games,
            SetupPages(games, options.print_path, runner, saved.translator),
            saved.translator,
            day=date.today().isoformat(),
            on_table=named.on_table,
            edition=options.played.edition,
            variant=options.played.variant(options.modules),
            is_unattended=saved.is_unattended,
        )
        request = _first_game(options, named, devices, games, journal_path, sequence.day, saved)
        while sequence.play(request):  # everything is to be deleted, and a new game begun
            saved.notices.clear()
            request = GameRequest(None, notices=_erase_everything(runner.data_paths, games))
            runner.page = replace(runner.page, key=_signing_key())
            runner.data_paths = _data_paths(options, folder, saved)
            request.notices += saved.notices


@dataclass(frozen=True, slots=True)
class _RequestedSetup:
    """Represents what the options say about the game."""

    table_file: TableFile | None
    camera_name: str
    on_table: dict[str, Any] | None
    """The setup of the boards that the camera sees."""
    setup: dict[str, Any] | None
    """That setup, or that of the named players; None if people are asked who plays."""
    complete: dict[str, Any] | None
    """The same with the players whom nobody plays."""


def _requested_setup(options: PlayOptions, saved: SavedOptions) -> _RequestedSetup:
    """Returns who plays, and on which boards.

    :raises ValueError: if an option is unusable and a person watches the start.
    """
    from calibration.table_file import load

    table_options = "--table" if options.camera_name == NO_CAMERA else "--table, --camera"
    table_file = on_table = None
    if options.table_path:
        table_file = saved.use(table_options, partial(load, options.table_path), None)
    if table_file:
        if options.players and not saved.is_unattended:
            raise OptionError("the table file says who plays: leave --players out, or --table and --camera")
        seen = partial(_setup_on_table, options, table_file)
        on_table = saved.use(table_options, seen, None)
    if on_table is None:  # the rules must know every board that the camera sees
        table_file = None
    is_camera = False
    if table_file or not options.table_path:
        usable = partial(_is_camera, options.camera_name, table_file is not None)
        is_camera = saved.use("--camera", usable, False)
    setup = on_table or saved.use("--players", partial(_named_setup, options), None)
    if options.opponents:
        setup = saved.use("--opponent", partial(_with_opponents, setup, options.opponents), setup)
    complete = setup
    if options.played.parts and not options.ask:
        named_parts = ", ".join(f"--{part}" for part in options.played.parts)
        complete = saved.use(named_parts, partial(options.played.with_parts, setup), None)
    camera_name = options.camera_name if is_camera else NO_CAMERA
    return _RequestedSetup(table_file, camera_name, on_table, setup, complete)


@dataclass(frozen=True, slots=True)
class _DevicePaths:
    """Represents the files about the devices."""

    panel_path: Path | None
    gallery: Path | None


def _device_paths(options: PlayOptions, saved: SavedOptions) -> _DevicePaths:
    panel_path, gallery = options.panel_path, options.gallery
    if panel_path is not None:
        panel_path = saved.use("--panel", partial(_usable_panel, panel_path), None)
    if gallery is not None:
        gallery = saved.use("--gallery", partial(_usable_gallery, gallery), None)
    return _DevicePaths(panel_path, gallery)


def _games_folder(options: PlayOptions, saved: SavedOptions) -> tuple[Path, Path | None]:
    """Returns the folder of the games, and the journal that was named (None if none was)."""
    if options.journal_path is None:
        return games_folder(), None
    folder = saved.use("--journal", partial(_journal_folder, options.journal_path), None)
    return (folder, options.journal_path) if folder else (games_folder(), None)


def _data_paths(options: PlayOptions, folder: Path, saved: SavedOptions) -> DataPaths:
    return data_paths_of(folder, options.print_path, _backup_folder(options.backup, folder, saved))


def _runner(
    options: PlayOptions,
    named: _RequestedSetup,
    devices: _DevicePaths,
    data_paths: DataPaths,
    saved: SavedOptions,
) -> GameRunner:
    page = PageSettings(
        options.host,
        options.port,
        options.hosts,
        pin=table_pin(options.pin, options.pin_file),
        key=_signing_key(),
        language=options.language,
        name=NetworkName(),
        watchdog=watchdog(),
    )
    return GameRunner(
        data=app_dir(),
        camera_name=named.camera_name,
        table_file=named.table_file,
        gallery=devices.gallery,
        panel=devices.panel_path,
        page=page,
        announce=print_line,
        remark=saved.remark,
        voice=lambda session: speaking(session, options.voice, options.language),
        data_paths=data_paths,
        settings=settings_path(),
        print_path=options.print_path,
    )


def _first_game(
    options: PlayOptions,
    named: _RequestedSetup,
    devices: _DevicePaths,
    games: Archive,
    journal_path: Path | None,
    day: str,
    saved: SavedOptions,
) -> GameRequest:
    """Returns the game to play first: one to continue, or a new one.

    :raises ValueError: if the requested game cannot begin.
    """
    new = options.new
    if new and saved.is_unattended:
        saved.remark(saved.translator("command.new_by_hand"))
        new = False
    requested = RequestedGame(
        on_table=named.on_table,
        players=None if named.on_table else named.setup,
        game=options.played.game.id if is_given("game") else None,
        edition=options.played.edition if is_given("edition") else None,
        rules=options.played.table_rules,
        modules=options.modules,
        parts=options.played.parts,
        opponents=options.opponents,
    )
    path = _first_journal(games, journal_path, day, new=new, translator=saved.translator)
    exists = path is not None and path.exists()
    if not exists:
        _check_startable(devices.panel_path, options.host, options.port)
    request = GameRequest(path, named=requested, is_chosen=journal_path is not None, is_start=True)
    request.notices += saved.notices
    if not options.ask and named.complete is not None:
        request.setup = named.complete
        may_continue = exists and named.on_table is not None
        if not may_continue and not saved.is_unattended:  # before anything is written
            check_named(options.played.game.rules(), named.complete)
    return request


def _is_camera(camera_name: str, has_table: bool) -> bool:
    """Returns whether a camera is used; False if everything is tapped.

    :raises OptionError: if that camera cannot be used for play.
    :raises hardware.cameras.CameraAbsent: if there are no such pictures; a device may be plugged in later.
    """
    from hardware.cameras import kind_of, open_camera

    if camera_name == NO_CAMERA:
        return False
    kind = kind_of(camera_name)
    if kind == "virtual":
        raise OptionError(
            "nobody plays at the virtual camera's drawn table: ./run demo lets bots play at one; "
            "name usb:0, pi, a folder or a video with --camera"
        )
    if not has_table:
        raise OptionError(
            "a camera needs a table file: make one with ./run calibrate table, and name it with --table"
        )
    if kind == "folder":  # a mistyped name, too: told before a game is begun
        open_camera(camera_name).close()
    return True


def _usable_panel(path: Path) -> Path:
    """:raises PanelConfigError: if the panel's file is unusable."""
    from hardware.panel import load_config

    load_config(path)
    return path


def _usable_gallery(path: Path) -> Path:
    """:raises vision.gallery.NoGalleryError: if there is no such file."""
    from vision.gallery import require_gallery

    require_gallery(path)
    return path


def _check_startable(panel_path: Path | None, host: str, port: int) -> None:
    """Checks what a game needs besides its setup, so that none is begun that cannot be played.

    :raises PanelConfigError: if the panel's file is unusable.
    :raises NotServedError: if the page cannot be served there.
    """
    from companion.runtime.server import check_served
    from hardware.panel import load_config

    load_config(panel_path)
    check_served(host, port)


def _journal_folder(journal_path: Path) -> Path:
    """Returns the folder of the named journal.

    :raises OptionError: if there is no such folder, or a folder was named as the journal.
    """
    if journal_path.is_dir():
        raise OptionError(f"{journal_path} is a folder: name the journal's file")
    if not journal_path.parent.is_dir():
        raise OptionError(
            f"there is no folder {journal_path.parent} for the journal: create it, or name another file"
        )
    return journal_path.parent


def _first_journal(
    games: Archive, journal_path: Path | None, day: str, *, new: bool, translator: Translator
) -> Path | None:
    """Returns the journal to open first; None for a new one.

    :raises OptionError: if a new game is to begin in a file that holds one.
    """
    if journal_path is None:
        return None if new else unfinished(games, day, time.time())
    if new and journal_path.exists() and read_records(journal_path):
        raise OptionError(translator("command.new_in_file", game=journal_path))
    return journal_path


def _signing_key() -> bytes:
    """Returns the key that signs the page's cookies, from the companion's data folder.

    :raises OptionError: if it can be neither read nor created; nothing else could be saved in that folder either.
    """
    try:
        return signing_key(key_path())
    except IsADirectoryError as error:
        raise OptionError(
            f"{key_path()} is a folder, but the companion needs a file there: remove it"
        ) from error
    except OSError as error:
        raise DataFolderError(error) from error


def _erase_everything(data_paths: DataPaths, games: Archive) -> list[StorageNotice]:
    """Deletes all data; returns a notice about what could not be deleted."""
    try:
        erase_everything(data_paths, games)
    except ErasureError as error:
        return [StorageNotice("not_erased", {"remaining": error.remaining})]
    except FolderBusyError:
        return [StorageNotice("nothing_erased")]
    return []


def _backup_folder(chosen: str | None, games: Path, saved: SavedOptions) -> Path | None:
    """Returns the folder for copies of the *games*: the one *chosen* now, which is saved, or the saved one.

    Unreadable settings are quarantined and reported.

    :raises OptionError: if there is no such folder, or it is that of the games.
    """
    path = settings_path()
    settings, unusable = load_or_quarantine(path)
    if unusable is not None:
        code, file = (
            ("settings_quarantined", unusable.moved_to) if unusable.moved_to else ("settings_stuck", path)
        )
        saved.report(StorageNotice(code, {"file": str(file)}), unusable.reason)
    if chosen is not None:
        usable = partial(_usable_backup, chosen, games, may_follow=saved.is_unattended)
        folder = saved.use("--backup", usable, settings.backup)
        if (
            unusable is None or unusable.moved_to is not None
        ):  # never overwrite a file that could not be moved
            settings.save_changes(path, backup=folder)
        return Path(folder) if folder else None
    return Path(settings.backup) if settings.backup else None


def _usable_backup(chosen: str, games: Path, *, may_follow: bool) -> str | None:
    """Returns the folder *chosen* for backups; it may be missing if *may_follow*, as a stick may be plugged in later.

    :raises OptionError: if there is no such folder, or it is that of the *games*.
    """
    if chosen == NO_FOLDER:
        return None
    if not chosen.strip():  # such as a variable of a script that is not set: not the folder one stands in
        raise OptionError("--backup needs a folder, for instance on a stick, or none to make no backups")
    folder = Path(chosen).absolute()
    if not is_storable(str(folder)):  # neither settings nor journals can name it
        raise OptionError(
            f"{str(folder)!r} can be no folder for backups: its name is no text; name another one"
        )
    if not folder.is_dir() and not may_follow:
        raise OptionError(f"there is no folder {folder} for backups: plug in the stick, or create it")
    if folder.resolve() == games.resolve():
        raise OptionError(
            f"{folder} is the folder of the games: name another one for backups, for instance on a stick"
        )
    return str(folder)


def _named_setup(options: PlayOptions) -> dict[str, Any] | None:
    """Returns the setup of the players that are named; None if none are.

    :raises OptionError: if the game does not understand who plays.
    """
    if options.players is None:
        return None
    return options.played.setup(options.modules, **options.played.named(options.players))


def _setup_on_table(options: PlayOptions, table: TableFile) -> dict[str, Any]:
    """Returns the setup that a table file describes.

    :raises OptionError: if it does not say what the rules need.
    """
    seated = options.played.on_table(table)
    if not table.boards:
        raise OptionError(
            f"{options.table_path} has no boards: find them with ./run calibrate table, "
            "or leave --table and --camera out"
        )
    return options.played.setup(options.modules, **seated)


def _with_opponents(setup: Mapping[str, Any] | None, opponents: Mapping[str, str]) -> dict[str, Any]:
    """Returns *setup* with the *opponents* named on the command line.

    :raises OptionError: if they are not among its players, or the players are unknown.
    """
    if setup is None:
        raise OptionError(
            "--opponent must name one of the players of --table or --players; a game that continues knows its opponents"
        )
    return with_opponents(setup, opponents)
