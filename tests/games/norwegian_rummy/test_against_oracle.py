"""Play the kernels and the oracle side by side: everything is compared after every move."""

import json
import random
from typing import Any

import pytest

import kitchentable as kt
from kitchentable.engine.jit import COMPILED

from .oracle import Oracle, new_deal_is_valid, view

N_GAMES = 2000 if COMPILED else 4
"""Random games in all; without compiling a handful."""
WHOLE_GAMES = 0.04
"""Share of games of seven deals, the others are single deals."""
VIEWED = 0.1
"""Share of positions in which every seat's view is compared, too."""
N_PARTS = 20


def random_options(rng: random.Random, number: int) -> dict[str, Any]:
    """Return options for a game: every seat count in turn, the rest at random."""
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


def canonical(value: Any) -> str:
    """Return JSON in which 1 and true differ and keys have no order."""
    return json.dumps(value, sort_keys=True)


def without_rng(table: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key != "rng"}


def play_side_by_side(number: int) -> int:
    """Play one game with both; return how many moves it had."""
    rng = random.Random(number)
    game = kt.game("norwegian_rummy", **random_options(rng, number))
    winning = kt.game("norwegian_rummy", reward="win", **game.options)
    state = game.new(seed=number)
    twin = winning.from_table(game.table(state))
    table = without_rng(game.table(state))
    new_deal_is_valid(table)
    oracle = Oracle.from_table(table)
    # Random play seldom lays anything down; the script gets to melds, laying off, and the end.
    scripted = rng.choice([0.0, 0.5, 0.8, 0.95])
    n_moves = 0
    while not game.is_finished(state):
        moves = game.legal_moves(state)
        assert sorted(map(canonical, moves)) == sorted(map(canonical, oracle.legal_moves()))
        if rng.random() < scripted:
            move = game.move(state, game.scripted(state))
        else:
            move = rng.choice(moves)
        rewards, win = game.play(state, move), winning.play(twin, move)
        table = without_rng(game.table(state))
        expected = oracle.play(move, table)
        assert canonical(table) == canonical(oracle.table())
        assert rewards.tolist() == pytest.approx(expected, abs=1e-5)
        assert win.tolist() == pytest.approx(oracle.win_rewards, abs=1e-5)
        if rng.random() < VIEWED:
            for seat in range(game.num_players):
                assert canonical(game.view(state, seat)) == canonical(view(table, seat))
        n_moves += 1
    assert oracle.legal_moves() == []
    return n_moves


@pytest.mark.slow
@pytest.mark.parametrize("part", range(N_PARTS))
def test_kernels_play_like_the_oracle(part: int) -> None:
    moves = [play_side_by_side(number) for number in range(part, N_GAMES, N_PARTS)]
    assert not moves or sum(moves) > len(moves)
