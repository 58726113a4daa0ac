"""What a session waits for. Its *status* is one of:

=========== ================================================================
dice        a roll
layout      the set-up, or the tiles of a phase
watching    a turn, of which nothing is visible on the table yet
proposal    a confirmation: one explanation of the table is clear
asking      the answer to a question
unexplained a correction on the table or by hand: no legal turn explains it
drafting    the rest of a turn that is being entered by taps
over        nothing: the game has ended
=========== ================================================================
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
