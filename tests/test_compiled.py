"""Compiling: said once, by one process at a time, and never a reason to wait for ever."""

import os
import subprocess
import sys

import numba
import pytest

import walkon
from command_line import python
from waiting import PATIENCE
from walkon import compiled
from walkon.domains.classics import tiger

CHOOSE = """
import sys
import numpy as np
from walkon.compiled import compiled_count
from walkon.models.chance_kernels import choose

print("ready", flush=True)
sys.stdin.readline()
choose(np.array([0.5, 0.5]), 0.7)
print(compiled_count())
"""


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """No kernel is compiled yet."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))


@pytest.mark.usefixtures("fresh")
def test_of_two_processes_one_compiles_and_the_other_loads_what_it_compiled():
    both = [
        subprocess.Popen(
            [sys.executable, "-c", CHOOSE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for each in both:
        assert each.stdout.readline() == "ready\n"
    for each in both:
        each.stdin.write("go\n")
        each.stdin.flush()
    ends = [each.communicate(timeout=PATIENCE) for each in both]
    assert sorted(out for out, _ in ends) == ["0\n", "1\n"], ends


@pytest.mark.usefixtures("fresh")
def test_the_first_call_in_python_says_that_it_compiles():
    first = "import walkon.models.chance_kernels as c, numpy as np; c.choose(np.array([0.5, 0.5]), 0.7)"
    said, again = python("-c", first), python("-c", first)
    assert said.stderr.splitlines() == [compiled.NOTICE]
    assert again.stderr == ""


@pytest.mark.usefixtures("fresh")
def test_what_is_said_can_be_silenced():
    silent = "import logging; logging.getLogger('walkon').setLevel('ERROR'); "
    done = python(
        "-c", f"{silent}import walkon.models.chance_kernels as c, numpy as np; c.choose(np.array([1.0]), 0.7)"
    )
    assert done.stderr == ""


TWO = """
import numpy as np
from walkon import compiled
from walkon.compiled import kernel

compiled.FITTING = {fitting}

@kernel
def doubled(numbers, most):
    if numbers.shape[0] > most:
        raise ValueError("too many", numbers.shape[0])
    return numbers * 2

@kernel
def doubled_twice(numbers, most):
    return doubled(doubled(numbers, most), most)
"""
USED = """
import numpy as np
from two import doubled, doubled_twice

print(doubled_twice(np.arange(3.0), 3).tolist(), doubled(np.arange(2.0), 3).tolist())
try:
    doubled_twice(np.arange(4.0), 3)
except ValueError as cause:
    print(cause.args)
"""


@pytest.mark.parametrize("fitting", [compiled.FITTING, ()], ids=["this Numba", "another Numba"])
@pytest.mark.usefixtures("fresh")
def test_a_kernel_works_and_raises_alike_alone_and_within_another_compiled_and_loaded(fitting, tmp_path, monkeypatch):
    (tmp_path / "two.py").write_text(TWO.format(fitting=fitting))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    expected = "[0.0, 4.0, 8.0] [0.0, 2.0]\n('too many', 4)\n"
    compiled_now, loaded = python("-c", USED), python("-c", USED)
    assert (compiled_now.stdout, loaded.stdout) == (expected, expected), compiled_now.stderr + loaded.stderr
    assert loaded.stderr == ""  # nothing is compiled again


def test_the_parts_of_kernels_fit_the_version_of_numba_that_is_locked():
    assert numba.version_info.short == compiled.FITTING


def test_vectors_that_are_one_block_compile_nothing_for_several(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    done = python(
        "-c", "import walkon; print(walkon.AlphaVectors([[1.0, 0.0], [0.0, 3.0]], [0, 1], 2).value([0.5, 0.5]))"
    )
    kept = {path.name.split("-")[0] for path in tmp_path.rglob("*.nbc")}
    assert done.stdout == "1.5\n", done.stderr
    assert "block_kernels.first_best_vector" in kept
    assert not kept & {"block_kernels.leading_of_blocks", "block_kernels.rough_values", "part_kernels.find_parts"}


def test_a_process_that_holds_a_kernel_for_too_long_does_not_stop_others(tmp_path, monkeypatch):
    monkeypatch.setattr(compiled, "LONGEST", 0.0)
    with compiled.locked(tmp_path / "lock"), compiled.locked(tmp_path / "lock"):
        pass


def test_for_a_debugger_kernels_can_be_plain_python(monkeypatch):
    upper = walkon.solve(tiger(), walkon.QMDP()).upper  # compiles, which must not happen after the next line
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    solve = (
        "import walkon; from walkon.domains.classics import tiger; print(walkon.solve(tiger(), walkon.QMDP()).upper)"
    )
    done = python("-c", solve)
    assert done.stderr == ""
    assert float(done.stdout) == pytest.approx(upper, rel=1e-12)


def test_a_folder_that_cannot_be_written_needs_no_lock(tmp_path):
    with compiled.locked(tmp_path / "nowhere" / "lock"):
        pass
