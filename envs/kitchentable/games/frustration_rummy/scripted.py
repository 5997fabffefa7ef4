"""The scripted opponent of Frustration Rummy.

It plays like an attentive amateur, by these pieces of advice:

- Judge a hand by how long its contract will take: what it lacks, and how many cards out of
  sight bring it nearer. Cards in the discard pile, on the table or known to be in a hand
  will not come.
- Take a discard that brings the contract nearer than a card of the stock would; a wild card
  always. Once down take what can be laid off, or makes an extra meld.
- Discard what the contract misses least, and rather not what the next player collects or
  can lay off. Never a wild card, if there is another.
- Go down as soon as the contract can be laid, with the groups that use few wild cards.
- Once down, lay extra melds and whatever fits; but hold wild cards back until they help to
  go out, or lead to a card of the hand.
"""

from typing import NamedTuple

from kitchentable.cards.contracts import (
    ALL_SUITS,
    NOTHING_BEGUN,
    SUIT_BITS,
    Holding,
    Shape,
    can_lay,
    held_at,
    holds,
    n_bits,
    positions,
    run_begun,
    set_begun,
    stretches,
    take,
)
from kitchentable.cards.french import N_CARDS, N_POSITIONS, N_RANKS, N_SUITS, card_at
from kitchentable.cards.piles import NONE
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.state import next_seat
from kitchentable.games.frustration_rummy.prospects import (
    Live,
    Nearest,
    add,
    count_bits,
    fullest,
    nearest,
)
from kitchentable.games.frustration_rummy.rules import (
    DISCARD,
    DRAW_STOCK,
    END_WAYS,
    EXTRA,
    LAY_OFF,
    LOW,
    MIN_RUN,
    MIN_SET,
    N_LOWS,
    N_SET_RANKS,
    OPEN_RUN,
    OPEN_SET,
    PLACE,
    RUNS,
    SETS,
    TAKE_DISCARD,
    WAYS,
    Kind,
    Phase,
    State,
    completable,
    natural_beyond,
    open_wild,
    position_beyond,
    rank_of_set,
    set_number,
    shape,
    sizes_of,
    wild_fits,
)
from kitchentable.games.frustration_rummy.wild import (
    N_WILD,
    TWO_POSITION,
    WILD,
    can_finish,
    count_of_rank,
    hold_wild,
    is_wild,
)

LOOK = 10_000
"""Cost of a card that is lacking, divided by how many cards out of sight would do."""
TAKE_GAIN = 180
"""A discard is taken that saves so much; a look at a card of the stock saves about 130."""
WANTED, UNWANTED = 2, 1
"""What a pair is worth, for sets or runs that are to be laid and for others."""
FITS_TABLE = 400
"""How bad it is to discard what the next player can lay off."""
COLLECTS = 200
"""How bad it is to discard next to a card that the next player is known to hold."""
WILD_LOSS = 1 << 20
"""A wild card is discarded last."""
WILD_IN_CONTRACT = 100
"""How many natural cards a wild card in the contract is worth."""
ALL_WILD = 12
"""The wild cards of two packs."""
ANYWHERE = ((1 << N_POSITIONS) - 1) * ALL_SUITS
NO_ACTION = -1
MOST = 1 << 30
"""More than any cost."""


@kernel
def scripted(state: State) -> int:
    """Return the move of the seat to act; see the top of this page for how it plays."""
    seat = wide(state.to_act)
    if state.phase == Phase.DRAW:
        return choose_draw(state, seat)
    if state.phase == Phase.MELD:
        return continue_group(state)
    action = lay_something(state, seat) if state.down[seat] else begin_contract(state, seat)
    return action if action != NO_ACTION else choose_discard(state, seat)


class Outlook(NamedTuple):
    """What a seat judges its cards by."""

    hand: Holding
    live: Live
    wild_left: int
    """Wild cards out of sight."""
    sizes: Shape
    sets: int
    runs: int
    """Of the contract; none once the seat is down."""


