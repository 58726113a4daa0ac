"""A table that needs no hardware: any scene drawn to camera frames, with the truth beside it."""

from hardware.virtual_table.automa import with_automa
from hardware.virtual_table.layout import TableLayout, sample_layout, standard_layout
from hardware.virtual_table.optics import Light
from hardware.virtual_table.sheet import TileSheet, enrolment_frames
from hardware.virtual_table.table import VirtualTable

__all__ = [
    "Light",
    "TableLayout",
    "TileSheet",
    "VirtualTable",
    "enrolment_frames",
    "sample_layout",
    "standard_layout",
    "with_automa",
]
