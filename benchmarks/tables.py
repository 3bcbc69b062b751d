"""Measure larger tables: bounds after so many CPU seconds, with a profile; large worlds; how `seconds` is kept.

    python benchmarks/tables.py bounds SECONDS PROBLEM...     Sarsop's bounds as time passes, and where the time goes
    python benchmarks/tables.py look SECONDS FILE...          the same of `walkon.look_first(problem)`
    python benchmarks/tables.py kept SECONDS PROBLEM...       CPU seconds that Ascent and Sarsop take with that limit
    python benchmarks/tables.py upper SECONDS PROBLEM...      what each upper bound costs and gives
    python benchmarks/tables.py world NAME                    build, solve and play: one of `WORLDS`

A problem is a file, a problem of the literature, or `union`: all tasks of Night-time Pursuit 5 x 5 (K = 4, the library
of figure 2a), equally likely, as the one problem in which `bayes` plans. The solvers' clock is the process's CPU time,
so other work on the machine matters less; kernels are compiled before. Peak memory is that of the whole process.
"""

import sys
from collections import defaultdict
from time import process_time

import numpy as np

import walkon
from walkon.domains.classics import tiger
from walkon.measuring.seeds import trial_seeds
from walkon.models.pomdp import POMDP
from walkon.solvers import sarsop, solution
from walkon.solvers.points import lower_bound
from walkon.solvers.points.closing import warm_up
from walkon.solvers.points.evaluation import Evaluation
from walkon.solvers.points.lower_bound import LowerBound
from walkon.solvers.points.upper_bound import UpperBound
from walkon.speed.solving import peak_memory
from walkon.tasks.union import Union

MARKS = (1, 2, 5, 10, 15, 20, 30, 40, 60, 80, 100, 120, 150, 200, 300, 400, 500, 600, 800, 1000, 1200)
WORLDS = {  # the options of Night-time Pursuit, the backups of each task, the episodes, and the steps of each
    "two teammates": ({"size": 5, "teammates": 2, "tasks": 1}, 4_000, 400, 50),
    "three teammates": ({"size": 4, "teammates": 3, "tasks": 2}, 4_000, 20, 50),
    "10 x 10": ({"size": 10, "tasks": 4}, 1_000, 40, 50),
    "16 x 16": ({"size": 16, "tasks": 4}, 1_000, 40, 200),
}
PARTS = {
    "preparation": (LowerBound, "__init__"),
    "preparation above": (UpperBound, "__init__"),
    "walks": (LowerBound, "walk"),
    "backups of walks": (LowerBound, "back_up"),
    "explorations": (UpperBound, "explore"),
    "backups of explorations": (UpperBound, "back_up"),
    "sweeps": (UpperBound, "sweep"),
    "room": (UpperBound, "make_room"),
    "evaluation": (Evaluation, "perhaps"),
    "closing": (sarsop, "close"),
}


def problem_of(name):
    """Find a problem by its name."""
    if name == "union":
        library = walkon.make("night-pursuit", size=5, tasks=4)
        return Union.of(library, np.full(len(library), 1 / len(library))).pomdp
    from walkon.cli.problem import find_problem

    problem = find_problem(name)
    assert isinstance(problem, POMDP)
    return problem


def on_cpu_time():
    """Let solvers read the CPU time of the process."""
    solution.perf_counter = lower_bound.perf_counter = process_time


def profiled(spent):
    """Let each of the `PARTS` add the seconds that it takes, without those of other parts within it, to `spent`."""
    within = []

    def wrapped(part, function):
        def timed(*arguments, **options):
            began = process_time()
            within.append(0.0)
            try:
                return function(*arguments, **options)
            finally:
                took = process_time() - began
                spent[part] += took - within.pop()
                if within:
                    within[-1] += took

        return timed

    for part, (owner, name) in PARTS.items():
        setattr(owner, name, wrapped(part, getattr(owner, name)))


