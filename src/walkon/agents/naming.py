"""Names in place of numbers: an action, an observation, a state or the teammates' action may be given by its name.

Only the fields of a percept that an agent senses are looked at.
"""

from types import NoneType
from typing import Any

import numpy as np

from walkon.agents.memory import Percept, Sense
from walkon.checks import index_of
from walkon.errors import InputError
from walkon.tasks import TaskLibrary, joint_actions

PLAIN = (int, NoneType)
OBSERVES: frozenset[Sense] = frozenset({"observation"})


def numbered(
    library: TaskLibrary, action: Any, percept: Any, senses: frozenset[Sense] = OBSERVES
) -> tuple[int, Percept]:
    """Return an action and a percept with numbers in place of names; refuse anything else."""
    if type(action) is int and type(percept) is Percept and _plain(percept):
        return action, percept
    if isinstance(action, list | tuple | np.ndarray) and np.ndim(action):
        raise InputError(
            f"action is {action!r:.60}, expected the one that was executed: draw it, as in rng.choice(len(p), p=p)"
        )
    number = action if type(action) is int else index_of("action", action, library.action_count, library.actions)
    if not isinstance(percept, Percept):
        such = f"{percept!r:.60}" if isinstance(percept, str | int | np.integer) else "0"
        raise InputError(f"percept is {percept!r:.60}, expected a percept: walkon.Percept(observation={such})")
    return number, _numbered(library, percept, senses)


def first_percept(library: TaskLibrary, percept: Any, senses: frozenset[Sense] = OBSERVES) -> Percept:
    """Return the percept before the first action, with numbers in place of names; refuse anything else."""
    if isinstance(percept, Percept):
        return _numbered(library, percept, senses)
    remedy = "start() takes at most the first state, walkon.Percept(state=x0)"
    if isinstance(percept, list | tuple | np.ndarray):
        remedy += "; a belief over tasks is the prior of walkon.agent(..., prior=[...])"
    raise InputError(f"percept is {percept!r:.60}, expected a percept or nothing: {remedy}")


def _plain(percept: Percept) -> bool:
    """Whether there is nothing to convert, which is the usual case and must be fast."""
    observation, _, state, teammates = percept
    return type(observation) in PLAIN and type(state) in PLAIN and type(teammates) in PLAIN


def _numbered(library: TaskLibrary, percept: Percept, senses: frozenset[Sense]) -> Percept:
    """Leave plain numbers as they are: the agent checks those that it uses. Without tables, there are only values."""
    if not library.tables:
        return percept
    observation, likelihood, state, teammates = percept
    observes = "observation" in senses
    if observes and type(observation) not in PLAIN:
        observation = index_of("observation", observation, library[0].pomdp.O[0].shape[1], library.observations)
    if ("state" in senses or (observes and library.observed)) and type(state) not in PLAIN:
        names = library[0].states if library.shared else None
        state = index_of("state", state, max(len(task.start) for task in library), names)
    if "teammates" in senses and type(teammates) not in PLAIN:
        most = max(joint_actions.count(task) for task in library)
        teammates = index_of("teammates", teammates, most, joint_actions.names(library[0]))
    return Percept(observation, likelihood, state, teammates)
