"""Make the policies that come with walkon: those of the libraries that README and the tutorial begin with.

python benchmarks/shipped_policies.py

A test solves the same problems and compares every bit. It fails after a change of the code that changes a policy; then
this has to be called again, and the new files be committed.
"""

from safetensors.numpy import save

import walkon
from walkon.agents.registry import AGENTS
from walkon.shipped.policies import FOLDER, shipped_file
from walkon.solvers.parallel import solve_all

SMALL = {"size": 3, "tasks": 2}
LIBRARIES = (
    ("night-pursuit", {}, None),  # None: the usual solver
    ("night-pursuit", {"size": 4}, None),
    ("night-pursuit", SMALL, None),
    ("night-pursuit", SMALL, walkon.Perseus(beliefs=100)),
)


def problems_shipped():
    """Yield the problems of each library with their solver."""
    needs = AGENTS["atpo"].needs
    for world, options, solver in LIBRARIES:
        problems = needs.problems(walkon.make(world, **options))
        yield problems, needs.solver(problems, solver)


def main():
    """Write the files, and delete all others."""
    for old in FOLDER.glob("*.safetensors"):
        old.unlink()
    for problems, solver in problems_shipped():
        for problem, solution in zip(problems, solve_all(problems, solver), strict=True):
            tensors = {"vectors": solution.policy.columns, "actions": solution.policy.actions}
            shipped_file(problem, solver, 0).write_bytes(save(tensors))
    files = list(FOLDER.glob("*.safetensors"))
    print(f"{len(files)} policies, {sum(each.stat().st_size for each in files):,} bytes")


if __name__ == "__main__":
    main()
