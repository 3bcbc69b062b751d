"""The paper's baseline, Night-time Pursuit 5x5 with noise 0.3 and K = 4: every agent on the same trials.

`python benchmarks/baseline.py [TRIALS]` plays TRIALS episodes of each of the four tasks (500 if not given, so 2,000 in
all) and prints a table in Markdown: the mean number of steps with its 95 % interval, the share solved, and the paired
difference to ATPO with its own interval. Agents meet the same luck, so pairing is fair.
"""

import sys

import numpy as np

import walkon
from walkon.agents.registry import AGENTS, TOLD


def interval(values):
    """The mean, and half the width of its 95 % interval."""
    values = np.asarray(values, dtype=float)
    return values.mean(), 1.96 * values.std(ddof=1) / np.sqrt(len(values))


def main(trials=500):
    """Play, and print the table."""
    library = walkon.make("night-pursuit")
    policies = walkon.agent("atpo", library).mixture.policies
    plan = walkon.agent("bayes", library)
    steps, solved = {}, {}
    for name in AGENTS.keys() - {"atpo-look", "atpo-search"}:  # these have a benchmark of their own: beyond.py
        episodes = []
        for k, task in enumerate(library):
            told = {"target": k} if name in TOLD else {}
            given = {} if name in ("bayes", "bopa", "value-iteration", "random") else {"policies": policies}
            agent = plan if name == "bayes" else walkon.agent(name, library, **told, **given)
            episodes += walkon.play_many(task, agent, range(k * trials, (k + 1) * trials))
        steps[name] = np.array([episode.steps for episode in episodes])
        solved[name] = np.mean([episode.solved for episode in episodes])
        print(name, *interval(steps[name]), file=sys.stderr)
    print(f"| agent | steps ({4 * trials:,} trials) | solved | steps more than ATPO, paired |\n|---|---|---|---|")
    for name in sorted(steps, key=lambda each: steps[each].mean()):
        mean, half = interval(steps[name])
        more, by = interval(steps[name] - steps["atpo"])
        paired = "" if name == "atpo" else f"{more:+.2f} ± {by:.2f}"
        print(f"| {name} | {mean:.2f} ± {half:.2f} | {100 * solved[name]:.1f} % | {paired} |")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
