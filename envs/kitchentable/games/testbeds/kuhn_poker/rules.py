"""Kuhn poker: one card each, one bet (H. W. Kuhn, "A Simplified Two-Person Poker", 1950).

Rule numbers (R1 .. R4) are those of README.md beside this file. A single deal is the
whole game; its value for the first player is -1/18 chips under best play.
"""

from enum import IntEnum
from typing import Annotated

from kitchentable.engine import rng
from kitchentable.engine.actions import Actions, Block
from kitchentable.engine.jit import kernel
from kitchentable.engine.options import EPISODE, num_players_option
from kitchentable.engine.record import Int8, Int8Array, dtype_of
from kitchentable.engine.state import BaseState, finish, pay_points, win_by_most

N_PLAYERS = 2
N_CARDS = 3
"""Jack, queen, king: 0, 1, 2 (R1)."""
ANTE = 1
"""Chips each player pays before the deal (R1)."""
REWARD_SCALE = 1.0
"""Rewards are chips won."""

OPTIONS = (num_players_option(2, (2,)), EPISODE)

ACTIONS = Actions(
    Block("pass", "check, or fold when there is a bet"),
    Block("bet", "bet a chip, or call when there is a bet"),
)
PASS = ACTIONS["pass"]
BET = ACTIONS["bet"]


class Phase(IntEnum):
    """Which decision the game waits for."""

    OVER = 0
    OPEN = 1
    """Nobody has bet: check or bet."""
    FACE = 2
    """There is a bet: call or fold."""


class State(BaseState):
    """One game of Kuhn poker."""

    deck: Annotated[Int8Array, (N_CARDS,)]
    """The cards in the order dealt: seat 0's, seat 1's, the one left over."""
    paid: Annotated[Int8Array, (N_PLAYERS,)]
    """Chips in the pot, by seat."""
    checked: Int8
    """1 once seat 0 has checked."""


STATE = dtype_of(State)


@kernel
def new_game(state: State) -> None:
    """R1: both pay the ante and get a card; seat 0 begins."""
    state.deal = 1
    state.turns = 1
    state.capped = 0
    state.checked = 0
    state.phase = Phase.OPEN
    state.turn = 0
    state.to_act = 0
    state.dealer = 1
    for card in range(N_CARDS):
        state.deck[card] = card
    rng.shuffle(state, state.deck, N_CARDS)
    for seat in range(N_PLAYERS):
        state.paid[seat] = ANTE
        state.scores[seat] = 0
        state.winners[seat] = 0


@kernel
def legal(state: State, mask: Int8Array) -> None:
    """R2, R3: both moves are always there."""
    mask[PASS] = 1
    mask[BET] = 1


@kernel
def apply(state: State, action: int) -> None:
    """Play `action` for the seat to act."""
    if state.phase == Phase.OPEN:
        apply_open(state, action)
    else:
        apply_face(state, action)


@kernel
def apply_open(state: State, action: int) -> None:
    """R2: a bet must be answered; two checks show the cards."""
    seat = state.to_act
    if action == BET:
        state.paid[seat] += 1
        state.phase = Phase.FACE
        pass_turn(state)
    elif state.checked:
        show(state)
    else:
        state.checked = 1
        pass_turn(state)


@kernel
def apply_face(state: State, action: int) -> None:
    """R3: a call shows the cards; a fold gives the pot away."""
    seat = state.to_act
    if action == BET:
        state.paid[seat] += 1
        show(state)
    else:
        win_pot(state, 1 - seat)


@kernel
def pass_turn(state: State) -> None:
    """Give the move to the other seat."""
    state.turn = 1 - state.turn
    state.to_act = state.turn
    state.turns += 1


@kernel
def show(state: State) -> None:
    """R4: the higher card wins the pot."""
    win_pot(state, 0 if state.deck[0] > state.deck[1] else 1)


@kernel
def win_pot(state: State, winner: int) -> None:
    """R4: the winner gains what the other has paid."""
    loser = 1 - winner
    state.scores[winner] = state.paid[loser]
    state.scores[loser] = -state.paid[loser]
    state.points[0] = state.scores[0]
    state.points[1] = 0
    pay_points(state, REWARD_SCALE)
    win_by_most(state, state.scores)
    finish(state)
