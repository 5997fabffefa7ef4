"""`play_game`."""

import numpy as np
import pytest
from numpy.typing import NDArray

import kitchentable as kt
from kitchentable import kuhn_poker_v0, leduc_poker_v0


def first_legal(observation: NDArray[np.float32], mask: NDArray[np.int8]) -> int:
    return int(mask.argmax())


def test_totals_are_what_was_paid() -> None:
    env = leduc_poker_v0.env()
    totals = kt.play_game(env, "scripted", seed=3)
    game = env.unwrapped.game
    state, paid = game.new(3), np.zeros(2)
    while not game.is_finished(state):
        paid += game.play(state, game.scripted(state))
    assert list(totals.values()) == paid.tolist()
    assert env.agents == []


def test_players_by_seat_by_agent_or_one_for_all() -> None:
    env = kuhn_poker_v0.env()
    by_seat = kt.play_game(env, [first_legal, "random"], seed=3)
    by_agent = kt.play_game(env, {"player_1": "random", "player_0": first_legal}, seed=3)
    assert by_seat == by_agent
    both_pass = kt.play_game(env, first_legal, seed=3)
    assert sorted(both_pass.values()) == [-1.0, 1.0]


@pytest.mark.parametrize("players", [["random"], {"player_0": "random"}, ["random"] * 3])
def test_players_must_fit(players: list[str]) -> None:
    with pytest.raises(ValueError, match="player_0, player_1"):
        kt.play_game(kuhn_poker_v0.env(), players)
