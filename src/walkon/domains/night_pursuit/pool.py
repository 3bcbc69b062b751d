"""The pool of placements of the preys, from which the tasks of Night-time Pursuit are drawn.

For each size, the pool begins with 32 different sets of cells, drawn from the list of all sets in the order of their
(column, row), by a generator with the size as its seed. A longer pool goes on with further sets, drawn one by one.
The list itself is never made: a set follows from its place in it.
"""

from functools import cache
from math import comb
from typing import TypeAlias

import numpy as np

from walkon.domains.hunting import Cell
from walkon.errors import InputError

Placement: TypeAlias = tuple[Cell, ...]

POOL = 32


@cache
def pool(size: int, preys: int = 2, seed: int | None = None, count: int = POOL) -> tuple[Placement, ...]:
    """The placements that libraries are drawn from, by the seed that is given or else by the size."""
    cells = size * size
    sets = comb(cells, preys)
    if count > sets:
        raise InputError(f"{count} tasks were asked for, but there are only {sets} placements in {size} x {size} cells")
    rng = np.random.default_rng(size if seed is None else seed)
    drawn = dict.fromkeys(rng.choice(sets, size=POOL, replace=False).tolist())
    while len(drawn) < count:
        drawn[int(rng.integers(sets))] = None
    return tuple(
        tuple(divmod(cell, size) for cell in combination(place, cells, preys))
        for place in list(drawn)[: max(count, POOL)]
    )


def combination(place: int, n: int, r: int) -> list[int]:
    """The combination of r of the numbers below n that has a place in the order of `itertools.combinations`.

    >>> [combination(place, 4, 2) for place in range(6)]
    [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    """
    chosen: list[int] = []
    number = 0
    while len(chosen) < r:
        with_it = comb(n - number - 1, r - len(chosen) - 1)
        if place < with_it:
            chosen.append(number)
        else:
            place -= with_it
        number += 1
    return chosen
