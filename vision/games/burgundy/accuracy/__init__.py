"""The truth of pictures of tables, which no part of the program needs."""
