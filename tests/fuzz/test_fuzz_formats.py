"""The long form of tests/formats/test_fuzz.py."""

import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = 60


@pytest.mark.long
@pytest.mark.parametrize("reader", ["pomdp", "pomdpx", "dpomdp", "policy", "csv", "bundle", "episode"])
def test_a_fuzzer_finds_nothing_but_input_errors(tmp_path, reader):
    harness = Path(__file__).with_name("fuzz_formats.py")
    done = subprocess.run(
        [sys.executable, str(harness), reader, f"-max_total_time={SECONDS}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=SECONDS * 5,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    assert "Done" in done.stderr
