"""What the agent `search` achieves, row by row: `python benchmarks/search.py [row ...] [--trials N] [--simulations N]`.

Each trial is appended to a file as it ends (`--out`, search.csv), and a trial in the file is not played again: a
run can be stopped and resumed, and a later one with more trials adds to it. Times are CPU seconds of one core. Rows:

    night-5, night-6     K = 4, tables; paired with `bayes` and ATPO
    night-5-rules, ...   the same without tables, paired with ATPO by its advice
    night-16, night-32   K = 1, without tables; paired with a script that goes to a corner first
    night-16-4, ...      K = 4 (and night-32-32), without tables; paired with three agents that follow the advice
    rocks-11, rocks-15   RockSample: the published map, and the map of seed 7
    tag
    speed                model steps a second, with tables (5x5) and without
    budget               how far decisions with `seconds=0.1` exceed it, in CPU time

Followers of advice share the beliefs of `search`. ATPO mixes the advice in all tasks and states by what it believes;
"greedy" takes what most of the belief advises (the nearest to QMDP that advice allows); "likeliest" takes the advice in
the likeliest task and state (the nearest to BOPA). "corner" walks left and then up, for as long as a room may need
unless it knows its cell before, and then mixes the advice as ATPO does.

In RockSample and Tag, what an episode can earn depends on its first state. A return is therefore also printed after
subtracting what a helper earns who knows that state, with the slope that fits best, and adding its mean over all first
states (a control variate): the same mean, but for a bias of order 1/n, with a narrower interval.
"""

import argparse
import csv
import time
from itertools import product
from pathlib import Path

import numpy as np

import walkon
from walkon.agents.atpo import advised

NIGHT = {f"night-{n}": ("night-pursuit", {"size": n, "tasks": 4}) for n in (5, 6)}
RULES = {f"{row}-rules": (world, {**options, "tables": False}) for row, (world, options) in NIGHT.items()}
ALONE = {f"night-{n}": ("night-pursuit", {"size": n, "tasks": 1, "tables": False}) for n in (16, 32)}
LARGE = {
    f"night-{n}-{K}": ("night-pursuit", {"size": n, "tasks": K, "tables": False})
    for n, K in ((16, 4), (32, 4), (32, 32), (100, 4))
}
OTHERS = {
    "rocks-11": ("rock-sample", {"size": 11, "rocks": 11, "tables": False}),
    "rocks-15": ("rock-sample", {"size": 15, "rocks": 15, "map_seed": 7, "tables": False}),
    "tag": ("tag", {"tables": False}),
}
ROWS = {**NIGHT, **RULES, **ALONE, **LARGE, **OTHERS}
PARTICLES = 10_000
SURE = 0.5  # how likely the corner script's cell must be before it follows the advice
Z = 1.96


class Following:
    """An agent with the beliefs of another one, and a rule of its own."""

    def __init__(self, agent, choose):
        """Take the beliefs of an agent, and a function from a memory to an action's number, or a chance for each."""
        self.agent, self.choose = agent, choose

    def __getattr__(self, name):
        """Everything else is as there."""
        return getattr(self.agent, name)

    def act(self, memory):
        """What the rule says, [A]."""
        chosen = self.choose(memory)
        return np.eye(self.agent.library.action_count)[chosen] if np.ndim(chosen) == 0 else chosen


def likeliest(agent, memory):
    """The advice in the likeliest task and state."""
    k = int(np.argmax(memory.tasks))
    belief = memory.beliefs[k]
    return int(np.argmax(agent.inference.simulators[k].advice(belief.states[int(np.argmax(belief.weights))])))


def cornered(agent, memory, size, noise=0.3):
    """Walk left, then up, for as long as a room may need; then mix the advice as ATPO does."""
    cells = {}
    for row, w in zip(memory.beliefs[0].rows[:, :2].tolist(), memory.beliefs[0].weights, strict=True):
        cells[tuple(row)] = cells.get(tuple(row), 0.0) + w
    each = int(np.ceil(size / (1 - noise) + 2 * np.sqrt(size * noise) / (1 - noise)))
    if max(cells.values()) > SURE or memory.step >= 2 * each:
        return advised(memory, agent.inference)
    return agent.library.actions.index("Left" if memory.step < each else "Up")


def rivals(row, library, particles):
    """The agents that a row is paired with, by name; each is made when it is first asked for."""
    if row in NIGHT:
        for name in ("bayes", "atpo"):
            yield name, lambda name=name: walkon.agent(name, library)
        return
    atpo = walkon.agent("atpo", library, particles=particles) if row in (*RULES, *LARGE, *ALONE) else None
    if row in ALONE:
        yield "corner", lambda: Following(atpo, lambda m: cornered(atpo, m, ROWS[row][1]["size"]))
    elif row in (*RULES, *LARGE):
        yield "atpo", lambda: atpo
    if row in LARGE:
        yield "greedy", lambda: Following(atpo, lambda m: int(np.argmax(advised(m, atpo.inference))))
        yield "likeliest", lambda: Following(atpo, lambda m: likeliest(atpo, m))


