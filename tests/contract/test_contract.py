"""Every game of the registry keeps the contract, for every number of seats."""

import pytest

from kitchentable.engine.game import Game
from kitchentable.games import GAMES, TESTBEDS, spec
from kitchentable.testing import CHECKS, Check, check_signatures

ALL = GAMES + TESTBEDS
SEATINGS = [(name, seats) for name in ALL for seats in spec(name).seat_counts]


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
    game = Game(spec(name))
    for check in CHECKS:
        if "environment" not in check.__module__:
            check(game)
    check_signatures(game)
