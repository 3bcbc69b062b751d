"""Draw the pictures of README and site: a moment of each world, as the ad hoc agent meets it, and a film of a game."""

import sys
from pathlib import Path

import walkon
from walkon.models.belief import update
from walkon.pictures import palette
from walkon.pictures.svg import Frame, film, svg

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


GAME = {"size": 5, "noise": 0.3, "tasks": 4, "tremble": 0.1}
FIRST = (2, 41)  # the task and the seed of a game that tells a story


def first_game() -> list[Frame]:
    """Play a whole game of Night-time Pursuit: the board, the belief over tasks, and in words what was observed."""
    library = walkon.make("night-pursuit", **GAME)
    task, seed = FIRST
    episode = walkon.play(library[task], walkon.agent("atpo", library, effort="quick"), seed=seed)
    frames = []
    for t in range(episode.steps + 1):
        z = int(episode.observations[t - 1]) if t else None
        scene = library[task].drawing.scene(int(episode.states[t]), observation=z)
        colours = [palette.OTHER if k == task else palette.HEAT for k in range(len(library))]
        names = [f"{name}{', the truth' if k == task else ''}" for k, name in enumerate(library.names)]
        bars = tuple(zip(names, episode.task_beliefs[t].tolist(), colours, strict=True))
        frames.append(Frame(scene, bars, _caption(library, z, t, episode.steps)))
    return frames


def _caption(library: walkon.TaskLibrary, z: int | None, t: int, last: int) -> str:
    """Say what the agent observed."""
    if z is None:
        return "The agent A sees only the cells beside it, and does not know which two preys its teammate T is after."
    seen = [each for each in library.observations[z].split(", ") if not each.startswith("nothing")]
    words = " and ".join(seen) or "nothing"
    return f"Step {t}. The agent saw {words}." + (" Both preys are caught." if t == last else "")


def main(*names: str) -> None:
    """Play each world, or those with these names, up to a moment and draw it, and draw the film."""
    if not names:
        Path(__file__).with_name("first-game.svg").write_text(film(first_game()))
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
