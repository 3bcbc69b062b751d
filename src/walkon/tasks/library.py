"""A library of tasks: those that the ad hoc agent considers possible.

The paper's M = {m_1, ..., m_K}. The tasks share the ad hoc agent's actions and its observations, and nothing else:
states, dynamics, rewards and discounts may all differ.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np

from walkon.arrays import Ints, Names
from walkon.checks import index_of
from walkon.errors import InputError
from walkon.models.content import content_hash
from walkon.saying import briefly
from walkon.tasks.outline import Outline
from walkon.tasks.rule_task import RuleTask
from walkon.tasks.task import Task
from walkon.tasks.trembling import Trembling


@dataclass(frozen=True, init=False, eq=False, repr=False)
class TaskLibrary:
    """K tasks, numbered from 0."""

    tasks: tuple[Task, ...]  # [K]
    variants: Callable[[], Sequence["TaskLibrary"]]

    def __init__(self, tasks: Sequence[Task], variants: Callable[[], Sequence["TaskLibrary"]] | None = None) -> None:
        """Check that the tasks share actions and observations.

        Args:
            tasks: The tasks, in the order of their numbers.
            variants: Makes libraries of the same world with other noise, as alternatives for the alarm.
        """
        if isinstance(tasks, set | frozenset):
            raise InputError("tasks is a set, whose order may change from run to run: give a list")
        if isinstance(tasks, Task) or not isinstance(tasks, Iterable):
            raise InputError(f"tasks is {briefly(tasks)}, expected a list: walkon.TaskLibrary([task])")
        each = tuple(tasks)
        if not each:
            raise InputError("the library is empty, expected at least one task")
        for k, task in enumerate(each):
            if not isinstance(task, Task):
                raise InputError(f"tasks[{k}] is a {type(task).__name__}, expected a Task")
            if task.tables != each[0].tables:
                raise InputError(f'task {k} ("{task.name}") and task 0: one has tables and the other has none')
            _share("actions", k, task, each[0])
            if task.tables:
                _share("observations", k, task, each[0])
        object.__setattr__(self, "tasks", each)
        object.__setattr__(self, "variants", variants or tuple)

    def __repr__(self) -> str:
        return f"TaskLibrary({', '.join(self.names)})"

    def __len__(self) -> int:
        return len(self.tasks)

    @overload
    def __getitem__(self, k: int | str) -> Task: ...

    @overload
    def __getitem__(self, k: slice) -> "TaskLibrary": ...

    def __getitem__(self, k: int | str | slice) -> "Task | TaskLibrary":
        """Return a task by its number or its name, or the library of a slice of tasks."""
        if isinstance(k, slice):
            return TaskLibrary(self.tasks[k], lambda: [each[k] for each in self.variants()])
        if isinstance(k, str) or not hasattr(k, "__index__"):
            return self.tasks[index_of("task", k, len(self), self.names)]
        if not -len(self) <= k < len(self):
            raise IndexError(f"task {k} does not exist: they are numbered 0 to {len(self) - 1}")
        return self.tasks[k]

    def by_action(self, probabilities: Any) -> dict[str, float]:
        """Return the probability of each action [A] by its name; by its number, as a text, if it has none."""
        names = self.actions or tuple(map(str, range(self.action_count)))
        if np.shape(probabilities) != (len(names),):
            raise InputError(
                f"probabilities has shape {np.shape(probabilities)}, expected one for each of {len(names)}"
            )
        return dict(zip(names, map(float, probabilities), strict=True))

    def __iter__(self) -> Iterator[Task]:
        return iter(self.tasks)

    @property
    def names(self) -> Names:
        """The names of the tasks."""
        return tuple(task.name for task in self.tasks)

    @property
    def tables(self) -> bool:
        """Whether the tasks have tables: matrices, and lists of their states and observations."""
        return self.tasks[0].tables

    @property
    def action_count(self) -> int:
        """The number of the ad hoc agent's actions."""
        return self.tasks[0].action_count

    @property
    def actions(self) -> Names | None:
        """Names of the ad hoc agent's actions."""
        return self.tasks[0].actions

    @property
    def observations(self) -> Names | None:
        """Names of the observations."""
        return self.tasks[0].observations

    @cached_property
    def observed(self) -> bool:
        """Whether the observation is the state, in every task."""
        return all(task.observed for task in self.tasks)

    @cached_property
    def shared(self) -> bool:
        """Whether all tasks have the same states: as many, and with the same names."""
        return len({(len(task.pomdp.start), task.states) for task in self.tasks}) == 1

    def observation_numbers(self, observation: int | None) -> Ints:
        """Return the numbers of an observation after a 1; for no observation, a 0 and then the lowest numbers.

        Where the state is fully observed there is always an observation, and its numbers come without the 1.
        """
        table = self.tasks[0].observation_numbers
        if observation is None:
            return np.concatenate([[0], table.min(axis=0)])
        return np.array(table[observation]) if self.observed else np.concatenate([[1], table[observation]])

    @cached_property
    def hash(self) -> str:
        """A digest of the tasks, in their order."""
        return content_hash("library", *(task.hash for task in self.tasks))


def _share(what: str, k: int, task: Task, first: Task) -> None:
    """Refuse a task whose actions or observations differ from those of the first one."""
    count, wanted = (each.action_count if what == "actions" else each.pomdp.O[0].shape[1] for each in (task, first))
    names, expected = getattr(task, what), getattr(first, what)
    if count != wanted:
        found = f'task {k} ("{task.name}") has {count} {what}, task 0 has {wanted}'
        raise InputError(f"{found}: the tasks of a library share them")
    if names and expected and names != expected:
        z = next(i for i, (ours, theirs) in enumerate(zip(names, expected, strict=True)) if ours != theirs)
        found = f'{what}[{z}] of task {k} ("{task.name}") is "{names[z]}", of task 0 "{expected[z]}"'
        raise InputError(f"{found}: the tasks of a library share {what}")


def trembling(
    library: TaskLibrary, tremble: float, *, named: str = "{}, trembling", folded: bool = False
) -> TaskLibrary:
    """Return a library like this one, in which the teammates tremble at each step with this probability.

    Args:
        library: The tasks.
        tremble: The probability that the joint action is drawn uniformly instead of from the teammates' policy;
            without tables, that each teammate's action is.
        named: The names of the new tasks; {} is the old name.
        folded: Whether tasks whose teammates are folded in stay as they are; otherwise they are refused.
    """
    if not isinstance(library, TaskLibrary):
        raise InputError(
            f"library is {briefly(library)}, expected a library of tasks, such as walkon.TaskLibrary([task])"
        )
    if not 0 < tremble <= 1:
        raise InputError(f"tremble is {tremble}, expected a probability above 0")

    def tremble_in(task: Task) -> Task:
        if isinstance(task, RuleTask):
            return RuleTask(Outline.of(Trembling(task.outline.written, tremble, named.format(task.name)), 0))
        if task.teammates is None:
            if folded:
                return task
            raise InputError(f'the teammates of task "{task.name}" are folded in: they cannot tremble')
        policy = task.teammates.toarray()
        return task.with_teammates((1 - tremble) * policy + tremble / policy.shape[1], named.format(task.name))

    return TaskLibrary([tremble_in(task) for task in library])
