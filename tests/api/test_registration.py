"""The names under which PettingZoo and Gymnasium know the games."""

import inspect
import pickle
import subprocess
import sys
from importlib import import_module

import gymnasium
import pettingzoo
import pytest

import kitchentable as kt
from kitchentable import kuhn_poker_v0
from kitchentable.api.aec import OrderedEnv, RawEnv
from kitchentable.api.registration import versions
from kitchentable.games import spec

ALL = kt.GAMES + kt.TESTBEDS


def test_every_game_has_a_module_of_its_version() -> None:
    assert versions() == {name: spec(name).version for name in sorted(ALL)}


@pytest.mark.parametrize("name", ALL)
def test_ways_to_a_game(name: str) -> None:
    module = import_module(f"kitchentable.{name}_v{spec(name).version}")
    assert getattr(kt, f"{name}_v{spec(name).version}") is module
    assert isinstance(module.raw_env(), RawEnv)
    made = pettingzoo.make("aec", f"kitchentable/{name}-v{spec(name).version}")
    for env in (module.env(), made):
        assert isinstance(env, OrderedEnv)
        assert env.unwrapped.game.name == name


@pytest.mark.parametrize(
    ("gymnasium_id", "name"),
    [
        ("kitchentable/NorwegianRummy-v0", "norwegian_rummy"),
        ("kitchentable/KuhnPoker-v0", "kuhn_poker"),
    ],
)
def test_gymnasium_ids(gymnasium_id: str, name: str) -> None:
    env = gymnasium.make(gymnasium_id)
    assert env.get_wrapper_attr("game").name == name


def test_a_version_that_is_not_there_is_named() -> None:
    with pytest.raises(ImportError, match="no kuhn_poker_v7: this release has kuhn_poker_v0"):
        from kitchentable import kuhn_poker_v7  # noqa: F401
    with pytest.raises(ImportError, match="kuhn_poker_v0"):
        kt.kuhn_poker_v7  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'chess_v0'"):
        kt.chess_v0  # noqa: B018
    with pytest.raises(gymnasium.error.VersionNotFound, match="v0"):
        gymnasium.make("kitchentable/KuhnPoker-v7")


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_importing_the_package_imports_neither_numba_nor_a_game() -> None:
    code = (
        "import sys, kitchentable; print([m for m in sys.modules if 'numba' in m or '.games' in m])"
    )
    assert run(code) == "[]\n"


def test_importing_the_package_registers_the_games() -> None:
    code = """
import gymnasium, kitchentable
env = gymnasium.make("kitchentable/KuhnPoker-v0", opponents="scripted")
env.reset(seed=1)
print(env.step(1)[0].shape)
"""
    assert run(code) == "(7,)\n"


def test_a_pettingzoo_without_a_registry_is_served() -> None:
    code = """
import importlib.util, sys
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if "env_registry" in name else found(name, *rest)
import pettingzoo
from kitchentable import kuhn_poker_v0
kuhn_poker_v0.env().reset()
print([name for name in pettingzoo.aec_registry if "kuhn" in name])
"""
    assert run(code) == "[]\n"


def test_the_functions_of_a_module_have_help_and_can_be_pickled() -> None:
    for function in (kuhn_poker_v0.env, kuhn_poker_v0.raw_env):
        assert "illegal: what an illegal action does" in str(inspect.getdoc(function))
        assert pickle.loads(pickle.dumps(function)) is function
