"""The matrices of a factored problem, multiplied out.

For each action, the list of the triples (x, y, p) begins with one triple for each x, and each state variable in turn
splits every triple into one for each value that the variable may take. So the work is proportional to the non-zeros of
the result. It is done for blocks of states, so that the lists stay small. Matrices that would be too large are refused:
most before anything is made, by the lengths of the rows at some states, and all before they exceed the limit.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.sparse import csr_array, vstack

from walkon.arrays import Floats, Ints
from walkon.errors import InputError
from walkon.models.factored import Axis, Factor, FactoredPOMDP, Layer, counted, digit, entries, in_order, names, strides

BYTES_PER_ENTRY = 12  # a float64 and an int32
LARGEST = 2**30  # bytes
BLOCK = 2**16  # states at a time, or fewer
AT_ONCE = 2**21  # entries at a time, unless a single state has more
ASKED = 256  # states whose rows are counted
MOST_COMBINATIONS = 100_000_000  # for the rewards of one action


def flatten(model: FactoredPOMDP) -> dict[str, Any]:
    """Return the arguments for the constructor of a `POMDP`, if its matrices take at most 1 GiB."""
    X, A, Z = model.shape
    if 8 * X * (A + 1) > LARGEST or Z > LARGEST // 8:
        raise _too_large(model, 8 * X * (A + 1))
    if (expected := BYTES_PER_ENTRY * _estimate(model)) > 2 * LARGEST:
        raise _too_large(model, expected)
    room = _Room(model)
    start = _Steps(model, np.zeros(1, np.int64))
    for i in in_order(model.start, "before"):
        start.split(model.start[i], "before", i)
    return {
        "P": [transitions(model, a, room) for a in range(A)],
        "O": _sensors(model, room),
        "R": np.stack([expected_reward(model, a) for a in range(A)], axis=1),
        "start": np.bincount(start.at["before"], start.weights, X),
        "discount": model.discount,
        "states": names(model.states),
        "actions": names(model.actions),
        "observations": names(model.seen + model.observations),
    }


def transitions(model: FactoredPOMDP, action: int, room: "_Room | None" = None) -> csr_array:
    """Return P_a, [X, X]."""
    X, factors = model.shape[0], model.transitions[action]
    order = in_order(factors, "after")

    def expand(x: Ints) -> _Steps:
        steps = _Steps(model, x)
        for i in order:
            steps.split(factors[i], "after", i)
        return steps

    return _matrix(X, X, expand, lambda steps: steps.at["after"], room or _Room(model))


def sensor(model: FactoredPOMDP, action: int, room: "_Room | None" = None) -> csr_array:
    """Return O_a, [X, Z]."""
    (X, _, Z), factors = model.shape, model.sensors[action]
    order, sensed = in_order(factors, "observed"), int(np.prod(model.sizes("observed"), dtype=np.int64))

    def expand(y: Ints) -> _Steps:
        steps = _Steps(model, y)
        steps.at["after"] = y
        for j in order:
            steps.split(factors[j], "observed", j)
        return steps

    def observation(steps: _Steps) -> Ints:
        seen = np.zeros(len(steps.weights), np.int64)
        for i, variable in enumerate(model.states):
            if variable.seen:
                seen = seen * variable.size + digit(steps.at["after"], i, model.sizes("after"))
        return seen * sensed + steps.at["observed"]

    return _matrix(X, Z, expand, observation, room or _Room(model))


def _sensors(model: FactoredPOMDP, room: "_Room") -> list[csr_array]:
    """Return O, in which actions with the same factors share one matrix."""
    made: dict[tuple[Factor, ...], csr_array] = {}
    for a, factors in enumerate(model.sensors):
        if factors not in made:
            made[factors] = sensor(model, a, room)
    return [made[factors] for factors in model.sensors]


def expected_reward(model: FactoredPOMDP, action: int) -> Floats:
    """Return r(., a), [X]. Each factor is averaged over the variables that it depends on, and their ancestors."""
    X, left = model.shape[0], MOST_COMBINATIONS
    moves, sensors = model.transitions[action], model.sensors[action]
    total = np.zeros(X)
    for factor in model.rewards[action]:
        sensed = in_order(sensors, "observed", _numbers(factor.axes, "observed"))
        moved = _numbers(factor.axes, "after").union(*(_numbers(sensors[j].axes, "after") for j in sensed))
        order = in_order(moves, "after", moved)

        def expand(x: Ints, order: list[int] = order, sensed: list[int] = sensed) -> _Steps:
            steps = _Steps(model, x)
            for i in order:
                steps.split(moves[i], "after", i)
            for j in sensed:
                steps.split(sensors[j], "observed", j)
            return steps

        for steps in _in_blocks(X, expand):
            left -= len(steps.weights)
            if left < 0:
                remedy = "give rewards that depend on fewer variables"
                raise InputError(
                    f"the rewards of one action depend on over {MOST_COMBINATIONS:,} combinations: {remedy}"
                )
            total += np.bincount(steps.at["before"], steps.weights * steps.values(factor), X)
    return total


def _matrix(
    rows: int, columns: int, expand: "Callable[[Ints], _Steps]", column: "Callable[[_Steps], Ints]", room: "_Room"
) -> csr_array:
    """Return a matrix, block by block."""
    blocks = []
    for steps in _in_blocks(rows, expand):
        room.take(len(steps.weights))
        at = steps.at["before"] - steps.first
        blocks.append(csr_array((steps.weights, (at, column(steps))), shape=(steps.count, columns)))
    return vstack(blocks, format="csr")


def _in_blocks(count: int, expand: "Callable[[Ints], _Steps]") -> "Iterator[_Steps]":
    """Expand all states, fewer at a time where they lead to too many combinations."""
    first, size = 0, BLOCK
    while first < count:
        try:
            steps = expand(np.arange(first, min(first + size, count)))
        except _CrowdedError:
            size //= 2
            continue
        yield steps
        first += steps.count


def _estimate(model: FactoredPOMDP) -> int:
    """Estimate the number of entries of P and O from some rows: not more than they have, where rows are alike.

    Variables that depend on others of the same layer are counted as if they had one value.
    """
    X = model.shape[0]
    asked = np.unique(np.linspace(0, X - 1, min(X, ASKED)).astype(np.int64))
    known: dict[tuple[Factor, ...], float] = {}
    total = 0.0
    for layer, tables in (("after", model.transitions), ("observed", model.sensors)):
        for factors in dict.fromkeys(tables) if layer == "observed" else tables:
            if factors not in known:
                steps = _Steps(model, asked)
                steps.at["after"] = asked  # where the states are those arrived in
                alone = [each for each in factors if all(axis.layer != layer for axis in each.parents)]
                lengths = [np.log2(steps.lengths(each)) for each in alone]
                known[factors] = X * float(np.exp2(np.minimum(np.sum(lengths, axis=0), 60)).mean()) if alone else X
            total += known[factors]
    return int(total)


def _numbers(axes: tuple[Axis, ...], layer: Layer) -> set[int]:
    return {axis.number for axis in axes if axis.layer == layer}


class _CrowdedError(Exception):
    """Too many combinations at a time."""


class _Room:
    """How many entries the matrices may still have."""

    def __init__(self, model: FactoredPOMDP) -> None:
        X, A, _ = model.shape
        self.model, self.left = model, (LARGEST - 8 * X * A) // BYTES_PER_ENTRY

    def take(self, count: int) -> None:
        """Use some of it."""
        self.left -= count
        if self.left < 0:
            raise _too_large(self.model)


def _too_large(model: FactoredPOMDP, size: int | None = None) -> InputError:
    X, A, Z = map(counted, model.shape)
    about = "" if size is None else f"about {counted(-(-size // 2**30))} GiB, "
    return InputError(
        f"the matrices over {X} states, {A} actions and {Z} observations would take {about}"
        f"more than {LARGEST / 2**30:g} GiB: use the tables of the single variables in pomdp.factored"
    )


class _Steps:
    """Combinations of states before and after a step, observations, and their probabilities."""

    def __init__(self, model: FactoredPOMDP, before: Ints) -> None:
        self.model, self.first, self.count = model, int(before[0]), len(before)
        zeros = np.zeros(len(before), np.int64)
        self.at: dict[str, Ints] = {"before": before, "after": zeros, "observed": zeros}  # each [N]
        self.weights = np.ones(len(before))  # [N]

    def split(self, factor: Factor, layer: Layer, number: int) -> None:
        """Let one variable take its values."""
        rows = self._index(factor.parents)
        ends = factor.table.indptr.astype(np.int64)
        counts = (ends[1:] - ends[:-1])[rows]
        total = int(counts.sum())
        if total > AT_ONCE and self.count > 1:
            raise _CrowdedError
        which = np.repeat(np.arange(len(rows)), counts)
        first = np.cumsum(counts) - counts
        places = (ends[rows] - first)[which] + np.arange(total)
        self.at = {name: at[which] for name, at in self.at.items()}
        step = strides(self.model.sizes(layer))[number]
        self.at[layer] = self.at[layer] + step * factor.table.indices[places].astype(np.int64)
        self.weights = self.weights[which] * factor.table.data[places]

    def lengths(self, factor: Factor) -> Ints:
        """Return how many values the last variable of a factor may take."""
        found: Ints = np.diff(factor.table.indptr)[self._index(factor.parents)]
        return found

    def values(self, factor: Factor) -> Floats:
        """Return the value of a factor for each combination."""
        keys, _ = entries(factor.table)
        wanted = self._index(factor.axes)
        if not len(keys):
            return np.zeros(len(wanted))
        found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[found] == wanted, factor.table.data[found], 0.0)

    def _index(self, axes: tuple[Axis, ...]) -> Ints:
        """Return the row-major index of the values of some variables."""
        index = np.zeros(len(self.weights), np.int64)
        for axis in axes:
            sizes = self.model.sizes(axis.layer)
            index = index * sizes[axis.number] + digit(self.at[axis.layer], axis.number, sizes)
        return index
