"""Journals: if the process or the disk fails, a session continues after its last answer."""

import errno
import gzip
import json
import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import walkon
from random_libraries import quick_agent, random_library
from walkon.service.journal import Journals, digest_of
from walkon.service.messages import Opening, RefusalError, Told
from walkon.service.sessions import Sessions

STEPS = 6
OLD = Path(__file__).parents[1] / "old_files"


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
    "content",
    [
        b"",
        b"{}\n",
        b"[]\n",
        b"not JSON\n",
        b"\xff\n",
        b"\0" * 4096,
        b'{"format": "walkon session"}\n',
        b'{"format": "wal',
    ],
)
def test_a_file_that_is_no_journal_refuses_its_own_session_alone_and_is_left_as_it_is(begun, path, content):
    begun().open(Opening(id="two", seed=1))
    path.write_bytes(content)
    service = begun()
    assert service.tell("two", Told(step=0, observation=1))["step"] == 1
    assert service.list() == [{"session": "two", "step": 1}]
    assert service.refused == ["one"]
    for ask in (service.look, service.replay, service.close, lambda name: service.open(Opening(id=name))):
        with pytest.raises(RefusalError, match=r"one\.jsonl is not a journal that this walkon can read: move it away"):
            ask("one")
    assert path.read_bytes() == content
    path.unlink()
    assert service.open(Opening(id="one"))["step"] == 0  # it was moved away: the name is free


def test_a_journal_under_another_name_says_whose_it_is(begun, path):
    service = begun()
    service.open(Opening(id="one", seed=1))
    path.rename(path.with_name("two.jsonl"))
    service = begun()
    with pytest.raises(RefusalError, match=r"two\.jsonl is the journal of session 'one': give it the name"):
        service.look("two")


def test_a_journal_that_cannot_be_opened_refuses_its_own_session_alone(begun, path):
    begun().open(Opening(id="two", seed=1))
    path.mkdir()
    service = begun()
    assert service.look("two")["answer"]["step"] == 0
    with pytest.raises(RefusalError, match=r"one\.jsonl cannot be used \(Is a directory\)"):
        service.look("one")


def test_a_damaged_lock_is_put_aside(begun, path):
    begun().open(Opening(id="one", seed=1))
    begun(folder="other")  # gives the folder free
    (path.parent / "serving.lock").write_bytes(b"noise" * 1000)
    assert begun().list() == [{"session": "one", "step": 0}]
    assert (path.parent / "serving.lock.damaged").read_bytes() == b"noise" * 1000
    with pytest.raises(walkon.InputError, match=r"another service is writing to .*--journal"):
        Journals(path.parent, "a digest")


def test_drafts_that_a_killed_service_left_are_removed(begun, path):
    begun().open(Opening(id="one", seed=1))
    (path.parent / ".walkon-0123456789abcdef.draft").write_text("half")
    begun()
    assert not list(path.parent.glob(".walkon-*"))


def test_a_journal_that_is_gone_is_said_to_be_gone_and_its_session_can_be_closed(begun, path):
    service = begun()
    service.open(Opening(id="one", seed=1))
    path.unlink()
    with pytest.raises(RefusalError, match=r"one\.jsonl is gone: nothing was done; put it back, or close") as refused:
        service.tell("one", Told(step=0))
    assert refused.value.status == 500
    assert service.close("one") == {"session": "one", "closed": True}
    assert service.list() == []


@pytest.mark.parametrize("struck", ["utime", "replace", "fsync"])
def test_a_closing_that_failed_is_not_done_until_it_is(struck, begun, path, monkeypatch):
    service = begun(most=1)
    service.open(Opening(id="one", seed=1))

    def broken(*_, **__):
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as context:
        context.setattr(os, struck, broken)
        with pytest.raises(RefusalError, match=r"Input/output error.*nothing was done.*send this again") as refused:
            service.close("one")
        assert refused.value.status == 503
    if struck != "fsync":  # it is open as before, also after a restart
        assert service.tell("one", Told(step=0, observation=1))["step"] == 1
        service = begun(most=1)
        assert service.list() == [{"session": "one", "step": 1}]
    assert service.close("one") == {"session": "one", "closed": True}
    assert path.with_suffix(".closed").exists()
    assert service.open(Opening(id="two"))["step"] == 0  # its place is free


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


def test_a_journal_that_an_older_walkon_wrote_goes_on(tmp_path):
    """Written at commit 220f5d9, with the agent of `tests/old_files/atpo.safetensors`."""
    bundle = tmp_path / "atpo.safetensors"
    bundle.write_bytes(gzip.decompress((OLD / "atpo.safetensors.gz").read_bytes()))
    (tmp_path / "sessions").mkdir()
    shutil.copy(OLD / "robot-7.jsonl", tmp_path / "sessions")
    journals = Journals(tmp_path / "sessions", digest_of(bundle))
    service = Sessions(walkon.load(bundle), journals)
    last = json.loads((OLD / "robot-7.jsonl").read_text().splitlines()[-1])["answer"]
    assert service.look("robot-7")["answer"] == last
    assert service.tell("robot-7", Told(step=12, observation=0))["step"] == 13
    assert service.replay("robot-7")["exact"]
    journals.close()
