"""Expectations over the unknown states of one run, as one pass forward and one back over the non-zeros."""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.stacked import Stacked


@kernel
def place(rows: Stacked, row: int, column: int) -> int:
    """Where an entry of a matrix with sorted rows stands; -1 if it is not there."""
    low, high = np.int64(rows.indptr[row]), np.int64(rows.indptr[row + 1])
    while low < high:
        middle = (low + high) // 2
        if rows.indices[middle] < column:
            low = middle + 1
        else:
            high = middle
    return int(low) if low < rows.indptr[row + 1] and rows.indices[low] == column else -1


@kernel
def seen(sensor: Stacked, action: int, observation: int, state: int, X: int) -> Floats:
    """How likely what was seen is in each state: the observation, or the state itself where it is known."""
    likely = np.zeros(X)
    if state >= 0:
        likely[state] = 1.0
        return likely
    for y in range(X):
        if observation < 0:
            likely[y] = 1.0
        else:
            at = place(sensor, action * X + y, observation)
            likely[y] = sensor.data[at] if at >= 0 else 0.0
    return likely


@kernel
def taken(policy: Floats, state: int, teammate_action: int) -> Floats:
    """How likely the teammates chose each joint action, where that is what they did, [X, B].

    Where the state and the teammates' choice in it are both known, their policy has no say.
    """
    shares = policy.copy()
    if teammate_action >= 0:
        if state >= 0:
            shares[:] = 1.0
        shares[:, :teammate_action] = 0.0
        shares[:, teammate_action + 1 :] = 0.0
    return shares


@kernel
def forward(
    moves: Stacked,
    sensor: Stacked,
    policy: Floats,
    first: Floats,
    states: Ints,
    actions: Ints,
    teammate_actions: Ints,
    observations: Ints,
) -> tuple[float, Floats]:
    """The log-likelihood of a run, NaN if it is impossible, and the belief at each of its steps, [L, X]."""
    L, (X, B) = states.shape[0], policy.shape
    alphas = np.zeros((L, X))
    alphas[0] = first
    likelihood = 0.0
    for t in range(L - 1):
        shares = taken(policy, states[t], teammate_actions[t])
        for x in range(X):
            for b in range(B):
                mass = alphas[t, x] * shares[x, b]
                if mass > 0.0:
                    row = (actions[t] * B + b) * X + x
                    for i in range(moves.indptr[row], moves.indptr[row + 1]):
                        alphas[t + 1, moves.indices[i]] += mass * moves.data[i]
        alphas[t + 1] *= seen(sensor, actions[t], observations[t], states[t + 1], X)
        total = alphas[t + 1].sum()
        if not total > 0.0:
            return float(np.nan), alphas
        likelihood += np.log(total)
        alphas[t + 1] /= total
    return likelihood, alphas


@kernel
def smooth(
    moves: Stacked,
    sensor: Stacked,
    policy: Floats,
    first: Floats,
    states: Ints,
    actions: Ints,
    teammate_actions: Ints,
    observations: Ints,
    moved: Floats,
    read: Floats,
    chosen: Floats,
    begun: Floats,
) -> float:
    """Add the expectations of a run to the last four arrays, and give its log-likelihood; NaN if it is impossible.

    What is known is left out: it is counted elsewhere. `moved` and `read` are parallel to the data of `moves` and
    `sensor`; `chosen` is [X, B], `begun` [X].
    """
    L, (X, B) = states.shape[0], policy.shape
    likelihood, alphas = forward(moves, sensor, policy, first, states, actions, teammate_actions, observations)
    if np.isnan(likelihood):
        return float(np.nan)
    beta = np.ones(X)
    for t in range(L - 2, -1, -1):
        shares = taken(policy, states[t], teammate_actions[t])
        after = beta * seen(sensor, actions[t], observations[t], states[t + 1], X)
        arrived = alphas[t + 1] * beta
        beta = np.zeros(X)
        for x in range(X):
            for b in range(B):
                if shares[x, b] > 0.0:
                    row = (actions[t] * B + b) * X + x
                    for i in range(moves.indptr[row], moves.indptr[row + 1]):
                        beta[x] += shares[x, b] * moves.data[i] * after[moves.indices[i]]
        total = (alphas[t] * beta).sum()
        for x in range(X):
            for b in range(B):
                mass = alphas[t, x] * shares[x, b]
                if mass > 0.0:
                    row = (actions[t] * B + b) * X + x
                    for i in range(moves.indptr[row], moves.indptr[row + 1]):
                        often = mass * moves.data[i] * after[moves.indices[i]] / total
                        moved[i] += often
                        if states[t] < 0 or teammate_actions[t] < 0:
                            chosen[x, b] += often
        if states[t + 1] < 0 and observations[t] >= 0:
            arrived /= arrived.sum()
            for y in range(X):
                if arrived[y] > 0.0:
                    read[place(sensor, actions[t] * X + y, observations[t])] += arrived[y]
        beta /= beta.max()
    if states[0] < 0:
        began = alphas[0] * beta
        begun += began / began.sum()
    return float(likelihood)
