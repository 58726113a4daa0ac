"""Installs the companion on this machine as a service, updates and removes it, and watches it while it runs.

The installer (``python3 -m companion.service``, which ``./run`` calls) uses only the standard library: it must work
where there is no virtual environment yet, or a broken one.
"""
