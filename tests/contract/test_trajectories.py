"""The same seeds and actions give the same games as they did before, on every machine."""

import json

import pytest

from kitchentable.testing import trajectory_hash
from tests.contract.pin_trajectories import MOVES, PINS, games

GAMES = games()
PINNED = json.loads(PINS.read_text())


def test_every_game_is_pinned() -> None:
    assert list(PINNED) == list(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_trajectories(name: str) -> None:
    assert trajectory_hash(GAMES[name], moves=MOVES) == PINNED[name]


def test_another_seed_is_another_trajectory() -> None:
    game = GAMES["kuhn_poker_v0 2"]
    assert trajectory_hash(game, 0, 50) == trajectory_hash(game, 0, 50)
    assert trajectory_hash(game, 0, 50) != trajectory_hash(game, 1, 50)
