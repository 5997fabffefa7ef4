"""Dealing anew what a seat cannot know: the stock, and of other hands what not all have seen."""

from kitchentable.cards.piles import collect_hidden, deal_hidden
from kitchentable.engine.jit import kernel, wide
from kitchentable.games.potter_rummy.rules import State


@kernel
def resample_hidden(state: State, viewer: int) -> None:
    """Deal what the viewer cannot know anew, uniformly: any hands may be."""
    seat = wide(viewer)
    collect_hidden(state, seat)
    deal_hidden(state, seat)
