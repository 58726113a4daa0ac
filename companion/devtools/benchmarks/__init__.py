"""What ``companion bench`` measures, each figure beside its reference."""
