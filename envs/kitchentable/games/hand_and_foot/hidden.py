"""Dealing anew what a seat of Hand & Foot Canasta cannot know.

Hidden are the order of the stock, every foot that lies face down, and of every other hand
what not all have seen go there. A red three among these is in the stock or in a foot. A seat
that is opening holds a hand that reaches the minimum, and a single card that a meld move has
left in a foot is one that can be added to go out.
"""

import numpy as np

from kitchentable.cards.piles import NONE, room_in_hand
from kitchentable.engine import rng
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.record import Int8Array
from kitchentable.games.hand_and_foot.deck import (
    FIRST_NATURAL,
    JOKER,
    N_CARDS,
    N_RANKS,
    RED_THREE,
    TWO,
    VALUES,
)
from kitchentable.games.hand_and_foot.reach import can_reach, is_open
from kitchentable.games.hand_and_foot.rules import legal
from kitchentable.games.hand_and_foot.state import (
    ACTIONS,
    DISCARD,
    HAND_SIZE,
    N_SEATS,
    N_SIDES,
    OPEN_MELD,
    Kind,
    Permission,
    Phase,
    State,
)

FREE_TRIES = 60
"""Deals at random before the hand of a seat that opens is dealt on purpose."""
SEARCHES = 100
"""Hands dealt on purpose, the last one of the dearest cards there are."""
N_ACTIONS = ACTIONS.size


@kernel
def resample_hidden(state: State, viewer: int) -> None:
    """Deal what the viewer cannot know anew, uniformly among the hands that can be."""
    seat, mover = wide(viewer), wide(state.turn)
    hides_last_card = mover != seat and keeps_last_card(state, mover)
    collect(state, seat)
    if hides_last_card:
        deal_last_card(state, mover)
    elif mover != seat and is_opening(state, mover % N_SIDES):
        deal_opening(state, mover)
    deal(state, seat)


@kernel
def is_opening(state: State, side: int) -> bool:
    """Tell whether the mover's side has melds below the minimum, and is to lay more."""
    has_begun = bool(state.n_melds[side] > 0) and not is_open(state, side)
    return has_begun and (state.phase == Phase.PLAY or state.phase == Phase.ASK)


@kernel
def collect(state: State, viewer: int) -> None:
    """Take the hidden cards to the stock."""
    for seat in range(N_SEATS):
        for card in range(N_CARDS):
            if seat != viewer:
                while state.hands[seat, card] > state.known[seat, card]:
                    state.hands[seat, card] -= 1
                    put_back(state, card)
            while state.feet[seat, card] > 0:
                state.feet[seat, card] -= 1
                put_back(state, card)


@kernel
def put_back(state: State, card: int) -> None:
    """Put a card onto the stock."""
    state.stock[state.stock_size] = card
    state.stock_size += 1


@kernel
def take_out(state: State, place: int) -> int:
    """Take a card out of the stock; the top one takes its place."""
    state.stock_size -= 1
    card = int(state.stock[place])
    state.stock[place] = state.stock[state.stock_size]
    state.stock[state.stock_size] = 0
    return card


@kernel
def take_for_hand(state: State) -> int:
    """Take any card but a red three out of the stock."""
    place = rng.below(state, wide(state.stock_size))
    while state.stock[place] == RED_THREE:
        place = rng.below(state, wide(state.stock_size))
    return take_out(state, place)


@kernel
def deal(state: State, viewer: int) -> None:
    """Fill the other hands up to their sizes, then the feet; the rest is the stock."""
    for seat in range(N_SEATS):
        if seat != viewer:
            for _ in range(room_in_hand(state, seat)):
                state.hands[seat, take_for_hand(state)] += 1
    rng.shuffle(state, state.stock, wide(state.stock_size))
    for seat in range(N_SEATS):
        if not state.in_foot[seat]:
            for _ in range(HAND_SIZE):
                state.feet[seat, take_out(state, wide(state.stock_size) - 1)] += 1


@kernel
def deal_opening(state: State, seat: int) -> None:
    """Give a seat that opens a hand that reaches the minimum."""
    room = room_in_hand(state, seat)
    known = state.hands[seat].copy()
    for _ in range(FREE_TRIES):
        for _ in range(room):
            state.hands[seat, take_for_hand(state)] += 1
        if can_reach(state, seat):
            return
        undo(state, seat, known)
    for search in range(SEARCHES):
        likely = SEARCHES - search
        deal_dear_cards(state, seat, room, likely)
        if can_reach(state, seat):
            return
        undo(state, seat, known)


@kernel
def undo(state: State, seat: int, known: Int8Array) -> None:
    """Put the cards that a hand has beyond those known back into the stock."""
    for card in range(N_CARDS):
        while state.hands[seat, card] > known[card]:
            state.hands[seat, card] -= 1
            put_back(state, card)


@kernel
def deal_dear_cards(state: State, seat: int, room: int, likely: int) -> None:
    """Fill a hand with whole ranks and wild cards, the dearest first, each with some luck.

    The fewer searches are left (`likely`), the less is left to chance.
    """
    for card in (JOKER, TWO):
        room = fill(state, seat, card, room, likely)
    for turn in range(2):
        for i in range(N_RANKS):
            card = FIRST_NATURAL + N_RANKS - 1 - i
            has_meld = state.unclosed[seat % N_SIDES, card - FIRST_NATURAL] != NONE
            if turn == 1 or has_meld or VALUES[card] == VALUES[TWO]:
                room = fill(state, seat, card, room, likely)
    for _ in range(room):
        state.hands[seat, take_for_hand(state)] += 1


@kernel
def fill(state: State, seat: int, card: int, room: int, likely: int) -> int:
    """Give up to `room` of a card to a hand, a random number or all; return the room left."""
    there = 0
    for i in range(state.stock_size):
        there += state.stock[i] == card
    n = min(room, there)
    if n > 0 and rng.below(state, SEARCHES) < likely:
        n = rng.below(state, n + 1)
    place = wide(state.stock_size) - 1
    for _ in range(n):
        while state.stock[place] != card:
            place -= 1
        state.hands[seat, take_out(state, place)] += 1
        place = min(place, wide(state.stock_size) - 1)
    return room - n


@kernel
def keeps_last_card(state: State, seat: int) -> bool:
    """Tell whether a meld move has left the seat a single card in its foot, hidden from others.

    Without a meld move in this turn it is so only where the stock had no replacement left.
    """
    if not state.in_foot[seat] or state.hand_size[seat] != 1 or state.known[seat].any():
        return False
    melded = state.kind != Kind.NONE or (not state.one_kind_per_turn and state.stock_size > 0)
    allowed = state.phase == Phase.PLAY and state.permission == Permission.ALLOW
    return bool(melded and allowed)


@kernel
def deal_last_card(state: State, seat: int) -> None:
    """Give the seat a card that it can discard or add, if there is one."""
    able = np.zeros(N_CARDS, np.int8)
    for card in range(1, N_CARDS):
        state.hands[seat, card] += 1
        mask = np.zeros(N_ACTIONS, np.int8)
        legal(state, mask)
        able[card] = mask[OPEN_MELD : DISCARD + N_CARDS - 1].any()
        state.hands[seat, card] -= 1
    n = 0
    for i in range(state.stock_size):
        n += int(able[state.stock[i]])
    if n == 0:
        return
    chosen = rng.below(state, n)
    for place in range(state.stock_size):
        if able[state.stock[place]]:
            if chosen == 0:
                state.hands[seat, take_out(state, place)] += 1
                return
            chosen -= 1
