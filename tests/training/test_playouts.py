"""What decisions gain by playouts."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from kitchentable import Batch, Game
from kitchentable.opponents import Opponent
from kitchentable.opponents.simple import RandomOpponent, ScriptedOpponent
from kitchentable_training.playouts import MAX_SEED, Playouts
from kitchentable_training.rollout import Rollout
from kitchentable_training.seating import Seating

GAMES = [
    ("leduc_poker", {}),
    ("norwegian_rummy", {"num_players": 3, "episode": "deal"}),
    ("luau_rummy", {"num_players": 4, "episode": "deal"}),
]
N = 40


def make(
    name: str,
    options: dict[str, Any],
    guests: list[Opponent],
    *,
    number: int = 3,
    threads: int = 1,
) -> Rollout:
    """Return a rollout measured by playouts; half of its games have a guest, if there is one."""
    batch = Batch(name, N, seed=4, skip_forced=True, **options)
    generator = torch.Generator().manual_seed(5)
    shares = [0.5 / len(guests)] * len(guests) if guests else []
    seating = Seating(N, batch.game.num_players, guests, shares, generator)
    playouts = Playouts(batch, number, generator, threads)
    return Rollout(batch, seating, 6, generator=generator, playouts=playouts)


class Uniform:
    """All actions alike."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __call__(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        n = len(observations)
        return torch.zeros(n, self.game.actions.size), torch.zeros(n)


def played_out(game: Game, state: Any) -> list[float]:
    """Return what each seat gets when the script plays on: one move after the other."""
    paid = np.zeros(game.num_players)
    state = game.copy(state)
    while not game.is_finished(state):
        paid += game.play(state, game.scripted(state))
    return list(paid)


def expected_gain(game: Game, state: Any, action: int) -> float:
    """Return what one pair of playouts finds, one move after the other."""
    seat = game.to_act(state)
    assert seat is not None
    after = game.copy(state)
    paid = game.play(after, action)[seat]
    return float(paid + played_out(game, after)[seat] - played_out(game, state)[seat])


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_gains_are_those_of_the_game_played_on(name: str, options: dict[str, Any]) -> None:
    rollout = make(name, options, [])
    batch = rollout.batch
    game = batch.game
    rollout.collect(Uniform(game))
    before = batch.states.copy()
    games = np.flatnonzero(np.count_nonzero(batch.masks, axis=1) > 1)
    actions = np.zeros(N, np.int32)
    actions[games] = [np.flatnonzero(batch.masks[i])[-1] for i in games]
    several = Playouts(batch, 4, torch.Generator().manual_seed(8), threads=2)
    means = several.gains(games, actions)
    seeds = torch.randint(MAX_SEED, (len(games), 4), generator=torch.Generator().manual_seed(8))
    one = Playouts(batch, 1, torch.Generator(), threads=2).gains(games, actions)
    for j, i in enumerate(games):
        state = before[i : i + 1]
        assert one[j] == pytest.approx(expected_gain(game, state, actions[i]), abs=1e-5)
        found = [one[j]]
        for seed in seeds.numpy()[j, 1:].astype(np.uint64):
            dealt = game.copy(state)
            seats = np.array([game.to_act(state)], np.int32)
            game.spec.loops.resample(dealt, seats, np.array([seed]))
            found.append(expected_gain(game, dealt, actions[i]))
        assert means[j] == pytest.approx(np.mean(found), abs=1e-5)
    assert batch.states.tobytes() == before.tobytes(), "playouts play copies"


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_what_the_script_would_do_gains_nothing(name: str, options: dict[str, Any]) -> None:
    rollout = make(name, options, [])
    batch = rollout.batch

    def script(observations: Tensor) -> tuple[Tensor, Tensor]:
        actions = np.zeros(N, np.int32)
        ScriptedOpponent().act(batch, np.arange(N), actions)
        logits = torch.zeros(N, batch.game.actions.size)
        logits[torch.arange(N), torch.from_numpy(actions).long()] = 100.0
        return logits, torch.zeros(N)

    ended = 0
    for _ in range(10):
        rollout.collect(script)
        ended += len(rollout.episodes.lengths)
        assert not rollout.gains.any()
        assert not rollout.samples(1.0, 0.9, 0.5).advantages.any()
    assert ended > 0


@pytest.mark.parametrize("guests", [0, 1, 2])
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_advantages_add_up_a_seats_gains(name: str, options: dict[str, Any], guests: int) -> None:
    visitors = [ScriptedOpponent(), RandomOpponent(1)][:guests]
    rollout = make(name, options, visitors)
    batch = rollout.batch
    uniform = Uniform(batch.game)
    checked = 0
    for _ in range(60):
        rollout.collect(uniform)
        samples = rollout.samples(1.0, 0.9, 1.0)
        shape = rollout.gains.shape
        advantages = samples.advantages.reshape(shape)
        used = np.zeros(shape, np.bool_)
        used.reshape(-1)[samples.rows] = True
        # With a factor of 1 an advantage is the sum of the gains from there on.
        for row in rollout.steps:
            for i in np.flatnonzero(used[row]):
                total, at = 0.0, row
                while used[at, i]:
                    total += rollout.gains[at, i]
                    at = rollout.links[at, i]
                assert advantages[row, i] == pytest.approx(total, abs=1e-4)
        checked += int(used.sum())
    assert checked > 100


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_only_the_learners_departures_are_measured(name: str, options: dict[str, Any]) -> None:
    found = []
    for threads in (1, 3):
        guests: list[Opponent] = [ScriptedOpponent(), RandomOpponent(1)]
        rollout = make(name, options, guests, threads=threads)
        for _ in range(8):
            rollout.collect(Uniform(rollout.batch.game))
            assert not rollout.gains[~(rollout.played & rollout.choices)].any()
            assert not rollout.gains[rollout.blank].any()
        found.append(rollout.gains.copy())
    assert found[0].any()
    assert (found[0] == found[1]).all(), "threads change nothing"
