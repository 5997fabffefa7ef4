"""Packs of cards, cards as text, melds, and the search for contracts."""
