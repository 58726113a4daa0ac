"""``companion calibrate card``: a county card of the Châteauma, read from a picture."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..words import Words
from .errors import fail
from .options import language_option

if TYPE_CHECKING:
    from calibration.facts import CountyHex
    from vision.boards.card import CardScan


@click.command("card")
@click.argument("cards_path", type=click.Path(path_type=Path), metavar="CARDS")
@click.option("--camera", "camera_name", required=True, help="usb:0, pi, or a picture, folder or video.")
@click.option("--yes", is_flag=True, help="Take what was read without asking.")
@language_option
def calibrate_card(cards_path: Path, camera_name: str, yes: bool, language: str) -> None:
    """Read the county card before the camera and keep it in the file CARDS.

    Show one empty card alone, the right way up. Of a card that is known, only what nobody has seen in print is asked
    for; of any other, the colours that are not read surely, and which space bears the goods symbol.
    """
    from calibration.facts import load_facts
    from calibration.table_writer import write_table
    from hardware.cameras import CameraError, open_camera
    from vision.boards.card import CardError, scan_card

    words = Words(language)
    try:
        with open_camera(camera_name) as camera:
            scan = scan_card(camera.read())
        document = (
            json.loads(cards_path.read_text(encoding="utf-8")) if cards_path.exists() else {"cards": []}
        )
        cards = document["cards"]
    except (CameraError, CardError, OSError) as error:
        fail(error)
    except (ValueError, KeyError, TypeError):
        fail(f"{cards_path}: not a file of county cards; repair it or name another one")
    known = load_facts().county_cards[scan.number].hexes if scan.number else ()
    colours = list(_colours(scan, known, words, yes))
    marks = [hex_.sells_goods for hex_ in known] or _marks(scan, words, yes)
    hexes = [{"colour": colour, "sell_goods": mark} for colour, mark in zip(colours, marks, strict=True)]
    cards[:] = [one for one in cards if one.get("hexes") != hexes]
    cards.append({"card": scan.number, "hexes": hexes})
    write_table(cards_path, document)
    told = ", ".join(words(f"colour.{colour}") for colour in colours)
    click.echo(words("card.kept" if known else "card.kept_unknown", number=scan.number, told=told))


def _colours(scan: CardScan, known: Sequence[CountyHex], words: Words, yes: bool) -> Iterator[str]:
    """The colours from top to bottom, as they are known to be printed or, asking where that is not sure, as read."""
    from calibration.facts import COLOURS
    from vision.boards.scan import SURE

    for index, (colour, confidence) in enumerate(scan.colours):
        printed = known[index].colour if known else None
        if printed is None and confidence < SURE and not yes:
            question = words("card.colour", number=index + 1)
            colour = click.prompt(question, default=colour, type=click.Choice(COLOURS))
        yield printed or colour


def _marks(scan: CardScan, words: Words, yes: bool) -> list[bool]:
    """Which space of a card that is not known bears the goods symbol; the one that stands out is proposed."""
    spaces = len(scan.colours)
    marked = 0 if scan.symbol is None else scan.symbol + 1
    if not yes:
        marked = click.prompt(words("card.symbol"), default=marked, type=click.IntRange(0, spaces))
    return [number == marked for number in range(1, spaces + 1)]
