"""What is printed and where it lies: facts with source and confidence, table files, calibration."""
