"""What a seat sees of Kuhn poker."""

from kitchentable.engine.jit import kernel
from kitchentable.engine.layout import Layout, Part
from kitchentable.engine.record import Float32Array
from kitchentable.engine.rng import below
from kitchentable.games.testbeds.kuhn_poker.rules import N_CARDS, N_PLAYERS, Phase, State

LAYOUT = Layout(
    Part("card", N_CARDS, "one-hot of my card: jack, queen, king"),
    Part("seat", N_PLAYERS, "one-hot of my seat"),
    Part("checked", 1, "seat 0 has checked"),
    Part("bet", 1, "there is a bet"),
)
PRIVILEGED = Layout(*LAYOUT, Part("other_card", N_CARDS, "one-hot of the other seat's card"))

CARD = LAYOUT["card"]
SEAT = LAYOUT["seat"]
CHECKED = LAYOUT["checked"]
BET = LAYOUT["bet"]
OTHER_CARD = PRIVILEGED["other_card"]


@kernel
def observe(state: State, viewer: int, out: Float32Array) -> None:
    """Write what `viewer` sees into `out`, zeroed float32 of shape (LAYOUT.size,)."""
    out[CARD + state.deck[viewer]] = 1
    out[SEAT + viewer] = 1
    out[CHECKED] = state.checked
    out[BET] = state.phase == Phase.FACE


@kernel
def privileged(state: State, out: Float32Array) -> None:
    """Write everything, as the seat to act sees it, into `out`."""
    viewer = max(state.to_act, 0)
    observe(state, viewer, out)
    out[OTHER_CARD + state.deck[1 - viewer]] = 1


@kernel
def resample_hidden(state: State, viewer: int) -> None:
    """Deal the other card and the one left over anew."""
    if below(state, 2):
        other = 1 - viewer
        state.deck[other], state.deck[2] = state.deck[2], state.deck[other]
