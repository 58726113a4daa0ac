"""The table session, the referee, the journal, bots and the command line."""
