"""Partially observable problems in factors: states, actions and observations made of variables.

    P_a(y|x) = product over the state variables i of p_i(y_i | a, parents of i among x and y)
    O_a(z|y) = product over the sensors j of q_j(z_j | a, parents of j among y and z); z_i = y_i where it is seen
    r(x, a)  = the sum of the reward factors, each a function of a few variables, in expectation

Each factor is kept for one action, with only the parents that matter under this action, so that a model with millions
of states takes kilobytes. `models/flatten.py` multiplies the factors out.
"""

from dataclasses import dataclass
from math import log10, prod
from typing import Literal, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Ints, Names
from walkon.errors import InputError

Layer = Literal["before", "after", "observed"]


class Axis(NamedTuple):
    """A variable that a factor depends on: a state variable before or after the step, or a sensor."""

    layer: Layer
    number: int  # among the state variables or the sensors


@dataclass(frozen=True)
class Variable:
    """A variable with its values."""

    name: str  # of a state variable, the one before the step
    values: Names
    after: str = ""  # of a state variable, the name after the step
    seen: bool = False  # of a state variable: whether the agent observes it after each step
    listed: bool = True  # whether the values have names of their own, and not only numbers

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.values)


@dataclass(frozen=True, eq=False)
class Factor:
    """A function of some variables under one action: a conditional probability, or a reward.

    The axes are the parents, then, of a probability, the variable itself. The rows of the table are the values of all
    axes but the last, row-major, and its columns those of the last axis; without any axis the table has one cell.
    """

    axes: tuple[Axis, ...]
    sizes: tuple[int, ...]  # of the axes
    table: csr_array  # [product of all sizes but the last, last size]

    @property
    def parents(self) -> tuple[Axis, ...]:
        """All axes but the last."""
        return self.axes[:-1]


@dataclass(frozen=True, eq=False, repr=False)
class FactoredPOMDP:
    """A partially observable problem, as the factors of which its matrices are products.

    States are the product of the state variables, the first slowest, and actions likewise. Observations are the product
    of the state variables that are seen, and then of the sensors.
    """

    states: tuple[Variable, ...]
    actions: tuple[Variable, ...]
    observations: tuple[Variable, ...]  # the sensors, without the state variables that are seen
    start: tuple[Factor, ...]  # one for each state variable, of the layer "before"
    transitions: tuple[tuple[Factor, ...], ...]  # [A] of one for each state variable
    sensors: tuple[tuple[Factor, ...], ...]  # [A] of one for each sensor
    rewards: tuple[tuple[Factor, ...], ...]  # [A] of those that are added up
    discount: float

    def __repr__(self) -> str:
        X, A, Z = map(counted, self.shape)
        return f"FactoredPOMDP({X} states, {A} actions, {Z} observations, discount {self.discount:g})"

    @property
    def shape(self) -> tuple[int, int, int]:
        """The numbers of states, actions and observations."""
        X, A = (prod(each.size for each in variables) for variables in (self.states, self.actions))
        return X, A, prod(each.size for each in self.seen + self.observations)

    @property
    def seen(self) -> tuple[Variable, ...]:
        """The state variables that the agent observes after each step."""
        return tuple(each for each in self.states if each.seen)

    def sizes(self, layer: Layer) -> list[int]:
        """Return the sizes of the variables of a layer."""
        return [each.size for each in (self.observations if layer == "observed" else self.states)]


def counted(number: int) -> str:
    """Write a number that may be too large to be written out.

    >>> counted(12800), counted(2**200)
    ('12,800', 'about 10^60')
    """
    return f"{number:,}" if number < 10**15 else f"about 10^{log10(number):.0f}"


def strides(sizes: list[int]) -> list[int]:
    """Return by how much an index grows with each variable, the first being the slowest.

    >>> strides([2, 3, 5])
    [15, 5, 1]
    """
    return [prod(sizes[i + 1 :]) for i in range(len(sizes))]


def in_order(factors: tuple[Factor, ...], layer: Layer, wanted: set[int] | None = None) -> list[int]:
    """Return variables of a layer so that each follows its parents: those that are wanted, with their ancestors."""
    order: list[int] = []
    waiting = list(range(len(factors)) if wanted is None else sorted(wanted))[::-1]
    on_the_way: set[int] = set()
    while waiting:
        i = waiting[-1]
        missing = [axis.number for axis in factors[i].parents if axis.layer == layer and axis.number not in order]
        if i in order or not missing:
            waiting.pop()
            on_the_way.discard(i)
            if i not in order:
                order.append(i)
            continue
        if i in on_the_way:
            raise InputError("the variables depend on each other in a circle")
        on_the_way.add(i)
        waiting.extend(missing)
    return order


def names(variables: tuple[Variable, ...]) -> Names | None:
    """Return the names of the values, or of all combinations; None where a single variable has only numbers.

    >>> names((Variable("door", ("left", "right")), Variable("lamp", ("on", "off"))))
    ('left, on', 'left, off', 'right, on', 'right, off')
    """
    if len(variables) == 1:
        return variables[0].values if variables[0].listed else None
    joined: Names = ("",)
    for each in variables:
        joined = tuple(f"{first}, {value}" if first else value for first in joined for value in each.values)
    return joined if variables else None


def digit(index: Ints, number: int, sizes: list[int]) -> Ints:
    """Return the value of one variable in the indices of combinations."""
    found: Ints = (index // strides(sizes)[number]) % sizes[number]
    return found


def entries(table: csr_array) -> tuple[Ints, Ints]:
    """Return the keys (row times columns plus column) of the non-zeros of a canonical matrix in order, and the rows."""
    rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    return rows * table.shape[1] + table.indices, rows
