"""Write compact `.pomdp` and `.mdp` files from which every number can be read back exactly.

Fields are numbers, which are shorter than names. A row is written whole where an eighth of it or more is not zero, and
entry by entry otherwise; a matrix that all actions share is written once, with `*`. Numbers have all their digits, and
a point in the mantissa, because not every reader accepts `1e-05`.

A name in the format is a letter followed by letters, digits, `_` and `-`; walkon's may be any text. Any other name is
written as an identifier made from it, with the name itself as a JSON string in a comment above, which other programs
skip and walkon's reader uses:

    #@ state agent_0_3 "agent (0,3)"
"""

import json
import os
import re
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats, Names
from walkon.errors import InputError
from walkon.formats.files import replacing
from walkon.models.mdp import MDP
from walkon.models.pomdp import POMDP
from walkon.saying import briefly

NAMES_A_LINE = 16
RESERVED = frozenset(
    {"discount", "values", "states", "actions", "observations", "start", "include", "exclude"}
    | {"reward", "cost", "uniform", "identity", "reset", "T", "O", "R"}
)

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)
_FOREIGN = re.compile(r"[^A-Za-z0-9-]+")


def write_pomdp(model: MDP, path: str | os.PathLike[str]) -> None:
    """Write a POMDP as a `.pomdp` file, or an MDP as the `.mdp` file that has no observations.

    Names that the format does not allow are written as identifiers made from them; walkon's reader restores the names.
    """
    if not isinstance(model, MDP):
        raise InputError(f"model is {briefly(model)}, expected an MDP or a POMDP, such as task.pomdp")
    with replacing(path) as draft, open(draft, "wb") as file:
        file.writelines(line.encode("ascii") for line in _lines(model))


def _lines(model: MDP) -> Iterator[str]:
    X, A = model.R.shape
    yield "# Written by walkon.\n"
    yield f"discount: {_number(model.discount)}\n"
    yield "values: reward\n"
    yield from _axis("state", model.states, X)
    yield from _axis("action", model.actions, A)
    if isinstance(model, POMDP):
        yield from _axis("observation", model.observations, model.O[0].shape[1])
    yield f"start: {_start(model.start)}\n"
    for action, matrix in _by_action(model.P):
        yield from _matrix("T", action, matrix)
    if isinstance(model, POMDP):
        for action, matrix in _by_action(model.O):
            yield from _matrix("O", action, matrix)
    yield from _rewards(model.R, " : * : *" if isinstance(model, POMDP) else " : *")


def _axis(kind: str, names: Names | None, size: int) -> Iterator[str]:
    if names is None:
        yield f"{kind}s: {size}\n"
        return
    written = identifiers(kind, names)
    for name, identifier in zip(names, written, strict=True):
        if name != identifier:
            yield f"#@ {kind} {identifier} {json.dumps(name)}\n"
    yield f"{kind}s:\n"
    for first in range(0, size, NAMES_A_LINE):
        yield "  " + " ".join(written[first : first + NAMES_A_LINE]) + "\n"


def identifiers(kind: str, names: Sequence[str]) -> Names:
    """Make a different identifier for each name; the name itself wherever the format allows it.

    >>> identifiers("state", ["tiger-left", "tiger left", "tiger (left)", "7"])
    ('tiger-left', 'tiger_left', 'tiger_left_2', 'state_7')
    """
    taken = {name for name in names if _valid(name)}
    made = []
    for i, name in enumerate(names):
        identifier = name
        if not _valid(name):
            identifier = _FOREIGN.sub("_", name).strip("_")
            if not _valid(identifier):
                identifier = f"{kind}_{identifier}" if identifier else f"{kind}_{i}"
            if identifier in taken:
                identifier = f"{identifier}_{i}"
            while identifier in taken:
                identifier += "_"
            taken.add(identifier)
        made.append(identifier)
    return tuple(made)


def _valid(name: str) -> bool:
    return _IDENTIFIER.fullmatch(name) is not None and name not in RESERVED


def _start(start: Floats) -> str:
    if (start == 1 / len(start)).all():
        return "uniform"
    if start.max() == 1 and np.count_nonzero(start) == 1:
        return str(int(start.argmax()))
    return " ".join(map(_number, start.tolist()))


def _by_action(matrices: Sequence[csr_array]) -> Iterator[tuple[str, csr_array]]:
    """Yield each matrix with the field of its action, which is `*` where all are equal."""
    first, *others = matrices
    if others and all(first.nnz == other.nnz and (first != other).nnz == 0 for other in others):
        yield "*", first
    else:
        yield from ((str(a), matrix) for a, matrix in enumerate(matrices))


def _matrix(letter: str, action: str, matrix: csr_array) -> Iterator[str]:
    X, Y = matrix.shape
    if matrix.nnz == X * Y and (matrix.data == 1 / Y).all():
        yield f"{letter}: {action} uniform\n"
        return
    ones = matrix.nnz == X and (matrix.data == 1).all()
    if letter == "T" and ones and np.array_equal(matrix.indices, np.arange(X)):
        yield f"T: {action} identity\n"
        return
    indptr, indices, numbers = matrix.indptr.tolist(), matrix.indices.tolist(), list(map(_number, matrix.data.tolist()))
    for x in range(X):
        entries = range(indptr[x], indptr[x + 1])
        if 8 * len(entries) >= Y:
            row = ["0"] * Y
            for i in entries:
                row[indices[i]] = numbers[i]
            yield f"{letter}: {action} : {x}\n{' '.join(row)}\n"
        else:
            for i in entries:
                yield f"{letter}: {action} : {x} : {indices[i]} {numbers[i]}\n"


def _rewards(R: Floats, rest: str) -> Iterator[str]:
    """Write for each action the most common reward, then the states where the reward differs."""
    A = R.shape[1]
    same = A > 1 and (R[:, :1] == R).all()
    for a in range(1 if same else A):
        action = "*" if same else str(a)
        values, counts = np.unique(R[:, a], return_counts=True)
        usual = values[counts.argmax()]
        if usual != 0:
            yield f"R: {action} : *{rest} {_number(float(usual))}\n"
        for x in np.flatnonzero(R[:, a] != usual).tolist():
            yield f"R: {action} : {x}{rest} {_number(float(R[x, a]))}\n"


def _number(value: float) -> str:
    """Format a number with all its digits.

    >>> _number(0.1), _number(1.0), _number(1e-05)
    ('0.1', '1', '1.0e-05')
    """
    mantissa, e, exponent = repr(value).partition("e")
    if not e:
        return mantissa.removesuffix(".0")
    return mantissa + (".0" if "." not in mantissa else "") + e + exponent
