"""Wells: something may be done at any time, also by those who are not in turn."""
