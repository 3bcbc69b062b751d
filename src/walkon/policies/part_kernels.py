"""Kernels that split a belief into parts, by the blocks of states for which a policy keeps vectors."""

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel

HEAD = 4  # numbers at the beginning of a layout, see `vector_blocks`


@kernel
def pairs_of(belief: Floats) -> Floats:
    """Return the possible states and their weights, [S, 2]."""
    n = 0
    for x in range(belief.shape[0]):
        n += belief[x] != 0.0
    pairs = np.empty((n, 2))
    n = 0
    for x in range(belief.shape[0]):
        if belief[x] != 0.0:
            pairs[n, 0], pairs[n, 1] = x, belief[x]
            n += 1
    return pairs


@kernel
def find_parts(layouts: Ints, at: int, pairs: Floats) -> tuple[Floats, Ints, Ints, int]:
    """Split a belief by the blocks that contain its states; its policy's layout begins at `at`.

    Returns, for each state in each part, the first of its entries and its weight, and its place in the belief; and the
    block, begin and end of each part, with their number: arrays [parts' states, 2], [parts' states] and [parts, 3].
    """
    X, G, L = layouts[at], layouts[at + 1], layouts[at + 2]
    n = pairs.shape[0]
    size = L * n
    rows, places = np.empty((size, 2)), np.empty(size, np.int64)
    parts = np.empty((L, 3), np.int64)
    used, count = 0, 0
    for layer in range(L):
        table = at + HEAD + G + 1 + 2 * X * layer
        home = layouts[table + 2 * int(pairs[0, 0])] if n > 0 else -1
        same = True
        for j in range(n):
            x = int(pairs[j, 0])
            same = same and layouts[table + 2 * x] == home
            rows[used + j, 0], rows[used + j, 1], places[used + j] = layouts[table + 2 * x + 1], pairs[j, 1], j
        if same:
            if home >= 0:
                parts[count, 0], parts[count, 1], parts[count, 2] = home, used, used + n
                count += 1
                used += n
            continue
        begins = np.zeros(G + 2, np.int64)  # states in no block of this layer come first
        for j in range(n):
            begins[layouts[table + 2 * int(pairs[j, 0])] + 2] += 1
        several = 0
        for g in range(G):
            several += begins[g + 2] > 0
        begins = np.cumsum(begins)
        outside = begins[1]
        grown = np.empty((count + several + L, 3), np.int64)
        for i in range(count):
            for c in range(3):
                grown[i, c] = parts[i, c]
        parts = grown
        for g in range(G):
            if begins[g + 2] > begins[g + 1]:
                parts[count, 0] = g
                parts[count, 1] = used + begins[g + 1] - outside
                parts[count, 2] = used + begins[g + 2] - outside
                count += 1
        for j in range(n):
            x = int(pairs[j, 0])
            g = layouts[table + 2 * x]
            if g >= 0:
                i = used + begins[g + 1] - outside
                begins[g + 1] += 1
                rows[i, 0], rows[i, 1], places[i] = layouts[table + 2 * x + 1], pairs[j, 1], j
        used += n - outside
    return rows, places, parts, count
