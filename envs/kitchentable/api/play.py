"""`play_game`: a whole game through PettingZoo, without its dance of dead agents."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.opponents import Opponent, opponent

Policy = Callable[[NDArray[np.float32], NDArray[np.int8]], Any]
"""Returns an action, given the observation and the mask of legal actions."""
Player = Policy | Opponent | str | Path


def play_game(
    env: Any, players: Player | Sequence[Player] | Mapping[str, Player], seed: int | None = None
) -> dict[str, float]:
    """Play one game to its end and return what each agent was paid in all.

    Args:
        env: one of our PettingZoo environments; it is reset first.
        players: who plays: one for all agents, a list by seat, or a mapping by agent. A
            player is a function of observation and mask, an opponent, or whatever
            `kitchentable.opponent` takes.
        seed: given to `env.reset`.

    Raises:
        ValueError: there are not as many players as agents.
        OpponentError: there is no such opponent, or it cannot play this game.
    """
    policies = _policies(env, players)
    env.reset(seed=seed)
    totals = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        if terminated or truncated:
            env.step(None)
        else:
            env.step(policies[agent](seen["observation"], seen["action_mask"]))
    return totals


def _policies(env: Any, players: Any) -> dict[str, Policy]:
    agents = env.possible_agents
    if isinstance(players, str | Path | Opponent) or callable(players):
        policy = _policy(env, players, 0)
        return dict.fromkeys(agents, policy)
    named = players if isinstance(players, Mapping) else dict(enumerate(players))
    expected = agents if isinstance(players, Mapping) else list(range(len(agents)))
    if set(named) != set(expected):
        raise ValueError(f"players must be given for {', '.join(agents)}, each once")
    return {
        agent: _policy(env, named[key], seat)
        for seat, (agent, key) in enumerate(zip(agents, expected, strict=True))
    }


def _policy(env: Any, player: Player, seed: int) -> Policy:
    """Return a player as a function of observation and mask."""
    if callable(player):
        return player
    made, raw = opponent(player, seed), env.unwrapped
    made.check(raw.game)
    return lambda observation, mask: made.action(raw.game, raw.position)
