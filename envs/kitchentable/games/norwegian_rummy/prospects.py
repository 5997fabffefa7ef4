"""How far a hand is from its contract, as a player who counts cards judges it.

A hand is a `Holding`: cards are bits, 16 for each suit, so that all 44 runs of four are
looked at side by side. A cost says, roughly, how long a group will take: 0 is a group
complete. It is a judgement, not a probability.
"""

from typing import NamedTuple

from kitchentable.cards.contracts import (
    ALL_SUITS,
    ONE_SUIT,
    RANK_BITS,
    SUIT_BITS,
    Holding,
    bit_of,
    hold,
    n_bits,
    positions,
    take,
    take_wild,
)
from kitchentable.cards.french import JOKER, N_NATURAL, N_POSITIONS, N_RANKS, N_SUITS, card_at
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.state import next_seat
from kitchentable.games.norwegian_rummy.rules import (
    MIN_RUN,
    MIN_SET,
    N_LOWS,
    RUNS,
    SETS,
    VALUES,
    Kind,
    State,
    joker_fits,
    position_beyond,
)

LOWS = ((1 << N_LOWS) - 1) * ALL_SUITS
"""Where a run of four can begin."""
ANYWHERE = ((1 << N_POSITIONS) - 1) * ALL_SUITS
RANK_MASK = (1 << RANK_BITS) - 1
COPIES_OF_RANK = 4
"""Cards of a rank in a pack."""
MANY = 3
"""Cards of a rank still to come that make a pair or single card promising."""
PAIR, PAIR_LATE, SINGLE, NO_CARD = 60, 110, 150, 260
"""Cost of a set with two cards, with few or none to come; with one card; with none."""
LACKS_ONE = (250, 150, 110, 90, 75, 65, 58, 52, 48)
"""Cost of a run that lacks one card, by how many cards to come would complete it."""
ONE_AND_JOKER = 75
"""Cost of a run that lacks two cards, one of which is a joker of the hand."""
LACKS_TWO, LACKS_THREE, LACKS_FOUR = 230, 350, 430
"""Cost of a run that lacks more."""
JOKER_SERVES = 5
"""Cost of a group that the hand's jokers complete."""
BACKUP = 8
"""The set next after those of the contract counts one part in so many."""
POINT_EARLY, POINT_LATE = 1, 3
"""What a point in hand weighs against cost, before and after somebody is down."""
FITS_TABLE = 20
"""How bad it is to discard what the next player can lay off."""
COLLECTS = 12
"""How bad it is to discard next to a card that the next player is known to hold."""
PROMISE_ONE, PROMISE_TWO = 40, 16
"""What a run begun that lacks one card or two is worth, in parts of which BACKUP make 1."""


class Live(NamedTuple):
    """Cards that may still come: positions of which one, two, three copies are out of sight."""

    one: int
    two: int
    three: int


@kernel
def live_cards(gone: Holding, decks: int) -> Live:
    """Return what may still come, given the cards that lie in sight."""
    once, twice, thrice = gone.once, gone.twice, gone.thrice
    once |= (once & ALL_SUITS) << (N_POSITIONS - 1)
    twice |= (twice & ALL_SUITS) << (N_POSITIONS - 1)
    thrice |= (thrice & ALL_SUITS) << (N_POSITIONS - 1)
    if decks == 1:
        return Live(ANYWHERE & ~once, 0, 0)
    if decks == 2:
        return Live(ANYWHERE & ~twice, ANYWHERE & ~once, 0)
    return Live(ANYWHERE & ~thrice, ANYWHERE & ~twice, ANYWHERE & ~once)


@kernel
def add(holding: Holding, card: int) -> Holding:
    """Return the holding with one card more; of a natural card, three at most are told apart."""
    once, twice, thrice, ranks, wild = holding
    if card == JOKER:
        return Holding(once, twice, thrice, ranks, wild + 1)
    bit = bit_of(card)
    ranks += 1 << (RANK_BITS * (card % N_RANKS))
    return Holding(once | bit, twice | (once & bit), thrice | (twice & bit), ranks, wild)


