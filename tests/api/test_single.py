"""Gymnasium, one game: what the contract tests do not say already."""

import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

import kitchentable as kt
from kitchentable.api.single import SingleAgentEnv
from kitchentable.engine.positions import Positions
from kitchentable.games.testbeds.kuhn_poker.rules import BET, PASS
from kitchentable.opponents import Opponent, OpponentError

KUHN = "kitchentable/KuhnPoker-v0"


class Always(Opponent):
    """Plays one action, and keeps the seats it was asked for."""

    def __init__(self, action: int) -> None:
        self.name = f"always {action}"
        self.play = action
        self.seats: list[int] = []

    def act(
        self, positions: Positions, indices: NDArray[np.int64], actions: NDArray[np.int32]
    ) -> None:
        self.seats += positions.seats[indices].tolist()
        actions[indices] = self.play


class First(Always):
    """Plays the first legal action."""

    def act(
        self, positions: Positions, indices: NDArray[np.int64], actions: NDArray[np.int32]
    ) -> None:
        super().act(positions, indices, actions)
        actions[indices] = positions.masks[indices].argmax(axis=1)


def test_a_reward_that_arrives_while_the_opponent_moves() -> None:
    env = SingleAgentEnv("kuhn_poker", opponents=Always(PASS))
    env.reset(seed=1)
    seen, reward, terminated, truncated, info = env.step(BET)
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert not info["action_mask"].any()
    assert seen.any()


def test_the_opponent_moves_inside_step() -> None:
    env = SingleAgentEnv("kuhn_poker", opponents=Always(BET))
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(PASS)
    assert (reward, terminated) == (0.0, False)
    assert env.game.table(env.position)["phase"] == "face"
    assert info["action_mask"].tolist() == [1, 1]
    assert env.step(PASS)[1:3] == (-1.0, True)


def test_the_second_seat_sees_the_first_ones_move() -> None:
    env = SingleAgentEnv("kuhn_poker", opponents=Always(BET), seat=1)
    seen, _ = env.reset(seed=1)
    assert env.game.table(env.position)["phase"] == "face"
    assert seen[env.game.layout["bet"]] == 1


@pytest.mark.parametrize("seat", range(4))
def test_a_list_of_opponents_sits_clockwise_from_the_learner(seat: int) -> None:
    opponents = [First(0), First(0), First(0)]
    env = SingleAgentEnv("norwegian_rummy", num_players=4, seat=seat, opponents=opponents)
    _, info = env.reset(seed=1)
    for _ in range(20):
        _, _, terminated, _, info = env.step(int(info["action_mask"].argmax()))
        if terminated:
            break
    for step, one in enumerate(opponents, start=1):
        assert set(one.seats) == {(seat + step) % 4}


def test_a_random_seat_is_drawn_for_each_game_and_follows_the_seed() -> None:
    def seats(seed: int) -> list[int]:
        env = SingleAgentEnv("kuhn_poker", seat="random")
        env.reset(seed=seed)
        found = []
        for _ in range(40):
            found.append(env.seat)
            env.reset()
        return found

    assert seats(1) == seats(1) != seats(2)
    assert 8 < sum(seats(1)) < 32


def test_random_opponents_follow_the_seed() -> None:
    env = SingleAgentEnv("kuhn_poker", opponents="random", seat=1)

    def openings() -> list[Any]:
        env.reset(seed=4)
        found = []
        for _ in range(30):
            found.append(env.game.table(env.position)["paid"])
            env.reset()
        return found

    assert openings() == openings()
    assert [1, 1] in openings() and [2, 1] in openings()


def test_games_that_were_never_seeded_differ() -> None:
    one, other = SingleAgentEnv("kuhn_poker"), SingleAgentEnv("kuhn_poker")
    one.reset()
    other.reset()
    assert one.position["rng"][0] != other.position["rng"][0]


def test_losing_by_an_illegal_action_and_playing_on() -> None:
    env = SingleAgentEnv("kuhn_poker", illegal="lose", opponents=Always(PASS))
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(5)
    assert (reward, terminated) == (-1.0, True)
    assert not info["action_mask"].any()
    env.reset()
    assert env.step(BET)[1:3] == (1.0, True)


def test_an_illegal_action_is_refused_by_name() -> None:
    env = SingleAgentEnv("kuhn_poker")
    env.reset(seed=1)
    for action in (2, -1, 2**40, 0.5, None):
        with pytest.raises(kt.IllegalMoveError, match="kuhn_poker"):
            env.step(action)  # type: ignore[arg-type]
    assert env.step(BET)


def test_action_masks_are_in_the_env_itself() -> None:
    env = gymnasium.make(KUHN)
    env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_ and masks.tolist() == [True, True]


def test_gymnasium_checks_it_with_rendering() -> None:
    env = gymnasium.make(KUHN, illegal="random", render_mode="rgb_array").unwrapped
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*Box observation space m..imum value is")
        check_env(env)


def test_rendering_shows_the_learners_view(capsys: pytest.CaptureFixture[str]) -> None:
    env = SingleAgentEnv("kuhn_poker", render_mode="ansi", seat=1)
    env.reset(seed=1)
    assert "player 0: ?" in env.render()
    assert env._repr_html_().startswith("<svg")
    human = SingleAgentEnv("kuhn_poker", render_mode="human", seat=1)
    human.reset(seed=1)
    assert "player 0: ?" in capsys.readouterr().out
    silent = SingleAgentEnv("kuhn_poker")
    silent.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert silent.render() is None


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"seat": 2}, "seat=2"),
        ({"seat": "left"}, "seat='left'"),
        ({"opponents": ["random", "random"]}, "opponents has 2 entries"),
        ({"illegal": "maybe"}, "illegal='maybe'"),
        ({"num_cards": 3}, "'num_cards'"),
        ({"skip_forced": "no"}, "skip_forced='no'"),
    ],
)
def test_bad_options_are_named(options: dict[str, Any], named: str) -> None:
    with pytest.raises(kt.OptionError, match=named):
        gymnasium.make(KUHN, **options)


def test_an_unknown_render_mode_is_named() -> None:
    with pytest.raises(kt.OptionError, match="render_mode='tv'"):
        SingleAgentEnv("kuhn_poker", render_mode="tv")


def test_an_unknown_opponent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(kt.OpponentError):
        gymnasium.make(KUHN, opponents=str(tmp_path / "nobody"))


def test_steps_need_a_running_game() -> None:
    env = SingleAgentEnv("kuhn_poker", opponents="random", illegal="lose")
    with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
        env.step(0)
    env.reset(seed=1)
    env.step(99)
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset()
    env.step(0)


@pytest.mark.parametrize("opponents", [None, 5, ["random", None]])
def test_what_is_no_opponent_is_refused(opponents: Any) -> None:
    with pytest.raises(OpponentError, match=r'an opponent is "random", "scripted"'):
        SingleAgentEnv("kuhn_poker", opponents=opponents)
