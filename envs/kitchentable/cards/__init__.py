"""Packs and piles, sets and runs, the search for contracts, and the table in words and pictures."""
