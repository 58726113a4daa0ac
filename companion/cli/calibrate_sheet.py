"""``companion calibrate sheet``: writes the sheets to print."""

from __future__ import annotations

from pathlib import Path

import click

from companion.text.translator import Translator

from .options import language_option
from .outputs import OutputFile


@click.command("sheet")
@click.option("--paper", type=click.Choice(("a4", "letter")), default="a4", show_default=True)
@click.option("--out", type=OutputFile(), default=Path("sheets.pdf"), show_default=True, metavar="FILE")
@language_option
def calibrate_sheet(paper: str, out: Path, language: str) -> None:
    """Write the sheets to print: four markers for the corners of the table, a white card, and a board for measuring
    the lens."""
    from calibration.sheet import write_sheets

    write_sheets(out, paper, Translator(language))
    click.echo(Translator(language)("calibrate.sheets", file=out))
