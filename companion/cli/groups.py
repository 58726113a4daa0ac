"""Groups of commands, and what they say when a command is mistyped or cannot be done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from typing import Any, NoReturn

import click

from calibration.errors import CompanionError

from .errors import PREFIX, fail, is_about_files

MISTYPED = 2
"""The exit code when a command line cannot be understood."""


class Group(click.Group):
    """A group that knows which command was meant; *beside* names those that are no commands of its own."""

    def __init__(self, *args: Any, beside: Sequence[str] = (), **more: Any) -> None:
        super().__init__(*args, **more)
        self._beside = beside

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
            known = [*self.list_commands(ctx), *self._beside]
            near = get_close_matches(name, known, n=1)
            cure = f"did you mean {near[0]!r}?" if near else f"choose among {', '.join(sorted(known))}"
            ctx.fail(f"there is no command {name!r}; {cure}")
        return super().resolve_command(ctx, args)


class Commands(Group):
    """A group whose commands are loaded when they are wanted: a game begins sooner without all the others.

    The command ``X`` is called ``PREFIX_X`` in a module of the same name in :mod:`companion.cli`.
    """

    def __init__(self, *args: Any, names: Sequence[str], prefix: str = "", **more: Any) -> None:
        super().__init__(*args, **more)
        self._names, self._prefix = names, prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted((*self._names, *super().list_commands(ctx)))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._names:
            return super().get_command(ctx, cmd_name)
        name = f"{self._prefix}{cmd_name}"
        command = getattr(import_module(f"companion.cli.{name}"), name)
        assert isinstance(command, click.Command)
        return command


class CommandLine(Commands):
    """The group of all commands: prints what people can correct in one line; a fault of the program is a traceback."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        run: Callable[[], Any] = partial(
            super().main, args, prog_name, complete_var, standalone_mode=False, **extra
        )
        if not standalone_mode:
            return run()
        try:
            code = run()
        except click.UsageError as error:
            _refuse(error)
        except click.ClickException as error:
            fail(error.format_message())
        except click.Abort:
            fail("stopped")
        except CompanionError as error:
            fail(error)
        except OSError as error:
            if not is_about_files(error):
                raise
            fail(error)
        sys.exit(code if isinstance(code, int) else 0)


def _refuse(error: click.UsageError) -> NoReturn:
    said = error.format_message().rstrip(".")
    said = said[:1].lower() + said[1:]
    if error.ctx is not None:
        said += f" ('{error.ctx.command_path} --help' says more)"
    click.echo(f"{PREFIX}{said}", err=True)
    sys.exit(MISTYPED)
