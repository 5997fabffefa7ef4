"""Duplicate evaluation: the same deals, played once from each side.

Luck of the cards is the greater part of a game's result. Here a deal is played as often as
there are sides (seats, or teams), with the contender on each of them in turn and the other
policy on the rest, so that most of that luck cancels out. A result is the mean over these
games of one deal, and the error is computed from deals, which are independent.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.engine import rng
from kitchentable.engine.game import Game, IllegalMoveError
from kitchentable.engine.loops import first_illegal
from kitchentable.engine.positions import Positions
from kitchentable.opponents import Opponent, opponent

CONFIDENCE = 0.95
"""How often an interval holds the true mean, for many deals."""
DEFAULT_DEALS = 1000
DEFAULT_BATCH = 1024
"""Games played at the same time."""

Progress = Callable[[int, int], None]
"""Called with the number of games done and of all games."""


@dataclass(frozen=True)
class Result:
    """What a contender wins against another policy.

    Attributes:
        contender: its name.
        others: the name of the policy on all other seats.
        game: the game's name.
        options: the game's options.
        seed: what the deals follow from.
        games: games played: deals x sides.
        decisions: moves made with a choice, by anyone.
        seconds: how long it took.
        reward_scale: points that make a reward of 1.
        wins: share of the games won, a shared win counted in part; 1 / sides between equals.
        differences: by deal, the contender's points less the mean of the other sides';
            float64 of shape (deals,).
    """

    contender: str
    others: str
    game: str
    options: dict[str, Any]
    seed: int
    games: int
    decisions: int
    seconds: float
    reward_scale: float
    wins: float
    differences: NDArray[np.float64] = field(repr=False)

    @property
    def deals(self) -> int:
        """How many different deals were played."""
        return len(self.differences)

    @property
    def points(self) -> float:
        """Mean points a deal (or game, with `episode` game) above the other sides."""
        return float(self.differences.mean())

    @property
    def error(self) -> float:
        """The standard error of `points`."""
        if self.deals < 2:
            return inf
        return float(self.differences.std(ddof=1)) / sqrt(self.deals)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `points`."""
        margin = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * self.error
        return self.points - margin, self.points + margin

    @property
    def reward(self) -> float:
        """Mean reward a deal: `points` in the environment's unit."""
        return self.points / self.reward_scale

    @property
    def deals_won(self) -> float:
        """Share of the deals with more points than the others, a tie counted as half."""
        return float((np.sign(self.differences).mean() + 1) / 2)

    def summary(self) -> dict[str, Any]:
        """Return all figures, as JSON."""
        low, high = self.interval
        return {
            "contender": self.contender,
            "others": self.others,
            "game": self.game,
            "options": self.options,
            "seed": self.seed,
            "deals": self.deals,
            "games": self.games,
            "points": self.points,
            "points_error": self.error if self.deals > 1 else None,
            "points_interval": [low, high] if self.deals > 1 else None,
            "reward": self.reward,
            "wins": self.wins,
            "deals_won": self.deals_won,
            "decisions": self.decisions,
            "seconds": self.seconds,
            "decisions_per_second": self.decisions / self.seconds,
            "games_per_second": self.games / self.seconds,
        }


@dataclass(frozen=True)
class Matches:
    """Finished games.

    Attributes:
        points: by seat, its side's points less the mean of the other sides'; float64 of
            shape (games, seats), a row summing to 0 where sides have equally many seats.
        wins: by seat, 1 for a win, shared with other winning sides; float64, same shape.
        decisions: moves made with a choice.
    """

    points: NDArray[np.float64]
    wins: NDArray[np.float64]
    decisions: int


def evaluate(
    game: Game,
    contender: Opponent | str | Path,
    others: Opponent | str | Path,
    *,
    deals: int = DEFAULT_DEALS,
    seed: int = 0,
    batch: int = DEFAULT_BATCH,
    on_progress: Progress | None = None,
) -> Result:
    """Return what `contender` wins on one side with `others` on all other sides.

    Results are always in points, whatever the game's `reward`. With the same arguments the
    result is the same: the lots that opponents draw start anew from the seed.

    Args:
        game: with its options; `episode="deal"` evaluates single deals.
        contender: whose result it is.
        others: who plays all other seats.
        deals: how many different deals (or games); each is played once from every side.
        seed: what the deals and the lots of opponents follow from.
        batch: games at the same time.
        on_progress: told the number of games done and of all games.

    Raises:
        OpponentError: a policy cannot be loaded, or cannot play this game.
        ValueError: the game has one side only, or `deals` or `batch` is below 1.
    """
    if deals < 1 or batch < 1:
        raise ValueError(f"deals and batch must be 1 or more, not {deals} and {batch}")
    started = time.perf_counter()
    players = (opponent(contender), opponent(others))
    for number, player in enumerate(players):
        player.reseed(seed + 1 + number)
    sides = count_sides(game)
    seating = np.tile(rotations(game.num_players, sides), (deals, 1))
    seeds = np.repeat(rng.seeds(seed, deals), sides)
    matches = play_matches(game, seeds, players, seating, batch=batch, on_progress=on_progress)
    rows = np.arange(deals * sides)
    seats = np.tile(np.arange(sides), deals)
    # Sums of whole numbers before any division, so that equal policies get exactly 0.
    differences = matches.points[rows, seats].reshape(deals, sides) * (sides - 1)
    return Result(
        contender=players[0].name,
        others=players[1].name,
        game=game.name,
        options=dict(game.options),
        seed=seed,
        games=len(rows),
        decisions=matches.decisions,
        seconds=time.perf_counter() - started,
        reward_scale=game.spec.reward_scale,
        wins=float(matches.wins[rows, seats].mean()),
        differences=np.rint(differences).sum(axis=1) / (sides * (sides - 1)),
    )


