"""The cooks and helpers of Overcooked (the paper, section "Overcooked Domain").

Greedy plays its part of the jointly optimal policy and takes for granted that the other does too. Dummy only responds:
it works on the call (an onion until the soup is cooked, then a plate) and does nothing ahead. Upper and Downer cook
with one counter: each plays the cook's part of the joint optimum among those who never take from the other counter.
(As printed they stand still; then nobody could cook and deliver.)
"""

from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, diags_array

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
    Seat,
    matrices,
    takes,
)
from walkon.models.distributions import Floats
from walkon.models.mdp import MDP
from walkon.policies.ties import best
from walkon.solvers.value_iteration import ValueIteration

NOOP, ACT = ACTIONS.index("Noop"), ACTIONS.index("Act")


@cache
def joint_optimum(never_takes_from: int | None = None) -> Floats:
    """The jointly optimal policy: uniform over all optimal pairs of actions, [X, helper's action, cook's action].

    Args:
        never_takes_from: A counter that the cook may not take from. In the problem that is solved, acting there does
            what Noop does, which adds no value; the pairs that contain it are then left out.
    """
    mmdp = matrices(Seat("helper"))  # its P[a][b] has the helper's action first
    P = [list(row) for row in mmdp.P]
    banned = np.array([x.cook == never_takes_from and takes(x, "Act") for x in STATES])
    for row in P:
        row[ACT] = _where(banned, row[NOOP], row[ACT])
    R = mmdp.R.reshape(len(STATES), -1)
    team = MDP([matrix for row in P for matrix in row], R, discount=DISCOUNT)
    optimal = best(ValueIteration().solve(team).policy.table).reshape(mmdp.R.shape)
    optimal[banned, :, ACT] = False
    choices: Floats = optimal / optimal.sum(axis=(1, 2), keepdims=True)
    choices.setflags(write=False)
    return choices


def _where(these: npt.NDArray[np.bool_], yes: csr_array, no: csr_array) -> csr_array:
    """The matrix with the rows of one matrix in these states, and of the other elsewhere."""
    return diags_array(these * 1.0) @ yes + diags_array(~these * 1.0) @ no


def call(x: Kitchen) -> int:
    """What the pan needs next."""
    return PLATE if x.pan == COOKED else ONION


def dummy_cook(x: Kitchen) -> str:
    """Works with what it has in hand; takes the call from the counter beside it, and fetches nothing."""
    if x.cook_hand == SOUP:
        return "Act" if x.cook == WINDOW else _move(WINDOW)
    if x.cook_hand == call(x):
        return "Act" if x.cook == PAN else _move(PAN)
    if x.cook_hand == NOTHING and x.counters[x.cook] == call(x):
        return "Act"
    return "Noop"


def dummy_helper(x: Kitchen) -> str:
    """Brings the call, one at a time, to a counter that is empty."""
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


COOKS = ("greedy", "dummy", "upper", "downer")
HELPERS = ("greedy", "dummy")


def choices(kind: str, role: str, tremble: float = 0.0) -> Floats:
    """What a teammate does: the probability of each of its actions in each state, [X, B].

    Args:
        kind: One of COOKS or HELPERS.
        role: "cook" or "helper".
        tremble: How often it makes a uniform move instead.
    """
    return (1 - tremble) * _steady(kind, role) + tremble / len(ACTIONS)


def _steady(kind: str, role: str) -> Floats:
    if kind == "dummy":
        rule = dummy_cook if role == "cook" else dummy_helper
        return np.array([[float(action == rule(x)) for action in ACTIONS] for x in STATES])
    forbidden = {"greedy": None, "upper": BOTTOM, "downer": TOP}[kind]
    part: Floats = joint_optimum(forbidden).sum(axis=1 if role == "cook" else 2)
    return part
