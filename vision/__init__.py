"""From frames to sightings: recognition of shapes and prints, without rules.

reader reads a frame to a sighting (sighting). On its way: settle (the table is at rest), changes (which places must be
read again), view and geometry (markers, lens, pixels to millimetres), patches (places cut out), dice and boards (the
readers), bare_looks (what empty spaces look like), places and gallery (which tile it is), table_dice (dice by area).
quality judges a picture, accuracy measures the readers, training teaches the networks.
"""
