"""From rules to matrices.

A world is written once, as rules over plain (named) tuples: which states may come next, and with which
probability; which readings may be made. `tabulate` walks over the rows, asks the rule for each row's outcomes and
keeps only those, so the work and the memory grow with the non-zeros and never with |X|^2.
"""

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from scipy.sparse import csr_array

from walkon.errors import InputError

Row = TypeVar("Row")
Outcome = TypeVar("Outcome", bound=Hashable)


def tabulate(
    rows: Sequence[Row],
    columns: Sequence[Outcome],
    rule: Callable[[Row], Iterable[tuple[Outcome, float]]],
) -> csr_array:
    """The matrix of a rule that gives each row's outcomes with their probabilities.

    Outcomes that a rule names more than once are added up.

    >>> def walk(cell):
    ...     yield min(cell + 1, 2), 0.7
    ...     yield cell, 0.3
    >>> tabulate(range(3), range(3), walk).toarray()
    array([[0.3, 0.7, 0. ],
           [0. , 0.3, 0.7],
           [0. , 0. , 1. ]])
    """
    index = {outcome: j for j, outcome in enumerate(columns)}
    indptr, indices, data = np.zeros(len(rows) + 1, dtype=np.int64), array("i"), array("d")
    for i, row in enumerate(rows):
        for outcome, probability in rule(row):
            try:
                indices.append(index[outcome])
            except KeyError:
                raise InputError(f"the rule leads from {row} to {outcome}, which is not in the list") from None
            data.append(probability)
        indptr[i + 1] = len(data)
    matrix = csr_array((np.array(data), np.array(indices, dtype=np.int32), indptr), shape=(len(rows), len(columns)))
    matrix.sum_duplicates()
    return matrix
