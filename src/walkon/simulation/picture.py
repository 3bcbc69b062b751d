"""A picture of an episode at one step: the scene, and everything else in words and probabilities."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from walkon.agents.memory import Memory
from walkon.agents.registry import AGENTS
from walkon.arrays import Floats, Names
from walkon.models.rules import Rules
from walkon.pictures.scene import Heat, Scene
from walkon.tasks import Task, TaskLibrary
from walkon.tasks.naming import name_of
from walkon.trials.episode import Episode


@dataclass(frozen=True, eq=False)
class Picture:
    """What there is to see after so many steps."""

    step: int  # the number of steps so far
    horizon: int  # the number of steps of the episode
    heading: str  # the agent and the seed
    status: str  # solved or not, the tally, or the discounted return so far
    scene: Scene  # the world, and the last observation
    did: str  # the last actions and their reward; empty before the first
    sensed: str  # the agent's percept
    unexplained: bool  # whether no task of the library explains it
    tasks: Names  # [K]: the tasks' names
    truth: int  # the number of the task that is played
    belief: Floats | None  # [K]: the agent's task belief; None if it has none
    knows: str  # what an agent without a task belief knows of the task, in words
    actions: Names  # [A]: the names of its actions
    choices: Floats  # [A]: the probability of each as the next one
    taken: int | None  # the action that it takes next; None at the end
    heats: tuple[Heat, ...]  # where it believes things to be, given the most probable task or another one
    supposing: str  # that task's name


def picture_of(
    episode: Episode,
    library: TaskLibrary,
    k: int,
    t: int,
    choices: Floats,
    memory: Memory | None = None,
    supposed: int | None = None,
) -> Picture:
    """Picture an episode of task k after t steps.

    `choices` [A] are the probabilities of the next action. With the agent's memory, its state belief is shown for the
    supposed task, by default the most probable one.
    """
    task = library[k]
    kind, x = AGENTS[episode.agent], plain(episode.states[t])
    senses, informed = kind.senses, kind.needs.informed
    observes = "observation" in senses
    z = plain(episode.observations[t - 1]) if t else x if task.observed else None
    heats: tuple[Heat, ...] = ()
    supposing = ""
    if memory is not None and observes:
        shown = int(np.argmax(memory.tasks)) if supposed is None or informed else supposed
        likely = task if informed else library[shown]
        heats, supposing = likely.drawing.scene(x, belief=memory.states[shown]).beliefs, likely.name
    return Picture(
        step=t,
        horizon=episode.horizon,
        heading=f"{episode.agent} · seed {episode.seed}",
        status=_status(episode, task, t),
        scene=task.drawing.scene(x, observation=z if observes else None),
        did=_did(episode, task, t),
        sensed=_sensed(episode, task, t, z),
        unexplained=any(event.step + 1 == t or (event.action < 0 and t == 0) for event in episode.events),
        tasks=library.names,
        truth=k,
        belief=None if episode.task_beliefs is None else episode.task_beliefs[t],
        knows="it is told the task" if informed else "it keeps no belief over the tasks",
        actions=task.actions or tuple(map(str, range(len(choices)))),
        choices=choices,
        taken=int(episode.actions[t]) if t < len(episode.actions) else None,
        heats=heats,
        supposing=supposing,
    )


def _status(episode: Episode, task: Task, t: int) -> str:
    if task.tally is not None:
        return task.tally.amount(int(episode.counts[:t].sum()))
    if task.score == "return":
        return f"return {episode.until(t).ret:.2f}"
    return "solved" if episode.solved_at is not None and t >= episode.solved_at else "not solved yet"


def _did(episode: Episode, task: Task, t: int) -> str:
    """Describe the actions of the last step and their reward."""
    if t == 0:
        return ""
    a = episode.actions[t - 1]
    action = task.actions[a] if task.actions else a
    teammate_action = teammate_action_name(task, plain(episode.teammate_actions[t - 1]))
    count = int(episode.counts[t - 1])
    counted = f", {task.tally.happened(count)}" if task.tally is not None and count else ""
    mates = f"teammate{'s' if len(task.seats) > 1 else ''} {teammate_action}"
    return f"agent {action}, {mates}, reward {episode.rewards[t - 1]:g}{counted}"


def _sensed(episode: Episode, task: Task, t: int, z: Any) -> str:
    """Describe the agent's percept."""
    senses = AGENTS[episode.agent].senses
    if "state" in senses:
        return f"the state: {_name(task.states, plain(episode.states[t]))}"
    if "observation" not in senses:
        return "nothing, it has no senses"
    if z is None:
        return "nothing yet"
    seen = task.observations[z] if task.observations else name_of(z) if not task.tables else f"observation {z}"
    return f"{seen}; and what the teammates did" if "teammates" in senses and t else seen


def _name(names: Names | None, thing: Any) -> Any:
    return names[thing] if names else name_of(thing)


def plain(thing: Any) -> Any:
    """A number of an episode's column as Python's own; a value as it is."""
    return int(thing) if isinstance(thing, np.integer) else thing


def teammate_action_name(task: Task, b: Any) -> str:
    """Name a joint action of the teammates."""
    if not task.tables:
        return name_of(b)
    if isinstance(task.team, Rules):
        return task.team.teammate_action_name(task.team.teammate_actions[b])
    names = task.team and task.team.teammate_actions
    return names[b] if names else str(b)
