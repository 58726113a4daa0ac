"""``companion calibrate tiles``: learns what the tiles of the owner's copy look like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.calibrate.game_table import game_table
from companion.text.translator import Translator

from .game_command import game_option, modules_option
from .options import language_option, needed_camera_option
from .outputs import OutputFile
from .read_dice import load_table

if TYPE_CHECKING:
    from companion.calibrate.tiles import TileEnrolment
    from hardware.cameras import Camera

PER_ROW = 4


@click.command("tiles")
@click.argument("table_path", type=click.Path(path_type=Path), metavar="TABLE")
@click.argument("gallery_path", type=OutputFile(), metavar="GALLERY")
@needed_camera_option("usb:0, pi, or a folder of pictures in order")
@click.option("--yes", is_flag=True, help="Do not wait or ask; for pictures taken earlier.")
@language_option
@game_option
@modules_option
def calibrate_tiles(
    table_path: Path,
    gallery_path: Path,
    camera_name: str,
    yes: bool,
    language: str,
    game: str,
    modules: tuple[str, ...],
) -> None:
    """Learn what your tiles look like, a few at a time, and save it in the file GALLERY.

    First clear the table beside the boards. Then put the tiles that are named in rows beside the boards, as you see
    them in the picture, and press Enter. If the table has areas for cards, the back of a tile is learnt too. You can
    stop at any time and continue later.
    './run play --gallery GALLERY' then tells your tiles apart. With --modules, the tiles of these expansions are learnt
    too.
    """
    from companion.calibrate.tiles import TileEnrolment
    from hardware.cameras import CameraEnded, open_camera, warm_up
    from vision.sighting import FACE_DOWN

    translator, table = Translator(language), load_table(table_path)
    on_table = game_table(game).with_modules(modules).with_groups(group.name for group in table.places)
    try:
        backs = (FACE_DOWN,) if table.card_areas_mm else ()
        labels = (*on_table.tiles, *backs, *on_table.goods, *on_table.tokens)
        enrolment = TileEnrolment(labels, gallery_path, table)
        with open_camera(camera_name, table.camera_settings) as camera:
            _wait(translator("enrolment.clear"), yes, translator)
            enrolment.observe_empty_table(warm_up(camera).read())
            while batch := enrolment.next_batch():
                _wait("\n".join(instructions(enrolment, batch, translator)), yes, translator)
                _learn(enrolment, camera, batch, translator, ask=not yes)
    except CameraEnded:
        pass
    learnt, total = enrolment.progress
    click.echo(
        translator("enrolment.done" if learnt == total else "enrolment.later", learnt=learnt, total=total)
    )


def _wait(message: str, yes: bool, translator: Translator) -> None:
    click.echo(message)
    if not yes:
        click.prompt(translator("enrolment.ready"), default="", show_default=False, prompt_suffix=" ")


def instructions(enrolment: TileEnrolment, batch: Sequence[str], translator: Translator) -> Iterator[str]:
    """Yields lines that say what to place where for the next picture."""
    learnt, total = enrolment.progress
    yield ""
    places, kind = enrolment.places_for(batch), enrolment.kind_with_places(batch)
    yield translator(_text("lay", kind), learnt=learnt, total=total)
    for label, place in zip(batch, places, strict=False):
        yield "  " + translator("enrolment.on", tile=label, place=place)
    if places:
        return
    for start in range(0, len(batch), PER_ROW):
        yield "  " + ", ".join(translator.tile(label) for label in batch[start : start + PER_ROW])


def _text(name: str, kind: str | None) -> str:
    """Returns the key of a text about tiles, or about things of a *kind* with places of their own."""
    return f"enrolment.{name}" if kind is None else f"enrolment.{name}_{kind}"


def _learn(
    enrolment: TileEnrolment, camera: Camera, batch: Sequence[str], translator: Translator, *, ask: bool
) -> None:
    """Learns the tiles of one picture, or prints why that is not possible."""
    from companion.calibrate.tiles import TileCountError
    from hardware.cameras import warm_up

    try:
        shown = enrolment.find_tiles(warm_up(camera).read(), batch)
    except TileCountError as error:
        click.echo(translator(_text("count", error.kind), seen=error.seen, expected=error.expected))
        return
    for i in shown.doubts:
        question = translator("enrolment.doubt", number=i + 1, tile=batch[i])
        if not ask:
            click.echo(question)
        elif not click.confirm(question):
            return
    enrolment.learn(shown, batch)
