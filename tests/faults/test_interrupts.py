"""Ctrl-C at the very moment at which a process of one's own is started: it is neither lost nor a reason for a crash.

Before the start there is only the one process; after it, the new one has not executed a single instruction of ours.
"""

import json
import subprocess

import pytest

from pressing import pressing
from waiting import PATIENCE

SPAWNED = ("multiprocessing.popen_spawn_posix", "Popen._launch")
FORKED = ("multiprocessing.popen_fork", "Popen._launch")


def struck(moment, *words, **how):
    return subprocess.run(
        pressing(*moment, *words, **how), capture_output=True, text=True, timeout=PATIENCE, start_new_session=True
    )


@pytest.mark.parametrize("side", ["before", "after"])
def test_a_measurement_in_a_process_of_its_own_is_given_up(side):
    done = struck(SPAWNED, "bench", "--only", "building", "--json", side=side, n=2)
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert "stopping, and keeping the result so far" in done.stderr
    document = json.loads(done.stdout)
    assert not document["complete"]
    assert [row["states"] for row in document["sections"]["building"]] == [81]


@pytest.mark.parametrize("side", ["before", "after"])
def test_solving_in_processes_is_given_up(side):
    done = struck(FORKED, "play", "night-pursuit", "--size", 3, "--backups", 0, side=side)
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.split()[-1] == "interrupted"
    assert not done.stdout


@pytest.mark.parametrize("side", ["before", "after"])
def test_a_run_keeps_what_is_finished_and_says_so(side, tmp_path):
    words = ["reproduce", "3a", "--quick", "--trials", 1, "--jobs", 2, "--out", tmp_path]
    done = struck(SPAWNED, *words, side=side, n=2)
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert "what is finished is kept" in done.stderr
