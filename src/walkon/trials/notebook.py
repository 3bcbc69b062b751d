"""An episode as notebooks show it: the moments in turn with the belief over tasks, and all steps in a table."""

import numpy as np

from walkon.errors import InputError
from walkon.pictures import palette
from walkon.pictures.notebook import card, image, rows
from walkon.pictures.svg import Frame, film, svg
from walkon.saying import value
from walkon.trials.episode import Episode

MOST_FRAMES, MOST_TASKS = 60, 6


def episode_html(episode: Episode) -> str:
    """Return the HTML of an episode."""
    steps, task = episode.steps_as_names(), episode.played
    pictures = [] if task is None else [image(episode_film(episode), f"{episode.agent} in {episode.task}")]
    known = {"return": value(episode.ret), "events": str(len(episode.events) or "")}
    facts = {name: each for name, each in known.items() if each}
    return card(repr(episode), facts, *pictures, rows(f"all {len(steps)} steps", steps))


def episode_film(episode: Episode) -> str:
    """Draw the moments as an animated SVG, with the most probable tasks; the last in words if there is no board."""
    task = episode.played
    if task is None:
        raise InputError(f"the episode of {episode.task} does not hold its task: play it with walkon.play")
    last = min(len(episode.actions), MOST_FRAMES, episode.steps)
    seen = [None] * (last + 1) if task.observed else [None, *episode.observations.tolist()]
    scenes = [task.drawing.scene(int(episode.states[t]), observation=seen[t]) for t in range(last + 1)]
    if not scenes[0].columns:
        return svg(scenes[-1])
    steps = episode.steps_as_names()
    return film([Frame(scene, _bars(episode, t), _caption(steps[t - 1], t)) for t, scene in enumerate(scenes)])


def _bars(episode: Episode, t: int) -> tuple[tuple[str, float, str], ...]:
    """The belief over the tasks that are most probable in the end."""
    if episode.task_beliefs is None:
        return ((episode.agent, 1.0, palette.OTHER),)
    shown = sorted(np.argsort(-episode.task_beliefs[-1], kind="stable")[:MOST_TASKS].tolist())
    names = episode.task_names or [f"task {k}" for k in range(episode.task_beliefs.shape[1])]
    return tuple((names[k], float(episode.task_beliefs[t, k]), palette.colours("A")[0]) for k in shown)


def _caption(step: dict[str, object], t: int) -> str:
    if not t:
        return "At the start."
    mates = f", teammates {step['teammates']}" if step["teammates"] is not None else ""
    return f"Step {t}: agent {step['action']}{mates}, observed {step['observation']}, reward {step['reward']:g}."
