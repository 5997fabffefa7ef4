"""Dealing anew what a seat of Luau Rummy cannot know.

Hidden are the order of the stock and, of every other hand, the partner's too, what not all
have seen go there. Any hand of the right size can be.
"""

from kitchentable.cards.piles import collect_hidden, deal_hidden
from kitchentable.engine.jit import kernel, wide
from kitchentable.games.luau_rummy.rules import State


@kernel
def resample_hidden(state: State, viewer: int) -> None:
    """Deal what the viewer cannot know anew, uniformly."""
    seat = wide(viewer)
    collect_hidden(state, seat)
    deal_hidden(state, seat)
