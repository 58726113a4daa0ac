"""The names and addresses of the page in the local network."""
