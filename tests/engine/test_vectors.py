"""Vector operations against the loops that they stand for."""

from typing import Any

import numpy as np
import pytest

from kitchentable.engine.jit import kernel
from kitchentable.engine.record import Float32Array
from kitchentable.engine.vectors import add_counts, add_flags

N = 17
SCALE = np.float32(0.25)


@kernel
def add_both(counts: Any, at: int, out: Float32Array) -> None:
    add_counts(out, at, counts, N, SCALE)
    add_counts(out, at, counts, N - 4, -SCALE)
    add_flags(out, at + N, counts, N)


def expected(counts: Any, at: int, out: Float32Array) -> Float32Array:
    result = out.copy()
    result[at : at + N] += counts * SCALE
    result[at : at + N - 4] -= counts[: N - 4] * SCALE
    result[at + N : at + 2 * N] += counts > 0
    return result


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64])
@pytest.mark.parametrize("at", [0, 3])
def test_they_add_what_loops_add(dtype: Any, at: int) -> None:
    generator = np.random.default_rng(at)
    counts = generator.integers(-3, 100, N).astype(dtype)
    out = generator.integers(0, 9, at + 2 * N).astype(np.float32)
    told = expected(counts, at, out)
    add_both(counts, at, out)
    assert (out == told).all()


def test_columns_of_an_array_are_added_one_by_one() -> None:
    counts = np.arange(3 * N, dtype=np.int8).reshape(N, 3)[:, 1]
    out = np.zeros(2 * N, np.float32)
    told = expected(counts, 0, out)
    add_both(counts, 0, out)
    assert (out == told).all()
