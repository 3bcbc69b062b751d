"""Measure a task that changes and a task outside the library: Night-time Pursuit, 5x5, four tasks.

Two tables: how long ATPO takes to notice that the task has changed, and how often the alarm is raised. Few trials by
default: `python benchmarks/beyond.py 520` for more.
"""

import sys
import warnings

import numpy as np

import walkon
from walkon import Percept
from walkon.agents.alarm import Alarm
from walkon.agents.inference import Inference
from walkon.measuring.statistics import mean_interval
from walkon.simulation.stepping import first_state, step
from walkon.tasks.library import trembling
from walkon.trials.luck import Luck

WORLD = {"size": 5, "tasks": 4}
CHANGE, HORIZON = 20, 70


def interval(values):
    """Format a mean with its 95 % interval."""
    found = mean_interval(values)
    return f"{found.mean:6.2f} ±{(found.high - found.low) / 2:.2f}"


def changes(library, policies, trials):
    """Measure how long ATPO takes after a change of the task."""
    print(f"the task changes at step {CHANGE}: steps until the new one is the most probable, and until it is solved")
    for hazard in (0.0, 0.005, 0.02, 0.05):
        agent, noticed, solved = walkon.agent("atpo", library, policies=policies, hazard=hazard), [], []
        for s in range(trials):
            old, new = s % 4, (s + 1 + s // 4 % 3) % 4
            episode = walkon.play(
                library[old], agent, seed=s, horizon=HORIZON, switch=(CHANGE, library[new]), stop=True
            )
            times = np.flatnonzero(episode.task_beliefs[CHANGE + 1 :, new] > 0.5)
            noticed.append(times[0] + 1 if len(times) else HORIZON - CHANGE)
            solved.append((episode.solved_at or HORIZON) - CHANGE)
        print(f"  hazard {hazard:<5} {interval(noticed)}   {interval(solved)}")


def alarms(library, trials):
    """Measure how often the alarm is raised, with a task inside and outside the library."""
    print("alarms within 100 steps of uniform actions, alpha 0.05")
    noisy = {noise: walkon.make("night-pursuit", noise=noise, **WORLD) for noise in (0.1, 0.5)}
    alarm = Alarm(Inference(library), 0.05, list(noisy.values()))
    outside = list(walkon.make("night-pursuit", size=5, tasks=10))[4:]
    rows = {"in the library": library, "outside": outside, "trembling 0.3": trembling(library, 0.3)}
    for name, tasks in (rows | {f"noise {noise}": each for noise, each in noisy.items()}).items():
        raised = sum(raises(tasks[s % len(tasks)], alarm, s) for s in range(trials))
        print(f"  {name:14} {raised / trials:.0%}")


def raises(task, alarm, seed, horizon=100):
    """Say whether the alarm is raised while actions are uniform."""
    luck = Luck.of(seed, horizon)
    x, suspicion = first_state(task, luck), alarm.start()
    for t in range(horizon):
        action = int(alarm.inference.A * luck[t].agent)
        happened = step(task, x, action, luck[t])
        x, suspicion = happened.state, alarm.update(suspicion, action, Percept(observation=happened.observation))
    return suspicion.alarm is not None


def main(trials):
    """Print both tables."""
    warnings.simplefilter("ignore", walkon.UnexplainedWarning)
    library = walkon.make("night-pursuit", **WORLD)
    policies = walkon.agent("atpo", library).mixture.policies
    changes(library, policies, trials)
    alarms(library, trials)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
