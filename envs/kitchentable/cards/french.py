"""French packs: a card is a number 0 .. 52, suit by suit in the order S H D C, ace to king.

The joker comes last. Positions in a run are 1 (ace low) .. 14 (ace high); the card for a
position has the rank (position - 1) % 13.
"""

from collections.abc import Iterable

from kitchentable.cards.pack import Pack, Tally
from kitchentable.engine.jit import kernel

N_SUITS = 4
N_RANKS = 13
N_NATURAL = N_SUITS * N_RANKS
JOKER = N_NATURAL
"""The joker's number."""
N_CARDS = N_NATURAL + 1
"""Different cards, the joker among them."""
N_POSITIONS = 14
"""Places in a run: ace low, 2 .. king, ace high."""
JOKERS_A_PACK = 2
PACK_SIZE = N_NATURAL + JOKERS_A_PACK
"""Cards of one pack."""

RANKS = "A23456789TJQK"
SUITS = "SHDC"
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
CARDS = (*(rank + suit for suit in SUITS for rank in RANKS), "JK")
"""The text of each card, by number: `"AS"`, `"2S"` .. `"KC"`, `"JK"`."""
PACK = Pack(CARDS, '"9H", "TS" or "JK"')
"""All of them."""


@kernel
def card_at(suit: int, position: int) -> int:
    """Return the card of a suit for a position 1 .. 14 of a run."""
    return suit * N_RANKS + (position - 1) % N_RANKS


@kernel
def rank_of(card: int) -> int:
    """Return the rank 0 (ace) .. 12 (king) of a natural card."""
    return card % N_RANKS


@kernel
def suit_of(card: int) -> int:
    """Return the suit 0 .. 3 of a natural card."""
    return card // N_RANKS


def tally_of_packs(decks: int) -> Tally:
    """Return the cards of so many packs, two jokers in each, none of them met yet."""
    return Tally(PACK, [decks] * N_NATURAL + [decks * JOKERS_A_PACK])


def pretty(text: str) -> str:
    """Return a card for people: `"9♥"`, `"joker"`."""
    return "joker" if text == "JK" else text[0].replace("T", "10") + SYMBOLS[text[1]]


def pretty_list(cards: Iterable[str]) -> str:
    """Return cards for people, separated by spaces."""
    return " ".join(pretty(card) for card in cards)
