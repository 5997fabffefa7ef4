"""Positions saved and restored go on alike; seeds decide everything."""

from typing import Any

import numpy as np

from kitchentable.engine.game import Game
from kitchentable.testing.walks import as_json, games, positions, restored, viewers

_GOING_ON = 25
"""Moves for which a restored position must go on like the original."""
_NOT_IN_TABLES = ("points", "reward")
"""What the last move or deal brought: nothing that follows depends on it."""


def check_bytes(game: Game) -> None:
    """At every move, bytes and copies restore the position and its future exactly."""
    for seed, turns in games(game, 21, 50, 200):
        state = game.new(seed)
        for position, action in turns:
            saved = game.to_bytes(state)
            assert saved == game.to_bytes(position), "same moves, another position"
            assert game.to_bytes(game.from_bytes(saved)) == saved, "bytes change on the way"
            if action >= 0:
                copied, restored = game.copy(state), game.from_bytes(saved)
                rewards = game.play(state, action)
                for twin in (copied, restored):
                    assert (game.play(twin, action) == rewards).all(), "a copy is paid otherwise"
                    assert game.to_bytes(twin) == game.to_bytes(state), "a copy goes on otherwise"


def check_tables(game: Game) -> None:
    """A table brings back the whole position: what is shown, and what comes after."""
    for state in positions(game, 22, 60):
        table = game.table(state)
        assert as_json(table) == table, "the table is not plain JSON"
        back = restored(game, table)
        assert game.table(back) == table, "the table changes on the way"
        for name in game.spec.state.names or ():
            kept = name in _NOT_IN_TABLES or np.array_equal(back[name], state[name])
            assert kept, f"the table does not bring back {name}"
        _check_alike(game, state, back)
        _check_goes_on_alike(game, state, back)


def check_seeds(game: Game) -> None:
    """Same seed, same game; another seed, another; each game of a batch its own."""
    assert game.to_bytes(game.new(3)) == game.to_bytes(game.new(3)), "a seed gives two games"
    several = {game.to_bytes(game.new(seed)) for seed in range(20)}
    assert len(several) == 20, "two seeds give the same game"
    batch = game.new_batch(20, 0)
    assert len({game.to_bytes(batch[i : i + 1]) for i in range(20)}) == 20, "games repeat"
    assert game.to_bytes(batch[:1]) == game.to_bytes(game.new(0)), "the first is not the seed's"


def _check_alike(game: Game, one: Any, other: Any) -> None:
    assert (game.mask(one) == game.mask(other)).all(), "masks differ"
    assert (game.privileged(one) == game.privileged(other)).all(), "privileged views differ"
    for seat in viewers(game):
        seen, again = game.observe(one, seat), game.observe(other, seat)
        assert (seen == again).all(), f"seat {seat} sees another observation"
        assert game.view(one, seat) == game.view(other, seat), f"seat {seat} has another view"
    if not game.is_finished(one):
        assert game.scripted(one) == game.scripted(other), "the script plays otherwise"


def _check_goes_on_alike(game: Game, one: Any, other: Any) -> None:
    one, other = game.copy(one), game.copy(other)
    lots = np.random.default_rng(5)
    for _ in range(_GOING_ON):
        if game.is_finished(one):
            break
        legal = game.legal_actions(one)
        assert legal == game.legal_actions(other), "other moves are legal"
        action = legal[int(lots.integers(len(legal)))]
        paid, again = game.play(one, action), game.play(other, action)
        assert (paid == again).all(), f"paid {paid} and {again}"
    assert game.table(one) == game.table(other), "the positions drift apart"
