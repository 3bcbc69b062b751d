"""A picture of an episode at one step: the scene, and everything else in words and probabilities."""

from dataclasses import dataclass

import numpy as np

from walkon.agents.memory import Memory
from walkon.agents.registry import AGENTS
from walkon.arrays import Floats, Names
from walkon.models.rules import Rules
from walkon.pictures.scene import Heat, Scene
from walkon.tasks import Task, TaskLibrary
from walkon.tasks.named_view import view_of
from walkon.trials.episode import Episode


@dataclass(frozen=True, eq=False)
class Picture:
    """What there is to see after so many steps."""

    step: int  # how many steps there were
    horizon: int  # how many there can be
    heading: str  # the agent and the seed
    status: str  # solved or not, how much was counted, or the discounted return so far
    scene: Scene  # the world, and the observation
    did: str  # the last actions and what they paid; empty before the first
    sensed: str  # what the agent was given to sense
    unexplained: bool  # whether nothing in the library explains it
    tasks: Names  # [K]: the tasks' names
    truth: int  # which of them is being played
    belief: Floats | None  # [K]: the agent's belief over them; None if it has none
    knows: str  # what it knows of the task instead, in words
    actions: Names  # [A]: the names of its actions
    choices: Floats  # [A]: the probability of each as the next one
    taken: int | None  # the one that it then takes; None at the end
    heats: tuple[Heat, ...]  # where it believes things to be, supposing a task: the most probable, or another
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
    """Picture an episode after t steps.

    Args:
        episode: What happened.
        library: The tasks that the agent held possible.
        k: Which of them was played.
        t: How many steps there were, 0 to T.
        choices: The probability of each action as the next one [A].
        memory: What the agent remembered then, if that is known: its state beliefs are shown.
        supposed: The task whose state belief is shown; the most probable one if not given.
    """
    task = library[k]
    kind, x = AGENTS[episode.agent], int(episode.states[t])
    senses, informed = kind.senses, kind.needs.informed
    reads = "observation" in senses
    z = int(episode.observations[t - 1]) if t else x if task.observed else None
    heats: tuple[Heat, ...] = ()
    supposing = ""
    if memory is not None and reads:
        shown = int(np.argmax(memory.tasks)) if supposed is None or informed else supposed
        likely = task if informed else library[shown]
        heats, supposing = view_of(likely).scene(x, belief=memory.states[shown]).beliefs, likely.name
    return Picture(
        step=t,
        horizon=episode.horizon,
        heading=f"{episode.agent} · seed {episode.seed}",
        status=_status(episode, task, t),
        scene=view_of(task).scene(x, observation=z if reads else None),
        did=_did(episode, task, t),
        sensed=_sensed(episode, task, t, z),
        unexplained=any(event.step + 1 == t or (event.action < 0 and t == 0) for event in episode.events),
        tasks=library.names,
        truth=k,
        belief=None if episode.task_beliefs is None else episode.task_beliefs[t],
        knows="it is told the task" if informed else "it keeps no belief over the tasks",
        actions=_names(task.actions, len(choices)),
        choices=choices,
        taken=int(episode.actions[t]) if t < len(episode.actions) else None,
        heats=heats,
        supposing=supposing,
    )


def _names(names: Names | None, size: int) -> Names:
    return names or tuple(map(str, range(size)))


def _status(episode: Episode, task: Task, t: int) -> str:
    if task.tally is not None:
        return task.tally.amount(int(episode.counts[:t].sum()))
    if task.score == "return":
        return f"return {episode.until(t).ret:.2f}"
    return "solved" if episode.solved_at is not None and t >= episode.solved_at else "not solved yet"


def _did(episode: Episode, task: Task, t: int) -> str:
    """The actions of the last step, and what they paid."""
    if t == 0:
        return ""
    action = _names(task.actions, len(task.pomdp.P))[episode.actions[t - 1]]
    teammate_action = teammate_action_name(task, int(episode.teammate_actions[t - 1]))
    count = int(episode.counts[t - 1])
    counted = f", {task.tally.happened(count)}" if task.tally is not None and count else ""
    mates = f"teammate{'s' if len(task.seats) > 1 else ''} {teammate_action}"
    return f"agent {action}, {mates}, paid {episode.rewards[t - 1]:g}{counted}"


def _sensed(episode: Episode, task: Task, t: int, z: int | None) -> str:
    """What the agent was given to sense, in words."""
    senses = AGENTS[episode.agent].senses
    if "state" in senses:
        x = int(episode.states[t])
        return f"the state: {task.states[x] if task.states else x}"
    if "observation" not in senses:
        return "nothing, it has no senses"
    if z is None:
        return "nothing yet"
    read = task.observations[z] if task.observations else f"observation {z}"
    return f"{read}; and what the teammates did" if "teammates" in senses and t else read


def teammate_action_name(task: Task, b: int) -> str:
    """How a joint action of the teammates is said."""
    if isinstance(task.team, Rules):
        return task.team.teammate_action_name(task.team.teammate_actions[b])
    names: Names | None = getattr(task.team, "teammate_actions", None)
    return names[b] if names else str(b)