def count_sides(game: Game) -> int:
    """Return how many sides (seats or teams) a game has.

    Raises:
        ValueError: it has one only, and nobody to compare with.
    """
    sides = int(game.new()[0].num_sides)
    if sides < 2:
        raise ValueError(f"{game.name} with one side has no duplicate evaluation")
    return sides


def rotations(seats: int, sides: int) -> NDArray[np.int64]:
    """Return who sits where in the games of one deal; int64 of shape (sides, seats).

    0 is the contender, on another side in each game; 1 are the others.
    """
    side = np.arange(seats) % sides
    return np.where(side[None, :] == np.arange(sides)[:, None], 0, 1).astype(np.int64)


def play_matches(
    game: Game,
    seeds: NDArray[np.uint64],
    players: Sequence[Opponent],
    seating: NDArray[np.int64],
    *,
    batch: int = DEFAULT_BATCH,
    on_progress: Progress | None = None,
) -> Matches:
    """Play games to their end, many at the same time.

    Args:
        game: with its options; rewards are taken in points, whatever its own form.
        seeds: the state of each game's generator; uint64 of shape (games,). Games with the
            same one have the same deal.
        players: who takes part.
        seating: which of the players sits where; of shape (games, seats).
        batch: games at the same time; a finished one makes room for the next.
        on_progress: told the number of games done and of all games.

    Raises:
        OpponentError: a player cannot play this game.
        IllegalMoveError: a player played an illegal action.
    """
    for player in players:
        player.check(game)
    room = _Room(Game(game.spec, **game.options), seeds, players, seating, batch)
    while room.n_running:
        room.play()
        room.clear()
        if on_progress is not None:
            on_progress(room.n_done, len(seeds))
    return Matches(room.points, room.wins, room.decisions)


class _Room:
    """The games that run now, and the results of those that are over."""

    def __init__(
        self,
        game: Game,
        seeds: NDArray[np.uint64],
        players: Sequence[Opponent],
        seating: NDArray[np.int64],
        batch: int,
    ) -> None:
        self.game = game
        self.seeds = seeds
        self.players = players
        self.seating = seating
        self.points = np.zeros(seating.shape)
        self.wins = np.zeros(seating.shape)
        self.decisions = 0
        self.n_done = 0
        self._n_begun = min(batch, len(seeds))
        self._games = np.arange(self._n_begun)
        self._seat_in(self._begin(self._games))

    @property
    def n_running(self) -> int:
        """How many games run now."""
        return len(self._games)

    def play(self) -> None:
        """Make one move in every game, and the forced ones after it."""
        positions = self._positions
        positions.look()
        n = len(positions)
        actors = self.seating[self._games, positions.seats]
        actions = self._actions[:n]
        for number, player in enumerate(self.players):
            indices = np.flatnonzero(actors == number)
            if len(indices):
                player.act(positions, indices, actions)
        self._require_legal(actors, actions)
        self.game.spec.loops.apply(positions.states, actions, True, positions.masks)
        self.points[self._games] += positions.states["reward"][:, : self.game.num_players]
        self.decisions += n

    def clear(self) -> None:
        """Take down the games that are over, and let others take their places."""
        states = self._positions.states
        over = np.flatnonzero(states["to_act"] < 0)
        if not len(over):
            return
        self._take_down(states[over], self._games[over])
        n_new = min(len(over), len(self.seeds) - self._n_begun)
        places = over[:n_new]
        self._games[places] = np.arange(self._n_begun, self._n_begun + n_new)
        self._n_begun += n_new
        if n_new:
            states[places] = self._begin(self._games[places])
        if n_new < len(over):
            staying = np.setdiff1d(np.arange(len(states)), over[n_new:])
            self._games = self._games[staying]
            self._seat_in(states[staying])

    def _require_legal(self, actors: NDArray[np.int64], actions: NDArray[np.int32]) -> None:
        wrong = first_illegal(self._positions.masks, actions)
        if wrong >= 0:
            state = self._positions.states[wrong : wrong + 1]
            reason = self.game.illegal_reason(state, int(actions[wrong]))
            raise IllegalMoveError(f"{self.players[actors[wrong]].name}: {reason}")

    def _begin(self, games: NDArray[np.int64]) -> Any:
        """Return the first positions of these games."""
        states = self.game.new_batch(len(games))
        states["rng"] = self.seeds[games]
        self.game.spec.loops.start(states)
        return states

    def _seat_in(self, states: Any) -> None:
        """Make the buffers fit so many games."""
        self._positions = Positions(self.game, states)
        self._actions = np.zeros(len(states), np.int32)

    def _take_down(self, states: Any, games: NDArray[np.int64]) -> None:
        """Keep the results of finished games."""
        seats = self.game.num_players
        sides = int(states[0].num_sides)
        # Points are whole numbers, the rewards a float32 multiple of them.
        parts = self.points[games] * (self.game.spec.reward_scale * (sides - 1))
        self.points[games] = np.rint(parts) / (sides - 1)
        winners = states["winners"][:, :sides].astype(np.float64)
        shares = winners / np.maximum(winners.sum(axis=1, keepdims=True), 1)
        self.wins[games] = shares[:, np.arange(seats) % sides]
        self.n_done += len(games)
