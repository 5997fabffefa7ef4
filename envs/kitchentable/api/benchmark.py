"""Measurements of speed: what `kitchentable bench` prints."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from kitchentable.api.batch import Batch
from kitchentable.engine.jit import kernel
from kitchentable.engine.loops import generators, random_actions

GAMES_AT_ONCE = 1024


@kernel
def _floor(masks: Any, observations: Any) -> None:
    """Write masks and observations, and do nothing else."""
    for i in range(masks.shape[0]):
        masks[i] = 1
        observations[i] = 1


def measure(name: str, *, seconds: float = 2.0, **options: Any) -> dict[str, Any]:
    """Return decisions a second of a game, one thread and all, the floor, and the AEC loop."""
    cores = os.cpu_count() or 1
    one, floor = _paired(Batch(name, GAMES_AT_ONCE, threads=1, **options), seconds)
    every, _ = _paired(Batch(name, GAMES_AT_ONCE, threads=cores, **options), seconds)
    return {
        "game": name,
        "decisions_a_second_one_thread": one,
        "floor_a_second": floor,
        "ratio_to_floor": one / floor,
        "threads": cores,
        "decisions_a_second_all_threads": every,
        "aec_decisions_a_second": measure_aec(name, seconds, **options),
    }


def _paired(batch: Batch, seconds: float) -> tuple[float, float]:
    """Return decisions a second of the batch and of the floor, timed in turn."""
    chosen = np.zeros(len(batch), np.int32)
    luck = generators(1, len(batch))
    masks, observations = np.zeros_like(batch.masks), np.zeros_like(batch.observations)

    def choose() -> None:
        random_actions(batch.masks, luck, chosen)

    def step() -> None:
        batch.step(chosen)

    def floor() -> None:
        _floor(masks, observations)

    for warm_up in range(200):
        choose()
        step()
        if warm_up == 0:
            floor()
    spent, floor_spent, steps = 0.0, 0.0, 0
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        choose()
        spent += _timed(step)
        floor_spent += _timed(floor)
        steps += 1
    batch.close()
    return steps * len(batch) / spent, steps * len(batch) / floor_spent


def _timed(work: Callable[[], None]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def measure_aec(name: str, seconds: float = 2.0, **options: Any) -> float:
    """Return decisions a second of PettingZoo's own loop, the choice of actions included."""
    from kitchentable.api.aec import env as make_env

    env = make_env(name, **options)
    rng = np.random.default_rng(0)
    _play_aec(env, rng, seed=0)  # loads what is compiled
    decisions, spent, seed = 0, 0.0, 1
    while spent < seconds:
        begun = time.perf_counter()
        decisions += _play_aec(env, rng, seed)
        spent += time.perf_counter() - begun
        seed += 1
    return decisions / spent


def _play_aec(env: Any, rng: np.random.Generator, seed: int) -> int:
    """Play one game at random as PettingZoo's documents do; return how many decisions it had."""
    decisions = 0
    env.reset(seed=seed)
    for _ in env.agent_iter(max_iter=2**31):
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
            continue
        legal = observation["action_mask"].nonzero()[0]
        env.step(int(legal[int(rng.random() * len(legal))]))
        decisions += 1
    return decisions


_START = """
import sys, time
begun = time.perf_counter()
import numpy as np
import kitchentable as kt
imported = time.perf_counter() - begun
batch = kt.Batch({name!r}, games=1)
decisions = 0
while decisions < 1000:
    batch.step(np.array([batch.masks[0].argmax()]))
    decisions += 1
print(imported, time.perf_counter() - begun)
"""


def measure_starts(name: str) -> dict[str, Any]:
    """Return seconds from process start to the first 1,000 decisions, cold and warm."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        cold, _ = _start(name, environment)
        warm, imported = min(_start(name, environment) for _ in range(3))
    return {
        "cold_start_seconds": cold,
        "warm_start_seconds": warm,
        "of_which_import_seconds": imported,
    }


def _start(name: str, environment: dict[str, str]) -> tuple[float, float]:
    begun = time.perf_counter()
    command = [sys.executable, "-c", _START.format(name=name)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    whole = time.perf_counter() - begun
    return whole, float(done.stdout.split()[0])
