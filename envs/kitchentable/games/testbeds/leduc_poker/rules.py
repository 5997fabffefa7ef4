"""Leduc poker: one card each, a public card, two rounds of betting.

After F. Southey et al., "Bayes' Bluff: Opponent Modelling in Poker", 2005. Rule numbers
(R1 .. R5) are those of README.md beside this file. A single deal is the whole game.
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
N_RANKS = 3
"""Jack, queen, king: 0, 1, 2 (R1)."""
N_SUITS = 2
N_CARDS = N_RANKS * N_SUITS
"""A card is rank * N_SUITS + suit."""
PUBLIC = N_PLAYERS
"""Where in the deck the public card lies: after those of the seats."""
ANTE = 1
"""Chips each player pays before the deal (R1)."""
N_ROUNDS = 2
RAISES = (2, 4)
"""Chips that a raise is worth, by round (R3)."""
MAX_RAISES = 2
"""Raises in one round, the bet among them (R3)."""
MAX_MOVES = 4
"""Moves in one round: check, bet, raise, call."""
REWARD_SCALE = 1.0
"""Rewards are chips won."""
NOT_YET = -1
"""In `history`: no move has been made there."""

OPTIONS = (num_players_option(2, (2,)), EPISODE)

ACTIONS = Actions(
    Block("fold", "give the pot away"),
    Block("call", "check, or pay what the other seat has bet"),
    Block("raise", "bet, or pay what the other seat has bet and as much again"),
)
FOLD = ACTIONS["fold"]
CALL = ACTIONS["call"]
RAISE = ACTIONS["raise"]


class Phase(IntEnum):
    """Which decision the game waits for."""

    OVER = 0
    OPEN = 1
    """Nobody has bet in this round: check or bet."""
    FACE = 2
    """There is a bet: fold, call or raise."""


class State(BaseState):
    """One game of Leduc poker."""

    deck: Annotated[Int8Array, (N_CARDS,)]
    """The cards in the order dealt: seat 0's, seat 1's, the public one, those left over."""
    paid: Annotated[Int8Array, (N_PLAYERS,)]
    """Chips in the pot, by seat."""
    betting_round: Int8
    """0 or 1; the public card lies open in round 1."""
    moves: Int8
    """Moves made in this round."""
    raises: Int8
    """Raises made in this round."""
    history: Annotated[Int8Array, (N_ROUNDS, MAX_MOVES)]
    """The action numbers by round, in order; `NOT_YET` from the next move on."""


STATE = dtype_of(State)


@kernel
def new_game(state: State) -> None:
    """R1: both pay the ante and get a card; seat 0 begins."""
    state.deal = 1
    state.turns = 1
    state.capped = 0
    state.dealer = 1
    for card in range(N_CARDS):
        state.deck[card] = card
    rng.shuffle(state, state.deck, N_CARDS)
    for seat in range(N_PLAYERS):
        state.paid[seat] = ANTE
        state.scores[seat] = 0
        state.winners[seat] = 0
    for number in range(N_ROUNDS):
        for move in range(MAX_MOVES):
            state.history[number, move] = NOT_YET
    begin_round(state, 0)


@kernel
def begin_round(state: State, number: int) -> None:
    """R1, R4: seat 0 begins, and nobody has bet."""
    state.betting_round = number
    state.moves = 0
    state.raises = 0
    state.phase = Phase.OPEN
    state.turn = 0
    state.to_act = 0


@kernel
def legal(state: State, mask: Int8Array) -> None:
    """R2, R3: nobody folds without a bet, and raises are counted."""
    mask[FOLD] = state.phase == Phase.FACE
    mask[CALL] = 1
    mask[RAISE] = state.raises < MAX_RAISES


@kernel
def apply(state: State, action: int) -> None:
    """R2, R3: play `action` for the seat to act."""
    seat = state.to_act
    state.history[state.betting_round, state.moves] = action
    state.moves += 1
    if action == FOLD:
        win_pot(state, 1 - seat)
        return
    state.paid[seat] = max(state.paid[0], state.paid[1])
    if action == RAISE:
        state.paid[seat] += RAISES[state.betting_round]
        state.raises += 1
        state.phase = Phase.FACE
        pass_turn(state)
    elif state.moves == 1:
        pass_turn(state)
    else:
        end_round(state)


@kernel
def pass_turn(state: State) -> None:
    """Give the move to the other seat."""
    state.turn = 1 - state.turn
    state.to_act = state.turn
    state.turns += 1


@kernel
def end_round(state: State) -> None:
    """R4: turn up the public card, or show the hands."""
    if state.betting_round == 0:
        begin_round(state, 1)
        state.turns += 1
    else:
        show(state)


@kernel
def strength(state: State, seat: int) -> int:
    """R5: how good the hand of a seat is: a pair, or else its rank."""
    rank = state.deck[seat] // N_SUITS
    return N_RANKS if rank == state.deck[PUBLIC] // N_SUITS else rank


@kernel
def show(state: State) -> None:
    """R5: the better hand wins the pot; equal hands share it."""
    first, second = strength(state, 0), strength(state, 1)
    if first == second:
        settle(state, 0)
    else:
        win_pot(state, 0 if first > second else 1)


@kernel
def win_pot(state: State, winner: int) -> None:
    """R5: the winner gains what the other has paid."""
    gain = int(state.paid[1 - winner])
    settle(state, gain if winner == 0 else -gain)


@kernel
def settle(state: State, gain: int) -> None:
    """End the game with what seat 0 has gained from seat 1."""
    state.scores[0] = gain
    state.scores[1] = -gain
    state.points[0] = gain
    state.points[1] = 0
    pay_points(state, REWARD_SCALE)
    win_by_most(state, state.scores)
    finish(state)
