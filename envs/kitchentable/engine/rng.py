"""Random numbers from a state's own `rng` field: same stream compiled or not."""

from typing import Any

import numpy as np

from kitchentable.engine.jit import kernel

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@kernel
def mix(value: Any) -> Any:
    """Return the uint64 `value` well mixed (splitmix64; Steele, Lea and Flood, 2014)."""
    z = value + _GAMMA
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return z ^ (z >> np.uint64(31))


@kernel
def below(state: Any, n: int) -> int:
    """Return a whole number 0 .. n-1 and move the generator on."""
    state.rng += _GAMMA
    z = state.rng
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return int(((z >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@kernel
def shuffle(state: Any, items: Any, n: int) -> None:
    """Put the first `n` of `items` into a uniformly random order (Fisher, Yates)."""
    for last in range(n - 1, 0, -1):
        other = below(state, last + 1)
        items[last], items[other] = items[other], items[last]


def seeds(seed: int, n: int) -> Any:
    """Return `n` generator states that follow from `seed`; uint64 of shape (n,).

    Raises:
        ValueError: the seed is no whole number of 0 or more.
    """
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or seed < 0:
        raise ValueError(f"seed must be a whole number, 0 at least, not {seed!r}")
    sequence = np.random.SeedSequence(seed)
    return sequence.generate_state(n, np.uint64)
