"""The evidence of a step about the tasks, against brute-force sums over all paths, and the change of the belief."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import walkon
from exact_beliefs import extreme_team
from night_matches import night_match
from random_libraries import joint_histories, libraries, quick_agent
from twins import path_weights
from walkon import Percept, Task, TaskLibrary
from walkon.agents.evidence import Evidence, evidence, log_bayes_factors
from walkon.agents.inference import Inference

pytestmark = pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")


def last_step(agent, history):
    """The evidence of the last step of a history."""
    watches = "teammates" in agent.senses
    memory = agent.start()
    for i, (a, b, z) in enumerate(history):
        after = agent.update(memory, a, Percept(observation=z, teammates=b if watches else None))
        if i == len(history) - 1:
            return memory, evidence(agent, memory, a, z, b, after)
        memory = after
    return memory, None


@given(st.data())
def test_likelihoods_are_ratios_of_sums_over_all_paths(data):
    library = data.draw(libraries())
    history = data.draw(joint_histories(library))
    assume(history)
    before, found = last_step(quick_agent("atpo", library), history)
    assume(not before.events)
    for k, task in enumerate(library):
        short = path_weights(task.pomdp, [(a, z) for a, _, z in history[:-1]]).sum()
        whole = path_weights(task.pomdp, [(a, z) for a, _, z in history]).sum()
        if short > 0 and not before.refuted[k]:
            assert found.likelihoods[k] == pytest.approx(whole / short, abs=1e-10)


@given(st.data())
@pytest.mark.parametrize("name", ["atpo", "assistant"])
def test_posterior_odds_are_prior_odds_times_the_bayes_factor(name, data):
    library = data.draw(libraries())
    history = data.draw(joint_histories(library))
    assume(history and len(library) > 1)
    _, found = last_step(quick_agent(name, library), history)
    assume(found.likelihoods @ found.before > 0)
    factors = log_bayes_factors(found)
    for p, q, log in zip(found.before, found.after, factors, strict=True):
        if 1e-9 < p < 1 - 1e-9 and 1e-9 < q < 1 - 1e-9:
            assert np.log(q / (1 - q)) == pytest.approx(np.log(p / (1 - p)) + log, abs=1e-6)


@given(st.data())
@pytest.mark.parametrize("name", ["atpo", "assistant"])
def test_the_forecast_sums_to_one_over_everything_that_can_be_sensed(name, data):
    library = data.draw(libraries())
    agent = quick_agent(name, library)
    memory = agent.start()
    Z = agent.inference.Z
    teammate_actions = range(2) if name == "assistant" else [0]
    chances, doubts = [], []
    for b in teammate_actions:
        for z in range(Z):
            found = evidence(agent, memory, 0, z, b, memory, 5.0)
            chances.append(found.before @ found.likelihoods)
            doubts.append(found.doubt - 5.0)
    assert sum(chances) == pytest.approx(1)
    some = np.array([p for p in chances if p > 0])
    assert found.expected == pytest.approx(-(some * np.log2(some)).sum())
    grown = [p * 2**doubt for p, doubt in zip(chances, doubts, strict=True) if p > 0]
    assert sum(grown) == pytest.approx(1)  # nothing is gained by doubting a library that is right


def test_agents_without_beliefs_learn_nothing():
    match = night_match("random")
    memory = match.agent.start()
    assert evidence(match.agent, memory, 0, 0, 0, memory) is None


def test_a_task_that_is_ruled_out_has_a_factor_of_minus_infinity_and_the_only_one_left_of_infinity():
    found = Evidence(np.array([0.5, 0.5]), np.array([1.0, 0.0]), np.array([0.2, 0.0]), 3.3, 1.0, 0.0)
    assert log_bayes_factors(found).tolist() == [np.inf, -np.inf]
    sure = Evidence(np.array([1.0, 0.0]), np.array([1.0, 0.0]), np.array([0.2, 0.1]), 2.3, 1.0, 0.0)
    assert np.isnan(log_bayes_factors(sure)).all()


@given(st.data())
@pytest.mark.parametrize("name", ["atpo", "assistant"])
def test_a_forecast_is_what_the_update_then_finds_also_where_weights_are_too_small_for_floats(name, data):
    library = data.draw(st.one_of(libraries(), st.integers(0, 50).map(extreme_team)))
    agent = quick_agent(name, library)
    watches = name == "assistant"
    memory = agent.start()
    for a, b, z in data.draw(st.lists(st.tuples(*[st.integers(0, 1)] * 3), max_size=6)):
        found = agent.inference.forecast(memory, a, watches)
        after = agent.update(memory, a, Percept(observation=z, teammates=b if watches else None))
        if after.events:
            return
        assert found.shape == (len(library), 2 if watches else 1, agent.inference.Z)
        assert memory.tasks @ found[:, b if watches else 0, z] == pytest.approx(after.likelihood, rel=1e-9, abs=1e-322)
        memory = after


def test_a_forecast_of_what_follows_from_a_faint_state_is_exact():
    """Two static states; the second has 1e-382, and only it can give the third observation."""
    pomdp = walkon.POMDP([np.eye(2)], [[[0.9, 0.1, 0.0], [0.1, 0.8, 0.1]]], [[0.0], [0.0]], [0.5, 0.5])
    inference = Inference(TaskLibrary([Task.from_pomdp(pomdp, name="static")]))
    memory = inference.start()
    for _ in range(330):
        memory = inference.update(memory, 0, Percept(observation=0))
    exact = 330 * np.log(0.1 / 0.9) + np.log(0.1)
    assert np.log(inference.forecast(memory, 0)[0, 0, 2]) == pytest.approx(exact, abs=1e-3)  # few digits of 1e-316
