"""``companion calibrate trade_routes``: the trade route tiles of the owner's copy, as far as they are known."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import click

from companion.cli.errors import OptionError
from companion.cli.options import language_option, print_option
from companion.cli.outputs import ensure_writable
from companion.games.burgundy.owner_print import AnswerFormError, PrintFile
from companion.games.burgundy.rules.owner_print import AnswerError
from companion.runtime.games.burgundy.owner_print import file_text
from companion.text.translator import Translator

KIND = "trade_routes"
DIGITS = frozenset(map(str, range(10)))


@click.command("trade_routes")
@click.option(
    "--tile",
    "tiles",
    multiple=True,
    metavar="LETTER=SQUARES",
    help="Save a tile from the left, as in c=2:take_building,4:take_any_hex,1:workers_4. Can be repeated.",
)
@click.option("--remove", multiple=True, metavar="LETTER", help="Forget a tile. Can be repeated.")
@print_option
@language_option
def calibrate_trade_routes(
    tiles: tuple[str, ...], remove: tuple[str, ...], print_path: Path, language: str
) -> None:
    """List the trade route tiles that are known of your copy, or correct them.

    They are learnt from what you report during games. Nothing needs to be recorded before one.
    """
    translator = Translator(language)
    ensure_writable(print_path)
    own = PrintFile(print_path)
    changes = [*map(_tile, tiles), *((letter, None) for letter in remove)]
    _check(changes, remove, own.answers.get(KIND, {}))
    if answer := dict(changes):
        try:
            own.save({KIND: answer})
        except AnswerError as error:
            raise OptionError(translator(f"print.refused.{error.code}", **error.data)) from error
        except AnswerFormError as error:
            raise OptionError(str(error)) from error
    for letter, squares in own.answers.get(KIND, {}).items():
        named = ", ".join(f"{number} {translator(f'effect.{bonus}')}" for number, bonus in squares)
        click.echo(f"{letter}: {named}")
    click.echo(file_text(own, translator))


def _check(named: Sequence[tuple[str, object]], removed: Sequence[str], known: Collection[str]) -> None:
    """Rejects a tile that is named twice, and a *removed* one that is not *known*."""
    letters = [letter for letter, _ in named]
    for letter in letters:
        if letters.count(letter) > 1:
            raise OptionError(f"trade route tile {letter} is named twice: say once what it is, or remove it")
    for letter in removed:
        if letter not in known:
            recorded = f"there are {', '.join(known)}" if known else "none is"
            raise OptionError(f"no trade route tile {letter} is recorded ({recorded}): leave it out")


def _tile(text: str) -> tuple[str, list[list[object]]]:
    """Returns letter and squares of a tile given as LETTER=SQUARES."""
    letter, _, squares = text.partition("=")
    pairs = [square.partition(":")[::2] for square in squares.split(",")]
    if not all(number in DIGITS and bonus for number, bonus in pairs):
        raise OptionError(f"{text!r} is no tile: write it like c=2:take_building,4:points_4,1:workers_4")
    return letter, [[int(number), bonus] for number, bonus in pairs]
