"""The kitchen of the second paper (section 5.1.5): one soup is delivered, and the task is solved.

The moves are those of Overcooked with the ad hoc agent as helper, except that a delivery leads to a state of its own,
"delivered", which is solved. Four cooks: *optimal* plays its part of the best joint plan, all optimal pairs of actions
being equally likely; *upper* and *downer* go to their own cell with an empty hand and act there, whatever lies on the
counter, and else do as optimal does; *random* does anything.

As run, a coin decided whether upper and downer were stubborn or did as optimal does. It was thrown once for each action
of the helper and each state while the matrices were built, and the draws are lost. "half" takes the mean over all
draws; a number is the seed of such draws. A cook that depends on what the helper does in the same step has no policy of
its own, so with a seed the teammates of these two tasks are folded in.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_array, eye_array

from walkon.arrays import Bools, Floats
from walkon.checks import whole
from walkon.domains.ending import (
    DISCOUNT,
    OVER,
    Difference,
    marginal,
    pick,
    quickest,
    settle,
    start_among,
    with_end,
)
from walkon.domains.overcooked.teammates import OWN, always, stubborn
from walkon.domains.overcooked.view import KitchenView
from walkon.domains.overcooked.world import ACTIONS, NOTHING, START, STATES, delivers, matrices
from walkon.errors import InputError
from walkon.models.mmdp import MMDP
from walkon.models.pomdp import POMDP
from walkon.pictures.scene import Scene
from walkon.tasks import Task, TaskLibrary

HORIZON = 50
OPTIMAL, RANDOM = "optimal", "random"
COOKS = (OPTIMAL, "upper", "downer", RANDOM)
DELIVERED = "delivered"
NAMES = [*map(str, STATES), DELIVERED, OVER]
ALWAYS, HALF = "always", "half"


def seed_or_word(name: str, value: Any) -> Any:
    """Check how often upper and downer are stubborn."""
    if value in (ALWAYS, HALF):
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value)
    if not hasattr(value, "__index__"):
        raise InputError(f'{name} is {value!r:.60}, expected "always", "half" or a seed')
    return whole(name, value, 0, 2**63 - 1)


COIN = Difference.of(
    "coin",
    ALWAYS,
    HALF,
    "When upper and downer are stubborn: always, half (with probability 1/2), or by coins with this seed.",
    check=seed_or_word,
)


def library(*, variant: str, tasks: Any, **given: Any) -> TaskLibrary:
    """Make a library of cooks."""
    coin = settle(variant, (COIN,), given)["coin"]
    return TaskLibrary([_task(cook, coin) for cook in pick(tasks, COOKS)])


def names(tasks: Any) -> list[str]:
    """The names of its tasks."""
    return [f"{cook} cook" for cook in pick(tasks, COOKS)]


def free_moves() -> list[list[csr_array]]:
    """The matrices [A][B] of the kitchen and the state "delivered", if nothing ever ended."""
    N, found = len(STATES), list[list[csr_array]]()
    for row in matrices("helper").P:
        found.append([])
        for p, cook in zip(row, ACTIONS, strict=True):
            following = [N if delivers(x, cook) else y for x, y in zip(STATES, p.indices.tolist(), strict=True)]
            found[-1].append(csr_array((np.ones(N + 1), [*following, N], np.arange(N + 2)), shape=(N + 1, N + 1)))
    return found


def team() -> MMDP:
    """The team's problem."""
    return with_end(free_moves(), _solved(), states=NAMES[:-1], actions=ACTIONS, teammate_actions=ACTIONS)


def policy(cook: str, stubbornness: float) -> Floats:
    """The policy of a cook [X, B]."""
    if cook == RANDOM:
        return np.full((len(NAMES), len(ACTIONS)), 1 / len(ACTIONS))
    following = np.array([[p.indices for p in row] for row in free_moves()])  # [A, B, positions]
    by_position = np.moveaxis(following, -1, 0)
    optimal = quickest(by_position.reshape(len(by_position), -1), _solved())
    chosen = marginal(optimal.reshape(by_position.shape))
    if cook in OWN:
        empty = _empty_hand()
        chosen[empty] = stubbornness * _stubborn(cook)[empty] + (1 - stubbornness) * chosen[empty]
    return chosen


def _solved() -> Bools:
    return np.array([False] * len(STATES) + [True])


def _empty_hand() -> Bools:
    """The states [X] in which the cook's hand is empty."""
    return np.array([x.cook_hand == NOTHING for x in STATES] + [False, False])


def _stubborn(cook: str) -> Floats:
    """What a stubborn cook does, [X, B]."""
    fixed = always(partial(stubborn, own=OWN[cook]))
    return np.vstack([fixed, np.full((2, len(ACTIONS)), 1 / len(ACTIONS))])


def _task(cook: str, coin: Any) -> Task:
    sees_all, numbers = eye_array(len(NAMES), format="csr"), np.vstack([STATES, [[2, 2, *(0,) * 5], [3, 3, *(0,) * 5]]])
    start = start_among([*(x in START for x in STATES), False], _solved())
    more: dict[str, Any] = {"horizon": HORIZON, "state_numbers": numbers, "observation_numbers": numbers}
    more |= {"view": SoupView(), "solved": [*_solved(), True], "name": f"{cook} cook"}
    sensor = [sees_all] * len(ACTIONS)
    if coin in (ALWAYS, HALF) or cook not in OWN:
        chosen = policy(cook, 0.5 if coin == HALF else 1.0)
        return Task(team(), chosen, sensor, start, observations=NAMES, **more)
    P, R = _with_coins(cook, coin)
    pomdp = POMDP(P, sensor, R, start, DISCOUNT, states=NAMES, actions=ACTIONS, observations=NAMES)
    return Task.from_pomdp(pomdp, **more)


def _with_coins(cook: str, seed: int) -> tuple[list[csr_array], Floats]:
    """The problem of the helper with a cook whose coin is thrown for each action of the helper and each state."""
    chance, empty, whole_team = np.random.default_rng(seed), _empty_hand(), team()
    fixed, optimal = _stubborn(cook), policy(OPTIMAL, 1.0)
    P = []
    for a in range(len(ACTIONS)):
        coins = np.zeros(len(NAMES), dtype=bool)
        coins[empty] = chance.random(int(empty.sum())) < 0.5
        P.append(whole_team.mdp(np.where(coins[:, None], fixed, optimal)).P[a])
    return P, whole_team.R[:, :, 0]


@dataclass(frozen=True)
class SoupView:
    """Draws the kitchen. After the delivery, it is drawn as it is at the start."""

    def scene(self, state: int, *, observation: int | None = None, belief: Floats | None = None) -> Scene:
        """Describe a moment."""
        scene = KitchenView("helper").scene(state if state < len(STATES) else STATES.index(START[0]))
        notes = scene.notes if state < len(STATES) else ("the soup is delivered",)
        return Scene(**{**vars(scene), "title": "One soup, the ad hoc agent as helper", "notes": notes})
