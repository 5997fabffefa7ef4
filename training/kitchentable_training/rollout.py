"""Playing for samples: every seat's decisions, with all that it gets until its next one.

A rollout has a row for each step of the batch. A seat's last decision in it has no
successor yet, unless that seat is to act when the rollout ends. Its value could only be
told from an observation in which it is not to act, and the critic never learns those. So
such a decision is carried over: it takes the row of its seat at the head of the next
rollout, with the rewards so far, and is learnt from there.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from kitchentable import Batch
from kitchentable.opponents import Opponent
from kitchentable_training.gae import advantages
from kitchentable_training.kernels import draw_actions, list_legal
from kitchentable_training.playouts import Playouts
from kitchentable_training.seating import LEARNER, Seating

Evaluator = Callable[[Tensor], tuple[Tensor, Tensor]]
"""Returns float32 logits and values of observations."""


@dataclass
class Episodes:
    """The games that ended in a rollout.

    Attributes:
        lengths: decisions in each game.
        returns: by opponent's number (0: self-play), what each seat of the learner won.
    """

    lengths: list[int] = field(default_factory=list)
    returns: dict[int, list[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Samples:
    """The decisions to learn from, `rows` of flat arrays with one entry a decision.

    Attributes:
        rows: int64 of shape (samples,).
        observations: of shape (n, layout size), or privileged views of shape (n, their size).
        starts, legal: the legal actions, as `kernels.list_legal` returns them.
        choices: whether there was more than one legal action, bool of shape (n,).
        actions: int32 of shape (n,).
        advice: the teacher's actions, int32 of shape (n,); if nobody teaches, the actions.
        log_probabilities: when the action was drawn, float32 of shape (n,).
        values: float32 of shape (n,).
        advantages: of the actions, float32 of shape (n,).
        returns: what the critic should have said, float32 of shape (n,).
    """

    rows: NDArray[np.int64]
    observations: Tensor
    starts: NDArray[np.int64]
    legal: NDArray[np.int32]
    choices: NDArray[np.bool_]
    actions: NDArray[np.int32]
    advice: NDArray[np.int32]
    log_probabilities: NDArray[np.float32]
    values: NDArray[np.float32]
    advantages: NDArray[np.float32]
    returns: NDArray[np.float32]


class Rollout:
    """Plays a batch of games and keeps the learner's decisions.

    Args:
        batch: the games; illegal actions must raise.
        seating: who sits where.
        num_steps: decisions in each game between two updates.
        dtype: in which observations are kept and given to the network.
        generator: of the draws of actions.
        teacher: whose moves are kept beside the learner's.
        privileged: whether privileged views are kept instead of observations.
        playouts: of the batch, to measure decisions by.

    Attributes, arrays of shape (rows + 1, games) with the last row blank:
        rows 0 .. seats-1: what each seat's pending decision was when the rollout began.
        played: int8, 1 where the learner decided.
        seats: int32, who acted.
        observations, masks, choices, actions, advice, log_probabilities, values: of that
            decision.
        rewards: float32, what its seat got since.
        gains: float32, what it gained by playouts, if there are any.
        links: int32, the row of the seat's next decision.
        bootstraps: float32, the value of what comes next if there is no such row.
        pending: int32 of shape (games, seats), the row of each seat's decision whose
            successor is not known; the blank row if there is none.
    """

    def __init__(
        self,
        batch: Batch,
        seating: Seating,
        num_steps: int,
        *,
        dtype: torch.dtype = torch.float32,
        generator: torch.Generator,
        teacher: Opponent | None = None,
        privileged: bool = False,
        playouts: Playouts | None = None,
    ) -> None:
        games, seats = batch.rewards.shape
        self.batch = batch
        self.playouts = playouts
        self.seating = seating
        self.teacher = teacher
        self.num_steps = num_steps
        self.blank = seats + num_steps
        self.steps = range(seats, self.blank)
        shape = (self.blank + 1, games)
        self.played = np.zeros(shape, np.bool_)
        self.seats = np.zeros(shape, np.int32)
        self._seen = batch.observations
        if privileged:
            self._seen = np.zeros((games, batch.game.spec.privileged.size), np.float32)
        self._privileged = privileged
        self.observations = torch.zeros((*shape, self._seen.shape[1]), dtype=dtype)
        self.masks = np.zeros((*shape, batch.game.actions.size), np.bool_)
        self.choices = np.zeros(shape, np.bool_)
        self.actions = np.zeros(shape, np.int32)
        self.advice = np.zeros(shape, np.int32)
        self.log_probabilities = np.zeros(shape, np.float32)
        self.values = np.zeros(shape, np.float32)
        self.rewards = np.zeros(shape, np.float32)
        self.gains = np.zeros(shape, np.float32)
        self.links = np.full(shape, self.blank, np.int32)
        self.bootstraps = np.zeros(shape, np.float32)
        self.pending = np.full((games, seats), self.blank, np.int32)
        self.returns = np.zeros((games, seats), np.float32)
        self.lengths = np.zeros(games, np.int32)
        self.episodes = Episodes()
        self._games = np.arange(games)
        self._generator = generator

    def collect(self, network: Evaluator, *, ask_teacher: bool = False) -> None:
        """Play `num_steps` moves in every game; keep the teacher's moves if asked to."""
        self.carry_over()
        self.episodes = Episodes()
        with torch.inference_mode():
            for row in self.steps:
                self._decide(network, row)
                self._take_advice(row, ask_teacher)
                self._link(row)
                self._measure(row)
                self.batch.step(self.actions[row])
                self._reward()
                self._end(network)
            self._look_ahead(network)

    @property
    def n_decisions(self) -> int:
        """How many decisions the learner made in this rollout."""
        return int(np.count_nonzero(self.played[self.steps.start : self.blank]))

    def samples(self, gamma: float, gae_lambda: float, playout_lambda: float = 0.0) -> Samples:
        """Return what can be learnt from now.

        Args:
            gamma: discount by decision.
            gae_lambda: weight of longer looks ahead in the advantages by the critic.
            playout_lambda: weight of later decisions' gains in the advantages by playouts.
        """
        used = self.played.copy()
        used[self.pending.T, self._games] = False
        by_critic = advantages(
            self.rewards,
            self.values,
            self.links,
            self.bootstraps,
            ~used,
            gamma=gamma,
            gae_lambda=gae_lambda,
        )
        chosen = by_critic
        if self.playouts is not None:
            nothing = np.zeros_like(self.gains)
            chosen = advantages(
                self.gains,
                nothing,
                self.links,
                nothing,
                ~used,
                gamma=gamma,
                gae_lambda=playout_lambda,
            )
        starts, legal = list_legal(self.masks.reshape(-1, self.masks.shape[2]))
        return Samples(
            rows=np.flatnonzero(used),
            observations=self.observations.flatten(0, 1),
            starts=starts,
            legal=legal,
            choices=self.choices.reshape(-1),
            actions=self.actions.reshape(-1),
            advice=self.advice.reshape(-1),
            log_probabilities=self.log_probabilities.reshape(-1),
            values=self.values.reshape(-1),
            advantages=chosen.reshape(-1),
            returns=(self.values + by_critic).reshape(-1),
        )

    def _decide(self, network: Evaluator, row: int) -> None:
        """Choose an action in every game."""
        self.observations[row].copy_(self._see())
        self.masks[row] = self.batch.masks
        self.choices[row] = np.count_nonzero(self.masks[row], axis=1) > 1
        self.seats[row] = self.batch.seats
        who = self.seating.seated(self._games, self.seats[row])
        self.played[row] = who == LEARNER
        self._draw(network, row, np.flatnonzero(self.played[row]))
        for number, opponent in enumerate(self.seating.opponents, start=1):
            theirs = np.flatnonzero(who == number)
            if len(theirs):
                opponent.act(self.batch, theirs, self.actions[row])

    def _draw(self, network: Evaluator, row: int, games: NDArray[np.int64]) -> None:
        """Draw the learner's actions in the games in which it is to act."""
        if not len(games):
            return
        seen = self.observations[row]
        if len(games) < len(seen):
            seen = seen[torch.from_numpy(games)]
        logits, values = network(seen)
        uniforms = torch.rand(len(games), dtype=torch.float64, generator=self._generator)
        actions = np.empty(len(games), np.int32)
        log_probabilities = np.empty(len(games), np.float32)
        draw_actions(
            logits.numpy(), self.masks[row, games], uniforms.numpy(), actions, log_probabilities
        )
        self.values[row, games] = values.numpy()
        self.actions[row, games] = actions
        self.log_probabilities[row, games] = log_probabilities

    def _see(self) -> Tensor:
        """Return what is kept of the positions, float32."""
        if self._privileged:
            self.batch.game.spec.loops.privileged(self.batch.states, self._seen)
        return torch.from_numpy(self._seen)

    def _take_advice(self, row: int, ask_teacher: bool) -> None:
        """Keep what the teacher would do where the learner decides."""
        self.advice[row] = self.actions[row]
        if self.teacher is not None and ask_teacher:
            games = np.flatnonzero(self.played[row] & self.choices[row])
            if len(games):
                self.teacher.act(self.batch, games, self.advice[row])

    def _link(self, row: int) -> None:
        """Let the decisions of this row follow those that the same seats made before."""
        games = np.flatnonzero(self.played[row])
        seats = self.seats[row, games]
        self.links[self.pending[games, seats], games] = row
        self.links[self.blank] = self.blank
        self.links[row] = self.blank
        self.pending[games, seats] = row

    def _reward(self) -> None:
        """Credit what the step brought to each seat's last decision."""
        self.lengths += 1
        if not self.batch.rewards.any():
            return
        self.returns += self.batch.rewards
        self.rewards[self.pending, self._games[:, None]] += self.batch.rewards
        self.rewards[self.blank] = 0

    def _measure(self, row: int) -> None:
        """Keep by playouts what the learner's decisions gain."""
        if self.playouts is None:
            return
        free = np.flatnonzero(self.played[row] & self.choices[row])
        departing = self.playouts.departures(free, self.actions[row])
        self.gains[row, departing] = self.playouts.gains(departing, self.actions[row])

    def _end(self, network: Evaluator) -> None:
        """Close the sequences of games that ended, and seat players for the next ones."""
        games = np.flatnonzero(self.batch.finished | self.batch.truncated)
        if not len(games):
            return
        cut = np.flatnonzero(self.batch.truncated)
        if len(cut):
            final = torch.from_numpy(self.batch.final_observations[cut]).flatten(0, 1)
            _, values = network(final.to(self.observations.dtype))
            later = values.numpy().reshape(len(cut), -1)
            self.bootstraps[self.pending[cut], cut[:, None]] = later
            self.bootstraps[self.blank] = 0
        self._count(games)
        self.pending[games] = self.blank
        self.seating.assign(games)

    def _count(self, games: NDArray[np.int64]) -> None:
        """Take down the results of games that ended."""
        self.episodes.lengths.extend(self.lengths[games].tolist())
        guests = self.seating.guests(games)
        for guest in np.unique(guests):
            here = games[guests == guest]
            own = self.seating.seats[here] == LEARNER
            known = self.episodes.returns.setdefault(int(guest), [])
            known.extend(self.returns[here][own].tolist())
        self.lengths[games] = 0
        self.returns[games] = 0

    def _look_ahead(self, network: Evaluator) -> None:
        """Value the next observation of the seats to act: it ends their sequences for now."""
        _, values = network(self._see().to(self.observations.dtype))
        seats = self.batch.seats
        self.bootstraps[self.pending[self._games, seats], self._games] = values.numpy()
        self.bootstraps[self.blank] = 0
        self.pending[self._games, seats] = self.blank

    def carry_over(self) -> None:
        """Move the pending decisions to the rows of their seats, and clear the rest."""
        seats = np.arange(self.pending.shape[1])[:, None]
        rows = self.pending.T
        waiting = rows != self.blank
        for array in (
            self.seats,
            self.masks,
            self.choices,
            self.actions,
            self.advice,
            self.log_probabilities,
            self.values,
            self.rewards,
            self.gains,
        ):
            array[seats, self._games] = array[rows, self._games]
        there = torch.from_numpy(rows.astype(np.int64))
        self.observations[: len(seats)] = self.observations[there, torch.from_numpy(self._games)]
        self.played[:] = False
        self.played[: len(seats)] = waiting
        self.rewards[len(seats) :] = 0
        self.gains[len(seats) :] = 0
        self.links[:] = self.blank
        self.bootstraps[:] = 0
        self.pending[:] = np.where(waiting, seats, self.blank).T
