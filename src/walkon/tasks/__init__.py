"""Tasks, libraries of tasks, and how they are made."""

from walkon.tasks.library import TaskLibrary
from walkon.tasks.tally import Tally
from walkon.tasks.task import Task

__all__ = ["Tally", "Task", "TaskLibrary"]
