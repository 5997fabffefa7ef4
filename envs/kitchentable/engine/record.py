"""Game states of fixed size, declared once as a class of annotated fields."""

from typing import Annotated, Any, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

Int8 = Annotated[int, np.int8]
Int16 = Annotated[int, np.int16]
Int32 = Annotated[int, np.int32]
UInt64 = Annotated[Any, np.uint64]
Int8Array = NDArray[np.int8]
Int16Array = NDArray[np.int16]
Int32Array = NDArray[np.int32]
Float32Array = NDArray[np.float32]


def dtype_of(fields: type) -> np.dtype[np.void]:
    """Return the record dtype that the annotations of `fields` describe, in order.

    A scalar field is `Annotated[int, np.int8]` (`Int8` for short); an array field is
    `Annotated[Int8Array, shape]`. Fields of base classes come first.

    Raises:
        TypeError: a field has the name of a method of NumPy's records, such as `round`, and
            could not be read without compiling.
    """
    layout: list[Any] = []
    for name, hint in get_type_hints(fields, include_extras=True).items():
        if hasattr(np.record, name):
            raise TypeError(f"no field can be called {name!r}: NumPy's records have such a method")
        base, detail = get_args(hint)[:2]
        if isinstance(detail, tuple):
            scalar = get_args(get_args(base)[1])[0]
            layout.append((name, scalar, detail))
        else:
            layout.append((name, detail))
    return _without_gaps(np.dtype(layout, align=True))


def _without_gaps(dtype: np.dtype[np.void]) -> np.dtype[np.void]:
    """Return the dtype with fields where alignment leaves bytes unused.

    NumPy copies a record field by field: bytes of no field would keep what was in memory
    before, and equal states would be saved as different bytes.
    """
    layout: list[Any] = []
    end = 0
    for name in (*(dtype.names or ()), None):
        field, start = dtype.fields[name][:2] if name and dtype.fields else (None, dtype.itemsize)
        if start > end:
            layout.append((f"gap_{end}", np.int8, (start - end,)))
        if field is not None:
            layout.append((name, field))
            end = start + field.itemsize
    return np.dtype(layout, align=True)


def new_states(dtype: np.dtype[np.void], n: int) -> Any:
    """Return `n` zeroed states; shape (n,). Fields read as attributes, JIT or not."""
    return np.zeros(n, dtype).view(np.recarray)
