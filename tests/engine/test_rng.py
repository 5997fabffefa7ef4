"""The generator: pinned for all machines, and even enough for cards."""

import numpy as np

from kitchentable.engine import rng
from kitchentable.engine.loops import Generator, generators
from kitchentable.engine.record import dtype_of, new_states


def generator(state: int) -> object:
    made = new_states(dtype_of(Generator), 1)
    made["rng"] = state
    return made[0]


def test_the_stream_is_the_same_on_every_machine() -> None:
    drawn = generator(42)
    assert [rng.below(drawn, 1000) for _ in range(6)] == [741, 159, 278, 344, 38, 868]


def test_numbers_are_even() -> None:
    drawn = generator(7)
    counts = np.bincount([rng.below(drawn, 6) for _ in range(12_000)], minlength=6)
    assert abs(counts - 2000).max() < 5 * np.sqrt(2000 * 5 / 6)


def test_a_shuffle_reaches_every_order_evenly() -> None:
    drawn, counts = generator(3), dict[tuple[int, ...], int]()
    for _ in range(6000):
        cards = np.arange(3, dtype=np.int8)
        rng.shuffle(drawn, cards, 3)
        key = tuple(int(card) for card in cards)
        counts[key] = counts.get(key, 0) + 1
    assert len(counts) == 6
    assert all(abs(count - 1000) < 5 * np.sqrt(1000 * 5 / 6) for count in counts.values())


def test_seeds_follow_from_one_number() -> None:
    assert (rng.seeds(1, 3) == rng.seeds(1, 3)).all()
    assert len({int(seed) for seed in [*rng.seeds(1, 50), *rng.seeds(2, 50)]}) == 100
    assert len(generators(1, 5)) == 5
