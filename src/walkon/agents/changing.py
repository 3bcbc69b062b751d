"""A task that may change before an update, for beliefs without tables: what `inference_kernels.switch` does with them.

With probability h the teammates go over to another task, each equally likely. With c = h / (K - 1) the weight of state
x under task k becomes

    (1 - h) p(k) b_k(x) + c sum over j != k of p(j) b_j(x)

if the tasks have the same kind of states; otherwise task k begins anew, with its start belief in the place of b_j.
Tasks have the same kind of states if their rules are objects of one class. Where the sum has more states than a belief
may hold, it is reduced as beliefs are.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from walkon.agents import array_belief, sparse_belief
from walkon.agents.array_belief import ArrayBelief, Belief
from walkon.agents.sparse_belief import Kind
from walkon.arrays import Floats
from walkon.tasks import TaskLibrary
from walkon.tasks.simulator import Luck


def same_states(library: TaskLibrary) -> bool:
    """Whether the tasks of a library without tables have the same kind of states."""
    tasks: Any = library
    return len({type(task.outline.written) for task in tasks}) == 1


def changed(
    tasks: Floats,
    beliefs: Sequence[Belief],
    starts: Sequence[Belief] | None,
    hazard: float,
    most: int,
    luck: Callable[[int], Luck],
) -> tuple[Floats, list[Belief]]:
    """Return the weights of the tasks, [K], and the beliefs over their states after a possible change.

    Args:
        tasks: The probabilities of the tasks.
        beliefs: Their state beliefs.
        starts: Their start beliefs, where a new task begins anew; None where states carry over.
        hazard: The probability of a change.
        most: How many states a belief may hold.
        luck: Gives the uniform numbers for each task; K is for the sum of all.
    """
    K = len(tasks)
    other, own = hazard / (K - 1), 1 - hazard
    weights, after = np.empty(K), list[Belief]()
    everything = None
    if starts is None and own >= other:  # then the sum over all tasks serves every task
        everything = mixed(list(zip(tasks.tolist(), beliefs, strict=True)), most, luck(K))[1]
    for k in range(K):
        rest = [j for j in range(K) if j != k]
        if starts is not None:
            parts = [(own * tasks[k], beliefs[k]), (other * math.fsum(tasks[rest]), starts[k])]
        elif everything is not None:
            parts = [((own - other) * tasks[k], beliefs[k]), (other, everything)]
        else:
            parts = [(own * tasks[k], beliefs[k]), *((other * tasks[j], beliefs[j]) for j in rest)]
        weights[k], belief = mixed(parts, most, luck(k))
        after.append(belief)
    return weights, after


def mixed(parts: Sequence[tuple[float, Belief]], most: int, luck: Luck) -> tuple[float, Belief]:
    """Mix beliefs in proportion to their weights; return the total weight and the mixture."""
    total = math.fsum(share for share, _ in parts)
    used = [(share / total, belief) for share, belief in parts if share > 0]
    if len(used) == 1:
        return total, used[0][1]
    kinds = {belief.kind for _, belief in used}
    kind: Kind = "particles" if "particles" in kinds else "factored" if kinds == {"factored"} else "exact"
    made: Belief
    if all(isinstance(belief, ArrayBelief) for _, belief in used):
        every: list[Any] = [belief for _, belief in used]
        weights = np.concatenate([share * belief.weights for share, belief in used])
        rows, which = np.unique(np.concatenate([belief.rows for belief in every]), axis=0, return_inverse=True)
        summed = np.bincount(which.ravel(), weights).astype(np.float64)
        made = array_belief.kept(rows, summed, most, luck, kind)
    else:
        joint: dict[Any, float] = {}
        for share, belief in used:
            for x, p in belief.probabilities.items():
                joint[x] = joint.get(x, 0.0) + share * p
        made = sparse_belief.kept(joint, most, luck, kind)
    return total, made._replace(approximate=any(belief.approximate for _, belief in used))
