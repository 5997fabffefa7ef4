"""The environments keep PettingZoo's and Gymnasium's contracts, and the game's."""

import contextlib
import copy
import io
import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from pettingzoo.test import api_test, render_test, seed_test

from kitchentable.api import aec
from kitchentable.api.batch import ILLEGAL_REWARD
from kitchentable.api.play import play_game
from kitchentable.api.single import SingleAgentEnv
from kitchentable.api.vector import SingleAgentVectorEnv
from kitchentable.engine.game import Game, IllegalMoveError
from kitchentable.testing.walks import arguments, games, record

_MOVES = 400
_ENVS = 5
_ROUNDING = 1e-4
_HARMLESS = (
    "Observation space for each agent probably should be",
    "Observation is not a NumPy array",
    "Action mask numpy array is all zeros",
    ".*Box observation space m..imum value is",
)
"""What the checkers say of any dict with a mask, of the mask of a seat that is not to act,
and of observations without bounds."""


def check_protocol(game: Game) -> None:
    """Through PettingZoo a game is the game: seats, masks, rewards, flags and end."""
    for seed, turns in games(game, 51, 60, _MOVES):
        env = aec.env(**arguments(game))
        env.reset(seed=seed)
        owed = dict.fromkeys(env.possible_agents, 0.0)
        for state, action in turns:
            _check_shown(game, env, state)
            if action < 0:
                continue
            agent = env.agent_selection
            told = env.last()[1]
            assert abs(told - owed[agent]) < _ROUNDING, f"{agent} is told {told}"
            rewards = game.play(game.copy(state), action).tolist()
            env.step(np.int64(action))
            assert list(env.rewards.values()) == rewards, f"{env.rewards} is not {rewards}"
            owed[agent] = 0.0
            owed = {a: o + r for (a, o), r in zip(owed.items(), rewards, strict=True)}
        if game.is_finished(turns[-1].state):
            _check_farewell(env, owed)


def check_pettingzoo(game: Game) -> None:
    """PettingZoo's own tests of interface, seeds and rendering."""
    given = arguments(game)
    with _quiet():
        for skip_forced in (False, True):
            api_test(aec.env(**given, skip_forced=skip_forced), num_cycles=100)
        seed_test(lambda: aec.env(**given), num_cycles=100)
        seen = {"svg": lambda drawn: drawn.startswith("<svg"), "ansi": bool}
        render_test(lambda render_mode: aec.env(**given, render_mode=render_mode), seen)


def check_illegal_in_environments(game: Game) -> None:
    """An illegal action is refused, lost, or replaced; then a whole game can be played."""
    for mode in ("raise", "lose", "random"):
        env = aec.env(**arguments(game), illegal=mode)
        env.reset(seed=52)
        offender = env.agent_selection
        if mode == "raise":
            _check_refused(env)
        else:
            env.step(game.actions.size)
        lost = {a: ILLEGAL_REWARD * (a == offender) for a in env.possible_agents}
        if mode == "lose":
            assert all(env.terminations.values()), "the game must end for all"
            assert env.rewards == lost, f"the offender alone must lose, not {env.rewards}"
            _check_farewell(env, lost)
        env.reset(seed=53)
        totals = play_game(env, "scripted", seed=53)
        again = play_game(aec.env(**arguments(game)), "scripted", seed=53)
        assert totals == again, "an illegal action is remembered in the next game"
        assert env.agents == [], "agents are left"


def check_copies_of_environments(game: Game) -> None:
    """Copied, pickled or saved at any move, an environment goes on alike."""
    for wrapped in (True, False):
        env = aec.env(**arguments(game)) if wrapped else aec.RawEnv(**arguments(game))
        env.reset(seed=54)
        for state, action in record(game, 54, 0.5, 60):
            if action < 0 and not game.is_finished(state):
                break
            for twin in _twins(env):
                _check_same(env, twin)
                if env.agents:
                    choice = None if env.terminations[env.agent_selection] else action
                    once_more = env.clone()
                    twin.step(choice)
                    once_more.step(choice)
                    _check_same(once_more, twin)
            if env.agents:
                env.step(action if action >= 0 else None)


def check_gymnasium(game: Game) -> None:
    """Gymnasium's own test, and the learner is paid all that its seat is paid."""
    for seat in (0, game.num_players - 1, "random"):
        for illegal in ("random", "lose"):
            env = SingleAgentEnv(
                **arguments(game), seat=seat, illegal=illegal, opponents="random", skip_forced=True
            )
            with _quiet():
                check_env(env, skip_render_check=True)
    for seat in range(game.num_players):
        _check_learner(game, seat)


def check_vector_environment(game: Game) -> None:
    """Many games at once are what Gymnasium makes of single ones, in both autoreset modes."""
    for mode in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP):
        for seat in (game.num_players - 1, "random"):
            given = {**arguments(game), "seat": seat, "illegal": "random"}
            vector = SingleAgentVectorEnv(_ENVS, **given, autoreset_mode=mode)
            makers = [lambda given=given: SingleAgentEnv(**given)] * _ENVS
            _check_vector(vector, SyncVectorEnv(makers, autoreset_mode=mode))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Make every warning of the checkers but the harmless ones an error, and print nothing."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("error", DeprecationWarning)
        for message in _HARMLESS:
            warnings.filterwarnings("ignore", message)
        yield


