"""What the agent `search` achieves, row by row: `python benchmarks/search.py [row ...] [--trials N] [--seconds S]`.

Each trial is appended to a file as it ends (`--out`, search.csv), and a trial in the file is not played again: a
run can be stopped and resumed, and a later one with more trials adds to it. Times are CPU seconds of one core. Rows:

    night-5, night-6     K = 4, tables; paired with `bayes` and ATPO
    night-5-rules, ...   the same without tables
    night-16, night-32   K = 1, without tables
    rocks-11, rocks-15   RockSample: the published map, and the map of seed 7
    tag
    speed                model steps a second, with tables (5x5) and without
"""

import argparse
import csv
import time
from pathlib import Path

import numpy as np

import walkon

NIGHT = {f"night-{n}": ("night-pursuit", {"size": n, "tasks": 4}) for n in (5, 6)}
RULES = {f"{row}-rules": (world, {**options, "tables": False}) for row, (world, options) in NIGHT.items()}
LARGE = {f"night-{n}": ("night-pursuit", {"size": n, "tasks": 1, "tables": False}) for n in (16, 32)}
OTHERS = {
    "rocks-11": ("rock-sample", {"size": 11, "rocks": 11, "tables": False}),
    "rocks-15": ("rock-sample", {"size": 15, "rocks": 15, "map_seed": 7, "tables": False}),
    "tag": ("tag", {"tables": False}),
}
ROWS = {**NIGHT, **RULES, **LARGE, **OTHERS}
PARTICLES = 10_000
RIVALS = ("bayes", "atpo")


def trial(library, agent, seed):
    """One episode: its steps, its return, and the CPU seconds of a decision."""
    began = time.process_time()
    episode = walkon.play(library[seed % len(library)], agent, seed=seed, stop=True)
    spent = (time.process_time() - began) / max(1, len(episode.actions))
    return episode.steps, round(episode.ret, 4), round(spent, 6)


def agents(row, seconds, simulations):
    """The library and the agents of a row, by name; each is made when it is first asked for."""
    world, options = ROWS[row]
    library = walkon.make(world, **options)
    particles = {} if library.tables else {"particles": PARTICLES}
    budget = {"seconds": seconds} if simulations is None else {"simulations": simulations}
    yield "search", library, lambda: walkon.agent("search", library, **budget, **particles)
    if row in NIGHT:
        for name in RIVALS:
            yield name, library, lambda name=name: walkon.agent(name, library)


def played(out):
    """The trials that are in the file."""
    if not out.exists():
        return {}
    with out.open(newline="") as file:
        return {(r["row"], r["agent"], r["budget"], int(r["seed"])): r for r in csv.DictReader(file)}


def play_row(row, arguments):
    """Play the trials of a row that are missing, and print its means."""
    budget = f"{arguments.simulations} simulations" if arguments.simulations else f"{arguments.seconds} s"
    for name, library, make in agents(row, arguments.seconds, arguments.simulations):
        spending = budget if name == "search" else ""
        known, agent = played(arguments.out), None
        for seed in range(arguments.trials):
            if (row, name, spending, seed) in known:
                continue
            agent = agent or make()
            agent.act(agent.start())  # compiles, and is not measured
            result = trial(library, agent, seed)
            new = not arguments.out.exists()
            with arguments.out.open("a", newline="") as file:
                writer = csv.writer(file)
                if new:
                    writer.writerow(["row", "agent", "budget", "seed", "steps", "return", "cpu"])
                writer.writerow([row, name, spending, seed, *result])
        done = [r for (w, a, b, s), r in played(arguments.out).items() if (w, a, b) == (row, name, spending)]
        said = []
        for word in ("steps", "return"):
            values = np.array([float(r[word]) for r in done])
            said.append(f"{word} {values.mean():.2f} ± {1.96 * values.std(ddof=1) / len(values) ** 0.5:.2f}")
        cpu = np.median([float(r["cpu"]) for r in done])
        print(f"{row:15} {name:7} {spending:18} n {len(done):4}  {'  '.join(said)}  CPU {1e3 * cpu:.1f} ms a decision")


def speed():
    """Print how fast the search is."""
    for tables in (True, False):
        library = walkon.make("night-pursuit", size=5, tasks=4, tables=tables)
        agent = walkon.agent("search", library, simulations=30_000, **({} if tables else {"particles": PARTICLES}))
        memory = agent.start()
        agent.plan(memory)
        began = time.process_time()
        plan = agent.plan(memory)
        spent = time.process_time() - began
        depth = plan.steps / plan.simulations
        print(f"tables={tables}: {plan.steps / spent / 1e6:.2f} million steps a second, mean depth {depth:.1f}")


def main():
    """Play what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="row", default=["speed", "night-5", "rocks-11", "tag"])
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--simulations", type=int, help="in place of --seconds: the same decisions on every machine")
    parser.add_argument("--out", type=Path, default=Path("search.csv"))
    arguments = parser.parse_args()
    for row in arguments.rows:
        if row == "speed":
            speed()
        elif row in ROWS:
            play_row(row, arguments)
        else:
            parser.error(f"no row {row!r}: there are speed, {', '.join(ROWS)}")


if __name__ == "__main__":
    main()
