"""Opponents without training."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.engine import rng
from kitchentable.engine.jit import kernel
from kitchentable.engine.loops import generators, nth_entry
from kitchentable.engine.positions import Positions
from kitchentable.opponents.base import Opponent


@kernel
def _random_choices(masks: Any, indices: Any, generator: Any, actions: Any) -> None:
    """Set actions[i] to a uniformly drawn legal one for each i of indices."""
    for i in indices:
        n_legal = 0
        for action in range(masks.shape[1]):
            n_legal += masks[i, action]
        actions[i] = nth_entry(masks[i], rng.below(generator[0], n_legal))


class RandomOpponent(Opponent):
    """Plays any legal action, all with the same chance."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self._generator = generators(seed, 1)

    def reseed(self, seed: int) -> None:
        """Start the lots anew."""
        self._generator = generators(seed, 1)

    def act(
        self, positions: Positions, indices: NDArray[np.int64], actions: NDArray[np.int32]
    ) -> None:
        """Draw an action for each of the games."""
        _random_choices(positions.masks, indices, self._generator, actions)


class ScriptedOpponent(Opponent):
    """Plays by the game's own script, compiled; like an attentive amateur."""

    name = "scripted"

    def act(
        self, positions: Positions, indices: NDArray[np.int64], actions: NDArray[np.int32]
    ) -> None:
        """Ask the script of each of the games."""
        positions.game.spec.loops.scripted(positions.states, indices, actions)
