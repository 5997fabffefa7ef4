"""The network that plays and values: one body, a head for the policy, one for the value."""

from collections.abc import Callable
from math import sqrt
from typing import Literal, cast

import torch
from pydantic import BaseModel, ConfigDict, Field, PositiveInt
from torch import Tensor, nn

_ACTIVATIONS: dict[str, Callable[[], nn.Module]] = {
    "relu": nn.ReLU,
    "tanh": nn.Tanh,
    "silu": nn.SiLU,
    "gelu": nn.GELU,
}
_POLICY_GAIN = 0.01
"""Small first logits: training starts from nearly uniform play."""


class NetworkConfig(BaseModel):
    """The shape of a network."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    hidden: tuple[PositiveInt, ...] = Field(default=(256, 256), max_length=16)
    """Width of each hidden layer."""
    activation: Literal["relu", "tanh", "silu", "gelu"] = "relu"
    """What each hidden layer ends in: relu, tanh, silu or gelu."""
    layer_norm: bool = False
    """Normalise each hidden layer before its activation."""
    separate_critic: bool = False
    """Give the value hidden layers of its own instead of the policy's."""
    skip: bool = False
    """Add a linear map of the observation to the logits: for observations that judge actions."""


class PolicyNetwork(nn.Module):
    """A feed-forward policy and critic.

    Args:
        config: the shape.
        n_observations: floats in an observation.
        n_actions: actions of the game.
    """

    def __init__(self, config: NetworkConfig, n_observations: int, n_actions: int) -> None:
        super().__init__()
        self.config = config
        self.n_observations = n_observations
        self.n_actions = n_actions
        width = config.hidden[-1] if config.hidden else n_observations
        self.body = _hidden_layers(config, n_observations)
        separate = config.separate_critic
        self.critic_body = _hidden_layers(config, n_observations) if separate else None
        self.policy_head = _linear(width, n_actions, _POLICY_GAIN)
        self.value_head = _linear(width, 1, 1.0)
        self.skip = nn.Linear(n_observations, n_actions, bias=False) if config.skip else None
        if self.skip is not None:
            nn.init.zeros_(self.skip.weight)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits (n, actions) and values (n,), both float32.

        Args:
            observations: float32 of shape (n, observation size).
        """
        hidden = self.body(observations)
        critic = hidden if self.critic_body is None else self.critic_body(observations)
        logits = self.policy_head(hidden)
        if self.skip is not None:
            logits = logits + self.skip(observations)
        values = self.value_head(critic).squeeze(-1)
        return logits.float(), values.float()

    def __call__(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Run `forward`; declared for its types."""
        return cast(tuple[Tensor, Tensor], super().__call__(observations))


class PrivilegedCritic(nn.Module):
    """Values positions knowing what is hidden; it helps in training and plays no game.

    Args:
        config: the shape; what it says of critics does not matter.
        n_inputs: floats of the game's privileged view.
    """

    def __init__(self, config: NetworkConfig, n_inputs: int) -> None:
        super().__init__()
        width = config.hidden[-1] if config.hidden else n_inputs
        self.body = _hidden_layers(config, n_inputs)
        self.head = _linear(width, 1, 1.0)

    def forward(self, everything: Tensor) -> Tensor:
        """Return values (n,), float32.

        Args:
            everything: privileged views, float32 of shape (n, n_inputs).
        """
        values: Tensor = self.head(self.body(everything)).squeeze(-1)
        return values.float()

    def __call__(self, everything: Tensor) -> Tensor:
        """Run `forward`; declared for its types."""
        return cast(Tensor, super().__call__(everything))


def masked_log_probabilities(logits: Tensor, masks: Tensor) -> Tensor:
    """Return the log-probabilities of all actions, float32 of shape (n, actions).

    Illegal actions have the lowest float32, so that their probability is exactly 0 and no
    product with it is NaN.

    Args:
        logits: of shape (n, actions).
        masks: of the same shape, not 0 where an action is legal; a row needs one at least.
    """
    lowest = torch.finfo(torch.float32).min
    legal = masks if masks.dtype == torch.bool else masks != 0
    masked = torch.where(legal, logits.float(), lowest)
    return torch.log_softmax(masked, dim=-1).clamp(min=lowest)


def _hidden_layers(config: NetworkConfig, n_inputs: int) -> nn.Sequential:
    layers: list[nn.Module] = []
    for width in config.hidden:
        layers.append(_linear(n_inputs, width, sqrt(2)))
        if config.layer_norm:
            layers.append(nn.LayerNorm(width))
        layers.append(_ACTIVATIONS[config.activation]())
        n_inputs = width
    return nn.Sequential(*layers)


def _linear(n_inputs: int, n_outputs: int, gain: float) -> nn.Linear:
    """Return a layer with orthogonal weights, no bias to begin with."""
    layer = nn.Linear(n_inputs, n_outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer
