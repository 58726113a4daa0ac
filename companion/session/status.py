"""What a session waits for. Its *status* is one of:

======== =============================================================
dice     a roll is awaited
layout   set-up or a phase's tiles are awaited
watching a turn is being played and has left no trace yet
proposal one explanation is clear: confirm it
asking   a question is open
unexplained  what is seen fits no legal turn
drafting a turn is being entered by tapping
over     the game has ended
======== =============================================================
"""

from __future__ import annotations

DICE, LAYOUT, WATCHING, PROPOSAL, ASKING, UNEXPLAINED, DRAFTING, OVER = STATUSES = (
    "dice",
    "layout",
    "watching",
    "proposal",
    "asking",
    "unexplained",
    "drafting",
    "over",
)
