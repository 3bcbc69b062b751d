"""Train a small policy in the Gymnasium environment with NumPy alone (the cross-entropy method), and let it play."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import walkon
from walkon import AdHocEnv

library = walkon.read_library(Path(__file__).with_name("corridor.py"))
ACTIONS = len(library.actions)
BEGIN = ACTIONS  # stands for the last action before the first
SHAPE = (ACTIONS + 1, 3, ACTIONS)  # a table of scores: last action, observation, next action


def row(numbers):
    """Turn the numbers of the environment (whether there is an observation, and which) into one of three rows."""
    return int(numbers[0] * (1 + numbers[1]))


def earned(env, table, seed):
    """Play one episode and return what the policy earns."""
    numbers, _ = env.reset(seed=seed)
    did, total, over = BEGIN, 0.0, False
    while not over:
        did = int(table[did, row(numbers)].argmax())
        numbers, paid, ended, cut, _ = env.step(did)
        total, over = total + paid, ended or cut
    return total


def train(rounds=10, size=40, episodes=8, seed=0):
    """Draw tables around the mean, keep the best fifth, move the mean there, and repeat."""
    chance = np.random.default_rng(seed)
    env = AdHocEnv(library, horizon=20, stop_when_solved=True)
    mean, width, curve = np.zeros(SHAPE), np.ones(SHAPE), []
    for round_ in range(rounds):
        tables = mean + width * chance.normal(size=(size, *SHAPE))
        seeds = range(round_ * episodes, (round_ + 1) * episodes)  # the same luck for all tables of a round
        scores = [sum(earned(env, table, seed) for seed in seeds) for table in tables]
        best = tables[np.argsort(scores)[-size // 5 :]]
        mean, width = best.mean(axis=0), best.std(axis=0) + 0.05
        curve.append(np.mean(scores) / episodes)
    return mean, curve


def seat(table):
    """Make an agent of the trained policy; its own state is its last action."""

    def decide(numbers, did):
        action = int(table[did, row(numbers)].argmax())
        return action, action

    return walkon.player(decide, library, own=BEGIN, numbers=True, name="trained")


if __name__ == "__main__":
    table, curve = train()
    for agent in (seat(table), walkon.agent("random", library)):
        steps = [episode.steps for task in library for episode in walkon.play_many(task, agent, range(200), horizon=20)]
        print(f"{agent.name}: {np.mean(steps):.1f} steps to meet")
    axes = Figure(figsize=(5, 2.6), layout="constrained").subplots()
    axes.plot(range(1, len(curve) + 1), curve, marker=".")
    axes.set(xlabel="round of training", ylabel="mean return")
    axes.figure.savefig("train.svg")
