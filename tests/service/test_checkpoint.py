"""Checkpoints: a long session is resumed quickly, with the memory that it would have had, to the last bit."""

import json
import shutil
import threading

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import walkon
from exact_beliefs import coins
from random_libraries import quick_agent, random_library
from waiting import PATIENCE, until
from walkon.agents.registry import AGENTS
from walkon.service import checkpoint, lines, recomputing
from walkon.service import sessions as module
from walkon.service.checkpoint import Checkpoint, document_of, memory_of
from walkon.service.messages import Opening, RefusalError, Told

pytestmark = pytest.mark.filterwarnings("ignore::walkon.agents.memory.UnexplainedWarning")


@pytest.fixture
def often(monkeypatch):
    """A checkpoint every four steps, and nothing longer is recomputed while a request waits."""
    monkeypatch.setattr(recomputing, "EVERY", 4)
    monkeypatch.setattr(module, "AT_ONCE", 4)


@pytest.fixture
def gate(monkeypatch):
    """What is recomputed beside the requests waits until the gate is open."""
    gate, update = threading.Event(), walkon.agents.atpo.ATPO.update

    def waiting(agent, *arguments):
        if threading.current_thread().name.startswith("walkon-resuming"):
            assert gate.wait(PATIENCE)
        return update(agent, *arguments)

    monkeypatch.setattr("walkon.agents.atpo.ATPO.update", waiting)
    yield gate
    gate.set()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "sessions" / "one.jsonl"


