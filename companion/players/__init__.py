"""Who plays: the bots, and the set-up of a game's players.

bots (random, greedy and planner), search (ways to play a turn), coach (what else could be played), opponents (bots at a
real table), setup (checking a set-up).
"""
