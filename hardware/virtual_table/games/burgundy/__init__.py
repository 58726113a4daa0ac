"""*The Castles of Burgundy* on the virtual table.

layout and automa say where everything is; art, sprites, icons and county_card say how it looks.
"""

from .automa import with_automa
from .layout import sample_layout, standard_layout

__all__ = ["sample_layout", "standard_layout", "with_automa"]
