"""A table without hardware: renders any scene to camera frames with known truth.

table is the camera that shows a scene. layout says where everything is, art how it looks; board_print and pieces draw
it with sprites and icons on a canvas, and studio and optics photograph that. sheet draws pictures for learning tiles.
What belongs to one game is in games, samples finds a table to try.
"""

from .layout import TableLayout
from .optics import Light
from .samples import sample_layout
from .sheet import TileSheet, enrolment_frames
from .table import VirtualTable

__all__ = [
    "Light",
    "TableLayout",
    "TileSheet",
    "VirtualTable",
    "enrolment_frames",
    "sample_layout",
]
