"""The names by which the page is found in the local network."""
