"""Whether a side that opens can reach its minimum with the cards at hand (HF-14).

Every meld move adds value, so the minimum is in reach if the most valuable layout of the
cards at hand is worth it. Which wild card lies where does not matter to the rules: the
most valuable ones are laid first, and all that counts is how many can be laid.

In most hands all natural cards of a rank go down, if it has a meld or makes one, and leave
room for some wild cards (`slots`); a pair goes down with one wild card; what is left of the
wild cards makes wild melds. `best_value` tries how many pairs to lay. Only where a rank has
so many cards that they crowd out wild cards or fill more than one meld, the ways to spend
wild cards on such ranks are tried one by one.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kitchentable.engine.jit import kernel
from kitchentable.games.hand_and_foot.deck import (
    COPIES,
    FIRST_NATURAL,
    JOKER,
    N_RANKS,
    TWO,
    VALUES,
)

MIN_MELD = 3
CANASTA = 7
"""Cards of a meld that is closed."""
MAX_WILD_IN_MELD = 3
HAND_BITS = 5
"""Bits for the cards of a rank at hand, twenty at most."""
MELD_BITS = 3
"""Bits for the natural or wild cards of an unclosed meld, six at most."""
DIGIT_BITS = 4
"""Bits for a rank, or for the wild cards spent on one."""
MOST_WILD = CANASTA // 2 * 5
"""The most wild cards that melds of one rank take: five times four naturals with three."""
MOST_OF_RANK = COPIES[FIRST_NATURAL]
CROWDED_STRICT, CROWDED_MAJORITY = 5, 4
"""With more natural cards than these a canasta has room for fewer wild cards again."""
SLOTS_STRICT = (0, 0, 1, 1, 2, 2)
"""HF-7: the most wild cards beside so many natural ones."""
SLOTS_MAJORITY = (0, 0, 1, 2, 3)

Int64Array = NDArray[np.int64]


class Opening(NamedTuple):
    """What a side has laid while it opens, and the mover's cards that may be laid."""

    laid: int
    """The value of the cards in melds."""
    hand: int
    """Natural cards at hand, HAND_BITS for each rank."""
    naturals: int
    """Natural cards in the unclosed meld of each rank, MELD_BITS each."""
    wilds: int
    """Wild cards in these."""
    twos: int
    jokers: int
    wild_meld: int
    """Cards in the unclosed wild meld, 0 without one."""
    majority: bool
    """The option `wild_rule`."""


@kernel
def wild_fits(majority: bool, naturals: int, wild: int) -> bool:
    """HF-7: tell whether a meld of a rank may have so many wild cards."""
    if majority:
        return wild < naturals and wild <= MAX_WILD_IN_MELD
    return wild <= 1 or (wild == 2 and naturals + wild >= CANASTA - 1)


_FITS = getattr(wild_fits, "py_func", wild_fits)
"""`wild_fits` in plain Python, for tables that are made before anything is compiled."""
WILD_TAKEN = np.array(
    [
        [
            [
                size > 0 and _FITS(majority, size - wild, wild + 1)
                for wild in range(MAX_WILD_IN_MELD + 1)
            ]
            for size in range(CANASTA)
        ]
        for majority in (False, True)
    ],
    np.float32,
)
"""Whether a meld of so many cards, with so many wild ones, takes one more; by the rule."""


@cache
def _most_naturals(majority: bool, at_hand: int, wild: int) -> int:
    """Return the most of the naturals of a rank that can be laid with exactly so many wild cards.

    There is no unclosed meld of the rank yet; -1 if the wild cards cannot be laid.
    """
    best = 0 if wild == 0 else -1
    for size in range(MIN_MELD, CANASTA):
        naturals = size - wild
        if 2 <= naturals <= at_hand and _FITS(majority, naturals, wild):
            best = max(best, naturals)
    for inside in range(min(wild, MAX_WILD_IN_MELD) + 1):
        naturals = CANASTA - inside
        if naturals <= at_hand and _FITS(majority, naturals, inside):
            more = _most_naturals(majority, at_hand - naturals, wild - inside)
            best = max(best, naturals + more if more >= 0 else -1)
    return best


