"""Everything that can happen in the kitchen with an agent is gone through: the state is seen, so there is not much."""

import numpy as np
import pytest

import walkon
from walkon.tasks.dead_ends import dead_ends

HORIZON = 75
TASKS = [("helper", k) for k in range(4)] + [("cook", k) for k in range(2)]


@pytest.fixture(scope="module")
def kitchens():
    return {role: walkon.make("overcooked", role=role) for role in ("helper", "cook")}


@pytest.fixture(scope="module")
def agents(kitchens):
    return {
        (name, role): walkon.agent(name, library) for role, library in kitchens.items() for name in ("atpo", "bayes")
    }


def after(task, x, a):
    """The states that may follow."""
    return task.pomdp.P[a][[x]].indices.tolist()


def starts(task):
    return np.flatnonzero(task.start).tolist()


def atpo_may_reach(agent, task):
    """All states that ATPO may ever get into with these teammates: it may do what any task asks for that is left."""
    library, policies = agent.library, [policy.choices for policy in agent.mixture.policies]
    seen, waiting = set(), [(x, tuple(range(len(library)))) for x in starts(task)]
    while waiting:
        x, left = now = waiting.pop()
        if now not in seen:
            seen.add(now)
            for a in {a for k in left for a in np.flatnonzero(policies[k][x]).tolist()}:
                for y in after(task, x, a):
                    waiting.append((y, tuple(k for k in left if y in after(library[k], x, a))))
    return {x for x, _ in seen}


def may_reach(agent, task):
    """All states that an agent may get into with these teammates within the horizon, by its own beliefs."""
    layer = {}
    for x in starts(task):
        layer[x, b""] = agent.start(walkon.Percept(observation=x, state=x))
    seen = {x for x, _ in layer}
    for _ in range(HORIZON):
        following = {}
        for (x, _), memory in layer.items():
            for a in np.flatnonzero(agent.act(memory)).tolist():
                for y in after(task, x, a):
                    told = agent.update(memory, a, walkon.Percept(observation=y))
                    following[y, told.tasks.round(9).tobytes()] = told
        layer = following
        seen |= {x for x, _ in layer}
    return seen


@pytest.mark.parametrize(("role", "k"), TASKS)
def test_bayes_never_gets_into_a_dead_end(role, k, kitchens, agents):
    task = kitchens[role][k]
    assert not dead_ends(task)[list(may_reach(agents["bayes", role], task))].any()


@pytest.mark.parametrize(("role", "k"), TASKS)
def test_atpo_may_get_into_one_with_three_of_the_six(role, k, kitchens, agents):
    task = kitchens[role][k]
    reached = dead_ends(task)[list(atpo_may_reach(agents["atpo", role], task))]
    assert reached.any() == (task.name in ("greedy cook", "dummy cook", "downer cook"))
