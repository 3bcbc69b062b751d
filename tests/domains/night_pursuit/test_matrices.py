"""The matrices of Night-time Pursuit against a twin that plays the rules, state by state."""

from itertools import product

import numpy as np
import pytest

from walkon.domains import make
from walkon.domains.night_pursuit.tasks import fold, pool
from walkon.domains.night_pursuit.teammates import choices
from walkon.domains.night_pursuit.world import Room, hunt_in, rules

MOVES = {"Up": (0, -1), "Down": (0, 1), "Left": (-1, 0), "Right": (1, 0), "Stay": (0, 0)}

WORLDS = [
    {"size": 3, "noise": 0.3, "prey": [(1, 0), (1, 2)]},
    {"size": 3, "noise": 0.0, "prey": [(0, 0), (0, 1)]},
    {"size": 3, "noise": 1.0, "prey": [(0, 0), (2, 2)]},
    {"size": 4, "noise": 0.5, "prey": [(2, 1), (1, 2)], "teammate_noise": True},
    {"size": 4, "noise": 0.2, "prey": [(3, 0), (0, 3)], "tremble": 0.1},
    {"size": 5, "noise": 0.3, "prey": [(0, 0), (4, 4)]},
    {"size": 3, "noise": 0.3, "prey": [(0, 0), (1, 1), (2, 0)], "teammates": 2},
    {"size": 3, "noise": 0.4, "prey": [(0, 2), (1, 2), (2, 2)], "teammates": 2, "teammate_noise": True, "tremble": 0.3},
]


class Twin:
    """The world, said once more in the plainest way: everything that may happen is listed."""

    def __init__(self, size, noise, prey, teammates=1, teammate_noise=False, tremble=0.0):
        self.n, self.noise, self.prey, self.tremble = size, noise, sorted(prey), tremble
        self.mate_noise = noise if teammate_noise else 0.0
        self.states = list(product(range(size), repeat=2 + 2 * teammates))
        self.index = {x: i for i, x in enumerate(self.states)}
        self.ended = [i for i, x in enumerate(self.states) if self.over(x)]

    def cells(self, x):
        return [(x[i], x[i + 1]) for i in range(0, len(x), 2)]

    def over(self, x):
        return sorted(self.cells(x)) == self.prey

    def land(self, cell, move):
        c, r = cell[0] + MOVES[move][0], cell[1] + MOVES[move][1]
        inside = c in range(self.n) and r in range(self.n)
        return (c, r) if inside else cell

    def mate_moves(self, x):
        """The wanted move of each teammate."""
        mates, free = dict(enumerate(self.cells(x)[1:])), list(self.prey)
        goal = {}
        while mates:
            best = min((abs(m[0] - p[0]) + abs(m[1] - p[1]), i, p) for i, m in mates.items() for p in free)
            goal[best[1]] = best[2]
            del mates[best[1]]
            free.remove(best[2])
        for i, m in enumerate(self.cells(x)[1:]):
            if m[0] < goal[i][0]:
                yield "Right"
            elif m[0] > goal[i][0]:
                yield "Left"
            elif m[1] < goal[i][1]:
                yield "Down"
            elif m[1] > goal[i][1]:
                yield "Up"
            else:
                yield "Stay"

    def row(self, x, a, joint=None):
        """The distribution of the next state, and the expected reward."""
        row = np.zeros(len(self.states))
        if self.over(x):
            row[self.index[x]] = 1
            return row, 0.0
        wanted = list(self.mate_moves(x))
        for actual in product(MOVES, repeat=len(wanted)) if joint is None else [joint]:
            chosen = 1.0
            if joint is None:
                for want, move in zip(wanted, actual, strict=True):
                    chosen *= self.tremble / 5 + (1 - self.tremble) * (want == move)
            if chosen == 0:
                continue
            movers = list(zip(self.cells(x), (a, *actual), [self.noise] + [self.mate_noise] * len(wanted), strict=True))
            for fails in product([False, True], repeat=len(movers)):
                p, y = chosen, ()
                for (cell, move, noise), failed in zip(movers, fails, strict=True):
                    p *= noise if failed else 1 - noise
                    y += cell if failed else self.land(cell, move)
                row[self.index[y]] += p
        captures = row[self.ended].sum()
        return row, 100 * captures - (1 - captures)

    def reading_row(self, x):
        """The distribution of the observation: every element around is seen or missed."""
        row = np.zeros(81)
        agent, *mates = self.cells(x)
        elements = []
        for d, move in enumerate(["Up", "Down", "Left", "Right"]):
            spot = (agent[0] + MOVES[move][0], agent[1] + MOVES[move][1])
            elements += [(d, 1) for mate in mates if mate == spot] + [(d, 2) for p in self.prey if p == spot]
        for missed in product([False, True], repeat=len(elements)):
            z, p = [0, 0, 0, 0], 1.0
            for (d, thing), miss in zip(elements, missed, strict=True):
                p *= self.noise if miss else 1 - self.noise
                if not miss and z[d] != 1:
                    z[d] = thing
            row[27 * z[0] + 9 * z[1] + 3 * z[2] + z[3]] += p
        return row


