"""How long pictures of the table are kept, and how everything about people is deleted."""
