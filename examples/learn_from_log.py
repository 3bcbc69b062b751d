"""A task learned from a log of the team at work: what the teammate really does, how sure that is, and what it gains."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import walkon

library = walkon.read_library(Path(__file__).with_name("corridor.py"))
as_told, other = library[1], library[0]  # we were told that the teammate goes straight to cell 4

if __name__ == "__main__":
    # In truth it dawdles. Somebody wrote eighty episodes down, in a CSV file with a line for each step.
    dawdling = 0.5 * as_told.teammates.toarray() + 0.5 * np.array([0, 0, 1])
    real = as_told.with_teammates(dawdling)
    watched = walkon.play_many(real, walkon.agent("random", library), range(80), horizon=10)
    walkon.write_log(walkon.logged(watched, real), "log.csv")

    learned = walkon.learn(walkon.read_log("log.csv"), base=as_told, fit=["teammates"], name="learned")
    found = learned.held_out()
    print(f"log-likelihood of a step that was left out: {found.learned:.2f} learned, {found.base:.2f} as told")

    mates = learned.tables["teammates"]
    low, high = (bound.toarray() for bound in mates.interval(0.95))
    mean = learned.task.teammates.toarray()
    figure = Figure(figsize=(7, 2.6), layout="constrained")
    panels = figure.subplots(1, 3, sharey=True)
    for axes, place in zip(panels, ("agent 2, mate 2", "agent 2, mate 3", "agent 2, mate 4"), strict=True):
        x = learned.task.states.index(place)
        axes.bar(library.actions, mean[x], color="#8fb3d9", width=0.6)
        axes.vlines(library.actions, low[x], high[x], color="black")
        axes.set_title(place, fontsize=10)
        axes.set_xlabel(f"seen {mates.effective[x]:.0f} times")
        print(
            f"{place}: right with {mean[x, 1]:.2f} [{low[x, 1]:.2f}, {high[x, 1]:.2f}]; in truth {dawdling[x, 1]:.2f}"
        )
    panels[0].set_ylabel("probability")
    figure.savefig("learn_from_log.svg")

    for name, task in {"as told": as_told, "learned": learned.task}.items():
        agent = walkon.agent("atpo", walkon.TaskLibrary([other, task]), effort="quick")
        steps = [episode.steps for episode in walkon.play_many(real, agent, range(300))]
        print(f"steps until they meet, with the task {name}: {np.mean(steps):.1f}")
