"""Draw the pictures of README and site: a moment of each world, as the ad hoc agent meets it."""

import sys
from pathlib import Path

import walkon
from walkon.models.belief import update
from walkon.pictures.svg import svg

INFORMED = "value-iteration"
MOMENTS = [
    ("night-pursuit", {}, 1, 3, 6, "atpo"),
    ("pursuit", {}, 1, 5, 3, "atpo"),
    ("overcooked", {"role": "helper"}, 0, 2, 30, "atpo"),
    ("buildings", {"map": "isr", "variant": "run"}, 1, 2, 4, INFORMED),
    ("gridworld", {}, 1, 3, 2, INFORMED),
    ("pursuit-task", {}, 0, 4, 2, INFORMED),
    ("power-plant", {}, 1, 2, 2, INFORMED),
    ("one-soup", {}, 0, 1, 8, INFORMED),
    ("rock-sample", {}, 0, 3, 5, "search"),
    ("tag", {}, 0, 3, 6, "search"),
]


def main(*names: str) -> None:
    """Play each world, or those with these names, up to a moment and draw it."""
    for world, options, task, seed, moment, name in MOMENTS:
        if names and world not in names:
            continue
        library = walkon.make(world, **options)
        target = task if name == INFORMED else None
        agent = walkon.agent(name, library, solver=walkon.Perseus(beliefs=200, tolerance=5e-3), target=target)
        episode = walkon.play(library[task], agent, seed=seed)
        belief = library[task].start
        for t in range(0 if library.observed else moment):
            belief, _ = update(library[task].pomdp, belief, int(episode.actions[t]), int(episode.observations[t]))
        view = library[task].view
        assert view is not None
        scene = view.scene(
            int(episode.states[moment]),
            observation=int(episode.observations[moment - 1]),
            belief=None if library.observed else belief,
        )
        Path(__file__).with_name(f"{world}.svg").write_text(svg(scene))


if __name__ == "__main__":
    main(*sys.argv[1:])
