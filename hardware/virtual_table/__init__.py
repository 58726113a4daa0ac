"""A table without hardware: renders any scene to camera frames with known truth.

table is the camera that shows a scene. layout says where everything is, board_print, sprites, icons, pieces, automa and
county_card draw it on a canvas, and studio and optics photograph that. sheet draws pictures for learning tiles.
"""

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
