"""The camera's view of *The Castles of Burgundy*.

Its groups of places are ``duchy:<player>`` (the spaces of a board in the order of its shape), ``storage:<player>``,
``goods:<player>``, ``depot:<n>``, ``depot_goods:<n>``, ``black``, ``round`` and, for the Châteauma, ``inventory`` and
``card:<side>``. Its tiles are labelled ``castle``, ``building/bank``, ``livestock/cow_3``, ``monastery/7``, ``goods/4``
and the like.

groups tells storages and depots apart on a new table, county_card reads the cards of the Châteauma. weights has the
networks that read its tiles, training teaches them, accuracy compares readings with the truth of pictures.
"""
