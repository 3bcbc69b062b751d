"""Draw the pictures of the worlds: one step of each, with what the ad hoc agent observed and believes."""

import sys
from pathlib import Path

import walkon
from walkon import Percept
from walkon.pictures.svg import svg

PERSEUS = {"solver": walkon.Perseus(beliefs=200, tolerance=5e-3)}
QUICK = {"effort": "quick"}
MOMENTS = [
    ("night-pursuit", {}, 1, 3, 6, PERSEUS),
    ("pursuit", {}, 1, 5, 3, PERSEUS),
    ("overcooked", {"role": "helper"}, 0, 2, 30, PERSEUS),
    ("buildings", {"map": "isr", "variant": "run"}, 1, 2, 4, QUICK),
    ("gridworld", {}, 1, 3, 2, QUICK),
    ("pursuit-task", {}, 0, 4, 3, QUICK),
    ("power-plant", {}, 1, 2, 3, QUICK),
    ("one-soup", {}, 0, 1, 6, QUICK),
]


def main(*names: str) -> None:
    """Play each world, or those with these names, up to a moment and draw it."""
    for world, options, task, seed, moment, how in MOMENTS:
        if names and world not in names:
            continue
        library = walkon.make(world, **options)
        agent = walkon.agent("atpo", library, **how)
        episode = walkon.play(library[task], agent, seed=seed)
        memory = agent.start(Percept(state=int(episode.states[0])))
        for t in range(moment):
            memory = agent.update(memory, int(episode.actions[t]), Percept(observation=int(episode.observations[t])))
        view = library[task].view
        assert view is not None
        belief = None if library.observed else memory.states[task]
        scene = view.scene(
            int(episode.states[moment]), observation=int(episode.observations[moment - 1]), belief=belief
        )
        Path(__file__).with_name(f"{world}.svg").write_text(svg(scene))


if __name__ == "__main__":
    main(*sys.argv[1:])
