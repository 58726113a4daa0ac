"""Calibration of one table and the pieces of its box, done once before play.

table and table_layout (finding the boards), tiles (learning what the tiles look like), county_card. The table file
itself, the lens and the light are in :mod:`calibration`; the commands are in ``companion/cli/calibrate_*.py``.
"""
