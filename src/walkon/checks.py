"""Checks of single values; errors name the value and what was expected."""

from collections.abc import Sequence
from typing import Any

from walkon.errors import InputError


def whole(name: str, value: Any, lowest: int, highest: int | None) -> int:
    """Return a whole number, if it lies between two others; None stands for no upper limit."""
    fits = hasattr(value, "__index__") and not isinstance(value, bool)
    if not fits or value < lowest or (highest is not None and value > highest):
        upper = "on" if highest is None else f"to {highest}"
        raise InputError(f"{name} is {value!r:.60}, expected a whole number from {lowest} {upper}")
    return int(value)


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
