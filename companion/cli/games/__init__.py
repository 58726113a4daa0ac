"""What games add to the command line: a folder each, found by its name."""
