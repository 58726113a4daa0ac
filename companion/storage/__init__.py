"""What is stored beside the games: settings, keys and pictures; and warnings when storing fails.

settings (the owner's choices), secrets (the page's key, the PIN), picture_store (pictures behind *Why?*), notices (what
was repaired, what cannot be written). The games themselves, and their copies on a stick, are in
:mod:`companion.journal`.
"""
