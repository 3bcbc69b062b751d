"""The trials of `benchmarks/search.py`: played, measured, and kept in a file."""

import csv
import time
from pathlib import Path
from sys import path

import numpy as np

import walkon

path.insert(0, str(Path(__file__).parent))
from less_luck import drawn

COLUMNS = (
    "row", "agent", "budget", "seed", "steps", "return", "cpu", "adjusted steps", "adjusted return", "most",
)  # fmt: skip
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


def trial(agent, seed, luck):
    """One episode: its steps, its return, the CPU seconds of a step, both results without luck, the slowest decision.

    A function of the episode says what luck added to its steps and to its return, if there is one.
    """
    task, timed = agent.library[seed % len(agent.library)], Timed(agent)
    began = time.process_time()
    episode = walkon.play(task, timed, seed=seed, stop=True)
    spent = (time.process_time() - began) / max(1, len(episode.actions))
    steps, earned = luck(episode) if luck else (0.0, 0.0)
    if not agent.library.tables and task.compiled.factored:
        earned = drawn(task.compiled, episode)
    numbers = episode.steps, episode.ret, spent, episode.steps - steps, episode.ret - earned, max(timed.spent)
    return [round(each, 6) for each in numbers]


def played(out):
    """The trials that are in the file."""
    if not out.exists():
        return {}
    with out.open(newline="") as file:
        return {(r["row"], r["agent"], r["budget"], int(r["seed"])): r for r in csv.DictReader(file)}


def play_missing(key, make, seeds, luck, out):
    """Play the trials of an agent that are missing, and return all by their seeds.

    Args:
        key: The row, the agent and its budget.
        make: A function from a seed to the agent.
        seeds: The trials; the tasks of the agent's library are played one after the other.
        luck: What says what luck added to an episode; None if nothing does.
        out: The file.
    """
    known, ready = played(out), []
    for seed in seeds:
        if (*key, seed) in known:
            continue
        agent = make(seed)
        if agent not in ready:
            walkon.play(agent.library[0], agent, seed=seed, horizon=2)  # compiles, and is not measured
            ready.append(agent)
        result = trial(agent, seed, luck)
        new = not out.exists()
        with out.open("a", newline="") as file:
            writer = csv.writer(file)
            if new:
                writer.writerow(COLUMNS)
            writer.writerow([*key, seed, *result])
    return {seed: each for (*same, seed), each in sorted(played(out).items()) if tuple(same) == key}


def interval(values):
    """A mean and half of its 95 % interval."""
    return f"{np.mean(values):.3f} ± {Z * np.std(values, ddof=1) / len(values) ** 0.5:.3f}"
