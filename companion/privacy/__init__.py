"""How long pictures of the table are stored, and how personal data are deleted."""