MOST_NATURALS = np.array(
    [
        [
            [_most_naturals(bool(majority), n, wild) for wild in range(MOST_WILD + 1)]
            for n in range(MOST_OF_RANK + 1)
        ]
        for majority in range(2)
    ]
)
"""`_most_naturals` by rule, natural cards and wild cards."""


@kernel
def hand_of_rank(opening: Opening, rank: int) -> int:
    """Return the natural cards of a rank at hand."""
    return (opening.hand >> (HAND_BITS * rank)) & ((1 << HAND_BITS) - 1)


@kernel
def in_meld(packed: int, rank: int) -> int:
    """Return the natural or wild cards in the unclosed meld of a rank."""
    return (packed >> (MELD_BITS * rank)) & ((1 << MELD_BITS) - 1)


@kernel
def after_laying(opening: Opening, rank: int, naturals: int, twos: int, jokers: int) -> Opening:
    """Return the opening with these cards laid in the meld of a rank, or as wild cards (N_RANKS)."""
    value = twos * VALUES[TWO] + jokers * VALUES[JOKER]
    if rank == N_RANKS:
        size = opening.wild_meld + twos + jokers
        return Opening(
            opening.laid + value,
            opening.hand,
            opening.naturals,
            opening.wilds,
            opening.twos - twos,
            opening.jokers - jokers,
            0 if size == CANASTA else size,
            opening.majority,
        )
    value += naturals * VALUES[FIRST_NATURAL + rank]
    natural_now = in_meld(opening.naturals, rank) + naturals
    wild_now = in_meld(opening.wilds, rank) + twos + jokers
    if natural_now + wild_now == CANASTA:
        natural_now, wild_now = 0, 0
    place, mask = MELD_BITS * rank, ((1 << MELD_BITS) - 1) << (MELD_BITS * rank)
    return Opening(
        opening.laid + value,
        opening.hand - (naturals << (HAND_BITS * rank)),
        (opening.naturals & ~mask) | (natural_now << place),
        (opening.wilds & ~mask) | (wild_now << place),
        opening.twos - twos,
        opening.jokers - jokers,
        opening.wild_meld,
        opening.majority,
    )


@kernel
def most_wild_laid(wild: int, slots: int, room: int) -> int:
    """Return how many wild cards can be laid: in slots, in the unclosed wild meld, in new ones.

    `room` is what the unclosed wild meld has left. A new one needs three cards, so one or two
    beyond a canasta need some out of the slots to join them.
    """
    beyond = (wild - slots - room) % CANASTA
    if wild <= slots + room or beyond == 0 or beyond >= MIN_MELD or slots >= MIN_MELD - beyond:
        return wild
    return wild - beyond


@kernel
def value_of_wild(opening: Opening, n: int) -> int:
    """Return the value of the best `n` wild cards at hand."""
    jokers = min(n, opening.jokers)
    return jokers * VALUES[JOKER] + (n - jokers) * VALUES[TWO]


class Plain(NamedTuple):
    """The ranks that are not crowded, taken together."""

    value: int
    """Of the cards laid and of the naturals that go down without a wild card."""
    slots: int
    aces: int
    """Pairs without a meld, by what a card is worth: 20, 10, 5."""
    tens: int
    fives: int
    crowded: int
    """The crowded ranks, DIGIT_BITS each."""
    n_crowded: int


