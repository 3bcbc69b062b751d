"""A figure for a paper: how fast ATPO becomes sure of the task, by noise, in the width of a column, as SVG or PDF."""

import numpy as np
from matplotlib import rcParams
from matplotlib.figure import Figure

import walkon

STYLE = {"font.family": "serif", "font.size": 8, "axes.spines.top": False, "axes.spines.right": False}

if __name__ == "__main__":
    rcParams.update(STYLE)
    figure = Figure(figsize=(3.3, 2.2), layout="constrained")
    axes = figure.subplots()
    for noise, dash in [(0.1, "-"), (0.3, "--"), (0.5, ":")]:
        library = walkon.make("night-pursuit", size=3, tasks=4, noise=noise)
        agent = walkon.agent("atpo", library, effort="quick")
        lines = []
        for k, task in enumerate(library):
            for episode in walkon.play_many(task, agent, range(50), horizon=15):
                lines.append(episode.task_beliefs[:, k])  # the probability of the true task
        mean, error = np.mean(lines, axis=0), 1.96 * np.std(lines, axis=0, ddof=1) / len(lines) ** 0.5
        axes.plot(mean, dash, color="black", lw=1, label=f"noise {noise}")
        axes.fill_between(range(16), mean - error, mean + error, color="black", alpha=0.12, lw=0)
        print(f"noise {noise}: after five steps it believes in the true task with {mean[5]:.2f} ± {error[5]:.2f}")
    axes.set(xlabel="step", ylabel="belief in the true task", xlim=(0, 15), ylim=(0, 1.02))
    axes.legend(frameon=False, loc="lower right")
    figure.savefig("paper_figure.svg")
