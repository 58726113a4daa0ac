"""What stands on the table: camera sources and the button panel, real or simulated at the frame and the pin."""
