"""Advantages, by numbers worked out by hand."""

import numpy as np
import pytest

from kitchentable_training.gae import advantages

BLANK = 5


def column(*numbers: float) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    """One game's rows, and the blank one."""
    return np.array([*numbers, 0], np.float32)[:, None]


def estimate(
    rewards: list[float],
    values: list[float],
    links: list[int],
    bootstraps: list[float],
    unused: list[bool],
    gamma: float,
    gae_lambda: float,
) -> list[float]:
    found = advantages(
        column(*rewards),
        column(*values),
        np.array([*links, BLANK], np.int32)[:, None],
        column(*bootstraps),
        np.array([*unused, True])[:, None],
        gamma=gamma,
        gae_lambda=gae_lambda,
    )
    return [float(x) for x in found[:BLANK, 0]]


def test_a_reward_at_the_end_reaches_back_over_own_decisions_only() -> None:
    """Two seats in turn, rows 0 2 4 and 1 3; all is paid at the end, 1 and -1."""
    found = estimate(
        rewards=[0, 0, 0, -1, 1],
        values=[0.5, -0.25, 0.25, -0.5, 0],
        links=[2, 3, 4, BLANK, BLANK],
        bootstraps=[0] * 5,
        unused=[False] * 5,
        gamma=1.0,
        gae_lambda=0.5,
    )
    # Seat 0: deltas -0.25, -0.25, 1. Seat 1: deltas -0.25, -0.5.
    assert found == pytest.approx([-0.25 - 0.125 + 0.25, -0.5, -0.25 + 0.5, -0.5, 1])


def test_discount_counts_own_decisions() -> None:
    found = estimate(
        rewards=[0, 0, 0, 0, 1],
        values=[0] * 5,
        links=[4, BLANK, BLANK, BLANK, BLANK],
        bootstraps=[0] * 5,
        unused=[False] * 5,
        gamma=0.5,
        gae_lambda=1.0,
    )
    assert found == pytest.approx([0.5, 0, 0, 0, 1])


def test_one_seat_acts_three_times_running_and_then_the_other() -> None:
    found = estimate(
        rewards=[1, 0, 2, 0, 4],
        values=[0] * 5,
        links=[1, 2, BLANK, 4, BLANK],
        bootstraps=[0] * 5,
        unused=[False] * 5,
        gamma=1.0,
        gae_lambda=1.0,
    )
    assert found == pytest.approx([3, 2, 2, 4, 4])


def test_what_is_cut_off_goes_by_the_value_that_follows() -> None:
    found = estimate(
        rewards=[0, 0, 0, 0, 0.5],
        values=[0, 0, 0, 0, 0.25],
        links=[BLANK] * 5,
        bootstraps=[0, 0, 0, 0, 2],
        unused=[False] * 5,
        gamma=0.5,
        gae_lambda=1.0,
    )
    assert found[4] == pytest.approx(0.5 + 0.5 * 2 - 0.25)


def test_before_an_unused_decision_its_value_stands_for_all_that_follows() -> None:
    found = estimate(
        rewards=[0, 0, 0, 0, 7],
        values=[1, 0, 0, 0, 3],
        links=[4, BLANK, BLANK, BLANK, BLANK],
        bootstraps=[0] * 5,
        unused=[False, True, True, True, True],
        gamma=1.0,
        gae_lambda=0.9,
    )
    assert found == pytest.approx([3 - 1, 0, 0, 0, 0])
