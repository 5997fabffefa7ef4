"""Stock, discard pile and hands, for every game whose state has these fields.

Cards are small numbers. A game's state names its fields so:

- `stock`, `stock_size`, `discard`, `discard_size`: cards, the top one last.
- `hands`, of shape (seats, different cards): how many of each; `hand_size` by seat.
- `known`, of the same shape: how many of each all have seen go into a hand (G-7).
- `taken`: the card the mover took from the discard pile in this turn, or NONE.

Places of a pile beyond its size are 0, so that equal positions are equal bytes.
"""

from typing import Any

from kitchentable.engine import rng
from kitchentable.engine.jit import kernel

NONE = -1
"""No card, no meld."""


@kernel
def clear_piles(state: Any) -> None:
    """Take away stock, discard pile and hands."""
    state.stock[:] = 0
    state.stock_size = 0
    state.discard[:] = 0
    state.discard_size = 0
    state.hands[:] = 0
    state.hand_size[:] = 0
    state.known[:] = 0
    state.taken = NONE


@kernel
def push_stock(state: Any, card: int, copies: int) -> None:
    """Put so many copies of a card onto the stock."""
    for _ in range(copies):
        state.stock[state.stock_size] = card
        state.stock_size += 1


@kernel
def pop_stock(state: Any) -> int:
    """Take the top card off the stock and return it."""
    state.stock_size -= 1
    card = state.stock[state.stock_size]
    state.stock[state.stock_size] = 0
    return int(card)


@kernel
def push_discard(state: Any, card: int) -> None:
    """Put a card onto the discard pile."""
    state.discard[state.discard_size] = card
    state.discard_size += 1


@kernel
def pop_discard(state: Any) -> int:
    """Take the top discard and return it."""
    state.discard_size -= 1
    card = state.discard[state.discard_size]
    state.discard[state.discard_size] = 0
    return int(card)


@kernel
def gain(state: Any, seat: int, card: int) -> None:
    """Put a card into a hand."""
    state.hands[seat, card] += 1
    state.hand_size[seat] += 1


@kernel
def gain_discard(state: Any, seat: int) -> int:
    """G-7: put the top discard into a hand, where all know it; return it."""
    card = pop_discard(state)
    gain(state, seat, card)
    state.known[seat, card] += 1
    return card


@kernel
def give(state: Any, card: int) -> None:
    """Take a card out of the mover's hand; an equal one leaves what is known of it."""
    seat = state.turn
    state.hands[seat, card] -= 1
    state.hand_size[seat] -= 1
    if state.known[seat, card] > 0:
        state.known[seat, card] -= 1
    if state.taken == card:
        state.taken = NONE


@kernel
def draw(state: Any, seat: int) -> None:
    """Draw from the stock, reshuffled if need be; nothing if that gives no card."""
    if state.stock_size == 0:
        reshuffle(state)
    if state.stock_size > 0:
        gain(state, seat, pop_stock(state))


@kernel
def reshuffle(state: Any) -> None:
    """All discards but the top one become the stock."""
    n = max(0, int(state.discard_size) - 1)
    for i in range(n):
        state.stock[i] = state.discard[i]
    if n > 0:
        state.discard[0] = state.discard[n]
        state.discard[1 : n + 1] = 0
        state.discard_size = 1
    state.stock_size = n
    rng.shuffle(state, state.stock, n)


@kernel
def collect_hidden(state: Any, viewer: int) -> None:
    """Take the cards that the viewer cannot know from the other hands to the stock.

    A table from outside need not list the card just taken in `known`; all have seen it.
    """
    for seat in range(state.num_players):
        if seat != viewer:
            for card in range(state.hands.shape[1]):
                shown = int(state.known[seat, card])
                if shown == 0 and seat == state.turn and card == state.taken:
                    shown = 1
                while state.hands[seat, card] > shown:
                    state.hands[seat, card] -= 1
                    state.stock[state.stock_size] = card
                    state.stock_size += 1


@kernel
def deal_hidden(state: Any, viewer: int) -> None:
    """Shuffle the stock, and fill the other hands up to their sizes."""
    rng.shuffle(state, state.stock, state.stock_size)
    for seat in range(state.num_players):
        if seat != viewer:
            for _ in range(room_in_hand(state, seat)):
                state.hands[seat, pop_stock(state)] += 1


@kernel
def room_in_hand(state: Any, seat: int) -> int:
    """Return how many cards a hand lacks while its hidden cards are away."""
    room = int(state.hand_size[seat]) + 0
    for card in range(state.hands.shape[1]):
        room -= int(state.hands[seat, card])
    return room
