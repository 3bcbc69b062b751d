"""All K models in one pass. Kernels: plain arrays in, plain arrays out.

The states of all tasks stand behind one another, task k's from offsets[k] to offsets[k + 1], and so do the rows of
their matrices. The work is linear in K and in the non-zeros.
"""

import numpy as np
import numpy.typing as npt

from walkon.compiled import kernel
from walkon.models.belief_kernels import condition_into, support
from walkon.models.distributions import Floats, Ints
from walkon.models.stacked import Stacked


@kernel
def predict_all(
    transitions: Stacked, offsets: Ints, A: int, skip: npt.NDArray[np.bool_], belief: Floats, action: int
) -> Floats:
    """The beliefs of all tasks after an action and before its reading; zero for the tasks to skip."""
    predicted = np.zeros(belief.shape[0])
    places = np.empty(belief.shape[0], np.int64)
    for k in range(offsets.shape[0] - 1):
        if skip[k]:
            continue
        begin, end = offsets[k], offsets[k + 1]
        first = A * begin + action * (end - begin) - begin
        for j in range(support(belief, begin, end, places)):
            x = places[j]
            for i in range(transitions.indptr[first + x], transitions.indptr[first + x + 1]):
                predicted[transitions.indices[i]] += belief[x] * transitions.data[i]
    return predicted


@kernel
def weigh(tasks: Floats, likelihood: Floats) -> tuple[Floats, float]:
    """The task belief multiplied by the tasks' likelihoods and normalised, and the normaliser; zero if all are."""
    after = np.empty_like(tasks)
    total = 0.0
    for k in range(after.shape[0]):
        after[k] = tasks[k] * likelihood[k]
        total += after[k]
    if total > 0.0:
        for k in range(after.shape[0]):
            after[k] /= total
    return after, total


@kernel
def condition_all(
    transitions: Stacked,
    readings: Stacked,
    offsets: Ints,
    A: int,
    refuted: npt.NDArray[np.bool_],
    belief: Floats,
    action: int,
    observation: int,
) -> tuple[Floats, Floats]:
    """The beliefs of all tasks after an action and its reading, and the likelihood of the reading under each.

    Where it is zero, and for tasks that are refuted already, the belief stays as it was.
    """
    K = offsets.shape[0] - 1
    after = np.zeros(belief.shape[0])
    largest = 0
    for k in range(K):
        largest = max(largest, offsets[k + 1] - offsets[k])
    places = np.empty(2 * largest, np.int64)
    likelihood = np.zeros(K)
    for k in range(K):
        begin, end = offsets[k], offsets[k + 1]
        if not refuted[k]:
            first = A * begin + action * (end - begin) - begin
            likelihood[k] = condition_into(transitions, readings, first, belief, begin, end, observation, after, places)
        if likelihood[k] == 0.0:
            after[begin:end] = belief[begin:end]
    return after, likelihood


@kernel
def posterior(
    transitions: Stacked,
    readings: Stacked,
    offsets: Ints,
    A: int,
    tasks: Floats,
    refuted: npt.NDArray[np.bool_],
    belief: Floats,
    action: int,
    observation: int,
) -> tuple[Floats, Floats, npt.NDArray[np.bool_], float]:
    """Task belief, state beliefs and refuted tasks after an action and its reading, and the reading's probability."""
    after, likelihood = condition_all(transitions, readings, offsets, A, refuted, belief, action, observation)
    weighed, total = weigh(tasks, likelihood)
    out = refuted.copy()
    for k in range(out.shape[0]):
        out[k] |= likelihood[k] == 0.0
    return weighed, after, out, total


@kernel
def posterior_of_arrays(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    data: Floats,
    sensor_indptr: npt.NDArray[np.int64],
    sensor_indices: npt.NDArray[np.int32],
    sensor_data: Floats,
    offsets: Ints,
    A: int,
    tasks: Floats,
    refuted: npt.NDArray[np.bool_],
    belief: Floats,
    action: int,
    observation: int,
) -> tuple[Floats, Floats, npt.NDArray[np.bool_], float]:
    """The same, with the stacks as plain arrays: as these they pass from Python to a kernel three times as fast."""
    transitions = Stacked(indptr, indices, data)
    readings = Stacked(sensor_indptr, sensor_indices, sensor_data)
    return posterior(transitions, readings, offsets, A, tasks, refuted, belief, action, observation)
