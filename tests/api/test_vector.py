"""Gymnasium, many games: what the contract tests do not say already."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

import kitchentable as kt
from kitchentable.api.vector import SingleAgentVectorEnv
from kitchentable.games.testbeds.kuhn_poker.rules import BET, PASS
from tests.api.test_single import KUHN, Always


def make(**options: Any) -> Any:
    return gymnasium.make_vec(
        KUHN, num_envs=3, vectorization_mode="vector_entry_point", **options
    ).unwrapped


def test_make_vec_takes_the_native_one_and_states_its_mode() -> None:
    env = gymnasium.make_vec(KUHN, num_envs=3)
    assert isinstance(env.unwrapped, SingleAgentVectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert make(autoreset_mode="NextStep").metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert env.observation_space.shape == (3, 7)
    assert env.action_space.shape == (3,)


def test_same_step() -> None:
    env = make(opponents=Always(PASS))
    first, _ = env.reset(seed=1)
    seen, rewards, terminations, truncations, infos = env.step(np.array([BET, PASS, BET]))
    assert rewards[[0, 2]].tolist() == [1, 1]
    assert terminations.all() and not truncations.any()
    assert infos["_final_obs"].all()
    assert not infos["final_info"]["action_mask"].any()
    for i in range(3):
        assert (infos["final_obs"][i][:3] == first[i][:3]).all()
    assert infos["action_mask"].all()
    assert (seen[:, env.game.layout["checked"]] == 0).all()


def test_next_step() -> None:
    env = make(opponents=Always(PASS), autoreset_mode=AutoresetMode.NEXT_STEP)
    first, _ = env.reset(seed=1)
    seen, rewards, terminations, _, infos = env.step(np.array([BET, BET, BET]))
    assert terminations.all() and rewards.tolist() == [1, 1, 1]
    assert (seen[:, :3] == first[:, :3]).all()
    assert infos["action_mask"].all() and env.action_masks().all()
    _, rewards, terminations, _, _ = env.step(np.array([99, 99, 99]))
    assert not terminations.any() and not rewards.any()


def test_games_are_cut_off_and_start_anew() -> None:
    for mode in ("SameStep", "NextStep"):
        env = gymnasium.make_vec(
            "kitchentable/LeducPoker-v0",
            num_envs=2,
            vectorization_mode="vector_entry_point",
            max_episode_steps=1,
            autoreset_mode=mode,
        )
        env.reset(seed=3)
        for _ in range(5):
            _, _, terminations, truncations, infos = env.step(np.array([1, 1]))
            if mode == "SameStep":
                assert (terminations ^ truncations).all()
                assert infos["_final_obs"].all()
            assert not (terminations & truncations).any()


def test_seeds_one_for_all_or_one_each() -> None:
    env = make()
    one, _ = env.reset(seed=5)
    each, _ = env.reset(seed=[5, 6, 7])
    assert (one == each).all()
    with pytest.raises(ValueError, match="2 seeds for 3 games"):
        env.reset(seed=[1, 2])
    states = env._games.states["rng"].copy()
    env.reset(seed=[None, 6, None])
    assert env._games.states["rng"][0] != states[0]


def test_games_that_were_never_seeded_differ() -> None:
    one, other = make(), make()
    one.reset()
    other.reset()
    assert len({*one._games.states["rng"], *other._games.states["rng"]}) == 6


def test_illegal_actions() -> None:
    env = make()
    env.reset(seed=1)
    with pytest.raises(kt.IllegalMoveError, match="game 1: kuhn_poker: seat 0 "):
        env.step(np.array([0, 7, 0]))
    for actions in (np.array([0.0, 1.0, 0.0]), np.array([0, 0]), 0):
        with pytest.raises(kt.IllegalMoveError, match="actions are 3 whole numbers"):
            env.step(actions)
    env = make(illegal="lose", opponents=Always(PASS))
    env.reset(seed=1)
    _, rewards, terminations, _, infos = env.step(np.array([BET, 7, BET]))
    assert rewards.tolist() == [1, -1, 1] and terminations.all()
    assert infos["action_mask"].all()


def test_what_is_shown_belongs_to_the_caller() -> None:
    env = make()
    first, infos = env.reset(seed=1)
    kept, mask = first.copy(), infos["action_mask"].copy()
    env.step(np.array([BET, BET, BET]))
    assert (first == kept).all() and (infos["action_mask"] == mask).all()


def test_random_seats() -> None:
    env = gymnasium.make_vec(
        KUHN, num_envs=64, vectorization_mode="vector_entry_point", seat="random"
    ).unwrapped
    assert isinstance(env, SingleAgentVectorEnv)
    env.reset(seed=1)
    assert 16 < env.seats.sum() < 48


def test_rendering() -> None:
    env = make(render_mode="ansi", seat=1)
    env.reset(seed=1)
    frames = env.render()
    assert len(frames) == 3 and all("player 0: ?" in text for text in frames)
    assert make().render() is None


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"autoreset_mode": "Disabled"}, "autoreset_mode='Disabled'"),
        ({"autoreset_mode": AutoresetMode.DISABLED}, "autoreset_mode='Disabled'"),
        ({"max_episode_steps": 0}, "max_episode_steps=0"),
        ({"seat": 9}, "seat=9"),
    ],
)
def test_bad_options_are_named(options: dict[str, Any], named: str) -> None:
    with pytest.raises(kt.OptionError, match=named):
        make(**options)


def test_steps_need_games() -> None:
    env = SingleAgentVectorEnv(2, game="kuhn_poker", opponents="random")
    with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
        env.step(np.zeros(2, np.int64))
