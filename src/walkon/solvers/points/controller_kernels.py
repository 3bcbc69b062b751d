"""Kernels of finite-state controllers and their values."""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.solvers.points.backup_kernels import Branches, Model, branch, plan
from walkon.solvers.points.point_kernels import Points
from walkon.solvers.points.vector_kernels import Slots, Vectors, best_vector, rows_of, set_successors
from walkon.solvers.points.visible_kernels import Blocks


@kernel
def choose_successors(
    model: Model,
    blocks: Blocks,
    vectors: Vectors,
    sums: Points,  # for each node, the sum of the beliefs that its vector is best at
    nodes: Ints,  # [nodes, 2]: the block and the number of each node's vector
    out: Branches,  # a buffer
    otherwise: Ints,  # [blocks]: the successor after observations that are impossible at these beliefs
) -> None:
    """Replace the missing successors of each vector by those that are best where the vector is used."""
    Z, A = out.observation.shape[0], model.R.shape[1]
    follow, missing = np.empty(Z, np.int64), np.zeros(Z, np.bool_)
    for n in range(nodes.shape[0]):
        g, i = nodes[n, 0], nodes[n, 1]
        a = vectors.actions[vectors.first[g] + i]
        at = vectors.counted[g] + i * vectors.wide[g] - blocks.ways[g * A + a]
        for k in range(blocks.ways[g * A + a], blocks.ways[g * A + a + 1]):
            z = blocks.seen[k]
            missing[z] = vectors.follow[at + k] < 0
            follow[z] = otherwise[blocks.into[k]] if missing[z] else vectors.follow[at + k]
        count = branch(model, blocks, sums, n, a, out)
        for j in range(count):
            if missing[out.observation[j]]:
                begin, end = out.first[j], out.first[j + 1]
                h = blocks.block[blocks.states[out.slots[begin]]]
                best = best_vector(blocks, vectors, h, out.slots, out.weights, begin, end, 0)
                follow[out.observation[j]] = best
        set_successors(blocks, vectors, g, i, follow)


@kernel
def raise_all(model: Model, blocks: Blocks, vectors: Vectors, sums: Points, nodes: Ints, order: Ints) -> float:
    """Replace the vector of each node, in that order, by its own backup from its successors.

    Returns the largest rise of a node's value, on average over its beliefs.
    """
    A = model.R.shape[1]
    follow = np.zeros(_observations(blocks), np.int64)
    highest = 0.0
    for n in order:
        g, i = nodes[n, 0], nodes[n, 1]
        new = _backed_up(model, blocks, vectors, g, i, A, follow)
        old = rows_of(blocks, vectors, g)[i]
        rise = weight = 0.0
        for j in range(sums.first[n], sums.first[n + 1]):
            x = sums.slots[j] - blocks.first[g]
            rise += sums.weights[j] * max(0.0, new[x] - old[x])
            weight += sums.weights[j]
        highest = max(highest, rise / weight)
        for x in range(new.shape[0]):
            old[x] = max(old[x], new[x])
    return highest


@kernel
def replace_all(model: Model, blocks: Blocks, vectors: Vectors, nodes: Ints, new: Floats) -> float:
    """Replace the vectors of all nodes by their own backups from the old ones; return the smallest rise of a value.

    `new` is a buffer for the vectors of all nodes, one after the other.
    """
    A = model.R.shape[1]
    follow = np.zeros(_observations(blocks), np.int64)
    least, at = np.inf, 0
    for n in range(nodes.shape[0]):
        alpha = _backed_up(model, blocks, vectors, nodes[n, 0], nodes[n, 1], A, follow)
        for x in range(alpha.shape[0]):
            new[at + x] = alpha[x]
        at += alpha.shape[0]
    at = 0
    for n in range(nodes.shape[0]):
        row = rows_of(blocks, vectors, nodes[n, 0])[nodes[n, 1]]
        for x in range(row.shape[0]):
            least = min(least, new[at + x] - row[x])
            row[x] = new[at + x]
        at += row.shape[0]
    return least


@kernel
def _observations(blocks: Blocks) -> int:
    """Return the number of observations up to the last possible one."""
    most = 0
    for k in range(blocks.seen.shape[0]):
        most = max(most, blocks.seen[k] + 1)
    return most


@kernel
def _backed_up(model: Model, blocks: Blocks, vectors: Vectors, g: int, i: int, A: int, follow: Ints) -> Floats:
    """Return the backup of vector i of block g from its successors; `follow` is a buffer."""
    way = g * A + vectors.actions[vectors.first[g] + i]
    at = vectors.counted[g] + i * vectors.wide[g] - blocks.ways[way]
    for k in range(blocks.ways[way], blocks.ways[way + 1]):
        follow[blocks.seen[k]] = vectors.follow[at + k]
    return plan(model, blocks, vectors, g, way - g * A, follow)


@kernel
def sum_beliefs(points: Points, chosen: Ints, node: Ints, weights: Floats, slots: int) -> tuple[Ints, Slots, Floats]:
    """Return weighted sums of the `chosen` points, without zeros: the first entry of each, the slots and the weights.

    `node` is the sum that each belongs to, from 0 on, in order and without gaps; `slots` is the number of all slots.
    """
    entries = 0
    for p in chosen:
        entries += points.first[p + 1] - points.first[p]
    first = np.zeros((node[-1] if node.shape[0] else -1) + 2, np.int64)
    where, sums = np.empty(entries, np.int32), np.empty(entries)
    place = np.full(slots, -1)
    size = 0
    for c in range(chosen.shape[0]):
        begin = first[node[c]]
        for j in range(points.first[chosen[c]], points.first[chosen[c] + 1]):
            slot = points.slots[j]
            if place[slot] < begin:
                place[slot] = size
                where[size], sums[size] = slot, 0.0
                size += 1
            sums[place[slot]] += weights[c] * points.weights[j]
        first[node[c] + 1] = size
    return first, where[:size].copy(), sums[:size].copy()
