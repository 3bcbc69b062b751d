"""Beliefs too small for floats: what is possible comes back, against exact fractions and closed forms."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkon
from exact_beliefs import (
    ExactBeliefs,
    coins,
    extreme_library,
    extreme_rows,
    extreme_seeds,
    extreme_team,
    same_beliefs,
)
from random_libraries import libraries, policies_for, quick_agent, random_library
from walkon import MMDP, Percept, Task, TaskLibrary
from walkon.agents.faint_kernels import faint_posterior
from walkon.agents.inference import Inference
from walkon.agents.inference_kernels import fast_posterior, posterior
from walkon.models.faint_kernels import is_faint
from walkon.models.packed_beliefs import log_weights

pytestmark = pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
TURN = [0] * 400 + [1] * 600  # for one task, then for the other
GAP = 200 * math.log(9)  # by how much the second has it: 439


def told(agent, observations, memory=None):
    memory = agent.start() if memory is None else memory
    for z in observations:
        memory = agent.update(memory, 0, Percept(observation=z))
    return memory


def two_coins():
    return coins([[0.9, 0.1], [0.1, 0.9]])


@pytest.mark.parametrize("name", ["atpo", "atpo-greedy", "bayes", "atpo-q", "atpo-look", "atpo-search", "bopa"])
def test_a_task_comes_back_after_any_number_of_observations_against_it(name):
    agent = quick_agent(name, two_coins())
    half = told(agent, TURN[:400])
    assert half.tasks[1] > 0
    assert half.log_tasks[1] == pytest.approx(-400 * math.log(9), rel=1e-12)
    after = told(agent, TURN[400:], half)
    odds = after.log_tasks
    assert odds[1] - odds[0] == pytest.approx(GAP, abs=1e-9)
    assert np.log(after.tasks[0]) == pytest.approx(-GAP, abs=1e-9)
    assert agent.act(half).sum() == pytest.approx(1)
    assert not after.events
    assert not is_faint(after.beliefs, 2)


def test_likelihoods_that_no_product_of_floats_can_hold():
    agent = quick_agent("atpo", coins([[1 - 1e-300, 1e-300], [1e-300, 1 - 1e-300]]))
    memory = told(agent, [0] * 50 + [1] * 50)
    assert memory.log_tasks.tolist() == pytest.approx([math.log(0.5)] * 2, abs=1e-9)
    memory = told(agent, [0] * 50 + [1] * 49)
    assert memory.log_tasks[1] == pytest.approx(math.log(1e-300), abs=1e-9)
    agent = quick_agent("atpo", coins([[1e-300, 1 - 1e-300], [3e-300, 1 - 3e-300]], static=[1.0]))
    memory = told(agent, [0, 0, 0])
    assert memory.tasks == pytest.approx([1 / 28, 27 / 28], rel=1e-12)
    assert memory.likelihood > 0


def test_a_state_comes_back_too():
    agent = quick_agent("atpo", coins([[[0.9, 0.1], [0.1, 0.9]]]))
    half = told(agent, TURN[:400])
    assert half.states[0][1] > 0
    after = told(agent, TURN[400:], half)
    assert np.log(after.states[0][0]) == pytest.approx(-GAP, abs=1e-9)


def test_digits_are_not_lost_to_sums_that_are_nearly_too_small():
    """Where all that is left is 1e-310, floats have 40 bits for it; 1e-323 has two."""
    for small in (1e-310, 1e-318, 1e-323):
        agent = quick_agent("atpo", coins([[[small, 1 - small], [3 * small, 1 - 3 * small]]]))
        memory = agent.update(agent.start(), 0, Percept(observation=0))
        parts = [small, 3 * small]
        ratio = memory.states[0][1] / memory.states[0][0]
        assert ratio == pytest.approx(parts[1] / parts[0], rel=1e-15)
        assert memory.states[0].sum() == pytest.approx(1, abs=1e-15)


HARD = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=6)


@given(extreme_seeds, st.booleans(), st.sampled_from([0.0, 0.0, 1e-300, 0.05]), HARD)
def test_beliefs_are_those_of_exact_fractions(seed, unequal, hazard, history):
    library = extreme_library(seed, K=3, unequal=unequal)
    prior = extreme_rows(np.random.default_rng(seed), 3)
    agent = quick_agent("atpo", library, prior=prior, hazard=hazard)
    memory, exact = agent.start(), ExactBeliefs(library, prior, hazard)
    # 1 - p(k) of tasks that do not share their states is rounded, as long as nothing is too small for floats
    tolerance = 1e-9 if not hazard or not unequal else np.inf
    for a, z in history:
        memory = agent.update(memory, a, Percept(observation=z))
        if not exact.update(a, np.eye(2)[z]):
            assert memory.events
            return
        same_beliefs(memory.beliefs, exact, tolerance)
        assert memory.likelihood > 0


@given(extreme_seeds, HARD, st.data())
def test_so_they_are_after_soft_evidence_and_none(seed, history, data):
    library = extreme_library(seed, K=2, X=3)
    agent = quick_agent("atpo", library)
    memory, exact = agent.start(), ExactBeliefs(library, [0.5, 0.5])
    weights = st.lists(st.sampled_from([0.0, 1e-300, 1e-20, 1.0, 1e100]), min_size=2, max_size=2).filter(any)
    for a, _ in history:
        w = data.draw(st.none() | weights)
        memory = agent.update(memory, a, Percept(likelihood=w))
        if not exact.update(a, w):
            assert memory.events
            return
        same_beliefs(memory.beliefs, exact)


@given(
    extreme_seeds, st.lists(st.tuples(*[st.integers(0, 1)] * 3), max_size=6), st.sampled_from([0.0, 0.05]), st.data()
)
def test_assistant_knows_exact_fractions_too(seed, history, hazard, data):
    library = extreme_team(seed)
    agent = quick_agent("assistant", library, hazard=hazard)
    memory, exact = agent.start(), ExactBeliefs(library, [0.5, 0.5], hazard)
    for a, b, z in history:
        kind = data.draw(st.sampled_from(["read", "soft", "nothing"]))
        w = {"read": np.eye(2)[z], "soft": np.array([1e-300, 1.0]), "nothing": None}[kind]
        read, soft = (z, None) if kind == "read" else (None, w)
        memory = agent.update(memory, a, Percept(observation=read, likelihood=soft, teammates=b))
        if not exact.update(a, w, b):
            assert memory.events
            return
        same_beliefs(memory.beliefs, exact)


def test_assistant_gives_up_no_task_for_what_its_teammates_did():
    """A teammate that does one thing with probability 0.9: 400 times the one, then 600 times the other."""
    team = MMDP([[np.eye(1)] * 2] * 2, np.zeros((1, 2, 2)))
    policies = ([[0.9, 0.1]], [[0.1, 0.9]])
    library = TaskLibrary([Task(team, each, [np.ones((1, 1))] * 2, name=str(each)) for each in policies])
    agent = quick_agent("assistant", library)
    memory = agent.start()
    for b in TURN:
        memory = agent.update(memory, 0, Percept(observation=0, teammates=b))
    assert np.log(memory.tasks[0]) == pytest.approx(-GAP, abs=1e-9)
    assert agent.act(memory).sum() == pytest.approx(1)


def test_bopa_by_transitions_gives_up_no_task_either():
    """Two states that are read without fail, and tasks that differ in how they follow one another."""
    stay, sensor = 1e-200, np.eye(2)
    tasks = []
    for k, P in enumerate([[[stay, 1], [1, stay]], [[1, stay], [stay, 1]]]):
        pomdp = walkon.POMDP([P] * 2, [sensor] * 2, np.zeros((2, 2)), [1.0, 0.0])
        tasks.append(Task.from_pomdp(pomdp, name=f"task {k}"))
    library = TaskLibrary(tasks)
    for options in ({"evidence": "transitions"}, {"evidence": "observations"}):
        bopa = walkon.agent("bopa", library, policies=policies_for(library, tabular=True), **options)
        memory = told(bopa, [0] * 5)
        assert memory.log_tasks[0] == pytest.approx(5 * math.log(stay), abs=1e-9)
        assert memory.tasks[0] > 0
        memory = told(bopa, [1, 0, 1, 0, 1, 0], memory)
        assert memory.log_tasks[1] == pytest.approx(math.log(stay), abs=1e-9)
    smallest = 5e-324
    P = [[[smallest, 1 - smallest], [0.5, 0.5]]] * 2
    tasks = [Task.from_pomdp(walkon.POMDP(P, [sensor] * 2, np.zeros((2, 2)), [1.0, 0.0]), name="one")]
    bopa = quick_agent("bopa", TaskLibrary(tasks), evidence="transitions")
    assert told(bopa, [0]).tasks.tolist() == [1.0]


def test_the_alarm_weighs_what_no_float_holds():
    """E_k is a ratio of probabilities of thousands of observations, and of those that have 1e-300 each."""
    for low, n in ((0.1, 2000), (1e-300, 30)):
        library = coins([[1 - low, low], [0.5, 0.5]])
        other = coins([[low, 1 - low], [0.25, 0.75]])
        agent = quick_agent("atpo", library, alarm=1e-12, alternatives=[other])
        memory = told(agent, [0] * n + [1] * n)
        suspicion = memory.suspicion
        if suspicion.alarm is None:
            each = n * (math.log(low) + math.log1p(-low))
            assert suspicion.likelihood == pytest.approx([each, 2 * n * math.log(0.5)], rel=1e-12)
            mixed = np.logaddexp(each, n * (math.log(0.25) + math.log(0.75))) + math.log(0.5)
            assert suspicion.alternatives == pytest.approx(mixed, rel=1e-12)
        else:
            assert suspicion.alarm > n


def test_predictions_are_exact_for_states_that_nearly_vanished():
    """Two static states: the second explains what comes late, and has 1e-382 by then."""
    library = coins([[[0.9, 0.1], [0.1, 0.9]]])
    inference = Inference(library)
    beliefs, total = inference.even, 0.0
    for z in TURN:
        beliefs, logs = inference.foretell(beliefs, 0, z)
        total += logs[0]
    n, m = 400, 600
    each = [n * math.log(0.9) + m * math.log(0.1), n * math.log(0.1) + m * math.log(0.9)]
    assert total == pytest.approx(np.logaddexp(*each) + math.log(0.5), abs=1e-9)
    library = coins([[1e-300, 1 - 1e-300]])
    P = [[[1e-300, 1 - 1e-300], [0.0, 1.0]]] * 2
    O = [[[1e-300, 1 - 1e-300], [0.0, 1.0]]] * 2
    pomdp = walkon.POMDP(P, O, np.zeros((2, 2)), [1.0, 0.0])
    inference = Inference(TaskLibrary([Task.from_pomdp(pomdp, name="far")]))
    beliefs, logs = inference.foretell(inference.even, 0, 0)
    assert logs[0] == pytest.approx(2 * math.log(1e-300), abs=1e-9)
    assert inference.condition(inference.first, 0, 0)[1] == pytest.approx(2 * math.log(1e-300), abs=1e-9)


def test_with_the_first_state_seen_no_task_is_given_up_for_a_small_chance():
    starts = [[1e-300, 1 - 1e-300], [1e-200, 1 - 1e-200]]
    tasks = [
        Task.from_pomdp(walkon.POMDP([np.eye(2)] * 2, [np.eye(2)] * 2, np.zeros((2, 2)), start), name=str(k))
        for k, start in enumerate(starts)
    ]
    library = TaskLibrary(tasks)
    agent = quick_agent("atpo", library, prior=[1e-200, 1 - 1e-200])
    memory = agent.start(Percept(state=0))
    assert memory.tasks[0] > 0
    assert memory.log_tasks[0] == pytest.approx(math.log(1e-200) + math.log(1e-300) - math.log(1e-200), abs=1e-9)


@given(libraries(alike=True), st.integers(0, 1), st.integers(0, 2))
def test_what_is_not_too_small_comes_out_the_same_to_the_last_bit(library, a, z):
    inference = Inference(library)
    fast, total, faint = fast_posterior(*inference.models, inference.first, a, z)
    assert not faint
    slow, exact, low = faint_posterior(*inference.models, inference.first, a, np.zeros(0), np.eye(3)[z])
    assert not low
    assert fast.tobytes() == slow.tobytes()
    assert math.ldexp(exact[0], int(exact[1])) == total


@pytest.mark.parametrize("name", ["atpo", "atpo-greedy", "random-picker", "perseus"])
@pytest.mark.parametrize("hazard", [0.0, 1e-280])
def test_a_batch_is_the_same_to_the_last_bit(name, hazard):
    """With luck that follows one task, the other vanishes; the library's own luck decides when it comes back."""
    library = extreme_library(3, K=2, X=3)
    other = random_library(0, K=2, sizes=(3,), A=2, Z=2)
    options = {"target": 0} if name == "perseus" else {"hazard": hazard}
    agent = quick_agent(name, library, **options)
    faint = 0
    for seed in range(5):
        memories = []
        alone = walkon.play(other[1], agent, horizon=60, seed=seed, watch=memories.append)
        (batch,) = walkon.play_many(other[1], agent, [seed], horizon=60)
        assert alone.actions.tolist() == batch.actions.tolist()
        assert alone.states.tolist() == batch.states.tolist()
        assert alone.events == batch.events
        if agent.identifies:
            assert alone.task_beliefs.tobytes() == batch.task_beliefs.tobytes()
        faint += sum(is_faint(memory.beliefs, len(memory.sizes)) for memory in memories)
    assert faint > 20


