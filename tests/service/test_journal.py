"""Journals: if the process or the disk fails, a session continues after its last answer."""

import errno
import json
import os
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import walkon
from random_libraries import quick_agent, random_library
from walkon.service.journal import Journals, digest_of
from walkon.service.messages import Opening, RefusalError, Told

STEPS = 6


def played(service, name="one", since=0, until=STEPS):
    """The answers to some steps."""
    told = [Told(step=t, observation=t * t % 3, action=t % 2) for t in range(since, until)]
    return [service.tell(name, each) for each in told]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "sessions" / "one.jsonl"


def test_a_session_goes_on_after_a_restart_to_the_last_bit(begun):
    undisturbed = begun(folder="undisturbed")
    expected = [undisturbed.open(Opening(id="one", seed=3, prior=[0.2, 0.3, 0.5], alarm=0.01)), *played(undisturbed)]
    service = begun()
    answers = [service.open(Opening(id="one", seed=3, prior=[0.2, 0.3, 0.5], alarm=0.01))]
    for t in range(STEPS):
        service = begun()
        assert service.list() == [{"session": "one", "step": t}]
        answers += played(service, since=t, until=t + 1)
    assert answers == expected
    assert begun().look("one")["answer"] == expected[-1]
    assert begun().replay("one")["exact"]


def test_a_last_line_that_breaks_off_anywhere_was_never_said(begun, path):
    service = begun()
    service.open(Opening(id="one", seed=3))
    answers = played(service)
    whole = path.read_bytes()
    ends = [i for i, byte in enumerate(whole) if byte == ord("\n")]
    for cut in range(ends[-3] + 1, len(whole), 11):
        path.write_bytes(whole[:cut])
        service = begun()
        steps = sum(end < cut for end in ends) - 1
        assert service.list() == [{"session": "one", "step": steps}]
        assert played(service, since=steps) == answers[steps:]
        assert path.read_bytes() == whole


def test_a_journal_of_another_agent_is_refused_in_words(begun, tmp_path):
    begun(digest="one agent").open(Opening(id="one"))
    with pytest.raises(walkon.InputError, match=r"one\.jsonl is the journal of another agent .*--journal"):
        begun(digest="another agent")
    assert begun(digest="one agent").list() == [{"session": "one", "step": 0}]


def test_the_digest_is_that_of_the_file(tmp_path):
    agent = quick_agent("atpo", random_library(3))
    for name in ("a", "b"):
        walkon.save(agent, tmp_path / name)
    walkon.save(quick_agent("bopa", random_library(3, sizes=(2,))), tmp_path / "c")
    assert digest_of(tmp_path / "a") == digest_of(tmp_path / "b") != digest_of(tmp_path / "c")


def test_two_services_do_not_write_to_one_folder(begun, tmp_path):
    begun()
    with pytest.raises(walkon.InputError, match=r"another service is writing to .*--journal"):
        Journals(tmp_path / "sessions", "a digest")


@pytest.mark.parametrize(
    "content", [b"", b"{}\n", b"[]\n", b"not JSON\n", b"\xff\n", b'{"format": "walkon session"}\n']
)
def test_a_file_that_is_no_journal_is_named(begun, path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(walkon.InputError, match=r"one\.jsonl is not a journal that this walkon can read: move it away"):
        begun()


def changed(path, number, change):
    """The journal with a line changed."""
    lines = path.read_text().splitlines()
    line = json.loads(lines[number])
    change(line)
    lines[number] = json.dumps(line)
    path.write_text("\n".join(lines) + "\n")


def test_an_answer_that_was_changed_is_found_by_the_replay(begun, path):
    service = begun()
    service.open(Opening(id="one", seed=3))
    played(service)
    changed(path, 4, lambda line: line["answer"].update(action=1 - line["answer"]["action"]))
    replay = begun().replay("one")
    assert not replay["exact"]
    assert replay["differs"] == 4


def test_a_past_that_was_changed_does_not_go_on(begun, path):
    service = begun()
    service.open(Opening(id="one", seed=3))
    service.open(Opening(id="two", seed=3))
    played(service)
    changed(path, 2, lambda line: line["told"].update(observation=2))
    service = begun()
    with pytest.raises(
        RefusalError, match="does not lead to the beliefs that it records at step 6: it was changed"
    ) as refused:
        service.look("one")
    assert refused.value.status == 500
    assert service.look("two")["answer"]["step"] == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_journal_is_refused_or_read(data, begun, path):
    """Any change of bytes after the first line leads to a refusal with an explanation."""
    if not path.exists():
        service = begun()
        service.open(Opening(id="one", seed=3))
        played(service)
        path.with_suffix(".good").write_bytes(path.read_bytes())
    content = bytearray(path.with_suffix(".good").read_bytes())
    heading = content.index(b"\n") + 1
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(heading, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    service = begun()
    for ask in (service.look, service.replay):
        with suppress(walkon.InputError):
            assert ask("one")["session"] == "one"


@pytest.mark.parametrize("fails", ["write", "fsync"])
def test_a_full_disk_is_said_so_and_nothing_was_done(fails, begun, path, monkeypatch):
    service = begun()
    service.open(Opening(id="one", seed=3))
    played(service, until=3)
    before = path.read_bytes()
    writing, written = os.write, []

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    def half(file, data):
        """Write some of it, then nothing."""
        if written:
            full()
        written.append(writing(file, data[:20]))
        return written[0]

    with monkeypatch.context() as context:
        if fails == "write":
            context.setattr(os, "write", half)
        else:
            context.setattr("walkon.service.journal._flushed", full)
        with pytest.raises(RefusalError, match=r"No space left on device.*nothing was done; make room") as refused:
            played(service, since=3, until=4)
    assert refused.value.status == 503
    assert path.read_bytes() == before
    answers = played(service, since=3)
    assert answers == played(begun(), since=3)
