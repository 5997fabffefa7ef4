"""How near a hand is to its contract, as a player who counts cards judges it.

A hand is a `Holding`: cards are bits, 16 for each suit, so that all stretches of a run's
length are looked at side by side. The runs are taken from the hand one after the other,
always the fullest, then the sets. It is a judgement, not the exact search of
`cards.contracts`: two groups may want the same card another way round.
"""

from typing import NamedTuple

from kitchentable.cards.contracts import (
    ALL_SUITS,
    ONE_SUIT,
    RANK_BITS,
    SUIT_BITS,
    Holding,
    Shape,
    bit_of,
    n_bits,
    positions,
    take,
)
from kitchentable.cards.french import N_POSITIONS, N_RANKS, N_SUITS, card_at
from kitchentable.engine.jit import kernel
from kitchentable.games.frustration_rummy.wild import TWO, count_of_rank, is_wild

BUCKET_BITS = 8
"""Bits for ranks, or cards of them, that are counted by how many cards a set has of them."""
BUCKET = (1 << BUCKET_BITS) - 1
COPIES_OF_RANK = 8
"""Natural cards of a rank in two packs."""
NATURAL_RANKS = ((1 << N_RANKS) - 1 - (1 << TWO)) * ALL_SUITS
"""All cards but the twos."""
ANY_RANK = 40
"""Cards that begin a set of which there is no card yet, roughly."""


class Live(NamedTuple):
    """Natural cards that are out of sight."""

    one: int
    """Positions of which a copy is out of sight: bit 16 * suit + position - 1."""
    two: int
    """Positions of which both copies are."""
    ranks: int
    """How many cards of each rank lie in sight, four bits each."""


NOTHING_KNOWN = Live(0, 0, 0)
"""For who does not ask for outs."""


class Counts(NamedTuple):
    """How many cards are held of every stretch of one length: bit 16 * suit + low - 1."""

    ones: int
    """The bits of these numbers that stand for 1."""
    twos: int
    fours: int
    eights: int
    lows: int
    """Where a stretch of this length can begin."""


@kernel
def counts_of(held: int, length: int) -> Counts:
    """Return the counts for stretches of so many places, all added up side by side."""
    ones, twos, fours, eights = 0, 0, 0, 0
    for place in range(length):
        there = held >> place
        carry = ones & there
        ones ^= there
        more = twos & carry
        twos ^= carry
        eights |= fours & more
        fours ^= more
    lows = ((1 << (N_POSITIONS + 1 - length)) - 1) * ALL_SUITS
    return Counts(ones & lows, twos & lows, fours & lows, eights & lows, lows)


@kernel
def having(counts: Counts, n: int) -> int:
    """Return the stretches of which exactly `n` cards are held."""
    found = counts.ones if n & 1 else ~counts.ones
    found &= counts.twos if n & 2 else ~counts.twos
    found &= counts.fours if n & 4 else ~counts.fours
    found &= counts.eights if n & 8 else ~counts.eights
    return found & counts.lows


@kernel
def covered(lows: int, length: int) -> int:
    """Return the cards that belong to stretches: bit 16 * suit + rank."""
    places = 0
    for place in range(length):
        places |= lows << place
    return (places | places >> (N_POSITIONS - 1) & ALL_SUITS) & NATURAL_RANKS


class Fullest(NamedTuple):
    """The stretches of which most cards are held."""

    held: int
    """How many cards that is."""
    lows: int
    """Where they begin: bit 16 * suit + low - 1."""
    pairs: int
    """Where the stretches begin of which two cards at least are held."""


@kernel
def fullest(held: int, length: int) -> Fullest:
    """Return the fullest stretches, given the positions held."""
    counts = counts_of(held, length)
    lows, most = counts.lows, 0
    if lows & counts.eights:
        lows, most = lows & counts.eights, 8
    if lows & counts.fours:
        lows, most = lows & counts.fours, most + 4
    if lows & counts.twos:
        lows, most = lows & counts.twos, most + 2
    if lows & counts.ones:
        lows, most = lows & counts.ones, most + 1
    return Fullest(most, lows, counts.twos | counts.fours | counts.eights)


@kernel
def add(hand: Holding, card: int) -> Holding:
    """Return the holding with one card more; of a natural card two at most are told apart."""
    once, twice, thrice, ranks, wild = hand
    if is_wild(card):
        return Holding(once, twice, thrice, ranks, wild + 1)
    bit = bit_of(card)
    ranks += 1 << (RANK_BITS * (card % N_RANKS))
    return Holding(once | bit, twice | (once & bit), thrice, ranks, wild)


@kernel
def count_bits(bits: int) -> int:
    """Return how many bits of all four suits are set."""
    count = 0
    for suit in range(N_SUITS):
        count += n_bits((bits >> (SUIT_BITS * suit)) & ONE_SUIT)
    return count