def built(prey, **options):
    return make("night-pursuit", tasks=[prey], **options)[0]


@pytest.mark.parametrize("world", WORLDS, ids=str)
def test_every_entry_agrees_with_the_twin(world):
    task, twin = built(**world), Twin(**world)
    for a, move in enumerate(MOVES):
        rows = [twin.row(x, move) for x in twin.states]
        np.testing.assert_allclose(task.pomdp.P[a].toarray(), [row for row, _ in rows], rtol=0, atol=1e-14)
        np.testing.assert_allclose(task.pomdp.R[:, a], [paid for _, paid in rows], rtol=0, atol=1e-12)
    observations = [twin.reading_row(x) for x in twin.states]
    for a in range(5):
        np.testing.assert_allclose(task.pomdp.O[a].toarray(), observations, rtol=0, atol=1e-14)
    start = np.array([not twin.over(x) for x in twin.states])
    np.testing.assert_array_equal(task.solved, ~start)
    np.testing.assert_allclose(task.pomdp.start, start / start.sum(), rtol=1e-12)
    np.testing.assert_array_equal(task.state_numbers, twin.states)


@pytest.mark.parametrize("world", [WORLDS[0], WORLDS[7]], ids=str)
def test_the_matrices_of_joint_actions_agree_with_the_twin(world):
    task, twin = built(**world), Twin(**world)
    joint = list(product(MOVES, repeat=world.get("teammates", 1)))
    assert task.mmdp.seats == task.seats == (5,) * world.get("teammates", 1)
    for a, b in [(0, 0), (3, 1), (4, len(joint) - 1), (2, len(joint) // 2)]:
        rows = [twin.row(x, list(MOVES)[a], joint[b]) for x in twin.states]
        np.testing.assert_allclose(task.mmdp.P[a][b].toarray(), [row for row, _ in rows], rtol=0, atol=1e-14)
        np.testing.assert_allclose(task.mmdp.R[:, a, b], [paid for _, paid in rows], rtol=0, atol=1e-12)


@pytest.mark.parametrize("teammates", [1, 2])
@pytest.mark.parametrize(("tremble", "teammate_noise"), [(0.0, False), (0.2, True)])
def test_all_states_at_once_are_the_rules_state_by_state(teammates, tremble, teammate_noise):
    room, prey = Room(3, 0.3, teammates, teammate_noise), pool(3, teammates + 1)[0]
    hunt = hunt_in(room, prey)

    def hunters(x):
        return choices(x[1:], prey, tremble)

    slow, fast = rules(room, hunt).mdp(hunters, hunt.start()), fold(room, hunt, hunters, hunt.start())
    for one, other in zip(slow.P, fast.P, strict=True):
        assert abs(one - other).max() < 1e-14
    assert np.abs(slow.R - fast.R).max() < 1e-12
    assert (slow.states, slow.actions) == (fast.states, fast.actions)
    if tremble == 0.0:
        assert slow.hash == fast.hash
