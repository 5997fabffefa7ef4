"""Every game of the registry keeps the contract, from the fewest to the most seats."""

import pytest

from kitchentable.engine.game import Game
from kitchentable.games import GAMES, TESTBEDS, spec
from kitchentable.testing import (
    CHECKS,
    Check,
    check_batch_is_single_games,
    check_bytes,
    check_copies_of_environments,
    check_illegal_in_batches,
    check_illegal_in_environments,
    check_seeds,
    check_signatures,
    check_tables,
    check_threads,
    check_truncation,
    check_vector_environment,
)

ALL = GAMES + TESTBEDS
MOST_SEATINGS = 5


def seatings(name: str) -> list[int]:
    """The numbers of seats that a game is tested with: of very many some, the fewest and most."""
    counts = list(spec(name).seat_counts)
    if len(counts) <= MOST_SEATINGS:
        return counts
    return [*counts[:2], counts[len(counts) // 2], counts[-1]]


SEATINGS = [(name, seats) for name in ALL for seats in seatings(name)]


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize(("name", "seats"), SEATINGS)
def test_contract(name: str, seats: int, check: Check) -> None:
    check(Game(spec(name), num_players=seats))


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", ALL)
def test_contract_of_single_deals(name: str, check: Check) -> None:
    check(Game(spec(name), episode="deal"))


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_nothing_is_compiled_twice(name: str) -> None:
    """In one process, after calls of everything that is compiled."""
    game = Game(spec(name))
    for check in (
        check_bytes,
        check_tables,
        check_seeds,
        check_batch_is_single_games,
        check_threads,
        check_truncation,
        check_illegal_in_batches,
        check_illegal_in_environments,
        check_copies_of_environments,
        check_vector_environment,
    ):
        check(game)
    game.resample(game.new(1), 0, seed=1)
    check_signatures(game)
