"""From blocks to a sparse table, in which a later block overrides an earlier one.

Only cells that are not zero are made. Such a cell stays if no later block covers it, whatever that block sets there.
Blocks that fix the same axes are looked up together by the values that they fix, so the work is proportional to the
cells times the number of different sets of fixed axes, of which real files have a few.
"""

from collections.abc import Sequence
from math import prod

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Bools, Floats, Ints
from walkon.errors import InputError
from walkon.formats.cassandra.assignments import last_of_each
from walkon.formats.pomdpx.blocks import ANY, EACH, Block

MOST_LOOKUPS = 200_000_000  # cells times sets of fixed axes


class Budget:
    """How many rows and entries the tables of a file may still have."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most

    def take(self, count: int) -> None:
        """Use some of it."""
        self.left -= count
        if self.left < 0:
            reason = f"the tables have more than {self.most:,} rows and entries, the most for a file of this size"
            raise InputError(f"{reason}: give the variables fewer parents")


def table(blocks: Sequence[Block], sizes: tuple[int, ...], budget: Budget, lowest: bool = False) -> csr_array:
    """Build the table over all axes but the last, row-major, and the last.

    With `lowest`, each number is the least that is printed like it.
    """
    rows, columns = prod(sizes[:-1]), sizes[-1] if sizes else 1
    budget.take(rows)
    keys, times, values = _cells(blocks, sizes, budget, lowest)
    stays = _uncovered(blocks, sizes, keys, times)
    keys, times, values = keys[stays], times[stays], values[stays]
    order = np.argsort(keys, kind="stable")
    row, column = np.divmod(keys[order], columns)
    indptr = np.append(0, np.cumsum(np.bincount(row, minlength=rows)))
    return csr_array((values[order], column, indptr), shape=(rows, columns))


def _cells(blocks: Sequence[Block], sizes: tuple[int, ...], budget: Budget, lowest: bool) -> tuple[Ints, Ints, Floats]:
    """Return the cells that a block sets to something else than 0: their keys, the times of the blocks, the numbers."""
    steps = [prod(sizes[i + 1 :]) for i in range(len(sizes))]
    keys, times, values = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0)]
    for time, block in enumerate(blocks):
        places, numbers = block.non_zeros(sizes, lowest)
        shared = [i for i, field in enumerate(block.fields) if field == ANY]
        budget.take(len(numbers) * prod(sizes[i] for i in shared))
        if not len(numbers):
            continue
        found = np.full(len(numbers), sum(f * s for f, s in zip(block.fields, steps, strict=True) if f >= 0))
        each = [i for i, field in enumerate(block.fields) if field == EACH]
        for i, place in zip(each, places, strict=True):
            found = found + steps[i] * place
        for i in shared:
            found = (found[:, None] + steps[i] * np.arange(sizes[i])).ravel()
        keys.append(found)
        times.append(np.full(len(found), time))
        values.append(np.repeat(numbers, len(found) // len(numbers)))
    return np.concatenate(keys), np.concatenate(times), np.concatenate(values)


def _uncovered(blocks: Sequence[Block], sizes: tuple[int, ...], keys: Ints, times: Ints) -> Bools:
    """Tell which cells no later block covers."""
    kinds: dict[tuple[int, ...], tuple[list[int], list[int]]] = {}  # by fixed axes: keys over these, and times
    for time, block in enumerate(blocks):
        fixed = tuple(i for i, field in enumerate(block.fields) if field >= 0)
        at, when = kinds.setdefault(fixed, ([], []))
        at.append(_key([block.fields[i] for i in fixed], [sizes[i] for i in fixed]))
        when.append(time)
    if len(kinds) * len(keys) > MOST_LOOKUPS:
        raise InputError(f"the entries combine values and * in {len(kinds):,} ways: give them in fewer")
    stays = np.ones(len(keys), bool)
    for fixed, (at, when) in kinds.items():
        last = last_of_each(np.array(at))
        known, latest = np.array(at)[last], np.array(when)[last]
        wanted = np.zeros(len(keys), np.int64)
        for i in fixed:
            wanted = wanted * sizes[i] + keys // prod(sizes[i + 1 :]) % sizes[i]
        found = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        stays &= (known[found] != wanted) | (latest[found] <= times)
    return stays


def _key(values: list[int], sizes: list[int]) -> int:
    key = 0
    for value, size in zip(values, sizes, strict=True):
        key = key * size + value
    return key
