"""What people move on the table for the Châteauma's shields (see :mod:`companion.games.burgundy.instructions`)."""

from __future__ import annotations

from ...instructions import Template

TEMPLATES = {"automa_shield": Template("take", "shield", shared=True)}
