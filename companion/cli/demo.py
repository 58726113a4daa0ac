"""``companion demo``: a whole game without hardware."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from calibration.counting import counted
from calibration.errors import CompanionError
from companion.games.registry import plugin
from companion.players.bots import BOTS
from companion.text.translator import Translator

from .errors import fail
from .game_command import GameCommand, game_option, game_part, modules_option, players_option
from .options import hosts_option, is_given, language_option, seed_option, voice_option
from .outputs import OutputFile
from .voice import speaking

if TYPE_CHECKING:
    from companion.runtime.server import PageSettings
    from companion.virtual.demo import DemoOptions


_OF_THE_PAGE = {"speed": "--speed", "voice": "--voice", "host": "--host", "port": "--port", "hosts": "--name"}
"""Parameter -> option that only a demo with a page has a use for."""


def _no_nan(context: click.Context, parameter: click.Parameter, value: float) -> float:
    """Returns *value* unless it is NaN, which passes every range check."""
    if math.isnan(value):
        raise click.BadParameter("nan is not a number")
    return value


@click.command(cls=GameCommand)
@game_option
@modules_option
@players_option("Number of players.  [default: as many as can play]")
@seed_option("The same seed plays the same game.")
@click.option("--speed", type=click.FloatRange(0.1, 100), callback=_no_nan, default=1.0, show_default=True)
@click.option("--bot", type=click.Choice(sorted(BOTS)), default="greedy", show_default=True)
@click.option("--headless", is_flag=True, help="Play one game without a page, as fast as it can.")
@click.option("--json", "as_json", is_flag=True, help="With --headless: print one JSON object.")
@click.option(
    "--journal",
    "journal_path",
    type=OutputFile(),
    metavar="FILE",
    help="Save the game's journal in a new FILE.",
)
@click.option(
    "--noise",
    is_flag=True,
    help="In addition to real reading errors, misread 2 % of the places, miss 5 %, and leave 2 % of the dice unread.",
)
@click.option(
    "--opponents",
    type=click.IntRange(0, 3),
    default=0,
    metavar="N",
    help="Let the companion play the last N of the others; simulated people follow its instructions.",
)
@language_option
@voice_option
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other devices join.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
@hosts_option
def demo(
    game: str,
    own: Mapping[str, Any],
    modules: tuple[str, ...],
    players: int | None,
    seed: int,
    speed: float,
    bot: str,
    headless: bool,
    as_json: bool,
    journal_path: str | None,
    noise: bool,
    opponents: int,
    language: str,
    voice: bool,
    host: str,
    port: int,
    hosts: tuple[str, ...],
) -> None:
    """Play a complete game on a virtual table: drawn, read, explained, confirmed and recorded."""
    from companion.runtime.server import PageSettings
    from companion.virtual import demo as demos
    from companion.virtual.misreadings import NO_MISREADINGS, TYPICAL_MISREADINGS
    from companion.virtual.virtual_game import virtual_game

    faults = TYPICAL_MISREADINGS if noise else NO_MISREADINGS
    if as_json and not headless:
        raise click.UsageError("--json works only with --headless")
    if headless and (given := [option for name, option in _OF_THE_PAGE.items() if is_given(name)]):
        raise click.UsageError(f"{' and '.join(given)} cannot be used with --headless, which shows no page")
    part = game_part("demo", game)
    described = own if part is None else part.create(**own)
    try:
        setup = demos.demo_setup(
            players or plugin(game).player_counts[-1],
            seed,
            game=game,
            modules=modules,
            opponents=[bot] * opponents,
            **described,
        )
        options = demos.DemoOptions(setup, seed, bot, journal_path, faults)
        if assumptions := virtual_game(game).assumptions(setup):
            click.echo(assumptions, err=True)
        if headless:
            report = demos.play_headless(options)
            click.echo(json.dumps(report) if as_json else _sentence(report))
            return
        _serve(options, PageSettings(host, port, hosts, language=language), speed=speed, voice=voice)
    except CompanionError as error:
        fail(error)


def _serve(options: DemoOptions, page: PageSettings, *, speed: float, voice: bool) -> None:
    """Plays in one thread and serves the page in others, until Ctrl-C."""
    from companion.runtime.server import PageServer
    from companion.runtime.wiring import page_of
    from companion.virtual import demo as demos

    translator = Translator(page.language)
    click.echo(translator("command.demo_begins"), err=True)
    with (
        demos.open_demo(options, stores_pictures=True) as running,
        speaking(running.session, voice, page.language),
    ):
        server = PageServer(page_of(running.table, press=running.press), page)
        click.echo(translator("command.open_demo", address=server.address))
        stop = threading.Event()
        try:
            demos.play_live(running, speed, stop)
            click.echo(translator("command.demo_over"), err=True)
            stop.wait()
        except KeyboardInterrupt:
            pass
        finally:
            stop.set()
            server.close()


def _sentence(report: Mapping[str, Any]) -> str:
    equal = "equals" if report["journal_equals_truth"] else "DIFFERS from"
    return (
        f"{counted(report['turns'], 'turn')} by {counted(report['players'], 'player')} in {report['seconds']} s: "
        f"{counted(report['presses'], 'press', 'presses')}, {counted(report['questions'], 'question')}, "
        f"{counted(report['corrections'], 'correction')}, {counted(report['wrong'], 'wrong move')}; "
        f"the journal {equal} the true game; scores {report['scores']}"
    )
