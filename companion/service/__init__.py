"""Installs the companion on this machine as a service, updates and removes it, and watches it while it runs.

The installer (``python3 -m companion.service``, which ``./run`` calls) uses only the standard library: it must work
where there is no virtual environment yet, or a broken one.

installation (install, update, uninstall, rollback) uses sources (where a version comes from), releases (versions side
by side), packages (of the system), health_check (does it start?), pre_update_backup, accounts, units, systemd and
file_errors. While the companion runs: watchdog and notify, and power (switching off).
"""
