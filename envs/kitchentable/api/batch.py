"""`Batch`: many games at once, restarting by themselves, without an allocation a step."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.engine import rng
from kitchentable.engine.game import Game, IllegalMoveError
from kitchentable.engine.loops import first_illegal, generators, random_actions
from kitchentable.engine.options import BoolOption, ChoiceOption, IntOption
from kitchentable.engine.positions import Positions
from kitchentable.games import spec

ILLEGAL = ChoiceOption("illegal", "raise", "", choices=("raise", "lose", "random"))
SKIP_FORCED = BoolOption("skip_forced", False, "")
ILLEGAL_REWARD = -1.0
"""What a seat gets for an illegal action under illegal="lose"; the others get 0."""


class Batch(Positions):
    """Many games of one kind, all moved by one call of `step`.

    Args:
        game: a game's name (options follow as keywords) or a `Game`.
        games: how many.
        seed: same seed and same actions, same games, whatever the number of threads.
        threads: how many threads share the games.
        illegal: what an illegal action does: `"raise"`; `"lose"` ends the game with -1 for
            the seat; `"random"` plays a random legal action instead.
        skip_forced: play moves without an alternative at once. The first move of a game is
            never skipped.
        max_moves: cut games off after so many steps (`truncated`); None: never.
        reward: `"points"` or `"win"`; with a `Game` given it is the game's own.
        options: the game's options.

    Attributes beside those of `Positions`, all about the last step:
        rewards: float32 of shape (games, seats), for every seat, also those not acting.
        finished: bool of shape (games,): the game ended and a new one stands in its place.
        truncated: bool of shape (games,): the game was cut off, a new one stands in its place.
        final_observations: float32 of shape (games, seats, layout size), what each seat saw
            last of a truncated game; without `max_moves` it has no games.

    The arrays are overwritten by the next step: copy what must last.

    Raises:
        OptionError: an option is unknown or not allowed.
    """

    def __init__(
        self,
        game: str | Game,
        games: int = 1024,
        *,
        seed: int = 0,
        threads: int = 1,
        illegal: str = "raise",
        skip_forced: bool = False,
        max_moves: int | None = None,
        **options: Any,
    ) -> None:
        made = game if isinstance(game, Game) else Game(spec(game), **options)
        count = IntOption("games", 1024, "", high=2**31 - 1).check(games, {})
        super().__init__(made, made.new_batch(count or 1, seed))
        self.illegal = ILLEGAL.check(illegal, {})
        self.skip_forced = SKIP_FORCED.check(skip_forced, {})
        self.max_moves = IntOption("max_moves", None, "", nullable=True).check(max_moves, {}) or 0
        self.rewards = np.zeros((games, made.num_players), np.float32)
        self.finished = np.zeros(games, np.bool_)
        self.truncated = np.zeros(games, np.bool_)
        cut = games if self.max_moves else 0
        self.final_observations = np.zeros((cut, made.num_players, made.layout.size), np.float32)
        self.moves = np.zeros(games, np.int32)
        self._actions = np.zeros(games, np.int32)
        self._substitutes = generators(seed + 1, games)
        self._split(IntOption("threads", 1, "", high=1024).check(threads, {}) or 1)
        self.look()

    def reset(self, seed: int) -> None:
        """Start all games anew from a seed."""
        self.states["rng"] = rng.seeds(seed, len(self))
        self._substitutes = generators(seed + 1, len(self))
        self.game.spec.loops.start(self.states)
        self.moves[:] = 0
        self.rewards[:] = 0
        self.finished[:] = False
        self.truncated[:] = False
        self.look()

    def step(self, actions: NDArray[Any]) -> None:
        """Play one action in every game; integers of shape (games,).

        Raises:
            IllegalMoveError: an action is illegal and `illegal` is `"raise"`; no game moves.
            ValueError: the actions are not whole numbers, one for each game.
        """
        self._actions[:] = self._numbers(actions)
        losers = self._check() if first_illegal(self.masks, self._actions) >= 0 else None
        seats = self.seats[losers].copy() if losers is not None else None
        self._run(self._step_part)
        if losers is not None and self.illegal == "lose":
            self._lose(losers, seats)

    def close(self) -> None:
        """End the threads."""
        if self._threads is not None:
            self._threads.shutdown()

    def _numbers(self, actions: Any) -> NDArray[np.int64]:
        """Return the actions, each at least -1 and at most one too many.

        Raises:
            ValueError: they are not whole numbers, one for each game.
        """
        given = np.asarray(actions)
        if given.shape != (len(self),) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be whole numbers of shape ({len(self)},), "
                f"not {given.dtype} of shape {given.shape}"
            )
        return given.clip(max=self.game.actions.size).astype(np.int64).clip(min=-1)

    def _split(self, threads: int) -> None:
        borders = np.linspace(0, len(self), threads + 1).astype(int)
        self._parts = [slice(a, b) for a, b in pairwise(borders)]
        self._threads: ThreadPoolExecutor | None = None
        if threads > 1:
            self._start_threads()

    def _start_threads(self) -> None:
        self._threads = ThreadPoolExecutor(len(self._parts))
        self._process = os.getpid()

    def _run(self, part: Callable[[slice], None]) -> None:
        """Run `part` on every thread's share of the games."""
        if self._threads is None:
            part(self._parts[0])
            return
        if self._process != os.getpid():
            # Threads do not survive a fork.
            self._start_threads()
        # This thread takes the first share: one hand-over less.
        others = [self._threads.submit(part, share) for share in self._parts[1:]]
        part(self._parts[0])
        wait(others)
        for other in others:
            other.result()

    def _step_part(self, part: slice) -> None:
        self.game.spec.loops.step(
            self.states[part],
            self._actions[part],
            self.skip_forced,
            self.max_moves,
            self.moves[part],
            self.seats[part],
            self.masks[part],
            self.observations[part],
            self.rewards[part],
            self.finished[part],
            self.truncated[part],
            self.final_observations[part],
        )

    def _check(self) -> NDArray[np.int64]:
        """Deal with illegal actions before the step; return the games that have one."""
        inside = (self._actions >= 0) & (self._actions < self.game.actions.size)
        legal = inside & (self.masks[np.arange(len(self)), self._actions * inside] != 0)
        wrong = np.flatnonzero(~legal)
        if self.illegal == "raise":
            i = int(wrong[0])
            reason = self.game.illegal_reason(self.states[i : i + 1], int(self._actions[i]))
            raise IllegalMoveError(f"game {i}: {reason}")
        chosen = np.zeros(len(wrong), np.int32)
        picked = self._substitutes[wrong]
        random_actions(self.masks[wrong], picked, chosen)
        self._substitutes[wrong] = picked
        self._actions[wrong] = chosen
        return wrong

    def _lose(self, losers: NDArray[np.int64], seats: Any) -> None:
        """End the games of those who played illegal actions, and start new ones."""
        self.rewards[losers] = 0
        self.rewards[losers, seats] = ILLEGAL_REWARD
        self.finished[losers] = True
        self.truncated[losers] = False
        self.moves[losers] = 0
        states = self.states[losers]
        self.game.spec.loops.start(states)
        self.states[losers] = states
        self.look()
