"""Beliefs as arrays against those in plain Python and those with tables."""

from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest

import walkon
from walkon import Percept
from walkon.agents import array_belief, sparse_belief
from walkon.agents.array_belief_kernels import reduce_rows
from walkon.agents.inference import Inference
from walkon.agents.tracking import Tracking


def history(library, k, steps, seed):
    """Random actions in a task, and the observations that followed."""
    rules, rng = library[k].simulator, Random(seed)
    x, found = rules.draw_start(rng.random), []
    for _ in range(steps):
        a = rng.randrange(library.action_count)
        x, _ = rules.step(x, a, rng.random)
        found.append((a, rules.observe(a, x, rng.random)))
    return found


@pytest.mark.parametrize("options", [{"sees_walls": True}, {"teammates": 2, "teammate_noise": True}])
def test_exact_beliefs_are_those_of_the_plain_rules(options):
    task = walkon.make("night-pursuit", size=3, tasks=1, tables=False, **options)[0]
    luck = Random(1).random
    one = sparse_belief.begin(task.simulator, 10_000, luck)
    two = array_belief.begin(task.compiled, task.simulator, 10_000, luck)
    seen = history(walkon.TaskLibrary([task]), 0, 6, 3)
    for i, (a, z) in enumerate(seen):
        soft = {z: 0.5, (0, 0, 0, 0): 0.25}
        percept = [Percept(observation=z), Percept(), Percept(likelihood=soft)][i % 3]
        one, log_one = sparse_belief.advance(task.simulator, one, a, percept, 10_000, luck)
        two, log_two = array_belief.advance(task.compiled, two, a, percept, 10_000, luck)
        assert log_two == pytest.approx(log_one)
        assert two.kind == one.kind == "exact"
        assert two.probabilities == pytest.approx(one.probabilities)


def test_the_task_posterior_is_that_of_the_tables():
    tabled, untabled = (walkon.make("night-pursuit", size=4, tasks=4, tables=t) for t in (True, False))
    numbers = {tuple(z): i for i, z in enumerate(tabled[0].observation_numbers.tolist())}
    one, two = Inference(tabled), Tracking(untabled, particles=5000)
    for k in range(4):
        first, second = one.start(), two.start()
        for a, z in history(untabled, k, 12, k):
            first = one.update(first, a, Percept(observation=numbers[z]))
            second = two.update(second, a, Percept(observation=z))
            assert second.tasks == pytest.approx(first.tasks, abs=1e-9)
        assert second.kinds == ("exact",) * 4


def many(a, facts, reals, x, ys, ps):
    """More outcomes than can be listed, so that they are drawn."""
    return ps.shape[0] + 1


@pytest.mark.parametrize("drawn", [False, True])
def test_the_evidence_of_particles_is_unbiased(drawn):
    task = walkon.make("night-pursuit", size=3, tasks=1, tables=False)[0]
    seen = history(walkon.TaskLibrary([task]), 0, 4, 5)

    def evidence(most, seed):
        luck, log = Random(seed).random, 0.0
        rules = replace(task.compiled, outcomes=many) if drawn and most < 1000 else task.compiled
        belief = array_belief.begin(rules, task.simulator, most, luck)
        for a, z in seen:
            belief, more = array_belief.advance(rules, belief, a, Percept(observation=z), most, luck)
            if belief is None:
                return 0.0
            log += more
        return np.exp(log)

    found = np.array([evidence(12, seed) for seed in range(600)])
    assert found.std() > 0
    assert found.mean() == pytest.approx(evidence(1000, 0), abs=3.5 * found.std() / len(found) ** 0.5)


