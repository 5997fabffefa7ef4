"""Dealing anew what a seat of Frustration Rummy cannot know.

Hidden are the order of the stock and, of every other hand, what not all have seen go
there. A seat that is laying melds must hold a hand that can complete them.
"""

import numpy as np

from kitchentable.cards.french import N_CARDS, N_POSITIONS, N_RANKS, N_SUITS, card_at
from kitchentable.cards.piles import NONE, collect_hidden, deal_hidden, pop_stock, room_in_hand
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.record import Int8Array
from kitchentable.engine.rng import below
from kitchentable.games.frustration_rummy.rules import (
    ACTIONS,
    N_LOWS,
    Kind,
    Phase,
    State,
    legal,
    open_wild,
    shape,
)
from kitchentable.games.frustration_rummy.wild import N_WILD, TWO, WILD, is_wild

FREE_TRIES = 50
"""Deals at random before the groups of a seat that lays are dealt on purpose."""
SEARCHES = 20
"""Searches for such groups; each one picks wild cards and suits anew."""
SPARE_NATURAL = 8
"""One natural card of a hand in so many is kept while a wild card takes its place."""
NO_ROOM = -1
N_ACTIONS = ACTIONS.size
SET_CHOICES = 13
RUN_CHOICES = 47
"""Prime numbers, not less than the sets and the runs (suit, low) to choose from, so that
any stride meets all of them."""


@kernel
def resample_hidden(state: State, viewer: int) -> None:
    """Deal what the viewer cannot know anew, uniformly among the hands that can be."""
    seat, mover = wide(viewer), wide(state.turn)
    collect_hidden(state, seat)
    if state.phase == Phase.MELD and mover != seat:
        for _ in range(FREE_TRIES):
            deal_hidden(state, seat)
            if can_complete(state):
                return
            collect_hidden(state, seat)
        deal_groups_left(state, mover)
    deal_hidden(state, seat)


@kernel
def can_complete(state: State) -> bool:
    """Tell whether the seat that is laying melds can go on, so can complete them."""
    mask = np.zeros(N_ACTIONS, np.int8)
    legal(state, mask)
    return bool(mask.any())


@kernel
def deal_groups_left(state: State, seat: int) -> None:
    """Give the seat cards with which it can complete what it lays, chosen at random."""
    room = room_in_hand(state, seat)
    for _ in range(SEARCHES):
        hand = state.hands[seat].copy()
        pool = np.zeros(N_CARDS, np.int8)
        for i in range(state.stock_size):
            pool[state.stock[i]] += 1
        left = room
        if state.open_kind != NONE:
            left = fill_open_group(state, hand, pool, room)
        sets, runs = wide(state.sets_left), wide(state.runs_left)
        if left != NO_ROOM and deal_groups(state, hand, pool, left, sets, runs):
            return


@kernel
def fill_open_group(state: State, hand: Int8Array, pool: Int8Array, room: int) -> int:
    """Take the rest of the open group; return the room left, or NO_ROOM."""
    sizes, size, wild = shape(state), wide(state.open_size), open_wild(state)
    if state.open_kind == Kind.SET:
        rank, left = wide(state.open_rank), sizes.set_wild - wild
        return fill_set(state, hand, pool, room, rank, sizes.set_size - size, left)
    suit, position = wide(state.open_suit), wide(state.open_low) + size
    missing, left = sizes.run_length - size, sizes.run_wild - wild
    return fill_run(state, hand, pool, room, suit, position, missing, left)


@kernel
def deal_groups(
    state: State, hand: Int8Array, pool: Int8Array, room: int, sets: int, runs: int
) -> bool:
    """Choose so many sets and runs from the hand and the pool; deal them if that works out.

    `hand` and `pool` hold what earlier groups have left over; `room` is how many cards
    the hand can still get from the pool.
    """
    if sets + runs == 0:
        settle(state, pool)
        return True
    sizes = shape(state)
    choices = RUN_CHOICES if runs > 0 else SET_CHOICES
    first, stride = below(state, choices), 1 + below(state, choices - 1)
    for i in range(choices):
        choice = (first + i * stride) % choices
        now, rest = hand.copy(), pool.copy()
        if runs > 0:
            suit, low, length = choice // N_LOWS, choice % N_LOWS + 1, sizes.run_length
            if suit >= N_SUITS or low + length - 1 > N_POSITIONS:
                continue
            left = fill_run(state, now, rest, room, suit, low, length, sizes.run_wild)
            if left != NO_ROOM and deal_groups(state, now, rest, left, sets, runs - 1):
                return True
        elif choice != TWO:
            left = fill_set(state, now, rest, room, choice, sizes.set_size, sizes.set_wild)
            if left != NO_ROOM and deal_groups(state, now, rest, left, sets - 1, runs):
                return True
    return False


