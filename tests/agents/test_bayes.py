import numpy as np
import pytest

import walkon
from random_libraries import random_library
from random_models import rows
from twins import best_sum, dense
from walkon import POMDP, AlphaVectors, Percept, Task, TaskLibrary
from walkon.tasks.union import Union

ASK, LEFT, RIGHT = range(3)


def two_doors():
    """Two tasks of one state: left is right in one, right in the other. Asking costs a little and tells which."""
    tasks = []
    for k in range(2):
        told, nothing = np.eye(3)[[k]], np.eye(3)[[2]]
        R = [[-0.1, 1.0, -1.0]] if k == 0 else [[-0.1, -1.0, 1.0]]
        problem = POMDP([np.ones((1, 1))] * 3, [told, nothing, nothing], R, [1.0], 0.9)
        tasks.append(Task.from_pomdp(problem, name=f"door {k}"))
    return TaskLibrary(tasks)


def test_it_asks_before_it_acts_where_atpo_never_would():
    library = two_doors()
    bayes, atpo = (walkon.agent(name, library) for name in ("bayes", "atpo"))
    assert bayes.act(bayes.start()).tolist() == [1, 0, 0]
    assert atpo.act(atpo.start())[ASK] == 0
    for k, task in enumerate(library):
        told = bayes.update(bayes.start(), ASK, Percept(observation=k))
        assert bayes.act(told).argmax() == (LEFT, RIGHT)[k]
        assert walkon.play(task, bayes, horizon=20, seed=1).rewards.sum() == pytest.approx(19 - 0.1)


def test_its_plan_is_proven_to_be_the_best_there_is():
    union = Union.of(two_doors(), np.array([0.5, 0.5]))
    solution = walkon.solve(union.pomdp, walkon.Sarsop(gap=1e-6))
    assert solution.lower <= -0.1 + 0.9 * 10 <= solution.upper
    assert solution.upper - solution.lower <= 1e-6


DEPTH = 6


def hasty_library(seed, discounts=(0.15, 0.2)):
    """Two tasks in which what is six steps away hardly counts: a tree of that depth is nearly all there is."""
    rng = np.random.default_rng(seed)
    tasks = []
    for X, discount in zip((2, 3), discounts, strict=True):
        P, O = rows(rng, (2, X, X), 0.2), rows(rng, (2, X, 2), 0.2)
        tasks.append(Task.from_pomdp(POMDP(P, O, rng.uniform(-1, 1, (X, 2)), rows(rng, (X,), 0.0), discount)))
    return TaskLibrary(tasks)


def earned(agent, problems, memory, weights, depth):
    """Return what an agent earns on average within so many steps, by a tree over all histories, as `best_sum` does."""
    if depth == 0:
        return 0.0
    total = 0.0
    for a, share in enumerate(agent.act(memory)):
        if share > 0:
            here = sum(w @ pomdp.R[:, a] for pomdp, w in zip(problems, weights, strict=True))
            arrived = [pomdp.discount * (w @ dense(pomdp.P)[a]) for pomdp, w in zip(problems, weights, strict=True)]
            for z in range(2):
                after = [w * dense(pomdp.O)[a][:, z] for pomdp, w in zip(problems, arrived, strict=True)]
                if any(w.any() for w in after):
                    follows = agent.update(memory, a, Percept(observation=z))
                    here += earned(agent, problems, follows, after, depth - 1)
            total += share * here
    return total


@pytest.mark.parametrize("seed", range(4))
def test_bounds_and_what_it_earns_are_those_of_the_tree_of_all_histories(seed):
    library, prior = hasty_library(seed), np.array([0.4, 0.6])
    problems = [task.pomdp for task in library]
    weights = [p * each.start for p, each in zip(prior, problems, strict=True)]
    best, left = best_sum(problems, weights, DEPTH), 0.2**DEPTH / 0.8
    solution = walkon.solve(Union.of(library, prior).pomdp, walkon.Sarsop(gap=1e-5))
    assert solution.upper - solution.lower <= 1e-5
    assert solution.lower - left <= best <= solution.upper + left
    bayes = walkon.agent("bayes", library, prior=prior, policies=[solution])
    assert earned(bayes, problems, bayes.start(), weights, DEPTH) == pytest.approx(best, abs=1e-5 + 2 * left)