@pytest.mark.parametrize("power", [0, 1, 6])
def test_the_states_that_stay_are_those_of_the_sorted_twin(power):
    rng = np.random.default_rng(power)
    for most in (1, 2, 40, 99):
        weights = rng.exponential(size=100) ** power
        weights /= weights.sum()
        rows, left, number = np.arange(200).reshape(100, 2), weights.copy(), rng.random()
        count = reduce_rows(rows, left, most, number)
        places, expected = sparse_belief.reduced(weights, most, number)
        assert (rows[:count, 0] // 2).tolist() == places
        assert left[:count] == pytest.approx(expected)


NIGHTS = [{"size": 5}, {"size": 3, "teammates": 2, "noise": 0.1}]


@pytest.mark.parametrize("options", NIGHTS)
def test_the_best_actions_by_the_values_are_those_of_the_advice_in_every_state(options):
    for task in walkon.make("night-pursuit", tasks=2, tables=False, **options):
        rules = task.compiled
        states = product(range(options["size"]), repeat=rules.state_size)
        for x in states:
            belief = array_belief.ArrayBelief(np.array([x]), np.ones(1))
            expected = np.zeros(5) if task.is_solved(x) else task.simulator.advice(x)
            assert array_belief.best_actions(rules, belief) == pytest.approx(expected), x


def test_far_from_the_teammate_too_the_best_action_is_advised():
    task, rng = walkon.make("night-pursuit", size=100, tasks=1, tables=False)[0], np.random.default_rng(0)
    for x in rng.integers(100, size=(500, 4)):
        best = array_belief.best_actions(task.compiled, array_belief.ArrayBelief(x[None], np.ones(1)))
        assert best == pytest.approx(task.simulator.advice(tuple(x.tolist()))), x


def test_atpo_mixes_the_advice_of_all_tasks_and_states():
    library = walkon.make("night-pursuit", size=4, tasks=3, tables=False)
    agent = walkon.agent("atpo", library)
    memory = agent.start()
    for a, z in history(library, 1, 5, 2):
        memory = agent.update(memory, a, Percept(observation=z))
    mixed = sum(
        p * w * np.array(task.simulator.advice(x))
        for task, p, states in zip(library, memory.tasks, memory.states, strict=True)
        for x, w in states.items()
        if not task.is_solved(x)
    )
    assert 0 < mixed.sum() < 1  # the preys may be caught by now
    assert agent.act(memory) == pytest.approx(mixed / mixed.sum())


def test_atpo_does_anything_where_the_task_is_surely_over():
    library = walkon.make("night-pursuit", size=4, tasks=1, tables=False)
    agent, prey = walkon.agent("atpo", library), sum(library[0].outline.written.prey, ())
    caught = agent.start()._replace(beliefs=(array_belief.ArrayBelief(np.array([prey]), np.ones(1)),))
    assert agent.act(caught).tolist() == [0.2] * 5


def test_with_exact_beliefs_switched_off_the_task_posterior_is_near_the_exact_one():
    library, gaps = walkon.make("night-pursuit", size=4, tasks=4, tables=False), []
    exact, drawn = Tracking(library), Tracking(library, particles=4000)
    vars(drawn)["rules"] = tuple(replace(task.compiled, outcomes=many) for task in library)
    for k in range(4):
        one, two = exact.start(), drawn.start()
        for a, z in history(library, k, 12, k):
            one, two = (each.update(m, a, Percept(observation=z)) for each, m in ((exact, one), (drawn, two)))
            gaps.append(np.abs(one.tasks - two.tasks).sum() / 2)
        assert set(two.kinds) == {"particles"}
    assert 0 < np.mean(gaps) < 0.02


def test_outcomes_that_cannot_be_listed_are_drawn():
    library = walkon.make("night-pursuit", size=3, tasks=2, tremble=0.2, tables=False)
    tracking = Tracking(library, particles=500)
    memory = tracking.start()
    for a, z in history(library, 0, 5, 1):
        memory = tracking.update(memory, a, Percept(observation=z))
    assert "particles" in memory.kinds
    assert memory.tasks.sum() == pytest.approx(1)


def test_an_impossible_observation_refutes_an_exact_belief():
    task = walkon.make("night-pursuit", size=3, tasks=1, tables=False)[0]
    belief = array_belief.begin(task.compiled, task.simulator, 1000, Random(0).random)
    after, log = array_belief.advance(
        task.compiled, belief, 0, Percept(observation=(3, 3, 3, 3)), 1000, Random(0).random
    )
    assert after is None
    assert log == -np.inf
