"""What a hand can lay, as a player sees it at a glance.

Wolves go to melds that lack one card, which is nearly always the most that can be laid. The
names of animals do not matter, so that a hand is three numbers.
"""

from typing import NamedTuple

from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.record import Int8Array
from kitchentable.games.luau_rummy.pack import (
    ANIMALS,
    FIRST_ANIMAL,
    FIRST_PIGGY,
    N_TRIPLES,
    TRIPLE,
    WOLF,
)
from kitchentable.games.luau_rummy.rules import MIN_MELD, State, n_animals

BITS = 5
"""Bits of a count: there are eight copies of a card at most."""
ONE_COUNT = (1 << BITS) - 1


class Holding(NamedTuple):
    """Cards in hand."""

    names: int
    """How many of each card of supplies, gourmet, materials and piggies, BITS for each."""
    animals: int
    wolves: int


class Base(NamedTuple):
    """What a side has on the table that cards can be added to."""

    melds: int
    """Melds of animals."""
    pure: int
    """Those without a wolf."""
    may_pile: bool
    """Whether pile-ups are played."""
    pileups: int
    """The piggies of which the side has a pile-up, a bit each."""


class Triple(NamedTuple):
    """What a hand has of a kind with three different cards."""

    melds: int
    """Melds without a wolf."""
    pairs: int
    """Melds beyond these that lack one card."""
    names: int
    """Different cards."""


@kernel
def hold(hand: Int8Array) -> Holding:
    """Return a hand (or pile), counts by card, as a holding."""
    names = 0
    for card in range(FIRST_ANIMAL):
        names += wide(hand[card]) << (BITS * card)
    return Holding(names, n_animals(hand), wide(hand[WOLF]))


@kernel
def add(holding: Holding, card: int) -> Holding:
    """Return the holding with one card more."""
    return change(holding, card, 1)


@kernel
def take(holding: Holding, card: int) -> Holding:
    """Return the holding with one card less."""
    return change(holding, card, -1)


@kernel
def change(holding: Holding, card: int, number: int) -> Holding:
    """Return the holding with so many more of a card."""
    names, animals, wolves = holding
    if card == WOLF:
        return Holding(names, animals, wolves + number)
    if card >= FIRST_ANIMAL:
        return Holding(names, animals + number, wolves)
    return Holding(names + (number << (BITS * card)), animals, wolves)


@kernel
def with_pile(holding: Holding, state: State) -> Holding:
    """Return the holding with all cards of the discard pile."""
    pile = hold(state.in_pile)
    wolves = holding.wolves + pile.wolves
    return Holding(holding.names + pile.names, holding.animals + pile.animals, wolves)


@kernel
def count_of(holding: Holding, card: int) -> int:
    """Return how many of a card of supplies, gourmet, materials or piggies are held."""
    return (holding.names >> (BITS * card)) & ONE_COUNT


@kernel
def triple_of(holding: Holding, kind: int) -> Triple:
    """Return what is held of a kind with three different cards."""
    names = holding.names >> (BITS * TRIPLE * kind)
    first, second = names & ONE_COUNT, (names >> BITS) & ONE_COUNT
    third = (names >> (2 * BITS)) & ONE_COUNT
    least, most = min(first, second, third), max(first, second, third)
    middle = first + second + third - least - most
    return Triple(least, middle - least, (first > 0) + (second > 0) + (third > 0))


@kernel
def base_of(state: State, side: int) -> Base:
    """Return what a side has on the table that cards can be added to."""
    bits = 0
    for piggy in range(TRIPLE):
        bits |= wide(state.pileups[side, piggy]) << piggy
    melds, pure = wide(state.laid[side, ANIMALS]), wide(state.pure[side, ANIMALS])
    return Base(melds, pure, bool(state.piggy_pileup), bits)


@kernel
def n_layable(holding: Holding, base: Base) -> int:
    """Return how many cards of the hand can be laid or added at once."""
    n, pairs, wolves = 0, 0, holding.wolves
    for kind in range(N_TRIPLES):
        triple = triple_of(holding, kind)
        n += TRIPLE * triple.melds
        pairs += triple.pairs
    if base.may_pile:
        n += n_piled(holding, base)
    places = base.pure
    if base.melds > 0:
        n += holding.animals
    elif holding.animals >= MIN_MELD:
        n += holding.animals
        places += 1
    elif holding.animals == MIN_MELD - 1 and wolves > 0:
        n += MIN_MELD
        wolves -= 1
    standing_in = min(wolves, pairs)
    return n + TRIPLE * standing_in + min(wolves - standing_in, places)


@kernel
def n_piled(holding: Holding, base: Base) -> int:
    """LR-18: return how many piggies beyond those of whole melds go to pile-ups."""
    n, whole = 0, triple_of(holding, FIRST_PIGGY // TRIPLE).melds
    for piggy in range(TRIPLE):
        left = count_of(holding, FIRST_PIGGY + piggy) - whole
        if left >= MIN_MELD or (base.pileups >> piggy) & 1:
            n += left
    return n
