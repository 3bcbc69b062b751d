"""The numbers that environments show of states and observations, and the spaces of these numbers.

With tables they are those of the task's lists. Without tables there is no list, and a space has to be known before
anything happens: so states and observations have to be whole numbers or tuples of them, equally many each time. Tuples
inside tuples are written one after the other.
"""

from collections.abc import Iterator
from functools import cached_property
from random import Random
from typing import Any, TypeAlias, cast

import numpy as np
from gymnasium.spaces import Box, MultiDiscrete, Space

from walkon.arrays import Ints
from walkon.errors import InputError
from walkon.tasks import TaskLibrary
from walkon.tasks.naming import name_of
from walkon.tasks.rule_task import RuleTask

Numbers: TypeAlias = Space[Ints]

LARGEST = 2**31 - 1  # where nothing else is known


class Spaces:
    """What the agents of a library observe, as numbers."""

    def __init__(self, library: TaskLibrary) -> None:
        self.library = library
        self.flags = () if library.observed else (2,)
        self.widths = None if library.tables else _widths(library)  # of a state and of an observation

    @cached_property
    def observations(self) -> Numbers:
        """The space of the ad hoc agent's observations."""
        if self.widths is None:
            return _between(self.library[0].observation_numbers, flags=self.flags)
        return _any(self.widths[1], self.flags)

    @cached_property
    def states(self) -> Numbers:
        """The space of a teammate's observations: the task's number, and those of the state."""
        flags = (len(self.library),)
        if self.widths is None:
            return _between(*(task.state_numbers for task in self.library), flags=flags)
        return _any(self.widths[0], flags)

    @property
    def alike(self) -> bool:
        """Whether the states of all tasks have equally many numbers."""
        return self.widths is not None or len({task.state_numbers.shape[1] for task in self.library}) == 1

    def observation(self, z: Any) -> Ints:
        """The numbers of an observation after a 1; for no observation, a 0 and others that mean nothing."""
        if self.widths is None:
            return self.library.observation_numbers(z)
        if z is None:
            return np.zeros(self.widths[1] + 1, dtype=np.int64)
        row = _row(z, "the observation", self.widths[1])
        return np.append(1, row) if self.flags else row

    def state(self, k: int, x: Any) -> Ints:
        """The number of the task and the numbers of its state."""
        row = self.library[k].state_numbers[x] if self.widths is None else _row(x, "the state", self.widths[0])
        return np.append(k, row)


def _between(*tables: Ints, flags: tuple[int, ...] = ()) -> MultiDiscrete:
    """Make the space of the tuples in tables, after some leading numbers 0, ..., flag - 1."""
    low = np.min([table.min(axis=0) for table in tables], axis=0)
    high = np.max([table.max(axis=0) for table in tables], axis=0)
    sizes = np.concatenate([np.array(flags, dtype=np.int64), high - low + 1])
    return MultiDiscrete(sizes, start=np.concatenate([np.zeros(len(flags), dtype=np.int64), low]))


def _any(width: int, flags: tuple[int, ...]) -> Numbers:
    """Make the space of all rows of so many numbers, after some leading numbers."""
    low = np.array([*[0] * len(flags), *[-LARGEST] * width], dtype=np.int64)
    high = np.array([*(flag - 1 for flag in flags), *[LARGEST] * width], dtype=np.int64)
    return cast(Numbers, Box(low, high, dtype=np.int64))


def _widths(library: TaskLibrary) -> tuple[int, int]:
    """How many numbers a state and an observation have, by a first step in each task."""
    found = set()
    for task in library:
        assert isinstance(task, RuleTask)
        rules, luck = task.simulator, Random(0).random
        y, _ = rules.step(rules.draw_start(luck), 0, luck)
        state = _row(y, f'a state of task "{task.name}"')
        found.add((len(state), len(_row(rules.observe(0, y, luck), f'an observation in task "{task.name}"'))))
    if len(found) > 1:
        raise InputError("the tasks differ in how many numbers their states or observations have: make them alike")
    return found.pop()


def _row(value: Any, what: str, width: int | None = None) -> Ints:
    """Write a state or an observation as a row of numbers."""
    row = list(_flat(value))
    if not all(isinstance(each, int | np.integer | np.bool_) and abs(int(each)) <= LARGEST for each in row):
        remedy = "let the rules use whole numbers or tuples of them"
        raise InputError(f"{what} is {name_of(value):.80}, and environments show numbers of 32 bits: {remedy}")
    if width not in (None, len(row)):
        raise InputError(f"{what} is {name_of(value):.80}, expected {width} numbers, as in a first step")
    return np.array(row, dtype=np.int64)


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for each in value:
            yield from _flat(each)
    else:
        yield value
