"""Proximal policy optimisation (Schulman et al., 2017) on the samples of a rollout."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kitchentable_training import kernels
from kitchentable_training.config import PPOConfig
from kitchentable_training.kernels import clear_gradient, policy_gradient
from kitchentable_training.network import PolicyNetwork, PrivilegedCritic
from kitchentable_training.rollout import Samples

ADAM_EPSILON = 1e-5
"""As CleanRL has it."""
AVERAGED_SHARE = 10
"""The average of the weights reaches back one in so many of the updates so far, at most: the
first weights of a short training would spoil it."""


class DivergedError(ArithmeticError):
    """A loss is no number any more."""


@dataclass(frozen=True)
class Losses:
    """Means over an update; under these names in TensorBoard."""

    policy_loss: float
    value_loss: float
    entropy: float
    old_approx_kl: float
    approx_kl: float
    clipfrac: float
    explained_variance: float
    magnet_kl: float
    teacher_loss: float


def autocast(dtype: torch.dtype) -> AbstractContextManager[None]:
    """Return the context in which the network computes in `dtype`."""
    context: AbstractContextManager[None] = torch.autocast(
        "cpu", dtype=torch.bfloat16, enabled=dtype == torch.bfloat16
    )
    return context


class PPO:
    """Improves a network by what happened.

    Args:
        network: is changed in place.
        config: its settings.
        dtype: in which the network computes; logits, losses and advantages are float32.
        critic: judges instead of the network's own value; is changed in place, too. What is
            observed must then be privileged views, which begin with the observation.
    """

    def __init__(
        self,
        network: PolicyNetwork,
        config: PPOConfig,
        dtype: torch.dtype,
        critic: PrivilegedCritic | None = None,
    ) -> None:
        self.network = network
        self.critic = critic
        self.config = config
        self.dtype = dtype
        learning = [*network.parameters(), *(critic.parameters() if critic else ())]
        self.optimizer = torch.optim.Adam(
            learning, lr=config.learning_rate, eps=ADAM_EPSILON, fused=True
        )
        self.magnet = deepcopy(network) if config.kl_magnet_coef > 0 else None
        self.average = deepcopy(network) if config.average_decay > 0 else None
        self.updates = 0
        self._observations = torch.zeros(0, 0, dtype=dtype)
        self._gradient = np.zeros((0, network.n_actions), np.float32)
        self._threads = torch.get_num_threads()
        self._pool = ThreadPoolExecutor(self._threads)

    @property
    def policy(self) -> PolicyNetwork:
        """The network to play with: the average of the weights, if one is kept."""
        return self.network if self.average is None else self.average

    def evaluate(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return float32 logits and values, the critic's if it can see enough."""
        with autocast(self.dtype):
            logits, values = self.network(observations[:, : self.network.n_observations])
            if self.critic is not None and observations.shape[1] > self.network.n_observations:
                values = self.critic(observations)
            return logits, values

    def update(
        self,
        samples: Samples,
        learning_rate: float,
        ent_coef: float,
        generator: torch.Generator,
        *,
        teacher_weight: float = 0.0,
    ) -> Losses:
        """Learn from the samples, and with this weight, 0 .. 1, from the teacher's moves instead.

        Raises:
            DivergedError: a loss is no number.
        """
        coefs = (ent_coef, teacher_weight)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        totals = np.zeros(kernels.N_TOTALS)
        value_losses: list[float] = []
        for _ in range(self.config.update_epochs):
            before = totals.copy()
            for rows in self._minibatches(samples.rows, generator):
                value_losses.append(self._step(samples, rows, coefs, totals))
            if self._is_too_far(totals - before):
                break
        self._move_magnet()
        self._move_average()
        return _losses(samples, totals, value_losses)

    def _minibatches(
        self, rows: NDArray[np.int64], generator: torch.Generator
    ) -> list[NDArray[np.int64]]:
        """Return all samples, shuffled, in parts of the same size (or one apart)."""
        order = torch.randperm(len(rows), generator=generator).numpy()
        return [
            part for part in np.array_split(rows[order], self.config.num_minibatches) if len(part)
        ]

    def _step(
        self,
        samples: Samples,
        rows: NDArray[np.int64],
        coefs: tuple[float, float],
        totals: NDArray[np.float64],
    ) -> float:
        """Take one step on one minibatch; return its value loss."""
        observations = self._gather(samples, rows)
        with autocast(self.dtype):
            logits, values = self.network(observations[:, : self.network.n_observations])
        gradient = self._policy_gradient(samples, rows, logits.detach(), coefs, totals)
        value_loss = self._value_loss(samples, rows, values)
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward([logits, self.config.vf_coef * value_loss], [gradient, None])
        clear_gradient(self._gradient, rows, samples.starts, samples.legal)
        self._shorten_gradients(self.network)
        if self.critic is not None:
            with autocast(self.dtype):
                values = self.critic(observations)
            value_loss = self._value_loss(samples, rows, values)
            torch.autograd.backward(self.config.vf_coef * value_loss)
            self._shorten_gradients(self.critic)
        self.optimizer.step()
        return float(value_loss.detach())

    def _shorten_gradients(self, network: nn.Module) -> None:
        """Scale all gradients of a network so that together they are no longer than allowed.

        As `nn.utils.clip_grad_norm_`, at a quarter of its cost on a CPU.
        """
        gradients = [p.grad for p in network.parameters() if p.grad is not None]
        norm = float(nn.utils.get_total_norm(gradients))
        if norm > self.config.max_grad_norm:
            for gradient in gradients:
                gradient.mul_(self.config.max_grad_norm / norm)

    def _gather(self, samples: Samples, rows: NDArray[np.int64]) -> Tensor:
        """Return the observations of these rows, in a buffer that the next call overwrites."""
        width = samples.observations.shape[1]
        if len(self._observations) < len(rows):
            self._observations = torch.zeros(len(rows), width, dtype=self.dtype)
            self._gradient = np.zeros((len(rows), self.network.n_actions), np.float32)
        gathered = self._observations[: len(rows)]
        torch.index_select(samples.observations, 0, torch.from_numpy(rows), out=gathered)
        return gathered

    def _policy_gradient(
        self,
        samples: Samples,
        rows: NDArray[np.int64],
        logits: Tensor,
        coefs: tuple[float, float],
        totals: NDArray[np.float64],
    ) -> Tensor:
        """Return the gradient of the policy's loss by the logits.

        `coefs` are the worth of entropy and the weight of the teacher's moves.
        """
        ent_coef, teacher_weight = coefs
        own_weight = 1 - teacher_weight
        advantages = samples.advantages[rows]
        choices = samples.choices[rows]
        n_choices = int(np.count_nonzero(choices))
        if self.config.norm_adv and n_choices > 1:
            chosen = advantages[choices]
            advantages = (advantages - chosen.mean()) / (chosen.std() + np.float32(1e-8))
        gradient = self._gradient[: len(rows)]
        magnet_logits = self._magnet_logits(logits, len(rows))

        def differentiate(part: slice) -> NDArray[np.float64]:
            found = np.zeros(kernels.N_TOTALS)
            policy_gradient(
                logits.numpy()[part],
                magnet_logits.numpy()[part],
                rows[part],
                samples.starts,
                samples.legal,
                samples.actions,
                samples.advice,
                samples.log_probabilities,
                own_weight * advantages[part],
                1 / max(n_choices, 1),
                self.config.clip_coef,
                own_weight * ent_coef,
                own_weight * self.config.kl_magnet_coef,
                teacher_weight,
                gradient[part],
                found,
            )
            return found

        run = map if self._threads == 1 else self._pool.map
        for found in run(differentiate, _parts(len(rows), self._threads)):
            totals += found
        return torch.from_numpy(gradient)

    def _magnet_logits(self, logits: Tensor, n: int) -> Tensor:
        """Return the magnet's logits of the gathered observations, if there is a magnet."""
        if self.magnet is None:
            return logits
        with torch.inference_mode(), autocast(self.dtype):
            return self.magnet(self._observations[:n, : self.network.n_observations])[0]

    def _value_loss(self, samples: Samples, rows: NDArray[np.int64], values: Tensor) -> Tensor:
        """Return half the mean squared error of the values."""
        old = torch.from_numpy(samples.values[rows])
        returns = torch.from_numpy(samples.returns[rows])
        errors = (values - returns).square()
        if self.config.clip_vloss:
            clip = self.config.clip_coef
            clipped = old + (values - old).clamp(-clip, clip)
            errors = torch.maximum(errors, (clipped - returns).square())
        return 0.5 * errors.mean()

    def _is_too_far(self, totals: NDArray[np.float64]) -> bool:
        """Tell whether the policy moved too far in an epoch for another one."""
        if self.config.target_kl is None:
            return False
        kl = float(totals[kernels.KL] / max(totals[kernels.CHOICES], 1))
        return kl > self.config.target_kl

    def _move_magnet(self) -> None:
        """Let the magnet follow, every so many updates."""
        self.updates += 1
        if self.magnet is not None and self.updates % self.config.kl_magnet_interval == 0:
            self.magnet.load_state_dict(self.network.state_dict())

    @torch.no_grad()
    def _move_average(self) -> None:
        """Let the average follow; it reaches back a tenth of the updates so far at most."""
        if self.average is None:
            return
        kept = min(self.config.average_decay, max(0.0, 1 - AVERAGED_SHARE / self.updates))
        for mean, newest in zip(self.average.parameters(), self.network.parameters(), strict=True):
            mean.lerp_(newest, 1 - kept)


