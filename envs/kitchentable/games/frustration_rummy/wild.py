"""The wild cards of Frustration Rummy (FR-2): the four twos and the joker.

All five do the same, but they are different cards. A hand is packed as in
`cards.contracts`, so that the search for contracts takes twos for what they are.
"""

from kitchentable.cards.contracts import RANK_BITS, SUIT_BITS, Begun, Holding, held_at, hold, n_bits
from kitchentable.cards.french import JOKER, N_RANKS, N_SUITS
from kitchentable.engine.jit import kernel
from kitchentable.engine.record import Int8Array

TWO = 1
"""The rank that is wild, and never natural."""
TWO_POSITION = 2
"""Where a run has no natural card."""
WILD = (*(suit * N_RANKS + TWO for suit in range(N_SUITS)), JOKER)
"""The wild cards."""
N_WILD = len(WILD)
RANK_MASK = (1 << RANK_BITS) - 1
TWOS = sum(1 << (SUIT_BITS * suit + TWO) for suit in range(N_SUITS))
"""The twos among the bits of a `Holding`."""
TWOS_BY_RANK = RANK_MASK << (RANK_BITS * TWO)


@kernel
def is_wild(card: int) -> bool:
    """Tell whether a card is wild."""
    return card % N_RANKS == TWO or card == JOKER


@kernel
def hold_wild(counts: Int8Array) -> Holding:
    """Return the holding of a hand, given as numbers of each card, with its twos wild."""
    once, twice, thrice, ranks, wild = hold(counts)
    wild += count_of_rank(ranks, TWO)
    return Holding(once & ~TWOS, twice & ~TWOS, thrice & ~TWOS, ranks & ~TWOS_BY_RANK, wild)


@kernel
def count_of_rank(ranks: int, rank: int) -> int:
    """Return how many cards of a rank there are, by the `ranks` of a `Holding`."""
    return (ranks >> (RANK_BITS * rank)) & RANK_MASK


@kernel
def can_finish(hand: Holding, begun: Begun) -> bool:
    """Tell whether the hand has what a group begun lacks; nothing else is to be laid."""
    held = count_of_rank(hand.ranks, begun.rank) if begun.rank >= 0 else 0
    if begun.rank < 0:
        held = n_bits(held_at(hand, begun.suit, begun.position, begun.missing))
    return begun.missing - held <= min(begun.wild, hand.wild)
