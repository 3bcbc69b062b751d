"""The matrices of a factored problem, multiplied out.

One action at a time, all states at once: the list of the triples (x, y, p) begins with one triple for each x, and each
state variable in turn splits every triple into one for each value that the variable may take. So the work is
proportional to the non-zeros of the result, and the size of the next list is known before the list is made.
"""

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from walkon.arrays import Floats, Ints
from walkon.errors import InputError
from walkon.models.factored import Axis, Factor, FactoredPOMDP, Layer, counted, digit, entries, in_order, names, strides

BYTES_PER_ENTRY = 12  # a float64 and an int32
LARGEST = 2**30  # bytes


def flatten(model: FactoredPOMDP) -> dict[str, Any]:
    """Return the arguments for the constructor of a `POMDP`, if its matrices take at most 1 GiB."""
    X, A, Z = model.shape
    if 8 * X * (A + 1) > LARGEST or Z > LARGEST // 8:
        raise _too_large(model, 8 * X * (A + 1))
    room = _Room(model)
    start = _Steps(model, np.zeros(1, np.int64), room)
    for i in in_order(model.start, "before"):
        start.split(model.start[i], "before", i)
    return {
        "P": [transitions(model, a, room) for a in range(A)],
        "O": _sensors(model, room),
        "R": np.stack([expected_reward(model, a, room) for a in range(A)], axis=1),
        "start": np.bincount(start.at["before"], start.weights, X),
        "discount": model.discount,
        "states": names(model.states),
        "actions": names(model.actions),
        "observations": names(model.seen + model.observations),
    }


def transitions(model: FactoredPOMDP, action: int, room: "_Room | None" = None) -> csr_array:
    """Return P_a, [X, X]."""
    X = model.shape[0]
    steps = _Steps(model, np.arange(X), room or _Room(model))
    for i in in_order(model.transitions[action], "after"):
        steps.split(model.transitions[action][i], "after", i)
    steps.room.keep(len(steps.weights))
    return csr_array((steps.weights, (steps.at["before"], steps.at["after"])), shape=(X, X))


def sensor(model: FactoredPOMDP, action: int, room: "_Room | None" = None) -> csr_array:
    """Return O_a, [X, Z]."""
    X, _, Z = model.shape
    steps = _Steps(model, np.arange(X), room or _Room(model))
    steps.at["after"] = steps.at["before"]
    for j in in_order(model.sensors[action], "observed"):
        steps.split(model.sensors[action][j], "observed", j)
    steps.room.keep(len(steps.weights))
    seen = np.zeros(len(steps.weights), np.int64)
    for i, variable in enumerate(model.states):
        if variable.seen:
            seen = seen * variable.size + digit(steps.at["after"], i, model.sizes("after"))
    z = seen * int(np.prod(model.sizes("observed"), dtype=np.int64)) + steps.at["observed"]
    return csr_array((steps.weights, (steps.at["before"], z)), shape=(X, Z))


def _sensors(model: FactoredPOMDP, room: "_Room") -> list[csr_array]:
    """Return O, in which actions with the same factors share one matrix."""
    made: dict[tuple[Factor, ...], csr_array] = {}
    for a, factors in enumerate(model.sensors):
        if factors not in made:
            made[factors] = sensor(model, a, room)
    return [made[factors] for factors in model.sensors]


def expected_reward(model: FactoredPOMDP, action: int, room: "_Room | None" = None) -> Floats:
    """Return r(., a), [X]. Each factor is averaged over the variables that it depends on, and their ancestors."""
    X = model.shape[0]
    total = np.zeros(X)
    for factor in model.rewards[action]:
        steps = _Steps(model, np.arange(X), room or _Room(model))
        sensed = in_order(model.sensors[action], "observed", _numbers(factor.axes, "observed"))
        moved = _numbers(factor.axes, "after")
        for j in sensed:
            moved |= _numbers(model.sensors[action][j].axes, "after")
        for i in in_order(model.transitions[action], "after", moved):
            steps.split(model.transitions[action][i], "after", i)
        for j in sensed:
            steps.split(model.sensors[action][j], "observed", j)
        total += np.bincount(steps.at["before"], steps.weights * steps.values(factor), X)
    return total


def _numbers(axes: tuple[Axis, ...], layer: Layer) -> set[int]:
    return {axis.number for axis in axes if axis.layer == layer}


class _Room:
    """How many entries may still be made."""

    def __init__(self, model: FactoredPOMDP) -> None:
        X, A, _ = model.shape
        self.model, self.kept, self.made = model, 0, 0
        self.most = (LARGEST - 8 * X * A) // BYTES_PER_ENTRY

    def check(self, more: int) -> None:
        """Refuse a list of so many entries beside the matrices that exist already."""
        if self.kept + more > self.most:
            matrices = 2 * self.model.shape[1]
            expected = max(matrices // (self.made + 1), 1) * (self.kept + more)
            raise _too_large(self.model, expected * BYTES_PER_ENTRY)

    def keep(self, count: int) -> None:
        """Count the entries of a matrix."""
        self.kept, self.made = self.kept + count, self.made + 1


def _too_large(model: FactoredPOMDP, size: int) -> InputError:
    X, A, Z = map(counted, model.shape)
    return InputError(
        f"the matrices over {X} states, {A} actions and {Z} observations would take {counted(-(-size // 2**30))} GiB, "
        f"more than {LARGEST // 2**30}: use the tables of the single variables in pomdp.factored"
    )


class _Steps:
    """Combinations of states before and after a step, observations, and their probabilities."""

    def __init__(self, model: FactoredPOMDP, before: Ints, room: _Room) -> None:
        self.model, self.room = model, room
        zeros = np.zeros(len(before), np.int64)
        self.at: dict[str, Ints] = {"before": before, "after": zeros, "observed": zeros}  # each [N]
        self.weights = np.ones(len(before))  # [N]

    def split(self, factor: Factor, layer: Layer, number: int) -> None:
        """Let one variable take its values."""
        rows = self._index(factor.parents)
        ends = factor.table.indptr.astype(np.int64)
        counts = (ends[1:] - ends[:-1])[rows]
        total = int(counts.sum())
        self.room.check(total)
        which = np.repeat(np.arange(len(rows)), counts)
        first = np.cumsum(counts) - counts
        places = (ends[rows] - first)[which] + np.arange(total)
        self.at = {name: at[which] for name, at in self.at.items()}
        step = strides(self.model.sizes(layer))[number]
        self.at[layer] = self.at[layer] + step * factor.table.indices[places].astype(np.int64)
        self.weights = self.weights[which] * factor.table.data[places]

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
