"""How long pictures of the table are stored, and how personal data are deleted.

erasure (deleting a game, or everything), picture_retention (deleting pictures that are too old).
"""
