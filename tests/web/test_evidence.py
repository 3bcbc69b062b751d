"""What a step told about the tasks, against brute-force sums over all paths, and against the belief's own move."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from random_libraries import joint_histories, libraries, quick_agent
from twins import path_weights
from walkon import Percept
from walkon.simulation.step import Step
from walkon.web.evidence import Evidence, evidence, log_bayes_factors

pytestmark = pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")


def last_step(agent, history):
    """The evidence of the last step of a history."""
    watches = "teammates" in agent.senses
    memory = agent.start()
    for i, (a, b, z) in enumerate(history):
        after = agent.update(memory, a, Percept(observation=z, teammates=b if watches else None))
        if i == len(history) - 1:
            return memory, evidence(agent, memory, a, Step(b, 0, z, 0.0, 0), after)
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
            found = evidence(agent, memory, 0, Step(b, 0, z, 0.0, 0), memory, 5.0)
            chances.append(found.before @ found.likelihoods)
            doubts.append(found.doubt - 5.0)
    assert sum(chances) == pytest.approx(1)
    some = np.array([p for p in chances if p > 0])
    assert found.expected == pytest.approx(-(some * np.log2(some)).sum())
    grown = [p * 2**doubt for p, doubt in zip(chances, doubts, strict=True) if p > 0]
    assert sum(grown) == pytest.approx(1)  # nothing is gained by doubting a library that is right


def test_agents_without_beliefs_learn_nothing():
    from night_matches import night_match

    match = night_match("random")
    memory = match.agent.start()
    assert evidence(match.agent, memory, 0, Step(0, 0, 0, 0.0, 0), memory) is None


def test_a_task_that_is_ruled_out_has_a_factor_of_minus_infinity_and_the_only_one_left_of_infinity():
    found = Evidence(np.array([0.5, 0.5]), np.array([1.0, 0.0]), np.array([0.2, 0.0]), 3.3, 1.0, 0.0)
    assert log_bayes_factors(found).tolist() == [np.inf, -np.inf]
    sure = Evidence(np.array([1.0, 0.0]), np.array([1.0, 0.0]), np.array([0.2, 0.1]), 2.3, 1.0, 0.0)
    assert np.isnan(log_bayes_factors(sure)).all()
