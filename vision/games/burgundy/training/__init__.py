"""Synthetic printings of the game, and the training of the networks that read boards (extra ``train``)."""
