"""Games of the kernels and of the oracle, with every number of seats and options at random."""

import random
from typing import Any

import pytest

from kitchentable.engine.jit import COMPILED
from tests.games.side_by_side import play_side_by_side

from . import oracle

N_GAMES = 2000 if COMPILED else 20
"""Random games in all; without compiling a handful."""
WHOLE_GAMES = 0.25
"""Share of games of several deals, the others are single deals."""
N_PARTS = 20


def options_of(number: int) -> dict[str, Any]:
    """Return options for a game: every seat count in turn, the rest at random."""
    rng = random.Random(number)
    seats = 2 + number % 3
    options: dict[str, Any] = {
        "num_players": seats,
        "decks": rng.randint(1, 2) if seats == 2 else 2,
        "teams": seats == 4 and rng.random() < 0.5,
        "copies": rng.choice([1, 2, 4, 4, 4]),
        "animal_copies": rng.choice([1, 1, 2, 4]),
        "wolves": rng.choice([0, 2, 2, 4]),
        "target": rng.choice([1, 20, 50]),
        "turn_cap": rng.choice([1, 2, 5, 60, 60, 60]),
        "deal_cap": rng.choice([1, 2, 5, 30]),
        "return_discard": rng.random() < 0.6,
    }
    options["piggy_pileup"] = options["decks"] == 2 and rng.random() < 0.5
    if rng.random() >= WHOLE_GAMES:
        options["episode"] = "deal"
    return options


@pytest.mark.slow
@pytest.mark.parametrize("part", range(N_PARTS))
def test_kernels_play_like_the_oracle(part: int) -> None:
    moves = [
        play_side_by_side("luau_rummy", oracle, options_of(number), number)
        for number in range(part, N_GAMES, N_PARTS)
    ]
    assert not moves or sum(moves) > len(moves)
