"""``python -m companion``."""

from .cli import main

main()
