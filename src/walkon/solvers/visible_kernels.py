"""Joining states that the same reading leaves possible. Kernels: plain arrays in, plain arrays out."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from walkon.compiled import kernel
from walkon.models.distributions import Ints
from walkon.models.stacked import Stacked


class Blocks(NamedTuple):
    """The states by block. A slot is a place in `states`: the slots of block g are first[g] to first[g + 1]."""

    states: npt.NDArray[np.int32]  # [slots]
    first: Ints  # [blocks + 1]
    block: Ints  # [X]
    slot: npt.NDArray[np.int32]  # [X]
    start: int  # the block that holds the start belief


@kernel
def root(parent: npt.NDArray[np.int32], x: int) -> int:
    """The state that stands for the block of x; the way to it is shortened."""
    top = x
    while parent[top] != top:
        top = parent[top]
    while parent[x] != top:
        parent[x], x = top, parent[x]
    return top


@kernel
def join(
    transitions: Stacked,
    readings: Stacked,
    A: int,
    Z: int,
    parent: npt.NDArray[np.int32],
    order: Ints,
    start: Ints,
) -> bool:
    """Join the states that a reading leaves possible, after each action in each block. Says whether any were joined.

    Before and afterwards, parent[x] is the least state of the block of x. `order` are the states by block, and `start`
    those that may be the first.
    """
    X = parent.shape[0]
    changed = False
    held = np.full((A, Z), -1)  # which block last gave a reading after an action
    reached = np.empty((A, Z), np.int32)  # the state that it was read in
    before = parent.copy()
    for j in range(X + start.shape[0]):
        first = j >= X
        x = start[j - X] if first else order[j]
        block = X if first else before[x]
        for a in range(A):
            for i in range(transitions.indptr[a * X + x], transitions.indptr[a * X + x + 1]):
                y = transitions.indices[i]
                for k in range(readings.indptr[a * X + y], readings.indptr[a * X + y + 1]):
                    z = readings.indices[k]
                    if held[a, z] != block:
                        held[a, z] = block
                        reached[a, z] = y
                        continue
                    one, other = root(parent, y), root(parent, reached[a, z])
                    if one != other:
                        parent[max(one, other)] = min(one, other)
                        changed = True
    for x in range(X):
        parent[x] = root(parent, x)
    return changed
