"""Kernels of expectations over the unknown states of one run, by a forward and a backward pass over the non-zeros."""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.belief_kernels import entry
from walkon.models.stacked import Stacked


@kernel
def find_entry(rows: Stacked, row: int, column: int) -> int:
    """Return the index of an entry of a matrix with sorted rows; -1 if there is none."""
    low, high = np.int64(rows.indptr[row]), np.int64(rows.indptr[row + 1])
    while low < high:
        middle = (low + high) // 2
        if rows.indices[middle] < column:
            low = middle + 1
        else:
            high = middle
    return int(low) if low < rows.indptr[row + 1] and rows.indices[low] == column else -1


@kernel
def observation_likelihood(sensor: Stacked, action: int, observation: int, state: int, X: int) -> Floats:
    """Return the likelihood of each state given the observation, or given the state itself if it is known."""
    likely = np.zeros(X)
    if state >= 0:
        likely[state] = 1.0
        return likely
    for y in range(X):
        likely[y] = entry(sensor, action * X + y, observation) if observation >= 0 else 1.0
    return likely


@kernel
def action_weights(policy: Floats, state: int, teammate_action: int) -> Floats:
    """Return the probability of each joint action of the teammates that is consistent with the observed one, [X, B].

    If both the state and the teammates' action are known, the policy is not used.
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
    """Return the log-likelihood of a run, NaN if it is impossible, and the belief at each of its steps, [L, X]."""
    L, (X, B) = states.shape[0], policy.shape
    alphas = np.zeros((L, X))
    alphas[0] = first
    likelihood = 0.0
    for t in range(L - 1):
        shares = action_weights(policy, states[t], teammate_actions[t])
        for x in range(X):
            for b in range(B):
                mass = alphas[t, x] * shares[x, b]
                if mass > 0.0:
                    row = (actions[t] * B + b) * X + x
                    for i in range(moves.indptr[row], moves.indptr[row + 1]):
                        alphas[t + 1, moves.indices[i]] += mass * moves.data[i]
        alphas[t + 1] *= observation_likelihood(sensor, actions[t], observations[t], states[t + 1], X)
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
    observed: Floats,
    chosen: Floats,
    begun: Floats,
) -> float:
    """Add the expected counts of a run to the last four arrays; return its log-likelihood, NaN if it is impossible.

    Known values are left out: they are counted elsewhere. `moved` and `observed` are parallel to the data of `moves`
    and `sensor`; `chosen` is [X, B], `begun` [X].
    """
    L, (X, B) = states.shape[0], policy.shape
    likelihood, alphas = forward(moves, sensor, policy, first, states, actions, teammate_actions, observations)
    if np.isnan(likelihood):
        return float(np.nan)
    beta = np.ones(X)
    for t in range(L - 2, -1, -1):
        shares = action_weights(policy, states[t], teammate_actions[t])
        after = beta * observation_likelihood(sensor, actions[t], observations[t], states[t + 1], X)
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
                    observed[find_entry(sensor, actions[t] * X + y, observations[t])] += arrived[y]
        beta /= beta.max()
    if states[0] < 0:
        began = alphas[0] * beta
        begun += began / began.sum()
    return float(likelihood)
