"""The contract of every agent: `walkon.testing.check_agent`, and more about memories and alarms."""

import copy
import pickle
from dataclasses import FrozenInstanceError, fields, replace

import pytest

import walkon
from random_libraries import quick_agent, random_library
from walkon import InputError, Percept, make, play
from walkon.agents.registry import AGENTS
from walkon.testing import check_agent

LIBRARY = random_library(11, K=3, sizes=(3,), sparsity=0.0)


def build(name, library=LIBRARY):
    return quick_agent(name, library, target=1 if AGENTS[name].needs.informed else None)


@pytest.fixture(params=AGENTS)
def player(request):
    return build(request.param)


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.usefixtures("shared_process")
def test_it_passes_the_check_for_agents(name):
    check_agent(name)


def test_it_is_an_immutable_rule(player):
    name = fields(player)[0].name
    with pytest.raises(FrozenInstanceError):
        setattr(player, name, None)


def test_the_simulator_hands_it_nothing_but_what_it_senses(player, monkeypatch):
    seen = []
    kind = type(player)
    update = kind.update
    monkeypatch.setattr(kind, "update", lambda self, m, a, p: seen.append(p) or update(self, m, a, p))
    play(LIBRARY[1], player, horizon=5)
    assert len(seen) == 5
    for percept in seen:
        given = {name for name, value in percept._asdict().items() if value is not None}
        assert given == set(player.senses)


def test_another_seed_is_another_episode(player):
    one, two = (play(LIBRARY[1], player, horizon=20, seed=seed) for seed in (3, 4))
    assert one.actions.tolist() != two.actions.tolist() or one.states.tolist() != two.states.tolist()


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("world", ["night-pursuit", "overcooked"])
def test_it_plays_in_worlds_that_are_seen_and_that_are_not(name, world):
    library = make(world, **({"size": 3, "tasks": 2} if world == "night-pursuit" else {"role": "cook"}))
    ready = quick_agent(name, library, target=1 if AGENTS[name].needs.informed else None)
    episode = play(library[1], ready, seed=1)
    assert len(episode.actions) == library[1].horizon
    assert (episode.task_beliefs is None) == (not ready.identifies)


ELSEWHERE = {  # other numbers of the same sizes, other states, more tasks, other actions and observations
    "same sizes": random_library(12, K=3, sizes=(3,), sparsity=0.0),
    "other states": random_library(13, K=3, sizes=(5,), sparsity=0.0),
    "more tasks": random_library(14, K=5, sizes=(3,), sparsity=0.0),
    "other everything": random_library(15, K=2, sizes=(7,), A=3, Z=4, sparsity=0.0),
}


def begun(agent):
    return agent.start(Percept(state=0) if "state" in agent.senses else None)


def refused(agent, memory):
    """It neither acts nor learns by a memory that is not its own, and says so."""
    with pytest.raises(InputError, match=r"agent\.start\(\)"):
        agent.act(memory)
    with pytest.raises(InputError, match=r"agent\.start\(\)"):
        agent.update(memory, 0, Percept(observation=0, state=0, teammates=0))


@pytest.mark.parametrize("where", ELSEWHERE)
def test_it_refuses_the_memories_of_all_agents_over_other_libraries(player, where):
    for name in AGENTS:
        other = build(name, ELSEWHERE[where])
        memory = begun(other)
        after = other.update(memory, 0, Percept(observation=0, state=0, teammates=0))
        refused(player, memory)
        refused(player, after)


def test_it_refuses_what_is_no_memory_of_its_kind(player):
    own = begun(player)
    for wrong in (None, 7, "memory", (), own.beliefs, tuple(own), own._replace(of=None), object()):
        refused(player, wrong)
    wandering = walkon.player(lambda history: 0, LIBRARY)
    refused(player, wandering.start())
    refused(wandering, own)
    refused(wandering, walkon.player(lambda history: 1, LIBRARY).start())


def test_it_takes_memories_of_the_same_library_or_none_at_all(player):
    """An agent accepts memories with the same beliefs over the same tasks and refuses others; none is misread."""
    own = begun(player)
    for name in AGENTS:
        memory = begun(build(name))
        if memory.of.what == own.of.what and memory.sizes == own.sizes:
            assert player.act(memory).shape == (2,)
            assert player.update(memory, 0, Percept(observation=0, state=0, teammates=0)).sizes == own.sizes
        else:
            refused(player, memory)


def test_it_takes_its_memories_back_from_a_file_another_process_and_a_copy(player, tmp_path):
    walkon.save(player, tmp_path / "agent.safetensors")
    loaded = walkon.load(tmp_path / "agent.safetensors")
    memory = player.update(begun(player), 1, Percept(observation=1, state=1, teammates=1))
    sent = pickle.loads(pickle.dumps(memory))
    assert len(pickle.dumps(memory)) < 5000
    for agent in (player, loaded, pickle.loads(pickle.dumps(player))):
        for each in (memory, sent, copy.deepcopy(memory)):
            assert agent.act(each).tolist() == player.act(memory).tolist()
            percept = Percept(observation=0, state=2, teammates=0)
            one, two = agent.update(each, 0, percept), player.update(memory, 0, percept)
            assert one.beliefs.tobytes() == two.beliefs.tobytes()
    for library in ELSEWHERE.values():
        refused(player, pickle.loads(pickle.dumps(begun(build(player.name, library)))))


@pytest.mark.parametrize("name", [name for name in AGENTS if AGENTS[name].senses == {"observation"}])
def test_with_an_alarm_it_refuses_memories_without_one_or_with_another(name):
    target = {"target": 1} if AGENTS[name].needs.informed else {}

    def watching(library, **options):
        return quick_agent(name, library, alarm=0.05, **target, **options)

    player = watching(LIBRARY)
    own = player.start()
    refused(player, build(name).start())
    for library in ELSEWHERE.values():
        refused(player, watching(library).start())
        refused(watching(library), own)
    refused(player, watching(LIBRARY, alternatives=[ELSEWHERE["more tasks"]]).start())
    refused(player, own._replace(suspicion=None))
    again = watching(LIBRARY)  # other objects, the same numbers
    assert again.update(own, 0, Percept(observation=0)).suspicion.observations == 1


@pytest.mark.parametrize("fallback", ["uniform", lambda memory: [1.0, 0.0]])
def test_after_an_alarm_it_is_as_careful(fallback):
    player = quick_agent("atpo", LIBRARY, alarm=0.05, fallback=fallback)
    for library in ELSEWHERE.values():
        memory = quick_agent("atpo", library, alarm=0.05).start()
        refused(player, memory._replace(suspicion=memory.suspicion._replace(alarm=1)))


def test_an_agent_with_another_prior_goes_on_with_the_same_memory():
    atpo = build("atpo")
    other = replace(atpo, inference=atpo.inference.with_prior([0.2, 0.3, 0.5]))
    memory = atpo.update(atpo.start(), 0, Percept(observation=0))
    assert other.update(memory, 0, Percept(observation=1)).of is memory.of
