"""Pictures of every view for the documentation, taken of seeded games at virtual tables in a real browser.

:mod:`.views` says which views there are, :mod:`.scenarios` plays tables to where they can be seen, :mod:`.pictures`
takes and arranges them, :mod:`.document` writes the page that shows them.
"""
