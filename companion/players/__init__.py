"""Who plays: the bots, and the set-up of a game's players.

bots (random and greedy), opponents (bots at a real table), setup (checking a set-up).
"""
