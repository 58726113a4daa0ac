"""Printed facts with their sources, table files, and the calibration of lens and light.

games (the printed facts of each game), board_kind and board_shape (what its boards are like), table_file and
table_writer (the table file), lens, light and camera_settings (measuring), sheet (the pages to print), documents and
fields (hand-written JSON and TOML, with errors that name the place), errors (the base of all our errors). Finding
boards and learning tiles is in :mod:`companion.calibrate`.
"""
