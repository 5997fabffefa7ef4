"""Dealing anew what a seat of Norwegian Rummy cannot know.

Hidden are the order of the stock and, of every other hand, what not all have seen go
there. A seat that is laying its contract must hold a hand that can complete it.
"""

import numpy as np

from kitchentable.cards.french import (
    JOKER,
    N_CARDS,
    N_POSITIONS,
    N_RANKS,
    N_SUITS,
    card_at,
)
from kitchentable.cards.piles import NONE, collect_hidden, deal_hidden, pop_stock, room_in_hand
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.record import Int8Array
from kitchentable.engine.rng import below
from kitchentable.games.norwegian_rummy.rules import (
    ACTIONS,
    LAST_CONTRACT,
    MIN_RUN,
    MIN_SET,
    N_LOWS,
    Kind,
    Phase,
    State,
    legal,
    open_jokers,
)

FREE_TRIES = 50
"""Deals at random before the contract of a seat that lays is dealt on purpose."""
SEARCHES = 20
"""Searches for such a contract; each one picks jokers and suits anew."""
NO_ROOM = -1
N_ACTIONS = ACTIONS.size
SET_CHOICES = 13
RUN_CHOICES = 487
"""Prime numbers, not less than the sets and the runs (suit, low, length) to choose from, so
that any stride meets all of them."""


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
        deal_contract(state, mover)
    deal_hidden(state, seat)


@kernel
def can_complete(state: State) -> bool:
    """Tell whether the seat that is laying its contract can go on, so can complete it."""
    mask = np.zeros(N_ACTIONS, np.int8)
    legal(state, mask)
    return bool(mask.any())


@kernel
def deal_contract(state: State, seat: int) -> None:
    """Give the seat cards with which it can complete its contract, chosen at random."""
    room = room_in_hand(state, seat)
    for _ in range(SEARCHES):
        hand = state.hands[seat].copy()
        pool = np.zeros(N_CARDS, np.int8)
        for i in range(state.stock_size):
            pool[state.stock[i]] += 1
        if state.open_kind == NONE:
            sets, runs = wide(state.sets_left), wide(state.runs_left)
            found = deal_groups(state, hand, pool, room, sets, runs)
        else:
            found = deal_open_group(state, hand, pool, room)
        if found:
            return


@kernel
def deal_open_group(state: State, hand: Int8Array, pool: Int8Array, room: int) -> bool:
    """Choose the rest of the open group, then the groups after it."""
    sets, runs, size = wide(state.sets_left), wide(state.runs_left), wide(state.open_size)
    wild = open_jokers(state)
    if state.open_kind == Kind.SET:
        rank, wild = wide(state.open_rank), most_wild(state, MIN_SET) - wild
        left = fill_set(state, hand, pool, room, rank, MIN_SET - size, wild)
        return left != NO_ROOM and deal_groups(state, hand, pool, left, sets, runs)
    suit, low = wide(state.open_suit), wide(state.open_low)
    longest = N_POSITIONS + 1 - low if state.contract == LAST_CONTRACT else MIN_RUN
    shortest = max(size, MIN_RUN)
    first = below(state, longest + 1 - shortest)
    for i in range(longest + 1 - shortest):
        length = shortest + (first + i) % (longest + 1 - shortest)
        now, rest = hand.copy(), pool.copy()
        left = fill_run(
            state, now, rest, room, suit, low + size, length - size, most_wild(state, length) - wild
        )
        if left != NO_ROOM and deal_groups(state, now, rest, left, sets, runs):
            return True
    return False


@kernel
def deal_groups(
    state: State, hand: Int8Array, pool: Int8Array, room: int, sets: int, runs: int
) -> bool:
    """Choose so many sets and runs from the hand and the pool; deal them if that works out.

    `hand` and `pool` hold what earlier groups have left over; `room` is how many cards
    the hand can still get from the pool.
    """
    if sets + runs == 0:
        return settle(state, hand, pool, room)
    choices = SET_CHOICES if sets > 0 else RUN_CHOICES
    first, stride = below(state, choices), 1 + below(state, choices - 1)
    for i in range(choices):
        choice = (first + i * stride) % choices
        now, rest = hand.copy(), pool.copy()
        if sets > 0:
            left = fill_set(state, now, rest, room, choice, MIN_SET, most_wild(state, MIN_SET))
            if left != NO_ROOM and deal_groups(state, now, rest, left, sets - 1, runs):
                return True
        else:
            left = fill_chosen_run(state, now, rest, room, runs, choice)
            if left != NO_ROOM and deal_groups(state, now, rest, left, sets, runs - 1):
                return True
    return False


@kernel
def settle(state: State, hand: Int8Array, pool: Int8Array, room: int) -> bool:
    """Move the cards that the pool has lost to the hand, if nothing speaks against it."""
    seat = wide(state.turn)
    if state.contract == LAST_CONTRACT and (room > 0 or hand.sum() > 0):
        return False
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
    return True


@kernel
def most_wild(state: State, size: int) -> int:
    """NR-6: return the most jokers of a group of this size."""
    return size // 2 if state.joker_ratio else size - 1


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
        held += int(hand[suit * N_RANKS + rank])
    return held


@kernel
def fill_chosen_run(
    state: State, hand: Int8Array, pool: Int8Array, room: int, runs: int, choice: int
) -> int:
    """Take the cards of run number `choice`, with `runs` still to be laid; see `fill_run`."""
    length = MIN_RUN + choice // (N_SUITS * N_LOWS)
    suit, low = choice // N_LOWS % N_SUITS, choice % N_LOWS + 1
    rest = int(hand.sum()) + room - length
    fits = length == MIN_RUN and rest >= 0
    if state.contract == LAST_CONTRACT:
        fits = rest == 0 if runs == 1 else rest >= MIN_RUN * (runs - 1)
    if not fits or low + length - 1 > N_POSITIONS:
        return NO_ROOM
    return fill_run(state, hand, pool, room, suit, low, length, most_wild(state, length))


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

    `wild` is how many jokers it can take; less than none when it has too many already.
    First come the places for which there is nothing but a joker.
    """
    filled = 0
    if wild < 0:
        return NO_ROOM
    for place in range(n):
        card = card_at(suit, position + place)
        if hand[card] == 0 and pool[card] == 0:
            room, wild = fill_with_joker(hand, pool, room, wild)
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
    """Take a card if the hand has it, else one from the pool or a joker, as chance has it.

    Returns room and jokers left.
    """
    if hand[card] > 0:
        hand[card] -= 1
        return room, wild
    naturals = int(pool[card]) if room > 0 else 0
    jokers = int(hand[JOKER]) + int(pool[JOKER]) if wild > 0 else 0
    if naturals > 0 and below(state, naturals + jokers) < naturals:
        pool[card] -= 1
        return room - 1, wild
    return fill_with_joker(hand, pool, room, wild)


@kernel
def fill_with_joker(hand: Int8Array, pool: Int8Array, room: int, wild: int) -> tuple[int, int]:
    """Take a joker, from the hand if it has one; return room and jokers left."""
    if wild > 0 and hand[JOKER] > 0:
        hand[JOKER] -= 1
        return room, wild - 1
    if wild > 0 and room > 0 and pool[JOKER] > 0:
        pool[JOKER] -= 1
        return room - 1, wild - 1
    return NO_ROOM, wild
