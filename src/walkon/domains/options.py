"""The options of a world, checked: what is wrong is named, with what would be right."""

from typing import Any

from walkon.errors import InputError


def whole(name: str, value: Any, lowest: int, highest: int) -> int:
    """A whole number between two others."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or not lowest <= value <= highest:
        raise InputError(f"{name} is {value!r}, expected a whole number from {lowest} to {highest}")
    return int(value)


def share(name: str, value: Any) -> float:
    """A probability."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name} is {value!r}, expected a number from 0 to 1") from None
    if not 0 <= number <= 1:
        raise InputError(f"{name} is {value!r}, expected a number from 0 to 1")
    return number


def one_of(name: str, value: Any, choices: tuple[str, ...]) -> str:
    """One of a few words."""
    if value not in choices:
        raise InputError(f"{name} is {value!r}, expected one of {', '.join(map(repr, choices))}")
    return str(value)


def flag(name: str, value: Any) -> bool:
    """Yes or no."""
    if not isinstance(value, bool):
        raise InputError(f"{name} is {value!r}, expected True or False")
    return value