def test_with_one_task_it_is_the_agent_that_knows_the_task():
    library = walkon.make("night-pursuit", size=3, tasks=1)
    solution = walkon.solve(library[0].pomdp, walkon.Perseus(backups=60, beliefs=50))
    bayes = walkon.agent("bayes", library, policies=[solution])
    known = walkon.agent("perseus", library, policies=[solution], target=0)
    for seed in range(5):
        ours, theirs = (walkon.play(library[0], agent, seed=seed) for agent in (bayes, known))
        assert ours.actions.tolist() == theirs.actions.tolist()


def test_its_beliefs_are_those_of_atpo():
    library = walkon.make("night-pursuit", size=3, tasks=3)
    bayes = walkon.agent("bayes", library, solver=walkon.Ascent(backups=300))
    atpo = walkon.agent("atpo", library, solver=walkon.Perseus(backups=60, beliefs=50))
    ours, theirs = bayes.start(), atpo.start()
    for action, observation in ((0, 0), (3, 1), (2, 0)):
        ours, theirs = (
            a.update(m, action, Percept(observation=observation)) for a, m in ((bayes, ours), (atpo, theirs))
        )
        assert ours.beliefs.tolist() == theirs.beliefs.tolist()


def test_it_solves_what_the_union_asks_for_faster_than_atpo():
    library = walkon.make("night-pursuit", size=3, tasks=4)
    bayes = walkon.agent("bayes", library, solver=walkon.Ascent(backups=3000))
    atpo = walkon.agent("atpo", library, jobs=1)
    steps = {}
    for agent in (bayes, atpo):
        played = []
        for k, task in enumerate(library):
            played += walkon.play_many(task, agent, range(100 * k, 100 * k + 100))
        steps[agent.name] = np.array([each.steps for each in played])
    fewer = steps["atpo"] - steps["bayes"]
    assert fewer.mean() > 1.96 * fewer.std() / len(fewer) ** 0.5


def test_after_a_new_start_discounts_count_from_there():
    library = random_library(4)
    X = len(Union.of(library, np.full(3, 1 / 3)).pomdp.start)
    plan = AlphaVectors(np.random.default_rng(1).normal(size=(5, X)), [0, 1, 0, 1, 0], 2)
    agent = walkon.agent("bayes", library, policies=[plan])
    begun = agent.start()
    later = begun._replace(step=7, events=(walkon.agents.memory.Unexplained(6, 0, 0),))
    assert agent.act(later).tolist() == agent.act(begun).tolist()


def test_it_is_the_same_after_saving(tmp_path):
    library = two_doors()
    bayes = walkon.agent("bayes", library, prior=[0.2, 0.8])
    walkon.save(bayes, tmp_path / "bayes.safetensors")
    again = walkon.load(tmp_path / "bayes.safetensors")
    assert again.name == "bayes"
    assert again.act(again.start()).tolist() == bayes.act(bayes.start()).tolist()


def test_a_plan_for_each_task_is_refused():
    library = two_doors()
    plans = [AlphaVectors([[0.0]], [0], 3)] * 2
    with pytest.raises(walkon.InputError, match="expected one: bayes has one plan for all tasks"):
        walkon.agent("bayes", library, policies=plans)


@pytest.mark.parametrize("seed", range(3))
def test_what_search_earns_is_within_the_proven_bounds(seed):
    """Over all histories: never more than the upper bound, and hardly less than the lower one."""
    library, prior = hasty_library(seed, (0.2, 0.2)), np.array([0.4, 0.6])
    problems = [task.pomdp for task in library]
    weights = [p * each.start for p, each in zip(prior, problems, strict=True)]
    solution, left = walkon.solve(Union.of(library, prior).pomdp, walkon.Sarsop(gap=1e-5)), 0.2**DEPTH / 0.8
    agent = walkon.agent("search", library, prior=prior, simulations=2000)
    found = earned(agent, problems, agent.start(), weights, DEPTH)
    assert found <= solution.upper + left
    assert found >= solution.lower - left - 0.02
