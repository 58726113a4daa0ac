"""The companion as a part of this machine: installed, started at boot, watched, updated, taken away.

What installs and updates has nothing but the standard library (``python3 -m companion.service``, which ``./run``
calls): it must work where there is no environment yet, and where one is broken.
"""
