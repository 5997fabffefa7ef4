"""The scripted opponent of Leduc poker."""

from kitchentable.engine.jit import kernel
from kitchentable.games.testbeds.leduc_poker.rules import (
    CALL,
    FOLD,
    MAX_RAISES,
    N_RANKS,
    N_SUITS,
    RAISE,
    Phase,
    State,
    strength,
)

JACK = 0
KING = 2


@kernel
def scripted(state: State) -> int:
    """Raise with a king or a pair, fold the jack (later the queen too), never bluff."""
    seat = state.to_act
    rank = state.deck[seat] // N_SUITS
    value = strength(state, seat) if state.betting_round > 0 else rank
    if state.raises < MAX_RAISES and (
        value == N_RANKS or (value == KING and state.betting_round == 0)
    ):
        return RAISE
    if state.phase == Phase.FACE and (value == JACK or (state.betting_round > 0 and value < KING)):
        return FOLD
    return CALL
