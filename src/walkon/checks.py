"""Checks of single values; errors name the value and what was expected."""

import secrets
from collections.abc import Sequence
from difflib import get_close_matches
from operator import index
from typing import Any

from walkon.errors import InputError


def whole(name: str, value: Any, lowest: int, highest: int | None) -> int:
    """Return a whole number, if it lies between two others; None stands for no upper limit."""
    fits = hasattr(value, "__index__") and not isinstance(value, bool)
    if not fits or value < lowest or (highest is not None and value > highest):
        upper = "on" if highest is None else f"to {highest}"
        raise InputError(f"{name} is {value!r:.60}, expected a whole number from {lowest} {upper}")
    return int(value)


def above(value: Any, least: float, kind: str = "__float__") -> bool:
    """Return whether a value is a number (with `kind="__index__"`, a whole number) above another one; text is none."""
    return hasattr(value, kind) and not isinstance(value, bool) and bool(value > least)


def as_number(value: Any) -> Any:
    """Return a value that may be a number; text is none, although `float` reads it."""
    if isinstance(value, str | bytes | bytearray):
        raise TypeError("text is no number")
    return value


def share(name: str, value: Any) -> float:
    """Return a number, if it is a probability."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    if not 0 <= number <= 1:
        raise InputError(f"{name} is {value!r:.60}, expected a number from 0 to 1")
    return number


def one_of(name: str, value: Any, choices: Sequence[Any]) -> Any:
    """Return a value, if it is one of the choices."""
    if value not in choices:
        raise InputError(f"{name} is {value!r:.60}, expected one of {', '.join(map(repr, choices))}")
    return value


def typed(name: str, value: Any, kind: type) -> Any:
    """Return a value, if it has a plain type; a whole number counts as a float, and True as neither."""
    likes = {int: "__index__", float: "__float__"}.get(kind)
    fits = isinstance(value, kind) if likes is None else hasattr(value, likes) and not isinstance(value, bool)
    if not fits:
        expected = {bool: "True or False", int: "a whole number", float: "a number"}.get(kind, "a word")
        raise InputError(f"{name} is {value!r:.60}, expected {expected}")
    return value


def number_of(name: str, text: str, highest: int) -> int:
    """Return the whole number that a text holds."""
    digits = text.isascii() and text.isdigit() and len(text) <= 20
    return whole(name, int(text) if digits else text, 0, highest)


def drawn_seed(seed: Any) -> int:
    """Return a seed, a whole number from 0 on; for None, a new one."""
    return secrets.randbits(32) if seed is None else whole("seed", seed, 0, None)


def index_of(what: str, said: Any, size: int, names: Sequence[str] | None = None) -> int:
    """Return the number of a thing that was given by its number or its name; numbers count from 0.

    >>> index_of("action", 1, 2), index_of("action", "stay", 2, ("go", "stay")), index_of("action", 1.0, 2)
    (1, 1, 1)
    """
    if isinstance(said, str):
        if names is not None and said in names:
            return names.index(said)
        near = get_close_matches(said[:80], names or (), n=1)
        numbers = f"a number from 0 to {size - 1}"
        such = f'a name such as "{names[0]}", or {numbers}' if names else f"{numbers}, since there are no names"
        raise InputError(f"{what} is {said!r:.60}, {f'did you mean {near[0]!r}?' if near else f'expected {such}'}")
    try:
        number: int | None = int(said) if isinstance(said, float) and said.is_integer() else index(said)
    except TypeError:
        number = None
    if number is None or isinstance(said, bool):
        or_name = " or a name" if names else ""
        raise InputError(f"{what} is {said!r:.60}, expected a number from 0 to {size - 1}{or_name}")
    if not 0 <= number < size:
        raise InputError(f"{what} {number} does not exist: they are numbered 0 to {size - 1}")
    return number
