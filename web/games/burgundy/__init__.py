"""The page's part of *The Castles of Burgundy*."""

from .page import PAGE

__all__ = ["PAGE"]
