"""What decisions gain by playouts."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from kitchentable import Batch, Game
from kitchentable.opponents import Opponent
from kitchentable.opponents.simple import RandomOpponent, ScriptedOpponent
from kitchentable_training.playouts import Playouts
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
    threads: int = 1,
    max_moves: int | None = None,
) -> Rollout:
    """Return a rollout measured by playouts; half of its games have a guest, if there is one."""
    batch = Batch(name, N, seed=4, skip_forced=True, max_moves=max_moves, **options)
    generator = torch.Generator().manual_seed(5)
    shares = [0.5 / len(guests)] * len(guests) if guests else []
    seating = Seating(N, batch.game.num_players, guests, shares, generator)
    return Rollout(batch, seating, 6, generator=generator, playouts=Playouts(batch, threads))


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


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_potential_is_what_the_script_gets(name: str, options: dict[str, Any]) -> None:
    rollout = make(name, options, [])
    rollout.collect(Uniform(rollout.batch.game))
    before = rollout.batch.states.copy()
    playouts = Playouts(rollout.batch, threads=2)
    games = np.arange(3, 9)
    returns = np.ones_like(rollout.batch.rewards)
    playouts.renew(games, returns)
    for i in games:
        expected = played_out(rollout.batch.game, before[i : i + 1])
        assert playouts.potentials[i] - 1 == pytest.approx(expected, abs=1e-5)
    assert not playouts.potentials[:3].any()
    assert rollout.batch.states.tobytes() == before.tobytes(), "playouts play copies"


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
def test_the_gains_of_a_deal_are_its_result_less_the_scripts(
    name: str, options: dict[str, Any]
) -> None:
    """With scripts in all other seats, whole deals of one long rollout."""
    batch = Recorded(name, 6, seed=4, skip_forced=True, **options)
    generator = torch.Generator().manual_seed(5)
    seating = Seating(6, batch.game.num_players, [ScriptedOpponent()], [1.0], generator)
    rollout = Rollout(batch, seating, 900, generator=generator, playouts=Playouts(batch))
    rollout.collect(Uniform(batch.game))
    compared = 0
    for i in range(6):
        ends = [step for step, ended in enumerate(batch.ends) if ended[i]]
        for begin, end in pairwise(ends):
            rows = rollout.steps.start + np.arange(begin + 1, end + 1)
            own = rows[rollout.played[rows, i]]
            if not len(own):
                continue
            seat = int(rollout.seats[own[0], i])
            result = sum(step[i, seat] for step in batch.paid[begin + 1 : end + 1])
            expected = result - played_out(batch.game, batch.starts[begin][i : i + 1])[seat]
            assert rollout.gains[own, i].sum() == pytest.approx(expected, abs=1e-4)
            compared += 1
    assert compared > 10


class Recorded(Batch):
    """Keeps what every step paid, what it ended, and how the games stood after it."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.paid: list[Any] = []
        self.ends: list[Any] = []
        self.starts: list[Any] = []

    def step(self, actions: Any) -> None:
        super().step(actions)
        self.paid.append(self.rewards.copy())
        self.ends.append(self.finished.copy())
        self.starts.append(self.states.copy())


def test_a_game_that_is_cut_off_is_measured_no_further() -> None:
    name, options = GAMES[1]
    rollout = make(name, options, [], max_moves=5)
    for _ in range(5):
        rollout.collect(Uniform(rollout.batch.game))
        assert np.isfinite(rollout.gains).all()
        fresh = Playouts(rollout.batch)
        fresh.renew(np.arange(N), rollout.returns)
        assert rollout.playouts is not None
        assert (rollout.playouts.potentials == fresh.potentials).all()


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_potentials_are_kept_up_whoever_plays(name: str, options: dict[str, Any]) -> None:
    found = []
    for threads in (1, 3):
        rollout = make(name, options, [ScriptedOpponent(), RandomOpponent(1)], threads=threads)
        for _ in range(8):
            rollout.collect(Uniform(rollout.batch.game))
            fresh = Playouts(rollout.batch)
            fresh.renew(np.arange(N), rollout.returns)
            assert rollout.playouts is not None
            assert rollout.playouts.potentials == pytest.approx(fresh.potentials, abs=1e-5)
        found.append(rollout.gains.copy())
    assert (found[0] == found[1]).all()
