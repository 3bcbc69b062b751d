"""A moment of an episode, ready to be shown: the scene, and everything else in words and probabilities."""

from dataclasses import dataclass

import numpy as np

from walkon.agents.memory import Memory
from walkon.agents.registry import AGENTS
from walkon.arrays import Floats, Names
from walkon.formats.episode_file import Recording
from walkon.models.rules import Rules
from walkon.pictures.scene import Heat, Scene
from walkon.tasks import Task
from walkon.tasks.named_view import view_of


@dataclass(frozen=True, eq=False)
class Moment:
    """What there is to see after so many steps.

    Attributes:
        step: How many steps there were.
        horizon: How many there can be.
        heading: The agent and the seed.
        status: Solved or not, or the soups so far.
        scene: The world, and what was read.
        did: The last actions and what they paid; empty before the first.
        sensed: What the agent was given to sense.
        unexplained: Whether nothing in the library explains it.
        tasks: The tasks' names.
        truth: Which of them is being played.
        belief: The agent's belief over them; None if it has none.
        knows: What it knows of the task instead, in words.
        actions: The names of its actions.
        choices: The probability of each as the next one.
        taken: The one that it then takes; None at the end.
        heats: Where it believes things to be, supposing a task: the most probable one, if no other was asked for.
        supposing: That task's name.
    """

    step: int
    horizon: int
    heading: str
    status: str
    scene: Scene
    did: str
    sensed: str
    unexplained: bool
    tasks: Names  # [K]
    truth: int
    belief: Floats | None  # [K]
    knows: str
    actions: Names  # [A]
    choices: Floats  # [A]
    taken: int | None
    heats: tuple[Heat, ...]
    supposing: str


def moment(recording: Recording, t: int, memory: Memory | None = None, supposed: int | None = None) -> Moment:
    """The moment after t steps.

    Args:
        recording: What happened.
        t: How many steps there were, 0 to T.
        memory: What the agent remembered then, if that is known: its state beliefs are shown.
        supposed: The task whose state belief is shown; the most probable one if not given.
    """
    episode, library = recording.episode, recording.library
    task = library[recording.task]
    kind, x = AGENTS[episode.agent], int(episode.states[t])
    senses, informed = kind.senses, kind.needs.informed
    reads = "observation" in senses
    z = int(episode.observations[t - 1]) if t else x if task.observed else None
    heats: tuple[Heat, ...] = ()
    supposing = ""
    if memory is not None and reads:
        k = int(np.argmax(memory.tasks)) if supposed is None or informed else supposed
        likely = task if informed else library[k]
        heats, supposing = view_of(likely).scene(x, belief=memory.states[k]).beliefs, likely.name
    return Moment(
        step=t,
        horizon=episode.horizon,
        heading=f"{episode.agent} · seed {episode.seed}",
        status=_status(recording, t),
        scene=view_of(task).scene(x, observation=z if reads else None),
        did=_did(recording, t),
        sensed=_sensed(recording, t, z),
        unexplained=any(event.step + 1 == t or (event.action < 0 and t == 0) for event in episode.events),
        tasks=library.names,
        truth=recording.task,
        belief=None if episode.task_beliefs is None else episode.task_beliefs[t],
        knows="it is told the task" if informed else "it keeps no belief over the tasks",
        actions=_names(task.actions, len(recording.choices[t])),
        choices=recording.choices[t],
        taken=int(episode.actions[t]) if t < len(episode.actions) else None,
        heats=heats,
        supposing=supposing,
    )


def _names(names: Names | None, size: int) -> Names:
    return names or tuple(map(str, range(size)))


def _status(recording: Recording, t: int) -> str:
    episode = recording.episode
    if recording.library[recording.task].score == "soups":
        soups = int(episode.deliveries[:t].sum())
        return f"{soups} soup{'' if soups == 1 else 's'}"
    return "solved" if episode.solved_at is not None and t >= episode.solved_at else "not solved yet"


def _did(recording: Recording, t: int) -> str:
    """The actions of the last step, and what they paid."""
    if t == 0:
        return ""
    episode, task = recording.episode, recording.library[recording.task]
    action = _names(task.actions, len(recording.choices[0]))[episode.actions[t - 1]]
    teammate_action = teammate_action_name(task, int(episode.teammate_actions[t - 1]))
    soup = ", a soup is delivered" if episode.deliveries[t - 1] else ""
    mates = f"teammate{'s' if len(task.seats) > 1 else ''} {teammate_action}"
    return f"agent {action}, {mates}, paid {episode.rewards[t - 1]:g}{soup}"


def _sensed(recording: Recording, t: int, z: int | None) -> str:
    """What the agent was given to sense, in words."""
    task, senses = recording.library[recording.task], AGENTS[recording.episode.agent].senses
    if "state" in senses:
        x = int(recording.episode.states[t])
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
