"""A tally: a count that a task keeps besides its reward, such as the soups that leave a kitchen."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from walkon.deprecated import deprecated
from walkon.errors import InputError


@dataclass(frozen=True, eq=False)
class Tally:
    """The number that each joint action adds to a count.

    Attributes:
        name: The things that are counted, in the plural.
        counts: How many of them a joint action in a state adds, whole numbers [X, A, B]; None where a task has no
            tables, and its `counted` calls its rules.
        verb: What happens to them, as a participle.

    >>> soups = Tally("soups", np.ones((1, 1, 1)), "delivered")
    >>> soups.amount(1), soups.amount(3), soups.happened(1)
    ('1 soup', '3 soups', 'a soup is delivered')
    """

    name: str
    counts: Any
    verb: str = "counted"

    def __post_init__(self) -> None:
        if self.name in ("", "steps", "return"):
            raise InputError(f'a tally is called {self.name!r}: give it a name other than "steps" and "return"')
        if self.counts is None:
            return
        given = np.array(self.counts)
        whole = given.ndim == 3 and given.dtype.kind in "biuf" and (given == np.floor(given)).all()
        if not whole or (given < 0).any():
            found = f"the counts of {self.name} have shape {given.shape} and type {given.dtype}"
            raise InputError(f"{found}, expected whole numbers, 0 or more, of shape [X, A, B]")
        counts = given.astype(np.int64)
        counts.setflags(write=False)
        object.__setattr__(self, "counts", counts)

    def amount(self, n: int) -> str:
        """Name an amount, as in "3 soups"."""
        return f"{n} {self._one if n == 1 else self.name}"

    def happened(self, n: int) -> str:
        """Say that so many were counted, as in "a soup is delivered"."""
        article = "an" if self.name[0] in "aeiou" else "a"
        return f"{article} {self._one} is {self.verb}" if n == 1 else f"{n} {self.name} are {self.verb}"

    @property
    def _one(self) -> str:
        return self.name.removesuffix("s")


def score_of(asked: Any, tally: Tally | None, ends: bool) -> str:
    """Return what an episode is judged by: the tally's name, else the "steps" until it is solved, else the "return"."""
    usual = tally.name if tally else "steps" if ends else "return"
    if asked not in (None, usual, "return"):
        other = "" if usual == "return" else ', or "return"'
        raise InputError(f'score is {asked!r}, expected "{usual}", which follows from tally and end{other}')
    return asked or usual


def old_tally(score: str | None, deliveries: Any) -> Tally:
    """Make the tally of a task that was described by the deprecated arguments."""
    deprecated("Task(score=..., deliveries=...)", "a tally, as in tally=Tally(name, counts)", stacklevel=4)
    return Tally(score or "soups", deliveries, "delivered")
