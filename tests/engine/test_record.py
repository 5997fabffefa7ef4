"""State records: fields by attribute, no gaps, no names that NumPy keeps for itself."""

from typing import Annotated

import pytest

from kitchentable.engine.record import Int8, Int8Array, UInt64, dtype_of, new_states


class Base:
    phase: Int8
    rng: UInt64


class State(Base):
    hands: Annotated[Int8Array, (2, 3)]


def test_fields_of_the_base_come_first() -> None:
    names = [name for name in dtype_of(State).names or () if not name.startswith("gap_")]
    assert names == ["phase", "rng", "hands"]


def test_every_byte_belongs_to_a_field() -> None:
    dtype = dtype_of(State)
    assert dtype.fields is not None
    assert sum(field[0].itemsize for field in dtype.fields.values()) == dtype.itemsize


def test_fields_read_as_attributes() -> None:
    states = new_states(dtype_of(State), 2)
    states[1].hands[1, 2] = 7
    assert states["hands"][1, 1, 2] == 7
    assert states[0].hands.sum() == 0


def test_a_name_of_numpy_is_refused() -> None:
    class Shadowing:
        round: Int8

    with pytest.raises(TypeError, match="'round'"):
        dtype_of(Shadowing)
