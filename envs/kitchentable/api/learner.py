"""Games in which one seat is the learner's and opponents play the others."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.engine import rng
from kitchentable.engine.game import Game, IllegalMoveError
from kitchentable.engine.loops import first_illegal, generators, random_actions
from kitchentable.engine.options import OptionError
from kitchentable.engine.positions import Positions
from kitchentable.opponents import Opponent, opponent

Opponents = str | Path | Opponent | Sequence[str | Path | Opponent]
"""One opponent for all other seats, or one for each, clockwise from the learner."""
Indices = NDArray[np.int64]
"""Numbers of games, in increasing order."""


class LearnerGames(Positions):
    """Many games, each standing where the learner must act, or over.

    Attributes beside those of `Positions`:
        learners: the learner's seat in each game, int32 of shape (games,).
    """

    def __init__(
        self, game: Game, count: int, opponents: Opponents, seat: int | str, skip_forced: bool
    ) -> None:
        super().__init__(game, game.new_batch(count))
        self.opponents = _opponents(game, opponents)
        self.learners = np.full(count, _seat(game, seat), np.int32)
        self._random_seat = seat == "random"
        self._skip_forced = skip_forced
        self._actions = np.zeros(count, np.int32)
        self._rewards = np.zeros((count, game.num_players), np.float32)
        self._lots = generators(0, count)

    def seed(self, game_seeds: Sequence[int | None]) -> None:
        """Seed the games; None leaves one as it is. The opponents follow the first seed."""
        known = [seed for seed in game_seeds if seed is not None]
        for i, seed in enumerate(game_seeds):
            if seed is not None:
                self.states["rng"][i], self._lots["rng"][i] = rng.seeds(seed, 2)
        for number, one in enumerate(self.opponents if known else ()):
            one.reseed(int(rng.seeds(known[0], 3 + number)[-1]))

    def start(self, indices: Indices) -> None:
        """Start new games and play up to the learner's first decision.

        A game that ends before the learner has had one is followed by another.
        """
        while len(indices):
            self._deal(indices)
            self._play_others(indices)
            indices = indices[self.seats[indices] < 0]

    def substitute(self, actions: NDArray[Any], indices: Indices, illegal: str) -> Indices:
        """Take the learner's actions; return the games in which theirs is illegal.

        There a random legal action stands in.

        Raises:
            IllegalMoveError: one is illegal and `illegal` is `"raise"`; no game moves.
        """
        size = self.game.actions.size
        self._actions[indices] = np.clip(actions[indices], -1, size)
        if first_illegal(self.masks[indices], self._actions[indices]) < 0:
            return indices[:0]
        chosen = self._actions[indices]
        inside = (chosen >= 0) & (chosen < size)
        wrong: Indices = indices[~(inside & (self.masks[indices, chosen * inside] != 0))]
        if illegal == "raise":
            i = int(wrong[0])
            reason = self.game.illegal_reason(self.states[i : i + 1], int(actions[i]))
            raise IllegalMoveError(reason if len(self) == 1 else f"game {i}: {reason}")
        self._actions[wrong] = self._draw(self.masks[wrong], wrong)
        return wrong

    def play(self, indices: Indices) -> None:
        """Play the actions taken, and all others up to the learner's next decision."""
        self._play(indices)
        self._play_others(indices)

    def collect(self, indices: Indices) -> NDArray[np.float32]:
        """Return what the learner was paid since the last time; float32 of shape (indices,)."""
        paid = self._rewards[indices, self.learners[indices]].copy()
        self._rewards[indices] = 0
        return paid

    def learner_views(self, indices: Indices) -> NDArray[np.float32]:
        """Return what the learner sees, also of games that are over."""
        out = np.zeros((len(indices), self.game.layout.size), np.float32)
        self.game.spec.loops.observe(self.states[indices], self.learners[indices], out)
        return out

    def _deal(self, indices: Indices) -> None:
        if self._random_seat:
            seats = np.ones((len(indices), self.game.num_players), np.int8)
            self.learners[indices] = self._draw(seats, indices)
        self._rewards[indices] = 0
        fresh = Positions(self.game, self.states[indices])
        self.game.spec.loops.start(fresh.states)
        fresh.look()
        self.states[indices] = fresh.states
        self.seats[indices] = fresh.seats
        self.masks[indices] = fresh.masks
        self.observations[indices] = fresh.observations

    def _draw(self, masks: NDArray[np.int8], indices: Indices) -> NDArray[np.int32]:
        """Draw an entry of each mask by the lots of these games."""
        drawn = np.zeros(len(indices), np.int32)
        lots = self._lots[indices]
        random_actions(masks, lots, drawn)
        self._lots[indices] = lots
        return drawn

    def _play_others(self, indices: Indices) -> None:
        """Let the opponents act wherever the learner need not."""
        while True:
            seats = self.seats[indices]
            indices = indices[(seats >= 0) & (seats != self.learners[indices])]
            if not len(indices):
                return
            self._ask_opponents(indices)
            self._play(indices)

    def _ask_opponents(self, indices: Indices) -> None:
        if len(self.opponents) == 1:
            self.opponents[0].act(self, indices, self._actions)
            return
        steps = self.seats[indices] - self.learners[indices] - 1
        places = steps % self.game.num_players
        for place, one in enumerate(self.opponents):
            theirs = indices[places == place]
            if len(theirs):
                one.act(self, theirs, self._actions)

    def _play(self, indices: Indices) -> None:
        self.game.spec.loops.play(
            self.states,
            indices,
            self._actions,
            self._skip_forced,
            self.seats,
            self.masks,
            self.observations,
            self._rewards,
        )


def _opponents(game: Game, given: Opponents) -> list[Opponent]:
    """Return the opponents: one for all other seats, or one for each."""
    others = game.num_players - 1
    if isinstance(given, str | Path | Opponent) or not isinstance(given, Sequence):
        made = [opponent(given)]
    else:
        made = [opponent(one, seed=number) for number, one in enumerate(given)]
        if len(made) != others:
            raise OptionError(
                f"option opponents has {len(made)} entries: it must name one opponent, "
                f"or {others} for a game of {game.num_players}"
            )
    for one in made:
        one.check(game)
    return made


def _seat(game: Game, seat: int | str) -> int:
    """Return the learner's seat, 0 for now if it is drawn by lot."""
    if seat == "random":
        return 0
    if type(seat) is not int or not 0 <= seat < game.num_players:
        raise OptionError(
            f"option seat={seat!r} is not allowed: it must be a whole number "
            f'0 .. {game.num_players - 1} or "random"'
        )
    return seat
