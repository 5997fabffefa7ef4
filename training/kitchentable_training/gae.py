"""Generalised advantage estimation over each seat's own decisions.

The decisions of all seats lie mixed in the rows of a rollout. `links` says for each of
them in which row the same seat decides next, so that one pass from the last row to the
first follows every seat's sequence, whatever the order in which seats act.
"""

import numpy as np
from numpy.typing import NDArray


def advantages(
    rewards: NDArray[np.float32],
    values: NDArray[np.float32],
    links: NDArray[np.int32],
    bootstraps: NDArray[np.float32],
    unused: NDArray[np.bool_],
    *,
    gamma: float,
    gae_lambda: float,
) -> NDArray[np.float32]:
    """Return the advantage of each decision; float32 of shape (rows + 1, games).

    The last row of every array is blank: zeros, for links that lead nowhere.

    Args:
        rewards: what the seat got after the decision and before its next one, or the end;
            float32 of shape (rows + 1, games).
        values: the critic's value when the decision was made; same shape.
        links: the row of the seat's next decision, always a later one; the blank row if
            there is none. int32, same shape.
        bootstraps: where there is none, the value of what comes next: 0 at a game's end.
        unused: no decision, or one whose successor is not known yet. Their advantage is 0,
            so that a decision before them goes by their value alone. bool, same shape.
        gamma: discount by decision.
        gae_lambda: weight of longer looks ahead.
    """
    result = np.zeros_like(rewards)
    games = np.arange(rewards.shape[1])
    for row in range(len(rewards) - 2, -1, -1):
        after = links[row]
        following = values[after, games] + bootstraps[row]
        surprise = rewards[row] + gamma * following - values[row]
        result[row] = surprise + gamma * gae_lambda * result[after, games]
        result[row, unused[row]] = 0
    return result
