"""``./run install``, ``update`` and ``uninstall``, with nothing but the standard library."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn

from .errors import ServiceError
from .file_errors import describe
from .installation import Installation
from .paths import InstallPaths, has_systemd, system_paths, user_paths
from .systemd import STABLE_S

PUBLIC = 0o022
"""Umask: everybody may read and run what is installed, whatever root's own umask is."""


def main(words: Sequence[str] | None = None) -> None:
    """Runs the command *words*; on an error prints one sentence on stderr and exits with code 1."""
    arguments, unknown = _parser().parse_known_args(words)
    if unknown:
        arguments.parser.reject(unknown[0])
    os.umask(PUBLIC)
    try:
        _do(arguments)
    except ServiceError as error:
        sys.exit(f"companion: {error}")
    except OSError as error:
        sys.exit(f"companion: {describe(error)}")
    except KeyboardInterrupt:
        sys.exit("companion: stopped before it was done; give the same command again")


class _Parser(argparse.ArgumentParser):
    """Reports mistyped arguments in the form that all other commands use."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"companion: {message} (see '{self.prog} --help')\n")

    def reject(self, word: str) -> NoReturn:
        """Rejects *word*, which the command does not take, and suggests the option that may have been meant."""
        if not word.startswith("-"):
            self.error(f"unexpected argument {word!r}")
        near = get_close_matches(word.partition("=")[0], self._option_string_actions, n=1)
        self.error(f"there is no option {word!r}" + (f"; did you mean {near[0]!r}?" if near else ""))


def _check_combined(arguments: argparse.Namespace, paths: InstallPaths) -> None:
    """Rejects options that have no effect with the others, so that nobody believes that they had one."""
    command, reject = arguments.command, arguments.parser.error
    if command == "install" and arguments.user is not None and paths.data is None:
        reject("--user names the account of a service, and none is installed here: leave it out")
    if command == "uninstall" and arguments.data == "delete" and paths.data is None:
        reject(
            "--data delete concerns a service; './run privacy delete-everything' deletes the data of your account"
        )
    if command == "update" and arguments.back and (arguments.source or arguments.version):
        reject("--back goes back to the version before: leave out the source and --version")


def _parser() -> _Parser:
    parser = _Parser(prog="./run", description="Installs, updates or removes the companion on this machine.")
    commands = parser.add_subparsers(dest="command", required=True)
    everywhere = _Parser(add_help=False)
    everywhere.add_argument("--own", action="store_true", help="for your account only, without a service")
    install = commands.add_parser(
        "install",
        parents=[everywhere],
        help="install this version, and start it at every boot",
        description="Install this version, and start it at every boot. Run it again to repair an installation.",
    )
    install.add_argument("--user", help="the account that the service runs as; yours by default")
    install.add_argument(
        "options",
        nargs="*",
        metavar="OPTION",
        help="after --, options of 'play' for the service: -- --camera pi --table table.json --language fr",
    )
    update = commands.add_parser(
        "update",
        parents=[everywhere],
        help="install the newest version; all data are kept, and a version that does not start is rolled back",
    )
    update.add_argument(
        "source",
        nargs="?",
        help="a folder, an archive, a git bundle or a git address; by default, where it came from",
    )
    update.add_argument("--version", help="install this tag or commit instead of the newest release")
    update.add_argument("--back", action="store_true", help="go back to the previous version instead")
    uninstall = commands.add_parser(
        "uninstall", parents=[everywhere], help="remove it; asks whether to delete the data too"
    )
    uninstall.add_argument(
        "--data", choices=("keep", "delete"), help="keep or delete the data without asking"
    )
    settle = commands.add_parser(
        "settle", parents=[everywhere]
    )  # internal: one version runs it in the code of another
    settle.add_argument("--steady", type=float, default=STABLE_S)
    for command in commands.choices.values():
        command.set_defaults(parser=command)
    return parser


def _do(arguments: argparse.Namespace) -> None:
    paths = _paths_for(arguments.own)
    _check_combined(arguments, paths)
    stable_s = arguments.steady if arguments.command == "settle" else STABLE_S
    installation = Installation(paths, lambda line: print(line, flush=True), stable_s)
    if arguments.command == "install":
        installation.install(arguments.user, arguments.options or None)
    elif arguments.command == "settle":
        installation.deploy()
    elif arguments.command == "uninstall":
        installation.uninstall(_deletes_data(arguments.data, paths))
    elif arguments.back:
        installation.go_back()
    else:
        installation.update(arguments.source, arguments.version)


def _paths_for(own: bool) -> InstallPaths:
    """Returns the machine's paths, or those of one account if asked for or if there is no systemd."""
    if own or (os.geteuid() and not has_systemd()):
        return user_paths()
    if os.geteuid():
        raise ServiceError(
            "this needs root: put sudo before it, or use --own for your account only, without a service"
        )
    return system_paths()


def _deletes_data(choice: str | None, paths: InstallPaths) -> bool:
    """Returns whether to delete the data too: as the option *choice* says, or else as the user answers."""
    if choice is not None or paths.data is None or not paths.data.exists() or not sys.stdin.isatty():
        return choice == "delete"
    answer = input(f"Delete the games, calibration and settings in {paths.data} too? [y/N] ")
    return answer.strip().lower() in ("y", "yes")


if __name__ == "__main__":
    main()
