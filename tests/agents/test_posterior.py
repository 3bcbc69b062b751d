"""The beliefs against brute-force sums over all state paths."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_libraries import joint_histories, libraries, quick_agent, random_library
from twins import dense, path_weights
from walkon import POMDP, Percept, Task, TaskLibrary, UnexplainedWarning
from walkon.agents.memory import remember


def follow(agent, history, senses_teammates=False):
    memory = agent.start()
    for a, b, z in history:
        memory = agent.update(memory, a, Percept(observation=z, teammates=b if senses_teammates else None))
    return memory


def watched_weights(task, history):
    """The probability of the teammates' actions, the observations and the last state, over every path of states."""
    X = len(task.pomdp.start)
    pi, O = task.teammates.toarray(), dense(task.pomdp.O)
    P = [dense(row) for row in task.mmdp.P]
    ends = np.zeros(X)
    for path in itertools.product(range(X), repeat=len(history) + 1):
        weight = task.pomdp.start[path[0]]
        for (a, b, z), x, y in zip(history, path, path[1:], strict=False):
            weight *= pi[x, b] * P[a][b][x, y] * O[a, y, z]
        ends[path[-1]] += weight
    return ends


def check(memory, prior, ends):
    """Compare a memory with the weights of the last states under each task."""
    weights = prior * np.array([e.sum() for e in ends])
    if weights.sum() == 0:
        assert memory.events
        return
    assert memory.tasks == pytest.approx(weights / weights.sum(), abs=1e-10)
    for belief, end in zip(memory.states, ends, strict=True):
        if end.sum() > 0:
            assert belief == pytest.approx(end / end.sum(), abs=1e-10)
        assert belief.sum() == pytest.approx(1)


@pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
@given(st.data())
def test_atpo_knows_what_brute_force_over_all_paths_knows(data):
    library = data.draw(libraries())
    history = data.draw(joint_histories(library))
    prior = np.random.default_rng(0).dirichlet(np.ones(len(library)))
    memory = follow(quick_agent("atpo", library, prior=prior), history)
    seen = [(a, z) for a, _, z in history]
    if not memory.events:
        check(memory, prior, [path_weights(task.pomdp, seen) for task in library])


@pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
@given(st.data())
def test_assistant_knows_what_brute_force_with_the_teammates_actions_knows(data):
    library = data.draw(libraries())
    history = data.draw(joint_histories(library))
    memory = follow(quick_agent("assistant", library), history, senses_teammates=True)
    if not memory.events:
        prior = np.full(len(library), 1 / len(library))
        check(memory, prior, [watched_weights(task, history) for task in library])


@pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
@given(st.data())
def test_permuting_the_tasks_permutes_the_posterior(data):
    library = data.draw(libraries())
    history = data.draw(joint_histories(library))
    order = data.draw(st.permutations(range(len(library))))
    other = TaskLibrary([library[k] for k in order])
    one, two = follow(quick_agent("atpo", library), history), follow(quick_agent("atpo", other), history)
    assert two.tasks == pytest.approx(one.tasks[list(order)], abs=1e-12)
    for i, k in enumerate(order):
        assert two.states[i] == pytest.approx(one.states[k], abs=1e-12)


@pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
@given(st.data())
def test_with_one_task_atpo_is_perseus(data):
    library = TaskLibrary([data.draw(libraries())[0]])
    history = data.draw(joint_histories(library))
    atpo, perseus = quick_agent("atpo", library), quick_agent("perseus", library, target=0)
    one, two = follow(atpo, history), follow(perseus, history)
    assert one.tasks.tolist() == [1.0]
    assert one.beliefs.tolist() == two.beliefs.tolist()
    assert atpo.act(one).tolist() == perseus.act(two).tolist()


@given(libraries())
def test_a_missing_observation_is_the_sum_over_all_observations(library):
    agent = quick_agent("atpo", library)
    memory, Z = agent.start(), library[0].pomdp.O[0].shape[1]
    blind = agent.update(memory, 0, Percept())
    assert blind.tasks == pytest.approx(memory.tasks)
    expected = [np.zeros_like(b) for b in memory.states]
    for k, task in enumerate(library):
        for z in range(Z):
            expected[k] += (memory.states[k] @ dense(task.pomdp.P)[0]) * dense(task.pomdp.O)[0][:, z]
        assert blind.states[k] == pytest.approx(expected[k], abs=1e-12)


@pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
@given(libraries(), st.integers(0, 2), st.sampled_from(["atpo", "assistant"]))
def test_a_one_hot_likelihood_is_that_observation_at_any_scale(library, z, name):
    agent = quick_agent(name, library)
    hard = agent.update(agent.start(), 1, Percept(observation=z, teammates=0))
    soft = agent.update(agent.start(), 1, Percept(likelihood=7.0 * np.eye(3)[z], teammates=0))
    assert soft.tasks == pytest.approx(hard.tasks, abs=1e-12)
    assert np.concatenate(soft.states) == pytest.approx(np.concatenate(hard.states), abs=1e-12)
    assert len(soft.events) == len(hard.events)


@pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
@given(libraries())
def test_soft_evidence_weighs_the_readings(library):
    agent, w = quick_agent("atpo", library), np.array([0.2, 0.0, 0.5])
    soft = agent.update(agent.start(), 0, Percept(likelihood=w))
    joints = [(task.pomdp.start @ dense(task.pomdp.P)[0]) * (dense(task.pomdp.O)[0] @ w) for task in library]
    totals = np.array([j.sum() for j in joints])
    if totals.sum() > 0:
        assert soft.tasks == pytest.approx(totals / totals.sum(), abs=1e-12)


def test_a_task_that_cannot_produce_an_observation_is_out_at_once_and_stays_out():
    library = telling_library()
    agent = quick_agent("atpo", library)
    memory = agent.update(agent.start(), 0, Percept(observation=1))
    assert memory.tasks.tolist() == [0, 1]
    assert memory.refuted.tolist() == [True, False]
    assert memory.states[0].tolist() == library[0].pomdp.start.tolist()
    later = agent.update(memory, 0, Percept(observation=2))
    assert later.tasks.tolist() == [0, 1]


def test_an_unexplained_observation_is_an_event_a_single_warning_and_a_new_start():
    library = telling_library()
    agent = quick_agent("atpo", library, prior=[0.3, 0.7])
    memory = agent.update(agent.start(), 0, Percept(observation=1))
    with pytest.warns(
        UnexplainedWarning, match="no task of the library explains observation 0 after action 1 at step 1"
    ):
        memory = agent.update(memory, 1, Percept(observation=0))
    assert memory.events == ((1, 1, 0),)
    assert memory.tasks.tolist() == [0.3, 0.7]
    assert memory.states[1].tolist() == library[1].pomdp.start.tolist()
    assert not memory.refuted.any()
    memory = agent.update(memory, 0, Percept(observation=1))
    again = agent.update(memory, 0, Percept(observation=0))
    assert [event.step for event in again.events] == [1, 3]


def telling_library():
    """Two tasks whose sensors say which of them it is, unless they say 2."""
    one, two = random_library(0, K=2, sizes=(2,), Z=3, A=2)

    def with_sensor(task, sensor):
        return Task(task.mmdp, task.teammates, [sensor] * 2, task.start, name=task.name)

    return TaskLibrary(
        [
            with_sensor(one, [[0.5, 0, 0.5], [0.5, 0, 0.5]]),
            with_sensor(two, [[0, 0.5, 0.5], [0, 0.5, 0.5]]),
        ]
    )


def test_with_a_telling_sensor_atpo_becomes_certain():
    library = telling_library()
    agent = quick_agent("atpo", library)
    for k in (0, 1):
        memory = agent.start()
        for z in (2, k, 2):
            memory = agent.update(memory, 0, Percept(observation=z))
        assert memory.tasks[k] == 1.0


def test_many_products_too_small_for_a_float_into_one_state_are_no_reason_to_fall_over():
    tiny = 1e-200
    P = np.full((4, 4), 1 / 4)
    P[0] = [tiny, tiny, tiny, 1 - 3 * tiny]
    task = Task.from_pomdp(POMDP([P, P], [np.ones((4, 1))] * 2, np.zeros((4, 2))), name="tiny")
    agent = quick_agent("atpo", TaskLibrary([task]))
    memory = remember(np.ones(1), [np.array([tiny, tiny, tiny, 1.0])], of=agent.inference.origin)
    after = agent.update(memory, 0, Percept(observation=0))
    assert after.states[0] == pytest.approx(memory.states[0] @ P, abs=1e-12)
    assert after.states[0].sum() == pytest.approx(1)
