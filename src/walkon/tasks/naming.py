"""Names and numbers for the states, actions and observations of a task that a user wrote."""

from collections.abc import Sequence
from dataclasses import is_dataclass
from typing import Any

import numpy as np

from walkon.arrays import Ints


def name_of(thing: Any) -> str:
    """Name a thing; named tuples are named with their fields.

    >>> from typing import NamedTuple
    >>> class Cell(NamedTuple):
    ...     column: int
    ...     row: int
    >>> name_of(Cell(2, 0)), name_of(("left", 3)), name_of("stay")
    ('column 2, row 0', '(left, 3)', 'stay')
    """
    if isinstance(thing, tuple) and not _has_own_str(thing):
        fields = getattr(thing, "_fields", None)
        if fields:
            return ", ".join(f"{field} {name_of(part)}" for field, part in zip(fields, thing, strict=True))
        return f"({', '.join(map(name_of, thing))})"
    return str(thing)


def task_name(written: Any, k: int) -> str:
    """Name a task by its `name`, by its own `__str__`, or by its number."""
    name = getattr(written, "name", None)
    if isinstance(name, str) and name:
        return name
    if isinstance(written, type):
        return written.__name__
    named = _has_own_str(written) or is_dataclass(written) or hasattr(written, "_fields")
    return str(written) if named and len(str(written)) <= 80 else f"{type(written).__name__} {k}"


def _has_own_str(thing: Any) -> bool:
    """Whether its class defines `__str__`."""
    method: Any = type(thing).__str__
    return method is not object.__str__


def numbers_of(things: Sequence[Any]) -> Ints | None:
    """Return the things as rows of whole numbers if all are tuples of equally many whole numbers, else None."""
    if not all(isinstance(thing, tuple) and thing and len(thing) == len(things[0]) for thing in things):
        return None
    if not all(isinstance(part, int | np.integer) and abs(int(part)) < 2**62 for thing in things for part in thing):
        return None
    return np.array([[int(part) for part in thing] for thing in things], dtype=np.int64)
