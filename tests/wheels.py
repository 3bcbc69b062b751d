"""Wheels and source distributions, built as for a release."""

import os
import subprocess
import sys
from pathlib import Path

from waiting import PATIENCE

ROOT = Path(__file__).parent.parent
MOMENT = "1700000000"  # the time that goes into the files


def build(folder, target):
    """Build one of "wheel" and "sdist" into a folder, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    before = set(folder.iterdir())
    environment = os.environ | {"SOURCE_DATE_EPOCH": MOMENT}
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    (built,) = set(folder.iterdir()) - before
    return built


def build_wheel(folder):
    return build(folder, "wheel")
