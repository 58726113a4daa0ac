"""What games need at the start of a table, one package for each."""
