"""Players' ranks and leads, in words and as short as a score card needs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.text.translator import Translator

MINUS = "\N{MINUS SIGN}"
FIRST = 1
"""The leader's rank."""


@dataclass(frozen=True, slots=True)
class Rank:
    """A player's rank, and the distance to the next (for the leader) or to the leader (for the others)."""

    number: int
    """1 for the leader; players with the same points share a rank."""
    lead: int
    """Points ahead of the next, or negative: behind the leader. 0 if somebody else leads as well."""

    def short_lead(self) -> str:
        """Returns the distance with its sign: ``+11``, ``−26``, or ``=``."""
        if not self.lead:
            return "="
        return f"+{self.lead}" if self.lead > 0 else f"{MINUS}{-self.lead}"

    def ordinal(self, t: Translator) -> str:
        """Returns the rank in words: ``2nd``."""
        return t(f"rank.ordinal.{self.number}")

    def lead_in_words(self, t: Translator) -> str:
        """Returns the distance in words: ``11 behind``."""
        kind = "level" if not self.lead else "ahead" if self.lead > 0 else "behind"
        return t(f"rank.{kind}", points=abs(self.lead))


def ranks(scores: Mapping[str, int], ranking: Sequence[str] = ()) -> dict[str, Rank]:
    """Returns each player's rank; empty if nobody is ahead of anybody.

    *ranking* is the final one, which also breaks ties.
    """
    if len(set(scores.values())) < 2 and not ranking:
        return {}
    return {player: Rank(_number(player, scores, ranking), _lead(player, scores)) for player in scores}


def _number(player: str, scores: Mapping[str, int], ranking: Sequence[str]) -> int:
    if player in ranking:
        return FIRST + ranking.index(player)
    return FIRST + sum(other > scores[player] for other in scores.values())


def _lead(player: str, scores: Mapping[str, int]) -> int:
    """Returns the points ahead of the best of the others; for whoever is not first, that is the leader."""
    return scores[player] - max((points for other, points in scores.items() if other != player), default=0)
