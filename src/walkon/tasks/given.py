"""Checks that an argument is a task or a library; errors say how to get one from what was given instead."""

from typing import Any

from walkon.errors import InputError
from walkon.models.pomdp import POMDP
from walkon.saying import briefly
from walkon.tasks.library import TaskLibrary
from walkon.tasks.task import Task


def check_task(given: Any) -> None:
    """Refuse what is not a task."""
    if isinstance(given, Task):
        return
    remedy = "make one with walkon.Task, or take one of a library, library[0]"
    if isinstance(given, TaskLibrary):
        remedy = f'take one of its {len(given)}, such as library[0] or library["{given.names[0]}"]'
    elif isinstance(given, POMDP):
        remedy = "walkon.Task.from_pomdp(pomdp)"
    elif hasattr(given, "act") and hasattr(given, "library"):
        remedy = "the task comes before the agent, as in walkon.play(task, agent)"
    elif isinstance(given, str):
        remedy = f"take one of a library, such as walkon.make({given!r:.60})[0]"
    raise InputError(f"task is {briefly(given)}, expected a task: {remedy}")


def check_library(given: Any) -> None:
    """Refuse what is not a library of tasks."""
    if isinstance(given, TaskLibrary):
        return
    remedy = "make one with walkon.make, walkon.define or walkon.TaskLibrary"
    if isinstance(given, Task):
        remedy = "for this one task, walkon.TaskLibrary([task])"
    elif isinstance(given, POMDP):
        remedy = "walkon.TaskLibrary([walkon.Task.from_pomdp(pomdp)])"
    elif hasattr(given, "act") and hasattr(given, "library"):
        remedy = "the agent has one, agent.library"
    elif isinstance(given, list | tuple) and all(isinstance(each, Task) for each in given):
        remedy = "walkon.TaskLibrary(tasks)"
    elif isinstance(given, str):
        remedy = f"walkon.make({given!r:.60})"
    raise InputError(f"library is {briefly(given)}, expected a library of tasks: {remedy}")
