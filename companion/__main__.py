"""``python -m companion``."""

from companion.cli.main import main

main(prog_name="./run")
