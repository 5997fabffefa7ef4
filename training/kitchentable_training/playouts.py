"""What decisions are worth by playouts: the scripted opponent plays on from before and after.

The potential of a position is what each seat gets in the end if the scripted opponent plays it
out in all seats, with the hidden cards and the lots as they are. A decision's gain is the
difference that it makes to the potential of its seat. A decision that the script would have
made gains exactly 0, and the luck of the deal cancels out of every other one: both playouts
have the same. The gains of a seat add up to what it got beyond what the script would have got.

The potential is an expert's cost-to-go (Ross & Bagnell, 2014, AggreVaTe), used to shape
rewards (Ng, Harada & Russell, 1999; Sun, Bagnell & Boots, 2018, Truncated Horizon Policy
Search). It is played with hidden cards, but only weights of learning follow from it: neither
the script nor the policy sees them.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable import Batch
from kitchentable.opponents.simple import ScriptedOpponent


class Playouts:
    """Plays out the games of a batch, from copies.

    Args:
        batch: the games.
        threads: how many threads share the playouts; the results do not depend on it.

    Attributes:
        potentials: what each seat gets in the end by playouts, float32 of shape (games, seats).
    """

    def __init__(self, batch: Batch, threads: int = 1) -> None:
        self.batch = batch
        self.potentials = np.zeros_like(batch.rewards)
        self._loops = batch.game.spec.loops
        self._script = ScriptedOpponent()
        self._advice = np.zeros(len(batch), np.int32)
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads)

    def departures(self, games: NDArray[np.int64], actions: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return those of the games in which the script would not play `actions[game]`."""

        def ask(part: slice) -> None:
            self._script.act(self.batch, games[part], self._advice)

        self._shared(ask, len(games))
        departing: NDArray[np.bool_] = self._advice[games] != actions[games]
        return games[departing]

    def renew(self, games: NDArray[np.int64], returns: NDArray[np.float32]) -> None:
        """Play these games out; `returns` is what each seat has got so far."""
        states: Any = self.batch.states[games]
        paid = np.zeros((len(games), self.potentials.shape[1]), np.float32)

        def play(part: slice) -> None:
            self._loops.play_out(states[part], paid[part])

        self._shared(play, len(games))
        self.potentials[games] = returns[games] + paid

    def _shared(self, work: Callable[[slice], None], n: int) -> None:
        """Do the work on a share of `n` entries in each thread."""
        borders = np.linspace(0, n, self._threads + 1).astype(int)
        parts = [slice(a, b) for a, b in pairwise(borders)]
        run = map if self._threads == 1 else self._pool.map
        list(run(work, parts))
