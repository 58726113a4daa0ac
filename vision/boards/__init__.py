"""Reads boards: the tiles on the printed spaces.

In play: reading is what lies on each place, networks run underneath, registration follows a board that was nudged,
card_spaces finds the spaces of cards, identity tells which known board it is and which way round. For calibration:
finding, lattice and survey find the boards on a new table, groups joins places beside them, empty_board reads the
print of an empty board, loose finds tiles beside the boards.
"""
