"""A world with 10^6 states and 2^125 observations: somebody walks through a dark hall, and 125 ears hear them nearby.

In a hall of 32 x 32 cells a teammate walks, from anywhere, to one of ten places on a ring, one for each task, and waits
there. The ad hoc agent begins in the middle, knows where it is, and has to join the teammate. After each step it gets
125 bits. Bit i is 1 with probability

    1/2 + 0.35 tanh(d . u_i) exp(-|d| / 4),    d the way from the agent to the teammate, u_i a fixed direction

so they tell much about a teammate who is near and nothing about one who is far: whoever does not walk towards the
places does not learn which is meant. States are rows of four numbers: 32^4 = 1,048,576 of them in each task.
"""

from dataclasses import dataclass
from functools import cached_property

import numba
import numpy as np

from walkon.models.luck_kernels import uniform
from walkon.tasks.compiled_rules import CompiledRules
from walkon.tasks.define import define

SIZE, BITS, TASKS = 32, 125, 10
LOUD, FADING = 0.35, 4.0
WALKS, JOINED, STEP, DISCOUNT = 0.8, 20.0, -1.0, 0.95
MIDDLE, RADIUS = SIZE // 2, 14
MOVES = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0), "stay": (0, 0)}
EARS = np.random.default_rng(125).normal(size=(BITS, 2)) / 2


def places():
    """The ten places, evenly on a ring around the middle."""
    angles = 2 * np.pi * np.arange(TASKS) / TASKS
    return [(round(MIDDLE + RADIUS * np.cos(t)), round(MIDDLE + RADIUS * np.sin(t))) for t in angles]


@numba.njit
def heard(x, i, reals):
    """The probability that bit i is 1."""
    across, along = x[2] - x[0], x[3] - x[1]
    fading = np.exp(-np.sqrt(across * across + along * along) / FADING)
    return 0.5 + LOUD * np.tanh(across * reals[2 * i] + along * reals[2 * i + 1]) * fading


@numba.njit
def walked(cell, a, axis):
    """A coordinate after a step of the agent."""
    moved = cell + ((a == 1) - (a == 0) if axis else (a == 3) - (a == 2))
    return min(max(moved, 0), SIZE - 1)


@numba.njit
def nearer(x, facts, y):
    """The teammate's next cell on its way: along the longer side first."""
    across, along = facts[0] - x[2], facts[1] - x[3]
    y[2], y[3] = x[2], x[3]
    if abs(across) >= abs(along):
        y[2] += (across > 0) - (across < 0)
    else:
        y[3] += (along > 0) - (along < 0)


@numba.njit
def ends(facts, reals, x):
    """Whether both are at the place."""
    return x[0] == facts[0] and x[1] == facts[1] and x[2] == facts[0] and x[3] == facts[1]


@numba.njit
def outcomes(a, facts, reals, x, ys, ps):
    """The teammate walks on, or rests."""
    for i in range(2):
        ys[i, 0], ys[i, 1], ys[i, 2], ys[i, 3] = walked(x[0], a, 0), walked(x[1], a, 1), x[2], x[3]
    nearer(x, facts, ys[0])
    ps[0], ps[1] = WALKS, 1 - WALKS
    return 2


@numba.njit
def step(a, facts, reals, x, y, luck):
    """Draw the next state."""
    y[0], y[1], y[2], y[3] = walked(x[0], a, 0), walked(x[1], a, 1), x[2], x[3]
    if uniform(luck) < WALKS:
        nearer(x, facts, y)
    return JOINED if ends(facts, reals, y) else STEP


@numba.njit
def observe(a, facts, reals, y, z, luck):
    """Draw the bits."""
    for i in range(BITS):
        z[i] = uniform(luck) < heard(y, i, reals)


@numba.njit
def likelihood(a, facts, reals, y, z):
    """The probability of the bits."""
    total = 1.0
    for i in range(BITS):
        p = heard(y, i, reals)
        total *= p if z[i] else 1 - p
    return total


@numba.njit
def values(facts, reals, x, v):
    """What joining pays if the place is known: the later of the two arrives after so many steps."""
    rest = abs(facts[0] - x[2]) + abs(facts[1] - x[3])
    for a in range(5):
        own = abs(facts[0] - walked(x[0], a, 0)) + abs(facts[1] - walked(x[1], a, 1))
        left = DISCOUNT ** max(own + 1.0, rest / WALKS)
        v[a] = STEP * (1 - left) / (1 - DISCOUNT) + JOINED * left


@numba.njit
def start(facts, reals, x, luck):
    """The agent in the middle, the teammate anywhere."""
    x[0], x[1], x[2], x[3] = MIDDLE, MIDDLE, int(uniform(luck) * SIZE), int(uniform(luck) * SIZE)


RULES = {word: globals()[word] for word in ("step", "observe", "likelihood", "ends", "values", "start", "outcomes")}


@dataclass(frozen=True)
class Listening:
    """One place, as `walkon.define` takes it: the same rules in plain Python, and compiled."""

    place: tuple[int, int]

    actions, teammate_actions = tuple(MOVES), ("walk", "rest")
    discount, horizon = DISCOUNT, 50

    @property
    def start(self):
        """The agent in the middle, the teammate anywhere."""
        cells = [(c, r) for c in range(SIZE) for r in range(SIZE)]
        return [((MIDDLE, MIDDLE, *cell), 1 / len(cells)) for cell in cells]

    def teammates(self, state):
        """The teammate walks on, or rests."""
        return {"walk": WALKS, "rest": 1 - WALKS}

    def moves(self, state, action, teammate_action):
        """Both move at once."""
        column, row = (min(max(c + d, 0), SIZE - 1) for c, d in zip(state[:2], MOVES[action], strict=True))
        after = [column, row, *state[2:]]
        if teammate_action == "walk":
            nearer(np.array(state), np.array(self.place), mate := np.zeros(4, dtype=np.int64))
            after[2:] = mate[2:].tolist()
        return tuple(after)

    def sensor(self, action, state):
        """What each ear hears."""
        x = np.array(state)
        chances = [float(heard(x, i, EARS.ravel())) for i in range(BITS)]
        return tuple({1: p, 0: 1 - p} for p in chances)

    def solved(self, state):
        """Whether both are at the place."""
        return state == self.place * 2

    def reward(self, state, action, teammate_action, next_state):
        """What the step pays."""
        return JOINED if self.solved(next_state) else STEP

    @cached_property
    def compiled(self):
        """The same rules for kernels."""
        return CompiledRules(
            **RULES,
            facts=np.array(self.place, dtype=np.int64),
            reals=EARS.ravel().copy(),
            state_size=4,
            observation_size=BITS,
            action_count=len(MOVES),
            discount=DISCOUNT,
        )


def library():
    """The ten tasks."""
    return define([Listening(place) for place in places()], tables=False)
