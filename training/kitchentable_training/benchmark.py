"""How fast training is, against the network alone: what all the rest costs."""

import os
import time
from typing import Any

import numpy as np
import torch

from kitchentable import Batch, Game
from kitchentable.games import spec
from kitchentable_training.config import TrainConfig
from kitchentable_training.ppo import PPO
from kitchentable_training.rollout import Rollout
from kitchentable_training.seating import Seating
from kitchentable_training.trainer import choose_dtype, make_network


def measure_training(
    game: str, seconds: float = 20.0, *, settings: dict[str, Any] | None = None, **options: Any
) -> dict[str, Any]:
    """Return the samples a second of PPO, and of its network alone, measured in turn.

    The network alone makes the same steps (forward, backward, optimizer; same minibatches
    and epochs, same numbers) on observations that are already there, and does nothing else:
    no games, no rollouts, no masks, no losses.

    Args:
        game: its name.
        seconds: about how long to measure.
        settings: of training, in place of the defaults.
        options: the game's options.
    """
    config = TrainConfig.model_validate(
        {"game": game, "options": options, "time_limit": 1.0, **(settings or {})}
    )
    bench = _Bench(config, Game(spec(game), **options))
    bench.train()
    bench.network_alone()
    trained: list[float] = []
    alone: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(trained) < 2:
        trained.append(bench.train())
        alone.append(bench.network_alone())
    bench.batch.close()
    # Of a mean over all rounds; a median would hide what happens every few rounds.
    ppo, network = (len(rates) / sum(1 / rate for rate in rates) for rates in (trained, alone))
    return {
        "training_samples_per_second": ppo,
        "network_samples_per_second": network,
        "training_share_of_network": ppo / network,
        "training_precision": str(bench.ppo.dtype).removeprefix("torch."),
        "training_threads": torch.get_num_threads(),
        "training_load": os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan"),
    }


class _Bench:
    """A training without evaluations and files."""

    def __init__(self, config: TrainConfig, game: Game) -> None:
        self.config = config
        dtype = choose_dtype(config.precision)
        self.generator = torch.Generator().manual_seed(config.seed)
        self.ppo = PPO(make_network(config, game), config, dtype)
        self.alone = PPO(make_network(config, game), config, dtype)
        self.batch = Batch(
            game, config.num_envs, threads=config.env_threads, skip_forced=config.skip_forced
        )
        seating = Seating(config.num_envs, game.num_players, (), (), self.generator)
        self.rollout = Rollout(
            self.batch, seating, config.num_steps, dtype=dtype, generator=self.generator
        )
        self._fixed = torch.zeros(0)

    def train(self) -> float:
        """Return the samples a second of a rollout and its update."""
        begun = time.perf_counter()
        self.rollout.collect(self.ppo.evaluate)
        samples = self.rollout.samples(self.config.gamma, self.config.gae_lambda)
        rate, entropy = self.config.learning_rate, self.config.ent_coef
        self.ppo.update(samples, rate, entropy, self.generator)
        seconds = time.perf_counter() - begun
        n = -(-len(samples.rows) // self.config.num_minibatches)
        if len(self._fixed) != n:
            # Real observations: how many zeros there are matters to some processors.
            rows = np.random.default_rng(0).choice(samples.rows, n, replace=False)
            self._fixed = samples.observations[torch.from_numpy(rows)].clone()
        return len(samples.rows) / seconds

    def network_alone(self) -> float:
        """Return the samples a second of the same steps on fixed data."""
        n = len(self._fixed)
        pull = torch.full((n, self.alone.network.n_actions), 1e-6)
        steps = self.config.num_minibatches * self.config.update_epochs
        begun = time.perf_counter()
        for _ in range(steps):
            logits, values = self.alone.evaluate(self._fixed)
            self.alone.optimizer.zero_grad(set_to_none=True)
            torch.autograd.backward([logits, values], [pull, pull[:, 0]])
            self.alone.optimizer.step()
        return n * self.config.num_minibatches / (time.perf_counter() - begun)
