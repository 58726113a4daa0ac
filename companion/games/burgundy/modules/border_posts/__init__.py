"""Border posts: linking two of them pays the phase's points, all three a bonus tile (S749-755, S1243-1246).

The files are module (what it adds to the base game), links (which posts are linked, and what is missing), state, hooks
(what it changes), rewards, start_castle (the tile of set-up) and automa (symbols on the Châteauma's cards).
"""

from __future__ import annotations

from calibration.games.burgundy.facts import Facts

from .module import BorderPosts

__all__ = ["BorderPosts", "create"]


def create(facts: Facts) -> BorderPosts:
    """Returns the module with what is printed for it."""
    return BorderPosts(facts.border_posts)
