"""Reliability benchmarks: killed processes, power cuts, full or read-only disks, damaged bytes, clock jumps, a camera
that disconnects, and six hours of play.

crashes (processes killed at any moment, also while writing), disks (power cuts, full and read-only disks), damage
(every byte of a journal changed in turn), clocks, cameras, soak (hours of play), full_load (memory and processor time).
"""
