"""``companion screens``: takes screenshots of every view for the documentation."""

from __future__ import annotations

from pathlib import Path

import click

from companion.devtools.screenshots.document import document
from companion.devtools.screenshots.pictures import shots, write_sheets
from companion.devtools.screenshots.view import views

from .outputs import OutputFolder
from .suggestions import cure


@click.command()
@click.option(
    "--out",
    "folder",
    type=OutputFolder(),
    default=Path("docs/screens"),
    show_default=True,
    help="Folder for the screenshots; the page that shows them is written beside it.",
)
@click.option("--only", "names", multiple=True, metavar="VIEW", help="Only this view. Can be repeated.")
@click.option(
    "--shots",
    "shots_folder",
    type=OutputFolder(),
    help="Also save each screenshot here in full size, as a PNG file.",
)
def screens(folder: Path, names: tuple[str, ...], shots_folder: Path | None) -> None:
    """Take screenshots of every view, and write the page that shows them: docs/screens.md.

    Seeded games are played at virtual tables, and every view is opened in chromium in each language, in light and dark
    mode, on a tablet in landscape and portrait and on a phone; the main views also on a small tablet, a phone on its
    side and a television.
    """
    known = [view.name for view in views()]
    for name in names:
        if name not in known:
            choices = f"choose among {', '.join(known)}"
            raise click.BadParameter(
                f"there is no view {name!r}; {cure(name, known, choices)}", param_hint="'--only'"
            )
    for place in (folder, *([shots_folder] if shots_folder else [])):
        place.mkdir(parents=True, exist_ok=True)
    written = 0
    for pictures in shots(names):
        written += write_sheets(pictures, folder)
        if shots_folder:
            for shot in pictures:
                (shots_folder / f"{shot.name}.png").write_bytes(shot.png)
        click.echo(pictures[0].view, err=True)
    if not names:
        folder.with_suffix(".md").write_text(document(folder.name), encoding="utf-8")
    click.echo(f"{written / 1e6:.1f} MB in {folder}")
