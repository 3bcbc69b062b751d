"""Kernels of beliefs as arrays: every state is expanded into its outcomes, and equal ones are added up by hashing."""

from typing import Any

from walkon.arrays import Floats, Ints
from walkon.compiled import kernel
from walkon.models.luck_kernels import Luck, fingerprint


@kernel
def put(y: Ints, p: float, rows: Ints, weights: Floats, places: Ints, count: int) -> int:
    """Add to the weight of a state, which gets a row of its own if it is new; return how many there are; -1 if full."""
    D = rows.shape[1]
    at = fingerprint(y, D) & (places.shape[0] - 1)
    while places[at] >= 0:
        i, same = places[at], True
        for j in range(D):
            same &= rows[i, j] == y[j]
        if same:
            weights[i] += p
            return count
        at = (at + 1) & (places.shape[0] - 1)
    if count == rows.shape[0]:
        return -1
    for j in range(D):
        rows[count, j] = y[j]
    places[at], weights[count] = count, p
    return count + 1


@kernel
def expand(
    outcomes: Any,
    step: Any,
    a: int,
    facts: Ints,
    reals: Floats,
    states: Ints,  # [n, D]
    chances: Floats,  # [n]
    most: int,  # how many states are drawn in all, where outcomes cannot be listed
    rows: Ints,  # [N, D]: for the next states
    weights: Floats,  # [N]
    places: Ints,  # [a power of two above N]
    ys: Ints,  # [room for outcomes, D]
    ps: Floats,
    luck: Luck,
) -> tuple[int, bool]:
    """Write all next states and their weights; return how many there are, -1 if too many, and whether any was drawn."""
    for i in range(places.shape[0]):
        places[i] = -1
    count, drawn = 0, False
    for i in range(states.shape[0]):
        listed = outcomes(a, facts, reals, states[i], ys, ps)
        if listed > ps.shape[0]:
            drawn = True
            listed = max(1, round(most * chances[i]))
            for _ in range(listed):
                step(a, facts, reals, states[i], ys[0], luck)
                count = put(ys[0], chances[i] / listed, rows, weights, places, count)
                if count < 0:
                    return -1, drawn
            continue
        for j in range(listed):
            if ps[j] > 0.0:
                count = put(ys[j], chances[i] * ps[j], rows, weights, places, count)
                if count < 0:
                    return -1, drawn
    return count, drawn


@kernel
def weigh_rows(
    likelihood: Any, a: int, facts: Ints, reals: Floats, rows: Ints, weights: Floats, seen: Ints, shares: Floats
) -> float:
    """Multiply each weight by the likelihood of what was seen, with a share for each observation; return the sum."""
    total = 0.0
    for i in range(rows.shape[0]):
        chance = 0.0
        for j in range(seen.shape[0]):
            chance += shares[j] * likelihood(a, facts, reals, rows[i], seen[j])
        weights[i] *= chance
        total += weights[i]
    return total


@kernel
def draw_starts(start: Any, facts: Ints, reals: Floats, rows: Ints, luck: Luck) -> None:
    """Draw a first state into each row."""
    for i in range(rows.shape[0]):
        start(facts, reals, rows[i], luck)
