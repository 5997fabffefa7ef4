"""What every opponent can do."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.engine.game import Game
from kitchentable.engine.positions import Positions


class OpponentError(ValueError):
    """An opponent cannot be made, or cannot play this game."""


class Opponent(ABC):
    """Chooses actions, for many games at once.

    An opponent uses only what the seat to act can see: its observation and mask, or the
    parts of the state that its view shows.
    """

    name: str
    """A short name for tables of results."""

    @abstractmethod
    def act(
        self, positions: Positions, indices: NDArray[np.int64], actions: NDArray[np.int32]
    ) -> None:
        """Set `actions[i]` for each game `i` of `indices`; its buffers are up to date."""

    def check(self, game: Game) -> None:  # noqa: B027 - most opponents play anything
        """Refuse a game that this opponent cannot play.

        Raises:
            OpponentError: saying what does not fit.
        """

    def reseed(self, seed: int) -> None:  # noqa: B027 - most opponents draw no lots
        """Start the opponent's lots anew: same seed and same positions, same actions."""

    def action(self, game: Game, state: Any) -> int:
        """Return the action for the seat to act in one position."""
        self.check(game)
        if game.is_finished(state):
            raise ValueError(f"{game.name}: nobody is to act, the game is over")
        positions = Positions(game, state)
        positions.look()
        actions = np.zeros(1, np.int32)
        self.act(positions, np.zeros(1, np.int64), actions)
        return int(actions[0])

    def move(self, game: Game, state: Any) -> dict[str, Any]:
        """Return the move for the seat to act in one position."""
        return game.move(state, self.action(game, state))
