"""Sessions: they act as the agent in a simulator does, remember what they were told, and say what they cannot use."""

import math
import threading

import numpy as np
import pytest

import walkon
from exact_beliefs import coins
from random_libraries import quick_agent, random_library
from walkon import Percept
from walkon.agents.registry import AGENTS
from walkon.service.messages import Opening, RefusalError, Told

pytestmark = pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")
TASKS = random_library(3, sparsity=0.0)


def refused(status, match):
    """A context in which something is refused with a status and in words."""

    class Refused:
        def __enter__(self):
            self.inner = pytest.raises(RefusalError, match=match)
            self.caught = self.inner.__enter__()
            return self.caught

        def __exit__(self, *problem):
            done = self.inner.__exit__(*problem)
            assert self.caught.value.status == status
            return done

    return Refused()


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("world", ["random", "overcooked"])
def test_every_agent_acts_as_in_a_simulator_with_the_same_seed(name, world, begun):
    library = walkon.make("overcooked", role="cook") if world == "overcooked" else random_library(3, sizes=(3,))
    options = {"target": 1} if AGENTS[name].needs.informed else {"budget": 3} if name == "atpo-search" else {}
    agent = quick_agent(name, library, **options)
    episode = walkon.play(library[1], agent, horizon=12, seed=5)
    sees, reads = "state" in agent.senses, "observation" in agent.senses
    first = {"state": int(episode.states[0])} if sees or (reads and library.observed) else {}
    service = begun(agent)
    answer = service.open(Opening(id="one", seed=5, **first))
    for t, action in enumerate(episode.actions):
        assert answer["action"] == action
        assert answer["step"] == t
        told = {"observation": int(episode.observations[t])} if reads else {}
        told |= {"state": int(episode.states[t + 1])} if sees else {}
        told |= {"teammates": int(episode.teammate_actions[t])} if "teammates" in agent.senses else {}
        answer = service.tell("one", Told(step=t, **told))
        if agent.identifies:
            assert answer["tasks"] == episode.task_beliefs[t + 1].tolist()
        else:
            assert answer["tasks"] is None
    assert service.replay("one")["exact"]


def test_the_surprise_is_the_predictive_probability_in_bits(begun):
    service = begun(quick_agent("atpo", TASKS, prior=[0.2, 0.3, 0.5]))
    service.open(Opening(id="one", seed=0))
    weights = [p * task.pomdp.start for p, task in zip([0.2, 0.3, 0.5], TASKS, strict=True)]  # p(k) b_k(x)
    for t, (a, z) in enumerate([(0, 1), (1, 2), (1, 0), (0, 0)]):
        answer = service.tell("one", Told(step=t, action=a, observation=z))
        weights = [
            (w @ task.pomdp.P[a].toarray()) * task.pomdp.O[a].toarray()[:, z]
            for w, task in zip(weights, TASKS, strict=True)
        ]
        chance = sum(w.sum() for w in weights)
        weights = [w / chance for w in weights]
        assert answer["surprise"] == pytest.approx(-math.log2(chance), rel=1e-9)
        assert answer["tasks"] == pytest.approx([w.sum() for w in weights], rel=1e-9)


def test_a_missing_observation_is_no_surprise_and_the_beliefs_are_only_predicted(begun):
    agent = quick_agent("atpo", TASKS)
    service = begun(agent)
    first = service.open(Opening(id="one", seed=0))
    answer = service.tell("one", Told(step=0))
    assert answer["surprise"] == 0
    assert answer["tasks"] == first["tasks"]
    assert answer["fingerprint"] != first["fingerprint"]
    expected = agent.act(agent.update(agent.start(), first["action"], Percept()))
    assert answer["probabilities"] == expected.tolist()


def test_the_scale_of_soft_evidence_does_not_matter(begun):
    service = begun()
    answers = []
    for name, scale in (("a", 1.0), ("b", 1e-300), ("c", 1e300)):
        service.open(Opening(id=name, seed=0))
        answers.append(service.tell(name, Told(step=0, action=1, likelihood=[0.25 * scale, scale, 0.0])))
    for answer in answers:
        assert answer["tasks"] == pytest.approx(answers[0]["tasks"], rel=1e-12)
        assert answer["surprise"] == pytest.approx(answers[0]["surprise"], rel=1e-9)
    after = quick_agent("atpo", TASKS)
    memory = after.update(after.start(), 1, Percept(likelihood=[0.25, 1.0, 0.0]))
    assert answers[0]["tasks"] == pytest.approx(memory.tasks.tolist(), rel=1e-12)
    assert answers[0]["surprise"] == pytest.approx(-math.log2(memory.likelihood), rel=1e-12)


