"""Draw the pictures of the README: one step of each world, with what the ad hoc agent observed and believes."""

from pathlib import Path

import walkon
from walkon import Percept
from walkon.pictures.svg import svg

MOMENTS = [("night-pursuit", {}, 1, 3, 6), ("pursuit", {}, 1, 5, 3), ("overcooked", {"role": "helper"}, 0, 2, 30)]


def main() -> None:
    """Play each world up to a moment and draw it."""
    for world, options, task, seed, moment in MOMENTS:
        library = walkon.make(world, **options)
        solver = walkon.Perseus(beliefs=200, tolerance=5e-3)
        agent = walkon.agent("atpo", library, solver=solver)
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
    main()
