"""Compiled templates: their bytecode is cached in ``__pycache__``, like that of Python modules.

``python -m web.templating`` compiles all of them, for an installation whose folder the service may not write to.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from flask import Flask
from jinja2 import BaseLoader, ChoiceLoader, FileSystemBytecodeCache, FileSystemLoader, PrefixLoader
from jinja2.bccache import Bucket

import web.games

FOLDER = Path(__file__).parent / "__pycache__"
READABLE = 0o644


class TemplateBytecode(FileSystemBytecodeCache):
    """Represents the cache of template bytecode in *folder*. Damaged or outdated bytecode is compiled again."""

    def __init__(self, folder: Path = FOLDER) -> None:
        super().__init__(str(folder), f"%s.{sys.implementation.cache_tag}.jinja-{version('jinja2')}")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return name.replace("/", "-")  # the same when the folder has been moved

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        try:
            super().dump_bytecode(bucket)
            # Jinja makes it private, but another account than the installing one plays.
            Path(self.directory, self.pattern % bucket.key).chmod(READABLE)
        except OSError:
            return  # like Python: without write access, templates are compiled at every start


class GameTemplates(PrefixLoader):
    """Loads the templates of all games, whose names begin with the game's.

    The cache knows them by these names: those of two games may be called alike.
    """

    load = BaseLoader.load


def set_up_templates(app: Flask) -> None:
    """Configures Jinja; must be called before *app* renders its first template."""
    app.jinja_options = {
        "trim_blocks": True,
        "lstrip_blocks": True,
        "bytecode_cache": TemplateBytecode(),
        "loader": _loader(app),
    }


def _loader(app: Flask) -> BaseLoader:
    """Returns a loader of the common templates, and of those of all games, whose names begin with the game's."""
    own = {folder.name: FileSystemLoader(folder / "templates") for folder in game_folders()}
    return ChoiceLoader([app.create_global_jinja_loader(), GameTemplates(own)])


def game_folders() -> list[Path]:
    """Returns the folders with the games' parts of the page."""
    return [folder for path in web.games.__path__ for folder in Path(path).iterdir() if folder.is_dir()]


def compile_templates(app: Flask) -> None:
    """Compiles all templates of *app* now, so that no page or press has to wait for it later."""
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)


if __name__ == "__main__":
    app = Flask("web")
    set_up_templates(app)
    compile_templates(app)