@kernel
def outlook(state: State, seat: int) -> Outlook:
    """Return what a seat judges its cards by."""
    seen = hold_wild(state.hands[seat])
    hand = seen
    for i in range(state.discard_size):
        seen = add(seen, wide(state.discard[i]))
    for meld in range(state.n_melds):
        for i in range(state.meld_size[meld]):
            seen = add(seen, wide(state.meld_cards[meld, i]))
    for other in range(state.num_players):
        if other != seat:
            for card in range(N_CARDS):
                for _ in range(state.known[other, card]):
                    seen = add(seen, card)
    live = Live(out_of_sight(seen.twice), out_of_sight(seen.once), seen.ranks)
    contract = EXTRA if state.down[seat] else wide(state.contracts[seat])
    left = ALL_WILD - seen.wild
    return Outlook(hand, live, left, sizes_of(contract), SETS[contract], RUNS[contract])


@kernel
def out_of_sight(seen: int) -> int:
    """Return all positions but those seen."""
    return ANYWHERE & ~(seen | (seen & ALL_SUITS) << (N_POSITIONS - 1))


@kernel
def cost_of_hand(hand: Holding, view: Outlook) -> int:
    """Return how long the contract will take, less what else the hand promises.

    The next card may come for any of the ways that are equally near, those after it for
    one way alone.
    """
    way = nearest(hand, view.live, view.sizes, view.sets, view.runs)
    wild = 1 + (view.wild_left if way.wild < 0 else 0)
    cost = LOOK // (wild + way.outs) if way.lacking > 0 else 0
    for left in range(1, way.lacking):
        cost += LOOK // (wild + way.own * left // way.lacking)
    return cost - promise(way, view)


@kernel
def promise(way: Nearest, view: Outlook) -> int:
    """Return what else there is to make melds of: cards of a rank, and of a run."""
    squares = 0
    for rank in range(N_RANKS):
        n = count_of_rank(way.rest.ranks, rank)
        squares += n * n
    pairs = count_bits(fullest(positions(way.rest), view.sizes.run_length).pairs)
    both = view.sets + view.runs == 0
    of_sets = WANTED if view.sets > 0 or both else UNWANTED
    of_runs = WANTED if view.runs > 0 or both else UNWANTED
    return of_sets * squares + of_runs * pairs


@kernel
def choose_draw(state: State, seat: int) -> int:
    """Take the discard if it is wanted, else draw from the stock."""
    if state.discard_size == 0:
        return DRAW_STOCK
    if state.stock_size == 0 and state.discard_size == 1:
        return TAKE_DISCARD
    card = wide(state.discard[state.discard_size - 1])
    wanted = is_wild(card)
    if not wanted and state.down[seat]:
        wanted = fits_table(state, card) or makes_meld(state, seat, card)
    elif not wanted:
        view = outlook(state, seat)
        gain = cost_of_hand(view.hand, view) - cost_of_hand(add(view.hand, card), view)
        wanted = gain >= TAKE_GAIN
    return TAKE_DISCARD if wanted else DRAW_STOCK


@kernel
def makes_meld(state: State, seat: int, card: int) -> bool:
    """Tell whether a card makes an extra meld with cards of the hand, and one is left."""
    sizes, size = sizes_of(EXTRA), state.hand_size[seat] + 1
    before = hold_wild(state.hands[seat])
    hand = add(before, card)
    begun = set_begun(card % N_RANKS, MIN_SET, sizes.set_wild)
    if size > MIN_SET and can_finish(hand, begun):
        return True
    spare = min(sizes.run_wild, hand.wild)
    runs = stretches(hand, MIN_RUN, spare) & ~stretches(before, MIN_RUN, spare)
    return size > MIN_RUN and runs != 0


@kernel
def fits_table(state: State, card: int) -> bool:
    """Tell whether a natural card fits a meld on the table."""
    for meld in range(state.n_melds):
        if state.meld_kind[meld] == Kind.SET:
            if state.meld_rank[meld] == card % N_RANKS:
                return True
        else:
            for end in range(2):
                if card == natural_beyond(state, meld, end):
                    return True
    return False


