"""A table without hardware: renders any scene to camera frames with known truth."""

from .automa import with_automa
from .layout import TableLayout, sample_layout, standard_layout
from .optics import Light
from .sheet import TileSheet, enrolment_frames
from .table import VirtualTable

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
