"""What ``companion rules`` lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.cli.game_command import GamePart
from companion.games.burgundy.plugin import burgundy

from .options import edition_option


def table_rules(edition: str) -> Iterator[tuple[str, Sequence[str], str]]:
    """Yields name, possible values and usual value of each table rule."""
    usual = burgundy().table_rules_of(edition, {}).to_json()
    for name, values in burgundy().table_rule_options.items():
        yield name, values, usual.get(name, values[0])


PART = GamePart((edition_option(),), table_rules)
