"""Screenshots of this game (:class:`companion.devtools.screenshots.view.Screenplay`)."""

from .scenarios import scenarios
from .views import MAIN, SECTIONS

ASSUMPTIONS = "The Châteauma's print is partly assumed."

__all__ = ["ASSUMPTIONS", "MAIN", "SECTIONS", "scenarios"]