@kernel
def settle(state: State, pool: Int8Array) -> None:
    """Move the cards that the pool has lost from the stock to the hand."""
    seat = wide(state.turn)
    for i in range(state.stock_size):
        pool[state.stock[i]] -= 1
    for i in range(state.stock_size - 1, -1, -1):
        card = state.stock[i]
        if pool[card] < 0:
            pool[card] += 1
            state.hands[seat, card] += 1
            top = pop_stock(state)
            if i < state.stock_size:
                state.stock[i] = top


@kernel
def fill_set(
    state: State, hand: Int8Array, pool: Int8Array, room: int, rank: int, n: int, wild: int
) -> int:
    """Take `n` cards for a set from hand and pool; return the room left, or NO_ROOM."""
    for _ in range(n):
        card = rank + N_RANKS * below(state, N_SUITS)
        for _ in range(N_SUITS - 1):
            if hand[card] > 0 or (pool[card] > 0 and held_of_rank(hand, rank) == 0):
                break
            card = rank + (card - rank + N_RANKS) % (N_SUITS * N_RANKS)
        left, wild = fill_place(state, hand, pool, room, card, wild)
        if left == NO_ROOM:
            return NO_ROOM
        room = left
    return room


@kernel
def held_of_rank(hand: Int8Array, rank: int) -> int:
    """Return how many natural cards of a rank a hand has."""
    held = 0
    for suit in range(N_SUITS):
        held += wide(hand[suit * N_RANKS + rank])
    return held


@kernel
def fill_run(
    state: State,
    hand: Int8Array,
    pool: Int8Array,
    room: int,
    suit: int,
    position: int,
    n: int,
    wild: int,
) -> int:
    """Take `n` cards of a run from `position` on; return the room left, or NO_ROOM.

    `wild` is how many wild cards it can take. First come the places for which there is
    nothing else.
    """
    filled = 0
    for place in range(n):
        card = card_at(suit, position + place)
        if is_wild(card) or (hand[card] == 0 and pool[card] == 0):
            room, wild = fill_with_wild(state, hand, pool, room, wild)
            filled |= 1 << place
        if room == NO_ROOM:
            return NO_ROOM
    for place in range(n):
        if (filled >> place) & 1 == 0:
            card = card_at(suit, position + place)
            room, wild = fill_place(state, hand, pool, room, card, wild)
            if room == NO_ROOM:
                return NO_ROOM
    return room


@kernel
def fill_place(
    state: State, hand: Int8Array, pool: Int8Array, room: int, card: int, wild: int
) -> tuple[int, int]:
    """Take a card of the hand, else one from the pool or a wild one, as chance has it.

    Returns room and wild cards left.
    """
    n_wild = wilds(hand) + wilds(pool) if wild > 0 else 0
    if hand[card] > 0 and (n_wild == 0 or below(state, SPARE_NATURAL) > 0):
        hand[card] -= 1
        return room, wild
    naturals = wide(pool[card]) if room > 0 else 0
    if naturals > 0 and below(state, naturals + n_wild) < naturals:
        pool[card] -= 1
        return room - 1, wild
    return fill_with_wild(state, hand, pool, room, wild)


@kernel
def wilds(counts: Int8Array) -> int:
    """Return how many wild cards there are."""
    n = 0
    for card in WILD:
        n += wide(counts[card])
    return n


@kernel
def fill_with_wild(
    state: State, hand: Int8Array, pool: Int8Array, room: int, wild: int
) -> tuple[int, int]:
    """Take a wild card, from the hand if it has one; return room and wild cards left."""
    if wild > 0 and take_any_wild(state, hand):
        return room, wild - 1
    if wild > 0 and room > 0 and take_any_wild(state, pool):
        return room - 1, wild - 1
    return NO_ROOM, wild


@kernel
def take_any_wild(state: State, counts: Int8Array) -> bool:
    """Take one of the wild cards away, each as likely as another; tell whether there was one."""
    n = wilds(counts)
    if n == 0:
        return False
    chosen = below(state, n)
    for i in range(N_WILD):
        chosen -= wide(counts[WILD[i]])
        if chosen < 0:
            counts[WILD[i]] -= 1
            return True
    return False
