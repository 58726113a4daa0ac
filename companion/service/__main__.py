"""``./run install``, ``update`` and ``uninstall``, with nothing but the standard library."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NoReturn

from .errors import ServiceError
from .installation import Installation
from .paths import InstallPaths, has_systemd, system_paths, user_paths
from .systemd import STABLE_S

PUBLIC = 0o022
"""Programs may be read and started by everybody, whatever root usually allows."""


def main(words: Sequence[str] | None = None) -> None:
    """Does what *words* say; one sentence on stderr and exit code 1 when it cannot be done."""
    arguments, unknown = _parser().parse_known_args(words)
    if unknown:
        arguments.parser.refuse(unknown[0])
    os.umask(PUBLIC)
    try:
        _do(arguments)
    except (ServiceError, OSError) as error:
        sys.exit(f"companion: {error}")


class _Parser(argparse.ArgumentParser):
    """Says what is mistyped as all other commands do."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"companion: {message} ('{self.prog} --help' says more)\n")

    def refuse(self, word: str) -> NoReturn:
        """Says that there is no such *word* in this command, and which option may have been meant."""
        if not word.startswith("-"):
            self.error(f"there is no argument {word!r} to take")
        near = get_close_matches(word.partition("=")[0], self._option_string_actions, n=1)
        self.error(f"there is no option {word!r}" + (f"; did you mean {near[0]!r}?" if near else ""))


def _parser() -> _Parser:
    parser = _Parser(prog="./run", description="The companion as a part of this machine.")
    commands = parser.add_subparsers(dest="command", required=True)
    everywhere = _Parser(add_help=False)
    everywhere.add_argument(
        "--own", action="store_true", help="for your account alone, and without a service"
    )
    install = commands.add_parser(
        "install",
        parents=[everywhere],
        help="install this version, and start it at every boot",
        description="Install this version, and start it at every boot. Again, it puts in order what is there.",
    )
    install.add_argument("--user", help="the account it plays as; at first yours, unless you name another")
    install.add_argument(
        "options",
        nargs="*",
        metavar="OPTION",
        help="after --, those of 'play' to start with: -- --camera pi --table table.json --language fr",
    )
    update = commands.add_parser(
        "update",
        parents=[everywhere],
        help="get the newest version; all data stay, and a version that does not come up is taken back",
    )
    update.add_argument(
        "source",
        nargs="?",
        help="a folder, an archive or a git bundle, as on a USB stick, or a git address; where it came from, if none",
    )
    update.add_argument("--version", help="a tag or commit instead of the newest release")
    update.add_argument("--back", action="store_true", help="the version before this one, instead")
    uninstall = commands.add_parser(
        "uninstall", parents=[everywhere], help="remove it; asks whether data go, too"
    )
    uninstall.add_argument("--data", choices=("keep", "delete"), help="instead of asking")
    settle = commands.add_parser("settle", parents=[everywhere])  # what one version lets another do
    settle.add_argument("--steady", type=float, default=STABLE_S)
    for command in commands.choices.values():
        command.set_defaults(parser=command)
    return parser


def _do(arguments: argparse.Namespace) -> None:
    places = _paths_for(arguments.own)
    stable_s = arguments.steady if arguments.command == "settle" else STABLE_S
    installation = Installation(places, lambda line: print(line, flush=True), stable_s)
    if arguments.command == "install":
        installation.install(arguments.user, arguments.options or None)
    elif arguments.command == "settle":
        installation.settle()
    elif arguments.command == "uninstall":
        installation.uninstall(_deletes_data(arguments.data, places))
    elif arguments.back:
        installation.go_back()
    else:
        installation.update(arguments.source, arguments.version)


def _paths_for(for_one: bool) -> InstallPaths:
    """The machine's, or one account's where that is asked for, or where nothing more can be had."""
    if for_one or (os.geteuid() and not has_systemd()):
        return user_paths()
    if os.geteuid():
        raise ServiceError(
            "this needs root: put sudo before it; --own does it for your account, without a service"
        )
    return system_paths()


def _deletes_data(said: str | None, places: InstallPaths) -> bool:
    """Whether the data go, too: asked for, or answered with yes by a person."""
    if said is not None or places.data is None or not places.data.exists() or not sys.stdin.isatty():
        return said == "delete"
    answer = input(f"Delete games, calibration and settings in {places.data}, too? [y/N] ")
    return answer.strip().lower() in ("y", "yes")


if __name__ == "__main__":
    main()