@kernel
def plain_ranks(opening: Opening) -> Plain:
    """Sum up the ranks, and list those that are crowded."""
    value, slots, aces, tens, fives, crowded, n_crowded = opening.laid, 0, 0, 0, 0, 0, 0
    limit = CROWDED_MAJORITY if opening.majority else CROWDED_STRICT
    for rank in range(N_RANKS):
        at_hand, in_melds = hand_of_rank(opening, rank), in_meld(opening.naturals, rank)
        n, worth = at_hand + in_melds, VALUES[FIRST_NATURAL + rank]
        if n < 2:
            continue
        if n > limit:
            crowded |= rank << (DIGIT_BITS * n_crowded)
            n_crowded += 1
        elif in_melds > 0 or n >= MIN_MELD:
            most = SLOTS_MAJORITY[n] if opening.majority else SLOTS_STRICT[n]
            value += at_hand * worth
            slots += most - in_meld(opening.wilds, rank)
        else:
            aces += worth == 20
            tens += worth == 10
            fives += worth == 5
    return Plain(value, slots, aces, tens, fives, crowded, n_crowded)


@kernel
def best_of_plain(opening: Opening, plain: Plain, spent: int, enough: int) -> int:
    """Return the best value if the crowded ranks take `spent` wild cards; see `best_value`."""
    wild, best = opening.twos + opening.jokers - spent, 0
    room = CANASTA - opening.wild_meld if opening.wild_meld > 0 else 0
    for pairs in range(min(wild, plain.aces + plain.tens + plain.fives) + 1):
        aces = min(pairs, plain.aces)
        tens = min(pairs - aces, plain.tens)
        value = plain.value + 40 * aces + 20 * tens + 10 * (pairs - aces - tens)
        laid = spent + pairs + most_wild_laid(wild - pairs, plain.slots, room)
        best = max(best, value + value_of_wild(opening, laid))
        if best >= enough:
            break
    return best


@kernel
def naturals_laid(opening: Opening, rank: int, wild: int) -> int:
    """Return the most naturals of a crowded rank that go down with exactly so many wild cards.

    Returns -1 if the wild cards cannot all be laid there.
    """
    table = MOST_NATURALS[1 if opening.majority else 0]
    at_hand, naturals = hand_of_rank(opening, rank), in_meld(opening.naturals, rank)
    inside = in_meld(opening.wilds, rank)
    if naturals == 0:
        return int(table[at_hand, wild])
    best = -1
    stay = min(at_hand, CANASTA - 1 - naturals - inside - wild)
    if stay >= 0 and wild_fits(opening.majority, naturals + stay, inside + wild):
        best = stay
    for more in range(min(wild, MAX_WILD_IN_MELD) + 1):
        closing = CANASTA - naturals - inside - more
        if 0 <= closing <= at_hand and wild_fits(
            opening.majority, naturals + closing, inside + more
        ):
            then = int(table[at_hand - closing, wild - more])
            if then >= 0:
                best = max(best, closing + then)
    return best


@kernel
def next_spending(spending: int, n: int, wild: int) -> int:
    """Return the next way to spend up to `wild` cards on `n` ranks, DIGIT_BITS each; 0: no more."""
    total = 0
    for i in range(n):
        total += (spending >> (DIGIT_BITS * i)) & ((1 << DIGIT_BITS) - 1)
    for i in range(n):
        digit = (spending >> (DIGIT_BITS * i)) & ((1 << DIGIT_BITS) - 1)
        if total < wild and digit < MOST_WILD:
            return spending + (1 << (DIGIT_BITS * i))
        total -= digit
        spending -= digit << (DIGIT_BITS * i)
    return 0


@kernel
def best_value(opening: Opening, enough: int) -> int:
    """Return the most that the side's melds can be worth, or the first value found >= `enough`."""
    return best_of_all(opening, plain_ranks(opening), enough)


