"""Games without a real table: simulated players, and simulated misreadings.

demo (a complete game), simulated_players (people whose hands move the pieces), misreadings (errors added to readings),
virtual_game (what a game provides for it, in its folder in ``games``).
The table that they play at is drawn by :mod:`hardware.virtual_table`.
"""
