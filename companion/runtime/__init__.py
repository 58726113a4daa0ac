"""A table at work: game after game, the loop from frames and buttons to the session, and the page's server.

wiring puts a table together. table_loop is the loop that watches camera and buttons; game_runner keeps camera, panel
and page while game_sequence plays one game after the other; resume says which game continues. server serves the page;
setup_pages, owner_print and single_page ask before a game begins. learnt_tiles, learnt_print, camera_health and
allocator help.
"""
