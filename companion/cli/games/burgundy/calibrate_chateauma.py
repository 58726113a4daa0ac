"""``companion calibrate chateauma``: records what is printed in the owner's copy for the Châteauma."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.options import CameraName, hosts_option, language_option, print_option
from companion.cli.outputs import ensure_writable
from companion.games.burgundy.modules.chateauma import MODIFIERS
from companion.games.burgundy.owner_print import OwnersPrint
from companion.games.burgundy.plugin import chateauma_module
from companion.runtime.game_runner import NO_CAMERA
from companion.runtime.games.burgundy.owner_print import ask_owner, file_text
from companion.text.translator import Translator

from .options import modifiers_option

EDITION = "special"


@click.command(
    "chateauma",
    params=[
        modifiers_option(
            "".join(MODIFIERS), "Ask only for what games with these modifiers need.  [default: all]"
        )
    ],
)
@click.option(
    "--camera",
    "camera_name",
    type=CameraName(),
    default=NO_CAMERA,
    show_default=True,
    help="usb:0, pi, or a picture, folder or video, to read cards with.",
)
@print_option
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other devices join.")
@click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True)
@hosts_option
@language_option
def calibrate_chateauma(
    camera_name: str,
    modifiers: str,
    print_path: Path,
    host: str,
    port: int,
    hosts: tuple[str, ...],
    language: str,
) -> None:
    """Record what is printed in your copy for the Châteauma, if it is unknown or differs from the known print.

    Open the page at the printed address. Answers are saved at once, and used by every game.
    """
    from companion.runtime.server import PageSettings
    from hardware.cameras import kind_of

    translator = Translator(language)
    kind_of(camera_name)
    ensure_writable(print_path)
    own = OwnersPrint(print_path, chateauma_module().print_of(EDITION))
    page = PageSettings(host, port, hosts, language=language)
    ask_owner(own, modifiers, page, translator, for_game=False, camera_name=camera_name)
    click.echo(file_text(own, translator))
