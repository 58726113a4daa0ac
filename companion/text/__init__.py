"""What people read and hear, in every language."""
