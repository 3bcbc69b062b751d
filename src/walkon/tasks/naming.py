"""How the states, actions and observations of a task that somebody wrote are said to a person."""

from collections.abc import Sequence
from dataclasses import is_dataclass
from typing import Any

import numpy as np

from walkon.arrays import Ints


def said(thing: Any) -> str:
    """A word for a thing: named tuples with the names of their fields.

    >>> from typing import NamedTuple
    >>> class Cell(NamedTuple):
    ...     column: int
    ...     row: int
    >>> said(Cell(2, 0)), said(("left", 3)), said("stay")
    ('column 2, row 0', '(left, 3)', 'stay')
    """
    if isinstance(thing, tuple) and not _has_own_words(thing):
        fields = getattr(thing, "_fields", None)
        if fields:
            return ", ".join(f"{field} {said(part)}" for field, part in zip(fields, thing, strict=True))
        return f"({', '.join(map(said, thing))})"
    return str(thing)


def called(written: Any, k: int) -> str:
    """What a task is called: by its `name`, by its own words, or by its number."""
    name = getattr(written, "name", None)
    if isinstance(name, str) and name:
        return name
    if isinstance(written, type):
        return written.__name__
    told = _has_own_words(written) or is_dataclass(written) or hasattr(written, "_fields")
    return str(written) if told and len(str(written)) <= 80 else f"{type(written).__name__} {k}"


def _has_own_words(thing: Any) -> bool:
    """Whether somebody wrote a `__str__` for it."""
    written: Any = type(thing).__str__
    return written is not object.__str__


def numbers_of(things: Sequence[Any]) -> Ints | None:
    """The things as rows of whole numbers, where all are tuples of as many; None where they are something else."""
    first = things[0]
    if not isinstance(first, tuple) or not first:
        return None
    for thing in things:
        if not isinstance(thing, tuple) or len(thing) != len(first):
            return None
        if not all(isinstance(part, int | np.integer) and abs(int(part)) < 2**62 for part in thing):
            return None
    return np.array([[int(part) for part in thing] for thing in things], dtype=np.int64)
