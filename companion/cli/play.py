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
from companion.games.burgundy.plugin import BURGUNDY_EDITIONS, burgundy, copies_of
from companion.games.player_text import is_storable
from companion.journal import read_records
from companion.network.page_address import NetworkName
from companion.players.opponents import with_opponents
from companion.privacy.erasure import DataPaths, ErasureError, erase_everything
from companion.runtime.game_runner import NO_CAMERA, GameRunner
from companion.runtime.game_sequence import GameSequence, Next
from companion.runtime.resume import RequestedGame, unfinished
from companion.runtime.server import PageSettings
from companion.runtime.setup_pages import SetupPages, check_named, with_chateauma
from companion.service.notify import notifier
from companion.service.options import CHECK_OPTION
from companion.service.watchdog import watchdog
from companion.storage.notices import StorageNotice
from companion.storage.secrets import signing_key, table_pin
from companion.storage.settings import load_or_quarantine
from companion.text.translator import Translator

from .errors import OptionError, fail
from .options import (
    CameraName,
    DataFolderError,
    app_dir,
    chateauma_options,
    data_paths_of,
    games_folder,
    hosts_option,
    is_given,
    key_path,
    language_option,
    opponents_option,
    print_option,
    settings_path,
    table_rules_option,
    voice_option,
)
from .saved_options import SavedOptions
from .signals import ending_cleanly
from .terminal import say
from .voice import speaking

if TYPE_CHECKING:
    from calibration.table_file import TableFile

NOWHERE = "none"