@kernel
def choose_discard(state: State, seat: int) -> int:
    """Discard what the contract misses least and the next player cannot use."""
    view, follower = outlook(state, seat), next_seat(state, seat)
    best, least = 0, MOST
    for card in range(N_CARDS):
        if state.hands[seat, card] == 0 or is_barred(state, card):
            continue
        loss = WILD_LOSS
        if not is_wild(card):
            loss = cost_of_hand(take(view.hand, card), view) + help_to(state, follower, card)
        if loss < least:
            best, least = card, loss
    return DISCARD + best


@kernel
def is_barred(state: State, card: int) -> bool:
    """G-3: tell whether a card was just taken and may not go back."""
    seat = state.turn
    others = state.hand_size[seat] > state.hands[seat, card]
    return card == state.taken and not state.return_discard and others


@kernel
def help_to(state: State, follower: int, card: int) -> int:
    """Return how much a discard would help the next player: to lay off, or to collect."""
    if state.down[follower]:
        return FITS_TABLE if fits_table(state, card) else 0
    known, suit, rank = state.known[follower], card // N_RANKS, card % N_RANKS
    contract, near = wide(state.contracts[follower]), 0
    if SETS[contract] > 0:
        for other in range(N_SUITS):
            near += wide(known[other * N_RANKS + rank])
    if RUNS[contract] > 0:
        for position in range(max(1, rank - 1), min(N_POSITIONS, rank + 3) + 1):
            near += wide(known[card_at(suit, position)])
    return COLLECTS * near


@kernel
def begin_contract(state: State, seat: int) -> int:
    """Open a group as soon as the whole contract can be laid."""
    hand, contract = hold_wild(state.hands[seat]), wide(state.contracts[seat])
    if not can_lay(hand, shape(state), SETS[contract], RUNS[contract], NOTHING_BEGUN):
        return NO_ACTION
    return open_best(state, hand, SETS[contract], RUNS[contract])


@kernel
def continue_group(state: State) -> int:
    """Lay on: the next card of the open group, or the next group."""
    hand = hold_wild(state.hands[state.turn])
    if state.open_kind == NONE:
        return open_best(state, hand, wide(state.sets_left), wide(state.runs_left))
    if state.open_kind == Kind.SET:
        return place_in_set(state, hand)
    return place_in_run(state, hand)


@kernel
def open_best(state: State, hand: Holding, sets: int, runs: int) -> int:
    """Open the group with few wild cards with which all can be laid."""
    sizes = shape(state)
    length = sizes.run_length
    best, most = NO_ACTION, -MOST
    for number in range(N_SET_RANKS if sets > 0 else 0):
        rank = rank_of_set(number)
        n = count_of_rank(hand.ranks, rank)
        worth = n - WILD_IN_CONTRACT * max(0, sizes.set_size - n)
        begun = set_begun(rank, sizes.set_size, sizes.set_wild)
        if worth > most and completable(hand, sizes, sets - 1, runs, begun):
            best, most = OPEN_SET + number, worth
    for choice in range(N_SUITS * N_LOWS if runs > 0 else 0):
        suit, low = choice // N_LOWS, choice % N_LOWS + 1
        if low + length - 1 > N_POSITIONS:
            continue
        n = n_bits(held_at(hand, suit, low, length))
        worth = n - WILD_IN_CONTRACT * (length - n)
        begun = run_begun(suit, low, length, sizes.run_wild)
        if worth > most and completable(hand, sizes, sets, runs - 1, begun):
            best, most = OPEN_RUN + choice, worth
    return best


@kernel
def place_in_set(state: State, hand: Holding) -> int:
    """Add a natural card of the rank if all can be completed then, else a wild card."""
    sizes = shape(state)
    sets, runs, rank = wide(state.sets_left), wide(state.runs_left), wide(state.open_rank)
    missing, wild = sizes.set_size - 1 - wide(state.open_size), sizes.set_wild - open_wild(state)
    begun = set_begun(rank, missing, wild)
    for suit in range(N_SUITS):
        card = suit * N_RANKS + rank
        if holds(hand, card) and completable(take(hand, card), sizes, sets, runs, begun):
            return PLACE + card
    return PLACE + wild_of(state)