def test_a_task_that_is_ruled_out_costs_no_exponents():
    """The states of a refuted task stay as they were, and are not counted among what is too small."""
    library = coins([[[0.9, 0.1, 0.0], [0.1, 0.9, 0.0]], [[0.8, 0.1, 0.1], [0.8, 0.1, 0.1]]])
    agent = quick_agent("atpo", library)
    memory = told(agent, [0] * 300)
    assert is_faint(memory.beliefs, 2)
    memory = told(agent, [2], memory)
    assert not is_faint(memory.beliefs, 2)
    assert memory.tasks.tolist() == [0.0, 1.0]
    assert memory.states[0][1] > 0


def test_looking_ahead_is_as_exact():
    """A kernel that calls `posterior` gets and gives faint beliefs as any other."""
    inference = Inference(two_coins())
    beliefs = inference.first
    for z in TURN:
        beliefs, chance = posterior(*inference.models, beliefs, 0, z)
        assert chance > 0
    assert log_weights(beliefs, 2)[0] == pytest.approx(-GAP, abs=1e-9)


def test_a_belief_given_by_hand_replaces_an_exact_one():
    agent = quick_agent("atpo", two_coins())
    memory = told(agent, TURN[:400]).believing(np.array([0.25, 0.75]))
    assert memory.tasks.tolist() == [0.25, 0.75]
    assert memory.log_tasks == pytest.approx(np.log([0.25, 0.75]), abs=1e-12)