@kernel
def best_of_all(opening: Opening, plain: Plain, enough: int) -> int:
    """Return `best_value`, the plain ranks summed up already."""
    if plain.n_crowded == 0:
        return best_of_plain(opening, plain, 0, enough)
    best, spending = 0, 0
    while True:
        value, spent, possible = 0, 0, True
        for i in range(plain.n_crowded):
            rank = (plain.crowded >> (DIGIT_BITS * i)) & ((1 << DIGIT_BITS) - 1)
            wild = (spending >> (DIGIT_BITS * i)) & ((1 << DIGIT_BITS) - 1)
            naturals = naturals_laid(opening, rank, wild)
            possible = possible and naturals >= 0
            value += naturals * VALUES[FIRST_NATURAL + rank]
            spent += wild
        if possible:
            best = max(best, value + best_of_plain(opening, plain, spent, enough - value))
        spending = next_spending(spending, plain.n_crowded, opening.twos + opening.jokers)
        if best >= enough or spending == 0:
            return best


@kernel
def reaches_after(
    opening: Opening, plain: Plain, rank: int, naturals: int, twos: int, jokers: int, enough: int
) -> bool:
    """Tell whether the value `enough`, now in reach, is so after laying these cards.

    Without crowded ranks natural cards alone lie in the best layout anyway, and a wild card
    takes a slot, or brings a pair down.
    """
    after = after_laying(opening, rank, naturals, twos, jokers)
    if plain.n_crowded > 0:
        return best_value(after, enough) >= enough
    if twos + jokers == 0:
        return True
    value, slots, aces, tens, fives, crowded, n_crowded = plain
    value += twos * VALUES[TWO] + jokers * VALUES[JOKER]
    if rank != N_RANKS:
        worth = VALUES[FIRST_NATURAL + rank]
        if in_meld(opening.naturals, rank) > 0 or hand_of_rank(opening, rank) >= MIN_MELD:
            slots -= 1
        else:
            value += 2 * worth
            aces -= worth == 20
            tens -= worth == 10
            fives -= worth == 5
    left = Plain(value, slots, aces, tens, fives, crowded, n_crowded)
    return best_of_plain(after, left, 0, enough) >= enough


@kernel
def best_of_few(opening: Opening, most: int) -> int:
    """Return the most that the side's melds can be worth if `most` more cards are laid.

    For a seat in its foot that keeps cards while its side is not open. Play never brings that
    about, but tables can, so this need not be fast: all numbers of cards and of wild cards
    among them are tried, rank by rank.
    """
    wild = opening.twos + opening.jokers
    values = np.full((most + 1, wild + 1), -1)
    values[0, 0] = 0
    for rank in range(N_RANKS):
        values = with_few_of_rank(opening, rank, values)
    best, room = opening.laid, CANASTA - opening.wild_meld if opening.wild_meld > 0 else 0
    for cards in range(most + 1):
        for spent in range(min(wild, cards) + 1):
            for melded in range(min(wild - spent, most - cards) + 1):
                if values[cards, spent] >= 0 and most_wild_laid(melded, 0, room) == melded:
                    value = values[cards, spent] + value_of_wild(opening, spent + melded)
                    best = max(best, opening.laid + value)
    return best


@kernel
def with_few_of_rank(opening: Opening, rank: int, values: Int64Array) -> Int64Array:
    """Return `values`, naturals by cards and wild cards laid, with those of one more rank."""
    best, worth = values.copy(), VALUES[FIRST_NATURAL + rank]
    others = opening.hand & ~(((1 << HAND_BITS) - 1) << (HAND_BITS * rank))
    for n in range(hand_of_rank(opening, rank) + 1):
        few = Opening(
            opening.laid,
            others | n << (HAND_BITS * rank),
            opening.naturals,
            opening.wilds,
            opening.twos,
            opening.jokers,
            opening.wild_meld,
            opening.majority,
        )
        for wild in range(min(values.shape[1] - 1, MOST_WILD) + 1):
            if n + wild == 0 or naturals_laid(few, rank, wild) != n:
                continue
            for cards in range(values.shape[0] - n - wild):
                for spent in range(values.shape[1] - wild):
                    if values[cards, spent] >= 0:
                        value = values[cards, spent] + n * worth
                        place = cards + n + wild
                        best[place, spent + wild] = max(best[place, spent + wild], value)
    return best