@kernel
def place_in_run(state: State, hand: Holding) -> int:
    """Add the natural card if all can be completed then, else a wild card."""
    sizes = shape(state)
    sets, runs, suit = wide(state.sets_left), wide(state.runs_left), wide(state.open_suit)
    position = wide(state.open_low) + wide(state.open_size)
    missing, wild = sizes.run_length - 1 - wide(state.open_size), sizes.run_wild - open_wild(state)
    card = card_at(suit, position)
    begun = run_begun(suit, position + 1, missing, wild)
    if holds(hand, card) and completable(take(hand, card), sizes, sets, runs, begun):
        return PLACE + card
    return PLACE + wild_of(state)


@kernel
def wild_of(state: State) -> int:
    """Return a wild card of the mover's hand."""
    return WILD[wild_number(state)]


@kernel
def wild_number(state: State) -> int:
    """Return the number of a wild card that the mover holds among the five."""
    for i in range(N_WILD):
        if state.hands[state.turn, WILD[i]] > 0:
            return i
    return N_WILD - 1


@kernel
def lay_something(state: State, seat: int) -> int:
    """Lay natural cards first, then melds that need wild ones, then wild cards that help."""
    if state.hand_size[seat] < 2:
        return NO_ACTION
    hand = hold_wild(state.hands[seat])
    action = open_extra(state, hand, 0)
    if action == NO_ACTION:
        action = lay_off_natural(state)
    if action == NO_ACTION:
        action = open_extra(state, hand, hand.wild)
    if action == NO_ACTION and hand.wild > 0:
        action = lay_off_wild(state, wide(state.hand_size[seat]) - hand.wild)
    return action


@kernel
def open_extra(state: State, hand: Holding, wild: int) -> int:
    """Open an extra meld that needs so many wild cards at most."""
    sizes, size = shape(state), state.hand_size[state.turn]
    for number in range(N_SET_RANKS if size > MIN_SET else 0):
        rank = rank_of_set(number)
        if can_finish(hand, set_begun(rank, MIN_SET, min(wild, sizes.set_wild))):
            return OPEN_SET + set_number(rank)
    found = stretches(hand, MIN_RUN, min(wild, sizes.run_wild)) if size > MIN_RUN else 0
    for choice in range(N_SUITS * N_LOWS if found != 0 else 0):
        if (found >> (SUIT_BITS * (choice // N_LOWS) + choice % N_LOWS)) & 1:
            return OPEN_RUN + choice
    return NO_ACTION


@kernel
def lay_off_natural(state: State) -> int:
    """Lay off the first natural card that fits a meld."""
    hand = state.hands[state.turn]
    for meld in range(state.n_melds):
        first = LAY_OFF + meld * WAYS
        if state.meld_kind[meld] == Kind.SET:
            for suit in range(N_SUITS):
                if hand[suit * N_RANKS + state.meld_rank[meld]]:
                    return first + suit
        else:
            for end in range(2):
                natural = natural_beyond(state, meld, end)
                if natural != NONE and hand[natural]:
                    return first + end * END_WAYS
    return NO_ACTION


@kernel
def lay_off_wild(state: State, naturals: int) -> int:
    """Lay off a wild card to go out, or where it leads to a card of the hand."""
    found, number = NO_ACTION, wild_number(state)
    for meld in range(state.n_melds):
        if not wild_fits(state, meld):
            continue
        first = LAY_OFF + meld * WAYS
        if state.meld_kind[meld] == Kind.SET:
            if naturals < 2:
                found = first + N_SUITS + number
            continue
        for end in range(2):
            if position_beyond(state, meld, end) > 0:
                action = first + end * END_WAYS + 1 + number
                if has_card_beyond(state, meld, end):
                    return action
                if naturals < 2:
                    found = action
    return found


@kernel
def has_card_beyond(state: State, meld: int, end: int) -> bool:
    """Tell whether the mover holds the natural card after the next one at an end of a run."""
    position = position_beyond(state, meld, end)
    after = position - 1 if end == LOW else position + 1
    if position == 0 or after < 1 or after > N_POSITIONS or after == TWO_POSITION:
        return False
    return bool(state.hands[state.turn, card_at(wide(state.meld_suit[meld]), after)] > 0)