def bits(value):
    """A memory, or a part of it, as something that is equal only to the last bit."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, tuple):
        return tuple(bits(each) for each in value)
    return float(value).hex() if isinstance(value, float) else value


def memory(service, name="one"):
    service.look(name)
    return service._sessions[name].state.decision.memory


def same(ours, theirs):
    """Whether two memories are the same; those of two agents of one library differ in the object that marks them."""

    def unmarked(memory):
        doubt = memory.suspicion
        return memory._replace(of=None, suspicion=None if doubt is None else doubt._replace(of=None))

    return bits(unmarked(ours)) == bits(unmarked(theirs))


def told(agent, t):
    """Any step, some without an observation, some with a soft one."""
    fields = {}
    if "observation" in agent.senses and t % 7 != 3:
        fields = {"likelihood": [0.5, 0.25, 1.0]} if t % 5 == 4 else {"observation": t * t % 3}
    if "state" in agent.senses:
        fields = {"state": t % 3}
    if "teammates" in agent.senses:
        fields |= {"teammates": t % 2}
    return Told(step=t, action=t % 2, **fields)


@pytest.mark.parametrize("name", AGENTS)
def test_the_memory_of_a_resumed_session_is_the_same_to_the_last_bit(name, begun, often):
    options = {"target": 1} if AGENTS[name].needs.informed else {"budget": 3} if name == "atpo-search" else {}
    agent = quick_agent(name, random_library(3, sizes=(3,)), **options)
    opening = {"id": "one", "seed": 3} | ({"state": 0} if "state" in agent.senses else {})
    if agent.senses == {"observation"} and isinstance(agent, walkon.BeliefAgent):
        opening |= {"alarm": 0.01}
    calm, service = begun(agent, folder="calm"), begun(agent)
    calm.open(Opening(**opening))
    service.open(Opening(**opening))
    for t in range(15):
        service = begun(agent)
        answer = service.tell("one", told(agent, t))
        assert answer == calm.tell("one", told(agent, t))
        assert same(memory(begun(agent)), memory(calm))
    assert begun(agent).replay("one")["exact"]


@pytest.mark.parametrize("alarm", [None, 1e-300])
def test_weights_too_small_for_floats_are_restored_with_their_powers_of_two(alarm, begun, often):
    agent = quick_agent("atpo", coins([[0.9, 0.1], [0.1, 0.9]]))
    service = begun(agent)
    service.open(Opening(id="one", seed=1, alarm=alarm))
    for t in range(400):
        service.tell("one", Told(step=t, observation=0))
    before = memory(service)
    assert before.log_tasks[1] < -800  # far below the smallest float
    assert same(memory(begun(agent)), before)


def test_events_are_kept_in_a_number_that_does_not_grow(begun, often, monkeypatch):
    monkeypatch.setattr("walkon.service.decision.MOST_EVENTS", 3)
    blind = walkon.POMDP(P=[np.eye(2)] * 2, O=[[[1, 0], [1, 0]]] * 2, R=np.zeros((2, 2)), discount=0.5)
    agent = quick_agent("atpo", walkon.TaskLibrary([walkon.Task.from_pomdp(blind, name="blind")]))
    service = begun(agent)
    service.open(Opening(id="one", seed=0))
    for t in range(6):
        service.tell("one", Told(step=t, action=1, observation=1))
    assert service.look("one")["unexplained"] == [[3, 1, 1], [4, 1, 1], [5, 1, 1]]
    assert same(memory(begun(agent)), memory(service))
    assert service.replay("one")["exact"]


@pytest.fixture
def updates(monkeypatch):
    """The updates that agents make."""
    made = []
    update = type(quick_agent("atpo", random_library(3))).update

    def counted(*arguments):
        made.append(1)
        return update(*arguments)

    monkeypatch.setattr("walkon.agents.atpo.ATPO.update", counted)
    return made


def played(service, steps, name="one"):
    service.open(Opening(id=name, seed=3))
    for t in range(steps):
        answer = service.tell(name, Told(step=t, observation=t * t % 3))
    return answer


def test_only_the_steps_after_the_last_checkpoint_are_recomputed(begun, often, updates):
    answer = played(begun(), 39)
    del updates[:]
    assert begun().look("one")["answer"] == answer
    assert len(updates) == 3


def test_without_its_checkpoint_a_session_is_recomputed_from_its_start_and_writes_new_ones(begun, often, path, gate):
    service = begun()
    answer = played(service, 20)
    path.with_suffix(".checkpoint").unlink()
    service = begun()
    with pytest.raises(RefusalError, match=r'"one" is being recomputed .*of 20\): send it again') as refused:
        service.look("one")
    assert (refused.value.status, refused.value.retry_after) == (503, 1)
    gate.set()
    until(lambda: service._sessions["one"].resuming[1].done(), "it is never done")
    assert service.look("one")["answer"] == answer
    assert Checkpoint.read(path.with_suffix(".checkpoint")).step == 20


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_checkpoint_that_is_damaged_anywhere_is_not_used(data, begun, path, monkeypatch):
    monkeypatch.setattr(recomputing, "EVERY", 4)
    place = path.with_suffix(".checkpoint")
    if not place.with_suffix(".good").exists():
        played(begun(), 10)
        shutil.copy(place, place.with_suffix(".good"))
    content = bytearray(place.with_suffix(".good").read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    place.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    assert Checkpoint.read(place) is None
    assert begun().look("one")["answer"]["step"] == 10


def test_a_checkpoint_of_another_session_or_place_is_not_used(begun, path, monkeypatch, updates):
    monkeypatch.setattr(recomputing, "EVERY", 4)
    service = begun()
    answer = played(service, 10)
    service.open(Opening(id="two", seed=3))
    for t in range(10):
        service.tell("two", Told(step=t, observation=2))
    ours = Checkpoint.read(path.with_suffix(".checkpoint"))
    others = Checkpoint.read(path.with_name("two.checkpoint"))
    for wrong in (
        others,
        others._replace(place=ours.place),
        ours._replace(step=4),
        ours._replace(place=ours.place - 1),
        ours._replace(place=10**9),
        ours._replace(place=-1),
        ours._replace(memory={}),
        ours._replace(memory=ours.memory | {"suspicion": {}}),
    ):
        wrong.write(path.with_suffix(".checkpoint"))
        del updates[:]
        assert begun().look("one")["answer"] == answer
        assert len(updates) == 10


def test_beliefs_that_no_kernel_may_be_given_are_refused():
    agent = quick_agent("atpo", random_library(3, sizes=(3,)))
    first = agent.start()
    document = document_of(first)
    assert same(memory_of(document, agent, first), first)
    K = len(first.sizes)
    for change in (
        lambda packed: packed[:-1],
        lambda packed: packed[:2],
        lambda packed: np.array([]),
        lambda packed: np.where(np.arange(len(packed)) == 2 * K, -1.0, packed),
        lambda packed: np.where(np.arange(len(packed)) == 3 * K - 1, 1e9, packed),
        lambda packed: np.where(np.arange(len(packed)) == 3 * K, 3.0, packed),
        lambda packed: np.where(np.arange(len(packed)) == 3 * K, 0.5, packed),
        lambda packed: np.where(np.arange(len(packed)) == 3 * K + 1, np.nan, packed),
        lambda packed: np.where(np.arange(len(packed)) == 2 * K, np.inf, packed),
    ):
        changed = document_of(first._replace(beliefs=change(first.beliefs)))
        assert memory_of(changed, agent, first) is None


def test_a_checkpoint_that_cannot_be_written_does_not_matter(begun, often, monkeypatch):
    service = begun()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Checkpoint, "write", full)
    assert played(service, 9)["step"] == 9


def test_a_closed_session_leaves_no_checkpoint_for_the_next_of_its_name(begun, often, path):
    service = begun()
    played(service, 9)
    shutil.copy(path.with_suffix(".checkpoint"), path.with_name("lost.checkpoint"))
    service.close("one")
    assert not path.with_suffix(".checkpoint").exists()
    begun()
    assert not path.with_name("lost.checkpoint").exists()


def test_a_session_goes_on_past_ten_thousand_steps(begun, monkeypatch):
    monkeypatch.setattr("walkon.service.journal._flushed", lambda file: None)
    agent = quick_agent("random", random_library(3))
    service = begun(agent)
    service.open(Opening(id="one", seed=1))
    answers = [service.tell("one", Told(step=t)) for t in range(10_300)]
    service = begun(agent)
    assert service.list() == [{"session": "one", "step": 10_300}]
    assert service.tell("one", Told(step=10_300))["step"] == 10_301
    looked_at = []
    reading = lines.document_in
    monkeypatch.setattr(lines, "document_in", lambda line: looked_at.append(1) or reading(line))
    for step in (0, 5, 5_000, 10_299):
        del looked_at[:]
        assert service.tell("one", Told(step=step)) == answers[step]
        assert len(looked_at) < 40  # and not ten thousand


def test_a_session_that_is_recomputed_can_be_closed_and_others_are_served(begun, often, path, gate):
    service = begun()
    played(service, 20)
    played(service, 3, name="two")
    path.with_suffix(".checkpoint").unlink()
    service = begun()
    service.look("two")
    for _ in range(8):  # as a client that asks again and again
        with pytest.raises(RefusalError, match=r"step 0 of 20"):
            service.tell("one", Told(step=20))
    assert service.tell("two", Told(step=3))["step"] == 4
    assert service.list() == [{"session": "one", "step": 20}, {"session": "two", "step": 4}]
    assert service.close("one")["closed"]
    gate.set()
    service.stop()
    assert not path.with_suffix(".checkpoint").exists()
    assert [each["session"] for each in begun().list()] == ["two"]


def test_a_long_session_that_is_damaged_says_so_each_time(begun, often, path, gate):
    played(begun(), 20)
    path.with_suffix(".checkpoint").unlink()
    content = path.read_text().splitlines()
    content[3] = json.dumps(json.loads(content[3]) | {"told": {"step": 2, "observation": 0}})
    path.write_text("\n".join(content) + "\n")
    service = begun()
    with pytest.raises(RefusalError, match="being recomputed"):
        service.look("one")
    gate.set()
    until(lambda: service._sessions["one"].resuming[1].done(), "it is never done")
    for _ in range(2):
        with pytest.raises(RefusalError, match="does not lead to the beliefs that it records at step 20"):
            service.look("one")


def test_a_checkpoint_is_a_file_without_code():
    assert checkpoint.EVERY <= 1000  # resuming stays short
    agent = quick_agent("atpo", random_library(3))
    json.loads(json.dumps(document_of(agent.start()), allow_nan=False))
