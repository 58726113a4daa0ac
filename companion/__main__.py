"""``python -m companion``."""

from .cli import main

main(prog_name="./run")
