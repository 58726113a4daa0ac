"""``companion calibrate card``: a county card of the Châteauma, read from a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..words import Words
from .errors import fail
from .options import language_option

if TYPE_CHECKING:
    from vision.boards.card import CardScan

GOODS = click.IntRange(1, 6)


@click.command("card")
@click.argument("cards_path", type=click.Path(path_type=Path), metavar="CARDS")
@click.option("--camera", "camera_name", required=True, help="usb:0, pi, or a picture, folder or video.")
@click.option("--yes", is_flag=True, help="Take what was read without asking.")
@language_option
def calibrate_card(cards_path: Path, camera_name: str, yes: bool, language: str) -> None:
    """Read the county card before the camera and keep it in the file CARDS.

    Show one empty card alone, the right way up. Colours that are not read surely are asked for, and which goods symbol
    it bears.
    """
    from calibration.table_writer import write_table
    from hardware.cameras import CameraError, open_camera
    from vision.boards.card import CardError, printed_colours, scan_card

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
    card = scan.number
    colours = printed_colours(card) if card else _confirmed(scan, words, yes)
    goods = None if yes else click.prompt(words("card.goods"), type=GOODS)
    kept = {"card": card, "colours": colours, "goods": goods}
    cards[:] = [one for one in cards if one.get("colours") != colours]
    cards.append(kept)
    write_table(cards_path, document)
    told = ", ".join(words(f"colour.{colour}") if colour else "?" for colour in colours)
    click.echo(words("card.kept" if card else "card.kept_unknown", number=card, told=told))


def _confirmed(scan: CardScan, words: Words, yes: bool) -> list[str]:
    """The colours of a card that is not known, those asked for that were not read surely."""
    from calibration.facts import COLOURS
    from vision.boards.scan import SURE

    colours = []
    for number, (colour, confidence) in enumerate(scan.colours, 1):
        if confidence < SURE and not yes:
            question = words("card.colour", number=number)
            colour = click.prompt(question, default=colour, type=click.Choice(COLOURS))
        colours.append(colour)
    return colours
