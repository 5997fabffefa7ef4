"""What would observations in bytes save? Writing them, and reading minibatches of them.

    .venv/bin/python benchmarks/observation_dtype.py

Prints microseconds an observation for float32, bfloat16 and int8: to write it (a kernel that
does nothing else), to gather a shuffled minibatch as the network's input, and for one whole
step of learning (gather, forward, backward, Adam) with a network of 2 x 256.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from rich.console import Console
from rich.table import Table
from torch import Tensor

import kitchentable as kt
from kitchentable.engine.jit import kernel
from kitchentable_training.network import NetworkConfig, PolicyNetwork

N_SAMPLES, N_MINIBATCH, SECONDS = 32_768, 4096, 2.0


@kernel
def write(observations: Any) -> None:
    """Write every entry of every observation."""
    for i in range(observations.shape[0]):
        observations[i] = 1


def microseconds(work: Callable[[], object], n: int) -> float:
    """Return how long `work` takes for each of its `n` observations."""
    work()
    begun, rounds = time.perf_counter(), 0
    while time.perf_counter() - begun < SECONDS:
        work()
        rounds += 1
    return (time.perf_counter() - begun) / rounds / n * 1e6


def main() -> None:
    """Measure and print."""
    game = kt.game("norwegian_rummy")
    size = game.layout.size
    network = PolicyNetwork(NetworkConfig(), size, game.actions.size)
    optimizer = torch.optim.Adam(network.parameters(), fused=True)
    order = torch.randperm(N_SAMPLES)[:N_MINIBATCH]

    def learn(samples: Tensor) -> None:
        inputs = samples.index_select(0, order).to(torch.bfloat16)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits, values = network(inputs)
        optimizer.zero_grad()
        (logits.square().mean() + values.square().mean()).backward()
        optimizer.step()

    table = Table("kept as", "write", "gather as bfloat16", "step of learning", box=None)
    for dtype in (torch.float32, torch.bfloat16, torch.int8):
        samples = torch.zeros((N_SAMPLES, size), dtype=dtype)
        written = "-"
        if dtype != torch.bfloat16:
            array = np.zeros((1024, size), np.int8 if dtype == torch.int8 else np.float32)
            written = f"{microseconds(lambda a=array: write(a), 1024):.3f}"  # type: ignore[misc]
        gathered = microseconds(
            lambda s=samples: s.index_select(0, order).to(torch.bfloat16),  # type: ignore[misc]
            N_MINIBATCH,
        )
        learnt = microseconds(lambda s=samples: learn(s), N_MINIBATCH)  # type: ignore[misc]
        table.add_row(str(dtype), written, f"{gathered:.3f}", f"{learnt:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
