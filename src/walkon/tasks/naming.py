"""The names of the things that users write: tasks, states, actions and observations.

A name does not depend on the order in which Python happens to keep a set, so it is the same in every process.
"""

from collections.abc import Collection, Iterator
from dataclasses import fields, is_dataclass
from typing import Any


def name_of(thing: Any) -> str:
    """Name a thing; named tuples are named with their fields, and sets in ascending order.

    >>> from typing import NamedTuple
    >>> class Cell(NamedTuple):
    ...     column: int
    ...     row: int
    >>> name_of(Cell(2, 0)), name_of(("left", 3)), name_of("stay"), name_of(frozenset({"d", "c"}))
    ('column 2, row 0', '(left, 3)', 'stay', '{c, d}')
    """
    if not _has_own(thing, "__str__"):
        if isinstance(thing, tuple):
            if names := getattr(thing, "_fields", None):
                return ", ".join(f"{name} {name_of(part)}" for name, part in zip(names, thing, strict=True))
            return f"({', '.join(map(name_of, thing))})"
        if isinstance(thing, set | frozenset):
            return f"{{{', '.join(map(name_of, in_order(thing)))}}}"
    return _words(thing)


def task_name(written: Any, k: int) -> str:
    """Name a task by its `name`, by its own `__str__` or `__repr__`, or by its number."""
    name = getattr(written, "name", None)
    if isinstance(name, str) and name:
        return name
    if isinstance(written, type):
        return written.__name__
    if _has_own(written, "__str__") or _has_own(written, "__repr__"):
        words = _words(written)
        if 0 < len(words) <= 80 and " at 0x" not in words:  # an address is another one in the next process
            return words
    return f"{type(written).__name__} {k}"


def _has_own(thing: Any, method: str) -> bool:
    """Whether its class defines the method, and not only `object`."""
    return getattr(type(thing), method) is not getattr(object, method)


def in_order(things: Collection[Any]) -> list[Any]:
    """List things in ascending order if they can be compared; by their names if they are or hold sets."""
    if any(map(_holds_set, things)) or (isinstance(things, set | frozenset) and not _comparable(things)):
        return sorted(things, key=name_of)
    try:
        return sorted(things)
    except TypeError:
        return list(things)


def _comparable(things: Collection[Any]) -> bool:
    """Whether all are words, or all are numbers."""
    return all(isinstance(thing, str) for thing in things) or all(isinstance(thing, int | float) for thing in things)


def _holds_set(thing: Any) -> bool:
    return isinstance(thing, set | frozenset) or any(_holds_set(part) for _, part in _parts(thing))


def _parts(thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a tuple or a dataclass, with their names."""
    if isinstance(thing, tuple):
        yield from zip(getattr(thing, "_fields", [""] * len(thing)), thing, strict=True)
    elif is_dataclass(thing) and not isinstance(thing, type):
        yield from ((field.name, getattr(thing, field.name)) for field in fields(thing) if field.repr)


def _words(thing: Any) -> str:
    """Return its `str`, in which the sets among the fields of a named tuple or a dataclass are in ascending order."""
    words, parts = str(thing), list(_parts(thing))
    generated = f"({', '.join(f'{name}={part!r}' for name, part in parts)})"
    if not _holds_set(thing) or not words.endswith(generated):
        return words
    return words.removesuffix(generated) + f"({', '.join(f'{name}={_steady(part)}' for name, part in parts)})"


def _steady(thing: Any) -> str:
    """Return its `repr`, with sets in ascending order."""
    if not _holds_set(thing):
        return repr(thing)
    if isinstance(thing, set | frozenset):
        return f"{{{', '.join(map(_steady, in_order(thing)))}}}"
    if type(thing) is tuple:
        return f"({', '.join(map(_steady, thing))}{',' * (len(thing) == 1)})"
    return _words(thing)
