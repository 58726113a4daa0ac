"""``companion calibrate card``: reads a county card of the Châteauma from a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from companion.calibrate.games.burgundy.county_card import CardReading, CardReadingError, read_card
from companion.cli.errors import fail
from companion.cli.options import language_option, needed_camera_option, print_option
from companion.cli.outputs import ensure_writable
from companion.games.burgundy.modules.chateauma import AnswerError
from companion.games.burgundy.modules.chateauma.cards import CARDS
from companion.games.burgundy.owner_print import OwnersPrint
from companion.games.burgundy.plugin import chateauma_module
from companion.games.burgundy.rules.tiles import TYPES
from companion.text.translator import Translator

from .calibrate_chateauma import EDITION


@click.command("card")
@needed_camera_option("usb:0, pi, or a picture, folder or video")
@click.option(
    "--number", type=click.IntRange(1, CARDS), metavar="N", help="Number of the card if it cannot be read."
)
@print_option
@click.option("--yes", is_flag=True, help="Accept what was read without asking.")
@language_option
def calibrate_card(camera_name: str, number: int | None, print_path: Path, yes: bool, language: str) -> None:
    """Read the county card in front of the camera, and save it with the other print of your copy.

    Show one empty card alone, the right way up. For a known card, you are asked only for unknown details; for any
    other, for its number, the colours that were not read reliably, and the space with the goods symbol.
    """
    translator = Translator(language)
    ensure_writable(print_path)
    try:
        own = OwnersPrint(print_path, chateauma_module().print_of(EDITION))
        reading = read_card(camera_name, own.known, number)
        number = reading.number or _number(reading.candidates(own.known), translator, yes)
        colours = list(_colours(reading, translator, yes))
        marks = [s.sell_goods for s in reading.spaces] if reading.known else _marks(reading, translator, yes)
        spaces = [{"colour": c, "sell_goods": mark} for c, mark in zip(colours, marks, strict=True)]
        own.save({"cards": {str(number): spaces}})
    except CardReadingError as error:
        fail(translator(f"card.{error.code}", **error.data))
    except AnswerError as error:
        fail(translator(f"print.refused.{error.code}", **error.data))
    names = ", ".join(translator(f"colour.{colour}") for colour in colours)
    click.echo(translator("card.saved", number=number, colours=names))
    click.echo(translator("print.file", file=own.path), err=True)


def _number(candidates: Sequence[int], translator: Translator, yes: bool) -> int:
    """Asks for the number of a card that was not recognised."""
    if yes:
        fail(translator("card.no_number"))
    return int(
        click.prompt(translator("card.number"), type=click.Choice([str(number) for number in candidates]))
    )


def _colours(reading: CardReading, translator: Translator, yes: bool) -> Iterator[str]:
    """Yields the colours from top to bottom; asks for those that are not known and were not read reliably."""
    for index, space in enumerate(reading.spaces, 1):
        if space.certain or yes:
            yield space.tile_type
        else:
            yield click.prompt(translator("card.colour", number=index), type=click.Choice(TYPES))


def _marks(reading: CardReading, translator: Translator, yes: bool) -> list[bool]:
    """Asks which space of an unknown card has the goods symbol, which is never read reliably."""
    if yes:
        return [space.sell_goods for space in reading.spaces]
    spaces = len(reading.spaces)
    marked = click.prompt(translator("card.symbol"), type=click.IntRange(0, spaces))
    return [number == marked for number in range(1, spaces + 1)]
