import numpy as np
import pytest

import kitchentable as kt
from kitchentable.engine.positions import Positions
from kitchentable.opponents.simple import RandomOpponent, ScriptedOpponent

LEDUC = kt.game("leduc_poker")


def test_an_opponent_is_made_from_a_word() -> None:
    assert isinstance(kt.opponent("random"), RandomOpponent)
    assert isinstance(kt.opponent("scripted"), ScriptedOpponent)
    made = kt.opponent("random")
    assert kt.opponent(made) is made


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rondom", 'unknown opponent \'rondom\': give "random", "scripted" or the folder'),
        ("leduc_poker", "no trained policy for leduc_poker is shipped: give the folder"),
        ("some/where", "some/where: there is no such folder"),
    ],
)
def test_an_unknown_opponent_is_refused(name: str, message: str) -> None:
    with pytest.raises(kt.OpponentError, match=message):
        kt.opponent(name)


@pytest.mark.parametrize("name", ["random", "scripted"])
def test_it_acts_only_where_it_is_asked(name: str) -> None:
    positions = Positions(LEDUC, LEDUC.new_batch(20, seed=2))
    positions.look()
    actions = np.full(20, -7, np.int32)
    asked = np.arange(0, 20, 2)
    kt.opponent(name).act(positions, asked, actions)
    assert (actions[1::2] == -7).all()
    assert all(positions.masks[i, actions[i]] for i in asked)


def test_random_plays_every_legal_action_about_as_often() -> None:
    state = LEDUC.new()
    LEDUC.play(state, {"move": "raise"})
    opponent = RandomOpponent(seed=1)
    counts = np.bincount([opponent.action(LEDUC, state) for _ in range(3000)], minlength=3)
    assert (np.abs(counts - 1000) < 120).all()


def test_random_follows_its_seed() -> None:
    state = LEDUC.new()
    plays = [[RandomOpponent(seed).action(LEDUC, state) for seed in range(20)] for _ in range(2)]
    assert plays[0] == plays[1]
    assert len(set(plays[0])) == 2


def test_a_move_is_json() -> None:
    assert kt.opponent("scripted").move(LEDUC, LEDUC.new(seed=0))["move"] in ("call", "raise")
