"""Templates, compiled once: their bytecode is kept in ``__pycache__``, as Python keeps that of modules.

``python -m web.templating`` compiles all of them, for a folder in which who plays may not write.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from flask import Flask
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

FOLDER = Path(__file__).parent / "__pycache__"
READABLE = 0o644


class TemplateBytecode(FileSystemBytecodeCache):
    """Represents the bytecode of the templates, in *folder*. Bytecode that is damaged, or of a template that was
    changed since, is made anew."""

    def __init__(self, folder: Path = FOLDER) -> None:
        super().__init__(str(folder), f"%s.{sys.implementation.cache_tag}.jinja-{version('jinja2')}")

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return name.replace("/", "-")  # wherever the folder is moved to

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        try:
            super().dump_bytecode(bucket)
            # Jinja leaves it to the one who wrote it; the account that plays is another one than that which installs.
            Path(self.directory, self.pattern % bucket.key).chmod(READABLE)
        except OSError:
            return  # as Python does: where nothing can be written, it is compiled at every start


def set_up_templates(app: Flask) -> None:
    """To be called before *app* renders its first template."""
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True, "bytecode_cache": TemplateBytecode()}


def compile_templates(app: Flask) -> None:
    """Compiles all templates of *app* now, for which a page or a press would wait later."""
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)


if __name__ == "__main__":
    own = Flask("web")
    set_up_templates(own)
    compile_templates(own)
