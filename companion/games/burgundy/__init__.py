"""*The Castles of Burgundy*: the rules, and what set-up, text and page need beside them."""
