"""The beliefs of `walkon.agents.sparse_belief` for tasks with compiled rules: states are the rows of an array.

The scheme and its guarantees are the same: exact while the support fits under the cap, then as many states as the cap
allows, with weights that keep their expectation.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from walkon.agents.array_belief_kernels import draw_starts, expand, mix_best, reduce_rows, weigh_rows
from walkon.agents.memory import Percept
from walkon.agents.sparse_belief import SMALLEST, Kind, SparseBelief
from walkon.arrays import Floats, Ints
from walkon.tasks.compiled_rules import CompiledRules
from walkon.tasks.simulator import Luck, Simulator

ROOM = 64  # outcomes of one step that are listed; where there are more, they are drawn


class ArrayBelief(NamedTuple):
    """States of one task with their weights; the fields are those of a `SparseBelief`."""

    rows: Ints  # [n, numbers of a state]
    weights: Floats  # [n]
    kind: Kind = "exact"
    approximate: bool = False

    @property
    def states(self) -> tuple[Any, ...]:
        """The states as tuples."""
        return tuple(map(tuple, self.rows.tolist()))

    @property
    def probabilities(self) -> dict[Any, float]:
        """The probability of each state that it holds possible."""
        return dict(zip(self.states, self.weights.tolist(), strict=True))


Belief: TypeAlias = SparseBelief | ArrayBelief


def rows_of(values: Any, size: int) -> Ints:
    """Write states or observations, each a number or a tuple of numbers, as the rows of an array."""
    return np.ascontiguousarray(np.array(values, dtype=np.int64).reshape(-1, size))


def begin(rules: CompiledRules, simulator: Simulator, most: int, luck: Luck) -> ArrayBelief:
    """The belief before the first action; drawn where the rules only draw the first state."""
    if rules.factored:
        row = np.empty((1, rules.state_size), dtype=np.int64)
        draw_starts(rules.pointer("start"), rules.facts, rules.reals, row, _seeded(luck))
        return ArrayBelief(row, np.ones(1), "factored")
    listed = simulator.start()
    if listed is not None:
        rows = rows_of([x for x, _ in listed], rules.state_size)
        return kept(rows, np.array([p for _, p in listed]), most, luck, "exact")
    drawn = np.empty((most, rules.state_size), dtype=np.int64)
    draw_starts(rules.pointer("start"), rules.facts, rules.reals, drawn, _seeded(luck))
    rows, times = np.unique(drawn, axis=0, return_counts=True)
    return ArrayBelief(np.ascontiguousarray(rows), times / most, "particles")


def advance(
    rules: CompiledRules, belief: Belief, action: int, percept: Percept, most: int, luck: Luck
) -> tuple[ArrayBelief | None, float]:
    """Return the belief after an action and a percept, and the logarithm of the evidence; None if nothing explains it.

    The arguments are as in `walkon.agents.sparse_belief.advance`, with rules in place of the simulator.
    """
    states = belief.rows if isinstance(belief, ArrayBelief) else rows_of(belief.states, rules.state_size)
    outcomes, step, generator = rules.pointer("outcomes"), rules.pointer("step"), _seeded(luck)
    facts, reals = rules.facts, rules.reals
    ys, ps = np.empty((ROOM, rules.state_size), dtype=np.int64), np.empty(ROOM)
    count, room = -1, max(len(states), most)
    while count < 0:
        room *= 2
        rows, weights = np.empty((room, rules.state_size), dtype=np.int64), np.empty(room)
        places = np.empty(2 ** int(room).bit_length(), dtype=np.int32)
        count, drawn = expand(
            outcomes, step, action, facts, reals, states, belief.weights, most, rows, weights, places, ys, ps, generator
        )
    rows, weights, total = rows[:count], weights[:count], 1.0
    if (soft := _soft(percept)) is not None:
        seen, shares = rows_of(list(soft), rules.observation_size), np.array(list(soft.values()), dtype=np.float64)
        count, total = weigh_rows(rules.pointer("likelihood"), action, facts, reals, rows, weights, seen, shares)
        if count == 0:
            return None, -np.inf
        rows, weights = rows[:count], np.maximum(weights[:count] / total, SMALLEST)
    after = kept(rows, weights, most, luck, "particles" if drawn else belief.kind)
    return after._replace(approximate=belief.approximate), float(np.log(total))


def best_actions(rules: CompiledRules, belief: ArrayBelief) -> Floats:
    """How likely each action is the best by the values and the task goes on, [A]; equal parts where several are."""
    mixed, v = np.zeros(rules.action_count), np.empty(rules.action_count)
    values, ends = rules.pointer("values"), rules.pointer("ends")
    mix_best(values, ends, rules.facts, rules.reals, belief.rows, belief.weights, v, mixed)
    return mixed


def _soft(percept: Percept) -> Mapping[Any, float] | None:
    """What was seen, as a weight for each observation; None where nothing was."""
    if percept.observation is not None:
        return {percept.observation: 1.0}
    return percept.likelihood if isinstance(percept.likelihood, Mapping) else None


def kept(rows: Ints, weights: Floats, most: int, luck: Luck, kind: Kind) -> ArrayBelief:
    """Make a belief with at most so many states, in the arrays of all, which are overwritten."""
    if len(rows) > most:
        count, kind = reduce_rows(rows, weights, most, luck()), "particles"
        rows, weights = rows[:count], weights[:count]
    return ArrayBelief(rows.copy(), weights / weights.sum(), kind)


def _seeded(luck: Luck) -> Any:
    return np.array([int(luck() * 2**53)], dtype=np.uint64)
