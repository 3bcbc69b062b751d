"""Sizes without tables, row by row: `python benchmarks/large.py [row ...] [--trials N] [--simulations N]`.

Times are CPU seconds of one core, memory is that of the process. Rows:

    build     Night-time Pursuit 32 x 32 with K = 4 and 32 and 100 x 100 with K = 4: the library and the agent made
    tasks     K = 1,000 tasks on 10 x 10: a decision, and the posterior against exact beliefs from the plain rules
    posterior Night-time Pursuit 5 x 5, K = 4, all steps drawn though they could be listed: the task posterior against
              the exact one, and whether the evidence is unbiased
    bits      10^6 states and 2^125 observations, K = 10 (`listening.py`): how often and when the task is identified,
              by uniform actions in 10 steps and by `search` in 50
    looking   2^20 observations where looking costs and pays: `search` against QMDP, paired
"""

import argparse
import resource
import time
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from sys import path

import numpy as np

import walkon
from walkon.agents.tracking import Tracking

path.insert(0, str(Path(__file__).parent))
import listening

SURE = 0.95


def spent(call):
    """What a call returns, and its CPU seconds."""
    began = time.process_time()
    return call(), time.process_time() - began


def build(arguments):
    """Make libraries and agents; the first is not measured, because it compiles."""
    walkon.agent("search", walkon.make("night-pursuit", size=12, tasks=2, tables=False)).start()
    for size, K in ((32, 4), (32, 32), (100, 4)):
        library, making = spent(partial(walkon.make, "night-pursuit", size=size, tasks=K, tables=False))
        agent, preparing = spent(partial(walkon.agent, "search", library))
        _, starting = spent(agent.start)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"{size} x {size}, {size**4:,} states a task, K = {K}: library {making:.2f} s, agent {preparing:.2f} s, "
            f"first beliefs {starting:.2f} s, {peak:.2f} GiB at most so far"
        )


def tasks(arguments):
    """A thousand tasks: what a decision costs, and how far the posterior is from the exact one."""
    options = {"size": 10, "tasks": 1000, "tables": False, "start": "corner"}
    library, making = spent(lambda: walkon.make("night-pursuit", **options))
    agent = walkon.agent("search", library, simulations=arguments.simulations)
    memory, costs = agent.start(), []
    agent.act(memory)
    episode = walkon.play(library[7], walkon.agent("random", library), seed=1, horizon=12)
    exact, gaps = {}, []
    for action, z in zip(episode.actions.tolist(), episode.observations.tolist(), strict=True):
        _, acting = spent(lambda now=memory: agent.act(now))
        memory, updating = spent(lambda now=memory, a=action, z=z: agent.update(now, a, walkon.Percept(z)))
        costs.append((acting, updating))
    kinds = {kind: memory.kinds.count(kind) for kind in set(memory.kinds)}
    acting, updating = np.median(costs, axis=0)
    print(
        f"K = 1,000 on 10 x 10, made in {making:.2f} s: a decision {acting:.3f} s ({arguments.simulations} simulations)"
    )
    print(f"and an update {updating:.3f} s; beliefs after 12 steps: {kinds}")
    logs = np.array([exact.setdefault(k, log_evidence(library[k], episode)) for k in range(0, 1000, 50)])
    ours = memory.log_tasks[::50]
    gaps = np.abs((ours - np.logaddexp.reduce(ours)) - (logs - np.logaddexp.reduce(logs)))
    print(
        f"log posterior among every 50th task against exact beliefs by the plain rules: at most {gaps.max():.1e} apart"
    )


def log_evidence(task, episode):
    """The logarithm of the probability of the observations, with a dict of all states."""
    rules, states, total = task.simulator, dict(task.simulator.start()), 0.0
    for a, z in zip(episode.actions.tolist(), episode.observations.tolist(), strict=True):
        after = {}
        for x, p in states.items():
            for y, q, _ in rules.outcomes(x, a):
                after[y] = after.get(y, 0.0) + p * q
        after = {y: p * np.exp(rules.log_likelihood(a, y, z)) for y, p in after.items()}
        evidence = sum(after.values())
        total += np.log(evidence)
        states = {y: p / evidence for y, p in after.items() if p > 0}
    return total


def many(a, facts, reals, x, ys, ps):
    """More outcomes than can be listed."""
    return ps.shape[0] + 1


class Drawn(Tracking):
    """Beliefs of particles only."""

    @cached_property
    def rules(self):
        """The compiled rules, by which next states are only drawn."""
        return tuple(replace(task.compiled, outcomes=many) for task in self.library)


def followed(tracking, history):
    """The memories of a history."""
    memories = [tracking.start()]
    for a, z in history:
        memories.append(tracking.update(memories[-1], a, walkon.Percept(z)))
    return memories


def posterior(arguments):
    """The posterior over tasks by particles against the exact one, in histories of 30 steps by uniform actions."""
    library = walkon.make("night-pursuit", size=5, tasks=4, tables=False)
    exact, few, gaps, lost, random = Tracking(library), [], [], 0, walkon.agent("random", library)
    histories = []
    for seed in range(arguments.trials):
        episode = walkon.play(library[seed % 4], random, seed=seed, horizon=30)
        history = list(zip(episode.actions.tolist(), episode.observations.tolist(), strict=True))
        histories.append(history)
        one, two = followed(exact, history), followed(Drawn(library, particles=10_000, seed=seed), history)
        gaps += [np.abs(p.tasks - q.tasks).sum() / 2 for p, q in zip(one, two, strict=True)]
        few.append(max(gaps[-31:]))
        lost += len(two[-1].depleted)
    print(f"{arguments.trials} histories of 30 steps, 10,000 particles: mean total variation {np.mean(gaps):.5f}, the")
    print(f"mean of the largest in each history {np.mean(few):.5f}; particles ran out {lost} times")
    ratios = np.array([ratio(library, exact, histories[i % 10], i) for i in range(10 * arguments.trials)])
    error = 1.96 * np.std(ratios) / len(ratios) ** 0.5
    print(f"evidence of 10 steps of {len(histories[:10])} histories by 200 particles, over the exact one, in")
    print(f"{len(ratios)} runs: {np.mean(ratios):.4f} ± {error:.4f}")


