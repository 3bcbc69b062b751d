"""Checks of the arrays of a model, made once in its constructor.

The sum of a row may differ from one by 1e-6, because files have few digits; such a row is divided by its sum, so that
all other code can rely on sums of one.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from walkon.arrays import Bools, Floats, Ints, Names, fixed
from walkon.checks import as_number
from walkon.errors import InputError

ROW_SUM_TOLERANCE = 1e-6
ROUNDING = 1e-12
SMALLEST_CASE = 1e-3  # a row that misses one by less was rounded


def numbers(name: str, values: Any, shape: tuple[int, ...], axes: str) -> Floats:
    """Return a read-only copy of a finite array with the given shape."""
    try:
        array = np.array(_real(values), dtype=np.float64, order="C")
    except (TypeError, ValueError) as cause:
        raise InputError(f"{name} is not an array of numbers: {cause}") from None
    if array.shape != shape:
        turned = ": is it transposed?" if array.shape == shape[::-1] else ""
        raise InputError(f"{name} has shape {array.shape}, expected {axes} = {shape}{turned}")
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        place = tuple(int(i) for i in bad[0])
        raise InputError(f"{name}{list(place)} is {array[place]}; every entry must be a finite number")
    array.setflags(write=False)
    return array


def distribution(name: str, values: Any, size: int) -> Floats:
    """Return a probability vector of the given size."""
    vector = numbers(name, values, (size,), "(X,)")
    if len(negative := np.flatnonzero(vector < 0)):
        i = int(negative[0])
        raise InputError(f"{name}[{i}] is {vector[i]:.9g}; a probability cannot be negative")
    total = vector.sum()
    if abs(total - 1) > ROW_SUM_TOLERANCE:
        raise InputError(f"{name} sums to {total:.9g}, not 1 (off by {total - 1:+.3g})")
    if abs(total - 1) > ROUNDING:
        vector = vector / total
        vector.setflags(write=False)
    return vector


def columns(name: str, matrix: Any) -> int:
    """Return the number of columns of a matrix before its entries are checked."""
    shape = tuple(matrix.shape) if hasattr(matrix, "shape") else np.shape(matrix)
    if len(shape) != 2 or not all(shape):
        raise InputError(f"{name} has shape {shape}, expected a matrix with two axes")
    return int(shape[1])


def stochastic(name: str, matrix: Any, shape: tuple[int, int], row_names: Names | None, hint: str) -> csr_array:
    """Return a matrix whose rows are distributions, as a canonical read-only CSR matrix.

    `hint` names the usual reason for a row that does not sum to one, for the error message.
    """
    rows = _csr(name, matrix)
    if rows.shape != shape:
        raise InputError(f"{name} has shape {rows.shape}, expected {shape}")

    def row(i: int) -> str:
        return f"{name} row {i}" + (f' ("{row_names[i]}")' if row_names else "")

    bad = np.flatnonzero(~(np.isfinite(rows.data) & (rows.data >= 0)))
    if len(bad):
        k = int(bad[0])
        i, j = int(np.searchsorted(rows.indptr, k, side="right")) - 1, int(rows.indices[k])
        reason = "cannot be negative" if rows.data[k] < 0 else "must be a finite number"
        raise InputError(f"{row(i)}, column {j} is {rows.data[k]:.9g}; a probability {reason}")
    sums = np.asarray(rows.sum(axis=1)).ravel()
    off = np.abs(sums - 1)
    if len(wrong := np.flatnonzero(off > ROW_SUM_TOLERANCE)):
        i = int(wrong[0])
        others = f" ({len(wrong) - 1} more rows are off too)" if len(wrong) > 1 else ""
        raise InputError(
            f"{row(i)} sums to {sums[i]:.9g}, not 1 (off by {sums[i] - 1:+.3g}): {_remedy(sums[i], hint)}{others}"
        )
    if len(rough := np.flatnonzero(off > ROUNDING)):
        scale = np.ones(len(sums))
        scale[rough] = 1 / sums[rough]
        rows.data *= np.repeat(scale, np.diff(rows.indptr))
    for part in (rows.data, rows.indices, rows.indptr):
        part.setflags(write=False)
    return rows


def _remedy(total: float, hint: str) -> str:
    """Return what to do about a row: the hint names a missing case, which leaves a sum well below one."""
    if total == 0:
        return "nothing is given for it"
    if abs(total - 1) < SMALLEST_CASE:
        return "divide it by its sum, or give more digits"
    return hint if total < 1 else "is a case given twice?"


def _csr(name: str, matrix: Any) -> csr_array:
    """Return a canonical CSR copy: sorted, without duplicates or stored zeros, with 32-bit indices."""
    try:
        if issparse(matrix):
            if hasattr(matrix, "check_format"):
                matrix.check_format(full_check=True)
                # SciPy does not check that rows end after they begin, and would read outside of the matrix.
                ends = np.asarray(matrix.indptr)
                if not (ends[1:] >= ends[:-1]).all():
                    raise InputError(f"{name} is not a sparse matrix: a row ends before it begins")
            rows = csr_array(_real(matrix), dtype=np.float64, copy=True)
        else:
            dense = np.asarray(_real(matrix), dtype=np.float64)
            if dense.ndim != 2:
                raise InputError(f"{name} has {dense.ndim} axes, expected a matrix with 2")
            rows = csr_array(dense)
    except InputError:
        raise
    except (TypeError, ValueError) as cause:
        raise InputError(f"{name} is not a matrix of numbers: {cause}") from None
    rows.sum_duplicates()
    rows.eliminate_zeros()
    if rows.nnz >= 2**31:
        raise InputError(f"{name} has {rows.nnz:,} non-zeros; at most {2**31 - 1:,} are supported")
    rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
    return rows


def _real(values: Any) -> Any:
    """Return an array or a sparse matrix, if its entries are real numbers: no text, dates or complex numbers."""
    array = values if issparse(values) else np.asarray(values)
    kind = array.dtype.kind
    if kind in "SUO" and not issparse(array):
        for text in (entry for entry in array.flat if isinstance(entry, str | bytes)):
            raise TypeError(f"it holds the text {str(text)!r:.60}")
    if kind not in "biufO":
        raise TypeError(f"it holds {array.dtype}")
    return array


def labels(name: str, values: Sequence[Any] | None, size: int) -> Names | None:
    """Return the optional names of an axis, which have to be complete and distinct."""
    if values is None:
        return None
    if isinstance(values, str):
        raise InputError(f"{name} is the string {values!r}; expected a list of {size} names")
    if isinstance(values, set | frozenset):
        raise InputError(f"{name} is a set, whose order may change from run to run; expected a list of {size} names")
    names = tuple(str(value) for value in values)
    if len(names) != size:
        raise InputError(f"{name} has {len(names)} names, expected {size}")
    if len(set(names)) != size:
        twice = next(n for i, n in enumerate(names) if n in names[:i])
        raise InputError(f'{name} has "{twice}" twice; names must differ')
    return names


def discounting(value: Any, *, most: float = 0.0) -> float:
    """Return a discount in [0, 1), or up to `most`."""
    try:
        discount = float(as_number(value))
    except (TypeError, ValueError):
        raise InputError(f"discount is {value!r}, expected a number in [0, 1)") from None
    if not (0 <= discount < 1 or 0 <= discount <= most):
        raise InputError(f"discount is {discount:.9g}, expected a number in [0, 1)")
    return discount


def flags(name: str, values: Any, size: int) -> Bools:
    """Check an array of bools and make it read-only."""
    array = np.array(values)
    if array.shape != (size,) or not np.isin(array, (0, 1)).all():
        raise InputError(f"{name} has shape {array.shape} and holds {array.dtype}, expected bools of shape {(size,)}")
    return fixed(array.astype(np.bool_))


def tuples(name: str, values: Any, size: int) -> Ints:
    """Check a tuple of whole numbers for each place and make it read-only; its index if none is given."""
    table = np.array(np.arange(size)[:, None] if values is None else values, dtype=np.int64)
    if table.ndim != 2 or len(table) != size:
        raise InputError(f"{name} has shape {table.shape}, expected a tuple of numbers for each of the {size}")
    return fixed(table)
