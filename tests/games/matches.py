"""Batches played to their end by the script and by lot."""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.engine.game import Game
from kitchentable.engine.loops import generators, random_actions


def play_out(game: Game, scripted: Collection[int], n_games: int) -> tuple[Any, NDArray[Any]]:
    """Play games in which these seats are scripted, the others play by lot.

    Every scripted move is checked to be legal. Returns the last states, and what was paid:
    float64 of shape (games, seats).
    """
    states, lots = game.new_batch(n_games, seed=11), generators(3, n_games)
    rewards = np.zeros((n_games, game.num_players))
    masks = np.zeros((n_games, game.actions.size), np.int8)
    actions = np.zeros(n_games, np.int32)
    while (running := np.flatnonzero(states.to_act >= 0)).size:
        part, n = states[running], len(running)
        game.spec.loops.legal(part, masks[:n])
        random_actions(masks[:n], lots[:n], actions[:n])
        theirs = np.flatnonzero(np.isin(part.to_act, list(scripted)))
        game.spec.loops.scripted(part, theirs, actions[:n])
        assert masks[np.arange(n), actions[:n]].all(), "an illegal move"
        game.spec.loops.apply(part, actions[:n], False, masks[:n])
        states[running] = part
        rewards[running] += part.reward[:, : game.num_players]
    return states, rewards


def mean_pay(game: Game, n_games: int) -> float:
    """Return what a scripted seat is paid a game against random play, over all seats."""
    seats = range(game.num_players)
    return float(np.mean([play_out(game, [seat], n_games)[1][:, seat] for seat in seats]))
