"""Games played to look at: positions from all over a game, and the hash of a trajectory."""

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

import numpy as np

from kitchentable.engine.game import Game
from kitchentable.engine.reading import TableError
from kitchentable.engine.state import Reward

SCRIPT_SHARES = (1.0, 0.8, 0.3, 0.0)
"""How often the moves of a game are the scripted ones; random play alone gets nowhere."""
_LIMIT = 3000
"""Moves after which a game that is only looked at is left."""


class Turn(NamedTuple):
    """A position and the action played there; -1 where the game is over."""

    state: Any
    action: int


Turns = list[Turn]


def record(game: Game, seed: int, script_share: float, limit: int = _LIMIT) -> Turns:
    """Return the positions of one game, copied, with the actions played."""
    lots = np.random.default_rng([seed, int(100 * script_share)])
    turns: Turns = []
    state = game.new(seed)
    while len(turns) < limit and not game.is_finished(state):
        legal = game.legal_actions(state)
        if not legal:
            raise AssertionError(f"no legal action: {game.table(state)}")
        random = legal[int(lots.integers(len(legal)))]
        action = game.scripted(state) if lots.random() < script_share else random
        turns.append(Turn(game.copy(state), action))
        game.play(state, action)
    turns.append(Turn(game.copy(state), -1))
    return turns


def games(game: Game, seed: int, moves: int, limit: int = _LIMIT) -> Iterator[tuple[int, Turns]]:
    """Yield games of every kind with their seeds, of each kind so many moves at least."""
    for share in SCRIPT_SHARES:
        left = moves
        while left > 0:
            turns = record(game, seed, share, limit)
            yield seed, turns
            left -= len(turns)
            seed += 100


def positions(game: Game, seed: int, count: int) -> list[Any]:
    """Return about `count` positions, spread over games of every kind, first and last too."""
    found = []
    quota = count // len(SCRIPT_SHARES)
    for _, turns in games(game, seed, quota):
        places = np.linspace(0, len(turns) - 1, min(len(turns), quota))
        found += [turns[int(place)].state for place in np.unique(places.round())]
    return found


def restored(game: Game, table: Any) -> Any:
    """Return the state of a table that the game wrote itself."""
    try:
        return game.from_table(as_json(table))
    except TableError as error:
        raise AssertionError(f"the game refuses a table that it wrote: {error}") from error


def restored_view(game: Game, view: Any, seed: int) -> Any:
    """Return a state that has a view that the game wrote itself."""
    try:
        return game.from_view(as_json(view), seed)
    except TableError as error:
        raise AssertionError(f"the game refuses a view that it wrote: {error}") from error


def viewers(game: Game) -> range:
    """Return all seats."""
    return range(game.num_players)


def without_rng(table: dict[str, Any]) -> dict[str, Any]:
    """Return a table without the generator's state."""
    return {key: value for key, value in table.items() if key != "rng"}


def as_json(value: Any) -> Any:
    """Return a value as it comes back from JSON."""
    return json.loads(json.dumps(value))


def same_game(game: Game, **changes: Any) -> Game:
    """Return the game with some options or the reward form changed."""
    options = {"reward": Reward(game.reward).name.lower(), **game.options, **changes}
    return Game(game.spec, **options)


def arguments(game: Game) -> dict[str, Any]:
    """Return what an environment takes to be of this game."""
    return {"game": game.name, "reward": Reward(game.reward).name.lower(), **game.options}


def trajectory_hash(game: Game, seed: int = 0, moves: int = 1500) -> str:
    """Return a hash of games of random moves: all that every seat is shown and paid.

    The same on every machine as long as rules, actions, observation and generator stay.
    """
    found = sha256()
    for part in _trajectory(game, seed, moves):
        found.update(part)
    return found.hexdigest()[:16]


def _trajectory(game: Game, seed: int, moves: int) -> Iterator[bytes]:
    lots = np.random.default_rng(seed)
    state = game.new(seed)
    for _ in range(moves):
        if game.is_finished(state):
            yield json.dumps(game.table(state), sort_keys=True).encode()
            seed += 1
            state = game.new(seed)
        legal = game.legal_actions(state)
        for seat in viewers(game):
            yield game.observe(state, seat).astype("<f4").tobytes()
        action = legal[int(lots.random() * len(legal))]
        yield np.array(legal, "<i4").tobytes()
        yield game.play(state, action).astype("<f4").tobytes()
    yield json.dumps(game.table(state), sort_keys=True).encode()
