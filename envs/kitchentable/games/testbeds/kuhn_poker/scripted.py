"""The scripted opponent of Kuhn poker."""

from kitchentable.engine.jit import kernel
from kitchentable.games.testbeds.kuhn_poker.rules import BET, PASS, Phase, State

QUEEN = 1
KING = 2


@kernel
def scripted(state: State) -> int:
    """Bet and call with the king, call with the queen, never bluff."""
    card = state.deck[state.to_act]
    if card == KING or (card == QUEEN and state.phase == Phase.FACE):
        return BET
    return PASS