@click.command()
@click.option(
    "--camera",
    "camera_name",
    type=CameraName(),
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
    "--new", is_flag=True, help="Begin another game, though one of today is not finished; it is kept."
)
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
@hosts_option
@click.option(CHECK_OPTION, "only_checks", is_flag=True, hidden=True)  # the installer asks
def play(*, only_checks: bool, **given: Any) -> None:
    """Play at a real table, or go on with the game that is in the journal.

    Who plays is chosen on the page, unless the table file or you name the players, in turn order, with their duchies.
    The Châteauma plays beside one to three of them; what nobody has seen of its print is asked on the page before the
    game begins. Without --journal, today's latest game goes on, unless it is finished; with --new another one begins.
    The page begins a new game, too.
    """
    options = PlayOptions(**given)
    if only_checks:
        return
    try:
        _play(options)
    except CompanionError as error:
        fail(error)


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The options of ``companion play``, as they were given."""

    camera_name: str
    table_path: Path | None
    players: str | None
    gallery: Path | None
    edition: str
    opponents: dict[str, str]
    table_rules: dict[str, str]
    chateauma: dict[str, Any] | None
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
    saved = SavedOptions(notifier() is not None, Translator(options.language), partial(say, err=True))
    named = _named_game(options, saved)
    devices = _devices(options, saved)
    folder, journal_path = _games_folder(options, saved)
    runner = _runner(options, named, devices, _data_paths(options, folder, saved), saved)
    games = Archive(folder, burgundy())
    with closing(games), closing(runner.page), ending_cleanly():
        sequence = GameSequence(
            burgundy(),
            runner,
            games,
            SetupPages(games, options.print_path, runner, saved.translator),
            saved.translator,
            day=date.today().isoformat(),
            on_table=named.on_table,
            edition=options.edition,
            table_rules=options.table_rules,
            is_unattended=saved.is_unattended,
        )
        wanted = _first_game(options, named, devices, games, journal_path, sequence.day, saved)
        while sequence.play(wanted):  # everything is to be deleted, and a new game begun
            saved.notices.clear()
            wanted = Next(None, notices=_erased(runner.data_paths, games))
            runner.page = replace(runner.page, key=_key())
            runner.data_paths = _data_paths(options, folder, saved)
            wanted.notices += saved.notices


@dataclass(frozen=True, slots=True)
class _NamedGame:
    """What the options say of the game."""

    table_file: TableFile | None
    camera_name: str
    on_table: dict[str, Any] | None
    """The set-up of the boards that the camera sees."""
    setup: dict[str, Any] | None
    """That set-up, or the one of the players who were named; None where people are asked who plays."""
    with_seat: dict[str, Any] | None
    """The same with the Châteauma, if it plays."""


def _named_game(options: PlayOptions, saved: SavedOptions) -> _NamedGame:
    """Returns who plays, at which boards.

    :raises ValueError: when an option says nothing usable, and somebody watches the start.
    """
    from calibration.table_file import load

    table_options = "--table" if options.camera_name == NO_CAMERA else "--table, --camera"
    table_file = on_table = None
    if options.table_path:
        table_file = saved.use(table_options, partial(load, options.table_path), None)
    if table_file:
        if options.players and not saved.is_unattended:
            raise OptionError("the table file says who plays: leave --players out, or --table and --camera")
        seen = partial(setup_from, table_file, options.edition, options.table_rules)
        on_table = saved.use(table_options, seen, None)
    if on_table is None:  # the rules need to know every board that is seen
        table_file = None
    is_camera = False
    if table_file or not options.table_path:
        usable = partial(_is_camera, options.camera_name, table_file is not None)
        is_camera = saved.use("--camera", usable, False)
    named_players = partial(setup_of, options.players, options.edition, options.table_rules)
    setup = on_table or saved.use("--players", named_players, None)
    if options.opponents:
        setup = saved.use("--opponent", partial(_seated, setup, options.opponents), setup)
    with_seat = setup
    if options.chateauma is not None and not options.ask:
        with_seat = saved.use("--chateauma", partial(with_chateauma, setup, options.chateauma), None)
    camera_name = options.camera_name if is_camera else NO_CAMERA
    return _NamedGame(table_file, camera_name, on_table, setup, with_seat)


@dataclass(frozen=True, slots=True)
class _Devices:
    """Files about what stands around the table."""

    panel_path: Path | None
    gallery: Path | None


def _devices(options: PlayOptions, saved: SavedOptions) -> _Devices:
    panel_path, gallery = options.panel_path, options.gallery
    if panel_path is not None:
        panel_path = saved.use("--panel", partial(_usable_panel, panel_path), None)
    if gallery is not None:
        gallery = saved.use("--gallery", partial(_usable_gallery, gallery), None)
    return _Devices(panel_path, gallery)


def _games_folder(options: PlayOptions, saved: SavedOptions) -> tuple[Path, Path | None]:
    """Returns the folder of the games, and the journal that was named, if any."""
    if options.journal_path is None:
        return games_folder(), None
    folder = saved.use("--journal", partial(_folder_of, options.journal_path), None)
    return (folder, options.journal_path) if folder else (games_folder(), None)


def _data_paths(options: PlayOptions, folder: Path, saved: SavedOptions) -> DataPaths:
    return data_paths_of(folder, options.print_path, _backup(options.backup, folder, saved))


def _runner(
    options: PlayOptions, named: _NamedGame, devices: _Devices, data_paths: DataPaths, saved: SavedOptions
) -> GameRunner:
    page = PageSettings(
        options.host,
        options.port,
        options.hosts,
        pin=table_pin(options.pin, options.pin_file),
        key=_key(),
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
        say=say,
        remark=saved.remark,
        voice=lambda session: speaking(session, options.voice, options.language),
        data_paths=data_paths,
        settings=settings_path(),
    )


def _first_game(
    options: PlayOptions,
    named: _NamedGame,
    devices: _Devices,
    games: Archive,
    journal_path: Path | None,
    day: str,
    saved: SavedOptions,
) -> Next:
    """Returns what the start is for: a game to go on with, or a new one.

    :raises ValueError: when the game that was named cannot begin.
    """
    new = options.new
    if new and saved.is_unattended:
        saved.remark(saved.translator("command.new_by_hand"))
        new = False
    requested = RequestedGame(
        on_table=named.on_table,
        players=None if named.on_table else named.setup,
        edition=options.edition if is_given("edition") else None,
        rules=options.table_rules,
        chateauma=options.chateauma,
        opponents=options.opponents,
    )
    path = _first(games, journal_path, day, new=new, translator=saved.translator)
    lies_there = path is not None and path.exists()
    if not lies_there:
        _check_place(devices.panel_path, options.host, options.port)
    wanted = Next(path, named=requested, is_chosen=journal_path is not None, is_start=True)
    wanted.notices += saved.notices
    if not options.ask and named.with_seat is not None:
        wanted.setup = named.with_seat
        may_go_on = lies_there and named.on_table is not None
        if not may_go_on and not saved.is_unattended:  # before anything is written
            check_named(burgundy(), named.with_seat)
    return wanted


def _is_camera(camera_name: str, has_table: bool) -> bool:
    """Whether there is play with a camera, and not everything is tapped.

    :raises OptionError: when there is no play with that camera.
    """
    from hardware.cameras import kind_of

    if camera_name == NO_CAMERA:
        return False
    if kind_of(camera_name) == "virtual":
        raise OptionError(
            "nobody plays at the virtual camera's drawn table: ./run demo lets bots play at one; "
            "name usb:0, pi, a folder or a video with --camera"
        )
    if not has_table:
        raise OptionError(
            "a camera needs a table file: make one with ./run calibrate table, and name it with --table"
        )
    return True


def _usable_panel(path: Path) -> Path:
    """:raises PanelConfigError: when the panel's file says nothing usable."""
    from hardware.panel import load_config

    load_config(path)
    return path


def _usable_gallery(path: Path) -> Path:
    """:raises vision.gallery.NoGalleryError: when there is no such file."""
    from vision.gallery import require_gallery

    require_gallery(path)
    return path


def _check_place(panel_path: Path | None, host: str, port: int) -> None:
    """Looks at what a game needs besides its set-up, before one is begun that could not be played.

    :raises PanelConfigError: when the panel's file says nothing usable.
    :raises NotServedError: when the page cannot be served there.
    """
    from companion.runtime.server import check_served
    from hardware.panel import load_config

    load_config(panel_path)
    check_served(host, port)


