"""What the page draws for one game alone."""
