"""Games of the tests' own, found by their folders as those of the companion are."""
