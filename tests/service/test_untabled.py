"""An agent without tables as a bundle and over the network."""

import math

import pytest

import walkon
from untabled_worlds import Lamp, Walk
from walkon import InputError, Percept
from walkon.service.messages import Opening, Told

LAMPS = walkon.define([Lamp("on"), Lamp("off")], tables=False)
WALKS = walkon.define([Walk(4), Walk(-4)], tables=False)


def saved(agent, tmp_path):
    walkon.save(agent, tmp_path / "agent.safetensors")
    return tmp_path / "agent.safetensors"


@pytest.mark.parametrize("name", ["search", "atpo"])
def test_a_bundle_and_its_rules_are_the_agent(name, tmp_path):
    options = {"simulations": 4, "depth": 3} if name == "search" else {}
    agent = walkon.agent(name, WALKS, prior=[0.3, 0.7], particles=7, hazard=0.1, seed=5, **options)
    again = walkon.load(saved(agent, tmp_path), walkon.define([Walk(-4), Walk(4)], tables=False))
    assert again.library.names == WALKS.names
    one, two = agent.start(), again.start()
    for z in (0, 1, 2):
        one, two = agent.update(one, "right", Percept(z)), again.update(two, "right", Percept(z))
        assert one.tasks.tolist() == two.tasks.tolist()
        assert one.states == two.states
        assert agent.act(one).tolist() == again.act(two).tolist()


def test_rules_are_never_in_a_bundle_and_have_to_be_the_same(tmp_path):
    path = saved(walkon.agent("search", LAMPS, simulations=4), tmp_path)
    assert b"press" not in path.read_bytes()
    with pytest.raises(InputError, match=r"its tasks \(on, off\) are rules, .* give their library too"):
        walkon.load(path)
    with pytest.raises(InputError, match='the rules of task "on" are not those that it was saved with'):
        walkon.load(path, walkon.define([Lamp("on", 0.1), Lamp("off", 0.1)], tables=False))
    walkon.save(LAMPS, tmp_path / "library.safetensors")
    assert walkon.load(tmp_path / "library.safetensors", LAMPS).hash == LAMPS.hash
    with pytest.raises(InputError, match="has no tables: save its library"):
        walkon.save(LAMPS[0], tmp_path / "task.safetensors")


def test_a_session_is_the_agent_and_is_resumed_to_the_last_bit(begun):
    agent = walkon.agent("search", LAMPS, simulations=6, particles=2)
    sessions = begun(agent)
    answer, memory = sessions.open(Opening(id="a", seed=3)), agent.start()
    seen = [["dark", 0], ["bright", 0], None, ["bright", 1]]
    for t, z in enumerate(seen):
        memory = agent.update(memory, answer["action"], Percept(None if z is None else tuple(z)))
        answer = sessions.tell("a", Told(step=t, observation=z))
        assert answer["tasks"] == memory.tasks.tolist()
        assert answer["probabilities"] == agent.act(memory).tolist()
    soft = Told(step=4, likelihood=[[["dark", 0], 2.0], [["bright", 0], 1.0]])
    memory = agent.update(memory, answer["action"], Percept(likelihood={("dark", 0): 1.0, ("bright", 0): 0.5}))
    answer = sessions.tell("a", soft)
    assert answer["tasks"] == memory.tasks.tolist()
    assert begun(agent).look("a")["answer"] == answer


@pytest.mark.filterwarnings("ignore::walkon.UnexplainedWarning")
def test_what_nothing_explains_is_named(begun):
    agent = walkon.agent("search", LAMPS, simulations=2)
    sessions = begun(agent)
    sessions.open(Opening(id="a", seed=3))
    answer = sessions.tell("a", Told(step=0, observation=["green", 0], action="wait"))
    assert not answer["explained"]
    assert sessions.look("a")["unexplained"] == [[0, 1, "(green, 0)"]]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"observation": [1, 2]}, "expected 4 whole numbers, as the rules have them"),
        ({"observation": "north"}, "expected 4 whole numbers, as the rules have them"),
        ({"likelihood": [0.5, 0.5]}, "expected pairs of an observation and its weight"),
        ({"likelihood": [[[0, 0, 0, 0], -1]]}, "a negative weight or none at all"),
        ({"state": 1}, "search does not sense it"),
    ],
)
def test_what_cannot_be_observed_is_refused(begun, told, said):
    sessions = begun(walkon.agent("search", walkon.make("night-pursuit", size=4, tables=False), simulations=2))
    sessions.open(Opening(id="a", seed=3))
    with pytest.raises(InputError, match=said):
        sessions.tell("a", Told(step=0, **told))
    with pytest.raises(InputError, match="an alarm keeps its promise only where"):
        sessions.open(Opening(id="b", alarm=0.05))


def test_a_clock_may_decide(begun):
    agent = walkon.agent("search", WALKS, seconds=0.002)
    sessions = begun(agent)
    answer = sessions.open(Opening(id="a", seed=3))
    for t in range(3):
        answer = sessions.tell("a", Told(step=t, observation=t))
    again = begun(agent).look("a")["answer"]
    assert (again["tasks"], again["action"]) == (answer["tasks"], answer["action"])
    assert math.isfinite(answer["surprise"])
