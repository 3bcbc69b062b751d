"""Looking ahead: against trees over all actions and observations, written out."""

import numpy as np
import pytest

from random_libraries import policies_for, quick_agent, random_library
from twins import dense
from walkon import POMDP, InputError, Percept, Task, TaskLibrary, ValueIteration, agent, load, save, solve
from walkon.agents.atpo_q import LookingAhead
from walkon.agents.inference import Inference
from walkon.policies.mixture import QValues


def moment(library, prior):
    """The joint weights of tasks and states at the start, [K] of [X_k]."""
    return [p * task.pomdp.start for p, task in zip(prior, library, strict=True)]


def after(library, weights, a, z):
    return [
        (w @ dense(task.pomdp.P)[a]) * dense(task.pomdp.O)[a][:, z] for w, task in zip(weights, library, strict=True)
    ]


def paid(library, weights, a, t):
    return sum(task.pomdp.discount**t * w @ task.pomdp.R[:, a] for w, task in zip(weights, library, strict=True))


def tree(library, weights, depth, leaf, t=0):
    """Return the value of each action: all observations, `depth` steps of actions, then leaf(weights, t)."""
    A, Z = len(library[0].pomdp.P), library[0].pomdp.O[0].shape[1]
    values = []
    for a in range(A):
        ahead = [after(library, weights, a, z) for z in range(Z)]
        follow = [leaf(w, t + 1) if depth == 1 else tree(library, w, depth - 1, leaf, t + 1).max() for w in ahead]
        values.append(paid(library, weights, a, t) + sum(follow))
    return np.array(values)


def expected(library, policies):
    """V(p, b) = max_a sum_k p(k) q_k(b_k, a), from the policies' own tables and vectors."""

    def leaf(weights, t):
        total = 0.0
        for w, task, policy in zip(weights, library, policies, strict=True):
            pomdp = task.pomdp
            if hasattr(policy, "table"):
                q = w @ policy.table
            else:
                first = [(w @ V, a) for V, a in zip(policy.vectors, policy.actions, strict=True)]
                first += [
                    (w @ (pomdp.R[:, a] + pomdp.discount * dense(pomdp.P)[a] @ V), a)
                    for a in range(len(pomdp.P))
                    for V in policy.vectors
                ]
                q = np.array([max(v for v, b in first if b == a) for a in range(len(pomdp.P))])
            total = total + pomdp.discount**t * q
        return np.max(total)

    return leaf


PRIOR = [0.2, 0.5, 0.3]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("tabular", [False, True])
def test_one_step_ahead_is_the_tree_of_one_step(seed, tabular):
    library = random_library(seed, sparsity=0.3)
    policies = policies_for(library, tabular=tabular)
    looking = LookingAhead(Inference(library, PRIOR), tuple(policies))
    wanted = tree(library, moment(library, PRIOR), 1, expected(library, policies))
    assert looking.q_values(looking.start()) == pytest.approx(wanted)


@pytest.mark.parametrize("seed", range(3))
def test_a_search_that_tries_each_action_once_looks_one_step_ahead(seed):
    library = random_library(seed, sparsity=0.3)
    searching = quick_agent("atpo-search", library, prior=PRIOR, budget=2)
    wanted = tree(library, moment(library, PRIOR), 1, expected(library, searching.policies))
    assert searching.q_values(searching.start()) == pytest.approx(wanted)


@pytest.mark.parametrize("seed", range(3))
def test_a_long_search_finds_the_value_of_the_best_plan(seed):
    """Its q-values fall from above towards those of the exhaustive tree, and never below."""
    library = TaskLibrary([shortsighted(task) for task in random_library(seed, K=2, sizes=(2,), Z=2)])
    solved = [solve(task.mdp, ValueIteration()) for task in library]
    low = min(task.pomdp.R.min() for task in library) / (1 - 0.4)

    def lowest(weights, t):
        return 0.4**t * low * sum(w.sum() for w in weights)

    weights = moment(library, [0.5, 0.5])
    floor = tree(library, weights, 6, lowest)
    looks = [agent("atpo-search", library, policies=solved, budget=budget) for budget in (2, 50, 3000)]
    values = [look.q_values(look.start()) for look in looks]
    assert (values[1] <= values[0] + 1e-9).all()
    assert (values[2] <= values[1] + 1e-9).all()
    assert (values[2] >= floor - 1e-9).all()
    assert values[2].max() == pytest.approx(
        tree(library, weights, 6, expected(library, looks[0].policies)).max(), abs=0.05
    )