def trial(library, agent, seed):
    """One episode: its steps, its return, the CPU seconds of a decision, and what its first state is worth."""
    task = library[seed % len(library)]
    began = time.process_time()
    episode = walkon.play(task, agent, seed=seed, stop=True)
    spent = (time.process_time() - began) / max(1, len(episode.actions))
    first = known(task, episode.states[0]) if not library.tables else 0.0
    return episode.steps, round(episode.ret, 4), round(spent, 6), round(first, 4)


def known(task, x):
    """What a helper earns who knows the state; in RockSample, what the simple plan earns with all rocks known."""
    rules, v = task.compiled, np.empty(task.action_count)
    row = [*x[:2], 2, *(2**52 * (x[2] >> i & 1) for i in range(rules.facts[1]))] if rules.factored else x
    rules.values(rules.facts, rules.reals, np.array(row, dtype=np.int64), v)
    return float(v.max())


def mean_known(task):
    """Its mean over all first states."""
    if task.compiled.factored:
        count = int(task.compiled.facts[1])
        return np.mean([known(task, (*task.outline.written.first, good)) for good in range(2**count)])
    return np.mean([known(task, x) for x in product(range(29), repeat=2)])


def played(out):
    """The trials that are in the file."""
    if not out.exists():
        return {}
    with out.open(newline="") as file:
        return {(r["row"], r["agent"], r["budget"], int(r["seed"])): r for r in csv.DictReader(file)}


def play_missing(row, name, spending, library, make, arguments):
    """Play the trials of an agent that are missing, and return all by their seeds."""
    known_trials, agent = played(arguments.out), None
    for seed in range(arguments.trials):
        if (row, name, spending, seed) in known_trials:
            continue
        if agent is None:
            agent = make()
            agent.act(agent.start())  # compiles, and is not measured
        result = trial(library, agent, seed)
        new = not arguments.out.exists()
        with arguments.out.open("a", newline="") as file:
            writer = csv.writer(file)
            if new:
                writer.writerow(["row", "agent", "budget", "seed", "steps", "return", "cpu", "known"])
            writer.writerow([row, name, spending, seed, *result])
    return {s: r for (w, a, b, s), r in played(arguments.out).items() if (w, a, b) == (row, name, spending)}


def interval(values):
    """A mean and half of its 95 % interval."""
    return f"{np.mean(values):.2f} ± {Z * np.std(values, ddof=1) / len(values) ** 0.5:.2f}"


def play_row(row, arguments):
    """Play the trials of a row that are missing, and print its means, and paired differences in steps."""
    world, options = ROWS[row]
    library = walkon.make(world, **options)
    budget = {"simulations": arguments.simulations} if arguments.simulations else {"seconds": arguments.seconds}
    particles, made = {} if library.tables else {"particles": arguments.particles}, []

    def searcher():
        if not made:
            made.append(walkon.agent("search", library, **budget, **particles))
        return made[0]

    spending, ours = " ".join(f"{value} {word}" for word, value in budget.items()), {}
    others = [each for each in rivals(row, library, arguments.particles) if each[0] in (arguments.against or [each[0]])]
    for name, make in (("search", searcher), *others):
        done = play_missing(row, name, spending if name == "search" else "", library, make, arguments)
        steps, returns, cpu = (
            np.array([float(done[s][word]) for s in sorted(done)]) for word in ("steps", "return", "cpu")
        )
        said = [f"steps {interval(steps)}", f"return {interval(returns)}"]
        if row in OTHERS:
            worth = np.array([float(done[s]["known"]) for s in sorted(done)])
            slope = np.cov(returns, worth)[0, 1] / worth.var(ddof=1)
            said.append(f"adjusted {interval(returns - slope * (worth - mean_known(library[0])))}")
        if name == "search":
            ours = done
        elif both := sorted(ours.keys() & done.keys()):
            said.append(f"search less {interval([float(ours[s]['steps']) - float(done[s]['steps']) for s in both])}")
        took = f"CPU {1e3 * np.median(cpu):.1f} ms a decision"
        print(f"{row:13} {name:9} {spending if name == 'search' else '':18} n {len(done):4}  {'  '.join(said)}  {took}")


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
    """Print how far decisions exceed a time, in CPU time, along episodes in three worlds."""
    for row in ("night-5", "night-32", "tag"):
        world, options = ROWS[row]
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
        print(f"{row}: of {len(took)} decisions of {seconds} s, 99 % took at most {np.quantile(took, 0.99):.4f} CPU s")


def main():
    """Play what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="row", default=["speed", "night-5", "rocks-11", "tag"])
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--simulations", type=int, help="in place of --seconds: the same decisions on every machine")
    parser.add_argument("--particles", type=int, default=PARTICLES, help="states of a belief without tables")
    parser.add_argument(
        "--against", nargs="*", metavar="NAME", help="only these of the agents that a row is paired with"
    )
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
