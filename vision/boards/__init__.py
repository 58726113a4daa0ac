"""Reads boards: the tiles on the printed spaces.

In play: spaces reads what is on each place, networks run underneath, registration follows a board that was nudged, card
and card_spaces read county cards. For calibration: finding, lattice, groups and survey find the boards on a new table,
scan reads an empty duchy, loose finds tiles beside the boards.
"""
