"""What every agent keeps to."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest

import walkon
from random_libraries import quick_agent, random_library
from walkon import InputError, Percept, make, play, play_many
from walkon.agents.registry import AGENTS

LIBRARY = random_library(11, K=3, sizes=(3,), sparsity=0.0)


def build(name, library=LIBRARY):
    return quick_agent(name, library, target=1 if AGENTS[name].needs.informed else None)


@pytest.fixture(params=AGENTS)
def player(request):
    return build(request.param)


class Poison:
    """Something that nobody may touch."""

    def __getattr__(self, name):
        raise AssertionError(f"{name} of what it does not sense")

    def refuse(self, *_):
        raise AssertionError("touched what it does not sense")

    __index__ = __int__ = __float__ = __eq__ = __lt__ = __bool__ = __array__ = __iter__ = __len__ = refuse
    __hash__ = None


def poisoned(agent, percept):
    """The percept with everything that the agent does not sense turned into poison."""
    kept = {name: getattr(percept, name) for name in agent.senses}
    return Percept(**{name: kept.get(name, Poison()) for name in ("observation", "state", "teammates")})


def test_it_acts_by_a_distribution_and_changes_nothing_that_it_was_given(player):
    memory = player.start(Percept(state=0) if "state" in player.senses else None)
    before = memory.beliefs.copy()
    chances = player.act(memory)
    assert chances.shape == (2,)
    assert chances.sum() == pytest.approx(1)
    assert (chances >= 0).all()
    player.update(memory, 1, Percept(observation=1, state=1, teammates=1))
    assert memory.beliefs.tolist() == before.tolist()


def test_it_is_an_immutable_rule(player):
    name = fields(player)[0].name
    with pytest.raises(FrozenInstanceError):
        setattr(player, name, None)


def test_it_cannot_reach_what_it_does_not_sense(player):
    """Poison in every other field changes nothing and is not touched."""
    memory = poison = player.start(Percept(state=0) if "state" in player.senses else None)
    rng = np.random.default_rng(0)
    for _ in range(5):
        a, z, x, b = (int(i) for i in rng.integers([2, 3, 3, 2]))
        clean = Percept(
            observation=z if "observation" in player.senses else None,
            state=x if "state" in player.senses else None,
            teammates=b if "teammates" in player.senses else None,
        )
        memory = player.update(memory, a, clean)
        poison = player.update(poison, a, poisoned(player, clean))
        assert player.act(memory).tolist() == player.act(poison).tolist()


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


def test_the_same_seed_is_the_same_episode_alone_or_in_a_batch(player):
    alone = [play(LIBRARY[1], player, horizon=20, seed=s) for s in (3, 4)]
    batch = play_many(LIBRARY[1], player, [3, 4], horizon=20)
    for one, two in zip(alone, batch, strict=True):
        same(one, two)
    assert (
        alone[0].actions.tolist() != alone[1].actions.tolist() or alone[0].states.tolist() != alone[1].states.tolist()
    )


def same(one, two):
    for column in ("states", "actions", "teammate_actions", "observations", "rewards", "counts"):
        assert getattr(one, column).tolist() == getattr(two, column).tolist(), column
    assert (one.task_beliefs is None) == (two.task_beliefs is None)
    if one.task_beliefs is not None:
        assert one.task_beliefs.tobytes() == two.task_beliefs.tobytes()
    assert (one.steps, one.soups, one.events) == (two.steps, two.soups, two.events)


def elsewhere(name):
    return play(LIBRARY[1], build(name), horizon=20, seed=5)


def test_the_same_seed_is_the_same_episode_in_another_process():
    with ProcessPoolExecutor(1) as pool:
        for name in AGENTS:
            same(elsewhere(name), pool.submit(elsewhere, name).result())


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
    """Whoever forms the same beliefs over the same tasks understands them; others are refused, and none is misread."""
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


@pytest.mark.parametrize("name", [name for name in AGENTS if name not in ("random", "value-iteration")])
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
