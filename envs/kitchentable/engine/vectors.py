"""Writing many counts at once: the inner loops of observations as single vector operations.

LLVM unrolls a loop over the cards of a pack long before it looks for vectors, and then may not
reorder what is left, as it cannot know that a state and an observation are different memory.
These functions say so: they are several times as fast as the loops that they stand for.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic, overload

from kitchentable.engine.record import Float32Array


def add_counts(out: Float32Array, at: int, counts: Any, n: int, scale: np.float32) -> None:
    """Add `counts[0] * scale` .. `counts[n - 1] * scale` to `out` from `at` on.

    Args:
        out: float32, contiguous.
        at: where to begin.
        counts: whole numbers of shape (n,) or more, contiguous; no part of `out`.
        n: how many; a constant of a module.
        scale: of type float32.
    """
    for i in range(n):
        out[at + i] += counts[i] * scale


def add_flags(out: Float32Array, at: int, counts: Any, n: int) -> None:
    """Add 1 to `out[at]` .. `out[at + n - 1]` where `counts[0]` .. `counts[n - 1]` are above 0.

    Args:
        out: float32, contiguous.
        at: where to begin.
        counts: whole numbers of shape (n,) or more, contiguous; no part of `out`.
        n: how many; a constant of a module.
    """
    for i in range(n):
        out[at + i] += counts[i] > 0


def _compile_counts(out: Any, at: Any, counts: Any, n: Any, scale: Any) -> Callable[..., None]:
    def in_turn(out: Any, at: Any, counts: Any, n: Any, scale: Any) -> None:
        for i in range(n):
            out[at + i] += counts[i] * scale

    def at_once(out: Any, at: Any, counts: Any, n: Any, scale: Any) -> None:
        _add_vector(out, at, counts, n, scale)

    return at_once if _is_vector(counts, n) else in_turn


def _compile_flags(out: Any, at: Any, counts: Any, n: Any) -> Callable[..., None]:
    def in_turn(out: Any, at: Any, counts: Any, n: Any) -> None:
        for i in range(n):
            out[at + i] += counts[i] > 0

    def at_once(out: Any, at: Any, counts: Any, n: Any) -> None:
        _add_vector(out, at, counts, n, None)

    return at_once if _is_vector(counts, n) else in_turn


def _is_vector(counts: Any, n: Any) -> bool:
    """Tell whether one operation can do it; where indices are checked, a loop does."""
    return (
        isinstance(n, types.IntegerLiteral)
        and isinstance(counts, types.Array)
        and counts.layout == "C"
        and not config.BOUNDSCHECK
    )


def _vector(typing: Any, out: Any, at: Any, counts: Any, n: Any, scale: Any) -> Any:
    """Add counts times scale, or flags if there is no scale."""
    length = n.literal_value
    whole = ir.VectorType(ir.IntType(counts.dtype.bitwidth), length)
    floats = ir.VectorType(ir.FloatType(), length)
    lanes = ir.VectorType(ir.IntType(32), length)
    is_flag = isinstance(scale, types.NoneType)

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target = context.make_array(out)(context, builder, arguments[0])
        source = context.make_array(counts)(context, builder, arguments[2])
        found = builder.load(
            builder.bitcast(source.data, whole.as_pointer()), align=counts.dtype.bitwidth // 8
        )
        if is_flag:
            positive = builder.icmp_signed(">", found, ir.Constant(whole, None))
            added = builder.uitofp(positive, floats)
        else:
            blank = ir.Constant(floats, ir.Undefined)
            first = builder.insert_element(blank, arguments[4], ir.IntType(32)(0))
            scales = builder.shuffle_vector(first, blank, ir.Constant(lanes, None))
            added = builder.fmul(builder.sitofp(found, floats), scales)
        place = builder.bitcast(builder.gep(target.data, [arguments[1]]), floats.as_pointer())
        builder.store(builder.fadd(builder.load(place, align=4), added), place, align=4)
        return context.get_dummy_value()

    factor = types.none if is_flag else types.float32
    return types.void(out, types.intp, counts, n, factor), build


_add_vector = intrinsic(prefer_literal=True)(_vector)
overload(add_counts, prefer_literal=True)(_compile_counts)
overload(add_flags, prefer_literal=True)(_compile_flags)
