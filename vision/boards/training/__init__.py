"""Made-up printings of the game, and how the networks that read boards learn from them (extra ``train``)."""
