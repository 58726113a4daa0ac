"""What developers run: benches, pictures of every view for the documentation, and a browser for both."""