NOTHING = Holding(0, 0, 0, 0, 0)
BITS = (*(1 << (SUIT_BITS * (card // N_RANKS) + card % N_RANKS) for card in range(N_NATURAL)), 0)
"""Of each card and the joker, which has none."""
RANK_UNITS = (*(1 << (RANK_BITS * (card % N_RANKS)) for card in range(N_NATURAL)), 0)
"""What each card adds to the numbers of ranks."""


@kernel
def put_down(gone: Holding, card: int) -> Holding:
    """Return the cards gone with one more; jokers are not counted. As `add`, but for many cards."""
    once, twice, thrice, ranks, wild = gone
    bit = BITS[card]
    return Holding(
        once | bit, twice | (once & bit), thrice | (twice & bit), ranks + RANK_UNITS[card], wild
    )


@kernel
def count_bits(bits: int) -> int:
    """Return how many bits of all four suits are set; LLVM makes one instruction of it."""
    bits -= bits >> 1 & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    return bits * 0x0101010101010101 >> 56 & 0xFF


class Windows(NamedTuple):
    """The runs of four, by how many of their cards are held: bit 16 * suit + low - 1."""

    four: int
    three: int
    two: int
    one: int


@kernel
def windows(held: int) -> Windows:
    """Return how much of each run of four is held: four bits added up, everywhere at once."""
    second, third, fourth = held >> 1, held >> 2, held >> 3
    one_a, two_a = held ^ second, held & second
    one_b, two_b = third ^ fourth, third & fourth
    odd = one_a ^ one_b
    two = (two_a ^ two_b) | (one_a & one_b)
    return Windows(two_a & two_b & LOWS, two & odd & LOWS, two & ~odd & LOWS, odd & ~two & LOWS)


@kernel
def possible(held: int, live: Live) -> int:
    """Return the runs of four of which no card is gone for good."""
    there = held | live.one
    return there & there >> 1 & there >> 2 & there >> 3


@kernel
def outs(held: int, lacking_one: int, live: Live) -> int:
    """Return how many cards to come complete one of the runs that lack one card."""
    wanted = 0
    for place in range(MIN_RUN):
        wanted |= (lacking_one & ~(held >> place)) << place
    return (
        count_bits(wanted & live.one)
        + count_bits(wanted & live.two)
        + (count_bits(wanted & live.three))
    )


class Choice(NamedTuple):
    """Equally good runs to aim for."""

    found: int
    """As in `Windows`; 0 if there is none."""
    wild: int
    """Jokers of the hand that such a run uses."""
    cost: int


@kernel
def best_runs(hand: Holding, live: Live) -> Choice:
    """Return the runs that are nearest to completion; jokers complete one if they can."""
    held = positions(hand)
    n, can = windows(held), possible(held, live)
    if n.four:
        return Choice(n.four, 0, 0)
    if n.three and hand.wild > 0:
        return Choice(n.three, 1, JOKER_SERVES)
    if n.three & can:
        n_outs = min(outs(held, n.three & can, live), len(LACKS_ONE) - 1)
        return Choice(n.three & can, 0, LACKS_ONE[n_outs])
    if n.two and hand.wild > 1:
        return Choice(n.two, 2, 2 * JOKER_SERVES)
    if n.two & can:
        wild = min(hand.wild, 1)
        return Choice(n.two & can, wild, ONE_AND_JOKER if wild else LACKS_TWO)
    return Choice(n.one & can, 0, LACKS_THREE if n.one & can else LACKS_FOUR)


@kernel
def put_aside(hand: Holding, choice: Choice) -> Holding:
    """Return what is left without one of the runs: one among neighbours, if there is such."""
    found = choice.found
    neighbours = found & (found << 1 | found >> 1)
    if neighbours:
        found = neighbours
    suit = 0
    while (found >> (SUIT_BITS * suit)) & ONE_SUIT == 0:
        suit += 1
    lows = (found >> (SUIT_BITS * suit)) & ONE_SUIT
    low = n_bits((lows & -lows) - 1) + 1
    for place in range(MIN_RUN):
        card = card_at(suit, low + place)
        if hand.once & bit_of(card):
            hand = take(hand, card)
    return take_wild(hand, choice.wild)


@kernel
def cost_of_sets(hand: Holding, gone: Holding, decks: int, sets: int) -> int:
    """Return BACKUP times the cost of the best sets, and once that of the next one."""
    complete, pairs, late, singles = 0, 0, 0, 0
    for rank in range(N_RANKS):
        shift = RANK_BITS * rank
        n = (hand.ranks >> shift) & RANK_MASK
        to_come = COPIES_OF_RANK * decks - n - ((gone.ranks >> shift) & RANK_MASK)
        complete += n // MIN_SET
        if n % MIN_SET == 2:
            pairs += to_come >= MANY
            late += to_come < MANY
        elif n % MIN_SET == 1:
            singles += to_come >= MANY
    cost, wild = 0, hand.wild
    for i in range(sets + 1):
        weight = BACKUP if i < sets else 1
        if complete > 0:
            complete -= 1
        elif wild > 0 and pairs + late > 0:
            wild -= 1
            cost += weight * JOKER_SERVES
            if late > 0:
                late -= 1
            else:
                pairs -= 1
        elif pairs > 0:
            pairs -= 1
            cost += weight * PAIR
        elif late > 0:
            late -= 1
            cost += weight * PAIR_LATE
        elif singles > 0:
            singles -= 1
            cost += weight * SINGLE
        else:
            cost += weight * NO_CARD
    return cost


@kernel
def promise_of_runs(hand: Holding, live: Live) -> int:
    """Return how much else there is to make runs of: other runs begun, by what they lack."""
    held = positions(hand)
    n, can = windows(held), possible(held, live)
    lack_one = PROMISE_ONE * count_bits(n.three & can)
    return lack_one + PROMISE_TWO * count_bits(n.two & can)


@kernel
def cost_of_contract(hand: Holding, gone: Holding, decks: int, sets: int, runs: int) -> int:
    """Return BACKUP times what the contract costs from this hand, less what else it promises."""
    live = live_cards(gone, decks)
    cost, rest = 0, hand
    if runs > 0:
        cost -= promise_of_runs(hand, live)
        for _ in range(runs):
            choice = best_runs(rest, live)
            cost += BACKUP * choice.cost
            if choice.found:
                rest = put_aside(rest, choice)
    if sets > 0:
        cost += cost_of_sets(rest, gone, decks, sets)
    return cost


class Outlook(NamedTuple):
    """What a seat that is not down judges its cards by."""

    hand: Holding
    gone: Holding
    """Cards in the discard pile and on the table, which will not come soon."""
    decks: int
    sets: int
    runs: int
    """Of the contract."""


@kernel
def outlook(state: State, seat: int) -> Outlook:
    """Return what a seat that is not down judges its cards by."""
    gone = NOTHING
    for i in range(state.discard_size):
        gone = put_down(gone, wide(state.discard[i]))
    for meld in range(state.n_melds):
        for i in range(state.meld_size[meld]):
            gone = put_down(gone, wide(state.meld_cards[meld, i]))
    sets, runs = SETS[state.contract], RUNS[state.contract]
    return Outlook(hold(state.hands[seat]), gone, wide(state.decks), sets, runs)


@kernel
def cost_of_hand(hand: Holding, view: Outlook) -> int:
    """Return what the contract still costs with this hand."""
    return cost_of_contract(hand, view.gone, view.decks, view.sets, view.runs) // BACKUP


@kernel
def is_late(state: State) -> bool:
    """Tell whether somebody is down."""
    n_down = 0
    for seat in range(state.num_players):
        n_down += wide(state.down[seat])
    return n_down > 0


@kernel
def relief(card: int, late: bool) -> int:
    """Return what it is worth to have a natural card's points out of the hand."""
    return VALUES[card % N_RANKS] * (POINT_LATE if late else POINT_EARLY)


@kernel
def help_to_next(state: State, view: Outlook, card: int) -> int:
    """Return how much a discard would help the next player: to lay off, or to collect."""
    follower = next_seat(state, wide(state.turn))
    if state.down[follower]:
        return FITS_TABLE if fits_table(state, card) else 0
    known, suit, rank = state.known[follower], card // N_RANKS, card % N_RANKS
    near = 0
    if view.sets > 0:
        for other in range(N_SUITS):
            near += wide(known[other * N_RANKS + rank])
    if view.runs > 0:
        for position in range(max(1, rank - 1), min(N_POSITIONS, rank + 3) + 1):
            near += wide(known[card_at(suit, position)])
    return COLLECTS * near


@kernel
def fits_table(state: State, card: int) -> bool:
    """Tell whether a card fits a meld on the table."""
    if card != JOKER:
        return fitting(state, card // N_RANKS) >> (card % N_RANKS) & 1 == 1
    n_fitting = 0
    for meld in range(state.n_melds):
        n_fitting += joker_fits(state, meld)
    return n_fitting > 0


@kernel
def fitting(state: State, suit: int) -> int:
    """Return the ranks, a bit each, of which the card of a suit fits a meld on the table."""
    found = 0
    for meld in range(state.n_melds):
        if state.meld_kind[meld] == Kind.SET:
            found |= 1 << wide(state.meld_rank[meld])
        elif state.meld_suit[meld] == suit:
            for end in range(2):
                position = position_beyond(state, meld, end)
                if position > 0:
                    found |= 1 << ((position - 1) % N_RANKS)
    return found
