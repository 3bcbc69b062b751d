"""Teammates who change their task: against sums over every history of changes and every path of states."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_libraries import joint_histories, libraries, quick_agent, random_library
from twins import dense
from walkon import InputError, Percept, load, play, play_many, save
from walkon.agents.inference import Inference
from walkon.agents.memory import remember

KINDS = ("bayes", "atpo", "atpo-greedy", "atpo-q", "atpo-look", "assistant", "bopa", "random-picker")


def over_all_changes(library, prior, history, hazard):
    """The weight of each task and last state: over every sequence of tasks, then step by step over the states."""
    K = len(library)
    weights = [np.zeros(len(task.pomdp.start)) for task in library]
    for tasks in itertools.product(range(K), repeat=len(history) + 1):
        now = prior[tasks[0]] * library[tasks[0]].pomdp.start
        for before, k, (a, _, z) in zip(tasks, tasks[1:], history, strict=False):
            pomdp = library[k].pomdp
            if before == k:
                now = now * (1 - hazard)
            else:
                now = now * hazard / (K - 1) if library.shared else now.sum() * hazard / (K - 1) * pomdp.start
            now = (now @ dense(pomdp.P)[a]) * dense(pomdp.O)[a][:, z]
        weights[tasks[-1]] = weights[tasks[-1]] + now
    return weights


@pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
@given(st.data())
def test_the_beliefs_are_those_of_brute_force_over_all_changes(data):
    library = data.draw(libraries(alike=data.draw(st.booleans())).filter(lambda library: len(library) > 1))
    history = data.draw(joint_histories(library, longest=3))
    hazard = data.draw(st.sampled_from([0.02, 0.5, 1.0]))
    prior = np.random.default_rng(0).dirichlet(np.ones(len(library)))
    agent = quick_agent("atpo", library, prior=prior, hazard=hazard)
    memory = agent.start()
    for a, _, z in history:
        memory = agent.update(memory, a, Percept(observation=z))
    if memory.events:
        return
    weights = over_all_changes(library, prior, history, hazard)
    total = sum(w.sum() for w in weights)
    assert memory.tasks == pytest.approx([w.sum() / total for w in weights], abs=1e-10)
    for belief, weight in zip(memory.states, weights, strict=True):
        if weight.sum() > 0:
            assert belief == pytest.approx(weight / weight.sum(), abs=1e-10)


def test_a_change_is_weighed_to_all_digits_where_a_task_is_nearly_certain():
    """1 - p(k) is 0 in floats, and p of the other task is known: 1e-30."""
    library = random_library(3, K=2, sizes=(2, 3), sparsity=0.0)
    inference = Inference(library, hazard=0.5)
    memory = remember(np.array([1.0, 1e-30]), [np.array([1.0, 0.0]), library[1].pomdp.start])
    after = inference.switch_task(memory._replace(of=inference.origin))
    small = 0.5 * 1e-30 * library[0].pomdp.start[1]
    assert after.states[0][1] == pytest.approx(small / 0.5, rel=1e-12)


def test_assistant_weighs_a_change_too():
    library = random_library(3, K=2, sizes=(3,), sparsity=0.0)
    agent = quick_agent("assistant", library, hazard=0.3)
    memory = agent.update(agent.start(), 1, Percept(observation=2, teammates=1))
    starts, chances = [task.pomdp.start for task in library], []
    for k, task in enumerate(library):
        before = 0.5 * (0.7 * starts[k] + 0.3 * starts[1 - k])
        arrived = (before * task.teammates.toarray()[:, 1]) @ task.mmdp.P[1][1].toarray()
        chances.append((arrived * task.pomdp.O[1].toarray()[:, 2]).sum())
    assert memory.tasks == pytest.approx(np.array(chances) / sum(chances))


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("sizes", [(3,), (2, 3)])
def test_a_batch_is_the_same_to_the_last_bit(name, sizes):
    if name == "bopa" and len(sizes) > 1:
        sizes = (2,)
    library = random_library(5, K=3, sizes=sizes, sparsity=0.0)
    agent = quick_agent(name, library, hazard=0.05)
    one, two = play(library[1], agent, horizon=20, seed=3), play_many(library[1], agent, [3], horizon=20)[0]
    assert one.actions.tolist() == two.actions.tolist()
    if agent.identifies:
        assert one.task_beliefs.tobytes() == two.task_beliefs.tobytes()
        plain = play(library[1], quick_agent(name, library), horizon=20, seed=3)
        assert plain.task_beliefs.tobytes() != one.task_beliefs.tobytes()


def test_a_refuted_task_may_come_back():
    library = random_library(1, K=2, sizes=(3,), sparsity=0.6)
    agent = quick_agent("atpo", library, hazard=0.1, prior=[0.0, 1.0])
    assert agent.inference.switch_task(agent.start()).tasks == pytest.approx([0.1, 0.9])


def test_without_an_observation_the_task_may_still_have_changed():
    library = random_library(1, K=3, sizes=(3,), sparsity=0.0)
    agent = quick_agent("atpo", library, hazard=0.2, prior=[1.0, 0.0, 0.0])
    assert agent.update(agent.start(), 0, Percept()).tasks == pytest.approx([0.8, 0.1, 0.1])


def test_with_one_task_there_is_nothing_to_change_to():
    library = random_library(1, K=1, sizes=(3,), sparsity=0.0)
    agent, plain = quick_agent("atpo", library, hazard=0.2), quick_agent("atpo", library)
    one, two = play(library[0], agent, horizon=10), play_many(library[0], plain, [0], horizon=10)[0]
    three = play_many(library[0], agent, [0], horizon=10)[0]
    assert one.observations.tolist() == two.observations.tolist() == three.observations.tolist()


def test_an_agent_with_a_hazard_rate_is_saved_with_it(tmp_path):
    library = random_library(1, K=2, sizes=(3,), sparsity=0.0)
    save(quick_agent("atpo", library, hazard=0.2), tmp_path / "agent")
    assert load(tmp_path / "agent").inference.hazard == 0.2


def test_what_makes_no_sense_is_refused():
    library = random_library(1, K=2, sizes=(3,), sparsity=0.0)
    with pytest.raises(InputError, match=r"hazard is 1\.5"):
        quick_agent("atpo", library, hazard=1.5)
    with pytest.raises(InputError, match="does not infer the task"):
        quick_agent("perseus", library, target=0, hazard=0.1)
    with pytest.raises(InputError, match="has no hazard rate"):
        quick_agent("bopa", library, evidence="transitions", hazard=0.1)
