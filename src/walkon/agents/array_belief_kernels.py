"""Kernels of beliefs as arrays: every state is expanded into its outcomes, and equal ones are added up by hashing."""

from typing import Any

import numpy as np

from walkon.arrays import Floats, Ints
from walkon.compiled import view_kernel
from walkon.models.luck_kernels import Luck, fingerprint
from walkon.policies.ties import TOLERANCE


@view_kernel
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


@view_kernel
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


@view_kernel
def weigh_rows(
    likelihood: Any, a: int, facts: Ints, reals: Floats, rows: Ints, weights: Floats, seen: Ints, shares: Floats
) -> tuple[int, float]:
    """Multiply weights by the likelihood of what was seen, with a share for each observation, and move up what is left.

    Returns how many rows are left, and the sum of their weights.
    """
    count, total = 0, 0.0
    for i in range(rows.shape[0]):
        chance = 0.0
        for j in range(seen.shape[0]):
            chance += shares[j] * likelihood(a, facts, reals, rows[i], seen[j])
        weight = weights[i] * chance
        if weight > 0.0:
            move_up(rows, weights, i, count, weight)
            count, total = count + 1, total + weight
    return count, total


@view_kernel
def move_up(rows: Ints, weights: Floats, i: int, to: int, weight: float) -> None:
    """Write a row to a place further up, with a weight."""
    for j in range(rows.shape[1]):
        rows[to, j] = rows[i, j]
    weights[to] = weight


@view_kernel
def reduce_rows(rows: Ints, weights: Floats, most: int, number: float) -> int:
    """Keep so many rows that each weight keeps its expectation (`sparse_belief.reduced`), and move them up.

    The bound c solves sum_i min(1, w_i / c) = most. It is found from above: rows with w >= c stay as they are, the
    others share what is left, which gives the next c, until no more rows stay.
    """
    sure, before, rest, c = -1, -2, 0.0, np.inf
    while sure > before:
        before, sure, rest = sure, 0, 0.0
        for i in range(weights.shape[0]):
            if weights[i] >= c:
                sure += 1
            else:
                rest += weights[i]
        c = rest / (most - sure) if sure < most else c
    count, passed, mark = 0, 0.0, number * c
    for i in range(weights.shape[0]):
        if weights[i] >= c:
            move_up(rows, weights, i, count, weights[i])
            count += 1
        else:
            passed += weights[i]
            if passed > mark:
                move_up(rows, weights, i, count, c)
                count, mark = count + 1, mark + c
    return count


@view_kernel
def mix_best(
    values: Any, ends: Any, facts: Ints, reals: Floats, rows: Ints, weights: Floats, v: Floats, mixed: Floats
) -> None:
    """Add the weight of each state that is not the end to the actions that are best in it, in equal parts."""
    for i in range(rows.shape[0]):
        if ends(facts, reals, rows[i]):
            continue
        values(facts, reals, rows[i], v)
        top = v[0]
        for a in range(1, v.shape[0]):
            top = max(top, v[a])
        least, ties = top - TOLERANCE * abs(top), 0
        for a in range(v.shape[0]):
            ties += v[a] >= least
        for a in range(v.shape[0]):
            if v[a] >= least:
                mixed[a] += weights[i] / ties


@view_kernel
def draw_starts(start: Any, facts: Ints, reals: Floats, rows: Ints, luck: Luck) -> None:
    """Draw a first state into each row."""
    for i in range(rows.shape[0]):
        start(facts, reals, rows[i], luck)
