"""Texts that people read and hear, in every language.

languages has one file per language, catalogue loads them, translator fills in their texts. update (what is new),
sentences (the words for it) and narrator make the announcements, turn_log the list of turns.
"""
