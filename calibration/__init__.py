"""Printed facts with their sources, table files, and the calibration of lens and light."""
