"""The fields that every game's state has, and what happens at the end of a deal or game."""

from enum import IntEnum
from typing import Annotated, Any

from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.record import (
    Float32Array,
    Int8,
    Int8Array,
    Int16,
    Int32,
    Int32Array,
    UInt64,
)

MAX_SEATS = 12
"""The most seats (and sides) that any game has."""
OVER = 0
"""The phase of a finished game; every game's `Phase` has it under this number."""
NOBODY = -1
"""`to_act` of a finished game."""


class Episode(IntEnum):
    """What counts as one game (option `episode`)."""

    GAME = 0
    DEAL = 1


class Reward(IntEnum):
    """How rewards are paid (a matter of the environment, not of the rules)."""

    POINTS = 0
    WIN = 1


class BaseState:
    """What the engine needs to know of any game."""

    rng: UInt64
    """State of this game's own random generator."""
    num_players: Int8
    num_sides: Int8
    """Who scores together: seats or teams. The side of a seat is seat % num_sides."""
    episode: Int8
    """An `Episode`."""
    reward_form: Int8
    """A `Reward`."""
    phase: Int8
    """The game's own `Phase`; `OVER` when finished."""
    turn: Int8
    """Whose turn it is."""
    to_act: Int8
    """Who must move now; `NOBODY` when finished."""
    dealer: Int8
    capped: Int8
    deal: Int16
    """Counts from 1."""
    turns: Int32
    """Turns begun in this deal."""
    winners: Annotated[Int8Array, (MAX_SEATS,)]
    """By side, 1 for a winner; set when the game is finished."""
    scores: Annotated[Int32Array, (MAX_SEATS,)]
    """By side."""
    points: Annotated[Int32Array, (MAX_SEATS,)]
    """By side: the points of the deal that ended last."""
    reward: Annotated[Float32Array, (MAX_SEATS,)]
    """By seat: rewards since the engine last cleared them."""


@kernel
def next_seat(state: Any, seat: int) -> int:
    """Return the seat to the left."""
    return seat + 1 if seat + 1 < state.num_players else 0


@kernel
def seat_after(state: Any, seat: int, steps: int) -> int:
    """Return the seat that sits so many places (less than a round) to the left."""
    later = seat + steps
    return later if later < state.num_players else later - wide(state.num_players)


@kernel
def steps_to(state: Any, viewer: int, seat: int) -> int:
    """Return how many places a seat sits to the left of the viewer."""
    steps = seat - viewer
    return steps if steps >= 0 else steps + wide(state.num_players)


@kernel
def pay_points(state: Any, scale: float) -> None:
    """Reward each side with (its `points` - the mean of the others') / scale.

    For the end of a deal; does nothing when rewards are paid for winning.
    """
    sides = state.num_sides
    if state.reward_form != Reward.POINTS or state.num_players < 2:
        return
    total = 0
    for side in range(sides):
        total += int(state.points[side])
    for seat in range(state.num_players):
        own = int(state.points[seat % sides])
        state.reward[seat] += (own - (total - own) / (sides - 1)) / scale


@kernel
def finish(state: Any) -> None:
    """End the game; `winners` is set. Pays (w - 1/n) * n/(n - 1) if asked to pay for winning."""
    state.phase = OVER
    state.to_act = NOBODY
    sides = state.num_sides
    n_winners = 0
    for side in range(sides):
        n_winners += int(state.winners[side])
    if state.reward_form != Reward.WIN or n_winners == 0 or state.num_players < 2:
        return
    for seat in range(state.num_players):
        share = state.winners[seat % sides] / n_winners
        state.reward[seat] += (share - 1 / sides) * sides / (sides - 1)


@kernel
def win_by_most(state: Any, values: Any) -> None:
    """Set `winners` to the sides with the highest of `values`."""
    best = int(values[0])
    for side in range(1, state.num_sides):
        best = max(best, int(values[side]))
    for side in range(state.num_sides):
        state.winners[side] = 1 if values[side] == best else 0
