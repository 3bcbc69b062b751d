"""`walkon bench`: what it prints and writes, and what it refuses. Nothing here looks at a time."""

import json
import os
import signal
import subprocess

import pytest

from command_line import command, run, run_here
from pressing import pressing
from waiting import PATIENCE, read_until
from walkon.domains.classics import tiger
from walkon.formats.cassandra.writer import write_pomdp


def test_the_solvers_are_measured_on_problems_that_are_named(tmp_path):
    write_pomdp(tiger(), tmp_path / "cat.pomdp")
    done = run("bench", "tiger", tmp_path / "cat.pomdp", "--seconds", "0.2", "--json", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert list(document["sections"]) == ["solvers"]
    assert {row["problem"] for row in document["sections"]["solvers"]} == {"tiger", str(tmp_path / "cat.pomdp")}
    assert document["machine"]["kernel_us"] > 0
    assert document["complete"]
    assert json.loads((tmp_path / "out" / "bench.json").read_text()) == document


def test_a_section_is_a_table_for_a_person():
    done = run("bench", "--only", "starting")
    assert done.returncode == 0, done.stderr
    assert "NumPy kernel" in done.stdout
    assert "import walkon" in done.stdout
    assert "…" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "everything"], "--only is 'everything', expected one of solvers"),
        (["--seconds", "0"], "--seconds is 0.0"),
        (["--seconds", "nan"], "--seconds is nan"),
        (["lion"], 'no problem and no file "lion"'),
        (["overcooked"], "overcooked is an MDP"),
        (["--out", __file__], "is a file"),
    ],
)
def test_what_cannot_be_measured_is_refused_before_anything_is(arguments, said):
    done = run_here("bench", *arguments)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not done.stdout


def test_an_interrupt_of_a_measurement_in_a_process_of_its_own_is_no_error():
    """As at a terminal, where Ctrl-C reaches all processes."""
    arguments = command("bench", "--only", "building", "--json")
    with subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as bench:
        read_until(bench.stderr, "building night-pursuit size=4")
        os.killpg(bench.pid, signal.SIGINT)
        out, err = bench.communicate(timeout=PATIENCE)
    assert bench.returncode == 130, err
    assert "Traceback" not in err
    document = json.loads(out)
    assert not document["complete"]
    assert document["sections"]["building"][0]["states"] == 81


def test_an_interrupt_keeps_what_was_measured_and_exits_130(tmp_path):
    """Ctrl-C is pressed when the fourth measurement begins: three solvers on tiger, then the first on tag."""
    words = ["bench", "tiger", "tag", "--seconds", "0.3", "--json", "--out", tmp_path]
    done = subprocess.run(
        pressing("walkon.speed.solving", "bounds", *words, n=4),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        start_new_session=True,
    )
    assert done.returncode == 130, done.stderr
    assert "ascent on tag" in done.stderr
    document = json.loads(done.stdout)
    assert not document["complete"]
    assert {row["solver"] for row in document["sections"]["solvers"] if row["problem"] == "tiger"} == {
        "ascent",
        "sarsop",
        "perseus",
    }
    assert json.loads((tmp_path / "bench.json").read_text()) == document
