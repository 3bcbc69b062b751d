"""How much memory is left, and a sentence before it runs out: sizes are compared with it before they are allocated.

What is left is the least of what the system has available, what the limits of the process leave, and what those of its
control groups (containers) leave. Where the system tells none of these, nothing is refused.
"""

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from walkon.errors import InputError

SMALL = 2**26  # bytes that are always tried
SPARE = 0.95  # the share of what is left that may be asked for at once
GIB = 2**30
GROUPS = (  # the files of control groups, of both versions: the limit, what is used, what could be freed
    ("/sys/fs/cgroup{}/memory.max", "/sys/fs/cgroup{}/memory.current", "/sys/fs/cgroup{}/memory.stat"),
    (
        "/sys/fs/cgroup/memory{}/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory{}/memory.usage_in_bytes",
        "/sys/fs/cgroup/memory{}/memory.stat",
    ),
)


def check_memory(needed: float, what: str, remedy: str) -> None:
    """Refuse to allocate more bytes than there are left.

    >>> check_memory(1000, "a small table", "take a smaller one")
    >>> check_memory(1e18, "a huge table", "take a smaller one")
    Traceback (most recent call last):
    walkon.errors.InputError: a huge table would take 931,322,574.6 GiB of memory, and ... are left: take a smaller one
    """
    if needed <= SMALL:
        return
    left = memory_left()
    if left is not None and needed > SPARE * left:
        raise InputError(
            f"{what} would take {needed / GIB:,.1f} GiB of memory, and {left / GIB:,.1f} GiB are left: {remedy}"
        )


def memory_left() -> int | None:
    """Return how many bytes this process can still get; None if the system does not tell."""
    found = [_system(), _limit(), *(_group(*files) for files in GROUPS)]
    known = [each for each in found if each is not None]
    return max(0, min(known)) if known else None


def _system() -> int | None:
    """The memory that the system can give without swapping."""
    for line in _read("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _limit() -> int | None:
    """What the limit of the process's address space (ulimit -v) leaves."""
    try:
        resource: Any = import_module("resource")
        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        pages = _read("/proc/self/statm").split()
        if most == resource.RLIM_INFINITY or not pages:
            return None
        return int(most) - int(pages[0]) * int(resource.getpagesize())
    except (ImportError, OSError, ValueError):
        return None


def _group(limit: str, usage: str, stat: str) -> int | None:
    """What the process's control groups leave, from its own one up; file caches can be freed."""
    lefts = []
    for group in _groups():
        most, used = _read(limit.format(group)).strip(), _read(usage.format(group)).strip()
        if most.isdigit() and used.isdigit():
            lines = (line.split() for line in _read(stat.format(group)).splitlines())
            cached = sum(int(line[1]) for line in lines if line[0] == "inactive_file")
            lefts.append(int(most) - int(used) + cached)
    return min(lefts, default=None)


def _groups() -> list[str]:
    """The paths of the process's control groups, from its own to the root."""
    own = {line.split(":", 2)[2].strip().rstrip("/") for line in _read("/proc/self/cgroup").splitlines() if ":" in line}
    paths = {str(parent).rstrip("/") for each in own for parent in (Path(each or "/"), *Path(each or "/").parents)}
    return sorted(paths | {""}, key=len, reverse=True)


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
