"""Kernels that join states that are possible after the same observation."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.stacked import Stacked


class Blocks(NamedTuple):
    """The states by block. A slot is an index into `states`: the slots of block g are first[g] to first[g + 1]."""

    states: npt.NDArray[np.int32]  # [slots]
    first: Ints  # [blocks + 1]
    block: Ints  # [X]
    slot: npt.NDArray[np.int32]  # [X]
    start: int  # the block of the start belief
    ways: Ints  # [blocks * A + 1]: the first entry of action a in block g, at g * A + a, in `seen` and `into`
    seen: npt.NDArray[np.int32]  # the possible observations
    into: npt.NDArray[np.int32]  # the blocks that they lead to
    work: Floats  # [1]: the numbers that kernels read so far, about: what they cost, the same on every machine


@kernel
def root(parent: npt.NDArray[np.int32], x: int) -> int:
    """Return the representative of the block of x, and shorten the path to it."""
    top = x
    while parent[top] != top:
        top = parent[top]
    while parent[x] != top:
        parent[x], x = top, parent[x]
    return top


@kernel
def join(
    transitions: Stacked, sensor: Stacked, A: int, Z: int, parent: npt.NDArray[np.int32], order: Ints, start: Ints
) -> bool:
    """Join the states that are possible after an observation, for each action and block; return whether any were.

    Before and afterwards, parent[x] is the lowest state of the block of x. `order` lists the states by block, and
    `start` those of the start belief.
    """
    X = parent.shape[0]
    changed = False
    held = np.full((A, Z), -1)  # the last block with an observation after an action
    reached = np.empty((A, Z), np.int32)  # the state with that observation
    before = parent.copy()
    for j in range(X + start.shape[0]):
        first = j >= X
        x = start[j - X] if first else order[j]
        block = X if first else before[x]
        for a in range(A):
            for i in range(transitions.indptr[a * X + x], transitions.indptr[a * X + x + 1]):
                y = transitions.indices[i]
                for k in range(sensor.indptr[a * X + y], sensor.indptr[a * X + y + 1]):
                    z = sensor.indices[k]
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


@kernel
def ways_on(
    transitions: Stacked, sensor: Stacked, A: int, Z: int, states: npt.NDArray[np.int32], first: Ints, block: Ints
) -> tuple[Ints, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the possible observations after each action in each block, and the next blocks: see `Blocks`."""
    X, G = block.shape[0], first.shape[0] - 1
    ways = np.zeros(G * A + 1, np.int64)
    arrived, noted = np.full(X, -1), np.full(Z, -1)  # the last way that led to a state, and to an observation
    seen, into = np.empty(16, np.int32), np.empty(16, np.int32)
    size = 0
    for g in range(G):
        for a in range(A):
            way = g * A + a
            for j in range(first[g], first[g + 1]):
                x = states[j]
                for i in range(transitions.indptr[a * X + x], transitions.indptr[a * X + x + 1]):
                    y = transitions.indices[i]
                    if arrived[y] == way:
                        continue
                    arrived[y] = way
                    for k in range(sensor.indptr[a * X + y], sensor.indptr[a * X + y + 1]):
                        z = sensor.indices[k]
                        if noted[z] != way:
                            noted[z] = way
                            if size == seen.shape[0]:
                                seen, into = np.append(seen, seen), np.append(into, into)
                            seen[size], into[size] = z, block[y]
                            size += 1
            ways[way + 1] = size
    return ways, seen[:size].copy(), into[:size].copy()
