import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing

import numpy as np
import pytest

import walkon
from small_runs import small_trials
from walkon.runs.columns import pack, unpack
from walkon.runs.store import FILE, Result, Store

TRIALS = small_trials()


def outcome(trial, steps=3.0):
    return Result(trial.key, "hash", "a task", {"steps": steps, "tally": None}, pack({"states": np.arange(4)}))


def written(folder, trials=TRIALS):
    with Store(folder, write=True) as store:
        store.begin({"walkon": "test"}, {"seed": 0})
        store.add((trial, outcome(trial)) for trial in trials)


def test_what_was_added_is_there_in_the_order_that_is_asked_for(tmp_path):
    written(tmp_path)
    with Store(tmp_path) as store:
        assert store.finished() == {trial.key for trial in TRIALS}
        backwards = [trial.key for trial in reversed(TRIALS)]
        rows = list(store.rows([*backwards, "missing"]))
        assert [row.trial for row in rows] == TRIALS[::-1]
        assert rows[0].numbers == {"steps": 3.0, "tally": None}
        assert rows[0].columns["states"].tolist() == [0, 1, 2, 3]
        assert store.sessions() == {1: {"walkon": "test"}}
        assert store.settings() == {"seed": 0}


def test_a_trial_is_kept_once_and_the_first_stays(tmp_path):
    written(tmp_path)
    with Store(tmp_path, write=True) as store:
        store.begin({"walkon": "later"}, {"seed": 1})
        store.add([(TRIALS[0], outcome(TRIALS[0], steps=9.0))])
        (row,) = store.rows([TRIALS[0].key])
        assert (row.numbers["steps"], row.session) == (3.0, 1)
        assert store.settings() == {"seed": 1}


def test_trials_are_added_as_a_whole_or_not_at_all(tmp_path):
    with Store(tmp_path, write=True) as store:
        store.begin({}, {})

        def broken():
            yield TRIALS[0], outcome(TRIALS[0])
            yield TRIALS[1], outcome(TRIALS[1])._replace(episode=None)

        with pytest.raises(sqlite3.IntegrityError, match="NOT NULL"):
            store.add(broken())
        assert store.finished() == set()


def test_a_folder_without_results_is_named(tmp_path):
    with pytest.raises(walkon.InputError, match=r"has no results\.sqlite.*walkon reproduce"):
        Store(tmp_path)


def test_a_second_writer_is_told_so_and_a_reader_is_not_disturbed(tmp_path):
    written(tmp_path)
    with Store(tmp_path, write=True):
        with pytest.raises(walkon.InputError, match="another run is writing to"):
            Store(tmp_path, write=True)
        with Store(tmp_path) as reader:
            assert len(reader.finished()) == len(TRIALS)
    written(tmp_path)


def test_the_lock_of_a_killed_writer_is_gone(tmp_path):
    script = (
        "import os, signal, sys; from pathlib import Path; from walkon.runs.store import Store;"
        "Store(Path(sys.argv[1]), write=True).begin({}, {}); os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", script, tmp_path]).returncode == -9
    with Store(tmp_path, write=True) as store:
        assert len(store.sessions()) == 1


def test_a_damaged_file_is_named_and_left_as_it_is(tmp_path):
    written(tmp_path)
    path = tmp_path / FILE
    content = bytearray(path.read_bytes())
    content[5000:9000] = b"\xaa" * 4000
    path.write_bytes(content)
    for write in (False, True):
        with pytest.raises(walkon.InputError, match=r"results\.sqlite is damaged .*move it away"):
            Store(tmp_path, write=write)
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", [b"something else entirely, not a database", b"\x00" * 5000])
def test_a_file_that_is_no_database_is_named_and_left_as_it_is(tmp_path, content):
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(walkon.InputError, match=r"results\.sqlite is damaged"):
        Store(tmp_path, write=True)
    assert (tmp_path / FILE).read_bytes() == content


def test_results_of_another_version_are_refused(tmp_path):
    written(tmp_path)
    with sqlite3.connect(tmp_path / FILE) as base:
        base.execute("PRAGMA user_version = 99")
    base.close()
    with pytest.raises(walkon.InputError, match="version 99, expected 2"):
        Store(tmp_path)


def test_policies_are_kept_with_their_facts(tmp_path):
    facts = {"model": "abc", "problem": {"recipe": {"solver": "perseus"}}, "lower": 1.5}
    with Store(tmp_path, write=True) as store:
        store.begin({}, {})
        store.add_policy(facts)
        store.add_policy(facts)
        assert store.policies() == [facts]


DAMAGE = {
    "numbers": "UPDATE trials SET numbers = '{'",
    "numbers that are none": "UPDATE trials SET numbers = '[]'",
    "a trial": "UPDATE trials SET trial = '{'",
    "an episode": "UPDATE trials SET episode = x'00'",
    "provenance": "UPDATE sessions SET provenance = 'x'",
    "settings": "UPDATE settings SET value = ''",
    "policies": "INSERT INTO policies VALUES ('m', 'r', '{', 1)",
}


@pytest.mark.parametrize("case", DAMAGE)
def test_damaged_content_is_an_input_error_and_nothing_else(case, tmp_path):
    written(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as base:
        base.execute(DAMAGE[case])
        base.commit()

    def read(store):
        return list(store.rows([trial.key for trial in TRIALS])), store.sessions(), store.settings(), store.policies()

    with Store(tmp_path) as store, pytest.raises(walkon.InputError, match=r"damaged|cannot be read|not the record"):
        read(store)


def test_a_packed_episode_cannot_take_all_memory(monkeypatch):
    monkeypatch.setattr("walkon.runs.columns.LARGEST_EPISODE", 10_000)
    with pytest.raises(walkon.InputError, match="more than 10,000 bytes"):
        unpack(zlib.compress(bytes(1_000_000)))
    whole = pack({"states": np.arange(4)})
    assert unpack(whole)["states"].tolist() == [0, 1, 2, 3]
    for length in range(len(whole)):
        with pytest.raises(walkon.InputError, match="cannot be read"):
            unpack(whole[:length])


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(walkon.InputError, match=r"file/run cannot be made \(.*\): take another folder with --out"):
        Store(tmp_path / "file" / "run", write=True)


def test_a_file_that_cannot_be_opened_is_named_and_the_folder_is_released(tmp_path):
    (tmp_path / FILE).mkdir()
    for _ in range(2):
        with pytest.raises(walkon.InputError, match="unable to open database file: can it be read and written"):
            Store(tmp_path, write=True)
