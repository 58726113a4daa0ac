"""Games of the tests' own: found as installed ones are, by their folder; nothing else knows them."""
