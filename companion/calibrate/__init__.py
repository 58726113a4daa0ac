"""Getting to know one table and the pieces of its box, once, before play."""
