"""The page, for tablet, phone and laptop.

app (the Flask app), server (the HTTP server and its limits), guard (host names, PIN, request limits), page and view
(the table page, and the parts of it that change), live and streams (changes sent to open pages), commands (what a tap
does), archive (past games), privacy, health and join (their pages), calibration (the page of ``calibrate table``),
preferences (language, size of text), single_page (what apps with one page share). games draws each game; templates and
static hold what the browser receives.
"""
