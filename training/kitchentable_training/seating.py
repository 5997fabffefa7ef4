"""Who sits where in the games of training: the learner, or an opponent."""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from kitchentable.opponents import Opponent

LEARNER = 0
"""In `Seating.seats`; other numbers are opponents, counted from 1."""


class Seating:
    """Assigns the seats of each game anew when it begins.

    In most games the learner has every seat. In a share of them an opponent takes all seats
    but a random one.

    Attributes:
        opponents: who can sit at a table, beside the learner.
        seats: who sits where, int8 of shape (games, seats).
    """

    def __init__(
        self,
        games: int,
        seats: int,
        opponents: Sequence[Opponent],
        shares: Sequence[float],
        generator: torch.Generator,
    ) -> None:
        self.opponents = list(opponents)
        self.seats = np.full((games, seats), LEARNER, np.int8)
        self._borders = np.cumsum(np.asarray(shares, np.float64))
        self._generator = generator
        self.assign(np.arange(games))

    def assign(self, games: NDArray[np.int64]) -> None:
        """Draw who plays in these games, which begin."""
        if not self.opponents:
            return
        lots = torch.rand((2, len(games)), dtype=torch.float64, generator=self._generator).numpy()
        numbers = np.searchsorted(self._borders, lots[0], side="right")
        guests = np.where(numbers < len(self.opponents), numbers + 1, LEARNER)
        own = (lots[1] * self.seats.shape[1]).astype(np.int64)
        self.seats[games] = guests[:, None]
        self.seats[games, own] = LEARNER

    def seated(self, games: NDArray[np.int64], seats: NDArray[np.int32]) -> NDArray[np.int8]:
        """Return who has these seats of these games."""
        found: NDArray[np.int8] = self.seats[games, seats]
        return found

    def guests(self, games: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return the opponent in each of these games, or `LEARNER` for self-play."""
        found: NDArray[np.int8] = self.seats[games].max(axis=1)
        return found
