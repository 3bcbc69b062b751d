"""A cache of solved policies: a bundle for each problem and solver, in a folder of limited size.

An entry is named by the hash of the model, the solver with its options and its seed, and the hash of the solvers' code:
a policy is used again only where solving would give the same one. An entry that cannot be read is solved again. When
the folder exceeds its limit, the entries that have not been used for longest are deleted.
"""

import hashlib
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from walkon.caches import cache_folder, warn_of_cache
from walkon.errors import InputError
from walkon.formats.bundle import load, save
from walkon.models.content import content_hash
from walkon.models.mdp import MDP
from walkon.shipped.policies import solution_key
from walkon.solvers.solution import Solution, Watch
from walkon.solvers.solve import Solver, solve

LIMIT = 8 * 2**30  # bytes: the policies of `reproduce beyond` need more than half of it
BY_CHANCE = {"seconds", "asked"}  # solutions that stopped for these reasons depend on the clock and are not stored
ROOMS = ("models", "policies", "solvers")  # whose code determines a policy


class Kept(NamedTuple):
    """A solution, and whether it was found in the cache."""

    solution: Solution[Any]
    found: bool


class PolicyCache:
    """A folder of solutions."""

    def __init__(self, folder: str | os.PathLike[str] | None = None, limit: int = LIMIT) -> None:
        self.folder = Path(folder) if folder is not None else cache_folder("policies")
        self._limit = limit

    def path(self, problem: MDP, solver: Solver, seed: int) -> Path:
        """Return the file that holds the solution of a problem."""
        name = content_hash(solution_key(problem, solver, seed), code_hash())
        return self.folder / f"{name[:40]}.safetensors"

    def find(self, problem: MDP, solver: Solver, *, seed: int = 0) -> Solution[Any] | None:
        """Return the solution of a problem, or None if the cache has none."""
        return _read(self.path(problem, solver, seed))

    def solve(self, problem: MDP, solver: Solver, *, seed: int = 0, watch: Watch | None = None) -> Kept:
        """Return the stored solution of a problem, or solve it and store the solution."""
        path = self.path(problem, solver, seed)
        if (ready := _read(path)) is not None:
            return Kept(ready, True)
        solution = solve(problem, solver, seed=seed, watch=watch)
        if solution.stopped not in BY_CHANCE:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                save(solution, path)
                self._shrink(path)
            except OSError as cause:  # a full disk costs time but no results
                warn_of_cache(self.folder, cause)
        return Kept(solution, False)

    def _shrink(self, newest: Path) -> None:
        """Delete the least recently used entries until the folder is within its limit."""
        entries = []
        for path in self.folder.glob("*.safetensors"):
            try:
                entries.append((path.stat().st_mtime_ns, path.stat().st_size, path))
            except FileNotFoundError:  # another process deleted it
                continue
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= self._limit:
                return
            if path != newest:
                path.unlink(missing_ok=True)
                total -= size


def _read(path: Path) -> Solution[Any] | None:
    """Return the solution in a file, or None if there is none that can be read."""
    try:
        solution = load(path)
    except FileNotFoundError:
        return None
    except (InputError, OSError):
        with suppress(OSError):  # a folder that cannot be written
            path.unlink(missing_ok=True)
        return None
    with suppress(OSError):
        os.utime(path)
    return solution if isinstance(solution, Solution) else None


@cache
def code_hash(rooms: tuple[str, ...] = ROOMS) -> str:
    """Return a hash of the source code of some subpackages."""
    digest = hashlib.sha256()
    root = Path(__file__).parent.parent
    for room in rooms:
        for path in sorted((root / room).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()
