"""Screenshots of every view for the documentation, of seeded games at virtual tables in a real browser.

:mod:`.view` finds the views of the game, :mod:`.staging` serves the moments to show, :mod:`.pictures` takes and
arranges the screenshots, :mod:`.document` writes the page that shows them. Which moments are shown is the game's:
``companion/devtools/games/GAME/screenshots``.
"""
