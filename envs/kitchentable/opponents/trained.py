"""Trained opponents: a checkpoint, run by whichever backend is installed.

A backend is a class registered under the entry point group of `BACKENDS`. So this package
never imports torch, and whoever has another way to run a network can add it.
"""

from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

from kitchentable.games import GAMES, TESTBEDS
from kitchentable.opponents.base import Opponent, OpponentError
from kitchentable.opponents.checkpoint import Checkpoint, previous_of, read_checkpoint

BACKENDS = "kitchentable.policy_backends"
"""The entry point group."""


class PolicyBackend(Protocol):
    """What runs the network of a checkpoint; made without arguments."""

    def load(self, checkpoint: Checkpoint, seed: int) -> Opponent:
        """Return the policy as an opponent that checks every game it is given.

        It draws its actions, or takes the likeliest, as `checkpoint.greedy` says.

        Raises:
            OpponentError: the weights do not fit the network.
        """


def load(folder: Path, seed: int = 0, *, greedy: bool | None = None) -> Opponent:
    """Return the trained opponent of a checkpoint's folder.

    Args:
        folder: of the checkpoint.
        seed: of its lots.
        greedy: whether it takes its likeliest action; None: as the checkpoint says.

    Raises:
        OpponentError: it is not a sound checkpoint, or nothing is installed to run it.
    """
    checkpoint = find_checkpoint(folder)
    if greedy is not None:
        checkpoint = replace(checkpoint, greedy=greedy)
    return find_backend().load(checkpoint, seed)


def find_checkpoint(folder: Path) -> Checkpoint:
    """Return the checkpoint that a user means.

    Raises:
        OpponentError: it is not a sound checkpoint; for a word that is no folder, saying
            what there is.
    """
    if not folder.exists() and len(folder.parts) == 1 and not previous_of(folder).exists():
        raise OpponentError(_no_such(folder.name))
    return read_checkpoint(folder)


def find_backend() -> PolicyBackend:
    """Return the first backend that can be imported.

    Raises:
        OpponentError: there is none.
    """
    missing = []
    for entry in sorted(entry_points(group=BACKENDS), key=lambda entry: entry.name):
        try:
            backend: type[PolicyBackend] = entry.load()
        except ImportError as error:
            missing.append(f"{entry.name}: {error}")
        else:
            return backend()
    reasons = f" ({'; '.join(missing)})" if missing else ""
    raise OpponentError(
        f"nothing is installed that runs trained opponents{reasons}: "
        'pip install "kitchentable[train]"'
    )


def _no_such(name: str) -> str:
    """Say what a single word that is no folder might have been meant for."""
    if name in GAMES or name in TESTBEDS:
        return f"no trained policy for {name} is shipped: give the folder of a checkpoint"
    return f'unknown opponent {name!r}: give "random", "scripted" or the folder of a checkpoint'
