"""What a seat sees of Leduc poker."""

from kitchentable.engine.jit import kernel
from kitchentable.engine.layout import Layout, Part
from kitchentable.engine.record import Float32Array
from kitchentable.engine.rng import below
from kitchentable.games.testbeds.leduc_poker.rules import (
    CALL,
    MAX_MOVES,
    N_CARDS,
    N_PLAYERS,
    N_RANKS,
    N_ROUNDS,
    N_SUITS,
    PUBLIC,
    RAISE,
    State,
)

MAX_PAID = 13
"""The most chips that a seat can have paid."""

LAYOUT = Layout(
    Part("card", N_RANKS, "one-hot of my card: jack, queen, king"),
    Part("public", N_RANKS, "one-hot of the public card; zeros in the first round"),
    Part("seat", N_PLAYERS, "one-hot of my seat"),
    Part("called", (N_ROUNDS, MAX_MOVES), "this move of this round was a check or a call"),
    Part("raised", (N_ROUNDS, MAX_MOVES), "this move of this round was a bet or a raise"),
    Part("paid", N_PLAYERS, "chips in the pot: mine, the other seat's", scale=MAX_PAID),
)
PRIVILEGED = Layout(
    *LAYOUT,
    Part("other_card", N_RANKS, "one-hot of the other seat's card"),
    Part("coming", N_RANKS, "one-hot of the public card, in the first round too"),
)

CARD = LAYOUT["card"]
PUBLIC_CARD = LAYOUT["public"]
SEAT = LAYOUT["seat"]
CALLED = LAYOUT["called"]
RAISED = LAYOUT["raised"]
PAID = LAYOUT["paid"]
OTHER_CARD = PRIVILEGED["other_card"]
COMING = PRIVILEGED["coming"]


@kernel
def observe(state: State, viewer: int, out: Float32Array) -> None:
    """Write what `viewer` sees into `out`, zeroed float32 of shape (LAYOUT.size,)."""
    out[CARD + state.deck[viewer] // N_SUITS] = 1
    if state.betting_round > 0:
        out[PUBLIC_CARD + state.deck[PUBLIC] // N_SUITS] = 1
    out[SEAT + viewer] = 1
    for number in range(N_ROUNDS):
        for move in range(MAX_MOVES):
            place = number * MAX_MOVES + move
            out[CALLED + place] = state.history[number, move] == CALL
            out[RAISED + place] = state.history[number, move] == RAISE
    out[PAID] = state.paid[viewer] / MAX_PAID
    out[PAID + 1] = state.paid[1 - viewer] / MAX_PAID


@kernel
def privileged(state: State, out: Float32Array) -> None:
    """Write everything, as the seat to act sees it, into `out`."""
    viewer = max(state.to_act, 0)
    observe(state, viewer, out)
    out[OTHER_CARD + state.deck[1 - viewer] // N_SUITS] = 1
    out[COMING + state.deck[PUBLIC] // N_SUITS] = 1


@kernel
def resample_hidden(state: State, viewer: int) -> None:
    """Deal all cards anew but the viewer's and the public one when it lies open."""
    for place in range(N_CARDS - 1, -1, -1):
        if is_hidden(state, place, viewer):
            other = nth_hidden(state, viewer, below(state, n_hidden(state, viewer, place)))
            state.deck[place], state.deck[other] = state.deck[other], state.deck[place]


@kernel
def is_hidden(state: State, place: int, viewer: int) -> bool:
    """Tell whether the viewer cannot know the card at a place of the deck."""
    return place != viewer and not (place == PUBLIC and state.betting_round > 0)


@kernel
def n_hidden(state: State, viewer: int, last: int) -> int:
    """Count the hidden places of the deck up to `last`, that one included."""
    count = 0
    for place in range(last + 1):
        if is_hidden(state, place, viewer):
            count += 1
    return count


@kernel
def nth_hidden(state: State, viewer: int, n: int) -> int:
    """Return the hidden place number `n` of the deck, counted from 0."""
    for place in range(N_CARDS):
        if is_hidden(state, place, viewer):
            if n == 0:
                return place
            n -= 1
    return 0
