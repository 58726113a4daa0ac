"""Reading boards: what lies on the printed spaces."""
