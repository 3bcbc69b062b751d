"""A trembling hand: with a small probability a teammate makes a uniform move instead of its own.

People are not the teammates of a library. A library of teammates that never err is refuted by one stray move; with
a tremble every move has some probability.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

Action = TypeVar("Action")


def shaken(
    choices: Iterable[tuple[Action, float]], actions: Sequence[Action], tremble: float
) -> list[tuple[Action, float]]:
    """A teammate's choice of moves, with its tremble.

    >>> shaken([("Up", 1.0)], ["Up", "Down"], 0.5)
    [('Up', 0.5), ('Up', 0.25), ('Down', 0.25)]
    """
    if tremble == 0:
        return list(choices)
    steady = [(action, (1 - tremble) * p) for action, p in choices]
    return steady + [(action, tremble / len(actions)) for action in actions]