def _folder_of(journal_path: Path) -> Path:
    """The folder of the journal that was named.

    :raises OptionError: when there is none, or a folder was named as the journal.
    """
    if journal_path.is_dir():
        raise OptionError(f"{journal_path} is a folder: name the journal's file")
    if not journal_path.parent.is_dir():
        raise OptionError(
            f"there is no folder {journal_path.parent} for the journal: make it, or name another file"
        )
    return journal_path.parent


def _first(
    games: Archive, journal_path: Path | None, day: str, *, new: bool, translator: Translator
) -> Path | None:
    """The journal to begin with; None for a new one.

    :raises OptionError: when a new game is to begin in a file that holds one.
    """
    if journal_path is None:
        return None if new else unfinished(games, day, time.time())
    if new and journal_path.exists() and read_records(journal_path):
        raise OptionError(translator("command.new_in_file", game=journal_path))
    return journal_path


def _key() -> bytes:
    """What signs the page's cookies, from the companion's own folder.

    :raises OptionError: when it is not there and cannot be made, as nothing else could be kept either.
    """
    try:
        return signing_key(key_path())
    except IsADirectoryError as error:
        raise OptionError(
            f"{key_path()} is a folder, and the companion keeps a file there: remove it"
        ) from error
    except OSError as error:
        raise DataFolderError(error) from error


def _erased(data_paths: DataPaths, games: Archive) -> list[StorageNotice]:
    """Deletes everything; tells people if something is left."""
    try:
        erase_everything(data_paths, games)
    except ErasureError as error:
        return [StorageNotice("not_erased", {"files": str(error)})]
    return []


def _backup(chosen: str | None, games: Path, saved: SavedOptions) -> Path | None:
    """The folder for copies of the *games*: the one *chosen* now, which is remembered, or else the one remembered.

    Settings that cannot be read are put aside, and people are told.

    :raises OptionError: when there is no such folder, or it is that of the games.
    """
    path = settings_path()
    settings, unusable = load_or_quarantine(path)
    if unusable is not None:
        code, kept = ("settings_aside", unusable.moved_to) if unusable.moved_to else ("settings_stuck", path)
        saved.tell(StorageNotice(code, {"why": unusable.reason, "kept": str(kept)}))
    if chosen is not None:
        usable = partial(_usable_backup, chosen, games, may_follow=saved.is_unattended)
        folder = saved.use("--backup", usable, settings.backup)
        if unusable is None or unusable.moved_to is not None:  # what could not be moved is not written over
            settings.save_changes(path, backup=folder)
        return Path(folder) if folder else None
    return Path(settings.backup) if settings.backup else None


def _usable_backup(chosen: str, games: Path, *, may_follow: bool) -> str | None:
    """The folder for backups that was *chosen*; with *may_follow*, a stick may be plugged in later.

    :raises OptionError: when there is no such folder, or it is that of the *games*.
    """
    if chosen == NOWHERE:
        return None
    if not chosen.strip():  # such as a variable of a script that is not set: not the folder one stands in
        raise OptionError("--backup names no folder: name one, on a stick say, or none for nowhere")
    folder = Path(chosen).absolute()
    if not is_storable(str(folder)):  # neither settings nor journals can name it
        raise OptionError(
            f"{str(folder)!r} can be no folder for backups: its name is no text; name another one"
        )
    if not folder.is_dir() and not may_follow:
        raise OptionError(f"there is no folder {folder} for backups: plug in the stick, or make it")
    if folder.resolve() == games.resolve():
        raise OptionError(f"{folder} is where the games are: name another folder for backups, on a stick say")
    return str(folder)


def setup_of(players: str | None, edition: str, table_rules: Mapping[str, str]) -> dict[str, Any] | None:
    """The game's set-up from a list of players, ``red:se-1,blue:se-7``; None without one, to go on with a game.

    :raises OptionError: when the list is not of that form, or names a duchy more often than one box holds it.
    """
    if players is None:
        return None
    pairs = [[word.strip().lower() for word in player.split(":")] for player in players.split(",")]
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        raise OptionError(
            f"{players!r} does not say who plays which duchy: write it as in red:se-1,blue:se-7"
        )
    duchies, copies = [duchy for _, duchy in pairs], copies_of(edition)
    scarce = next((duchy for duchy in duchies if duchies.count(duchy) > copies.get(duchy, len(pairs))), None)
    if scarce is not None:
        raise OptionError(
            f"one box holds duchy {scarce} only {copies[scarce]} time(s): take another for one of the players"
        )
    setup: dict[str, Any] = {
        "edition": edition,
        "players": [{"colour": colour, "duchy": duchy} for colour, duchy in pairs],
    }
    return {**setup, "rules": dict(table_rules)} if table_rules else setup


def setup_from(table: Any, edition: str, table_rules: Mapping[str, str]) -> dict[str, Any]:
    """The game's set-up that a table file describes, with the table rules that are played another way than usual.

    :raises OptionError: when a board has no printed spaces, which the rules need.
    """
    players = []
    for board in table.boards:
        if board.spaces is None:
            raise OptionError(
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

    :raises OptionError: when they are not among its players, or nobody is known to play.
    """
    if setup is None:
        raise OptionError(
            "--opponent names one of the players of --table or --players; a game that goes on knows its opponents"
        )
    return with_opponents(setup, opponents)
