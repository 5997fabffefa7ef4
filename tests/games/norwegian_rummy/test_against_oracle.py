"""Games of the kernels and of the oracle, with every number of seats and options at random."""

import random
from typing import Any

import pytest

from kitchentable.engine.jit import COMPILED
from tests.games.side_by_side import play_side_by_side

from . import oracle

N_GAMES = 2000 if COMPILED else 4
"""Random games in all; without compiling a handful."""
WHOLE_GAMES = 0.04
"""Share of games of seven deals, the others are single deals."""
N_PARTS = 20


def options_of(number: int) -> dict[str, Any]:
    """Return options for a game: every seat count in turn, the rest at random."""
    rng = random.Random(number)
    seats = 2 + number % 5
    fewest = 1 if 11 * seats + 1 <= 54 else 2
    options: dict[str, Any] = {
        "num_players": seats,
        "max_buys": rng.randint(0, 3),
        "joker_ratio": rng.random() < 0.6,
        "return_discard": rng.random() < 0.6,
        "turn_cap": rng.choice([1, 3, 10, 60, 60, 60]),
    }
    if rng.random() < 0.5:
        options["decks"] = rng.randint(fewest, 3)
    if rng.random() >= WHOLE_GAMES:
        options["episode"] = "deal"
        options["deal"] = rng.choice([None, *range(1, 8)])
    return options


@pytest.mark.slow
@pytest.mark.parametrize("part", range(N_PARTS))
def test_kernels_play_like_the_oracle(part: int) -> None:
    moves = [
        play_side_by_side("norwegian_rummy", oracle, options_of(number), number)
        for number in range(part, N_GAMES, N_PARTS)
    ]
    assert not moves or sum(moves) > len(moves)