def _check_shown(game: Game, env: Any, state: Any) -> None:
    """Every agent is shown the position, and only who is to act has a mask."""
    seat = game.to_act(state)
    for number, agent in enumerate(env.possible_agents):
        shown = env.observe(agent)
        own = game.mask(state) if number == seat else np.zeros(game.actions.size)
        assert (shown["observation"] == game.observe(state, number)).all(), f"{agent} sees wrong"
        assert (shown["action_mask"] == own).all(), f"the mask of {agent} is wrong"
        assert (env.infos[agent]["action_mask"] == own).all(), f"the info of {agent} is wrong"
        assert env.observation_space(agent).contains(shown), "out of bounds"
    assert (env.state() == game.privileged(state)).all(), "state() is not the privileged view"
    assert env.state_space.contains(env.state()), "state() is out of bounds"
    if seat is not None:
        assert env.agent_selection == env.possible_agents[seat], "another agent is to act"
        assert not any(env.terminations.values()), "over for some while the game runs"


def _check_farewell(env: Any, totals: dict[str, float]) -> None:
    """All seats end together, each is told what it was paid last, and steps off."""
    assert env.agents == env.possible_agents, "an agent left before the end"
    assert all(value is True for value in env.terminations.values()), "not over for all"
    assert not any(env.truncations.values()), "cut off"
    for agent in env.agent_iter():
        shown, reward, termination, _, _ = env.last()
        assert termination and not shown["action_mask"].any(), "a dead agent may move"
        assert abs(reward - totals[agent]) < _ROUNDING, f"{agent} is told {reward}"
        env.step(None)
    assert env.agents == [], "agents are left"


def _check_refused(env: Any) -> None:
    raw = env.unwrapped
    before = raw.to_bytes()
    for action in (-1, raw.game.actions.size, None, 0.5):
        try:
            env.step(action)
        except IllegalMoveError as error:
            assert raw.game.name in str(error) and "\n" not in str(error), f"unclear: {error}"
            assert raw.to_bytes() == before, "a refused action changes the game"
        else:
            raise AssertionError(f"{action} was played")


def _twins(env: Any) -> Iterator[Any]:
    yield copy.deepcopy(env)
    yield pickle.loads(pickle.dumps(env))
    yield env.clone()
    saved = aec.RawEnv(**env.unwrapped._arguments)
    saved.from_bytes(env.unwrapped.to_bytes())
    yield saved


def _check_same(env: Any, twin: Any) -> None:
    one, other = env.unwrapped, twin.unwrapped
    assert one is not other, "a copy is the thing itself"
    assert one.to_bytes() == other.to_bytes(), "a copy is in another position"
    for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "agent_selection"):
        assert getattr(one, name) == getattr(other, name), f"a copy has another {name}"
    for agent in one.agents:
        seen, again = one.observe(agent), other.observe(agent)
        assert all((seen[key] == again[key]).all() for key in seen), "a copy shows another thing"
        mask, own = one.infos[agent]["action_mask"], other.infos[agent]["action_mask"]
        assert (mask == own).all(), "a copy has another info"


def _check_learner(game: Game, seat: int) -> None:
    """The learner playing the script among scripts is paid what its seat is paid."""
    state, total = game.new(55), np.zeros(game.num_players)
    while not game.is_finished(state):
        total += game.play(state, game.scripted(state))
    env = SingleAgentEnv(**arguments(game), seat=seat)
    shown, info = env.reset(seed=55)
    earned, over = 0.0, False
    while not over:
        position = env.position
        assert game.to_act(position) == seat, "it is not the learner's move"
        assert (shown == game.observe(position, seat)).all(), "the learner sees wrong"
        assert (info["action_mask"] == env.action_masks()).all(), "two masks"
        assert (env.action_masks() == game.mask(position)).all(), "the mask is wrong"
        shown, reward, over, cut, info = env.step(game.scripted(position))
        assert not cut and type(over) is bool, "flags"
        earned += float(reward)
    assert game.table(env.position) == game.table(state), "another game was played"
    assert abs(earned - total[seat]) < _ROUNDING, f"earned {earned}, not {total[seat]}"


def _check_vector(vector: gymnasium.vector.VectorEnv[Any, Any, Any], single: SyncVectorEnv) -> None:
    lots = np.random.default_rng(56)
    seen, infos = vector.reset(seed=56)
    other, other_infos = single.reset(seed=56)
    over = np.zeros(_ENVS, np.bool_)
    for _ in range(_MOVES // 4):
        masks, running = infos["action_mask"], ~over
        assert (seen == other).all(), "observations differ"
        assert (masks == other_infos["action_mask"])[running].all(), "masks differ"
        assert masks.any(axis=1).all(), "a mask without an action"
        actions = (masks * lots.random(masks.shape)).argmax(axis=1)
        seen, *results, infos = vector.step(actions)
        other, *expected, other_infos = single.step(actions)
        for result, same in zip(results, expected, strict=True):
            assert (result == same).all(), f"{result} is not {same}"
            assert result.dtype == same.dtype, f"{result.dtype} is not {same.dtype}"
        next_step = vector.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
        over = (results[1] | results[2]) if next_step else over
        _check_final(infos, other_infos)


def _check_final(infos: dict[str, Any], expected: dict[str, Any]) -> None:
    """What is told of games that have ended is what Gymnasium tells."""
    assert set(infos) == set(expected), f"{set(infos)} is not {set(expected)}"
    if "final_obs" not in infos:
        return
    assert (infos["_final_obs"] == expected["_final_obs"]).all(), "other games have ended"
    for i in np.flatnonzero(infos["_final_obs"]):
        assert (infos["final_obs"][i] == expected["final_obs"][i]).all(), "another last look"
        mask, same = (told["final_info"]["action_mask"][i] for told in (infos, expected))
        assert (mask == same).all(), "another last mask"