def ratio(library, exact, history, seed):
    """The evidence of 10 steps by few particles over the exact one; tasks whose particles ran out add nothing."""
    truth = followed(exact, history[:10])[-1]
    found = followed(Drawn(library, particles=200, seed=seed), history[:10])[-1]
    left = np.delete(found.log_joint, list({event.task for event in found.depleted}))
    return np.exp(np.logaddexp.reduce(left, initial=-np.inf) - np.logaddexp.reduce(truth.log_joint))


def bits(arguments):
    """How fast the task is identified among 2^125 observations."""
    library = listening.library()
    tracking, random = Tracking(library, particles=2000), walkon.agent("random", library)
    agent = walkon.agent("search", library, simulations=arguments.simulations, particles=2000)
    agent.act(agent.start())
    quick, found, wrong, costs = [], [], [], []
    for seed in range(arguments.trials):
        k = seed % len(library)
        episode, memory, best = walkon.play(library[k], random, seed=seed, horizon=10), tracking.start(), 0.0
        for a, z in zip(episode.actions.tolist(), episode.observations.tolist(), strict=True):
            memory = tracking.update(memory, a, walkon.Percept(z))
            best = max(best, memory.tasks[k])
        quick.append(best >= SURE)
        episode, cost = spent(lambda k=k, seed=seed: walkon.play(library[k], agent, seed=seed, stop=True))
        beliefs = episode.task_beliefs
        found.append((beliefs[:, k] >= SURE).any())
        wrong.append((np.delete(beliefs, k, axis=1) > SURE).any())
        costs.append(cost / len(episode.actions))
    print(f"{arguments.trials} trials, {arguments.simulations} simulations: uniform actions sure within 10 steps in")
    print(
        f"{np.mean(quick):.0%}, search within 50 in {np.mean(found):.0%}, sure of a wrong task in {np.mean(wrong):.0%};"
    )
    print(f"{np.median(costs):.3f} CPU s a decision, update included; beliefs {set(memory.kinds)}")


class Doors:
    """A prize behind one of two doors. Waiting is free; looking costs, and shows 20 bits that each tell a little."""

    actions, teammate_actions = ("open 0", "open 1", "wait", "look"), ("watch",)
    discount, horizon, own = 0.95, 10, ("favourite", "value")

    def __init__(self, favourite):
        self.favourite, self.name = favourite, f"door {favourite}"

    def start(self):
        """The favourite door, mostly."""
        return {f"prize {self.favourite}": 0.8, f"prize {1 - self.favourite}": 0.2}

    def teammates(self, x):
        """Nobody helps."""
        return "watch"

    def moves(self, x, a, b):
        """An open door is the end."""
        return x if a in ("wait", "look") else "done"

    def sensor(self, a, y):
        """What looking shows: 2^20 observations."""
        p = {"prize 0": 0.4, "prize 1": 0.6, "done": 0.5}[y] if a == "look" else 0.5
        return tuple({0: 1 - p, 1: p} for _ in range(20))

    def reward(self, x, a, b, y):
        """Looking costs 0.5."""
        return {"wait": 0.0, "look": -0.5}.get(a, 10.0 if a[-1] == x[-1] else -10.0)

    def solved(self, x):
        """Whether a door is open."""
        return x == "done"

    def value(self, x, a):
        """What an action is worth to somebody who sees the prize: the Q of QMDP."""
        later = self.discount * 10.0 if a in ("wait", "look") else 0.0
        return self.reward(x, a, "watch", "done") + later


def looking(arguments):
    """Search against QMDP, which acts as if everything were known after the next step."""
    rules = [Doors(0), Doors(1)]
    library = walkon.define(rules, tables=False)
    tracking = Tracking(library)

    def qmdp(history):
        memory = tracking.start()
        for each in history:
            memory = tracking.update(memory, each.action, walkon.Percept(each.observation))
        worth = [
            sum(
                memory.tasks[k] * p * rules[k].value(x, a)
                for k, states in enumerate(memory.states)
                for x, p in states.items()
                if x != "done"
            )
            for a in library.actions
        ]
        return int(np.argmax(worth))

    agents = {"search": walkon.agent("search", library, simulations=arguments.simulations)}
    agents["qmdp"] = walkon.player(qmdp, library)
    found = walkon.compare(library, agents, trials=max(2, arguments.trials // 2), score="return", horizon=10)
    gap = found.difference("search", "qmdp")
    print(found, f"paired difference {gap.mean:.2f} [{gap.low:.2f}, {gap.high:.2f}]")
    episode = walkon.play(library[0], agents["search"], seed=0, stop=True)
    print("search begins with", library.actions[episode.actions[0]])


ROWS = {each.__name__: each for each in (build, tasks, posterior, bits, looking)}


def main():
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="row", default=list(ROWS))
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--simulations", type=int, default=1000)
    arguments = parser.parse_args()
    for row in arguments.rows:
        ROWS[row](arguments)


if __name__ == "__main__":
    main()
