"""Processes beside this one: no interrupt is lost while they are started, and none of them outlives its parent."""

import multiprocessing
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future

import psutil
import pytest

from waiting import PATIENCE, ended, until
from walkon.cli.show import keyboard
from walkon.processes import Workers, first_done, interrupts_held


@pytest.fixture
def pressed():
    """How often Ctrl-C was handled."""
    times = []
    before = signal.signal(signal.SIGINT, lambda *_: times.append(1))
    yield times
    signal.signal(signal.SIGINT, before)


def delivered(pressed):
    """How often it was handled, at the latest when another thread of this process that received it has had its turn."""
    until(lambda: pressed, "the interrupt is lost")
    return len(pressed)


def test_an_interrupt_is_held_until_the_end_of_the_block_and_delivered_then(pressed):
    with interrupts_held():
        os.kill(os.getpid(), signal.SIGINT)
        assert not pressed
    assert delivered(pressed) == 1


def test_it_is_held_even_if_another_thread_of_the_process_takes_it(pressed):
    free = threading.Event()
    other = threading.Thread(target=free.wait)
    other.start()
    with interrupts_held():
        signal.pthread_kill(other.ident, signal.SIGINT)
        for _ in range(1000):
            assert not pressed
    free.set()
    other.join()
    assert delivered(pressed) == 1


class Deaf:
    """Sends Ctrl-C while the main thread waits, in a way that does not wake it: to another thread of the process."""

    def __init__(self):
        self.done = threading.Event()

    def __enter__(self):
        self.before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.other = threading.Thread(target=self.done.wait)
        self.other.start()
        threading.Thread(target=self.send).start()

    def send(self):
        until(lambda: status(os.getpid()) == "S", "the main thread does not wait")
        signal.pthread_kill(self.other.ident, signal.SIGINT)

    def __exit__(self, *_):
        self.done.set()
        self.other.join()
        signal.signal(signal.SIGINT, self.before)


def status(thread):
    """What the system says of a thread: R for running, S for waiting."""
    with open(f"/proc/self/task/{thread}/stat") as file:
        return file.read().rsplit(")", 1)[1].split()[0]


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs Linux")
def test_a_wait_for_work_ends_with_an_interrupt_that_does_not_wake_it():
    never = Future()
    with pytest.raises(KeyboardInterrupt), Deaf():
        first_done([never])


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs Linux")
def test_a_wait_for_a_key_ends_with_an_interrupt_that_does_not_wake_it(monkeypatch):
    ours, theirs = pty.openpty()
    with open(theirs) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        with keyboard() as ask:
            with pytest.raises(KeyboardInterrupt), Deaf():
                ask(None)
            assert ask(0.3) == ""
            os.write(ours, b"q")
            assert ask(None) == "quit"
    os.close(ours)


def test_it_is_held_where_signals_cannot_be_blocked(pressed, monkeypatch):
    monkeypatch.delattr(signal, "pthread_sigmask")
    with interrupts_held():
        os.kill(os.getpid(), signal.SIGINT)
        assert not pressed
    assert delivered(pressed) == 1


def test_it_is_delivered_when_the_block_fails(pressed):
    def fail():
        with interrupts_held():
            os.kill(os.getpid(), signal.SIGINT)
            raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        fail()
    assert delivered(pressed) == 1


def test_blocks_may_be_nested_and_leave_everything_as_it_was(pressed):
    before = signal.getsignal(signal.SIGINT), signal.pthread_sigmask(signal.SIG_BLOCK, [])
    with interrupts_held():
        with interrupts_held():
            os.kill(os.getpid(), signal.SIGINT)
        assert not pressed
    assert delivered(pressed) == 1
    assert (signal.getsignal(signal.SIGINT), signal.pthread_sigmask(signal.SIG_BLOCK, [])) == before


def test_a_thread_that_handles_no_signals_may_start_processes(pressed):
    answers = []

    def work():
        with Workers(1) as pool:
            answers.append(pool.submit(signal.getsignal, signal.SIGINT).result())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert answers == [signal.SIG_IGN]
    os.kill(os.getpid(), signal.SIGINT)
    assert delivered(pressed) == 1


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_an_interrupt_while_a_worker_is_started_reaches_this_process_and_not_the_worker(method, pressed, monkeypatch):
    context = multiprocessing.get_context(method)
    start = context.Process.start

    def struck(process):
        os.kill(os.getpid(), signal.SIGINT)
        start(process)
        os.kill(process.pid, signal.SIGINT)
        assert not pressed

    monkeypatch.setattr(context.Process, "start", struck)
    with Workers(1, context) as pool:
        answer = pool.submit(signal.getsignal, signal.SIGINT)
        assert delivered(pressed)
        assert answer.result() == signal.SIG_IGN


def test_workers_that_are_killed_are_gone(pressed):
    pool = Workers(1)
    worker = psutil.Process(pool.submit(os.getpid).result())
    pool.submit(time.sleep, 1_000_000)
    pool.kill()
    assert ended(worker)


SOLVING = """
import walkon

if __name__ == "__main__":
    walkon.agent("atpo", walkon.make("pursuit"), solver=walkon.Perseus(tolerance=1e-12), jobs=2)
"""
WAITING = """
import time
from walkon.processes import Workers

if __name__ == "__main__":
    Workers(1).submit(time.sleep, 1_000_000).result()
"""


@pytest.mark.parametrize(("script", "count"), [(SOLVING, 2), (WAITING, 1)], ids=["forked", "spawned"])
def test_workers_end_when_their_parent_is_killed(script, count, tmp_path):
    """Found by what they use: a worker that is spawned has a tracker of resources beside it, which is not ours."""
    (tmp_path / "script.py").write_text(script)
    with subprocess.Popen([sys.executable, tmp_path / "script.py"]) as process:
        parent = psutil.Process(process.pid)
        until(lambda: process.poll() is not None or len(workers(parent)) == count, "no workers were started")
        orphans = workers(parent)
        process.kill()
        process.wait(PATIENCE)
    until(lambda: all(ended(each) for each in orphans), "workers outlive their parent")


def workers(parent):
    """The processes of a parent that watch it."""
    found = parent.children()
    return [each for each in found if each.num_threads() > 1 and "resource_tracker" not in " ".join(each.cmdline())]


UNGUARDED = """
import multiprocessing
multiprocessing.get_all_start_methods = lambda: ["spawn"]
import walkon
library = walkon.make("night-pursuit", size=3, tasks=2)
agent = walkon.agent("atpo", library, solver=walkon.Ascent(backups=50), jobs=2)
print(agent.act(agent.start()))
"""


def test_a_script_without_a_main_guard_is_warned_and_has_its_problems_solved(tmp_path):
    (tmp_path / "script.py").write_text(UNGUARDED)
    ran = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, text=True, timeout=PATIENCE)
    assert (ran.returncode, ran.stdout[:1]) == (0, "["), ran.stderr
    assert 'under `if __name__ == "__main__":`' in ran.stderr
