"""Play the kernels and an oracle side by side: everything is compared after every move."""

import json
import random
from types import ModuleType
from typing import Any, Protocol

import pytest

import kitchentable as kt

Table = dict[str, Any]
Move = dict[str, Any]

VIEWED = 0.1
"""Share of positions in which every seat's view is compared, too."""
SCRIPTED = (0.0, 0.5, 0.8, 0.95)
"""Shares of moves by the script, one of them for each game: random play seldom gets far."""


class Oracle(Protocol):
    """A game's rules once more, from its table to its table."""

    win_rewards: list[float]
    """By seat: what the last move brought when rewards are paid for winning."""

    def legal_moves(self) -> list[Move]:
        """Return every legal move as JSON, in any order; none once the game is over."""

    def play(self, move: Move, after: Table) -> list[float]:
        """Play a move, and return the rewards by seat when points are paid.

        `after` is the table that the other implementation came to. Of it the oracle may
        believe what chance decided, after checking that it is possible, and nothing else.
        """

    def table(self) -> Table:
        """Return the table, without `rng`."""


def canonical(value: Any) -> str:
    """Return JSON in which 1 and true differ and keys have no order."""
    return json.dumps(value, sort_keys=True)


def without_rng(table: Table) -> Table:
    return {key: value for key, value in table.items() if key != "rng"}


def play_side_by_side(name: str, oracles: ModuleType, options: Table, seed: int) -> int:
    """Play one game with both; return how many moves it had.

    `oracles` is a game's `oracle.py`: it has `Oracle.from_table(table)`, `view(table, seat)`,
    and `new_deal_is_valid(table)`, which asserts that a game can begin so.
    """
    rng = random.Random(seed)
    game = kt.game(name, **options)
    winning = kt.game(name, reward="win", **game.options)
    state = game.new(seed=seed)
    twin = winning.from_table(game.table(state))
    table = without_rng(game.table(state))
    oracles.new_deal_is_valid(table)
    oracle: Oracle = oracles.Oracle.from_table(table)
    scripted = rng.choice(SCRIPTED)
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
                assert canonical(game.view(state, seat)) == canonical(oracles.view(table, seat))
        n_moves += 1
    assert oracle.legal_moves() == []
    return n_moves