def bounds(seconds, names, change=lambda problem: problem):
    """Print the bounds of each problem at each of the `MARKS`, and the shares of the parts."""
    spent = defaultdict(float)
    profiled(spent)
    for name in names:
        began = process_time()
        problem = change(problem_of(name))
        print(f"{name}: {problem}, read in {process_time() - began:.1f} s", flush=True)
        warm_up(walkon.Sarsop(backups=200, gap=0))
        spent.clear()
        marks, began = list(MARKS), process_time()

        def watch(now, marks=marks, began=began):
            if marks and process_time() - began >= marks[0]:
                gap = now.upper - now.lower if now.lower is not None and now.upper is not None else np.nan
                print(f"{marks.pop(0):5} s  {now.lower} .. {now.upper}  gap {gap:.3f}", flush=True)

        found = walkon.solve(problem, walkon.Sarsop(seconds=seconds), watch=watch)
        took = process_time() - began
        shares = ", ".join(f"{part} {each / took:.0%}" for part, each in sorted(spent.items(), key=lambda x: -x[1]))
        print(f"{took:5.1f} s  {found.lower} .. {found.upper}  gap {found.upper - found.lower:.3f}: {shares}")
        print(f"peak {peak_memory():.0f} MiB", flush=True)


def kept(seconds, names):
    """Print the CPU seconds that solvers take of those that they are given."""
    for name in names:
        problem = problem_of(name)
        problem.P  # noqa: B018 - made now, if it is from factors
        for solver in (walkon.Ascent(seconds=seconds), walkon.Sarsop(seconds=seconds)):
            walkon.solve(tiger(), solver)  # compiles
            began = process_time()
            found = walkon.solve(problem, solver)
            took = process_time() - began
            late = "LATE" if took > 1.2 * seconds + 0.1 else ""
            label = type(solver).__name__
            print(f"{name} {label} {took:.2f} s of {seconds:g}: {found.lower} .. {found.upper} {late}", flush=True)


def upper(seconds, names):
    """Print each upper bound at the start, and the CPU seconds that it took."""
    sarsop = walkon.Sarsop(seconds=seconds, gap=0)
    for name in names:
        problem = problem_of(name)
        solvers = {"QMDP": walkon.QMDP(), "FastInformedBound": walkon.FastInformedBound(), "Sarsop": sarsop}
        for label, solver in solvers.items():
            walkon.solve(tiger(), solver)  # compiles
            began = process_time()
            found = walkon.solve(problem, solver)
            print(f"{name}: {label} {found.upper:.3f} in {process_time() - began:.3f} s", flush=True)
        if name == "union":
            library = walkon.make("night-pursuit", size=5, tasks=4)
            each = [walkon.solve(task.pomdp, walkon.Sarsop(seconds=seconds / 4, gap=0)).upper for task in library]
            print(f"{name}: mean of the tasks' own {np.mean(each):.3f} in {seconds:g} s", flush=True)


def world(name):
    """Build a world, solve all tasks by Ascent, and play it: an agent that is told the task, and ATPO."""
    options, backups, episodes, steps = WORLDS[name]
    warm_up(walkon.Ascent(backups=20))
    began = process_time()
    library = walkon.make("night-pursuit", **options)
    built = process_time() - began
    solutions = [walkon.solve(task.pomdp, walkon.Ascent(backups=backups)) for task in library]
    took, policies = process_time() - began - built, [each.policy for each in solutions]
    lower = ", ".join(f"{each.lower:.3f}" for each in solutions)
    print(f"{name}: built in {built:.1f} s, solved in {took:.1f} s, lower bounds {lower}", flush=True)
    players = {"told": [walkon.agent("perseus", library, policies=policies, target=k) for k in range(len(library))]}
    if len(library) > 1:
        players["atpo"] = [walkon.agent("atpo", library, policies=policies)] * len(library)
    for label, agents in players.items():
        played = [
            walkon.play(library[n % len(library)], agents[n % len(library)], seed=each, stop=True, horizon=steps)
            for n, each in enumerate(trial_seeds("tables", 0, 0, episodes))
        ]
        taken, solved = np.array([each.steps for each in played]), np.mean([each.solved for each in played])
        half = 1.96 * taken.std(ddof=1) / np.sqrt(len(taken))
        print(f"{label}: {solved:.1%} of {episodes} within {steps} steps, {taken.mean():.2f} ± {half:.2f} steps")
    print(f"{process_time():.0f} CPU s in all, peak {peak_memory():.0f} MiB", flush=True)


def main(command="", *arguments):
    """Run the command that was given."""
    if command == "world" and arguments and arguments[0] in WORLDS:
        return world(arguments[0])
    if command not in ("bounds", "look", "kept", "upper") or len(arguments) < 2:
        return print(__doc__)
    on_cpu_time()
    seconds, names = float(arguments[0]), arguments[1:]
    if command in ("kept", "upper"):
        return {"kept": kept, "upper": upper}[command](seconds, names)
    return bounds(seconds, names, walkon.look_first if command == "look" else lambda problem: problem)


if __name__ == "__main__":
    main(*sys.argv[1:])