def shortsighted(task):
    p = task.pomdp
    return Task.from_pomdp(POMDP(p.P, p.O, p.R, p.start, discount=0.4), name=task.name)


def test_a_search_follows_from_its_memory_and_its_seed():
    library = random_library(2, sparsity=0.0)
    one, two = (quick_agent("atpo-search", library, budget=20, seed=s) for s in (0, 1))
    memory = one.update(one.start(), 0, Percept(observation=1))
    assert one.q_values(memory).tolist() == one.q_values(memory).tolist()
    assert one.q_values(memory).tolist() != two.q_values(memory).tolist()


def test_a_clock_may_be_the_budget():
    library = random_library(2, sparsity=0.0)
    timed = quick_agent("atpo-search", library, seconds=1e-6)
    counted = quick_agent("atpo-search", library, budget=64)
    assert timed.q_values(timed.start()).tolist() == counted.q_values(counted.start()).tolist()


def riddle():
    """Two tasks, one good answer in each; waiting is cheap, asking tells which task it is."""
    sensor = [[[1.0, 0.0]], None, [[1.0, 0.0]], [[1.0, 0.0]]]
    tasks = []
    for k in range(2):
        told = [[1.0, 0.0]] if k == 0 else [[0.0, 1.0]]
        rewards = [[-0.5, -1.0, *((10.0, -100.0) if k == 0 else (-100.0, 10.0))]]
        names = ["wait", "ask", "first", "second"]
        pomdp = POMDP([[[1.0]]] * 4, [told if s is None else s for s in sensor], rewards, discount=0.9, actions=names)
        tasks.append(Task.from_pomdp(pomdp, name=f"answer {k}"))
    return TaskLibrary(tasks)


def test_an_agent_that_looks_ahead_asks_and_one_that_does_not_waits():
    """With q_k(c) = r_c + 90: waiting is worth 89.5, asking 89; but after asking the task is known."""
    library = riddle()
    assert agent("atpo-q", library).act(agent("atpo-q", library).start()).tolist() == [1, 0, 0, 0]
    for name in ("atpo-look", "atpo-search"):
        looking = agent(name, library, jobs=1)
        assert looking.act(looking.start()).tolist() == [0, 1, 0, 0], name
        memory = looking.update(looking.start(), 1, Percept(observation=1))
        assert looking.act(memory).tolist() == [0, 0, 0, 1]


def test_the_expected_worth_is_the_sum_over_tasks_and_states():
    library = random_library(6, sparsity=0.0)
    policies = policies_for(library)
    q_values = QValues(policies, [task.pomdp for task in library])
    memory = quick_agent("atpo", library, prior=PRIOR).start()
    leaf = expected(library, policies)
    assert q_values.of(memory.beliefs).max() == pytest.approx(leaf(moment(library, PRIOR), 0))


def test_an_agent_that_searches_is_saved_with_its_budget(tmp_path):
    save(quick_agent("atpo-search", random_library(2), budget=7, seed=3), tmp_path / "agent")
    again = load(tmp_path / "agent")
    assert (again.options.budget, again.seed, again.options.seconds) == (7, 3, None)


def test_what_makes_no_sense_is_refused():
    library = random_library(2)
    with pytest.raises(InputError, match="budget is 0"):
        quick_agent("atpo-search", library, budget=0)
    with pytest.raises(InputError, match="seconds is -1"):
        quick_agent("atpo-search", library, seconds=-1)
    with pytest.raises(InputError, match="atpo has no option 'budget': it has none"):
        quick_agent("atpo", library, budget=10)
