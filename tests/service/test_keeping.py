"""Old journals of closed sessions are removed; those of open sessions never are."""

import os
import time

import pytest

from walkon.service import journal
from walkon.service.messages import Opening, RefusalError, Told


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "sessions"


def aged(path, days):
    """As if it had been written so many days ago."""
    then = time.time() - 86_400 * days
    os.utime(path, (then, then))


def closed(service, *names):
    for name in names:
        service.open(Opening(id=name, seed=1))
        service.tell(name, Told(step=0, observation=1))
        service.close(name)


def kept(folder):
    return {path.name for path in folder.iterdir() if not path.name.startswith(journal.LOCK)}


def test_closed_ones_that_are_old_go_at_the_next_start(begun, folder):
    closed(begun(), "a", "b")
    aged(folder / "a.closed", 31)
    aged(folder / "b.closed", 29)
    assert kept(folder) == {"a.closed", "b.closed"}
    begun()
    assert kept(folder) == {"b.closed"}
    begun(keep_days=28)
    assert kept(folder) == set()


def test_closed_ones_that_are_old_go_when_another_is_closed(begun, folder, monkeypatch):
    service = begun()
    closed(service, "a")
    aged(folder / "a.closed", 31)
    closed(service, "b")
    assert kept(folder) == {"a.closed", "b.closed"}  # it looked through the folder a moment ago
    monkeypatch.setattr(journal, "AGAIN", 0.0)
    closed(service, "c")
    assert kept(folder) == {"b.closed", "c.closed"}


def test_an_open_session_is_never_removed_and_goes_on_to_the_last_bit(begun, folder):
    service = begun()
    service.open(Opening(id="open", seed=1))
    answer = service.tell("open", Told(step=0, observation=1))
    closed(service, "done")
    for name in ("open.jsonl", "done.closed"):
        aged(folder / name, 10_000)
    service = begun(keep_days=0)
    assert kept(folder) == {"open.jsonl"}
    assert service.look("open")["answer"] == answer
    assert service.replay("open")["exact"]


def test_a_session_that_waited_long_is_kept_from_when_it_was_closed(begun, folder):
    service = begun()
    service.open(Opening(id="patient", seed=1))
    aged(folder / "patient.jsonl", 10_000)
    service.close("patient")
    begun()
    assert kept(folder) == {"patient.closed"}


def test_a_closing_that_is_sent_again_is_answered_as_before_even_if_nothing_is_to_be_kept(begun, folder):
    service = begun(keep_days=0)
    closed(service, "one")
    service = begun(keep_days=0)
    assert service.close("one") == {"session": "one", "closed": True}
    aged(folder / "one.closed", 0.01)
    service = begun(keep_days=0)
    assert kept(folder) == set()
    with pytest.raises(RefusalError, match="it was closed, or never opened"):
        service.close("one")
    assert service.open(Opening(id="one", seed=2))["step"] == 0  # its name is free


@pytest.mark.parametrize(
    ("struck", "left"), [("replace", "open.jsonl"), ("fsync", "open.closed"), ("unlink", "open.closed")]
)
def test_an_end_in_between_loses_nothing(struck, left, begun, folder, monkeypatch):
    """Whichever call is the last that the process makes: the session is open as it was, or closed."""
    service = begun()
    service.open(Opening(id="open", seed=1))
    closed(service, "old", "older")
    for name in ("old.closed", "older.closed", "open.jsonl"):
        aged(folder / name, 10_000)

    class Killed(BaseException):
        pass

    def kill(*_, **__):
        raise Killed

    with monkeypatch.context() as context:
        context.setattr(os, struck, kill)
        context.setattr(journal, "AGAIN", 0.0)  # it looks through the folder at every closing
        with pytest.raises(Killed):
            service.close("open")
    service = begun()
    assert kept(folder) == {left}
    if left.endswith(journal.OPEN):
        assert service.replay("open")["exact"]
    assert service.close("open") == {"session": "open", "closed": True}


def test_what_is_no_journal_is_left_alone(begun, folder):
    folder.mkdir()
    (folder / "shop.closed").write_text("until Monday")
    aged(folder / "shop.closed", 10_000)
    begun(keep_days=0)
    assert kept(folder) == {"shop.closed"}


def test_a_journal_that_was_closed_before_the_clock_was_set_is_kept_from_now_on(begun, folder):
    closed(begun(), "one")
    os.utime(folder / "one.closed", (5.0, 5.0))  # 1970
    begun(keep_days=1)
    assert kept(folder) == {"one.closed"}
    assert time.time() - (folder / "one.closed").stat().st_mtime < 86_400
    aged(folder / "one.closed", 2)
    begun(keep_days=1)
    assert kept(folder) == set()


def test_a_clock_that_is_set_ahead_while_the_service_runs_removes_nothing(begun, folder, monkeypatch):
    service = begun()
    closed(service, "one")
    monkeypatch.setattr(journal, "AGAIN", 0.0)  # it looks through the folder at every closing
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 86_400 * 31)
    closed(service, "two")
    assert kept(folder) == {"one.closed", "two.closed"}


def test_open_sessions_stay_open_unless_they_may_be_idle_for_so_long_only(begun, monkeypatch):
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    service = begun(most=2, idle=3600.0)
    for name in ("a", "b"):
        service.open(Opening(id=name, seed=1))
    now += 3000
    service.tell("b", Told(step=0, observation=1))
    with pytest.raises(RefusalError, match="there are 2 sessions"):
        service.open(Opening(id="c"))
    now += 700
    service.open(Opening(id="c"))
    assert [each["session"] for each in service.list()] == ["b", "c"]
    with pytest.raises(RefusalError, match="that session has been closed"):
        service.open(Opening(id="a"))
    service = begun(most=2)
    now += 10_000_000
    with pytest.raises(RefusalError, match="there are 2 sessions"):  # no limit was asked for
        service.open(Opening(id="d"))
    assert service.look("b")["answer"]["step"] == 1