def test_a_session_with_a_prior_is_one_of_an_agent_with_that_prior(begun):
    prior = [0.7, 0.1, 0.2]
    service = begun()
    told = [Told(step=t, observation=z) for t, z in enumerate([0, 2, 1, 1])]
    ours = [service.open(Opening(id="one", seed=4, prior=prior)), *(service.tell("one", each) for each in told)]
    other = begun(quick_agent("atpo", TASKS, prior=prior), folder="other")
    theirs = [other.open(Opening(id="one", seed=4)), *(other.tell("one", each) for each in told)]
    assert ours == theirs


def test_an_unexplained_observation_is_reported_and_the_agent_starts_again(begun):
    blind = walkon.POMDP(P=[np.eye(2)] * 2, O=[[[1, 0], [1, 0]]] * 2, R=np.zeros((2, 2)), discount=0.5)
    library = walkon.TaskLibrary([walkon.Task.from_pomdp(blind, name="blind")])
    service = begun(quick_agent("atpo", library))
    first = service.open(Opening(id="one", seed=0))
    answer = service.tell("one", Told(step=0, action=1, observation=1))
    assert not answer["explained"]
    assert answer["surprise"] is None
    assert answer["tasks"] == first["tasks"]
    assert service.look("one")["unexplained"] == [[0, 1, 1]]
    assert service.tell("one", Told(step=1, observation=0))["explained"]


def test_the_alarm_is_that_of_the_library(begun):
    agent = walkon.agent("atpo", TASKS, policies=quick_agent("atpo", TASKS).mixture.policies, alarm=0.2)
    service = begun()
    service.open(Opening(id="one", seed=1, alarm=0.2))
    memory = agent.start()
    raised = []
    for t in range(60):
        after = [agent.update(memory, t % 2, Percept(observation=z)) for z in range(3)]
        strange = int(np.argmin([each.likelihood for each in after]))  # what is expected least, again and again
        answer = service.tell("one", Told(step=t, action=t % 2, observation=strange))
        memory = after[strange]
        raised.append(answer["alarm"])
        assert answer["alarm"] == memory.suspicion.alarm
    assert raised[0] is None
    assert raised[-1] is not None


def test_a_step_that_is_told_again_is_answered_as_before_and_not_taken_twice(begun):
    service = begun()
    service.open(Opening(id="one", seed=0))
    answers = [service.tell("one", Told(step=t, observation=t % 3)) for t in range(4)]
    assert [service.tell("one", Told(step=t, observation=t % 3)) for t in range(4)] == answers
    assert service.look("one")["answer"] == answers[-1]
    with refused(409, r"step 1 was sent before as .*'observation': 1.*cannot change"):
        service.tell("one", Told(step=1, observation=0))
    with refused(409, "step is 7, and step 4 is next"):
        service.tell("one", Told(step=7))
    assert service.look("one")["answer"] == answers[-1]


def test_many_who_tell_the_same_step_at_once_get_the_same_answer(begun):
    service = begun()
    service.open(Opening(id="one", seed=0))
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(service.tell("one", Told(step=0, observation=1))))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    assert all(answer == answers[0] for answer in answers)
    assert service.list() == [{"session": "one", "step": 1}]


def test_an_opening_that_is_sent_again_is_the_same_session_where_it_stands(begun):
    service = begun()
    opening = Opening(id="one", seed=0, prior=[0.5, 0.25, 0.25])
    first = service.open(opening)
    assert service.open(opening) == first
    answer = service.tell("one", Told(step=0, observation=1))
    assert service.open(opening) == answer
    assert len(service) == 1
    with refused(409, "that session was opened otherwise"):
        service.open(Opening(id="one", seed=1))


def test_a_closed_session_is_gone_and_its_journal_kept(begun, tmp_path):
    service = begun()
    service.open(Opening(id="one"))
    assert service.close("one") == service.close("one") == {"session": "one", "closed": True}
    assert service.list() == []
    assert (tmp_path / "sessions" / "one.closed").is_file()
    for ask in (service.look, service.replay, lambda name: service.tell(name, Told(step=0))):
        with refused(404, "there is no session 'one'"):
            ask("one")
    with refused(404, "there is no session 'two'"):
        service.close("two")
    with refused(409, "has been closed: take another"):
        service.open(Opening(id="one"))


def test_there_are_so_many_sessions_and_no_more(begun):
    service = begun(most=2)
    for name in ("a", "b"):
        service.open(Opening(id=name))
    with refused(429, "there are 2 sessions, the most there may be") as full:
        service.open(Opening())
    assert full.value.retry_after == 5
    service.close("a")
    service.open(Opening())


def test_names_say_the_same_as_numbers(begun):
    library = walkon.make("night-pursuit", size=3, tasks=2)
    service = begun(quick_agent("atpo", library))
    answers = []
    for name, (action, observation) in {"a": (3, 1), "b": (library.actions[3], library.observations[1])}.items():
        service.open(Opening(id=name, seed=1))
        answers.append(service.tell(name, Told(step=0, action=action, observation=observation)))
    assert answers[0]["action_name"] in library.actions
    assert answers[0] | {"session": "b"} == answers[1]


