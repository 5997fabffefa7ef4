"""Many games at once, and what the seat to act in each of them sees."""

from typing import Any

import numpy as np

from kitchentable.engine.game import Game


class Positions:
    """States with the buffers that look at them; the first axis of every array is the game.

    Attributes:
        game: the game with its options.
        states: record array of shape (games,).
        seats: who must act, int32 of shape (games,); -1 where a game is over.
        masks: legal actions of that seat, int8 of shape (games, actions).
        observations: what that seat sees, float32 of shape (games, layout size).
    """

    def __init__(self, game: Game, states: Any) -> None:
        n = len(states)
        self.game = game
        self.states = states
        self.seats = np.full(n, -1, np.int32)
        self.masks = np.zeros((n, game.actions.size), np.int8)
        self.observations = np.zeros((n, game.layout.size), np.float32)

    def __len__(self) -> int:
        return len(self.states)

    def look(self) -> None:
        """Fill the buffers from the states."""
        self.game.spec.loops.look(self.states, self.seats, self.masks, self.observations)
