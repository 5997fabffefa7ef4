"""Networks as opponents, by torch."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from kitchentable.engine.game import Game
from kitchentable.engine.positions import Positions
from kitchentable.opponents import Opponent, OpponentError
from kitchentable.opponents.checkpoint import Checkpoint
from kitchentable_training.checkpoint import load_network
from kitchentable_training.network import PolicyNetwork, masked_log_probabilities

_LEAST_LOT = torch.finfo(torch.float32).tiny
"""Keeps the noise finite, so that an illegal action can never be drawn."""


def one_thread(work: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Let torch use one thread for a function.

    A policy's network is small: a second thread gains little, and on processors that have
    other work it may wait a hundred times longer than the network takes.
    """

    @wraps(work)
    def narrow(*arguments: Any) -> Tensor:
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            return work(*arguments)
        finally:
            torch.set_num_threads(threads)

    return narrow


class PolicyOpponent(Opponent):
    """Plays by a network, for many games at once; never an illegal action.

    Args:
        network: left as it is; a network in training may be given, to play as it is then.
        name: for tables of results.
        seed: same seed and same games, same actions.
        greedy: play the likeliest action instead of drawing one.
        temperature: divides the logits: below 1 sharper, above 1 more even.
        checkpoint: where the network is from; without it only sizes are checked.

    Raises:
        ValueError: the temperature is not above 0.
    """

    def __init__(
        self,
        network: PolicyNetwork,
        *,
        name: str = "policy",
        seed: int = 0,
        greedy: bool = False,
        temperature: float = 1.0,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        if not temperature > 0:
            raise ValueError(f"temperature must be above 0, not {temperature}")
        self.name = name
        self.network = network
        self.greedy = greedy
        self.temperature = temperature
        self.checkpoint = checkpoint
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Start the lots anew."""
        self._generator = torch.Generator().manual_seed(seed)

    def check(self, game: Game) -> None:
        """Refuse a game that the network was not trained for.

        Raises:
            OpponentError: saying what does not fit.
        """
        if self.checkpoint is not None:
            self.checkpoint.check(game)
        theirs = (self.network.n_observations, self.network.n_actions)
        ours = (game.layout.size, game.actions.size)
        if theirs != ours:
            raise OpponentError(
                f"policy {self.name} cannot play {game.name}: (observations, actions) "
                f"are {ours} there and {theirs} in its network"
            )

    def act(
        self, positions: Positions, indices: NDArray[np.int64], actions: NDArray[np.int32]
    ) -> None:
        """Draw an action for each of the games, or take the likeliest."""
        chances = self._log_chances(positions.observations[indices], positions.masks[indices])
        if not self.greedy:
            # Adding Gumbel noise and taking the most is drawing by these probabilities.
            lots = torch.empty_like(chances).exponential_(generator=self._generator)
            chances = chances - lots.clamp(min=_LEAST_LOT).log()
        actions[indices] = chances.argmax(dim=-1).cpu().numpy()

    def probabilities(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """Return the probability of every action, as `act` draws them; 0 for illegal ones.

        Args:
            observations: of shape (n, layout size).
            masks: of shape (n, actions).
        """
        chances = self._log_chances(observations, masks)
        if self.greedy:
            best = torch.nn.functional.one_hot(chances.argmax(dim=-1), chances.shape[-1])
            return np.asarray(best.numpy(), np.float32)
        return np.asarray(chances.exp().numpy(), np.float32)

    @torch.inference_mode()
    @one_thread
    def _log_chances(self, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> Tensor:
        """Return the log-probabilities on the CPU; the lowest float32 for illegal actions."""
        device = next(self.network.parameters()).device
        logits, _ = self.network(torch.from_numpy(observations).to(device))
        return masked_log_probabilities(logits.cpu() / self.temperature, torch.from_numpy(masks))


class TorchBackend:
    """Runs checkpoints with torch, on the CPU."""

    def load(self, checkpoint: Checkpoint, seed: int) -> Opponent:
        """Return the policy of a checkpoint as an opponent.

        Raises:
            OpponentError: its weights do not fit its network.
        """
        return PolicyOpponent(
            load_network(checkpoint),
            name=checkpoint.name,
            seed=seed,
            greedy=checkpoint.greedy,
            checkpoint=checkpoint,
        )