def _parts(n: int, threads: int) -> list[slice]:
    """Return `n` rows in as many parts as there are threads."""
    borders = np.linspace(0, n, threads + 1).astype(int)
    return [slice(a, b) for a, b in pairwise(borders)]


def _losses(samples: Samples, totals: NDArray[np.float64], value_losses: list[float]) -> Losses:
    """Return the means.

    Raises:
        DivergedError: one of them is no number.
    """
    means = totals / max(totals[kernels.CHOICES], 1)
    returns = samples.returns[samples.rows]
    errors = returns - samples.values[samples.rows]
    spread = float(returns.var())
    losses = Losses(
        policy_loss=float(means[kernels.POLICY_LOSS]),
        value_loss=float(np.mean(value_losses)),
        entropy=float(means[kernels.ENTROPY]),
        old_approx_kl=float(means[kernels.OLD_KL]),
        approx_kl=float(means[kernels.KL]),
        clipfrac=float(means[kernels.CLIPPED]),
        explained_variance=1 - float(errors.var()) / spread if spread > 0 else 0.0,
        magnet_kl=float(means[kernels.MAGNET_KL]),
        teacher_loss=float(means[kernels.TEACHER_LOSS]),
    )
    if not np.isfinite([losses.policy_loss, losses.value_loss, losses.entropy]).all():
        raise DivergedError("a loss is no number any more: try a lower learning_rate")
    return losses
