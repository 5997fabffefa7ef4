"""Games of the kernels and of the oracle, with every number of seats and options at random."""

import random
from typing import Any

import pytest

from kitchentable.engine.jit import COMPILED
from tests.games.side_by_side import play_side_by_side

from . import oracle

N_GAMES = 2000 if COMPILED else 6
"""Random games in all; without compiling a handful."""
WHOLE_GAMES = 0.05
"""Share of games of several deals, the others are single deals."""
N_PARTS = 20


def options_of(number: int) -> dict[str, Any]:
    """Return options for a game: every seat count and contract in turn, the rest at random."""
    rng = random.Random(number)
    options: dict[str, Any] = {
        "num_players": 2 + number % 4,
        "return_discard": rng.random() < 0.6,
        "turn_cap": rng.choice([1, 3, 10, 20, 20, 60]),
    }
    if rng.random() < WHOLE_GAMES:
        first = rng.randint(1, 14)
        options |= {
            "start_contract": first,
            "last_contract": rng.randint(first, min(first + 2, 14)),
        }
        if rng.random() < 0.5:
            options["deal_cap"] = rng.randint(1, 4)
    elif rng.random() < 0.1:
        options |= {"episode": "deal", "start_contract": rng.randint(1, 7), "last_contract": 9}
    else:
        options |= {"episode": "deal", "deal": 1 + number // 4 % 14}
    return options


@pytest.mark.slow
@pytest.mark.parametrize("part", range(N_PARTS))
def test_kernels_play_like_the_oracle(part: int) -> None:
    moves = [
        play_side_by_side("frustration_rummy", oracle, options_of(number), number)
        for number in range(part, N_GAMES, N_PARTS)
    ]
    assert not moves or sum(moves) > len(moves)
