"""Screenshots of every view for the documentation, of seeded games at virtual tables in a real browser.

:mod:`.views` lists the views, :mod:`.scenarios` plays games up to the moments to show, :mod:`.pictures` takes and
arranges the screenshots, :mod:`.document` writes the page that shows them.
"""
