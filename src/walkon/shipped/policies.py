"""Finds the policies that come with walkon.

A policy is a file, named by the hash of all that determines it: the problem, the solver with its options and the seed,
and the code of this version of walkon, which comes with the file. So the name need not say the code; a test solves all
problems anew and compares every bit. Where a problem is rounded differently, as on other processors, it has another
hash, and is solved.

`benchmarks/shipped_policies.py` makes the files. Each has two tensors: the vectors, [X, N], and their actions, [N].
"""

from dataclasses import asdict
from pathlib import Path

from safetensors.numpy import load_file

from walkon.models.content import content_hash
from walkon.models.mdp import MDP
from walkon.policies.alpha_vectors import AlphaVectors
from walkon.solvers.solve import Solver

FOLDER = Path(__file__).parent / "data"


def solution_key(problem: MDP, solver: Solver, seed: int) -> str:
    """Return the hash of what determines a solution, but for the code."""
    kind = type(solver)
    return content_hash(
        problem.hash, f"{kind.__module__}.{kind.__qualname__}", repr(sorted(asdict(solver).items())), seed
    )


def shipped_file(problem: MDP, solver: Solver, seed: int) -> Path:
    """Return where the policy of a problem is, if walkon comes with it."""
    return FOLDER / f"{solution_key(problem, solver, seed)[:40]}.safetensors"


def shipped_policy(problem: MDP, solver: Solver, seed: int) -> AlphaVectors | None:
    """Return the policy of a problem that solving would find; None if walkon does not come with it."""
    path = shipped_file(problem, solver, seed)
    if not path.exists():
        return None
    tensors = load_file(path)
    return AlphaVectors(tensors["vectors"].T, tensors["actions"], problem.R.shape[1])
