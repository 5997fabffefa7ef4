"""Contract rummy: can this hand still lay that contract?

A contract is so many sets (cards of one rank) and runs (a stretch of one suit inside the
positions 1 .. 14), where wild cards may stand in, up to a limit for each group. Every
card serves once, and a wild card may also stand in for a card that the hand holds. The
answers are exact. `can_lay` and its kin ask for groups of one exact size a kind;
`can_use_up` asks for runs of any length that leave no card over.

The search is depth first: runs before sets, because runs need certain cards, while sets
only need numbers of them, for which the fewest wild cards are found by counting.
"""

from typing import NamedTuple

from kitchentable.cards.french import JOKER, N_POSITIONS, N_RANKS, N_SUITS, card_at
from kitchentable.engine.jit import kernel
from kitchentable.engine.record import Int8Array

SUIT_BITS = 16
"""Bits that a suit takes in a `Holding`: one a rank, and room for the ace as position 14."""
ALL_SUITS = sum(1 << (SUIT_BITS * suit) for suit in range(N_SUITS))
"""The lowest bit of every suit: the aces."""
ONE_SUIT = (1 << SUIT_BITS) - 1
RANK_BITS = 4
"""Bits for the number of cards of a rank: twelve at most, from three packs."""
COST_BITS = 8
"""Bits for the number of sets that cost the same."""
MIN_RUN = 4
"""The fewest cards of a run that `can_use_up` builds."""
NO_WAY = 99
"""More wild cards than there are."""


class Holding(NamedTuple):
    """A hand packed into numbers, so that a search can take cards without copying arrays."""

    once: int
    """Bit 16 * suit + rank: the hand has that natural card."""
    twice: int
    """Likewise, twice at least."""
    thrice: int
    """Likewise, three times."""
    ranks: int
    """How many cards of each rank, four bits each."""
    naturals: int
    wild: int


class Shape(NamedTuple):
    """How large the contract's groups are, and the most wild cards in one."""

    set_size: int
    set_wild: int
    run_length: int
    run_wild: int


class Wanted(NamedTuple):
    """What is still to be laid: whole groups, and the rest of a set begun."""

    sets: int
    runs: int
    rank: int
    """Of the set begun."""
    missing: int
    """Cards that the set begun lacks; 0 if there is none."""
    wild: int
    """The most wild cards among these."""


@kernel
def hold(counts: Int8Array) -> Holding:
    """Return the holding of a hand given as numbers of each card; at most three of one."""
    once, twice, thrice, ranks, naturals = 0, 0, 0, 0, 0
    for suit in range(N_SUITS):
        for rank in range(N_RANKS):
            n = int(counts[suit * N_RANKS + rank])
            if n > 0:
                bit = 1 << (SUIT_BITS * suit + rank)
                once |= bit
                twice |= bit if n > 1 else 0
                thrice |= bit if n > 2 else 0
                ranks += n << (RANK_BITS * rank)
                naturals += n
    return Holding(once, twice, thrice, ranks, naturals, int(counts[JOKER]))


@kernel
def has(holding: Holding, card: int) -> bool:
    """Tell whether a natural card is held."""
    return holding.once & bit_of(card) != 0


