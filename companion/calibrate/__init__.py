"""Calibration of one table and the pieces of its box, done once before play.

table and table_layout (finding the boards), game_table (what lies on the table of a game), tiles (learning what the
tiles look like), games (the table of each game). The table file itself, the lens and the light are in
:mod:`calibration`; the commands are in ``companion/cli/calibrate_*.py`` and in the games' folders there.
"""
