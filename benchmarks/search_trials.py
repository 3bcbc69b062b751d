"""The trials of `benchmarks/search.py`: played, measured, and kept in a file."""

import csv
import time

import numpy as np

import walkon

COLUMNS = ("row", "agent", "budget", "seed", "steps", "return", "cpu", "adjusted", "most")
Z = 1.96


class Timed:
    """An agent that notes the CPU seconds of each decision: of acting, and of the update that comes before it."""

    def __init__(self, agent):
        """Take an agent."""
        self.agent, self.spent = agent, [0.0]

    def __getattr__(self, name):
        """Everything else is as there."""
        return getattr(self.agent, name)

    def act(self, memory):
        """What the agent does, [A]."""
        began = time.process_time()
        chances = self.agent.act(memory)
        self.spent[-1] += time.process_time() - began
        return chances

    def update(self, memory, action, percept):
        """The memory of the agent after a step."""
        began = time.process_time()
        after = self.agent.update(memory, action, percept)
        self.spent.append(time.process_time() - began)
        return after


def trial(library, agent, seed):
    """One episode: its steps, its return, the CPU seconds of a step, its return without luck, the slowest decision."""
    task, timed = library[seed % len(library)], Timed(agent)
    began = time.process_time()
    episode = walkon.play(task, timed, seed=seed, stop=True)
    spent = (time.process_time() - began) / max(1, len(episode.actions))
    factored = not library.tables and task.compiled.factored
    adjusted = episode.ret - drawn(task.compiled, episode) if factored else episode.ret
    return episode.steps, round(episode.ret, 4), round(spent, 6), round(adjusted, 4), round(max(timed.spent), 6)


def drawn(rules, episode):
    """What luck added to a return, in a world whose compiled rules are over beliefs."""
    numbers, luck = (rules.facts, rules.reals), np.zeros(1, dtype=np.uint64)
    x, v = np.empty(rules.state_size, dtype=np.int64), np.empty(rules.action_count)
    ys, ps = np.empty((64, len(x)), dtype=np.int64), np.empty(64)
    rules.start(*numbers, x, luck)
    added, fading = 0.0, 1.0

    def worth(y):
        if rules.ends(*numbers, y):
            return 0.0
        rules.values(*numbers, y, v)
        return v.max()

    steps = list(zip(episode.actions.tolist(), episode.rewards.tolist(), episode.observations.tolist(), strict=True))
    for t, (a, paid, z) in enumerate(steps):
        expected = rules.step(a, *numbers, x, ys[0], luck)
        count = rules.outcomes(a, *numbers, x, ys, ps)
        worths = np.array([worth(y) for y in ys[:count]])
        row, over = np.array([z], dtype=np.int64), episode.solved and t == len(steps) - 1
        came = next(
            i
            for i, y in enumerate(ys[:count])
            if ps[i] > 0 and rules.likelihood(a, *numbers, y, row) and bool(rules.ends(*numbers, y)) == over
        )
        added += fading * (paid - expected + rules.discount * (worths[came] - ps[:count] @ worths))
        fading, x = fading * rules.discount, ys[came].copy()
    return added


def played(out):
    """The trials that are in the file."""
    if not out.exists():
        return {}
    with out.open(newline="") as file:
        return {(r["row"], r["agent"], r["budget"], int(r["seed"])): r for r in csv.DictReader(file)}


def play_missing(key, library, make, seeds, out):
    """Play the trials of an agent that are missing, and return all by their seeds.

    Args:
        key: The row, the agent and its budget.
        library: The tasks, which are played one after the other.
        make: The agent for a task, which most agents do not ask for.
        seeds: The trials.
        out: The file.
    """
    known, ready = played(out), []
    for seed in seeds:
        if (*key, seed) in known:
            continue
        agent = make(seed % len(library))
        if agent not in ready:
            walkon.play(library[seed % len(library)], agent, seed=seed, horizon=2)  # compiles, and is not measured
            ready.append(agent)
        result = trial(library, agent, seed)
        new = not out.exists()
        with out.open("a", newline="") as file:
            writer = csv.writer(file)
            if new:
                writer.writerow(COLUMNS)
            writer.writerow([*key, seed, *result])
    return {seed: each for (*same, seed), each in sorted(played(out).items()) if tuple(same) == key}


def interval(values):
    """A mean and half of its 95 % interval."""
    return f"{np.mean(values):.2f} ± {Z * np.std(values, ddof=1) / len(values) ** 0.5:.2f}"
