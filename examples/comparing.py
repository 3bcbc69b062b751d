"""Agents compared on the same luck, one of them your own: means, paired differences, and a dot for each trial."""

import walkon
from walkon.figures.by_agent import draw_comparison

library = walkon.make("night-pursuit", size=3, tasks=4)


def simple(observation, waiting):
    """Wander about until a prey is seen, step onto it, wait there for a while, and wander on."""
    if waiting:
        return "Stay", waiting - 1
    seen = "" if observation is None else library.observations[observation]
    for move in ("Up", "Down", "Left", "Right"):
        if f"prey {move.lower()}" in seen:
            return move, 4
    return [0.25, 0.25, 0.25, 0.25, 0.0], 0


def own(library):
    return walkon.player(simple, library, own=0, name="simple")


if __name__ == "__main__":
    agents = {"perseus": "perseus", "atpo": "atpo", "bayes": "bayes", "random": "random", "simple": own}
    found = walkon.compare(library, agents, trials=30, effort="quick")
    print("agent    steps [95 % interval]     against atpo, trial by trial")
    for name in agents:
        mean, gap = found.mean(name), found.difference(name, "atpo")
        print(f"{name:8} {mean.mean:5.2f} [{mean.low:5.2f}, {mean.high:5.2f}]", end="     ")
        print("" if name == "atpo" else f"{gap.mean:+6.2f} [{gap.low:+6.2f}, {gap.high:+6.2f}]")
    draw_comparison(found).savefig("comparing.svg")
