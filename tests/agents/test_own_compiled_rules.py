"""Compiled rules that a user writes, for a world with 2^20 observations in which looking costs and pays."""

from dataclasses import replace

import numpy as np
import pytest

import walkon
from walkon.formats.check_rules import walk
from walkon.models.luck_kernels import uniform
from walkon.tasks.compiled_rules import CompiledRules

SIGNS, RIGHT, OPEN = 20, 0.6, 2  # signs on the wall, how often each is right, and the state after a door was opened


def step(a, facts, reals, x, y, luck):
    y[0] = x[0] if a == 0 else OPEN
    return 0.0 if x[0] == OPEN else -1.0 if a == 0 else 10.0 if a - 1 == x[0] else -20.0


def observe(a, facts, reals, y, z, luck):
    for i in range(SIGNS):
        z[i] = -1 if a > 0 or y[0] == OPEN else y[0] if uniform(luck) < reals[0] else 1 - y[0]


def likelihood(a, facts, reals, y, z):
    chance = 1.0
    for i in range(SIGNS):
        if a > 0 or y[0] == OPEN:
            chance *= 1.0 if z[i] == -1 else 0.0
        else:
            chance *= reals[0] if z[i] == y[0] else 1.0 - reals[0] if z[i] >= 0 else 0.0
    return chance


def ends(facts, reals, x):
    return x[0] == OPEN


def values(facts, reals, x, v):
    for a in range(3):
        v[a] = 0.0 if x[0] == OPEN else 8.5 if a == 0 else 10.0 if a - 1 == x[0] else -20.0


def start(facts, reals, x, luck):
    x[0] = int(uniform(luck) * 2)


def outcomes(a, facts, reals, x, ys, ps):
    ys[0, 0], ps[0] = x[0] if a == 0 else OPEN, 1.0
    return 1


class Wall:
    """Two doors; twenty signs on the wall say which is the right one."""

    actions, teammate_actions, start, discount = ["look", "left", "right"], ["wait"], {(0,): 0.5, (1,): 0.5}, 0.95

    def teammates(self, x):
        return "wait"

    def moves(self, x, a, b):
        return x if a == "look" else (OPEN,)

    def sensor(self, a, y):
        if a != "look" or y == (OPEN,):
            return (-1,) * SIGNS
        return tuple({y[0]: RIGHT, 1 - y[0]: 1 - RIGHT} for _ in range(SIGNS))

    def reward(self, x, a, b, y):
        return -1.0 if a == "look" else 10.0 if ("left", "right")[x[0]] == a else -20.0

    def solved(self, x):
        return x == (OPEN,)

    @property
    def compiled(self):
        return CompiledRules(
            step,
            observe,
            likelihood,
            ends,
            values,
            start,
            outcomes,
            np.zeros(1, np.int64),
            np.array([RIGHT]),
            1,
            SIGNS,
            3,
            0.95,
        )


@pytest.fixture(scope="module")
def library():
    return walkon.define([Wall()], tables=False)


def test_it_looks_where_that_pays_and_opens_when_it_knows(library):
    agent = walkon.agent("search", library, simulations=300)
    memory = agent.start()
    assert memory.kinds == ("exact",)
    assert library.actions[agent.act(memory).argmax()] == "look"
    for door, name in enumerate(("left", "right")):
        sure = agent.update(memory, 0, walkon.Percept(observation=(door,) * 16 + (1 - door,) * 4))
        assert sure.states[0][(door,)] == pytest.approx(1 / (1 + ((1 - RIGHT) / RIGHT) ** 12))
        assert library.actions[agent.act(sure).argmax()] == name
    unsure = agent.update(memory, 0, walkon.Percept(observation=(0,) * 10 + (1,) * 10))
    assert library.actions[agent.act(unsure).argmax()] == "look"


def test_it_earns_more_than_opening_at_once(library):
    agent = walkon.agent("search", library, simulations=300)
    returns = [walkon.play(library[0], agent, seed=i, stop=True).ret for i in range(30)]
    assert np.mean(returns) > 2  # at once: -5


def test_tasks_with_other_rules_are_refused(library):
    from walkon.agents.tree import TreeSearch

    other = walkon.make("tag", tables=False)[0].compiled
    with pytest.raises(walkon.InputError, match="tasks 0 and 1 have different compiled rules"):
        TreeSearch((library[0].compiled, other))


def ends_early(facts, reals, x):
    return x[0] == 1


def opens_by_itself(a, facts, reals, x, ys, ps):
    ys[0, 0], ps[0] = OPEN, 1.0
    return 1


def prefers_the_left(facts, reals, x, v):
    v[0], v[1], v[2] = 1.0, 2.0, 1.0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ends": ends_early}, r"in \(1,\) compiled `ends` is True, and `solved` is False"),
        ({"outcomes": opens_by_itself}, r"compiled `outcomes` of look in \(.,\) give \(.,\) 0, and the plain rules 1"),
        ({"values": prefers_the_left}, r"compiled `values` prefer left in \(.,\), and `advice` says look"),
    ],
)
def test_a_check_finds_compiled_rules_that_say_something_else(changes, said):
    class Wrong(Wall):
        def advice(self, x):
            return "look"

        @property
        def compiled(self):
            return replace(super().compiled, **changes)

    with pytest.raises(walkon.InputError, match=said):
        walk(walkon.define([Wrong()], tables=False)[0])


@pytest.mark.parametrize(("world", "options"), [("night-pursuit", {"size": 4, "tasks": 1}), ("tag", {})])
def test_a_check_finds_nothing_in_the_shipped_ones(world, options):
    assert walk(walkon.make(world, tables=False, **options)[0]).steps > 0
