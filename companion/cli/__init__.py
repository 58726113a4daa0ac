"""The commands of the companion, one file each; the heavy libraries are imported when a command runs."""
