"""What the agent `search` achieves, row by row: `python benchmarks/search.py [row ...] [--trials N] [--simulations N]`.

Each trial is appended to a file as it ends (`--out`, search.csv), and a trial in the file is not played again: a
run can be stopped and resumed, and a later one with more trials adds to it. Times are CPU seconds of one core. Rows:

    night-5, night-6     K = 4, tables; paired with `bayes` and ATPO
    night-5-rules, ...   the same without tables, paired with ATPO by its advice
    night-16, night-32   K = 1, without tables; paired with a script that goes to a corner first
    night-16-4, ...      K = 4 (and night-32-32), without tables; paired with three agents that follow the advice and
                         with "told", which is `search` in a library of the true task alone
    night-32-4-walls, ... the same where the walls are seen
    rocks-11             RockSample(11,11) on the published map
    rocks-15             RockSample(15,15) on the maps of the seeds 101 to 120, one after the other; paired with the
                         plan that values the leaves: walk to a rock, check it on the spot, take it if it is good
    tag
    speed                model steps a second, with tables (5x5) and without
    budget               how far decisions with `seconds=0.1` exceed it, in CPU time

Followers of advice share the beliefs of `search`; `search_rivals.py` says what each of them does.

In RockSample and Tag, most of what distinguishes two episodes is luck. A return is therefore also printed without it
("adjusted"): with v(b) for the value that the rules give a belief b, which need not be right, what each step drew,

    discount^t (r + discount v(b') - E[r + discount v(b') | b, a]),

is subtracted. That is 0 in expectation whatever the agent does, because the beliefs are exact, so the mean stays the
same without any bias, and the interval is up to five times as narrow.
"""

import argparse
import time
from functools import cache
from pathlib import Path
from sys import path

import numpy as np

import walkon
from walkon.agents import effort, search, tree

path.insert(0, str(Path(__file__).parent))
from search_rivals import Following, rivals
from search_trials import interval, play_missing

NIGHT = {f"night-{n}": ("night-pursuit", {"size": n, "tasks": 4}) for n in (5, 6)}
RULES = {f"{row}-rules": (world, {**options, "tables": False}) for row, (world, options) in NIGHT.items()}
ALONE = {f"night-{n}": ("night-pursuit", {"size": n, "tasks": 1, "tables": False}) for n in (16, 32)}
LARGE = {
    f"night-{n}-{K}": ("night-pursuit", {"size": n, "tasks": K, "tables": False})
    for n, K in ((16, 4), (32, 4), (32, 32), (100, 4))
}
WALLS = {f"{row}-walls": (world, {**options, "sees_walls": True}) for row, (world, options) in (ALONE | LARGE).items()}
OTHERS = {
    "rocks-11": ("rock-sample", {"size": 11, "rocks": 11, "tables": False}),
    "rocks-15": ("rock-sample", {"size": 15, "rocks": 15, "tables": False}),
    "tag": ("tag", {"tables": False}),
}
ROWS = {**NIGHT, **RULES, **ALONE, **LARGE, **WALLS, **OTHERS}
MAPS = range(101, 121)  # of rocks-15
PARTICLES = 10_000


def play_row(row, arguments):
    """Play the trials of a row that are missing, and print its means, and paired differences."""
    world, options = ROWS[row]
    budget = {"simulations": arguments.simulations} if arguments.simulations else {"seconds": arguments.seconds}
    found = {}
    for number in range(len(MAPS)) if row == "rocks-15" else [None]:  # a map after the other
        changes = {} if number is None else {"map_seed": MAPS[number]}
        seeds = range(arguments.trials) if number is None else range(number, arguments.trials, len(MAPS))
        seeds = [arguments.first + seed for seed in seeds]
        library = walkon.make(world, **options, **changes)
        particles = {} if library.tables or library[0].compiled.factored else {"particles": arguments.particles}
        make = cache(lambda k, library=library, known=budget | particles: walkon.agent("search", library, **known))
        agents = {"search": (make, budget | particles), **rivals(world, library, budget, particles)}
        for name in arguments.agents or agents:
            makes, spending = agents[name]
            said = ", ".join(f"{value} {word}" for word, value in spending.items())
            found[name] = said, play_missing((row, name, said), library, makes, seeds, arguments.out)
    for name, (said, done) in found.items():
        show(row, name, said, done, found.get("search", ("", {}))[1])


def show(row, name, spending, done, searched):
    """Print the means of an agent, and how many steps or how much return the search takes less in the same trials."""
    columns = {
        word: np.array([float(each[word]) for each in done.values()])
        for word in ("steps", "return", "cpu", "adjusted", "most")
    }
    said = [f"steps {interval(columns['steps'])}", f"return {interval(columns['return'])}"]
    said += [f"adjusted {interval(columns['adjusted'])}"] if row in OTHERS else []
    if name != "search" and (both := sorted(searched.keys() & done.keys())):
        word = "adjusted" if row in OTHERS else "steps"
        gaps = [float(searched[s][word]) - float(done[s][word]) for s in both]
        said.append(f"search less {interval(gaps)} ({word}, {len(both)} trials)")
    mean, median, most = columns["cpu"].mean(), np.median(columns["most"]), columns["most"].max()
    said.append(
        f"CPU {1e3 * mean:.1f} ms a step; the slowest of an episode {1e3 * median:.0f}, of all {1e3 * most:.0f}"
    )
    print(f"{row:13} {name:9} {spending:18} n {len(done):4}  {'  '.join(said)}", flush=True)


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


def spent_over(seconds, trials):
    """Print how far decisions exceed a time, along episodes, by the CPU's clock in the place of the wall's."""
    for module in (effort, search, tree):
        vars(module)["perf_counter"] = time.process_time
    plain = ("night-pursuit", {"size": 5, "tasks": 4, "tables": False, "tremble": 0.1})
    for row, (world, options) in {
        **{row: ROWS[row] for row in ("night-5", "night-5-rules", "tag")},
        "plain": plain,
    }.items():
        library = walkon.make(world, **options)
        agent = walkon.agent("search", library, seconds=seconds, **({} if library.tables else {"particles": PARTICLES}))
        agent.act(agent.start())
        took = []

        def measured(memory, agent=agent, took=took):
            began = time.process_time()
            action = agent.plan(memory).action
            took.append(time.process_time() - began)
            return action

        seed = 0
        while len(took) < trials:
            walkon.play(library[seed % len(library)], Following(agent, measured), seed=seed, stop=True)
            seed += 1
        print(
            f"{row}: of {len(took)} decisions of {seconds} s, 99 % took at most {np.quantile(took, 0.99):.4f} CPU s, "
            f"half at most {np.median(took):.4f}"
        )


def main():
    """Play what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="row", default=["speed", "night-5", "rocks-11", "tag"])
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--simulations", type=int, help="in place of --seconds: the same decisions on every machine")
    parser.add_argument("--particles", type=int, default=PARTICLES, help="states of a belief without tables")
    parser.add_argument(
        "--agents", nargs="*", metavar="NAME", help="only these: search, or those that it is paired with"
    )
    parser.add_argument("--first", type=int, default=0, help="the seed of the first trial")
    parser.add_argument("--out", type=Path, default=Path("search.csv"))
    arguments = parser.parse_args()
    for row in arguments.rows:
        if row == "speed":
            speed()
        elif row == "budget":
            spent_over(arguments.seconds, arguments.trials)
        elif row in ROWS:
            play_row(row, arguments)
        else:
            parser.error(f"no row {row!r}: there are speed, budget, {', '.join(ROWS)}")


if __name__ == "__main__":
    main()
