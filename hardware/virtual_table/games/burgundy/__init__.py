"""*The Castles of Burgundy* on the virtual table.

layout and automa say where everything is, expansions what each of them adds; art, sprites, prints, ornaments, icons and
county_card say how it looks.
"""

from .automa import with_automa
from .expansions import with_expansions
from .layout import sample_layout, standard_layout
from .sample_expansions import sample_with_expansions

__all__ = [
    "sample_layout",
    "sample_with_expansions",
    "standard_layout",
    "with_automa",
    "with_expansions",
]
