"""Before memory runs out, there is a sentence."""

import resource
import subprocess
import sys

import numpy as np
import pytest

import walkon
from walkon import InputError, memory
from walkon.policies.mixture import QValues
from walkon.solvers.points.closing import warm_up

LEFT = r"GiB of memory, and 0\.0 GiB are left: "


@pytest.fixture
def nothing_left(monkeypatch):
    """A machine whose memory is used up, and on which even small arrays are checked."""
    monkeypatch.setattr(memory, "memory_left", lambda: 0)
    monkeypatch.setattr(memory, "SMALL", 0)


def test_what_is_left_is_between_nothing_and_all_of_the_machine():
    left = memory.memory_left()
    assert left is None or 2**20 < left < 2**50


def test_the_least_of_the_limits_counts(monkeypatch, tmp_path):
    files = {
        "/proc/meminfo": "MemTotal: 9 kB\nMemAvailable:   8000 kB\n",
        "/proc/self/cgroup": "0::/outer/inner\n",
        "/sys/fs/cgroup/outer/inner/memory.max": "max\n",
        "/sys/fs/cgroup/outer/inner/memory.current": "5000\n",
        "/sys/fs/cgroup/outer/memory.max": "7000\n",
        "/sys/fs/cgroup/outer/memory.current": "6000\n",
        "/sys/fs/cgroup/outer/memory.stat": "anon 1\ninactive_file 300\n",
    }
    monkeypatch.setattr(memory, "_read", lambda path: files.get(path, ""))
    assert memory.memory_left() == 1300
    files["/sys/fs/cgroup/outer/memory.max"] = "max\n"
    assert memory.memory_left() == 8000 * 1024
    monkeypatch.setattr(resource, "getrlimit", lambda _: (10 * resource.getpagesize(), -1))
    files["/proc/self/statm"] = "7 5 3\n"
    assert memory.memory_left() == 3 * resource.getpagesize()


def test_a_system_that_does_not_tell_refuses_nothing(monkeypatch):
    monkeypatch.setattr(memory, "_read", lambda path: "")
    monkeypatch.setattr(memory.os, "sysconf", lambda name: (_ for _ in ()).throw(ValueError))
    assert memory.memory_left() is None
    memory.check_memory(1e18, "everything", "take less")


def test_a_library_is_refused_before_it_is_built(nothing_left):
    with pytest.raises(InputError, match=rf"a library with 324 states in all would take .*{LEFT}take fewer tasks"):
        walkon.make("night-pursuit", size=3)


def test_own_rules_are_refused_after_the_first_matrix(nothing_left):
    rules = walkon.Rules(range(50), ["on"], ["stay"], lambda x, a, b: [(x, 1.0)], lambda x, a, b, y: 0.0)
    with pytest.raises(InputError, match=rf"the 1 matrices over 50 states would take .*{LEFT}take fewer states"):
        rules.mdp(lambda x: [("stay", 1.0)])


@pytest.mark.parametrize("solver", [walkon.Ascent(backups=5), walkon.Sarsop(backups=5), walkon.Perseus(beliefs=5)])
def test_a_solver_refuses_what_does_not_fit(solver, monkeypatch):
    problem = walkon.make("night-pursuit", size=3, tasks=1)[0].pomdp
    warm_up(walkon.Ascent(backups=20))
    monkeypatch.setattr(memory, "memory_left", lambda: 1000)
    monkeypatch.setattr(memory, "SMALL", 0)
    with pytest.raises(InputError, match=rf"vectors.* would take .*{LEFT}solve with fewer"):
        walkon.solve(problem, solver)


def test_a_solver_that_runs_out_of_memory_says_so(monkeypatch):
    def solve(self, problem, **_):
        raise MemoryError("Unable to allocate 17.6 GiB")

    monkeypatch.setattr(walkon.Ascent, "solve", solve)
    problem = walkon.make("night-pursuit", size=3, tasks=1)[0].pomdp
    with pytest.raises(InputError, match=r"not enough memory to solve POMDP\(81 states.*17\.6 GiB; take fewer backups"):
        walkon.solve(problem, walkon.Ascent())


def test_agents_refuse_the_values_of_too_many_plans(nothing_left):
    policy = walkon.AlphaVectors(np.zeros((3, 2)), [0, 1, 1], 2)
    still = walkon.POMDP([np.eye(2)] * 2, [np.eye(2)] * 2, np.zeros((2, 2)))
    with pytest.raises(InputError, match=rf"q-values of all plans.*{LEFT}solve with fewer backups, or take an agent"):
        _ = QValues([policy], [still]).columns


def test_a_process_with_a_limit_is_refused_in_a_sentence_and_not_killed():
    code = (
        "import resource, numpy as np, walkon\n"
        "from walkon.policies.vector_blocks import VectorBlocks\n"
        "X = 30_000\n"
        "blocks = VectorBlocks.of([[x] for x in range(X)], [1] * X, np.ones((X, 1, 1)), np.zeros(X))\n"
        "policy = walkon.AlphaVectors(blocks, [0] * X, 1)\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + 2**30,) * 2)\n"
        "try:\n    policy.vectors\nexcept walkon.InputError as told:\n    print(told)\n"
    )
    if not sys.platform.startswith("linux"):
        pytest.skip("needs /proc")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "the matrix of 30,000 vectors over 30,000 states would take 6.7 GiB" in done.stdout
