"""PettingZoo: what the contract tests do not say already."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import kitchentable as kt
from kitchentable import kuhn_poker_v0
from kitchentable.api.aec import OrderedEnv, RawEnv
from kitchentable.games.testbeds.kuhn_poker.rules import BET, PASS


def env_with_cards(first: str, second: str, **options: Any) -> OrderedEnv:
    """Return a Kuhn poker environment in which the seats hold these cards."""
    env = kuhn_poker_v0.env(**options)
    for seed in range(100):
        env.reset(seed=seed)
        hands = env.unwrapped.game.table(env.unwrapped.position)["hands"]
        if hands == [[first], [second]]:
            return env
    raise AssertionError("no such deal")


def test_rewards_arrive_for_the_seat_that_does_not_act() -> None:
    env = env_with_cards("K", "Q")
    env.step(BET)
    env.step(BET)
    assert env.rewards == {"player_0": 2.0, "player_1": -2.0}
    told = {}
    for agent in env.agent_iter():
        _, told[agent], termination, truncation, _ = env.last()
        assert termination is True and truncation is False
        env.step(None)
    assert told == {"player_0": 2.0, "player_1": -2.0}


def test_observation_of_a_seat_that_does_not_act() -> None:
    env = env_with_cards("J", "K")
    waiting = env.observe("player_1")
    assert waiting["observation"].tolist() == [0, 0, 1, 0, 1, 0, 0]
    assert waiting["action_mask"].tolist() == [0, 0]
    assert env.observe("player_0")["action_mask"].tolist() == [1, 1]


def test_what_is_shown_belongs_to_the_caller() -> None:
    env = env_with_cards("J", "K")
    shown = env.observe("player_0")
    shown["observation"][:] = 9
    shown["action_mask"][:] = 9
    env.infos["player_0"]["action_mask"][:] = 9
    assert env.observe("player_0")["observation"].max() == 1
    env.step(PASS)
    assert env.agent_selection == "player_1"


def test_losing_by_an_illegal_action() -> None:
    env = kuhn_poker_v0.env(illegal="lose")
    env.reset(seed=1)
    env.step(PASS)
    env.step(7)
    assert env.rewards == {"player_0": 0.0, "player_1": -1.0}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.agent_selection == "player_0"
    assert not env.observe("player_1")["action_mask"].any()


def test_a_random_action_in_place_of_an_illegal_one_follows_the_seed() -> None:
    def tables(seed: int) -> list[Any]:
        env = kuhn_poker_v0.env(illegal="random")
        found = []
        for _ in range(30):
            env.reset(seed=seed)
            env.step(-5)
            found.append(env.unwrapped.game.table(env.unwrapped.position)["paid"])
            seed += 1
        return found

    assert tables(0) == tables(0)
    assert [1, 1] in tables(0) and [2, 1] in tables(0)


@pytest.mark.parametrize("action", [None, 0.5, "pass", np.array([0])])
def test_what_is_no_number_is_refused(action: Any) -> None:
    env = kuhn_poker_v0.env(illegal="lose")
    env.reset(seed=1)
    with pytest.raises(kt.IllegalMoveError, match="player_0 must play a whole number"):
        env.step(action)


@pytest.mark.parametrize("action", [1, np.int8(1), np.int64(1), np.array(1), True])
def test_any_whole_number_is_an_action(action: Any) -> None:
    env = kuhn_poker_v0.env()
    env.reset(seed=1)
    env.step(action)
    assert env.unwrapped.game.table(env.unwrapped.position)["phase"] == "face"


def test_a_game_without_a_seed_follows_from_the_last() -> None:
    def hands(seed: int) -> list[Any]:
        env = kuhn_poker_v0.env()
        env.reset(seed=seed)
        found = []
        for _ in range(12):
            found.append(env.unwrapped.game.table(env.unwrapped.position)["hands"])
            env.reset()
        return found

    assert hands(1) == hands(1) != hands(2)


def test_games_that_were_never_seeded_differ() -> None:
    def generator() -> Any:
        env = kuhn_poker_v0.env()
        env.reset()
        return env.unwrapped.position["rng"][0]

    assert generator() != generator()


def test_a_seeded_reset_keeps_every_option() -> None:
    env = kuhn_poker_v0.env(episode="deal", reward="win")
    before = env.unwrapped.game.options
    env.reset(seed=5)
    table = env.unwrapped.game.table(env.unwrapped.position)
    assert table["options"] == before
    assert table["options"]["episode"] == "deal"
    for _ in env.agent_iter():
        env.step(None if env.last()[2] else BET)
    env.reset(seed=5)
    assert env.unwrapped.game.table(env.unwrapped.position) == table


def test_copies_before_the_first_reset() -> None:
    env = kuhn_poker_v0.env()
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env.clone()):
        twin.reset(seed=3)
        assert twin.agent_selection == "player_0"
    with pytest.raises(AttributeError, match="before reset"):
        env.agent_selection  # noqa: B018


def test_a_copy_goes_its_own_way() -> None:
    env = kuhn_poker_v0.env()
    env.reset(seed=3)
    twin = env.clone()
    twin.step(BET)
    assert env.agent_selection == "player_0" and twin.agent_selection == "player_1"


def test_bytes_of_another_game_are_refused() -> None:
    kuhn, leduc = RawEnv("kuhn_poker"), RawEnv("leduc_poker")
    other = RawEnv("kuhn_poker", episode="deal")
    win = RawEnv("kuhn_poker", reward="win")
    for env in (kuhn, leduc, other, win):
        env.reset(seed=1)
    before = kuhn.to_bytes()
    for data, reason in [
        (leduc.to_bytes(), "no position of kuhn_poker_v0"),
        (b"", "no position"),
        (before[:-1], "no position"),
        (before[:60] + bytes([before[60] ^ 1]) + before[61:], "no position"),
        (other.to_bytes(), "option episode is 'game' here but 'deal' there"),
        (win.to_bytes(), "option reward"),
    ]:
        with pytest.raises(ValueError, match=reason):
            kuhn.from_bytes(data)
    assert kuhn.to_bytes() == before


def test_a_game_lost_by_an_illegal_action_is_restored_as_lost() -> None:
    env = kuhn_poker_v0.env(illegal="lose")
    env.reset(seed=1)
    env.step(9)
    twin = env.clone()
    assert twin.terminations == {"player_0": True, "player_1": True}
    assert not twin.observe("player_0")["action_mask"].any()
    told = {}
    for agent in twin.agent_iter():
        told[agent] = twin.last()[1]
        twin.step(None)
    assert told == {"player_0": -1.0, "player_1": 0.0}


def test_metadata() -> None:
    env = kuhn_poker_v0.env()
    assert env.metadata == {
        "name": "kuhn_poker_v0",
        "render_modes": ["human", "ansi", "rgb_array", "svg"],
        "is_parallelizable": False,
        "render_fps": 2,
    }
    assert str(env) == "kuhn_poker_v0"
    assert env.possible_agents == ["player_0", "player_1"]


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    shown = {}
    for mode in ("ansi", "svg", "rgb_array"):
        env = kuhn_poker_v0.env(render_mode=mode)
        env.reset(seed=1)
        shown[mode] = env.render()
    assert shown["ansi"].startswith("Kuhn poker")
    assert shown["svg"].startswith("<svg")
    assert shown["rgb_array"].shape[2] == 3
    assert capsys.readouterr().out == ""
    env = kuhn_poker_v0.env(render_mode="human")
    env.reset(seed=1)
    assert capsys.readouterr().out == shown["ansi"] + "\n"
    env.step(PASS)
    assert "Kuhn poker" in capsys.readouterr().out
    assert env.render() is None


def test_rendering_as_a_seat_hides_the_rest() -> None:
    env = kuhn_poker_v0.env(render_mode="ansi", render_seat=1)
    env.reset(seed=1)
    assert "player 0: ?" in env.render()
    assert "player 1: ?" not in env.render()


def test_rendering_without_a_mode_warns() -> None:
    env = kuhn_poker_v0.env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert env.render() is None


def test_notebooks() -> None:
    env = kuhn_poker_v0.env()
    assert "not reset" in env._repr_html_()
    env.reset(seed=1)
    assert env._repr_html_().startswith("<svg")
    assert env.unwrapped._repr_html_() == env._repr_html_()


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"illegal": "cheat"}, "illegal='cheat'"),
        ({"render_mode": "tv"}, "render_mode='tv'"),
        ({"render_seat": 2}, "render_seat=2"),
        ({"reward": "gold"}, "reward='gold'"),
        ({"num_player": 2}, "did you mean 'num_players'"),
        ({"num_players": 7}, "num_players=7"),
    ],
)
def test_bad_options_are_named(options: dict[str, Any], named: str) -> None:
    with pytest.raises(kt.OptionError, match=named):
        kuhn_poker_v0.env(**options)


def test_order_of_calls_is_minded() -> None:
    env = kuhn_poker_v0.env()
    for early in (lambda: env.step(0), lambda: env.observe("player_0"), env.render):
        with pytest.raises(AssertionError, match="reset"):
            early()


def test_a_raw_game_must_be_reset_first() -> None:
    with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
        RawEnv("kuhn_poker").step(0)
