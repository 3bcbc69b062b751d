import errno
import io
import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from safetensors import SafetensorError

import walkon
from walkon import caches, compiled
from walkon.caches import CacheWarning
from walkon.domains.classics import CLASSICS
from walkon.formats import policy_cache
from walkon.formats.policy_cache import PolicyCache, code_hash

TIGER = CLASSICS["tiger"]()
FEW = walkon.Perseus(backups=50, beliefs=30)


@dataclass(frozen=True)
class Counting:
    """A solver that knows how often it was asked."""

    backups: int = 1
    solves = walkon.POMDP
    asked = 0

    def solve(self, problem, *, seed=0, watch=None):
        type(self).asked += 1
        return FEW.solve(problem, seed=seed)


def test_a_problem_is_solved_once(tmp_path):
    cache, Counting.asked = PolicyCache(tmp_path), 0
    first, again = (cache.solve(TIGER, Counting()) for _ in range(2))
    assert (first.found, again.found, Counting.asked) == (False, True, 1)
    assert np.array_equal(first.solution.policy.vectors, again.solution.policy.vectors)
    assert first.solution.lower == again.solution.lower


def test_another_model_solver_option_or_seed_is_another_entry(tmp_path):
    cache = PolicyCache(tmp_path)
    other = walkon.POMDP(P=TIGER.P, O=TIGER.O, R=TIGER.R, start=TIGER.start, discount=0.9)
    paths = {
        cache.path(TIGER, FEW, 0),
        cache.path(other, FEW, 0),
        cache.path(TIGER, replace(FEW, backups=51), 0),
        cache.path(TIGER, FEW, 1),
        cache.path(TIGER, walkon.QMDP(), 0),
    }
    assert len(paths) == 5


def test_other_code_is_another_entry(tmp_path, monkeypatch):
    before = PolicyCache(tmp_path).path(TIGER, FEW, 0)
    monkeypatch.setattr(policy_cache, "code_hash", lambda: "changed")
    assert PolicyCache(tmp_path).path(TIGER, FEW, 0) != before


def test_the_code_hash_is_that_of_the_files():
    assert code_hash(("models",)) != code_hash(("policies",))
    assert code_hash() == code_hash.__wrapped__()


@pytest.mark.parametrize("damage", [b"", b"rubbish", None])
def test_a_damaged_entry_is_rebuilt(tmp_path, damage):
    cache = PolicyCache(tmp_path)
    whole = cache.solve(TIGER, FEW).solution
    path = cache.path(TIGER, FEW, 0)
    path.write_bytes(path.read_bytes()[:-9] if damage is None else damage)
    again = cache.solve(TIGER, FEW)
    assert not again.found
    assert np.array_equal(again.solution.policy.vectors, whole.policy.vectors)
    assert cache.solve(TIGER, FEW).found


def test_an_entry_of_another_kind_is_replaced(tmp_path):
    cache = PolicyCache(tmp_path)
    walkon.save(TIGER, cache.path(TIGER, FEW, 0))
    assert not cache.solve(TIGER, FEW).found
    assert cache.solve(TIGER, FEW).found


def test_the_folder_keeps_to_its_limit_and_forgets_what_was_not_used_for_longest(tmp_path):
    cache = PolicyCache(tmp_path)
    for seed in range(3):
        cache.solve(TIGER, FEW, seed=seed)
        os.utime(cache.path(TIGER, FEW, seed), (seed + 1, seed + 1))
    assert cache.solve(TIGER, FEW, seed=0).found  # used last
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    small = PolicyCache(tmp_path, limit=size + 500)  # the policies differ by some vectors
    small.solve(TIGER, FEW, seed=3)
    kept = [cache.path(TIGER, FEW, seed).exists() for seed in range(4)]
    assert kept == [True, False, True, True]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= size + 500


def test_what_the_clock_stopped_is_not_kept(tmp_path):
    cache = PolicyCache(tmp_path)
    hasty = walkon.Perseus(seconds=1e-6)
    assert not cache.solve(TIGER, hasty).found
    assert not cache.solve(TIGER, hasty).found


@pytest.fixture
def untold(monkeypatch):
    """No warning about a cache was given yet."""
    monkeypatch.setattr(caches, "_told", [])


def test_a_folder_that_cannot_be_written_costs_time_and_one_warning_and_nothing_else(tmp_path, untold):
    (tmp_path / "file").write_text("in the way")
    cache = PolicyCache(tmp_path / "file")
    with pytest.warns(CacheWarning, match="file cannot be used .*: walkon goes on"):
        assert cache.solve(TIGER, FEW).solution.lower is not None
    assert cache.solve(TIGER, FEW).solution.lower is not None  # and not a second time


@pytest.mark.parametrize(
    "problem", [OSError(errno.ENOSPC, "No space left on device"), SafetensorError("Error: IoError")]
)
def test_a_solution_that_finds_no_room_is_returned_all_the_same(tmp_path, untold, monkeypatch, problem):
    def fail(*arguments, **more):
        raise problem

    monkeypatch.setattr("walkon.formats.bundle.save_file", fail)
    with pytest.warns(CacheWarning):
        assert PolicyCache(tmp_path).solve(TIGER, FEW).solution.lower is not None
    assert list(tmp_path.iterdir()) == []


def test_a_stored_solution_is_found_in_a_folder_that_cannot_be_written(tmp_path, monkeypatch):
    cache = PolicyCache(tmp_path)
    cache.solve(TIGER, FEW)

    def read_only(*arguments, **more):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "utime", read_only)
    assert cache.solve(TIGER, FEW).found
    cache.path(TIGER, FEW, 0).write_bytes(b"damaged")
    monkeypatch.setattr("pathlib.Path.unlink", read_only)
    assert cache.find(TIGER, FEW) is None


def test_the_default_folder_is_the_users(tmp_path, monkeypatch, untold):
    monkeypatch.delenv(caches.PRIVATE, raising=False)
    monkeypatch.setattr("walkon.caches.user_cache_path", lambda name, appauthor: tmp_path / name)
    assert PolicyCache().folder == tmp_path / "walkon" / "policies"
    (tmp_path / "walkon" / "policies").rmdir()
    (tmp_path / "walkon" / "policies").write_text("in the way")
    with pytest.warns(CacheWarning, match="walkon cannot be used"):
        private = PolicyCache().folder
    assert private.is_dir()
    assert "walkon-cache-" in private.parent.name
    assert PolicyCache().folder == private == Path(os.environ[caches.PRIVATE], "policies")  # as in worker processes


def test_a_full_cache_folder_is_not_used(tmp_path, monkeypatch, untold):
    class Full(io.BytesIO):
        def write(self, data):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("walkon.caches.user_cache_path", lambda name, appauthor: tmp_path / name)
    monkeypatch.setattr("walkon.caches.tempfile.TemporaryFile", lambda **options: Full())
    monkeypatch.setenv(caches.PRIVATE, str(tmp_path / "private"))
    with pytest.warns(CacheWarning, match="No space left on device"):
        assert PolicyCache().folder == tmp_path / "private" / "policies"


def test_a_kernel_that_cannot_be_stored_is_compiled_all_the_same(tmp_path, monkeypatch, untold):
    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("numba.core.caching.FunctionCache.save_overload", full)
    monkeypatch.setattr("numba.core.caching.FunctionCache.load_overload", full)
    twice = compiled.kernel(double)
    with pytest.warns(CacheWarning, match="No space left on device"):
        assert twice(4) == 8


def double(x):
    """Return twice a number."""
    return 2 * x
