"""The cooks and helpers of Overcooked (the paper, section "Overcooked Domain").

Greedy plays its part of the jointly optimal policy and assumes that the other does too. Dummy only responds: it works
on the call (an onion until the soup is cooked, then a plate) and does nothing ahead. Upper and Downer cook with one
counter: each plays the cook's part of the best joint policy that never takes from the other counter. (As printed they
stand still, and could not both cook and deliver.) In the authors' later code they are stubborn instead: with an empty
hand they go to their own counter and act there, and with a full one they do as Greedy does.
"""

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from walkon.arrays import Floats
from walkon.domains.overcooked.world import (
    ACTIONS,
    BOTTOM,
    COOKED,
    DISCOUNT,
    NOTHING,
    ONION,
    PAN,
    PLATE,
    SOUP,
    STATES,
    SUPPLY,
    TOP,
    WINDOW,
    Kitchen,
    matrices,
    takes,
)
from walkon.policies.ties import best

NOOP, ACT = ACTIONS.index("Noop"), ACTIONS.index("Act")
EXACT = 1e-12  # relative to the largest value


@cache
def joint_optimum(never_takes_from: int | None = None, ties: str = "uniform") -> Floats:
    """The jointly optimal policy [X, helper's action, cook's action].

    It is uniform over all optimal pairs of actions, or always takes the first, in the order of the helper's action,
    then the cook's.

    Where the cook may not take from a counter, acting there is solved as if it were Noop, and then left out.
    """
    mmdp = matrices("helper")
    follows = np.array([[P.indices for P in row] for row in mmdp.P])  # [A, B, X]: each step has one possible next state
    next_state = np.moveaxis(follows, -1, 0).copy()  # [X, A, B]
    banned = np.array([x.cook == never_takes_from and takes(x, "Act") for x in STATES])
    next_state[banned, :, ACT] = next_state[banned, :, NOOP]
    shape = (len(STATES), -1)
    optimal = best(_values(next_state.reshape(shape), mmdp.R.reshape(shape))).reshape(mmdp.R.shape)
    optimal[banned, :, ACT] = False
    if ties == "first":
        flat = optimal.reshape(shape)
        optimal = (np.arange(flat.shape[1]) == flat.argmax(axis=1)[:, None]).reshape(optimal.shape)
    policy: Floats = optimal / optimal.sum(axis=(1, 2), keepdims=True)
    policy.setflags(write=False)
    return policy


def _values(next_state: npt.NDArray[np.int32], R: Floats) -> Floats:
    """The value of each action in each state [X, A] of a deterministic problem, by policy iteration.

    A policy is evaluated by doubling: the rewards and results of n steps give those of 2 n steps.
    """
    here, v = np.arange(len(R)), np.zeros(len(R))
    while True:
        q: Floats = R + DISCOUNT * v[next_state]
        chosen = q.argmax(axis=1)
        if (q[here, chosen] - v).max() <= EXACT * np.abs(v).max():
            return q
        v, y, discount = R[here, chosen], next_state[here, chosen], DISCOUNT
        while discount > EXACT:
            v, y, discount = v + discount * v[y], y[y], discount**2


def call(x: Kitchen) -> int:
    """The thing that the pan needs next."""
    return PLATE if x.pan == COOKED else ONION


def dummy_cook(x: Kitchen) -> str:
    """Use what is in the hand; take the call from the counter beside it, and fetch nothing."""
    if x.cook_hand == SOUP:
        return "Act" if x.cook == WINDOW else _move(WINDOW)
    if x.cook_hand == call(x):
        return "Act" if x.cook == PAN else _move(PAN)
    if x.cook_hand == NOTHING and x.counters[x.cook] == call(x):
        return "Act"
    return "Noop"


def dummy_helper(x: Kitchen) -> str:
    """Bring the call, one at a time, to a counter that is empty."""
    needed = call(x)
    if x.helper_hand == NOTHING:
        if needed in (*x.counters, x.cook_hand):
            return "Noop"
        supply = SUPPLY.index(needed)
        return "Act" if x.helper == supply else _move(supply)
    if x.helper_hand == needed:
        if x.counters[x.helper] == NOTHING:
            return "Act"
        other = 1 - x.helper
        return _move(other) if x.counters[other] == NOTHING else "Noop"
    return "Noop"


def _move(cell: int) -> str:
    return {TOP: "Up", BOTTOM: "Down"}[cell]


KINDS = {"cook": ("greedy", "dummy", "upper", "downer"), "helper": ("greedy", "dummy")}  # by role


OWN = {"upper": TOP, "downer": BOTTOM}  # the counter that a cook takes from


def stubborn(x: Kitchen, own: int) -> str:
    """With an empty hand, go to the own cell and act there, whatever lies on the counter."""
    return "Act" if x.cook == own else _move(own)


def always(rule: Callable[[Kitchen], str]) -> Floats:
    """The policy [X, B] of a rule that leaves nothing to chance."""
    return np.array([[float(action == chosen) for action in ACTIONS] for chosen in map(rule, STATES)])


def choices(kind: str, role: str, tremble: float, cooks: str, stubbornness: float, ties: str) -> Floats:
    """The policy of a teammate of a kind in a role, with its tremble: the probability of each action, [X, B]."""
    part = 1 if role == "cook" else 2  # the axis of the partner's actions
    if kind == "dummy":
        policy = always(dummy_cook if role == "cook" else dummy_helper)
    elif kind == "greedy" or cooks == "partner-knows":
        forbidden = 1 - OWN[kind] if kind in OWN else None
        policy = joint_optimum(forbidden, ties).sum(axis=part)
    else:
        policy = joint_optimum(ties=ties).sum(axis=part)
        empty = np.array([x.cook_hand == NOTHING for x in STATES])
        fixed = always(partial(stubborn, own=OWN[kind]))
        policy[empty] = stubbornness * fixed[empty] + (1 - stubbornness) * policy[empty]
    return (1 - tremble) * policy + tremble / len(ACTIONS)
