"""What an evening may bring, on purpose: kills, power cuts, a full or write-protected disk, damaged bytes, clock jumps,
a camera that goes away, and six hours of play.

kills (processes that end at any moment, also while writing), disks (power cuts, full and write-protected ones), bytes
(a journal of which every byte is changed in turn), clocks, cameras, soak (a long evening).
"""
