"""Checkpoints for tests."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

import kitchentable as kt
from kitchentable.engine.game import Game
from kitchentable_training.checkpoint import save_checkpoint
from kitchentable_training.network import NetworkConfig, PolicyNetwork

CONFIG = NetworkConfig(hidden=(16,), activation="tanh", separate_critic=True, skip=True)


def make_network(game: Game, seed: int = 0) -> PolicyNetwork:
    """Return a network with decided opinions (fresh ones are nearly uniform)."""
    torch.manual_seed(seed)
    network = PolicyNetwork(CONFIG, game.layout.size, game.actions.size)
    with torch.no_grad():
        network.policy_head.weight.mul_(200)
    return network


def make_checkpoint(folder: Path, game: Game | None = None, **more: Any) -> Path:
    """Write a checkpoint; of Leduc poker unless a game is given."""
    played = game or kt.game("leduc_poker")
    save_checkpoint(folder, make_network(played), CONFIG, played, **more)
    return folder


def edit(folder: Path, change: Callable[[Any], None]) -> None:
    """Change what `policy.json` says."""
    path = folder / "policy.json"
    policy = json.loads(path.read_text())
    change(policy)
    path.write_text(json.dumps(policy))
