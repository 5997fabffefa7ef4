"""Rollouts against a plain recomputation of who got what after which decision."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from kitchentable import Batch
from kitchentable.engine import jit
from kitchentable.engine.positions import Positions
from kitchentable.opponents import Opponent
from kitchentable.opponents.simple import RandomOpponent
from kitchentable_training import kernels
from kitchentable_training.network import NetworkConfig, PolicyNetwork, masked_log_probabilities
from kitchentable_training.rollout import Rollout
from kitchentable_training.seating import LEARNER, Seating

GAMMA, LAMBDA = 0.9, 0.8


class Evaluator:
    """Values and logits that are simple sums of the observation."""

    def __init__(self, size: int, actions: int) -> None:
        generator = torch.Generator().manual_seed(3)
        self.values = torch.rand(size, generator=generator) - 0.5
        self.logits = torch.rand((size, actions), generator=generator) - 0.5

    def __call__(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        return observations @ self.logits, observations @ self.values

    def value(self, observation: Any) -> float:
        return float(observation @ self.values.numpy())


@dataclass
class Step:
    """All that a step of the batch showed."""

    observations: Any
    masks: Any
    seats: Any
    actions: Any
    rewards: Any
    finished: Any
    truncated: Any
    final: Any
    seating: Any
    next_observations: Any
    next_seats: Any


class RecordedBatch(Batch):
    """Keeps every step, and can pay every seat something at each of them."""

    seating: Seating
    steps: list[Step]
    lots: np.random.Generator | None = None

    def step(self, actions: Any) -> None:
        looks = (self.observations.copy(), self.masks.copy(), self.seats.copy())
        seating = self.seating.seats.copy()
        chosen = actions.copy()
        super().step(actions)
        if self.lots is not None:
            self.rewards += self.lots.normal(size=self.rewards.shape).astype(np.float32)
        self.steps.append(
            Step(
                *looks,
                chosen,
                self.rewards.copy(),
                self.finished.copy(),
                self.truncated.copy(),
                self.final_observations.copy(),
                seating,
                self.observations.copy(),
                self.seats.copy(),
            )
        )


@dataclass
class Decision:
    """One decision of the learner, and what followed it."""

    place: tuple[int, int]
    """Number of the step, and game."""
    seat: int
    observation: Any
    mask: Any
    action: int
    value: float
    reward: float = 0.0
    next: "Decision | None" = None
    end: float | None = None
    """The value of what came next, where no decision did: 0 for a finished game."""
    border: float | None = None
    """The value of the seat's next observation, where a rollout ended before it."""
    batch: int = -1
    """The rollout whose update learns from it."""


@dataclass
class Brute:
    """The naive way: lists of decisions, seat by seat."""

    evaluator: Evaluator
    open: dict[tuple[int, int], Decision] = field(default_factory=dict)
    waiting: list[Decision] = field(default_factory=list)
    """Decisions that no update has learnt from."""

    def play(self, number: int, step: Step) -> None:
        for game in range(len(step.seats)):
            seat = int(step.seats[game])
            if step.seating[game, seat] == LEARNER:
                self.decide(number, game, seat, step)
            for s in range(step.rewards.shape[1]):
                if (game, s) in self.open:
                    self.open[game, s].reward += float(step.rewards[game, s])
                    if step.finished[game]:
                        self.open.pop((game, s)).end = 0.0
                    elif step.truncated[game]:
                        final = self.evaluator.value(step.final[game, s])
                        self.open.pop((game, s)).end = final

    def decide(self, number: int, game: int, seat: int, step: Step) -> None:
        observation = step.observations[game]
        decision = Decision(
            (number, game),
            seat,
            observation,
            step.masks[game],
            int(step.actions[game]),
            self.evaluator.value(observation),
        )
        if (game, seat) in self.open:
            self.open[game, seat].next = decision
        self.open[game, seat] = decision
        self.waiting.append(decision)

    def end_rollout(self, rollout: int, step: Step) -> list[Decision]:
        """Return what the update after this rollout learns from."""
        for game in range(len(step.seats)):
            seat = int(step.next_seats[game])
            if (game, seat) in self.open:
                ended = self.open.pop((game, seat))
                ended.border = self.evaluator.value(step.next_observations[game])
        learnt = [
            decision
            for decision in self.waiting
            if decision.next or decision.end is not None or decision.border is not None
        ]
        for decision in learnt:
            decision.batch = rollout
        self.waiting = [decision for decision in self.waiting if decision.batch < 0]
        return learnt

    def advantage(self, first: Decision) -> float:
        """Sum the discounted surprises along the seat's decisions of the same update."""
        total, weight, decision = 0.0, 1.0, first
        while True:
            following = decision.end if decision.end is not None else decision.border
            if decision.next is not None:
                following = decision.next.value
            assert following is not None
            total += weight * (decision.reward + GAMMA * following - decision.value)
            weight *= GAMMA * LAMBDA
            if decision.next is None or decision.next.batch != first.batch:
                return total
            decision = decision.next


