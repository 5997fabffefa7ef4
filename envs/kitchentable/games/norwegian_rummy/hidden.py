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
from kitchentable.engine.jit import kernel
from kitchentable.engine.record import Int8Array
from kitchentable.engine.rng import below, shuffle
from kitchentable.games.norwegian_rummy.rules import (
    LAST_CONTRACT,
    MIN_RUN,
    MIN_SET,
    N_LOWS,
    NONE,
    Kind,
    Phase,
    State,
)

FREE_TRIES = 50
"""Deals at random before the contract of a seat that lays is dealt on purpose."""
SEARCHES = 20
"""Searches for such a contract; each one picks jokers and suits anew."""
NO_ROOM = -1
MAX_LENGTHS = N_POSITIONS + 1 - MIN_RUN
"""Lengths 4 .. 14 of a run."""
SET_CHOICES = 13
RUN_CHOICES = 487
"""Prime numbers, not less than the sets and the runs (suit, low, length) to choose from."""


@kernel
def resample_hidden(state: State, viewer: int) -> None:
    """Deal what the viewer cannot know anew, uniformly among the hands that can be."""
    collect(state, viewer)
    seat = int(state.turn)
    if state.phase == Phase.MELD and seat != viewer:
        for _ in range(FREE_TRIES):
            deal(state, viewer)
            if can_complete(state, seat):
                return
            collect(state, viewer)
        deal_contract(state, seat)
    deal(state, viewer)


@kernel
def collect(state: State, viewer: int) -> None:
    """Take the cards that the viewer cannot know from the other hands to the stock."""
    for seat in range(state.num_players):
        if seat != viewer:
            for card in range(N_CARDS):
                while state.hands[seat, card] > state.known[seat, card]:
                    state.hands[seat, card] -= 1
                    state.stock[state.stock_size] = card
                    state.stock_size += 1


@kernel
def deal(state: State, viewer: int) -> None:
    """Shuffle the stock, and fill the other hands up to their sizes."""
    shuffle(state, state.stock, state.stock_size)
    for seat in range(state.num_players):
        if seat != viewer:
            for _ in range(room_in_hand(state, seat)):
                state.stock_size -= 1
                state.hands[seat, state.stock[state.stock_size]] += 1


@kernel
def room_in_hand(state: State, seat: int) -> int:
    """Return how many cards a hand lacks while its hidden cards are away."""
    room = int(state.hand_size[seat])
    for card in range(N_CARDS):
        room -= state.hands[seat, card]
    return room


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
            found = deal_groups(state, hand, pool, room, state.sets_left, state.runs_left)
        else:
            found = deal_open_group(state, hand, pool, room)
        if found:
            return


@kernel
def deal_open_group(state: State, hand: Int8Array, pool: Int8Array, room: int) -> bool:
    """Choose the rest of the open group, then the groups after it."""
    sets, runs, size = int(state.sets_left), int(state.runs_left), int(state.open_size)
    wild = 0
    for i in range(size):
        wild += state.open_cards[i] == JOKER
    if state.open_kind == Kind.SET:
        wild = most_wild(state, MIN_SET) - wild
        left = fill_set(state, hand, pool, room, state.open_rank, MIN_SET - size, wild)
        return left != NO_ROOM and deal_groups(state, hand, pool, left, sets, runs)
    suit, low = int(state.open_suit), int(state.open_low)
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
            left = fill_chosen_run(state, now, rest, room, choice)
            if left != NO_ROOM and deal_groups(state, now, rest, left, sets, runs - 1):
                return True
    return False


@kernel
def settle(state: State, hand: Int8Array, pool: Int8Array, room: int) -> bool:
    """Move the cards that the pool has lost to the hand, if nothing speaks against it."""
    seat = int(state.turn)
    if state.contract == LAST_CONTRACT and (room > 0 or hand.sum() > 0):
        return False
    for i in range(state.stock_size):
        pool[state.stock[i]] -= 1
    for i in range(state.stock_size - 1, -1, -1):
        card = state.stock[i]
        if pool[card] < 0:
            pool[card] += 1
            state.hands[seat, card] += 1
            state.stock_size -= 1
            state.stock[i] = state.stock[state.stock_size]
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
        held += hand[suit * N_RANKS + rank]
    return held


@kernel
def fill_chosen_run(
    state: State, hand: Int8Array, pool: Int8Array, room: int, choice: int
) -> int:
    """Take the cards of run number `choice`; return the room left, or NO_ROOM."""
    length = MIN_RUN + choice // (N_SUITS * N_LOWS)
    suit, low = choice // N_LOWS % N_SUITS, choice % N_LOWS + 1
    is_long = length > MIN_RUN and state.contract != LAST_CONTRACT
    if is_long or low + length - 1 > N_POSITIONS:
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
    """Take `n` cards of a run from `position` on; return the room left, or NO_ROOM."""
    for place in range(n):
        card = card_at(suit, position + place)
        room, wild = fill_place(state, hand, pool, room, card, wild)
        if room == NO_ROOM:
            return NO_ROOM
    return room


@kernel
def fill_place(
    state: State, hand: Int8Array, pool: Int8Array, room: int, card: int, wild: int
) -> tuple[int, int]:
    """Take a card or a joker, from the hand if it has one; return room and jokers left."""
    if hand[card] > 0:
        hand[card] -= 1
        return room, wild
    if hand[JOKER] > 0 and wild > 0:
        hand[JOKER] -= 1
        return room, wild - 1
    jokers = int(pool[JOKER]) if wild > 0 else 0
    naturals = int(pool[card])
    if room == 0 or naturals + jokers == 0:
        return NO_ROOM, wild
    if below(state, naturals + jokers) < naturals:
        pool[card] -= 1
        return room - 1, wild
    pool[JOKER] -= 1
    return room - 1, wild - 1
