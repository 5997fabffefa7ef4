"""Games of the kernels and of the oracle, with every number of seats and options at random."""

import random
from typing import Any

import pytest

from kitchentable.engine.jit import COMPILED
from tests.games.side_by_side import play_side_by_side

from . import oracle

N_GAMES = 2000 if COMPILED else 12
"""Random games in all; without compiling a handful."""
WHOLE_GAMES = 0.05
"""Share of games of several deals, the others are single deals."""
N_PARTS = 20


def options_of(number: int) -> dict[str, Any]:
    """Return options for a game: every seat count in turn, the rest at random."""
    rng = random.Random(number)
    options: dict[str, Any] = {
        "num_players": 2 + number % 11,
        "scoring": rng.choice(["points", "counters"]),
        "signpost_extra": rng.random() < 0.4,
        "win_rule": rng.randint(1, 3),
        "deals": rng.choice([1, 2, 5]),
        "deal_cap": rng.choice([1, 12, 12]),
        "takeback_free": rng.random() < 0.4,
        "turn_cap": rng.choice([1, 2, 5, 10, 30]),
        "return_discard": rng.random() < 0.6,
    }
    if rng.random() >= WHOLE_GAMES:
        options["episode"] = "deal"
    else:
        options["turn_cap"] = rng.choice([3, 30, 30])
    return options


@pytest.mark.slow
@pytest.mark.parametrize("part", range(N_PARTS))
def test_kernels_play_like_the_oracle(part: int) -> None:
    moves = [
        play_side_by_side("potter_rummy", oracle, options_of(number), number)
        for number in range(part, N_GAMES, N_PARTS)
    ]
    assert not moves or sum(moves) > len(moves)