GAMES: list[tuple[str, dict[str, Any], int | None]] = [
    ("kuhn_poker", {}, None),
    ("leduc_poker", {}, None),
    ("leduc_poker", {}, 3),
    ("norwegian_rummy", {"num_players": 4, "episode": "deal"}, None),
    ("norwegian_rummy", {"num_players": 3, "episode": "game"}, 40),
]


def make(
    name: str, options: dict[str, Any], max_moves: int | None, num_steps: int, share: float
) -> tuple[RecordedBatch, Rollout, Evaluator]:
    batch = RecordedBatch(name, 6, seed=5, max_moves=max_moves, skip_forced=True, **options)
    generator = torch.Generator().manual_seed(1)
    guests = [RandomOpponent(2), RandomOpponent(3)] if share else []
    seats = batch.game.num_players
    batch.seating = Seating(6, seats, guests, [share / 2] * len(guests), generator)
    batch.steps = []
    rollout = Rollout(batch, batch.seating, num_steps, generator=generator)
    return batch, rollout, Evaluator(batch.game.layout.size, batch.game.actions.size)


@pytest.mark.parametrize("share", [0.0, 0.6], ids=["self-play", "opponents"])
@pytest.mark.parametrize("num_steps", [1, 5, 23])
@pytest.mark.parametrize(("name", "options", "max_moves"), GAMES, ids=lambda x: str(x))
def test_advantages_are_those_of_each_seats_own_decisions(
    name: str, options: dict[str, Any], max_moves: int | None, num_steps: int, share: float
) -> None:
    batch, rollout, evaluator = make(name, options, max_moves, num_steps, share)
    batch.lots = np.random.default_rng(8)
    brute = Brute(evaluator)
    n_learnt = 0
    for number in range(max(4, 100 // num_steps)):
        rollout.collect(evaluator)
        begun = number * num_steps
        for step in range(num_steps):
            brute.play(begun + step, batch.steps[begun + step])
        learnt = brute.end_rollout(number, batch.steps[-1])
        samples = rollout.samples(GAMMA, LAMBDA)
        expected = {row_of(decision, begun, rollout): decision for decision in learnt}
        assert sorted(expected) == samples.rows.tolist()
        for row, decision in expected.items():
            assert abs(samples.advantages[row] - brute.advantage(decision)) < 1e-4
            assert samples.actions[row] == decision.action
            assert (samples.observations[row].numpy() == decision.observation).all()
            listed = samples.legal[samples.starts[row] : samples.starts[row + 1]]
            assert listed.tolist() == np.flatnonzero(decision.mask).tolist()
            assert samples.choices[row] == (decision.mask.sum() > 1)
        n_learnt += len(learnt)
    played = sum(step.seating[range(6), step.seats] == LEARNER for step in batch.steps)
    assert n_learnt + len(brute.waiting) == played.sum()
    assert n_learnt > 50


def row_of(decision: Decision, begun: int, rollout: Rollout) -> int:
    """Return where a decision must lie: its step's row, or its seat's if carried over."""
    step, game = decision.place
    row = decision.seat if step < begun else rollout.steps.start + step - begun
    return row * rollout.values.shape[1] + game


def test_every_reward_is_credited_once() -> None:
    """In Kuhn poker nothing is paid before a seat's first decision but to seat 1."""
    batch, rollout, evaluator = make("kuhn_poker", {}, None, 7, 0.0)
    credited = 0.0
    paid = 0.0
    for _ in range(30):
        rollout.collect(evaluator)
        samples = rollout.samples(GAMMA, LAMBDA)
        credited += float(np.abs(rollout.rewards.reshape(-1)[samples.rows]).sum())
    for step in batch.steps:
        paid += float(np.abs(step.rewards).sum())
    last = float(np.abs(rollout.rewards).sum())
    assert 0 < credited <= paid
    assert paid - credited < last


def test_a_bet_that_is_called_pays_the_seat_that_bet() -> None:
    """The reward comes on the other seat's move."""
    batch, rollout, _ = make("kuhn_poker", {}, None, 2, 0.0)

    def bets(observations: Tensor) -> tuple[Tensor, Tensor]:
        n = len(observations)
        return torch.tensor([[-50.0, 50.0]]).expand(n, 2).contiguous(), torch.zeros(n)

    rollout.collect(bets)
    samples = rollout.samples(1.0, 0.95)
    rewards = rollout.rewards[2:4]
    assert (np.abs(rewards) == 2).all()
    assert (rewards.sum(axis=0) == 0).all()
    assert len(samples.rows) == 12
    assert (batch.finished).all()


def test_episodes_tell_lengths_and_the_learners_returns() -> None:
    _, rollout, evaluator = make("kuhn_poker", {}, None, 40, 0.5)
    rollout.collect(evaluator)
    lengths = rollout.episodes.lengths
    assert set(lengths) <= {2, 3}
    against_itself = rollout.episodes.returns[LEARNER]
    assert sum(against_itself) == 0
    assert len(against_itself) + sum(
        2 * len(rollout.episodes.returns.get(guest, [])) for guest in (1, 2)
    ) == 2 * len(lengths)


def test_seats_are_shared_out_as_asked() -> None:
    generator = torch.Generator().manual_seed(0)
    guests = [RandomOpponent(), RandomOpponent()]
    seating = Seating(20_000, 4, guests, [0.1, 0.3], generator)
    counts = np.bincount(seating.guests(np.arange(20_000)), minlength=3) / 20_000
    assert counts == pytest.approx([0.6, 0.1, 0.3], abs=0.02)
    own = seating.seats[seating.seats.max(axis=1) > 0] == LEARNER
    assert (own.sum(axis=1) == 1).all()
    assert own.mean(axis=0) == pytest.approx([0.25] * 4, abs=0.03)


def test_draws_are_legal_and_follow_the_policy() -> None:
    n, n_actions = 20_000, 1500
    generator = np.random.default_rng(0)
    masks = np.zeros((n, n_actions), np.bool_)
    legal = [3, 700, 1499]
    masks[:, legal] = True
    logits = np.tile(generator.normal(size=n_actions).astype(np.float32) * 3, (n, 1))
    actions = np.zeros(n, np.int32)
    found = np.zeros(n, np.float32)
    kernels.draw_actions(logits, masks, generator.random(n), actions, found)
    expected = masked_log_probabilities(torch.from_numpy(logits), torch.from_numpy(masks))
    shares = np.bincount(actions, minlength=n_actions) / n
    assert shares[legal].sum() == 1
    assert shares[legal] == pytest.approx(expected[0, legal].exp().numpy(), abs=0.02)
    assert found == pytest.approx(expected[0].numpy()[actions], abs=1e-5)


@pytest.mark.parametrize("scale", [0.0, 1e4, 1e30])
def test_draws_stay_legal_at_extreme_logits(scale: float) -> None:
    generator = np.random.default_rng(1)
    masks = generator.random((500, 60)) < 0.1
    masks[:, 7] = True
    logits = (generator.normal(size=(500, 60)) * scale).astype(np.float32)
    actions = np.zeros(500, np.int32)
    found = np.zeros(500, np.float32)
    uniforms = np.full(500, 1 - 2**-53)
    kernels.draw_actions(logits, masks, uniforms, actions, found)
    assert masks[np.arange(500), actions].all()
    assert np.isfinite(found).all()


def test_a_network_plays_whole_rollouts_in_bf16_too() -> None:
    batch = Batch("leduc_poker", 8, seed=1)
    generator = torch.Generator().manual_seed(1)
    seating = Seating(8, 2, (), (), generator)
    network = PolicyNetwork(NetworkConfig(hidden=(8,)), batch.game.layout.size, 3)
    rollout = Rollout(batch, seating, 4, dtype=torch.bfloat16, generator=generator)

    def evaluate(observations: Tensor) -> tuple[Tensor, Tensor]:
        assert observations.dtype == torch.bfloat16
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return network(observations)

    rollout.collect(evaluate)
    assert rollout.n_decisions == 32


@pytest.mark.compiled
def test_an_edit_of_the_kernels_file_is_noticed() -> None:
    stamp = jit.fingerprint(kernels.draw_actions)
    assert stamp != jit.fingerprint(RandomOpponent)
    assert kernels.__file__ in jit._sources(kernels.draw_actions)


def test_privileged_views_are_those_of_the_seats_to_act() -> None:
    batch = Batch("leduc_poker", 30, seed=1)
    generator = torch.Generator().manual_seed(1)
    seating = Seating(30, 2, (), (), generator)
    rollout = Rollout(batch, seating, 4, generator=generator, privileged=True)
    first = batch.states.copy(), batch.observations.copy()
    evaluator = Evaluator(batch.game.spec.privileged.size, batch.game.actions.size)
    rollout.collect(evaluator)
    row = rollout.observations[rollout.steps.start].numpy()
    assert (row[:, : batch.game.layout.size] == first[1]).all()
    for i in range(30):
        assert (row[i] == batch.game.privileged(first[0][i : i + 1])).all()


class Last(Opponent):
    """Plays the last legal action."""

    name = "last"

    def act(self, positions: Positions, indices: Any, actions: Any) -> None:
        masks = positions.masks[indices]
        actions[indices] = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def test_the_teacher_is_asked_where_the_learner_has_a_choice() -> None:
    batch = Batch("leduc_poker", 30, seed=1)
    generator = torch.Generator().manual_seed(1)
    seating = Seating(30, 2, [RandomOpponent()], [0.5], generator)
    rollout = Rollout(batch, seating, 4, generator=generator, teacher=Last())
    evaluator = Evaluator(batch.game.layout.size, batch.game.actions.size)
    for asked in (False, True, True):
        rollout.collect(evaluator, ask_teacher=asked)
        samples = rollout.samples(GAMMA, LAMBDA)
        advice, actions = samples.advice[samples.rows], samples.actions[samples.rows]
        last = samples.legal[samples.starts[samples.rows + 1] - 1]
        new = samples.rows >= rollout.steps.start * 30
        assert (advice[new] == (last if asked else actions)[new]).all()
    assert (advice == last).all(), "advice is carried over with the decision"
    assert (advice != actions).any()
