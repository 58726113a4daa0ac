"""The names and addresses of the page in the local network.

page_address (the address to open), mdns (announcing ``table.local``), hostnames (by which names browsers may reach it).
"""
