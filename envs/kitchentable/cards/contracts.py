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
from kitchentable.engine.jit import kernel, wide
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
FILLED_BITS = 9
"""Bits for the places of a run."""
STRETCH_BITS = 6
"""Bits for a stretch: 16 * suit + low - 1."""
PATH_BITS = FILLED_BITS + STRETCH_BITS
NO_STRETCH = -1
NO_SUIT = -1
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
    wild: int


class Shape(NamedTuple):
    """How large the contract's groups are, and the most wild cards in one."""

    set_size: int
    set_wild: int
    run_length: int
    run_wild: int


@kernel
def shape_of(set_size: int, run_length: int, ratio: bool) -> Shape:
    """Return a shape: with `ratio` wild cards at most as naturals, else one natural at least."""
    if ratio:
        return Shape(set_size, set_size // 2, run_length, run_length // 2)
    return Shape(set_size, set_size - 1, run_length, run_length - 1)


class Begun(NamedTuple):
    """A group begun: a set or a run, with what it still lacks; `NOTHING_BEGUN` for none."""

    rank: int
    """Of a set; -1 for a run."""
    suit: int
    position: int
    """Of a run: the position at which it goes on."""
    missing: int
    """Cards that it lacks."""
    wild: int
    """The most wild cards among these."""


NOTHING_BEGUN = Begun(-1, 0, 1, 0, 0)


@kernel
def set_begun(rank: int, missing: int, wild: int) -> Begun:
    """Return a set begun that lacks `missing` cards, `wild` wild ones at most."""
    return Begun(rank, 0, 1, missing, wild)


@kernel
def run_begun(suit: int, position: int, missing: int, wild: int) -> Begun:
    """Return a run begun that lacks the `missing` places from `position` on."""
    return Begun(-1, suit, position, missing, wild)


@kernel
def hold(counts: Int8Array) -> Holding:
    """Return the holding of a hand given as numbers of each card; at most three of one.

    Without branches, because it is done for nearly every move.
    """
    once, twice, thrice, ranks = 0, 0, 0, 0
    for suit in range(N_SUITS):
        for rank in range(N_RANKS):
            n = int(counts[suit * N_RANKS + rank])
            bit = SUIT_BITS * suit + rank
            once |= (n > 0) << bit
            twice |= (n > 1) << bit
            thrice |= (n > 2) << bit
            ranks += n << (RANK_BITS * rank)
    return Holding(once, twice, thrice, ranks, wide(counts[JOKER]))


@kernel
def bit_of(card: int) -> int:
    """Return the bit of a natural card."""
    return 1 << (SUIT_BITS * (card // N_RANKS) + card % N_RANKS)


@kernel
def holds(holding: Holding, card: int) -> bool:
    """Tell whether a card, natural or the joker, is held."""
    return holding.wild > 0 if card == JOKER else holding.once & bit_of(card) != 0


@kernel
def take(holding: Holding, card: int) -> Holding:
    """Return the holding without one card, which it has: a natural one or the joker."""
    if card == JOKER:
        return take_wild(holding, 1)
    bit = bit_of(card)
    return Holding(
        (holding.once & ~bit) | (holding.twice & bit),
        (holding.twice & ~bit) | (holding.thrice & bit),
        holding.thrice & ~bit,
        holding.ranks - (1 << (RANK_BITS * (card % N_RANKS))),
        holding.wild,
    )


@kernel
def take_wild(holding: Holding, n: int) -> Holding:
    """Return the holding without `n` wild cards."""
    once, twice, thrice, ranks, wild = holding
    return Holding(once, twice, thrice, ranks, wild - n)


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
    """Return the stretches of `length` places that lack `spare` naturals at most."""
    upto_0, upto_1, upto_2, upto_3 = stretches_lacking(holding.once, length)
    if spare > 3:
        return ((1 << (N_POSITIONS + 1 - length)) - 1) * ALL_SUITS
    if spare > 1:
        return upto_3 if spare == 3 else upto_2
    return upto_1 if spare == 1 else upto_0


@kernel
def stretches_lacking(once: int, length: int) -> tuple[int, int, int, int]:
    """Return the stretches of `length` places that lack 0, 1, 2 and 3 naturals at most.

    Bit 16 * suit + low - 1 stands for a stretch. All are counted side by side: `upto_k`
    are those that lack k at most of the places seen so far.

    Args:
        once: bit 16 * suit + rank for each natural card held.
        length: of the stretches.
    """
    seen = once | (once & ALL_SUITS) << (N_POSITIONS - 1)
    valid = ((1 << (N_POSITIONS + 1 - length)) - 1) * ALL_SUITS
    upto_0, upto_1, upto_2, upto_3 = valid, valid, valid, valid
    for place in range(length):
        there = seen >> place
        upto_3 = (upto_3 & there) | upto_2
        upto_2 = (upto_2 & there) | upto_1
        upto_1 = (upto_1 & there) | upto_0
        upto_0 = upto_0 & there
    return upto_0, upto_1, upto_2, upto_3


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
    if sets == 0:
        return 0
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
def wild_to_spare(holding: Holding, shape: Shape, sets: int, begun: Begun) -> int:
    """Return the most wild cards left over by so many sets and the set begun; -1: impossible."""
    rank, missing = (begun.rank, begun.missing) if begun.rank >= 0 else (0, 0)
    at_hand = (holding.ranks >> (RANK_BITS * rank)) & ((1 << RANK_BITS) - 1)
    most = -1
    for n in range(max(0, missing - min(begun.wild, holding.wild)), min(missing, at_hand) + 1):
        ranks = holding.ranks - (n << (RANK_BITS * rank))
        cost = missing - n + cost_of_sets(ranks, sets, shape.set_size, shape.set_wild)
        most = max(most, holding.wild - cost)
    return most


@kernel
def has_stretch(holding: Holding, shape: Shape, wild: int) -> bool:
    """Tell whether some run can be made with so many wild cards at most."""
    return stretches(holding, shape.run_length, min(shape.run_wild, wild)) != 0


@kernel
def may_lay(holding: Holding, shape: Shape, sets: int, runs: int, begun: Begun) -> bool:
    """Tell whether the sets can be laid, and the cheapest run is no dearer than it may be."""
    if runs > 0 and not has_stretch(holding, shape, holding.wild // runs):
        return False
    spare = wild_to_spare(holding, shape, sets, begun)
    return spare >= 0 and (runs == 0 or has_stretch(holding, shape, spare // runs))


class Run(NamedTuple):
    """A run of the search: which stretch, and where naturals fill it."""

    stretch: int
    """16 * suit + low - 1."""
    filled: int
    """A bit for each place with a natural card; -1 when all ways have been tried."""


@kernel
def take_run(holding: Holding, length: int, run: Run) -> Holding:
    """Return the holding without a run: naturals at the places filled, else wild cards."""
    suit, low, n_wild = run.stretch // SUIT_BITS, run.stretch % SUIT_BITS + 1, 0
    for place in range(length):
        if (run.filled >> place) & 1:
            holding = take(holding, card_at(suit, low + place))
        else:
            n_wild += 1
    return take_wild(holding, n_wild)


@kernel
def next_run(holding: Holding, shape: Shape, run: Run) -> Run:
    """Return the next run that the hand has, or one whose stretch is NO_STRETCH."""
    length, spare = shape.run_length, min(shape.run_wild, holding.wild)
    stretch, filled = run
    if filled >= 0:
        held = held_at(holding, stretch // SUIT_BITS, stretch % SUIT_BITS + 1, length)
        filled = next_filling(filled, held, length - spare)
    else:
        stretch -= 1
    found = stretches(holding, length, spare) >> (stretch + 1)
    while filled < 0 and found:
        stretch += 1
        if found & 1:
            held = held_at(holding, stretch // SUIT_BITS, stretch % SUIT_BITS + 1, length)
            filled = held if n_bits(held) >= length - spare else -1
        found >>= 1
    return Run(stretch if filled >= 0 else NO_STRETCH, filled)


@kernel
def has_groups(holding: Holding, shape: Shape, sets: int, runs: int, begun: Begun) -> bool:
    """Tell whether runs and sets, and the set begun, can be laid: depth first, runs in order.

    `path` are the runs taken so far, the last one lowest, `PATH_BITS` bits each.
    """
    if not may_lay(holding, shape, sets, runs, begun):
        return False
    n, path, run = 0, 0, Run(0, -1)
    while n < runs:
        rest = holding
        for i in range(n):
            rest = take_run(rest, shape.run_length, run_at(path, i))
        run = next_run(rest, shape, run)
        if run.stretch != NO_STRETCH:
            rest = take_run(rest, shape.run_length, run)
            if may_lay(rest, shape, sets, runs - n - 1, begun):
                n, path = n + 1, path << PATH_BITS | run.stretch << FILLED_BITS | run.filled
                run = Run(run.stretch, -1)
        elif n == 0:
            return False
        else:
            n, path, run = n - 1, path >> PATH_BITS, run_at(path, 0)
    return True


@kernel
def run_at(path: int, i: int) -> Run:
    """Return the run taken `i` runs before the last one."""
    step = path >> (PATH_BITS * i)
    return Run((step >> FILLED_BITS) & ((1 << STRETCH_BITS) - 1), step & ((1 << FILLED_BITS) - 1))


@kernel
def can_lay(holding: Holding, shape: Shape, sets: int, runs: int, begun: Begun) -> bool:
    """Tell whether the hand has so many sets and runs (three at most), and the group begun."""
    missing = 0 if begun.rank >= 0 else begun.missing
    fewest = missing - min(begun.wild, holding.wild)
    held = held_at(holding, begun.suit, begun.position, missing)
    filled = held if n_bits(held) >= fewest else -1
    while filled >= 0:
        run = Run(SUIT_BITS * begun.suit + begun.position - 1, filled)
        if has_groups(take_run(holding, missing, run), shape, sets, runs, begun):
            return True
        filled = next_filling(filled, held, fewest)
    return False


@kernel
def keeps_ratio(ratio: bool, naturals: int, wild: int) -> bool:
    """Tell whether a group has wild cards at most as naturals; without `ratio` one natural."""
    return wild <= naturals if ratio else naturals > 0


class Ranks(NamedTuple):
    """The naturals of one suit, a bit a rank."""

    once: int
    twice: int
    thrice: int


@kernel
def ranks_of(holding: Holding, suit: int) -> Ranks:
    """Return the naturals of a suit."""
    shift = SUIT_BITS * suit
    return Ranks(
        (holding.once >> shift) & ONE_SUIT,
        (holding.twice >> shift) & ONE_SUIT,
        (holding.thrice >> shift) & ONE_SUIT,
    )


@kernel
def without(ranks: Ranks, some: int) -> Ranks:
    """Return the naturals without one card of each rank in `some`."""
    return Ranks(
        (ranks.once & ~some) | ranks.twice,
        (ranks.twice & ~some) | ranks.thrice,
        ranks.thrice & ~some,
    )


@kernel
def top(places: int) -> int:
    """Return the number of the highest bit, counted from 1; 0 without any. 16 bits."""
    places |= places >> 1
    places |= places >> 2
    places |= places >> 4
    return n_bits(places | places >> 8)


@kernel
def span(places: int) -> int:
    """Return how many places there are from the lowest bit to the highest."""
    return top(places) - n_bits((places & -places) - 1)


@kernel
def between(fewest: int, most: int) -> int:
    """Return a set of numbers, a bit a number: all from `fewest` to `most`."""
    return ((1 << (most + 1)) - 1) >> fewest << fewest if fewest <= most else 0


@kernel
def sums(some: int, others: int) -> int:
    """Return all sums of a number of the one set and a number of the other."""
    found = 0
    while others:
        if others & 1:
            found |= some
        some <<= 1
        others >>= 1
    return found


@kernel
def wild_in_run(ratio: bool, wild: int, once: int) -> int:
    """Return how many wild cards, `wild` at most, make a run with these naturals.

    They fill the gaps (the ace stands where there are fewer), and make four cards; more
    go to the ends.
    """
    n = n_bits(once)
    ace_high = (once & ~1) | (once & 1) << (N_POSITIONS - 1)
    gaps = min(span(once), span(ace_high)) - n
    most = min(wild, N_POSITIONS - n)
    return between(max(gaps, MIN_RUN - n), min(most, n) if ratio else most if n > 0 else -1)


@kernel
def wild_in_two(ratio: bool, wild: int, ranks: Ranks) -> int:
    """Likewise for two runs of one suit: each way to share out what is held once."""
    if ranks.thrice or n_bits(ranks.once) + n_bits(ranks.twice) + wild < 2 * MIN_RUN:
        return 0
    certain = ranks.twice | (ranks.once & -ranks.once)
    free = ranks.once & ~certain
    found, some = 0, free
    while some >= 0:
        one = wild_in_run(ratio, wild, certain | some)
        if one:
            rest = without(ranks, certain | some)
            found |= sums(one, wild_in_run(ratio, wild, rest.once))
        some = next_filling(some, free, 0)
    return found


@kernel
def wild_in_three(ratio: bool, wild: int, ranks: Ranks) -> int:
    """Likewise for three runs of one suit."""
    n = n_bits(ranks.once) + n_bits(ranks.twice) + n_bits(ranks.thrice)
    if n + wild < 3 * MIN_RUN:
        return 0
    certain = ranks.thrice | (ranks.once & -ranks.once)
    free = ranks.once & ~certain
    found, some = 0, free
    while some >= 0:
        one = wild_in_run(ratio, wild, certain | some)
        if one:
            found |= sums(one, wild_in_two(ratio, wild, without(ranks, certain | some)))
        some = next_filling(some, free, 0)
    return found


@kernel
def wild_in_runs(ratio: bool, wild: int, ranks: Ranks, runs: int) -> int:
    """Likewise for 0 .. 3 runs of one suit, which take up all its naturals."""
    if runs == 0 or ranks.once == 0:
        return 1 if runs == 0 and ranks.once == 0 else 0
    if runs == 1:
        return 0 if ranks.twice else wild_in_run(ratio, wild, ranks.once)
    if runs == 2:
        return wild_in_two(ratio, wild, ranks)
    return wild_in_three(ratio, wild, ranks)


class LastRun(NamedTuple):
    """A run begun that goes on at will: where, and what it has; `NO_RUN_BEGUN` for none."""

    suit: int
    position: int
    naturals: int
    wild: int


NO_RUN_BEGUN = LastRun(NO_SUIT, 0, 0, 0)


@kernel
def wild_in_rest(ratio: bool, wild: int, begun: LastRun, places: int) -> int:
    """Return how many wild cards may go on a run begun, with naturals at these places.

    Bit 0 of `places` is the position at which the run goes on.
    """
    n = n_bits(places)
    naturals = begun.naturals + n
    most = min(wild, N_POSITIONS + 1 - begun.position - n)
    if ratio:
        most = min(most, naturals - begun.wild)
    missing = MIN_RUN - naturals - begun.wild
    return between(max(top(places) - n, missing), most if naturals > 0 else -1)


@kernel
def wild_with_begun(ratio: bool, wild: int, begun: LastRun, ranks: Ranks, runs: int) -> int:
    """Likewise for a run begun and 0 .. 2 more runs of its suit."""
    high = ranks.once | (ranks.once & 1) << (N_POSITIONS - 1)
    shift = begun.position - 1
    held = high >> shift
    found, places = 0, held
    while places >= 0:
        one = wild_in_rest(ratio, wild, begun, places)
        if one:
            some = places << shift
            some = (some | some >> (N_POSITIONS - 1)) & ((1 << N_RANKS) - 1)
            rest = without(ranks, some)
            found |= sums(one, wild_in_runs(ratio, wild, rest, runs))
        places = next_filling(places, held, 0)
    return found


@kernel
def can_use_up(holding: Holding, ratio: bool, runs: int, begun: LastRun) -> bool:
    """Tell whether `runs` runs of four or more and the run begun, three in all, leave nothing.

    For runs of 13 cards at most, as there are when 18 cards make three. What matters of
    a run is its suit and its naturals: its wild cards then fit in. `reached` has a bit
    16 * r + w where the suits so far can be used up in r runs with w wild cards.
    """
    reached = 1
    fits = between(0, holding.wild) * (ALL_SUITS & between(0, SUIT_BITS * runs))
    for other in range(N_SUITS):
        ranks = ranks_of(holding, other)
        before, reached = reached, 0
        for n in range(runs + 1):
            if other == begun.suit:
                ways = wild_with_begun(ratio, holding.wild, begun, ranks, n)
            else:
                ways = wild_in_runs(ratio, holding.wild, ranks, n)
            reached |= sums(before, ways) << (SUIT_BITS * n)
        reached &= fits
        if reached == 0:
            return False
    return (reached >> (SUIT_BITS * runs + holding.wild)) & 1 == 1
