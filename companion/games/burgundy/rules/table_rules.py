"""Table rules: what a group agrees on where the print is silent or ambiguous.

Each has a name, a default and other values. An edition may have another default (see ``Edition``), and modules add
their own (see :class:`.module.Module`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from .setup_validation import InvalidSetupError

RING, LINE = "ring", "line"
DISCARD, LOSE, FORBIDDEN = "discard", "lose", "forbidden"
POOLED, ONE_BY_ONE = "pooled", "one_by_one"
ANY_TIME, BETWEEN_ACTIONS = "any_time", "between_actions"
OPTIONAL, MANDATORY = "optional", "mandatory"
FEWEST_EMPTY, MOST_EMPTY = "fewest_empty", "most_empty"
OFF, ON = "off", "on"


def _choice(default: str, *others: str) -> Any:
    return field(default=default, metadata={"values": (default, *others)})


@dataclass(frozen=True, slots=True)
class TableRules:
    """The table rules of one game."""

    monastery_8: str = _choice(RING, LINE)
    """Whether a worker's two steps go round from 6 to 1 (S655 is silent), or only single steps do."""
    full_storage_effect: str = _choice(DISCARD, LOSE)
    """Whether a tile may be discarded for a building's effect if the storage is full, or the effect is lost."""
    full_storage_purchase: str = _choice(DISCARD, FORBIDDEN)
    """Whether one may buy into a full storage by discarding, or needs an empty space (S582)."""
    monastery_5: str = _choice(POOLED, ONE_BY_ONE)
    """How two depots' goods are chosen: from all of them, or all of one depot that fit, then the other's."""
    purchase: str = _choice(ANY_TIME, BETWEEN_ACTIONS)
    """When one may buy: also while an effect waits for its choice (S580), or not (A757)."""
    castle_action: str = _choice(OPTIONAL, MANDATORY)
    """Whether a castle's extra action may be declined (S372)."""
    tie_break: str = _choice(FEWEST_EMPTY, MOST_EMPTY)
    """Who wins a tie: fewest empty spaces (S599), or most, as some say the print should read."""
    of_modules: tuple[tuple[str, str], ...] = ()
    """Name and value of the table rules that modules add: those that switch a module on, and what is not as usual.
    A rule that is added later is no part of the states of earlier games."""

    @classmethod
    def agreed(
        cls,
        defaults: Mapping[str, str],
        chosen: Mapping[str, str],
        added: Mapping[str, tuple[str, ...]] | None = None,
        switches: Collection[str] = (),
    ) -> TableRules:
        """Returns the rules of a game: *chosen* by the group, else an edition's *defaults*, else the usual ones.

        *added* are the rules of modules with their values, the usual one first; *switches* those that switch one on.

        :raises InvalidSetupError: if there is no such rule, or no such value.
        """
        options = {**OPTIONS, **(added or {})}
        for name, value in chosen.items():
            if name not in options:
                raise InvalidSetupError(f"no table rule {name!r}; there are {', '.join(options)}")
            if value not in options[name]:
                raise InvalidSetupError(
                    f"table rule {name} cannot be {value!r}; choose {' or '.join(options[name])}"
                )
        values = {**{name: usual for name, (usual, *_) in options.items()}, **defaults, **chosen}
        base = {name: value for name, value in values.items() if name in OPTIONS}
        of_modules = (
            (name, values[name])
            for name, (usual, *_) in (added or {}).items()
            if name in switches or values[name] != usual
        )
        return cls(**base, of_modules=tuple(of_modules))

    def plays(self, name: str, value: str) -> bool:
        """Returns whether a rule that a module adds is played in this way, which is not the usual one."""
        return (name, value) in self.of_modules

    def to_json(self) -> dict[str, str]:
        """Returns the value of every rule by its name, without those of modules that are played as usual."""
        return {name: getattr(self, name) for name in OPTIONS} | dict(self.of_modules)


OPTIONS: dict[str, tuple[str, ...]] = {
    f.name: f.metadata["values"] for f in fields(TableRules) if "values" in f.metadata
}
"""Name of each table rule of the base game -> its values, the usual one first."""
