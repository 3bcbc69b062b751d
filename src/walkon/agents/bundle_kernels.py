"""Kernels for the particles of one simulation of a search: a bundle that is drawn at the root and goes down the tree.

The first particle is where the simulation really goes: it is moved by the rules and makes the observations. The others
are what it might be taken for: they move by the same actions and are weighed by how well they explain the observations.
A leaf is worth what the best single action is worth to all of them, and not what each would do if it were known.
"""

from typing import Any, NamedTuple

from walkon.arrays import Floats, Ints
from walkon.compiled import inlined, kernel
from walkon.models.luck_kernels import Luck, uniform
from walkon.tasks.compiled_rules import Numbers

GOLDEN = 0.6180339887498949  # multiples of it, modulo 1, cover [0, 1) evenly


class Bundle(NamedTuple):
    """The particles of one simulation: the first is where it really goes, the others what it might be taken for."""

    tasks: Ints  # [m]
    states: Ints  # [m, D]
    after: Ints  # [m, D]: the next states
    weights: Floats  # [m]
    spare: Ints  # [2, D]: for the states of a roll-out
    one: Floats  # [A]: for the values of a particle


@inlined
def numbers_of(numbers: Numbers, k: int) -> tuple[Ints, Floats]:
    """The numbers of one task."""
    return (
        numbers.facts[numbers.facts_at[k] : numbers.facts_at[k + 1]],
        numbers.reals[numbers.reals_at[k] : numbers.reals_at[k + 1]],
    )


@kernel
def draw_bundle(bundle: Bundle, tasks: Ints, states: Ints, upto: Floats, guide: Ints, done: int, luck: Luck) -> None:
    """Draw particles from the belief at the root; the first of each simulation cover it evenly.

    Of the sums of weights `upto`, the first above i / n of the whole is not before `guide[i]`.
    """
    n = guide.shape[0]
    for i in range(bundle.tasks.shape[0]):
        u = (GOLDEN * done) % 1.0 if i == 0 else uniform(luck)
        at = guide[int(u * n)]
        while upto[at] <= u * upto[n - 1]:
            at += 1
        bundle.tasks[i], bundle.weights[i] = tasks[at], 1.0
        for j in range(states.shape[1]):
            bundle.states[i, j] = states[at, j]


@kernel
def estimate(
    values: Any, step: Any, ends: Any, numbers: Numbers, bundle: Bundle, states: Ints, left: int, v: Floats, luck: Luck
) -> int:
    """Write the mean value of each action over the particles in these states to v.

    Without values, it is what random actions earn from the first of them, for all actions alike; return their number.
    """
    if values is None:
        facts, reals = numbers_of(numbers, bundle.tasks[0])
        discount = numbers.discounts[bundle.tasks[0]]
        earned, count = roll_out(step, ends, facts, reals, states[0], bundle.spare, left, v.shape[0], discount, luck)
        for a in range(v.shape[0]):
            v[a] = earned
        return count
    if bundle.tasks.shape[0] == 1:
        facts, reals = numbers_of(numbers, bundle.tasks[0])
        values(facts, reals, states[0], v)
    else:
        mean_values(values, numbers, bundle, states, v)
    return 0


@kernel
def mean_values(values: Any, numbers: Numbers, bundle: Bundle, states: Ints, v: Floats) -> None:
    """Write the mean value of each action over the particles in these states."""
    total = 0.0
    for a in range(v.shape[0]):
        v[a] = 0.0
    for i in range(bundle.tasks.shape[0]):
        if bundle.weights[i] > 0.0:
            facts, reals = numbers_of(numbers, bundle.tasks[i])
            values(facts, reals, states[i], bundle.one)
            total += bundle.weights[i]
            for a in range(v.shape[0]):
                v[a] += bundle.weights[i] * bundle.one[a]
    for a in range(v.shape[0]):
        v[a] /= total


@kernel
def roll_out(
    step: Any,
    ends: Any,
    facts: Ints,
    reals: Floats,
    x: Ints,
    spare: Ints,  # [2, D]: for states
    most: int,
    A: int,
    discount: float,
    luck: Luck,
) -> tuple[float, int]:
    """Take uniform actions from a state, and return what they earn and how many there were."""
    here, there, earned, factor, count = spare[0], spare[1], 0.0, 1.0, 0
    for j in range(x.shape[0]):
        here[j] = x[j]
    while count < most and not ends(facts, reals, here):
        earned += factor * step(int(uniform(luck) * A), facts, reals, here, there, luck)
        factor *= discount
        count += 1
        for j in range(x.shape[0]):
            here[j] = there[j]
    return earned, count


@kernel
def follow(
    step: Any, likelihood: Any, ends: Any, numbers: Numbers, bundle: Bundle, a: int, z: Ints, luck: Luck
) -> None:
    """Move all particles but the first, and weigh all by how well they explain an observation that the first made."""
    top = 0.0
    for i in range(bundle.tasks.shape[0]):
        if bundle.weights[i] > 0.0:
            facts, reals = numbers_of(numbers, bundle.tasks[i])
            if i > 0:
                step(a, facts, reals, bundle.states[i], bundle.after[i], luck)
            if i > 0 and ends(facts, reals, bundle.after[i]):
                bundle.weights[i] = 0.0
            else:
                bundle.weights[i] *= likelihood(a, facts, reals, bundle.after[i], z)
            top = max(top, bundle.weights[i])
    for i in range(bundle.tasks.shape[0]):
        bundle.weights[i] /= top


@kernel
def going_on(ends: Any, numbers: Numbers, tasks: Ints, states: Ints, weights: Floats) -> None:
    """Take the weight from particles whose task is over: nothing matters there."""
    for i in range(tasks.shape[0]):
        facts, reals = numbers_of(numbers, tasks[i])
        if ends(facts, reals, states[i]):
            weights[i] = 0.0
