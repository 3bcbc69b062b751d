"""Why an agent did what it did: the sentences say what the numbers say, and the numbers follow from the policies."""

from itertools import pairwise

import numpy as np
import pytest

import walkon
from random_libraries import quick_agent
from walkon import InputError, Percept
from walkon.agents.agent import BeliefAgent

LIBRARY = walkon.make("night-pursuit", size=3, tasks=3)


def steps(name, seed=0, **options):
    """An agent, and its memory, action and percept at each step of an episode."""
    agent = quick_agent(name, LIBRARY, **options)
    memories = []
    episode = walkon.play(LIBRARY[1], agent, seed=seed, horizon=15, watch=memories.append)
    given = [
        Percept(observation=int(z), teammates=int(b) if "teammates" in agent.senses else None)
        for z, b in zip(episode.observations, episode.teammate_actions, strict=True)
    ]
    return agent, list(zip(memories, episode.actions.tolist(), given, strict=False))


@pytest.mark.parametrize("name", ["atpo", "bopa"])
def test_the_shares_of_a_mixture_are_bayes_rule_over_the_tasks_that_may_have_chosen(name):
    agent, path = steps(name)
    for before, action, percept in path:
        found = walkon.explain(agent, before, action, percept)
        assert found.probability == agent.act(before)[action]
        assert before.tasks @ found.choices == pytest.approx(agent.act(before))
        assert found.shares == pytest.approx(before.tasks * found.choices[:, action] / found.probability)
        best = int(np.argmax(found.shares))
        assert f"of this choice is due to task {best}." in found.action


def test_what_each_task_would_do_is_what_its_own_policy_does():
    agent, path = steps("atpo")
    for before, action, percept in path:
        found = walkon.explain(agent, before, action, percept)
        own = [policy.probabilities(b) for policy, b in zip(agent.policies, before.states, strict=True)]
        assert found.choices == pytest.approx(np.array(own))


@pytest.mark.parametrize("name", ["atpo", "atpo-greedy", "bayes", "atpo-q", "bopa", "assistant"])
def test_the_explanation_is_of_the_step_that_the_agent_takes(name):
    agent, path = steps(name)
    for (before, action, percept), (after, *_) in pairwise(path):
        found = walkon.explain(agent, before, action, percept)
        assert found.after.tasks.tolist() == after.tasks.tolist()
        assert found.evidence.likelihoods @ before.tasks == pytest.approx(after.likelihood)
        assert f"{2**-found.evidence.bits:.9f}" == f"{after.likelihood:.9f}"
        assert str(walkon.explain(agent, before, LIBRARY.actions[action], percept)) == str(found)
        assert str(found).splitlines() == [found.action, found.change, found.surprise]
        assert LIBRARY.actions[action] in found.action
        assert len(found.change) > 0


def test_no_observation_and_soft_evidence_are_explained_too():
    agent, ((before, action, _), *_) = steps("atpo")
    silent = walkon.explain(agent, before, action, Percept())
    assert silent.evidence is None
    assert silent.change == silent.surprise == ""
    sure = np.eye(len(LIBRARY[0].observations))[3]
    hard, soft = (
        walkon.explain(agent, before, action, each) for each in (Percept(observation=3), Percept(likelihood=sure))
    )
    assert soft.evidence.likelihoods == pytest.approx(hard.evidence.likelihoods)
    assert soft.change.partition(": ")[2] == hard.change.partition(": ")[2]


def test_agents_without_beliefs_have_only_their_choice():
    agent = walkon.agent("random", LIBRARY)
    assert not isinstance(agent, BeliefAgent)
    found = walkon.explain(agent, agent.start(), 2, Percept())
    assert str(found).replace("\N{NO-BREAK SPACE}", " ") == f"{LIBRARY.actions[2]}, which random chose with 20 %."
    assert found.choices is None


def test_an_observation_that_nothing_explains_is_said_to_be_that():
    library = walkon.make("night-pursuit", size=3, tasks=2, noise=0.0)
    agent = quick_agent("atpo", library)
    before = agent.start()
    impossible = int(np.flatnonzero(before.tasks @ agent.inference.forecast(before, 0, False).reshape(2, -1) == 0)[0])
    with pytest.warns(walkon.UnexplainedWarning):
        found = walkon.explain(agent, before, 0, Percept(observation=impossible))
    assert "no task of the library allows this" in found.change
    assert "every task gave it probability 0" in found.surprise


def test_an_agent_with_an_alarm_is_explained_as_the_agent_that_acts():
    agent = walkon.agent("atpo", LIBRARY, policies=quick_agent("atpo", LIBRARY).policies, alarm=0.05)
    assert walkon.explain(agent, agent.start(), 0, Percept(observation=0)).choices.shape == (3, len(LIBRARY.actions))


def test_a_bad_action_is_refused():
    agent = quick_agent("atpo", LIBRARY)
    with pytest.raises(InputError, match="action"):
        walkon.explain(agent, agent.start(), 9, Percept(observation=0))
