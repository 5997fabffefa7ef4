"""What decisions are worth by playouts: the scripted opponent plays on from before and after.

A decision's gain is what its seat gets in the end if the scripted opponent plays on in all
seats, less what it would have got with the script's own move; both playouts have the same
hidden cards and lots, so the luck of the deal cancels out. A decision that the script would
have made gains exactly 0. More pairs of playouts, with what the seat cannot see dealt anew,
tell the mean better.

A policy that goes where these gains are positive is the script's policy improved by one step
(rollout policies: Bertsekas, Tsitsiklis & Wu, 1997); the script's result is an expert's
cost-to-go (Ross & Bagnell, 2014, AggreVaTe). Playouts see hidden cards, but only weights of
learning follow from them: neither the script nor the policy sees the cards.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray

from kitchentable import Batch
from kitchentable.opponents.simple import ScriptedOpponent

MAX_SEED = 2**62


class Playouts:
    """Measures decisions in the games of a batch, on copies.

    Args:
        batch: the games.
        number: pairs of playouts for a decision; the first has the hidden cards as they are.
        generator: of the cards of the others.
        threads: how many threads share the playouts; the results do not depend on it.
    """

    def __init__(
        self, batch: Batch, number: int, generator: torch.Generator, threads: int = 1
    ) -> None:
        self.batch = batch
        self.number = number
        self._generator = generator
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

    def gains(self, games: NDArray[np.int64], actions: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return what `actions[game]` gains the seat to act in each of these games."""
        shape = (len(games), self.number)
        drawn = torch.randint(MAX_SEED, shape, generator=self._generator)
        seeds = drawn.numpy().astype(np.uint64)
        gains = np.zeros(len(games), np.float32)

        def play(part: slice) -> None:
            scratch = np.zeros(2, self.batch.states.dtype)
            self._loops.gain(
                self.batch.states,
                games[part],
                actions[games[part]],
                seeds[part],
                scratch,
                gains[part],
            )

        self._shared(play, len(games))
        return gains

    def _shared(self, work: Callable[[slice], None], n: int) -> None:
        """Do the work on a share of `n` entries in each thread."""
        borders = np.linspace(0, n, self._threads + 1).astype(int)
        parts = [slice(a, b) for a, b in pairwise(borders)]
        run = map if self._threads == 1 else self._pool.map
        list(run(work, parts))
