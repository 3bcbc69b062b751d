"""What the agent `search` achieves, row by row: `python benchmarks/search.py [row ...] [--trials N] [--simulations N]`.

Each trial is appended to a file as it ends (`--out`, search.csv), and a trial in the file is not played again: a
run can be stopped and resumed, and a later one with more trials adds to it. Times are CPU seconds of one core. Rows:

    night-5, night-6     K = 4, tables; paired with `bayes` and ATPO
    night-5-rules, ...   the same without tables, paired with both on the same luck, and with followers of advice
    night-5-silent, ...  the same without values and advice
    night-16, night-32   K = 1, without tables; paired with a script that goes to a corner first
    night-16-4, ...      K = 4 (and night-32-32), without tables; paired with three agents that follow the advice and
                         with "told", which is `search` in a library of the true task alone
    night-32-4-walls, ... the same where the walls are seen
    rocks-11             RockSample(11,11) on the published map
    rocks-15             RockSample(15,15) on the maps of the seeds 101 to 120, one after the other; paired with the
                         plan that values the leaves: walk to a rock, check it on the spot, take it if it is good
    tag
    speed                model steps a second, with tables (5x5), without, and by rules in plain Python
    budget               how far decisions with `seconds=0.1` exceed it, in CPU time

Followers of advice share the beliefs of `search`; `search_rivals.py` says what each of them does. Where most of what
distinguishes two episodes is luck, results are also printed without it ("adjusted"; see `less_luck.py`): returns in
RockSample and Tag, steps in the rooms of 5 x 5 and 6 x 6. There, differences are those of the adjusted results.
"""

import argparse
import time
from dataclasses import fields, replace
from functools import cached_property
from pathlib import Path
from sys import path

import numpy as np

import walkon
from walkon.agents import effort, search, tree
from walkon.domains.night_pursuit.untabled import NightTask

path.insert(0, str(Path(__file__).parent))
from less_luck import Night
from search_rivals import Following, once, rivals, solved_agents
from search_trials import interval, play_missing

NIGHT = {f"night-{n}": ("night-pursuit", {"size": n, "tasks": 4}) for n in (5, 6)}
RULES = {f"{row}-rules": (world, {**options, "tables": False}) for row, (world, options) in NIGHT.items()}
SILENT = {row.replace("rules", "silent"): options for row, options in RULES.items()}
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
SMALL = {**NIGHT, **RULES, **SILENT}
ROWS = {**SMALL, **ALONE, **LARGE, **WALLS, **OTHERS}
MAPS = range(101, 121)  # of rocks-15
PARTICLES = 10_000


class Silent(NightTask):
    """A task at night whose rules do not say what actions are worth, and that has no advice."""

    advice = None

    @cached_property
    def compiled(self):
        """The same rules without values."""
        return replace(super().compiled, values=None)


class Plain(NightTask):
    """A task at night whose rules are plain Python."""

    compiled = None


def night(kind, **options):
    """Night-time Pursuit with tasks of another class."""
    written = [task.outline.written for task in walkon.make("night-pursuit", **options)]
    return walkon.define([kind(*(getattr(w, f.name) for f in fields(w))) for w in written], tables=False)


def made(row, **changes):
    """The library of a row."""
    world, options = ROWS[row]
    return night(Silent, **options) if row in SILENT else walkon.make(world, **options, **changes)


def play_row(row, arguments):
    """Play the trials of a row that are missing, and print its means, and paired differences."""
    world, options = ROWS[row]
    budget = {"simulations": arguments.simulations} if arguments.simulations else {"seconds": arguments.seconds}
    solved = solved_agents(world, options) if row in SMALL else {}
    luck = Night(solved["bayes"][0](0)) if row in SMALL else None
    found = {}
    for number in range(len(MAPS)) if row == "rocks-15" else [None]:  # a map after the other
        changes = {} if number is None else {"map_seed": MAPS[number]}
        seeds = range(arguments.trials) if number is None else range(number, arguments.trials, len(MAPS))
        seeds = [arguments.first + seed for seed in seeds]
        library = made(row, **changes)
        particles = {} if library.tables or library[0].compiled.factored else {"particles": arguments.particles}
        agents = {"search": (once("search", library, **budget, **particles), budget | particles), **solved}
        agents |= {} if row in {**NIGHT, **SILENT} else rivals(world, library, budget, particles)
        for name in arguments.agents or agents:
            makes, spending = agents[name]
            said = ", ".join(f"{value} {word}" for word, value in spending.items())
            found[name] = said, play_missing((row, name, said), makes, seeds, luck, arguments.out)
    for name, (said, done) in found.items():
        show(row, name, said, done, found.get("search", ("", {}))[1])


def show(row, name, spending, done, searched):
    """Print the means of an agent, and how many steps or how much return the search takes less in the same trials."""
    words = ("steps", "return", *(("adjusted steps",) if row in SMALL else ()))
    words += ("adjusted return",) if row in {**SMALL, **OTHERS} else ()
    against = "adjusted steps" if row in SMALL else "adjusted return" if row in OTHERS else "steps"
    said = [f"{word} {interval([float(each[word]) for each in done.values()])}" for word in words]
    if name != "search" and (both := sorted(searched.keys() & done.keys())):
        for word in dict.fromkeys((against, "steps")):
            gaps = [float(searched[s][word]) - float(done[s][word]) for s in both]
            said.append(f"search less {interval(gaps)} ({word}, {len(both)} trials)")
    cpu, most = (np.array([float(each[word]) for each in done.values()]) for word in ("cpu", "most"))
    said.append(
        f"CPU {1e3 * cpu.mean():.1f} ms a step; the slowest of an episode {1e3 * np.median(most):.0f}, of all "
        f"{1e3 * most.max():.0f}"
    )
    print(f"{row:13} {name:9} {spending:18} n {len(done):4}  {'  '.join(said)}", flush=True)


def speed():
    """Print how fast the search is."""
    room = {"size": 5, "tasks": 4}
    for said, simulations, library in (
        ("tables", 30_000, walkon.make("night-pursuit", **room)),
        ("compiled rules", 30_000, walkon.make("night-pursuit", **room, tables=False)),
        ("compiled rules without values", 30_000, night(Silent, **room, tables=False)),
        ("plain rules", 300, night(Plain, **room, tables=False)),
    ):
        particles = {} if library.tables else {"particles": PARTICLES}
        agent = walkon.agent("search", library, simulations=simulations, **particles)
        memory, rates = agent.start(), []
        agent.plan(memory)
        for _ in range(9):
            began = time.process_time()
            plan = agent.plan(memory)
            rates.append(plan.steps / (time.process_time() - began))
        depth = plan.steps / plan.simulations
        print(
            f"{said}: {np.median(rates):,.0f} model steps a second in the median of 9 decisions, {max(rates):,.0f} at "
            f"best; {np.median(rates) / depth:,.0f} simulations of {depth:.1f} steps"
        )


def spent_over(seconds, trials):
    """Print how far decisions exceed a time, along episodes, by the CPU's clock in the place of the wall's."""
    for module in (effort, search, tree):
        vars(module)["perf_counter"] = time.process_time
    libraries = {row: made(row) for row in ("night-5", "night-5-rules", "tag")}
    for row, library in {**libraries, "plain": night(Plain, size=5, tasks=4, tables=False)}.items():
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