@kernel
def run_outs(held: int, lows: int, length: int, live: Live) -> int:
    """Return how many cards out of sight some of these stretches lack."""
    wanted = 0
    for place in range(length):
        wanted |= (lows & ~(held >> place)) << place
    return count_bits(wanted & live.one) + count_bits(wanted & live.two)


@kernel
def put_aside(hand: Holding, lows: int, length: int) -> Holding:
    """Return what is left of the hand without the natural cards of the first stretch."""
    suit = 0
    while (lows >> (SUIT_BITS * suit)) & ONE_SUIT == 0:
        suit += 1
    first = (lows >> (SUIT_BITS * suit)) & ONE_SUIT
    low = n_bits((first & -first) - 1) + 1
    for place in range(length):
        card = card_at(suit, low + place)
        if hand.once & bit_of(card):
            hand = take(hand, card)
    return hand


class Needs(NamedTuple):
    """What some groups lack before wild cards are given to them."""

    missing: int
    wild: int
    """The most wild cards among these."""
    outs: int
    """Cards out of sight that these groups, or others that are equally good, lack."""
    own: int
    """Cards out of sight that these groups lack."""
    least: int
    """Sets: how many cards of its rank the worst of them has; fewer cards are to spare."""


@kernel
def needs_of_sets(ranks: int, size: int, most_wild: int, sets: int, live: Live) -> Needs:
    """Return what the best sets lack: those with most cards of their rank.

    Ranks are sorted by how many cards of a next set they have.
    """
    by_held, outs_by_held, complete = 0, 0, 0
    for rank in range(N_RANKS):
        n = count_of_rank(ranks, rank)
        if n >= size:
            complete += n // size
            n %= size
        if n > 0:
            by_held += 1 << (BUCKET_BITS * n)
            to_come = max(0, COPIES_OF_RANK - count_of_rank(live.ranks, rank))
            outs_by_held += to_come << (BUCKET_BITS * n)
    left, missing, wild, outs, own, held = sets - complete, 0, 0, 0, 0, size
    while left > 0:
        held -= 1
        here = (by_held >> (BUCKET_BITS * held)) & BUCKET
        if held == 0:
            here = left
        n = min(left, here)
        left -= n
        missing += n * (size - held)
        wild += n * min(size - held, most_wild)
        if n > 0:
            to_come = (outs_by_held >> (BUCKET_BITS * held)) & BUCKET if held > 0 else ANY_RANK
            outs += to_come
            own += to_come * n // here
    return Needs(missing, wild, outs, own, held)


class Nearest(NamedTuple):
    """The nearest way to a contract."""

    in_sets: int
    """Cards that its sets lack, before wild cards are given to them."""
    in_runs: int
    """Cards that its runs lack, likewise."""
    lacking: int
    """Cards that both lack when the hand's wild cards serve as far as they may."""
    wild: int
    """Wild cards of the hand that do not serve; less than none: more could serve."""
    outs: int
    """Natural cards out of sight that bring it, or an equally good way, nearer."""
    own: int
    """Natural cards out of sight that bring this way nearer."""
    rest: Holding
    """What its runs leave over."""
    spare: int
    """Natural cards that it has no use for, a bit each as in `Holding`."""


@kernel
def nearest(hand: Holding, live: Live, sizes: Shape, sets: int, runs: int) -> Nearest:
    """Return the nearest way to so many sets and runs."""
    rest, in_runs, in_sets, wild, outs, own = hand, 0, 0, 0, 0, 0
    length = sizes.run_length
    for _ in range(runs):
        held = positions(rest)
        found = fullest(held, length)
        missing = length - found.held
        in_runs += missing
        wild += min(missing, sizes.run_wild)
        if missing > 0 and live.one != 0:
            outs += run_outs(held, found.lows, length, live)
            own += run_outs(held, found.lows & -found.lows, length, live)
        rest = put_aside(rest, found.lows, length)
    spare = rest.once
    if sets > 0:
        needs = needs_of_sets(rest.ranks, sizes.set_size, sizes.set_wild, sets, live)
        in_sets, wild = needs.missing, wild + needs.wild
        outs, own = outs + needs.outs, own + needs.own
        spare &= ranks_below(rest.ranks, needs.least) * ALL_SUITS
    lacking = in_sets + in_runs - min(hand.wild, wild)
    return Nearest(in_sets, in_runs, lacking, hand.wild - wild, outs, own, rest, spare)


@kernel
def ranks_below(ranks: int, least: int) -> int:
    """Return the ranks, a bit each, of which there are fewer cards than this."""
    found = 0
    for rank in range(N_RANKS):
        found |= (count_of_rank(ranks, rank) < least) << rank
    return found & ~(1 << TWO)
