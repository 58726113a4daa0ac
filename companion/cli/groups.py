"""Groups of commands, and how they report mistyped commands and errors."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from io import TextIOWrapper
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import click

from calibration.errors import CompanionError
from companion.service.notify import notifier

from .errors import PREFIX, fail, is_user_error
from .suggestions import cure
from .terminal import shortened, shown

_NUMBERS = {"integer": "whole number", "float": "number"}
"""What click calls a kind of number -> what people do."""
_NO_NUMBER = re.compile(rf"is not a valid ({'|'.join(_NUMBERS)})(?: range)?(?=$| \()")
MISTYPED = 2
"""Exit code for a command line that cannot be parsed."""


class Group(click.Group):
    """A group that suggests the command that was meant; *other_commands* are suggested too, but handled elsewhere."""

    def __init__(self, *args: Any, other_commands: Sequence[str] = (), **more: Any) -> None:
        super().__init__(*args, **more)
        self._other_commands = other_commands

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), err=True)
            ctx.exit(MISTYPED)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            known = [*self.list_commands(ctx), *self._other_commands]
            choices = f"choose among {', '.join(sorted(known))}"
            ctx.fail(f"there is no command {name!r}; {cure(name, known, choices)}")
        return super().resolve_command(ctx, args)


class Commands(Group):
    """A group that imports a command only when it is used, so that commands start faster.

    *modules* are the modules of the commands by name (:func:`named`, :func:`found`); a command is the function that is
    named after its module.
    """

    def __init__(self, *args: Any, modules: Mapping[str, str], **more: Any) -> None:
        super().__init__(*args, **more)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted((*self._modules, *super().list_commands(ctx)))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._modules:
            return super().get_command(ctx, cmd_name)
        module = self._modules[cmd_name]
        command = getattr(import_module(module), module.rpartition(".")[2])
        assert isinstance(command, click.Command)
        return command


def named(*names: str) -> dict[str, str]:
    """Returns the modules of commands by name: each is in the module of its name beside this one."""
    return {name: f"{__package__}.{name}" for name in names}


def found(group: str) -> dict[str, str]:
    """Returns the modules of a group's commands by name: ``GROUP_NAME`` beside this one and in the games' folders."""
    here = Path(__file__).parent
    files = (path for folder in ("", "games/*/") for path in sorted(here.glob(f"{folder}{group}_*.py")))
    return {
        file.stem.removeprefix(f"{group}_"): ".".join(
            (__package__, *file.relative_to(here).with_suffix("").parts)
        )
        for file in files
    }


class CommandLine(Commands):
    """The group of all commands. Prints errors that the user can fix in one line; a bug stays a traceback."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if notifier() is None:  # a start by the system leaves out the options that are empty
            _refuse_empty(ctx, args)
        return super().parse_args(ctx, args)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):  # a terminal that lacks an apostrophe shows a question mark
                stream.reconfigure(errors="replace")
        run: Callable[[], Any] = partial(
            super().main, args, prog_name, complete_var, standalone_mode=False, **extra
        )
        if not standalone_mode:
            return run()
        try:
            code = run()
        except click.NoSuchOption as error:
            _exit_with_usage_error(_about_negative_number(error))
        except click.UsageError as error:
            _exit_with_usage_error(error)
        except click.ClickException as error:
            fail(error.format_message())
        except click.Abort:
            fail("stopped")
        except CompanionError as error:
            fail(error)
        except OSError as error:
            if not is_user_error(error):
                raise
            fail(error)
        sys.exit(code if isinstance(code, int) else 0)


def _about_negative_number(error: click.NoSuchOption) -> click.UsageError:
    """Returns the same *error*; another one if what was taken for an option is a number below zero."""
    if not re.fullmatch(r"-\d", error.option_name):
        return error
    return click.UsageError("a number below zero cannot be used here", error.ctx)


def _refuse_empty(ctx: click.Context, args: Sequence[str]) -> None:
    """Refuses what is empty on the command line, such as a script's variable that is not set.

    :raises click.UsageError: if anything is.
    """
    for before, arg in pairwise(("", *args)):
        if re.fullmatch(r"--[\w-]+=\s*", arg) or (before.startswith("-") and not arg.strip()):
            option = arg.strip().rstrip("=") or before
            ctx.fail(f"{option} is given without a value: name one, or leave the option out")
        if not arg.strip():
            ctx.fail("an argument is empty: leave it out, or say what is meant")


def _exit_with_usage_error(error: click.UsageError) -> NoReturn:
    message = shortened(error.format_message()).rstrip(".")
    message = _NO_NUMBER.sub(lambda kind: f"is no {_NUMBERS[kind[1]]}", message)
    message = message[:1].lower() + message[1:]
    if error.ctx is not None:
        message += f" (see '{error.ctx.command_path} --help')"
    click.echo(f"{PREFIX}{shown(message)}", err=True)
    sys.exit(MISTYPED)
