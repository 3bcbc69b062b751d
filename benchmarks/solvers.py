"""How fast the solvers bound the value of a problem on this machine: both bounds after 1, 5, 30 and 60 CPU seconds.

    python benchmarks/solvers.py [FILE.pomdp ...] [--only NAME ...] [--solvers ascent sarsop perseus] [--json FILE]

One core, and its own time: what other programs do meanwhile does not count. Kernels are compiled before, which is timed
apart, and a fixed NumPy kernel tells how fast the machine is. After each solve its policy plays 5,000 episodes, and
what it earned stands beside the lower bound.
"""

import argparse
import json
import sys
from pathlib import Path
from time import process_time

import numpy as np

import walkon
from walkon.domains.classics import CLASSICS, tiger

MARKS = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
FOREVER = 10**9
SOLVERS = {
    "ascent": walkon.Ascent(backups=FOREVER, tolerance=1e-7),
    "sarsop": walkon.Sarsop(backups=FOREVER),
    "perseus": walkon.Perseus(backups=FOREVER),
}


def problems(files):
    """The problems by name, as functions that build them."""
    found = {Path(file).stem: lambda file=file: walkon.read_pomdp(file) for file in files}
    found["night 5x5"] = lambda: walkon.make("night-pursuit", size=5)[0].pomdp
    found["night 6x6"] = lambda: walkon.make("night-pursuit", size=6)[0].pomdp
    found["pursuit 5x5"] = lambda: walkon.make("pursuit")[0].pomdp
    found |= {name: CLASSICS[name] for name in ("tag", "hallway", "hallway2", "rock-sample")}
    return found


def machine():
    """Microseconds of a fixed NumPy kernel: the least of many."""
    square, best = np.ones((300, 300)), np.inf
    for _ in range(50):
        began = process_time()
        np.linalg.norm(square @ square)
        best = min(best, process_time() - began)
    return 1e6 * best


def bounds(pomdp, solver, until, seed):
    """The bounds at each mark, and the solution that was there at the last."""
    marks = [mark for mark in MARKS if mark <= until]
    rows, last = [], []
    began = process_time()

    def watch(now):
        seconds = process_time() - began
        last[:] = [now]
        while len(rows) < len(marks) and seconds >= marks[len(rows)]:
            rows.append({"seconds": marks[len(rows)], "lower": now.lower, "upper": now.upper, "vectors": now.size})
        return seconds >= until

    solution = walkon.solve(pomdp, solver, seed=seed, watch=watch)
    spent = process_time() - began
    end = {"lower": solution.lower, "upper": solution.upper, "vectors": len(solution.policy.vectors)}
    rows += [{"seconds": mark, **end} for mark in marks[len(rows) :]]
    return rows, solution, spent


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", help="further problems, as .pomdp files")
    parser.add_argument("--only", nargs="+", help="the names of the problems")
    parser.add_argument("--solvers", nargs="+", default=["ascent", "sarsop"], choices=SOLVERS)
    parser.add_argument("--until", type=float, default=60.0, help="CPU seconds for each solve")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", help="write everything to this file too")
    chosen = parser.parse_args()
    began = process_time()
    for name in chosen.solvers:
        walkon.solve(tiger(), type(SOLVERS[name])(backups=200))
    report = {"machine_us": machine(), "compilation_seconds": process_time() - began, "runs": []}
    print(f"a fixed NumPy kernel: {report['machine_us']:.0f} us; compilation: {report['compilation_seconds']:.1f} s")
    for name, build in problems(chosen.files).items():
        if chosen.only and name not in chosen.only:
            continue
        pomdp = build()
        print(f"{name}: {pomdp}")
        for method in chosen.solvers:
            rows, solution, spent = bounds(pomdp, SOLVERS[method], chosen.until, chosen.seed)
            earned = walkon.simulate(pomdp, solution.policy, episodes=5000, seed=chosen.seed)
            half = 1.96 * earned.std(ddof=1) / len(earned) ** 0.5
            report["runs"].append(
                {
                    "problem": name,
                    "model": repr(pomdp),
                    "solver": method,
                    "bounds": rows,
                    "seconds": spent,
                    "stopped": solution.stopped,
                    "vectors": len(solution.policy.vectors),
                    "earned": float(earned.mean()),
                    "half_width_95": float(half),
                }
            )
            told = "  ".join(
                f"{row['seconds']:g} s {row['lower']:.4f}" + ("" if row["upper"] is None else f" .. {row['upper']:.4f}")
                for row in rows
            )
            print(f"  {method:8} {told}")
            print(f"           {solution.stopped} after {spent:.1f} s, earned {earned.mean():.3f} +- {half:.3f}")
            sys.stdout.flush()
            if chosen.json:
                Path(chosen.json).write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
