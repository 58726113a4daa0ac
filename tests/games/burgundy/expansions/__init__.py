"""The expansions of the box, one or two files each."""
