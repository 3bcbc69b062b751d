"""The provenance of results: versions, machine, and the state of the code."""

import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from walkon.formats.policy_cache import code_hash
from walkon.solvers.parallel import cores

PACKAGES = ("numpy", "scipy", "numba", "safetensors", "matplotlib")


def provenance(command: str = "") -> dict[str, Any]:
    """Record everything that may explain how a number came about."""
    return {
        "began": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
        "walkon": _version("walkon"),
        "code": code_hash((".",))[:16],
        "git": git_commit(),
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
        "system": platform.platform(),
        "processor": _processor(),
        "cores": cores(),
    }


def git_commit(folder: Path = Path(__file__).parent.parent) -> str | None:
    """Return the commit of a folder's files, with a mark if they were changed; None outside a repository."""
    try:
        commit = _git(folder, "rev-parse", "HEAD")
        changed = _git(folder, "status", "--porcelain", "--", ".")
    except (OSError, subprocess.SubprocessError):
        return None
    return commit + (" with changes" if changed else "")


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, timeout=10, check=True)
    return done.stdout.strip()


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
