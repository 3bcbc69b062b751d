"""A problem with a first look: what is seen of the state is seen before the first action too.

The observations of a POMDP follow its actions, so nothing is known before the first one but the start belief. Solvers
for mixed observability take what is seen as known from the beginning. The same is a POMDP with one more step before the
first: whatever the agent does in it, it is told what is seen of the first state.

    s* leads to the copy of state x with probability start(x), and to nothing else; a copy shows what is seen of x, and
    has the transitions and rewards of x.

Rewards are divided by the discount, which makes up for the step: a return from s* is one of the problem, after the
look. So v(s*) = sum_g p(g) v(b_g), where b_g is the start belief where g is seen.
"""

from typing import Any

import numpy as np
from scipy.sparse import block_array, csr_array

from walkon.arrays import Ints
from walkon.errors import InputError
from walkon.models.factored import digit
from walkon.models.pomdp import POMDP

BEFORE = "before the first look"


def look_first(problem: POMDP, known: Any = None) -> POMDP:
    """Return a problem with one more step at the beginning, in which the agent learns what is seen of the first state.

    Its first X states and Z observations are those of the problem. Bounds and discounted returns are those of the
    problem, for an agent that sees the part before its first action; single rewards are divided by the discount.

    Args:
        problem: The problem, with a discount above 0.
        known: A number for each state, [X]: states with different numbers are told apart. If not given, the variables
            that are seen in `problem.factored`.
    """
    if not problem.discount > 0:
        raise InputError("the discount is 0: rewards after a first look would not count")
    X, A = problem.R.shape
    support = np.flatnonzero(problem.start)
    _, told = np.unique(_known(problem, known)[support], return_inverse=True)
    n, looks = len(support), int(told.max()) + 1
    first = csr_array((problem.start[support], (np.zeros(n, np.int64), np.arange(n))), shape=(1, n))
    shown = csr_array((np.ones(n), (np.arange(n), told)), shape=(n, looks))
    never = csr_array(([1.0], ([0], [0])), shape=(1, looks))  # what s* would show, to which nothing leads
    P = [
        block_array([[p, csr_array((X, 1)), None], [None, None, first], [p[support], None, None]], format="csr")
        for p in problem.P
    ]
    made = {id(o): block_array([[o, None], [None, never], [None, shown]], format="csr") for o in problem.O}
    start = np.zeros(X + 1 + n)
    start[X] = 1.0
    return POMDP(
        P,
        [made[id(o)] for o in problem.O],
        np.concatenate([problem.R, np.zeros((1, A)), problem.R[support]]) / problem.discount,
        start,
        problem.discount,
        states=problem.states and (*problem.states, BEFORE, *(f"{problem.states[x]}, at first" for x in support)),
        actions=problem.actions,
        observations=problem.observations and (*problem.observations, *(f"first look {g + 1}" for g in range(looks))),
    )


def _known(problem: POMDP, known: Any) -> Ints:
    """Return a number for each state, by which states are told apart."""
    X = len(problem.start)
    if known is None and problem.factored is None:
        raise InputError("nothing says which part of the state is seen: give `known`, a number for each state")
    if known is not None:
        numbers: Ints = np.asarray(known)
        if numbers.shape != (X,):
            raise InputError(f"known has shape {numbers.shape}, expected a number for each of the {X} states")
        return numbers
    assert problem.factored is not None
    variables, index = problem.factored.states, np.zeros(X, np.int64)
    for i, variable in enumerate(variables):
        if variable.seen:
            index = index * variable.size + digit(np.arange(X), i, problem.factored.sizes("before"))
    return index
