"""Runs that are killed, starved of disk space, damaged or spread over workers: the tables come out the same.

The short form of each test runs a small part of a quick run; `make test-long` runs all of it, with twenty kills.
"""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from distributed import LocalCluster

from command_line import command, run, run_here
from conftest import LONG
from pressing import pressing
from waiting import PATIENCE
from walkon.runs.store import Store

WHAT = ["--quick"] if LONG else ["2a", "--quick", "--trials", "1"]
KILLS = 20 if LONG else 3
TIMED = ("4a", "4b", "timed", "timings")  # tables with times in them, or verdicts on times


@pytest.fixture
def own_policies(tmp_path, monkeypatch):
    """A folder of policies of one's own; compiled kernels stay where they are."""
    home = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    monkeypatch.setenv("NUMBA_CACHE_DIR", home)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def reproduce(folder, *options, **more):
    return run("reproduce", *WHAT, "--out", folder, *options, timeout=4 * PATIENCE, **more)


def tables(folder):
    found = {path.name: path.read_bytes() for path in sorted((folder / "tables").glob("*.csv"))}
    assert "trials.csv" in found
    return {name: text for name, text in found.items() if not any(word in name for word in TIMED)}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a run in two processes that nothing has disturbed, and the document that it printed."""
    folder = tmp_path_factory.mktemp("finished")
    done = reproduce(folder, "--jobs", 2, "--json")
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout)


@pytest.fixture(scope="module")
def undisturbed(finished):
    return tables(finished[0])


def test_the_tables_are_the_same_byte_for_byte_with_one_process_two_and_on_a_cluster(
    tmp_path, own_policies, undisturbed
):
    done = reproduce(tmp_path / "alone", "--jobs", 1)
    assert done.returncode == 0, done.stderr
    assert tables(tmp_path / "alone") == undisturbed
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", local_directory=tmp_path, silence_logs=50
    ) as local:
        done = reproduce(tmp_path / "dask", "--cluster", local.scheduler_address)
    assert done.returncode == 0, done.stderr
    assert tables(tmp_path / "dask") == undisturbed


def test_kills_at_random_instants_lose_nothing(tmp_path, own_policies, undisturbed):
    folder, chance = tmp_path / "run", random.Random(7)
    struck = 0
    while struck < KILLS:
        running = subprocess.Popen(
            command("reproduce", *WHAT, "--out", folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            running.communicate(timeout=chance.uniform(0.2, 12.0 if LONG else 4.0))
            shutil.rmtree(folder)  # it ended before it could be killed, so this one does not count
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()
            struck += 1
    done = reproduce(folder)
    assert done.returncode == 0, done.stderr
    assert tables(folder) == undisturbed


def test_an_interrupt_keeps_what_is_finished_and_says_so(tmp_path, own_policies):
    words = ["reproduce", *WHAT, "--out", tmp_path / "run"]
    done = subprocess.run(
        pressing("walkon.runs.store", "Store.add", *words, side="after"),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        start_new_session=True,
    )
    assert done.returncode == 130, done.stderr
    assert "what is finished is kept" in done.stderr
    assert "Traceback" not in done.stderr
    with Store(tmp_path / "run") as store:
        assert store.finished()


@pytest.fixture
def little_room(tmp_path, monkeypatch):
    """A folder without room for a run, and what to do to a process so that it feels it.

    A small file system of its own where mounting is allowed, else a limit on the size of a file.
    """
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # Python would cut off the bytecode that it keeps
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "walkon", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode == 0:
        yield folder, None, lambda: subprocess.run(["mount", "-o", "remount,size=64m", str(folder)], check=True)
        subprocess.run(["umount", str(folder)], check=True)
    else:

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, resource.RLIM_INFINITY))

        yield folder, limit, lambda: None


def test_a_full_disk_ends_the_run_with_one_message_and_the_next_call_resumes(
    tmp_path, own_policies, little_room, undisturbed
):
    folder, limit, make_room = little_room
    done = reproduce(folder, "--jobs", 1, preexec_fn=limit)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "make room" in done.stderr or "No space left" in done.stderr or "too large" in done.stderr
    make_room()
    again = reproduce(folder)
    assert again.returncode == 0, again.stderr
    assert tables(folder) == undisturbed


def test_a_damaged_database_is_named_and_not_touched(tmp_path, finished):
    shutil.copytree(finished[0], tmp_path, dirs_exist_ok=True)
    path = tmp_path / "results.sqlite"
    content = bytearray(path.read_bytes())
    content[4096:12288] = bytes(8192)
    path.write_bytes(content)
    for done in (reproduce(tmp_path), run("report", tmp_path)):
        assert done.returncode == 2
        assert "results.sqlite is damaged" in done.stderr
        assert "Traceback" not in done.stderr
    assert path.read_bytes() == content


def test_a_second_run_into_the_same_folder_is_refused(tmp_path, own_policies):
    with Store(tmp_path / "run", write=True):  # the first one, in this process
        second = reproduce(tmp_path / "run")
    assert second.returncode == 2
    assert "another run is writing to" in second.stderr


def test_a_quick_run_says_that_it_is_quick(finished):
    folder, document = finished
    assert document["settings"]["quick"] is True
    assert document["missing"] == 0
    assert Path(document["report"]).is_file()
    page = (folder / "report.html").read_text()
    assert "quick" in page


def test_a_dry_run_counts_what_is_missing_and_changes_nothing(finished, tmp_path):
    empty, full = (
        json.loads(run_here("reproduce", *WHAT, "--dry-run", "--json", "--out", folder).stdout)
        for folder in (tmp_path / "new", finished[0])
    )
    assert empty["trials"] > 0
    assert empty["problems"] > 0
    assert empty["kept"] == 0
    assert (full["trials"], full["problems"], full["kept"]) == (0, 0, empty["trials"])
    assert not (tmp_path / "new").exists()