MISTAKES = [
    ("atpo", {}, {"observation": 3}, "observation is 3, expected a number from 0 to 2"),
    ("atpo", {}, {"observation": "near"}, "observation is 'near', and there are no names"),
    ("atpo", {}, {"action": 2}, "action is 2, expected a number from 0 to 1"),
    ("atpo", {}, {"teammates": 0}, "teammates is given, and atpo does not sense it: leave it out"),
    ("atpo", {}, {"state": 0}, "state is given, and atpo does not sense it"),
    ("atpo", {}, {"observation": 0, "likelihood": [1.0, 1.0, 1.0]}, "both observation and likelihood are given"),
    ("atpo", {}, {"likelihood": [1.0]}, r"likelihood has shape \(1,\), expected \(Z,\) = \(3,\)"),
    ("atpo", {}, {"likelihood": [0.0, 0.0, 0.0]}, "likelihood has a negative weight or none at all"),
    ("atpo", {}, {"likelihood": [1.0, -1.0, 0.0]}, "likelihood has a negative weight or none at all"),
    ("random", {}, {"observation": 0}, "observation is given, and random does not sense it"),
    ("random", {}, {"likelihood": [1.0, 1.0, 1.0]}, "likelihood is given, and random receives no observations"),
    ("assistant", {}, {"observation": 0, "teammates": 2}, "teammates is 2, expected a number from 0 to 1"),
    ("value-iteration", {"state": 0}, {"state": 3}, "state is 3, expected a number from 0 to 2"),
]


@pytest.mark.parametrize(("name", "opening", "told", "match"), MISTAKES)
def test_what_cannot_be_used_is_refused_in_words_and_nothing_happens(name, opening, told, match, begun):
    options = {"target": 1} if AGENTS[name].needs.informed else {}
    service = begun(quick_agent(name, TASKS, **options))
    first = service.open(Opening(id="one", **opening))
    with pytest.raises(walkon.InputError, match=match):
        service.tell("one", Told(step=0, **told))
    assert service.look("one")["answer"] == first


OPENINGS = [
    ("atpo", {"prior": [0.5, 0.5]}, r"prior has shape \(2,\)"),
    ("atpo", {"prior": [0.5, 0.6, 0.5]}, "prior sums to 1.6, not 1"),
    ("atpo", {"observation": 0}, "there is none before the first action"),
    ("atpo", {"state": 0}, "state is given, and atpo does not see it"),
    ("random", {"prior": [0.5, 0.25, 0.25]}, "random keeps no beliefs: leave prior and alarm out"),
    ("value-iteration", {}, "state is missing: value-iteration sees it"),
    ("value-iteration", {"state": 3}, "state is 3, expected a number from 0 to 2"),
]


@pytest.mark.parametrize(("name", "opening", "match"), OPENINGS)
def test_an_opening_that_cannot_be_used_opens_nothing(name, opening, match, begun):
    service = begun(quick_agent(name, TASKS, **({"target": 1} if AGENTS[name].needs.informed else {})))
    with pytest.raises(walkon.InputError, match=match):
        service.open(Opening(id="one", **opening))
    assert service.list() == []


@pytest.mark.parametrize("alarm", [None, 1e-300])
def test_a_task_comes_back_after_any_number_of_observations_also_after_a_restart(alarm, begun, tmp_path):
    """400 observations for one task, then 600 for the other; the service restarts when the second is at 1e-382."""
    agent = quick_agent("atpo", coins([[0.9, 0.1], [0.1, 0.9]]))
    walkon.save(agent, tmp_path / "agent.safetensors")
    service = begun(agent)
    service.open(Opening(id="one", seed=1, alarm=alarm))
    for t in range(400):
        answer = service.tell("one", Told(step=t, observation=0))
    assert answer["tasks"][1] > 0
    service = begun(walkon.load(tmp_path / "agent.safetensors"))
    assert service.look("one")["answer"] == answer
    for t in range(400, 1000):
        answer = service.tell("one", Told(step=t, observation=1))
    assert math.log(answer["tasks"][0]) == pytest.approx(-200 * math.log(9), abs=1e-9)
    assert service.look("one")["unexplained"] == []
    assert service.replay("one")["exact"]


def test_a_fingerprint_tells_apart_what_is_too_small_to_be_shown(begun):
    service = begun(quick_agent("atpo", coins([[0.9, 0.1], [0.1, 0.9]])))
    service.open(Opening(id="one", seed=1))
    answers = [service.tell("one", Told(step=t, observation=0)) for t in range(500)]
    assert answers[-1]["tasks"] == answers[-2]["tasks"]
    assert answers[-1]["fingerprint"] != answers[-2]["fingerprint"]
