"""The cards of Hand & Foot Canasta: five packs with two jokers each, and no suits (HF-30).

A card is a number 0 .. 14, in the order in which hands are sorted. The natural cards 4 .. A
have ranks 0 .. 10; twos and jokers are wild; threes are neither.
"""

from kitchentable.cards.pack import Pack, Tally

PACKS = 5
RANKS = "456789TJQKA"
"""The natural ranks, by number."""
N_RANKS = len(RANKS)
NAMES = ("3R", "3B", *RANKS, "2", "JK")
"""The text of each card, by number."""
N_CARDS = len(NAMES)
RED_THREE = 0
BLACK_THREE = 1
FIRST_NATURAL = 2
"""The four; the natural card of a rank is FIRST_NATURAL + rank."""
TWO = FIRST_NATURAL + N_RANKS
JOKER = TWO + 1
COPIES = (2 * PACKS, 2 * PACKS, *[4 * PACKS] * N_RANKS, 4 * PACKS, 2 * PACKS)
"""How many there are of each card."""
PACK_SIZE = sum(COPIES)
VALUES = (0, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 20, 20, 50)
"""What each card is worth in a meld and costs in a hand; red threes count otherwise."""
PACK = Pack(NAMES, '"8", "3B" or "JK"')
"""All of them."""


def tally_of_packs() -> Tally:
    """Return all cards, none of them met yet."""
    return Tally(PACK, COPIES)
