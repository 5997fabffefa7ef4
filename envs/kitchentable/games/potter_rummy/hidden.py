"""Dealing anew what a seat cannot know: the stock, and of other hands what not all have seen."""

from kitchentable.cards.piles import NONE, collect_hidden, deal_hidden
from kitchentable.engine.jit import kernel, wide
from kitchentable.games.potter_rummy.rules import State


@kernel
def resample_hidden(state: State, viewer: int) -> None:
    """Deal what the viewer cannot know anew, uniformly: any hands may be."""
    seat, mover, taken = wide(viewer), wide(state.turn), wide(state.taken)
    # A table from outside need not list the card just taken in `known`; all have seen it.
    unlisted = taken != NONE and state.known[mover, taken] == 0
    if unlisted:
        state.known[mover, taken] = 1
    collect_hidden(state, seat)
    deal_hidden(state, seat)
    if unlisted:
        state.known[mover, taken] = 0
