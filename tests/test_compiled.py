"""Compiling: said once, by one process at a time, and never a reason to wait for ever."""

import subprocess
import sys

import pytest

from command_line import python
from waiting import PATIENCE
from walkon import compiled

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


def test_a_process_that_holds_a_kernel_for_too_long_does_not_stop_others(tmp_path, monkeypatch):
    monkeypatch.setattr(compiled, "LONGEST", 0.0)
    with compiled.locked(tmp_path / "lock"), compiled.locked(tmp_path / "lock"):
        pass


def test_a_folder_that_cannot_be_written_needs_no_lock(tmp_path):
    with compiled.locked(tmp_path / "nowhere" / "lock"):
        pass
