"""The cards of Luau Rummy: numbers 0 .. 16, kind by kind in the order of `CARDS`.

Four kinds have three different cards, which make a meld; animals have four names, and the
wolf, the only wild card, comes last.
"""

from enum import IntEnum

from kitchentable.cards.pack import Pack, Tally


class Kind(IntEnum):
    """What a meld is made of."""

    SUPPLIES = 0
    GOURMET = 1
    MATERIALS = 2
    PIGGIES = 3
    ANIMALS = 4
    PILEUP = 5
    """Identical piggies; no kind of cards, and of no use for a Luau."""


ANIMALS, PILEUP = int(Kind.ANIMALS), int(Kind.PILEUP)
"""Plain numbers, so that kernels are compiled for them once."""
CARDS = (
    "fire",
    "foil",
    "utensils",
    "seasoning",
    "sauce",
    "meat",
    "straw",
    "wood",
    "bricks",
    "oinky",
    "pinky",
    "stinky",
    "lion",
    "alligator",
    "bear",
    "coyote",
    "wolf",
)
"""The text of each card, by number."""
PACK = Pack(CARDS, '"meat", "lion" or "wolf"')
N_CARDS = len(CARDS)
"""Different cards, the wolf among them."""
N_TRIPLES = 4
"""Kinds that have three different cards, numbers 0 .. 3 of `Kind`."""
N_KINDS = 5
"""Kinds of cards, so kinds that a Luau needs."""
N_MELD_KINDS = len(Kind)
TRIPLE = 3
"""Different cards of such a kind, and cards of its melds."""
N_ANIMALS = 4
FIRST_PIGGY = Kind.PIGGIES * TRIPLE
FIRST_ANIMAL = Kind.ANIMALS * TRIPLE
WOLF = FIRST_ANIMAL + N_ANIMALS
FIRST_CARDS = (0, 3, 6, FIRST_PIGGY, FIRST_ANIMAL, FIRST_PIGGY)
"""The first card of each kind of meld."""
LENGTHS = (TRIPLE, TRIPLE, TRIPLE, TRIPLE, N_ANIMALS, TRIPLE)
"""How many names, the wolf apart, a meld of each kind can have."""


def kind_of(card: int) -> Kind | None:
    """Return the kind of a card, none of a wolf."""
    return None if card == WOLF else Kind(min(card // TRIPLE, Kind.ANIMALS))


def copies_of(decks: int, copies: int, animal_copies: int, wolves: int) -> list[int]:
    """LR-1: return how many of each card so many packs have."""
    of_names = [copies] * FIRST_ANIMAL + [animal_copies] * N_ANIMALS + [wolves]
    return [decks * number for number in of_names]


def tally_of_packs(decks: int, copies: int, animal_copies: int, wolves: int) -> Tally:
    """Return the cards of so many packs, none of them met yet."""
    return Tally(PACK, copies_of(decks, copies, animal_copies, wolves))