@kernel
def bit_of(card: int) -> int:
    """Return the bit of a natural card."""
    return 1 << (SUIT_BITS * (card // N_RANKS) + card % N_RANKS)


@kernel
def take(holding: Holding, card: int) -> Holding:
    """Return the holding without one natural card, which it has."""
    bit = bit_of(card)
    return Holding(
        (holding.once & ~bit) | (holding.twice & bit),
        (holding.twice & ~bit) | (holding.thrice & bit),
        holding.thrice & ~bit,
        holding.ranks - (1 << (RANK_BITS * (card % N_RANKS))),
        holding.naturals - 1,
        holding.wild,
    )


@kernel
def take_wild(holding: Holding, n: int) -> Holding:
    """Return the holding without `n` wild cards."""
    once, twice, thrice, ranks, naturals, wild = holding
    return Holding(once, twice, thrice, ranks, naturals, wild - n)


@kernel
def take_run(holding: Holding, suit: int, low: int, length: int, filled: int) -> Holding:
    """Return the holding without a run: naturals where `filled` has a bit, else wild cards."""
    n_wild = 0
    for place in range(length):
        if (filled >> place) & 1:
            holding = take(holding, card_at(suit, low + place))
        else:
            n_wild += 1
    return take_wild(holding, n_wild)


@kernel
def n_bits(bits: int) -> int:
    """Return how many of the lowest 16 bits are set."""
    bits -= (bits >> 1) & 0x5555
    bits = (bits & 0x3333) + ((bits >> 2) & 0x3333)
    bits = (bits + (bits >> 4)) & 0x0F0F
    return (bits + (bits >> 8)) & 0x1F


@kernel
def positions(holding: Holding) -> int:
    """Return the positions held, by suit: bit 16 * suit + position - 1; an ace has two."""
    return holding.once | (holding.once & ALL_SUITS) << (N_POSITIONS - 1)


@kernel
def held_at(holding: Holding, suit: int, low: int, length: int) -> int:
    """Return which places of a stretch the hand has a natural card for."""
    return (positions(holding) >> (SUIT_BITS * suit + low - 1)) & ((1 << length) - 1)


@kernel
def stretches(holding: Holding, length: int, spare: int) -> int:
    """Return the stretches of `length` places that lack `spare` naturals at most.

    Bit 16 * suit + low - 1 stands for a stretch. All are counted side by side: `upto_k`
    are those that lack k at most of the places seen so far (four are told apart).
    """
    seen = positions(holding)
    valid = ((1 << (N_POSITIONS + 1 - length)) - 1) * ALL_SUITS
    upto_0, upto_1, upto_2, upto_3 = valid, valid, valid, valid
    for place in range(length):
        there = seen >> place
        upto_3 = (upto_3 & there) | upto_2
        upto_2 = (upto_2 & there) | upto_1
        upto_1 = (upto_1 & there) | upto_0
        upto_0 = upto_0 & there
    if spare > 3:
        return valid
    if spare > 1:
        return upto_3 if spare == 3 else upto_2
    return upto_1 if spare == 1 else upto_0


@kernel
def next_filling(filled: int, held: int, at_least: int) -> int:
    """Return the next smaller part of `held` with at least so many bits, or -1."""
    while filled > 0:
        filled = (filled - 1) & held
        if n_bits(filled) >= at_least:
            return filled
    return -1


@kernel
def cost_of_sets(ranks: int, sets: int, size: int, most_wild: int) -> int:
    """Return the fewest wild cards with which there are `sets` sets, or NO_WAY.

    With n naturals, k sets of their rank cost max(0, k * size - n) wild cards, if there
    are size - most_wild naturals for each. That is convex in k, so the cheapest next
    set, whatever its rank, is always right to take.
    """
    fewest = size - most_wild
    by_cost = 0
    for rank in range(N_RANKS):
        n = (ranks >> (RANK_BITS * rank)) & ((1 << RANK_BITS) - 1)
        if n >= fewest:
            made, most = n // size, n // fewest
            by_cost += made
            if most > made and n > made * size:
                made += 1
                by_cost += 1 << (COST_BITS * (made * size - n))
            by_cost += (most - made) << (COST_BITS * size)
    wild = 0
    for cost in range(size + 1):
        n = min(sets, (by_cost >> (COST_BITS * cost)) & ((1 << COST_BITS) - 1))
        wild += n * cost
        sets -= n
    return wild if sets == 0 else NO_WAY


@kernel
def has_sets(holding: Holding, shape: Shape, wanted: Wanted) -> bool:
    """Tell whether the sets alone can be laid, with the set begun."""
    at_hand = (holding.ranks >> (RANK_BITS * wanted.rank)) & ((1 << RANK_BITS) - 1)
    fewest = wanted.missing - min(wanted.wild, holding.wild)
    for n in range(max(0, fewest), min(wanted.missing, at_hand) + 1):
        ranks = holding.ranks - (n << (RANK_BITS * wanted.rank))
        wild = holding.wild - (wanted.missing - n)
        if wanted.sets == 0 or wild >= cost_of_sets(
            ranks, wanted.sets, shape.set_size, shape.set_wild
        ):
            return True
    return False


@kernel
def search(holding: Holding, shape: Shape, wanted: Wanted, first: int) -> bool:
    """Tell whether all that is wanted can be laid, with runs from the stretch `first` on."""
    if not has_sets(holding, shape, wanted):
        return False
    if wanted.runs == 0:
        return True
    length = shape.run_length
    spare = min(shape.run_wild, holding.wild)
    found = stretches(holding, length, spare) >> first << first
    after = Wanted(wanted.sets, wanted.runs - 1, wanted.rank, wanted.missing, wanted.wild)
    for stretch in range(first, SUIT_BITS * N_SUITS):
        if found >> stretch == 0:
            return False
        if (found >> stretch) & 1:
            suit, low = stretch // SUIT_BITS, stretch % SUIT_BITS + 1
            held = held_at(holding, suit, low, length)
            filled = held if n_bits(held) >= length - spare else -1
            while filled >= 0:
                rest = take_run(holding, suit, low, length, filled)
                if search(rest, shape, after, stretch):
                    return True
                filled = next_filling(filled, held, length - spare)
    return False


@kernel
def can_lay(holding: Holding, shape: Shape, sets: int, runs: int) -> bool:
    """Tell whether the hand has so many sets and runs."""
    return search(holding, shape, Wanted(sets, runs, 0, 0, 0), 0)


@kernel
def can_lay_with_set(
    holding: Holding, shape: Shape, sets: int, runs: int, rank: int, missing: int, wild: int
) -> bool:
    """Tell likewise, for a set begun that lacks `missing` cards, `wild` wild ones at most."""
    return search(holding, shape, Wanted(sets, runs, rank, missing, wild), 0)


@kernel
def can_lay_with_run(
    holding: Holding,
    shape: Shape,
    sets: int,
    runs: int,
    suit: int,
    position: int,
    missing: int,
    wild: int,
) -> bool:
    """Tell likewise, for a run begun that lacks the `missing` places from `position` on."""
    fewest = missing - min(wild, holding.wild)
    held = held_at(holding, suit, position, missing)
    filled = held if n_bits(held) >= fewest else -1
    while filled >= 0:
        rest = take_run(holding, suit, position, missing, filled)
        if can_lay(rest, shape, sets, runs):
            return True
        filled = next_filling(filled, held, fewest)
    return False


@kernel
def keeps_ratio(ratio: bool, naturals: int, wild: int) -> bool:
    """Tell whether a group has wild cards at most as naturals; without `ratio` one natural."""
    return wild <= naturals if ratio else naturals > 0


@kernel
def can_use_up(holding: Holding, ratio: bool, runs: int) -> bool:
    """Tell whether so many runs of four or more take up the hand and leave nothing."""
    return can_use_up_with_run(holding, ratio, runs, 0, N_POSITIONS + 1, MIN_RUN, 0)


@kernel
def can_use_up_with_run(
    holding: Holding, ratio: bool, runs: int, suit: int, position: int, naturals: int, wild: int
) -> bool:
    """Tell likewise, for a run begun that goes on at `position`, and `runs` more runs.

    `naturals` and `wild` are the numbers of cards in the run begun.
    """
    size = naturals + wild
    lacking = max(0, MIN_RUN - size) + MIN_RUN * runs
    if holding.naturals + holding.wild < lacking or not may_use_up(holding, runs, suit, position):
        return False
    if size >= MIN_RUN and keeps_ratio(ratio, naturals, wild):
        if runs == 0 and holding.naturals + holding.wild == 0:
            return True
        if runs > 0 and holding.naturals > 0:
            card = first_to_use(holding)
            rest = take(holding, card)
            suit_of, rank = card // N_RANKS, card % N_RANKS
            for below in range(min(rank, rest.wild) + 1):
                if can_use_up_with_run(
                    take_wild(rest, below), ratio, runs - 1, suit_of, rank + 2, 1, below
                ):
                    return True
            ace = suit_of * N_RANKS
            if rank > 0 and has(rest, ace) and rest.wild >= rank - 1:
                rest = take_wild(take(rest, ace), rank - 1)
                if can_use_up_with_run(rest, ratio, runs - 1, suit_of, rank + 2, 2, rank - 1):
                    return True
    if position > N_POSITIONS:
        return False
    card = card_at(suit, position)
    if has(holding, card) and can_use_up_with_run(
        take(holding, card), ratio, runs, suit, position + 1, naturals + 1, wild
    ):
        return True
    return holding.wild > 0 and can_use_up_with_run(
        take_wild(holding, 1), ratio, runs, suit, position + 1, naturals, wild + 1
    )


@kernel
def may_use_up(holding: Holding, runs: int, suit: int, position: int) -> bool:
    """Tell, quickly, whether the suits held are not too many for the runs."""
    begun = 1 if position <= N_POSITIONS else 0
    if (runs + begun < 3 and holding.thrice) or (runs + begun < 2 and holding.twice):
        return False
    n_suits = 0
    for other in range(N_SUITS):
        free = begun == 1 and other == suit
        if not free and (holding.once >> (SUIT_BITS * other)) & ONE_SUIT:
            n_suits += 1
    return n_suits <= runs


@kernel
def first_to_use(holding: Holding) -> int:
    """Return the lowest card of the first suit held, an ace only if it is alone.

    Its run has below it nothing but wild cards, or the ace with wild cards between.
    """
    suit = 0
    while (holding.once >> (SUIT_BITS * suit)) & ONE_SUIT == 0:
        suit += 1
    for rank in range(1, N_RANKS):
        if has(holding, suit * N_RANKS + rank):
            return suit * N_RANKS + rank
    return suit * N_RANKS
