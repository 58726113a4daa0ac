"""The page's view of *The Castles of Burgundy*."""
