"""What is done for every sample, compiled: drawing actions, and the policy's gradient.

A game allows few of its actions at a time. These loops touch the legal ones alone, which
makes them several times cheaper than the same in whole-array operations; the tests hold
them to those. Sums are taken in float64. The kernels of this file call none of another.

The legal actions of many rows are kept one after the other: those of row i are
`legal[starts[i]]` to before `legal[starts[i + 1]]`, in order.
"""

from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.engine.jit import kernel

N_TOTALS = 8
POLICY_LOSS, ENTROPY, OLD_KL, KL, CLIPPED, MAGNET_KL, TEACHER_LOSS, CHOICES = range(N_TOTALS)
"""What `policy_gradient` adds up over the samples with a choice."""


def list_legal(masks: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return where each row's legal actions start, and the actions.

    Args:
        masks: of shape (n, actions).

    Returns:
        int64 of shape (n + 1,), and int32 with an entry for each legal action of each row.
    """
    starts = np.zeros(len(masks) + 1, np.int64)
    np.cumsum(np.count_nonzero(masks, axis=1), out=starts[1:])
    # One more: the loop writes an entry before it knows whether it is needed.
    legal = np.zeros(starts[-1] + 1, np.int32)
    _fill_legal(masks, starts, legal)
    return starts, legal[:-1]


@kernel
def _fill_legal(masks: Any, starts: Any, legal: Any) -> None:
    for row in range(masks.shape[0]):
        _list_row(masks[row], legal[starts[row] :])


@kernel
def _list_row(mask: Any, legal: Any) -> int:
    """Set `legal` to the legal actions in order; return how many they are."""
    n_legal = 0
    for action in range(mask.shape[0]):
        # Written without a branch: hardly any action is legal, and none can be foretold.
        if n_legal < legal.shape[0]:
            legal[n_legal] = action
        n_legal += int(mask[action])
    return n_legal


@kernel
def draw_actions(
    logits: Any, masks: Any, uniforms: Any, actions: Any, log_probabilities: Any
) -> None:
    """Draw a legal action for each row from the policy.

    Args:
        logits: float32 of shape (n, actions).
        masks: bool of the same shape.
        uniforms: float64 of shape (n,), 0 to below 1.
        actions: int32 of shape (n,), set.
        log_probabilities: float32 of shape (n,), set; of the actions drawn.
    """
    legal = np.empty(logits.shape[1] + 1, np.int32)
    p, log_p = np.empty(logits.shape[1]), np.empty(logits.shape[1])
    for i in range(logits.shape[0]):
        n_legal = _list_row(masks[i], legal)
        _policy(logits[i], legal[:n_legal], p, log_p)
        rest = uniforms[i]
        chosen = n_legal - 1
        for k in range(n_legal):
            rest -= p[k]
            if rest < 0:
                chosen = k
                break
        actions[i] = legal[chosen]
        log_probabilities[i] = log_p[chosen]


@kernel
def policy_gradient(
    logits: Any,
    magnet_logits: Any,
    rows: Any,
    starts: Any,
    legal: Any,
    actions: Any,
    advice: Any,
    old_log_probabilities: Any,
    advantages: Any,
    scale: float,
    clip: float,
    ent_coef: float,
    magnet_coef: float,
    teacher_coef: float,
    gradient: Any,
    totals: Any,
) -> None:
    """Write the gradient of the policy's loss by the logits, times `scale`.

    A sample's loss is the clipped surrogate, less `ent_coef` times the entropy over its
    legal actions, plus `magnet_coef` times KL(policy || magnet), less `teacher_coef` times
    the log-probability of the teacher's action. A sample with one legal action has nothing
    to learn: it counts in no mean and its gradient is 0.

    Args:
        logits: float32 of shape (n, actions), of the samples `rows`.
        magnet_logits: the same of the magnet; any array if `magnet_coef` is 0.
        rows: int64 of shape (n,), which samples of the arrays below these are.
        starts: int64 of shape (samples + 1,), where their legal actions start, as
            `list_legal` returns them.
        legal: int32, these actions.
        actions: int32 of shape (samples,).
        advice: the teacher's actions, int32 of shape (samples,); any legal ones if
            `teacher_coef` is 0.
        old_log_probabilities: float32 of shape (samples,), when the action was drawn.
        advantages: float32 of shape (n,).
        scale: 1 / the number of samples to take the mean over.
        clip: how far from 1 the ratio may pay off.
        ent_coef: worth of entropy.
        magnet_coef: cost of distance from the magnet.
        teacher_coef: worth of doing as the teacher.
        gradient: float32 of shape (n, actions), set at legal actions, and 0 elsewhere
            already.
        totals: float64 of shape (N_TOTALS,), added to.
    """
    n_actions = logits.shape[1]
    p, log_p = np.empty(n_actions), np.empty(n_actions)
    q, log_q = np.empty(n_actions), np.empty(n_actions)
    for i in range(logits.shape[0]):
        row = rows[i]
        mine = legal[starts[row] : starts[row + 1]]
        n_legal = mine.shape[0]
        if n_legal < 2:
            continue
        _policy(logits[i], mine, p, log_p)
        entropy, distance = -_expectation(p, log_p, n_legal), 0.0
        if magnet_coef > 0:
            _policy(magnet_logits[i], mine, q, log_q)
            distance = -entropy - _expectation(p, log_q, n_legal)
        taken = _place(mine, actions[row])
        log_ratio = log_p[taken] - float(old_log_probabilities[row])
        ratio = exp(log_ratio)
        pull = _surrogate(ratio, float(advantages[i]), clip, totals)
        for k in range(n_legal):
            slope = ent_coef * (log_p[k] + entropy) - pull + teacher_coef
            if magnet_coef > 0:
                slope += magnet_coef * (log_p[k] - log_q[k] - distance)
            gradient[i, mine[k]] = scale * p[k] * slope
        gradient[i, mine[taken]] += scale * pull
        if teacher_coef > 0:
            gradient[i, advice[row]] -= scale * teacher_coef
            totals[TEACHER_LOSS] -= log_p[_place(mine, advice[row])]
        totals[ENTROPY] += entropy
        totals[OLD_KL] -= log_ratio
        totals[KL] += ratio - 1 - log_ratio
        totals[MAGNET_KL] += distance
        totals[CHOICES] += 1


@kernel
def clear_gradient(gradient: Any, rows: Any, starts: Any, legal: Any) -> None:
    """Set to 0 again what `policy_gradient` has written for these rows."""
    for i in range(rows.shape[0]):
        for k in range(starts[rows[i]], starts[rows[i] + 1]):
            gradient[i, legal[k]] = 0


@kernel
def _policy(logits: Any, legal: Any, p: Any, log_p: Any) -> None:
    """Set the probability of each of the legal actions, and its logarithm."""
    top = float(logits[legal[0]])
    for k in range(legal.shape[0]):
        log_p[k] = float(logits[legal[k]])
        top = max(top, log_p[k])
    total = 0.0
    for k in range(legal.shape[0]):
        log_p[k] -= top
        p[k] = exp(log_p[k])
        total += p[k]
    log_total = log(total)
    for k in range(legal.shape[0]):
        log_p[k] -= log_total
        p[k] /= total


@kernel
def _expectation(p: Any, values: Any, n: int) -> float:
    """Return the mean of the first `n` values, weighted by the probabilities `p`."""
    total = 0.0
    for k in range(n):
        total += p[k] * values[k]
    return total


@kernel
def _place(legal: Any, action: int) -> int:
    """Return where `action` stands in `legal`, where it must stand."""
    k = 0
    while legal[k] != action:
        k += 1
    return k


@kernel
def _surrogate(ratio: float, advantage: float, clip: float, totals: Any) -> float:
    """Add up the clipped surrogate loss; return its slope by the action's log-probability."""
    plain = -advantage * ratio
    clipped = -advantage * min(max(ratio, 1 - clip), 1 + clip)
    totals[POLICY_LOSS] += max(plain, clipped)
    totals[CLIPPED] += abs(ratio - 1) > clip
    return plain if plain >= clipped else 0.0
