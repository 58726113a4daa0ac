"""The hardware at the table: cameras, button panel and voice, each real or simulated.

cameras (each kind of camera), panel (buttons, light and buzzer; pins and patterns are in ``panel.toml``), voice,
virtual_table and scene (a drawn table and what is on it), closeable.
"""
